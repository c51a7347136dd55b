/* Blocks with a continuous state, on both engines against closed forms. */
#include "atomics/continuous/quantized.h"
#include "blocks.h"

#include <math.h>

static const char *const methods[] = {"qss1", "qss2", "qss3", "bqss", "liqss1", "liqss2", "liqss3"};

void setUp(void)
{
}

void tearDown(void)
{
}

/* The state of integrator PATH at TF. */
static double state_at(HyModel *m, const char *path, double tf)
{
  double x[2];
  for (guint k = 0; k < 2; k++) {
    g_autoptr(GError) error = NULL;
    g_autoptr(HySim) sim = hy_sim_new(m, k == 0 ? HY_TREE : HY_FLAT, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(sim, error != NULL ? error->message : "");
    guint atomic = 0;
    TEST_ASSERT_TRUE(hy_sim_find(sim, path, &atomic));
    gboolean ok = hy_sim_init(sim, 0, &error) && hy_sim_run(sim, tf, &error);
    TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : "");
    const HyQuantized *s = hy_sim_state(sim, atomic);
    x[k] = hy_qstate_x(&s->v, tf);
  }
  TEST_ASSERT_TRUE(x[0] == x[1]);
  return x[0];
}

/* Integrators ---------------------------------------------------------------------------------- */

/* x' = 3: x is exact in every method, and q stays within the bound. */
static void test_a_constant_input_is_integrated_without_a_message(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(methods); k++) {
    g_autoptr(HyModel) m = hy_model_new("R");
    fix(m,
        add(m, "integrator", "x", "method", methods[k], "x0", "1", "dqrel", "0", "dqmin", "0.25",
            NULL),
        0, 3);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-12, 31, state_at(m, "x", 10), methods[k]);
    g_autoptr(GArray) q = listen(m, "x", 0, 10, NULL);
    for (guint i = 1; i < 100; i++) {
      double t = 0.1 * i;
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(0.51, 1 + 3 * t, heard(q, 0, t), methods[k]);
    }
  }
}

/* A source that does not depend on the state, before and behind the integrator in the list. */
static void test_an_input_that_does_not_depend_on_the_state_starts_it(void)
{
  for (guint k = 0; k < 2 * G_N_ELEMENTS(methods); k++) {
    const char *method = methods[k / 2];
    g_autoptr(HyModel) m = hy_model_new("R");
    if (k % 2 == 0) {
      add(m, "step", "S", "from", "1", "to", "-1", "at", "2", NULL);
    }
    add(m, "integrator", "x", "method", method, "dqmin", "1e-2", NULL);
    if (k % 2 == 1) {
      add(m, "step", "S", "from", "1", "to", "-1", "at", "2", NULL);
    }
    wire(m, "S", "x");
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(2e-2, 1, state_at(m, "x", 3), method);
    g_autoptr(GArray) q = listen(m, "x", 0, 3, NULL);
    for (guint i = 0; i < 30; i++) {
      double t = 0.05 + 0.1 * i;
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(2.1e-2, t < 2 ? t : 4 - t, heard(q, 0, t), method);
    }
  }
}

/* x' = -x, with the answer through a gain. */
static void test_decay_in_every_method(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(methods); k++) {
    g_autoptr(HyModel) m = hy_model_new("R");
    add(m, "integrator", "x", "method", methods[k], "x0", "1", "dqrel", "0", "dqmin", "1e-3", NULL);
    add(m, "gain", "g", "k", "-1", NULL);
    wire(m, "x", "g");
    wire(m, "g", "x");
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(2.1e-3, exp(-2), state_at(m, "x", 2), methods[k]);
  }
}

/* x'' = -x: an integrator feeds another directly, and pieces of order n are n at t0. */
static void test_an_integrator_of_order_n_emits_n_pieces_at_t0(void)
{
  const guint order[] = {1, 2, 3, 1, 1, 2, 3};
  for (guint k = 0; k < G_N_ELEMENTS(methods); k++) {
    g_autoptr(HyModel) m = hy_model_new("R");
    add(m, "integrator", "x", "method", methods[k], "x0", "1", NULL);
    add(m, "gain", "g", "k", "-1", NULL);
    wire(m, "x", "g");
    wire(m, "g", "x");
    g_autoptr(GArray) q = listen(m, "x", 0, 0, NULL);
    if (k != 3) { /* BQSS may step to its upper level at once */
      TEST_ASSERT_EQUAL_UINT_MESSAGE(order[k], q->len, methods[k]);
      TEST_ASSERT_TRUE(said(q, order[k] - 1)->c[0] == 1);
    }
    if (order[k] == 3) {
      TEST_ASSERT_TRUE(said(q, 2)->c[1] == -1 && said(q, 2)->c[2] == 0.5);
    }
  }
}

