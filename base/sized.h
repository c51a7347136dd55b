/* Structs that programs fill in, or have filled, and that may grow (docs/c.md): what passes between
 * a program and a library that were compiled with different lengths of one. */
#ifndef HYDEVS_BASE_SIZED_H
#define HYDEVS_BASE_SIZED_H

#include <glib.h>

/* *TO, which has what holds where nobody says anything, takes what FROM says (NULL: nothing), SIZE
 * bytes as its program knows the struct. FALSE: that is made for a newer library, and says
 * something that is not known here. */
#define hy_sized_take(to, from, size, name, error)                                                 \
  hy_sized_copy_in((to), sizeof *(to), (from), (size), (name), (error))
gboolean hy_sized_copy_in(void *to, gsize known, const void *from, gsize size, const char *name,
                          GError **error);

/* What is in *FROM goes to TO, of which its program knows SIZE bytes; those beyond what there is
 * become 0. */
#define hy_sized_give(to, size, from) hy_sized_copy_out((to), (size), (from), sizeof *(from))
void hy_sized_copy_out(void *to, gsize size, const void *from, gsize known);

#endif
