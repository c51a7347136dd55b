/* Tables as they come from us and from other programs, and what is wrong with those that are none.
 */
#include "hydevs/error.h"
#include "results/csv_read.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unity.h>

static char *dir, *path;

void setUp(void)
{
  dir = g_dir_make_tmp("hydevs-XXXXXX", NULL);
  path = g_build_filename(dir, "t.csv", NULL);
}

void tearDown(void)
{
  g_unlink(path);
  g_rmdir(dir);
  g_free(path);
  g_free(dir);
}

static HyTable *read_bytes(const char *text, gssize size, GError **error)
{
  TEST_ASSERT_TRUE(g_file_set_contents(path, text, size, NULL));
  return hy_table_read(path, error);
}

static HyTable *read_text(const char *text)
{
  g_autoptr(GError) error = NULL;
  HyTable *table = read_bytes(text, -1, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(table, error != NULL ? error->message : "");
  return table;
}

static void test_numbers_come_back_bit_by_bit(void)
{
  g_autoptr(HyTable) t = read_text("time,a\n0,0.1\n1e-3,-4.9406564584124654e-324\n"
                                   "0.30000000000000004,inf\n7,1.7976931348623157e308\n");
  TEST_ASSERT_EQUAL_size_t(4, t->n_rows);
  TEST_ASSERT_EQUAL_UINT(2, t->n);
  TEST_ASSERT_TRUE(t->column[1].v[0] == 0.1 && t->column[0].v[2] == 0.1 + 0.2);
  TEST_ASSERT_TRUE(t->column[1].v[1] == -4.9406564584124654e-324);
  TEST_ASSERT_TRUE(isinf(t->column[1].v[2]) && t->column[1].v[3] == 1.7976931348623157e308);
}

static void test_empty_fields_and_texts_are_no_numbers(void)
{
  g_autoptr(HyTable) t =
      read_text("time,a,\"b,\"\"c\"\"\"\n0,,x\n1,\"('j', \"\"2\"\")\",\"3\"\n2,5 V,\n");
  TEST_ASSERT_EQUAL_STRING("b,\"c\"", t->column[2].name);
  TEST_ASSERT_TRUE(isnan(t->column[1].v[0]) && isnan(t->column[1].v[1]));
  TEST_ASSERT_TRUE(isnan(t->column[1].v[2]) && t->column[2].v[1] == 3);
  TEST_ASSERT_EQUAL_size_t(0, t->column[0].n_text);
  TEST_ASSERT_EQUAL_size_t(2, t->column[1].n_text);
  TEST_ASSERT_EQUAL_size_t(1, t->column[2].n_text);
  TEST_ASSERT_EQUAL_STRING("b,\"c\"", t->column[2].name);
}

static void test_other_programs_line_ends_marks_and_last_lines(void)
{
  g_autoptr(HyTable) t = read_text("\357\273\277time,a\r\n0,1\r\n\r\n\n1,\"2\"\r\n2,3");
  TEST_ASSERT_EQUAL_STRING("time", t->column[0].name);
  TEST_ASSERT_EQUAL_size_t(3, t->n_rows);
  TEST_ASSERT_EQUAL_DOUBLE(2, t->column[1].v[1]);
  TEST_ASSERT_EQUAL_DOUBLE(3, t->column[1].v[2]);
}

static void test_a_head_alone_is_a_table_without_rows(void)
{
  g_autoptr(HyTable) t = read_text("time,a\n");
  TEST_ASSERT_EQUAL_size_t(0, t->n_rows);
}

static void test_mistakes_are_told_with_their_line(void)
{
  static const struct {
    const char *text, *message; /* after the path */
    gssize size;
  } cases[] = {
      {"", ": is empty; a head line was expected", -1},
      {"\n\n", ": is empty; a head line was expected", -1},
      {"time,a\n0,1\n1\n", ":3: 1 field, but the head has 2", -1},
      {"time,a\n0,1,2\n", ":2: 3 fields, but the head has 2", -1},
      {"time,a\n\"0\n\n\",1\n1,\"2\n", ":5: the quote that opens here is not closed", -1},
      {"time,a\n0,\"1\"2\n", ":2: \"2\" after a closing quote", -1},
      {"time,a\n0,1\"2\"\n", ":2: a quote inside a field that does not begin with one", -1},
      {"time,a\n0,\0\n", ":2: a zero byte: this is not a text file", 11},
      {"time,a\n0,\"\0\"\n", ":2: a zero byte: this is not a text file", 13},
      {"time,a\n0,1\r2,3\n", ":2: a carriage return that ends no line", -1},
  };
  for (guint k = 0; k < G_N_ELEMENTS(cases); k++) {
    g_autoptr(GError) error = NULL;
    TEST_ASSERT_NULL_MESSAGE(read_bytes(cases[k].text, cases[k].size, &error), cases[k].message);
    TEST_ASSERT_TRUE(g_error_matches(error, HY_ERROR, HY_ERROR_RUN));
    TEST_ASSERT_TRUE(g_str_has_prefix(error->message, path));
    TEST_ASSERT_EQUAL_STRING(cases[k].message, error->message + strlen(path));
  }
}

static void test_files_that_cannot_be_read(void)
{
  g_autoptr(GError) missing = NULL, folder = NULL;
  TEST_ASSERT_NULL(hy_table_read("/nowhere/t.csv", &missing));
  TEST_ASSERT_EQUAL_STRING("/nowhere/t.csv: cannot read: No such file or directory",
                           missing->message);
  TEST_ASSERT_NULL(hy_table_read("/", &folder));
  TEST_ASSERT_EQUAL_STRING("/: cannot read: Is a directory", folder->message);
}

/* Longer than the pieces in which a file is read, with fields that lie across their ends. */
static void test_long_files(void)
{
  g_autoptr(GString) text = g_string_new("time,a,\"b\"\n");
  guint n = 50000;
  for (guint k = 0; k < n; k++) {
    g_string_append_printf(text, k % 3 == 0 ? "%u,\"%u.5\",x%u\n" : "%u,%u.5,\"y\"\"\n%u\"\n", k, k,
                           k);
  }
  g_autoptr(HyTable) t = read_text(text->str);
  TEST_ASSERT_EQUAL_size_t(n, t->n_rows);
  TEST_ASSERT_EQUAL_size_t(n, t->column[2].n_text);
  for (guint k = 0; k < n; k++) {
    TEST_ASSERT_TRUE(t->column[0].v[k] == k && t->column[1].v[k] == k + 0.5);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_numbers_come_back_bit_by_bit);
  RUN_TEST(test_empty_fields_and_texts_are_no_numbers);
  RUN_TEST(test_other_programs_line_ends_marks_and_last_lines);
  RUN_TEST(test_a_head_alone_is_a_table_without_rows);
  RUN_TEST(test_mistakes_are_told_with_their_line);
  RUN_TEST(test_files_that_cannot_be_read);
  RUN_TEST(test_long_files);
  return UNITY_END();
}
