/* Eigenvalues, participation and the division into fast and slow states. */
#include "numerics/eigen.h"
#include "numerics/participation.h"
#include "random.h"

#include <math.h>
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

#define MOST 24

static double complex value[MOST], right[MOST * MOST], left[MOST * MOST];
static double complex room[8 * MOST * MOST];

static void near(double tolerance, double complex expected, double complex got)
{
  TEST_ASSERT_DOUBLE_WITHIN(tolerance, creal(expected), creal(got));
  TEST_ASSERT_DOUBLE_WITHIN(tolerance, cimag(expected), cimag(got));
}

/* A v = l v for every column and V^-1 V = 1, relative to the sizes. */
static void check_vectors(int n, const double *a)
{
  TEST_ASSERT_TRUE(hy_eigen_room(n) <= sizeof room / sizeof *room);
  TEST_ASSERT_TRUE(hy_eigen(n, a, value, right, left, room));
  for (int i = 0; i < n; i++) {
    double most = 0.0;
    double miss = 0.0;
    for (int k = 0; k < n; k++) {
      double complex sum = -value[i] * right[k * n + i];
      for (int j = 0; j < n; j++) {
        sum += a[k * n + j] * right[j * n + i];
        most = fmax(most, cabs(a[k * n + j] * right[j * n + i]));
      }
      miss = fmax(miss, cabs(sum));
    }
    TEST_ASSERT_TRUE(miss <= 1e-11 * most);
    for (int k = 0; k < n; k++) {
      double complex one = k == i ? -1.0 : 0.0;
      for (int j = 0; j < n; j++) {
        one += left[i * n + j] * right[j * n + k];
      }
      TEST_ASSERT_TRUE(cabs(one) <= 1e-9);
    }
  }
}

static void test_random_matrices_have_their_vectors(void)
{
  uint64_t seed = 11;
  double a[MOST * MOST];
  for (int trial = 0; trial < 200; trial++) {
    int n = 1 + trial % MOST;
    double decades = 0.5 * (1 + trial % 3);
    for (int i = 0; i < n * n; i++) {
      a[i] = random_size(&seed, decades);
    }
    check_vectors(n, a);
    for (int i = 1; i < n; i++) {
      TEST_ASSERT_TRUE(cabs(value[i]) <= cabs(value[i - 1]) * (1.0 + 1e-8));
    }
  }
}

/* Of a real matrix: their sum is the trace, and complex ones come in pairs. */
static void test_eigenvalues_of_the_experiment_of_the_thesis(void)
{
  static const double expected[2][6] = {
      {-99.0, -9.0, -3.0, -3.0, 3.0, -1.0},
      {-99.0, -9.0, 0.0, 0.0, -1.0, 0.359}}; /* 0: a pair, below */
  for (int row = 0; row < 2; row++) {
    double a = row == 0 ? 1.0 : 0.1;
    double m[36] = {-50, 49, a, a,  a, a, 49, -50, a, a, a,  a, 1, 1, -5, 4, a, a,
                    1,   1,  4, -5, a, a, 1,  1,   1, 1, -1, 0, 1, 1, 1,  1, 0, -1};
    TEST_ASSERT_TRUE(hy_eigen(6, m, value, right, left, room));
    near(1e-9, -99.0, value[0]);
    near(1e-9, -9.0, value[1]);
    if (row == 0) {
      double sum = 0.0;
      for (int i = 2; i < 6; i++) {
        double distance = INFINITY;
        for (int k = 2; k < 6; k++) {
          distance = fmin(distance, cabs(value[i] - expected[0][k]));
        }
        TEST_ASSERT_TRUE(distance < 1e-6); /* -3 is a double one */
        sum += creal(value[i]);
      }
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, -4.0, sum);
    } else {
      near(5e-3, -1.68 + 0.43 * _Complex_I, value[2]);
      near(1e-9, conj(value[2]), value[3]);
      near(1e-9, -1.0, value[4]);
      near(5e-4, 0.359, value[5]);
    }
  }
}

static void test_what_is_not_finite_has_no_eigenvalues(void)
{
  double a[4] = {1.0, NAN, 0.0, 1.0};
  TEST_ASSERT_FALSE(hy_eigen(2, a, value, right, left, room));
}

/* ---- participation ---- */

static HyParticipation of(int n, const double *a)
{
  HyParticipation m;
  TEST_ASSERT_TRUE(hy_participation_room(n) <= sizeof room / sizeof *room);
  TEST_ASSERT_TRUE(hy_participation(n, a, &m, room));
  return m;
}

