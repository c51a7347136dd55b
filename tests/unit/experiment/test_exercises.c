/* The exercises of examples/exercises, played by their instructors' scripts: on all engines the
 * same bits, and the numbers of expected.csv, which bench/exercises.py has computed without hydevs.
 */
#include "hydevs/hydevs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static char *contents(const char *name, const char *file)
{
  g_autofree char *path = g_strdup_printf(HY_SOURCE_DIR "/examples/exercises/%s/%s", name, file);
  char *text = NULL;
  TEST_ASSERT_TRUE_MESSAGE(g_file_get_contents(path, &text, NULL, NULL), path);
  return text;
}

static HyLoaded *load(const char *name, const HyLoadOptions *options)
{
  g_autofree char *path = g_strdup_printf(HY_SOURCE_DIR "/examples/exercises/%s/model.xml", name);
  g_autoptr(HyReport) report = hy_report_new();
  HyLoaded *loaded = hy_load_file(path, options, report);
  g_autofree char *problems = hy_report_text(report);
  TEST_ASSERT_EQUAL_STRING("", problems);
  TEST_ASSERT_NOT_NULL(loaded);
  return loaded;
}

static void run(HySim *sim, double t)
{
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_TRUE_MESSAGE(hy_sim_run(sim, t, &error), error != NULL ? error->message : "");
}

/* "at T set PATH V ramp=DT" */
static void do_line(HySim *sim, const char *line)
{
  g_auto(GStrv) word = g_strsplit(line, " ", -1);
  g_autoptr(GError) error = NULL;
  if (word[0] == NULL || strcmp(word[0], "at") != 0) {
    return;
  }
  TEST_ASSERT_TRUE_MESSAGE(g_strv_length(word) >= 5, line);
  double t = g_ascii_strtod(word[1], NULL), value = g_ascii_strtod(word[4], NULL), ramp = 0;
  if (word[5] != NULL) {
    TEST_ASSERT_TRUE_MESSAGE(g_str_has_prefix(word[5], "ramp="), line);
    ramp = g_ascii_strtod(word[5] + strlen("ramp="), NULL);
  }
  guint k;
  HyLever lever;
  TEST_ASSERT_TRUE_MESSAGE(hy_sim_lever(sim, word[3], &k, NULL), line);
  run(sim, t);
  TEST_ASSERT_TRUE(hy_sim_lever_info(sim, k, &lever));
  TEST_ASSERT_EQUAL_INT_MESSAGE(strcmp(word[2], "malfunction") == 0,
                                lever.kind == HY_LEVER_MALFUNCTION, line);
  TEST_ASSERT_TRUE_MESSAGE(hy_sim_set_lever(sim, t, k, value, ramp, &error),
                           error != NULL ? error->message : line);
}

static HyRun *played(const HyLoaded *loaded, const char *engine, const char *script)
{
  g_autoptr(GError) error = NULL;
  HyRunSettings settings = HY_RUN_SETTINGS;
  settings.engine = engine;
  HyRun *r = hy_run_new(loaded, &settings, &error);
  TEST_ASSERT_TRUE(r != NULL && hy_run_record(r, &error));
  TEST_ASSERT_TRUE(hy_sim_init(hy_run_sim(r), 0, &error));
  g_auto(GStrv) lines = g_strsplit(script, "\n", -1);
  for (guint k = 0; lines[k] != NULL; k++) {
    do_line(hy_run_sim(r), lines[k]);
  }
  run(hy_run_sim(r), hy_run_stop(r));
  TEST_ASSERT_TRUE(hy_run_finish(r, hy_run_stop(r), &error));
  return r;
}

static guint column(const HyRecorder *r, const char *path)
{
  guint k;
  TEST_ASSERT_TRUE_MESSAGE(hy_recorder_find(r, path, &k), path);
  return k;
}

