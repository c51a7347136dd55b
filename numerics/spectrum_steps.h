/* The steps of spectrum.h, for numbers of either kind: spectrum_doubles.c and spectrum_twos.c say
 * what Real is and include this. No header of anything else. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_A_RATE 60 /* of the QR algorithm; most need three */
#define PATIENCE     12 /* of these steps */
#define LARGE        30.0 /* of an element of X: what is lost in sums of blocks is its square at most */
#define NEAR         0.1 /* of a rate: those that are nearer may be one cluster */
#define NOISE        8.0 /* rounding of rounding, that is added up */
#define SLOW         1.0 /* per second: likewise */

/* ---- numbers ---- */

static inline Real real_less(Real a, Real b)
{
  return real_add(a, real_minus(b));
}

static inline double real_size(Real a)
{
  return fabs(real_head(a));
}

/* A power of 2 that takes numbers of SIZE near to 1. */
static inline double real_unit(double size)
{
  return size > 0x1p-1000 && size < INFINITY ? ldexp(1.0, -ilogb(size)) : 1.0;
}

typedef struct {
  Real re, im;
} Number;

static inline bool is_real(Number a)
{
  return real_head(a.im) == 0.0;
}

static inline bool is_zero(Number a)
{
  return real_head(a.re) == 0.0 && real_head(a.im) == 0.0;
}

static inline Number number_of(Real a)
{
  return (Number){a, real_of(0.0)};
}

static inline Number number_conjugate(Number a)
{
  return (Number){a.re, real_minus(a.im)};
}

static inline Number number_minus(Number a)
{
  return (Number){real_minus(a.re), real_minus(a.im)};
}

static inline Number number_add(Number a, Number b)
{
  return (Number){real_add(a.re, b.re), is_real(a)   ? b.im
                                        : is_real(b) ? a.im
                                                     : real_add(a.im, b.im)};
}

static inline Number number_less(Number a, Number b)
{
  return number_add(a, number_minus(b));
}

/* Most numbers are real. */
static inline Number number_times(Number a, Number b)
{
  if (is_real(a)) {
    return (Number){real_times(a.re, b.re), is_real(b) ? b.im : real_times(a.re, b.im)};
  }
  if (is_real(b)) {
    return (Number){real_times(a.re, b.re), real_times(a.im, b.re)};
  }
  return (Number){real_less(real_times(a.re, b.re), real_times(a.im, b.im)),
                  real_add(real_times(a.re, b.im), real_times(a.im, b.re))};
}

/* Not less than |a|, and at most 1.42 times that. */
static inline double number_size(Number a)
{
  return real_size(a.re) + real_size(a.im);
}

/* SUM + A B */
static inline Number number_gather(Number sum, Number a, Number b)
{
  sum.re = real_gather(sum.re, a.re, b.re);
  if (!is_real(a)) {
    sum.re = is_real(b) ? sum.re : real_gather(sum.re, real_minus(a.im), b.im);
    sum.im = real_gather(sum.im, a.im, b.re);
  }
  if (!is_real(b)) {
    sum.im = real_gather(sum.im, a.re, b.im);
  }
  return sum;
}

static inline Number number_scale(Number a, double power)
{
  return (Number){real_scale(a.re, power), real_scale(a.im, power)};
}

static Number number_over(Number a, Number b)
{
  if (is_real(b)) {
    return (Number){real_over(a.re, b.re), is_real(a) ? a.im : real_over(a.im, b.re)};
  }
  double unit = real_unit(number_size(b));
  b = number_scale(b, unit);
  Real square = real_add(real_times(b.re, b.re), real_times(b.im, b.im));
  Number to = number_times(number_scale(a, unit), number_conjugate(b));
  return (Number){real_over(to.re, square), real_over(to.im, square)};
}

static inline double complex number_rounded(Number a)
{
  return hy_complex(real_head(a.re), real_head(a.im));
}

/* ---- all that is worked with ---- */

typedef struct {
  int n;
  Real *h, *p;      /* [n][n]: real ones, until all of T is a triangle */
  Number *t, *q;    /* [n][n] */
  Number *x, *y;    /* [n][n]: X; X^-1, products */
  int *name, *mate; /* [n]: of the rate at each place; the name of its conjugate */
  int *cluster;     /* [n]: of the rate at each place; any number */
  int *turned;  /* [n]: a reflection has had a part in row and column, so that they have rounding */
  double noise; /* how much: of the largest element */
} Work;

