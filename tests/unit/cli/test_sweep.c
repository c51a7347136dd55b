/* hydevs sweep as a user calls it. */
#include "sweep_kills.h"

static void says(const char *call, int status, const char *wanted)
{
  g_autofree char *out = NULL, *err = NULL;
  TEST_ASSERT_EQUAL_INT_MESSAGE(status, hydevs_call(dir, call, &out, &err), err);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err, wanted), err);
}

static void test_a_sweep_that_is_killed_goes_on(void)
{
  killed_and_gone_on(
      "sweep line.xml --vary rate=-0.5:1:100 -n 20 --measure final(gone) -j 2 -o x.csv", 12);
}

static void test_a_sweep_ends_in_a_line_of_numbers(void)
{
  put("line.xml", queue);
  says("sweep line.xml --vary rate=-1:2:4 --measure final(gone) -o r.csv", 0,
       "r.csv: 4 runs, 2 ok, 2 failed (2 model); ");
  says(
      "sweep line.xml --vary rate=-1:2:4 -o r.csv", 0,
      "\n  first failure: run 0, rate = -1: --set rate=-1: rate: rate = -1 is below its minimum 0");
}

static void test_failures_beyond_what_is_allowed_are_a_status(void)
{
  put("line.xml", queue);
  says("sweep line.xml --vary rate=-1:2:4 -o r.csv --max-failed 1", 3, "2 failed");
  says("sweep line.xml --vary rate=-1:2:4 -o r.csv --max-failed 2", 0, "2 failed");
}

static void test_what_cannot_be_written_is_said_before_the_first_run(void)
{
  put("line.xml", queue);
  says("sweep line.xml -n 2 -o .", 3, "hydevs: .: cannot be written: Is a directory\n");
  says("sweep line.xml -n 2 -o nowhere/x.csv", 3,
       "hydevs: nowhere/x.csv: cannot be written: No such file or directory\n");
  says("sweep line.xml -n 2 -o line.xml", 2, "line.xml: this file is read");
  says("sweep line.xml -n 2 -o /dev/full", 3,
       "hydevs: /dev/full: cannot be written: No space left on device\n");
}

/* A journal that cannot grow: what is there stays, and no table is made. */
static void test_a_full_disk_loses_no_row(void)
{
  put("line.xml", queue);
  const char *argv[] = {"/bin/sh", "-c",
                        "ulimit -f 8; exec \"$0\" sweep line.xml -n 2000 -j 1 -o x.csv", HY_PROGRAM,
                        NULL};
  g_autofree char *err = NULL, *again = NULL, *out = NULL, *journal = in_dir("x.csv.journal");
  int wait;
  TEST_ASSERT_TRUE(
      g_spawn_sync(dir, hy_key(argv), NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, &err, &wait, NULL));
  TEST_ASSERT_EQUAL_INT(3, WEXITSTATUS(wait));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err, "x.csv.journal: cannot be written: File too large"),
                               err);
  TEST_ASSERT_TRUE(g_file_test(journal, G_FILE_TEST_EXISTS));
  TEST_ASSERT_EQUAL_INT(0, hydevs_call(dir, "sweep line.xml -n 2000 -j 1 -o x.csv", &out, &again));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(again, " of 2000 rows are there"), again);
}

static void test_words_that_make_no_sense_are_usage(void)
{
  put("line.xml", queue);
  says("sweep", 2, "which model?");
  says("sweep line.xml --shard 3/3", 2, "--shard=3/3: write K/N, K from 0 to N-1");
  says("sweep line.xml --shard 1", 2, "--shard=1: write K/N");
  says("sweep line.xml --limit-time 0", 2, "--limit-time=0 must be a time above 0");
  says("sweep line.xml -n 3 --print 3", 2, "--print=3: the plan has 3 runs, from 0");
  says("sweep --merge -o x.csv", 2, "which parts");
  says("sweep --merge line.xml", 2, "say into which file");
  says("sweep --merge line.xml -o x.csv", 2,
       "line.xml: its .json is not beside it, which says what it is a part of");
  says("sweep line.xml --grid 1", 2, "they go with --keep");
  says("sweep line.xml --keep 1", 1, "--keep: nothing is recorded; name a port with --record PATH");
  says("sweep line.xml --keep top>1 --record gone", 1, "--keep: top>1: \"top\" is no column");
}

/* A run that ends its process. */
static const char minefield[] =
    "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\"><param name=\"a\" value=\"0\"/>"
    "<mine name=\"M\" armed=\"a\"/><counter name=\"n\" in=\"M\"/><experiment stop=\"1\"/></hydevs>";

