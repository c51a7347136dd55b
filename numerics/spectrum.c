/* Units and order of states, and which numbers are needed. */
#include "spectrum.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#define SWEEPS 100 /* of balancing */
#define FARTHEST                                                                                   \
  500               /* power of 2 in one of them, so that nothing overflows on the way; of a unit  \
                       twice as many */
#define MOVED 1e-10 /* per second: a rate that rounding moves by less is right */
#define SEEN  1e-8  /* likewise, of another state's size: a state is */

/* A, in units. States that follow each other, however indirectly, are of one part. */
typedef struct {
  int n;
  double *a, *units;
  bool *follows; /* [n][n]: the state of the row follows that of the column */
  int *first;    /* [n]: the first state of its part */
  int *followed; /* [n]: how many states of other parts it follows */
  double *size;  /* [n]: of its row */
} Balance;

static bool of_one_part(const Balance *b, ptrdiff_t i, ptrdiff_t k)
{
  return i == k || (b->follows[i * b->n + k] && b->follows[k * b->n + i]);
}

static void find_parts(Balance *b)
{
  for (int i = 0; i < b->n; i++) {
    b->first[i] = b->followed[i] = 0;
    while (!of_one_part(b, b->first[i], i)) {
      b->first[i]++;
    }
    for (int k = 0; k < b->n; k++) {
      b->followed[i] += b->follows[(ptrdiff_t)i * b->n + k] && !of_one_part(b, i, k);
    }
  }
}

static void find_followers(Balance *b)
{
  ptrdiff_t n = b->n;
  for (ptrdiff_t i = 0; i < n * n; i++) {
    b->follows[i] = b->a[i] != 0.0;
  }
  for (ptrdiff_t k = 0; k < n; k++) { /* Warshall */
    for (ptrdiff_t i = 0; i < n; i++) {
      for (ptrdiff_t j = 0; b->follows[i * n + k] && j < n; j++) {
        b->follows[i * n + j] = b->follows[i * n + j] || b->follows[k * n + j];
      }
    }
  }
}

/* The size of row or column I within its part, but for the diagonal. */
static double off_diagonal(const Balance *b, int i, bool row)
{
  ptrdiff_t n = b->n;
  double sum = 0.0;
  for (ptrdiff_t k = 0; k < n; k++) {
    bool counts = k != i && b->first[k] == b->first[i];
    sum += counts ? fabs(row ? b->a[i * n + k] : b->a[k * n + i]) : 0.0;
  }
  return sum;
}

static double within(double x, double most)
{
  return fmax(-most, fmin(x, most));
}

/* State I in a unit that is 2^POWER as large. */
static void balance_by(Balance *b, int i, int power)
{
  ptrdiff_t n = b->n;
  int was = ilogb(b->units[i]), next = was + (int)within(power, FARTHEST);
  double f = ldexp(1.0, (int)within(next, 2 * FARTHEST) - was);
  b->units[i] *= f;
  for (ptrdiff_t k = 0; k < n; k++) {
    b->a[i * n + k] /= f;
    b->a[k * n + i] *= f;
  }
}

