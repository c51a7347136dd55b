/* Integrals over a piece, against Simpson's rule with many steps. */
#include "numerics/gauss.h"
#include "numerics/integral.h"

#include <math.h>
#include <stdio.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static double at(const double *c, double s)
{
  return c[0] + s * (c[1] + s * (c[2] + s * c[3]));
}

static double waves(const double *c, double w, double s, int sine)
{
  return at(c, s) * (sine ? sin(w * s) : cos(w * s));
}

static double simpson(const double *c, double h, double w, int sine)
{
  enum { STEPS = 20000 };
  double sum = 0;
  for (int k = 0; k < STEPS; k++) {
    double a = h * k / STEPS, b = h * (k + 1) / STEPS;
    sum += (waves(c, w, a, sine) + 4 * waves(c, w, (a + b) / 2, sine) + waves(c, w, b, sine)) / 6;
  }
  return sum * h / STEPS;
}

/* From a piece that is short beside the wave to one of many turns, across the change of method. */
static void test_integrals_of_waves(void)
{
  static const double turns[] = {1e-9, 1e-3, 0.5, 3.9, 4.1, 20, 300};
  for (int k = 0; k < 7; k++) {
    for (int n = 0; n < 3; n++) {
      double h = pow(1000, n - 2);
      double c[] = {0.5, -2 / h, 3 / (h * h), 1 / (h * h * h)}, w = turns[k] / h, cosine, sine;
      char what[80];
      snprintf(what, sizeof what, "h = %g, w h = %g", h, turns[k]);
      hy_integral_of_waves(c, h, w, &cosine, &sine);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-12 * h, simpson(c, h, w, 0), cosine, what);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-12 * h, simpson(c, h, w, 1), sine, what);
    }
  }
}

static void test_integrals_of_polynomials(void)
{
  const double a[] = {1, 2, 3, 4}, b[] = {5, 0, 0, 6};
  TEST_ASSERT_DOUBLE_WITHIN(1e-13, 2 + 4 + 8 + 16, hy_integral(a, 2));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 5 * 30 + 6 * (4 + 2 * 32 / 5.0 + 3 * 64 / 6.0 + 4 * 128 / 7.0),
                            hy_integral_of_product(a, b, 2));
}

static double gauss(double h, double power, double rate, double w)
{
  double sum = 0;
  for (int k = 0; k < HY_GAUSS_POINTS; k++) {
    double s = h * hy_gauss_point[k];
    sum += h * hy_gauss_weight[k] * pow(s, power) * exp(-rate * s) * cos(w * s);
  }
  return sum;
}

/* What the header promises: of powers up to 15, of half a turn, of what decays as fast. */
static void test_eight_points_of_gauss(void)
{
  double h = 0.7, w = HY_GAUSS_TURN / h;
  for (int power = 0; power < 16; power++) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, pow(h, power + 1) / (power + 1), gauss(h, power, 0, 0));
  }
  TEST_ASSERT_DOUBLE_WITHIN(5e-15 * h, sin(w * h) / w, gauss(h, 0, 0, w));
  TEST_ASSERT_DOUBLE_WITHIN(5e-15 * h, sin(0.5 * w * h) / (0.5 * w), gauss(h, 0, 0, 0.5 * w));
  TEST_ASSERT_DOUBLE_WITHIN(5e-15 * h, (1 - exp(-w * h)) / w, gauss(h, 0, w, 0));
  TEST_ASSERT_TRUE(fabs(gauss(h, 0, 0, 4 * w) - sin(4 * w * h) / (4 * w)) > 1e-9); /* not of two */
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_integrals_of_waves);
  RUN_TEST(test_integrals_of_polynomials);
  RUN_TEST(test_eight_points_of_gauss);
  return UNITY_END();
}
