/* The page of a sweep: what it has of the table. That it can be used stands in tests/pages/report.
 */
#include "hydevs/pages.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unity.h>

static GString *page;
static GError *error;

void setUp(void)
{
  page = g_string_new(NULL);
}

void tearDown(void)
{
  g_string_free(page, TRUE);
  g_clear_error(&error);
}

static gboolean make(const char *text, HySweepTold told)
{
  g_autofree char *dir = g_dir_make_tmp("hydevs-XXXXXX", NULL);
  g_autofree char *file = g_build_filename(dir, "mc.csv", NULL);
  g_file_set_contents(file, text, -1, NULL);
  told.csv = file;
  gboolean ok = hy_sweep_page(NULL, &told, page, &error);
  remove(file);
  remove(dir);
  return ok;
}

static void has(const char *what)
{
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(page->str, what), what);
}

static guint count(const char *what)
{
  guint n = 0;
  for (const char *at = strstr(page->str, what); at != NULL; at = strstr(at + 1, what)) {
    n++;
  }
  return n;
}

static void test_the_table_is_there_with_what_is_known_of_its_columns(void)
{
  const HySweepColumn known[] = {{"y", "V", "the output", NAN, 5}};
  TEST_ASSERT_TRUE(make("run,R,f,lot,status,y,events,why\n0,1,7,A,0,0.1,9,\n"
                        "1,2,7,B,4,,3,\"it ends, \"\"</script>\"\"\"\n",
                        (HySweepTold){.plan = "R of 1, 2", .columns = known, .n_columns = 1}));
  has("<p class=\"doc\">R of 1, 2</p>");
  has("{\"name\":\"R\",\"kind\":\"parameter\",\"v\":[1,2]}");
  has("{\"name\":\"lot\",\"kind\":\"parameter\",\"v\":[\"A\",\"B\"]}");
  has("{\"name\":\"y\",\"kind\":\"measure\",\"unit\":\"V\",\"label\":\"the output\",\"min\":null,"
      "\"max\":5,\"v\":[0.1,null]}");
  has("\"why\":[\"\",\"it ends, \\\"\\u003c/script>\\\"\"]");
  TEST_ASSERT_NULL_MESSAGE(strstr(page->str, "\"name\":\"f\""), "f is 7 in all runs");
  TEST_ASSERT_EQUAL_UINT(0, count("id=\"plots\"")); /* nothing has been recorded */
}

/* 100,000 runs: a part, with the two that have failed, the least and the largest. */
static void test_of_many_runs_a_part_is_there_and_what_stands_out(void)
{
  g_autoptr(GString) text = g_string_new("run,R,status,y,events,why\n");
  for (guint k = 0; k < 100000; k++) {
    gboolean bad = k == 50001 || k == 77777;
    g_string_append_printf(text, "%u,%u,%d,%s,1,%s\n", k, k % 10, bad ? 4 : 0,
                           bad          ? ""
                           : k == 33333 ? "-7.25"
                           : k == 66667 ? "8.25"
                                        : "1",
                           bad ? "why not" : "");
  }
  TEST_ASSERT_TRUE(make(text->str, (HySweepTold){0}));
  TEST_ASSERT_EQUAL_UINT(2, count("\"why not\""));
  has("-7.25");
  has("8.25");
  has("of the 100000 runs");
  TEST_ASSERT_LESS_THAN_UINT(3000000, page->len);
}

static void test_other_tables_are_refused(void)
{
  TEST_ASSERT_FALSE(make("time,x\n0,1\n", (HySweepTold){0}));
  TEST_ASSERT_NOT_NULL(strstr(error->message, "is no table of a sweep"));
  g_clear_error(&error);
  TEST_ASSERT_FALSE(make("run,R,status,y,events,why\n0,1,0\n", (HySweepTold){0}));
  TEST_ASSERT_NOT_NULL(strstr(error->message, ":2: 3 fields, but the head has 6"));
  g_clear_error(&error);
  TEST_ASSERT_FALSE(make("", (HySweepTold){0}));
  TEST_ASSERT_NOT_NULL(error);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_table_is_there_with_what_is_known_of_its_columns);
  RUN_TEST(test_of_many_runs_a_part_is_there_and_what_stands_out);
  RUN_TEST(test_other_tables_are_refused);
  return UNITY_END();
}
