/* The pages of docs/ on libraries: each example in them is a whole model that runs without a
 * warning, with the same numbers on all engines. */
#include "library_model.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* TEXT is a whole file. */
static HyLoaded *example_load(const char *text)
{
  g_autoptr(HyReport) report = hy_report_new();
  HyLoaded *loaded = hy_load_memory(text, strlen(text), "example.xml",
                                    &(HyLoadOptions){.library = library_folders}, report);
  g_autofree char *messages = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, messages);
  TEST_ASSERT_EQUAL_STRING("", messages);
  return loaded;
}

static void check_page(const char *name, guint wanted)
{
  g_autofree char *path = g_strdup_printf(HY_SOURCE_DIR "/docs/%s.md", name), *text = NULL;
  TEST_ASSERT_TRUE(g_file_get_contents(path, &text, NULL, NULL));
  g_auto(GStrv) parts = g_strsplit(text, "\n```xml\n", -1);
  TEST_ASSERT_EQUAL_UINT_MESSAGE(wanted, g_strv_length(parts) - 1, name);
  for (guint k = 1; parts[k] != NULL; k++) {
    char *end = strstr(parts[k], "\n```");
    TEST_ASSERT_NOT_NULL(end);
    *end = '\0';
    g_autoptr(HyLoaded) loaded = example_load(parts[k]);
    g_autoptr(HyRun) run = library_same_on_all_engines(loaded);
    TEST_ASSERT_GREATER_THAN_UINT64(10, hy_recorder_rows(hy_run_table(run, 0)));
  }
}

static void test_the_examples_of_machines_run(void)
{
  check_page("machines", 4);
}

static void test_the_examples_of_heat_run(void)
{
  check_page("thermal", 2);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_examples_of_machines_run);
  RUN_TEST(test_the_examples_of_heat_run);
  return UNITY_END();
}
