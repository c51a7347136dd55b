/* The roots of a quadratic, written out where they are used: the common case, in which no product
 * overflows or vanishes. For the .c files of this folder. */
#ifndef HYDEVS_NUMERICS_QUADRATIC_H
#define HYDEVS_NUMERICS_QUADRATIC_H

#include "poly.h"

#include <math.h>

/* Comparisons, since fmax() and fmin() are calls (they care for NaN). */
static inline double hy_larger(double a, double b)
{
  return a > b ? a : b;
}

static inline double hy_smaller(double a, double b)
{
  return a < b ? a : b;
}

/* No root is 0 here (c[0] is not), so a root of +0 is a positive one below the smallest number. */
static inline double hy_if_positive(double root)
{
  return signbit(root) ? INFINITY : hy_larger(root, 0x1p-1074);
}

static inline double hy_smaller_positive(const double root[2])
{
  return hy_smaller(hy_if_positive(root[0]), hy_if_positive(root[1]));
}

/* b b - 4 a c, with the rounding errors of both products where they cancel (Kahan). */
static inline double hy_discriminant(double a, double b, double c)
{
  double bb = b * b;
  double ac = 4.0 * a * c;
  double d = bb - ac;
  if (3.0 * fabs(d) >= bb + fabs(ac)) {
    return d;
  }
  return d + (fma(b, b, -bb) - fma(4.0 * a, c, -ac));
}

/* The two real roots, the first may be infinite; false if there are none. c[0] and c[2] are not 0,
 * and the products neither overflow nor vanish. Neither root cancels: w has the sign of -c[1], and
 * is not 0, as c[0] is not. */
static inline bool hy_plain_quadratic(const double *c, double root[2])
{
  double d = hy_discriminant(c[2], c[1], c[0]);
  if (!(d >= 0.0)) {
    return false;
  }
  double w = -0.5 * (c[1] + copysign(sqrt(d), c[1]));
  root[0] = w / c[2];
  root[1] = c[0] / w;
  return true;
}

/* Products of its coefficients, and c[0], are not too large nor too small. */
static inline bool hy_is_plain_quadratic(const double *c)
{
  double big = hy_larger(c[1] * c[1], fabs(4.0 * c[0] * c[2]));
  return big > 1e-270 && big < 1e300;
}

/* hy_poly_root() of three coefficients. */
static inline double hy_quadratic_root(const double *c)
{
  if (!hy_is_plain_quadratic(c) || c[0] == 0.0 || c[2] == 0.0) {
    return hy_poly_root(c, 3);
  }
  double root[2];
  return hy_plain_quadratic(c, root) ? hy_smaller_positive(root) : INFINITY;
}

#endif
