/* library/power.xml, interleaved converters: what many stages have in common. */
#include "converter.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* N stages of TYPE at 24 V, gates T/N apart; OUTS of the circuit c, and a whole EXPERIMENT. */
static HyLoaded *load_stages(const char *type, guint n, const char *fidelity, const char *more,
                             const char *outs, const char *experiment)
{
  g_autofree char *body = g_strdup_printf(
      "<param name='N' value='%u' kind='integer'/>"
      "<pwm name='pwm' count='N' period='10u' duty='0.4' phase='(i - 1)*10u/N'/>"
      "<function name='gate' count='N' formula='%s'/>"
      "<circuit name='c' gate='gate[*]'><in name='gate' count='N'/>"
      "<voltage name='U' nodes='in 0' value='24'/>"
      "<block name='x' type='power.%s' N='N' p='in' n='0' out='o' gate='gate[*]' fidelity='%s' %s/>"
      "<resistor name='Ro' nodes='o 0' R='2'/>%s</circuit>"
      "%s",
      n, strcmp(fidelity, "averaged") == 0 ? "0.4 + 0*pwm[i]" : "pwm[i]", type, fidelity, more,
      outs, experiment);
  return library_load(body);
}

#define BUCK "L='100u' C='100u' Ron='1u' Roff='1G'"
#define CUK  "L1='100u' L2='50u' C1='1m' C2='100u' Ron='1u' Roff='1G'"
#define SUM  "<out name='total' from='x.total'/><out name='v' from='x.v'/>"

/* Of the sum of N triangles: U/(1 - D) of a Cuk lies at coil 2 in place of U. */
static void test_ripple_of_the_sum(void)
{
  for (guint n = 1; n <= 5; n++) {
    double m = floor(n * 0.4 + 1e-9), rest = (n * 0.4 - m) * (m + 1 - n * 0.4) / n;
    const double wanted[] = {24 * rest / (CONVERTER_F * 100e-6),
                             24 / 0.6 * rest / (CONVERTER_F * 50e-6)};
    for (guint k = 0; k < 2; k++) {
      g_autoptr(HyLoaded) loaded =
          load_stages(k == 0 ? "interleaved_buck" : "interleaved_cuk", n, "switched",
                      k == 0 ? BUCK : CUK, SUM, "<experiment stop='1m' record='c.total'/>");
      g_autoptr(HySteady) steady = converter_steady(loaded);
      double mean = hy_steady_mean(steady, 0), rms = hy_steady_rms(steady, 0);
      double ripple = sqrt(12 * fmax(rms * rms - mean * mean, 0));
      TEST_ASSERT_DOUBLE_WITHIN(2e-3 * wanted[k] + 1e-3, wanted[k], ripple);
    }
  }
}

/* Each stage has a load of its own of N R; the ripple of two stages is not that of one. */
static void test_ratios_where_the_currents_stop(void)
{
  static const struct {
    const char *type, *more;
  } plants[] = {{"interleaved_buck", "L='5u' C='1m' Ron='1u' Roff='1G'"},
                {"interleaved_cuk", "L1='6u' L2='12u' C1='1m' C2='1m' Ron='1u' Roff='1G'"}};
  for (guint k = 0; k < 2; k++) {
    double K = 2 * (k == 0 ? 5e-6 : 4e-6) * CONVERTER_F / (2 * 2.0),
           wanted = 24 * (k == 0 ? 2 / (1 + sqrt(1 + 4 * K / 0.16)) : -0.4 / sqrt(K));
    g_autoptr(HyLoaded) switched = load_stages(plants[k].type, 2, "switched", plants[k].more, SUM,
                                               "<experiment stop='1m' record='c.v'/>");
    g_autoptr(HySteady) s = converter_steady(switched);
    TEST_ASSERT_DOUBLE_WITHIN(2e-3 * fabs(wanted), wanted, hy_steady_mean(s, 0));
    g_autofree char *more = g_strconcat(plants[k].more, " f='100k'", NULL);
    g_autoptr(HyLoaded) averaged = load_stages(plants[k].type, 2, "averaged", more, SUM,
                                               "<experiment stop='1m' record='c.v'/>");
    g_autoptr(HySteady) rest = converter_steady(averaged);
    double v = NAN;
    for (guint j = 0; j < hy_steady_n(rest); j++) {
      g_autofree char *path = hy_steady_state(rest, j);
      v = strcmp(path, "c/x/cap/C1.v") == 0 ? hy_steady_value(rest, j) : v;
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-4 * fabs(wanted), wanted, v);
  }
}

