/* Matrices of switched circuits and others whose modes rounding loses, each by a formula: x' = A x
 * + u from x(0). */
#ifndef HYDEVS_TESTS_NUMERICS_MATRICES_H
#define HYDEVS_TESTS_NUMERICS_MATRICES_H

#include "random.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define MATRIX_MOST 20

typedef struct {
  int n;
  double a[MATRIX_MOST * MATRIX_MOST], x0[MATRIX_MOST], u[MATRIX_MOST];
} Matrix;

static inline double *matrix_at(Matrix *m, int i, int k)
{
  return m->a + (ptrdiff_t)i * m->n + k;
}

/* ---- coils on one core ---- */

#define MATRICES_COILS 50

/* The first one at 24 V, coupled by K to WINDINGS others, these by K^2 to each other: each of them
 * is open but for OHM, with a capacitor and its load behind. In units of the coils the inverse of
 * their matrix is an arrow. */
static inline void matrix_of_coils(Matrix *m, double k, double ohm, int windings, int equal)
{
  static const double henry[] = {400e-6, 19.2e-6, 152e-6, 22e-6}, farad[] = {75e-6, 58e-6, 2.6e-6};
  static const double load[] = {2.3, 67.7, 7.0};
  *m = (Matrix){.n = 1 + 2 * windings};
  for (int i = 0; i <= windings; i++) {
    for (int j = 0; j <= windings; j++) {
      double part = i == j ? 1.0 : i == 0 || j == 0 ? -k : 0.0;
      part = i + j == 0 ? 1.0 + (windings - 1) * k * k : part;
      double inverse = part / (1.0 - k * k) / sqrt(henry[i] * henry[j]);
      *matrix_at(m, i, j) = -inverse * (j > 0 ? ohm : 1e-6);
      if (j > 0) {
        *matrix_at(m, i, windings + j) = -inverse;
      } else {
        m->u[i] = 24.0 * inverse;
      }
    }
  }
  for (int j = 0; j < windings; j++) {
    int i = 1 + windings + j, of = equal ? 0 : j;
    *matrix_at(m, i, 1 + j) = 1.0 / farad[of];
    *matrix_at(m, i, i) = -1.0 / (load[of] * farad[of]);
    m->x0[i] = 5.0;
  }
}

/* With one winding there is nothing to be equal. */
static inline void matrix_coils(Matrix *m, int number)
{
  static const int windings[] = {1, 2, 2, 3, 3};
  int kind = number % 5;
  matrix_of_coils(m, number < 25 ? 0.98 : 0.998, pow(10.0, 5 + number / 5 % 5), windings[kind],
                  kind % 2);
}

/* ---- circuits of coils, capacitors and switches ---- */

#define MATRICES_RANDOM 120

static inline double matrix_between(uint64_t *seed, double least, double most)
{
  return least * pow(most / least, 0.5 + 0.5 * random_signed(seed));
}

static inline int matrix_number(uint64_t *seed, int below)
{
  return (int)(below * (0.5 + 0.5 * random_signed(seed))) % below;
}

/* P becomes P^-1, by the pivots in their order: P is positive. */
static inline void matrix_invert(int n, __float128 *p)
{
  for (int k = 0; k < n; k++) {
    __float128 pivot = p[k * n + k];
    p[k * n + k] = 1;
    for (int j = 0; j < n; j++) {
      p[k * n + j] /= pivot;
    }
    for (int i = 0; i < n; i++) {
      __float128 by = p[i * n + k];
      for (int j = 0; i != k && j < n; j++) {
        p[i * n + j] = (j == k ? 0 : p[i * n + j]) - by * p[k * n + j];
      }
    }
  }
}

/* L^-1 of N coils, some two or three of which are coupled. */
static inline void matrix_inductors(int n, double stray, __float128 *p, uint64_t *seed)
{
  double henry[MATRIX_MOST];
  int core[MATRIX_MOST];
  double k = 1.0 - matrix_between(seed, 5e-4, 0.1);
  for (int i = 0; i < n; i++) {
    henry[i] = matrix_between(seed, random_signed(seed) < -0.5 ? stray : 1e-5, 1e-3);
    core[i] = i / 3;
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      double coupled = core[i] == core[j] && core[i] % 2 == 0 ? k : 0.0;
      p[i * n + j] = (i == j ? 1.0 : coupled) * sqrt(henry[i] * henry[j]);
    }
  }
  matrix_invert(n, p);
}

