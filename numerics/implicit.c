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

/* ---- chains: each row has its neighbours alone, and rows are not exchanged ---- */

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

/* False: a pivot is weak. */
static bool chain_factor(const HyImplicit *f)
{
  double complex above = 0.0;
  for (int i = 0; i < f->a.n; i++) {
    const double *a = f->a.a + 3 * (ptrdiff_t)i;
    double low = i > 0 ? -f->half * a[0] : 0.0, up = i + 1 < f->a.n ? -f->half * a[2] : 0.0;
    double diagonal = -f->half * a[1];
    double complex pivot = hy_complex(1.0 + diagonal, diagonal) - implicit_turned(low, above);
    double size = implicit_size(pivot);
    if (!(size > WEAK * (fabs(low) + fabs(up)) && size > WEAK && size < INFINITY)) {
      return false;
    }
    f->pivot[i] = implicit_inverse(pivot);
    f->m[i] = above = implicit_turned(up, f->pivot[i]);
  }
  return true;
}

/* False: not finite, which each row hands on to the one before it. */
static bool chain_solve(const HyImplicit *f, double complex *w)
{
  double complex w_i = 0.0;
  for (int i = 0; i < f->a.n; i++) {
    double low = i > 0 ? f->half * f->a.a[3 * (ptrdiff_t)i] : 0.0;
    w[i] = w_i = hy_times(w[i] + implicit_turned(low, w_i), f->pivot[i]);
  }
  for (int i = f->a.n - 2; i >= 0; i--) {
    w[i] = w_i = w[i] - hy_times(f->m[i], w_i);
  }
  return isfinite(implicit_size(w_i));
}

/* ---- others, with exchange of rows, which widens bands by LOW above the diagonal ---- */

static double complex *wide_row(const HyImplicit *f, int i)
{
  return f->m + (ptrdiff_t)i * f->stride + f->shift;
}

static int implicit_least(int a, int b)
{
  return a < b ? a : b;
}

/* The last row below C, and the last column beside it, that elimination comes to. */
static int wide_last(const HyImplicit *f, int c)
{
  return implicit_least(c + f->a.low, f->a.n - 1);
}

static int wide_right(const HyImplicit *f, int c)
{
  return implicit_least(c + f->a.low + f->a.up, f->a.n - 1);
}

/* I - alpha h A */
static void wide_fill(const HyImplicit *f)
{
  for (int i = 0; i < f->a.n; i++) {
    double complex *row = wide_row(f, i);
    const double *a = f->a.a + hy_banded_place(&f->a, i, i) - i;
    int first = i > f->a.low ? i - f->a.low : 0, last = implicit_least(i + f->a.up, f->a.n - 1);
    int right = wide_right(f, i);
    for (int j = first; j <= last; j++) {
      double part = -f->half * a[j];
      row[j] = hy_complex(part, part);
    }
    for (int j = last + 1; j <= right; j++) {
      row[j] = 0.0;
    }
    row[i] += 1.0;
  }
}

/* The row from C down whose element of column C is largest. */
static int wide_largest(const HyImplicit *f, int c)
{
  int best = c, last = wide_last(f, c);
  const double complex *element = wide_row(f, c) + c;
  double most = implicit_size(*element);
  for (int i = c + 1; i <= last; i++) {
    element += f->stride;
    double size = implicit_size(*element);
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

/* ROW -= FACTOR TOP, of N elements. */
static void wide_subtract(int n, double complex factor, const double complex *top,
                          double complex *row)
{
  for (int k = 0; k < n; k++) {
    row[k] -= hy_times(factor, top[k]);
  }
}

/* Column C. False: it has no pivot. */
static bool wide_eliminate(const HyImplicit *f, int c)
{
  int p = wide_largest(f, c), right = wide_right(f, c), last = wide_last(f, c);
  double complex *top = wide_row(f, c), *best = wide_row(f, p);
  double size = implicit_size(best[c]);
  if (!(size > 0.0 && size < INFINITY)) {
    return false;
  }
  for (int j = c; j <= right && p != c; j++) {
    implicit_swap(&top[j], &best[j]);
  }
  f->pivot[c] = p;
  double complex by = top[c] = implicit_inverse(top[c]), *row = top;
  for (int i = c + 1; i <= last; i++) {
    row += f->stride;
    if (creal(row[c]) != 0.0 || cimag(row[c]) != 0.0) {
      row[c] = hy_times(row[c], by);
      wide_subtract(right - c, row[c], top + c + 1, row + c + 1);
    }
  }
  return true;
}

static bool wide_factor(HyImplicit *f)
{
  int n = f->a.n, wide = 2 * f->a.low + f->a.up + 1;
  f->stride = wide < n ? wide - 1 : n;
  f->shift = wide < n ? f->a.low : 0;
  wide_fill(f);
  for (int c = 0; c < n; c++) {
    if (!wide_eliminate(f, c)) {
      return false;
    }
  }
  return true;
}

/* False: not finite. */
static bool wide_solve(const HyImplicit *f, double complex *w)
{
  double zero = 0.0;
  int n = f->a.n;
  for (int c = 0; c < n; c++) {
    implicit_swap(&w[c], &w[(int)creal(f->pivot[c])]);
    const double complex *factor = wide_row(f, c) + c;
    double complex top = w[c];
    int last = wide_last(f, c);
    for (int i = c + 1; i <= last; i++) {
      factor += f->stride;
      w[i] -= hy_times(*factor, top);
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    const double complex *row = wide_row(f, i);
    double complex sum = w[i];
    int right = wide_right(f, i);
    for (int j = i + 1; j <= right; j++) {
      sum -= hy_times(row[j], w[j]);
    }
    w[i] = hy_times(sum, row[i]);
    zero += 0.0 * implicit_size(w[i]);
  }
  return zero == 0.0;
}

/* ---- either ---- */

size_t hy_implicit_room(int n, int low, int up)
{
  return (size_t)n * (size_t)(2 * low + up + 2);
}

bool hy_implicit_factor(HyImplicit *f, const HyBanded *a, double h, double complex *room)
{
  *f = (HyImplicit){.a = *a, .half = 0.5 * h, .pivot = room, .m = room + a->n};
  f->chain = a->low == 1 && a->up == 1 && chain_factor(f);
  return f->chain || wide_factor(f);
}

bool hy_implicit_solve(const HyImplicit *f, const double *g, const double *slope, double complex *w)
{
  for (int i = 0; i < f->a.n; i++) { /* g + alpha h u' */
    double part = slope != NULL ? f->half * slope[i] : 0.0;
    w[i] = hy_complex(g[i] + part, part);
  }
  return f->chain ? chain_solve(f, w) : wide_solve(f, w);
}
