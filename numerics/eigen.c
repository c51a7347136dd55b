/* Balancing (Osborne; Parlett and Reinsch), Hessenberg form, QR steps with one implicit shift; all
 * of it by rotations (Golub and van Loan, Matrix Computations, chapter 7).
 *
 * Rates of a stiff model lie many decades apart, and what is negligible beside the fastest is not
 * so beside the slowest. So the states stand in the order of their rates before anything is
 * rotated: rounding in a row then is small beside that row (Stewart and Zhang, Eigenvalues of
 * graded matrices). The shift is never subtracted from what it does not belong to, and an element
 * below the diagonal is negligible by its neighbours (Ahues and Tisseur), never by the norm. */
#include "eigen.h"

#include <float.h>
#include <math.h>

#define SWEEPS 100 /* of balancing */
#define TRIES  60  /* QR steps for one eigenvalue */

/* A = D Q T Q* D^-1: T becomes triangular, D is diagonal. */
typedef struct {
  int n;
  double complex *t, *q;
  double complex *d;
} Schur;

size_t hy_eigen_room(int n)
{
  return 2 * (size_t)n * (size_t)n + (size_t)n;
}

static double complex *eigen_at(double complex *m, int n, int i, int k)
{
  return m + (ptrdiff_t)i * n + k;
}

/* ---- balancing: rows and columns of equal size, by powers of 2, so without rounding ---- */

static double off_diagonal(const Schur *w, int i, bool row)
{
  double sum = 0.0;
  for (int k = 0; k < w->n; k++) {
    sum += k == i ? 0.0 : cabs(row ? *eigen_at(w->t, w->n, i, k) : *eigen_at(w->t, w->n, k, i));
  }
  return sum;
}

static bool balance_one(Schur *w, int i)
{
  double row = off_diagonal(w, i, true);
  double column = off_diagonal(w, i, false);
  double power = round(0.5 * log2(row / column));
  if (row == 0.0 || column == 0.0 || !(fabs(power) >= 1.0) || fabs(power) > 500.0) {
    return false;
  }
  double f = exp2(power);
  w->d[i] *= f;
  for (int k = 0; k < w->n; k++) {
    *eigen_at(w->t, w->n, i, k) /= f;
    *eigen_at(w->t, w->n, k, i) *= f;
  }
  return true;
}

static void eigen_balance(Schur *w)
{
  bool changed = true;
  for (int sweep = 0; sweep < SWEEPS && changed; sweep++) {
    changed = false;
    for (int i = 0; i < w->n; i++) {
      changed = balance_one(w, i) || changed;
    }
  }
}

/* ---- grading: the largest row first ---- */

static double row_size(const Schur *w, int i)
{
  return off_diagonal(w, i, true) + cabs(*eigen_at(w->t, w->n, i, i));
}

static void eigen_exchange(double complex *a, double complex *b)
{
  double complex keep = *a;
  *a = *b;
  *b = keep;
}

static void exchange_states(Schur *w, int i, int j)
{
  for (int k = 0; k < w->n && i != j; k++) {
    eigen_exchange(eigen_at(w->t, w->n, i, k), eigen_at(w->t, w->n, j, k));
  }
  for (int k = 0; k < w->n && i != j; k++) {
    eigen_exchange(eigen_at(w->t, w->n, k, i), eigen_at(w->t, w->n, k, j));
    eigen_exchange(eigen_at(w->q, w->n, k, i), eigen_at(w->q, w->n, k, j));
  }
}

static void eigen_grade(Schur *w)
{
  for (int i = 0; i < w->n; i++) {
    int first = i;
    double most = row_size(w, i);
    for (int k = i + 1; k < w->n; k++) {
      double size = row_size(w, k);
      first = size > most ? k : first;
      most = fmax(most, size);
    }
    exchange_states(w, i, first);
  }
}

/* ---- rotations G of rows i, i + 1: G (a, b) = (r, 0), G = [c* s*; -s c] ---- */

