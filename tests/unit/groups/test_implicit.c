/* Blocks that are not linear, by the linearly implicit step: a converter with a coil that
 * saturates, closed forms, stiff problems with published ends, chains, inputs, what it cannot do;
 * on all engines to the last bit. */
#include "group_run.h"
#include "hydevs/experiment.h"
#include "saturating.h"

void setUp(void)
{
}

void tearDown(void)
{
}

#define QUANTUM "block_liqss2_quantum"
#define ERROR   "block_liqss2_error"

static const char *const both[] = {QUANTUM, ERROR};
/* Of a tolerance, at the end of some hundred steps: by error each of them adds its own. */
static const double allowed[] = {4.0, 100.0};

static HyGroupTotals group_of(const Run *r)
{
  HyGroupTotals g;
  hy_sim_group(r->sim, 0, &g);
  return g;
}

/* PATH at T, the same on all engines. */
static double end_of(const char *inside, const char *method, const char *tol, const char *path,
                     double t)
{
  double first = NAN;
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    Run r;
    setup(&r, inside, method, tol, engines[e]);
    go(&r, t);
    double x = at(&r, path, t);
    first = e == 0 ? x : first;
    TEST_ASSERT_TRUE_MESSAGE(x == first, path);
    clear(&r);
  }
  return first;
}

/* Converters ---------------------------------------------------------------------------------- */

/* A Cuk converter with a stray coil Ls at the switch, L1 of which saturates. */
static char *saturating(const char *Ls, const char *Isat)
{
  return g_strdup_printf("<pwm name=\"gate\" period=\"100u\" duty=\"0.35\"/>"
                         "<switch name=\"Rs\" control=\"gate\" on=\"10u\" off=\"100k\"/>"
                         "<diode name=\"Rd\" i=\"iD\" ron=\"10u\" roff=\"100k\"/>"
                         "<function name=\"iD\" formula=\"iL1 + iL2 - iS\"/>"
                         "<integrator name=\"iL1\" in=\"(24 - uC1 - Rd*iD)/10m%s\"/>"
                         "<integrator name=\"iL2\" in=\"(-uC2 - Rd*iD)/10m\"/>"
                         "<integrator name=\"iS\" in=\"(uC1 + Rd*iD - Rs*iS)/%s\"/>"
                         "<integrator name=\"uC1\" in=\"(iL1 - iS)/10m\"/>"
                         "<integrator name=\"uC2\" in=\"(iL2 - uC2/10)/10m\"/>",
                         Isat, Ls);
}

static void check_converter(const char *model, const char *method, const char *tol, const End *end,
                            double relative)
{
  double first[5] = {0};
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    Run r;
    setup(&r, model, method, tol, engines[e]);
    go(&r, 10e-3);
    for (guint k = 0; k < 5; k++) {
      double x = at(&r, end[k].name, 10e-3);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(relative * fabs(end[k].value), end[k].value, x,
                                        end[k].name);
      first[k] = e == 0 ? x : first[k];
      TEST_ASSERT_TRUE_MESSAGE(x == first[k], end[k].name);
    }
    TEST_ASSERT_EQUAL_UINT64(201, totals(&r).crossings);
    TEST_ASSERT_NULL(group_of(&r).stated);
    clear(&r);
  }
}

/* A diode of 1 mOhm fills a capacitor to the top of a sine, once a period, and a load that is not
 * linear empties it. The current through it is a thousandfold of what the voltage is away from the
 * sine's: it is judged at ends of steps where the equation holds, not within a tolerance. CVODE at
 * 1e-10: 7.61755. */
static void test_a_diode_that_follows_a_source_does_not_chatter(void)
{
  static const char model[] =
      "<diode name=\"rd\" i=\"(10*sin(2*pi*50*t) - v)/rd\" ron=\"1m\" roff=\"1M\"/>"
      "<integrator name=\"v\" in=\"((10*sin(2*pi*50*t) - v)/rd - v/(100 + 10*v^2) - "
      "1m*exp(v/5))/100u\"/>";
  static const char *const tolerances[] = {"1e-3", "1e-5"};
  for (guint k = 0; k < 4; k++) {
    for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
      Run r;
      setup(&r, model, both[k % 2], tolerances[k / 2], engines[e]);
      go(&r, 0.1);
      TEST_ASSERT_EQUAL_UINT64(10, totals(&r).crossings);
      TEST_ASSERT_DOUBLE_WITHIN(8.0 * (k < 2 ? 1e-3 : 1e-5) * 7.6, 7.61755, at(&r, "v", 0.1));
      TEST_ASSERT_LESS_THAN_UINT64(k < 2 ? 150 : 1500, totals(&r).steps);
      clear(&r);
    }
  }
}

