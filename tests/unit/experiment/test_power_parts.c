/* library/power.xml: switches and legs, each against its closed form. */
#include "library_model.h"

void setUp(void)
{
}

void tearDown(void)
{
}

#define EXACT "method='block_liqss2' dqrel='1e-8' dqmin='1e-9'"

/* Switches --------------------------------------------------------------------------------------
 */

/* A source U behind 1 Ohm at a switch: i and v there. */
static void switch_at(const char *type, const char *more, double U, double gate, double *iv)
{
  g_autofree char *body = g_strdup_printf(
      "<circuit name='c' g='%g'><in name='g'/><voltage name='U' nodes='in 0' value='%.17g'/>"
      "<resistor name='R' nodes='in a' R='1'/><block type='power.%s' name='m' gate='g' %s/>"
      "<out name='i' from='m.i'/><out name='v' from='m.v'/></circuit>"
      "<integrator name='x' in='c.i - x'/><experiment stop='1m' " EXACT " record='c.i c.v'/>",
      gate, U, type, more);
  library_end(body, 2, iv);
}

static void expect_switch(const char *type, const char *more, double U, double gate, double i)
{
  double iv[2];
  switch_at(type, more, U, gate, iv);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12 * fmax(1, fabs(i)), i, iv[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12 * fabs(U), U - i, iv[1]);
}

/* On: Ron, both ways, whatever the diode would do; off: Roff, or the diode with Vf and Rd. */
static void test_a_mosfet_conducts_both_ways_and_its_diode_one(void)
{
  static const char *const vf[] = {"0", "0.8"};
  for (guint k = 0; k < 2; k++) {
    double Vf = g_ascii_strtod(vf[k], NULL);
    g_autofree char *m =
        g_strdup_printf("d='a' s='0' Ron='0.25' Roff='1k' Rd='0.5' Vf='%s'", vf[k]);
    expect_switch("mosfet", m, 10, 1, 10 / 1.25);
    expect_switch("mosfet", m, -0.5, 1, -0.5 / 1.25);
    expect_switch("mosfet", m, -10, 1, -10 / 1.25);
    expect_switch("mosfet", m, 10, 0, 10 / 1001.0);
    expect_switch("mosfet", m, -10, 0, -(10 - Vf * (1 - 0.5 / 1e3)) / 1.5);
    expect_switch("mosfet", m, -0.5 * Vf, 0, -0.5 * Vf / 1001);
  }
  expect_switch("mosfet", "d='a' s='0' Ron='0.25' Roff='1k'", -10, 0, -10 / 1.25);
}

/* 2 Ohm at 25 degrees, half a percent a kelvin. */
static void test_a_mosfet_gets_warm(void)
{
  const char *m = "d='a' s='0' Ron='2' alpha='5m' T='20 + 80*t/1m' Roff='1G' Rd='1' Vf='30'";
  double iv[2];
  switch_at("mosfet", m, 10, 1, iv);
  double Ron = 2 * (1 + 5e-3 * 75);
  TEST_ASSERT_DOUBLE_WITHIN(1e-7, 10 / (1 + Ron), iv[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-7, 10 * Ron / (1 + Ron), iv[1]);
  const char *cold = "d='a' s='0' Ron='2' alpha='5m' T='-300' Roff='1G' Rd='1' Vf='30'";
  switch_at("mosfet", cold, 10, 1, iv);
  TEST_ASSERT_DOUBLE_WITHIN(1e-7, 10 / 1.2, iv[0]);
}

/* The parts that do not conduct are beside the one that does: Ron/Roff and Rd/Roff are 5e-7. */
static void expect_igbt(const char *vce, double U, double gate, double i, double within)
{
  double iv[2];
  g_autofree char *q =
      g_strdup_printf("c='a' e='0' Ron='0.25' Roff='1M' Rd='0.5' Vf='1.1' Vce='%s'", vce);
  switch_at("igbt", q, U, gate, iv);
  TEST_ASSERT_DOUBLE_WITHIN(within, i, iv[0]);
}

static void test_an_igbt_has_a_drop_and_conducts_one_way(void)
{
  expect_igbt("0.9", 10, 1, (10 - 0.9) / 1.25, 1e-5);
  expect_igbt("0.9", -10, 1, -(10 - 1.1) / 1.5, 1e-5);
  expect_igbt("0.9", -10, 0, -(10 - 1.1) / 1.5, 1e-5);
  expect_igbt("0.9", 0.5, 1, 0.5e-6, 0.3e-6); /* below the drop */
  expect_igbt("0.9", 1000, 0, (1000 - 0.45) * 1e-6, 1e-8);
  expect_igbt("0.9", 1.5, 0, 1.5 * 0.75e-6, 1e-11);
  expect_igbt("0", 1000, 0, 1e-3, 1e-8);
}

/* What stands in a row or beside others does so by itself: each of a leg blocks with Roff. */
static void test_a_leg_blocks_with_what_each_of_it_has(void)
{
  double iv[2];
  library_end("<circuit name='c' g='g'><in name='g'/><voltage name='U' nodes='p 0' value='400'/>"
              "<block type='power.leg' name='leg' p='p' n='0' a='a' g='g' Ron='0.1' Roff='1k' "
              "dead='1'/><resistor name='R' nodes='a 0' R='500'/><out name='i' from='leg.i'/>"
              "<out name='ip' from='leg.ip'/></circuit><block type='constant' name='g' value='1'/>"
              "<integrator name='x' in='c.i - x'/>"
              "<experiment stop='1m' " EXACT " record='c.i c.ip'/>",
              2, iv);
  double a = 400 * (1000 / 3.0) / (1000 / 3.0 + 1000); /* 1k above, 1k and the load below */
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, a / 500, iv[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, (400 - a) / 1000, iv[1]);
}

/* Legs ------------------------------------------------------------------------------------------
 */

#define LEG(MORE, LOAD)                                                                            \
  "<circuit name='c' g='g'><in name='g'/><voltage name='U' nodes='p 0' value='400'/>"              \
  "<block type='power.leg' name='leg' p='p' n='0' a='a' g='g' Ron='0.1' Roff='1G' " MORE "/>" LOAD \
  "<out name='i' from='leg.i'/><out name='v' from='leg.v'/><out name='ip' "                        \
  "from='leg.ip'/></circuit>"

/* Sine and triangle: the fundamental is m U/2, the rms U/sqrt(2); 9.9 Ohm take 99 % of it. With
 * 100 edges a period the side bands end far above. */
static void test_the_spectrum_of_a_leg(void)
{
  static const char *const fidelity[] = {"switched", "function"};
  double w = 2 * G_PI * 50, m = 0.8;
  for (guint k = 0; k < 2; k++) {
    g_autofree char *body = g_strdup_printf(
        "<pwm name='g' period='0.2m' duty='0.5 + 0.4*sin(2*pi*50*t)' carrier='triangle'/>" LEG(
            "fidelity='%s'",
            "<resistor name='R' nodes='a 0' R='9.9'/>") "<experiment stop='20m' " EXACT
                                                        " record='c.v c.ip'/>",
        fidelity[k]);
    g_autoptr(HyLoaded) loaded = library_load(body);
    g_autoptr(HyRun) run = library_same_on_all_engines(loaded);
    const HyRecorder *table = hy_run_table(run, 0);
    double mean = library_integral(table, 0, 0, FALSE) / 20e-3;
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.99 * 200, mean);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.99 * m * 200, library_integral(table, 0, w, TRUE) / 10e-3);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0, library_integral(table, 0, w, FALSE) / 10e-3);
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0, library_integral(table, 0, 3 * w, TRUE) / 10e-3);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 20, library_integral(table, 1, 0, FALSE) / 20e-3);
  }
}

