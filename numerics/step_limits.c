#include "step_limits.h"

#include <math.h>

/* With the line from q(t_k) to the new piece the integral of q is wrong by D2 + D1 (t - t_j) at t,
 * up to signs: taken apart, |D2| now and at most |D1| more for every unit of time. */
double hy_input_limit(const HyInputChange *c, double a, double tolerance)
{
  double d1 = 0.5 * (c->begin - c->value + c->slope * c->e);
  double d2 = 0.5 * (c->begin + c->value) * c->e - c->integral;
  if (a == 0.0) {
    return INFINITY;
  }
  if (fabs(a * d2) >= tolerance) {
    return c->e;
  }
  if (d1 == 0.0) {
    return INFINITY;
  }
  return c->e + (tolerance / fabs(a) - fabs(d2)) / fabs(d1);
}

double hy_output_limit(double h, double missed, double tolerance, int order)
{
  double ratio = 0.9 * pow(tolerance / fabs(missed), 1.0 / (order + 1));
  return h * fmin(fmax(ratio, 0.1), 4.0);
}