static void eigen_rotation(double complex a, double complex b, double complex *c, double complex *s)
{
  double r = hypot(cabs(a), cabs(b));
  *c = r > 0.0 ? a / r : 1.0;
  *s = r > 0.0 ? b / r : 0.0;
}

/* M becomes G M, from column FIRST on. */
static void rotate_rows(double complex *m, int n, int i, int first, double complex c,
                        double complex s)
{
  for (int k = first; k < n; k++) {
    double complex x = *eigen_at(m, n, i, k);
    double complex y = *eigen_at(m, n, i + 1, k);
    *eigen_at(m, n, i, k) = conj(c) * x + conj(s) * y;
    *eigen_at(m, n, i + 1, k) = -s * x + c * y;
  }
}

/* M becomes M G*, in the first ROWS rows. */
static void rotate_columns(double complex *m, int n, int i, int rows, double complex c,
                           double complex s)
{
  for (int k = 0; k < rows; k++) {
    double complex x = *eigen_at(m, n, k, i);
    double complex y = *eigen_at(m, n, k, i + 1);
    *eigen_at(m, n, k, i) = c * x + s * y;
    *eigen_at(m, n, k, i + 1) = -conj(s) * x + conj(c) * y;
  }
}

/* Nothing below the first subdiagonal is left. */
static void eigen_hessenberg(Schur *w)
{
  int n = w->n;
  for (int k = 0; k < n - 2; k++) {
    for (int i = n - 2; i > k; i--) {
      double complex c = 0.0;
      double complex s = 0.0;
      eigen_rotation(*eigen_at(w->t, n, i, k), *eigen_at(w->t, n, i + 1, k), &c, &s);
      rotate_rows(w->t, n, i, k, c, s);
      rotate_columns(w->t, n, i, n, c, s);
      rotate_columns(w->q, n, i, n, c, s);
      *eigen_at(w->t, n, i + 1, k) = 0.0;
    }
  }
}

/* ---- QR steps on rows LOW to HIGH ---- */

/* The eigenvalue of the last 2 x 2 block that is nearer to its last element (Wilkinson); now and
 * then another, should that one lead round in a circle. */
static double complex eigen_shift(const Schur *w, int high, int tries)
{
  double complex a = *eigen_at(w->t, w->n, high - 1, high - 1);
  double complex b = *eigen_at(w->t, w->n, high - 1, high);
  double complex c = *eigen_at(w->t, w->n, high, high - 1);
  double complex d = *eigen_at(w->t, w->n, high, high);
  if (tries % 11 == 10) {
    return d + cabs(c);
  }
  double complex half = 0.5 * (a - d);
  double complex root = csqrt(half * half + b * c);
  double complex plus = half + root;
  double complex minus = half - root;
  double complex larger = cabs(plus) > cabs(minus) ? plus : minus;
  return larger == 0.0 ? d : d - b * c / larger;
}

/* The first rotation is that of T - v; the others chase what it leaves below the subdiagonal. */
static void qr_step(Schur *w, int low, int high, double complex v)
{
  int n = w->n;
  for (int k = low; k < high; k++) {
    double complex c = 0.0;
    double complex s = 0.0;
    int first = k > low ? k - 1 : low;
    double complex upper = *eigen_at(w->t, n, k, first) - (k > low ? 0.0 : v);
    eigen_rotation(upper, *eigen_at(w->t, n, k + 1, first), &c, &s);
    rotate_rows(w->t, n, k, first, c, s);
    if (k > low) {
      *eigen_at(w->t, n, k + 1, first) = 0.0;
    }
    rotate_columns(w->t, n, k, k + 2 < high ? k + 3 : high + 1, c, s);
    rotate_columns(w->q, n, k, n, c, s);
  }
}

/* The element below the diagonal in row I moves no eigenvalue of the 2 x 2 block there by more than
 * rounding of its smaller element. */
