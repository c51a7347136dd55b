/* What can be asked anywhere becomes a polynomial by its values at s[k] = -cos(pi k/N), and what
 * that misses is as small as its last coefficients in T[j](s) are (L. N. Trefethen, Approximation
 * Theory and Approximation Practice, 2013, chapters 3, 4 and 8):
 *
 *   p(s) = sum" c[j] T[j](s),   c[j] = 2/N sum" y[N - k] cos(pi j k/N)      "  the first and the
 *                                                                             last one half
 *
 * Of a wave e^(j w t) on a panel of width h coefficient j is the Bessel function J[j](w h/2): with
 * w h <= pi the 17th is below 1e-16, so that who knows w chooses panels of half a turn and is sure;
 * nothing that turns so slowly can look like less at 5 points. The nodes of N = 4 and 8 are among
 * those of 16.
 *
 * Then p is written in powers of s. That loses a factor (1 + sqrt 2)^j in coefficient j, which has
 * fallen faster. */
#include "panel.h"

#include "poly.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define LAST (HY_PANEL_NODES - 1)

/* cos(pi k/16) */
static const double cosines[HY_PANEL_NODES] = {1.0,
                                               0.98078528040323044913,
                                               0.92387953251128675613,
                                               0.83146961230254523708,
                                               0.70710678118654752440,
                                               0.55557023301960222474,
                                               0.38268343236508977173,
                                               0.19509032201612826785,
                                               0.0,
                                               -0.19509032201612826785,
                                               -0.38268343236508977173,
                                               -0.55557023301960222474,
                                               -0.70710678118654752440,
                                               -0.83146961230254523708,
                                               -0.92387953251128675613,
                                               -0.98078528040323044913,
                                               -1.0};

static double cosine(int k)
{
  k %= 2 * LAST;
  return cosines[k > LAST ? 2 * LAST - k : k];
}

/* Making -------------------------------------------------------------------------------------- */

double hy_panel_node(double from, double to, int k)
{
  return k == 0 ? from : k == LAST ? to : from + 0.5 * (to - from) * (1.0 - cosines[k]);
}

double hy_panel_time(const HyPanel *x, double s)
{
  return s == 1.0 ? x->to : x->from + 0.5 * (x->to - x->from) * (1.0 + s);
}

static double piece_at(const double *c, double s)
{
  return s == 0.0 ? c[0] : hy_poly_at(c, 4, s);
}

void hy_panel_of_piece(HyPanel *x, const double *c, double origin, double from, double to)
{
  double half = 0.5 * (to - from), power = 1.0;
  *x = (HyPanel){.from = from,
                 .to = to,
                 .begin = piece_at(c, from - origin),
                 .end = piece_at(c, to - origin),
                 .n = 4};
  while (x->n > 1 && c[x->n - 1] == 0.0) {
    x->n--;
  }
  memcpy(x->p, c, 4 * sizeof *c);
  if (x->n > 1) {
    hy_poly_shift(x->p, 4, (from - origin) + half);
  }
  for (int k = 0; k < x->n; k++, power *= half) {
    x->p[k] *= power;
  }
}

/* Of the first N of T[j] to powers: T[j + 1] = 2 s T[j] - T[j - 1]. */
static void to_powers(const double *c, int n, double *p)
{
  double before[HY_PANEL_NODES] = {1.0}, now[HY_PANEL_NODES] = {0.0, 1.0};
  memset(p, 0, (size_t)n * sizeof *p);
  p[0] = c[0];
  for (int j = 1; j < n; j++) {
    double next[HY_PANEL_NODES] = {0.0};
    for (int k = 0; k <= j; k++) {
      p[k] += c[j] * now[k];
    }
    for (int k = 0; k <= j && j + 1 < n; k++) {
      next[k + 1] += 2.0 * now[k];
      next[k] -= before[k];
    }
    memcpy(before, now, sizeof before);
    memcpy(now, next, sizeof now);
  }
}

double hy_panel_fit(HyPanel *x, const double *y, int n)
{
  int last = n - 1, stride = LAST / last;
  double c[HY_PANEL_NODES] = {0.0};
  for (int j = 0; j <= last; j++) {
    double sum = 0.5 * (y[LAST] + (j % 2 == 0 ? y[0] : -y[0]));
    for (int k = 1; k < last; k++) {
      sum += y[LAST - k * stride] * cosine(j * k * stride);
    }
    c[j] = sum * (j == 0 || j == last ? 1.0 : 2.0) / last;
  }
  to_powers(c, n, x->p);
  x->n = n;
  x->begin = y[0];
  x->end = y[LAST];
  return fabs(c[last]) + fabs(c[last - 1]);
}

/* Looking ------------------------------------------------------------------------------------- */

