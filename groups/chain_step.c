/* The step of all cells of a chain that move, in runs that do not read each other: how long it is.
 * Formulas: classic_chain.c. */
#include "chain_cells.h"

#include <math.h>

#define HAND     0.8  /* of what is allowed: what a step is to come to */
#define STEADY   0.2  /* likewise, where f is linear: smooth motion adds up errors of one sign */
#define STRETCH  1.25 /* times such a step, to an instant that ends it anyway */
#define LONGEST  10.0 /* times the last try, or step */
#define SHORTEST 1e-3 /* likewise */
#define TRIES    100  /* of a step */
#define FINEST   4.0  /* last digits of t: no step is shorter */
#define FADES    0.97 /* the margin in each step that does without */
#define MOST     32U  /* cells of the margin */

/* f of those whose it is not, in runs. */
static void step_find_f(HyChain *c, const HyWindow *run)
{
  gboolean linear = hy_chain_is_linear(c->rows);
  if (!linear) { /* the Jacobian reads all of them */
    hy_chain_set_values(c, run->first, run->end, 0.0, 0.0);
  }
  guint end;
  for (guint k = run->first; k < run->end; k = end) {
    gboolean known = c->cell[k].known;
    for (end = k + 1; end < run->end && c->cell[end].known == known;) {
      end++;
    }
    if (!known && linear) {
      hy_chain_set_values(c, k, end, 0.0, 0.0);
    }
    if (!known) {
      hy_chain_f(c->rows, k, end, c->now.t, c->value, c->f);
      c->now.evaluated += end - k;
    }
  }
}

/* The first of RUN whose number in V is not finite, or its end. */
static guint step_not_finite(const HyWindow *run, const double *v)
{
  guint k = run->first;
  while (k < run->end && isfinite(v[k])) {
    k++;
  }
  return k;
}

/* f, A and slopes of inputs of those that move. NULL: they are finite. */
static const char *step_look(HyChain *c)
{
  hy_chain_find_windows(c);
  const HyWindow *run = hy_chain_windows(c);
  for (const HyWindow *end = run + c->window->len; run < end; run++) {
    step_find_f(c, run);
    guint wrong = step_not_finite(run, c->f);
    if (wrong < run->end) {
      return hy_classic_why(c->g, hy_chain_order(c->rows)[wrong], "its derivative is not finite");
    }
    if (!hy_chain_is_linear(c->rows)) {
      hy_chain_put(c->rows, run->first, run->end, c->now.t, c->value);
    }
    for (guint k = run->first; k < run->end; k++) {
      HyCell *cell = &c->cell[k];
      guint32 i = hy_chain_order(c->rows)[k];
      gboolean beside = k < run->first + c->width || k + c->width >= run->end;
      cell->known = TRUE;
      cell->quantum = hy_classic_quantum(c->g, i, cell->x);
      c->slope[k] = beside ? hy_chain_drift(c, k, run->first, run->end)
                           : hy_chain_slope(c->rows, k, c->now.t);
    }
  }
  c->g->totals.jacobians += !hy_chain_is_linear(c->rows);
  return NULL;
}

/* sum of A v over what moves beside K */
static double step_times(const HyChain *c, guint k, const double *v)
{
  const double *a = hy_chain_row(c->rows, k);
  double sum = 0.0;
  guint last = hy_chain_after(c, k + 1);
  for (guint j = hy_chain_before(c, k); j < last; j++) {
    sum += c->cell[j].moves ? a[j + c->width - k] * v[j] : 0.0;
  }
  return sum;
}

/* The step whose parabola would leave x by a quantum if f went on as it is: |x''| h^2/2 = dQ. */
static double step_guess(const HyChain *c)
{
  double h = INFINITY;
  const HyWindow *run = hy_chain_windows(c);
  for (const HyWindow *end = run + c->window->len; run < end; run++) {
    for (guint k = run->first; k < run->end; k++) {
      double bend = step_times(c, k, c->f) + c->slope[k];
      h = fmin(h, sqrt(2.0 * c->cell[k].quantum / fabs(bend)));
    }
  }
  return h < INFINITY ? h : 1.0;
}

static double step_larger(double a, double b)
{
  return a > b ? a : b;
}

/* What K would err by if x'' of the step of H, in its middle, had come from what it is now: of one
 * whose x'' before is not known. x'' now says nothing where rates are faster than H. */
static double step_misses_now(const HyChain *c, guint k, double h)
{
  double now = 0.5 * h * (step_times(c, k, c->f) + c->slope[k]), im = cimag(c->w[k]);
  return h * fmin(fabs(im), 2.0 / 3.0 * fabs(im - now));
}

/* How many times what is allowed the step of H of RUN comes to; as in classic_implicit.c. What a
 * cell was off those beside it when it was woken, the step takes back, however long it is: that is
 * within the tolerance, and asks for no shorter one. */
