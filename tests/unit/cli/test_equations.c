/* hydevs equations: the system of a diagram as text and as data. */
#define TOLERANCE "1e-3"
#include "small_model.h"

/* What hydevs says of the model, up to its summary (which tells a time). */
static char *shown(const char *option, const char *second)
{
  char *out = NULL;
  g_autofree char *err = NULL;
  const char *words[WORDS] = {"equations", file, option, second};
  int status = hydevs(dir, words, &out, &err);
  TEST_ASSERT_EQUAL_STRING("", err);
  TEST_ASSERT_EQUAL_INT(0, status);
  char *summary = strstr(out, "\nSummary\n");
  summary = summary != NULL ? summary : strstr(out, "\n  \"summary\"");
  TEST_ASSERT_NOT_NULL_MESSAGE(summary, out);
  *summary = '\0';
  return out;
}

#define CIRCUIT                                                                                    \
  "<pulse name=\"p\" start=\"1\" end=\"2\"/>"                                                      \
  "<switch name=\"R\" control=\"p\" on=\"1\" off=\"100\" level=\"0.5\"/>"                          \
  "<integrator name=\"i\" in=\"(12 - R*i - u)/2\"/>"                                               \
  "<integrator name=\"u\" in=\"i - u^2/8\" x0=\"0.5\"/>"

static void test_rows_are_shown_with_names_and_numbers(void)
{
  model(CIRCUIT);
  g_autofree char *out = shown(NULL, NULL);
  TEST_ASSERT_EQUAL_STRING("m: 2 states\n"
                           "\n"
                           "States, and where they start\n"
                           "  i = 0\n"
                           "  u = 0.5\n"
                           "\n"
                           "Modes, and when they are set\n"
                           "  R:1: p > 0.5\n"
                           "\n"
                           "Equations\n"
                           "  i' = (12 - if(R:1, 1, 100) * i - u) / 2\n"
                           "  u' = i - u^2 / 8\n",
                           out);
}

static void test_partials_are_shown_below_their_rows(void)
{
  model(CIRCUIT);
  g_autofree char *out = shown("--partials", NULL);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out, "  i' = (12 - if(R:1, 1, 100) * i - u) / 2\n"
                                           "    d i' / d i = -if(R:1, 1, 100) / 2\n"
                                           "    d i' / d u = -0.5\n"
                                           "  u' = i - u^2 / 8\n"
                                           "    d u' / d i = 1\n"
                                           "    d u' / d u = -2 * u / 8\n"),
                               out);
}

static void test_the_same_as_data(void)
{
  model(CIRCUIT);
  g_autofree char *out = shown("--json", "--partials");
  TEST_ASSERT_EQUAL_STRING(
      "{\n"
      "  \"model\":\"m\",\n"
      "  \"states\":[\n"
      "    {\"path\":\"i\",\"start\":0,\"template\":0,\"derivative\":\"(12 - if(R:1, 1, 100) * i - "
      "u) / 2\",\"slots\":[\"i\",\"u\"],\"partials\":[\"-if(R:1, 1, 100) / 2\",\"-0.5\"]},\n"
      "    {\"path\":\"u\",\"start\":0.5,\"template\":1,\"derivative\":\"i - u^2 / "
      "8\",\"slots\":[\"i\",\"u\"],\"partials\":[\"1\",\"-2 * u / 8\"]}\n"
      "  ],\n"
      "  \"shared\":[],\n"
      "  \"readings\":[],\n"
      "  \"sources\":[],\n"
      "  \"flags\":[\n"
      "    {\"flag\":\"R:1\",\"when\":\"p > 0.5\"}\n"
      "  ],\n"
      "  \"templates\":[\n"
      "    {\"n_rows\":1,\"degree\":\"linear\",\"slots\":2,\"numbers\":4,\"flags\":1},\n"
      "    {\"n_rows\":1,\"degree\":\"nonlinear\",\"slots\":2,\"numbers\":2,\"flags\":0}\n"
      "  ],",
      out);
}

/* Nothing that is needed is left out, nothing else is there. */
static void test_brackets_keep_the_order_of_operations(void)
{
  static const struct {
    const char *formula, *shown;
  } cases[] = {
      {"x - (y - x)", "x - (y - x)"},
      {"x - y - x", "x - y - x"},
      {"x + (y + x)", "x + (y + x)"},
      {"x*y/(x*y)", "x * y / (x * y)"},
      {"x/(y/x)", "x / (y / x)"},
      {"(x + y)*x", "(x + y) * x"},
      {"(-x)^2", "(-x)^2"},
      {"-x^2", "-x^2"},
      {"(x^y)^x", "(x^y)^x"},
      {"x^y^x", "x^y^x"},
      {"x + -3", "x - 3"},
      {"x*(-3)", "x * (-3)"},
      {"2^x", "2^x"},
      {"atan2(x + y, -x)*exp(x*y)", "atan2(x + y, -x) * exp(x * y)"},
  };
  for (guint k = 0; k < G_N_ELEMENTS(cases); k++) {
    g_autofree char *text = g_strdup_printf("<integrator name=\"x\" in=\"%s\" x0=\"1\"/>"
                                            "<integrator name=\"y\" in=\"1\" x0=\"1\"/>",
                                            cases[k].formula);
    g_autofree char *expected = g_strdup_printf("  x' = %s\n", cases[k].shown);
    model(text);
    g_autofree char *out = shown(NULL, NULL);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out, expected), out);
  }
}