static void same(const HyRecorder *a, const HyRecorder *b)
{
  TEST_ASSERT_EQUAL_UINT64(hy_recorder_rows(a), hy_recorder_rows(b));
  for (guint64 row = 0; row < hy_recorder_rows(a); row++) {
    for (guint k = 0; k < hy_recorder_n(a); k++) {
      double x = hy_recorder_value(a, row, k), y = hy_recorder_value(b, row, k);
      TEST_ASSERT_EQUAL_MEMORY(&x, &y, sizeof x);
    }
  }
}

/* Off by WITHIN of what a column ranges over at most. */
static void check(const HyRecorder *r, const char *expected, double within)
{
  g_auto(GStrv) rows = g_strsplit(expected, "\n", -1);
  g_auto(GStrv) names = g_strsplit(rows[0], ",", -1);
  TEST_ASSERT_EQUAL_UINT(g_strv_length(rows), hy_recorder_rows(r) + 2);
  for (guint c = 1; names[c] != NULL; c++) {
    double low = INFINITY, high = -INFINITY, off = 0;
    for (guint64 row = 0; row < hy_recorder_rows(r); row++) {
      g_auto(GStrv) fields = g_strsplit(rows[row + 1], ",", -1);
      double v = g_ascii_strtod(fields[c], NULL);
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, g_ascii_strtod(fields[0], NULL), hy_recorder_time(r, row));
      low = fmin(low, v);
      high = fmax(high, v);
      off = fmax(off, fabs(v - hy_recorder_value(r, row, column(r, names[c]))));
    }
    g_autofree char *text = g_strdup_printf("%s: off by %g of %g", names[c], off, high - low);
    TEST_ASSERT_TRUE_MESSAGE(off <= within * (high - low), text);
  }
}

static void exercise(const char *name, double within)
{
  g_autofree char *script = contents(name, "script.txt"),
                  *expected = contents(name, "expected.csv");
  g_autoptr(HyLoaded) loaded = load(name, NULL);
  g_autoptr(HyRun) tree = played(loaded, "tree", script), flat = played(loaded, "flat", script),
                   fused = played(loaded, "fused", script);
  check(hy_run_table(tree, 0), expected, within);
  same(hy_run_table(tree, 0), hy_run_table(flat, 0));
  same(hy_run_table(tree, 0), hy_run_table(fused, 0));
}

/* In real time, with steps that cost the same each. */
static void by_steps(const char *name, double hstep, double within)
{
  g_autofree char *script = contents(name, "script.txt"),
                  *expected = contents(name, "expected.csv");
  g_autoptr(HyLoaded) loaded = load(name, &(HyLoadOptions){.method = "rk4", .hstep = hstep});
  g_autoptr(HyRun) r = played(loaded, "fused", script);
  check(hy_run_table(r, 0), expected, within);
}

static void test_three_tanks(void)
{
  exercise("tanks", 1e-5);
  by_steps("tanks", 1, 1e-3);
}

static void test_pipe(void)
{
  exercise("pipe", 1e-5);
  by_steps("pipe", 1e-3, 1e-3);
}

static void test_superheater(void)
{
  exercise("superheater", 1e-5);
  by_steps("superheater", 50e-3, 1e-3);
}

/* Steady states, in closed form ---------------------------------------------------------------- */

static double at_end(const HyLoaded *loaded, const char *script, const char *path)
{
  g_autoptr(HyRun) r = played(loaded, "fused", script);
  const HyRecorder *table = hy_run_table(r, 0);
  return hy_recorder_value(table, hy_recorder_rows(table) - 1, column(table, path));
}

/* All drains carry k sqrt(goal), and beside it what leaks. */
static void test_tanks_come_to_rest_where_they_must(void)
{
  static const char *const set[] = {"goal.rate=inf", NULL};
  g_autoptr(HyLoaded) loaded = load("tanks", &(HyLoadOptions){.set = set});
  static const char script[] = "at 0 set goal 0.8\nat 0 malfunction leak 0.5";
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0.8, at_end(loaded, script, "level3"));
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0.8, at_end(loaded, script, "level2"));
  TEST_ASSERT_DOUBLE_WITHIN(3e-3, 0.8 * 1.5 * 1.5, at_end(loaded, script, "level1"));
}