/* x' = -0.1 (x - 10.5) from 0 with quantum 1 to t = 1000: steps after t = 0, and the last of them
 * (methods.md, 12.3). */
static void test_published_counts_of_a_first_order_system(void)
{
  static const struct {
    const char *method;
    guint least, most;
    double last;
  } wanted[] = {{"qss1", 57, 59, NAN},
                {"qss2", 129, 131, NAN},
                {"qss3", 182, 186, NAN},
                {"liqss1", 9, 9, 42.340770},
                {"bqss", 10, 12, 42.665}};
  for (guint k = 0; k < G_N_ELEMENTS(wanted); k++) {
    g_autoptr(HyModel) m = hy_model_new("R");
    add(m, "integrator", "x", "method", wanted[k].method, "dqrel", "0", "dqmin", "1", NULL);
    guint sum = add(m, "sum", "S", "k", "-0.1, 0.1", NULL);
    hy_model_set_array(m, sum, 2, 0);
    fix(m, sum, 1, 10.5);
    wire(m, "x", "S.in[1]");
    wire(m, "S", "x");
    g_autoptr(GArray) q = listen(m, "x", 0, 1000, NULL);
    guint steps = 0;
    for (guint i = 0; i < q->len; i++) {
      steps += said(q, i)->t > 0;
    }
    g_autofree char *who = g_strdup_printf("%s: %u steps", wanted[k].method, steps);
    TEST_ASSERT_TRUE_MESSAGE(steps >= wanted[k].least && steps <= wanted[k].most, who);
    if (!isnan(wanted[k].last)) {
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-3, wanted[k].last, said(q, q->len - 1)->t, who);
    }
  }
}

static void test_a_reset_integrator_jumps_to_its_value(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  guint x = add(m, "reset_integrator", "x", "x0", "5", NULL);
  fix(m, x, 0, 1);
  add(m, "ramp", "to", "duration", "10", "height", "10", NULL);
  add(m, "generator", "hit", "first", "2", "period", "1.5", "values", "0, 0", NULL);
  wire(m, "to", "x.value");
  wire(m, "hit", "x.reset");
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 6.9, state_at(m, "x", 1.9));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 2 + 1, state_at(m, "x", 3));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 3.5 + 0.5, state_at(m, "x", 4));
  g_autoptr(GArray) q = listen(m, "x", 0, 4, NULL);
  TEST_ASSERT_EQUAL_DOUBLE(2, heard(q, 0, 2));
  TEST_ASSERT_EQUAL_DOUBLE(3.5, heard(q, 0, 3.5));
}

/* Without anything at value the event says where to: up 1 a second, and -1, then 7 at the hits. */
static void test_a_reset_may_say_where_to(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  guint x = add(m, "reset_integrator", "x", "x0", "5", NULL);
  fix(m, x, 0, 1);
  add(m, "generator", "hit", "first", "2", "period", "1.5", "values", "-1, 7", NULL);
  wire(m, "hit", "x.reset");
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 6.9, state_at(m, "x", 1.9));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, -1 + 1, state_at(m, "x", 3));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 7 + 0.5, state_at(m, "x", 4));
}

/* in was t - 1 from -3 to -1, then 2 + t^2, from -0.5 on 1 + t, and 9 before; it is 5 from 0 on. */
static void test_a_delay_may_have_a_history(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  fix(m, add(m, "integrator", "order", "method", "qss3", NULL), 0, 0);
  guint v = add(m, "variable_delay", "V", "maximum", "inf", "initial", "9", "history",
                "-3, -4, 1, 0, -1, 3, -2, 1, -0.5, 0.5, 1, 0", NULL);
  fix(m, v, 0, 5);
  fix(m, v, 1, 4);
  g_autoptr(GArray) a = listen(m, "V", 0, 6, NULL);
  static const double t[] = {0.5, 1.5, 2.5, 3.25, 3.4, 3.75, 4.5};
  for (guint k = 0; k < G_N_ELEMENTS(t); k++) {
    double r = t[k] - 4;
    double in = r < -3 ? 9 : r < -1 ? r - 1 : r < -0.5 ? 2 + r * r : r < 0 ? 1 + r : 5;
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, in, heard(a, 0, t[k]));
  }
}

