/* Event values from text: what is a number, what is a payload, and where an error is. */
#include "hydevs/hydevs.h"

#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

/* As traces print them, a blank between two. */
static char *parse_and_print(const char *text)
{
  guint n;
  g_autoptr(GError) error = NULL;
  HyValue *v = hy_values_parse(text, &n, &error);
  if (v == NULL) {
    TEST_ASSERT_TRUE(g_error_matches(error, HY_ERROR, HY_ERROR_MODEL));
    return g_strdup(error->message);
  }
  GString *out = g_string_new(NULL);
  for (guint k = 0; k < n; k++) {
    if (k > 0) {
      g_string_append_c(out, ' ');
    }
    hy_value_text(out, &v[k]);
  }
  hy_values_free(v, n);
  return g_string_free(out, FALSE);
}

typedef struct {
  const char *text, *expected;
} Case;

static void check_cases(const Case *c, guint n)
{
  for (guint k = 0; k < n; k++) {
    g_autofree char *got = parse_and_print(c[k].text);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(c[k].expected, got, c[k].text);
  }
}

static void test_numbers(void)
{
  static const Case cases[] = {
      {"", ""},
      {" \n", ""},
      {"1, 2.5", "1 2.5"},
      {" 1 ,2 ", "1 2"},
      {"-0x10, 0x1F", "-16 31"},
      {"-0", "-0"},
      {"010, 3000000000, .5, 5.", "10 3000000000 0.5 5"},
      {"uint64 5, byte 0x10, @i -3", "5 16 -3"},
      {"int16 -7, uint16 7, @u 8, int64 9, double 1e3", "-7 7 8 9 1000"},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

static void test_payloads(void)
{
  static const Case cases[] = {
      {"('job', 3), 4", "('job', 3) 4"},
      {"'a,b', \"c\\\"d,\"", "'a,b' 'c\"d,'"},
      {"{'a': <1>}, [1, 2], <(1, 'x')>", "{'a': <1>} [1, 2] <(1, 'x')>"},
      {"true, @ax []", "true []"},
      {"'\\u00e9'", "'\303\251'"},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

static void test_errors_say_where(void)
{
  static const Case cases[] = {
      {"1, ", "column 4: a value is missing"},
      {"1,,2", "column 3: a value is missing"},
      {",", "column 1: a value is missing"},
      {"1 2", "column 3: values have a \",\" between them"},
      {"(1, 2) 3", "column 8: values have a \",\" between them"},
      {"1, foo", "column 4: unknown keyword"},
      {"1, ('a', 2", "column 11: expected ',' or ')' to follow tuple element"},
      {"1, 'a", "column 4: unterminated string constant"},
      {"nan", "column 1: not a finite number"},
      {"1, 1e999", "column 4: not a finite number"},
      {"-", "column 1: not a number"},
      {"('a', -0x)", "column 7: not a number"},
      {"'\\ud800'", "column 2: no such character"},
      {"'\\u0000'", "column 2: no such character"},
      {"byte 300", "column 6: number out of range for type 'y'"},
      {"[]", "column 1: unable to infer type"},
      {"\377", "not UTF-8"},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

static void test_deep_nesting_is_refused_not_followed(void)
{
  g_autofree char *text = g_strnfill(100000, '(');
  g_autofree char *got = parse_and_print(text);
  TEST_ASSERT_EQUAL_STRING("column 33: too many brackets inside one another", got);
  g_autofree char *open = g_strnfill(32, '['), *close = g_strnfill(32, ']');
  g_autofree char *fine = g_strconcat(open, "1", close, NULL);
  g_autofree char *same = parse_and_print(fine);
  TEST_ASSERT_EQUAL_STRING(fine, same);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_numbers);
  RUN_TEST(test_payloads);
  RUN_TEST(test_errors_say_where);
  RUN_TEST(test_deep_nesting_is_refused_not_followed);
  return UNITY_END();
}
