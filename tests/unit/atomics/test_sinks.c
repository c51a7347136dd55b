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
    add(m, "sine", "S", "amplitude", "2", "offset", "0.5", NULL);
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
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-13, value, said(a, k)->c[0], what);
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
  check_windows("sine", "ripple", "1", 4);
  check_windows("sine", "peak", "1", 2.5);
  check_windows("sine", "sine", "1", 2);
  check_windows("sine", "cosine", "1", 0);
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

/* A window of two quarters of the triangle -1 .. 3, each quarter anew; the first behind width. */
static void check_window(const char *what, const char *width, const char *every,
                         const char *harmonic, double first, guint n, const double *wanted)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "triangle", "S", "low", "-1", "high", "3", "frequency", "0.5", NULL);
  add(m, "window", "W", "what", what, "width", width, "every", every, "harmonic", harmonic, NULL);
  wire(m, "S", "W");
  g_autoptr(GArray) a = listen(m, "W", 0, 3.2, NULL);
  double step = g_ascii_strtod(every, NULL);
  TEST_ASSERT_EQUAL_UINT_MESSAGE((guint)((3.2 - first) / step) + 1, a->len, what);
  for (guint k = 0; k < a->len; k++) {
    TEST_ASSERT_EQUAL_DOUBLE(first + k * step, said(a, k)->t);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-13, wanted[k % n], said(a, k)->c[0], what);
  }
}

static void test_windows_that_slide_and_that_never_end(void)
{
  check_window("mean", "1", "0.5", "1", 1, 4, (const double[]){1, 2, 1, 0});
  check_window("maximum", "1", "0.5", "1", 1, 4, (const double[]){3, 3, 3, 1});
  check_window("ripple", "1", "0.5", "1", 1, 4, (const double[]){4, 2, 4, 2});
  check_window("peak", "0.5", "0.5", "1", 0.5, 4, (const double[]){1, 3, 3, 1});
  check_window("rms", "2", "0.25", "1", 2, 1, (const double[]){sqrt(7 / 3.0)});
  check_window("integral", "inf", "0.5", "1", 0.5, 6, (const double[]){0, 1, 2, 2, 2, 3});
  check_window("mean", "inf", "0.5", "1", 0.5, 6, (const double[]){0, 1, 4 / 3.0, 1, 0.8, 1});
}

/* 1 - 16/pi^2 (cos(pi t) + cos(3 pi t)/9 + ...), in windows that begin anywhere. */
static void test_harmonics_of_a_triangle(void)
{
  double first = -16 / (G_PI * G_PI);
  check_window("cosine", "2", "2", "1", 2, 1, &first);
  check_window("cosine", "2", "0.1", "1", 2, 1, &first);
  check_window("cosine", "2", "0.1", "3", 2, 1, (const double[]){first / 9});
  check_window("cosine", "2", "0.1", "41", 2, 1, (const double[]){first / 41 / 41});
  check_window("cosine", "2", "0.1", "2", 2, 1, (const double[]){0});
  check_window("sine", "2", "0.1", "1", 2, 1, (const double[]){0});
}

/* The triangle times a ramp of 1 from t = 1 on: x (3 - 4 x), x = t - 1, until t = 2. */
static void test_a_window_of_a_product(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "triangle", "S", "low", "-1", "high", "3", "frequency", "0.5", NULL);
  add(m, "ramp", "R", "start", "1", "duration", "9", "height", "9", NULL);
  add(m, "window", "W", "what", "mean", "width", "2", "every", "1", NULL);
  wire(m, "S", "W.in");
  wire(m, "R", "W.by");
  g_autoptr(GArray) a = listen(m, "W", 0, 3, NULL);
  TEST_ASSERT_EQUAL_UINT(2, a->len);
  TEST_ASSERT_DOUBLE_WITHIN(1e-13, (3 / 2.0 - 4 / 3.0) / 2, said(a, 0)->c[0]);
  /* and (1 + x)(4 x - 1), x = t - 2, until t = 3 */
  TEST_ASSERT_DOUBLE_WITHIN(1e-13, (3 / 2.0 - 4 / 3.0 + 4 / 3.0 + 3 / 2.0 - 1) / 2,
                            said(a, 1)->c[0]);
}

static void test_bad_windows_are_named(void)
{
  check_bad_block("window", "B: width = 0 must be above 0", "width", "0");
  check_bad_block("window", "B: width = inf needs every=\"...\": how often it speaks", "width",
                  "inf");
  check_bad_block("window", "B: width = 1 is not 1, 2, ... 10000 times every = 0.3", "every",
                  "0.3");
  check_bad_block("window", "B: width = 1 is not 1, 2, ... 10000 times every = 2", "every", "2");
  check_bad_block("window", "B: by is a factor of integral and mean, not of rms", "what", "rms");
  g_autoptr(HyModel) m = hy_model_new("R");
  guint w = add(m, "window", "W", "what", "sine", "width", "inf", "every", "1", NULL);
  hy_model_set_input(m, w, 0, 1, NULL);
  check_fails(m, "W", 1, "W: width = inf has no harmonics");
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_stop_ends_the_run_as_a_success);
  RUN_TEST(test_stop_heeds_its_direction);
  RUN_TEST(test_windows_of_whole_periods);
  RUN_TEST(test_a_window_ends_between_events);
  RUN_TEST(test_windows_that_slide_and_that_never_end);
  RUN_TEST(test_harmonics_of_a_triangle);
  RUN_TEST(test_a_window_of_a_product);
  RUN_TEST(test_bad_windows_are_named);
  return UNITY_END();
}
