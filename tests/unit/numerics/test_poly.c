/* Polynomials: the arithmetic, and the first positive root however the coefficients lie. */
#include "numerics/leave.h"
#include "random.h"

#include <stdio.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static void test_shift_moves_the_origin(void)
{
  double c[4] = {1.0, -2.0, 3.0, 0.5};
  hy_poly_shift(c, 4, 2.0);
  const double want[4] = {13.0, 16.0, 6.0, 0.5};
  TEST_ASSERT_EQUAL_DOUBLE_ARRAY(want, c, 4);
  hy_poly_shift(c, 4, -2.0);
  TEST_ASSERT_EQUAL_DOUBLE_ARRAY(((double[]){1.0, -2.0, 3.0, 0.5}), c, 4);
  double odd[2] = {1.0, INFINITY};
  hy_poly_shift(odd, 2, 0.0);
  TEST_ASSERT_EQUAL_DOUBLE(1.0, odd[0]);
}

static void test_derivative_and_integral_are_inverse(void)
{
  double c[4] = {7.0, -2.0, 3.0, 0.5};
  double d[3];
  hy_poly_derivative(c, 4, d);
  TEST_ASSERT_EQUAL_DOUBLE_ARRAY(((double[]){-2.0, 6.0, 1.5}), d, 3);
  double back[4] = {7.0};
  hy_poly_integral(back, 3, d);
  TEST_ASSERT_EQUAL_DOUBLE_ARRAY(c, back, 4);
  TEST_ASSERT_EQUAL_DOUBLE(7.0 - 4.0 + 12.0 + 4.0, hy_poly_at(c, 4, 2.0));
}

/* The list of the methods' prototype: tiny and huge leading coefficients, multiple roots. */
static void test_first_root_of_awkward_polynomials(void)
{
  static const struct {
    double c[4];
    int n;
    double root, within;
  } cases[] = {
      {{-1e-12, 1.0, 1e-4}, 3, 1e-12, 4e-16},
      {{1e-6, -1e3, 1e-3}, 3, 1e-9, 1e-15},
      {{-1.0, 2.0, 1e-300}, 3, 0.5, 1e-15},
      {{2.0, -3.0, 1e-18}, 3, 2.0 / 3.0, 1e-15},
      {{-6.0, 11.0, -6.0, 1.0}, 4, 1.0, 1e-15},
      {{-1e-9, 1e-3, -1.0, 1e-30}, 4, 1.00100200501e-6, 1e-11},
      {{1.0, -3.0, 3.0, -1.0000001}, 4, 0.995379856, 1e-9},
      {{8.0, -12.0, 6.0, -1.0}, 4, 2.0, 2e-5}, /* all that a triple root has: eps^(1/3) */
      {{-1e-20, 1e-10, 1.0, 1.0}, 4, 6.180339887393376e-11, 1e-15},
      {{1.0, 1.0, 1.0, 1.0}, 4, INFINITY, 0.0},
      {{0.0, -1.0, 1.0}, 3, 1.0, 1e-15}, /* a root at 0 does not count */
      {{0.0, 0.0, -8.0, 2.0}, 4, 4.0, 1e-15},
      {{4.0, -4.0, 1.0}, 3, 2.0, 1e-15}, /* a touch */
      {{1.0 + 0x1p-27, -2.0 - 0x1p-27, 1.0},
       3,
       1.0,
       1e-15}, /* and 1 + 2^-27: b b rounds to 4 a c */
      {{-1e-200, 1e-170, 1e-140}, 3, 6.180339887498948e-31, 1e-15},
      {{-1e250, 1.0, 1e-250}, 3, 6.180339887498948e249, 1e-15},
      {{-1e-300, 1e200, 1e300}, 3, 0x1p-1074, 0.0}, /* below the smallest number */
      {{-1.0}, 1, INFINITY, 0.0},
      {{-1.0, 0.0, 0.0, 0.0}, 4, INFINITY, 0.0},
      {{-8.0, 0.0, 0.0, 1.0}, 4, 2.0, 1e-15},
      {{-1.0, NAN, 1.0}, 3, INFINITY, 0.0},
      {{-1.0, 1.0, INFINITY}, 3, INFINITY, 0.0},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    double root = hy_poly_root(cases[i].c, cases[i].n);
    char what[32];
    snprintf(what, sizeof what, "case %u", i);
    if (cases[i].root == INFINITY) {
      TEST_ASSERT_TRUE_MESSAGE(root == INFINITY, what);
    } else {
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(cases[i].within * cases[i].root, cases[i].root, root, what);
    }
  }
}

