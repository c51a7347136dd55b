/* Crossings that a classic group finds in its own solution, against closed forms. */
#include "group_run.h"
#include "unity.h"

#include <math.h>

void setUp(void)
{
}

void tearDown(void)
{
}

/* CVODE, a method with step control, an implicit and an explicit one with a fixed step. */
static const char *const methods[] = {"cvode_bdf", "cvode_adams", "rkf45", "trapezoidal", "rk4"};

static char *numerics_of(const char *method, double tol)
{
  return g_strdup_printf("method=\"%s\" hstep=\"0.01\" reltol=\"%g\" abstol=\"%g\"", method, tol,
                         tol);
}

/* x goes up at 1 to the upper threshold and down at 2 to the lower one: a saw with corners at known
 * instants, 1/4 up and 1/8 down, between 1/4 and 1/2. The corners are found to the last digits,
 * since pieces are straight; so errors do not add up. */
static const char saw[] =
    "<hysteresis name=\"h\" in=\"x\" lower=\"0.25\" upper=\"0.5\" low=\"1\" high=\"-2\"/>"
    "<integrator name=\"x\" x0=\"0.25\" in=\"h\"/>";

static double on_the_saw(double t)
{
  double s = t - 0.375 * floor(t / 0.375);
  return s < 0.25 ? 0.25 + s : 0.5 - 2.0 * (s - 0.25);
}

static void test_a_relay_with_a_band_turns_where_it_should(void)
{
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
      Run r;
      g_autofree char *numerics = numerics_of(methods[m], 1e-3);
      setup_with(&r, saw, numerics, engines[e]);
      for (int k = 1; k < 300; k++) {
        go(&r, 0.1 * k);
        TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-9, on_the_saw(0.1 * k), at(&r, "x", 0.1 * k),
                                          methods[m]);
      }
      TEST_ASSERT_EQUAL_UINT64_MESSAGE(159, totals(&r).crossings, methods[m]);
      clear(&r);
    }
  }
}

/* The same a hundred thousand times finer, and late: a step is some digits of t long. */
static void test_crossings_are_found_to_the_last_digits_of_time(void)
{
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    Run r;
    g_autofree char *numerics = numerics_of(methods[m], 1e-3);
    setup_with(&r,
               "<step name=\"k\" at=\"100\"/>"
               "<hysteresis name=\"h\" in=\"x\" lower=\"0\" upper=\"1e-6\" low=\"1\" high=\"-2\"/>"
               "<integrator name=\"x\" in=\"k*h\"/>",
               numerics, HY_FUSED);
    go(&r, 100.00015); /* 100 periods of 1.5e-6 */
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(200, totals(&r).crossings + 1, methods[m]);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(5e-11, 0.0, at(&r, "x", 100.00015), methods[m]);
    clear(&r);
  }
}

/* A state that is driven back from both sides, so fast and so late that the digits of time make
 * more of x than its own digits: it slides in a band that its tolerance bounds, and time goes on.
 */
static void test_what_slides_fast_and_late_goes_on(void)
{
  static const char *const sliding[] = {"cvode_bdf", "chain_liqss2", "block_liqss2", "rkf45"};
  for (guint m = 0; m < G_N_ELEMENTS(sliding); m++) {
    Run r;
    setup(&r,
          "<step name=\"u\" at=\"1\" from=\"0\" to=\"1\"/>"
          "<integrator name=\"x\" in=\"u*if(x > 0.5, -1e6, 2e6)\"/>",
          sliding[m], "1e-3", HY_FUSED);
    go(&r, 1.0 + 1e-5);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(2e-3, 0.5, at(&r, "x", 1.0 + 1e-5), sliding[m]);
    TEST_ASSERT_LESS_THAN_UINT64_MESSAGE(100000, totals(&r).crossings, sliding[m]);
    clear(&r);
  }
}

/* A swing with a stiffer spring on one side, and another group that hears of the spring alone: a
 * period is pi and pi/2, in which the integral of k grows by 3 pi. It is found by the swing, which
 * is solved exactly. */
