#include "confine.h"
#include "poly.h"

#include <float.h>
#include <math.h>

/* How far C is beyond LIMIT at S, and what the evaluation may be off there. */
static double beyond(const double *c, int n, double limit, double sign, double s)
{
  double size = fabs(limit);
  for (int k = n - 1; k >= 0; k--) {
    size = fmax(size, fabs(c[k]) * pow(s, k));
  }
  return sign * (hy_poly_at(c, n, s) - limit) + 8.0 * DBL_EPSILON * size;
}

/* At the end, or where C turns on its way. */
static double most_beyond(const double *c, int n, double limit, double sign, double s)
{
  double most = s < INFINITY ? beyond(c, n, limit, sign, s) : -INFINITY;
  double d[HY_POLY_MAX];
  hy_poly_derivative(c, n, d);
  double at = 0.0;
  for (int turns = 0; turns < n - 2; turns++) {
    double root = hy_poly_root(d, n - 1);
    at += root;
    if (!(at < s)) {
      break;
    }
    most = fmax(most, beyond(c, n, limit, sign, at));
    hy_poly_shift(d, n - 1, root);
  }
  return most;
}

static double heading(const double *c, int n)
{
  for (int k = 1; k < n; k++) {
    if (c[k] != 0.0) {
      return c[k];
    }
  }
  return 0.0;
}

/* C starts within the limit. SIGN: 1 if it is the upper one, -1 for the lower. */
static void start_within(double *c, int n, double limit, double sign)
{
  if (sign * (c[0] - limit) >= 0.0) {
    c[0] = limit;
    bool leaves = sign * heading(c, n) >= 0.0;
    for (int k = 1; k < n; k++) {
      c[k] = leaves ? 0.0 : c[k];
    }
  }
}

static double out_of(const double *c, int n, double limit, double sign, double s)
{
  bool rests = heading(c, n) == 0.0;
  return !rests && s > 0.0 && isfinite(limit) ? most_beyond(c, n, limit, sign, s) : 0.0;
}

/* All of C is drawn towards the middle, so that what was OUT beyond a limit is at it. */
static void contract(double *c, int n, double lower, double upper, double out)
{
  double part = fmin(1.0, out / (0.5 * (upper - lower)));
  double middle = 0.5 * (lower + upper);
  c[0] = middle + (1.0 - part) * (c[0] - middle);
  for (int k = 1; k < n; k++) {
    c[k] *= 1.0 - part;
  }
}

void hy_confine(double *c, int n, double lower, double upper, double s)
{
  if (!hy_poly_finite(c, n)) {
    return;
  }
  start_within(c, n, upper, 1.0);
  start_within(c, n, lower, -1.0);
  double over = fmax(0.0, out_of(c, n, upper, 1.0, s));
  double under = fmax(0.0, out_of(c, n, lower, -1.0, s));
  double out = fmax(over, under);
  if (out > 0.0 && isfinite(lower) && isfinite(upper)) {
    contract(c, n, lower, upper, out);
  } else if (out > 0.0) {
    c[0] += under - over; /* only one of them is a number */
  }
}
