/* Implicit methods: every step solves z = base + gamma f(t1, z) by Newton's iteration. */
#include "classic_steps.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void implicit_residual(void *user, const double *z, double *res)
{
  HyOdeRun *r = user;
  hy_ode_f(r, r->t1, z, res);
  for (int i = 0; i < r->ode.n; i++) {
    res[i] = z[i] - r->base[i] - r->gamma * res[i];
  }
}

static void implicit_jacobian(void *user, const double *z, double *j)
{
  HyOdeRun *r = user;
  int n = r->ode.n;
  r->ode.jacobian(r->ode.user, r->t1, z, j);
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) {
      j[(ptrdiff_t)i * n + k] = (i == k ? 1.0 : 0.0) - r->gamma * j[(ptrdiff_t)i * n + k];
    }
  }
}

static void implicit_count(HyOdeRun *r)
{
  r->counts.newton += r->newton.iterations;
  r->counts.jacobians += r->newton.jacobians;
}

/* States far smaller than the largest are as exact as it, not more: a tolerance of 1e-12 of a state
 * that passes 0 cannot be kept. */
static void implicit_prepare(HyOdeRun *r, const double *z)
{
  double most = 0.0;
  for (int i = 0; i < r->ode.n; i++) {
    most = fmax(most, fmax(fabs(z[i]), fabs(r->x[i])));
  }
  HyNewton *s = &r->newton;
  s->n = r->ode.n;
  s->residual = implicit_residual;
  s->jacobian = r->ode.jacobian != NULL ? implicit_jacobian : NULL;
  s->user = r;
  s->rel = r->set.newton;
  s->abs = r->set.newton * fmax(most, DBL_MIN / DBL_EPSILON);
  s->by_step = true;
  s->typical = hy_ode_typical(r);
  s->max = r->set.newton_max;
  s->iterations = s->jacobians = 0;
}

HyOdeEnd hy_ode_implicit(HyOdeRun *r, double t1, double gamma, double *base, double *z)
{
  static const HyOdeEnd ends[] = {
      [HY_NEWTON_SOLVED] = HY_ODE_DONE,           [HY_NEWTON_TOO_MANY] = HY_ODE_NEWTON,
      [HY_NEWTON_SINGULAR] = HY_ODE_SINGULAR,     [HY_NEWTON_STUCK] = HY_ODE_NEWTON,
      [HY_NEWTON_NOT_FINITE] = HY_ODE_NOT_FINITE,
  };
  r->t1 = t1;
  r->gamma = gamma;
  r->base = base;
  implicit_prepare(r, z);
  HyNewtonEnd end = hy_newton_solve(&r->newton, z);
  implicit_count(r);
  return ends[end];
}

HyOdeEnd hy_ode_linear(HyOdeRun *r, double t, const double *x, const double *dx, double gamma,
                       double *z)
{
  double *res = r->work[6];
  if (!hy_ode_finite(r->ode.n, dx)) {
    return HY_ODE_NOT_FINITE;
  }
  r->t1 = t;
  r->gamma = gamma;
  r->base = r->work[7];
  for (int i = 0; i < r->ode.n; i++) {
    r->base[i] = x[i];
    res[i] = -gamma * dx[i];
  }
  implicit_prepare(r, x);
  bool regular = hy_newton_direction(&r->newton, x, res, z);
  implicit_count(r);
  return regular ? HY_ODE_DONE : HY_ODE_SINGULAR;
}

/* ---- one step ---- */

static HyOdeEnd backward_euler_step(HyOdeRun *r, double h)
{
  memcpy(r->next, r->x, (size_t)r->ode.n * sizeof *r->x);
  return hy_ode_implicit(r, r->t + h, h, r->x, r->next);
}

static HyOdeEnd trapezoidal_step(HyOdeRun *r, double h)
{
  const double *f = hy_ode_slope(r);
  double *base = r->work[0];
  for (int i = 0; i < r->ode.n; i++) {
    base[i] = r->x[i] + 0.5 * h * f[i];
    r->next[i] = r->x[i];
  }
  return hy_ode_implicit(r, r->t + h, 0.5 * h, base, r->next);
}

