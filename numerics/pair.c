/* Two things are computed here in two ways. The step for a given h has to be well-conditioned: the
 * rates of a stiff pair are 1e9 apart and those of A^2 1e18. The search for h has to be cheap: any
 * h that is nearly the largest will do, so it runs on the polynomials that make up |q - x|. */
#include "pair.h"
#include "poly.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Compiled for each n, where that is written down as a constant: hy_pair_step(). */
#define EACH_ORDER static inline __attribute__((always_inline))

typedef struct {
  double re, im;
} Complex;

static inline Complex c_mul(Complex a, Complex b)
{
  return (Complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static inline Complex c_sub(Complex a, Complex b)
{
  return (Complex){a.re - b.re, a.im - b.im};
}

static inline Complex c_div(Complex a, Complex b)
{
  double f = 1.0 / (b.re * b.re + b.im * b.im);
  return (Complex){(a.re * b.re + a.im * b.im) * f, (a.im * b.re - a.re * b.im) * f};
}

static inline double c_size(Complex a)
{
  return fabs(a.re) + fabs(a.im);
}

/* m y = b by elimination with row pivoting; a singular m gives what is not finite. */
static inline void pair_solve(double (*m)[2], const double *b, double *y)
{
  int p = fabs(m[1][0]) > fabs(m[0][0]) ? 1 : 0;
  int o = 1 - p;
  double f = m[o][0] / m[p][0];
  y[1] = (b[o] - f * b[p]) / (m[o][1] - f * m[p][1]);
  y[0] = (b[p] - m[p][1] * y[1]) / m[p][0];
}

static inline void c_solve(Complex (*m)[2], const Complex *b, Complex *y)
{
  int p = c_size(m[1][0]) > c_size(m[0][0]) ? 1 : 0;
  int o = 1 - p;
  Complex f = c_div(m[o][0], m[p][0]);
  y[1] = c_div(c_sub(b[o], c_mul(f, b[p])), c_sub(m[o][1], c_mul(f, m[p][1])));
  y[0] = c_div(c_sub(b[p], c_mul(m[p][1], y[1])), m[p][0]);
}

/* b c - a d without the error of cancellation (Kahan). */
static inline double pair_cross(double b, double c, double a, double d)
{
  double ad = a * d;
  return fma(b, c, -ad) - fma(a, d, -ad);
}

/* a b + c d */
static inline double pair_dot(double a, double b, double c, double d)
{
  return a * b + c * d;
}

/* g = A x + u, the x' there would be if q were x. */
static inline void pair_slope(const HyPair *p, double *g)
{
  for (int k = 0; k < 2; k++) {
    g[k] = pair_dot(p->a[k][0], p->x[0], p->a[k][1], p->x[1]) + p->u[k][0];
  }
}

/* ---- the step for a given h ----
 *
 * With Z = h A and P_n(z) = sum (-z)^k / k! the derivatives of x at the end of the step are
 *
 *   h^m x^(m+1)(h) = P_n(Z)^-1 (polynomials in Z of degree < n times g, h u', h^2 u'')
 *
 * whose partial fractions over the roots z_k of P_n have one numerator in common: with alpha = 1/z,
 *
 *   w_k = (I - alpha_k Z)^-1 (g + alpha_k h u' + alpha_k^2 h^2 u'')
 *   h^m x^(m+1)(h) = sum_k c_km w_k,    c_km = -z_k^(m-1) / P_n'(z_k)
 *
 * So no power of A is ever formed. The roots: 1 for n = 1, 1 +- i for n = 2, a real one and a pair
 * for n = 3. Of a pair, twice the real part of one. */

static const double real_alpha[4] = {0.0, 1.0, 0.0, 0.6265382932707997};
static const double real_c[4][3] = {
    {0.0}, {1.0}, {0.0}, {0.9245741122624605, 1.4756865177957207, 2.35530139760812}};
static const Complex pair_alpha[4] = {
    {0.0, 0.0}, {0.0, 0.0}, {0.5, 0.5}, {0.18673085336460013, -0.4807738845503311}};
static const Complex pair_c2[4][3] = {
    /* 2 c_km */
    {{0.0, 0.0}},
    {{0.0, 0.0}},
    {{1.0, -1.0}, {0.0, -2.0}},
    {{0.07542588773753951, 0.8457917265133594},
     {-1.4756865177957207, 0.7300356816021650},
     {-2.35530139760812, -2.1546076256998298}},
};

EACH_ORDER void add_real_root(const HyPair *p, const int n, double h, const double *g,
                              double (*d)[3])
{
  double ah = real_alpha[n] * h;
  double m[2][2] = {{1.0 - ah * p->a[0][0], -ah * p->a[0][1]},
                    {-ah * p->a[1][0], 1.0 - ah * p->a[1][1]}};
  double b[2] = {g[0], g[1]};
  for (int k = 0; k < 2 && n > 1; k++) {
    b[k] += ah * (p->u[k][1] + ah * p->u[k][2]);
  }
  double w[2];
  pair_solve(m, b, w);
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < n; i++) {
      d[k][i] += real_c[n][i] * w[k];
    }
  }
}

