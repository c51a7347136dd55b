/* What the forms of `hydevs list-blocks` share. Lists of blocks end with NULL. */
#ifndef HYDEVS_CLI_LIST_BLOCKS_H
#define HYDEVS_CLI_LIST_BLOCKS_H

#include "hydevs/hydevs.h"

const char *list_palette(const HyAtomicClass *k);
/* Block K is the first of its palette; the others of it stand together with it. */
gboolean list_is_first(const HyAtomicClass *const *all, guint k);
/* What a parameter may be, in words: "a number above 0"; newly allocated. */
char *list_values(const HyParam *p);
/* The default as a model file would say it; newly allocated. NULL: it must be set. */
char *list_default(const HyParam *p);

/* ALL as a page (docs/library.md). */
void list_markdown(const HyAtomicClass *const *all);

#endif
