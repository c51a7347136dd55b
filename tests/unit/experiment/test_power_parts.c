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

static void test_a_mosfet_conducts_both_ways_and_its_diode_one(void)
{
  const char *m = "d='a' s='0' Ron='0.25' Roff='1k' Rd='0.5' Vf='0.8'";
  double parallel = 1 / (1 / 0.25 + 1 / 1e3); /* the diode that does not conduct */
  expect_switch("mosfet", m, 10, 1, 10 / (1 + parallel));
  expect_switch("mosfet", m, -0.5, 1, -0.5 / (1 + parallel));
  expect_switch("mosfet", m, 10, 0, 10 / (1 + 500.0));
  double drop = 0.8 * (1 - 0.5 / 1e3), R = 1 / (1 / 0.5 + 1 / 1e3);
  expect_switch("mosfet", m, -10, 0, -(10 - drop * R / 0.5) / (1 + R));
  /* both, where the channel makes more than Vf: currents at v = -(i R + ...) */
  double g = 1 / 0.25 + 1 / 0.5;
  expect_switch("mosfet", m, -10, 1, -(10 - drop / 0.5 / g) / (1 + 1 / g));
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

static void test_an_igbt_has_a_drop_and_conducts_one_way(void)
{
  const char *q = "c='a' e='0' Ron='0.25' Roff='1M' Rd='0.5' Vf='1.1' Vce='0.9'";
  /* the other of the two is beside it: drops and resistances of both in parallel */
  double drop = 0.9 * (1 - 0.125 / 1e6), R = 1 / (1 / 0.25 + 1e-6);
  expect_switch("igbt", q, 10, 1, (10 - drop * R / 0.25) / (1 + R));
  double off = 1.1 * (1 - 0.5 / 1e6), Rd = 1 / (1 / 0.5 + 1 / (1e6 + 0.125));
  expect_switch("igbt", q, -10, 1, -(10 - off * Rd / 0.5) / (1 + Rd));
  double iv[2];
  switch_at("igbt", q, -10, 0, iv);
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, -(10 - off) / 1.5, iv[0]);
  switch_at("igbt", q, 10, 0, iv);
  TEST_ASSERT_DOUBLE_WITHIN(3e-5, 0,
                            iv[0]); /* the two that do not conduct, 10 V on 0.5 and 1 MOhm */
  switch_at("igbt", q, 0.5, 1, iv); /* below the drop */
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0, iv[0]);
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
  RUN_TEST(test_the_spectrum_of_a_leg);
  RUN_TEST(test_a_leg_on_the_average);
  RUN_TEST(test_dead_time_costs_voltage);
  return UNITY_END();
}
