#include "choose.h"

double hy_liqss2_choose(const HyLocal *l, double *q)
{
  return hy_choose2(l, q);
}

static void liqss2_step(HyQState *v, double t)
{
  hy_step_implicit(v, 2, t, hy_choose2);
}

static void liqss2_piece(const HyQState *v, double t, double *q)
{
  hy_step_implicit_piece(v, 2, t, hy_choose2, q);
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