static double value_of(const double *p, int n, double s)
{
  double v = p[n - 1];
  for (int k = n - 2; k >= 0; k--) {
    v = v * s + p[k];
  }
  return v;
}

double hy_panel_at(const HyPanel *x, double s)
{
  return s == -1.0 ? x->begin : s == 1.0 ? x->end : value_of(x->p, x->n, s);
}

double hy_panel_integral(const HyPanel *x)
{
  double sum = 0.0;
  for (int k = (x->n - 1) / 2 * 2; k >= 0; k -= 2) {
    sum += x->p[k] / (k + 1);
  }
  return sum * (x->to - x->from);
}

double hy_panel_square(const HyPanel *x)
{
  double sum = 0.0;
  for (int k = 2 * (x->n - 1); k >= 0; k -= 2) {
    double of_power = 0.0;
    for (int i = k < x->n ? 0 : k - x->n + 1; i <= k && i < x->n; i++) {
      of_power += x->p[i] * x->p[k - i];
    }
    sum += of_power / (k + 1);
  }
  return sum * (x->to - x->from);
}

/* The root of p between A and B, where it has other signs: Newton's steps, and halves where these
 * lead outside. */
static double root_between(const double *p, int n, double a, double b)
{
  double at_a = value_of(p, n, a), s = 0.5 * (a + b);
  for (int k = 0; k < 100 && b - a > DBL_EPSILON * fmax(fabs(a), fabs(b)); k++) {
    double v = p[n - 1], slope = 0.0;
    for (int i = n - 2; i >= 0; i--) {
      slope = slope * s + v;
      v = v * s + p[i];
    }
    if (v == 0.0) {
      return s;
    }
    if ((v < 0.0) == (at_a < 0.0)) {
      a = s;
    } else {
      b = s;
    }
    double next = s - v / slope;
    double was = s;
    s = next > a && next < b ? next : 0.5 * (a + b);
    if (fabs(s - was) <= 0.25 * DBL_EPSILON) {
      break;
    }
  }
  return s;
}

/* Roots of p in -1 < s < 1, ascending: those of each derivative part its line into stretches in
 * which the one before it rises or falls. A root that p only touches counts if rounding says so. */
static int roots_of(const double *p, int n, double *at)
{
  double d[HY_PANEL_NODES], part[HY_PANEL_NODES + 1];
  int found = 0, parts = 0;
  while (n > 1 && p[n - 1] == 0.0) {
    n--;
  }
  if (n <= 1) {
    return 0;
  }
  for (int k = 1; k < n; k++) {
    d[k - 1] = k * p[k];
  }
  parts = n > 2 ? roots_of(d, n - 1, part) : 0;
  part[parts] = 1.0;
  double a = -1.0, at_a = value_of(p, n, a);
  for (int k = 0; k <= parts; k++) {
    double b = part[k], at_b = value_of(p, n, b);
    if (at_a == 0.0 && a > -1.0) {
      at[found++] = a;
    } else if (at_a != 0.0 && at_b != 0.0 && (at_a < 0.0) != (at_b < 0.0)) {
      at[found++] = root_between(p, n, a, b);
    }
    a = b;
    at_a = at_b;
  }
  return found;
}

/* By how much it may be beyond the larger one of two neighbours among so many nodes: a parabola's
 * part, by a bound of |p''|. */
static double overshoot(const HyPanel *x)
{
  double bend = 0.0;
  for (int k = 2; k < x->n; k++) {
    bend += k * (k - 1) * fabs(x->p[k]);
  }
  return bend;
}

static double larger(double a, double b)
{
  return a > b ? a : b;
}

void hy_panel_extremes(const HyPanel *x, double *least, double *most)
{
  double low = x->begin < x->end ? x->begin : x->end, high = larger(x->begin, x->end);
  *least = low < *least ? low : *least;
  *most = high > *most ? high : *most;
  double over = 0.5 * overshoot(x); /* a chord of length 2 is no further off: 2^2/8 max |p''| */
  if (x->n < 3 || (high + over <= *most && low - over >= *least)) {
    return;
  }
  double d[HY_PANEL_NODES], at[HY_PANEL_NODES];
  for (int k = 1; k < x->n; k++) {
    d[k - 1] = k * x->p[k];
  }
  int n = roots_of(d, x->n - 1, at);
  for (int k = 0; k < n; k++) {
    double v = value_of(x->p, x->n, at[k]);
    *least = v < *least ? v : *least;
    *most = v > *most ? v : *most;
  }
}

int hy_panel_meets(const HyPanel *x, double level, double *at)
{
  double p[HY_PANEL_NODES], reach = 0.0;
  for (int k = 1; k < x->n; k++) {
    reach += fabs(x->p[k]);
  }
  memcpy(p, x->p, sizeof p);
  p[0] -= level;
  return fabs(p[0]) > reach ? 0 : roots_of(p, x->n, at);
}
