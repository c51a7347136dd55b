#include "confine.h"
#include "poly.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define MOMENT (4.0 * DBL_EPSILON) /* of t: what counts as one instant */

/* How far C is beyond LIMIT at S, and what the evaluation may be off there. */
static double beyond(const double *c, int n, double limit, double sign, double s)
{
  double size = fabs(limit);
  for (int k = n - 1; k >= 0; k--) {
    size = fmax(size, fabs(c[k]) * pow(s, k));
  }
  return sign * (hy_poly_at(c, n, s) - limit) + 8.0 * DBL_EPSILON * size;
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

static double after(double t, double s)
{
  return t + s > t ? t + s : nextafter(t, INFINITY);
}

static void from_limit(const double *c, int n, double limit, double *z)
{
  memset(z, 0, HY_POLY_MAX * sizeof *z);
  memcpy(z, c, (size_t)n * sizeof *z);
  z[0] -= limit;
}

static void rest(double *c, int n, double value)
{
  c[0] = value;
  for (int k = 1; k < n; k++) {
    c[k] = 0.0;
  }
}

/* C starts within the limit. SIGN: 1 if it is the upper one, -1 for the lower. Until when it rests
 * there, or T if it moves. */
static double start_within(double *c, int n, double limit, double sign, double t)
{
  double out = sign * (c[0] - limit);
  if (!(out >= 0.0)) {
    return t;
  }
  double z[HY_POLY_MAX];
  from_limit(c, n, limit, z);
  double back = hy_poly_root(z, n);
  bool inwards = sign * heading(c, n) < 0.0;
  if (heading(c, n) == 0.0 || (inwards && (out == 0.0 || back <= MOMENT * fabs(t)))) {
    c[0] = limit;
    return t;
  }
  rest(c, n, limit);
  return after(t, back);
}

/* The time until C, which is within the limit, gets there: by a root, or before that where it turns
 * so near to it that rounding decides. */
static double time_to(const double *c, int n, double limit, double sign)
{
  if (!isfinite(limit)) {
    return INFINITY;
  }
  double z[HY_POLY_MAX], d[HY_POLY_MAX], at = 0.0;
  from_limit(c, n, limit, z);
  double root = hy_poly_root(z, n);
  hy_poly_derivative(c, n, d);
  for (int turns = 0; turns < n - 2; turns++) {
    double s = hy_poly_root(d, n - 1);
    at += s;
    if (!(at < root)) {
      break;
    }
    if (beyond(c, n, limit, sign, at) > 0.0) {
      return at;
    }
    hy_poly_shift(d, n - 1, s);
  }
  return root;
}

/* C, which gets to the limit at S, is not beyond it by rounding: the highest coefficient gives way,
 * since that moves nothing near the start. */
static void end_within(double *c, int n, double limit, double sign, double s)
{
  int k = n - 1;
  while (k > 0 && c[k] == 0.0) {
    k--;
  }
  double out = beyond(c, n, limit, sign, s);
  if (out > 0.0 && k > 0) {
    c[k] -= sign * out / pow(s, k);
  }
}

double hy_confine(double *c, int n, double lower, double upper, double t, double due)
{
  if (!hy_poly_finite(c, n)) {
    return INFINITY;
  }
  double rests = fmax(start_within(c, n, upper, 1.0, t), start_within(c, n, lower, -1.0, t));
  if (rests > t) {
    return rests;
  }
  double up = time_to(c, n, upper, 1.0), down = time_to(c, n, lower, -1.0);
  double end = after(t, fmin(up, down));
  bool turns = due - end <= MOMENT * fabs(end); /* a mode, at that instant or before */
  if (!(end < INFINITY) || due < end - MOMENT * fabs(end)) {
    return INFINITY;
  }
  double s = (turns ? due : end) - t;
  if (s > 0.0) {
    end_within(c, n, up < down ? upper : lower, up < down ? 1.0 : -1.0, s);
  }
  return turns ? INFINITY : end;
}
