/* The recurrences come from the differential equation of each function: y = exp(a) has y' = a' y,
 * so k y_k = sum of m a_m y_(k-m), and so on. Sums run upwards in m. */
#include "taylor.h"

#include <math.h>
#include <string.h>

static void put(int n, const double *y, double *r)
{
  memcpy(r, y, (size_t)n * sizeof *r);
}

/* sum of m a_m b_(k-m) for m = first..last */
static double weighted(int first, int last, int k, const double *a, const double *b)
{
  double sum = 0.0;
  for (int m = first; m <= last; m++) {
    sum += m * a[m] * b[k - m];
  }
  return sum;
}

/* sum of a_m b_(k-m) for m = first..last */
static double convolved(int first, int last, int k, const double *a, const double *b)
{
  double sum = 0.0;
  for (int m = first; m <= last; m++) {
    sum += a[m] * b[k - m];
  }
  return sum;
}

/* A coefficient that is zero over a point where the function has no derivative stays zero: the root
 * of a signal that rests at 0 rests too. */
static double over(double a, double b)
{
  return a == 0.0 && b == 0.0 ? 0.0 : a / b;
}

void hy_taylor_add(int n, const double *a, const double *b, double *r)
{
  for (int k = 0; k < n; k++) {
    r[k] = a[k] + b[k];
  }
}

void hy_taylor_sub(int n, const double *a, const double *b, double *r)
{
  for (int k = 0; k < n; k++) {
    r[k] = a[k] - b[k];
  }
}

void hy_taylor_neg(int n, const double *a, double *r)
{
  for (int k = 0; k < n; k++) {
    r[k] = -a[k];
  }
}

void hy_taylor_scale(int n, double k, const double *a, double *r)
{
  for (int i = 0; i < n; i++) {
    r[i] = k * a[i];
  }
}

void hy_taylor_mul(int n, const double *a, const double *b, double *r)
{
  for (int k = n - 1; k >= 0; k--) { /* downwards: r may be a or b */
    double sum = a[0] * b[k];
    for (int m = 1; m <= k; m++) {
      sum += a[m] * b[k - m];
    }
    r[k] = sum;
  }
}

void hy_taylor_div(int n, const double *a, const double *b, double *r)
{
  double y[4];
  for (int k = 0; k < n; k++) {
    y[k] = (a[k] - convolved(0, k - 1, k, y, b)) / b[0];
  }
  put(n, y, r);
}

void hy_taylor_over(int n, double k, const double *b, double *r)
{
  hy_taylor_div(n, (const double[4]){k}, b, r);
}

void hy_taylor_sqrt(int n, const double *a, double *r)
{
  double y[4] = {sqrt(a[0])};
  for (int k = 1; k < n; k++) {
    y[k] = over(a[k] - convolved(1, k - 1, k, y, y), 2.0 * y[0]);
  }
  put(n, y, r);
}

void hy_taylor_exp(int n, const double *a, double *r)
{
  double y[4] = {exp(a[0])};
  for (int k = 1; k < n; k++) {
    y[k] = weighted(1, k, k, a, y) / k;
  }
  put(n, y, r);
}

/* The coefficients 1..n-1 of the y with y' w = v', given those of v and w. */
static void quotient_of_derivatives(int n, const double *v, const double *w, double *y)
{
  for (int k = 1; k < n; k++) {
    y[k] = over(k * v[k] - weighted(1, k - 1, k, y, w), k * w[0]);
  }
}

void hy_taylor_log(int n, const double *a, double *r)
{
  double y[4] = {log(a[0])};
  quotient_of_derivatives(n, a, a, y);
  put(n, y, r);
}

void hy_taylor_log10(int n, const double *a, double *r)
{
  double y[4] = {log(a[0])};
  quotient_of_derivatives(n, a, a, y);
  for (int k = 1; k < n; k++) {
    y[k] /= M_LN10;
  }
  y[0] = log10(a[0]);
  put(n, y, r);
}

