/* library/power.xml, converters with a transformer: as test_converters.c. */
#include "converter.h"

void setUp(void)
{
}

void tearDown(void)
{
}

#define RATIO   2.0
#define DROPS   "back='0' C='100u' Ron='20m' Rd='30m' Vf='0.5' ratio='2'"
#define FLYBACK DROPS " Lm='100u' rC='20m'"
#define FORWARD DROPS " Lm='1m' L='50u' rL='10m' rC='20m'"
#define IDEAL   "back='0' C='1m' Ron='10u' Roff='10M' ratio='2'"

static const Converter flyback = {"flyback", FLYBACK, "v i iS vS iD vD", 0.4, 2};
static const Converter forward = {"forward", FORWARD, "v i vS", 0.4, 2};

/* Resistances of the primary count at the secondary by the square of the turns. */
static double flyback_output(double D)
{
  double g = 1 / (1 - D), primary = 20e-3 * D * g * g / (RATIO * RATIO);
  return (CONVERTER_U * D * g / RATIO - 0.5) /
         (1 + (primary + 30e-3 * g + 20e-3 * D * g) / flyback.load);
}

static double forward_output(double D)
{
  return (CONVERTER_U * D / RATIO - 0.5) /
         (1 + (20e-3 * D / (RATIO * RATIO) + 30e-3 + 10e-3) / forward.load);
}

static void test_averages_are_those_of_all_resistances(void)
{
  double mean[6] = {0};
  converter_means(&flyback, "averaged", mean);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, flyback_output(0.4), mean[0]);
  converter_means(&forward, "averaged", mean);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, forward_output(0.4), mean[0]);
}

/* The forward's switch carries the magnetizing current, too, which the sources do not know. */
static void test_sources_in_place_of_switches_have_their_means(void)
{
  static const struct {
    const Converter *x;
    guint n;
    double close;
  } plants[] = {{&flyback, 6, 2e-4}, {&forward, 3, 2e-3}};
  for (guint k = 0; k < G_N_ELEMENTS(plants); k++) {
    const Converter *x = plants[k].x;
    double switched[6] = {0}, function[6] = {0}, averaged[6] = {0};
    converter_means(x, "switched", switched);
    converter_means(x, "function", function);
    converter_means(x, "averaged", averaged);
    for (guint j = 0; j < plants[k].n; j++) {
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(plants[k].close, switched[j], function[j], x->type);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(2e-3 * fabs(switched[0]), switched[j], averaged[j],
                                        x->type);
    }
  }
}

static void check_ripple(const Converter *x, double wanted)
{
  g_autoptr(HyLoaded) loaded = converter_load(x, "switched", "stop='1m'");
  g_autoptr(HySteady) steady = converter_steady(loaded);
  double mean = hy_steady_mean(steady, 0), rms = hy_steady_rms(steady, 0);
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-3 * wanted, wanted, sqrt(12 * (rms * rms - mean * mean)),
                                    x->type);
}

static void test_ripple_of_the_coils(void)
{
  static const Converter a = {"flyback", IDEAL " Lm='100u'", "i", 0.4, 2};
  static const Converter b = {"forward", IDEAL " Lm='1m' L='50u'", "i", 0.4, 2};
  check_ripple(&a, CONVERTER_U * 0.4 / (CONVERTER_F * 100e-6));
  check_ripple(&b, CONVERTER_U / RATIO * 0.6 * 0.4 / (CONVERTER_F * 50e-6));
}

static void test_ratios_where_the_current_stops(void)
{
  static const Converter a = {"flyback", IDEAL " Lm='20u' f='100k'", "v", 0.4, 10};
  static const Converter b = {"forward", IDEAL " Lm='1m' L='5u' f='100k'", "v", 0.4, 10};
  double K = 2 * 20e-6 * CONVERTER_F / (RATIO * RATIO * a.load), switched = 0;
  double v = CONVERTER_U * 0.4 / (RATIO * sqrt(K));
  converter_means(&a, "switched", &switched);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3 * v, v, switched);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5 * v, v, converter_rest(&a));
  K = 2 * 5e-6 * CONVERTER_F / b.load;
  v = CONVERTER_U / RATIO * 2 / (1 + sqrt(1 + 4 * K / (0.4 * 0.4)));
  converter_means(&b, "switched", &switched);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3 * v, v, switched);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5 * v, v, converter_rest(&b));
}

/* It rises for D and falls for D/reset of a period, and the switch blocks U (1 + reset) then. */
static void test_the_magnetizing_current_of_a_forward_goes_back(void)
{
  static const Converter x = {"forward", IDEAL " Lm='1m' L='50u' reset='2'", "im vS", 0.5, 2};
  double peak = CONVERTER_U * 0.5 / (CONVERTER_F * 1e-3);
  g_autoptr(HyLoaded) loaded = converter_load(&x, "switched", "stop='1m'");
  g_autoptr(HySteady) steady = converter_steady(loaded);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3 * peak, peak / 2 * 0.75, hy_steady_mean(steady, 0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, CONVERTER_U, hy_steady_mean(steady, 1));
  double blocked = CONVERTER_U * sqrt(0.25 * 9 + 0.25); /* 3 U for 0.25, U for 0.25 of it */
  TEST_ASSERT_DOUBLE_WITHIN(1e-3 * blocked, blocked, hy_steady_rms(steady, 1));
}

/* While the leakage gives its current up to the clamp, both lie at Vc - N v: of its energy the
 * clamp gets Vc/(Vc - N v) times as much. */
static void test_what_leaks_goes_into_the_clamp(void)
{
  static const Converter x = {"flyback", IDEAL " Lm='1m' Lk='1u' Cc='1u' Rc='2k'", "v i vc", 0.4,
                              2};
  g_autoptr(HyLoaded) loaded = converter_load(&x, "switched", "stop='1m'");
  g_autoptr(HySteady) steady = converter_steady(loaded);
  double v = hy_steady_mean(steady, 0), i = hy_steady_mean(steady, 1),
         vc = hy_steady_rms(steady, 2);
  double peak = i + CONVERTER_U * 0.4 / (CONVERTER_F * 1e-3) / 2;
  double wanted = 1e-6 * peak * peak / 2 * CONVERTER_F * vc / (vc - RATIO * v);
  TEST_ASSERT_DOUBLE_WITHIN(1e-2 * wanted, wanted, vc * vc / 2e3);
}

static void test_all_methods_end_where_cvode_does(void)
{
#ifndef HY_SUNDIALS
  TEST_IGNORE_MESSAGE("without SUNDIALS");
#endif
  static const char *const fidelities[] = {"switched", "function", "averaged"};
  for (guint k = 0; k < G_N_ELEMENTS(fidelities); k++) {
    converter_check_runs(&flyback, fidelities[k]);
    converter_check_runs(&forward, fidelities[k]);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_averages_are_those_of_all_resistances);
  RUN_TEST(test_sources_in_place_of_switches_have_their_means);
  RUN_TEST(test_ripple_of_the_coils);
  RUN_TEST(test_ratios_where_the_current_stops);
  RUN_TEST(test_the_magnetizing_current_of_a_forward_goes_back);
  RUN_TEST(test_what_leaks_goes_into_the_clamp);
  RUN_TEST(test_all_methods_end_where_cvode_does);
  return UNITY_END();
}
