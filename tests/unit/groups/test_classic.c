/* Classic methods: what CVODE makes of a diagram, against closed forms; the same in all engines. */
#include "group_run.h"

#ifdef HY_SUNDIALS

static const char *const methods[] = {"cvode_bdf", "cvode_adams"};

#define ROTATION                                                                                   \
  "<integrator name=\"x\" in=\"y\" x0=\"1\"/><integrator name=\"y\" in=\"-x\" x0=\"0\"/>"

/* Between its steps, too: what is looked at is CVODE's dense output. */
static void test_a_rotation_is_as_near_as_the_tolerance_promises(void)
{
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    Run r;
    setup(&r, ROTATION, methods[m], "1e-7", HY_FLAT);
    for (int k = 1; k < 200; k++) {
      double t = 0.05 * k;
      go(&r, t);
      TEST_ASSERT_DOUBLE_WITHIN(5e-6, cos(t), at(&r, "x", t));
      TEST_ASSERT_DOUBLE_WITHIN(5e-6, -sin(t), at(&r, "y", t));
    }
    TEST_ASSERT_EQUAL_UINT64(0, totals(&r).restarts);
    TEST_ASSERT_TRUE(totals(&r).steps > 50 && totals(&r).steps < 700);
    clear(&r);
  }
}

#define VAN_DER_POL                                                                                \
  "<integrator name=\"x\" in=\"y\" x0=\"2\"/>"                                                     \
  "<integrator name=\"y\" in=\"(1 - x*x)*y - x\" x0=\"0\"/>"                                       \
  "<step name=\"u\" at=\"2.5\" to=\"1\"/><integrator name=\"z\" in=\"x + u - z\" "                 \
  "method=\"qss2\"/>"                                                                              \
  "<integrator name=\"w\" in=\"z - u*w\" x0=\"0\"/>"

static void test_all_engines_find_the_same_numbers(void)
{
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    double first[4] = {0};
    for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
      const char *const paths[] = {"x", "y", "z", "w"};
      Run r;
      setup(&r, VAN_DER_POL, methods[m], "1e-4", engines[e]);
      go(&r, 20);
      for (guint k = 0; k < G_N_ELEMENTS(paths); k++) {
        double v = at(&r, paths[k], 20);
        first[k] = e == 0 ? v : first[k];
        TEST_ASSERT_TRUE_MESSAGE(v == first[k], paths[k]);
      }
      clear(&r);
    }
  }
}

/* x[k]' = c (x[k-1] - 2 x[k] + x[k+1]) between walls at 0: sines decay each at its own rate. So
 * many states make the Jacobian sparse. */
static void test_a_chain_of_many_states_decays(void)
{
  g_autoptr(GString) text = g_string_new(NULL);
  enum { N = 60 };
  for (int k = 1; k <= N; k++) {
    char x0[HY_DOUBLE_SIZE];
    g_string_append_printf(text, "<integrator name=\"x%d\" x0=\"%s\" in=\"100*(-2*x%d", k,
                           hy_double_text(x0, sin(k * G_PI / (N + 1))), k);
    if (k > 1) {
      g_string_append_printf(text, " + x%d", k - 1);
    }
    if (k < N) {
      g_string_append_printf(text, " + x%d", k + 1);
    }
    g_string_append(text, ")\"/>");
  }
  double rate = 200 * (1 - cos(G_PI / (N + 1)));
  Run r;
  setup(&r, text->str, "cvode_bdf", "1e-6", HY_FUSED);
  go(&r, 3);
  for (int k = 1; k <= N; k += 7) {
    g_autofree char *path = g_strdup_printf("x%d", k);
    double x = sin(k * G_PI / (N + 1)) * exp(-rate * 3);
    TEST_ASSERT_DOUBLE_WITHIN(3e-5, x, at(&r, path, 3));
  }
  TEST_ASSERT_TRUE(totals(&r).steps < 200); /* explicit ones are 600 at least */
  clear(&r);
}

/* x[i]' = 1000 (m - x[i]) - m with the mean m of N states: m' = -m, and what is not the mean decays
 * at once. From 33 states on m is a hub, and the Jacobian goes through it. M: how it is computed.
 */
