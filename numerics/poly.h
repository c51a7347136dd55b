/* Polynomials c[0] + c[1] s + c[2] s^2 + c[3] s^3 as plain arrays of n <= 4 Taylor coefficients,
 * where s is the time since the origin of the piece, and the first instant at which one gets
 * somewhere. Nothing here fails: what has no answer (no such instant, or a coefficient that is NaN
 * or infinite) is INFINITY, so that no NaN reaches a scheduler. */
#ifndef HYDEVS_NUMERICS_POLY_H
#define HYDEVS_NUMERICS_POLY_H

#include <stdbool.h>

#define HY_POLY_MAX 4 /* coefficients */

/* The loops are written out: these few lines are most of what an event costs. */
static inline double hy_poly_at(const double *c, int n, double s)
{
  switch (n) {
  case 4:
    return c[0] + s * (c[1] + s * (c[2] + s * c[3]));
  case 3:
    return c[0] + s * (c[1] + s * c[2]);
  case 2:
    return c[0] + s * c[1];
  default:
    return c[0];
  }
}

/* Moves the origin by E, of finite coefficients: the same polynomial in the time since then. */
static inline void hy_poly_move(double *c, int n, double e)
{
  if (n == 4) {
    c[2] += e * c[3];
    c[1] += e * c[2];
    c[0] += e * c[1];
    c[2] += e * c[3];
    c[1] += e * c[2];
    c[2] += e * c[3];
  } else if (n == 3) {
    c[1] += e * c[2];
    c[0] += e * c[1];
    c[1] += e * c[2];
  } else if (n == 2) {
    c[0] += e * c[1];
  }
}

/* The same of any coefficients: a shift by nothing leaves those that are not finite as they are. */
static inline void hy_poly_shift(double *c, int n, double e)
{
  if (e != 0.0) {
    hy_poly_move(c, n, e);
  }
}

/* d[0..n-2]: the coefficients of the derivative. D may be C. */
static inline void hy_poly_derivative(const double *c, int n, double *d)
{
  for (int k = 1; k < n; k++) {
    d[k - 1] = k * c[k];
  }
}

/* c[1..n], n <= 3, from the n coefficients DX of the derivative; c[0] stays. */
static inline void hy_poly_integral(double *c, int n, const double *dx)
{
  c[1] = dx[0];
  if (n > 1) {
    c[2] = 0.5 * dx[1];
  }
  if (n > 2) {
    c[3] = dx[2] / 3.0;
  }
}

static inline bool hy_poly_finite(const double *c, int n)
{
  double zero = 0.0 * c[0]; /* NaN if c[0] is not finite */
  zero += n > 1 ? 0.0 * c[1] : 0.0;
  zero += n > 2 ? 0.0 * c[2] : 0.0;
  zero += n > 3 ? 0.0 * c[3] : 0.0;
  return zero == 0.0;
}

/* The smallest s > 0 with p(s) = 0. A root at 0 itself does not count. */
double hy_poly_root(const double *c, int n);

/* The smallest s >= 0 with |p(s)| = w; 0 if |p(0)| >= w already. */
double hy_poly_leave(const double *c, int n, double w);
/* The same, sooner if GUESS (any number) is near the answer. */
double hy_poly_leave_near(const double *c, int n, double w, double guess);

#endif