static inline Real *h_at(const Work *w, int i, int k)
{
  return w->h + (ptrdiff_t)i * w->n + k;
}

static inline Number *number_at(const Work *w, Number *m, int i, int k)
{
  return m + (ptrdiff_t)i * w->n + k;
}

/* ---- Hessenberg form ---- */

/* M, rows or columns of which are STEP apart and their elements ALONG, becomes (1 - v v'/half) M:
 * COUNT of them. */
static void reflect(Real *m, ptrdiff_t step, ptrdiff_t along, int count, int size, const Real *v,
                    Real half)
{
  Real by = real_over(real_of(-1.0), half);
  for (int k = 0; k < count; k++, m += step) {
    Real sum = real_of(0.0);
    for (int i = 0; i < size; i++) {
      sum = real_gather(sum, v[i], m[i * along]);
    }
    sum = real_times(sum, by);
    for (int i = 0; i < size; i++) {
      m[i * along] = real_gather(m[i * along], sum, v[i]);
    }
  }
}

/* Nothing below the first subdiagonal of column K is left: v' v = 2 half. V: [n]. */
static void hessenberg_column(Work *w, int k, Real *v)
{
  int n = w->n, size = n - k - 1;
  double largest = 0.0, below = 0.0;
  for (int i = 0; i < size; i++) {
    largest = fmax(largest, real_size(*h_at(w, k + 1 + i, k)));
    below = fmax(below, i > 0 ? real_size(*h_at(w, k + 1 + i, k)) : 0.0);
  }
  if (below == 0.0) {
    return;
  }
  double unit = real_unit(largest);
  Real square = real_of(0.0);
  for (int i = 0; i < size; i++) {
    v[i] = real_scale(*h_at(w, k + 1 + i, k), unit);
    square = real_gather(square, v[i], v[i]);
    w->turned[k + 1 + i] += real_head(v[i]) != 0.0;
  }
  Real r = real_root(square);
  r = real_head(v[0]) > 0.0 ? real_minus(r) : r;
  Real half = real_less(square, real_times(v[0], r));
  v[0] = real_less(v[0], r);
  reflect(h_at(w, k + 1, k + 1), 1, n, n - k - 1, size, v, half);
  reflect(h_at(w, 0, k + 1), n, 1, n, size, v, half);
  reflect(w->p + k + 1, n, 1, n, size, v, half);
  *h_at(w, k + 1, k) = real_scale(r, 1.0 / unit);
  for (int i = 1; i < size; i++) {
    *h_at(w, k + 1 + i, k) = real_of(0.0);
  }
}

/* ---- QR steps on rows LOW to HIGH, three of them at least ---- */

/* The first column of (H - v)(H - w) by its element below the diagonal; v and w are the eigenvalues
 * of the last 2 x 2 block, and now and then others, should those lead round in a circle. */
static void first_column(const Work *w, int low, int high, int tries, Real *x)
{
  Real a = *h_at(w, high - 1, high - 1), d = *h_at(w, high, high), t = *h_at(w, low, low);
  Real product = real_times(*h_at(w, high, high - 1), *h_at(w, high - 1, high));
  if (tries % 11 == 10) {
    Real other =
        real_of(real_size(*h_at(w, high, high - 1)) + real_size(*h_at(w, high - 1, high - 2)));
    a = d = real_add(d, real_times(real_of(0.75), other));
    product = real_times(real_of(-0.4375), real_times(other, other));
  }
  Real p = real_less(a, t), q = real_less(d, t);
  Real sum = real_over(real_less(real_times(p, q), product), *h_at(w, low + 1, low));
  x[0] = real_add(sum, *h_at(w, low, low + 1));
  x[1] = real_less(real_less(real_less(*h_at(w, low + 1, low + 1), t), p), q);
  x[2] = *h_at(w, low + 2, low + 1);
}

/* X of SIZE becomes (r, 0, 0) by 1 - f v', v' = (1, v1, v2); false: it is. */
typedef struct {
  Real v[3], f[3], r;
} Small;