static void test_a_converter_with_a_coil_that_saturates(void)
{
  g_autofree char *wide = saturating("10n", "*(1 + (iL1/100)^2)");
  g_autofree char *narrow = saturating("10n", "*(1 + (iL1/40)^2)");
  g_autofree char *linear = saturating("10n", "");
  for (guint k = 0; k < G_N_ELEMENTS(both); k++) {
    check_converter(wide, both[k], "1e-3", of_100, 2e-5);
    check_converter(narrow, both[k], "1e-3", of_40, 2e-5);
    check_converter(linear, both[k], "1e-3", of_no_saturation, 2e-5);
  }
  check_converter(wide, QUANTUM, "1e-5", of_100, 5e-6);
  check_converter(narrow, QUANTUM, "1e-5", of_40, 5e-6);
  check_converter(linear, QUANTUM, "1e-5", of_no_saturation, 5e-6);
}

/* A stray coil so small that its rate, 1e18, has no digits of time to step in. */
static void test_rates_beyond_the_digits_of_time_go_to_cvode(void)
{
#ifdef HY_SUNDIALS
  Run r;
  g_autofree char *model = saturating("1e-13", "*(1 + (iL1/100)^2)");
  setup(&r, model, "block_liqss2", "1e-3", HY_FUSED);
  go(&r, 10e-3);
  HyGroupTotals g = group_of(&r);
  TEST_ASSERT_EQUAL_STRING("cvode_bdf", g.method);
  TEST_ASSERT_EQUAL_STRING("block_liqss2", g.stated);
  TEST_ASSERT_EQUAL_STRING("their rates are too fast for the digits of time", g.because);
  TEST_ASSERT_TRUE(g.since > 0.0 && g.since < 1e-3);
  TEST_ASSERT_DOUBLE_WITHIN(1e-2 * 22.7, 22.7167, at(&r, "iL1", 10e-3));
  clear(&r);
#endif
}

/* At every event, in every step that begins there: |q - x| = |x''| h^2/2 is a quantum at most. What
 * is seen is x, a parabola up to the next event. */
static void check_bound(const char *model, double tol, double until)
{
  static const char *const name[] = {"iL1", "iL2", "iS", "uC1", "uC2"};
  double worst = 0.0;
  guint events = 0;
  Run r;
  g_autofree char *text = g_strdup_printf("%g", tol);
  setup(&r, model, QUANTUM, text, HY_FLAT);
  for (gboolean done = TRUE; done && hy_sim_next(r.sim) <= until; events++) {
    TEST_ASSERT_TRUE(hy_sim_step(r.sim, until, &done, NULL));
    double t = hy_sim_time(r.sim), end = hy_sim_next(r.sim), middle = 0.5 * (t + end);
    for (guint k = 0; k < G_N_ELEMENTS(name) && end > t && end < until; k++) {
      double x = at(&r, name[k], t), bend = x - 2.0 * at(&r, name[k], middle);
      worst = fmax(worst, 2.0 * fabs(bend + at(&r, name[k], end)) / fmax(tol * fabs(x), tol));
    }
  }
  TEST_ASSERT_TRUE(events > 500);
  TEST_ASSERT_TRUE_MESSAGE(worst > 0.5 && worst <= 1.0 + 1e-6, "quanta");
  clear(&r);
}

static void test_q_is_never_more_than_a_quantum_from_x(void)
{
  g_autofree char *model = saturating("10n", "*(1 + (iL1/40)^2)");
  check_bound(model, 1e-2, 2e-3);
  check_bound(model, 1e-3, 1e-3);
}

/* Closed forms and published ends ------------------------------------------------------------- */

/* x = 1/(1 + t); and 1/(1 + 9 e^-t), whose A changes its sign. */
static void test_closed_forms(void)
{
  static const char *const tol[] = {"1e-3", "1e-5", "1e-7"};
  for (guint m = 0; m < G_N_ELEMENTS(both); m++) {
    for (guint k = 0; k < G_N_ELEMENTS(tol); k++) {
      double within = allowed[m] * g_ascii_strtod(tol[k], NULL);
      double x = end_of("<integrator name=\"x\" in=\"-x*x\" x0=\"1\"/>", both[m], tol[k], "x", 4);
      TEST_ASSERT_DOUBLE_WITHIN(within, 0.2, x);
      x = end_of("<integrator name=\"x\" in=\"x*(1 - x)\" x0=\"0.1\"/>", both[m], tol[k], "x", 5);
      TEST_ASSERT_DOUBLE_WITHIN(within, 1.0 / (1.0 + 9.0 * exp(-5)), x);
    }
  }
}

