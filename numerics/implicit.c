/* With z = h A the step is the Pade approximant of e^z with a constant above and a parabola below,
 *
 *   (I - z + z^2/2) (x(h) - x)/h = g + ...,   I - z + z^2/2 = (I - alpha z)(I - conj(alpha) z),
 *   alpha = (1 + i)/2
 *
 * so that one complex system of size n has all of it:
 *
 *   w = (I - alpha h A)^-1 (g + alpha h u')
 *   x(h) = x + h Re w     x'(0) = Re w - Im w     x'' = 2 Im w/h
 *   q(0) = x - h Im w     q'    = Re w + Im w
 *
 * A^2, whose condition is the square of that of A, is never formed. For n = 1 it is LIQSS2, for n =
 * 2 the pair of mLIQSS2 (G. Migoni, E. Kofman and F. Cellier; F. Di Pietro). L-stable: as h grows
 * it tends to the equilibrium. */
#include "implicit.h"
#include "modal.h"

#include <math.h>

/* Of the size of its neighbours: a pivot that is smaller is no good one. */
#define WEAK 1e-3

/* ---- neighbours alone: elimination without exchange of rows ---- */

static double implicit_size(double complex z)
{
  return fabs(creal(z)) + fabs(cimag(z));
}

static double complex implicit_inverse(double complex z)
{
  double size = creal(z) * creal(z) + cimag(z) * cimag(z);
  return hy_complex(creal(z) / size, -cimag(z) / size);
}

/* s (1 + i) z */
static double complex implicit_turned(double s, double complex z)
{
  return hy_complex(s * (creal(z) - cimag(z)), s * (creal(z) + cimag(z)));
}

/* g + alpha h u' */
static double complex implicit_right(double half, double g, double slope)
{
  return hy_complex(g + half * slope, half * slope);
}

/* False: a pivot is weak, and W is of no use. ABOVE: [n] of working memory. */
static bool implicit_chain(const HyBand *b, double half, const double *g, const double *slope,
                           double complex *w, double complex *above)
{
  double complex before = 0.0, solved = 0.0;
  for (int i = 0; i < b->n; i++) {
    const double *a = b->a + 3 * (ptrdiff_t)i;
    double low = i > 0 ? -half * a[0] : 0.0, up = i + 1 < b->n ? -half * a[2] : 0.0;
    double complex pivot =
        hy_complex(1.0 - half * a[1], -half * a[1]) - implicit_turned(low, before);
    double size = implicit_size(pivot);
    if (!(size > WEAK * (fabs(low) + fabs(up)) && size > WEAK && size < INFINITY)) {
      return false;
    }
    double complex by = implicit_inverse(pivot);
    above[i] = before = implicit_turned(up, by);
    w[i] = solved =
        hy_times(implicit_right(half, g[i], slope[i]) - implicit_turned(low, solved), by);
  }
  for (int i = b->n - 2; i >= 0; i--) {
    w[i] -= hy_times(above[i], w[i + 1]);
  }
  return true;
}

/* ---- bands: elimination with exchange of rows, which widens them by LOW above the diagonal ----
 */

typedef struct {
  int n, low, wide;  /* elements above the diagonal: WIDE */
  double complex *m; /* [n][low + 1 + wide] */
} Wide;

static double complex *wide_at(const Wide *m, int i, int j)
{
  return m->m + (ptrdiff_t)i * (m->low + 1 + m->wide) + (j - i + m->low);
}

static int implicit_least(int a, int b)
{
  return a < b ? a : b;
}

/* I - alpha h A */
static void wide_fill(const Wide *m, const HyBand *b, double half)
{
  for (int i = 0; i < m->n; i++) {
    const double *a = b->a + hy_band_place(b, i, i);
    for (int k = -m->low; k <= m->wide; k++) {
      double part = k <= b->up ? -half * a[k] : 0.0;
      *wide_at(m, i, i + k) = hy_complex(part, part);
    }
    *wide_at(m, i, i) += 1.0;
  }
}

/* The row from C down whose element of column C is largest. */
static int wide_largest(const Wide *m, int c)
{
  int best = c, last = implicit_least(c + m->low, m->n - 1);
  double most = implicit_size(*wide_at(m, c, c));
  for (int i = c + 1; i <= last; i++) {
    double size = implicit_size(*wide_at(m, i, c));
    if (size > most) {
      best = i;
      most = size;
    }
  }
  return best;
}

static void implicit_swap(double complex *a, double complex *b)
{
  double complex keep = *a;
  *a = *b;
  *b = keep;
}

/* Column C, and W with it; its pivot becomes 1/pivot. False: there is none. */
static bool wide_eliminate(const Wide *m, int c, double complex *w)
{
  int p = wide_largest(m, c), right = implicit_least(c + m->wide, m->n - 1);
  double size = implicit_size(*wide_at(m, p, c));
  if (!(size > 0.0 && size < INFINITY)) {
    return false;
  }
  for (int j = c; j <= right && p != c; j++) {
    implicit_swap(wide_at(m, c, j), wide_at(m, p, j));
  }
  implicit_swap(&w[c], &w[p]);
  double complex *top = wide_at(m, c, c);
  double complex by = *top = implicit_inverse(*top);
  for (int i = c + 1; i <= implicit_least(c + m->low, m->n - 1); i++) {
    double complex *row = wide_at(m, i, c);
    double complex factor = hy_times(*row, by);
    if (factor == 0.0) {
      continue;
    }
    for (int k = 1; k <= right - c; k++) {
      row[k] -= hy_times(factor, top[k]);
    }
    w[i] -= hy_times(factor, w[c]);
  }
  return true;
}

static void wide_back(const Wide *m, double complex *w)
{
  for (int i = m->n - 1; i >= 0; i--) {
    const double complex *row = wide_at(m, i, i);
    for (int k = 1; k <= implicit_least(m->wide, m->n - 1 - i); k++) {
      w[i] -= hy_times(row[k], w[i + k]);
    }
    w[i] = hy_times(w[i], row[0]);
  }
}

static bool implicit_wide(const HyBand *b, double half, const double *g, const double *slope,
                          double complex *w, double complex *room)
{
  Wide m = {b->n, b->low, b->low + b->up, room};
  wide_fill(&m, b, half);
  for (int i = 0; i < b->n; i++) {
    w[i] = implicit_right(half, g[i], slope[i]);
  }
  for (int c = 0; c < b->n; c++) {
    if (!wide_eliminate(&m, c, w)) {
      return false;
    }
  }
  wide_back(&m, w);
  return true;
}

/* ---- either ---- */

size_t hy_implicit_room(int n, int low, int up)
{
  return (size_t)n * (size_t)(2 * low + up + 1);
}

bool hy_implicit_solve(const HyBand *a, double h, const double *g, const double *slope,
                       double complex *w, double complex *room)
{
  double half = 0.5 * h;
  bool solved = a->low == 1 && a->up == 1 && implicit_chain(a, half, g, slope, w, room);
  solved = solved || implicit_wide(a, half, g, slope, w, room);
  double zero = 0.0;
  for (int i = 0; i < a->n && solved; i++) {
    zero += 0.0 * implicit_size(w[i]);
  }
  return solved && zero == 0.0;
}
