/* Balancing (Osborne; Parlett and Reinsch), Hessenberg form, QR steps with two implicit shifts
 * (Francis), so that all is real until two conjugates are taken apart; all of it by rotations
 * (Golub and van Loan, Matrix Computations, chapter 7).
 *
 * Rates of a stiff model lie many decades apart, and what is negligible beside the fastest is not
 * so beside the slowest. So the states stand in the order of their rates before anything is
 * rotated: rounding in a row then is small beside that row (Stewart and Zhang, Eigenvalues of
 * graded matrices). The shifts are never subtracted from what they do not belong to, and an element
 * below the diagonal is negligible by its neighbours (Ahues and Tisseur), never by the norm. */
#include "eigen.h"

#include <float.h>
#include <math.h>

#define SWEEPS   100   /* of balancing */
#define FARTHEST 500.0 /* power of 2 in one of them, so that nothing overflows on the way */
#define TRIES    60    /* QR steps for one eigenvalue */

/* A = D Q T Q' D^-1: T becomes triangular but for 2 x 2 blocks on its diagonal, D is diagonal. */
typedef struct {
  int n;
  double *t, *q, *d;
} Real;

/* Likewise, all of T triangular. */
typedef struct {
  int n;
  double complex *t, *q;
  const double *d;
} Schur;

size_t hy_eigen_room(int n)
{
  return 2 * (size_t)n * (size_t)n + (size_t)n;
}

static double complex *eigen_at(double complex *m, int n, int i, int k)
{
  return m + (ptrdiff_t)i * n + k;
}

static double *real_at(double *m, int n, int i, int k)
{
  return m + (ptrdiff_t)i * n + k;
}

static double t_at(const Real *w, int i, int k)
{
  return *real_at(w->t, w->n, i, k);
}

/* ---- balancing: rows and columns of equal size, by powers of 2, so without rounding ---- */

static double off_diagonal(const Real *w, int i, bool row)
{
  double sum = 0.0;
  for (int k = 0; k < w->n; k++) {
    sum += k == i ? 0.0 : fabs(row ? t_at(w, i, k) : t_at(w, k, i));
  }
  return sum;
}

static bool balance_one(Real *w, int i)
{
  double row = off_diagonal(w, i, true);
  double column = off_diagonal(w, i, false);
  if (row == 0.0 || column == 0.0 || (row <= 2.0 * column && column <= 2.0 * row)) {
    return false;
  }
  double power = round(0.5 * (log2(row) - log2(column)));
  if (!(fabs(power) >= 1.0)) {
    return false;
  }
  double f = exp2(fmin(fmax(power, -FARTHEST), FARTHEST));
  w->d[i] *= f;
  for (int k = 0; k < w->n; k++) {
    *real_at(w->t, w->n, i, k) /= f;
    *real_at(w->t, w->n, k, i) *= f;
  }
  return true;
}

static void eigen_balance(Real *w)
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

static double row_size(const Real *w, int i)
{
  return off_diagonal(w, i, true) + fabs(t_at(w, i, i));
}

static void real_exchange(double *a, double *b)
{
  double keep = *a;
  *a = *b;
  *b = keep;
}

static void exchange_states(Real *w, int i, int j)
{
  for (int k = 0; k < w->n && i != j; k++) {
    real_exchange(real_at(w->t, w->n, i, k), real_at(w->t, w->n, j, k));
  }
  for (int k = 0; k < w->n && i != j; k++) {
    real_exchange(real_at(w->t, w->n, k, i), real_at(w->t, w->n, k, j));
    real_exchange(real_at(w->q, w->n, k, i), real_at(w->q, w->n, k, j));
  }
}

static void eigen_grade(Real *w)
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

/* ---- rotations G of rows i, i + 1: G (a, b) = (r, 0), G = [c s; -s c] ---- */

typedef struct {
  double c, s;
} Rotation;

static Rotation real_rotation(double a, double b)
{
  if (b == 0.0) {
    return (Rotation){1.0, 0.0};
  }
  double r = hypot(a, b);
  return (Rotation){a / r, b / r};
}

/* M becomes G M, from column FIRST on. */
static void turn_rows(double *m, int n, int i, int first, Rotation g)
{
  double *upper = real_at(m, n, i, 0), *lower = real_at(m, n, i + 1, 0);
  for (int k = first; k < n; k++) {
    double x = upper[k], y = lower[k];
    upper[k] = g.c * x + g.s * y;
    lower[k] = g.c * y - g.s * x;
  }
}

