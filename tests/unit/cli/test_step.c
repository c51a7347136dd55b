/* The prompt of hydevs step: forth and back give the same bytes, breaks stop, states are those of
 * the instant, and what is no command says so. */
#include "command.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* What the prompt says to COMMANDS, with \n between; newly allocated. */
static char *prompt(const char *model, const char *more, const char *commands)
{
  g_autofree char *line = g_strdup_printf("printf '%s' | '%s' step '" HY_SOURCE_DIR
                                          "/examples/%s/model.xml' --prompt %s",
                                          commands, HY_PROGRAM, model, more);
  const char *argv[] = {"sh", "-c", line, NULL};
  char *out = NULL;
  TEST_ASSERT_TRUE(g_spawn_sync(NULL, hy_key(argv), NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out,
                                NULL, NULL, NULL));
  return out;
}

/* The last N lines. */
static const char *last_lines(const char *text, guint n)
{
  const char *at = text + strlen(text);
  for (guint k = 0; at > text; at--) {
    k += at[-1] == '\n';
    if (k > n) {
      break;
    }
  }
  return at;
}

static void expect_end(const char *wanted, const char *text)
{
  guint lines = 0;
  for (const char *s = wanted; *s != '\0'; s++) {
    lines += *s == '\n';
  }
  TEST_ASSERT_EQUAL_STRING(wanted, last_lines(text, lines));
}

/* Whole runs, over and over again, on every kind of model: what follows is what followed. */
static void test_forth_and_back_are_the_same_events(void)
{
  static const char *const models[] = {"queue",         "nested",  "arrivals",
                                       "bouncing-ball", "circuit", "thesis/buck"};
  for (guint k = 0; k < G_N_ELEMENTS(models); k++) {
    g_autofree char *straight = prompt(models[k], "", "40\nprint\n");
    g_autofree char *there = prompt(models[k], "", "12\nback 5\n3\nback 20\n40\nprint\n");
    const char *again = g_strrstr(there, "before event 1,");
    TEST_ASSERT_NOT_NULL_MESSAGE(again, models[k]);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(straight, strchr(again, '\n') + 1, models[k]);
  }
}

/* By hand: the server gets 1 at t = 2 and is done at 5; until 4 it has two jobs. */
static void test_states_are_those_of_the_instant(void)
{
  g_autofree char *out = prompt("queue", "", "until 4\nprint Q\nback\nprint Q\n");
  expect_end("     Q  s=[1,2]  tL=4  tN=5  sigma=1\n"
             "before event 2, which is at t=4\n"
             "     Q  s=[1]  tL=2  tN=5  sigma=3\n",
             out);
  g_autofree char *watched = prompt("queue", "", "watch T\nnext\nwatch\nnext\n");
  TEST_ASSERT_NOT_NULL(strstr(watched, "     T  s=(arr=1,dep=0)  tL=2  tN=inf  sigma=inf\n2  t=4"));
  TEST_ASSERT_NULL(strstr(watched, "s=(arr=2,dep=0)  tL=4"));
}

static void test_a_break_stops_where_a_block_is_reached(void)
{
  g_autofree char *out = prompt("nested", "", "break C/D/*\nrun\n");
  TEST_ASSERT_TRUE_MESSAGE(g_str_has_prefix(out, "2  t=2  C/P\n"), out);
  TEST_ASSERT_NOT_NULL(strstr(out, "     to    C/D/Q in = 7"));
  g_autofree char *none =
      prompt("nested", "", "break P\nbreak off\nbreak\nbr if t < 0\nbreak\nrun\n");
  expect_end("0 breaks\n     anywhere if t < 0\n1 breaks\nno further event up to t=100\n", none);
}

static void test_the_prompt_begins_where_it_is_told(void)
{
  g_autofree char *out = prompt("queue", "--from 5", "next\nback\nback\n");
  TEST_ASSERT_TRUE_MESSAGE(g_str_has_prefix(out, "1  t=5  Q\n"), out);
  expect_end("before event 1, which is at t=5\nthis is the start\n", out);
}

#ifdef HY_SUNDIALS
static void test_where_there_is_no_way_back_it_says_why(void)
{
  g_autofree char *out = prompt("thesis/buck", "-m cvode_bdf", "2\nback\nnext\n");
  TEST_ASSERT_NOT_NULL_MESSAGE(
      strstr(out, "\nthere is no way back: buck: the group of iL is integrated by cvode_bdf, which "
                  "cannot be copied\n3  t="),
      out);
}
#endif

