/* Distributions of --random: each against its closed form, and what is refused. */
#include "hydevs/error.h"
#include "kolmogorov.h"
#include "numerics/draw.h"
#include "sweeps/distribution.h"

#include <string.h>
#include <unity.h>

#define DRAWS 100000

void setUp(void)
{
}

void tearDown(void)
{
}

static double cdf_uniform(double x)
{
  return (x + 1) / 3;
}

static double cdf_normal(double x)
{
  return 0.5 * erfc(-(x - 0.01) / 0.0005 / sqrt(2));
}

static double cdf_truncated(double x)
{
  double low = erfc(1 / sqrt(2)), high = erfc(-2 / sqrt(2));
  return (erfc(-(x - 3) / 0.5 / sqrt(2)) - low) / (high - low);
}

static void test_values_are_drawn_from_what_is_said(void)
{
  static const struct {
    const char *text;
    double (*cdf)(double), least, most;
  } cases[] = {
      {"uniform -1 2", cdf_uniform, -1, 2},
      {"normal 10m 500u", cdf_normal, -1, 1},
      {"normal  10m\t5%", cdf_normal, -1, 1},
      {"truncated 3 0.5 2.5 4", cdf_truncated, 2.5, 4},
  };
  static double x[DRAWS];
  for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(GError) error = NULL;
    g_autoptr(HyDraw) draw = hy_draw_parse(cases[i].text, &error);
    TEST_ASSERT_NULL_MESSAGE(error, cases[i].text);
    for (guint k = 0; k < DRAWS; k++) {
      x[k] = hy_draw_value(draw, hy_draw_unit(1, cases[i].text, k));
      TEST_ASSERT_TRUE(x[k] >= cases[i].least && x[k] <= cases[i].most);
    }
    TEST_ASSERT_TRUE_MESSAGE(ks_distance(x, DRAWS, cases[i].cdf) < KS_ONE_PERCENT, cases[i].text);
  }
}

/* A third of (0, 1) each. */
static void test_a_choice_takes_each_word_as_often(void)
{
  g_autoptr(HyDraw) draw = hy_draw_parse("choice liqss2 1k 2*3", NULL);
  g_autofree char *a = hy_draw_text(draw, 0.333), *b = hy_draw_text(draw, 0.334),
                  *c = hy_draw_text(draw, 0x1.fffffffffffffp-1);
  TEST_ASSERT_EQUAL_STRING("liqss2", a);
  TEST_ASSERT_EQUAL_STRING("1k", b);
  TEST_ASSERT_EQUAL_STRING("2*3", c);
  TEST_ASSERT_TRUE(isnan(hy_draw_value(draw, 0.1)));
  TEST_ASSERT_TRUE(hy_draw_value(draw, 0.5) == 1000.0 && hy_draw_value(draw, 0.9) == 6.0);
}

static void test_text_is_the_shortest_that_reads_back(void)
{
  g_autoptr(HyDraw) draw = hy_draw_parse("uniform 0 sqrt(4)", NULL);
  g_autofree char *text = hy_draw_text(draw, 0.3);
  TEST_ASSERT_EQUAL_STRING("0.6", text);
}

static void test_what_is_no_distribution_is_refused(void)
{
  static const char *const bad[][2] = {
      {"", "\"\" is none of " HY_DRAWS},
      {"gauss 1 2", "\"gauss\" is none of " HY_DRAWS},
      {"unifrom 1 2", "\"unifrom\" is none of " HY_DRAWS "; did you mean \"uniform\"?"},
      {"uniform 1", "uniform needs 2 numbers, a b; there are 1"},
      {"uniform 2 2", "uniform: the lower end 2 is not below 2"},
      {"uniform -1e308 1e308", "uniform: the range is not finite"},
      {"uniform inf 2", "inf is not finite"},
      {"uniform 1 5%", "5%: only a deviation is in percent"},
      {"normal 5% 1", "5%: only a deviation is in percent"},
      {"normal 1 x", "x: x is no number"},
      {"normal 0 5%", "normal: a deviation of 0 is not above 0"},
      {"normal 1 -2", "normal: a deviation of -2 is not above 0"},
      {"normal 1 1e307", "normal: the range is not finite"},
      {"truncated 0 1 2 1", "truncated: the lower end 2 is not below 1"},
      {"truncated 0 1 30 40",
       "truncated: both ends are 30 deviations or more from the mean, where nothing is"},
      {"choice", "choice: there is nothing to choose from"},
  };
  for (guint k = 0; k < G_N_ELEMENTS(bad); k++) {
    g_autoptr(GError) error = NULL;
    TEST_ASSERT_NULL_MESSAGE(hy_draw_parse(bad[k][0], &error), bad[k][0]);
    TEST_ASSERT_TRUE(g_error_matches(error, HY_ERROR, HY_ERROR_USAGE));
    TEST_ASSERT_EQUAL_STRING(bad[k][1], error->message);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_values_are_drawn_from_what_is_said);
  RUN_TEST(test_a_choice_takes_each_word_as_often);
  RUN_TEST(test_text_is_the_shortest_that_reads_back);
  RUN_TEST(test_what_is_no_distribution_is_refused);
  return UNITY_END();
}
