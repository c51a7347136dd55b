/* Algebraic loops through loop_breaker, in all engines: the circuit of the course, a diode, two
 * unknowns, loops without a solution, and who sees what while one is solved. */
#include "loop_run.h"

#include <math.h>

void setUp(void)
{
}

void tearDown(void)
{
}

/* ---- the circuit: E in series with (L parallel R2), C and R1; the loop is iC -> uR1 -> iR2 ----
 */

static char *circuit(double r1, double r2)
{
  char a[HY_DOUBLE_SIZE], b[HY_DOUBLE_SIZE];
  return g_strdup_printf("<param name=\"R1\" value=\"%s\"/><param name=\"R2\" value=\"%s\"/>"
                         "<integrator name=\"iL\" in=\"uL/0.1\"/>"
                         "<integrator name=\"uC\" in=\"iC.zc/0.01\"/>"
                         "<function name=\"uR1\" formula=\"R1*iC\"/>"
                         "<function name=\"iR2\" formula=\"(10 - uC - uR1)/R2\"/>"
                         "<loop_breaker name=\"iC\" in=\"iL + iR2\"/>"
                         "<function name=\"uL\" formula=\"R2*(iC.zc - iL)\"/>",
                         hy_double_text(a, r1), hy_double_text(b, r2));
}

static const struct {
  double r1, r2, t, i_l, u_c, i_r2, i_c;
} exact[] = {
    {1, 2, 0, 0, 0, 3.333333333, 3.333333333},
    {1, 2, 0.01, 0.543397866, 3.008409929, 2.149397402, 2.692795267},
    {1, 2, 0.05, 1.094483453, 9.669807493, -0.254763649, 0.839719804},
    {1, 2, 0.1, 0.551435659, 11.186991320, -0.579475660, -0.028040001},
    {1, 2, 0.2, -0.009277354, 10.163186446, -0.051303031, -0.060580385},
    {2, 1, 0.01, 0.273213586, 2.878240622, 2.191777402, 2.464990988},
    {2, 1, 0.1, 0.502939364, 10.181661307, -0.395846678, 0.107092686},
    {2, 1, 0.2, 0.184085478, 10.249647920, -0.205939626, -0.021854147},
};

static void test_the_circuit_has_its_exact_solution(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(exact) * G_N_ELEMENTS(engines); k++) {
    guint i = k / G_N_ELEMENTS(engines);
    Run r;
    g_autofree char *text = circuit(exact[i].r1, exact[i].r2);
    double t = exact[i].t;
    run(&r, text, "method=\"qss3\" dqrel=\"1e-7\" dqmin=\"1e-8\"", engines[k % 3], t);
    TEST_ASSERT_DOUBLE_WITHIN(2e-6, exact[i].i_l, hy_sim_value(r.sim, find(&r, "iL"), t));
    TEST_ASSERT_DOUBLE_WITHIN(2e-6, exact[i].u_c, hy_sim_value(r.sim, find(&r, "uC"), t));
    TEST_ASSERT_DOUBLE_WITHIN(2e-6, exact[i].i_c, said(&r, "iC", 1, t));
    TEST_ASSERT_DOUBLE_WITHIN(2e-6, exact[i].i_r2, said(&r, "uL", 0, t) / exact[i].r2);
    clear(&r);
  }
}

/* The implicit ones do not see through the breaker: their partial derivatives lack what goes round
 * the loop. That costs steps; the answer is the same. */
