/* Exact motions of x' = A x + u(s) (N. Higham, Functions of matrices, chapters 2 and 10; the phi
 * functions are those of exponential integrators, M. Hochbruck and A. Ostermann).
 *
 * With y = W x, g = y'(0) = l W x(0) + W u_0 and w_j = W u_j each mode is, on its own,
 *
 *   y(s) - y(0) = s phi_1(l s) g + s^2 phi_2(l s) w_1 + 2 s^3 phi_3(l s) w_2 + 6 s^4 phi_4(l s) w_3
 *   y'(s)       =   phi_0(l s) g + s   phi_1(l s) w_1 + 2 s^2 phi_2(l s) w_2 + 6 s^3 phi_3(l s) w_3
 *
 * Differences from x(0) and not x itself, so that a state in equilibrium with a fast mode keeps its
 * digits; g by rates and never by A x(0), whose rounding is that of the fastest rate. Of two
 * conjugate modes one is kept, and counts twice; real parts are taken at the end. */
#include "modal.h"

#include <float.h>
#include <math.h>

/* ---- phi ---- */

#define PHI_TERMS  18       /* of the series, for |z| < 1: the next is 1/22! */
#define DEAD       (-745.0) /* e^z is 0 */
#define GONE       (-40.0)  /* e^z - 1 is -1 */
#define NEAR       0.01     /* |z|^2: so many terms do */
#define NEAR_TERMS 9

static const double factorial[] = {1.0, 1.0, 2.0, 6.0, 24.0};
static const double inverse[PHI_TERMS + HY_MODAL_LANES + 1] = {
    0.0,      1.0,      1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,
    1.0 / 8,  1.0 / 9,  1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15,
    1.0 / 16, 1.0 / 17, 1.0 / 18, 1.0 / 19, 1.0 / 20, 1.0 / 21, 1.0 / 22};

/* phi_k(z) = sum z^j / (j + k)! */
static double complex phi_series(double complex z, int k, int terms)
{
  double complex sum = 0.0;
  for (int j = terms; j > 0; j--) {
    sum = hy_times(z, sum + 1.0) * inverse[j + k];
  }
  return (sum + 1.0) * (1.0 / factorial[k]);
}

/* e^z - 1, without cancellation: (e^a - 1) cos b - 2 sin(b/2)^2 + i e^a sin b. */
static double complex phi_less_one(double complex z)
{
  double a = creal(z) < DEAD ? -1.0 : expm1(creal(z));
  double b = cimag(z), half = sin(0.5 * b);
  return hy_complex(a * cos(b) - 2.0 * half * half, (a + 1.0) * sin(b));
}

static void phi_complex(double complex z, int k, double complex *phi)
{
  double size = creal(z) * creal(z) + cimag(z) * cimag(z);
  if (k == 1 && size < NEAR) {
    phi[1] = phi_series(z, 1, NEAR_TERMS);
    phi[0] = 1.0 + hy_times(z, phi[1]);
    return;
  }
  if (k <= 1) {
    double complex e = phi_less_one(z);
    phi[0] = 1.0 + e;
    phi[k] = k == 0 ? phi[0] : hy_times(e, conj(z) * (1.0 / size));
    return;
  }
  if (size < 1.0) {
    phi[k] = phi_series(z, k, PHI_TERMS);
    for (int j = k; j > 0; j--) {
      phi[j - 1] = hy_times(z, phi[j]) + 1.0 / factorial[j - 1];
    }
    return;
  }
  double complex by = conj(z) / size;
  double length = creal(z) < DEAD ? 0.0 : exp(creal(z));
  phi[0] = hy_complex(length * cos(cimag(z)), length * sin(cimag(z)));
  for (int j = 0; j < k; j++) {
    phi[j + 1] = hy_times(by, phi[j] - 1.0 / factorial[j]);
  }
}

static void phi_real(double z, int k, double complex *phi)
{
  if (k <= 1) {
    double e = z < DEAD ? -1.0 : expm1(z);
    phi[0] = 1.0 + e;
    phi[k] = k == 0 ? 1.0 + e : z != 0.0 ? e / z : 1.0;
  } else if (fabs(z) < 1.0) {
    double last = creal(phi_series(z, k, PHI_TERMS));
    phi[k] = last;
    for (int j = k; j > 0; j--) {
      phi[j - 1] = last = z * last + 1.0 / factorial[j - 1];
    }
  } else {
    double e = z < DEAD ? 0.0 : exp(z);
    phi[0] = e;
    for (int j = 0; j < k; j++) {
      phi[j + 1] = e = (e - 1.0 / factorial[j]) / z;
    }
  }
}

/* Near 0 from the last one down, which loses nothing; elsewhere from the first one up. */
void hy_phi(double complex z, int k, double complex *phi)
{
  if (cimag(z) == 0.0) {
    phi_real(creal(z), k, phi);
  } else {
    phi_complex(z, k, phi);
  }
}

