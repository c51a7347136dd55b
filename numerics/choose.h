/* How the linearly implicit methods choose q and the largest step h of x' = a q + u (HyChoose of
 * steps.h), written out where it is used: for liqss1.c, liqss2.c, liqss3.c, and for
 * fast-engine/fused_rows.c. */
#ifndef HYDEVS_NUMERICS_CHOOSE_H
#define HYDEVS_NUMERICS_CHOOSE_H

#include "steps.h"

/* Backward Euler, q(h) = x(h):  q = (x + h u) / (1 - h a)  with the largest h for |q - x| <= dq,
 * or, if that has no end, on the equilibrium of the local model: -u/a, not x - g/a, whose rounding
 * makes x' of a stiff row chatter (20 times the steps on Tyson's cell cycle at 1e-3). */
HY_EACH_METHOD double hy_choose1(const HyLocal *l, double *q)
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

/* q(h) = x(h), q'(h) = x'(h):  x - q = T (s - h)^2 / 2,  P(h a) T = g,  P(z) = 1 - z + z^2/2.
 * h is the smallest root of  dq P(h a) = |g| h^2/2;  without one and with a < 0 it is infinite: q
 * and x then run in parallel, on the moving equilibrium of the local model. */
HY_EACH_METHOD double hy_choose2(const HyLocal *l, double *q)
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

/* q = x, q' = x', q'' = x'' at s = h:  x - q = T (s - h)^3 / 6,  P(h a) T = g,
 * P(z) = 1 - z + z^2/2 - z^3/6.  h is the smallest root of  dq P(h a) = |g| h^3/6;  without one
 * (then a <= 0) it is infinite and T = 0. */
HY_EACH_METHOD double hy_choose3(const HyLocal *l, double *q)
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

#endif
