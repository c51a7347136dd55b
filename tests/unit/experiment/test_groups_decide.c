/* What a group can decide it decides, at its states as they are: comparisons of its states, whoever
 * hears them, and whatever the tolerance. Against closed forms of switched coils. */
#include "circuit_run.h"

static const double tolerances[] = {1e-2, 1e-4, 1e-6};
static const char *const engines[] = {"tree", "flat", "fused"};

/* BODY is run to STOP and recorded at every GRID. */
static HyRun *record(HyLoaded **loaded, const char *body, const char *engine, double tol,
                     double stop, double grid, const char *columns)
{
  g_autofree char *text =
      g_strdup_printf("%s<experiment stop='%g' grid='%g' dqrel='%g' dqmin='%g' record='%s'/>", body,
                      stop, grid, tol, tol, columns);
  *loaded = load_text(text);
  return go(*loaded, engine);
}

static double value_at(const HyRun *run, guint row, guint column)
{
  return hy_recorder_value(hy_run_table(run, 0), row, column);
}

/* A coil of 1 mH and 1 Ohm at 10 V until it carries 3 A, at 0 V until 2 A: i at T. */
static double hysteresis_at(double t)
{
  const double tau = 1e-3;
  double first = tau * log(10.0 / 7.0), falls = tau * log(3.0 / 2.0), rises = tau * log(8.0 / 7.0);
  if (t < first) {
    return 10.0 * (1.0 - exp(-t / tau));
  }
  double s = fmod(t - first, falls + rises);
  return s < falls ? 3.0 * exp(-s / tau) : 10.0 - 8.0 * exp(-(s - falls) / tau);
}

static void test_hysteresis_on_a_coil_is_right_at_any_tolerance(void)
{
  const char *body =
      "<hysteresis name='h' in='c.i' lower='2' upper='3' low='1' high='0'/>"
      "<circuit name='c' h='h'><in name='h'/><voltage name='U' nodes='in 0' value='10*h'/>"
      "<resistor name='R' nodes='in a' R='1'/><inductor name='L' nodes='a 0' L='1m'/>"
      "<out name='i' from='L.i'/></circuit>";
  for (guint k = 0; k < G_N_ELEMENTS(tolerances); k++) {
    for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
      g_autoptr(HyLoaded) loaded = NULL;
      g_autoptr(HyRun) run =
          record(&loaded, body, engines[e], tolerances[k], 20e-3, 0.13e-3, "c/L.i");
      for (guint n = 1; n < 153; n++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, hysteresis_at(0.13e-3 * n), value_at(run, n, 0));
      }
    }
  }
}

/* A coil of 1 mH at 200 V from the clock on until it carries the peak, which falls by 50 A/ms since
 * then, and at -100 V for the rest of 10 us. The carrier falls and the clock samples the comparison
 * at one instant, so it has to be answered there. */
static void test_peak_current_is_sampled_as_it_is(void)
{
  const char *body =
      "<block type='control.peak_current' name='p' wanted='5' i='c.i' period='10u' slope='50k'/>"
      "<circuit name='c' g='p'><in name='g'/>"
      "<voltage name='U' nodes='in 0' value='if(g &gt; 0.5, 200, -100)'/>"
      "<inductor name='L' nodes='in 0' L='1m' i0='4'/><out name='i' from='L.i'/></circuit>";
  for (guint k = 0; k < G_N_ELEMENTS(tolerances); k++) {
    for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
      g_autoptr(HyLoaded) loaded = NULL;
      g_autoptr(HyRun) run = record(&loaded, body, engines[e], tolerances[k], 1e-3, 10e-6, "c/L.i");
      double i = 4.0;
      for (guint n = 1; n < 100; n++) {
        double on = (5.0 - i) / 250e3;
        i += 200e3 * on - 100e3 * (10e-6 - on);
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, i, value_at(run, n, 0));
      }
    }
  }
}

/* It turns once, where the current is 1 A, and says so to whoever listens. */
static void test_a_comparison_turns_once(void)
{
  const char *body =
      "<function name='over' formula='if(c.i &gt; 1, 1, 0)'/><counter name='n' in='over'/>"
      "<circuit name='c'><resistor name='R' nodes='a 0' R='1'/>"
      "<inductor name='L' nodes='a 0' L='1m' i0='2'/><out name='i' from='L.i'/></circuit>";
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    g_autoptr(HyLoaded) loaded = NULL;
    g_autoptr(HyRun) run = record(&loaded, body, engines[e], 1e-3, 1e-3, 1e-4, "n over");
    for (guint k = 1; k <= 10; k++) {
      gboolean below = k * 1e-4 > 1e-3 * log(2.0);
      TEST_ASSERT_TRUE(value_at(run, k, 0) == value_at(run, 1, 0) + below);
      TEST_ASSERT_TRUE(value_at(run, k, 1) == (below ? 0.0 : 1.0));
    }
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_hysteresis_on_a_coil_is_right_at_any_tolerance);
  RUN_TEST(test_peak_current_is_sampled_as_it_is);
  RUN_TEST(test_a_comparison_turns_once);
  return UNITY_END();
}