/* M becomes M G', in the first ROWS rows. */
static void turn_columns(double *m, int n, int i, int rows, Rotation g)
{
  double *at = m + i;
  for (int k = 0; k < rows; k++, at += n) {
    double x = at[0], y = at[1];
    at[0] = g.c * x + g.s * y;
    at[1] = g.c * y - g.s * x;
  }
}

/* T becomes G T G', its rows from column FIRST on and its columns down to row LAST. */
static void turn_all(Real *w, int i, int first, int last, Rotation g)
{
  turn_rows(w->t, w->n, i, first, g);
  turn_columns(w->t, w->n, i, last + 1, g);
  turn_columns(w->q, w->n, i, w->n, g);
}

/* Nothing below the first subdiagonal is left. */
static void eigen_hessenberg(Real *w)
{
  int n = w->n;
  for (int k = 0; k < n - 2; k++) {
    for (int i = n - 2; i > k; i--) {
      if (t_at(w, i + 1, k) != 0.0) {
        turn_all(w, i, k, n - 1, real_rotation(t_at(w, i, k), t_at(w, i + 1, k)));
        *real_at(w->t, n, i + 1, k) = 0.0;
      }
    }
  }
}

/* ---- QR steps on rows LOW to HIGH, three of them at least ---- */

/* The first column of (T - v)(T - w), by its element below the diagonal; v and w are the
 * eigenvalues of the last 2 x 2 block, and now and then others, should those lead round in a
 * circle. */
static void first_column(const Real *w, int low, int high, int tries, double *x)
{
  double a = t_at(w, high - 1, high - 1), d = t_at(w, high, high);
  double product = t_at(w, high, high - 1) * t_at(w, high - 1, high);
  if (tries % 11 == 10) {
    double other = fabs(t_at(w, high, high - 1)) + fabs(t_at(w, high - 1, high - 2));
    a = d = d + 0.75 * other;
    product = -0.4375 * other * other;
  }
  double t = t_at(w, low, low), below = t_at(w, low + 1, low);
  x[0] = ((a - t) * (d - t) - product) / below + t_at(w, low, low + 1);
  x[1] = t_at(w, low + 1, low + 1) - t - (a - t) - (d - t);
  x[2] = t_at(w, low + 2, low + 1);
}

/* Two rotations make that column one number; others chase what they leave below the subdiagonal. */
static void qr_step(Real *w, int low, int high, int tries)
{
  double x[3];
  first_column(w, low, high, tries, x);
  for (int k = low; k < high; k++) {
    int column = k > low ? k - 1 : low, last = k + 3 < high ? k + 3 : high;
    if (k > low) {
      x[0] = t_at(w, k, k - 1);
      x[1] = t_at(w, k + 1, k - 1);
      x[2] = k + 2 <= high ? t_at(w, k + 2, k - 1) : 0.0;
    }
    if (k + 2 <= high) {
      Rotation g = real_rotation(x[1], x[2]);
      turn_all(w, k + 1, column, last, g);
      x[1] = g.c * x[1] + g.s * x[2];
    }
    turn_all(w, k, column, last, real_rotation(x[0], x[1]));
    if (k > low) {
      *real_at(w->t, w->n, k + 1, k - 1) = 0.0;
      *real_at(w->t, w->n, k + 2 <= high ? k + 2 : k + 1, k - 1) = 0.0;
    }
  }
}

/* How large the smaller eigenvalue is that state I has a part in: its own element, or, where that
 * says little, the one of its 2 x 2 block with J, as of an oscillation. */
static double rate_of(const Real *w, int i, int j)
{
  double own = fabs(t_at(w, i, i));
  if (j < 0 || j >= w->n) {
    return own;
  }
  double product = t_at(w, i, j) * t_at(w, j, i);
  double sum = own + fabs(t_at(w, j, j)) + sqrt(fabs(product));
  return sum > 0.0 ? fmax(own, fabs(t_at(w, i, i) * t_at(w, j, j) - product) / sum) : own;
}

/* The element below the diagonal in row I moves no eigenvalue beside it by more than rounding of
 * the smaller one. */