EACH_ORDER void add_pair_of_roots(const HyPair *p, const int n, double h, const double *g,
                                  double (*d)[3])
{
  Complex ah = {pair_alpha[n].re * h, pair_alpha[n].im * h};
  Complex m[2][2];
  Complex b[2];
  for (int k = 0; k < 2; k++) {
    for (int j = 0; j < 2; j++) {
      double one = k == j ? 1.0 : 0.0;
      m[k][j] = (Complex){one - ah.re * p->a[k][j], -ah.im * p->a[k][j]};
    }
    Complex u = {p->u[k][1], 0.0};
    if (n > 2) {
      u.re += ah.re * p->u[k][2];
      u.im += ah.im * p->u[k][2];
    }
    u = c_mul(ah, u);
    b[k] = (Complex){g[k] + u.re, u.im};
  }
  Complex w[2];
  c_solve(m, b, w);
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < n; i++) {
      d[k][i] += pair_c2[n][i].re * w[k].re - pair_c2[n][i].im * w[k].im;
    }
  }
}

EACH_ORDER bool pair_at(const HyPair *p, const int n, double h, double (*q)[3], double *miss)
{
  double d[2][3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}; /* h^m x^(m+1)(h) */
  double g[2];
  pair_slope(p, g);
  if (n != 2) {
    add_real_root(p, n, h, g, d);
  }
  if (n != 1) {
    add_pair_of_roots(p, n, h, g, d);
  }
  static const double share[4] = {0.0, 1.0, -0.5, 1.0 / 6.0};
  for (int k = 0; k < 2; k++) {
    miss[k] = share[n] * h * d[k][n - 1];
    q[k][0] = p->x[k] + miss[k];
    q[k][1] = n == 1 ? 0.0 : d[k][0];
    q[k][2] = 0.0;
    if (n == 3) {
      q[k][1] -= d[k][1];
      q[k][2] = d[k][1] / (2.0 * h);
    }
  }
  return hy_poly_finite(q[0], 3) && hy_poly_finite(q[1], 3);
}

bool hy_pair_at(const HyPair *p, int n, double h, double (*q)[3], double *miss)
{
  return pair_at(p, n, h, q, miss);
}

/* 1 at the edge of the quanta. */
static inline double pair_ratio(const HyPair *p, const double *miss)
{
  double r0 = fabs(miss[0]) / p->dq[0];
  double r1 = fabs(miss[1]) / p->dq[1];
  return r0 > r1 ? r0 : r1; /* NaN, if r1 is */
}

/* ---- the step without end ----
 *
 * For a stable A: q and x in parallel on the moving equilibrium, each derivative of q by one solve:
 * A q^(k) + u^(k) = q^(k+1). */
EACH_ORDER bool pair_endless(const HyPair *p, const int n, HyPairStep *step)
{
  double y[2] = {0.0, 0.0};
  double m[2][2];
  memcpy(m, p->a, sizeof m);
  for (int i = n - 1; i > 0; i--) {
    double b[2] = {y[0] - p->u[0][i], y[1] - p->u[1][i]};
    pair_solve(m, b, y);
    step->q[0][i] = i == 2 ? 0.5 * y[0] : y[0];
    step->q[1][i] = i == 2 ? 0.5 * y[1] : y[1];
  }
  double g[2];
  double miss[2];
  pair_slope(p, g);
  const double b[2] = {y[0] - g[0], y[1] - g[1]};
  pair_solve(m, b, miss);
  step->solves += n;
  step->h = INFINITY;
  step->q[0][0] = p->x[0] + miss[0];
  step->q[1][0] = p->x[1] + miss[1];
  return pair_ratio(p, miss) <= 1.0 && hy_poly_finite(step->q[0], n) &&
         hy_poly_finite(step->q[1], n);
}