static guint64 steps_of_crowd(guint n, const char *m)
{
  Run r;
  g_autofree char *text = g_strdup_printf(
      "%s<integrator name=\"x\" count=\"%u\" in=\"1000*(m - x[i]) - m\" x0=\"i\"/>", m, n);
  setup(&r, text, "cvode_bdf", "1e-6", HY_FUSED);
  go(&r, 2);
  double mean = 0.5 * (n + 1);
  TEST_ASSERT_DOUBLE_WITHIN(1e-4 * mean, mean * exp(-2), at(&r, "x[1]", 2));
  guint64 steps = totals(&r).steps;
  clear(&r);
  return steps;
}

static void test_the_jacobian_goes_through_hubs(void)
{
  static const char *const hubs[] = {
      "<function name=\"m\" formula=\"mean(x[*])\"/>",
      "<function name=\"h\" formula=\"mean(x[*])\"/>" /* a hub of a hub */
      "<function name=\"m\" formula=\"3*h - 2*mean(x[*]) + 0*x[1]*h\"/>"
      "<integrator name=\"w\" in=\"h - w\"/>",
  };
  guint64 few = steps_of_crowd(30, hubs[0]);
  for (guint k = 0; k < G_N_ELEMENTS(hubs); k++) {
    TEST_ASSERT_TRUE(steps_of_crowd(60, hubs[k]) < few + few / 4);
    TEST_ASSERT_TRUE(steps_of_crowd(500, hubs[k]) < few + few / 4);
  }
}

/* x' = -x + u where u jumps by 10: design/classic-multirate-realtime.md 1.6. */
static void test_a_jump_of_an_input_is_found_and_restarts(void)
{
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    Run r;
    setup(&r,
          "<step name=\"u\" at=\"0.537\" to=\"10\"/><integrator name=\"x\" in=\"u - x\" x0=\"1\"/>",
          methods[m], "1e-7", HY_FUSED);
    go(&r, 0.5);
    TEST_ASSERT_DOUBLE_WITHIN(2e-6, exp(-0.5), at(&r, "x", 0.5));
    go(&r, 2);
    double x = exp(-0.537), h = 2 - 0.537;
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 10 + (x - 10) * exp(-h), at(&r, "x", 2));
    TEST_ASSERT_EQUAL_UINT64(1, totals(&r).restarts);
    clear(&r);
  }
}

/* A pulse shorter than any step that the tolerance asks for. */
static void test_a_short_pulse_is_not_lost(void)
{
  Run r;
  setup(&r,
        "<step name=\"a\" at=\"2.037\" to=\"100\"/><step name=\"b\" at=\"2.038\" to=\"-100\"/>"
        "<integrator name=\"x\" in=\"a + b - x\" x0=\"0\"/>",
        "cvode_bdf", "1e-5", HY_FLAT);
  go(&r, 5);
  double x = 100 * (1 - exp(-1e-3)) * exp(-(5 - 2.038));
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, x, at(&r, "x", 5));
  clear(&r);
}

/* x follows its input within a thousandth of a second: what moves less than the tolerance all along
 * ends no step of x, or of a state that is not touched at all. */
static void test_what_decays_at_once_ends_no_step(void)
{
  static const char *const inputs[] = {"0", "5e-5"};
  guint64 steps[2];
  for (guint k = 0; k < 2; k++) {
    Run r;
    g_autofree char *inside =
        g_strdup_printf("<integrator name=\"u\" in=\"%s\" x0=\"1\" method=\"qss1\" dqrel=\"0\" "
                        "dqmin=\"1e-4\"/><integrator name=\"x\" in=\"1000*(u - x)\" x0=\"1\"/>",
                        inputs[k]);
    setup(&r, inside, "cvode_bdf", "1e-3", HY_FLAT);
    go(&r, 10);
    TEST_ASSERT_DOUBLE_WITHIN(2e-3, at(&r, "u", 10), at(&r, "x", 10));
    steps[k] = totals(&r).steps;
    clear(&r);
  }
  TEST_ASSERT_TRUE(steps[1] <= steps[0] + 2);
}