static void test_all_methods_find_the_solution(void)
{
  static const struct {
    const char *method;
    double tolerance;
  } rows[] = {
      {"qss1", 5e-2},      {"qss2", 1e-3},        {"qss3", 1e-3},
      {"liqss1", 5e-2},    {"liqss2", 1e-3},      {"liqss3", 1e-3},
      {"mliqss1", 5e-2},   {"mliqss2", 1e-3},     {"mliqss3", 1e-3},
#ifdef HY_SUNDIALS
      {"cvode_bdf", 1e-3}, {"cvode_adams", 1e-3},
#endif
  };
  g_autofree char *text = circuit(1, 2);
  for (guint k = 0; k < G_N_ELEMENTS(rows) * G_N_ELEMENTS(engines); k++) {
    guint m = k / G_N_ELEMENTS(engines);
    Run r;
    double dq = rows[m].tolerance / 50;
    char number[HY_DOUBLE_SIZE];
    hy_double_text(number, dq);
    g_autofree char *numerics =
        g_strdup_printf("method=\"%s\" dqrel=\"%s\" dqmin=\"%s\"", rows[m].method, number, number);
    run(&r, text, numerics, engines[k % 3], 0.1);
    double i_l = hy_sim_value(r.sim, find(&r, "iL"), 0.1);
    double u_c = hy_sim_value(r.sim, find(&r, "uC"), 0.1);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(rows[m].tolerance, 0.551435659, i_l, rows[m].method);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(rows[m].tolerance, 11.18699132, u_c, rows[m].method);
    clear(&r);
  }
}

static void test_a_linear_loop_takes_two_rounds_after_a_change(void)
{
  static const double resistors[][2] = {{1, 2}, {2, 1}, {10, 0.1}};
  static const char *const methods[] = {"qss1", "qss2", "qss3"};
  for (guint k = 0; k < 9; k++) {
    Run r;
    g_autofree char *text = circuit(resistors[k % 3][0], resistors[k % 3][1]);
    g_autofree char *numerics =
        g_strdup_printf("method=\"%s\" dqrel=\"1e-3\" dqmin=\"1e-3\"", methods[k / 3]);
    run(&r, text, numerics, HY_FUSED, 0.2);
    g_autofree char *report = hy_sim_report(r.sim, find(&r, "iC"));
    g_auto(GStrv) word = g_strsplit(report, " ", -1); /* N solutions, N rounds, at most N */
    TEST_ASSERT_EQUAL_UINT_MESSAGE(7, g_strv_length(word), report);
    guint64 solutions = g_ascii_strtoull(word[0], NULL, 10);
    guint64 rounds = g_ascii_strtoull(word[2], NULL, 10);
    guint64 most = g_ascii_strtoull(word[6], NULL, 10);
    TEST_ASSERT_GREATER_THAN_UINT64_MESSAGE(15, solutions, report);
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(3, most, report);
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(2 * solutions + 1, rounds, report);
    clear(&r);
  }
}

static void test_slopes_solve_the_loop_too(void)
{
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    Run r;
    g_autofree char *text = circuit(2, 1);
    run(&r, text, "method=\"qss3\" dqrel=\"1e-3\" dqmin=\"1e-3\"", engines[e], 0.03);
    double i_l[4], u_c[4], i_c[4];
    piece(&r, "iL", 0, 0.03, i_l);
    piece(&r, "uC", 0, 0.03, u_c);
    piece(&r, "iC", 1, 0.03, i_c);
    for (guint k = 0; k < 3; k++) {
      double i_r2 = ((k == 0 ? 10 : 0) - u_c[k] - 2 * i_l[k]) / 3;
      TEST_ASSERT_DOUBLE_WITHIN(1e-9 * (1 + fabs(i_c[k])), i_l[k] + i_r2, i_c[k]);
    }
    TEST_ASSERT_TRUE(fabs(i_c[1]) > 1 && fabs(i_c[2]) > 1);
    clear(&r);
  }
}

/* ---- nonlinear loops ---- */

static void test_the_diode_is_found_by_its_residual(void)
{
  static const double rows[][2] = {
      {0.5, 0.499751426750}, {1, 0.684494804387}, {5, 0.751712488571}, {10, 0.771767218992}};
  static const char *const solvers[] = {"secant", "newton"};
  for (guint k = 0; k < 8 * G_N_ELEMENTS(engines); k++) {
    Run r;
    char e[HY_DOUBLE_SIZE];
    g_autofree char *text =
        g_strdup_printf("<step name=\"e\" to=\"%s\"/><loop_breaker name=\"v\" solver=\"%s\" "
                        "in=\"e - 1*1e-12*(exp(v/0.025852) - 1)\"/>",
                        hy_double_text(e, rows[k % 4][0]), solvers[k / 4 % 2]);
    run(&r, text, "", engines[k / 8], 1);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, rows[k % 4][1], said(&r, "v", 1, 1));
    clear(&r);
  }
}

