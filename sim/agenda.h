/* What is due when, by atomic: a ladder, and beside it a short list of those due at this instant.
 * Most events of a continuous model are answers at the instant of their cause; to note one and to
 * find it again is then a step or two in the list, and not a way up the ladder and down. What the
 * list does not hold is in the ladder, so it may be short. Ties by number, in both. */
#ifndef HY_AGENDA_H
#define HY_AGENDA_H

#include "sim/ladder.h"

#include <math.h>

#define HY_AGENDA_DUE    16
#define HY_AGENDA_INLINE static inline __attribute__((always_inline)) /* twice in the engine */

typedef struct {
  double *tn;     /* [n]: the next event of each */
  double now;     /* the instant of what is due, and of the last event */
  gboolean tied;  /* the ladder may have keys at `now`, too */
  HyLadder later; /* key INFINITY: never, or in the list */
  guint n_due;
  guint due[HY_AGENDA_DUE]; /* from the last to the first */
} HyAgenda;

void hy_agenda_init(HyAgenda *a, guint n); /* all never */
void hy_agenda_clear(HyAgenda *a);
void hy_agenda_tape(HyAgenda *a, guint n, HyTape *tape); /* N as at init */

HY_AGENDA_INLINE void hy_agenda_insert(HyAgenda *a, guint i)
{
  guint k = a->n_due++;
  for (; k > 0 && a->due[k - 1] < i; k--) {
    a->due[k] = a->due[k - 1];
  }
  a->due[k] = i;
}

HY_AGENDA_INLINE void hy_agenda_remove(HyAgenda *a, guint i)
{
  guint k = --a->n_due, next = a->due[k];
  while (next != i) { /* seldom: mostly it is the first, which has just had its event */
    guint moved = next;
    next = a->due[--k];
    a->due[k] = moved;
  }
}

/* The next event of I is at T, which is not NaN. */
HY_AGENDA_INLINE void hy_agenda_set(HyAgenda *a, guint i, double t)
{
  double key = a->later.at[0][i], was = a->tn[i];
  a->tn[i] = t;
  if (key <= was && t > a->now) { /* mostly; it is not in the list, where KEY is infinite */
    hy_ladder_set(&a->later, i, t);
    return;
  }
  if (key != was) { /* it is in the list */
    if (t == a->now) {
      return;
    }
    hy_agenda_remove(a, i);
  } else if (t == a->now) {
    if (key == INFINITY && a->n_due < HY_AGENDA_DUE) {
      hy_agenda_insert(a, i);
      return;
    }
    a->tied = TRUE;
  }
  if (key != t) {
    hy_ladder_set(&a->later, i, t);
  }
}

/* The list becomes empty: all keys are in the ladder. */
HY_AGENDA_INLINE void hy_agenda_empty_list(HyAgenda *a)
{
  while (a->n_due > 0) {
    hy_ladder_set(&a->later, a->due[--a->n_due], a->now);
  }
  a->tied = TRUE;
}

/* hy_agenda_set() of one that is not in the list, and does not come into it (TIED is TRUE). */
HY_AGENDA_INLINE void hy_agenda_set_later(HyAgenda *a, guint i, double t)
{
  a->tn[i] = t;
  hy_ladder_set(&a->later, i, t);
}

/* The earliest event, of whom in *FIRST; INFINITY if there is none. */
HY_AGENDA_INLINE double hy_agenda_first(HyAgenda *a, guint *first)
{
  if (a->n_due == 0) {
    return hy_ladder_find(&a->later, first);
  }
  *first = a->due[a->n_due - 1];
  if (a->tied) {
    a->tied = hy_ladder_min(&a->later) <= a->now;
    if (G_UNLIKELY(a->tied)) {
      guint other;
      hy_ladder_find(&a->later, &other);
      *first = MIN(*first, other);
    }
  }
  return a->now;
}

static inline double hy_agenda_min(const HyAgenda *a)
{
  return a->n_due > 0 ? a->now : hy_ladder_min(&a->later);
}

/* The event at T, the earliest, takes place. */
static inline void hy_agenda_advance(HyAgenda *a, double t)
{
  if (t != a->now) {
    a->now = t;
    a->tied = TRUE;
  }
}

#endif