static void test_a_large_system_shows_one_row_of_each_form(void)
{
  model("<integrator name=\"u\" count=\"1000\" before=\"0\" after=\"1\" in=\"u[i-1] - 2*u[i] + "
        "u[i+1]\"/>");
  g_autofree char *out = shown(NULL, NULL), *all = shown("--all", NULL);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out, "  u[30] = 0\n  and 970 more; --all shows them\n"), out);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out, "  u[2]' = u[1] - 2 * u[2] + u[3]\n"
                                           "    and 997 more of this form: u[3]' ... u[999]'\n"
                                           "  u[1000]' = u[999] - 2 * u[1000] + 1\n"),
                               out);
  TEST_ASSERT_NOT_NULL(strstr(all, "  u[999]' = u[998] - 2 * u[999] + u[1000]\n"));
}

/* What equations may have in them, and the same in blocks; a state that is its own derivative needs
 * a block between there. */
static const char written[] =
    "<param name=\"n\" value=\"2\"/><sine name=\"s\"/>"
    "<type name=\"rest\"><in name=\"u\"/>"
    "<equations name=\"e\" u=\"u\" if=\"1\"><in name=\"u\"/>"
    "<state name=\"v\" derivative=\"u\"/><out name=\"v\"/></equations>"
    "<out name=\"v\" from=\"e.v\"/></type>"
    "<equations name=\"m\" count=\"n\" u=\"2*s\" k=\"i\">"
    "<in name=\"u\"/><param name=\"k\" value=\"9\"/><let name=\"two\" value=\"2*k\"/>"
    "<state name=\"x\" derivative=\"y - two*x\" x0=\"n\"/>"
    "<state name=\"c\" count=\"2\" index=\"j\" before=\"u\" derivative=\"c[j-1] - x\"/>"
    "<function name=\"y\" formula=\"u*x\"/>"
    "<state name=\"g\" derivative=\"g\" x0=\"1\"/>"
    "<equations name=\"in2\" u=\"c[2]\"><in name=\"u\"/><state name=\"w\" derivative=\"u - w\"/>"
    "<out name=\"w\"/></equations>"
    "<out name=\"x\"/><out name=\"p\" from=\"x*y\"/></equations>"
    "<equations name=\"off\" if=\"n > 5\"><state name=\"x\" derivative=\"1\"/></equations>"
    "<block name=\"r\" type=\"rest\" u=\"m[1].p\"/>";

/* In blocks: other words for the same. */
static char *in_blocks(void)
{
  static const char *const words[][2] = {{"<equations", "<coupled"},
                                         {"</equations", "</coupled"},
                                         {"<state", "<integrator"},
                                         {"derivative=\"g\"", "in=\"1*g\""},
                                         {"derivative", "in"}};
  char *text = g_strdup(written);
  for (guint k = 0; k < G_N_ELEMENTS(words); k++) {
    g_auto(GStrv) parts = g_strsplit(text, words[k][0], -1);
    g_free(text);
    text = g_strjoinv(words[k][1], parts);
  }
  return text;
}

static char *recorded(const char *engine)
{
  char *out = NULL;
  g_autofree char *err = NULL;
  const char *words[WORDS] = {"run", file,
                              "-t",  "2",
                              "-e",  engine,
                              "-r",  "**/w m[*]/c[*] r.v",
                              "-r",  "m[*].p m[*]/g m[*]/x",
                              "-o",  "-"};
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(dir, words, &out, &err), err);
  return out;
}

static void test_equations_mean_what_their_blocks_mean(void)
{
  g_autofree char *text = in_blocks();
  model(text);
  g_autofree char *rows = shown(NULL, NULL), *tree = recorded("tree");
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(rows, "  m[2]/x' = 2 * s * m[2]/x - 4 * m[2]/x\n"), rows);
  model(written);
  g_autofree char *same = shown(NULL, NULL);
  TEST_ASSERT_EQUAL_STRING(rows, same);
  static const char *const engines[] = {"tree", "flat", "fused"};
  for (guint k = 0; k < G_N_ELEMENTS(engines); k++) {
    g_autofree char *out = recorded(engines[k]);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(tree, out, engines[k]);
  }
}