static bool is_negligible(const Schur *w, int i)
{
  double below = cabs(*eigen_at(w->t, w->n, i, i - 1));
  double above = cabs(*eigen_at(w->t, w->n, i - 1, i));
  double complex a = *eigen_at(w->t, w->n, i - 1, i - 1);
  double complex d = *eigen_at(w->t, w->n, i, i);
  double beside = cabs(a) + cabs(d);
  if (below < DBL_MIN) {
    return true;
  }
  if (below > DBL_EPSILON * (beside > 0.0 ? beside : above)) {
    return false;
  }
  double least = fmin(cabs(a), cabs(d));
  double apart = fmax(fmax(cabs(a), cabs(d)), cabs(a - d));
  double bound = fmax(DBL_EPSILON * least, DBL_MIN);
  return apart == 0.0 || fmin(below, above) * (fmax(below, above) / apart) <= bound;
}

/* The first row of the block that ends at HIGH; what is negligible above it becomes 0. */
static int block_of(Schur *w, int high)
{
  int low = high;
  for (; low > 0; low--) {
    if (is_negligible(w, low)) {
      *eigen_at(w->t, w->n, low, low - 1) = 0.0;
      break;
    }
  }
  return low;
}

static bool eigen_triangular(Schur *w)
{
  int tries = 0;
  for (int high = w->n - 1; high > 0;) {
    int low = block_of(w, high);
    if (low == high) {
      high--;
      tries = 0;
    } else if (tries++ < TRIES) {
      qr_step(w, low, high, eigen_shift(w, high, tries));
    } else {
      return false;
    }
  }
  return true;
}

/* ---- vectors of the triangle: T X = X diag(T), X with a diagonal of 1, above it ---- */

static void triangle_vectors(Schur *w, double complex *x)
{
  int n = w->n;
  for (int k = 0; k < n; k++) {
    for (int i = n - 1; i >= 0; i--) {
      *eigen_at(x, n, i, k) = i == k ? 1.0 : 0.0;
      if (i >= k) {
        continue;
      }
      double complex sum = 0.0;
      for (int j = i + 1; j <= k; j++) {
        sum += *eigen_at(w->t, n, i, j) * *eigen_at(x, n, j, k);
      }
      double complex apart = *eigen_at(w->t, n, k, k) - *eigen_at(w->t, n, i, i);
      double size = fmax(cabs(*eigen_at(w->t, n, k, k)), cabs(*eigen_at(w->t, n, i, i)));
      double least = DBL_EPSILON * fmax(size, cabs(sum)) + DBL_MIN;
      *eigen_at(x, n, i, k) = sum / (cabs(apart) < least ? least : apart);
    }
  }
}

/* Y = X^-1, with the same shape. */
static void triangle_inverse(int n, double complex *x, double complex *y)
{
  for (int k = 0; k < n; k++) {
    for (int i = n - 1; i >= 0; i--) {
      *eigen_at(y, n, i, k) = i == k ? 1.0 : 0.0;
      for (int j = i + 1; j <= k; j++) {
        *eigen_at(y, n, i, k) -= *eigen_at(x, n, i, j) * *eigen_at(y, n, j, k);
      }
    }
  }
}

/* ---- all of it ---- */

static bool eigen_before(double complex a, double complex b)
{
  double size = fmax(cabs(a), cabs(b));
  if (fabs(cabs(a) - cabs(b)) > 1e-9 * size) {
    return cabs(a) > cabs(b);
  }
  if (fabs(creal(a) - creal(b)) > 1e-9 * size) {
    return creal(a) < creal(b);
  }
  return cimag(a) > cimag(b);
}

/* V = D Q X and V^-1 = X^-1 Q* D^-1, from X in RIGHT and X^-1 in LEFT; T is not needed any more. */
static void whole_vectors(Schur *w, double complex *right, double complex *left)
{
  int n = w->n;
  double complex *r = w->t;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) {
      *eigen_at(r, n, i, k) = 0.0;
      for (int j = 0; j <= k; j++) {
        *eigen_at(r, n, i, k) += w->d[i] * *eigen_at(w->q, n, i, j) * *eigen_at(right, n, j, k);
      }
    }
  }
  for (int i = 0; i < n * n; i++) {
    right[i] = r[i];
  }
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) {
      *eigen_at(r, n, i, k) = 0.0;
      for (int j = i; j < n; j++) {
        *eigen_at(r, n, i, k) +=
            *eigen_at(left, n, i, j) * conj(*eigen_at(w->q, n, k, j)) / w->d[k];
      }
    }
  }
  for (int i = 0; i < n * n; i++) {
    left[i] = r[i];
  }
}