/* What is not a coil in the loops of COILS, and not a capacitor beside COUNT of them: A B A' of
 * parts B, many of them switches, which are shared by one or two. OPEN: as they are if they do not
 * conduct what flows (as resistances) or do (as conductances). */
static inline void matrix_parts(int count, double least, double most, double on, double off,
                                double *sum, uint64_t *seed)
{
  for (int part = 0; part < 2 * count; part++) {
    double kind = random_signed(seed);
    double value = kind < -0.3 ? on : kind < 0.3 ? off : matrix_between(seed, least, most);
    int i = part < count ? part : matrix_number(seed, count), j = matrix_number(seed, count);
    double sign = random_signed(seed) < 0.0 ? -1.0 : 1.0;
    sum[i * count + i] += value;
    if (i != j) {
      sum[j * count + j] += value;
      sum[i * count + j] += sign * value;
      sum[j * count + i] += sign * value;
    }
  }
}

typedef struct {
  int coils, farads;
  __float128 p[MATRIX_MOST * MATRIX_MOST]; /* L^-1 */
  double r[MATRIX_MOST * MATRIX_MOST], g[MATRIX_MOST * MATRIX_MOST], e[MATRIX_MOST * MATRIX_MOST];
  double volt[MATRIX_MOST];
} Network;

/* A capacitor in each loop of a coil or beside it, and as many more. */
static inline void matrix_network(Network *w, double stray, double on, double off, uint64_t *seed)
{
  matrix_inductors(w->coils, stray, w->p, seed);
  matrix_parts(w->coils, 1e-2, 1e2, on, off, w->r, seed);
  matrix_parts(w->farads, 1e-3, 1.0, 1.0 / off, 1.0 / on, w->g, seed);
  for (int j = 0; j < w->coils; j++) {
    w->volt[j] = 24.0 * random_signed(seed);
  }
  for (int k = 0; k < w->coils + w->farads; k++) {
    int coil = matrix_number(seed, w->coils);
    w->e[coil * w->farads + k % w->farads] = random_signed(seed) < 0.0 ? -1.0 : 1.0;
  }
}

/* Row I of a coil, L i' = E v - R i + U: in each loop a source, so that no current is what rounding
 * leaves of 0. */
static inline void matrix_coil_row(Matrix *m, const Network *w, int i)
{
  __float128 drive = 0;
  for (int k = 0; k < m->n; k++) {
    __float128 sum = 0;
    for (int j = 0; j < w->coils; j++) {
      double of = k < w->coils ? -w->r[j * w->coils + k] : w->e[j * w->farads + k - w->coils];
      sum += w->p[i * w->coils + j] * of;
    }
    *matrix_at(m, i, k) = (double)sum;
  }
  for (int j = 0; j < w->coils; j++) {
    drive += w->volt[j] * w->p[i * w->coils + j];
  }
  m->u[i] = (double)drive;
}

/* Row I of a capacitor, C v' = -E' i - G v. */
static inline void matrix_farad_row(Matrix *m, const Network *w, int i, uint64_t *seed)
{
  double farad = matrix_between(seed, random_signed(seed) < -0.5 ? 1e-10 : 1e-7, 1e-3);
  int of = i - w->coils;
  for (int k = 0; k < m->n; k++) {
    *matrix_at(m, i, k) =
        (k < w->coils ? -w->e[k * w->farads + of] : -w->g[of * w->farads + k - w->coils]) / farad;
  }
  m->x0[i] = 10.0 * random_signed(seed);
}

