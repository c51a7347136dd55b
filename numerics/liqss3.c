#include "choose.h"

double hy_liqss3_choose(const HyLocal *l, double *q)
{
  return hy_choose3(l, q);
}

static void liqss3_step(HyQState *v, double t)
{
  hy_step_implicit(v, 3, t, hy_choose3);
}

static void liqss3_piece(const HyQState *v, double t, double *q)
{
  hy_step_implicit_piece(v, 3, t, hy_choose3, q);
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