/* z1 + z2 = s, z1 z2 = 2, s = 3 until t = 1 and then 3 + (t - 1): z1 = (s + sqrt(s^2 - 8))/2. */
static void test_two_unknowns_and_their_slopes(void)
{
  static const char *const solvers[] = {"secant", "newton"};
  static const double z[2][4] = {{2, 2, -2, 6}, {1, -1, 2, -6}};
  for (guint k = 0; k < 2 * G_N_ELEMENTS(engines); k++) {
    Run r;
    g_autofree char *text =
        g_strdup_printf("<ramp name=\"u\" start=\"1\" duration=\"10\" height=\"10\"/>"
                        "<loop_breaker name=\"z\" guess=\"2.5, 0.5\" solver=\"%s\" "
                        "in=\"3 + u - z.out[2], 2/z.out[1]\"/>",
                        solvers[k % 2]);
    run(&r, text, "", engines[k / 2], 1);
    for (guint i = 0; i < 2; i++) {
      double c[4];
      piece(&r, "z", 2 + i, 1, c);
      for (guint n = 0; n < 4; n++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-7, z[i][n], c[n]);
      }
    }
    clear(&r);
  }
}

/* w1 = 1 - w2/2 and w2 = w1, which is a wire from the block to itself: both are 2/3. */
static void test_an_unknown_may_be_another_one(void)
{
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    Run r;
    run(&r,
        "<loop_breaker name=\"w\" in=\"1 - w.out[2]/2, w.out[1]\" guess=\"2, 0.5\"/>"
        "<gain name=\"b\" k=\"3\" in=\"w.zc[2]\"/>",
        "", engines[e], 1);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 2, said(&r, "b", 0, 1));
    clear(&r);
  }
}

static void test_a_loop_inside_a_loop(void)
{
  /* a = 1 + b/2 and b = a + b/3, solved for b anew whenever a moves: b = 3a/2, a = 4 */
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    Run r;
    run(&r,
        "<step name=\"one\" to=\"1\"/><loop_breaker name=\"a\" in=\"one + b.zc/2\"/>"
        "<loop_breaker name=\"b\" in=\"a + b/3\"/>",
        "", engines[e], 1);
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, 4, said(&r, "a", 1, 1));
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, 6, said(&r, "b", 1, 1));
    clear(&r);
  }
}

/* The limit cuts the loop open: there z does not depend on itself, and g is not said again. */
static void test_a_loop_whose_answer_stays_the_same(void)
{
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    Run r;
    run(&r,
        "<step name=\"u\" at=\"0.5\" from=\"1\" to=\"10\"/>"
        "<saturation name=\"y\" in=\"z - 2*u\" lower=\"-3\" upper=\"3\"/>"
        "<loop_breaker name=\"z\" in=\"y + u\" guess=\"5\"/>",
        "", engines[e], 0);
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, -2, said(&r, "z", 1, 0)); /* z - 2 = -4 */
    TEST_ASSERT_TRUE(hy_sim_run(r.sim, 1, NULL));
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, 7, said(&r, "z", 1, 1)); /* z - 20 = -13 */
    clear(&r);
  }
}

/* ---- what has no solution ---- */