static int field(const char *more, char **err)
{
  const char *words[WORDS] = {"sweep",       "m.xml",     "--blocks",   HY_MINE, "--vary",
                              "a=0,1,0,1,0", "--measure", "n=final(n)", "-o",    "x.csv",
                              "-j",          "1",         more};
  g_autofree char *out = NULL;
  return hydevs(dir, words, &out, err);
}

static void test_a_run_that_ends_the_process_is_tried_alone_and_is_a_row(void)
{
  g_autofree char *table = in_dir("x.csv");
  put("m.xml", minefield);
  for (guint k = 0; k < 2; k++) { /* it goes off twice */
    g_autofree char *err = NULL;
    TEST_ASSERT_NOT_EQUAL_INT(0, field(NULL, &err));
    TEST_ASSERT_FALSE(g_file_test(table, G_FILE_TEST_EXISTS));
  }
  g_autofree char *err = NULL;
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, field(NULL, &err), err);
  g_autofree char *text = contents(table);
  TEST_ASSERT_EQUAL_STRING("run,a,status,n,events,why\n"
                           "0,0,0,0,1,\n"
                           "1,1,crash,,,the run has ended its process: Aborted\n"
                           "2,0,0,0,1,\n"
                           "3,1,crash,,,the run has ended its process: Aborted\n"
                           "4,0,0,0,1,\n",
                           text);
  g_autofree char *said = NULL;
  g_unlink(table);
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, field("--isolate", &said), said); /* at once */
  g_autofree char *again = contents(table);
  TEST_ASSERT_EQUAL_STRING(text, again);
}

/* What is kept is what the run itself records. */
static void test_runs_that_are_kept_are_recorded(void)
{
  g_autofree char *out = NULL, *err = NULL, *line = NULL, *printed = NULL, *ran = NULL,
                  *told = NULL;
  g_autofree char *kept = in_dir("x.csv.runs/2.csv"), *not = in_dir("x.csv.runs/1.csv");
  g_autofree char *alone = in_dir("alone.csv"), *folder = in_dir("x.csv.runs");
  const char *call = "sweep line.xml --vary rate=-1:1:3 --record gone --keep rate>0 -o x.csv";
  put("line.xml", queue);
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs_call(dir, call, &out, &err), err);
  TEST_ASSERT_FALSE(g_file_test(not, G_FILE_TEST_EXISTS));
  g_autofree char *print = g_strconcat(call, " --print 2", NULL);
  TEST_ASSERT_EQUAL_INT(0, hydevs_call(dir, print, &line, &printed));
  g_autofree char *run = g_strconcat(g_strchomp(line) + strlen("hydevs "), " -o alone.csv", NULL);
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs_call(dir, run, &ran, &told), told);
  g_autofree char *a = contents(kept), *b = contents(alone);
  TEST_ASSERT_EQUAL_STRING(b, a);
  remove_folder(folder);
}

/* The command that is printed for a run says the same. */
static void test_a_run_that_is_printed_gives_its_row(void)
{
  g_autofree char *out = NULL, *err = NULL, *line = NULL, *row = NULL, *ran = NULL;
  put("line.xml", queue);
  TEST_ASSERT_EQUAL_INT(
      0, hydevs_call(dir, "sweep line.xml --vary rate=1:2:3 -o - --progress none", &out, &err));
  g_auto(GStrv) rows = g_strsplit(out, "\n", -1);
  g_auto(GStrv) field = g_strsplit(rows[3], ",", -1);
  TEST_ASSERT_EQUAL_INT(
      0, hydevs_call(dir, "sweep line.xml --vary rate=1:2:3 --print 2", &line, &row));
  TEST_ASSERT_TRUE(g_str_has_prefix(line, "hydevs run line.xml --set=rate=2 --seed="));
  g_strchomp(line);
  TEST_ASSERT_EQUAL_INT(0, hydevs_call(dir, line + strlen("hydevs "), NULL, &ran));
  g_autofree char *events = g_strconcat(" ", field[3], " events", NULL);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(ran, events), ran);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_sweep_that_is_killed_goes_on);
  RUN_TEST(test_a_sweep_ends_in_a_line_of_numbers);
  RUN_TEST(test_failures_beyond_what_is_allowed_are_a_status);
  RUN_TEST(test_what_cannot_be_written_is_said_before_the_first_run);
  RUN_TEST(test_a_full_disk_loses_no_row);
  RUN_TEST(test_words_that_make_no_sense_are_usage);
  RUN_TEST(test_a_run_that_ends_the_process_is_tried_alone_and_is_a_row);
  RUN_TEST(test_runs_that_are_kept_are_recorded);
  RUN_TEST(test_a_run_that_is_printed_gives_its_row);
  return UNITY_END();
}
