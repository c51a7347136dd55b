#include "eigen.h"

#include <float.h>
#include <math.h>

#define SWEEPS 100 /* of balancing */
#define TRIES  60  /* QR steps for one eigenvalue */

/* A = D Q T Q* D^-1: T becomes triangular, D is diagonal. */
typedef struct {
  int n;
  double complex *t, *q;
  double complex *c, *s; /* the rotations of one QR step */
  double complex *d;
} Schur;

size_t hy_eigen_room(int n)
{
  return 2 * (size_t)n * (size_t)n + 3 * (size_t)n;
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

static void add_to_diagonal(Schur *w, double complex v)
{
  for (int i = 0; i < w->n; i++) {
    *eigen_at(w->t, w->n, i, i) += v;
  }
}

static void qr_step(Schur *w, int low, int high, double complex v)
{
  int n = w->n;
  add_to_diagonal(w, -v);
  for (int k = low; k < high; k++) {
    eigen_rotation(*eigen_at(w->t, n, k, k), *eigen_at(w->t, n, k + 1, k), &w->c[k], &w->s[k]);
    rotate_rows(w->t, n, k, k, w->c[k], w->s[k]);
    *eigen_at(w->t, n, k + 1, k) = 0.0;
  }
  for (int k = low; k < high; k++) {
    rotate_columns(w->t, n, k, k + 2, w->c[k], w->s[k]);
    rotate_columns(w->q, n, k, n, w->c[k], w->s[k]);
  }
  add_to_diagonal(w, v);
}

/* The first row of the block that ends at HIGH; what is negligible above it becomes 0. */
static int block_of(Schur *w, int high)
{
  int low = high;
  for (; low > 0; low--) {
    double complex *below = eigen_at(w->t, w->n, low, low - 1);
    double beside =
        cabs(*eigen_at(w->t, w->n, low, low)) + cabs(*eigen_at(w->t, w->n, low - 1, low - 1));
    if (cabs(*below) <= DBL_EPSILON * beside || cabs(*below) < DBL_MIN) {
      *below = 0.0;
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
  double norm = 0.0;
  for (int i = 0; i < n * n; i++) {
    norm = fmax(norm, cabs(w->t[i]));
  }
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
      double least = DBL_EPSILON * norm + DBL_MIN;
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

static void eigen_exchange(double complex *a, double complex *b)
{
  double complex keep = *a;
  *a = *b;
  *b = keep;
}

static void eigen_sort(int n, double complex *value, double complex *right, double complex *left)
{
  for (int i = 0; i < n; i++) {
    int first = i;
    for (int k = i + 1; k < n; k++) {
      first = eigen_before(value[k], value[first]) ? k : first;
    }
    eigen_exchange(value + i, value + first);
    for (int k = 0; k < n && first != i; k++) {
      eigen_exchange(eigen_at(right, n, k, i), eigen_at(right, n, k, first));
      eigen_exchange(eigen_at(left, n, i, k), eigen_at(left, n, first, k));
    }
  }
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

/* A real eigenvalue has no imaginary part, whatever rounding says. */
static double complex eigen_cleaned(double complex v, double norm)
{
  return fabs(cimag(v)) <= 64.0 * DBL_EPSILON * norm ? creal(v) : v;
}

bool hy_eigen(int n, const double *a, double complex *value, double complex *right,
              double complex *left, double complex *room)
{
  ptrdiff_t square = (ptrdiff_t)n * n;
  double complex *vectors = room + 2 * square;
  Schur w = {n, room, room + square, vectors, vectors + n, vectors + 2 * (ptrdiff_t)n};
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
  eigen_hessenberg(&w);
  if (!eigen_triangular(&w)) {
    return false;
  }
  double norm = 0.0;
  for (ptrdiff_t i = 0; i < square; i++) {
    norm = fmax(norm, cabs(w.t[i]));
  }
  for (int i = 0; i < n; i++) {
    value[i] = eigen_cleaned(*eigen_at(w.t, n, i, i), norm);
  }
  triangle_vectors(&w, right);
  triangle_inverse(n, right, left);
  whole_vectors(&w, right, left);
  eigen_sort(n, value, right, left);
  return true;
}
