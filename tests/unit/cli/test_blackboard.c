/* The worked examples, line for line, as the command prints them. */
#include "blackboard.h"

#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

/* Runs the command; the exit status. */
static int run(const char *const *words, char **out, char **err)
{
  g_autoptr(GError) error = NULL;
  int wait;
  gboolean started = g_spawn_sync(NULL, (char **)words, NULL, G_SPAWN_DEFAULT, NULL, NULL, out, err,
                                  &wait, &error);
  TEST_ASSERT_TRUE_MESSAGE(started, error != NULL ? error->message : "");
  g_autoptr(GError) status = NULL;
  return g_spawn_check_wait_status(wait, &status) ? 0 : status->code;
}

static void test_every_trace_is_the_one_on_the_blackboard(void)
{
  for (const Blackboard *b = blackboard; b->name != NULL; b++) {
    g_autofree char *out = NULL, *err = NULL, *wanted = NULL;
    g_autofree char *file = g_strdup_printf("%s/tests/traces/%s.txt", HY_SOURCE_DIR, b->name);
    TEST_ASSERT_TRUE_MESSAGE(g_file_get_contents(file, &wanted, NULL, NULL), file);
    int status = run((const char *const[]){HY_PROGRAM, "trace", b->name, NULL}, &out, &err);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(wanted, out, b->name);
    TEST_ASSERT_EQUAL_INT_MESSAGE(strcmp(b->name, "E6") == 0 ? 4 : 0, status, b->name);
  }
}

static void test_json_lines_say_the_same(void)
{
  static const char wanted[] =
      "{\"n\":1,\"t\":0,\"from\":\"root\",\"to\":\"R\",\"msg\":\"i\"}\n"
      "{\"n\":2,\"t\":0,\"from\":\"R\",\"to\":\"G\",\"msg\":\"i\"}\n"
      "{\"n\":3,\"t\":0,\"from\":\"G\",\"to\":\"R\",\"msg\":\"done\",\"tn\":1}\n"
      "{\"n\":4,\"t\":0,\"from\":\"R\",\"to\":\"C\",\"msg\":\"i\"}\n"
      "{\"n\":5,\"t\":0,\"from\":\"C\",\"to\":\"P\",\"msg\":\"i\"}\n"
      "{\"n\":6,\"t\":0,\"from\":\"P\",\"to\":\"C\",\"msg\":\"done\",\"tn\":null}\n";
  static const char later[] =
      "{\"n\":17,\"t\":1,\"from\":\"G\",\"to\":\"R\",\"msg\":\"y\",\"port\":\"out\",\"value\":7}\n"
      "{\"n\":18,\"t\":1,\"from\":\"R\",\"to\":\"C\",\"msg\":\"x\",\"port\":\"in\",\"value\":7}\n";
  g_autofree char *out = NULL, *err = NULL;
  TEST_ASSERT_EQUAL_INT(
      0, run((const char *const[]){HY_PROGRAM, "trace", "E3", "--json", NULL}, &out, &err));
  TEST_ASSERT_EQUAL_STRING_LEN(wanted, out, sizeof wanted - 1);
  TEST_ASSERT_NOT_NULL(strstr(out, later));
}

static void test_an_endless_loop_is_named_and_has_its_own_status(void)
{
  g_autofree char *out = NULL, *err = NULL;
  TEST_ASSERT_EQUAL_INT(4, run((const char *const[]){HY_PROGRAM, "trace", "E6", NULL}, &out, &err));
  TEST_ASSERT_EQUAL_STRING("hydevs: illegitimate at t = 1: more than 4 further events at one "
                           "instant; the last were of A, B\n",
                           err);
}

static void test_wrong_words_are_answered_with_status_2(void)
{
  static const struct {
    const char *words[10]; /* ended by NULL */
    const char *message;
  } cases[] = {
      {{HY_PROGRAM, "trase"}, "hydevs: there is no verb \"trase\"; see hydevs --help\n"},
      {{HY_PROGRAM, "devstone", "--model", "XX"},
       "hydevs devstone: --model \"XX\": choose one of LI, HI, HO, HOmod"},
      {{HY_PROGRAM, "devstone", "--model", "HI", "-w", "0", "-d", "3"},
       "hydevs devstone: --width and --depth must be 1 or more"},
      {{HY_PROGRAM, "devstone", "--model", "HI", "-w", "2000000", "-d", "9000"},
       "hydevs devstone: this would be 1.8e+10 atomics or couplings; the limit is 5e+07"},
      {{HY_PROGRAM, "ring", "--n", "1", "--until", "3"},
       "hydevs ring: --n must be between 2 and 50000000"},
      {{HY_PROGRAM, "ring", "--n", "10", "--until", "nan"},
       "hydevs ring: --until must be a time, 0 or more"},
      {{HY_PROGRAM, "ring", "--n", "10", "--until", "1", "--engine=fast"},
       "hydevs ring: engine \"fast\": choose tree or flat"},
      {{HY_PROGRAM, "ring", "--speed"},
       "hydevs ring: Unknown option --speed; see hydevs ring --help\n"},
  };
  for (gsize k = 0; k < G_N_ELEMENTS(cases); k++) {
    g_autofree char *out = NULL, *err = NULL;
    TEST_ASSERT_EQUAL_INT(2, run(cases[k].words, &out, &err));
    TEST_ASSERT_EQUAL_STRING_LEN(cases[k].message, err, strlen(cases[k].message));
    TEST_ASSERT_EQUAL_STRING("", out);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_every_trace_is_the_one_on_the_blackboard);
  RUN_TEST(test_json_lines_say_the_same);
  RUN_TEST(test_an_endless_loop_is_named_and_has_its_own_status);
  RUN_TEST(test_wrong_words_are_answered_with_status_2);
  return UNITY_END();
}