/* ---- the search ----
 *
 * In units of the quanta and of h0, the step that A = 0 would have, with B for h A and c for
 * h^n/n! G (G the n-th derivative of x if q were x), s = h / h0:
 *
 *   |q - x| / dq = s^n |P_n(s adj B) c| / det P_n(s B)
 *
 * both polynomials, since the adjoint of a polynomial of a 2x2 matrix is that polynomial of its
 * adjoint. The largest step ends at the first s where this is 1. */
typedef struct {
  double num[2][4]; /* of |q_k - x_k| / dq_k, without s^n */
  double den[7];
  int looks;
} Search;

/* h0 = min (n! dq_k / |G_k|)^(1/n); INFINITY if G = 0. */
EACH_ORDER double search_unit(const HyPair *p, const int n)
{
  double g[2];
  pair_slope(p, g);
  for (int i = 1; i < n; i++) {
    double g0 = pair_dot(p->a[0][0], g[0], p->a[0][1], g[1]) + p->u[0][i];
    g[1] = pair_dot(p->a[1][0], g[0], p->a[1][1], g[1]) + p->u[1][i];
    g[0] = g0;
  }
  double big = fmax(fabs(g[0]) / p->dq[0], fabs(g[1]) / p->dq[1]);
  return n == 1 ? 1.0 / big : n == 2 ? sqrt(2.0 / big) : cbrt(6.0 / big);
}

/* r = m v, r = (adjoint of m) v */
static inline void pair_times(double (*m)[2], const double *v, double *r)
{
  r[0] = pair_dot(m[0][0], v[0], m[0][1], v[1]);
  r[1] = pair_dot(m[1][0], v[0], m[1][1], v[1]);
}

static inline void times_adjoint(double (*m)[2], const double *v, double *r)
{
  r[0] = pair_dot(m[1][1], v[0], -m[0][1], v[1]);
  r[1] = pair_dot(m[0][0], v[1], -m[1][0], v[0]);
}

/* r = d v + w */
static inline void pair_plus(double d, const double *v, const double *w, double *r)
{
  r[0] = d * v[0] + w[0];
  r[1] = d * v[1] + w[1];
}

/* w[m] = adj(B)^m c, c = B^(n-1) v0 + ... + v(n-1). Where adjoint and matrix meet they are replaced
 * by their product, the determinant d: the small part of c that matters in a slow direction is lost
 * among the large one of a fast direction. */
EACH_ORDER void search_vectors(double (*b)[2], double d, const int n, double (*v)[2],
                               double (*w)[2])
{
  double e[2];
  if (n == 1) {
    memcpy(w[0], v[0], sizeof w[0]);
  } else if (n == 2) {
    pair_times(b, v[0], e);
    pair_plus(1.0, e, v[1], w[0]);
    times_adjoint(b, v[1], e);
    pair_plus(d, v[0], e, w[1]);
  } else {
    double y[2];
    pair_times(b, v[0], e);
    pair_plus(1.0, e, v[1], y);
    pair_times(b, y, e);
    pair_plus(1.0, e, v[2], w[0]);
    times_adjoint(b, v[2], e);
    pair_plus(d, y, e, w[1]);
    times_adjoint(b, v[1], y);
    pair_plus(d, v[0], y, y);
    times_adjoint(b, e, w[2]);
    pair_plus(d, y, w[2], w[2]);
  }
  times_adjoint(b, w[n - 1], w[n]);
}

/* det P_n(sB) from trace and determinant. */
EACH_ORDER void search_denominator(Search *f, const int n, double t, double d)
{
  double *den = f->den;
  den[0] = 1.0;
  den[1] = -t;
  if (n == 1) {
    den[2] = d;
    return;
  }
  den[2] = 0.5 * t * t;
  if (n == 2) {
    den[3] = -0.5 * d * t;
    den[4] = 0.25 * d * d;
    return;
  }
  den[3] = -t * t * t / 6.0;
  den[4] = d * (2.0 * t * t - d) / 12.0;
  den[5] = -d * d * t / 12.0;
  den[6] = d * d * d / 36.0;
}

