/* When a polynomial leaves the band |p| < w, as hy_poly_leave_near() says it, for the common case
 * written out where it is used: this is half of what a quantized integrator costs. What is not
 * common (turns, coefficients of extreme size or not finite) goes there. For the .c files of this
 * folder, and for validity.h. */
#ifndef HYDEVS_NUMERICS_LEAVE_H
#define HYDEVS_NUMERICS_LEAVE_H

#include "poly.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Products and roots of what is between these are far from the ends of the exponents. */
#define HY_TINY_CUBE    1e-290 /* of a number whose cube root is found from its bits */
#define HY_HUGE_CUBE    1e290
#define HY_TINY_PRODUCT 1e-270 /* of two coefficients that have not vanished in it */
#define HY_HUGE_SQUARE  1e300
#define HY_TINY_TIME    1e-90 /* whose cube is a normal number */
#define HY_TINY_SLOPE   1e-100

/* The cube root of 1e-290 < a < 1e290 to 3.3 percent: a third of its exponent. */
static inline double hy_rough_cube_root(double a)
{
  uint64_t bits = 0;
  memcpy(&bits, &a, sizeof bits);
  bits = bits / 3 + (UINT64_C(0x2A9F7893) << 32);
  memcpy(&a, &bits, sizeof a);
  return a;
}

/* To 1e-14, for a fifth of the price of cbrt(): two of Halley's steps, each of which makes an error
 * e to 2/3 e^3. */
static inline double hy_cube_root(double a)
{
  if (!(a > HY_TINY_CUBE && a < HY_HUGE_CUBE)) {
    return cbrt(a);
  }
  double y = hy_rough_cube_root(a), aa = a + a;
  double yyy = y * y * y;
  y *= (yyy + aa) / (yyy + yyy + a);
  yyy = y * y * y;
  return y * ((yyy + aa) / (yyy + yyy + a));
}

/* The time at which |k s^n| = w. */
static inline __attribute__((always_inline)) double hy_leave_power(double k, int n, double w)
{
  double s = w / fabs(k);
  if (!(s < INFINITY && s > 0.0)) {
    return k == 0.0 || !isfinite(k) ? INFINITY : pow(w, 1.0 / n) / pow(fabs(k), 1.0 / n);
  }
  return n == 1 ? s : n == 2 ? sqrt(s) : hy_cube_root(s);
}

/* One step of Halley's at the cubic C; *p and *slope are those at s. */
static inline double hy_halley(const double *c, double s, double *p, double *slope)
{
  double c3s = c[3] * s;
  double p2 = c[2] + c3s;
  double p1 = c[1] + s * p2;
  double half = p2 + c3s; /* p' = p1 + s half, p''/2 = half + c3s */
  *p = c[0] + s * p1;
  *slope = p1 + s * half;
  return s - *p * *slope / (*slope * *slope - *p * (half + c3s));
}

/* Where Halley's steps from S settle, if they do; else NaN. They are free to go where they like:
 * the caller knows what the answer must lie between. The last step is made where Newton's would be
 * so small that, even at a double root, what is left of p is rounding. (Halley's own is small where
 * p' = 0, too.) Two steps are made without looking: few guesses are as good. */
static inline double hy_settled(const double *c, double s)
{
  const double small = 0x1p-26;
  double p, slope;
  s = hy_halley(c, s, &p, &slope);
  s = hy_halley(c, s, &p, &slope);
  for (int i = 0; i < 4; i++) {
    double next = hy_halley(c, s, &p, &slope);
    if (fabs(p) <= fabs(small * s * slope)) {
      return fabs(slope) > HY_TINY_SLOPE ? next : NAN; /* else products may have vanished */
    }
    s = next;
  }
  return NAN;
}

/* c1, c2 and c3 pull one way: p leaves once, on that side. What is not finite does not settle. */
static inline double hy_leave_cubic(const double *c, double w, double guess)
{
  if (c[1] * c[2] > HY_TINY_PRODUCT && c[2] * c[3] > HY_TINY_PRODUCT && fabs(c[0]) < w &&
      guess > HY_TINY_TIME) {
    double z[4] = {c[0] - copysign(w, c[3]), c[1], c[2], c[3]};
    double s = hy_settled(z, guess);
    if (s > HY_TINY_TIME) {
      return s;
    }
  }
  return hy_poly_leave_near(c, 4, w, guess);
}

/* Arguments by value, so that nobody has to have them in memory. */
double hy_leave_rare(double c0, double c1, double c2, double w);

/* The level on the side of c2: where c1 pulls that way, too, or where the turn is inside the band.
 * The discriminant is a sum then, and finite only if all is. */
static inline __attribute__((always_inline)) double hy_leave_quadratic(const double *c, double w)
{
  double level = copysign(w, c[2]);
  double d = c[1] * c[1] - 4.0 * c[2] * (c[0] - level);
  if (d > HY_TINY_PRODUCT && d < HY_HUGE_SQUARE && fabs(c[0]) < w) {
    double turning = c[1] * c[2];
    double sum = fabs(c[1]) + sqrt(d);
    if (turning > 0.0) {
      return 2.0 * fabs(c[0] - level) / sum;
    }
    if (turning < 0.0 && fabs(c[0] - 0.25 * c[1] * c[1] / c[2]) < w) {
      return 0.5 * sum / fabs(c[2]);
    }
  }
  return hy_leave_rare(c[0], c[1], c[2], w);
}

/* N is a constant where this is used. */
static inline __attribute__((always_inline)) double hy_leave(const double *c, int n, double w,
                                                             double guess)
{
  return n == 4   ? hy_leave_cubic(c, w, guess)
         : n == 3 ? hy_leave_quadratic(c, w)
                  : hy_poly_leave_near(c, n, w, guess);
}

#endif