static bool small_reflection(int size, const Real *x, Small *s)
{
  double largest = 0.0;
  for (int i = 0; i < size; i++) {
    largest = fmax(largest, real_size(x[i]));
  }
  double unit = real_unit(largest);
  Real square = real_of(0.0), y[3];
  for (int i = 0; i < size; i++) {
    y[i] = real_scale(x[i], unit);
    square = real_gather(square, y[i], y[i]);
  }
  Real r = real_root(square);
  r = real_head(y[0]) > 0.0 ? real_minus(r) : r;
  Real most = real_less(y[0], r);
  if (!(real_size(r) > 0.0)) {
    return false;
  }
  for (int i = 0; i < size; i++) { /* (x - r e)(x - r e)'/(r (r - x0)) */
    s->v[i] = i > 0 ? real_over(y[i], most) : real_of(1.0);
    s->f[i] = real_minus(real_over(i > 0 ? y[i] : most, r));
  }
  s->r = real_scale(r, 1.0 / unit);
  return true;
}

static void small_apply(Real *m, ptrdiff_t step, ptrdiff_t along, int count, int size,
                        const Small *s)
{
  for (int k = 0; k < count; k++, m += step) {
    Real sum = m[0];
    for (int i = 1; i < size; i++) {
      sum = real_gather(sum, s->v[i], m[i * along]);
    }
    sum = real_minus(sum);
    for (int i = 0; i < size; i++) {
      m[i * along] = real_gather(m[i * along], sum, s->f[i]);
    }
  }
}

static void qr_step(Work *w, int low, int high, int tries)
{
  Real x[3];
  int n = w->n;
  first_column(w, low, high, tries, x);
  for (int k = low; k < high; k++) {
    int size = k + 2 <= high ? 3 : 2, last = k + 3 < high ? k + 3 : high;
    for (int i = 0; i < size && k > low; i++) {
      x[i] = *h_at(w, k + i, k - 1);
    }
    Small s;
    if (!small_reflection(size, x, &s)) {
      continue;
    }
    for (int i = 0; i < size; i++) {
      w->turned[k + i] = 1;
    }
    small_apply(h_at(w, k, k), 1, n, n - k, size, &s);
    small_apply(h_at(w, 0, k), n, 1, last + 1, size, &s);
    small_apply(w->p + k, n, 1, n, size, &s);
    for (int i = 0; i < size && k > low; i++) {
      *h_at(w, k + i, k - 1) = i > 0 ? real_of(0.0) : s.r;
    }
  }
}

/* The element below the diagonal in row I is rounding of its neighbours, or below LEAST. */
static bool is_negligible(const Work *w, int i, double least)
{
  double below = real_size(*h_at(w, i, i - 1)), above = real_size(*h_at(w, i - 1, i));
  double a = real_size(*h_at(w, i, i)), d = real_size(*h_at(w, i - 1, i - 1));
  return below <= fmax(REAL_EPSILON * (a + d > 0.0 ? a + d : above), least);
}

/* The first row of the block that ends at HIGH; what is negligible above it becomes 0. */
static int block_of(Work *w, int high, double least)
{
  int low = high;
  while (low > 0 && !is_negligible(w, low, least)) {
    low--;
  }
  if (low > 0) {
    *h_at(w, low, low - 1) = real_of(0.0);
  }
  return low;
}

/* The largest element of the block. */
static double block_size(const Work *w, int low, int high)
{
  double largest = 0.0;
  for (int i = low; i <= high; i++) {
    for (int k = low; k <= high; k++) {
      largest = fmax(largest, real_size(*h_at(w, i, k)));
    }
  }
  return largest;
}

/* Where neighbours are small in the midst of others, rounding of those is all that is left below
 * the diagonal. */
static bool qr_blocks(Work *w)
{
  int tries = 0;
  for (int high = w->n - 1; high > 0;) {
    int low = block_of(w, high, fmax(REAL_LEAST * w->noise, 0x1p-1000));
    if (high - low >= 2 && tries > PATIENCE) {
      low = block_of(w, high, REAL_EPSILON * block_size(w, low, high));
    }
    if (high - low < 2) {
      high = low - 1;
      tries = 0;
    } else if (tries++ < STEPS_A_RATE) {
      qr_step(w, low, high, tries);
    } else {
      return false;
    }
  }
  return true;
}

/* ---- a triangle ---- */

/* Columns I, I + 1 of T and Q become (a, b) G, rows those of G* T: the first column of G is (c, s),
 * of length 1. Behind it UPPER and LOWER are on the diagonal. What is there before is turned less
 * that in row I + 1: where both nearly are the same, what comes above the diagonal is as small as
 * their difference, and its digits are those of that; two conjugates that nearly are real would
 * lose their likeness. */
