/* A run that goes on from a snapshot writes the bytes of the run that was not stopped, into a file
 * that was torn behind it; what is damaged, or of another model, is refused with one message, and
 * changes nothing. */
#include "experiment/run.h"
#include "hydevs/hydevs.h"
#include "results/record_internal.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <unity.h>

static char *folder;

void setUp(void)
{
}

void tearDown(void)
{
}

/* Queues with payloads, chance, a machine, events and signals. */
static const char model[] =
    "<hydevs xmlns='urn:hydevs:1' name='jobs'>"
    "<param name='P' value='1'/>"
    "<generator name='G' period='P' values=\"('job', 1), ('job', 2), 3\" repeat='true'/>"
    "<server name='S' time='1.7' in='G'/>"
    "<delay name='D' time='2.5' in='G'/>"
    "<random_generator name='R' mean='0.4'/>"
    "<counter name='C' in='R'/>"
    "<transducer name='T' arr='G' dep='S'/>"
    "<sink name='K' in='S'/>"
    "<experiment stop='20' seed='7' record='S D C'/>"
    "</hydevs>";

static char *path_of(const char *name)
{
  return g_build_filename(folder, name, NULL);
}

typedef struct {
  HyLoaded *loaded;
  HyRun *run;
  HySim *sim;
} Made;

static void made_clear(Made *m)
{
  hy_run_free(m->run);
  hy_loaded_free(m->loaded);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Made, made_clear)

/* Recorded into FILE (NULL: in memory), and at its first instant. */
static Made make(const char *text, const char *set, const char *engine, const char *grid,
                 const char *file)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(HyReport) report = hy_report_new();
  const char *const sets[] = {set, NULL};
  HyLoadOptions options = {.set = set != NULL ? sets : NULL, .grid = grid};
  Made m = {.loaded = hy_load_memory(text, strlen(text), "jobs.xml", &options, report)};
  g_autofree char *why = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(m.loaded, why);
  HyRunSettings settings = HY_RUN_SETTINGS;
  settings.engine = engine;
  m.run = hy_run_new(m.loaded, &settings, &error);
  TEST_ASSERT_NULL(error);
  m.sim = hy_run_sim(m.run);
  const char *const files[] = {file, NULL};
  gboolean records =
      file != NULL ? hy_run_record_files(m.run, files, &error) : hy_run_record(m.run, &error);
  TEST_ASSERT_TRUE_MESSAGE(records, error != NULL ? error->message : "");
  gboolean begins = hy_sim_init(m.sim, 0, &error);
  TEST_ASSERT_TRUE_MESSAGE(begins, error != NULL ? error->message : "");
  TEST_ASSERT_TRUE(hy_sim_run(m.sim, 0, &error));
  return m;
}

static void run_to(const Made *m, double t)
{
  g_autoptr(GError) error = NULL;
  gboolean ok = hy_sim_run(m->sim, t, &error);
  TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : "");
}

static void finish(const Made *m)
{
  g_autoptr(GError) error = NULL;
  run_to(m, 20);
  gboolean ok = hy_run_finish(m->run, 20, &error);
  TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : "");
}

static char *contents(const char *file, gsize *n)
{
  char *text = NULL;
  TEST_ASSERT_TRUE(g_file_get_contents(file, &text, n, NULL));
  return text;
}

static void check_same_file(const char *a, const char *b)
{
  gsize n, m;
  g_autofree char *x = contents(a, &n), *y = contents(b, &m);
  TEST_ASSERT_EQUAL_UINT(n, m);
  TEST_ASSERT_EQUAL_MEMORY(x, y, n);
}

/* A run that leaves a snapshot at T, and is stopped at END. */
static void leave_snapshot(const char *engine, const char *grid, const char *recording,
                           const char *snapshot, double t, double end)
{
  g_autoptr(GError) error = NULL;
  g_auto(Made) m = make(model, NULL, engine, grid, recording);
  run_to(&m, t);
  gboolean ok = hy_run_write_snapshot(m.run, snapshot, "\"by\":[1,{\"a\":\"}\"}]", &error);
  TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : "");
  run_to(&m, end);
  TEST_ASSERT_TRUE(hy_run_finish(m.run, end, &error));
}

