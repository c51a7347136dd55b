/* A state of which a sine is taken has no more size than half a turn, however far it has gone: the
 * sine of a phase after thousands of turns, against its closed form, by all methods. */
#include "atomics/continuous/quantized.h"
#include "circuit_run.h"
#include "equations/members.h"
#include "sim/engine.h"

#define PI 3.14159265358979323846

/* The frequency rises from 100 to 200: what is integrated is a polynomial, so all that may be
 * wrong with the sine is what is said of the phase, 2.5e4 at the end. */
static char *chirp(const char *method, const char *sine, double stop)
{
  return g_strdup_printf(
      "<integrator name='w' x0='200*pi' in='200*pi'/><integrator name='phase' in='w'/>"
      "<integrator name='f' in='500*(y - f)'/>%s"
      "<experiment stop='%g' grid='1m' method='%s' hstep='20u' record='y phase.x f'/>",
      sine, stop, method);
}

static double phase_at(double t)
{
  return 200.0 * PI * t + 100.0 * PI * t * t;
}

/* The worst of column 0 of BODY beside sin(BY phase(t) + SHIFT). */
static double worst_of(const char *body, double by, double shift)
{
  double worst = 0.0;
  g_autoptr(HyLoaded) loaded = load_text(body);
  g_autoptr(HyRun) run = go(loaded, NULL);
  const HyRecorder *table = hy_run_table(run, 0);
  for (guint64 k = 0; k < hy_recorder_rows(table); k++) {
    double t = hy_recorder_time(table, k);
    worst = fmax(worst, fabs(hy_recorder_value(table, k, 0) - sin(by * phase_at(t) + shift)));
  }
  return worst;
}

/* Without it the quantum would be 0.9 radians at the end. What is said of w, within a thousandth,
 * may move the phase by some hundredths. */
static void test_a_sine_is_right_after_any_number_of_turns(void)
{
  static const char *const methods[] = {
      "auto",      "qss2",        "qss3",         "liqss2",
      "liqss3",    "mliqss2",     "block_liqss2", "block_liqss2_error",
#ifdef HY_SUNDIALS
      "cvode_bdf", "cvode_adams",
#endif
      "rkf45"};
  for (guint k = 0; k < G_N_ELEMENTS(methods); k++) {
    g_autofree char *body = chirp(methods[k], "<function name='y' formula='sin(phase)'/>", 1.0);
    double worst = worst_of(body, 1.0, 0.0);
    g_autofree char *text = g_strdup_printf("%s: %g", methods[k], worst);
    TEST_ASSERT_TRUE_MESSAGE(worst < 0.05, text);
  }
}

/* Of order 1 a quantum is a step. */
static void test_first_order(void)
{
  g_autofree char *body = chirp("qss1", "<function name='y' formula='sin(phase)'/>", 0.1);
  TEST_ASSERT_TRUE(worst_of(body, 1.0, 0.0) < 0.05);
}

/* Behind factors, sums and choices, in one block and from block to block. */
static void test_half_a_turn_is_found_behind_what_is_linear(void)
{
  static const struct {
    const char *sine;
    double by, shift;
  } cases[] = {
      {"<function name='y' formula='sin(3*phase + 0.5)'/>", 3.0, 0.5},
      {"<function name='p' formula='(1 - phase)/0.4'/><gain name='q' in='p' k='-2'/>"
       "<function name='y' formula='cos(q)'/>",
       5.0, -5.0 + PI / 2.0},
      {"<function name='y' formula='sin(if(t &lt; 0.4, phase, phase + 2*pi))'/>", 1.0, 0.0},
  };
  for (guint k = 0; k < G_N_ELEMENTS(cases); k++) {
    g_autofree char *body = chirp("qss2", cases[k].sine, 1.0);
    double worst = worst_of(body, cases[k].by, cases[k].shift);
    g_autofree char *text = g_strdup_printf("%s: %g", cases[k].sine, worst);
    TEST_ASSERT_TRUE_MESSAGE(worst < 0.02, text);
  }
}

static double half_turn_of(const char *body, const char *path)
{
  guint atomic = 0;
  g_autoptr(HyLoaded) loaded = load_text(body);
  g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), HY_FLAT, NULL);
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL) && hy_sim_find(sim, path, &atomic));
  return hy_room_member(sim->room, atomic)->v->half_turn;
}

/* The largest factor counts; what is no angle keeps its quantum. */
static void test_half_a_turn(void)
{
#define STATES "<integrator name='x' in='1'/><integrator name='z' in='-x'/>"
  static const struct {
    const char *readers, *state;
    double half;
  } cases[] = {
      {"<function name='y' formula='sin(x) + cos(4*x)'/>", "x", PI / 4.0},
      {"<function name='y' formula='tan(z/2)'/>", "z", 2.0 * PI},
      {"<function name='y' formula='sin(x*z)'/>", "x", 0.0},
      {"<function name='y' formula='sin(x)'/>", "z", 0.0},
      {"<function name='y' formula='x*sin(t)'/>", "x", 0.0},
      {"<function name='y' formula='sin(exp(x))'/>", "x", 0.0},
  };
  for (guint k = 0; k < G_N_ELEMENTS(cases); k++) {
    g_autofree char *body =
        g_strconcat(STATES, cases[k].readers, "<experiment stop='1' method='qss2'/>", NULL);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-12, cases[k].half, half_turn_of(body, cases[k].state),
                                      cases[k].readers);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_sine_is_right_after_any_number_of_turns);
  RUN_TEST(test_first_order);
  RUN_TEST(test_half_a_turn_is_found_behind_what_is_linear);
  RUN_TEST(test_half_a_turn);
  return UNITY_END();
}
