/* The worked examples, message for message as on the blackboard, and every example on its engines.
 * Commands of their READMEs are run by test_docs.c. */
#include "command.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* The trace of MODEL under EXPERIMENT (NULL: its first) is the file WANTED. */
static void check_trace(const char *model, const char *experiment, const char *wanted, int status)
{
  g_autofree char *file = repository(model), *trace = repository(wanted);
  g_autofree char *expected = contents(trace), *out = NULL, *err = NULL;
  const char *words[WORDS] = {"trace", file, experiment != NULL ? "--experiment" : NULL,
                              experiment};
  TEST_ASSERT_EQUAL_INT_MESSAGE(status, hydevs(NULL, words, &out, &err), err);
  TEST_ASSERT_EQUAL_STRING_MESSAGE(expected, out, model);
}

/* Senders, receivers and messages stand below one another, however long a name is. */
static void test_names_stand_in_columns(void)
{
  g_autofree char *file = repository("examples/thesis/cuk-interleaved/model.xml"), *out = NULL,
                  *err = NULL;
  const char *words[WORDS] = {"trace", file, "--to=0"};
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(NULL, words, &out, &err), err);
  g_auto(GStrv) lines = g_strsplit(out, "\n", -1);
  TEST_ASSERT_GREATER_THAN_UINT(999, g_strv_length(lines));
  for (char **line = lines; line < lines + 999; line++) { /* numbers of three digits */
    TEST_ASSERT_EQUAL_PTR_MESSAGE(*line + strlen("  1 t=0    cuk_interleaved "),
                                  strstr(*line, "-> "), *line);
    TEST_ASSERT_EQUAL_PTR_MESSAGE(*line + strlen("  1 t=0    cuk_interleaved -> cuk_interleaved "),
                                  strchr(*line, '('), *line);
  }
}

static void test_the_nine_traces(void)
{
  check_trace("examples/queue/model.xml", NULL, "examples/queue/expected.trace", 0);
  check_trace("examples/ping-pong/model.xml", NULL, "examples/ping-pong/expected.trace", 0);
  check_trace("examples/nested/model.xml", NULL, "examples/nested/expected.trace", 0);
  check_trace("examples/simultaneous/model.xml", NULL, "examples/simultaneous/expected.trace", 0);
  check_trace("examples/simultaneous/model.xml", "E4b", "examples/simultaneous/expected-E4b.trace",
              0);
  check_trace("examples/same-instant/model.xml", NULL, "examples/same-instant/expected.trace", 0);
  check_trace("examples/same-instant/model.xml", "E5b", "examples/same-instant/expected-E5b.trace",
              0);
  check_trace("examples/tie/model.xml", NULL, "examples/tie/expected.trace", 0);
  check_trace("tests/models/endless.xml", NULL, "tests/models/endless.trace", 4);
}

static void test_json_lines_say_the_same(void)
{
  static const char wanted[] =
      "{\"n\":1,\"t\":0,\"from\":\"root\",\"to\":\"R\",\"path\":\"R\",\"msg\":\"i\"}\n"
      "{\"n\":2,\"t\":0,\"from\":\"R\",\"to\":\"G\",\"path\":\"G\",\"msg\":\"i\"}\n"
      "{\"n\":3,\"t\":0,\"from\":\"G\",\"to\":\"R\",\"path\":\"G\",\"msg\":\"done\",\"tn\":1,"
      "\"sigma\":1,\"ran\":\"init\",\"state\":\"(k=0)\"}\n"
      "{\"n\":4,\"t\":0,\"from\":\"R\",\"to\":\"C\",\"path\":\"C\",\"msg\":\"i\"}\n"
      "{\"n\":5,\"t\":0,\"from\":\"C\",\"to\":\"P\",\"path\":\"C/P\",\"msg\":\"i\"}\n"
      "{\"n\":6,\"t\":0,\"from\":\"P\",\"to\":\"C\",\"path\":\"C/"
      "P\",\"msg\":\"done\",\"tn\":null,\"sigma\":null,\"ran\":\"init\",\"state\":\"[]\"}\n";
  static const char later[] = "{\"n\":17,\"t\":1,\"from\":\"G\",\"to\":\"R\",\"path\":\"G\","
                              "\"msg\":\"y\",\"port\":\"out\",\"value\":7,\"ran\":\"lambda\"}\n"
                              "{\"n\":18,\"t\":1,\"from\":\"R\",\"to\":\"C\",\"path\":\"C\","
                              "\"msg\":\"x\",\"port\":\"in\",\"value\":7}\n";
  g_autofree char *file = repository("examples/nested/model.xml"), *out = NULL, *err = NULL;
  TEST_ASSERT_EQUAL_INT(0,
                        hydevs(NULL, (const char *[WORDS]){"trace", file, "--json"}, &out, &err));
  const char *messages = strchr(out, '\n'); /* the first line is the model */
  TEST_ASSERT_NOT_NULL(messages);
  TEST_ASSERT_EQUAL_STRING_LEN(wanted, messages + 1, sizeof wanted - 1);
  TEST_ASSERT_NOT_NULL(strstr(out, later));
}

