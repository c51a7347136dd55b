/* Methods that choose their step: two results of different order for the same step, whose
 * difference is the error of the worse one. */
#include "classic_steps.h"

#include <math.h>

static double adaptive_tolerance(const HyOdeRun *r, int i, double x)
{
  return r->ode.tolerance != NULL ? r->ode.tolerance(r->ode.user, i, x)
                                  : r->set.atol + r->set.rtol * fabs(x);
}

/* The largest |a - b| in units of the tolerance at |B|. Not finite is infinite. */
static double adaptive_distance(const HyOdeRun *r, const double *a, const double *b)
{
  double most = 0.0;
  for (int i = 0; i < r->ode.n; i++) {
    double part = fabs(a[i] - b[i]) / adaptive_tolerance(r, i, b[i]);
    if (!(part <= most)) {
      most = isnan(part) ? INFINITY : part;
    }
  }
  return most;
}

/* Two Runge-Kutta steps of h/2 against one of h: their difference is 15 times the error of the
 * better, O(h^5). The first slope is that of both. */
static HyOdeEnd doubling_attempt(HyOdeRun *r, double h, double *error)
{
  const double *k1 = hy_ode_slope(r);
  double *big = r->work[3];
  double *middle = r->work[4];
  double *k = r->work[5];
  hy_ode_rk4_from(r, r->t, r->x, k1, h, big);
  hy_ode_rk4_from(r, r->t, r->x, k1, 0.5 * h, middle);
  hy_ode_f(r, r->t + 0.5 * h, middle, k);
  hy_ode_rk4_from(r, r->t + 0.5 * h, middle, k, 0.5 * h, r->next);
  *error = adaptive_distance(r, big, r->next);
  for (int i = 0; i < r->ode.n && r->set.extrapolate; i++) {
    r->next[i] += (r->next[i] - big[i]) / 15.0;
  }
  return HY_ODE_DONE;
}

/* Fehlberg's pair: five of its six slopes give order 4, all of them order 5. */
void hy_ode_rkf45_from(HyOdeRun *r, double t, const double *x, const double *k1, double h,
                       double *x4, double *x5)
{
  static const double at[6] = {0.0, 1.0 / 4, 3.0 / 8, 12.0 / 13, 1.0, 1.0 / 2};
  static const double a[6][5] = {
      {0.0},
      {1.0 / 4},
      {3.0 / 32, 9.0 / 32},
      {1932.0 / 2197, -7200.0 / 2197, 7296.0 / 2197},
      {439.0 / 216, -8.0, 3680.0 / 513, -845.0 / 4104},
      {-8.0 / 27, 2.0, -3544.0 / 2565, 1859.0 / 4104, -11.0 / 40},
  };
  static const double b4[6] = {25.0 / 216, 0.0, 1408.0 / 2565, 2197.0 / 4104, -1.0 / 5, 0.0};
  static const double b5[6] = {16.0 / 135,      0.0,       6656.0 / 12825,
                               28561.0 / 56430, -9.0 / 50, 2.0 / 55};
  const double *k[6] = {k1, r->work[1], r->work[2], r->work[3], r->work[4], r->work[5]};
  double *y = r->work[0];
  for (int stage = 1; stage < 6; stage++) {
    for (int i = 0; i < r->ode.n; i++) {
      double sum = 0.0;
      for (int j = 0; j < stage; j++) {
        sum += a[stage][j] * k[j][i];
      }
      y[i] = x[i] + h * sum;
    }
    hy_ode_f(r, t + at[stage] * h, y, r->work[stage]);
  }
  for (int i = 0; i < r->ode.n; i++) {
    double sum4 = 0.0;
    double sum5 = 0.0;
    for (int j = 0; j < 6; j++) {
      sum4 += b4[j] * k[j][i];
      sum5 += b5[j] * k[j][i];
    }
    x4[i] = x[i] + h * sum4;
    x5[i] = x[i] + h * sum5;
  }
}

static HyOdeEnd rkf45_attempt(HyOdeRun *r, double h, double *error)
{
  double *x4 = r->work[6];
  hy_ode_rkf45_from(r, r->t, r->x, hy_ode_slope(r), h, x4, r->next);
  *error = adaptive_distance(r, x4, r->next);
  return HY_ODE_DONE;
}

const HyOdeMethod hy_ode_rk45_doubling = {
    .order = 4, .adaptive = true, .safety = 1.0, .attempt = doubling_attempt};
const HyOdeMethod hy_ode_rkf45 = {
    .order = 5, .adaptive = true, .safety = 0.9, .root = 5, .attempt = rkf45_attempt};
