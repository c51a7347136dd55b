/* Models as graphs for Graphviz. */
#ifndef HY_EDITOR_EXPORT_DOT_H
#define HY_EDITOR_EXPORT_DOT_H

#include "hydevs/load.h"

G_BEGIN_DECLS

gboolean hy_dot_write(const HyLoaded *loaded, GString *out, HyReport *report);

G_END_DECLS
#endif
