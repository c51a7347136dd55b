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

#include "spectrum.h"

#include <math.h>
#include <string.h>

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

size_t hy_modal_room(int n)
{
  size_t square = (size_t)n * (size_t)n;
  return 7 * square + 8 * (size_t)n + 2;
}

/* Not less than |z|, and at most 1.42 times that. */
static double modal_size(double complex z)
{
  return fabs(creal(z)) + fabs(cimag(z));
}

/* |V| |W|, by the largest sums of rows, in the units that balance A and with columns of V of length
 * 1. ROW is [n]. */
static double modal_condition(const HySpectrum *s, double *row)
{
  ptrdiff_t n = s->n;
  double right = 0.0, left = 0.0;
  memset(row, 0, (size_t)n * sizeof *row);
  for (ptrdiff_t k = 0; k < n; k++) {
    double sum = 0.0, length = 0.0;
    if (s->counts[k] == 0) {
      continue;
    }
    for (ptrdiff_t i = 0; i < n; i++) {
      length = fmax(length, modal_size(s->v[i * n + k]) / s->units[i]);
      sum += modal_size(s->w[k * n + i]) * s->units[i];
    }
    for (ptrdiff_t i = 0; i < n; i++) {
      row[i] += s->counts[k] * modal_size(s->v[i * n + k]) / s->units[i] / length;
      right = fmax(right, row[i]);
    }
    left = fmax(left, sum * length);
  }
  return right * left;
}

/* By what column K is multiplied and row K divided, if it is real but for that: it is where the
 * largest number is real. */
static double complex modal_turn(const HySpectrum *s, int k)
{
  double complex largest = 0.0;
  double most = 0.0, aside = 0.0;
  for (ptrdiff_t i = 0; i < s->n; i++) {
    double complex to = s->v[i * s->n + k];
    double size = modal_size(to) / s->units[i];
    largest = size > most ? to : largest;
    most = fmax(most, size);
    aside += fabs(cimag(to));
  }
  if (!(aside > 0.0)) {
    return 1.0;
  }
  largest *= ldexp(1.0, -ilogb(modal_size(largest))); /* no square is beyond the numbers */
  double re = creal(largest), im = cimag(largest), size = sqrt(re * re + im * im);
  return hy_complex(re / size, -im / size);
}

/* The next mode, TWICE if its conjugate is left out, is the one at K; returns by what its row is
 * divided. */
static double complex modal_add(HyModal *m, const HySpectrum *s, int k, double twice, bool real)
{
  ptrdiff_t n = m->n;
  int mode = m->modes++, at = m->wide;
  double complex rate = s->t[k * (n + 1)], turn = real ? modal_turn(s, k) : 1.0;
  m->rate[mode] = real ? creal(rate) : rate;
  m->growth = fmax(m->growth, creal(rate));
  m->time[mode] = rate != 0.0 ? 1.0 / m->rate[mode] : 0.0;
  m->at[mode] = at;
  m->wide = m->at[mode + 1] = at + (real ? 1 : 2);
  for (ptrdiff_t i = 0; i < n; i++) {
    double complex from = twice * hy_times(s->v[i * n + k], turn);
    m->from[at * n + i] = creal(from);
    if (!real) {
      m->from[(at + 1) * n + i] = -cimag(from);
    }
  }
  return turn;
}

/* Behind the modes, when it is known how wide they are. */
static void modal_add_left(HyModal *m, const HySpectrum *s, int k, int mode)
{
  ptrdiff_t n = m->n;
  bool real = m->at[mode + 1] - m->at[mode] == 1;
  double complex turn = real ? conj(modal_turn(s, k)) : 1.0;
  for (ptrdiff_t i = 0; i < n; i++) {
    double complex to = hy_times(s->w[k * n + i], turn);
    double *row = m->to + i * m->wide + m->at[mode];
    row[0] = creal(to);
    if (!real) {
      row[1] = cimag(to);
    }
  }
}

/* The fastest rate of the cluster from FIRST on; END: behind it. */
static double cluster_speed(const HySpectrum *s, int first, int *end)
{
  double speed = 0.0;
  int k = first;
  for (; k < s->n && s->first[k] == first; k++) {
    double complex rate = s->t[(ptrdiff_t)k * (s->n + 1)];
    speed = fmax(speed, modal_size(rate));
  }
  *end = k;
  return speed;
}

