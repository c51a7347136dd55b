/* What inputs that change on the way do to a step of a group.
 *
 * The step to t1 was made with the inputs as they were extrapolated at t0. When one of them changes
 * at t, the row of a member i that reads it is f_i in place of the assumed one, and its state
 * misses e:
 *
 *   e' = a e + r(s),  e(t) = what it missed before,  a = min(df_i/dx_i, 0),
 *
 * r being the difference of both f_i, a line from its value now to the one foreseen for t1. So
 * e(t1) = exp(a h) e(t) + r(middle) (exp(a h) - 1) / a, h = t1 - t. While |e| stays within the
 * tolerance E until t1, it is added at the end of the step; else the step ends where |e| = E, which
 * a bisection finds, and at once where f has jumped by more than that. So an input that changes by
 * little costs no step, and one that jumps ends it at its instant; or at t1, where it jumps so
 * shortly before that only the next step, as long as this one, would miss it. */
#include "classic_internal.h"

#include <math.h>

#define HALVINGS    20   /* of the step: the end is found to a millionth of it */
#define SMALL_DECAY 1e-8 /* a h below which (exp(a h) - 1) / a is h to all digits */

/* The integral of e^(a (h - s)) over s = 0 .. h. */
static double effect_decayed(double a, double h)
{
  return fabs(a * h) < SMALL_DECAY ? h : expm1(a * h) / a;
}

/* What will be missing at T: e' = a e + rate(t), the rate being that of the middle of the way. A
 * rate that is not finite, in modes that its jump is about to turn, has made nothing so far. */
static double effect_foresee(const HyClassic *g, const HyClassicEffect *e, double t)
{
  if (t == e->time) {
    return e->defect;
  }
  double h = t - e->time, rest = g->t1 - e->time;
  double slope = rest > 0.0 ? (e->end - e->rate) / rest : 0.0;
  return exp(e->a * h) * e->defect + (e->rate + 0.5 * h * slope) * effect_decayed(e->a, h);
}

/* The own decay of a member; what grows is no reason to believe in it. */
static double effect_decay(HyClassic *g, guint i)
{
  double a = hy_classic_self_partial(g, i, g->out.from);
  return a < 0.0 ? a : 0.0; /* not where it is NaN */
}

/* Of f_i, with the inputs as they are and as they were assumed, at T or at t1. */
static double effect_difference(HyClassic *g, guint i, double t)
{
  return hy_classic_row_at(g, i, t, FALSE) - hy_classic_row_at(g, i, t, TRUE);
}

void hy_classic_clear_effects(HyClassic *g)
{
  for (guint k = 0; k < g->in.touched->len; k++) {
    g->in.effect[g_array_index(g->in.touched, guint32, k)] = (HyClassicEffect){0};
  }
  g_array_set_size(g->in.touched, 0);
}

/* When what is missing in I will have reached the tolerance E, if before t1; T at the earliest: at
 * once where f itself has jumped by enough. */
static double effect_limit(const HyClassic *g, const HyClassicEffect *e, double t, double tolerance)
{
  if (fabs(effect_foresee(g, e, g->t1)) <= tolerance) { /* not where it is NaN */
    return g->t1;
  }
  if (!(fabs(e->rate) * effect_decayed(e->a, g->t1 - t) <= tolerance)) {
    return t;
  }
  double low = t, high = g->t1;
  for (int k = 0; k < HALVINGS; k++) {
    double middle = 0.5 * (low + high);
    *(fabs(effect_foresee(g, e, middle)) > tolerance ? &high : &low) = middle;
  }
  return low;
}

/* The row of I has changed at T: what is missing so far goes on decaying, and what is missing from
 * now on is a line from now to t1. TRUE: that is beyond the tolerance before t1. */
gboolean hy_classic_affect(HyClassic *g, guint32 i, double t)
{
  HyClassicEffect *e = &g->in.effect[i];
  const HyQState *v = hy_classic_member(g, i)->v;
  double defect = e->touched ? effect_foresee(g, e, t) : 0.0;
  if (!e->touched) {
    g_array_append_val(g->in.touched, i);
  }
  *e = (HyClassicEffect){.defect = defect,
                         .time = t,
                         .rate = effect_difference(g, i, t),
                         .end = effect_difference(g, i, g->t1),
                         .a = effect_decay(g, i),
                         .touched = TRUE};
  double end = effect_limit(g, e, t, hy_classic_tolerance(g, i, hy_qstate_x(v, t)));
  if (end < g->end) {
    g->end = end;
    return TRUE;
  }
  return FALSE;
}

double hy_classic_missing(const HyClassic *g, guint32 i, double t)
{
  const HyClassicEffect *e = &g->in.effect[i];
  return e->touched ? effect_foresee(g, e, t) : 0.0;
}

gboolean hy_classic_jumped_late(const HyClassic *g)
{
  for (guint k = 0; k < g->in.touched->len; k++) {
    guint32 i = g_array_index(g->in.touched, guint32, k);
    const HyClassicEffect *e = &g->in.effect[i];
    double missing = fabs(e->end) * effect_decayed(e->a, g->t1 - g->t0);
    if (!(missing <= hy_classic_tolerance(g, i, g->z[i]))) {
      return TRUE;
    }
  }
  return FALSE;
}

gboolean hy_classic_has_jumped(HyClassic *g, guint32 i)
{
  double missing = fabs(effect_difference(g, i, g->t1)) * (g->t1 - g->t0);
  return !(missing <= hy_classic_tolerance(g, i, g->z[i] + g->offset[i]));
}