/* From known roots of very different sizes: the first positive one is found to rounding. */
static void test_first_root_of_random_cubics(void)
{
  uint64_t seed = 11;
  for (int i = 0; i < 20000; i++) {
    double r[3];
    double k = random_size(&seed, 12.0);
    double first = INFINITY;
    for (int j = 0; j < 3; j++) {
      r[j] = random_size(&seed, 6.0);
      first = r[j] > 0.0 ? fmin(first, r[j]) : first;
    }
    double second = INFINITY;
    for (int j = 0; j < 3; j++) {
      second = r[j] > first ? fmin(second, r[j]) : second;
    }
    const double c[4] = {-k * r[0] * r[1] * r[2], k * (r[0] * r[1] + r[0] * r[2] + r[1] * r[2]),
                         -k * (r[0] + r[1] + r[2]), k};
    double root = hy_poly_root(c, 4);
    if (first == INFINITY) {
      TEST_ASSERT_TRUE(root == INFINITY);
    } else if (second > 1.01 * first) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-11 * first, first, root);
    }
  }
}

/* |p(s)| = w at the answer, and on no point of a grid before it. */
static void check_leave(const double *c, int n, double w)
{
  double s = hy_poly_leave(c, n, w);
  if (s < INFINITY) {
    double scale = 0.0;
    double power = 1.0;
    for (int k = 0; k < n; k++, power *= s) {
      scale += fabs(c[k]) * power;
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-13 * (scale + w), w, fabs(hy_poly_at(c, n, s)));
  }
  for (int i = 0; i < 200; i++) {
    double before = s < INFINITY ? s * i / 200.0 : pow(1.2, i - 100);
    TEST_ASSERT_TRUE(fabs(hy_poly_at(c, n, before)) <= w * (1.0 + 1e-12));
  }
}

/* Good, bad and senseless guesses lead to the same answer. */
static void test_a_guess_changes_nothing_but_rounding(void)
{
  uint64_t seed = 7;
  for (int i = 0; i < 5000; i++) {
    double c[4] = {0.999 * random_signed(&seed)};
    for (int k = 1; k < 4; k++) {
      c[k] = random_size(&seed, 3.0);
    }
    double s = hy_poly_leave(c, 4, 1.0);
    const double guesses[] = {
        s,        1.2 * s, 0.5 * s,   100.0 * s, -s,   random_size(&seed, 9.0),
        INFINITY, NAN,     -INFINITY, 1e-300,    1e300};
    double slope = fabs(c[1] + s * (2.0 * c[2] + s * 3.0 * c[3]));
    double scale = 1.0 + s * (fabs(c[1]) + s * (fabs(c[2]) + s * fabs(c[3])));
    for (unsigned k = 0; k < sizeof guesses / sizeof *guesses; k++) {
      double near = hy_poly_leave_near(c, 4, 1.0, guesses[k]);
      TEST_ASSERT_DOUBLE_WITHIN(1e-13 * scale, 0.0, slope * (near - s));
    }
  }
}