static inline void matrix_random(Matrix *m, int number)
{
  static const double ons[] = {1e-6, 1e-4, 1e-3, 50e-3}, offs[] = {1e4, 1e6, 1e9};
  uint64_t seed = 77 + 1000003 * (uint64_t)(number + 1);
  int n = 2 + number % (MATRIX_MOST - 1), coils = (n + 1) / 2;
  Network w = {.coils = coils, .farads = n - coils};
  *m = (Matrix){.n = n};
  for (int k = 0; k < 5; k++) {
    random_signed(&seed);
  }
  matrix_network(&w, number % 2 == 0 ? 1e-9 : 1e-7, ons[number % 4], offs[number / 4 % 3], &seed);
  for (int i = 0; i < n; i++) {
    if (i < coils) {
      matrix_coil_row(m, &w, i);
    } else {
      matrix_farad_row(m, &w, i, &seed);
    }
  }
}

/* ---- equal parts ---- */

#define MATRICES_EQUAL 32

/* Stages of a Cuk converter on one capacitor, four of them or three, each on or off by a bit of
 * NUMBER: x = (i1, v1, i2) of each, v. Those that do the same have equal rates and vectors of their
 * own, which rounding tells apart by chance. */
static inline void matrix_equal(Matrix *m, int number)
{
  static const double henry = 1e-4, farad = 1e-4, on = 1e-5;
  int stages = number < 16 ? 4 : 3, n = 3 * stages + 1, v = n - 1;
  *m = (Matrix){.n = n};
  for (int k = 0; k < stages; k++) {
    int i1 = 3 * k, v1 = i1 + 1, i2 = i1 + 2, off = (number >> k & 1) == 0;
    *matrix_at(m, i1, i1) = *matrix_at(m, i1, i2) = -on / henry;
    *matrix_at(m, i2, i1) = *matrix_at(m, i2, i2) = -on / henry;
    *matrix_at(m, off ? i1 : i2, v1) = off ? -1.0 / henry : 1.0 / henry;
    *matrix_at(m, v1, off ? i1 : i2) = off ? 1.0 / farad : -1.0 / farad;
    *matrix_at(m, i2, v) = -1.0 / henry;
    *matrix_at(m, v, i2) = 1.0 / farad;
    m->x0[i1] = 1.0 + k, m->x0[v1] = 30.0 - k, m->x0[i2] = 0.5;
    m->u[i1] = 24.0 / henry;
  }
  *matrix_at(m, v, v) = -1.0 / (10.0 * farad);
  m->x0[v] = 12.0;
}

/* ---- too few vectors ---- */

#define MATRICES_JORDAN 6

/* A chain of N rates from state FROM on, each state fed by the next one. */
static inline void matrix_chain(Matrix *m, int from, int n, const double *rate, double gain)
{
  for (int i = from; i < from + n; i++) {
    *matrix_at(m, i, i) = rate[i - from];
    if (i + 1 < from + n) {
      *matrix_at(m, i, i + 1) = gain;
    }
    m->x0[i] = 1.0 + i;
  }
  m->u[from + n - 1] = 1.0;
}

static inline void matrix_jordan(Matrix *m, int number)
{
  static const int n[MATRICES_JORDAN] = {2, 3, 4, 5, 3, 4};
  static const double none[3], equal[] = {-700.0, -700.0, -700.0, -700.0};
  static const double near[] = {-1000.0, -1000.0 * (1.0 + 1e-7), -1000.0 * (1.0 - 1e-7)};
  *m = (Matrix){.n = n[number]};
  switch (number) {
  case 0: /* 1/s^2 */
    matrix_chain(m, 0, 2, none, 1.0);
    break;
  case 1: /* 1/s^3 */
    matrix_chain(m, 0, 3, none, 1.0);
    break;
  case 2: /* at critical damping, and a 1/s^2 that it drives */
    matrix_chain(m, 0, 2, none, 1.0);
    *matrix_at(m, 2, 3) = 1.0;
    *matrix_at(m, 3, 2) = -250000.0;
    *matrix_at(m, 3, 3) = -1000.0;
    *matrix_at(m, 1, 2) = 1.0;
    m->x0[2] = 1.0;
    break;
  case 3: /* four of one rate, which a fast one reads and drives */
    matrix_chain(m, 0, 4, equal, 500.0);
    *matrix_at(m, 4, 4) = -1e13;
    *matrix_at(m, 4, 0) = 1e13;
    *matrix_at(m, 3, 4) = 1e-3;
    break;
  case 4: /* three that are near */
    matrix_chain(m, 0, 3, near, 1000.0);
    break;
  default: /* 1/s^3 beside a fast one that reads it */
    matrix_chain(m, 0, 3, none, 1.0);
    *matrix_at(m, 3, 3) = -1e12;
    *matrix_at(m, 3, 0) = 1e12;
    *matrix_at(m, 3, 1) = -3e11;
    break;
  }
}