static double step_misses(const HyChain *c, const HyWindow *run, double h)
{
  double most = 0.0, by_error = 2.0 * h * h / (3.0 * (h + c->now.before));
  for (guint k = run->first; k < run->end; k++) {
    const HyCell *cell = &c->cell[k];
    double im = cimag(c->w[k]), off = cell->woken ? hy_chain_bound(cell) : 0.0;
    double missed = cell->fresh ? fmax(step_misses_now(c, k, h) - off, 0.0)
                                : by_error * fabs(im - h * cell->bend);
    most = step_larger(most, missed / cell->quantum);
  }
  return most;
}

/* d = f(x(h)) - q', in quanta of what it makes of x; infinite where f is not finite. */
static double step_unknown(HyChain *c, const HyWindow *run, const HyImplicit *factors, double h)
{
  double most = 0.0;
  hy_chain_set_values(c, run->first, run->end, h, 1.0);
  hy_chain_f(c->rows, run->first, run->end, c->now.t + h, c->value, c->f_end);
  c->now.evaluated += run->end - run->first;
  if (step_not_finite(run, c->f_end) < run->end) {
    return INFINITY;
  }
  for (guint k = run->first; k < run->end; k++) {
    c->slope_rest[k] = c->f_end[k] - creal(c->w[k]) - cimag(c->w[k]);
    most = step_larger(most, fabs(c->slope_rest[k]) / c->cell[k].quantum);
  }
  if (h / 3.0 * most <= HAND ||
      !hy_implicit_solve(factors, c->slope_rest + run->first, NULL, c->w_rest + run->first)) {
    return h / 3.0 * most;
  }
  most = 0.0;
  for (guint k = run->first; k < run->end; k++) {
    most = step_larger(most, fabs(creal(c->w_rest[k])) / c->cell[k].quantum);
  }
  return h / 3.0 * most;
}

/* The step of H of all that move: how many times what is allowed it comes to; infinite where it
 * cannot be solved. */
static double step_comes_to(HyChain *c, double h)
{
  double most = 0.0;
  const HyWindow *run = hy_chain_windows(c);
  c->g->totals.newton++;
  for (const HyWindow *end = run + c->window->len; run < end && most <= 1.0; run++) {
    HyImplicit factors;
    HyBanded a = hy_chain_banded(c->rows, run->first, run->end);
    if (!hy_implicit_factor(&factors, &a, h, c->room) ||
        !hy_implicit_solve(&factors, c->f + run->first, c->slope + run->first, c->w + run->first)) {
      return INFINITY;
    }
    most = fmax(most, step_misses(c, run, h));
    if (!hy_chain_is_linear(c->rows) && most <= 1.0) {
      most = fmax(most, step_unknown(c, run, &factors, h));
    }
  }
  return most;
}

/* A step of all that move, of H at most; 0: none is short enough. */
static double step_length(HyChain *c, double h)
{
  double t = c->now.t, least = FINEST * (nextafter(t, INFINITY) - t);
  for (int k = 0; k < TRIES; k++) {
    h = fmax(h, least);
    double e = step_comes_to(c, h);
    double to = hy_chain_is_linear(c->rows) ? STEADY : HAND;
    double by = e <= 1.0 && c->now.before > 0.0 ? cbrt(to / e) : sqrt(to / e);
    double next = h * fmin(fmax(by, SHORTEST), LONGEST);
    if (e <= 1.0) {
      c->now.h = next;
      return h;
    }
    c->g->totals.failures++;
    if (h <= least) {
      return 0.0;
    }
    h = next;
  }
  return 0.0;
}

/* Tried first. What would leave a sliver before LIMIT goes there: STEADY leaves room for it. */
static double step_first(const HyChain *c, double limit)
{
  double t = c->now.t, stretch = hy_chain_is_linear(c->rows) ? STRETCH : 1.0;
  double h = stretch * c->now.h < limit - t ? c->now.h : limit - t;
  return (t + h) - t;
}

/* The length of the step; 0: none is short enough, or *WHY. */
double hy_chain_find(HyChain *c, double limit, const char **why)
{
  guint by = MAX(1U, (guint)c->now.margin);
  gboolean wider = FALSE;
  for (;;) {
    *why = step_look(c);
    if (*why != NULL || c->window->len == 0) {
      return 0.0;
    }
    if (c->now.h <= 0.0) {
      c->now.h = step_guess(c);
    }
    double h = step_length(c, step_first(c, limit));
    if (!(h > 0.0)) {
      return 0.0;
    }
    gboolean bears = hy_chain_bear(c, h, by);
    if (bears && hy_chain_next_due(c) > c->now.t + h) {
      c->now.margin = wider ? c->now.margin : fmax(1.0, FADES * c->now.margin);
      return h;
    }
    c->now.h = h;
    if (bears) {
      hy_chain_serve(c, h);
    } else {
      by *= 2; /* whatever comes to: each time all of them are solved anew */
      c->now.margin = MIN(by, MOST);
      wider = TRUE;
    }
  }
}
