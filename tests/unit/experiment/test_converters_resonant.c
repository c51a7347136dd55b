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

/* A bridge, L1, a transformer 8:1, L2, a bridge: L1 and L2 are one coil of L1 + 64 L2 at either
 * side. FIRST and SECOND stand before and behind the transformer. */
static HyLoaded *load_leakages(const char *first, const char *second)
{
  g_autofree char *body = g_strdup_printf(
      "<pwm name='a' period='10u' duty='0.5'/><pwm name='b' period='10u' duty='0.5' phase='1.5u'/>"
      "<circuit name='c' a='a' b='b'><in name='a'/><in name='b'/>"
      "<voltage name='U' nodes='in 0' value='400'/>"
      "<block type='power.full_bridge' name='A' p='in' n='0' a='x' b='y' g='a, 1 - a' Ron='10m'/>"
      "<resistor name='r' nodes='x w' R='0.1'/>%s<transformer name='T' nodes='z y s k' "
      "ratio='8'/>%s"
      "<block type='power.full_bridge' name='B' p='o' n='0' a='h' b='k' g='b, 1 - b' Ron='1m'/>"
      "<capacitor name='C' nodes='o 0' C='20u' v0='48'/><resistor name='Ro' nodes='o 0' R='0.85'/>"
      "<out name='v' from='o.v'/><out name='i' from='r.i'/><out name='T' from='T.i[2]'/></circuit>"
      "<experiment stop='100u' method='block_liqss2' dqrel='1e-8' dqmin='1e-9' record='c.v c.i "
      "c.T'/>",
      first, second);
  return library_load(body);
}

static void test_leakages_at_both_sides_of_a_bridge_are_one(void)
{
  static const char *const coils[][2] = {
      {"<inductor name='L1' nodes='w z' L='50u'/>", "<probe name='P' nodes='s h'/><voltage "
                                                    "name='N' nodes='s h' value='0'/>"},
      {"<inductor name='L1' nodes='w z' L='18u'/>", "<inductor name='L2' nodes='s h' L='0.5u'/>"}};
  double at[2][3], mean[2][3];
  for (guint k = 0; k < 2; k++) {
    g_autoptr(HyLoaded) loaded = load_leakages(coils[k][0], coils[k][1]);
    g_autoptr(HyRun) run = library_same_on_all_engines(loaded);
    const HyRecorder *table = hy_run_table(run, 0);
    g_autoptr(HyLoaded) again = load_leakages(coils[k][0], coils[k][1]);
    g_autoptr(HySteady) steady = steady_of(again);
    for (guint j = 0; j < 3; j++) {
      at[k][j] = hy_recorder_value(table, hy_recorder_rows(table) - 1, j);
      mean[k][j] = hy_steady_mean(steady, j);
    }
  }
  for (guint j = 0; j < 3; j++) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-6 * (1 + fabs(at[0][j])), at[0][j], at[1][j]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6 * (1 + fabs(mean[0][j])), mean[0][j], mean[1][j]);
  }
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
        TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(2e-3 * coil_rms(v, d), coil_rms(v, d),
                                          hy_steady_rms(s, 1), fidelities[how]);
      }
    }
  }
}

/* Two switches of each side carry the current of the coil at any time. */
static void test_resistances_of_a_dab(void)
{
  static const char *const fidelities[] = {"switched", "function"};
  for (guint how = 0; how < 2; how++) {
    g_autoptr(HyLoaded) loaded =
        load_dab(fidelities[how], 0.25, "rL='100m' Ron='50m' Ron2='3m' Roff='20M' Vf='10'",
                 "<experiment stop='1m' record='c.v c.ip c.i'/>");
    g_autoptr(HySteady) s = steady_of(loaded);
    double out = hy_steady_rms(s, 0), i = hy_steady_rms(s, 2),
           heat = U * hy_steady_mean(s, 1) - out * out / LOAD;
    double wanted = i * i * (0.1 + 2 * 50e-3 + 2 * RATIO * RATIO * 3e-3);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(2e-3 * wanted, wanted, heat, fidelities[how]);
  }
}

