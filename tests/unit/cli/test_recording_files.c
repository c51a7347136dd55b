/* What becomes of the file of a recording: nothing is lost that was there, nothing that was
 * recorded, however a run ends. */
#include "folder.h"
#include "hydevs/hydevs.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

static void model(const char *body)
{
  g_autofree char *xml =
      g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">%s</hydevs>\n", body);
  put("m.xml", xml);
}

static void holds(const char *name, const char *text)
{
  g_autofree char *file = in_dir(name), *now = contents(file);
  TEST_ASSERT_EQUAL_STRING(text, now);
}

static void refused(const char *out, int status, const char *message)
{
  g_autofree char *err = NULL, *printed = NULL;
  const char *words[WORDS] = {"run", "m.xml", "-o", out};
  TEST_ASSERT_EQUAL_INT_MESSAGE(status, hydevs(dir, words, &printed, &err), err);
  TEST_ASSERT_EQUAL_STRING(message, err);
}

static const char wind[] = "t,v\n0,1\n1,2\n";
static const char windy[] = "<file_source name=\"w\" path=\"wind.csv\"/>"
                            "<experiment stop=\"2\" record=\"w\"/>";

static void test_nothing_that_is_read_is_written_over(void)
{
  model(windy);
  put("wind.csv", wind);
  g_autofree char *file = in_dir("m.xml"), *before = contents(file);
  refused("m.xml", 2, "hydevs: m.xml: this file is read; write into another one\n");
  refused("./wind.csv", 2, "hydevs: ./wind.csv: this file is read; write into another one\n");
  holds("m.xml", before);
  holds("wind.csv", wind);
  model("<file_source name=\"w\" path=\"out.csv.json\"/><experiment stop=\"2\" record=\"w\"/>");
  put("out.csv.json", wind);
  refused("out.csv", 2, "hydevs: out.csv.json: this file is read; write into another one\n");
  holds("out.csv.json", wind);
  refused("", 2, "hydevs: the name of the file to record into is empty\n");
}

static void test_a_file_that_another_run_writes_is_left_alone(void)
{
  model(windy);
  put("wind.csv", wind);
  put("out.csv", "others\n");
  g_autofree char *file = in_dir("out.csv");
  int other = open(file, O_RDONLY | O_CLOEXEC);
  TEST_ASSERT_EQUAL_INT(0, flock(other, LOCK_EX));
  refused("out.csv", 2,
          "hydevs: out.csv: another run is recording into this file; record into another one\n");
  holds("out.csv", "others\n");
  close(other);
}

/* Some million events a second of the wall clock, and a row for each 10000. */
static const char endless[] = "<sine name=\"s\" frequency=\"0.01\"/>"
                              "<sawtooth name=\"k\" frequency=\"1000\"/>"
                              "<experiment stop=\"1e9\" record=\"k s\" grid=\"10\"/>";

static gsize size_of(const char *file)
{
  GStatBuf at;
  return g_stat(file, &at) == 0 ? (gsize)at.st_size : 0;
}

/* A run that has begun to record into out.csv. */
static GPid begin_run(void)
{
  const char *argv[] = {HY_PROGRAM, "run", "m.xml", "-o", "out.csv", NULL};
  GPid child;
  TEST_ASSERT_TRUE(g_spawn_async(dir, hy_key(argv), NULL,
                                 G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL,
                                 &child, NULL));
  g_autofree char *json = in_dir("out.csv.json");
  while (size_of(json) == 0) { /* long before the end, however slow the machine is */
    TEST_ASSERT_EQUAL_INT(0, waitpid(child, NULL, WNOHANG));
    g_usleep(20000);
  }
  return child;
}

static void end_run(GPid child, int which, int wanted)
{
  int status = 0;
  kill(child, which);
  TEST_ASSERT_EQUAL_INT(child, waitpid(child, &status, 0));
  TEST_ASSERT_TRUE(WIFEXITED(status));
  TEST_ASSERT_EQUAL_INT(wanted, WEXITSTATUS(status));
}

/* The name belongs to the run that records under it, and what stands beside the file to the file.
 */