/* Rows and columns of equal size, by powers of 2, so without rounding. */
static bool balance_one(Balance *b, int i)
{
  double row = off_diagonal(b, i, true), column = off_diagonal(b, i, false);
  if (row == 0.0 || column == 0.0 || (row <= 2.0 * column && column <= 2.0 * row)) {
    return false;
  }
  int power = (ilogb(row) - ilogb(column)) / 2;
  if (power != 0) {
    balance_by(b, i, power);
  }
  return power != 0;
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

static double whole_row(const Balance *b, int i)
{
  double sum = 0.0;
  for (int k = 0; k < b->n; k++) {
    sum += fabs(b->a[(ptrdiff_t)i * b->n + k]);
  }
  return sum;
}

/* The largest of what state I reads of other parts, by what these read. */
static double reads_of_others(const Balance *b, int i)
{
  double most = 0.0;
  for (int k = 0; k < b->n; k++) {
    double a = fabs(b->a[(ptrdiff_t)i * b->n + k]);
    if (a > 0.0 && b->first[i] != b->first[k]) {
      double row = whole_row(b, k);
      most = row > 0.0 ? fmax(most, a / row) : most;
    }
  }
  return most;
}

/* A part that nobody answers has no size of its own: it is in units in which it reads as much of
 * the others as they move by themselves. If it were balanced with them, its states would be taken
 * for ever larger ones than theirs, and what is nothing beside these would be all of what they
 * follow. Those that are followed come first. */
static void balance_part(Balance *b, int first)
{
  double most = 0.0;
  for (int i = first; i < b->n; i++) {
    most = b->first[i] == first ? fmax(most, reads_of_others(b, i)) : most;
  }
  for (int i = first; i < b->n && most > 0.0 && isfinite(most); i++) {
    if (b->first[i] == first) {
      balance_by(b, i, ilogb(most));
    }
  }
}

static void balance_parts(Balance *b)
{
  for (int count = 1; count < b->n; count++) {
    for (int i = 0; i < b->n; i++) {
      if (b->first[i] == i && b->followed[i] == count) {
        balance_part(b, i);
      }
    }
  }
}

/* Part after part, what is followed behind what follows it: so all that is below the blocks of the
 * parts is 0, and no rounding of one part gets into another. In a part the largest row first:
 * rounding in a row then is small beside that row (Stewart and Zhang, Eigenvalues of graded
 * matrices). */
static bool goes_before(const Balance *b, int i, int k)
{
  if (b->first[i] == b->first[k]) {
    return b->size[i] > b->size[k];
  }
  return b->followed[i] != b->followed[k] ? b->followed[i] > b->followed[k]
                                          : b->first[i] < b->first[k];
}

/* Returns the size of the largest row. */
static double balance_order(const Balance *b, int *states)
{
  double largest = 0.0;
  for (int i = 0; i < b->n; i++) {
    b->size[i] = whole_row(b, i);
    largest = fmax(largest, b->size[i]);
    int at = i;
    for (; at > 0 && goes_before(b, i, states[at - 1]); at--) {
      states[at] = states[at - 1];
    }
    states[at] = i;
  }
  return largest;
}

/* How much larger the unit of one state is than that of another one of its part. */
static double balance_spread(const Balance *b)
{
  double most = 1.0;
  for (int i = 0; i < b->n; i++) {
    double unit = b->units[i] / b->units[b->first[i]];
    most = fmax(most, fmax(unit, 1.0 / unit));
  }
  return most;
}

/* Rounding is small in these units. A state that follows others of its part closely, and is hardly
 * followed by them, has a unit in which it is nothing, or these are: what is nothing to the others
 * then is not to be nothing to it. */
static bool doubles_do(const Balance *b, double largest)
{
  double moved = largest * DBL_EPSILON;
  return moved < MOVED && moved * balance_spread(b) < SEEN;
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

/* A is in units, and what it has lost is asked for. */
static bool spectrum_in_twos(const double *a, HySpectrumLost *lost, void *user, const int *states,
                             HySpectrum *s)
{
  ptrdiff_t n = s->n;
  double *low = lost != NULL ? calloc((size_t)(n * n), sizeof *low) : NULL;
  bool ok = lost == NULL || low != NULL;
  if (low != NULL) {
    lost(user, low);
  }
  for (ptrdiff_t i = 0; low != NULL && i < n * n; i++) {
    double unit = s->units[i % n] / s->units[i / n];
    low[i] = isfinite(unit) && unit > 0.0 ? low[i] * unit : 0.0;
  }
  ok = ok && hy_spectrum_in_twos(a, low, states, s) && is_inverse(s);
  free(low);
  return ok;
}

bool hy_spectrum(const double *a, HySpectrumLost *lost, void *user, HySpectrum *s)
{
  size_t n = (size_t)s->n;
  double *room = calloc(n * n + n, sizeof *room), finite = 0.0;
  int *states = calloc(3 * n, sizeof *states);
  bool *follows = calloc(n * n, sizeof *follows);
  bool ok = room != NULL && states != NULL && follows != NULL;
  for (size_t i = 0; ok && i < n * n; i++) {
    finite += 0.0 * a[i];
    room[i] = a[i];
    s->units[i % n] = 1.0;
  }
  if (ok && finite == 0.0) {
    Balance b = {.n = s->n, .a = room, .units = s->units, .follows = follows};
    b.first = states + n, b.followed = states + 2 * n, b.size = room + n * n;
    find_followers(&b);
    find_parts(&b);
    balance_all(&b);
    balance_parts(&b);
    bool doubles = doubles_do(&b, balance_order(&b, states));
    ok = doubles && hy_spectrum_in_doubles(room, NULL, states, s) && is_inverse(s);
    ok = ok || spectrum_in_twos(room, lost, user, states, s);
  }
  free(room);
  free(states);
  free(follows);
  return ok && finite == 0.0;
}