static bool is_negligible(const Real *w, int i)
{
  double below = fabs(t_at(w, i, i - 1));
  if (below < DBL_MIN) {
    return true;
  }
  double above = fabs(t_at(w, i - 1, i));
  double a = rate_of(w, i - 1, i - 2), d = rate_of(w, i, i + 1);
  if (below > DBL_EPSILON * (a + d > 0.0 ? a + d : above)) {
    return false;
  }
  double apart = fmax(fmax(a, d), fabs(t_at(w, i - 1, i - 1) - t_at(w, i, i)));
  double bound = fmax(DBL_EPSILON * fmin(a, d), DBL_MIN);
  return apart == 0.0 || fmin(below, above) * (fmax(below, above) / apart) <= bound;
}

/* The first row of the block that ends at HIGH; what is negligible above it becomes 0. */
static int block_of(Real *w, int high)
{
  int low = high;
  for (; low > 0; low--) {
    if (is_negligible(w, low)) {
      *real_at(w->t, w->n, low, low - 1) = 0.0;
      break;
    }
  }
  return low;
}

/* The block at I becomes triangular, if its eigenvalues are real. */
static void split_block(Real *w, int i)
{
  double last = t_at(w, i + 1, i + 1), below = t_at(w, i + 1, i);
  double half = 0.5 * (t_at(w, i, i) - last), square = half * half + t_at(w, i, i + 1) * below;
  if (square < 0.0) {
    return;
  }
  double more = half + copysign(sqrt(square), half);
  double less = more != 0.0 ? t_at(w, i, i + 1) * below / more : 0.0;
  turn_all(w, i, i, i + 1, real_rotation(more, below));
  *real_at(w->t, w->n, i, i) = last + more;
  *real_at(w->t, w->n, i + 1, i + 1) = last - less;
  *real_at(w->t, w->n, i + 1, i) = 0.0;
}

static bool eigen_blocks(Real *w)
{
  int tries = 0;
  for (int high = w->n - 1; high > 0;) {
    int low = block_of(w, high);
    if (high - low < 2) {
      if (low < high) {
        split_block(w, low);
      }
      high = low - 1;
      tries = 0;
    } else if (tries++ < TRIES) {
      qr_step(w, low, high, tries);
    } else {
      return false;
    }
  }
  return true;
}

/* ---- conjugates taken apart ---- */

/* M becomes G M from column I on, or M G* in its first ROWS rows; G = [c* s; -s c], s real. */
static void part_rows(double complex *m, int n, int i, double complex c, double s)
{
  for (int k = i; k < n; k++) {
    double complex x = *eigen_at(m, n, i, k), y = *eigen_at(m, n, i + 1, k);
    *eigen_at(m, n, i, k) = hy_times(conj(c), x) + s * y;
    *eigen_at(m, n, i + 1, k) = hy_times(c, y) - s * x;
  }
}

static void part_columns(double complex *m, int n, int i, int rows, double complex c, double s)
{
  for (int k = 0; k < rows; k++) {
    double complex x = *eigen_at(m, n, k, i), y = *eigen_at(m, n, k, i + 1);
    *eigen_at(m, n, k, i) = hy_times(c, x) + s * y;
    *eigen_at(m, n, k, i + 1) = hy_times(conj(c), y) - s * x;
  }
}

/* The block at I, whose eigenvalues are v and v*: the vector of v is (v - its last element, the one
 * below the diagonal). */
static void part_conjugates(Schur *w, int i)
{
  double last = creal(*eigen_at(w->t, w->n, i + 1, i + 1));
  double below = creal(*eigen_at(w->t, w->n, i + 1, i));
  double half = 0.5 * (creal(*eigen_at(w->t, w->n, i, i)) - last);
  double square = half * half + creal(*eigen_at(w->t, w->n, i, i + 1)) * below;
  double complex more = hy_complex(half, sqrt(-square)), v = last + more;
  double r = hypot(cabs(more), below);
  part_rows(w->t, w->n, i, more / r, below / r);
  part_columns(w->t, w->n, i, i + 2, more / r, below / r);
  part_columns(w->q, w->n, i, w->n, more / r, below / r);
  *eigen_at(w->t, w->n, i, i) = v;
  *eigen_at(w->t, w->n, i + 1, i + 1) = conj(v);
  *eigen_at(w->t, w->n, i + 1, i) = 0.0;
}

