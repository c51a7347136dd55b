/* Exact motions of x' = A x + u(s) (N. Higham, Functions of matrices, chapters 2 and 10; the phi
 * functions are those of exponential integrators, M. Hochbruck and A. Ostermann).
 *
 * With y = W x, g = y'(0) = W (A x(0) + u_0) and w_j = W u_j each mode is, on its own,
 *
 *   y(s) - y(0) = s phi_1(l s) g + s^2 phi_2(l s) w_1 + 2 s^3 phi_3(l s) w_2 + 6 s^4 phi_4(l s) w_3
 *   y'(s)       =   phi_0(l s) g + s   phi_1(l s) w_1 + 2 s^2 phi_2(l s) w_2 + 6 s^3 phi_3(l s) w_3
 *
 * Differences from x(0) and not x itself, so that a state in equilibrium with a fast mode keeps its
 * digits. Of two conjugate modes one is kept, and counts twice; real parts are taken at the end. */
#include "modal.h"
#include "eigen.h"

#include <float.h>
#include <math.h>

/* ---- phi ---- */

#define PHI_TERMS 18       /* of the series, for |z| < 1: the next is 1/22! */
#define DEAD      (-745.0) /* e^z is 0 */

static const double factorial[] = {1.0, 1.0, 2.0, 6.0, 24.0};
static const double inverse[PHI_TERMS + HY_MODAL_LANES + 1] = {
    0.0,      1.0,      1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,
    1.0 / 8,  1.0 / 9,  1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15,
    1.0 / 16, 1.0 / 17, 1.0 / 18, 1.0 / 19, 1.0 / 20, 1.0 / 21, 1.0 / 22};