/* ---- parts that nobody answers, or hardly ---- */

#define MATRICES_PARTS 60

/* A coil and a capacitor whose switch is open: they hardly see each other. */
static inline void matrix_open_pair(Matrix *m, int at, uint64_t *seed)
{
  double henry = matrix_between(seed, 1e-5, 1e-3), farad = matrix_between(seed, 1e-6, 1e-4);
  double off = matrix_between(seed, 1e4, 1e10), on = matrix_between(seed, 1e-6, 1e-2);
  *matrix_at(m, at, at) = -on / henry;
  *matrix_at(m, at, at + 1) = on / off / henry;
  *matrix_at(m, at + 1, at) = -on / off / farad;
  *matrix_at(m, at + 1, at + 1) = -1.0 / (matrix_between(seed, 1.0, 100.0) * farad);
  m->x0[at] = 5.0 * random_signed(seed);
  m->x0[at + 1] = 40.0 * random_signed(seed);
  m->u[at] = 24.0 / henry;
}

/* Controllers behind open pairs: each reads states before it, by a gain of any size, and is an
 * integral or a filter. */
static inline void matrix_parts_alone(Matrix *m, int number)
{
  uint64_t seed = 99 + 1000003 * (uint64_t)(number + 1);
  int pairs = 1 + number % 2, n = 2 * pairs + 1 + number % 3;
  *m = (Matrix){.n = n};
  for (int k = 0; k < pairs; k++) {
    matrix_open_pair(m, 2 * k, &seed);
  }
  for (int i = 2 * pairs; i < n; i++) {
    *matrix_at(m, i, matrix_number(&seed, i)) = random_size(&seed, number < 30 ? 2.0 : 9.0);
    *matrix_at(m, i, 1) = random_size(&seed, 2.0);
    *matrix_at(m, i, i) = random_signed(&seed) < 0.0 ? 0.0 : -matrix_between(&seed, 10.0, 1e5);
    m->u[i] = 100.0 * random_signed(&seed);
  }
  if (number % 4 == 3) { /* it is answered, by next to nothing */
    *matrix_at(m, 0, n - 1) = 1e-20 * random_size(&seed, 1.0);
  }
}

/* ---- sizes ---- */

#define MATRICES_SIZES 3

static inline void matrix_sizes(Matrix *m, int number)
{
  static const double rate = -1000.0;
  *m = (Matrix){.n = number == 0 ? 3 : number == 1 ? 17 : 12};
  for (int i = 0; i < m->n; i++) {
    *matrix_at(m, i, i) = number == 1 ? -pow(10.0, 14 - i) : rate * exp2(i);
    m->x0[i] = number == 1 ? 1.0 : 0.0;
  }
  if (number == 0) { /* 1e150 and 1e-150 in one matrix */
    *matrix_at(m, 0, 1) = 3e152, *matrix_at(m, 1, 0) = -2e-148;
    *matrix_at(m, 1, 2) = 7e-149, *matrix_at(m, 2, 1) = 4e151;
    m->x0[1] = 1.0;
  } else if (number == 1) { /* 17 rates a decade apart, all of them together */
    for (int i = 0; i < m->n; i++) {
      for (int k = 0; k < m->n; k++) {
        *matrix_at(m, i, k) += i == k ? 0.0 : 0.05 * cos(7.0 * i + 3.0 * k) * *matrix_at(m, i, i);
      }
    }
  } else { /* a gain of 1e-30, eleven times */
    m->x0[0] = 1.0;
    for (int i = 1; i < m->n; i++) {
      *matrix_at(m, i, i - 1) = -1e-30 * *matrix_at(m, i, i);
    }
  }
}

#endif