static void test_the_name_of_a_recording_is_taken_while_it_runs(void)
{
  model(endless);
  GPid child = begin_run();
  g_autofree char *csv = in_dir("out.csv"), *moved = in_dir("moved.csv");
  g_autofree char *json = in_dir("out.csv.json");
  TEST_ASSERT_EQUAL_INT(0, g_rename(csv, moved));
  refused("out.csv", 2,
          "hydevs: out.csv: another run is recording into this file; record into another one\n");
  refused("./moved.csv", 2,
          "hydevs: ./moved.csv: another run is recording into this file; record into another "
          "one\n");
  put("out.csv.json", "of another recording\n");
  end_run(child, SIGTERM, 128 + SIGTERM);
  holds("out.csv.json", "of another recording\n");
  g_unlink(json);
  child = begin_run();
  TEST_ASSERT_EQUAL_INT(0, g_unlink(csv));
  end_run(child, SIGTERM, 3);
}

static void test_what_stands_beside_a_recording_is_its_own(void)
{
  model("<sawtooth name=\"k\" frequency=\"1\"/><experiment stop=\"2\" record=\"k\"/>");
  put("other.csv.json", "of another recording\n");
  g_autofree char *json = in_dir("out.csv.json"), *csv = in_dir("out.csv");
  const char *words[WORDS] = {"run", "m.xml", "-o", "out.csv"};
  TEST_ASSERT_EQUAL_INT(0, symlink("other.csv.json", json));
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, words, NULL, NULL));
  holds("other.csv.json", "of another recording\n");
  g_unlink(json);
  g_autofree char *other = in_dir("other.csv.json");
  TEST_ASSERT_EQUAL_INT(0, link(other, json));
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, words, NULL, NULL));
  holds("other.csv.json", "of another recording\n");
  g_autofree char *before = contents(csv);
  g_unlink(json);
  TEST_ASSERT_EQUAL_INT(0, symlink("out.csv", json));
  refused("out.csv", 2,
          "hydevs: out.csv.json: this is the recording itself under another name, where its "
          "provenance would be written; remove it\n");
  holds("out.csv", before);
}

/* A new file has its head before there are rows, and a kill may come between: what stood beside the
 * file that was there before is gone by then. What is there already keeps both until it is emptied.
 */
static void test_the_head_of_a_new_recording_stands_alone(void)
{
  model("<ramp name=\"r\" duration=\"1\"/><experiment stop=\"1\" record=\"r\" grid=\"1\"/>");
  g_autofree char *json = in_dir("out.csv.json"), *file = in_dir("m.xml"), *csv = in_dir("out.csv");
  for (guint there = 0; there < 2; there++) {
    g_autoptr(HyReport) report = hy_report_new();
    g_autoptr(HyLoaded) loaded = hy_load_file(file, NULL, report);
    HyRunSettings settings = HY_RUN_SETTINGS;
    g_autoptr(HyRun) run = hy_run_new(loaded, &settings, NULL);
    put("out.csv.json", "of another run\n");
    if (there) {
      put("out.csv", "others\n");
    }
    TEST_ASSERT_TRUE(hy_run_record_csv(run, csv, NULL));
    holds("out.csv", there ? "others\n" : "time,r\n");
    TEST_ASSERT_EQUAL(there, g_file_test(json, G_FILE_TEST_EXISTS));
  }
}

static void test_stdout_takes_one_recording(void)
{
  model("<sawtooth name=\"k\" frequency=\"1\"/><experiment stop=\"2\" record=\"k\"/>");
  g_autofree char *err = NULL, *out = NULL;
  const char *words[WORDS] = {"run", "m.xml", "-o", "-", "-o", "-"};
  TEST_ASSERT_EQUAL_INT(2, hydevs(dir, words, &out, &err));
  TEST_ASSERT_EQUAL_STRING("", out);
  TEST_ASSERT_EQUAL_STRING(
      "hydevs: stdout takes one recording: say -o - once, and name a file for the other\n", err);
}