/* T and Q of real numbers become complex where they are, and all of T triangular. */
static void eigen_triangular(Real *real, Schur *w)
{
  for (ptrdiff_t i = (ptrdiff_t)w->n * w->n - 1; i >= 0; i--) {
    w->t[i] = real->t[i];
    w->q[i] = real->q[i];
  }
  for (int i = 0; i + 1 < w->n; i++) {
    if (*eigen_at(w->t, w->n, i + 1, i) != 0.0) {
      part_conjugates(w, i);
    }
  }
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
        sum += hy_times(*eigen_at(w->t, n, i, j), *eigen_at(x, n, j, k));
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
        *eigen_at(y, n, i, k) -= hy_times(*eigen_at(x, n, i, j), *eigen_at(y, n, j, k));
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
      double complex sum = 0.0;
      for (int j = 0; j <= k; j++) {
        sum += hy_times(*eigen_at(w->q, n, i, j), *eigen_at(right, n, j, k));
      }
      *eigen_at(r, n, i, k) = w->d[i] * sum;
    }
  }
  for (int i = 0; i < n * n; i++) {
    right[i] = r[i];
  }
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) {
      double complex sum = 0.0;
      for (int j = i; j < n; j++) {
        sum += hy_times(*eigen_at(left, n, i, j), conj(*eigen_at(w->q, n, k, j)));
      }
      *eigen_at(r, n, i, k) = sum / w->d[k];
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

/* ---- slow values that rotations have lost ---- */

#define SURE 8.0 /* times what rounding of A explains */

/* A value is w A v/(w v), wrong by the product of what is wrong with w and v. Where several states
 * are fast, rotations leave of a slow value what rounding of the fast ones leaves; this has it
 * again, as far as the elements of A say it: to eps |w| |A| |v|. */
static double complex value_again(int n, const double *a, const double complex *right,
                                  const double complex *left, double complex value)
{
  double complex sum = 0.0, one = 0.0;
  double size = 0.0;
  for (int i = 0; i < n; i++) {
    double complex row = 0.0;
    double row_size = 0.0;
    for (int j = 0; j < n; j++) {
      double complex part = a[(ptrdiff_t)i * n + j] * right[(ptrdiff_t)j * n];
      row += part;
      row_size += fabs(creal(part)) + fabs(cimag(part));
    }
    sum += hy_times(left[i], row);
    one += hy_times(left[i], right[(ptrdiff_t)i * n]);
    size += (fabs(creal(left[i])) + fabs(cimag(left[i]))) * row_size;
  }
  double complex again = sum / one;
  double moved = cabs(again - value), unsure = SURE * DBL_EPSILON * size;
  if (!(moved > unsure && moved < INFINITY)) {
    return value;
  }
  return fabs(cimag(again)) > unsure ? again : creal(again);
}

static void eigen_exchange(double complex *a, double complex *b)
{
  double complex keep = *a;
  *a = *b;
  *b = keep;
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

static bool eigen_once(int n, const double *a, double complex *value, double complex *right,
                       double complex *left, double complex *room)
{
  ptrdiff_t square = (ptrdiff_t)n * n;
  Schur w = {n, room, room + square, (double *)(room + 2 * square)};
  Real real = {n, (double *)room, (double *)(room + square), (double *)(room + 2 * square)};
  double finite = 0.0;
  for (ptrdiff_t i = 0; i < square; i++) {
    finite += 0.0 * a[i];
    real.t[i] = a[i];
    real.q[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
    real.d[i % n] = 1.0;
  }
  if (finite != 0.0) {
    return false;
  }
  eigen_balance(&real);
  eigen_grade(&real);
  eigen_hessenberg(&real);
  if (!eigen_blocks(&real)) {
    return false;
  }
  eigen_triangular(&real, &w);
  for (int i = 0; i < n; i++) {
    value[i] = *eigen_at(w.t, n, i, i);
  }
  triangle_vectors(&w, right);
  triangle_inverse(n, right, left);
  whole_vectors(&w, right, left);
  for (int k = 0; k < n; k++) {
    value[k] = value_again(n, a, right + k, left + (ptrdiff_t)k * n, value[k]);
  }
  eigen_sort(n, value, right, left);
  return true;
}

bool hy_eigen(int n, const double *a, double complex *value, double complex *right,
              double complex *left, double complex *room)
{
  if (!eigen_once(n, a, value, right, left, room)) {
    return false;
  }
  pair_up(n, value, right, left);
  eigen_sort(n, value, right, left);
  return true;
}