static void turn(Work *w, int i, Number c, Number s, Number upper, Number lower)
{
  int n = w->n;
  Number last = *number_at(w, w->t, i + 1, i + 1), *first = number_at(w, w->t, i, i);
  *first = number_less(*first, last);
  *number_at(w, w->t, i + 1, i + 1) = number_of(real_of(0.0));
  Number cc = number_conjugate(c), sc = number_conjugate(s), ms = number_minus(s),
         msc = number_minus(sc);
  for (int k = i; k < n; k++) {
    Number *x = number_at(w, w->t, i, k), *y = number_at(w, w->t, i + 1, k), a = *x;
    *x = number_gather(number_times(cc, a), sc, *y);
    *y = number_gather(number_times(c, *y), ms, a);
  }
  for (int k = 0; k < i + 2 + n; k++) {
    Number *x = k < i + 2 ? number_at(w, w->t, k, i) : number_at(w, w->q, k - i - 2, i), a = x[0];
    x[0] = number_gather(number_times(c, a), s, x[1]);
    x[1] = number_gather(number_times(cc, x[1]), msc, a);
  }
  *first = upper;
  *number_at(w, w->t, i + 1, i) = number_of(real_of(0.0));
  *number_at(w, w->t, i + 1, i + 1) = lower;
}

/* C and S become of length 1 together; false: they are 0. */
static bool make_unit(Number *c, Number *s)
{
  double size = fmax(number_size(*c), number_size(*s)), unit = real_unit(size);
  *c = number_scale(*c, unit);
  *s = number_scale(*s, unit);
  Real square = real_of(0.0);
  square = real_gather(square, c->re, c->re);
  square = real_gather(square, c->im, c->im);
  square = real_gather(square, s->re, s->re);
  square = real_gather(square, s->im, s->im);
  Number r = number_of(real_root(square));
  *c = number_over(*c, r);
  *s = number_over(*s, r);
  return size > 0.0;
}

/* The 2 x 2 block at I becomes a triangle: the vector of v is (v - its last element, the one below
 * the diagonal). */
static void split_block(Work *w, int i)
{
  Real last = number_at(w, w->t, i + 1, i + 1)->re, below = number_at(w, w->t, i + 1, i)->re;
  Real half = real_scale(real_less(number_at(w, w->t, i, i)->re, last), 0.5);
  Real product = real_times(number_at(w, w->t, i, i + 1)->re, below);
  Real square = real_add(real_times(half, half), product);
  Number more = {half, real_of(0.0)}, less = more, c, s = number_of(below);
  if (real_head(square) < 0.0) {
    more.im = real_root(real_minus(square));
    less = number_conjugate(more);
    w->mate[i] = i + 1;
    w->mate[i + 1] = i;
  } else {
    Real root = real_root(square);
    more.re = real_add(half, real_head(half) < 0.0 ? real_minus(root) : root);
    less.re = real_head(more.re) != 0.0 ? real_minus(real_over(product, more.re)) : more.re;
  }
  c = more;
  if (make_unit(&c, &s)) {
    turn(w, i, c, s, number_add(more, number_of(last)), number_add(less, number_of(last)));
  }
}

static void make_triangle(Work *w)
{
  for (ptrdiff_t i = 0; i < (ptrdiff_t)w->n * w->n; i++) {
    w->t[i] = number_of(w->h[i]);
    w->q[i] = number_of(w->p[i]);
  }
  for (int i = 0; i < w->n; i++) {
    w->name[i] = w->mate[i] = w->cluster[i] = i;
  }
  for (int i = 0; i + 1 < w->n; i++) {
    if (!is_zero(*number_at(w, w->t, i + 1, i))) {
      split_block(w, i++);
    }
  }
}

/* ---- clusters ---- */

/* The rates at I and I + 1 change their places. */
static void exchange(Work *w, int i)
{
  Number a = *number_at(w, w->t, i, i), b = *number_at(w, w->t, i + 1, i + 1);
  Number c = *number_at(w, w->t, i, i + 1), s = number_less(b, a);
  if (!is_zero(s) && make_unit(&c, &s)) {
    turn(w, i, c, s, b, a);
  }
  int name = w->name[i], cluster = w->cluster[i];
  w->name[i] = w->name[i + 1];
  w->cluster[i] = w->cluster[i + 1];
  w->name[i + 1] = name;
  w->cluster[i + 1] = cluster;
}

