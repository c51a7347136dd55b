#include "steps.h"

static void qss3_step(HyQState *v, double t)
{
  hy_step_explicit(v, 3, t);
}

static void qss3_piece(const HyQState *v, double t, double *q)
{
  hy_step_tangent_piece(v, 3, t, q);
}

static void qss3_derivative(HyQState *v, double t, const double *dx)
{
  hy_step_derivative(v, 3, false, t, dx);
}

static void qss3_reset(HyQState *v, double t, double x0)
{
  hy_step_reset(v, 3, t, x0);
}

const HyQuantizer hy_qss3 = {
    .order = 3,
    .bound = 1.0,
    .start = hy_step_start,
    .step = qss3_step,
    .piece = qss3_piece,
    .derivative = qss3_derivative,
    .reset = qss3_reset,
};