static void test_rows_and_columns_sum_to_1(void)
{
  uint64_t seed = 3;
  double a[64];
  for (int i = 0; i < 64; i++) {
    a[i] = random_size(&seed, 1.0);
  }
  HyParticipation m = of(8, a);
  for (int i = 0; i < 8; i++) {
    double complex row = 0.0;
    double complex column = 0.0;
    for (int k = 0; k < 8; k++) {
      row += m.p[i * 8 + k];
      column += m.p[k * 8 + i];
    }
    near(1e-9, 1.0, row);
    near(1e-9, 1.0, column);
  }
}

static void test_the_two_systems_of_the_thesis(void)
{
  static const double separable[4] = {-25.0, 0.0, 3.0, -5.0};
  static const double mixed[4] = {-45.3912, 23.3844, -35.221, 15.3912};
  bool fast[2];
  double worst = 0.0;
  HyParticipation m = of(2, separable);
  near(1e-9, -25.0, m.value[0]);
  near(1e-9, -5.0, m.value[1]);
  near(1e-12, 1.0, m.p[0]);
  near(1e-12, 0.0, m.p[1]);
  TEST_ASSERT_EQUAL_INT(1, hy_participation_divide(&m, &hy_separation, fast, &worst));
  TEST_ASSERT_TRUE(fast[0] && !fast[1] && worst < 1e-12);

  m = of(2, mixed);
  near(1e-5, -25.000154, m.value[0]);
  near(1e-5, -4.999846, m.value[1]);
  near(5e-5, 2.0195, m.p[0]);
  near(5e-5, -1.0195, m.p[1]);
  near(5e-5, -1.0195, m.p[2]);
  near(5e-5, 2.0195, m.p[3]);
  TEST_ASSERT_EQUAL_INT(0, hy_participation_divide(&m, &hy_separation, fast, &worst));
  TEST_ASSERT_DOUBLE_WITHIN(5e-5, 1.0195, worst);
}

/* Experiment 1: the three sum modes have 1/6 in every state, so it is not separable. */
static void test_a_weak_coupling_of_sums_is_not_separable(void)
{
  double a = 0.01;
  double m[36] = {-50, 49, a, a,  a, a, 49, -50, a, a, a,  a, 1, 1, -5, 4, a, a,
                  1,   1,  4, -5, a, a, 1,  1,   1, 1, -1, 0, 1, 1, 1,  1, 0, -1};
  bool fast[6];
  HyParticipation p = of(6, m);
  near(1e-9, 0.5, p.p[0]);
  TEST_ASSERT_EQUAL_INT(0, hy_participation_divide(&p, &hy_separation, fast, NULL));
}

/* States in any order and units: 1, 3 fast; 0, 2 slow. */
static void test_states_are_divided_wherever_they_stand(void)
{
  static const double unit[4] = {1e-6, 1.0, 1e3, 1e6};
  double a[16] = {-1.0, 0.01,  0.2, 0.0, /* */
                  0.5,  -80.0, 0.1, 90.0, -0.3, 0.0, -1.5, 0.02, 0.0, -90.0, 0.3, -80.0};
  for (int i = 0; i < 16; i++) {
    a[i] *= unit[i / 4] / unit[i % 4];
  }
  bool fast[4];
  HyParticipation m = of(4, a);
  TEST_ASSERT_EQUAL_INT(2, hy_participation_divide(&m, &hy_separation, fast, NULL));
  TEST_ASSERT_TRUE(!fast[0] && fast[1] && !fast[2] && fast[3]);
}

/* The double eigenvalue -1 of two equal states: its columns may be any, their mean is not. */
static void test_close_eigenvalues_share_their_columns(void)
{
  static const double a[9] = {-1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -50.0};
  HyParticipation m = of(3, a);
  hy_participation_cluster(&m, 1e-6);
  static const double expected[9] = {0.0, 0.5, 0.5, 0.0, 0.5, 0.5, 1.0, 0.0, 0.0};
  for (int i = 0; i < 9; i++) {
    near(1e-12, expected[i], m.p[i]);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_random_matrices_have_their_vectors);
  RUN_TEST(test_eigenvalues_of_the_experiment_of_the_thesis);
  RUN_TEST(test_what_is_not_finite_has_no_eigenvalues);
  RUN_TEST(test_rows_and_columns_sum_to_1);
  RUN_TEST(test_the_two_systems_of_the_thesis);
  RUN_TEST(test_a_weak_coupling_of_sums_is_not_separable);
  RUN_TEST(test_states_are_divided_wherever_they_stand);
  RUN_TEST(test_close_eigenvalues_share_their_columns);
  return UNITY_END();
}