static int first_of(const Work *w, int cluster)
{
  int i = 0;
  while (w->cluster[i] != cluster) {
    i++;
  }
  return i;
}

/* Two clusters become one, with the name of B: the one that stands before moves up to the other. */
static void make_one(Work *w, int a, int b)
{
  bool behind = first_of(w, a) > first_of(w, b);
  int upper = behind ? b : a, end = first_of(w, behind ? a : b) - 1;
  for (int i = end; i >= 0 && a != b; i--) {
    if (w->cluster[i] == upper) {
      for (int k = i; k < end; k++) {
        exchange(w, k);
      }
      end--;
    }
  }
  for (int i = 0; i < w->n; i++) {
    w->cluster[i] = w->cluster[i] == a ? b : w->cluster[i];
  }
}

/* The cluster of the conjugates. */
static int mirror_of(const Work *w, int cluster)
{
  int mate = w->mate[w->name[first_of(w, cluster)]], i = 0;
  while (w->name[i] != mate) {
    i++;
  }
  return w->cluster[i];
}

static bool are_near(Number a, Number b)
{
  double apart = number_size(number_less(a, b)), size = fmax(number_size(a), number_size(b));
  return apart <= fmax(NEAR * size, SLOW);
}

/* Parts that are equal have equal rates, and vectors of their own; what SUM of them is found at I,
 * K is what rounding has left there, and may be left out as it has come. Not of two conjugates,
 * which go together. */
static bool is_noise(const Work *w, int i, int k, Number sum)
{
  return w->turned[i] && w->turned[k] && w->mate[w->name[i]] != w->name[k] &&
         number_size(sum) <= w->noise;
}

/* X, as far as no element is large; true: those at I and K are of one cluster. */
static bool solve_columns(Work *w, int *i_at, int *k_at)
{
  int n = w->n;
  memset(w->x, 0, (size_t)n * (size_t)n * sizeof *w->x);
  for (int k = 0, first = 0; k < n; k++) {
    first = k > 0 && w->cluster[k] == w->cluster[k - 1] ? first : k;
    Number rate = *number_at(w, w->t, k, k);
    *number_at(w, w->x, k, k) = number_of(real_of(1.0));
    for (int i = first - 1; i >= 0; i--) {
      Number sum = *number_at(w, w->t, i, k);
      for (int j = i + 1; j < first; j++) {
        sum = number_gather(sum, *number_at(w, w->t, i, j), *number_at(w, w->x, j, k));
      }
      for (int j = first; j < k; j++) {
        Number x = number_minus(*number_at(w, w->x, i, j));
        sum = number_gather(sum, x, *number_at(w, w->t, j, k));
      }
      if (is_zero(sum)) {
        continue;
      }
      Number own = *number_at(w, w->t, i, i), apart = number_less(rate, own);
      if (!(number_size(sum) <= LARGE * number_size(apart)) && are_near(own, rate)) {
        if (is_noise(w, i, k, sum)) {
          continue;
        }
        *i_at = i;
        *k_at = k;
        return true;
      }
      *number_at(w, w->x, i, k) = number_over(sum, apart);
    }
  }
  return false;
}

/* Whatever becomes one, the conjugates do likewise. */
static void find_clusters(Work *w)
{
  int i, k;
  while (solve_columns(w, &i, &k)) {
    int a = w->cluster[i], b = w->cluster[k], c = mirror_of(w, a), d = mirror_of(w, b);
    make_one(w, a, b);
    c = c == a ? b : c;
    d = d == a ? b : d;
    if (c != d) {
      make_one(w, c, d);
    }
  }
}

/* ---- what is kept ---- */

/* Y = X^-1, with the same shape. */
static void invert_columns(Work *w)
{
  int n = w->n;
  memset(w->y, 0, (size_t)n * (size_t)n * sizeof *w->y);
  for (int k = 0; k < n; k++) {
    *number_at(w, w->y, k, k) = number_of(real_of(1.0));
    for (int i = k - 1; i >= 0; i--) {
      Number sum = *number_at(w, w->x, i, k);
      for (int j = i + 1; j < k; j++) {
        if (!is_zero(*number_at(w, w->x, i, j))) {
          sum = number_gather(sum, *number_at(w, w->x, i, j), *number_at(w, w->y, j, k));
        }
      }
      *number_at(w, w->y, i, k) = number_minus(sum);
    }
  }
}

