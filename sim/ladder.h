/* The min ladder: the earliest of many instants, ties by position. Level 0 holds the keys; level k
 * + 1 the minimum of every 8 entries of level k; the top level has 8 or 16. No key may be NaN. */
#ifndef HY_LADDER_H
#define HY_LADDER_H

#include "hydevs/atomic.h"

#include <math.h>

#define HY_LADDER_LEVELS 10

typedef struct {
  guint top;                    /* index of the highest level */
  guint n_top;                  /* its entries */
  double *at[HY_LADDER_LEVELS]; /* each padded to a multiple of 8 with infinity */
} HyLadder;

void hy_ladder_init(HyLadder *l, guint n); /* all keys infinite */
void hy_ladder_clear(HyLadder *l);
void hy_ladder_tape(HyLadder *l, guint n, HyTape *tape); /* N as at init */

#define HY_LADDER_INLINE static inline __attribute__((always_inline)) /* at every event */

HY_LADDER_INLINE double hy_ladder_less(double a, double b)
{
  return a < b ? a : b;
}

HY_LADDER_INLINE double hy_ladder_min4(const double *a)
{
  return hy_ladder_less(hy_ladder_less(a[0], a[1]), hy_ladder_less(a[2], a[3]));
}

HY_LADDER_INLINE double hy_ladder_min8(const double *a)
{
  return hy_ladder_less(hy_ladder_min4(a), hy_ladder_min4(a + 4));
}

/* The first of eight that is MIN, their smallest. */
HY_LADDER_INLINE guint hy_ladder_first8(const double *a, double min)
{
  guint i = hy_ladder_min4(a) > min ? 4 : 0;
  i += hy_ladder_less(a[i], a[i + 1]) > min ? 2 : 0;
  return i + (a[i] > min);
}

/* The smallest key; INFINITY if there is none. */
static inline double hy_ladder_min(const HyLadder *l)
{
  const double *a = l->at[l->top];
  double first = hy_ladder_min8(a);
  return l->n_top > 8 ? hy_ladder_less(first, hy_ladder_min8(a + 8)) : first;
}

/* The same, and its first position. */
HY_LADDER_INLINE double hy_ladder_find(const HyLadder *l, guint *first)
{
  const double *a = l->at[l->top];
  double min = hy_ladder_min8(a);
  guint i = 0;
  if (l->n_top > 8) {
    double second = hy_ladder_min8(a + 8);
    i = second < min ? 8 : 0;
    min = hy_ladder_less(second, min);
  }
  i += hy_ladder_first8(a + i, min);
  for (guint level = l->top; level-- > 0;) {
    i = 8 * i + hy_ladder_first8(&l->at[level][(gsize)8 * i], min);
  }
  *first = i;
  return min;
}

static inline void hy_ladder_set(HyLadder *l, guint i, double t)
{
  double old = l->at[0][i];
  l->at[0][i] = t;
  if (l->top == 0) {
    return;
  }
  for (guint level = 0; level < l->top; level++) {
    guint parent = i / 8;
    double *m = &l->at[level + 1][parent], was = *m;
    if (t < was) {
      *m = t;
    } else if (old > was || t <= was) { /* of ordered numbers: no != */
      return; /* the minimum of the eight is another one, or has not changed */
    } else {
      double now = hy_ladder_min8(&l->at[level][i & ~7U]);
      if (now <= was) {
        return;
      }
      *m = t = now;
    }
    old = was;
    i = parent;
  }
}

#endif
