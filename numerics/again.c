#include "again.h"

#include "eigen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS   8
#define MIXED    0x1p-10 /* of a vector: so much of another mode is no matter of first order */
#define ROUNDING 1e-14   /* of a rate: two modes that differ by less are as good as told apart */
#define RIGHT    1e-12   /* of a vector: the next correction is its square */
#define INVERSE  1e-28   /* in S^-1 S - 1 */

/* ---- twofold numbers: h + l, l no more than half a unit of the last digit of h ---- */

typedef struct {
  double h, l;
} Two;

static inline Two two_sum(double a, double b)
{
  double s = a + b, t = s - a;
  return (Two){s, (a - (s - t)) + (b - t)};
}

/* |a| >= |b| */
static inline Two two_fast(double a, double b)
{
  double s = a + b;
  return (Two){s, b - (s - a)};
}

static inline Two two_product(double a, double b)
{
  double p = a * b, c = 0x1.000002p27 * a, d = 0x1.000002p27 * b;
  double ah = c - (c - a), al = a - ah, bh = d - (d - b), bl = b - bh;
  return (Two){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

static inline Two two_add(Two a, Two b)
{
  Two s = two_sum(a.h, b.h), t = two_sum(a.l, b.l);
  s = two_fast(s.h, s.l + t.h);
  return two_fast(s.h, s.l + t.l);
}

static inline Two two_times(Two a, Two b)
{
  Two p = two_product(a.h, b.h);
  return two_fast(p.h, p.l + (a.h * b.l + a.l * b.h));
}

/* ROW becomes A B, of row A [m] and the M rows B of length N; zeros cost nothing. */
static void row_product(int m, int n, const Two *a, const Two *b, Two *row)
{
  memset(row, 0, (size_t)n * sizeof *row);
  for (int j = 0; j < m; j++) {
    for (int k = 0; k < n && a[j].h != 0.0; k++) {
      row[k] = two_add(row[k], two_times(a[j], b[(ptrdiff_t)j * n + k]));
    }
  }
}

static void product(int n, const Two *a, const Two *b, Two *c)
{
  for (ptrdiff_t i = 0; i < n; i++) {
    row_product(n, n, a + i * n, b, c + i * n);
  }
}

/* TO += SIGN A B, where A B is so small that its first half is enough. */
static void add_product(int n, double sign, const Two *a, const Two *b, Two *to, double *row)
{
  for (ptrdiff_t i = 0; i < n; i++) {
    memset(row, 0, (size_t)n * sizeof *row);
    for (ptrdiff_t j = 0; j < n; j++) {
      double by = sign * a[i * n + j].h;
      for (ptrdiff_t k = 0; k < n && by != 0.0; k++) {
        row[k] += by * b[j * n + k].h;
      }
    }
    for (ptrdiff_t k = 0; k < n; k++) {
      to[i * n + k] = two_add(to[i * n + k], (Two){row[k], 0.0});
    }
  }
}

/* ---- a basis ---- */

/* All matrices by rows, in units in which A is balanced. A pair of conjugates re +- j im with the
 * vectors p +- j q has the columns p, q: there B is [re im; -im re]. */
typedef struct {
  int n;
  Two *a, *s, *w, *b, *spare; /* [n][n]: W = S^-1, B = W A S */
  double *re, *im;            /* [n]: of each column; of q im is less than 0 */
  double *x, *row;            /* [n][n]: corrections; [n] */
  int *mate;                  /* [n]: of p, q the other */
  int *group, *at;            /* [n]: the first one of those that are mixed; of one group */
} Basis;

static double basis_b(const Basis *g, int j, int k)
{
  return g->b[(ptrdiff_t)j * g->n + k].h;
}

static double complex basis_value(const Basis *g, int k)
{
  return hy_complex(g->re[k], g->im[k]);
}

/* The rows of W become the inverse of S (G. Schulz), from some that nearly are. */
static bool basis_invert(Basis *g)
{
  ptrdiff_t square = (ptrdiff_t)g->n * g->n;
  double wrong = INFINITY;
  for (int turn = 0; turn < 3 && wrong > INVERSE; turn++) {
    double was = wrong;
    product(g->n, g->w, g->s, g->spare);
    wrong = 0.0;
    for (ptrdiff_t i = 0; i < square; i++) {
      Two missing = {-g->spare[i].h, -g->spare[i].l};
      g->spare[i] = i % (g->n + 1) == 0 ? two_add((Two){1.0, 0.0}, missing) : missing;
      wrong = fmax(wrong, fabs(g->spare[i].h));
    }
    if (!(wrong < fmin(was, MIXED))) {
      return false;
    }
    memcpy(g->b, g->w, (size_t)square * sizeof *g->b);
    add_product(g->n, 1.0, g->spare, g->b, g->w, g->row);
    wrong *= wrong; /* what is left */
  }
  return true;
}

/* B, and by it the values. */
static bool basis_look(Basis *g)
{
  if (!basis_invert(g)) {
    return false;
  }
  product(g->n, g->a, g->s, g->spare);
  product(g->n, g->w, g->spare, g->b);
  for (int k = 0; k < g->n; k++) {
    int q = g->mate[k];
    if (g->im[k] > 0.0) {
      g->re[k] = g->re[q] = 0.5 * (basis_b(g, k, k) + basis_b(g, q, q));
      g->im[k] = 0.5 * (basis_b(g, k, q) - basis_b(g, q, k));
      g->im[q] = -g->im[k];
    } else if (q == k) {
      g->re[k] = basis_b(g, k, k);
    }
  }
  return true;
}

/* By what the M elements of a vector, M apart, are multiplied, so that the largest is real, if
 * the vector may turn, and near 1. */
static double complex basis_turn(int m, const double complex *vector, bool pair)
{
  double complex largest = 1.0;
  double size = 0.0;
  for (ptrdiff_t i = 0; i < m; i++) {
    largest = cabs(vector[i * m]) > size ? vector[i * m] : largest;
    size = fmax(size, cabs(vector[i * m]));
  }
  return (pair ? 1.0 : conj(largest) / size) / exp2(round(log2(size)));
}

/* COLUMN and ROW, of N numbers: what mode VALUE of the block, with the vectors RIGHT (by columns of
 * M) and LEFT, is of columns of S and rows of W. */
static void basis_mix(const Basis *g, int m, double complex value, const double complex *right,
                      const double complex *left, Two *column, Two *row)
{
  ptrdiff_t n = g->n;
  bool pair = cimag(value) != 0.0, q = cimag(value) < 0.0;
  double complex turn = basis_turn(m, right, pair);
  for (ptrdiff_t j = 0; j < m; j++) {
    double complex v = hy_times(right[j * m], turn);
    double complex w = left[j] / turn * (pair ? 2.0 : 1.0);
    Two to = {q ? cimag(v) : creal(v), 0.0}, of = {q ? -cimag(w) : creal(w), 0.0};
    for (ptrdiff_t i = 0; i < n; i++) {
      column[i] = two_add(column[i], two_times(g->s[i * n + g->at[j]], to));
      row[i] = two_add(row[i], two_times(of, g->w[g->at[j] * n + i]));
    }
  }
}

/* Columns K of S, and the rows of W, become those that modes of their block say: VALUE, RIGHT, LEFT
 * of M rows, Y [2 m n]. */
static void basis_put(Basis *g, int m, const double complex *value, const double complex *right,
                      const double complex *left, Two *y)
{
  ptrdiff_t n = g->n;
  Two *column = y, *row = y + m * n;
  memset(y, 0, 2 * (size_t)m * (size_t)n * sizeof *y);
  for (ptrdiff_t k = 0; k < m; k++) {
    ptrdiff_t from = cimag(value[k]) < 0.0 ? k - 1 : k; /* q goes by the vectors of p */
    basis_mix(g, m, value[k], right + from, left + from * m, column + k * n, row + k * n);
  }
  for (ptrdiff_t k = 0; k < m; k++) {
    for (ptrdiff_t i = 0; i < n; i++) {
      g->s[i * n + g->at[k]] = column[k * n + i];
      g->w[g->at[k] * n + i] = row[k * n + i];
    }
    g->re[g->at[k]] = creal(value[k]);
    g->im[g->at[k]] = cimag(value[k]);
    g->mate[g->at[k]] = g->at[cimag(value[k]) > 0.0 ? k + 1 : cimag(value[k]) < 0.0 ? k - 1 : k];
  }
}

/* The M columns AT become the modes of their own block of B. */
static bool basis_renew(Basis *g, int m)
{
  size_t square = (size_t)m * (size_t)m;
  double complex *right = calloc(2 * square + (size_t)m + hy_eigen_room(m), sizeof *right);
  double complex *left = right + square, *value = left + square;
  Two *y = calloc(2 * (size_t)m * (size_t)g->n, sizeof *y);
  double *b = (double *)y; /* until the modes are known */
  bool ok = right != NULL && y != NULL;
  for (int i = 0; ok && i < m * m; i++) {
    b[i] = basis_b(g, g->at[i / m], g->at[i % m]);
  }
  ok = ok && hy_eigen(m, b, value, right, left, value + m);
  if (ok) {
    basis_put(g, m, value, right, left, y);
  }
  free(right);
  free(y);
  return ok;
}

/* ---- what is wrong with it ---- */

/* What is in B beside the values. */
static double basis_error(const Basis *g, int j, int k)
{
  double whole = basis_b(g, j, k) - (j == k ? g->re[k] : 0.0);
  return whole - (j != k && g->mate[j] == k ? g->im[j] : 0.0);
}

static int basis_first(const Basis *g, int k)
{
  while (g->group[k] != k) {
    k = g->group[k];
  }
  return k;
}

/* What of mode J, or of its conjugate, is in column K of S: (l_k - l_j) x = e, all in vectors of
 * modes; OTHER: with the conjugate of column K. */
static double complex basis_part(const Basis *g, int j, int k, bool other, double *size)
{
  int jq = g->mate[j], kq = g->mate[k];
  double sign = other ? -1.0 : 1.0;
  double complex e = basis_error(g, j, k);
  if (kq != k) {
    e += hy_complex(0.0, sign * basis_error(g, j, kq));
  }
  if (jq != j) {
    double complex below = basis_error(g, jq, k);
    below += kq != k ? hy_complex(0.0, sign * basis_error(g, jq, kq)) : 0.0;
    e = 0.5 * (e - hy_times(hy_complex(0.0, 1.0), below));
  }
  double complex apart = hy_complex(g->re[k], sign * g->im[k]) - basis_value(g, j);
  *size = cabs(e);
  return e == 0.0 ? 0.0 : e / apart;
}

/* The corrections of columns K by modes J; true: these are mixed. */
static bool basis_correct(Basis *g, int j, int k, double *most)
{
  ptrdiff_t n = g->n;
  int jq = g->mate[j], kq = g->mate[k];
  double e, f, rate = fmax(cabs(basis_value(g, j)), cabs(basis_value(g, k)));
  double complex x = basis_part(g, j, k, false, &e), y = basis_part(g, j, k, true, &f);
  if (j == k) {
    x = 0.0; /* the value is the one of B */
    e = 0.0;
  }
  double complex to = jq != j ? x + conj(y) : x;
  double complex to_q = jq != j ? hy_times(hy_complex(0.0, 1.0), x - conj(y)) : 0.0;
  bool known = (cabs(x) <= MIXED && cabs(y) <= MIXED) || j == k;
  known = known && (j != k || jq == j || cabs(y) <= MIXED);
  if (known && !(j == k && jq == j)) {
    *most = fmax(*most, fmax(cabs(x), cabs(y)));
    g->x[j * n + k] = creal(to);
    g->x[jq * n + k] = jq != j ? creal(to_q) : creal(to);
    if (kq != k) {
      g->x[j * n + kq] = cimag(to);
      g->x[jq * n + kq] = jq != j ? cimag(to_q) : cimag(to);
    }
  }
  return !known && fmax(e, f) > ROUNDING * rate;
}

/* All of them. */
static bool basis_compare(Basis *g, double *most)
{
  bool mixed = false;
  *most = 0.0;
  memset(g->x, 0, (size_t)g->n * (size_t)g->n * sizeof *g->x);
  for (int k = 0; k < g->n; k++) {
    g->group[k] = g->im[k] < 0.0 ? g->mate[k] : k;
  }
  for (int j = 0; j < g->n; j++) {
    for (int k = 0; k < g->n; k++) {
      if (g->im[j] >= 0.0 && g->im[k] >= 0.0 && basis_correct(g, j, k, most)) {
        g->group[basis_first(g, j)] = basis_first(g, k);
        mixed = true;
        g->group[basis_first(g, k)] = basis_first(g, k);
      }
    }
  }
  return mixed;
}

/* S becomes S (1 + X), and W as nearly (1 - X) W. */
static void basis_add(Basis *g)
{
  ptrdiff_t square = (ptrdiff_t)g->n * g->n;
  for (ptrdiff_t i = 0; i < square; i++) {
    g->b[i] = (Two){g->x[i], 0.0};
  }
  memcpy(g->spare, g->s, (size_t)square * sizeof *g->s);
  add_product(g->n, 1.0, g->spare, g->b, g->s, g->row);
  memcpy(g->spare, g->w, (size_t)square * sizeof *g->w);
  add_product(g->n, -1.0, g->b, g->spare, g->w, g->row);
}

/* Each group of more than one mode is found again. */
static bool basis_part_groups(Basis *g)
{
  bool ok = true;
  for (int first = 0; first < g->n; first++) {
    int m = 0, modes = 0;
    for (int k = 0; k < g->n; k++) {
      if (basis_first(g, k) == first) {
        g->at[m++] = k;
        modes += g->im[k] >= 0.0;
      }
    }
    ok = ok && (modes < 2 || basis_renew(g, m));
  }
  return ok;
}

static bool basis_settle(Basis *g)
{
  double most = INFINITY;
  bool ok = basis_renew(g, g->n) && basis_look(g), mixed = true;
  for (int round = 0; ok && round < ROUNDS && (mixed || most > RIGHT); round++) {
    mixed = basis_compare(g, &most);
    if (mixed) {
      ok = basis_part_groups(g);
    } else {
      basis_add(g);
    }
    ok = ok && (!mixed && most <= RIGHT ? true : basis_look(g));
  }
  return ok && !mixed && most <= RIGHT;
}

static void basis_modes(const Basis *g, const double *units, double complex *value,
                        double complex *right, double complex *left)
{
  ptrdiff_t n = g->n;
  for (ptrdiff_t k = 0; k < n; k++) {
    ptrdiff_t q = g->mate[k], p = g->im[k] < 0.0 ? q : k;
    double sign = g->im[k] < 0.0 ? -1.0 : 1.0;
    q = g->im[k] < 0.0 ? k : q;
    value[k] = basis_value(g, (int)k);
    for (ptrdiff_t i = 0; i < n; i++) {
      double v = g->s[i * n + p].h * units[i], w = g->w[p * n + i].h / units[i];
      double aside = g->s[i * n + q].h * units[i], to = g->w[q * n + i].h / units[i];
      right[i * n + k] = p == q ? v : hy_complex(v, sign * aside);
      left[k * n + i] = p == q ? w : hy_complex(0.5 * w, -0.5 * sign * to);
    }
  }
}

/* A and the unit matrix as S and W, in units in which A is balanced. */
static void basis_start(Basis *g, const double *a, const double *units)
{
  ptrdiff_t n = g->n;
  for (int i = 0; i < n; i++) {
    g->at[i] = i;
    for (int k = 0; k < n; k++) {
      ptrdiff_t at = i * n + k;
      g->a[at].h = g->b[at].h = a[at] / units[i] * units[k];
      g->s[at].h = g->w[at].h = i == k ? 1.0 : 0.0;
    }
  }
}

bool hy_eigen_again(int n, const double *a, const double *units, double complex *value,
                    double complex *right, double complex *left)
{
  size_t square = (size_t)n * (size_t)n;
  Two *m = calloc(5 * square, sizeof *m);
  double *x = calloc(square + 3 * (size_t)n, sizeof *x);
  int *mate = calloc(3 * (size_t)n, sizeof *mate);
  bool ok = m != NULL && x != NULL && mate != NULL;
  if (ok) {
    Basis g = {.n = n, .a = m, .s = m + square, .w = m + 2 * square, .b = m + 3 * square};
    g.spare = m + 4 * square;
    g.x = x, g.re = x + square, g.im = g.re + n, g.row = g.im + n;
    g.mate = mate, g.group = mate + n, g.at = mate + 2 * (size_t)n;
    basis_start(&g, a, units);
    ok = basis_settle(&g);
    if (ok) {
      basis_modes(&g, units, value, right, left);
    }
  }
  free(m);
  free(x);
  free(mate);
  return ok;
}