/* H. Robertson's reactions, at t = 40 (E. Hairer, G. Wanner, Solving ordinary differential
 * equations II; tables of the problem). */
static void test_the_reactions_of_robertson(void)
{
  static const char model[] = "<integrator name=\"a\" in=\"-0.04*a + 1e4*b*c\" x0=\"1\"/>"
                              "<integrator name=\"b\" in=\"0.04*a - 1e4*b*c - 3e7*b*b\"/>"
                              "<integrator name=\"c\" in=\"3e7*b*b\"/>";
  for (guint k = 0; k < G_N_ELEMENTS(both); k++) {
    Run r;
    g_autofree char *numerics =
        g_strdup_printf("method=\"%s\" dqrel=\"1e-4\" dqmin=\"1e-8\"", both[k]);
    setup_with(&r, model, numerics, HY_FUSED);
    go(&r, 40);
    TEST_ASSERT_DOUBLE_WITHIN(2e-4, 0.7158271, at(&r, "a", 40));
    TEST_ASSERT_DOUBLE_WITHIN(2e-9, 9.185535e-6, at(&r, "b", 40));
    TEST_ASSERT_DOUBLE_WITHIN(2e-4, 0.2841637, at(&r, "c", 40));
    TEST_ASSERT_TRUE(totals(&r).steps < 1000);
    clear(&r);
  }
}

/* Equilibrium: steps become as long as they like. */
static void test_what_rests_costs_nothing(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(both); k++) {
    Run r;
    setup(&r,
          "<integrator name=\"x\" in=\"1e6*(y - x*x)\" x0=\"1\"/>"
          "<integrator name=\"y\" in=\"1 - y*x\" x0=\"1\"/>",
          both[k], "1e-3", HY_FUSED);
    go(&r, 1e6);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 1.0, at(&r, "x", 1e6));
    TEST_ASSERT_TRUE(totals(&r).steps < 10);
    clear(&r);
  }
}

/* What is far from where it was is looked at before it is believed: a front that waits at an
 * equilibrium, which is none for it. x' = x^2 (1 - x), disturbed at t = 1. */
static void test_an_equilibrium_that_is_left(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(both); k++) {
    double x = end_of("<step name=\"s\" at=\"1\" to=\"1m\"/>"
                      "<integrator name=\"x\" in=\"(x + s)*(x + s)*(1 - x)\"/>",
                      both[k], "1e-5", "x", 1100);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 1.0, x);
    x = end_of("<step name=\"s\" at=\"1\" to=\"1m\"/>"
               "<integrator name=\"x\" in=\"(x + s)*(x + s)*(1 - x)\"/>",
               both[k], "1e-5", "x", 501);
    /* 1/(x + s) = 1/s - (t - 1) while x is small: 1/500 - 1/1000 */
    TEST_ASSERT_DOUBLE_WITHIN(5e-5, 1e-3, x);
  }
}

/* Chains -------------------------------------------------------------------------------------- */

#define CHAIN                                                                                      \
  "<param name=\"N\" value=\"60\" kind=\"integer\"/>"                                              \
  "<integrator name=\"u\" count=\"N\" x0=\"sin(pi*i/61)\" "                                        \
  "in=\"4000*(if(i > 1, u[i-1], 0) - 2*u[i] + if(N > i, u[i+1], 0))\"/>"

/* Of a uniform chain one shape decays at one rate. */
static void test_a_chain_in_closed_form(void)
{
  double rate = 16000 * pow(sin(G_PI / 122), 2), t = 0.1;
  for (guint k = 0; k < G_N_ELEMENTS(both); k++) {
    double x = end_of(CHAIN, both[k], "1e-4", "u[30]", t);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, sin(G_PI * 30 / 61) * exp(-rate * t), x);
  }
}

/* Its members far from a mean of all of them, which is a hub: the mean is a state of its own. */
static void test_a_hub_of_all(void)
{
  static const char model[] =
      "<param name=\"N\" value=\"40\" kind=\"integer\"/>"
      "<function name=\"m\" formula=\"sum(x[*])/N\"/>"
      "<integrator name=\"x\" count=\"N\" x0=\"i\" in=\"1000*(m - x[i]) - x[i]*m/10\"/>";
  for (guint k = 0; k < G_N_ELEMENTS(both); k++) {
    /* m' = -m^2/10 */
    double x = end_of(model, both[k], "1e-5", "x[7]", 1.0);
    TEST_ASSERT_DOUBLE_WITHIN(allowed[k] * 6.7e-5, 20.5 / (1.0 + 2.05), x);
  }
}

