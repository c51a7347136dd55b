/* Files in another language, here a toy one: a line "function NAME FORMULA" is an element. What is
 * loaded is what the converted file says, and messages have the lines of the file itself. */
#include "editor-export/format.h"
#include "hydevs/hydevs.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static xmlDoc *read_toy(const char *file, const char *text, GPtrArray *further, HyReport *report)
{
  xmlDoc *doc = hy_format_doc("toy");
  xmlNode *root = xmlDocGetRootElement(doc);
  xmlNode *other = hy_format_add(hy_format_add(root, "view", 0), "other", 0);
  xmlSetNs(other, xmlNewNs(other, BAD_CAST "urn:other", NULL));
  hy_format_add(other, "inside", 1); /* our tree does not look into it */
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
  for (guint k = 0; lines[k] != NULL; k++) {
    g_auto(GStrv) words = g_strsplit(lines[k], " ", -1);
    if (further != NULL && g_str_has_prefix(lines[k], "reads ")) {
      g_ptr_array_add(further, g_strdup(words[1]));
    } else if (g_strv_length(words) == 3 && *words[0] != '\0') {
      xmlNode *node = hy_format_add(root, words[0], k + 1);
      hy_format_set(node, "name", words[1]);
      hy_format_set(node, "formula", words[2]);
    } else if (strcmp(lines[k], "refuse") == 0) {
      hy_report_error(report, file, k + 1, "refused");
      xmlFreeDoc(doc);
      return NULL;
    }
  }
  return doc;
}

static const HyFormat toys[] = {
    {.name = "toy", .doc = "a toy", .suffixes = ".toy .ty", .read = read_toy},
    {.name = "written", .doc = "only written", .suffixes = ".out"},
    {0},
};

/* All messages of a load of TEXT as FILE. */
static char *messages(const char *text, const char *file)
{
  g_autoptr(HyReport) report = hy_report_new();
  const HyLoadOptions options = {.formats = toys};
  g_autoptr(HyLoaded) loaded = hy_load_memory(text, strlen(text), file, &options, report);
  char *said = hy_report_text(report);
  TEST_ASSERT_TRUE((loaded != NULL) == (hy_report_errors(report) == 0));
  return said;
}

static void expect(const char *expected, const char *text)
{
  g_autofree char *said = messages(text, "a.toy");
  TEST_ASSERT_EQUAL_STRING(expected, said);
}

static void test_a_file_is_known_by_its_suffix(void)
{
  TEST_ASSERT_EQUAL_PTR(&toys[0], hy_format_find(toys, "a.toy"));
  TEST_ASSERT_EQUAL_PTR(&toys[0], hy_format_find(toys, "x.xml/A.TY"));
  TEST_ASSERT_NULL(hy_format_find(toys, "toy"));
  TEST_ASSERT_NULL(hy_format_find(toys, "a.toy.xml"));
  TEST_ASSERT_NULL(hy_format_find(toys, "a.t"));
  TEST_ASSERT_NULL(hy_format_find(toys, "a.out"));
  TEST_ASSERT_NULL(hy_format_find(NULL, "a.toy"));
  g_autofree char *said = messages("constant c 1\n", "a.txt");
  TEST_ASSERT_EQUAL_STRING("a.txt:1: this is not XML: the file does not begin with \"<\"\n", said);
}

static void test_messages_have_the_lines_of_the_file(void)
{
  expect("", "\nfunction f 1\nfunction g f*2\n");
  expect("a.toy:3: g: nothing is called \"h\" here; did you mean \"f\"? (blocks: f g; ports: none; "
         "parameters: none)\n",
         "\nfunction f 1\nfunction g h*2\n");
  g_autoptr(GString) far = g_string_new("function f 1\n");
  for (guint k = 0; k < 70000; k++) {
    g_string_append_c(far, '\n');
  }
  g_string_append(far, "function g h*2\n");
  expect("a.toy:70002: g: nothing is called \"h\" here; did you mean \"f\"? (blocks: f g; ports: "
         "none; parameters: none)\n",
         far->str);
}

static void test_what_a_format_refuses_is_refused(void)
{
  expect("a.toy:2: refused\n", "function f 1\nrefuse\n");
}