/* ---- the modes of a matrix ---- */

#define APART 1e-3 /* of a rate: conjugates that are farther apart are so, with their vectors */
#define REAL  (4.0 * DBL_EPSILON) /* of a rate: what is less is no imaginary part */
#define TURNED                                                                                     \
  1e-9             /* of a vector: so much of it may be imaginary, as the product of two counts    \
                    */
#define EQUAL 1e-4 /* of a rate: those that are nearer are looked at together (modal_falls.c) */

size_t hy_modal_room(int n)
{
  size_t square = (size_t)n * (size_t)n;
  return 5 * square + 6 * (size_t)n + 1 + hy_eigen_room(n);
}

/* What the QR algorithm leaves. */
typedef struct {
  int n;
  double complex *value, *right, *left; /* [n], [n][n], [n][n] */
  double *units, *length;               /* [n], [n]: of columns of RIGHT in units */
} Modes;

static double complex modes_right(const Modes *v, int i, int k)
{
  return v->right[(ptrdiff_t)i * v->n + k];
}

static double complex modes_left(const Modes *v, int k, int i)
{
  return v->left[(ptrdiff_t)k * v->n + i];
}

/* |V| |W|, by the largest sums of rows, in the units that balance A and with columns of V of length
 * 1. */
static double modal_condition(const Modes *v)
{
  double right = 0.0, left = 0.0;
  for (int k = 0; k < v->n; k++) {
    double sum = 0.0;
    v->length[k] = 0.0;
    for (int i = 0; i < v->n; i++) {
      v->length[k] = fmax(v->length[k], cabs(modes_right(v, i, k)) / v->units[i]);
      sum += cabs(modes_left(v, k, i)) * v->units[i];
    }
    left = fmax(left, sum * v->length[k]);
  }
  for (int i = 0; i < v->n; i++) {
    double sum = 0.0;
    for (int k = 0; k < v->n; k++) {
      sum += cabs(modes_right(v, i, k)) / v->units[i] / v->length[k];
    }
    right = fmax(right, sum);
  }
  return right * left;
}

/* A vector may have any factor: the one that makes column K real, if there is one; else 0. */
static double complex modes_turn(const Modes *v, int k)
{
  double complex largest = 0.0;
  double most = 0.0, sum = 0.0, aside_right = 0.0, aside_left = 0.0;
  for (int i = 0; i < v->n; i++) {
    double size = cabs(modes_right(v, i, k)) / v->units[i];
    largest = size > most ? modes_right(v, i, k) : largest;
    most = fmax(most, size);
  }
  double complex turn = conj(largest) / cabs(largest);
  for (int i = 0; i < v->n; i++) {
    double complex to = modes_left(v, k, i) * conj(turn) * v->units[i];
    aside_right = fmax(aside_right, fabs(cimag(modes_right(v, i, k) * turn)) / v->units[i]);
    aside_left = fmax(aside_left, fabs(cimag(to)));
    sum = fmax(sum, cabs(to));
  }
  return aside_right <= TURNED * most && aside_left <= TURNED * sum ? turn : 0.0;
}

/* Column K as the next mode, which counts TWICE if its conjugate is left out. */
static void modal_add(HyModal *m, const Modes *v, int k, double complex rate, double twice)
{
  int n = m->n, mode = m->modes++, at = m->wide;
  double complex turn = cimag(rate) == 0.0 ? modes_turn(v, k) : 0.0;
  bool real = turn != 0.0;
  m->rate[mode] = rate;
  m->growth = fmax(m->growth, creal(rate));
  m->time[mode] = rate != 0.0 ? 1.0 / rate : 0.0;
  m->at[mode] = at;
  m->wide = m->at[mode + 1] = at + (real ? 1 : 2);
  for (int i = 0; i < n; i++) {
    double complex from = twice * modes_right(v, i, k) * (real ? turn : 1.0);
    m->from[(ptrdiff_t)at * n + i] = creal(from);
    if (!real) {
      m->from[(ptrdiff_t)(at + 1) * n + i] = -cimag(from);
    }
  }
}

/* Behind the modes, when it is known how wide they are. */
static void modal_add_left(HyModal *m, const Modes *v, int k, int mode)
{
  bool real = m->at[mode + 1] - m->at[mode] == 1;
  double complex turn = real ? conj(modes_turn(v, k)) : 1.0;
  for (int i = 0; i < m->n; i++) {
    double complex to = modes_left(v, k, i) * turn;
    double *row = m->to + (ptrdiff_t)i * m->wide + m->at[mode];
    row[0] = creal(to);
    if (!real) {
      row[1] = cimag(to);
    }
  }
}