/* The error of z1 at t = 10; X1 is integrated by another method. */
static double mixed_error(const char *x1, const char *method, const char *tol)
{
  Run r;
  g_autofree char *text = g_strdup_printf(MIXED, x1);
  setup(&r, text, method, tol, HY_FUSED);
  go(&r, 10);
  double error = fabs(at(&r, "z1", 10) - mixed_reference(10, 1));
  TEST_ASSERT_TRUE(totals(&r).steps < 700);
  clear(&r);
  return error;
}

/* CVODE alone is 3 to 6 tolerances off here. */
static void test_beside_qss2_the_error_follows_the_tolerance(void)
{
  static const char *const tols[] = {"1e-3", "1e-4", "1e-5"};
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    for (guint k = 0; k < G_N_ELEMENTS(tols); k++) {
      double eps = g_ascii_strtod(tols[k], NULL);
      double mixed = mixed_error("qss2", methods[m], tols[k]);
      double alone = mixed_error(methods[m], methods[m], tols[k]);
      g_autofree char *who =
          g_strdup_printf("%s %s: %g; alone %g", methods[m], tols[k], mixed, alone);

      TEST_ASSERT_TRUE_MESSAGE(mixed < alone + 20 * eps, who);
    }
  }
}

/* After the jump at 1 the first steps are a hundredth of what t can tell apart. */
static void test_steps_may_be_shorter_than_the_digits_of_time(void)
{
  Run r;
  setup(&r, "<step name=\"s\" at=\"1\"/><integrator name=\"x\" in=\"1e18*(s - x)\"/>", "cvode_bdf",
        "1e-9", HY_FUSED);
  go(&r, 2);
  TEST_ASSERT_DOUBLE_WITHIN(1e-8, 1, at(&r, "x", 2));
  clear(&r);
}

static void test_a_state_that_jumps_starts_the_group_again(void)
{
  Run r;
  setup(&r,
        "<generator name=\"hit\" period=\"2\" first=\"1\" values=\"1\"/>"
        "<reset_integrator name=\"x\" in=\"y\" reset=\"hit\" value=\"0\" x0=\"0\"/>"
        "<integrator name=\"y\" in=\"-y\" x0=\"1\"/>",
        "cvode_bdf", "1e-7", HY_FUSED);
  go(&r, 1.5);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, exp(-1) - exp(-1.5), at(&r, "x", 1.5));
  TEST_ASSERT_EQUAL_UINT64(1, totals(&r).restarts);
  clear(&r);
}

/* Also two at once, and neither is the first of its group. */
static void test_states_that_jump_need_not_come_first(void)
{
  const char *const names[] = {"cvode_bdf", "cvode_adams", "block_liqss2"};
  for (guint k = 0; k < G_N_ELEMENTS(names) * G_N_ELEMENTS(engines); k++) {
    Run r;
    setup(&r,
          "<integrator name=\"y\" in=\"-y\" x0=\"1\"/>"
          "<generator name=\"hit\" period=\"2\" first=\"1\" values=\"1\"/>"
          "<reset_integrator name=\"x\" in=\"y\" reset=\"hit\" value=\"0\" x0=\"0\"/>"
          "<reset_integrator name=\"z\" in=\"x - z\" reset=\"hit\" value=\"2\" x0=\"0\"/>",
          names[k / G_N_ELEMENTS(engines)], "1e-7", engines[k % G_N_ELEMENTS(engines)]);
    go(&r, 1.5);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, exp(-1), at(&r, "x", 1.5) + exp(-1.5));
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 2 * exp(-0.5) + exp(-1) * (1 - 1.5 * exp(-0.5)),
                              at(&r, "z", 1.5));
    TEST_ASSERT_EQUAL_UINT64(1, totals(&r).restarts);
    clear(&r);
  }
}

