/* PowerDEVS' files as formats (format.h). */
#ifndef HY_PDM_FORMAT_H
#define HY_PDM_FORMAT_H

#include "editor-export/format.h"

G_BEGIN_DECLS

xmlDoc *pdm_to_tree(const char *file, const char *text, HyReport *report);
xmlDoc *pds_to_tree(const char *file, const char *text, HyReport *report);

G_END_DECLS
#endif