static void test_a_run_that_cannot_begin_changes_nothing(void)
{
  model(windy);
  put("out.csv", "old\n");
  const char *words[WORDS] = {"run", "m.xml", "-o", "out.csv"};
  g_autofree char *err = NULL, *out = NULL, *fresh = in_dir("new.csv");
  TEST_ASSERT_EQUAL_INT(1, hydevs(dir, words, &out, &err));
  TEST_ASSERT_NOT_NULL(strstr(err, "wind.csv"));
  holds("out.csv", "old\n");
  words[3] = "new.csv";
  TEST_ASSERT_EQUAL_INT(1, hydevs(dir, words, NULL, NULL));
  TEST_ASSERT_FALSE(g_file_test(fresh, G_FILE_TEST_EXISTS));
  put("wind.csv", wind);
  put("out.csv", "much longer than what will be recorded, and nothing of it may stay behind\n");
  words[3] = "out.csv";
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, words, NULL, NULL));
  holds("out.csv", "time,w\n0,1\n1,2\n2,2\n");
}

static void check_ended_by(int which)
{
  model(endless);
  GPid child = begin_run();
  g_autofree char *csv = in_dir("out.csv"), *json = in_dir("out.csv.json");
  end_run(child, which, 128 + which);
  g_autofree char *text = contents(csv), *beside = contents(json);
  TEST_ASSERT_TRUE(g_str_has_prefix(text, "time,k,s\n0,0,0\n") && g_str_has_suffix(text, "\n"));
  g_autofree char *told = g_strdup_printf("\"status\": %d,\n", 128 + which);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(beside, told), beside);
  TEST_ASSERT_NOT_NULL(strstr(beside, "\"end\""));
  g_unlink(json);
  g_unlink(csv);
}

static void test_signals_close_a_recording_properly(void)
{
  check_ended_by(SIGTERM);
  check_ended_by(SIGHUP);
  check_ended_by(SIGINT);
}

/* SCRIPT in the folder, with the program as $0; what it says on stderr. */
static char *shell(const char *script, int wanted)
{
  const char *argv[] = {"/bin/sh", "-c", script, HY_PROGRAM, NULL};
  g_autoptr(GError) error = NULL;
  g_autofree char *out = NULL;
  char *err = NULL;
  int status;
  TEST_ASSERT_TRUE(g_spawn_sync(dir, hy_key(argv), NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, &err,
                                &status, &error));
  TEST_ASSERT_EQUAL_INT_MESSAGE(wanted, WIFEXITED(status) ? WEXITSTATUS(status) : -1, err);
  return err;
}

/* What is exported as equations is run, which may take long: it says how far it is, and can be
 * ended. */
static void test_an_export_says_how_far_it_is(void)
{
  model("<integrator name=\"x\" in=\"s - x\"/><sine name=\"s\" frequency=\"1000\"/>"
        "<experiment stop=\"1e9\"/>");
  g_autofree char *err =
      shell("\"$0\" export --c m.xml -o out.c --progress=json 2>said & run=$!\n"
            "until grep -q eta_s said; do kill -0 $run || exit 1; sleep 0.1; done\n"
            "kill -TERM $run; wait $run",
            128 + SIGTERM);
  g_autofree char *file = in_dir("said"), *said = contents(file), *out = in_dir("out.c");
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(said, "\"cycles\":"), said);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(said, "hydevs: m: interrupted at t = "), said);
  TEST_ASSERT_FALSE(g_file_test(out, G_FILE_TEST_EXISTS));
}

static void test_a_closed_pipe_ends_the_run(void)
{
  model(endless);
  g_autofree char *err = shell("(\"$0\" run m.xml -o - ; echo $? >status) | head -n 1", 0);
  holds("status", "3\n");
  TEST_ASSERT_NOT_NULL(strstr(err, "Broken pipe"));
}

static void test_a_limit_of_file_sizes_ends_the_run(void)
{
  model("<sawtooth name=\"k\" frequency=\"1\"/><experiment stop=\"1e5\" record=\"k\"/>");
  g_autofree char *err = shell("ulimit -f 8; exec \"$0\" run m.xml -o out.csv", 3);
  TEST_ASSERT_EQUAL_STRING("hydevs: out.csv: cannot write: File too large\n", err);
  g_autofree char *csv = in_dir("out.csv"), *text = contents(csv);
  TEST_ASSERT_TRUE(strlen(text) > 4000 && g_str_has_prefix(text, "time,k\n0,0\n1,1\n1,0\n"));
}

