#include "choose.h"

double hy_liqss1_choose(const HyLocal *l, double *q)
{
  return hy_choose1(l, q);
}

static void liqss1_step(HyQState *v, double t)
{
  hy_step_implicit(v, 1, t, hy_choose1);
}

static void liqss1_piece(const HyQState *v, double t, double *q)
{
  hy_step_implicit_piece(v, 1, t, hy_choose1, q);
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
