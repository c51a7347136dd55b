/* Smallest positive roots. The walk over the critical points gives intervals on which the
 * polynomial is monotone; no closed form for cubics (it cancels), no tolerance anywhere. */
#include "leave.h"
#include "quadratic.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* The same for coefficients of any size: s = 2^k z makes the outer two coefficients equally large.
 */
static bool scaled_quadratic(const double *c, double root[2])
{
  int e0 = 0;
  int e2 = 0;
  frexp(c[0], &e0);
  frexp(c[2], &e2);
  int k = (e0 - e2) / 2;
  double z[3] = {ldexp(c[0], -e0), ldexp(c[1], k - e0), ldexp(c[2], 2 * k - e0)};
  if (fabs(z[1]) > 1e100) {
    root[0] = -c[1] / c[2];
    root[1] = -c[0] / c[1];
    return true;
  }
  if (!hy_plain_quadratic(z, root)) {
    return false;
  }
  root[0] = ldexp(root[0], k);
  root[1] = ldexp(root[1], k);
  return true;
}

static inline bool poly_quadratic(const double *c, double root[2])
{
  return hy_is_plain_quadratic(c) ? hy_plain_quadratic(c, root) : scaled_quadratic(c, root);
}

static inline int positive_in_order(double a, double b, double r[2])
{
  double first = hy_smaller(a, b);
  r[1] = hy_larger(a, b);
  r[0] = first > 0.0 ? first : r[1];
  return (first > 0.0 && first < r[1] ? 2 : 1) - (r[0] > 0.0 ? 0 : 1);
}

/* Where p' = 0, the positive ones in rising order; how many. They need not be exact: between them p
 * is monotone but for rounding. c[3] != 0. */
static inline int critical_points(const double *c, double r[2])
{
  if (c[1] * c[2] > 1e-270 && c[2] * c[3] > 1e-270) {
    return 0; /* p' has one sign */
  }
  double d = c[2] * c[2] - 3.0 * c[1] * c[3];
  if (d < -1e-270) {
    return 0;
  }
  double root[2] = {0.0, 0.0};
  if (d > 1e-270 && d < 1e300) {
    double w = -(c[2] + copysign(sqrt(d), c[2]));
    return positive_in_order(w / (3.0 * c[3]), c[1] / w, r);
  }
  if (c[1] == 0.0) {
    return positive_in_order(-2.0 * c[2] / (3.0 * c[3]), 0.0, r);
  }
  const double slope[3] = {c[1], 2.0 * c[2], 3.0 * c[3]};
  return poly_quadratic(slope, root) ? positive_in_order(root[0], root[1], r) : 0;
}

/* No root lies below a third of the smallest of |c0/c1|, sqrt|c0/c2| and cbrt|c0/c3|. */
static inline double first_guess(const double *c)
{
  double k = fabs(c[0] / c[3]);
  double s = k > 1e-290 && k < 1e290 ? hy_rough_cube_root(k) : cbrt(k);
  if (fabs(c[1]) * s > fabs(c[0])) {
    s = fabs(c[0] / c[1]);
  }
  if (fabs(c[2]) * s * s > fabs(c[0])) {
    s = sqrt(fabs(c[0] / c[2]));
  }
  return s;
}

/* Newton inside the bracket, and upwards by no more than a factor of 4. When a step has become
 * small, the one after it would be rounding. */
static double poly_bisected(const double *c, double lo, double hi)
{
  const double small = 0x1p-28;
  const double c22 = 2.0 * c[2];
  const double c33 = 3.0 * c[3];
  bool negative = signbit(c[0]);
  double s = hy_larger(first_guess(c), hy_larger(2.0 * lo, DBL_MIN));
  s = s < hi ? s : lo + 0.5 * (hi - lo);
  while (s > lo && s < hi) {
    double p = c[0] + s * (c[1] + s * (c[2] + s * c[3]));
    double step = p / (c[1] + s * (c22 + s * c33));
    double next = s - step;
    if (fabs(step) <= small * s) {
      return next;
    }
    bool below = signbit(p) == negative;
    if (below) {
      lo = s;
    } else {
      hi = s;
    }
    if (next > lo && next < hi && next <= 4.0 * s) {
      s = next;
    } else if (p == 0.0) {
      return s;
    } else {
      s = below && 4.0 * s < hi ? 4.0 * s : lo + 0.5 * (hi - lo);
    }
  }
  return s;
}