EACH_ORDER void search_init(Search *f, const HyPair *p, const int n, double h0)
{
  *f = (Search){.looks = 0};
  double ratio01 = p->dq[1] / p->dq[0];
  double ratio10 = p->dq[0] / p->dq[1];
  double b[2][2] = {{h0 * p->a[0][0], h0 * p->a[0][1] * ratio01},
                    {h0 * p->a[1][0] * ratio10, h0 * p->a[1][1]}};
  double d = pair_cross(b[0][0], b[1][1], b[0][1], b[1][0]);
  double g[2];
  double v[3][2];
  double w[4][2];
  pair_slope(p, g);
  for (int k = 0; k < 2; k++) { /* g, u', u'' in these units */
    double unit = h0 / (n == 3 ? 6.0 * p->dq[k] : n * p->dq[k]);
    v[0][k] = g[k] * unit;
    v[1][k] = p->u[k][1] * unit * h0;
    v[2][k] = p->u[k][2] * unit * h0 * h0;
  }
  search_vectors(b, d, n, v, w);
  double m_th = 1.0; /* (-1)^m / m! */
  for (int m = 0; m <= n; m++) {
    f->num[0][m] = m_th * w[m][0];
    f->num[1][m] = m_th * w[m][1];
    m_th /= -(m + 1.0);
  }
  search_denominator(f, n, b[0][0] + b[1][1], d);
}

/* The value of a polynomial of degree N at s, and s times its derivative. */
EACH_ORDER double pair_horner(const double *c, const int n, double s, double *slope)
{
  double v = c[n];
  double dv = 0.0;
  for (int k = n - 1; k >= 0; k--) {
    dv = dv * s + v;
    v = v * s + c[k];
  }
  *slope = s * dv;
  return v;
}

/* |q - x| / dq, the larger of the two; its slope in double logarithmic scale. Beyond a pole it is
 * infinite: s lies outside. */
EACH_ORDER double search_look(Search *f, const int n, double s, double *slope)
{
  double dden = 0.0;
  double den = pair_horner(f->den, 2 * n, s, &dden);
  double dnum[2];
  double num[2];
  for (int k = 0; k < 2; k++) {
    num[k] = pair_horner(f->num[k], n, s, &dnum[k]);
  }
  int k = fabs(num[1]) > fabs(num[0]) ? 1 : 0;
  f->looks++;
  if (!(den > 0.0)) {
    *slope = 0.0;
    return INFINITY;
  }
  *slope = n + dnum[k] / num[k] - dden / den;
  double sn = n == 1 ? s : n == 2 ? s * s : s * s * s;
  return sn * fabs(num[k]) / den;
}

#define HY_PAIR_LEAP 16.0 /* no hump of |q - x| is expected to hide in a factor of this */
#define HY_PAIR_NEAR 1e-6 /* accuracy of |q - x| = dq */

/* x^a, roughly where that is cheap: Newton's next step corrects it. */
static inline double rough_power(double x, double a)
{
  if (x > 0.25 && x < 4.0 && a < 1.0) {
    return (x + 1.0 + a * (x - 1.0)) / (x + 1.0 - a * (x - 1.0));
  }
  return pow(x, a);
}

/* The next s: Newton's in double logarithmic scale, within the bracket. Where it is no use, the
 * middle of it. */
static inline double search_next(double s, double r, double slope, double lo, double hi)
{
  if (slope > 0.0) {
    double f = rough_power((1.0 - 0.5 * HY_PAIR_NEAR) / r, 1.0 / slope);
    double next = s * f;
    if (next > lo && next < hi && f >= 1.0 / HY_PAIR_LEAP && f <= HY_PAIR_LEAP) {
      return next;
    }
  }
  if (hi == INFINITY) {
    return s * HY_PAIR_LEAP;
  }
  return lo == 0.0 ? s / HY_PAIR_LEAP : sqrt(lo * hi);
}

