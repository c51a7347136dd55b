#include "steps.h"

static void qss1_step(HyQState *v, double t)
{
  hy_step_explicit(v, 1, t);
}

static void qss1_piece(const HyQState *v, double t, double *q)
{
  hy_step_tangent_piece(v, 1, t, q);
}

static void qss1_derivative(HyQState *v, double t, const double *dx)
{
  hy_step_derivative(v, 1, false, t, dx);
}

static void qss1_reset(HyQState *v, double t, double x0)
{
  hy_step_reset(v, 1, t, x0);
}

const HyQuantizer hy_qss1 = {
    .order = 1,
    .bound = 1.0,
    .start = hy_step_start,
    .step = qss1_step,
    .piece = qss1_piece,
    .derivative = qss1_derivative,
    .reset = qss1_reset,
};
