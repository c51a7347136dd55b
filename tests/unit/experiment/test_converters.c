/* library/power.xml, converters without a transformer: the periodic state against closed forms, in
 * continuous and discontinuous conduction; sources in place of switches against switches; runs
 * against CVODE and against the same converter drawn by hand. */
#include "converter.h"

void setUp(void)
{
}

void tearDown(void)
{
}

#define ONE "L='100u' C='100u' rL='10m' rC='20m' Ron='20m' Rd='30m' Vf='0.5'"
#define TWO                                                                                        \
  "L1='100u' L2='200u' C1='47u' C2='100u' r1='10m' r2='15m' rC='20m' Ron='20m' Rd='30m' Vf='0.5'"
#define DCM1 "L='10u' C='100u' Ron='1u' Roff='1G' f='100k'"
#define DCM2 "L1='15u' L2='30u' C1='100u' C2='100u' Ron='1u' Roff='1G' f='100k'"

/* The resistances in units of what they dissipate at an output current of 1 A, (I rms/I out)^2;
 * coil 1 is that at the input. */
typedef struct {
  double ratio, drop; /* of V out: of U, of Vf */
  double Ron, Rd, rC, r1, r2;
} Losses;

static Losses losses_of(const char *type, double D)
{
  double g = 1 / (1 - D), m = D * g;
  if (strcmp(type, "buck") == 0) {
    return (Losses){.ratio = D, .drop = 1 - D, .Ron = D, .Rd = 1 - D, .r1 = 1};
  }
  Losses x = {.ratio = m, .drop = 1, .Ron = D * g * g, .Rd = g, .rC = m, .r1 = g * g};
  if (strcmp(type, "boost") == 0) {
    x.ratio = g;
  } else if (strcmp(type, "buck_boost") != 0) {
    x.r1 = m * m;
    x.r2 = 1;
    x.rC = strcmp(type, "cuk") == 0 ? 0 : m; /* coil 2 of a Cuk carries the mean alone */
  }
  return x;
}

static const struct {
  Converter converter;
  double sign; /* of the output */
} continuous[] = {
    {{"buck", ONE, "v i iS vS iD vD", 0.4, 5}, 1},
    {{"boost", ONE, "v i iS vS iD vD", 0.4, 15}, 1},
    {{"buck_boost", ONE, "v i iS vS iD vD", 0.4, 5}, -1},
    {{"cuk", TWO, "v i1 iS vS iD vD i2 v1", 0.4, 5}, -1},
    {{"sepic", TWO, "v i1 iS vS iD vD i2 v1", 0.4, 5}, 1},
};

static double with_losses(const Converter *x)
{
  Losses l = losses_of(x->type, x->duty);
  double R = l.Ron * 20e-3 + l.Rd * 30e-3 + l.rC * 20e-3 + l.r1 * 10e-3 + l.r2 * 15e-3;
  return (CONVERTER_U * l.ratio - 0.5 * l.drop) / (1 + R / x->load);
}

static void test_averages_are_those_of_all_resistances(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(continuous); k++) {
    const Converter *x = &continuous[k].converter;
    double mean[8] = {0}, v = continuous[k].sign * with_losses(x);
    converter_means(x, "averaged", mean);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-9 * fabs(v), v, mean[0], x->type);
  }
}

/* Ripple of the coils meets ripple of the capacitors: a part of 1e-3 of the mean here. What blocks
 * has 1 MOhm in one and nothing in the other: 70 uA. */
static void test_sources_in_place_of_switches_have_their_means(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(continuous); k++) {
    const Converter *x = &continuous[k].converter;
    double switched[8] = {0}, function[8] = {0}, averaged[8] = {0};
    converter_means(x, "switched", switched);
    converter_means(x, "function", function);
    converter_means(x, "averaged", averaged);
    for (guint j = 0; j < 6; j++) {
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-4, switched[j], function[j], x->type);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-3 * fabs(switched[0]), switched[j], averaged[j],
                                        x->type);
    }
  }
}