/* The stage with the larger resistance has less of the current: all coils have the same voltage. */
static void test_stages_share_the_current(void)
{
  static const char *const fidelities[] = {"switched", "function", "averaged"};
  for (guint k = 0; k < 3; k++) {
    g_autoptr(HyLoaded) loaded = load_stages(
        "interleaved_buck", 2, fidelities[k],
        "L='100u' C='100u' Ron='20m' Rd='20m' rL='10m' Roff='10M'",
        "<out name='v' from='x.v'/><out name='i' count='2' from='x.i[i]'/><out name='a' "
        "from='x.iS[1]'/><out name='b' from='x.vS[2]'/>",
        "<experiment stop='1m' record='c.v c.i[1] c.i[2] c.a c.b'><set block='c/x/coil[2]' "
        "R='40m'/></experiment>");
    g_autoptr(HySteady) steady = converter_steady(loaded);
    /* U D - v = (Ron + r) i of each */
    double v = hy_steady_mean(steady, 0), i1 = (9.6 - v) / 30e-3, i2 = (9.6 - v) / 60e-3;
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, v / 2, i1 + i2);
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, i1, hy_steady_mean(steady, 1));
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, i2, hy_steady_mean(steady, 2));
    TEST_ASSERT_DOUBLE_WITHIN(2e-3, 0.4 * i1, hy_steady_mean(steady, 3));
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 24 - v - 40e-3 * i2, hy_steady_mean(steady, 4));
  }
}

/* examples/thesis/cuk-interleaved, whose equations are made by hand. */
static void test_cuk_stages_are_the_diagram_drawn_by_hand(void)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) by_hand =
      hy_load_file(HY_SOURCE_DIR "/examples/thesis/cuk-interleaved/model.xml",
                   &(HyLoadOptions){.experiment = "shifted", .method = "block_liqss2"}, report);
  TEST_ASSERT_NOT_NULL(by_hand);
  g_autoptr(HyLoaded) loaded = library_load(
      "<pwm name='pwm' count='4' period='100u' duty='0.25' phase='(i - 1)*100u/4'/>"
      "<circuit name='c' gate='pwm[*]'><in name='gate' count='4'/>"
      "<voltage name='U' nodes='in 0' value='24'/>"
      "<block name='x' type='power.interleaved_cuk' N='4' p='in' n='0' out='o' gate='gate[*]'"
      " L1='100u' C1='100u' C2='100u' Ron='10u' Roff='100k'/>"
      "<resistor name='Ro' nodes='o 0' R='10'/>"
      "<out name='i1' count='4' from='x.i1[i]'/><out name='i2' count='4' from='x.i2[i]'/>"
      "<out name='v1' count='4' from='x.v1[i]'/><out name='v' from='0 - x.v'/></circuit>"
      "<experiment stop='20m' method='block_liqss2' dqrel='1e-3' dqmin='1e-3' grid='80u'"
      " record='c.i1[*] c.i2[*] c.v1[*] c.v'/>");
  g_autoptr(HyRun) a = library_go(by_hand, "fused"), b = library_same_on_all_engines(loaded);
  double x[13] = {0}, y[13] = {0};
  converter_end(a, x);
  converter_end(b, y);
  for (guint k = 0; k < 13; k++) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, x[k], y[k]);
  }
}

static void test_a_single_stage_is_a_buck(void)
{
  static const Converter x = {"buck", BUCK, "v i", 0.4, 2};
  double one[2] = {0}, single[2] = {0};
  g_autoptr(HyLoaded) buck = converter_load(&x, "switched", "stop='1.003m' method='block_liqss2'");
  g_autoptr(HyLoaded) stages =
      load_stages("interleaved_buck", 1, "switched", BUCK,
                  "<out name='v' from='x.v'/><out name='i' from='x.i[1]'/>",
                  "<experiment stop='1.003m' method='block_liqss2' record='c.v c.i'/>");
  g_autoptr(HyRun) a = library_go(buck, "fused"), b = library_same_on_all_engines(stages);
  converter_end(a, one);
  converter_end(b, single);
  TEST_ASSERT_TRUE(one[0] == single[0] && one[1] == single[1]);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_ripple_of_the_sum);
  RUN_TEST(test_ratios_where_the_currents_stop);
  RUN_TEST(test_stages_share_the_current);
  RUN_TEST(test_cuk_stages_are_the_diagram_drawn_by_hand);
  RUN_TEST(test_a_single_stage_is_a_buck);
  return UNITY_END();
}