/* x + h (1 - h J)^-1 f: the first iteration of backward Euler, for a fixed price. */
static HyOdeEnd semi_implicit_step(HyOdeRun *r, double h)
{
  HyOdeEnd end = hy_ode_linear(r, r->t, r->x, hy_ode_slope(r), h, r->next);
  for (int i = 0; i < r->ode.n; i++) {
    r->next[i] += r->x[i];
  }
  return end;
}

/* ---- backward differences; the past is x, the latest (the present one) first ---- */

static const double bdf_past[5][5] = {
    {1.0},
    {4.0 / 3, -1.0 / 3},
    {18.0 / 11, -9.0 / 11, 2.0 / 11},
    {48.0 / 25, -36.0 / 25, 16.0 / 25, -3.0 / 25},
    {300.0 / 137, -300.0 / 137, 200.0 / 137, -75.0 / 137, 12.0 / 137},
};
static const double bdf_slope[5] = {1.0, 2.0 / 3, 6.0 / 11, 12.0 / 25, 60.0 / 137};

/* COUNT steps of backward Euler over h. */
static HyOdeEnd implicit_substeps(HyOdeRun *r, double h, int count, double *z)
{
  size_t bytes = (size_t)r->ode.n * sizeof *z;
  double *base = r->work[0];
  HyOdeEnd end = HY_ODE_DONE;
  memcpy(z, r->x, bytes);
  for (int k = 1; k <= count && end == HY_ODE_DONE; k++) {
    memcpy(base, z, bytes);
    end = hy_ode_implicit(r, r->t + h * k / count, h / count, base, z);
  }
  return end;
}

/* The first steps: backward Euler with 1, 2, ... substeps, extrapolated to no substep (Aitken and
 * Neville), which has the order of the method and stays stable on stiff systems. row[k] is the
 * tableau's last row. */
static HyOdeEnd bdf_start(HyOdeRun *r, double h)
{
  double *const *row = r->work + 1;
  for (int j = 1; j <= r->method->order; j++) {
    HyOdeEnd end = implicit_substeps(r, h, j, r->next);
    if (end != HY_ODE_DONE) {
      return end;
    }
    for (int i = 0; i < r->ode.n; i++) {
      double better = r->next[i];
      for (int k = 1; k < j; k++) {
        double coarse = row[k - 1][i];
        row[k - 1][i] = better;
        better += (better - coarse) / ((double)j / (j - k) - 1.0);
      }
      row[j - 1][i] = better;
    }
  }
  memcpy(r->next, row[r->method->order - 1], (size_t)r->ode.n * sizeof *r->next);
  return HY_ODE_DONE;
}

static HyOdeEnd bdf_step(HyOdeRun *r, double h)
{
  int order = r->method->order;
  hy_ode_push(r, r->x);
  if (r->known < order) {
    return bdf_start(r, h);
  }
  double *base = r->work[0];
  for (int i = 0; i < r->ode.n; i++) {
    base[i] = 0.0;
    for (int k = 0; k < order; k++) {
      base[i] += bdf_past[order - 1][k] * r->past[k][i];
    }
    r->next[i] = r->x[i];
  }
  return hy_ode_implicit(r, r->t + h, h * bdf_slope[order - 1], base, r->next);
}

const HyOdeMethod hy_ode_backward_euler = {
    .order = 1, .implicit = true, .step = backward_euler_step};
const HyOdeMethod hy_ode_trapezoidal = {.order = 2, .implicit = true, .step = trapezoidal_step};
const HyOdeMethod hy_ode_semi_implicit_euler = {
    .order = 1, .implicit = true, .step = semi_implicit_step};
const HyOdeMethod hy_ode_bdf1 = {.order = 1, .past = 1, .implicit = true, .step = bdf_step};
const HyOdeMethod hy_ode_bdf2 = {.order = 2, .past = 2, .implicit = true, .step = bdf_step};
const HyOdeMethod hy_ode_bdf3 = {.order = 3, .past = 3, .implicit = true, .step = bdf_step};
const HyOdeMethod hy_ode_bdf4 = {.order = 4, .past = 4, .implicit = true, .step = bdf_step};
const HyOdeMethod hy_ode_bdf5 = {.order = 5, .past = 5, .implicit = true, .step = bdf_step};
