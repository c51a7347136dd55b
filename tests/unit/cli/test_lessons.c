/* What the docs show is what the program says: each command of docs/lessons, docs/seeing.md and
 * docs/modelica.md that stands in a console block is run, and its output compared; models that
 * lessons show are those in the files; the solutions of exercises are right, and the models of the
 * lessons are not. */
#include "command.h"

void setUp(void)
{
  g_autofree char *here = g_path_get_dirname(HY_PROGRAM);
  g_autofree char *path = g_strconcat(here, ":", g_getenv("PATH"), NULL);
  g_setenv("PATH", path, TRUE);
}

void tearDown(void)
{
}

/* What COMMAND says on stdout in FOLDER; newly allocated. */
static char *shell(const char *folder, const char *command)
{
  char *out = NULL;
  const char *argv[] = {"sh", "-c", command, NULL};
  g_autoptr(GError) error = NULL;
  gboolean ok =
      g_spawn_sync(folder, hy_key(argv), NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL,
                   NULL, NULL, &out, NULL, NULL, &error);
  TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : command);
  return out;
}

/* One command of a console block, and what the page has after it. */
static void check_command(const char *page, const char *folder, const char *command,
                          const char *wanted)
{
  g_autofree char *got = shell(folder, command);
  g_autofree char *about = g_strdup_printf("%s: %s", page, command);
  TEST_ASSERT_EQUAL_STRING_MESSAGE(wanted, got, about);
}

/* All of PAGE; returns how many commands there were. */
static guint check_page(const char *page, const char *folder)
{
  g_autofree char *text = contents(page);
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
  g_autoptr(GString) wanted = g_string_new(NULL);
  const char *command = NULL;
  gboolean inside = FALSE;
  guint n = 0;
  for (char **line = lines; *line != NULL; line++) {
    gboolean fence = g_str_has_prefix(*line, "```"), starts = g_str_has_prefix(*line, "$ ");
    if (command != NULL && (fence || starts)) {
      check_command(page, folder, command, wanted->str);
      command = NULL;
      n++;
    }
    inside = fence ? strcmp(*line, "```console") == 0 : inside;
    if (inside && starts) {
      command = *line + 2;
      g_string_truncate(wanted, 0);
    } else if (inside && !fence) {
      g_string_append_printf(wanted, "%s\n", *line);
    }
  }
  return n;
}

static void test_pages_are_of_today(void)
{
  static const char *const page[] = {"seeing", "modelica"};
  for (guint k = 0; k < G_N_ELEMENTS(page); k++) {
    g_autofree char *path = g_strdup_printf(HY_SOURCE_DIR "/docs/%s.md", page[k]);
    TEST_ASSERT_TRUE_MESSAGE(check_page(path, HY_SOURCE_DIR) > 0, path);
  }
}

static void test_every_lesson_is_of_today(void)
{
  for (guint k = 1; k <= 11; k++) {
    g_autofree char *page = g_strdup_printf(HY_SOURCE_DIR "/docs/lessons/%02u.md", k);
    g_autofree char *file = g_strdup_printf(HY_SOURCE_DIR "/docs/lessons/%02u.xml", k);
    g_autofree char *text = contents(page), *model = contents(file);
    TEST_ASSERT_TRUE_MESSAGE(check_page(page, HY_SOURCE_DIR "/docs/lessons") >= 2, page);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, model), page);
  }
}

/* The model of a lesson is not the answer, and is told as such. */
static void test_an_exercise_has_to_be_solved(void)
{
  for (guint k = 1; k <= 11; k++) {
    g_autofree char *command = g_strdup_printf("./check %02u %02u.xml; echo $?", k, k);
    g_autofree char *says = shell(HY_SOURCE_DIR "/docs/lessons", command);
    TEST_ASSERT_TRUE_MESSAGE(g_str_has_suffix(says, "\n1\n"), says);
    TEST_ASSERT_NULL_MESSAGE(strstr(says, "right\n"), says);
  }
  g_autofree char *none = shell(HY_SOURCE_DIR "/docs/lessons", "./check 12 01.xml; echo $?");
  TEST_ASSERT_EQUAL_STRING("there is no lesson 12; it is a number from 01 to 11\n2\n", none);
}

/* Numbers alone are not what they ask for: lines are moved by their values (04), the server waits
 * (05), somebody else keeps the ball (06), the power has another name or the energy is still there
 * (07), the quantum or the method is another one (08), more than a word is changed (09). */
