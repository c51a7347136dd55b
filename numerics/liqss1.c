#include "steps.h"

/* Backward Euler, q(h) = x(h):  q = (x + h u) / (1 - h a)  with the largest h for |q - x| <= dq,
 * or, if that has no end, on the equilibrium of the local model: -u/a, not x - g/a, whose rounding
 * makes x' of a stiff row chatter (20 times the steps on Tyson's cell cycle at 1e-3). */
double hy_liqss1_choose(const HyLocal *l, double *q)
{
  double g = l->a * l->x + l->u[0];
  double speed = fabs(g) + l->dq * l->a;
  if (g == 0.0) {
    q[0] = l->x;
    return INFINITY;
  }
  if (speed > 0.0) {
    q[0] = l->x + copysign(l->dq, g);
    return l->dq / speed;
  }
  q[0] = -l->u[0] / l->a;
  return INFINITY;
}

static void liqss1_step(HyQState *v, double t)
{
  hy_step_implicit(v, 1, t, hy_liqss1_choose);
}

static void liqss1_piece(const HyQState *v, double t, double *q)
{
  hy_step_implicit_piece(v, 1, t, hy_liqss1_choose, q);
}

static void liqss1_derivative(HyQState *v, double t, const double *dx)
{
  hy_step_derivative(v, 1, true, t, dx);
}

static void liqss1_reset(HyQState *v, double t, double x0)
{
  hy_step_reset(v, 1, t, x0);
}

const HyQuantizer hy_liqss1 = {
    .order = 1,
    .implicit = true,
    .bound = 2.0,
    .start = hy_step_start,
    .step = liqss1_step,
    .piece = liqss1_piece,
    .derivative = liqss1_derivative,
    .reset = liqss1_reset,
};
