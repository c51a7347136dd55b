#include "steps.h"

/* q(h) = x(h), q'(h) = x'(h):  x - q = T (s - h)^2 / 2,  P(h a) T = g,  P(z) = 1 - z + z^2/2.
 * h is the smallest root of  dq P(h a) = |g| h^2/2;  without one and with a < 0 it is infinite: q
 * and x then run in parallel, on the moving equilibrium of the local model. */
double hy_liqss2_choose(const HyLocal *l, double *q)
{
  double a = l->a;
  double g = a * (a * l->x + l->u[0]) + l->u[1];
  double h =
      hy_quadratic_root((const double[]){-2.0 * l->dq, 2.0 * l->dq * a, fabs(g) - l->dq * a * a});
  if (g == 0.0 || (a == 0.0 && h == INFINITY)) {
    h = INFINITY;
    q[0] = l->x;
    q[1] = a * q[0] + l->u[0];
  } else if (h == INFINITY && a < 0.0) {
    q[0] = l->x - g / (a * a);
    q[1] = a * q[0] + l->u[0];
  } else {
    if (h == INFINITY) { /* unstable, and |q - x| <= dq at every h */
      h = 1.0 / a;
    }
    double z = h * a;
    double T = g / (1.0 - z + 0.5 * z * z);
    q[0] = l->x - 0.5 * h * h * T;
    q[1] = a * q[0] + l->u[0] + h * T;
  }
  return h;
}

static void liqss2_step(HyQState *v, double t)
{
  hy_step_implicit(v, 2, t, hy_liqss2_choose);
}

static void liqss2_piece(const HyQState *v, double t, double *q)
{
  hy_step_implicit_piece(v, 2, t, hy_liqss2_choose, q);
}

static void liqss2_derivative(HyQState *v, double t, const double *dx)
{
  hy_step_derivative(v, 2, true, t, dx);
}

static void liqss2_reset(HyQState *v, double t, double x0)
{
  hy_step_reset(v, 2, t, x0);
}

const HyQuantizer hy_liqss2 = {
    .order = 2,
    .implicit = true,
    .bound = 2.0,
    .start = hy_step_start,
    .step = liqss2_step,
    .piece = liqss2_piece,
    .derivative = liqss2_derivative,
    .reset = liqss2_reset,
};
