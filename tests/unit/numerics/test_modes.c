/* Motions by modes against the exponential of the matrix in 113 bits, by squaring: the states of
 * each set of matrices.h at 24 instants, 0.93 ns .. 7.8 ms, each as a part of its own largest
 * value. */
#include "matrices.h"
#include "numerics/modal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

#define INSTANTS 24
#define FIRST    0x1p-30
#define ORDER    (MATRIX_MOST + 1) /* with a state that is 1, by which inputs drive */

/* ---- the truth ---- */

typedef struct {
  int n;
  __float128 e[ORDER * ORDER], power[ORDER * ORDER], next[ORDER * ORDER]; /* E: exponential - 1 */
  int unit[ORDER];                                                        /* powers of 2 */
} Truth;

static __float128 truth_two(int power)
{
  __float128 two = 1;
  for (int k = 0; k < abs(power); k++) {
    two *= power > 0 ? 2.0 : 0.5;
  }
  return two;
}

static double truth_size(__float128 x)
{
  return (double)(x < 0 ? -x : x);
}

static void truth_times(int n, const __float128 *a, const __float128 *b, __float128 *c)
{
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) {
      __float128 sum = 0;
      for (int j = 0; j < n; j++) {
        if (a[i * n + j] != 0) {
          sum += a[i * n + j] * b[j * n + k];
        }
      }
      c[i * n + k] = sum;
    }
  }
}

/* The size of row or column I of A, with or without what is on the diagonal. */
static double truth_sum(const Truth *t, int i, bool row, bool whole)
{
  double sum = 0.0;
  for (int k = 0; k < t->n - 1; k++) {
    sum += whole || k != i ? truth_size(t->power[row ? i * t->n + k : k * t->n + i]) : 0.0;
  }
  return sum;
}

/* A and u in units in which rows are as large as columns; the largest row. */
static double truth_balance(Truth *t, const Matrix *m)
{
  double largest = 0.0;
  int n = t->n = m->n + 1;
  for (int i = 0; i < n; i++) {
    t->unit[i] = 0;
    for (int k = 0; k < n; k++) {
      t->power[i * n + k] = i == m->n ? 0 : k == m->n ? m->u[i] : m->a[i * m->n + k];
    }
  }
  for (int turn = 0; turn < 20 * n; turn++) {
    int i = turn % m->n;
    double row = truth_sum(t, i, true, false), column = truth_sum(t, i, false, false);
    int by = row > 0.0 && column > 0.0 ? (int)(0.5 * (log2(row) - log2(column))) : 0;
    t->unit[i] += by;
    for (int k = 0; k < n; k++) {
      t->power[i * n + k] *= truth_two(-by);
      t->power[k * n + i] *= truth_two(by);
    }
  }
  for (int i = 0; i < m->n; i++) {
    largest = fmax(largest, truth_sum(t, i, true, true));
  }
  return largest;
}

static void truth_double(Truth *t)
{
  truth_times(t->n, t->e, t->e, t->next);
  for (int i = 0; i < t->n * t->n; i++) {
    t->e[i] = 2 * t->e[i] + t->next[i];
  }
}

/* For FIRST: a series, then doubled. */
static void truth_begin(Truth *t, const Matrix *m)
{
  int doubled = 4 + (int)fmax(0.0, ceil(log2(fmax(truth_balance(t, m), 1e-300) * FIRST))), n = t->n;
  __float128 step = FIRST * truth_two(-doubled), *a = calloc((size_t)n * (size_t)n, sizeof *a);
  for (int i = 0; i < n * n; i++) {
    t->e[i] = a[i] = t->power[i] *= step;
  }
  for (int j = 2; j < 26; j++) {
    truth_times(n, t->power, a, t->next);
    for (int i = 0; i < n * n; i++) {
      t->power[i] = t->next[i] / j;
      t->e[i] += t->power[i];
    }
  }
  free(a);
  for (int k = 0; k < doubled; k++) {
    truth_double(t);
  }
}

/* The states at the instant at hand. */
static void truth_states(const Truth *t, const Matrix *m, double *x)
{
  int n = t->n;
  for (int i = 0; i < m->n; i++) {
    __float128 sum = t->e[i * n + m->n] * truth_two(t->unit[i]);
    for (int k = 0; k < m->n; k++) {
      sum += t->e[i * n + k] * m->x0[k] * truth_two(t->unit[i] - t->unit[k]);
    }
    x[i] = (double)(sum + m->x0[i]);
  }
}