static void test_bad_integrators_are_named(void)
{
  check_bad_block("integrator", "B: dqmin = 0 must be above 0", "dqmin", "0");
  check_bad_block("integrator", "B: dqmin = -1 must be above 0", "dqmin", "-1");
  check_bad_block("integrator", "B: dqrel = -1 must be 0 or more", "dqrel", "-1");
  check_bad_block("integrator", "B: x0 = nan must be a number", "x0", "nan");
  check_bad_block("integrator", "B: x0 = inf must be finite", "x0", "inf");
  check_bad_block(
      "integrator",
      "B: method \"liqs1\" is not in this version; choose one of qss1, qss2, qss3, "
      "bqss, liqss1, liqss2, liqss3, mliqss1, mliqss2, mliqss3, cvode_bdf, cvode_adams, "
      "euler, taylor2, rk2, rk2_midpoint, rk4, rk45_doubling, rkf45, ab1, ab2, ab3, ab4, ab5, ab6, "
      "abm4, bdf1, bdf2, bdf3, bdf4, bdf5, trapezoidal, backward_euler, semi_implicit_euler, "
      "euler_interpolated, euler_advanced, euler_delayed, pec2e_interpolated, pec2e_advanced, "
      "pec2e_delayed, block_liqss2, block_liqss2_quantum, block_liqss2_error, "
      "chain_liqss2",
      "method", "liqs1");
}

static void test_an_input_that_is_no_number_is_named_with_its_time(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  hy_model_add(m, "G", &rogue_class);
  add(m, "integrator", "x", "method", "qss1", NULL);
  wire(m, "G", "x");
  check_fails(m, "x", 9, "x: in is nan at t = 0.5");
}

/* What is wrong for no time is not wrong. */
static void test_what_is_put_right_at_the_same_instant_is_no_fault(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  g_autoptr(GError) error = NULL;
  guint g = hy_model_add(m, "G", &rogue_class);
  TEST_ASSERT_TRUE(hy_model_set(m, g, "mends", "true", &error));
  add(m, "integrator", "x", "x0", "1", "method", "qss1", NULL);
  wire(m, "G", "x");
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 2, state_at(m, "x", 1));
}

/* x' = x^2 from 1 leaves every bound before t = 1. */
static void test_a_state_that_leaves_the_numbers_is_named(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  fix(m, add(m, "integrator", "x", "x0", "1e308", "dqmin", "1e300", NULL), 0, 1e308);
  add(m, "integrator", "y", "method", "qss1", "dqmin", "1e306", NULL);
  wire(m, "x", "y");
  g_autofree char *why = NULL;
  g_autoptr(GArray) a = listen(m, "y", 0, 9, &why);
  TEST_ASSERT_NOT_NULL(why);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(why, " at t = "), why);
}

static void test_an_input_without_source_is_named(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "integrator", "x", NULL);
  check_fails(m, "x", 9, "x: input \"in\" has no source");
}

/* A copy of the state is a snapshot: no pointer in it leads into itself. */
static void test_the_state_of_an_integrator_is_plain_and_small(void)
{
  TEST_ASSERT_LESS_OR_EQUAL_size_t(440, sizeof(HyQuantized));
  TEST_ASSERT_NULL(hy_class_find("integrator")->clear);
}

/* Delays and rates ------------------------------------------------------------------------------
 */