void hy_taylor_sin_cos(int n, const double *a, double *s, double *c)
{
  double y[4] = {sin(a[0])};
  double z[4] = {cos(a[0])};
  for (int k = 1; k < n; k++) {
    y[k] = weighted(1, k, k, a, z) / k;
    z[k] = -weighted(1, k, k, a, y) / k;
  }
  put(n, y, s);
  put(n, z, c);
}

void hy_taylor_sin(int n, const double *a, double *r)
{
  double c[4];
  hy_taylor_sin_cos(n, a, r, c);
}

void hy_taylor_cos(int n, const double *a, double *r)
{
  double s[4];
  hy_taylor_sin_cos(n, a, s, r);
}

/* y' = (1 + sign y y) a', from y[0] on: tan with sign 1, tanh with sign -1. */
static void tangent(int n, const double *a, double sign, double *y)
{
  double w[4] = {1.0 + sign * y[0] * y[0]};
  for (int k = 1; k < n; k++) {
    y[k] = weighted(1, k, k, a, w) / k;
    w[k] = sign * convolved(0, k, k, y, y);
  }
}

void hy_taylor_tan(int n, const double *a, double *r)
{
  double y[4] = {tan(a[0])};
  tangent(n, a, 1.0, y);
  put(n, y, r);
}

void hy_taylor_tanh(int n, const double *a, double *r)
{
  double y[4] = {tanh(a[0])};
  tangent(n, a, -1.0, y);
  put(n, y, r);
}

/* Newton's rule from the right side, where y + e^y is above a: it is convex and rises, so each y is
 * nearer and none passes the root, but by rounding. */
double hy_wlog(double a)
{
  double y = a > 1.0 ? log(a) : a;
  for (int k = 0; k < 20 && isfinite(y); k++) {
    double e = exp(y), step = (y - a + e) / (1.0 + e);
    y -= step;
    if (fabs(step) <= 1e-16 * fabs(y)) {
      break;
    }
  }
  return y;
}

/* y' (1 + e) = a', e = e^y. */
void hy_taylor_wlog(int n, const double *a, double *r)
{
  double y[4] = {hy_wlog(a[0])};
  double e[4] = {exp(y[0])};
  for (int k = 1; k < n; k++) {
    y[k] = over(k * a[k] - weighted(1, k - 1, k, y, e), k * (1.0 + e[0]));
    e[k] = weighted(1, k, k, y, e) / k;
  }
  put(n, y, r);
}

/* 1 + sign a a; 1 - a a keeps its digits beside |a| = 1. */
static void one_and_square(int n, const double *a, double sign, double *w)
{
  hy_taylor_mul(n, a, a, w);
  hy_taylor_scale(n, sign, w, w);
  w[0] = sign < 0.0 ? (1.0 - a[0]) * (1.0 + a[0]) : 1.0 + w[0];
}

void hy_taylor_asin(int n, const double *a, double *r)
{
  double w[4];
  double y[4] = {asin(a[0])};
  one_and_square(n, a, -1.0, w);
  hy_taylor_sqrt(n, w, w);
  quotient_of_derivatives(n, a, w, y);
  put(n, y, r);
}

void hy_taylor_acos(int n, const double *a, double *r)
{
  double y[4];
  double y0 = acos(a[0]);
  hy_taylor_asin(n, a, y);
  hy_taylor_neg(n, y, y);
  y[0] = y0;
  put(n, y, r);
}

void hy_taylor_atan(int n, const double *a, double *r)
{
  double w[4];
  double y[4] = {atan(a[0])};
  one_and_square(n, a, 1.0, w);
  quotient_of_derivatives(n, a, w, y);
  put(n, y, r);
}