static void test_a_part_of_a_trace_is_those_lines_of_it(void)
{
  g_autofree char *file = repository("examples/nested/model.xml"), *out = NULL, *err = NULL;
  const char *words[WORDS] = {"trace", file, "--from", "2", "--to", "2", "--block", "C/D*"};
  TEST_ASSERT_EQUAL_INT(0, hydevs(NULL, words, &out, &err));
  TEST_ASSERT_EQUAL_STRING(" 28 t=2    C    -> D    (x,2) in:7\n"
                           " 29 t=2    D    -> Q    (x,2) in:7\n"
                           " 30 t=2    Q    -> D    (done,2.5)         ; dext e=2; s=[7]\n"
                           " 31 t=2    D    -> C    (done,2.5)\n",
                           out);
}

/* Every example: no mistake even with --strict, and the same table from both engines. */
static guint check_engines(const char *where)
{
  g_autofree char *folder = repository(where);
  g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
  const char *name;
  guint n = 0;
  while ((name = g_dir_read_name(dir)) != NULL) {
    g_autofree char *model = g_build_filename(folder, name, "model.xml", NULL);
    g_autofree char *readme = g_build_filename(folder, name, "README.md", NULL);
    if (!g_file_test(model, G_FILE_TEST_EXISTS)) {
      continue;
    }
    TEST_ASSERT_TRUE_MESSAGE(g_file_test(readme, G_FILE_TEST_EXISTS), readme);
    g_autofree char *out = NULL, *err = NULL, *tree = NULL, *flat = NULL, *log1 = NULL,
                    *log2 = NULL;
    TEST_ASSERT_EQUAL_INT_MESSAGE(
        0, hydevs(NULL, (const char *[WORDS]){"check", "--strict", model}, &out, &err), out);
    const char *words[WORDS] = {"run", model, "-o", "-", "--engine", "tree"};
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(NULL, words, &tree, &log1), model);
    words[5] = "flat";
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(NULL, words, &flat, &log2), model);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(tree, flat, model);
    TEST_ASSERT_TRUE_MESSAGE(g_str_has_prefix(tree, "time,"), model);
    n++;
  }
  return n;
}

static void test_every_example_runs_on_both_engines(void)
{
  TEST_ASSERT_GREATER_THAN_UINT(6, check_engines("examples"));
#ifndef __SANITIZE_ADDRESS__ /* their parts run in unit/experiment, shorter */
  TEST_ASSERT_GREATER_THAN_UINT(3, check_engines("examples/power"));
#endif
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_nine_traces);
  RUN_TEST(test_names_stand_in_columns);
  RUN_TEST(test_json_lines_say_the_same);
  RUN_TEST(test_a_part_of_a_trace_is_those_lines_of_it);
  RUN_TEST(test_every_example_runs_on_both_engines);
  return UNITY_END();
}
