/* A run that is stopped, and goes on in another process and on another engine, leaves the bytes of
 * the run that was not: of examples of each kind, by the command. */
#include "folder.h"

#include <signal.h>
#include <sys/wait.h>

/* How far, and where it is stopped. */
typedef struct {
  const char *model, *stop, *at;
} Case;

static const Case cases[] = {
    {"queue/model.xml", "100", "4"},           {"tanks/model.xml", "6", "2.3"},
    {"lotka-volterra/model.xml", "20", "7.1"}, {"thesis/buck/model.xml", "1m", "0.45m"},
    {"machines/lift.xml", "300", "123.4"},
};

static const char *const engines[] = {"tree", "flat", "fused"};

/* hydevs run of MODEL in the test's folder; its status, which must be STATUS. */
static void run_of(const char *model, const char *more, int status)
{
  g_autofree char *file = g_build_filename("examples", model, NULL), *path = repository(file),
                  *call = g_strdup_printf("run %s %s", path, more), *out = NULL, *err = NULL;
  int is = hydevs_call(dir, call, &out, &err);
  TEST_ASSERT_EQUAL_INT_MESSAGE(status, is, err);
}

static void check_same(const char *a, const char *b, const char *what)
{
  g_autofree char *file = in_dir(a), *other = in_dir(b);
  g_autofree char *x = contents(file), *y = contents(other);
  TEST_ASSERT_EQUAL_STRING_MESSAGE(x, y, what);
}

static void test_another_engine_goes_on_to_the_same_bytes(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(cases); k++) {
    const Case *c = &cases[k];
    const char *from = engines[k % 3], *to = engines[(k + 1) % 3];
    g_autofree char *whole = g_strdup_printf("-t %s -e %s -o whole.csv", c->stop, to);
    g_autofree char *first =
        g_strdup_printf("-t %s -e %s -o r.csv --snapshot s.hysnap@%s", c->stop, from, c->at);
    g_autofree char *rest = g_strdup_printf("-t %s -e %s -o r.csv --from s.hysnap", c->stop, to);
    run_of(c->model, whole, 0);
    run_of(c->model, first, 0);
    run_of(c->model, rest, 0);
    check_same("whole.csv", "r.csv", c->model);
  }
}

static void test_what_is_refused_leaves_the_recording(void)
{
  run_of("tanks/model.xml", "-t 6 -o r.csv --snapshot s.hysnap@2", 0);
  run_of("tanks/model.xml", "-t 6 -o whole.csv", 0);
  run_of("queue/model.xml", "-o r.csv --from s.hysnap", 2);
  check_same("whole.csv", "r.csv", "of another model");
  run_of("tanks/model.xml", "-t 6 -o r.csv --from no.hysnap", 2);
  check_same("whole.csv", "r.csv", "there is no such file");
}

static gboolean is_there(const char *name)
{
  g_autofree char *file = in_dir(name);
  return g_file_test(file, G_FILE_TEST_EXISTS);
}

static void test_the_last_of_many_stay(void)
{
  run_of("tanks/model.xml", "-o r.csv --snapshot-every 0.5 --keep 3 -t 3.75", 0);
  run_of("tanks/model.xml", "-o whole.csv -t 6", 0);
  for (guint k = 1; k <= 8; k++) {
    g_autofree char *name = g_strdup_printf("tanks.%u.hysnap", k);
    TEST_ASSERT_EQUAL_INT_MESSAGE(k >= 5 && k <= 7, is_there(name), name);
  }
  run_of("tanks/model.xml", "-o r.csv --from tanks.6.hysnap -t 6", 0);
  check_same("whole.csv", "r.csv", "from the sixth");
}

/* SIGTERM ends a run in the middle, wherever that is; its last snapshot goes on from there. */
static void test_a_run_that_is_told_to_end_leaves_one(void)
{
  static const char model[] =
      "<hydevs xmlns='urn:hydevs:1' name='ticks'>"
      "<generator name='G' period='1' repeat='true' values='1'/><counter name='C' in='G'/>"
      "<experiment stop='1e9' record='C' grid='100'/></hydevs>";
  put("ticks.xml", model);
  const char *argv[] = {HY_PROGRAM, "run", "ticks.xml", "--snapshot",
                        "s.hysnap", "-o",  "r.csv",     NULL};
  GPid pid;
  int wait;
  TEST_ASSERT_TRUE(
      g_spawn_async(dir, hy_key(argv), NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid, NULL));
  g_autofree char *rows = in_dir("r.csv");
  GStatBuf written = {.st_size = 0};
  for (guint k = 0; k < 50000 && written.st_size < 4096; k++) { /* it is in the middle */
    g_usleep(2000);
    written.st_size = g_stat(rows, &written) == 0 ? written.st_size : 0;
  }
  kill(pid, SIGTERM);
  waitpid(pid, &wait, 0);
  g_spawn_close_pid(pid);
  TEST_ASSERT_TRUE(is_there("s.hysnap"));
  g_autofree char *out = NULL;
  TEST_ASSERT_EQUAL_INT(0, hydevs_call(dir, "snapshot s.hysnap", &out, NULL));
  double t = g_ascii_strtod(out + strlen("t "), NULL);
  g_autofree char *rest =
      g_strdup_printf("run ticks.xml -o r.csv --from s.hysnap -t %.0f", t + 20000);
  g_autofree char *whole = g_strdup_printf("run ticks.xml -o whole.csv -t %.0f", t + 20000);
  TEST_ASSERT_EQUAL_INT(0, hydevs_call(dir, rest, NULL, NULL));
  TEST_ASSERT_EQUAL_INT(0, hydevs_call(dir, whole, NULL, NULL));
  check_same("whole.csv", "r.csv", "after SIGTERM");
}

/* What the engines have counted is no state, and stands apart from it. */
static void test_what_engines_count_is_told_apart(void)
{
  run_of("queue/model.xml", "-t 41 -e tree --snapshot a.hysnap", 0);
  run_of("queue/model.xml", "-t 41 -e fused --snapshot b.hysnap", 0);
  run_of("queue/model.xml", "-t 3 -e tree --snapshot c.hysnap", 0);
  g_autofree char *out = NULL, *state = NULL;
  TEST_ASSERT_EQUAL_INT(1, hydevs_call(dir, "snapshot --diff a.hysnap b.hysnap", &out, NULL));
  TEST_ASSERT_TRUE_MESSAGE(
      g_str_has_prefix(out, "the state is the same; part work, what the engine has counted:\n"),
      out);
  TEST_ASSERT_EQUAL_INT(1, hydevs_call(dir, "snapshot --diff c.hysnap b.hysnap", &state, NULL));
  TEST_ASSERT_TRUE_MESSAGE(!g_str_has_prefix(state, "the state"), state);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(state, "\napart from the state, part work, "), state);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_another_engine_goes_on_to_the_same_bytes);
  RUN_TEST(test_what_is_refused_leaves_the_recording);
  RUN_TEST(test_the_last_of_many_stay);
  RUN_TEST(test_a_run_that_is_told_to_end_leaves_one);
  RUN_TEST(test_what_engines_count_is_told_apart);
  return UNITY_END();
}
