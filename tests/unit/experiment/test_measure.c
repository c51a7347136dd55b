/* library/measure.xml: each type against a closed form. */
#include "library_model.h"

void setUp(void)
{
}

void tearDown(void)
{
}

#define FINE  "method='qss3' dqrel='1e-8' dqmin='1e-9'"
#define EXACT 1e-12

/* -1 to 3 and back in 2 s; the last results are of 1.5 to 2.5 s. */
static void test_means_and_extremes_of_a_triangle(void)
{
  double x[9];
  library_end("<triangle name='s' low='-1' high='3' frequency='0.5'/>"
              "<block type='measure.mean' name='a' in='s' period='1' every='0.5'/>"
              "<block type='measure.mean' name='b' in='s' period='inf' every='0.5'/>"
              "<block type='measure.rms' name='c' in='s' period='2' every='0.25'/>"
              "<block type='measure.extremes' name='d' in='s' period='1' every='0.5'/>"
              "<block type='measure.extremes' name='e' in='-s' period='inf' every='0.5'/>"
              "<experiment stop='2.7' record='a b c d.minimum d.maximum d.ripple d.peak e.maximum "
              "e.peak'/>",
              9, x);
  const double wanted[] = {0, 2 / 2.5, sqrt(7 / 3.0), -1, 1, 2, 1, 1, 3};
  for (guint k = 0; k < 9; k++) {
    TEST_ASSERT_DOUBLE_WITHIN(EXACT, wanted[k], x[k]);
  }
}

/* Nothing is said before the first period is over. */
static void test_there_is_no_result_before_a_period(void)
{
  g_autoptr(HyLoaded) loaded =
      library_load("<block type='measure.mean' name='a' in='t' period='1' every='0.25'/>"
                   "<experiment stop='1.3' record='a'/>");
  g_autoptr(HyRun) run = library_same_on_all_engines(loaded);
  const HyRecorder *r = hy_run_table(run, 0);
  for (guint64 row = 0; row < hy_recorder_rows(r); row++) {
    TEST_ASSERT_EQUAL(hy_recorder_time(r, row) < 1, isnan(hy_recorder_value(r, row, 0)));
  }
  TEST_ASSERT_DOUBLE_WITHIN(EXACT, 0.75, hy_recorder_value(r, hy_recorder_rows(r) - 1, 0));
}

/* At 2.25 s the last second has gone 1 to -1 to 0; at 0.5 s half of it was 2 before the start. */
static void test_a_moving_mean_follows(void)
{
  double x[2];
  library_end("<triangle name='s' low='-1' high='3' frequency='0.5'/>"
              "<block type='measure.moving_mean' name='a' in='s' period='1'/>"
              "<experiment stop='2.25' " FINE " record='a.out'/>",
              1, x);
  TEST_ASSERT_DOUBLE_WITHIN(1e-7, (0.75 * 0.5 - 0.25 * 0.5) + 0.0, x[0]);
  library_end("<block type='measure.moving_mean' name='a' in='t' period='1' initial='2'/>"
              "<experiment stop='0.5' " FINE " record='a.out'/>",
              1, x);
  TEST_ASSERT_DOUBLE_WITHIN(1e-7, 2 * 0.5 + 0.125, x[0]);
}