/* RUNS: by CVODE at 1e-9, and as the run chooses. */
static void check_runs(HyLoaded *runs[2], const char *what)
{
  double x[2][3] = {{0}};
  for (guint k = 0; k < 2; k++) {
    g_autoptr(HyLoaded) loaded = runs[k];
    g_autoptr(HyRun) run = library_same_on_all_engines(loaded);
    const HyRecorder *table = hy_run_table(run, 0);
    for (guint c = 0; c < 3; c++) {
      x[k][c] = hy_recorder_value(table, hy_recorder_rows(table) - 1, c);
    }
  }
  for (guint c = 0; c < 3; c++) {
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(2e-4, x[0][c], x[1][c], what);
  }
}

#define EXACT "stop='0.2037m' grid='0.2037m' method='cvode_bdf' reltol='1e-9' abstol='1e-9'"
#define AUTO  "stop='0.2037m' grid='0.2037m' dqrel='1e-6' dqmin='1e-6'"

static void check_dab(const char *fidelity, const char *more)
{
  HyLoaded *runs[] = {
      load_dab(fidelity, 0.3, more, "<experiment " EXACT " record='c.v c.ip c.iout'/>"),
      load_dab(fidelity, 0.3, more, "<experiment " AUTO " record='c.v c.ip c.iout'/>")};
  check_runs(runs, fidelity);
}

static void test_a_dab_ends_where_cvode_does(void)
{
#ifndef HY_SUNDIALS
  TEST_IGNORE_MESSAGE("without SUNDIALS");
#endif
  check_dab("switched", "Ron='20m' Ron2='2m' Vf='0.8' dead='200n' rC='5m'");
  check_dab("switched", "Ron='20m' Ron2='2m'");
  check_dab("function", "Ron='20m' Ron2='2m' rC='5m'");
  check_dab("averaged", "rC='5m'");
}

/* The LLC -------------------------------------------------------------------------------------- */

#define LLC_LOAD 2.4
#define FR       (1 / (2 * G_PI * sqrt(60e-6 * 42e-9)))

static HyLoaded *load_llc(const char *fidelity, double f, const char *more, const char *experiment)
{
  gboolean averaged = strcmp(fidelity, "averaged") == 0;
  g_autofree char *body = g_strdup_printf(
      "<param name='f' value='%.17g'/>%s<circuit name='c' gate='%s'><in name='gate'/>"
      "<voltage name='U' nodes='in 0' value='400'/>"
      "<block name='x' type='power.llc' p='in' n='0' out='o' back='0' gate='gate' fidelity='%s' "
      "Lr='60u' Cr='42n' Lm='300u' ratio='8' C='470u' v0='24' %s/>"
      "<resistor name='Ro' nodes='o 0' R='2.4'/><out name='v' from='x.v'/><out name='ip' "
      "from='x.ip'/><out name='iout' from='x.iout'/><out name='ir' from='x.ir'/></circuit>"
      "<experiment record='c.v c.ip c.iout c.ir' %s/>",
      f, averaged ? "" : "<pwm name='pwm' period='1/f' duty='0.5'/>", averaged ? "f" : "pwm",
      fidelity, more, experiment);
  return library_load(body);
}

static HySteady *steady_llc(const HyLoaded *loaded, double f)
{
  g_autoptr(GError) error = NULL;
  HySteadySettings settings = HY_STEADY_SETTINGS;
  settings.period = 1 / f;
  HySteady *steady = hy_steady_new(loaded, &settings, &error);
  TEST_ASSERT_TRUE_MESSAGE(steady != NULL, error != NULL ? error->message : "");
  return steady;
}

/* The output by first harmonics, where the bridge has the amplitude 2 E/pi and diodes drop VF. */
static double first_harmonic(double E, double Vf, double f)
{
  double Rac = 8 * 64 * LLC_LOAD / (G_PI * G_PI), x = f / FR;
  double gain = 1; /* Rac is that of v + Vf, which is not quite a resistor's: found by repetition */
  for (guint k = 0; k < 60; k++) {
    double Q = sqrt(60e-6 / 42e-9) / (Rac * (1 + Vf / (E * gain / 8 - Vf)));
    double a = 1 + 0.2 * (1 - 1 / (x * x)), b = Q * (x - 1 / x);
    gain = 1 / sqrt(a * a + b * b);
  }
  return E * gain / 8 - Vf;
}

