/* The models of docs/power.md by methods of each kind, against cvode_bdf at 1e-7: all of them can
 * be run by any method that their stiffness allows. */
#include "library_model.h"

void setUp(void)
{
}

void tearDown(void)
{
}

#define MOST 8

/* The model called NAME of the page, without what circuits and experiments say of methods. Newly
 * allocated. */
static char *model_of_page(const char *name)
{
  g_autofree char *text = NULL, *start = g_strdup_printf(" name=\"%s\" ", name);
  TEST_ASSERT_TRUE(g_file_get_contents(HY_SOURCE_DIR "/docs/power.md", &text, NULL, NULL));
  g_auto(GStrv) models = g_strsplit(text, "```xml\n", -1);
  for (guint k = 1; models[k] != NULL; k++) {
    const char *found = strstr(models[k], start);
    if (found != NULL && found < strchr(models[k], '>')) {
      *strstr(models[k], "```") = '\0';
      g_auto(GStrv) parts = g_strsplit(models[k], " method=\"block_liqss2\"", -1);
      return g_strjoinv("", parts);
    }
  }
  return NULL;
}

static HyLoaded *load(const char *text, const char *method, double q, const char *fidelity)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autofree char *set = g_strconcat("fidelity=", fidelity, NULL);
  HyLoadOptions options = {.library = library_folders, .method = method, .dqrel = q, .dqmin = q};
  options.set = fidelity != NULL ? (const char *const[]){set, NULL} : NULL;
  HyLoaded *loaded = hy_load_memory(text, strlen(text), "page.xml", &options, report);
  g_autofree char *messages = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, messages);
  return loaded;
}

/* By what part of the largest of its column the last row differs, in the column where this is most.
 */
static double difference(const HyRecorder *a, const HyRecorder *wanted)
{
  guint64 end = hy_recorder_rows(wanted) - 1;
  double most = 0;
  for (guint c = 0; c < hy_recorder_n(wanted); c++) {
    double size = 0;
    for (guint64 row = 0; row <= end; row++) {
      size = fmax(size, fabs(hy_recorder_value(wanted, row, c)));
    }
    most =
        fmax(most, fabs(hy_recorder_value(a, end, c) - hy_recorder_value(wanted, end, c)) / size);
  }
  return most;
}

static void check(const char *name, const char *fidelity, const char *const *methods)
{
  g_autofree char *text = model_of_page(name);
  TEST_ASSERT_NOT_NULL_MESSAGE(text, name);
  g_autoptr(HyLoaded) tight = load(text, "cvode_bdf", 1e-7, fidelity);
  g_autoptr(HyRun) reference = library_go(tight, "auto");
  for (; *methods != NULL; methods++) {
    g_autoptr(HyLoaded) loaded = load(text, *methods, 1e-5, fidelity);
    g_autoptr(HyRun) run = library_go(loaded, "auto");
    double error = difference(hy_run_table(run, 0), hy_run_table(reference, 0));
    g_autofree char *what = g_strdup_printf("%s %s by %s: %g", name, fidelity, *methods, error);
    TEST_ASSERT_TRUE_MESSAGE(error < 3e-3, what);
  }
}

static const char *const all[] = {"auto", "block_liqss2", "liqss2", "cvode_bdf", NULL};

static void test_legs_by_all_methods(void)
{
  check("half", "switched", all);
  check("half", "function", all);
  check("half", "averaged", all);
}

static void test_modular_legs_by_all_methods(void)
{
  check("mmc", "function", all);
  check("mmc", "averaged", all);
}

/* Coils behind thyristors that block decay within 1e-9 s, which no state for itself can follow. */
static void test_rectifiers_by_methods_for_stiff_systems(void)
{
  check("drive", NULL, (const char *const[]){"auto", "block_liqss2", "cvode_bdf", NULL});
}

static void test_lines_panels_and_batteries_by_all_methods(void)
{
  check("line", NULL, all);
  check("pv_curve", NULL, all);
  check("pulses", NULL, all);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_legs_by_all_methods);
  RUN_TEST(test_modular_legs_by_all_methods);
  RUN_TEST(test_rectifiers_by_methods_for_stiff_systems);
  RUN_TEST(test_lines_panels_and_batteries_by_all_methods);
  return UNITY_END();
}
