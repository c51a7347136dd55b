/* Whoever states no method gets one that runs: every class of blocks in a small model with two
 * states, every example and every model of the tests. What a sample says is what cvode_bdf says
 * with a tolerance of 1e-9. */
#include "samples.h"

#include <math.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static const char *const library_folders[] = {HY_SOURCE_DIR "/library", NULL};
static const char *const engines[] = {"tree", "flat", "fused"};

static HyLoaded *load_text(const char *text, const char *method, double tol)
{
  g_autoptr(HyReport) report = hy_report_new();
  HyLoadOptions options = {
      .library = library_folders, .method = method, .dqrel = tol, .dqmin = tol, .tol = tol};
  HyLoaded *loaded = hy_load_memory(text, strlen(text), "m.xml", &options, report);
  g_autofree char *messages = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, messages);
  return loaded;
}

/* All values are numbers, but for what nobody has said yet. */
static void check_table(const HyRecorder *table, const char *who)
{
  for (guint c = 0; c < hy_recorder_n(table); c++) {
    gboolean said = FALSE;
    for (guint64 row = 0; row < hy_recorder_rows(table); row++) {
      double v = hy_recorder_value(table, row, c);
      TEST_ASSERT_TRUE_MESSAGE(isfinite(v) || (isnan(v) && !said), who);
      said |= isfinite(v);
    }
  }
}

/* The columns of RUN are those of TIGHT, but for 1 % of what a column is as a whole; between two
 * instants of a grid discrete blocks jump, and each row is at such an instant: those that jump
 * there by a rounding of time are few. */
static void check_like(const HyRecorder *run, const HyRecorder *tight, const char *who)
{
  TEST_ASSERT_EQUAL_UINT64_MESSAGE(hy_recorder_rows(tight), hy_recorder_rows(run), who);
  for (guint c = 0; c < hy_recorder_n(run); c++) {
    double size = 0, off = 0;
    for (guint64 row = 0; row < hy_recorder_rows(run); row++) {
      double v = hy_recorder_value(tight, row, c);
      size = fmax(size, fabs(v));
      off = fmax(off, fabs(hy_recorder_value(run, row, c) - v));
    }
    g_autofree char *message = g_strdup_printf("%s: %u: %g of %g", who, c, off, size);
    TEST_ASSERT_TRUE_MESSAGE(off <= 0.01 * size, message);
  }
}

static HyRun *go(const HyLoaded *loaded, const char *engine, const char *who)
{
  g_autoptr(GError) error = NULL;
  HyRunSettings settings = HY_RUN_SETTINGS;
  settings.engine = engine;
  HyRun *run = hy_run_new(loaded, &settings, &error);
  gboolean ok = run != NULL && hy_run_record(run, &error) && hy_run_go(run, &error);
  g_autofree char *message =
      g_strdup_printf("%s on %s: %s", who, engine, error != NULL ? error->message : "");
  TEST_ASSERT_TRUE_MESSAGE(ok, message);
  return run;
}

static void check_sample(const Sample *s)
{
  gboolean followed = strstr(s->inside, "name=\"z\"") != NULL;
  g_autofree char *numerics =
      g_strdup_printf("record=\"x y%s\" grid=\"0.0731\"", followed ? " z" : "");
  g_autofree char *text = text_of(s, numerics);
  g_autoptr(HyLoaded) loaded = load_text(text, NULL, 0), exact = load_text(text, "cvode_bdf", 1e-9);
  g_autoptr(HyRun) tight = go(exact, "fused", s->klass);
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    g_autoptr(HyRun) run = go(loaded, engines[e], s->klass);
    check_table(hy_run_table(run, 0), s->klass);
    if (hy_sim_finished(hy_run_sim(run)) == NULL) {
      check_like(hy_run_table(run, 0), hy_run_table(tight, 0), s->klass);
    }
  }
}

static void test_every_class_runs_by_the_method_that_is_chosen(void)
{
  for (const HyAtomicClass *const *k = hy_classes(); *k != NULL; k++) {
    const Sample *s = sample_of((*k)->name);
    TEST_ASSERT_NOT_NULL_MESSAGE(s, (*k)->name);
    check_sample(s);
  }
}

/* x' = y, y' = -4 x, b = x(t - 0.3 - 0.1 y), z' = b - z: x, y and z are one block, whose steps the
 * delay answers at once. x = cos(2 t), and b is 0 until the start has come through. */
static double delayed(double t)
{
  double r = t - 0.3 + 0.2 * sin(2 * t);
  return r < 0 ? 0 : cos(2 * r);
}