/* The output in rest; *IP: into the input. */
static double llc_rest(const char *more, double f, double *ip)
{
  g_autoptr(HyLoaded) loaded = load_llc(
      "averaged", f, more, "stop='30m' grid='30m' method='cvode_bdf' reltol='1e-9' abstol='1e-9'");
  g_autoptr(HyRun) run = library_go(loaded, "fused");
  const HyRecorder *table = hy_run_table(run, 0);
  *ip = hy_recorder_value(table, hy_recorder_rows(table) - 1, 1);
  return hy_recorder_value(table, hy_recorder_rows(table) - 1, 0);
}

static void test_an_average_of_an_llc_is_its_first_harmonic(void)
{
#ifndef HY_SUNDIALS
  TEST_IGNORE_MESSAGE("without SUNDIALS");
#endif
  static const double at[] = {0.8, 1.0, 1.3};
  for (guint k = 0; k < 3; k++) {
    double f = at[k] * FR, ip = NAN;
    double half = llc_rest("Vf='0.5' Ron='1u'", f, &ip);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, first_harmonic(200, 0.5, f), half);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, (half + 0.5) * half / LLC_LOAD / 400, ip);
    double full = llc_rest("Vf='0.5' Ron='1u' bridge='full' rectifier='bridge'", f, &ip);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, first_harmonic(400, 1, f), full);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, (full + 1) * full / LLC_LOAD / 400, ip);
  }
}

/* At resonance the tank is no resistance; beside it first harmonics are off by a few parts in 100.
 */
static void test_ratios_of_an_llc(void)
{
  static const struct {
    const char *more;
    double E, drop;
  } kinds[] = {{"Vf='0.5' vr0='200'", 200, 0.5},
               {"Vf='0.5' rectifier='bridge' vr0='200'", 200, 1},
               {"Vf='0.5' bridge='full'", 400, 0.5},
               {"Vf='0.5' bridge='full' rectifier='bridge'", 400, 1}};
  static const double at[] = {0.8, 1.0, 1.3}, close[] = {0.05, 2e-3, 0.05};
  for (guint k = 0; k < G_N_ELEMENTS(kinds); k++) {
    for (guint j = 0; j < 3; j++) {
      double f = at[j] * FR, wanted = first_harmonic(kinds[k].E, kinds[k].drop, f);
      g_autoptr(HyLoaded) a = load_llc("switched", f, kinds[k].more, "stop='1m'");
      g_autoptr(HyLoaded) b = load_llc("function", f, kinds[k].more, "stop='1m'");
      g_autoptr(HySteady) switched = steady_llc(a, f), function = steady_llc(b, f);
      double v = hy_steady_mean(switched, 0);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(close[j] * wanted, wanted, v, kinds[k].more);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-3, v, hy_steady_mean(function, 0), kinds[k].more);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(5e-3, hy_steady_mean(switched, 1),
                                        hy_steady_mean(function, 1), kinds[k].more);
      TEST_ASSERT_DOUBLE_WITHIN(1e-4, v / LLC_LOAD, hy_steady_mean(switched, 2));
    }
  }
}

/* What goes into the input and not into the load. */
static double llc_heat(const char *more)
{
  g_autoptr(HyLoaded) loaded = load_llc("switched", FR, more, "stop='1m'");
  g_autoptr(HySteady) steady = steady_llc(loaded, FR);
  double rms = hy_steady_rms(steady, 0);
  return 400 * hy_steady_mean(steady, 1) - rms * rms / LLC_LOAD;
}

/* Without dead time the transistors discharge Coss, U^2 Coss in each period; the magnetizing
 * current does it for nothing. */
static void test_dead_time_saves_the_energy_of_coss(void)
{
  double without = llc_heat("vr0='200' Ron='50m'"), energy = 400 * 400 * 500e-12 * FR;
  double hard = llc_heat("vr0='200' Ron='50m' Coss='500p'");
  double soft = llc_heat("vr0='200' Ron='50m' Coss='500p' dead='200n'");
  TEST_ASSERT_DOUBLE_WITHIN(0.02 * energy, energy, hard - without);
  TEST_ASSERT_DOUBLE_WITHIN(0.03 * energy, 0, soft - without);
  double full =
      llc_heat("bridge='full' Ron='50m' Coss='500p'") - llc_heat("bridge='full' Ron='50m'");
  TEST_ASSERT_DOUBLE_WITHIN(0.04 * energy, 2 * energy, full); /* of two legs */
}

