/* PowerDEVS' files as formats (format.h). */
#ifndef HY_PDM_FORMAT_H
#define HY_PDM_FORMAT_H

#include "editor-export/format.h"

G_BEGIN_DECLS

xmlDoc *pdm_to_tree(const char *file, const char *text, GPtrArray *further, HyReport *report);
xmlDoc *pds_to_tree(const char *file, const char *text, GPtrArray *further, HyReport *report);
gboolean pdm_write_loaded(const HyLoaded *loaded, GString *out, HyReport *report);
gboolean pds_write_loaded(const HyLoaded *loaded, GString *out, HyReport *report);
/* A .pdm or .pds as a .pdm or .pds, with all that is in it. */
gboolean pdm_rewrite(const char *file, const char *text, const char *to, GString *out,
                     HyReport *report);

G_END_DECLS
#endif
