/* What the files of the room share: the tables of the formats, and nodes of a tree of our language
 * that know their lines. */
#ifndef HY_EDITOR_EXPORT_FORMAT_H
#define HY_EDITOR_EXPORT_FORMAT_H

#include "hydevs/format.h"

#include <libxml/tree.h>

G_BEGIN_DECLS

/* A document whose root is <hydevs name="NAME">; xmlFreeDoc() frees it. */
xmlDoc *hy_format_doc(const char *name);
/* A new last child NAME of PARENT, which stands in LINE of the file. */
xmlNode *hy_format_add(xmlNode *parent, const char *name, guint line);
/* NAME="VALUE"; in place of what it was. */
void hy_format_set(xmlNode *node, const char *name, const char *value);

G_END_DECLS
#endif