/* Whatever the limit cuts, a number or a row that began in an earlier write. */
static void test_what_is_kept_of_a_run_that_cannot_write_are_whole_rows(void)
{
  model("<sine name=\"a\" frequency=\"1\"/><experiment stop=\"1e4\" grid=\"0.03\" record=\"a\"/>");
  for (guint blocks = 4; blocks < 260; blocks += 37) {
    g_autofree char *call =
        g_strdup_printf("ulimit -f %u; exec \"$0\" run m.xml -o out.csv", blocks);
    g_autofree char *err = shell(call, 3);
    g_autofree char *csv = in_dir("out.csv"), *text = contents(csv);
    TEST_ASSERT_TRUE(g_str_has_suffix(text, "\n"));
    g_auto(GStrv) rows = g_strsplit(text, "\n", -1);
    guint n = g_strv_length(rows) - 2; /* the head, and nothing after the last end of a line */
    for (guint k = 1; k <= n; k++) {
      char *second;
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.03 * (k - 1), g_ascii_strtod(rows[k], &second));
      TEST_ASSERT_EQUAL_INT(',', *second);
      TEST_ASSERT_DOUBLE_WITHIN(2e-3, sin(2 * G_PI * 0.03 * (k - 1)),
                                g_ascii_strtod(second + 1, NULL));
    }
    g_autofree char *json = in_dir("out.csv.json"), *beside = contents(json);
    g_autofree char *told = g_strdup_printf("\"rows\": %u,", n);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(beside, told), beside);
    g_unlink(csv);
  }
}

/* A queue that only grows. */
static void test_no_memory_ends_the_run(void)
{
#ifdef __SANITIZE_ADDRESS__
  TEST_IGNORE_MESSAGE("the sanitizer needs more address space than any limit");
#endif
#ifdef __SANITIZE_THREAD__
  TEST_IGNORE_MESSAGE("the sanitizer needs more address space than any limit");
#endif
  model("<random_generator name=\"g\" mean=\"1u\"/><server name=\"q\" time=\"1\" in=\"g\"/>"
        "<sink name=\"k\" in=\"q\"/><sawtooth name=\"s\" frequency=\"1000\"/>"
        "<experiment stop=\"1e6\" record=\"k s\"/>");
  g_autofree char *err = shell("ulimit -v 150000; exec \"$0\" run m.xml -o out.csv", 3);
  TEST_ASSERT_EQUAL_STRING("hydevs: out of memory; what was recorded until then is kept\n", err);
  g_autofree char *csv = in_dir("out.csv"), *text = contents(csv);
  TEST_ASSERT_TRUE(g_str_has_prefix(text, "time,"));
  g_autofree char *json = in_dir("out.csv.json"), *beside = contents(json);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(beside, "\"status\": null,\n"), beside);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_nothing_that_is_read_is_written_over);
  RUN_TEST(test_a_file_that_another_run_writes_is_left_alone);
  RUN_TEST(test_the_name_of_a_recording_is_taken_while_it_runs);
  RUN_TEST(test_what_stands_beside_a_recording_is_its_own);
  RUN_TEST(test_the_head_of_a_new_recording_stands_alone);
  RUN_TEST(test_stdout_takes_one_recording);
  RUN_TEST(test_a_run_that_cannot_begin_changes_nothing);
  RUN_TEST(test_signals_close_a_recording_properly);
  RUN_TEST(test_an_export_says_how_far_it_is);
  RUN_TEST(test_a_closed_pipe_ends_the_run);
  RUN_TEST(test_a_limit_of_file_sizes_ends_the_run);
  RUN_TEST(test_what_is_kept_of_a_run_that_cannot_write_are_whole_rows);
  RUN_TEST(test_no_memory_ends_the_run);
  return UNITY_END();
}
