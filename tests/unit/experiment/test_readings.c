/* What a group computes of its states is what is, and not what was said: currents of small
 * resistances, whoever hears them. Against closed forms and Kirchhoff's laws. */
#include "circuit_run.h"

static const char *const engines[] = {"tree", "flat", "fused"};

static double value_at(const HyRun *run, guint row, guint column)
{
  return hy_recorder_value(hy_run_table(run, 0), row, column);
}

/* 325 V, 50 Hz, behind RS at C beside R: amplitude and rms of what the source gives, settled. */
static double current_of(double Rs, double R, double C)
{
  double w = 100.0 * 3.141592653589793, y = 1.0 / R, b = w * C;
  double re = 1.0 + Rs * y, im = Rs * b; /* u = i (Rs + 1/(y + j b)) */
  return 325.0 * sqrt((y * y + b * b) / (re * re + im * im));
}

static char *rc_model(double Rs)
{
  return g_strdup_printf(
      "<circuit name='c'><voltage name='U' nodes='a 0' value='325*sin(2*pi*50*t)'/>"
      "<resistor name='Rs' nodes='a b' R='%g'/><capacitor name='C' nodes='b 0' C='0.47u'/>"
      "<resistor name='R' nodes='b 0' R='100'/><out name='i' from='-U.i' unit='A'/></circuit>"
      "<block type='measure.rms' name='rms' in='c.i' period='20m'/>"
      "<experiment stop='60m' grid='20u' record='c.i rms c/Rs.i c/R.i c/C.i'/>",
      Rs);
}

/* A quantum of 0.3 V at 2 mOhm would be 160 A. */
static void test_a_current_is_right_behind_any_resistance(void)
{
  static const double Rs[] = {1e-3, 2e-3, 20e-3, 1.0};
  for (guint k = 0; k < G_N_ELEMENTS(Rs); k++) {
    g_autofree char *body = rc_model(Rs[k]);
    double end[5];
    run_all(body, 5, end);
    double i = current_of(Rs[k], 100.0, 0.47e-6);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3 * i, i / sqrt(2.0), end[1]);
  }
}

/* On a grid what is asked for at one instant is of one state: the currents of a node make 0. */
static void test_kirchhoff_holds_on_a_grid(void)
{
  g_autofree char *body = rc_model(2e-3);
  g_autoptr(HyLoaded) loaded = load_text(body);
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    g_autoptr(HyRun) run = go(loaded, engines[e]);
    guint64 rows = hy_recorder_rows(hy_run_table(run, 0));
    TEST_ASSERT_TRUE(rows > 3000);
    for (guint n = 1; n < rows; n++) {
      double sum = value_at(run, n, 2) - value_at(run, n, 3) - value_at(run, n, 4);
      TEST_ASSERT_DOUBLE_WITHIN(1e-12 * 3.3, 0.0, sum);
    }
  }
}

/* Who looks changes nothing: the columns of one recording are those of a larger one, bit by bit. */
static void test_more_columns_change_no_other(void)
{
  const char *circuit =
      "<pwm name='g' period='10u' duty='0.4'/><circuit name='c' g='g'><in name='g'/>"
      "<voltage name='U' nodes='in 0' value='24'/><ideal_switch name='S' nodes='in x' control='g'/>"
      "<ideal_diode name='D' nodes='0 x'/><inductor name='L' nodes='x out' L='20u'/>"
      "<capacitor name='C' nodes='out e' C='100u'/><resistor name='E' nodes='e 0' R='20m'/>"
      "<resistor name='R' nodes='out 0' R='3'/></circuit>";
  g_autofree char *few =
      g_strdup_printf("%s<experiment stop='1m' grid='0.7u' record='c/L.i c/out.v'/>", circuit);
  g_autofree char *many = g_strdup_printf(
      "%s<experiment stop='1m' grid='0.7u' record='c/L.i c/out.v c/C.v c/x.v c/S.i c/D.i c/R.i'/>",
      circuit);
  g_autoptr(HyLoaded) less = load_text(few), more = load_text(many);
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    g_autoptr(HyRun) a = go(less, engines[e]), b = go(more, engines[e]);
    for (guint n = 0; n < 1400; n++) {
      TEST_ASSERT_TRUE(value_at(a, n, 0) == value_at(b, n, 0));
      TEST_ASSERT_TRUE(value_at(a, n, 1) == value_at(b, n, 1));
    }
  }
}

/* What is heard of 3 i + 2 h jumps with h, at once and by as much. */
static void test_a_word_from_outside_is_answered_at_once(void)
{
  const char *body =
      "<pulse name='h' start='1m' end='2m'/><circuit name='c'>"
      "<resistor name='R' nodes='a 0' R='1'/><inductor name='L' nodes='a 0' L='1m' i0='2'/>"
      "<out name='i' from='L.i'/></circuit><function name='y' formula='3*c.i + 2*h'/>"
      "<integrator name='Y' in='y' method='qss3' dqrel='1e-9' dqmin='1e-12'/>"
      "<experiment stop='3m' grid='0.1m' record='Y.x y'/>";
  double end[2];
  run_all(body, 2, end);
  TEST_ASSERT_DOUBLE_WITHIN(2e-6, 6e-3 * (1.0 - exp(-3.0)) + 2e-3, end[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 6.0 * exp(-3.0), end[1]);
}

/* A limited reading says nothing beyond its limits, and what bends in it is right, too. */
static void test_limits_and_products(void)
{
  const char *body =
      "<circuit name='c'><resistor name='R' nodes='a 0' R='1'/>"
      "<inductor name='L' nodes='a 0' L='1m' i0='2'/><out name='i' from='L.i'/></circuit>"
      "<function name='y' formula='limit(c.i, 0.5, 1)'/><function name='p' formula='c.i*c.i'/>"
      "<integrator name='Y' in='y' method='qss3' dqrel='1e-9' dqmin='1e-12'/>"
      "<integrator name='P' in='p' method='qss3' dqrel='1e-9' dqmin='1e-12'/>"
      "<experiment stop='3m' record='Y.x P.x y p'/>";
  double end[4], t1 = log(2.0), t2 = log(4.0);
  run_all(body, 4, end);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 1e-3 * (t1 + 1.0 - 0.5 + 0.5 * (3.0 - t2)), end[0]);
  TEST_ASSERT_DOUBLE_WITHIN(2e-6, 1e-3 * 2.0 * (1.0 - exp(-6.0)), end[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.5, end[2]);
  TEST_ASSERT_DOUBLE_WITHIN(2e-5, 4.0 * exp(-6.0), end[3]);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_current_is_right_behind_any_resistance);
  RUN_TEST(test_kirchhoff_holds_on_a_grid);
  RUN_TEST(test_more_columns_change_no_other);
  RUN_TEST(test_a_word_from_outside_is_answered_at_once);
  RUN_TEST(test_limits_and_products);
  return UNITY_END();
}
