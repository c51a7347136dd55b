/* Every file under tests/errors/ gives exactly the messages and the exit status beside it. */
#include "hydevs/load.h"
#include <string.h>
#include <unistd.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static const char *const library[] = {HY_SOURCE_DIR "/library", NULL};

/* "status\nmessages", as the .expected files have it. */
static char *answer(const char *file, gboolean strict)
{
  g_autoptr(HyReport) report = hy_report_new();
  HyLoadOptions options = {.library = library, .strict = strict};
  g_autoptr(HyLoaded) loaded = hy_load_file(file, &options, report);
  g_autofree char *text = hy_report_text(report);
  TEST_ASSERT_EQUAL_MESSAGE(loaded == NULL, hy_report_errors(report) > 0, file);
  return g_strdup_printf("%d\n%s", loaded != NULL ? 0 : 1, text);
}

static gint compare(gconstpointer a, gconstpointer b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static GPtrArray *files(void)
{
  GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
  GDir *dir = g_dir_open(".", 0, NULL);
  TEST_ASSERT_NOT_NULL(dir);
  for (const char *name; (name = g_dir_read_name(dir)) != NULL;) {
    if (g_str_has_suffix(name, ".xml")) {
      g_ptr_array_add(names, g_strdup(name));
    }
  }
  g_dir_close(dir);
  g_ptr_array_sort(names, compare);
  return names;
}

static void test_every_mistake_has_its_message(void)
{
  GPtrArray *names = files();
  TEST_ASSERT_GREATER_OR_EQUAL_UINT(60, names->len);
  for (guint k = 0; k < names->len; k++) {
    const char *name = g_ptr_array_index(names, k);
    g_autofree char *stem = g_strndup(name, strlen(name) - strlen(".xml"));
    g_autofree char *path = g_strconcat(stem, ".expected", NULL), *expected = NULL;
    TEST_ASSERT_TRUE_MESSAGE(g_file_get_contents(path, &expected, NULL, NULL), path);
    g_autofree char *got = answer(name, FALSE);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(expected, got, name);
  }
  g_ptr_array_unref(names);
}

static void test_strict_makes_warnings_errors(void)
{
  GPtrArray *names = files();
  for (guint k = 0; k < names->len; k++) {
    const char *name = g_ptr_array_index(names, k);
    g_autofree char *usual = answer(name, FALSE), *strict = answer(name, TRUE);
    if (strstr(usual, "warning: ") != NULL) {
      TEST_ASSERT_EQUAL_CHAR_MESSAGE('1', strict[0], name);
      TEST_ASSERT_NULL_MESSAGE(strstr(strict, "warning: "), name);
    }
  }
  g_ptr_array_unref(names);
}

static void test_at_most_a_hundred_messages(void)
{
  g_autoptr(GString) text = g_string_new("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">\n");
  for (int k = 0; k < 150; k++) {
    g_string_append_printf(text, "<gian name=\"g%d\"/>\n", k);
  }
  g_string_append(text, "</hydevs>\n");
  g_autoptr(HyReport) report = hy_report_new();
  TEST_ASSERT_NULL(hy_load_memory(text->str, text->len, "many.xml", NULL, report));
  g_autofree char *got = hy_report_text(report);
  g_auto(GStrv) lines = g_strsplit(got, "\n", -1);
  TEST_ASSERT_EQUAL_UINT(102, g_strv_length(lines)); /* 100, how many more, the end */
  TEST_ASSERT_EQUAL_STRING("and 50 more", lines[100]);
  TEST_ASSERT_EQUAL_UINT(150, hy_report_errors(report));
}

/* A line is that of the attribute, however the start tag is broken and however far down it is. */
static void test_lines_are_those_of_attributes(void)
{
  g_autoptr(GString) text = g_string_new("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">\n");
  for (int k = 0; k < 70000; k++) {
    g_string_append_c(text, '\n');
  }
  g_string_append(text, "<gain\n name=\"g\"\n in=\"1\"\n k=\"2,5\"\n/>\n</hydevs>\n");
  g_autoptr(HyReport) report = hy_report_new();
  TEST_ASSERT_NULL(hy_load_memory(text->str, text->len, "m.xml", NULL, report));
  g_autofree char *got = hy_report_text(report);
  TEST_ASSERT_EQUAL_STRING(
      "m.xml:70005: g: k=\"2,5\" is a list of 2 values, k takes one (the decimal sign is \".\")\n",
      got);
}

/* Names are counted in 16 bits; beyond that the file is refused, at an element or an attribute. */
static void assert_too_many(gboolean elements)
{
  g_autoptr(GString) text = g_string_new("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">");
  for (guint k = 0; k < 66000; k++) {
    g_string_append_printf(text, elements ? "<gain%u name=\"x\"/>" : "<gain name%u=\"x\"/>", k);
  }
  g_string_append(text, "</hydevs>");
  g_autoptr(HyReport) report = hy_report_new();
  TEST_ASSERT_NULL(hy_load_memory(text->str, text->len, "m.xml", NULL, report));
  g_autofree char *got = hy_report_text(report);
  TEST_ASSERT_EQUAL_STRING("m.xml:1: more than 65000 different names of elements and attributes\n",
                           got);
}

static void test_more_names_than_there_are_numbers(void)
{
  assert_too_many(TRUE);
  assert_too_many(FALSE);
}

/* A name of 100,000 letters, some of two bytes, is shown by its beginning and its end. */
static void test_a_long_text_is_shortened(void)
{
  for (guint shift = 0; shift < 2; shift++) {
    g_autoptr(GString) text =
        g_string_new("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\"><gain name=\"");
    g_string_append(text, shift == 0 ? "" : "x");
    for (guint k = 0; k < 50000; k++) {
      g_string_append(text, "\303\266");
    }
    g_string_append(text, "end\" in=\"1\"/></hydevs>");
    g_autoptr(HyReport) report = hy_report_new();
    TEST_ASSERT_NULL(hy_load_memory(text->str, text->len, "m.xml", NULL, report));
    g_autofree char *got = hy_report_text(report);
    TEST_ASSERT_TRUE_MESSAGE(strlen(got) < 2000 && g_utf8_validate(got, -1, NULL), got);
    TEST_ASSERT_TRUE_MESSAGE(g_str_has_prefix(got, "m.xml:1: \""), got);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(got, " ... "), got);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(got, "end\" for the text shown"), got);
  }
}

int main(void)
{
  if (chdir(HY_SOURCE_DIR "/tests/errors") != 0) {
    return 1;
  }
  UNITY_BEGIN();
  RUN_TEST(test_every_mistake_has_its_message);
  RUN_TEST(test_strict_makes_warnings_errors);
  RUN_TEST(test_at_most_a_hundred_messages);
  RUN_TEST(test_lines_are_those_of_attributes);
  RUN_TEST(test_more_names_than_there_are_numbers);
  RUN_TEST(test_a_long_text_is_shortened);
  return UNITY_END();
}