static void test_a_delayed_ramp_is_exact(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "ramp", "A", "start", "1", "duration", "2", "height", "6", NULL);
  add(m, "delay", "D", "time", "0.5", NULL);
  guint v = add(m, "variable_delay", "V", "initial", "-1", NULL);
  fix(m, v, 1, 0.5);
  wire(m, "A", "D");
  wire(m, "A", "V.in");
  g_autoptr(GArray) d = listen(m, "D", 0, 9, NULL), a = listen(m, "V", 0, 9, NULL);
  TEST_ASSERT_EQUAL_UINT(3, d->len);
  TEST_ASSERT_TRUE(said(d, 1)->t == 1.5 && said(d, 1)->c[1] == 3);
  TEST_ASSERT_EQUAL_UINT(4, a->len); /* initial, and the three pieces */
  TEST_ASSERT_TRUE(said(a, 0)->c[0] == -1);
  TEST_ASSERT_TRUE(said(a, 2)->t == 1.5 && said(a, 2)->c[1] == 3);
  for (guint k = 0; k < 40; k++) {
    double t = 0.55 + k * 0.1;
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, heard(d, 0, t), heard(a, 0, t));
  }
}

/* time = t / 4: out(t) = in(3 t / 4); the sine has four coefficients, its bound is that of the
 * source. */
static void test_a_delay_that_grows_stretches_the_signal(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "sine", "S", "frequency", "0.5", "dqrel", "1e-6", NULL);
  add(m, "ramp", "T", "duration", "8", "height", "2", NULL);
  add(m, "variable_delay", "V", "maximum", "2", "dqrel", "1e-6", NULL);
  wire(m, "S", "V.in");
  wire(m, "T", "V.time");
  g_autoptr(GArray) a = listen(m, "V", 0, 8, NULL);
  for (guint i = 1; i < 800; i++) {
    double t = 0.01 * i;
    TEST_ASSERT_DOUBLE_WITHIN(3e-6, sin(G_PI * 0.75 * t), heard(a, 0, t));
  }
}

/* time = sine: a polynomial of a polynomial, and r(t) = t - time(t) also runs backwards. */
static void test_a_delay_may_swing(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  fix(m, add(m, "integrator", "order", "method", "qss3", NULL), 0, 0);
  add(m, "sine", "S", "frequency", "0.25", "dqrel", "1e-5", NULL);
  add(m, "sine", "T", "frequency", "0.5", "amplitude", "0.5", "offset", "0.6", "dqrel", "1e-5",
      NULL);
  add(m, "variable_delay", "V", "maximum", "1.2", "dqrel", "1e-5", "dqmin", "1e-5", NULL);
  wire(m, "S", "V.in");
  wire(m, "T", "V.time");
  g_autoptr(GArray) a = listen(m, "V", 0, 20, NULL);
  for (guint i = 200; i < 2000; i++) {
    double t = 0.01 * i, time = 0.6 + 0.5 * sin(G_PI * t);
    TEST_ASSERT_DOUBLE_WITHIN(4e-5, sin(G_PI / 2 * (t - time)), heard(a, 0, t));
  }
}

/* A time that t - time cannot tell from none: what comes in goes out at once. */
static void test_a_delay_below_the_clock_is_none(void)
{
  static const char *const times[] = {"0", "1e-300", "1e-17"};
  for (guint k = 0; k < G_N_ELEMENTS(times); k++) {
    g_autoptr(HyModel) m = hy_model_new("R");
    add(m, "triangle", "A", "frequency", "0.5", "low", "-1", NULL);
    guint v = add(m, "variable_delay", "V", NULL);
    fix(m, v, 1, g_ascii_strtod(times[k], NULL));
    wire(m, "A", "V.in");
    g_autoptr(GArray) in = listen(m, "A", 0, 9, NULL), out = listen(m, "V", 0, 9, NULL);
    for (guint i = 1; i < 36; i++) {
      double t = 0.25 * i;
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-15, heard(in, 0, t), heard(out, 0, t), times[k]);
    }
  }
}

/* Two edges next to each other: t - time passes over the piece between them by rounding. */
static void test_a_delayed_piece_may_last_for_a_digit_of_the_time(void)
{
  for (guint k = 0; k < 60; k++) {
    double first = 0.1 + 0.013 * k;
    g_autofree char *a = g_strdup_printf("%.17g", first);
    g_autofree char *b = g_strdup_printf("%.17g", nextafter(first, INFINITY));
    g_autoptr(HyModel) m = hy_model_new("R");
    add(m, "step", "A", "at", a, NULL);
    add(m, "step", "B", "at", b, "to", "2", NULL);
    add(m, "step", "C", "at", "1", "to", "4", NULL);
    hy_model_set_array(m, add(m, "sum", "S", "k", "1, 1, 1", NULL), 3, 0);
    wire(m, "A", "S.in[1]");
    wire(m, "B", "S.in[2]");
    wire(m, "C", "S.in[3]");
    guint v = add(m, "variable_delay", "V", NULL);
    fix(m, v, 1, 0.05);
    wire(m, "S", "V.in");
    g_autoptr(GArray) out = listen(m, "V", 0, 2, NULL);
    TEST_ASSERT_EQUAL_DOUBLE(3, heard(out, 0, first + 0.1));
    TEST_ASSERT_EQUAL_DOUBLE(7, heard(out, 0, 1.5));
  }
}