/* The modes from FIRST to END, whose rates, as a cluster, are SPEED at most; PLACE: of each. */
static void modal_add_cluster(HyModal *m, const HySpectrum *s, int first, int end, double speed,
                              int *place)
{
  ptrdiff_t n = m->n;
  int begin = m->modes;
  bool single = end - first == 1, real = single && s->counts[first] == 1;
  m->clusters += !single;
  for (int k = first; k < end; k++) {
    int mode = m->modes;
    for (int i = first; i <= k; i++) {
      m->t[(begin + i - first) * n + mode] = s->t[i * n + k];
    }
    place[mode] = k;
    m->counts[mode] = s->counts[k];
    m->first[mode] = begin;
    m->end[mode] = begin + end - first;
    m->speed[mode] = speed;
    modal_add(m, s, k, m->counts[mode], real);
  }
}

/* The fastest clusters first; one of two that are conjugates of each other is enough. */
static void modal_keep(HyModal *m, const HySpectrum *s, int *place)
{
  for (double last = INFINITY; last >= 0.0;) {
    double next = -1.0, speed;
    for (int first = 0, end; first < s->n; first = end) {
      speed = cluster_speed(s, first, &end);
      if (speed == last && s->counts[first] > 0) {
        modal_add_cluster(m, s, first, end, speed, place);
      }
      next = speed < last ? fmax(next, speed) : next;
    }
    last = next;
  }
  for (int mode = 0; mode < m->modes; mode++) {
    modal_add_left(m, s, place[mode], mode);
  }
}

/* No cluster is too large. */
static bool modal_is_small(const HySpectrum *s)
{
  int most = 0;
  for (int first = 0, end; first < s->n; first = end) {
    cluster_speed(s, first, &end);
    most = end - first > most ? end - first : most;
  }
  return most <= HY_CLUSTER_MOST;
}

bool hy_modal_init(HyModal *m, int n, const double *a, double complex *room)
{
  return hy_modal_init_exactly(m, n, a, NULL, NULL, room);
}