static void test_leave_of_a_power_alone(void)
{
  uint64_t seed = 9;
  for (int i = 0; i < 5000; i++) {
    double k = random_size(&seed, i % 2 ? 3.0 : 200.0);
    double w = fabs(random_size(&seed, 3.0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-15 * (w / fabs(k)), w / fabs(k), hy_leave_power(k, 1, w));
    double root = sqrt(w / fabs(k));
    TEST_ASSERT_DOUBLE_WITHIN(1e-15 * root, root, hy_leave_power(k, 2, w));
    root = cbrt(w / fabs(k));
    TEST_ASSERT_DOUBLE_WITHIN(1e-14 * root, root, hy_leave_power(k, 3, w));
  }
  for (int n = 1; n < 4; n++) {
    TEST_ASSERT_TRUE(hy_leave_power(0.0, n, 1.0) == INFINITY);
    TEST_ASSERT_TRUE(hy_leave_power(NAN, n, 1.0) == INFINITY);
    TEST_ASSERT_TRUE(hy_leave_power(-INFINITY, n, 1.0) == INFINITY);
  }
}

static void test_leave_is_the_first_time_at_the_level(void)
{
  uint64_t seed = 5;
  for (int i = 0; i < 3000; i++) {
    double c[4] = {0.999 * random_signed(&seed)};
    int n = 2 + i % 3;
    for (int k = 1; k < n; k++) {
      c[k] = random_size(&seed, 3.0);
    }
    check_leave(c, n, 1.0);
    c[0] = i % 2 ? 0.0 : c[0];
    c[1] = i % 5 ? 0.0 : c[1];
    check_leave(c, n, 1.0);
  }
}

/* A quantum under a single power of s, which is what follows an explicit step. */
static void test_leave_of_a_pure_power_is_its_root(void)
{
  uint64_t seed = 6;
  for (int i = 0; i < 20000; i++) {
    double c = random_size(&seed, 100.0);
    double w = fabs(random_size(&seed, 100.0));
    double root = hy_poly_leave((double[]){0.0, 0.0, 0.0, c}, 4, w);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15 * root, cbrt(w / fabs(c)), root);
  }
}

static void test_leave_at_its_ends(void)
{
  TEST_ASSERT_EQUAL_DOUBLE(0.0, hy_poly_leave((double[]){1.0, -5.0}, 2, 1.0));
  TEST_ASSERT_EQUAL_DOUBLE(0.0, hy_poly_leave((double[]){-3.0, -5.0}, 2, 1.0));
  TEST_ASSERT_TRUE(hy_poly_leave((double[]){0.5, 0.0, 0.0, 0.0}, 4, 1.0) == INFINITY);
  TEST_ASSERT_TRUE(hy_poly_leave((double[]){0.5, NAN}, 2, 1.0) == INFINITY);
  TEST_ASSERT_TRUE(hy_poly_leave((double[]){0.5, 0.0, INFINITY}, 3, 1.0) == INFINITY);
  TEST_ASSERT_EQUAL_DOUBLE(4.0, hy_poly_leave((double[]){0.0, 0.0, 0.0, 1.0}, 4, 64.0));
  TEST_ASSERT_EQUAL_DOUBLE(1.0, hy_poly_leave((double[]){0.0, 2.0, -1.0}, 3, 1.0)); /* a touch */
  TEST_ASSERT_DOUBLE_WITHIN(1e-315, 1e-300, hy_poly_leave((double[]){0.0, 1e300}, 2, 1.0));
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_shift_moves_the_origin);
  RUN_TEST(test_derivative_and_integral_are_inverse);
  RUN_TEST(test_first_root_of_awkward_polynomials);
  RUN_TEST(test_first_root_of_random_cubics);
  RUN_TEST(test_leave_is_the_first_time_at_the_level);
  RUN_TEST(test_a_guess_changes_nothing_but_rounding);
  RUN_TEST(test_leave_of_a_power_alone);
  RUN_TEST(test_leave_of_a_pure_power_is_its_root);
  RUN_TEST(test_leave_at_its_ends);
  return UNITY_END();
}