/* z at T, by the method of Runge and Kutta with 10,000 steps. */
static double followed(double t)
{
  double z = 0, h = t / 10000;
  for (guint k = 0; k < 10000; k++) {
    double s = k * h, middle = delayed(s + h / 2);
    double a = delayed(s) - z, b = middle - (z + h / 2 * a), c = middle - (z + h / 2 * b),
           d = delayed(s + h) - (z + h * c);
    z += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return z;
}

static void check_delay(const char *method)
{
  g_autofree char *text = text_of(sample_of("variable_delay"), "record=\"b z\" grid=\"0.1\"");
  g_autoptr(HyLoaded) loaded = load_text(text, method, 0);
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    g_autoptr(HyRun) run = go(loaded, engines[e], method);
    const HyRecorder *table = hy_run_table(run, 0);
    TEST_ASSERT_EQUAL_UINT64(31, hy_recorder_rows(table));
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(4e-3, delayed(3), hy_recorder_value(table, 30, 0), method);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(4e-3, followed(3), hy_recorder_value(table, 30, 1), method);
    HyTotals totals;
    hy_sim_totals(hy_run_sim(run), &totals);
    TEST_ASSERT_LESS_THAN_UINT64_MESSAGE(20000, totals.cycles, method);
  }
}

static void test_a_delay_that_a_block_computes_comes_to_rest(void)
{
  static const char *const methods[] = {"auto",    "qss2",         "qss3",      "liqss2",
                                        "mliqss2", "block_liqss2", "cvode_bdf", "rk45_doubling"};
  for (guint k = 0; k < G_N_ELEMENTS(methods); k++) {
    check_delay(methods[k]);
  }
}

/* The tenth part of the run of a file of ours; those that are no models, need more blocks, are made
 * to go on for ever, or whose measures are of the whole, apart. */
static guint check_folder(const char *folder)
{
  static const char *const others[] = {
      "converters.xml", "endless.xml", "buck-heatsink.xml", "suite.xml", "street.xml",
      "measures",       NULL};
  g_autofree char *path = g_build_filename(HY_SOURCE_DIR, folder, NULL);
  g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
  guint n = 0;
  for (const char *name; (name = g_dir_read_name(dir)) != NULL;) {
    gboolean file = g_str_has_suffix(name, ".xml"), apart = g_strv_contains(others, name);
    g_autofree char *model = g_build_filename(path, name, file ? NULL : "model.xml", NULL);
    if (apart || !g_file_test(model, G_FILE_TEST_IS_REGULAR)) {
      continue;
    }
    g_autoptr(HyReport) report = hy_report_new();
    g_autoptr(HyLoaded) loaded =
        hy_load_file(model, &(HyLoadOptions){.library = library_folders, .method = "auto"}, report);
    g_autofree char *messages = hy_report_text(report);
    TEST_ASSERT_NOT_NULL_MESSAGE(loaded, messages);
    const HyExperiment *x = hy_loaded_experiment(loaded);
    g_autoptr(GError) error = NULL;
    HyRunSettings settings = HY_RUN_SETTINGS;
    settings.stop = x->start + 0.1 * (x->stop - x->start);
    settings.grid = 0.01 * (settings.stop - x->start);
    g_autoptr(HyRun) run = hy_run_new(loaded, &settings, &error);
    gboolean ok = run != NULL && hy_run_record(run, &error) && hy_run_go(run, &error);
    TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : model);
    for (guint k = 0; k < hy_run_n_tables(run); k++) {
      check_table(hy_run_table(run, k), model);
    }
    n++;
  }
  return n;
}

static void test_every_example_runs_by_the_method_that_is_chosen(void)
{
  TEST_ASSERT_GREATER_THAN_UINT(14, check_folder("examples"));
  TEST_ASSERT_GREATER_THAN_UINT(7, check_folder("examples/thesis"));
  TEST_ASSERT_GREATER_THAN_UINT(4, check_folder("examples/power"));
  TEST_ASSERT_GREATER_THAN_UINT(2, check_folder("examples/machines"));
  TEST_ASSERT_GREATER_THAN_UINT(15, check_folder("tests/models"));
}

int main(void)
{
  samples_begin();
  UNITY_BEGIN();
  RUN_TEST(test_a_delay_that_a_block_computes_comes_to_rest);
  RUN_TEST(test_every_class_runs_by_the_method_that_is_chosen);
  RUN_TEST(test_every_example_runs_by_the_method_that_is_chosen);
  samples_end();
  return UNITY_END();
}