static void test_no_solution_is_an_error(void)
{
  fails("<loop_breaker name=\"z\" in=\"z^2 + 1\" max_iter=\"20\"/>",
        "z: the loop has no solution that 20 rounds find: out = 0.05263157894736892 comes back "
        "with a residual of 0.9501385041551241 at t = 0");
  fails("<step name=\"s\" at=\"2\"/><loop_breaker name=\"z\" in=\"if(z > s, -1, 1)\" "
        "max_iter=\"9\"/>",
        "z: the loop has no solution that 9 rounds find: out = 0.005208333333333334 comes back "
        "with a "
        "residual of 1.0052083333333333 at t = 0");
  fails("<step name=\"s\" at=\"0.5\"/><loop_breaker name=\"z\" in=\"z + s\"/>",
        "z: the loop is singular: it does not determine out; after 100 rounds the residual is 1 at "
        "t = 0.5");
  fails("<step name=\"s\" at=\"0.5\"/>"
        "<loop_breaker name=\"z\" in=\"s - z.out[2], s - z.out[1] + 1\" max_iter=\"30\"/>",
        "z: the loop is singular: it does not determine out[2]; after 30 rounds the residual is "
        "35.35826789587736 at t = 0");
  fails("<loop_breaker name=\"z\" in=\"10 - 2*z\" solver=\"fixed_point\" max_iter=\"10\"/>",
        "z: the loop has no solution that 10 rounds find: out = 1710 comes back with "
        "a residual of 5120 at t = 0");
  fails("<loop_breaker name=\"z\" in=\"1 - z.out[2], 2*z.out[1]\" guess=\"1, 2, 3\"/>",
        "z: guess has 3 numbers for 2 unknowns");
}

/* The same loop, R1/R2 = 1/2: propagation finds it, slowly. */
static void test_propagation_converges_where_the_gain_is_below_1(void)
{
  Run r;
  run(&r, "<loop_breaker name=\"z\" in=\"5 - 0.5*z\" solver=\"fixed_point\"/>", "", HY_FLAT, 0);
  TEST_ASSERT_DOUBLE_WITHIN(1e-8, 10.0 / 3, said(&r, "z", 1, 0));
  clear(&r);
}

/* Two inputs change one after the other at t = 0.5: between them there is no solution. */
static void test_what_lasts_no_time_is_no_failure(void)
{
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    Run r;
    run(&r,
        "<step name=\"a\" at=\"0.5\" from=\"0.5\" to=\"1\"/>"
        "<step name=\"b\" at=\"0.5\" from=\"0\" to=\"1\"/>"
        "<loop_breaker name=\"z\" in=\"a*z + b\"/>",
        "", engines[e], 0.4);
    g_autoptr(GError) error = NULL;
    TEST_ASSERT_FALSE(hy_sim_run(r.sim, 1, &error));
    TEST_ASSERT_TRUE(strstr(error->message, "singular") != NULL); /* z + 1, and it stays so */
    clear(&r);
    run(&r,
        "<step name=\"a\" at=\"0.5\" from=\"0.5\" to=\"1\"/>"
        "<step name=\"b\" at=\"0.5\" from=\"1\" to=\"0.25\"/>"
        "<step name=\"c\" at=\"0.5\" from=\"0\" to=\"0.75\"/>"
        "<loop_breaker name=\"z\" in=\"(a - c)*z + b\"/>",
        "", engines[e], 1);
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, 0.25 / 0.75, said(&r, "z", 1, 1));
    clear(&r);
  }
}

/* ---- who sees trials ---- */

/* The guess is far above the threshold, the solution 6.667 below it. Only what stands in the loop
 * or reads it without answering at once meets the guess. */
static void test_a_crossing_outside_does_not_see_trials(void)
{
  static const char *const names[] = {"outside", "behind", "switched", "inside"};
  static const guint64 counted[] = {0, 0, 0, 1};
  for (guint k = 0; k < G_N_ELEMENTS(names) * G_N_ELEMENTS(engines); k++) {
    g_autofree char *text = circuit(2, 1);
    g_autofree char *all = g_strdup_printf(
        "%s<crossing name=\"outside\" in=\"R1*iC.zc\" level=\"10\"/>"
        "<crossing name=\"behind\" in=\"1 + uR1\" level=\"11\"/>"
        "<hysteresis name=\"h\" in=\"uR1\" lower=\"9\" upper=\"10\"/>"
        "<crossing name=\"switched\" in=\"h\" level=\"0.5\"/>"
        "<step name=\"E\" at=\"0.5\" from=\"10\" to=\"20\"/>"
        "<crossing name=\"inside\" in=\"y\" level=\"5\"/>"
        "<function name=\"y\" formula=\"E - 2*z\"/><loop_breaker name=\"z\" in=\"y\" "
        "guess=\"100\"/>",
        text);
    Run r;
    run(&r, all, "method=\"qss2\"", engines[k / 4], 1);
    guint64 n_int, n_ext;
    hy_sim_counts(r.sim, find(&r, names[k % 4]), &n_int, &n_ext);
    TEST_ASSERT_TRUE_MESSAGE((n_int > 0) == (counted[k % 4] > 0), names[k % 4]);
    clear(&r);
  }
}