static void test_sources_are_named(void)
{
  model("<ramp name=\"r\"/><integrator name=\"x\" in=\"r - x\"/>");
  g_autofree char *out = shown(NULL, NULL);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out, "\nSources\n  r: ramp\n"), out);
  model("<loop_breaker name=\"z\" in=\"x - z\"/><integrator name=\"x\" in=\"-z\" x0=\"1\"/>");
  g_autofree char *loop = shown(NULL, NULL);
  TEST_ASSERT_NOT_NULL_MESSAGE(
      strstr(loop, "\nSources\n  z.out: loop_breaker, a solution; what it follows is not shown\n"),
      loop);
}

static void test_readings_and_late_modes_are_shown(void)
{
  model("<equations name=\"G\" method=\"block_liqss2\"><state name=\"x\" derivative=\"-x\" "
        "x0=\"1\"/><out name=\"x\"/></equations><function name=\"f\" formula=\"2*G.x - 1\"/>"
        "<comparator name=\"c\" in=\"G.x\" level=\"0.5\"/>");
  g_autofree char *out = shown(NULL, NULL);
  TEST_ASSERT_NOT_NULL_MESSAGE(
      strstr(out, "\nReadings\n  f = 2 * G/x - 1, read by the group of G/x\n"), out);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out, "  c:1: G/x > 0.5, found by the group of G/x\n"), out);
  g_autofree char *json = shown("--json", NULL);
  TEST_ASSERT_NOT_NULL_MESSAGE(
      strstr(json,
             "\"readings\":[\n    {\"path\":\"f\",\"value\":\"2 * G/x - 1\",\"group\":\"G/x\","
             "\"slots\":[\"G/x\"]}\n  ]"),
      json);
}

static void test_what_many_rows_share_is_shown_once(void)
{
  model("<integrator name=\"u\" count=\"40\" in=\"mean - u[i]\"/>"
        "<sum name=\"mean\" in=\"u[*]\"/>");
  g_autofree char *out = shown(NULL, NULL);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out, "  u[1]' = mean - u[1]\n"
                                           "    and 39 more of this form: u[2]' ... u[40]'\n"
                                           "\nShared by rows\n"
                                           "  mean = u[1] + u[2] + u[3] + "),
                               out);
}

/* A text that doubles with every block is cut. */
static void test_a_text_that_would_be_endless_is_cut(void)
{
  GString *text = g_string_new("<integrator name=\"x\" in=\"f[60]\"/>"
                               "<function name=\"f\" count=\"60\" before=\"x\" "
                               "formula=\"f[i-1]*f[i-1]\"/>");
  model(text->str);
  g_string_free(text, TRUE);
  g_autofree char *out = shown(NULL, NULL);
  TEST_ASSERT_NOT_NULL(strstr(out, "... (61 operations)\n"));
  TEST_ASSERT_TRUE(strlen(out) < 30000);
}

static void test_a_model_without_states_has_no_equations(void)
{
  g_autofree char *out = NULL, *err = NULL, *queue = repository("examples/queue/model.xml");
  const char *words[WORDS] = {"equations", queue};
  TEST_ASSERT_EQUAL_INT(1, hydevs(dir, words, &out, &err));
  TEST_ASSERT_EQUAL_STRING("hydevs: R: there are no equations: no block of this model has a "
                           "continuous state, as an integrator has\n",
                           err);
  TEST_ASSERT_EQUAL_STRING("", out);
}

static void test_wrong_words(void)
{
  g_autofree char *out = NULL, *err = NULL;
  TEST_ASSERT_EQUAL_INT(2, hydevs(dir, (const char *[WORDS]){"equations"}, &out, &err));
  TEST_ASSERT_EQUAL_STRING("hydevs equations: which model?; see hydevs equations --help\n", err);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_rows_are_shown_with_names_and_numbers);
  RUN_TEST(test_partials_are_shown_below_their_rows);
  RUN_TEST(test_the_same_as_data);
  RUN_TEST(test_brackets_keep_the_order_of_operations);
  RUN_TEST(test_a_large_system_shows_one_row_of_each_form);
  RUN_TEST(test_equations_mean_what_their_blocks_mean);
  RUN_TEST(test_sources_are_named);
  RUN_TEST(test_readings_and_late_modes_are_shown);
  RUN_TEST(test_what_many_rows_share_is_shown_once);
  RUN_TEST(test_a_text_that_would_be_endless_is_cut);
  RUN_TEST(test_a_model_without_states_has_no_equations);
  RUN_TEST(test_wrong_words);
  return UNITY_END();
}