bool hy_modal_init_exactly(HyModal *m, int n, const double *a, HySpectrumLost *lost, void *user,
                           double complex *room)
{
  ptrdiff_t square = (ptrdiff_t)n * n;
  double complex *rate = room + 3 * square, *spectrum = rate + 4 * (ptrdiff_t)n + square + 1;
  double *numbers = (double *)(rate + 2 * (ptrdiff_t)n);
  int *places = (int *)(numbers + square + n);
  *m = (HyModal){.n = n, .from = (double *)room, .to = (double *)(room + square)};
  m->t = room + 2 * square, m->rate = rate, m->time = rate + n;
  m->a = numbers, m->speed = numbers + square;
  m->at = places, m->first = places + n + 1, m->end = m->first + n, m->counts = m->end + n;
  HySpectrum s = {.n = n, .v = spectrum, .t = spectrum + square, .w = spectrum + 2 * square};
  s.units = (double *)(spectrum + 3 * square);
  s.first = (int *)(s.units + 2 * (ptrdiff_t)n), s.counts = s.first + n;
  memcpy(m->a, a, (size_t)square * sizeof *a);
  if (!hy_spectrum(a, lost, user, &s)) {
    return false;
  }
  m->condition = modal_is_small(&s) ? modal_condition(&s, s.units + n) : INFINITY;
  if (isfinite(m->condition)) {
    modal_keep(m, &s, s.counts + n);
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
  double doubt = 0.0;
  for (ptrdiff_t i = 0; i < n; i++, to += m->wide) {
    double row = 0.0;
    for (ptrdiff_t j = 0; j < n; j++) {
      row += fabs(m->a[i * n + j]) * mode_size(m, k, from + j, n);
    }
    doubt += mode_size(m, k, to, 1) * row;
  }
  return unit * doubt / m->counts[k];
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

/* Y, of mode K in a cluster, becomes its y': those before it are done. */
static void cluster_rate(const HyModal *m, int k, double *y)
{
  double complex sum = 0.0;
  for (int i = k; i < m->end[k]; i++) {
    const double *of = y + (m->at[i] - m->at[k]);
    sum += hy_times(m->t[(ptrdiff_t)k * m->n + i], hy_complex(of[0], of[1]));
  }
  y[0] = creal(sum);
  y[1] = cimag(sum);
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
    if (modal->end[k] - modal->first[k] > 1) {
      cluster_rate(modal, k, y);
      continue;
    }
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
      if (by[j] != 0.0) { /* few states have an input */
        add_times(wide, by[j], to, drive + (ptrdiff_t)j * wide);
      }
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
  return m->modal->growth == 0.0 && m->modal->clusters == 0 &&
         sum < TAME && /* not where it is NaN */
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
  if (m->modal->end[k] - m->modal->first[k] > 1) {
    double complex slope[HY_CLUSTER_MOST], moved[HY_CLUSTER_MOST];
    hy_cluster_at(m, m->modal->first[k], s, moved, slope);
    *rate = slope[k - m->modal->first[k]];
    return moved[k - m->modal->first[k]];
  }
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

/* Likewise, all modes of a cluster. */
static void add_cluster(const HyMotion *m, int first, double s, double *x, double *dx)
{
  double complex moved[HY_CLUSTER_MOST], slope[HY_CLUSTER_MOST];
  hy_cluster_at(m, first, s, moved, slope);
  for (int k = first; k < m->modal->end[first]; k++) {
    add_mode(m->modal, k, moved[k - first], x);
    if (dx != NULL) {
      add_mode(m->modal, k, slope[k - first], dx);
    }
  }
}

/* A real mode of inputs that are constants, y'(0) being DRIVE: the numbers of hy_motion_mode(). */
static void add_real(const HyModal *m, int k, double s, double drive, double *x, double *dx)
{
  const double *from = m->from + (ptrdiff_t)m->at[k] * m->n;
  double z = creal(m->rate[k]) * s, e = z < DEAD ? -1.0 : expm1(z);
  add_times(m->n, s * ((z != 0.0 ? e / z : 1.0) * drive), from, x);
  add_times(m->n, (1.0 + e) * drive, from, dx);
}

/* Where it begins, with no cluster: y'(0) is the drive. */
static void add_first_slopes(const HyMotion *m, double *dx)
{
  for (int k = 0; k < m->modal->wide; k++) {
    add_times(m->modal->n, m->drive[k], m->modal->from + (ptrdiff_t)k * m->modal->n, dx);
  }
  if (m->sines != NULL) {
    hy_sines_at(m->sines, m->modal->n, 0.0, dx, dx);
  }
}

void hy_motion_at(const HyMotion *m, double s, double *x, double *dx)
{
  const HyModal *modal = m->modal;
  bool simple = m->lanes == 1 && (m->sines == NULL || !m->sines->meets);
  bool whole = !simple || dx != NULL;
  for (int i = 0; i < modal->n; i++) {
    x[i] = m->x0[i];
    if (dx != NULL) {
      dx[i] = 0.0;
    }
  }
  if (dx != NULL && s == 0.0 && modal->clusters == 0 && (m->sines == NULL || !m->sines->meets)) {
    add_first_slopes(m, dx);
    return;
  }
  for (int k = 0; k < modal->modes; k++) {
    const double *y = m->drive + modal->at[k];
    double complex rate;
    if (modal->end[k] - modal->first[k] > 1) {
      if (modal->first[k] == k) {
        add_cluster(m, k, s, x, dx);
      }
    } else if (simple && dx != NULL && modal->at[k + 1] - modal->at[k] == 1) {
      add_real(modal, k, s, y[0], x, dx);
    } else if (whole) {
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

bool hy_modal_reaches(const HyModal *m, int k, double complex rate, int state, double far)
{
  const double *from = m->from + (ptrdiff_t)m->at[k] * m->n + state;
  double most = mode_size(m, k, from, m->n) * modal_size(rate) * modal_size(m->time[k]);
  return 1.01 * most > far && hy_modal_reach(m, k, rate, state) > far;
}

double hy_modal_reach(const HyModal *m, int k, double complex rate, int state)
{
  const double *from = m->from + (ptrdiff_t)m->at[k] * m->n + state;
  double size = m->at[k + 1] - m->at[k] > 1 ? hypot(from[0], from[m->n]) : fabs(from[0]);
  return size * cabs(rate) * cabs(m->time[k]);
}