/* A block that answers at once and does not say so: nobody can foresee that loop. */
typedef struct {
  double in, tn;
} Echo;

static gboolean echo_init(void *state, double t, const HySetup *setup, GError **error)
{
  (void)setup, (void)error;
  ((Echo *)state)->tn = t;
  return TRUE;
}

static double echo_next(const void *state)
{
  return ((const Echo *)state)->tn;
}

static HyEvent echo_lambda(const void *state, double t)
{
  (void)t;
  return (HyEvent){.port = 0, .value.c = {((const Echo *)state)->in}};
}

static void echo_dint(void *state, double t)
{
  (void)t;
  ((Echo *)state)->tn = INFINITY;
}

static void echo_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  *(Echo *)state = (Echo){.in = x->value.c[0], .tn = t};
}

static const HyPort echo_in[] = {{.name = "in", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyPort echo_out[] = {{.name = "out", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyAtomicClass echo_class = {.name = "echo",
                                         .in = echo_in,
                                         .out = echo_out,
                                         .state_size = sizeof(Echo),
                                         .init = echo_init,
                                         .next = echo_next,
                                         .lambda = echo_lambda,
                                         .dint = echo_dint,
                                         .dext = echo_dext};

static void test_a_loop_that_nobody_declares_meets_the_limit(void)
{
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    g_autoptr(HyModel) m = hy_model_new("m");
    g_autoptr(GError) error = NULL;
    hy_model_add(m, "a", &echo_class);
    hy_model_add(m, "k", hy_class_find("function"));
    hy_model_set_array(m, 1, 1, 0);
    TEST_ASSERT_TRUE(hy_model_set(m, 1, "formula", "in[1] + 1", NULL));
    TEST_ASSERT_TRUE(hy_model_wire(m, "a.out", "k.in[1]", NULL));
    TEST_ASSERT_TRUE(hy_model_wire(m, "k.out", "a.in", NULL));
    g_autoptr(HySim) sim = hy_sim_new(m, engines[e], &error);
    TEST_ASSERT_NOT_NULL(sim);
    hy_sim_set_limit(sim, 1000);
    TEST_ASSERT_TRUE(hy_sim_init(sim, 0, &error));
    TEST_ASSERT_FALSE(hy_sim_run(sim, 1, &error));
    TEST_ASSERT_EQUAL_INT(HY_ERROR_ILLEGITIMATE, error->code);
    TEST_ASSERT_TRUE_MESSAGE(strstr(error->message, "a") != NULL, error->message);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_circuit_has_its_exact_solution);
  RUN_TEST(test_all_methods_find_the_solution);
  RUN_TEST(test_a_linear_loop_takes_two_rounds_after_a_change);
  RUN_TEST(test_slopes_solve_the_loop_too);
  RUN_TEST(test_the_diode_is_found_by_its_residual);
  RUN_TEST(test_two_unknowns_and_their_slopes);
  RUN_TEST(test_an_unknown_may_be_another_one);
  RUN_TEST(test_a_loop_inside_a_loop);
  RUN_TEST(test_a_loop_whose_answer_stays_the_same);
  RUN_TEST(test_no_solution_is_an_error);
  RUN_TEST(test_propagation_converges_where_the_gain_is_below_1);
  RUN_TEST(test_what_lasts_no_time_is_no_failure);
  RUN_TEST(test_a_crossing_outside_does_not_see_trials);
  RUN_TEST(test_a_loop_that_nobody_declares_meets_the_limit);
  return UNITY_END();
}
