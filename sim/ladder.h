/* The min ladder: the earliest of many instants, ties by position. Level 0 holds the keys; level k
 * + 1 the minimum of every 8 entries of level k; the top level has at most 16. No key may be NaN.
 */
#ifndef HY_LADDER_H
#define HY_LADDER_H

#include "hydevs/atomic.h"

#include <math.h>

#define HY_LADDER_LEVELS 10

typedef struct {
  guint top;                    /* index of the highest level */
  guint n_top;                  /* its entries */
  double *at[HY_LADDER_LEVELS]; /* each, unless it has at most 4 entries, padded to a multiple of 8
                                   with infinity */
} HyLadder;

void hy_ladder_init(HyLadder *l, guint n); /* all keys infinite */
void hy_ladder_clear(HyLadder *l);
void hy_ladder_tape(HyLadder *l, guint n, HyTape *tape); /* N as at init */

static inline double hy_ladder_min8(const double *a)
{
  double m0 = a[0] < a[1] ? a[0] : a[1], m1 = a[2] < a[3] ? a[2] : a[3];
  double m2 = a[4] < a[5] ? a[4] : a[5], m3 = a[6] < a[7] ? a[6] : a[7];
  m0 = m0 < m1 ? m0 : m1;
  m2 = m2 < m3 ? m2 : m3;
  return m0 < m2 ? m0 : m2;
}

/* The smallest key; INFINITY if there is none. */
static inline double hy_ladder_min(const HyLadder *l)
{
  const double *a = l->at[l->top];
  if (l->n_top >= 8) {
    double first = hy_ladder_min8(a), second = l->n_top > 8 ? hy_ladder_min8(a + 8) : INFINITY;
    return first < second ? first : second;
  }
  double m = a[0];
  for (guint k = 1; k < l->n_top; k++) {
    m = a[k] < m ? a[k] : m;
  }
  return m;
}

/* The first position whose key is MIN, the smallest. */
static inline guint hy_ladder_first(const HyLadder *l, double min)
{
  guint i = 0;
  for (const double *a = l->at[l->top]; a[i] > min;) {
    i++;
  }
  for (guint level = l->top; level-- > 0;) {
    i *= 8;
    for (const double *a = l->at[level]; a[i] > min;) {
      i++;
    }
  }
  return i;
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
