/* Several arrays in one allocation: laid out once with AT = NULL, which gives the size, and once in
 * what was allocated for it. Each array begins at a multiple of 16 bytes. */
#ifndef HYDEVS_BASE_CARVE_H
#define HYDEVS_BASE_CARVE_H

#include <glib.h>
#include <string.h>

typedef struct {
  guint8 *at;
  gsize size; /* taken so far */
} HyCarve;

/* Zeroes, for what lives shortly: g_malloc0 passes by what the thread has just freed (glibc). */
static inline gpointer hy_zeroed(gsize bytes)
{
  return memset(g_malloc(bytes), 0, bytes);
}

static inline gpointer hy_carve(HyCarve *c, gsize bytes)
{
  gpointer array = c->at != NULL ? c->at + c->size : NULL;
  c->size += (bytes + 15) & ~(gsize)15;
  return array;
}

#endif