static void test_rows_of_other_groups_may_read_a_mode(void)
{
  static const char *const others[] = {"cvode_bdf", "rkf45", "block_liqss2_error", "qss2"};
  for (guint m = 0; m < G_N_ELEMENTS(others); m++) {
    for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
      Run r;
      g_autofree char *model = g_strdup_printf(
          "<function name=\"k\" formula=\"if(x &gt; 0, 1, 4)\"/>"
          "<integrator name=\"x\" x0=\"1\" in=\"v\"/><integrator name=\"v\" in=\"-k*x\"/>"
          "<integrator name=\"y\" in=\"k\" method=\"%s\"/>",
          others[m]);
      setup_with(&r, model, "method=\"block_liqss2\" dqrel=\"1e-3\" dqmin=\"1e-3\"", engines[e]);
      go(&r, 30 * G_PI); /* 20 periods */
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-9, 60 * G_PI, at(&r, "y", 30 * G_PI), others[m]);
      TEST_ASSERT_EQUAL_UINT64_MESSAGE(41, totals(&r).crossings, others[m]); /* and the start */
      clear(&r);
    }
  }
}

/* What decides is a hub: the mean of 40 states, which all read it, and which the relay drives. They
 * come together, and their mean is the saw. */
static void test_a_hub_may_decide(void)
{
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    Run r;
    g_autofree char *numerics = numerics_of("cvode_bdf", 1e-6);
    setup_with(
        &r,
        "<function name=\"m\" formula=\"mean(x[*])\"/>"
        "<hysteresis name=\"h\" in=\"m\" lower=\"0.25\" upper=\"0.5\" low=\"1\" high=\"-2\"/>"
        "<integrator name=\"x\" count=\"40\" x0=\"0.25 + 0.01*(i - 20.5)\" in=\"h + m - x[i]\"/>",
        numerics, engines[e]);
    for (int k = 1; k < 100; k++) {
      go(&r, 0.1 * k);
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, on_the_saw(9.9), at(&r, "x[7]", 9.9));
    TEST_ASSERT_EQUAL_UINT64(52, totals(&r).crossings);
    clear(&r);
  }
}

/* The threshold is a source, which jumps: x = t passes 1/4 at 1/4; then the threshold is 3/4. What
 * y has seen of it is the time above: 1/4 .. 1/2 and 3/4 .. 1. */
static void test_a_source_may_move_the_threshold(void)
{
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    Run r;
    g_autofree char *numerics = numerics_of(methods[m], 1e-4);
    setup_with(&r,
               "<step name=\"level\" at=\"0.5\" from=\"0.25\" to=\"0.75\"/>"
               "<integrator name=\"x\" in=\"1\"/>"
               "<integrator name=\"y\" in=\"if(x > level, 1, 0)\"/>",
               numerics, HY_FUSED);
    static const double known[][2] = {{0.25, 0}, {0.5, 0.25}, {0.75, 0.25}, {1, 0.5}};
    for (guint k = 0; k < G_N_ELEMENTS(known); k++) {
      go(&r, known[k][0]);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-9, known[k][1], at(&r, "y", known[k][0]), methods[m]);
    }
    clear(&r);
  }
}

/* A threshold goes up and down, x stands still, so steps are long: its corners are met on the way,
 * and the crossings behind them are looked for anew. x = 1/2 is above it half of the time, in
 * the last quarter and the first of each period. */
static void test_a_threshold_may_turn_within_a_step(void)
{
  static const char *const free_steps[] = {"cvode_bdf", "cvode_adams", "rkf45"};
  for (guint m = 0; m < G_N_ELEMENTS(free_steps); m++) {
    Run r;
    g_autofree char *numerics =
        g_strdup_printf("method=\"%s\" reltol=\"1e-4\" abstol=\"1e-4\"", free_steps[m]);
    setup_with(&r,
               "<triangle name=\"level\" frequency=\"0.01\"/>"
               "<integrator name=\"x\" x0=\"0.5\" in=\"0\"/>"
               "<integrator name=\"y\" in=\"if(x > level, 1, 0)\"/>",
               numerics, HY_FUSED);
    for (int k = 1; k <= 5; k++) {
      go(&r, 100.0 * k);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-6, 50.0 * k, at(&r, "y", 100.0 * k), free_steps[m]);
    }
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(11, totals(&r).crossings, free_steps[m]);
    clear(&r);
  }
}