/* A triangle of height dI has the variance dI^2/12. */
static void test_ripple_of_the_coils(void)
{
  static const struct {
    Converter converter;
    double on; /* the voltage of the coil while the switch is on, parts of U */
  } plants[] = {{{"buck", "L='100u' C='1m' Ron='1u' Roff='1G'", "i", 0.4, 5}, 0.6},
                {{"boost", "L='100u' C='1m' Ron='1u' Roff='1G'", "i", 0.4, 15}, 1},
                {{"buck_boost", "L='100u' C='1m' Ron='1u' Roff='1G'", "i", 0.4, 5}, 1},
                {{"cuk", "L1='100u' C1='1m' C2='1m' Ron='1u' Roff='1G'", "i1 i2", 0.4, 5}, 1},
                {{"sepic", "L1='100u' C1='1m' C2='1m' Ron='1u' Roff='1G'", "i1 i2", 0.4, 5}, 1}};
  for (guint k = 0; k < G_N_ELEMENTS(plants); k++) {
    const Converter *x = &plants[k].converter;
    g_autoptr(HyLoaded) loaded = converter_load(x, "switched", "stop='1m'");
    g_autoptr(HySteady) steady = converter_steady(loaded);
    double wanted = plants[k].on * CONVERTER_U * x->duty / (CONVERTER_F * 100e-6);
    for (guint j = 0; j < hy_steady_n_outputs(steady); j++) {
      double mean = hy_steady_mean(steady, j), rms = hy_steady_rms(steady, j);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-3 * wanted, wanted, sqrt(12 * (rms * rms - mean * mean)),
                                        x->type);
    }
  }
}

/* The ratio where the current stops in each period, with K = 2 L f/R. */
static double discontinuous(const char *type, double D, double K)
{
  return strcmp(type, "buck") == 0    ? 2 / (1 + sqrt(1 + 4 * K / (D * D)))
         : strcmp(type, "boost") == 0 ? (1 + sqrt(1 + 4 * D * D / K)) / 2
                                      : D / sqrt(K);
}

static const struct {
  Converter converter;
  double sign;
} stopping[] = {{{"buck", DCM1, "v", 0.4, 50}, 1},
                {{"boost", DCM1, "v", 0.4, 100}, 1},
                {{"buck_boost", DCM1, "v", 0.4, 50}, -1},
                {{"cuk", DCM2, "v", 0.4, 50}, -1},
                {{"sepic", DCM2, "v", 0.4, 50}, 1}};

static void test_ratios_where_the_current_stops(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(stopping); k++) {
    const Converter *x = &stopping[k].converter;
    double K = 2 * 10e-6 * CONVERTER_F / x->load, switched[1] = {0};
    double v = stopping[k].sign * CONVERTER_U * discontinuous(x->type, x->duty, K);
    converter_means(x, "switched", switched);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-3 * fabs(v), v, switched[0], x->type);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-5 * fabs(v), v, converter_rest(x), x->type);
  }
}

/* With f continuous conduction is as without, but for rC: D/(1 - D) rC/R of the output. */
static void test_f_changes_nothing_while_the_current_goes_on(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(continuous); k++) {
    Converter x = continuous[k].converter;
    g_autofree char *more = g_strconcat(x.more, " f='100k'", NULL);
    double wanted = continuous[k].sign * with_losses(&x);
    x.more = more;
    double rC = x.duty / (1 - x.duty) * 20e-3 / x.load;
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE((rC + 1e-5) * fabs(wanted), wanted, converter_rest(&x),
                                      x.type);
  }
}

/* From rest with a step of the duty: the output stays with that of the switches, once a period,
 * also while the current stops in each; without f it would be off by a part of 0.5. */
static void test_averages_move_as_switches_do(void)
{
  static const struct {
    const char *type, *more;
  } plants[] = {{"buck", "L='20u' C='47u' rL='50m'"},
                {"boost", "L='20u' C='47u' rL='50m'"},
                {"buck_boost", "L='20u' C='47u' rL='50m'"},
                {"cuk", "L1='40u' L2='40u' C1='22u' C2='47u' r1='50m'"},
                {"sepic", "L1='40u' L2='40u' C1='22u' C2='47u' r1='50m'"}};
  for (guint k = 0; k < G_N_ELEMENTS(plants); k++) {
    g_autofree char *body = g_strdup_printf(
        "<step name='duty' at='4m' from='0.3' to='0.5'/><pwm name='pwm' period='10u' duty='duty'/>"
        "<circuit name='c' pwm='pwm' duty='duty'><in name='pwm'/><in name='duty'/>"
        "<voltage name='U' nodes='in 0' value='24'/>"
        "<block name='a' type='power.%s' p='in' n='0' out='x' gate='pwm' %s/>"
        "<block name='b' type='power.%s' p='in' n='0' out='y' gate='duty' fidelity='averaged' "
        "f='100k' %s/>"
        "<resistor name='Ra' nodes='x 0' R='40'/><resistor name='Rb' nodes='y 0' R='40'/>"
        "<out name='a' from='a.v'/><out name='b' from='b.v'/></circuit>"
        "<experiment stop='8m' record='c.a c.b' grid='10u' dqrel='1e-4' dqmin='1e-5'/>",
        plants[k].type, plants[k].more, plants[k].type, plants[k].more);
    g_autoptr(HyLoaded) loaded = library_load(body);
    g_autoptr(HyRun) run = library_same_on_all_engines(loaded);
    const HyRecorder *table = hy_run_table(run, 0);
    double largest = 0, worst = 0;
    for (guint64 row = 0; row < hy_recorder_rows(table); row++) {
      double a = hy_recorder_value(table, row, 0), b = hy_recorder_value(table, row, 1);
      largest = fmax(largest, fabs(a));
      worst = fmax(worst, fabs(b - a));
    }
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(0.03 * largest, 0, worst, plants[k].type);
  }
}

