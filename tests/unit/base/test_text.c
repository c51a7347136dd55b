/* Texts from outside, as they may stand in a line on a terminal, in JSON and in DOT. */
#include "hydevs/hydevs.h"

#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static void test_what_a_terminal_obeys_is_shown(void)
{
  static const struct {
    const char *text, *line, *lines;
  } cases[] = {
      {"", "", ""},
      {"10 k\316\251 \"x\" it's \\n", "10 k\316\251 \"x\" it's \\n", "10 k\316\251 \"x\" it's \\n"},
      {"a\nb\tc\rd", "a b c d", "a\nb\tc d"},
      {"\033[31mred\007\177", "\\x1b[31mred\\x07\\x7f", "\\x1b[31mred\\x07\\x7f"},
      {"\302\233x\302\240y\302\205", "\\u009bx\302\240y\\u0085", "\\u009bx\302\240y\\u0085"},
      {"\342\200\256abc\342\200\223", "\\u202eabc\342\200\223", "\\u202eabc\342\200\223"},
      {"\342\201\246\330\234\342\200\250", "\\u2066\\u061c\\u2028", "\\u2066\\u061c\\u2028"},
      {"a\377b\302", "a\357\277\275b\357\277\275", "a\357\277\275b\357\277\275"},
  };
  for (guint k = 0; k < G_N_ELEMENTS(cases); k++) {
    g_autofree char *line = hy_plain_text(cases[k].text, FALSE);
    g_autofree char *lines = hy_plain_text(cases[k].text, TRUE);
    TEST_ASSERT_EQUAL_STRING(cases[k].line, line);
    TEST_ASSERT_EQUAL_STRING(cases[k].lines, lines);
    TEST_ASSERT_TRUE(hy_is_plain_text(line, strlen(line), FALSE));
    TEST_ASSERT_TRUE(hy_is_plain_text(lines, strlen(lines), TRUE));
    gboolean valid = g_utf8_validate(cases[k].text, -1, NULL);
    TEST_ASSERT_TRUE(!valid || hy_is_plain_text(cases[k].text, strlen(cases[k].text), FALSE) ==
                                   (strcmp(cases[k].text, line) == 0));
  }
}

static void test_strings_of_json_and_dot(void)
{
  g_autoptr(GString) json = g_string_new(NULL), dot = g_string_new(NULL);
  hy_json_string(json, "\"a\\\n\302\233\342\200\256\303\244\377");
  TEST_ASSERT_EQUAL_STRING("\"\\\"a\\\\\\u000a\\u009b\\u202e\303\244\357\277\275\"", json->str);
  hy_dot_string(dot, "\"a\\\nb\303\244\033");
  TEST_ASSERT_EQUAL_STRING("\"\\\"a\\\\\\nb\303\244\\\\x1b\"", dot->str);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_what_a_terminal_obeys_is_shown);
  RUN_TEST(test_strings_of_json_and_dot);
  return UNITY_END();
}
