/* Files in other languages (hydevs/format.h) as trees of ours. */
#ifndef HY_FOREIGN_H
#define HY_FOREIGN_H

#include "hydevs/format.h"
#include "language/xml_read.h"

G_BEGIN_DECLS

/* hy_tree_read() and hy_tree_parse(), for a file of one of FORMATS or of XML. */
HyTree *hy_foreign_read(const HyFormat *formats, const char *path, const char *const *names,
                        const HyReadLimits *limits, HyReport *report);
HyTree *hy_foreign_parse(const HyFormat *formats, const char *bytes, gsize size, const char *file,
                         const char *const *names, const HyReadLimits *limits, HyReport *report);

G_END_DECLS
#endif
