/* Stretches of signals as polynomials: what they are made of, and what is read off them. */
#include "numerics/panel.h"

#include <math.h>
#include <unity.h>

void setUp(void)
{
}
void tearDown(void)
{
}

/* F at the nodes of N; what the panel misses. */
static double fit(HyPanel *x, double (*f)(double), double from, double to, int n)
{
  double y[HY_PANEL_NODES];
  for (int k = 0; k < HY_PANEL_NODES; k++) {
    y[k] = f(hy_panel_node(from, to, k));
  }
  *x = (HyPanel){.from = from, .to = to};
  return hy_panel_fit(x, y, n);
}

static void test_a_piece_is_itself(void)
{
  const double c[4] = {1.0, -2.0, 3.0, 0.5};
  HyPanel x;
  hy_panel_of_piece(&x, c, 10.0, 10.25, 12.0);
  double sum = 0.0, a = 0.25, b = 2.0;
  for (int k = 0; k < 4; k++) {
    sum += c[k] * (pow(b, k + 1) - pow(a, k + 1)) / (k + 1);
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, sum, hy_panel_integral(&x));
  for (int k = 0; k <= 8; k++) {
    double s = -1.0 + 0.25 * k, e = hy_panel_time(&x, s) - 10.0;
    TEST_ASSERT_DOUBLE_WITHIN(1e-13, c[0] + e * (c[1] + e * (c[2] + e * c[3])), hy_panel_at(&x, s));
  }
  const double still[4] = {7.0, 0.0, 0.0, 0.0};
  hy_panel_of_piece(&x, still, 0.0, 1.0, 3.0);
  TEST_ASSERT_EQUAL_INT(1, x.n);
  TEST_ASSERT_EQUAL_DOUBLE(14.0, hy_panel_integral(&x));
  TEST_ASSERT_EQUAL_DOUBLE(98.0, hy_panel_square(&x));
}

static double wave(double t)
{
  return sin(7.0 * t) - 2.0 * cos(5.0 * t + 1.0);
}

/* Its integral from 0 on. */
static double wave_sum(double t)
{
  return (1.0 - cos(7.0 * t)) / 7.0 - 0.4 * (sin(5.0 * t + 1.0) - sin(1.0));
}

static double wave_square(double t)
{
  return wave(t) * wave(t);
}

/* Half a turn of the fastest on a panel: to rounding, as the theory says. */
static void test_half_a_turn_is_exact(void)
{
  for (int k = 0; k < 20; k++) {
    double from = 0.37 * k, to = from + 3.14159 / 7.0;
    HyPanel x, y;
    double missed = fit(&x, wave, from, to, 17);
    TEST_ASSERT_TRUE(missed < 1e-13);
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, wave_sum(to) - wave_sum(from), hy_panel_integral(&x));
    TEST_ASSERT_TRUE(fit(&y, wave_square, from, to, 17) < 1e-8);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, hy_panel_integral(&y), hy_panel_square(&x));
    TEST_ASSERT_TRUE(fit(&y, wave, from, to, 5) > 1e-5); /* which is no less at so few points */
  }
}

static double chirp(double t)
{
  return sin(3.0 * t * t);
}

static void test_extremes_are_met_between_the_nodes(void)
{
  HyPanel x;
  double least = INFINITY, most = -INFINITY;
  fit(&x, chirp, 0.3, 1.3, 17); /* 3 t^2 from 0.27 to 5.07, past pi/2 and 3 pi/2 */
  hy_panel_extremes(&x, &least, &most);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, -1.0, least);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 1.0, most);
  const double c[4] = {0.0, 3.0, 0.0, -1.0}; /* 3 s - s^3: 2 at 1, -2 at -1 */
  for (double from = -1.9; from < 1.9; from += 0.1) {
    double to = 1.9;
    least = INFINITY;
    most = -INFINITY;
    hy_panel_of_piece(&x, c, 0.0, from, to);
    hy_panel_extremes(&x, &least, &most);
    double begin = 3.0 * from - from * from * from, end = 3.0 * to - to * to * to;
    double low = from < -1.0 ? fmin(-2.0, begin) : fmin(begin, end);
    double high = from < 1.0 ? fmax(2.0, begin) : fmax(begin, end);
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, fmin(low, end), least);
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, fmax(high, end), most);
  }
}

static void test_levels_are_met_where_they_are(void)
{
  HyPanel x;
  double at[HY_PANEL_NODES];
  TEST_ASSERT_TRUE(fit(&x, wave, 0.0, 0.44, 17) < 1e-13);
  for (double level = -2.9; level < 2.9; level += 0.1) {
    int n = hy_panel_meets(&x, level, at), want = 0;
    for (int k = 0; k < 4400; k++) {
      want += (wave(1e-4 * k) > level) != (wave(1e-4 * (k + 1)) > level);
    }
    TEST_ASSERT_EQUAL_INT(want, n);
    for (int k = 0; k < n; k++) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-12, level, wave(hy_panel_time(&x, at[k])));
      TEST_ASSERT_TRUE(k == 0 || at[k] > at[k - 1]);
    }
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_piece_is_itself);
  RUN_TEST(test_half_a_turn_is_exact);
  RUN_TEST(test_extremes_are_met_between_the_nodes);
  RUN_TEST(test_levels_are_met_where_they_are);
  return UNITY_END();
}