/* phi_k(z) = sum z^j / (j + k)! */
static double complex phi_series(double complex z, int k)
{
  double complex sum = 0.0;
  for (int j = PHI_TERMS; j > 0; j--) {
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
  if (k <= 1) {
    double complex e = phi_less_one(z);
    phi[0] = 1.0 + e;
    phi[k] = k == 0 ? phi[0] : size > 0.0 ? hy_times(e, conj(z) * (1.0 / size)) : 1.0;
    return;
  }
  if (size < 1.0) {
    phi[k] = phi_series(z, k);
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
    double last = creal(phi_series(z, k));
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
#define EQUAL 1e-4 /* of a rate: those that are nearer are looked at together (modal_falls.c) */

size_t hy_modal_room(int n)
{
  size_t square = (size_t)n * (size_t)n;
  return 5 * square + 5 * (size_t)n + hy_eigen_room(n);
}

/* |V| |W|, by the largest sums of rows, in the units that balance A and with columns of V of length
 * 1. LENGTH: [n] of working memory. */
static double modal_condition(int n, const double complex *right, const double complex *left,
                              const double *units, double *length)
{
  double v = 0.0, w = 0.0;
  for (int k = 0; k < n; k++) {
    double sum = 0.0;
    length[k] = 0.0;
    for (int i = 0; i < n; i++) {
      length[k] = fmax(length[k], cabs(right[(ptrdiff_t)i * n + k]) / units[i]);
      sum += cabs(left[(ptrdiff_t)k * n + i]) * units[i];
    }
    w = fmax(w, sum * length[k]);
  }
  for (int i = 0; i < n; i++) {
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
      sum += cabs(right[(ptrdiff_t)i * n + k]) / units[i] / length[k];
    }
    v = fmax(v, sum);
  }
  return v * w;
}

/* One of each pair of conjugates, for both. Where two rates are equal but for rounding, they and
 * their vectors may be complex and no conjugates: both are kept. */
static void modal_keep(HyModal *m, const double complex *value, const double complex *right,
                       const double complex *left)
{
  int n = m->n, first = 0;
  for (int k = 0; k < n; k++) {
    double apart = APART * cabs(value[k]);
    if (cimag(value[k]) < -apart) {
      continue;
    }
    double twice = cimag(value[k]) > apart ? 2.0 : 1.0;
    int mode = m->modes++;
    m->rate[mode] = fabs(cimag(value[k])) <= REAL * cabs(value[k]) ? creal(value[k]) : value[k];
    m->time[mode] = value[k] != 0.0 ? 1.0 / value[k] : 0.0;
    m->follows[mode] = mode > 0 && cabs(value[k] - m->rate[first]) <= EQUAL * cabs(value[k]);
    first = m->follows[mode] != 0.0 ? first : mode;
    for (int i = 0; i < n; i++) {
      m->from[(ptrdiff_t)i * n + mode] = twice * right[(ptrdiff_t)i * n + k];
      m->to[(ptrdiff_t)mode * n + i] = left[(ptrdiff_t)k * n + i];
    }
  }
}

bool hy_modal_init(HyModal *m, int n, const double *a, double complex *room)
{
  ptrdiff_t square = (ptrdiff_t)n * n;
  *m = (HyModal){.n = n,
                 .from = room,
                 .to = room + square,
                 .rate = room + 2 * square,
                 .time = room + 2 * square + n,
                 .follows = (double *)(room + 2 * square + 2 * (ptrdiff_t)n),
                 .a = (double *)(room + 2 * square + 3 * (ptrdiff_t)n)};
  double complex *right = room + 3 * square + 3 * (ptrdiff_t)n, *left = right + square;
  double complex *value = left + square;
  double *units = (double *)(value + n); /* [2 n] */
  for (ptrdiff_t i = 0; i < square; i++) {
    m->a[i] = a[i];
  }
  if (!hy_eigen_raw(n, a, value, right, left, units, value + 2 * (ptrdiff_t)n)) {
    return false;
  }
  m->condition = modal_condition(n, right, left, units, units + n);
  modal_keep(m, value, right, left);
  return isfinite(m->condition);
}

/* ---- a motion ---- */

void hy_motion_init(HyMotion *m, const HyModal *modal, int lanes, const double *x0, const double *u,
                    double complex *drive)
{
  int n = modal->n;
  *m = (HyMotion){modal, 1, x0, u, drive};
  for (int k = 0; k < modal->modes; k++) {
    for (int j = 0; j < HY_MODAL_LANES; j++) {
      drive[(ptrdiff_t)k * HY_MODAL_LANES + j] = 0.0;
    }
  }
  for (int i = 0; i < n; i++) {
    double g = u[(ptrdiff_t)i * HY_MODAL_LANES];
    for (int k = 0; k < n; k++) {
      g += modal->a[(ptrdiff_t)i * n + k] * x0[k];
    }
    for (int k = 0; k < modal->modes; k++) {
      double complex to = modal->to[(ptrdiff_t)k * n + i];
      drive[(ptrdiff_t)k * HY_MODAL_LANES] += to * g;
      for (int j = 1; j < lanes; j++) {
        drive[(ptrdiff_t)k * HY_MODAL_LANES + j] += to * u[(ptrdiff_t)i * HY_MODAL_LANES + j];
      }
    }
    for (int j = 1; j < lanes; j++) {
      m->lanes = u[(ptrdiff_t)i * HY_MODAL_LANES + j] != 0.0 && m->lanes <= j ? j + 1 : m->lanes;
    }
  }
}

double complex hy_motion_mode(const HyMotion *m, int k, double s, double complex *rate)
{
  const double complex *w = m->drive + (ptrdiff_t)k * HY_MODAL_LANES;
  double complex phi[HY_MODAL_LANES + 1], moved = 0.0, slope = 0.0;
  hy_phi(m->modal->rate[k] * s, m->lanes, phi);
  double power = 1.0;
  for (int j = 0; j < m->lanes; j++) {
    slope += power * hy_times(phi[j], w[j]);
    moved += power * s * hy_times(phi[j + 1], w[j]);
    power *= s * (j + 1);
  }
  *rate = slope;
  return moved;
}

void hy_motion_at(const HyMotion *m, double s, double *x, double *dx)
{
  int n = m->modal->n;
  for (int i = 0; i < n; i++) {
    x[i] = m->x0[i];
    if (dx != NULL) {
      dx[i] = 0.0;
    }
  }
  for (int k = 0; k < m->modal->modes; k++) {
    double complex rate, moved = hy_motion_mode(m, k, s, &rate);
    for (int i = 0; i < n; i++) {
      double complex from = m->modal->from[(ptrdiff_t)i * n + k];
      x[i] += creal(from) * creal(moved) - cimag(from) * cimag(moved);
      if (dx != NULL) {
        dx[i] += creal(from) * creal(rate) - cimag(from) * cimag(rate);
      }
    }
  }
}