/* x' = x^2 from 1 has a pole at t = 1. */
static void test_what_cannot_go_on_is_named(void)
{
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    Run r;
    g_autoptr(GError) error = NULL;
    setup(&r, "<integrator name=\"x\" in=\"x*x\" x0=\"1\"/>", "cvode_bdf", "1e-6", engines[e]);
    TEST_ASSERT_FALSE(hy_sim_run(r.sim, 2, &error));
    TEST_ASSERT_TRUE(g_error_matches(error, HY_ERROR, HY_ERROR_RUN));
    TEST_ASSERT_TRUE_MESSAGE(g_str_has_prefix(error->message, "x: cvode_bdf: "), error->message);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 1, hy_sim_time(r.sim));
    clear(&r);
  }
}

/* The length of a step stays below hstep. */
static void test_hstep_bounds_the_steps_of_cvode(void)
{
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    Run r;
    HyGroupTotals g;
    g_autofree char *numerics =
        g_strdup_printf("method=\"%s\" reltol=\"1e-3\" hstep=\"20m\"", methods[m]);
    setup_with(&r, ROTATION, numerics, HY_FLAT);
    go(&r, 10);
    hy_sim_group(r.sim, 0, &g);
    TEST_ASSERT_TRUE(g.most < 0.02 * (1 + 1e-9) && g.least > 0 && g.last > 0.019);
    TEST_ASSERT_TRUE(g.totals.steps >= 500 && g.totals.steps < 600);
    clear(&r);
  }
}

/* The quantum is that of others. */
static void test_reltol_and_abstol_are_the_tolerance(void)
{
  static const char *const tols[] = {"1e-4", "1e-6", "1e-8"};
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    for (guint k = 0; k < G_N_ELEMENTS(tols); k++) {
      Run r;
      double tol = g_ascii_strtod(tols[k], NULL);
      g_autofree char *numerics =
          g_strdup_printf("method=\"%s\" dqrel=\"0.1\" dqmin=\"0.1\" reltol=\"%s\" abstol=\"%s\"",
                          methods[m], tols[k], tols[k]);
      setup_with(&r, ROTATION, numerics, HY_FLAT);
      go(&r, 1);
      double error = hypot(at(&r, "x", 1) - cos(1), at(&r, "y", 1) + sin(1));
      TEST_ASSERT_TRUE_MESSAGE(error < 10 * tol && error > 1e-3 * tol, numerics);
      clear(&r);
    }
  }
}

#else

static void test_without_sundials_the_methods_are_refused(void)
{
  static const char text[] = "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">"
                             "<integrator name=\"x\" in=\"-x\" method=\"cvode_bdf\"/></hydevs>";
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(GError) error = NULL;
  g_autoptr(HyLoaded) loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
  TEST_ASSERT_NOT_NULL(loaded);
  g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), HY_FLAT, NULL);
  TEST_ASSERT_FALSE(hy_sim_init(sim, 0, &error));
  TEST_ASSERT_EQUAL_STRING(
      "x: method \"cvode_bdf\" needs SUNDIALS, without which this hydevs was built",
      error->message);
}

#endif

void setUp(void)
{
}

void tearDown(void)
{
}

int main(void)
{
  UNITY_BEGIN();
#ifdef HY_SUNDIALS
  RUN_TEST(test_a_rotation_is_as_near_as_the_tolerance_promises);
  RUN_TEST(test_all_engines_find_the_same_numbers);
  RUN_TEST(test_a_chain_of_many_states_decays);
  RUN_TEST(test_the_jacobian_goes_through_hubs);
  RUN_TEST(test_a_jump_of_an_input_is_found_and_restarts);
  RUN_TEST(test_a_short_pulse_is_not_lost);
  RUN_TEST(test_what_decays_at_once_ends_no_step);
  RUN_TEST(test_beside_qss2_the_error_follows_the_tolerance);
  RUN_TEST(test_steps_may_be_shorter_than_the_digits_of_time);
  RUN_TEST(test_a_state_that_jumps_starts_the_group_again);
  RUN_TEST(test_states_that_jump_need_not_come_first);
  RUN_TEST(test_what_cannot_go_on_is_named);
  RUN_TEST(test_hstep_bounds_the_steps_of_cvode);
  RUN_TEST(test_reltol_and_abstol_are_the_tolerance);
#else
  RUN_TEST(test_without_sundials_the_methods_are_refused);
#endif
  return UNITY_END();
}