/* A diode whose current starts at 0 and rises at once: x' = (1 - R x) with R = 1 while x > 0. */
static void test_a_diode_that_starts_at_0_opens(void)
{
  for (guint m = 0; m < G_N_ELEMENTS(methods) - 1; m++) { /* rk4 is not stable beside Roff */
    Run r;
    g_autofree char *numerics = numerics_of(methods[m], 1e-6);
    setup_with(&r,
               "<diode name=\"R\" i=\"x\" ron=\"1\" roff=\"1e4\"/>"
               "<integrator name=\"x\" in=\"1 - R*x\"/>",
               numerics, HY_FUSED);
    go(&r, 1);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(2e-4, 1.0 - exp(-1), at(&r, "x", 1), methods[m]);
    clear(&r);
  }
}

/* A coil behind a diode that is off: its current decays to next to nothing, and its sign there is
 * rounding. It conducts once a period for more than half of it, and turns twice. */
static void test_what_decays_to_nothing_does_not_turn(void)
{
  static const double roff[] = {1e3, 2e4, 1e5, 1e7};
  for (guint k = 0; k < G_N_ELEMENTS(roff); k++) {
    for (int p = 3; p <= 6; p++) { /* what leaks at 1e7 Ohm is below 1e-5 */
      Run r;
      g_autofree char *numerics = numerics_of("cvode_bdf", pow(10, -p));
      g_autofree char *model =
          g_strdup_printf("<sine name=\"v\" amplitude=\"40\" frequency=\"50\"/>"
                          "<diode name=\"R\" i=\"i\" ron=\"0.01\" roff=\"%g\"/>"
                          "<integrator name=\"i\" x0=\"1\" in=\"(v - u - R*i)/0.002\"/>"
                          "<integrator name=\"u\" in=\"(i - u/5)/0.0005 + (v - u)/0.0003\"/>",
                          roff[k]);
      setup_with(&r, model, numerics, HY_FUSED);
      go(&r, 0.999);
      guint64 n = totals(&r).crossings;
      TEST_ASSERT_TRUE_MESSAGE(n >= 99 && n <= 101, numerics);
      clear(&r);
    }
  }
}

/* z, by another method, reads the mode that the group of x decides, along a wire or by a row: it is
 * told at the instant. */
static void test_others_are_told_of_a_mode(void)
{
  static const char *const others[] = {"qss2", "liqss2", "mliqss2", "rkf45", "cvode_adams"};
  for (guint m = 0; m < G_N_ELEMENTS(others); m++) {
    for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
      Run r;
      g_autofree char *numerics = numerics_of("cvode_bdf", 1e-3);
      g_autofree char *model = g_strdup_printf(
          "<hysteresis name=\"h\" in=\"x\" lower=\"0.25\" upper=\"0.5\" low=\"1\" high=\"-2\"/>"
          "<integrator name=\"x\" x0=\"0.25\" in=\"h\"/>"
          "<integrator name=\"z\" x0=\"0.25\" in=\"h\" method=\"%s\"/>",
          others[m]);
      setup_with(&r, model, numerics, engines[e]);
      for (int k = 1; k <= 100; k++) {
        go(&r, 0.1 * k);
        TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-8, on_the_saw(0.1 * k), at(&r, "z", 0.1 * k),
                                          others[m]);
      }
      clear(&r);
    }
  }
}

/* Nobody looks: a step is one event, and one more for each turn of the relay at most. */
static void test_functions_that_only_decide_are_idle(void)
{
  Run r;
  HyTotals t;
  g_autofree char *numerics = numerics_of("cvode_bdf", 1e-3);
  setup_with(&r,
             "<function name=\"v\" formula=\"2*x\"/>"
             "<hysteresis name=\"h\" in=\"v\" lower=\"0.5\" upper=\"1\" low=\"1\" high=\"-2\"/>"
             "<integrator name=\"x\" x0=\"0.25\" in=\"h\"/>",
             numerics, HY_FLAT);
  go(&r, 29.9);
  hy_sim_totals(r.sim, &t);
  TEST_ASSERT_EQUAL_UINT64(159, t.classic.crossings);
  TEST_ASSERT_LESS_OR_EQUAL_UINT64(t.classic.steps + t.classic.crossings + 10, t.cycles);
  clear(&r);
}

