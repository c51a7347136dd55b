/* Explicit one-step methods. */
#include "classic_steps.h"

static HyOdeEnd euler_step(HyOdeRun *r, double h)
{
  const double *f = hy_ode_slope(r);
  for (int i = 0; i < r->ode.n; i++) {
    r->next[i] = r->x[i] + h * f[i];
  }
  return HY_ODE_DONE;
}

static HyOdeEnd taylor2_step(HyOdeRun *r, double h)
{
  const double *f = hy_ode_slope(r);
  double *ddx = r->work[0];
  hy_ode_second(r, ddx);
  for (int i = 0; i < r->ode.n; i++) {
    r->next[i] = r->x[i] + h * (f[i] + 0.5 * h * ddx[i]);
  }
  return HY_ODE_DONE;
}

/* Heun: the mean of the slopes at both ends. */
static HyOdeEnd rk2_step(HyOdeRun *r, double h)
{
  const double *k1 = hy_ode_slope(r);
  double *end = r->work[0];
  double *k2 = r->work[1];
  for (int i = 0; i < r->ode.n; i++) {
    end[i] = r->x[i] + h * k1[i];
  }
  hy_ode_f(r, r->t + h, end, k2);
  for (int i = 0; i < r->ode.n; i++) {
    r->next[i] = r->x[i] + 0.5 * h * (k1[i] + k2[i]);
  }
  return HY_ODE_DONE;
}

static HyOdeEnd midpoint_step(HyOdeRun *r, double h)
{
  const double *k1 = hy_ode_slope(r);
  double *middle = r->work[0];
  double *k2 = r->work[1];
  for (int i = 0; i < r->ode.n; i++) {
    middle[i] = r->x[i] + 0.5 * h * k1[i];
  }
  hy_ode_f(r, r->t + 0.5 * h, middle, k2);
  for (int i = 0; i < r->ode.n; i++) {
    r->next[i] = r->x[i] + h * k2[i];
  }
  return HY_ODE_DONE;
}

void hy_ode_rk4_from(HyOdeRun *r, double t, const double *x, const double *k1, double h, double *x1)
{
  static const double at[] = {0.5, 0.5, 1.0};
  static const double weight[] = {2.0, 2.0, 1.0};
  double *y = r->work[0];
  double *k = r->work[1];
  double *sum = r->work[2];
  for (int i = 0; i < r->ode.n; i++) {
    sum[i] = k[i] = k1[i];
  }
  for (int stage = 0; stage < 3; stage++) {
    for (int i = 0; i < r->ode.n; i++) {
      y[i] = x[i] + at[stage] * h * k[i];
    }
    hy_ode_f(r, t + at[stage] * h, y, k);
    for (int i = 0; i < r->ode.n; i++) {
      sum[i] += weight[stage] * k[i];
    }
  }
  for (int i = 0; i < r->ode.n; i++) {
    x1[i] = x[i] + h / 6.0 * sum[i];
  }
}

static HyOdeEnd rk4_step(HyOdeRun *r, double h)
{
  hy_ode_rk4_from(r, r->t, r->x, hy_ode_slope(r), h, r->next);
  return HY_ODE_DONE;
}

const HyOdeMethod hy_ode_euler = {.order = 1, .step = euler_step};
const HyOdeMethod hy_ode_taylor2 = {.order = 2, .step = taylor2_step};
const HyOdeMethod hy_ode_rk2 = {.order = 2, .step = rk2_step};
const HyOdeMethod hy_ode_rk2_midpoint = {.order = 2, .step = midpoint_step};
const HyOdeMethod hy_ode_rk4 = {.order = 4, .step = rk4_step};