/* One transistor of a half bridge, two of a full one carry the resonant current, and one diode or
 * two that of the output. */
static void test_resistances_of_an_llc(void)
{
  static const struct {
    const char *more;
    double transistors, diodes;
  } kinds[] = {{"vr0='200' Ron='2' Rd='20m' Vb='100'", 1, 1},
               {"vr0='200' Ron='2' Rd='20m' Vb='100' rectifier='bridge'", 1, 2},
               {"Ron='2' Rd='20m' Vb='100' bridge='full'", 2, 1}};
  static const char *const fidelities[] = {"switched", "function"};
  for (guint k = 0; k < G_N_ELEMENTS(kinds); k++) {
    for (guint how = 0; how < 2; how++) {
      g_autoptr(HyLoaded) loaded = load_llc(fidelities[how], FR, kinds[k].more, "stop='1m'");
      g_autoptr(HySteady) s = steady_llc(loaded, FR);
      double v = hy_steady_rms(s, 0), iout = hy_steady_rms(s, 2), ir = hy_steady_rms(s, 3),
             heat = 400 * hy_steady_mean(s, 1) - v * v / LLC_LOAD,
             wanted = ir * ir * 2 * kinds[k].transistors + iout * iout * 20e-3 * kinds[k].diodes;
      /* what blocks has 1 MOhm */
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(5e-3 * wanted + 0.4, wanted, heat, kinds[k].more);
    }
  }
}

/* An amplitude has the transistors' resistance, too. */
static void test_an_average_of_an_llc_has_its_resistance(void)
{
#ifndef HY_SUNDIALS
  TEST_IGNORE_MESSAGE("without SUNDIALS");
#endif
  static const char *const bridges[] = {"half", "full"};
  for (guint k = 0; k < 2; k++) {
    g_autofree char *more = g_strdup_printf("Ron='4' Vb='100' bridge='%s'", bridges[k]);
    g_autoptr(HyLoaded) loaded = load_llc("function", FR, more, "stop='1m'");
    g_autoptr(HySteady) s = steady_llc(loaded, FR);
    double v = hy_steady_mean(s, 0), ideal = first_harmonic(k == 0 ? 200 : 400, 0, FR), ip = NAN;
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(0.1 * (ideal - v), v, llc_rest(more, FR, &ip), bridges[k]);
  }
}

static void check_llc(const char *fidelity, const char *more)
{
  HyLoaded *runs[] = {load_llc(fidelity, 95e3, more, EXACT), load_llc(fidelity, 95e3, more, AUTO)};
  check_runs(runs, fidelity);
}

static void test_an_llc_ends_where_cvode_does(void)
{
#ifndef HY_SUNDIALS
  TEST_IGNORE_MESSAGE("without SUNDIALS");
#endif
  check_llc("switched", "Vf='0.5' vr0='200' Ron='50m' Vb='0.8' dead='200n' Coss='500p' rC='5m'");
  check_llc("switched", "Vf='0.5' bridge='full' rectifier='bridge'");
  check_llc("function", "Vf='0.5' bridge='full' rectifier='bridge' rC='5m'");
  check_llc("averaged", "Vf='0.5'");
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_power_of_a_shift);
  RUN_TEST(test_leakages_at_both_sides_of_a_bridge_are_one);
  RUN_TEST(test_resistances_of_a_dab);
  RUN_TEST(test_a_dab_ends_where_cvode_does);
  RUN_TEST(test_an_average_of_an_llc_is_its_first_harmonic);
  RUN_TEST(test_ratios_of_an_llc);
  RUN_TEST(test_dead_time_saves_the_energy_of_coss);
  RUN_TEST(test_resistances_of_an_llc);
  RUN_TEST(test_an_average_of_an_llc_has_its_resistance);
  RUN_TEST(test_an_llc_ends_where_cvode_does);
  return UNITY_END();
}
