/* Several arrays in one allocation: laid out once with AT = NULL, which gives the size, and once in
 * what was allocated for it. Each array begins at a multiple of 16 bytes. */
#ifndef HYDEVS_BASE_CARVE_H
#define HYDEVS_BASE_CARVE_H

#include <glib.h>

typedef struct {
  guint8 *at;
  gsize size; /* taken so far */
} HyCarve;

static inline gpointer hy_carve(HyCarve *c, gsize bytes)
{
  gpointer array = c->at != NULL ? c->at + c->size : NULL;
  c->size += (bytes + 15) & ~(gsize)15;
  return array;
}

#endif
