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

/* The pages, and how many models each has. */
static void test_the_examples_of_the_pages_run(void)
{
  check_page("machines", 4);
  check_page("thermal", 2);
  check_page("power", 8);
  check_page("converters", 5);
  check_page("control", 6);
  check_page("measure", 2);
}

/* TEXT with WORD, wherever it stands, replaced by BY; frees TEXT. */
static char *with_replaced(char *text, const char *word, const char *by)
{
  g_auto(GStrv) part = g_strsplit(text, word, -1);
  g_free(text);
  return g_strjoinv(by, part);
}

/* The lines of <doc> from the first that is an element on, as they are shown. Newly allocated. */
static char *example_of(const char *doc, const char *end)
{
  char *text = g_strndup(doc + strlen("<doc>"), (gsize)(end - doc) - strlen("<doc>"));
  text = with_replaced(with_replaced(text, "&lt;", "<"), "&amp;", "&");
  g_autofree char *all = text;
  const char *line = all;
  while (line != NULL && line[strspn(line, "\n")] != '<') {
    line = strchr(line + strspn(line, "\n"), '\n');
  }
  TEST_ASSERT_NOT_NULL(line);
  return g_strdup(line);
}

/* What list-blocks shows of each type that has a <doc>, with a run until STOP. */
static void check_docs(const char *library, guint wanted, const char *stop)
{
  g_autofree char *path = g_strdup_printf(HY_SOURCE_DIR "/library/%s.xml", library), *text = NULL;
  TEST_ASSERT_TRUE(g_file_get_contents(path, &text, NULL, NULL));
  guint n = 0;
  for (const char *doc = text; (doc = strstr(doc, "<doc>")) != NULL; n++) {
    const char *end = strstr(doc, "</doc>");
    g_autofree char *example = example_of(doc, end);
    g_autofree char *model = g_strdup_printf(
        "<hydevs xmlns='urn:hydevs:1' name='m' needs='1.2'>%s<experiment stop='%s'/></hydevs>",
        example, stop);
    g_autoptr(HyLoaded) loaded = example_load(model);
    g_autoptr(HyRun) run = library_go(loaded, "auto");
    doc = end;
  }
  TEST_ASSERT_GREATER_OR_EQUAL_UINT(wanted, n);
}

/* The libraries, and how many types of each have an example at least. */
static void test_what_list_blocks_shows_runs(void)
{
  check_docs("power", 30, "100u");
  check_docs("control", 24, "5m");
  check_docs("measure", 8, "20m");
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_examples_of_the_pages_run);
  RUN_TEST(test_what_list_blocks_shows_runs);
  return UNITY_END();
}
