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
 * shortly before that only the next step, as long as this one, would miss it.
 *
 * Of methods that do not lean on f of the steps before r is a parabola, or of degree 4, a product
 * of two inputs, over what is ahead of t as far as f is that, and e is its integral. Of a method
 * that takes inputs as lines r is what these miss of f as well: e begins at t0. */
#include "classic_internal.h"

#include <float.h>
#include <math.h>

#define HALVINGS    20   /* of the step: the end is found to a millionth of it */
#define QUARTERS    6    /* of what is ahead, of which each is a quarter of the one before */
#define SLIGHT      1e-3 /* of a tolerance */
#define SMALL_DECAY 1e-8 /* a h below which (exp(a h) - 1) / a is h to all digits */

/* All that a step misses of inputs counts, which it takes as lines. Where modes are judged by what
 * is stiff it ends where x' = f, whatever inputs have been before, and only changes count. */
static gboolean effect_integrates(const HyClassic *g)
{
  return g->stepper->slope != NULL && g->own.crossing->len == 0;
}

/* What changed inputs make of f is more than a line: products of them bend. A method that leans on
 * f of the steps before is off by more than that where f has changed on the way. */
static gboolean effect_follows(const HyClassic *g)
{
  return effect_integrates(g) || (g->stepper->slope == NULL && !g->stepper->leans);
}

/* The integral of e^(a (h - s)) over s = 0 .. h. */
static double effect_decayed(double a, double h)
{
  return fabs(a * h) < SMALL_DECAY ? h : expm1(a * h) / a;
}

/* J[k] = integral of e^(z (1 - u)) u^k over u = 0 .. 1, z <= 0: by parts J_k = (k J_(k-1) - 1)/z,
 * upwards where z is large, else downwards from the series of the last one. */
static void effect_moments(double z, double *j)
{
  if (z < -HY_BENDS) {
    j[0] = expm1(z) / z;
    for (int k = 1; k < HY_BENDS; k++) {
      j[k] = (k * j[k - 1] - 1.0) / z;
    }
    return;
  }
  double term = 1.0 / HY_BENDS, sum = term;
  for (int k = 1; fabs(term) > DBL_EPSILON * sum; k++) {
    term *= z / (HY_BENDS + k);
    sum += term;
  }
  j[HY_BENDS - 1] = sum;
  for (int k = HY_BENDS - 1; k > 0; k--) {
    j[k - 1] = (1.0 + z * j[k]) / k;
  }
}

/* What r makes from TIME on for H: the integral of e^(a (h - s)) r(s). */
static double effect_made(const HyClassicEffect *e, double h)
{
  double u = h / e->span, power = h, made = 0.0, j[HY_BENDS];
  effect_moments(e->a * h, j);
  for (int k = 0; k < HY_BENDS; k++) {
    made += e->r[k] * power * j[k];
    power *= u;
  }
  return made;
}

/* What will be missing at T: e' = a e + r, and of a line the middle counts. A rate that is not
 * finite, in modes that its jump is about to turn, has made nothing so far. */
static double effect_foresee(const HyClassic *g, const HyClassicEffect *e, double t)
{
  if (t == e->time) {
    return e->defect;
  }
  double h = t - e->time, decayed = exp(e->a * h) * e->defect;
  if (effect_follows(g)) {
    return decayed + effect_made(e, h);
  }
  double slope = e->span > 0.0 ? e->r[1] / e->span : 0.0;
  return decayed + (e->r[0] + 0.5 * h * slope) * effect_decayed(e->a, h);
}

/* The own decay of a member; what grows is no reason to believe in it. */
static double effect_decay(HyClassic *g, guint i)
{
  double a = hy_classic_self_partial(g, i, g->out.from);
  return a < 0.0 ? a : 0.0; /* not where it is NaN */
}

/* f_i at T as the step took it. */
static double effect_taken(HyClassic *g, guint i, double t)
{
  if (!effect_integrates(g)) {
    return hy_classic_row_at(g, i, t, HY_INPUTS_ASSUMED);
  }
  return hy_classic_row_at(g, i, t, HY_INPUTS_HELD) + g->stepper->slope(g, i) * (t - g->t0);
}

/* r: of f_i, with the inputs as they are and as the step took them. */
static double effect_difference(HyClassic *g, guint i, double t)
{
  return hy_classic_row_at(g, i, t, HY_INPUTS_NOW) - effect_taken(g, i, t);
}

/* What the step has missed by T, as nothing has changed: inputs bend. r is 0 at t0, so that two
 * values more, by Radau, are exact to degree 4 where nothing decays. */