static void test_all_methods_end_where_cvode_does(void)
{
#ifndef HY_SUNDIALS
  TEST_IGNORE_MESSAGE("without SUNDIALS");
#endif
  for (guint k = 0; k < G_N_ELEMENTS(continuous); k++) {
    converter_check_runs(&continuous[k].converter, "switched");
    converter_check_runs(&continuous[k].converter, "function");
    converter_check_runs(&continuous[k].converter, "averaged");
  }
}

/* What stands in coils and capacitors at the start, in the order of the attributes. */
static void test_where_converters_start(void)
{
  static const struct {
    const char *type, *more, *outs;
    double start[4];
  } plants[] = {
      {"buck", "L='1m' C='1m' rC='1m' i0='3' v0='2'", "i v", {3, 2}},
      {"boost", "L='1m' C='1m' i0='3' v0='20'", "i v", {3, 20}},
      {"buck_boost", "L='1m' C='1m' i0='3' v0='-2'", "i v", {3, -2}},
      {"cuk",
       "L1='1m' C1='1m' C2='1m' i10='3' i20='2' v10='5' v20='-4'",
       "i1 i2 v1 v",
       {3, 2, 5, -4}},
      {"sepic",
       "L1='1m' C1='1m' C2='1m' i10='3' i20='2' v10='5' v20='4'",
       "i1 i2 v1 v",
       {3, 2, 5, 4}},
      {"flyback", "back='0' Lm='1m' ratio='2' C='1m' i0='3' v0='2'", "i v", {3, 2}},
      {"forward", "back='0' Lm='1m' ratio='2' L='1m' C='1m' i0='3' v0='2'", "i v", {3, 2}},
      {"llc", "back='0' Lr='1m' Cr='1u' Lm='1m' ratio='2' C='1m' vr0='3' v0='2'", "vr v", {3, 2}}};
  for (guint k = 0; k < G_N_ELEMENTS(plants); k++) {
    const Converter x = {plants[k].type, plants[k].more, plants[k].outs, 0.4, 1e3};
    g_autoptr(HyLoaded) loaded = converter_load(&x, "switched", "stop='1u'");
    g_autoptr(HyRun) run = library_go(loaded, "fused");
    const HyRecorder *table = hy_run_table(run, 0);
    for (guint c = 0; c < hy_recorder_n(table); c++) {
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(5e-3, plants[k].start[c], hy_recorder_value(table, 0, c),
                                        x.type);
    }
  }
}

/* The buck as a diagram, its node equation solved on paper. */
static void test_a_buck_is_the_diagram_drawn_by_hand(void)
{
  static const Converter x = {"buck", "L='100u' C='100u' Ron='20m' Roff='100k'", "i v", 0.4, 5};
  double end[2] = {0}, by_hand[2] = {0};
  g_autoptr(HyLoaded) loaded =
      converter_load(&x, "switched", "stop='10.003m' method='block_liqss2'");
  g_autoptr(HyRun) run = library_go(loaded, "fused");
  converter_end(run, end);
  library_end("<pwm name='pwm' period='10u' duty='0.4'/>"
              "<switch name='Rs' control='pwm' on='20m' off='100k'/>"
              "<diode name='Rd' i='iD' ron='20m' roff='100k'/>"
              "<function name='iD' formula='(Rs*iL - 24)/(Rs + Rd)'/>"
              "<integrator name='iL' in='(-Rd*iD - v)/100u'/>"
              "<integrator name='v' in='(iL - v/5)/100u'/>"
              "<experiment stop='10.003m' method='block_liqss2' record='iL v'/>",
              2, by_hand);
  TEST_ASSERT_DOUBLE_WITHIN(1e-11, by_hand[0], end[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-11, by_hand[1], end[1]);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_averages_are_those_of_all_resistances);
  RUN_TEST(test_sources_in_place_of_switches_have_their_means);
  RUN_TEST(test_ripple_of_the_coils);
  RUN_TEST(test_ratios_where_the_current_stops);
  RUN_TEST(test_f_changes_nothing_while_the_current_goes_on);
  RUN_TEST(test_averages_move_as_switches_do);
  RUN_TEST(test_all_methods_end_where_cvode_does);
  RUN_TEST(test_where_converters_start);
  RUN_TEST(test_a_buck_is_the_diagram_drawn_by_hand);
  return UNITY_END();
}