/* A drain that is shut: the tank fills to its brim, exactly, and no further. */
static void test_a_tank_runs_over(void)
{
  g_autoptr(HyLoaded) loaded = load("tanks", NULL);
  static const char script[] = "at 0 set auto 0\nat 10 malfunction blocked 1";
  TEST_ASSERT_EQUAL_DOUBLE(2, at_end(loaded, script, "level3"));
  TEST_ASSERT_EQUAL_DOUBLE(1, at_end(loaded, script, "alarm"));
}

/* What is read is the goal; what is there is more, where it reads low. */
static void test_the_pipe_comes_to_rest_where_it_must(void)
{
  g_autoptr(HyLoaded) loaded = load("pipe", NULL);
  static const char script[] = "at 1 malfunction transmitter 0.5\nat 1 malfunction leak 0.25";
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.5 / 0.85, at_end(loaded, script, "y"));
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 1.25 * 0.5 / 0.85, at_end(loaded, script, "x"));
}

/* The spray by hand, the valve at 0.9: found by hand with other tools, to all digits that stand
 * there. */
static void test_superheater_without_its_controller(void)
{
  static const double truth[][5] = {{10, 3.29616479, 1484.860700, 2637.07723, 760.20138},
                                    {50, 3.40581539, 1476.572712, 2688.58087, 775.04855},
                                    {200, 3.50368369, 1462.574696, 2703.97510, 779.48631}};
  static const char *const set[] = {"valve.value=0.9", "auto.value=0", NULL};
  g_autoptr(HyLoaded) loaded = load("superheater", &(HyLoadOptions){.set = set});
  g_autoptr(HyRun) r = played(loaded, "fused", "");
  const HyRecorder *table = hy_run_table(r, 0);
  for (guint k = 0; k < G_N_ELEMENTS(truth); k++) {
    guint64 row = (guint64)(truth[k][0] / 5);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, truth[k][1],
                              hy_recorder_value(table, row, column(table, "rho")));
    TEST_ASSERT_DOUBLE_WITHIN(2e-3, truth[k][2], hy_recorder_value(table, row, column(table, "h")));
    TEST_ASSERT_DOUBLE_WITHIN(1e-2, truth[k][3], hy_recorder_value(table, row, column(table, "P")));
    TEST_ASSERT_DOUBLE_WITHIN(3e-3, truth[k][4], hy_recorder_value(table, row, column(table, "W")));
  }
}

/* Two malfunctions each, and a doc for all that can be moved. */
static void test_every_exercise_has_levers_with_words(void)
{
  static const char *const names[] = {"tanks", "pipe", "superheater"};
  for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
    g_autoptr(HyLoaded) loaded = load(names[k], NULL);
    g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), HY_FLAT, NULL);
    guint malfunctions = 0;
    TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL));
    for (guint i = 0; i < hy_sim_n_levers(sim); i++) {
      HyLever lever;
      TEST_ASSERT_TRUE(hy_sim_lever_info(sim, i, &lever));
      TEST_ASSERT_NOT_NULL_MESSAGE(lever.doc, lever.path);
      TEST_ASSERT_TRUE_MESSAGE(isfinite(lever.lower) && isfinite(lever.upper), lever.path);
      malfunctions += lever.kind == HY_LEVER_MALFUNCTION;
    }
    TEST_ASSERT_EQUAL_UINT(2, malfunctions);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_three_tanks);
  RUN_TEST(test_pipe);
  RUN_TEST(test_superheater);
  RUN_TEST(test_tanks_come_to_rest_where_they_must);
  RUN_TEST(test_a_tank_runs_over);
  RUN_TEST(test_the_pipe_comes_to_rest_where_it_must);
  RUN_TEST(test_superheater_without_its_controller);
  RUN_TEST(test_every_exercise_has_levers_with_words);
  return UNITY_END();
}
