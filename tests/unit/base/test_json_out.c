/* JSON as it is written: what a parser of somebody else reads is the same in every layout. */
#include "hydevs/json.h"

#include <unity.h>

static GString *out;
static HyJsonOut json;

void setUp(void)
{
  out = g_string_new(NULL);
  json = (HyJsonOut){.out = out};
}

void tearDown(void)
{
  g_string_free(out, TRUE);
}

/* {"a[": "x{", "n": [1, null], "none": [], "in": {"b": true, "c": null}}, with what ends as a
 * bracket in its strings. */
static void put_all(void (*begin)(HyJsonOut *, const char *, char))
{
  begin(&json, NULL, '{');
  hy_json_text(&json, "a[", "x{");
  hy_json_text(&json, "nothing", NULL);
  begin(&json, "n", '[');
  hy_json_count(&json, NULL, G_MAXUINT64);
  hy_json_real(&json, NULL, -INFINITY);
  hy_json_end(&json, ']');
  begin(&json, "none", '[');
  hy_json_end(&json, ']');
  hy_json_begin(&json, "in", '{');
  hy_json_bool(&json, "b", TRUE);
  hy_json_null(&json, "c");
  hy_json_end(&json, '}');
  hy_json_end(&json, '}');
  TEST_ASSERT_EQUAL_UINT(0, json.depth);
  TEST_ASSERT_EQUAL_UINT(0, json.lines);
}

static void test_in_a_line(void)
{
  put_all(hy_json_begin);
  TEST_ASSERT_EQUAL_STRING("{\"a[\": \"x{\", \"n\": [18446744073709551615, null], \"none\": [], "
                           "\"in\": {\"b\": true, \"c\": null}}",
                           out->str);
}

static void test_tight(void)
{
  json.tight = TRUE;
  put_all(hy_json_begin);
  TEST_ASSERT_EQUAL_STRING("{\"a[\":\"x{\",\"n\":[18446744073709551615,null],\"none\":[],"
                           "\"in\":{\"b\":true,\"c\":null}}",
                           out->str);
}

static void test_a_line_for_each_item(void)
{
  put_all(hy_json_begin_lines);
  TEST_ASSERT_EQUAL_STRING("{\n"
                           "  \"a[\": \"x{\",\n"
                           "  \"n\": [\n"
                           "    18446744073709551615,\n"
                           "    null\n"
                           "  ],\n"
                           "  \"none\": [],\n"
                           "  \"in\": {\"b\": true, \"c\": null}\n"
                           "}",
                           out->str);
}

/* Lines of JSON stand behind one another without a comma. */
static void test_values_one_after_the_other(void)
{
  for (guint k = 0; k < 2; k++) {
    hy_json_begin(&json, NULL, '[');
    hy_json_count(&json, NULL, k);
    hy_json_end(&json, ']');
    g_string_append_c(out, '\n');
  }
  TEST_ASSERT_EQUAL_STRING("[0]\n[1]\n", out->str);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_in_a_line);
  RUN_TEST(test_tight);
  RUN_TEST(test_a_line_for_each_item);
  RUN_TEST(test_values_one_after_the_other);
  return UNITY_END();
}
