#include "steps.h"

/* q = x, q' = x', q'' = x'' at s = h:  x - q = T (s - h)^3 / 6,  P(h a) T = g,
 * P(z) = 1 - z + z^2/2 - z^3/6.  h is the smallest root of  dq P(h a) = |g| h^3/6;  without one
 * (then a <= 0) it is infinite and T = 0. */
double hy_liqss3_choose(const HyLocal *l, double *q)
{
  double a = l->a;
  double dq = l->dq;
  double g = a * (a * (a * l->x + l->u[0]) + l->u[1]) + l->u[2];
  double h = hy_poly_root(
      (const double[]){-dq, dq * a, -0.5 * dq * a * a, (fabs(g) + dq * a * a * a) / 6.0}, 4);
  double T = 0.0;
  double s = 0.0; /* h, or anything if T = 0 */
  if (g == 0.0 || (h == INFINITY && a == 0.0)) {
    h = INFINITY;
    q[0] = l->x;
  } else if (h == INFINITY) {
    q[0] = l->x - g / (a * a * a);
  } else {
    s = h;
    double z = h * a;
    T = g / (1.0 - z + 0.5 * z * z - z * z * z / 6.0);
    q[0] = l->x + h * h * h / 6.0 * T;
  }
  q[1] = a * q[0] + l->u[0] - 0.5 * s * s * T;
  q[2] = a * q[1] + l->u[1] + s * T;
  return h;
}

static void liqss3_step(HyQState *v, double t)
{
  hy_step_implicit(v, 3, t, hy_liqss3_choose);
}

static void liqss3_piece(const HyQState *v, double t, double *q)
{
  hy_step_implicit_piece(v, 3, t, hy_liqss3_choose, q);
}

static void liqss3_derivative(HyQState *v, double t, const double *dx)
{
  hy_step_derivative(v, 3, true, t, dx);
}

static void liqss3_reset(HyQState *v, double t, double x0)
{
  hy_step_reset(v, 3, t, x0);
}

const HyQuantizer hy_liqss3 = {
    .order = 3,
    .implicit = true,
    .bound = 2.0,
    .start = hy_step_start,
    .step = liqss3_step,
    .piece = liqss3_piece,
    .derivative = liqss3_derivative,
    .reset = liqss3_reset,
};