static void test_text_is_clean(void)
{
  expect("a.toy:3: g: nothing is called \"h\" here; did you mean \"f\"? (blocks: f g; ports: none; "
         "parameters: none)\n",
         "\r\nfunction f 1\r\nfunction g h*2\r\n");
  expect("a.toy:3: g: nothing is called \"h\" here; did you mean \"f\"? (blocks: f g; ports: none; "
         "parameters: none)\n",
         "\rfunction f 1\rfunction g h*2\r");
  expect("", "\x01\x02\nfunction f 1\n");
}

/* And messages of the loader for it name the lines of the file, those of the XML that is converted
 * its own. */
static void test_a_converted_file_is_what_is_loaded(void)
{
  g_autofree char *folder = g_dir_make_tmp("foreign-XXXXXX", NULL);
  g_autofree char *file = g_build_filename(folder, "a.toy", NULL);
  TEST_ASSERT_TRUE(
      g_file_set_contents(file, "function f 1\n\nreads other.txt\nfunction g f*2\n", -1, NULL));
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(GPtrArray) inputs = g_ptr_array_new_with_free_func(g_free);
  g_autofree char *xml = hy_format_convert(&toys[0], file, inputs, report);
  TEST_ASSERT_EQUAL_UINT(2, inputs->len);
  TEST_ASSERT_EQUAL_STRING(file, inputs->pdata[0]);
  TEST_ASSERT_EQUAL_STRING("other.txt", inputs->pdata[1]);
  TEST_ASSERT_EQUAL_STRING(
      "<?xml version=\"1.0\"?>\n"
      "<hydevs xmlns=\"urn:hydevs:1\" name=\"toy\">\n"
      "  <view>\n    <other xmlns=\"urn:other\">\n      <inside/>\n    </other>\n  </view>\n"
      "  <function name=\"f\" formula=\"1\"/>\n"
      "  <function name=\"g\" formula=\"f*2\"/>\n"
      "</hydevs>\n",
      xml);
  const HyLoadOptions options = {.formats = toys};
  g_autoptr(HyLoaded) loaded = hy_load_file(file, &options, report);
  TEST_ASSERT_EQUAL_UINT(0, hy_report_errors(report));
  TEST_ASSERT_EQUAL_STRING(file, hy_loaded_inputs(loaded)[0]);
  TEST_ASSERT_TRUE(g_strv_contains(hy_loaded_inputs(loaded), "other.txt"));
  HyBlockInfo info;
  hy_loaded_block(loaded, hy_loaded_model(loaded), 1, &info);
  TEST_ASSERT_EQUAL_UINT(4, info.line);
  g_autofree char *sum = hy_loaded_digest(loaded, 0);
  g_autofree char *bytes = g_compute_checksum_for_string(
      G_CHECKSUM_SHA256, "function f 1\n\nreads other.txt\nfunction g f*2\n", -1);
  TEST_ASSERT_EQUAL_STRING(bytes, sum);
  TEST_ASSERT_EQUAL_INT(0, g_unlink(file));
  TEST_ASSERT_EQUAL_INT(0, g_rmdir(folder));
}

static void test_what_cannot_be_read_is_said(void)
{
  g_autoptr(HyReport) report = hy_report_new();
  const HyLoadOptions options = {.formats = toys};
  TEST_ASSERT_NULL(hy_load_file("/nowhere/a.toy", &options, report));
  TEST_ASSERT_NULL(hy_load_memory("f\0g", 3, "b.toy", &options, report));
  TEST_ASSERT_NULL(hy_load_memory("function", 8, "c.toy",
                                  &(HyLoadOptions){.formats = toys, .read.max_bytes = 7}, report));
  g_autofree char *text = hy_report_text(report);
  TEST_ASSERT_EQUAL_STRING("/nowhere/a.toy: cannot be read: No such file or directory\n"
                           "b.toy: this is no text: a byte of it is 0\n"
                           "c.toy: the file is larger than the limit\n",
                           text);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_file_is_known_by_its_suffix);
  RUN_TEST(test_messages_have_the_lines_of_the_file);
  RUN_TEST(test_what_a_format_refuses_is_refused);
  RUN_TEST(test_text_is_clean);
  RUN_TEST(test_a_converted_file_is_what_is_loaded);
  RUN_TEST(test_what_cannot_be_read_is_said);
  return UNITY_END();
}