static void test_a_delay_beyond_its_maximum_is_named(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  guint v = add(m, "variable_delay", "V", NULL);
  fix(m, v, 0, 1);
  add(m, "step", "S", "from", "0.5", "to", "1.5", "at", "2", NULL);
  wire(m, "S", "V.time");
  check_fails(m, "V", 9, "V: time = 1.5 is outside 0 .. maximum = 1 at t = 2");
}

/* What is computed from states is a little below 0 where it means 0: jumps of in come out at their
 * instants then, and what moves is as far ahead. */
static void test_a_delay_a_quantum_below_zero_is_none(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "sine", "S", "frequency", "0.25", "dqrel", "1e-6", NULL);
  add(m, "square", "Q", "frequency", "2", NULL);
  add(m, "sine", "T", "frequency", "0.5", "amplitude", "0.2", "offset", "0.1992", NULL);
  add(m, "variable_delay", "V", NULL);
  add(m, "variable_delay", "J", NULL);
  wire(m, "S", "V.in");
  wire(m, "Q", "J.in");
  wire(m, "T", "V.time");
  wire(m, "T", "J.time");
  g_autoptr(GArray) a = listen(m, "V", 0, 9, NULL), j = listen(m, "J", 0, 9, NULL);
  for (guint i = 40; i < 900; i++) {
    double t = 0.01 * i, time = fmax(0, 0.1992 + 0.2 * sin(G_PI * t));
    TEST_ASSERT_DOUBLE_WITHIN(2.5e-3, sin(G_PI / 2 * (t - time)), heard(a, 0, t));
  }
  for (guint k = 0; k < 3; k++) { /* time is below 0 at 1.5, 3.5 and 5.5, where in rises */
    TEST_ASSERT_EQUAL_DOUBLE(0, heard(j, 0, 2.0 * k + 1.4999999));
    TEST_ASSERT_EQUAL_DOUBLE(1, heard(j, 0, 2.0 * k + 1.5000001));
  }
}

/* What is below by more is a mistake, and so is a number. */
static void test_a_delay_below_zero_is_refused(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  guint v = add(m, "variable_delay", "V", NULL);
  fix(m, v, 0, 1);
  add(m, "step", "S", "from", "0.5", "to", "-0.0011", "at", "2", NULL);
  wire(m, "S", "V.time");
  check_fails(m, "V", 9, "V: time = -0.0011 is outside 0 .. maximum = 1 at t = 2");
  g_autoptr(HyModel) n = hy_model_new("R");
  guint w = add(n, "variable_delay", "V", NULL);
  fix(n, w, 0, 1);
  fix(n, w, 1, -1e-6);
  check_fails(n, "V", 9, "V: time = -1e-06 is outside 0 .. maximum = 1 at t = 0");
}

/* in passes through out, too steep for it: they meet, and part at once. */
static void test_a_rate_limiter_that_may_not_move_stays(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "sine", "S", "amplitude", "2", NULL);
  add(m, "rate_limiter", "L", "falling", "0", "rising", "0", NULL);
  wire(m, "S", "L");
  g_autoptr(GArray) a = listen(m, "L", 0, 9, NULL);
  TEST_ASSERT_LESS_THAN_UINT(400, a->len);
  for (guint k = 0; k < a->len; k++) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, said(a, k)->c[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, heard(a, 0, said(a, k)->t + 1e-3));
  }
}

static void test_a_rate_limiter_runs_after_a_step_and_meets_it(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "step", "S", "from", "0", "to", "3", "at", "1", NULL);
  add(m, "rate_limiter", "L", "rising", "2", NULL);
  wire(m, "S", "L");
  g_autoptr(GArray) a = listen(m, "L", 0, 9, NULL);
  TEST_ASSERT_EQUAL_UINT(3, a->len);
  TEST_ASSERT_TRUE(said(a, 1)->t == 1 && said(a, 1)->c[0] == 0 && said(a, 1)->c[1] == 2);
  TEST_ASSERT_TRUE(said(a, 2)->t == 2.5 && said(a, 2)->c[0] == 3 && said(a, 2)->c[1] == 0);
}

