/* Units and order of states, and which numbers are needed. */
#include "spectrum.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#define SWEEPS   100   /* of balancing */
#define FARTHEST 500   /* power of 2 in one of them, so that nothing overflows on the way */
#define MOVED    1e-10 /* per second: a rate that rounding moves by less is right */

/* A, in units. */
typedef struct {
  int n;
  double *a, *units;
} Balance;

/* Rows and columns of equal size, by powers of 2, so without rounding. */
static double off_diagonal(const Balance *b, int i, bool row)
{
  ptrdiff_t n = b->n;
  double sum = 0.0;
  for (ptrdiff_t k = 0; k < n; k++) {
    sum += k == i ? 0.0 : fabs(row ? b->a[i * n + k] : b->a[k * n + i]);
  }
  return sum;
}

static bool balance_one(Balance *b, int i)
{
  ptrdiff_t n = b->n;
  double row = off_diagonal(b, i, true), column = off_diagonal(b, i, false);
  if (row == 0.0 || column == 0.0 || (row <= 2.0 * column && column <= 2.0 * row)) {
    return false;
  }
  int power = (ilogb(row) - ilogb(column)) / 2;
  if (power == 0) {
    return false;
  }
  double f = ldexp(1.0, power > FARTHEST ? FARTHEST : power < -FARTHEST ? -FARTHEST : power);
  b->units[i] *= f;
  for (ptrdiff_t k = 0; k < n; k++) {
    b->a[i * n + k] /= f;
    b->a[k * n + i] *= f;
  }
  return true;
}

static void balance_all(Balance *b)
{
  bool changed = true;
  for (int sweep = 0; sweep < SWEEPS && changed; sweep++) {
    changed = false;
    for (int i = 0; i < b->n; i++) {
      changed = balance_one(b, i) || changed;
    }
  }
}

/* The largest row first: rounding in a row then is small beside that row (Stewart and Zhang,
 * Eigenvalues of graded matrices). Returns its size. */
static double balance_order(const Balance *b, double *size, int *states)
{
  double largest = 0.0;
  for (int i = 0; i < b->n; i++) {
    size[i] = off_diagonal(b, i, true) + fabs(b->a[(ptrdiff_t)i * b->n + i]);
    largest = fmax(largest, size[i]);
    int at = i;
    for (; at > 0 && size[states[at - 1]] < size[i]; at--) {
      states[at] = states[at - 1];
    }
    states[at] = i;
  }
  return largest;
}

#define WRONG 1e-8 /* in V W - 1 */

/* V W is 1: no conjugate that is left out has been another one, nothing has left the numbers. */
static bool is_inverse(const HySpectrum *s)
{
  ptrdiff_t n = s->n;
  double worst = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) {
    for (ptrdiff_t j = 0; j < n; j++) {
      double sum = i == j ? -1.0 : 0.0;
      for (ptrdiff_t k = 0; k < n; k++) {
        if (s->counts[k] > 0) {
          double complex v = s->v[i * n + k], w = s->w[k * n + j];
          sum += s->counts[k] * (creal(v) * creal(w) - cimag(v) * cimag(w));
        }
      }
      sum = fabs(sum) / s->units[i] * s->units[j];
      worst = sum <= worst ? worst : sum;
    }
    worst = isfinite(worst) && isfinite(creal(s->t[i * (n + 1)])) ? worst : INFINITY;
  }
  return worst < WRONG;
}

bool hy_spectrum(const double *a, HySpectrum *s)
{
  size_t n = (size_t)s->n;
  double *room = calloc(n * n + n, sizeof *room), finite = 0.0;
  int *states = calloc(n, sizeof *states);
  bool ok = room != NULL && states != NULL;
  for (size_t i = 0; ok && i < n * n; i++) {
    finite += 0.0 * a[i];
    room[i] = a[i];
    s->units[i % n] = 1.0;
  }
  if (ok && finite == 0.0) {
    Balance b = {s->n, room, s->units};
    balance_all(&b);
    bool doubles = balance_order(&b, room + n * n, states) * DBL_EPSILON < MOVED;
    ok = doubles && hy_spectrum_in_doubles(room, states, s) && is_inverse(s);
    ok = ok || (hy_spectrum_in_twos(room, states, s) && is_inverse(s));
  }
  free(room);
  free(states);
  return ok && finite == 0.0;
}