static double effect_before(HyClassic *g, guint i, double t, double a)
{
  static const double at[2] = {0.355051025721682, 0.844948974278318};
  double h = t - g->t0, r[2], j[HY_BENDS];
  if (!(h > 0.0)) {
    return 0.0;
  }
  for (int k = 0; k < 2; k++) {
    double s = g->t0 + at[k] * h;
    r[k] = (hy_classic_row_at(g, i, s, HY_INPUTS_ASSUMED) - effect_taken(g, i, s)) / at[k];
  }
  double bend = (r[1] - r[0]) / (at[1] - at[0]);
  effect_moments(a * h, j);
  return h * ((r[0] - bend * at[0]) * j[1] + bend * j[2]);
}

/* Quarter K of what is ahead. */
static double effect_node(const HyClassicEffect *e, int k)
{
  return k < HY_BENDS - 1 ? e->time + 0.25 * k * e->span : e->until;
}

/* r of what takes inputs as they were assumed is a line. */
static void effect_line(HyClassic *g, HyClassicEffect *e, guint i)
{
  e->r[0] = effect_difference(g, i, e->time);
  e->end = effect_difference(g, i, g->t1);
  e->r[1] = e->end - e->r[0];
}

/* Else a parabola, as inputs are, by its values at both ends and in the middle, */
static void effect_parabola(HyClassicEffect *e, const double *d)
{
  double half = 2.0 * (d[2] - d[0]), bend = 2.0 * (d[4] - 2.0 * d[2] + d[0]);
  e->r[0] = d[0];
  e->r[1] = half - 0.5 * bend;
  e->r[2] = bend;
  e->r[3] = e->r[4] = 0.0;
}

/* or of degree 4, as a product of two inputs is: by its values at the quarters of the span, D, of
 * which differences are left. */
static void effect_quartic(HyClassicEffect *e, double *d)
{
  for (int order = 1; order < HY_BENDS; order++) {
    for (int k = HY_BENDS - 1; k >= order; k--) {
      d[k] -= d[k - 1];
    }
  }
  e->r[0] = d[0];
  e->r[1] = 4.0 * d[1] - 2.0 * d[2] + 4.0 / 3.0 * d[3] - d[4];
  e->r[2] = 8.0 * d[2] - 8.0 * d[3] + 22.0 / 3.0 * d[4];
  e->r[3] = 32.0 / 3.0 * d[3] - 16.0 * d[4];
  e->r[4] = 32.0 / 3.0 * d[4];
}

#define BETWEEN 0.125 /* of the span: where a value confirms it */

/* R is its value there; inputs that are extrapolated far make anything of f. */
static gboolean effect_is(const HyClassicEffect *e, double r, double tolerance)
{
  double sum = 0.0;
  for (int k = HY_BENDS - 1; k >= 0; k--) {
    sum = sum * BETWEEN + e->r[k];
  }
  return fabs(sum - r) * 2.0 * BETWEEN * e->span <= SLIGHT * tolerance; /* not where it is NaN */
}

/* Over the span: whether either of them is confirmed. */
static gboolean effect_fits(HyClassic *g, HyClassicEffect *e, guint i, double tolerance)
{
  double d[HY_BENDS];
  for (int k = 0; k < HY_BENDS; k += 2) {
    d[k] = effect_difference(g, i, effect_node(e, k));
  }
  e->end = d[HY_BENDS - 1];
  double between = effect_difference(g, i, e->time + BETWEEN * e->span);
  effect_parabola(e, d);
  if (effect_is(e, between, tolerance)) {
    return TRUE;
  }
  for (int k = 1; k < HY_BENDS; k += 2) {
    d[k] = effect_difference(g, i, effect_node(e, k));
  }
  effect_quartic(e, d);
  return effect_is(e, between, tolerance);
}

/* As far as it is known, at most to t1. */
static void effect_expect(HyClassic *g, HyClassicEffect *e, guint i, double tolerance)
{
  if (!effect_follows(g)) {
    effect_line(g, e, i);
    return;
  }
  for (int k = 0; !effect_fits(g, e, i, tolerance) && k < QUARTERS; k++) {
    e->span *= 0.25;
    e->until = e->time + e->span;
  }
}

void hy_classic_clear_effects(HyClassic *g)
{
  for (guint k = 0; k < g->in.touched->len; k++) {
    g->in.effect[g_array_index(g->in.touched, guint32, k)] = (HyClassicEffect){0};
  }
  g_array_set_size(g->in.touched, 0);
}