/* The one s in (lo, hi] with p(s) = 0: p is monotone there, has the sign of c[0] at LO and not at
 * HI, which may be infinite. GUESS is of use if it lies between them. */
static inline double root_between(const double *c, double lo, double hi, double guess)
{
  double s = hy_settled(c, guess > lo && guess < hi ? guess : hy_larger(first_guess(c), 2.0 * lo));
  /* so near 0 products may have vanished */
  return s > lo && s <= hi && s > 1e-90 ? s : poly_bisected(c, lo, hi);
}

static double cubic_root(const double *c)
{
  double r[2] = {0.0, 0.0};
  double lo = 0.0;
  int n = critical_points(c, r);
  for (int i = 0; i < n; i++) {
    double p = hy_poly_at(c, 4, r[i]);
    if (p == 0.0) {
      return r[i];
    }
    if (signbit(p) != signbit(c[0])) {
      return root_between(c, lo, r[i], 0.0);
    }
    lo = r[i];
  }
  return signbit(c[3]) != signbit(c[0]) ? root_between(c, lo, INFINITY, 0.0) : INFINITY;
}

double hy_poly_root(const double *c, int n)
{
  while (n > 1 && c[n - 1] == 0.0) {
    n--;
  }
  while (n > 1 && c[0] == 0.0) { /* a root at 0 is divided out */
    c++;
    n--;
  }
  if (n < 2 || !hy_poly_finite(c, n)) {
    return INFINITY;
  }
  if (n == 2) {
    return hy_if_positive(-c[0] / c[1]);
  }
  if (n == 3) {
    double root[2];
    return poly_quadratic(c, root) ? hy_smaller_positive(root) : INFINITY;
  }
  return cubic_root(c);
}

/* For coefficients of any size, and where p leaves before its turn. */
static double leave_quadratic(const double *c, double w)
{
  double turn = -0.5 * c[1] / c[2];
  double p = turn > 0.0 && turn < INFINITY ? hy_poly_at(c, 3, turn) : 0.0;
  bool at_turn = fabs(p) >= w;
  double d[3] = {c[0] - copysign(w, at_turn ? p : c[2]), c[1], c[2]};
  double root[2];
  double s = poly_quadratic(d, root) ? hy_smaller_positive(root) : INFINITY;
  return at_turn ? hy_smaller(s, turn) : s; /* at a touch rounding may hide the root */
}

static inline double leave_cubic(const double *c, double w, double guess)
{
  double r[2] = {0.0, 0.0};
  double lo = 0.0;
  int n = critical_points(c, r);
  for (int i = 0; i < n; i++) {
    double p = hy_poly_at(c, 4, r[i]);
    if (fabs(p) >= w) {
      double d[4] = {c[0] - copysign(w, p), c[1], c[2], c[3]};
      return root_between(d, lo, r[i], guess);
    }
    lo = r[i];
  }
  double d[4] = {c[0] - copysign(w, c[3]), c[1], c[2], c[3]};
  return root_between(d, lo, INFINITY, guess);
}

double hy_poly_leave_near(const double *c, int n, double w, double guess)
{
  while (n > 1 && c[n - 1] == 0.0) {
    n--;
  }
  if (fabs(c[0]) >= w) {
    return hy_poly_finite(c, n) ? 0.0 : INFINITY;
  }
  switch (n) {
  case 2:
    return hy_poly_finite(c, 2) ? (copysign(w, c[1]) - c[0]) / c[1] : INFINITY;
  case 3:
    return hy_poly_finite(c, 3) ? leave_quadratic(c, w) : INFINITY;
  case 4:
    return hy_poly_finite(c, 4) ? leave_cubic(c, w, guess) : INFINITY;
  default:
    return INFINITY;
  }
}

double hy_leave_rare(double c0, double c1, double c2, double w)
{
  return hy_poly_leave_near((const double[]){c0, c1, c2}, 3, w, 0.0);
}

double hy_poly_leave(const double *c, int n, double w)
{
  return n == 3 ? hy_leave_quadratic(c, w) : hy_poly_leave_near(c, n, w, 0.0);
}