/* On, the current is negative; off, it is positive: there is no mode that fits. */
static void test_modes_without_an_answer_end_the_run(void)
{
  Run r;
  g_autoptr(GError) error = NULL;
  g_autofree char *numerics = numerics_of("cvode_bdf", 1e-3);
  setup_with(&r,
             "<diode name=\"R\" i=\"i\" ron=\"1\" roff=\"0\"/>"
             "<function name=\"i\" formula=\"x + 1 - 2*R\"/>"
             "<integrator name=\"x\" in=\"R - 0.5\"/>",
             numerics, HY_FUSED);
  TEST_ASSERT_FALSE(hy_sim_run(r.sim, 1, &error));
  TEST_ASSERT_EQUAL_STRING(
      "x: cvode_bdf: modes of its equations turn one another without end, R among "
      "them at t = 0",
      error->message);
  clear(&r);
}

/* A trace says why a mode has turned, with the state that leads the group: here 1 at 0, as it is
 * wrong (x starts above the threshold), then 0 at 1/2, where x comes down to it. */
static void test_the_leader_says_what_was_turned(void)
{
  Run r;
  guint atomic = 0;
  g_autofree char *numerics = numerics_of("cvode_bdf", 1e-3);
  setup_with(
      &r,
      "<hysteresis name=\"h\" in=\"x\" lower=\"0.5\" upper=\"0.75\" low=\"0\" high=\"-1\"/>"
      "<integrator name=\"x\" x0=\"1\" in=\"h\"/><integrator name=\"y\" in=\"x\" method=\"qss2\"/>",
      numerics, HY_FLAT);
  TEST_ASSERT_TRUE(hy_sim_find(r.sim, "x", &atomic));
  go(&r, 0);
  g_autofree char *first = hy_sim_print(r.sim, atomic);
  TEST_ASSERT_EQUAL_STRING("(x=1,q=1; h:1 = 1, wrong)", first);
  go(&r, 0.5 + 1e-10);
  g_autofree char *second = hy_sim_print(r.sim, atomic);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(second, "; h:1 = 0, found)"), second);
  clear(&r);
}

/* What a group remembers of its crossings is put aside and back, bit for bit. */
static void test_a_copy_goes_on_as_the_original(void)
{
  static const char *const copied[] = {"rkf45", "trapezoidal", "rk4"};
  for (guint m = 0; m < G_N_ELEMENTS(copied); m++) {
    Run r;
    g_autoptr(GError) error = NULL;
    g_autofree char *numerics = numerics_of(copied[m], 1e-3);
    setup_with(
        &r,
        "<hysteresis name=\"h\" in=\"x - y\" lower=\"0.25\" upper=\"0.5\" low=\"1\" high=\"-2\"/>"
        "<integrator name=\"y\" in=\"x - 2*y\"/>"
        "<integrator name=\"x\" x0=\"0.25\" in=\"h - x/3\"/>",
        numerics, HY_FUSED);
    go(&r, 1.234);
    HySnapshot *copy = hy_sim_save(r.sim, &error);
    TEST_ASSERT_NOT_NULL(copy);
    go(&r, 5);
    double x = at(&r, "x", 5), y = at(&r, "y", 5);
    TEST_ASSERT_TRUE(hy_sim_load(r.sim, copy, &error));
    go(&r, 5);
    TEST_ASSERT_TRUE_MESSAGE(x == at(&r, "x", 5) && y == at(&r, "y", 5), copied[m]);
    hy_snapshot_free(copy);
    clear(&r);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_relay_with_a_band_turns_where_it_should);
  RUN_TEST(test_crossings_are_found_to_the_last_digits_of_time);
  RUN_TEST(test_what_slides_fast_and_late_goes_on);
  RUN_TEST(test_rows_of_other_groups_may_read_a_mode);
  RUN_TEST(test_a_hub_may_decide);
  RUN_TEST(test_a_source_may_move_the_threshold);
  RUN_TEST(test_a_threshold_may_turn_within_a_step);
  RUN_TEST(test_a_diode_that_starts_at_0_opens);
  RUN_TEST(test_what_decays_to_nothing_does_not_turn);
  RUN_TEST(test_others_are_told_of_a_mode);
  RUN_TEST(test_functions_that_only_decide_are_idle);
  RUN_TEST(test_modes_without_an_answer_end_the_run);
  RUN_TEST(test_the_leader_says_what_was_turned);
  RUN_TEST(test_a_copy_goes_on_as_the_original);
  return UNITY_END();
}