/* One of each pair of conjugates, for both. Where two rates are equal but for rounding, they and
 * their vectors may be complex and no conjugates: both are kept. */
static void modal_keep(HyModal *m, const Modes *v)
{
  int first = 0;
  for (int k = 0; k < v->n; k++) {
    double complex value = v->value[k];
    double apart = APART * cabs(value);
    if (cimag(value) < -apart) {
      continue;
    }
    double twice = cimag(value) > apart ? 2.0 : 1.0;
    int mode = m->modes;
    modal_add(m, v, k, fabs(cimag(value)) <= REAL * cabs(value) ? creal(value) : value, twice);
    m->follows[mode] = mode > 0 && cabs(value - m->rate[first]) <= EQUAL * cabs(value);
    first = m->follows[mode] != 0.0 ? first : mode;
  }
  for (int k = 0, mode = 0; k < v->n; k++) {
    if (!(cimag(v->value[k]) < -APART * cabs(v->value[k]))) {
      modal_add_left(m, v, k, mode++);
    }
  }
}

bool hy_modal_init(HyModal *m, int n, const double *a, double complex *room)
{
  ptrdiff_t square = (ptrdiff_t)n * n;
  *m = (HyModal){.n = n,
                 .from = (double *)room,
                 .to = (double *)(room + square),
                 .rate = room + 2 * square,
                 .time = room + 2 * square + n,
                 .follows = (double *)(room + 2 * square + 2 * (ptrdiff_t)n),
                 .at = (int *)(room + 2 * square + 3 * (ptrdiff_t)n),
                 .a = (double *)(room + 2 * square + 4 * (ptrdiff_t)n + 1)};
  double complex *right = room + 3 * square + 4 * (ptrdiff_t)n + 1, *value = right + 2 * square;
  Modes v = {n, value, right, right + square, (double *)(value + n), (double *)(value + n) + n};
  for (ptrdiff_t i = 0; i < square; i++) {
    m->a[i] = a[i];
  }
  if (!hy_eigen_raw(n, a, value, right, v.left, v.units, value + 2 * (ptrdiff_t)n)) {
    return false;
  }
  m->condition = modal_condition(&v);
  if (isfinite(m->condition)) {
    modal_keep(m, &v);
  }
  return isfinite(m->condition);
}

/* ---- what elements of the matrix leave open ---- */

/* Of an element of a vector of mode K, at most 1.42 times too much; the other number of one that is
 * not real stands APART. */
static double mode_size(const HyModal *m, int k, const double *of, ptrdiff_t apart)
{
  return fabs(of[0]) + (m->at[k + 1] - m->at[k] > 1 ? fabs(of[apart]) : 0.0);
}

/* unit |w| |A| |v|, to first order what may be wrong with l. Of two conjugates the one that is kept
 * has both: v is twice as long. */
static double mode_doubt(const HyModal *m, int k, double unit)
{
  ptrdiff_t n = m->n;
  const double *from = m->from + m->at[k] * n, *to = m->to + m->at[k];
  double doubt = 0.0, twice = cimag(m->rate[k]) != 0.0 ? 2.0 : 1.0;
  for (ptrdiff_t i = 0; i < n; i++, to += m->wide) {
    double row = 0.0;
    for (ptrdiff_t j = 0; j < n; j++) {
      row += fabs(m->a[i * n + j]) * mode_size(m, k, from + j, n);
    }
    doubt += mode_size(m, k, to, 1) * row;
  }
  return unit * doubt / twice;
}

double hy_modal_doubt(const HyModal *m, double unit, double share)
{
  double most = 0.0;
  for (int k = 0; k < m->modes; k++) {
    double doubt = mode_doubt(m, k, unit);
    most = doubt > share * cabs(m->rate[k]) ? fmax(most, doubt) : most;
  }
  return most;
}

/* ---- a motion ---- */

typedef double Two __attribute__((vector_size(2 * sizeof(double)), aligned(8), may_alias));

/* TO += FACTOR FROM */
static inline void add_times(int n, double factor, const double *from, double *to)
{
  int i = 0;
  for (; i + 1 < n; i += 2) {
    *(Two *)(to + i) += factor * *(const Two *)(from + i);
  }
  if (i < n) {
    to[i] += factor * from[i];
  }
}