static void test_right_numbers_are_not_enough(void)
{
  static const char *const edits[][2] = {
      {"01", "s/\"G\"/\"H\"/g"},
      {"03", "/<type/,/<.type>/d; s/block name=/server name=/; s/type=\"desk\" *//"},
      {"04", "s/values=\"1\"/values=\"3\"/; s/values=\"2\" priority=\"1\"/values=\"1\"/; "
             "s/values=\"3\"/values=\"2\" priority=\"1\"/"},
      {"05", "s/time=\"2\"/time=\"1.999\"/; s/ priority=\"1\"//"},
      {"05", "s/drop_server/server/; s/ priority=\"1\"//"},
      {"06", "s/delay=\"0.5\" in=\"A\"/delay=\"0\" in=\"D\"/; "
             "s/<experiment/<server name=\"D\" time=\"0.5\" in=\"A\"\\/>&/"},
      {"07", "s/\"power\"/\"drag\"/"},
      {"07", "s/<function/<function name=\"energy\" formula=\"x\"\\/>&/"},
      {"08", "s/1e-3/1e-4/"},
      {"08", "s/qss2/liqss2/"},
      {"09", "s/dqrel=\"1e-3\"/dqrel=\"9e-4\"/"},
  };
  for (guint k = 0; k < G_N_ELEMENTS(edits); k++) {
    g_autofree char *command = g_strdup_printf(
        "m=$(mktemp) && sed '%s' %s-solution.xml >$m && ./check %s $m | cut -c1-36; "
        "rm $m",
        edits[k][1], edits[k][0], edits[k][0]);
    g_autofree char *said = shell(HY_SOURCE_DIR "/docs/lessons", command);
    TEST_ASSERT_EQUAL_STRING("not yet: the numbers are right, but \n", said);
  }
}

/* What a student may do otherwise than the solution: any method that suits. */
static void test_a_solution_may_be_another_one(void)
{
  static const char *const method[] = {"liqss3", "mliqss2", "block_liqss2",
                                       "auto",   "qss2",    "liqss1"};
  for (guint k = 0; k < G_N_ELEMENTS(method); k++) {
    g_autofree char *command = g_strdup_printf(
        "m=$(mktemp) && sed s/qss2/%s/ 09.xml >$m && ./check 09 $m | cut -c1-7; rm $m", method[k]);
    g_autofree char *said = shell(HY_SOURCE_DIR "/docs/lessons", command);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(k < 4 ? "right\n" : "not yet\n", said, method[k]);
  }
}

/* Two copies by count; the lines in another order, numbers and quotes written otherwise. */
static void test_other_ways_are_as_good(void)
{
  static const char *const edits[][2] = {
      {"03",
       "/name=\"first\"/d; s/name=\"second\".*/name=\"d\" type=\"desk\" count=\"2\" before=\"G\" "
       "in=\"d[i-1]\" time=\"1+i\\/2\"\\/>/; s/record=.*/record=\"d[2]\"\\/>/"},
      {"04",
       "s/name=\"B\" first=\"1\"/\\n first=\"1.0\"   name=\"B\"/; s/<relay/<!-- <relay\\/> -->&/"},
      {"05", "/<generator/d; s/ priority=\"1\"//; s/<experiment/<generator name=\"G\" first=\"1\" "
             "values=\"1, 2, 3\" period=\"2.0\"\\/>&/"},
      {"08", "s/dqrel=\"0\"/dqrel=\"1e-4\"/"},
  };
  for (guint k = 0; k < G_N_ELEMENTS(edits); k++) {
    g_autofree char *command =
        g_strdup_printf("m=$(mktemp) && sed '%s' %s-solution.xml >$m && ./check %s $m; rm $m",
                        edits[k][1], edits[k][0], edits[k][0]);
    g_autofree char *said = shell(HY_SOURCE_DIR "/docs/lessons", command);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("right\n", said, command);
  }
}

static void test_a_folder_of_solutions_is_a_table(void)
{
  g_autofree char *said = shell(
      HY_SOURCE_DIR "/docs/lessons",
      "d=$(mktemp -d); mkdir $d/ann $d/bob; cp 01-solution.xml $d/ann/lesson-1.xml; "
      "cp 02-solution.xml $d/ann/02.xml; cp 06.xml $d/bob/6.xml; cp 04.xml $d/bob/04_bob.xml; "
      "cp 04.xml $d/x.xml; echo '<hydevs' >$d/bob/8.xml; ./check $d | sed \"s|$d/||\"; "
      "echo $?; ./check 44 $d; ./check 4 $d/bob | tail -n 1; rm -r $d");
  TEST_ASSERT_EQUAL_STRING(
      "file              lesson  verdict\n"
      "ann/02.xml        02      right\n"
      "ann/lesson-1.xml  01      right\n"
      "bob/04_bob.xml    04      not yet: the numbers are others\n"
      "bob/6.xml         06      not yet: illegitimate at t = 1: more than 1000 further events at "
      "one instant; the last were of A, B\n"
      "bob/8.xml         08      not yet: bob/8.xml:1: add xmlns=\"urn:hydevs:1\" to <hydevs>\n"
      "x.xml             -       no lesson from 1 to 11 in its name\n"
      "6 files, 2 right\n0\n"
      "there is no lesson 44; it is a number from 01 to 11\n"
      "3 files, 0 right\n",
      said);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_pages_are_of_today);
  RUN_TEST(test_every_lesson_is_of_today);
  RUN_TEST(test_an_exercise_has_to_be_solved);
  RUN_TEST(test_right_numbers_are_not_enough);
  RUN_TEST(test_a_solution_may_be_another_one);
  RUN_TEST(test_other_ways_are_as_good);
  RUN_TEST(test_a_folder_of_solutions_is_a_table);
  return UNITY_END();
}