/* How often the cluster at K counts. Of two that are conjugates of each other the one is kept that
 * has the first of all their rates by name: of one rate that is the one whose imaginary part is
 * positive. */
static int count_of(const Work *w, int k)
{
  int cluster = w->cluster[k], own = w->n, other = w->n;
  for (int i = 0; i < w->n; i++) {
    if (w->cluster[i] == cluster) {
      int name = w->name[i], mate = w->mate[name];
      own = name < own ? name : own;
      other = mate < other ? mate : other;
    }
  }
  return mirror_of(w, cluster) == cluster ? 1 : own < other ? 2 : 0;
}

static void give_clusters(const Work *w, HySpectrum *s)
{
  ptrdiff_t n = w->n;
  for (int k = 0; k < n; k++) {
    s->first[k] = first_of(w, w->cluster[k]);
    s->counts[k] = count_of(w, k);
    for (int i = s->first[k]; i <= k; i++) {
      s->t[i * n + k] = number_rounded(*number_at(w, w->t, i, k));
    }
  }
}

/* Column K of V = D Q X and row K of W = X^-1 Q* D^-1, Q's rows being STATES. */
static void give_vector(const Work *w, const int *states, int k, HySpectrum *s)
{
  int n = w->n;
  for (int i = 0; i < n; i++) {
    ptrdiff_t state = states[i];
    Number right = number_of(real_of(0.0)), left = right;
    for (int j = 0; j <= k; j++) {
      if (!is_zero(*number_at(w, w->x, j, k))) {
        right = number_gather(right, *number_at(w, w->q, i, j), *number_at(w, w->x, j, k));
      }
    }
    for (int j = k; j < n; j++) {
      if (!is_zero(*number_at(w, w->y, k, j))) {
        Number q = number_conjugate(*number_at(w, w->q, i, j));
        left = number_gather(left, *number_at(w, w->y, k, j), q);
      }
    }
    s->v[state * n + k] = number_rounded(right) * s->units[state];
    s->w[(ptrdiff_t)k * n + state] = number_rounded(left) / s->units[state];
  }
}

/* A in units, with what it has lost, becomes the real matrix that is worked with. */
static void begin(Work *w, const double *a, const double *lost, const int *states)
{
  for (int i = 0; i < w->n; i++) {
    for (int k = 0; k < w->n; k++) {
      ptrdiff_t at = (ptrdiff_t)states[i] * w->n + states[k];
      *h_at(w, i, k) = lost != NULL ? real_add(real_of(a[at]), real_of(lost[at])) : real_of(a[at]);
      w->p[(ptrdiff_t)i * w->n + k] = real_of(i == k ? 1.0 : 0.0);
    }
  }
}

bool REAL_SPECTRUM(const double *a, const double *lost, const int *states, HySpectrum *s)
{
  size_t n = (size_t)s->n, square = n * n;
  Number *numbers = calloc(4 * square, sizeof *numbers);
  Real *reals = calloc(2 * square + n, sizeof *reals);
  int *places = calloc(4 * n, sizeof *places);
  bool ok = numbers != NULL && reals != NULL && places != NULL;
  if (ok) {
    Work w = {.n = s->n, .h = reals, .p = reals + square};
    w.t = numbers, w.q = numbers + square, w.x = w.q + square, w.y = w.x + square;
    w.name = places, w.mate = places + n, w.cluster = w.mate + n, w.turned = w.cluster + n;
    begin(&w, a, lost, states);
    w.noise = NOISE * REAL_EPSILON * block_size(&w, 0, w.n - 1);
    for (int k = 0; k + 2 < w.n; k++) {
      hessenberg_column(&w, k, reals + 2 * square);
    }
    ok = qr_blocks(&w);
    if (ok) {
      make_triangle(&w);
      find_clusters(&w);
      invert_columns(&w);
      give_clusters(&w, s);
      for (int k = 0; k < w.n; k++) {
        if (s->counts[k] > 0) {
          give_vector(&w, states, k, s);
        }
      }
    }
  }
  free(numbers);
  free(reals);
  free(places);
  return ok;
}
