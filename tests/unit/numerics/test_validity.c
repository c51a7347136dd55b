/* How long a truncated series may stand: foreseen by a coefficient, or found by looking ahead. */
#include "numerics/validity.h"

#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static void test_the_first_coefficient_left_out_foresees(void)
{
  for (int n = 1; n < 4; n++) {
    for (int k = -6; k < 8; k += 2) {
      double c = pow(10.0, k);
      double s = hy_validity_foresee(-c, n, 1e-3);
      TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1e-3, c * pow(s, n));
    }
    TEST_ASSERT_TRUE(hy_validity_foresee(0.0, n, 1e-3) == INFINITY);
    TEST_ASSERT_TRUE(isnan(hy_validity_foresee(INFINITY, n, 1e-3)));
    TEST_ASSERT_TRUE(isnan(hy_validity_foresee(NAN, n, 1e-3)));
  }
}

/* |c s^n| is the band at s, whichever part of it is the narrower. */
static void test_a_band_that_narrows_with_time_is_left_where_it_says(void)
{
  for (int n = 1; n < 4; n++) {
    for (int k = -12; k < 12; k++) {
      HyBand band = {.relative = 1e-9, .least = 1e-6, .effect = pow(10.0, k)};
      double s = hy_validity_foresee_band(-3.0, n, &band);
      double w = hy_validity_band(&band, s);
      TEST_ASSERT_DOUBLE_WITHIN(0.2 * w, w, 3.0 * pow(s, n)); /* the root is rough */
      TEST_ASSERT_TRUE(w >= 1e-9 && w <= 1e-6);
    }
  }
  HyBand none = {.effect = INFINITY};
  TEST_ASSERT_TRUE(isnan(hy_validity_foresee_band(1.0, 2, &none)));
  HyBand tiny = {.least = 1e-6, .effect = 1e-200};
  TEST_ASSERT_TRUE(hy_validity_foresee_band(0.0, 2, &tiny) == INFINITY);
}

/* Never later than both together leave the band, and not before half of it. */
static void test_two_coefficients_foresee_together(void)
{
  for (int k = -40; k < 40; k++) {
    for (int i = -12; i < 12; i += 3) {
      const double c = -3.0, further = pow(10.0, 0.25 * k);
      HyBand narrows = {.relative = 1e-9, .least = 1e-6, .effect = pow(10.0, i)};
      double s = hy_validity_foresee_two(c, further, 2, &narrows);
      double drift = (fabs(c) + further * s) * s * s / hy_validity_band(&narrows, s);
      TEST_ASSERT_TRUE(drift <= 1.2 && drift >= 0.4); /* the roots are rough */
    }
  }
  const HyBand band = {.least = 1e-6, .effect = INFINITY};
  double alone = hy_validity_foresee_band(3.0, 2, &band);
  TEST_ASSERT_EQUAL_DOUBLE(alone, hy_validity_foresee_two(3.0, 0.0, 2, &band));
  alone = hy_validity_foresee_band(3.0, 3, &band);
  TEST_ASSERT_EQUAL_DOUBLE(alone, hy_validity_foresee_two(0.0, 3.0, 2, &band));
  TEST_ASSERT_TRUE(hy_validity_foresee_two(0.0, 0.0, 2, &band) == INFINITY);
  TEST_ASSERT_TRUE(isnan(hy_validity_foresee_two(NAN, 1.0, 2, &band)));
  TEST_ASSERT_TRUE(isnan(hy_validity_foresee_two(1.0, NAN, 2, &band)));
}

/* Pieces that leave out everything but the value at 0; a tolerance of 1e-3. */
static double excess(void *user, double s)
{
  double (*f)(double) = *(double (**)(double))user;
  double e = fabs(f(s) - f(0.0)) / 1e-3;
  return isnan(e) ? INFINITY : e;
}

static double flat_at_0(double s)
{
  return pow(1e3 * s, 4.0);
}

static double fast(double s)
{
  return cos(1e5 * s);
}

static double ends(double s)
{
  return log(1e-5 - s);
}

static double steep(double s)
{
  return sqrt(s);
}

/* An input t near 0 with a quantum of 1e-6. */
static const HyReach reach = {1e-6, 1e-3};

