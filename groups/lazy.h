/* Inputs that are taken in late. A block that is solved exactly assumes that its inputs go on as
 * they are. Where one of them is another block's state it says something new again and again, and
 * differs by little from what was assumed: that ends no step before it has made a difference.
 *
 * With d_i(s) = sum over inputs of b_ik (as they are - as assumed) member i misses the integral of
 * d_i. The step stands until that is a part of the tolerance for some member; then, or when it
 * ends for another reason, it is added to the states. Nothing is lost, whatever the inputs do.
 *
 * So it is with any input that says something new again and again at one instant: a delay whose
 * time is a state of the block answers each of its steps, the block begins another one, and the
 * last digits of both come to no rest. */
#ifndef HYDEVS_GROUPS_LAZY_H
#define HYDEVS_GROUPS_LAZY_H

#include "classic_internal.h"

typedef struct {
  guint n, n_outer;
  guint wide;      /* numbers in a row of BY below */
  HyPiece *known;  /* [n_outer]: inputs as they were when they were looked at last */
  guint8 *is_late; /* [n_outer]: may be taken in late */
  guint8 *words; /* [n_outer]: how often each has changed again at the instant of its last change */
  double *missing; /* [n]: at T */
  double *rate;    /* [n][HY_MODAL_LANES]: d_i from T on */
  double t;
  gboolean pending; /* some input differs, or has */
} HyLazy;

void hy_lazy_init(HyLazy *z, const HyClassic *g, guint wide);
void hy_lazy_clear(HyLazy *z);
/* A step begins with the inputs as they were assumed. */
void hy_lazy_begin(HyLazy *z, const HyClassic *g);
/* Inputs have changed at T; sines are taken whole. BY is [n][wide]. FALSE: that may not be missing.
 */
bool hy_lazy_take(HyLazy *z, const HyClassic *g, const double *by, double t);
/* How long the step stands from T on, where tolerances of members count from Y; NULL: from 0. */
double hy_lazy_until(const HyLazy *z, const HyClassic *g, const double *y, double t);
/* What members miss at T is added to Y. */
void hy_lazy_add(const HyLazy *z, double t, double *y);
void hy_lazy_tape(HyLazy *z, HyTape *tape);

#endif