static void test_a_run_goes_on_to_the_same_bytes(void)
{
  static const char *const forms[] = {"csv", "raw", "h5", "vcd"};
  static const char *const engines[] = {"tree", "flat", "fused"};
  static const double times[] = {0, 0.4, 6.5, 19.99};
  for (guint k = 0; k < 2 * G_N_ELEMENTS(forms); k++) {
    const char *form = forms[k / 2], *grid = k % 2 == 0 ? NULL : "0.5";
    g_autofree char *name = g_strdup_printf("r.%s", form), *file = path_of(name),
                    *json = g_strconcat(file, ".json", NULL), *full = path_of("full"),
                    *told = path_of("told"), *snapshot = path_of("s.hysnap");
    {
      g_auto(Made) m = make(model, NULL, "flat", grid, file);
      finish(&m);
    }
    g_rename(file, full);
    g_rename(json, told);
    leave_snapshot(engines[k % 3], grid, file, snapshot, times[k % 4], 20);
    FILE *torn = fopen(file, "ab"); /* as a process that was killed may leave it */
    fputs("0.5,1", torn);
    fclose(torn);
    g_auto(Made) m = make(model, NULL, engines[k % 3], grid, file);
    g_autoptr(GError) error = NULL;
    g_autofree char *extra = NULL;
    gboolean ok = hy_run_read_snapshot(m.run, snapshot, HY_READ_EXACT, &extra, &error);
    TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : "");
    TEST_ASSERT_EQUAL_STRING("\"by\":[1,{\"a\":\"}\"}]", extra);
    finish(&m);
    check_same_file(full, file);
  }
}

/* The same state is the same bytes, on the same engine: another one has other counters. */
/* A boost converter in slow motion, 100 periods. What its controller says is read by rows at first,
 * and by lines when that has been often: these differ in the last bits. */
static const char boost[] =
    "<hydevs xmlns='urn:hydevs:1' name='boost'>"
    "<pi name='o' kp='2m' ki='0.4m' initial='0.5' lower='0' upper='0.8' in='24 - c.v'/>"
    "<pwm name='p' period='0.2' duty='o'/>"
    "<circuit name='c' gate='p'><in name='gate'/><voltage name='U' nodes='in 0' value='12'/>"
    "<inductor name='L' nodes='in x' i0='4' L='2'/>"
    "<ideal_switch name='S' nodes='x 0' control='gate' Ron='10m' Roff='1M'/>"
    "<ideal_diode name='D' nodes='x out' Ron='10m' Roff='1M' Vf='0.4'/>"
    "<capacitor name='C' nodes='out y' C='9.4' v0='24'/><resistor name='E' nodes='y 0' R='60m'/>"
    "<resistor name='R' nodes='out 0' R='10'/><out name='v' from='out.v'/></circuit>"
    "<experiment stop='20' method='block_liqss2' record='c/L.i c.v o'/></hydevs>";

static void test_a_converter_goes_on_to_the_same_bytes(void)
{
  static const double times[] = {0, 0.7, 2.05, 6.5, 11};
  g_autofree char *file = path_of("b.csv"), *full = path_of("full"),
                  *snapshot = path_of("b.hysnap");
  {
    g_auto(Made) m = make(boost, NULL, "flat", NULL, file);
    finish(&m);
  }
  g_rename(file, full);
  for (guint k = 0; k < G_N_ELEMENTS(times); k++) {
    g_autoptr(GError) error = NULL;
    gboolean ok = FALSE;
    {
      g_auto(Made) m = make(boost, NULL, k % 2 == 0 ? "flat" : "fused", NULL, file);
      run_to(&m, times[k]);
      ok = hy_run_write_snapshot(m.run, snapshot, NULL, &error) &&
           hy_run_finish(m.run, times[k], &error);
    }
    TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : "");
    g_auto(Made) on = make(boost, NULL, k % 2 == 0 ? "fused" : "tree", NULL, file);
    ok = hy_run_read_snapshot(on.run, snapshot, HY_READ_EXACT, NULL, &error);
    TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : "");
    finish(&on);
    check_same_file(full, file);
  }
}