/* Whatever is foreseen, what is returned holds, and not much more than that does. */
static void test_looking_ahead_finds_what_coefficients_do_not_say(void)
{
  double (*const functions[])(double) = {flat_at_0, fast, ends, steep};
  const double foreseen[] = {INFINITY, NAN, 1.0, 1e-4};
  for (unsigned k = 0; k < 4; k++) {
    for (unsigned i = 0; i < 4; i++) {
      double (*f)(double) = functions[k];
      HyValidity v = {.foreseen = NAN};
      double s = hy_validity_look(&v, foreseen[i], &reach, INFINITY, excess, &f);
      TEST_ASSERT_TRUE(s > 0.0 && excess(&f, s) <= 1.0);
      TEST_ASSERT_TRUE(s >= foreseen[i] || excess(&f, 4.0 * s) > 1.0);
    }
  }
}

static double constant_noise(void *user, double s)
{
  (void)user, (void)s;
  return 3.0;
}

static double nothing(void *user, double s)
{
  (void)user, (void)s;
  return 0.0;
}

/* Beside the tolerance; the function rounds. */
static double excess_of_a_sine(void *user, double s)
{
  return (fabs(sin(s) - (s - s * s * s / 6.0)) + 4e-16) / *(const double *)user;
}

/* A sine at 0, whose size nobody knows yet: drift ends where rounding begins, and not at the root
 * of its cubic. */
static void test_what_rounds_is_not_believed_where_it_drifts(void)
{
  double tolerance = 4e-20;
  HyValidity v = {.foreseen = NAN};
  HyReach reach = {3.0, INFINITY};
  double s = hy_validity_look(&v, NAN, &reach, sqrt(6.0), excess_of_a_sine, &tolerance);
  TEST_ASSERT_TRUE(s > 1e-4 && s < 1e-2);
}

static void test_an_end_is_always_found(void)
{
  HyValidity v = {.foreseen = NAN};
  TEST_ASSERT_TRUE(hy_validity_look(&v, 1.0, &reach, INFINITY, constant_noise, NULL) >= 1e-6);
  TEST_ASSERT_EQUAL_DOUBLE(1e-3, hy_validity_look(&v, INFINITY, &reach, INFINITY, nothing, NULL));
  TEST_ASSERT_EQUAL_DOUBLE(1e-4, hy_validity_look(&v, 1e-4, &reach, INFINITY, nothing, NULL));
  TEST_ASSERT_TRUE(hy_validity_look(&v, 1.0, &reach, 1e-5, nothing, NULL) == INFINITY);
  TEST_ASSERT_TRUE(hy_validity_look(&v, NAN, &HY_REACH_NONE, INFINITY, nothing, NULL) == INFINITY);
  TEST_ASSERT_TRUE(hy_validity_until(1.0, 0.0) > 1.0 && hy_validity_until(1.0, 1e-30) > 1.0);
}

/* A time that is shorter than what was found is always believed, a longer one up to four times
 * that, and what was believed does not make the next longer. */
static void test_a_coefficient_is_believed_up_to_four_times_what_was_found(void)
{
  HyValidity v = {.foreseen = NAN};
  TEST_ASSERT_FALSE(hy_validity_believes(&v, 1e-4));
  hy_validity_look(&v, 1e-4, &reach, INFINITY, nothing, NULL);
  TEST_ASSERT_TRUE(hy_validity_believes(&v, 1e-9) && hy_validity_believes(&v, 3.9e-4));
  TEST_ASSERT_FALSE(hy_validity_believes(&v, 4.1e-4) || hy_validity_believes(&v, NAN));
  TEST_ASSERT_EQUAL_DOUBLE(3.9e-4, hy_validity_believed(&v, 3.9e-4));
  TEST_ASSERT_FALSE(hy_validity_believes(&v, 4.1e-4));
  TEST_ASSERT_EQUAL_DOUBLE(reach.far, hy_validity_believed(&v, 2.0 * reach.far));
  hy_validity_look(&v, INFINITY, &reach, INFINITY, nothing, NULL);
  TEST_ASSERT_FALSE(hy_validity_believes(&v, INFINITY));
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_first_coefficient_left_out_foresees);
  RUN_TEST(test_a_band_that_narrows_with_time_is_left_where_it_says);
  RUN_TEST(test_two_coefficients_foresee_together);
  RUN_TEST(test_looking_ahead_finds_what_coefficients_do_not_say);
  RUN_TEST(test_what_rounds_is_not_believed_where_it_drifts);
  RUN_TEST(test_an_end_is_always_found);
  RUN_TEST(test_a_coefficient_is_believed_up_to_four_times_what_was_found);
  return UNITY_END();
}
