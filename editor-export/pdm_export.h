/* Models of ours as PowerDEVS models. */
#ifndef HY_PDM_EXPORT_H
#define HY_PDM_EXPORT_H

#include "editor-export/pdm.h"
#include "hydevs/load.h"

G_BEGIN_DECLS

/* LOADED as a drawing, with its couplings and lines. NULL: the reasons are in REPORT. */
PdmFile *pdm_from_loaded(const HyLoaded *loaded, HyReport *report);
/* A drawing for the couplings of all blocks: names and parameters that a .pds has not, places from
 * left to right as blocks feed each other, lines with one junction for each receiver of an output
 * but the last, three lines at each. */
void pdm_draw_all(PdmFile *file);

G_END_DECLS
#endif
