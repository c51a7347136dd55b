#include "steps.h"

static void qss2_step(HyQState *v, double t)
{
  hy_step_explicit(v, 2, t);
}

static void qss2_piece(const HyQState *v, double t, double *q)
{
  hy_step_tangent_piece(v, 2, t, q);
}

static void qss2_derivative(HyQState *v, double t, const double *dx)
{
  hy_step_derivative(v, 2, false, t, dx);
}

static void qss2_reset(HyQState *v, double t, double x0)
{
  hy_step_reset(v, 2, t, x0);
}

const HyQuantizer hy_qss2 = {
    .order = 2,
    .bound = 1.0,
    .start = hy_step_start,
    .step = qss2_step,
    .piece = qss2_piece,
    .derivative = qss2_derivative,
    .reset = qss2_reset,
};
