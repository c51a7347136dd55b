/* library/power.xml, converters with bridges at both sides of a transformer: the dual active bridge
 * against straight lines, the LLC against its first harmonic. */
#include "library_model.h"

#include "hydevs/steady.h"

void setUp(void)
{
}

void tearDown(void)
{
}

#define T 10e-6

static HySteady *steady_of(const HyLoaded *loaded)
{
  g_autoptr(GError) error = NULL;
  HySteadySettings settings = HY_STEADY_SETTINGS;
  settings.period = T;
  HySteady *steady = hy_steady_new(loaded, &settings, &error);
  TEST_ASSERT_TRUE_MESSAGE(steady != NULL, error != NULL ? error->message : "");
  return steady;
}

/* The dual active bridge ----------------------------------------------------------------------- */

#define U     400.0
#define L     50e-6
#define RATIO 8.0
#define LOAD  0.85

static HyLoaded *load_dab(const char *fidelity, double shift, const char *more,
                          const char *experiment)
{
  gboolean averaged = strcmp(fidelity, "averaged") == 0;
  g_autofree char *pwm = g_strdup_printf("<pwm name='a' period='10u' duty='0.5'/>"
                                         "<pwm name='b' period='10u' duty='0.5' phase='%.17g'/>",
                                         shift * T / 2);
  g_autofree char *phases = g_strdup_printf("0, %.17g", shift);
  g_autofree char *body = g_strdup_printf(
      "%s<circuit name='c' gate='%s'><in name='gate' count='2'/>"
      "<voltage name='U' nodes='in 0' value='400'/>"
      "<block name='x' type='power.dual_active_bridge' p='in' n='0' out='o' back='0' "
      "gate='gate[1], gate[2]' fidelity='%s' L='50u' ratio='8' C='10m' v0='48' f='100k' %s/>"
      "<resistor name='Ro' nodes='o 0' R='0.85'/><out name='v' from='x.v'/><out name='ip' "
      "from='x.ip'/><out name='iout' from='x.iout'/>%s</circuit>%s",
      averaged ? "" : pwm, averaged ? phases : "a, b", fidelity, more,
      averaged ? "" : "<out name='i' from='x.i'/>", experiment);
  return library_load(body);
}

#define IDEAL "rL='100u' Ron='100u' Ron2='1u' Roff='20M'"

/* Over half a period the current of the coil is two straight lines. */
static double coil_rms(double v, double d)
{
  double w = RATIO * v, h = T / (4 * L);
  double a = -(U + w * (2 * d - 1)) * h, b = (U * (2 * d - 1) + w) * h;
  return sqrt((d * (a * a + a * b + b * b) + (1 - d) * (b * b - a * b + a * a)) / 3);
}

static void test_power_of_a_shift(void)
{
  static const double shifts[] = {0.1, 0.25, 0.5, 0.7};
  for (guint k = 0; k < G_N_ELEMENTS(shifts); k++) {
    double d = shifts[k], iout = RATIO * U * d * (1 - d) * T / (2 * L), v = iout * LOAD;
    for (guint how = 0; how < 3; how++) {
      static const char *const fidelities[] = {"switched", "function", "averaged"};
      g_autofree char *record = g_strconcat("<experiment stop='1m' record='c.v c.ip c.iout",
                                            how < 2 ? " c.i'/>" : "'/>", NULL);
      g_autoptr(HyLoaded) loaded = load_dab(fidelities[how], d, IDEAL, record);
      g_autoptr(HySteady) s = steady_of(loaded);
      double close = how < 2 ? 1e-3 : 1e-9;
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(close * v, v, hy_steady_mean(s, 0), fidelities[how]);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(close * iout, iout, hy_steady_mean(s, 2), fidelities[how]);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(close * v * iout / U, v * iout / U, hy_steady_mean(s, 1),
                                        fidelities[how]);
      if (how < 2) {
        TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(2e-3 * coil_rms(v, d), coil_rms(v, d),
                                          hy_steady_rms(s, 3), fidelities[how]);
      }
    }
  }
}

static void check_engines(const char *fidelity, const char *more)
{
  double x[3], y[3];
  const char *runs[] = {
      "<experiment stop='0.2037m' record='c.v c.ip c.iout' grid='0.2037m' method='cvode_bdf' "
      "reltol='1e-9' abstol='1e-9'/>",
      "<experiment stop='0.2037m' record='c.v c.ip c.iout' grid='0.2037m' dqrel='1e-6' "
      "dqmin='1e-6'/>"};
  for (guint k = 0; k < 2; k++) {
    g_autoptr(HyLoaded) loaded = load_dab(fidelity, 0.3, more, runs[k]);
    g_autoptr(HyRun) run = library_same_on_all_engines(loaded);
    const HyRecorder *table = hy_run_table(run, 0);
    for (guint c = 0; c < 3; c++) {
      (k == 0 ? x : y)[c] = hy_recorder_value(table, hy_recorder_rows(table) - 1, c);
    }
  }
  for (guint c = 0; c < 3; c++) {
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-4, x[c], y[c], fidelity);
  }
}

static void test_a_dab_ends_where_cvode_does(void)
{
#ifndef HY_SUNDIALS
  TEST_IGNORE_MESSAGE("without SUNDIALS");
#endif
  check_engines("switched", "Ron='20m' Ron2='2m' Vf='0.8' dead='200n' rC='5m'");
  check_engines("switched", "Ron='20m' Ron2='2m'");
  check_engines("function", "Ron='20m' Ron2='2m' rC='5m'");
  check_engines("averaged", "rC='5m'");
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_power_of_a_shift);
  RUN_TEST(test_a_dab_ends_where_cvode_does);
  return UNITY_END();
}