/* 1 + 8/pi (sin(w t) + sin(3 w t)/3 + ...), begun at 0.2 of a period. */
static void test_harmonics_of_a_square(void)
{
  double x[9], first = 8 / G_PI;
  library_end("<square name='s' low='-1' high='3' frequency='10' start='20m'/>"
              "<block type='measure.harmonics' name='h' in='s' N='3' period='0.1' every='10m'/>"
              "<experiment stop='1.005' record='h.amplitude[*] h.phase[1] h.phase[3] h.mean h.rms "
              "h.thd'/>",
              8, x);
  TEST_ASSERT_DOUBLE_WITHIN(EXACT, first, x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(EXACT, 0, x[1]);
  TEST_ASSERT_DOUBLE_WITHIN(EXACT, first / 3, x[2]);
  TEST_ASSERT_DOUBLE_WITHIN(EXACT, -G_PI / 2 - 0.4 * G_PI, x[3]);
  TEST_ASSERT_DOUBLE_WITHIN(EXACT, 2 * G_PI - G_PI / 2 - 1.2 * G_PI, x[4]);
  TEST_ASSERT_DOUBLE_WITHIN(EXACT, 1, x[5]);
  TEST_ASSERT_DOUBLE_WITHIN(EXACT, sqrt(5), x[6]);
  TEST_ASSERT_DOUBLE_WITHIN(EXACT, sqrt(G_PI * G_PI / 8 - 1), x[7]);
}

/* A third harmonic in the voltage, a current that lags by 60 degrees, and one that leads by 30. */
static void test_powers_of_two_phases(void)
{
  double x[5], V = sqrt((100 * 100 + 50 * 50) / 2.0);
  library_end("<function name='v' formula='100*cos(2*pi*50*t) + 50*cos(2*pi*150*t)'/>"
              "<block type='measure.power' name='p' v='v, 20*sin(2*pi*50*t)' "
              "i='10*cos(2*pi*50*t - pi/3), 4*sin(2*pi*50*t + pi/6)' period='20m' every='5m'/>"
              "<experiment stop='0.1' " FINE " record='p.P p.Q p.S p.factor p.displacement'/>",
              5, x);
  double P = 250 + 40 * cos(G_PI / 6), Q = 500 * sin(G_PI / 3) - 40 * sin(G_PI / 6),
         S = V * 10 / sqrt(2) + 40;
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, P, x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, Q, x[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, S, x[2]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, P / S, x[3]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, P / hypot(P, Q), x[4]);
}

/* A triangle of amplitude 1 over a square in phase is 1/2 in the mean, over itself 1/3. */
static void test_powers_of_pieces_are_exact(void)
{
  double x[4];
  library_end("<triangle name='i' low='-1' high='1' frequency='50'/>"
              "<square name='v' low='-1' high='1' frequency='50' start='-5m'/>"
              "<block type='measure.power' name='p' v='-v' i='i' period='20m'/>"
              "<block type='measure.efficiency' name='e' v1='i' i1='6*i' v2='-v' i2='3*i' "
              "period='20m' every='10m'/>"
              "<experiment stop='0.1' record='p.P e.input e.output e.eta'/>",
              4, x);
  TEST_ASSERT_DOUBLE_WITHIN(EXACT, 0.5, fabs(x[0]));
  TEST_ASSERT_DOUBLE_WITHIN(EXACT, 2, x[1]);
  TEST_ASSERT_DOUBLE_WITHIN(EXACT, 1.5, fabs(x[2]));
  TEST_ASSERT_DOUBLE_WITHIN(EXACT, 0.75, fabs(x[3]));
}

/* w0 = 100, damping 0.3, from 2 to 5 after 50 ms. */
static double response(double t)
{
  double w = 100 * sqrt(1 - 0.09);
  return 1 - exp(-30 * t) * (cos(w * t) + 30 / w * sin(w * t));
}

/* Where the response passes LEVEL first, or within BAND for the last time. */
static double when(double level, double band)
{
  double a = 0, b = 0, step = 1e-5;
  for (guint k = 0; k < 30000; k++) {
    double t = k * step;
    gboolean before = band > 0 ? fabs(response(t) - 1) > band : b == 0 && response(t) < level;
    b = before ? b : b == 0 ? t : b;
    a = before ? t : a;
  }
  b = a + step;
  for (guint k = 0; k < 40; k++) {
    double c = (a + b) / 2;
    gboolean before = band > 0 ? fabs(response(c) - 1) > band : response(c) < level;
    a = before ? c : a;
    b = before ? b : c;
  }
  return a;
}

static void test_a_step_response_by_its_closed_form(void)
{
  double x[4];
  library_end("<step name='u' at='50m' from='2' to='5'/>"
              "<integrator name='y' in='v' x0='2'/><integrator name='v' in='1e4*(u - y) - 60*v'/>"
              "<block type='measure.step_response' name='s' in='y' from='2' to='5' start='50m' "
              "every='1m'/>"
              "<experiment stop='0.3' " FINE " record='s.settling s.rise s.overshoot s.within'/>",
              4, x);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, when(0, 0.02), x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, when(0.9, 0) - when(0.1, 0), x[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, exp(-0.3 * G_PI / sqrt(1 - 0.09)), x[2]);
  TEST_ASSERT_EQUAL_DOUBLE(1, x[3]);
}

/* Of t - 4 + cos(2 pi t) between T - 1 and T: the largest is T - 3, at T; the least stands where
 * 2 pi sin(2 pi t) = 1 behind the half. Until T = 4 the one is the larger, then the other. */
static void test_a_peak_is_the_larger_of_both_extremes(void)
{
  static const char *const methods[] = {"qss2", "qss3", "cvode_bdf"};
  double lag = asin(1 / (2 * G_PI)) / (2 * G_PI), least = cos(2 * G_PI * lag);
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    g_autofree char *body = g_strdup_printf(
        "<block type='measure.extremes' name='d' in='t - 4 + cos(2*pi*t)' period='1'/>"
        "<integrator name='x' in='-x'/><experiment stop='7.5' grid='0.5' method='%s' dqrel='1e-6' "
        "dqmin='1e-6' record='d.peak d.ripple'/>",
        methods[m]);
    g_autoptr(HyLoaded) loaded = library_load(body);
    g_autoptr(HyRun) run = library_same_on_all_engines(loaded);
    const HyRecorder *table = hy_run_table(run, 0);
    for (guint T = 1; T <= 7; T++) {
      double most = T - 3.0, minus = least + 4.5 + lag - T;
      TEST_ASSERT_DOUBLE_WITHIN(4e-5, fmax(most, minus), hy_recorder_value(table, 2 * T + 1, 0));
      TEST_ASSERT_DOUBLE_WITHIN(4e-5, most + minus, hy_recorder_value(table, 2 * T + 1, 1));
    }
  }
}