static void test_what_is_no_command_says_so(void)
{
  g_autofree char *out =
      prompt("queue", "", "prnt\nzz\nnext many\nuntil\nuntil soon\nprint Z\nnext 0\nquit\nnext\n");
  TEST_ASSERT_EQUAL_STRING("there is no command \"prnt\"; did you mean print?\n"
                           "there is no command \"zz\"; help shows what there is\n"
                           "many is no number of events\n"
                           "until which time, or until what holds?\n"
                           "no block is called soon\n"
                           "no block is called Z\n"
                           "0 is no number of events\n",
                           out);
  g_autofree char *help = prompt("queue", "", "help");
  TEST_ASSERT_NOT_NULL(strstr(help, "back [N]"));
}

/* By hand: G speaks at 2, 4, 6, Q is done at 5 and has 2 then, for 3. */
static void test_it_goes_on_until_something_holds(void)
{
  g_autofree char *out = prompt("queue", "", "until Q.sigma == 3 and t > 4\nprint Q.tN - t\n");
  expect_end("3  t=5  Q\n"
             "     says  out = 1\n"
             "     to    T dep = 1  dext e=1; s=(arr=2,dep=1)  ta=inf\n"
             "     then  Q  dint; s=[2]  ta=3\n"
             "     Q.tN - t = 3\n",
             out);
  g_autofree char *inside = prompt("nested", "", "until C/D.out == 7\nprint C/D/Q.tL\n");
  expect_end("     C/D/Q.tL = 2.5\n", inside);
  /* The ball has fallen for sqrt(2/9.81) s when x comes to 0; its state is what x says. */
  g_autofree char *ball = prompt("bouncing-ball", "", "until x.x <= 0\nprint v + 9.81*t\n");
  const char *sum = g_strrstr(ball, "v + 9.81*t = ");
  TEST_ASSERT_NOT_NULL_MESSAGE(sum, ball);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0, g_ascii_strtod(strchr(sum, '=') + 1, NULL));
}

static void test_a_break_may_have_a_condition(void)
{
  g_autofree char *out =
      prompt("queue", "", "break Q if Q.sigma == 3 and G == 2\nbreak\nrun\nback\nprint G\n");
  TEST_ASSERT_TRUE_MESSAGE(g_str_has_prefix(out, "     Q if Q.sigma == 3 and G == 2\n1 breaks\n"
                                                 "3  t=5  Q\n"),
                           out);
  g_autofree char *anywhere = prompt("queue", "", "break if G >= 3\nrun\nback 2\nprint G + 0\n");
  TEST_ASSERT_TRUE_MESSAGE(g_str_has_prefix(anywhere, "4  t=6  G\n"), anywhere);
  expect_end("     G + 0 = 2\n", anywhere); /* what was said later is forgotten */
}

static void test_what_is_no_condition_says_so(void)
{
  static const char *const wrong[][2] = {
      {"until x +", "in \"x +\": a number, a name or \"(\" is expected after \"+\"\n"},
      {"until nobody > 1", "no block is called nobody\n"},
      {"until", "until which time, or until what holds?\n"},
      {"break nobody", "no block is called nobody; * stands for anything\n"},
      {"break Q if Q.beta > 1", "Q has no output beta\n"},
      {"print 1/0", "in \"1/0\": division by zero\n"},
      {"print G", "     G  s=(k=0)  tL=0  tN=2  sigma=2\n"},
  };
  for (guint k = 0; k < G_N_ELEMENTS(wrong); k++) {
    g_autofree char *commands = g_strconcat(wrong[k][0], "\n", NULL);
    g_autofree char *out = prompt("queue", "", commands);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(wrong[k][1], out, wrong[k][0]);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_forth_and_back_are_the_same_events);
  RUN_TEST(test_states_are_those_of_the_instant);
  RUN_TEST(test_a_break_stops_where_a_block_is_reached);
  RUN_TEST(test_the_prompt_begins_where_it_is_told);
#ifdef HY_SUNDIALS
  RUN_TEST(test_where_there_is_no_way_back_it_says_why);
#endif
  RUN_TEST(test_what_is_no_command_says_so);
  RUN_TEST(test_it_goes_on_until_something_holds);
  RUN_TEST(test_a_break_may_have_a_condition);
  RUN_TEST(test_what_is_no_condition_says_so);
  return UNITY_END();
}