/* Inputs -------------------------------------------------------------------------------------- */

static void test_an_input_in_pieces(void)
{
  static const double tol[] = {1e-3, 1e-5, 1e-7};
  for (guint m = 0; m < G_N_ELEMENTS(both); m++) {
    for (guint k = 0; k < G_N_ELEMENTS(tol); k++) {
      g_autofree char *text = g_strdup_printf("%g", tol[k]);
      double x = end_of("<sine name=\"u\" amplitude=\"1\" frequency=\"1/(2*pi)\"/>"
                        "<integrator name=\"x\" in=\"u - x\"/>",
                        both[m], text, "x", 10);
      TEST_ASSERT_DOUBLE_WITHIN(allowed[m] * tol[k], 0.5 * (sin(10) - cos(10) + exp(-10)), x);
    }
  }
}

/* A state of another method reads one of the block, and is read by it: x'' = -x, both ways. */
static void test_states_of_another_method(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(both); k++) {
    double x = end_of("<integrator name=\"x\" in=\"y\" x0=\"1\"/>"
                      "<integrator name=\"y\" in=\"-x\" method=\"qss3\" dqmin=\"1e-6\"/>"
                      "<integrator name=\"z\" in=\"1e6*(x*x - z)\"/>",
                      both[k], "1e-5", "z", 5);
    TEST_ASSERT_DOUBLE_WITHIN(2e-3, pow(cos(5), 2), x);
  }
}

/* A resistance that grows with the current, and a gate. */
static void test_edges_of_a_gate(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(both); k++) {
    double x = 0.0, t = 0.0;
    for (int period = 1; period <= 3; period++) { /* x' = 1 - x^2, then -x^2 */
      x = tanh(atanh(x) + 0.25);
      x = x / (1.0 + 0.75 * x);
      t = period;
    }
    double y = end_of("<pwm name=\"p\" period=\"1\" duty=\"0.25\"/>"
                      "<integrator name=\"x\" in=\"p - x*x\"/>",
                      both[k], "1e-6", "x", t);
    TEST_ASSERT_DOUBLE_WITHIN(allowed[k] * 1e-6, x, y);
  }
}

/* x = 5 (t - 1)^2 - 1/20 is below 0 for 0.2 s. By error all of it is a step or two, and neither end
 * is below. */
static void test_what_is_beyond_between_the_ends_of_a_step(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(both); k++) {
    double y = end_of("<switch name=\"k\" control=\"x\" level=\"0\" on=\"0\" off=\"1\"/>"
                      "<integrator name=\"v\" in=\"10\" x0=\"-10\"/>"
                      "<integrator name=\"x\" in=\"v\" x0=\"4.95\"/>"
                      "<integrator name=\"y\" in=\"k\"/>",
                      both[k], "1e-3", "y", 5);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.2, y);
  }
}

/* Which ---------------------------------------------------------------------------------------- */

static void check_chosen(const char *inside, const char *method, const char *because)
{
  Run r;
  setup(&r, inside, "block_liqss2", "1e-3", HY_FUSED);
  go(&r, 0.1);
  HyGroupTotals g = group_of(&r);
  TEST_ASSERT_EQUAL_STRING(method, g.method);
  TEST_ASSERT_EQUAL_STRING("block_liqss2", g.stated);
  TEST_ASSERT_EQUAL_STRING(because, g.because);
  clear(&r);
}

/* By quantum; a long chain without modes of its own by error. */
static void test_the_equations_decide(void)
{
  check_chosen("<integrator name=\"x\" in=\"y\" x0=\"2\"/>"
               "<integrator name=\"y\" in=\"(1 - x*x)*y - x\"/>",
               QUANTUM, "they are not linear while no switch turns");
  check_chosen("<integrator name=\"x\" count=\"65\" "
               "in=\"if(i > 1, x[i-1], 1) - 2*x[i] + if(i == 65, 0, x[i+1])\"/>",
               ERROR, "they are too many for a block");
  check_chosen("<integrator name=\"x\" count=\"50\" in=\"if(i > 1, x[i-1], 1) - x[i]*x[i]\"/>",
               ERROR, "they are not linear while no switch turns");
  check_chosen("<switch name=\"k\" control=\"x[1]\" level=\"0.5\" on=\"0\" off=\"1\"/>"
               "<integrator name=\"x\" count=\"50\" in=\"if(i > 1, x[i-1], k) - x[i]*x[i]\"/>",
               QUANTUM, "they are not linear while no switch turns");
}