/* Of the values from FROM on, the one nearest to the conjugate of the first, itself included. */
static int nearest_conjugate(int n, const double complex *value, int from)
{
  double complex target = conj(value[from]);
  int nearest = from;
  for (int k = from + 1; k < n; k++) {
    nearest = cabs(value[k] - target) < cabs(value[nearest] - target) ? k : nearest;
  }
  return nearest;
}

/* The most imaginary one beside its size is the surest not to be real. */
static int most_imaginary(int n, const double complex *value, int from)
{
  int most = from;
  double part = 0.0;
  for (int k = from; k < n; k++) {
    double size = cabs(value[k]);
    double is = size > 0.0 ? fabs(cimag(value[k])) / size : 0.0;
    most = is > part ? k : most;
    part = fmax(is, part);
  }
  return most;
}

static void exchange_values(int n, double complex *value, double complex *right,
                            double complex *left, int i, int j)
{
  eigen_exchange(value + i, value + j);
  for (int k = 0; k < n && i != j; k++) {
    eigen_exchange(eigen_at(right, n, k, i), eigen_at(right, n, k, j));
    eigen_exchange(eigen_at(left, n, i, k), eigen_at(left, n, j, k));
  }
}

static void eigen_sort(int n, double complex *value, double complex *right, double complex *left)
{
  for (int i = 0; i < n; i++) {
    int first = i;
    for (int k = i + 1; k < n; k++) {
      first = eigen_before(value[k], value[first]) ? k : first;
    }
    exchange_values(n, value, right, left, i, first);
  }
}

/* The matrix is real: each value is its own conjugate or has one, exactly. */
static void pair_up(int n, double complex *value, double complex *right, double complex *left)
{
  for (int i = 0; i < n; i++) {
    exchange_values(n, value, right, left, i, most_imaginary(n, value, i));
    int k = nearest_conjugate(n, value, i);
    if (k == i) {
      value[i] = creal(value[i]);
      continue;
    }
    exchange_values(n, value, right, left, i + 1, k);
    value[i] = 0.5 * (value[i] + conj(value[i + 1]));
    value[i + 1] = conj(value[i]);
    i++;
  }
}

bool hy_eigen_raw(int n, const double *a, double complex *value, double complex *right,
                  double complex *left, double *units, double complex *room)
{
  ptrdiff_t square = (ptrdiff_t)n * n;
  double complex *vectors = room + 2 * square;
  Schur w = {n, room, room + square, vectors};
  double finite = 0.0;
  for (ptrdiff_t i = 0; i < square; i++) {
    finite += 0.0 * a[i];
    w.t[i] = a[i];
    w.q[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
    w.d[i % n] = 1.0;
  }
  if (finite != 0.0) {
    return false;
  }
  eigen_balance(&w);
  eigen_grade(&w);
  eigen_hessenberg(&w);
  if (!eigen_triangular(&w)) {
    return false;
  }
  for (int i = 0; i < n; i++) {
    value[i] = *eigen_at(w.t, n, i, i);
  }
  triangle_vectors(&w, right);
  triangle_inverse(n, right, left);
  whole_vectors(&w, right, left);
  eigen_sort(n, value, right, left);
  for (int i = 0; i < n && units != NULL; i++) {
    units[i] = creal(w.d[i]);
  }
  return true;
}

bool hy_eigen(int n, const double *a, double complex *value, double complex *right,
              double complex *left, double complex *room)
{
  if (!hy_eigen_raw(n, a, value, right, left, NULL, room)) {
    return false;
  }
  pair_up(n, value, right, left);
  eigen_sort(n, value, right, left);
  return true;
}