static void test_what_is_read_is_written_again(void)
{
  for (guint k = 0; k < 3; k++) {
    static const char *const engines[] = {"tree", "flat", "fused"};
    g_autoptr(GError) error = NULL;
    g_auto(Made) a = make(model, NULL, engines[k], NULL, NULL);
    g_auto(Made) b = make(model, NULL, engines[k], NULL, NULL);
    g_autoptr(GByteArray) first = g_byte_array_new(), again = g_byte_array_new();
    run_to(&a, 11.3);
    TEST_ASSERT_TRUE(hy_sim_write_state(a.sim, first, &error));
    gboolean ok = hy_sim_read_state(b.sim, first->data, first->len, &error);
    TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : "");
    TEST_ASSERT_TRUE(hy_sim_write_state(b.sim, again, &error));
    TEST_ASSERT_EQUAL_UINT(first->len, again->len);
    TEST_ASSERT_EQUAL_MEMORY(first->data, again->data, first->len);
  }
}

/* M is refused SNAPSHOT with a message that has TEXT in it, and goes on as if nothing had been. */
static void check_refused(Made *m, const char *snapshot, const char *text)
{
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_FALSE(hy_run_read_snapshot(m->run, snapshot, HY_READ_EXACT, NULL, &error));
  TEST_ASSERT_NOT_NULL(error);
  TEST_ASSERT_TRUE_MESSAGE(strstr(error->message, text) != NULL, error->message);
  TEST_ASSERT_TRUE(g_str_has_prefix(error->message, snapshot));
  TEST_ASSERT_NULL(strchr(error->message, '\n'));
}

static void check_bytes_refused(Made *m, const char *bytes, gsize n, const char *text)
{
  g_autofree char *file = path_of("bad.hysnap");
  TEST_ASSERT_TRUE(g_file_set_contents(file, bytes, (gssize)n, NULL));
  check_refused(m, file, text);
}

static void test_what_does_not_fit_changes_nothing(void)
{
  g_autofree char *file = path_of("r.csv"), *full = path_of("full"),
                  *snapshot = path_of("s.hysnap"), *other = path_of("o.csv");
  {
    g_auto(Made) m = make(model, NULL, "flat", NULL, file);
    finish(&m);
  }
  g_rename(file, full);
  leave_snapshot("flat", NULL, file, snapshot, 6.5, 9);
  gsize n;
  g_autofree char *bytes = contents(snapshot, &n);
  g_auto(Made) m = make(model, NULL, "flat", NULL, other);
  run_to(&m, 3);
  check_bytes_refused(&m, bytes, 0, "this is no snapshot");
  check_bytes_refused(&m, "time,x\n0,1\n", 11, "this is no snapshot");
  check_bytes_refused(&m, bytes, 60, "its head is torn");
  check_bytes_refused(&m, bytes, n - 1, "it is torn");
  g_autofree char *more = g_malloc0(n + 1);
  memcpy(more, bytes, n);
  check_bytes_refused(&m, more, n + 1, "bytes, and its head says");
  more[16] = '2';
  check_bytes_refused(&m, more, n, "a snapshot of version 2, and this program reads version 1");
  more[16] = '1';
  more[n - 3] ^= 1;
  check_bytes_refused(&m, more, n, "is damaged");
  more[n - 3] ^= 1;
  more[100] ^= 1;
  check_bytes_refused(&m, more, n, "its head is damaged");
  check_refused(&m, snapshot, "o.csv: it has "); /* the rows are in another file */
  finish(&m);
  check_same_file(full, other);
}

static void test_other_models_and_parameters_are_named(void)
{
  g_autofree char *snapshot = path_of("s.hysnap"), *file = path_of("r.csv");
  leave_snapshot("flat", NULL, file, snapshot, 6.5, 6.5);
  g_auto(Made) other = make(model, "P=2", "flat", NULL, NULL);
  check_refused(&other, snapshot, "; G: period = 1 there, 2 here");
  g_autoptr(GString) text = g_string_new(model);
  g_string_replace(text, "<sink name='K'", "<sink name='L'", 1);
  g_auto(Made) model_other = make(text->str, NULL, "flat", NULL, NULL);
  check_refused(&model_other, snapshot, "it is of another model: jobs, digest ");
}