/* One that all others read, and that reads all of them: a band as wide as the matrix, which is
 * sparse. x = e^-t, y = exp(x - 1). */
static void test_a_sparse_matrix(void)
{
#ifdef HY_SUNDIALS
#define SPARSE(x)                                                                                  \
  "<integrator name=\"x\" in=\"" x " + (y[1] - y[45]) + (y[90] - y[2])\" x0=\"1\"/>"               \
  "<integrator name=\"y\" count=\"90\" in=\"-x*y[i] + 1e5*(y[91 - i] - y[i])\" x0=\"1\"/>"
  static const char model[] = SPARSE("-x");
  static const char with[] =
      "<switch name=\"k\" control=\"x\" level=\"0.5\" on=\"1\" off=\"2\"/>" SPARSE("-k*x");
  check_chosen(model, "cvode_bdf", "they are too many that read each other");
  check_chosen(with, QUANTUM, "they are not linear while no switch turns");
  for (guint k = 0; k < G_N_ELEMENTS(both); k++) {
    double x = end_of(model, both[k], "1e-5", "y[70]", 1);
    TEST_ASSERT_DOUBLE_WITHIN(allowed[k] * 1e-5, exp(exp(-1) - 1), x);
  }
#endif
}

/* Where more than 64 states read a sum of them all, each time CVODE. */
static void test_a_large_matrix_goes_to_cvode(void)
{
#ifdef HY_SUNDIALS
  check_chosen("<param name=\"N\" value=\"90\" kind=\"integer\"/>"
               "<function name=\"m\" formula=\"sum(y[*])/N\"/>"
               "<integrator name=\"y\" count=\"N\" in=\"1 - m*y[i]\"/>",
               "cvode_bdf", "they are too many that read each other");
#endif
}

/* Limits -------------------------------------------------------------------------------------- */

static void test_what_leaves_the_numbers_ends_the_run(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(both); k++) {
    Run r;
    g_autoptr(GError) error = NULL;
    setup(&r, "<integrator name=\"x\" in=\"exp(x)\"/>", both[k], "1e-3", HY_FUSED);
    TEST_ASSERT_FALSE(hy_sim_run(r.sim, 2, &error)); /* x = -log(1 - t) */
    TEST_ASSERT_DOUBLE_WITHIN(1e-2, 1.0, hy_sim_time(r.sim));
    clear(&r);
  }
}

/* A user is not warned of a block that steps, but told. */
static void test_a_run_says_which(void)
{
  static const char text[] = "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">\n"
                             "<integrator name=\"x\" in=\"-x*x\" x0=\"1\"/>\n"
                             "<experiment stop=\"1\" method=\"block_liqss2\"/></hydevs>\n";
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
  g_autoptr(GError) error = NULL;
  g_autoptr(HyRun) run = hy_run_new(loaded, NULL, &error);
  TEST_ASSERT_TRUE(hy_run_go(run, &error));
  hy_report_run(report, run);
  g_autofree char *said = hy_report_text(report);
  TEST_ASSERT_EQUAL_STRING("", said);
  g_autoptr(GString) stats = g_string_new(NULL);
  hy_stats_text(hy_run_sim(run), NULL, stats);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(stats->str, "block_liqss2_quantum of x, in place of "
                                                  "block_liqss2 from t = 0 on: they are not "
                                                  "linear while no switch turns: "),
                               stats->str);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_converter_with_a_coil_that_saturates);
  RUN_TEST(test_a_diode_that_follows_a_source_does_not_chatter);
  RUN_TEST(test_rates_beyond_the_digits_of_time_go_to_cvode);
  RUN_TEST(test_q_is_never_more_than_a_quantum_from_x);
  RUN_TEST(test_closed_forms);
  RUN_TEST(test_the_reactions_of_robertson);
  RUN_TEST(test_what_rests_costs_nothing);
  RUN_TEST(test_an_equilibrium_that_is_left);
  RUN_TEST(test_a_chain_in_closed_form);
  RUN_TEST(test_a_hub_of_all);
  RUN_TEST(test_an_input_in_pieces);
  RUN_TEST(test_states_of_another_method);
  RUN_TEST(test_edges_of_a_gate);
  RUN_TEST(test_what_is_beyond_between_the_ends_of_a_step);
  RUN_TEST(test_the_equations_decide);
  RUN_TEST(test_a_sparse_matrix);
  RUN_TEST(test_a_large_matrix_goes_to_cvode);
  RUN_TEST(test_what_leaves_the_numbers_ends_the_run);
  RUN_TEST(test_a_run_says_which);
  return UNITY_END();
}