void hy_motion_init(HyMotion *m, const HyModal *modal, int lanes, const double *x0, const double *u,
                    double *drive)
{
  int n = modal->n, wide = modal->wide;
  *m = (HyMotion){modal, lanes, x0, u, drive, NULL};
  for (int k = 0; k < m->lanes * wide; k++) {
    drive[k] = 0.0;
  }
  for (int i = 0; i < n; i++) {
    add_times(wide, x0[i], modal->to + (ptrdiff_t)i * wide, drive);
  }
  for (int k = 0; k < modal->modes; k++) {
    double *y = drive + modal->at[k];
    double re = creal(modal->rate[k]), im = cimag(modal->rate[k]), was = y[0];
    y[0] *= re;
    if (modal->at[k + 1] - modal->at[k] > 1) {
      y[0] -= im * y[1];
      y[1] = re * y[1] + im * was;
    }
  }
  for (int i = 0; i < n; i++) {
    const double *to = modal->to + (ptrdiff_t)i * wide, *by = u + (ptrdiff_t)i * HY_MODAL_LANES;
    for (int j = 0; j < lanes; j++) {
      add_times(wide, by[j], to, drive + (ptrdiff_t)j * wide);
    }
  }
}

#define TAME 1e100 /* far from the end of the numbers */

bool hy_motion_is_tame(const HyMotion *m, double s)
{
  int wide = m->modal->wide;
  double sum = 0.0;
  for (int j = m->lanes - 1; j >= 0; j--) {
    for (int k = 0; k < wide; k++) {
      sum += fabs(m->drive[(ptrdiff_t)j * wide + k]);
    }
    sum *= s;
  }
  return m->modal->growth == 0.0 && sum < TAME && /* not where it is NaN */
         (m->sines == NULL || !m->sines->meets);
}

/* What a real mode of inputs that are constants has moved by at S, for y'(0) = 1. */
static double moved_simply(double l, double s)
{
  double z = l * s;
  return z < GONE ? -1.0 / l : z != 0.0 ? s * (expm1(z) / z) : s;
}

/* Likewise of another one: s phi_1(l s). */
static double complex moved_round(double complex l, double s)
{
  double complex z = l * s;
  double size = creal(z) * creal(z) + cimag(z) * cimag(z);
  return s * (size < NEAR ? phi_series(z, 1, NEAR_TERMS)
                          : hy_times(phi_less_one(z), conj(z) * (1.0 / size)));
}

double complex hy_motion_mode(const HyMotion *m, int k, double s, double complex *rate)
{
  const double *w = m->drive + m->modal->at[k];
  bool real = m->modal->at[k + 1] - m->modal->at[k] == 1;
  double complex phi[HY_MODAL_LANES + 1], moved = 0.0, slope = 0.0;
  hy_phi(m->modal->rate[k] * s, m->lanes, phi);
  double power = 1.0;
  for (int j = 0; j < m->lanes; j++) {
    double complex drive = hy_complex(w[0], real ? 0.0 : w[1]);
    slope += power * hy_times(phi[j], drive);
    moved += power * s * hy_times(phi[j + 1], drive);
    power *= s * (j + 1);
    w += m->modal->wide;
  }
  if (m->sines != NULL && m->sines->meets) {
    hy_sines_mode(m, k, s, &moved, &slope);
  }
  *rate = slope;
  return moved;
}

static void add_mode(const HyModal *m, int k, double complex y, double *x)
{
  const double *from = m->from + (ptrdiff_t)m->at[k] * m->n;
  add_times(m->n, creal(y), from, x);
  if (m->at[k + 1] - m->at[k] > 1) {
    add_times(m->n, cimag(y), from + m->n, x);
  }
}

void hy_motion_at(const HyMotion *m, double s, double *x, double *dx)
{
  const HyModal *modal = m->modal;
  bool whole = m->lanes > 1 || dx != NULL || (m->sines != NULL && m->sines->meets);
  for (int i = 0; i < modal->n; i++) {
    x[i] = m->x0[i];
    if (dx != NULL) {
      dx[i] = 0.0;
    }
  }
  for (int k = 0; k < modal->modes; k++) {
    const double *y = m->drive + modal->at[k];
    double complex rate;
    if (whole) {
      add_mode(modal, k, hy_motion_mode(m, k, s, &rate), x);
      if (dx != NULL) {
        add_mode(modal, k, rate, dx);
      }
    } else if (modal->at[k + 1] - modal->at[k] == 1) {
      double moved = moved_simply(creal(modal->rate[k]), s) * y[0];
      add_times(modal->n, moved, modal->from + (ptrdiff_t)modal->at[k] * modal->n, x);
    } else {
      double complex moved = moved_round(modal->rate[k], s);
      add_mode(modal, k, hy_times(moved, hy_complex(y[0], y[1])), x);
    }
  }
  if (m->sines != NULL) {
    hy_sines_at(m->sines, modal->n, s, x, dx);
  }
}

double hy_modal_reach(const HyModal *m, int k, double complex rate, int state)
{
  const double *from = m->from + (ptrdiff_t)m->at[k] * m->n + state;
  double size = m->at[k + 1] - m->at[k] > 1 ? hypot(from[0], from[m->n]) : fabs(from[0]);
  return size * cabs(rate) * cabs(m->time[k]);
}