/* in = sin(2 pi f t) with 2 pi f = 2: leaves where cos(2 t) = 1/2 on the way down, t = pi/6 ...
 * from there -1 t; it starts with slope 2 > 1, so it runs after it from the first instant. */
static void test_a_rate_limiter_follows_a_sine_where_it_can(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  char f[HY_DOUBLE_SIZE];
  add(m, "sine", "S", "frequency", hy_double_text(f, 1 / G_PI), "dqrel", "1e-7", "dqmin", "1e-7",
      NULL);
  add(m, "rate_limiter", "L", NULL);
  wire(m, "S", "L");
  g_autoptr(GArray) a = listen(m, "L", 0, 20, NULL);
  double y = 0, t = 0; /* the same by small steps */
  const double h = 1e-5;
  for (guint k = 1; k <= 2000000; k++) {
    t = k * h;
    double in = sin(2 * t);
    y = fmin(fmax(in, y - h), y + h);
    if (k % 10000 == 0) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-4, y, heard(a, 0, t));
    }
  }
  TEST_ASSERT_LESS_THAN_UINT(4000, a->len);
}

static void test_a_rate_limiter_of_first_order_takes_steps_of_a_quantum(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  fix(m, add(m, "integrator", "order", "method", "qss1", NULL), 0, 0);
  add(m, "step", "S", "from", "0", "to", "1", "at", "1", NULL);
  add(m, "rate_limiter", "L", "dqrel", "0", "dqmin", "0.01", NULL);
  wire(m, "S", "L");
  g_autoptr(GArray) a = listen(m, "L", 0, 9, NULL);
  for (guint i = 0; i < 333; i++) {
    double t = 1 + 0.003 * i;
    TEST_ASSERT_DOUBLE_WITHIN(0.01 + 1e-9, t - 1, heard(a, 0, t));
  }
  TEST_ASSERT_EQUAL_DOUBLE(1, heard(a, 0, 2.1));
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_constant_input_is_integrated_without_a_message);
  RUN_TEST(test_an_input_that_does_not_depend_on_the_state_starts_it);
  RUN_TEST(test_decay_in_every_method);
  RUN_TEST(test_an_integrator_of_order_n_emits_n_pieces_at_t0);
  RUN_TEST(test_published_counts_of_a_first_order_system);
  RUN_TEST(test_a_reset_integrator_jumps_to_its_value);
  RUN_TEST(test_a_reset_may_say_where_to);
  RUN_TEST(test_a_delay_may_have_a_history);
  RUN_TEST(test_bad_integrators_are_named);
  RUN_TEST(test_an_input_that_is_no_number_is_named_with_its_time);
  RUN_TEST(test_what_is_put_right_at_the_same_instant_is_no_fault);
  RUN_TEST(test_a_state_that_leaves_the_numbers_is_named);
  RUN_TEST(test_an_input_without_source_is_named);
  RUN_TEST(test_the_state_of_an_integrator_is_plain_and_small);
  RUN_TEST(test_a_delayed_ramp_is_exact);
  RUN_TEST(test_a_delay_that_grows_stretches_the_signal);
  RUN_TEST(test_a_delay_may_swing);
  RUN_TEST(test_a_delay_below_the_clock_is_none);
  RUN_TEST(test_a_delayed_piece_may_last_for_a_digit_of_the_time);
  RUN_TEST(test_a_delay_beyond_its_maximum_is_named);
  RUN_TEST(test_a_delay_a_quantum_below_zero_is_none);
  RUN_TEST(test_a_delay_below_zero_is_refused);
  RUN_TEST(test_a_rate_limiter_that_may_not_move_stays);
  RUN_TEST(test_a_rate_limiter_runs_after_a_step_and_meets_it);
  RUN_TEST(test_a_rate_limiter_follows_a_sine_where_it_can);
  RUN_TEST(test_a_rate_limiter_of_first_order_takes_steps_of_a_quantum);
  return UNITY_END();
}