/* With 9.9 Ohm and 10 mH from the start, after 0.1 s: the phasor of the fundamental. */
static void test_a_leg_on_the_average(void)
{
  double x[3], w = 2 * G_PI * 50, R = 10, t = 100.25e-3;
  library_end(
      "<function name='g' formula='0.5 + 0.4*sin(2*pi*50*t)'/>" LEG(
          "fidelity='averaged'",
          "<inductor name='L' nodes='a y' L='10m'/>"
          "<resistor name='R' nodes='y 0' R='9.9'/>") "<experiment stop='100.25m' "
                                                      "method='cvode_bdf' dqrel='1e-9' "
                                                      "dqmin='1e-9' record='c.i c.v c.ip'/>",
      3, x);
  double Z = hypot(R, w * 10e-3), lag = atan2(w * 10e-3, R);
  double i = 20 + 160 / Z * sin(w * t - lag), d = 0.5 + 0.4 * sin(w * t);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, i, x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 400 * d - 0.1 * i, x[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, d * i, x[2]);
}

/* A current of 20 A out of a leg, or into it, takes a by the diode of the other side for 5 us after
 * each edge up (out of it) or down (into it): the mean is 400 (0.5 -+ 0.05) V less drops. */
static void test_dead_time_costs_voltage(void)
{
  for (int sign = -1; sign <= 1; sign += 2) {
    double x[1];
    g_autofree char *body = g_strdup_printf(
        "<pwm name='g' period='100u' duty='0.5'/>" LEG(
            "dead='5u' Vf='3'",
            "<current name='J' nodes='a 0' value='%d'/>") "<experiment stop='1m' " EXACT
                                                          " record='c.v'/>",
        sign * 20);
    g_autoptr(HyLoaded) loaded = library_load(body);
    g_autoptr(HyRun) run = library_same_on_all_engines(loaded);
    x[0] = library_integral(hy_run_table(run, 0), 0, 0, FALSE) / 1e-3;
    double wanted = 200 - sign * (20 * 0.1 + 0.05 * 400 + 2 * 0.05 * 3);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, wanted, x[0]);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_mosfet_conducts_both_ways_and_its_diode_one);
  RUN_TEST(test_a_mosfet_gets_warm);
  RUN_TEST(test_an_igbt_has_a_drop_and_conducts_one_way);
  RUN_TEST(test_a_leg_blocks_with_what_each_of_it_has);
  RUN_TEST(test_the_spectrum_of_a_leg);
  RUN_TEST(test_a_leg_on_the_average);
  RUN_TEST(test_dead_time_costs_voltage);
  return UNITY_END();
}