/* When what is missing in I will have reached the tolerance E, if before t1; or up to when it is
 * known. T at the earliest: at once where f itself has jumped by enough. */
static double effect_limit(const HyClassic *g, const HyClassicEffect *e, double t, double tolerance)
{
  double low = t, high = t;
  for (int k = effect_follows(g) ? 1 : HY_BENDS - 1;
       k < HY_BENDS && fabs(effect_foresee(g, e, high)) <= tolerance; k++) {
    low = high;
    high = effect_node(e, k);
  }
  if (fabs(effect_foresee(g, e, high)) <= tolerance) { /* not where it is NaN */
    return high;
  }
  if (!(fabs(e->r[0]) * effect_decayed(e->a, g->t1 - t) <= tolerance)) {
    return t;
  }
  for (int k = 0; k < HALVINGS; k++) {
    double middle = 0.5 * (low + high);
    *(fabs(effect_foresee(g, e, middle)) > tolerance ? &high : &low) = middle;
  }
  return low;
}

/* The row of I has changed at T: what is missing so far goes on decaying, and what is missing from
 * now on is known from now to t1. TRUE: that is beyond the tolerance before t1. */
gboolean hy_classic_affect(HyClassic *g, guint32 i, double t)
{
  HyClassicEffect *e = &g->in.effect[i];
  const HyQState *v = hy_classic_member(g, i)->v;
  double a = effect_decay(g, i), defect = e->touched ? effect_foresee(g, e, t) : 0.0;
  if (!e->touched) {
    defect = effect_integrates(g) ? effect_before(g, i, t, a) : 0.0;
  }
  gboolean corrects = !e->touched && defect != 0.0;
  if (corrects) {
    hy_classic_keep_meetings(g, t);
  }
  if (!e->touched) {
    g_array_append_val(g->in.touched, i);
  }
  *e = (HyClassicEffect){
      .defect = defect, .time = t, .span = g->t1 - t, .until = g->t1, .a = a, .touched = TRUE};
  if (corrects) {
    hy_classic_shift_meetings(g, t);
  }
  double tolerance = hy_classic_tolerance(g, i, hy_qstate_x(v, t));
  effect_expect(g, e, i, tolerance);
  double end = effect_limit(g, e, t, tolerance);
  if (end < g->end) {
    g->end = end;
    return TRUE;
  }
  return FALSE;
}

/* An input that row I reads has been assumed to move in a way that makes no line of f. */
static gboolean effect_bends(const HyClassic *g, guint i)
{
  const HyRunRow *r = &g->room->run[hy_classic_row(g, i)];
  for (guint k = 0; k < r->n_slots; k++) {
    guint32 outer = hy_classic_outer(g, r->slot[k]);
    if (outer == HY_NO_PLACE && hy_classic_place(g, r->slot[k]) == HY_NO_PLACE) {
      return TRUE; /* a hub */
    }
    const double *c = outer == HY_NO_PLACE ? NULL : g->rows.assumed[outer].c;
    if (c != NULL && ((c[1] != 0.0 && !r->linear) || c[2] != 0.0 || c[3] != 0.0)) {
      return TRUE;
    }
  }
  return FALSE;
}

/* Members whose rows read inputs, or hubs. */
static GArray *effect_readers(const HyClassic *g)
{
  GArray *reader = g_array_new(FALSE, FALSE, sizeof(guint32));
  for (guint32 i = 0; i < g->n; i++) {
    const HyRunRow *r = &g->room->run[hy_classic_row(g, i)];
    guint k = 0;
    while (k < r->n_slots && hy_classic_place(g, r->slot[k]) != HY_NO_PLACE) {
      k++;
    }
    if (k < r->n_slots) {
      g_array_append_val(reader, i);
    }
  }
  return reader;
}

void hy_classic_count_bends(HyClassic *g, double t)
{
  if (!effect_integrates(g) || t <= g->t0) {
    return;
  }
  g->in.reader = g->in.reader != NULL ? g->in.reader : effect_readers(g);
  for (guint k = 0; k < g->in.reader->len; k++) {
    guint32 i = g_array_index(g->in.reader, guint32, k);
    HyClassicEffect *e = &g->in.effect[i];
    if (!e->touched && effect_bends(g, i)) {
      hy_classic_settle(g, t);
      double missing = effect_before(g, i, t, effect_decay(g, i));
      *e = (HyClassicEffect){.defect = missing, .time = t, .touched = TRUE};
      g_array_append_val(g->in.touched, i);
    }
  }
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