/* It is 0 until the response is beyond, exactly, then follows it up to its first maximum; what
 * never gets there has none. */
static void test_an_overshoot_is_never_below_nothing(void)
{
  double top = G_PI / (100 * sqrt(1 - 0.09));
  g_autoptr(HyLoaded) loaded = library_load(
      "<step name='u' at='0' from='2' to='5'/>"
      "<integrator name='y' in='v' x0='2'/><integrator name='v' in='1e4*(u - y) - 60*v'/>"
      "<integrator name='z' in='100*(u - z)' x0='2'/>"
      "<block type='measure.step_response' name='s' in='y' from='2' to='5' every='0.5m'/>"
      "<block type='measure.step_response' name='r' in='z' from='2' to='5' every='0.5m'/>"
      "<experiment stop='0.1' " FINE " grid='0.25m' record='s.overshoot r.overshoot'/>");
  g_autoptr(HyRun) run = library_same_on_all_engines(loaded);
  const HyRecorder *table = hy_run_table(run, 0);
  for (guint64 row = 3; row < hy_recorder_rows(table); row += 2) {
    double t = hy_recorder_time(table, row) - 0.25e-3, s = hy_recorder_value(table, row, 0);
    double wanted = fmax(response(fmin(t, top)) - 1, 0);
    TEST_ASSERT_DOUBLE_WITHIN(wanted > 0 ? 2e-6 : 0, wanted, s);
    TEST_ASSERT_EQUAL_DOUBLE(0, hy_recorder_value(table, row, 1));
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_means_and_extremes_of_a_triangle);
  RUN_TEST(test_there_is_no_result_before_a_period);
  RUN_TEST(test_a_moving_mean_follows);
  RUN_TEST(test_harmonics_of_a_square);
  RUN_TEST(test_powers_of_two_phases);
  RUN_TEST(test_powers_of_pieces_are_exact);
  RUN_TEST(test_a_step_response_by_its_closed_form);
  RUN_TEST(test_a_peak_is_the_larger_of_both_extremes);
  RUN_TEST(test_an_overshoot_is_never_below_nothing);
  return UNITY_END();
}