/* The first s with |q - x| = dq; INFINITY: none in reach; 0: none at all. */
EACH_ORDER double search_first(Search *f, const int n)
{
  double lo = 0.0;
  double hi = INFINITY;
  double s = 1.0;
  while (f->looks < 100 && s > 1e-40 && s < 1e40) {
    double slope = 0.0;
    double r = search_look(f, n, s, &slope);
    if (r <= 1.0) {
      lo = s;
    } else {
      hi = s; /* NaN too */
    }
    if ((r <= 1.0 && r >= 1.0 - HY_PAIR_NEAR) || hi - lo <= 1e-9 * lo) {
      return lo;
    }
    s = search_next(s, r, slope, lo, hi);
  }
  return hi == INFINITY ? INFINITY : lo;
}

/* Order 1: four quadratics. */
static double search_closed(Search *f)
{
  double s = INFINITY;
  for (int k = 0; k < 2; k++) {
    for (int sign = -1; sign <= 1; sign += 2) {
      const double c[3] = {1.0, f->den[1] + sign * f->num[k][0], f->den[2] + sign * f->num[k][1]};
      s = fmin(s, hy_poly_root(c, 3));
    }
  }
  f->looks++;
  return s;
}

/* Where |q - x| stays below dq for ever although A is not stable, h is a matter of taste: the time
 * in which the fastest growing mode grows, or a long time if there is none. */
static double endless_unstable(const HyPair *p)
{
  double t = p->a[0][0] + p->a[1][1];
  double d = pair_cross(p->a[0][0], p->a[1][1], p->a[0][1], p->a[1][0]);
  double square = 0.25 * t * t - d;
  double growth = 0.5 * t + (square > 0.0 ? sqrt(square) : 0.0);
  double size = fabs(p->a[0][0]) + fabs(p->a[0][1]) + fabs(p->a[1][0]) + fabs(p->a[1][1]);
  return growth > 0.0 ? 1.0 / growth : 1e9 / size;
}

/* The polynomials may be wrong where the solution is not: then h is corrected until it fits. */
EACH_ORDER bool pair_take(const HyPair *p, const int n, double h, HyPairStep *step)
{
  for (int i = 0; i < 60 && h > 0.0 && h < INFINITY; i++) {
    double miss[2];
    step->h = h;
    step->solves++;
    bool finite = pair_at(p, n, h, step->q, miss);
    double r = pair_ratio(p, miss);
    if (finite && r <= 1.0 + 1e-9) {
      return true;
    }
    h *= r < 1.01 ? 0.99 : 0.5;
  }
  return false;
}

static bool pair_stable(const HyPair *p)
{
  return p->a[0][0] + p->a[1][1] < 0.0 &&
         pair_cross(p->a[0][0], p->a[1][1], p->a[0][1], p->a[1][0]) > 0.0;
}

/* G = 0: q is what x would be, T = 0. */
static bool pair_tracks(const HyPair *p, int n, HyPairStep *step)
{
  step->h = INFINITY;
  double q[2] = {p->x[0], p->x[1]};
  for (int i = 0; i < n; i++) {
    double next[2];
    for (int k = 0; k < 2; k++) {
      step->q[k][i] = i == 2 ? 0.5 * q[k] : q[k];
      next[k] = pair_dot(p->a[k][0], q[0], p->a[k][1], q[1]) + p->u[k][i];
    }
    memcpy(q, next, sizeof q);
  }
  return hy_poly_finite(step->q[0], n) && hy_poly_finite(step->q[1], n);
}

static inline bool quantum_is_one(double dq)
{
  return dq > 0.0 && dq < INFINITY;
}

EACH_ORDER bool pair_step(const HyPair *p, const int n, HyPairStep *step)
{
  if (pair_stable(p) && pair_endless(p, n, step)) {
    return true;
  }
  double h0 = search_unit(p, n);
  if (h0 == INFINITY) {
    return pair_tracks(p, n, step);
  }
  if (!(h0 > 0.0)) {
    return false;
  }
  Search f;
  search_init(&f, p, n, h0);
  double s = n == 1 ? search_closed(&f) : search_first(&f, n);
  step->looks = f.looks;
  return pair_take(p, n, s == INFINITY ? endless_unstable(p) : s * h0, step);
}

bool hy_pair_step(const HyPair *p, int n, HyPairStep *step)
{
  *step = (HyPairStep){0};
  if (n < 1 || n > 3 || !quantum_is_one(p->dq[0]) || !quantum_is_one(p->dq[1])) {
    return false;
  }
  return n == 1 ? pair_step(p, 1, step) : n == 2 ? pair_step(p, 2, step) : pair_step(p, 3, step);
}
