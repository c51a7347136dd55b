/* Sinks: the run that a block ends, and what a window measures. */
#include "blocks.h"

#include <math.h>

void setUp(void)
{
}

void tearDown(void)
{
}

/* Stop ----------------------------------------------------------------------------------------- */

static HyModel *falling(const char *param, const char *text)
{
  HyModel *m = hy_model_new("R");
  add(m, "ramp", "A", "duration", "4", "height", "-4", "offset", "3", NULL);
  add(m, "stop", "E", "level", "0.5", param, text, NULL);
  add(m, "generator", "G", "first", "1", "period", "1", "values", "1, 2, 3, 4", NULL);
  wire(m, "A", "E");
  return m;
}

static void test_stop_ends_the_run_as_a_success(void)
{
  for (guint k = 0; k < 2; k++) {
    g_autoptr(HyModel) m = falling("message", "the tank is empty");
    g_autoptr(GError) error = NULL;
    g_autoptr(HySim) sim = hy_sim_new(m, k == 0 ? HY_TREE : HY_FLAT, &error);
    TEST_ASSERT_TRUE(hy_sim_init(sim, 0, &error));
    TEST_ASSERT_TRUE(hy_sim_run(sim, 2, &error));
    TEST_ASSERT_NULL(hy_sim_finished(sim));
    TEST_ASSERT_TRUE(hy_sim_run(sim, 9, &error));
    TEST_ASSERT_NULL(error);
    TEST_ASSERT_EQUAL_STRING("E: the tank is empty at t = 2.5", hy_sim_finished(sim));
    TEST_ASSERT_TRUE(hy_sim_time(sim) == 2.5);
    TEST_ASSERT_TRUE(isinf(hy_sim_next(sim)));
    HyTotals before, after;
    hy_sim_totals(sim, &before);
    TEST_ASSERT_TRUE(hy_sim_run(sim, 99, &error)); /* nothing more happens */
    gboolean done;
    TEST_ASSERT_TRUE(hy_sim_step(sim, 99, &done, &error) && !done);
    hy_sim_totals(sim, &after);
    TEST_ASSERT_EQUAL_MEMORY(&before, &after, sizeof before);
    TEST_ASSERT_TRUE(hy_sim_init(sim, 0, &error)); /* and it can start over */
    TEST_ASSERT_NULL(hy_sim_finished(sim));
  }
}

static void test_stop_heeds_its_direction(void)
{
  g_autoptr(HyModel) m = falling("direction", "up");
  g_autoptr(HySim) sim = hy_sim_new(m, HY_FLAT, NULL);
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL) && hy_sim_run(sim, 9, NULL));
  TEST_ASSERT_NULL(hy_sim_finished(sim));
  g_autoptr(HyModel) other = falling("direction", "down");
  g_autoptr(HySim) second = hy_sim_new(other, HY_TREE, NULL);
  TEST_ASSERT_TRUE(hy_sim_init(second, 0, NULL) && hy_sim_run(second, 9, NULL));
  TEST_ASSERT_EQUAL_STRING("E: stopped at t = 2.5", hy_sim_finished(second));
}

/* Window --------------------------------------------------------------------------------------- */

static GArray *window_of(const char *source, const char *what, const char *width, double tf)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  if (strcmp(source, "triangle") == 0) {
    add(m, "triangle", "S", "low", "-1", "high", "3", "frequency", "0.5", NULL);
  } else {
    add(m, "sine", "S", "amplitude", "2", "offset", "0.5", "dqrel", "1e-9", "dqmin", "1e-9", NULL);
  }
  add(m, "window", "W", "what", what, "width", width, NULL);
  wire(m, "S", "W");
  return listen(m, "W", 0, tf, NULL);
}

static void check_windows(const char *source, const char *what, const char *width, double value)
{
  g_autoptr(GArray) a = window_of(source, what, width, 10);
  double w = g_ascii_strtod(width, NULL);
  TEST_ASSERT_EQUAL_UINT((guint)(10 / w), a->len);
  for (guint k = 0; k < a->len; k++) {
    TEST_ASSERT_TRUE(said(a, k)->t == 0 + (k + 1) * w);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-8, value, said(a, k)->c[0], what);
  }
}

static void test_windows_of_whole_periods(void)
{
  check_windows("triangle", "integral", "2", 2);
  check_windows("triangle", "mean", "2", 1);
  check_windows("triangle", "rms", "2", sqrt(7 / 3.0)); /* 1 + 4/3 */
  check_windows("triangle", "minimum", "2", -1);
  check_windows("triangle", "maximum", "2", 3);
  check_windows("sine", "mean", "1", 0.5);
  check_windows("sine", "rms", "1", sqrt(0.25 + 2));
  check_windows("sine", "maximum", "1", 2.5);
  check_windows("sine", "minimum", "1", -1.5);
}

/* Half a period of the triangle: 1 and 3 alternate as integrals of -1 .. 1 and 1 .. 3, 3 .. 1 ...
 */
static void test_a_window_ends_between_events(void)
{
  g_autoptr(GArray) a = window_of("triangle", "integral", "0.5", 2);
  const double wanted[] = {0, 1, 1, 0};
  TEST_ASSERT_EQUAL_UINT(4, a->len);
  for (guint k = 0; k < 4; k++) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, wanted[k], said(a, k)->c[0]);
  }
}

static void test_bad_windows_are_named(void)
{
  check_bad_block("window", "B: width = 0 must be above 0", "width", "0");
  check_bad_block("window", "B: width = inf must be finite", "width", "inf");
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_stop_ends_the_run_as_a_success);
  RUN_TEST(test_stop_heeds_its_direction);
  RUN_TEST(test_windows_of_whole_periods);
  RUN_TEST(test_a_window_ends_between_events);
  RUN_TEST(test_bad_windows_are_named);
  return UNITY_END();
}
