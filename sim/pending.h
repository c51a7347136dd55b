/* A set of small numbers from which the smallest is taken: the joined blocks that have to be run at
 * this instant. A bit for each number, above every 64 bits one that says whether any is set, and so
 * on upwards. */
#ifndef HY_PENDING_H
#define HY_PENDING_H

#include "hydevs/atomic.h"

#define HY_PENDING_LEVELS 6

typedef struct {
  guint top; /* the level that is one word */
  guint64 *bits[HY_PENDING_LEVELS];
} HyPending;

void hy_pending_init(HyPending *p, guint n); /* empty, for numbers below N */
void hy_pending_clear(HyPending *p);
void hy_pending_tape(HyPending *p, guint n, HyTape *tape); /* N as at init */

static inline gboolean hy_pending_is_empty(const HyPending *p)
{
  return p->bits[p->top][0] == 0;
}

static inline void hy_pending_add(HyPending *p, guint i)
{
  for (guint level = 0; level <= p->top; level++, i /= 64) {
    guint64 *word = &p->bits[level][i / 64], was = *word;
    *word = was | G_GUINT64_CONSTANT(1) << i % 64;
    if (was != 0) {
      return;
    }
  }
}

/* I is in the set no more. */
static inline void hy_pending_remove(HyPending *p, guint i)
{
  for (guint level = 0; level <= p->top; level++, i /= 64) {
    guint64 *word = &p->bits[level][i / 64];
    *word &= ~(G_GUINT64_CONSTANT(1) << i % 64);
    if (*word != 0) {
      return;
    }
  }
}

/* The smallest, which is then no more in the set. The set is not empty. */
static inline guint hy_pending_take(HyPending *p)
{
  guint i = 0;
  for (guint level = p->top + 1; level-- > 0;) {
    i = i * 64 + (guint)__builtin_ctzll(p->bits[level][i]);
  }
  guint k = i;
  for (guint level = 0; level <= p->top; level++, k /= 64) {
    guint64 *word = &p->bits[level][k / 64];
    *word &= *word - 1; /* it is the lowest bit of its word */
    if (*word != 0) {
      break;
    }
  }
  return i;
}

#endif