/* Two machines with the same ports, states and formulas; one transition leads elsewhere. */
static const char machine[] = "<hydevs xmlns='urn:hydevs:1' name='jobs'>"
                              "<generator name='G' period='1' repeat='true' values='1'/>"
                              "<machine name='M' go='G' initial='a'>"
                              "<state name='a' out='0'><on event='go' to='b'/></state>"
                              "<state name='b' out='1'><on event='go' to='c'/></state>"
                              "<state name='c' out='2'><on event='go' to='a'/></state></machine>"
                              "<experiment stop='20' record='M'/>"
                              "</hydevs>";

/* What is replaced in it, the first time it is there. */
static const char *const others[][2] = {{"event='go' to='c'", "event='go' to='a'"},
                                        {"event='go' to='c'", "event='go'"},
                                        {"initial='a'", "initial='b'"}};

static void test_another_machine_is_refused(void)
{
  g_autofree char *snapshot = path_of("s.hysnap");
  g_autoptr(GError) error = NULL;
  {
    g_auto(Made) m = make(machine, NULL, "flat", NULL, NULL);
    run_to(&m, 6.5);
    TEST_ASSERT_TRUE(hy_run_write_snapshot(m.run, snapshot, NULL, &error));
  }
  for (guint k = 0; k < G_N_ELEMENTS(others); k++) {
    g_autoptr(GString) text = g_string_new(machine);
    TEST_ASSERT_EQUAL_UINT(1, g_string_replace(text, others[k][0], others[k][1], 1));
    g_auto(Made) other = make(text->str, NULL, "flat", NULL, NULL);
    check_refused(&other, snapshot, "block M: it is another machine");
  }
  g_auto(Made) same = make(machine, NULL, "fused", NULL, NULL);
  TEST_ASSERT_TRUE(hy_run_read_snapshot(same.run, snapshot, HY_READ_EXACT, NULL, &error));
}

/* In place of FILE: the same bytes, which can only be read. */
static int read_only(const char *file)
{
  int in = open(file, O_RDONLY | O_CLOEXEC);
  TEST_ASSERT_GREATER_OR_EQUAL_INT(0, in);
  return in;
}