/* The angle has (x x + y y) angle' = x y' - y x'. */
void hy_taylor_atan2(int n, const double *y, const double *x, double *r)
{
  double w[4];
  double xx[4];
  double angle[4] = {atan2(y[0], x[0])};
  hy_taylor_mul(n, y, y, w);
  hy_taylor_mul(n, x, x, xx);
  hy_taylor_add(n, w, xx, w);
  for (int k = 1; k < n; k++) {
    double turn = weighted(1, k, k, y, x) - weighted(1, k, k, x, y);
    angle[k] = over(turn - weighted(1, k - 1, k, angle, w), k * w[0]);
  }
  put(n, angle, r);
}

static void hyperbolic(int n, const double *a, double *s, double *c)
{
  s[0] = sinh(a[0]);
  c[0] = cosh(a[0]);
  for (int k = 1; k < n; k++) {
    s[k] = weighted(1, k, k, a, c) / k;
    c[k] = weighted(1, k, k, a, s) / k;
  }
}

void hy_taylor_sinh(int n, const double *a, double *r)
{
  double s[4];
  double c[4];
  hyperbolic(n, a, s, c);
  put(n, s, r);
}

void hy_taylor_cosh(int n, const double *a, double *r)
{
  double s[4];
  double c[4];
  hyperbolic(n, a, s, c);
  put(n, c, r);
}

void hy_taylor_pow_int(int n, const double *a, int m, double *r)
{
  unsigned bits = m < 0 ? 0U - (unsigned)m : (unsigned)m;
  double y[4] = {1.0};
  unsigned top = 1;
  while (top <= bits / 2) {
    top *= 2;
  }
  if (bits > 0) {
    put(n, a, y);
    for (top /= 2; top > 0; top /= 2) {
      hy_taylor_mul(n, y, y, y);
      if (bits & top) {
        hy_taylor_mul(n, y, a, y);
      }
    }
  }
  if (m < 0) {
    hy_taylor_over(n, 1.0, y, y);
  }
  put(n, y, r);
}

/* 0^p of a signal that passes 0: derivatives below p vanish, those above do not exist. */
static void power_at_zero(int n, const double *a, double p, double *y)
{
  double moves = 0.0;
  for (int k = 1; k < n; k++) {
    moves += fabs(a[k]);
    y[k] = moves == 0.0 || k < p ? 0.0 : INFINITY;
  }
}

void hy_taylor_pow_real(int n, const double *a, double p, double *r)
{
  if (p == rint(p) && fabs(p) <= 1024.0) {
    hy_taylor_pow_int(n, a, (int)p, r);
    return;
  }
  double y[4] = {pow(a[0], p)};
  if (a[0] == 0.0) {
    power_at_zero(n, a, p, y);
  } else {
    for (int k = 1; k < n; k++) { /* a y' = p y a' */
      y[k] = (p * weighted(1, k, k, a, y) - weighted(1, k - 1, k, y, a)) / (k * a[0]);
    }
  }
  put(n, y, r);
}

void hy_taylor_pow(int n, const double *a, const double *b, double *r)
{
  double w[4];
  double constant = 0.0;
  for (int k = 1; k < n; k++) {
    constant += fabs(b[k]);
  }
  if (constant == 0.0) {
    hy_taylor_pow_real(n, a, b[0], r);
    return;
  }
  double y[4] = {pow(a[0], b[0])};
  hy_taylor_log(n, a, w);
  hy_taylor_mul(n, b, w, w);
  for (int k = 1; k < n; k++) {
    y[k] = weighted(1, k, k, w, y) / k;
  }
  put(n, y, r);
}

void hy_taylor_root(int n, const double *a, double *r)
{
  if (a[0] < 0.0) {
    hy_taylor_neg(n, a, r);
    hy_taylor_sqrt(n, r, r);
    hy_taylor_neg(n, r, r);
  } else {
    hy_taylor_sqrt(n, a, r);
  }
}

void hy_taylor_root_pow(int n, const double *a, const double *b, double *r)
{
  if (a[0] < 0.0) {
    double w[4] = {0};
    hy_taylor_neg(n, a, w);
    hy_taylor_pow(n, w, b, w);
    hy_taylor_neg(n, w, r);
  } else {
    hy_taylor_pow(n, a, b, r);
  }
}