/* ---- what modes say ---- */

/* The worst of all states and instants, INFINITY where there are no modes. */
static double modes_error(const Matrix *m)
{
  static Truth truth;
  static double x[INSTANTS][MATRIX_MOST], wrong[MATRIX_MOST], largest[MATRIX_MOST];
  double complex *room = calloc(hy_modal_room(m->n), sizeof *room);
  double *u = calloc((size_t)m->n * HY_MODAL_LANES, sizeof *u);
  double drive[2 * MATRIX_MOST * HY_MODAL_LANES], got[MATRIX_MOST], worst = 0.0;
  HyModal modal;
  HyMotion motion;
  if (!hy_modal_init(&modal, m->n, m->a, room)) {
    free(room);
    free(u);
    return INFINITY;
  }
  for (int i = 0; i < m->n; i++) {
    u[(size_t)i * HY_MODAL_LANES] = m->u[i];
    wrong[i] = 0.0;
    largest[i] = fabs(m->x0[i]);
  }
  hy_motion_init(&motion, &modal, 1, m->x0, u, drive);
  truth_begin(&truth, m);
  for (int k = 0; k < INSTANTS; k++) {
    truth_states(&truth, m, x[k]);
    hy_motion_at(&motion, ldexp(FIRST, k), got, NULL);
    for (int i = 0; i < m->n; i++) {
      double missed = fabs(got[i] - x[k][i]);
      wrong[i] = missed <= wrong[i] ? wrong[i] : missed; /* NaN, too */
      largest[i] = fmax(largest[i], fabs(x[k][i]));
    }
    truth_double(&truth);
  }
  for (int i = 0; i < m->n; i++) {
    double part = largest[i] > 0.0 ? wrong[i] / largest[i] : wrong[i];
    worst = part <= worst ? worst : part;
  }
  free(room);
  free(u);
  return worst;
}

static int by_size(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* COUNT matrices of a set. */
static void modes_of_set(const char *name, int count, void (*make)(Matrix *, int), double most,
                         double median)
{
  static double error[MATRICES_RANDOM];
  Matrix m;
  for (int k = 0; k < count; k++) {
    make(&m, k);
    error[k] = modes_error(&m);
    if (getenv("HY_SHOW") != NULL) {
      printf("%s %d (n = %d): %.2g\n", name, k, m.n, error[k]);
    }
  }
  qsort(error, (size_t)count, sizeof *error, by_size);
  printf("%s: %.2g, median %.2g\n", name, error[count - 1], error[count / 2]);
  TEST_ASSERT_TRUE(error[count - 1] <= most);
  TEST_ASSERT_TRUE(error[count / 2] <= median);
}

static void test_slow_modes_of_coupled_coils_are_right(void)
{
  modes_of_set("coils", MATRICES_COILS, matrix_coils, 1e-12, 1e-12);
}

static void test_modes_of_switched_circuits_are_right(void)
{
  modes_of_set("random", MATRICES_RANDOM, matrix_random, 1e-7, 1e-12);
}

static void test_matrices_with_too_few_vectors_are_right(void)
{
  modes_of_set("jordan", MATRICES_JORDAN, matrix_jordan, 1e-14, 1e-14);
}

static void test_equal_parts_are_right(void)
{
  modes_of_set("equal", MATRICES_EQUAL, matrix_equal, 1e-9, 1e-12);
}

static void test_what_nobody_answers_is_right(void)
{
  modes_of_set("parts", MATRICES_PARTS, matrix_parts_alone, 1e-10, 1e-14);
}

static void test_sizes_of_states_say_nothing(void)
{
  modes_of_set("sizes", MATRICES_SIZES, matrix_sizes, 1e-12, 1e-12);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_slow_modes_of_coupled_coils_are_right);
  RUN_TEST(test_modes_of_switched_circuits_are_right);
  RUN_TEST(test_matrices_with_too_few_vectors_are_right);
  RUN_TEST(test_equal_parts_are_right);
  RUN_TEST(test_what_nobody_answers_is_right);
  RUN_TEST(test_sizes_of_states_say_nothing);
  return UNITY_END();
}