/* The same bytes, which can be written and not be cut. */
static int never_shorter(const char *file)
{
  gsize n;
  g_autofree char *bytes = contents(file, &n);
  int out = memfd_create("rows", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  TEST_ASSERT_EQUAL_INT((int)n, (int)write(out, bytes, n));
  TEST_ASSERT_EQUAL_INT(0, fcntl(out, F_ADD_SEALS, F_SEAL_SHRINK));
  return out;
}

/* Found out before anything is read, or when all has been. */
static void test_a_file_that_cannot_be_cut_changes_nothing(void)
{
  static const struct {
    int (*in_place)(const char *file);
    const char *text;
  } ways[] = {{read_only, "r.csv: it cannot be cut: "}, {never_shorter, "r.csv: cannot be cut: "}};
  g_autofree char *snapshot = path_of("s.hysnap"), *file = path_of("r.csv");
  leave_snapshot("flat", NULL, file, snapshot, 6.5, 20);
  for (guint k = 0; k < G_N_ELEMENTS(ways); k++) {
    g_autoptr(GError) error = NULL;
    g_autoptr(GByteArray) before = g_byte_array_new(), after = g_byte_array_new();
    g_auto(Made) m = make(model, NULL, "flat", NULL, file);
    HyRecorder *r = hy_run_recorder(m.run, 0);
    int own = dup(fileno(r->out)), other = ways[k].in_place(file);
    guint64 rows = r->rows;
    gsize used = r->used;
    TEST_ASSERT_TRUE(hy_sim_write_state(m.sim, before, &error));
    dup2(other, fileno(r->out));
    check_refused(&m, snapshot, ways[k].text);
    dup2(own, fileno(r->out));
    close(own);
    close(other);
    TEST_ASSERT_TRUE(hy_sim_write_state(m.sim, after, &error));
    TEST_ASSERT_EQUAL_UINT(before->len, after->len);
    TEST_ASSERT_EQUAL_MEMORY(before->data, after->data, before->len);
    TEST_ASSERT_EQUAL_UINT64(rows, r->rows);
    TEST_ASSERT_EQUAL_UINT(used, r->used);
    TEST_ASSERT_EQUAL_INT(0, (int)r->sent);
  }
}

/* The file is not touched, or begins where the snapshot is. */
static void test_a_new_recording_begins_there(void)
{
  g_autofree char *snapshot = path_of("s.hysnap"), *file = path_of("r.csv"),
                  *anew = path_of("n.csv");
  leave_snapshot("flat", NULL, file, snapshot, 6.5, 20);
  gsize n, all;
  g_autofree char *before = contents(file, &all);
  g_autoptr(GError) error = NULL;
  {
    g_auto(Made) m = make(model, NULL, "flat", NULL, anew);
    hy_run_record_anew(m.run);
    gboolean ok = hy_run_read_snapshot(m.run, snapshot, HY_READ_EXACT, NULL, &error);
    TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : "");
    finish(&m);
  }
  g_autofree char *rows = contents(anew, &n);
  TEST_ASSERT_TRUE(g_str_has_prefix(rows, "time,S,D,C\n6.")); /* the instant that waited */
  const char *last_rows = strstr(rows, "\n7");
  TEST_ASSERT_NOT_NULL(last_rows);
  TEST_ASSERT_NOT_NULL(strstr(before, last_rows));
}

static void test_what_a_snapshot_says_of_itself(void)
{
  g_autofree char *a = path_of("a.hysnap"), *b = path_of("b.hysnap"), *file = path_of("r.csv");
  g_autoptr(GError) error = NULL;
  g_autoptr(GString) out = g_string_new(NULL);
  leave_snapshot("flat", NULL, file, a, 6.5, 6.5);
  leave_snapshot("flat", NULL, file, b, 7.5, 7.5);
  TEST_ASSERT_TRUE(hy_snapshot_print(a, TRUE, out, &error));
  TEST_ASSERT_TRUE(g_str_has_prefix(out->str, "t 6."));
  TEST_ASSERT_NOT_NULL(strstr(out->str, "model jobs\n"));
  TEST_ASSERT_NOT_NULL(strstr(out->str, "block G: k "));
  g_string_truncate(out, 0);
  TEST_ASSERT_EQUAL_UINT(0, hy_snapshot_compare(a, a, out, &error));
  TEST_ASSERT_EQUAL_STRING("", out->str);
  TEST_ASSERT_GREATER_THAN_UINT(2, hy_snapshot_compare(a, b, out, &error));
  TEST_ASSERT_NOT_NULL(strstr(out->str, "block G: k 7 | 8\n"));
}

static void remove_folder(void)
{
  g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
  for (const char *name = g_dir_read_name(dir); name != NULL; name = g_dir_read_name(dir)) {
    g_autofree char *path = path_of(name);
    g_unlink(path);
  }
  g_rmdir(folder);
}

int main(void)
{
  UNITY_BEGIN();
  folder = g_dir_make_tmp("hydevs-snapshots-XXXXXX", NULL);
  RUN_TEST(test_a_run_goes_on_to_the_same_bytes);
  RUN_TEST(test_a_converter_goes_on_to_the_same_bytes);
  RUN_TEST(test_what_is_read_is_written_again);
  RUN_TEST(test_what_does_not_fit_changes_nothing);
  RUN_TEST(test_other_models_and_parameters_are_named);
  RUN_TEST(test_another_machine_is_refused);
  RUN_TEST(test_a_file_that_cannot_be_cut_changes_nothing);
  RUN_TEST(test_a_new_recording_begins_there);
  RUN_TEST(test_what_a_snapshot_says_of_itself);
  remove_folder();
  g_free(folder);
  return UNITY_END();
}
