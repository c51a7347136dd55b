/* A recording whose process is killed: after any call of the system that changes its file, what
 * stands there is whole, and no row is lost that had been handed on. Read by readers of the test's
 * own, and by those for whom the forms are made, as far as they are installed. */
#include "results/record_internal.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unity.h>

#define ROWS    900 /* in three parts, each of several pages */
#define PART    300
#define COLUMNS 2
#define STEP    0.5
#define PAUSE   5000 /* us */
#ifdef __SANITIZE_ADDRESS__
#define KILLS 2
#else
#define KILLS 6 /* of each form, at any instant; bench/kills makes more */
#endif
#define MOST 9000 /* rows of one that is killed at any instant: its readers cost more than it */

static char *dir;

void setUp(void)
{
  dir = g_dir_make_tmp("hydevs-XXXXXX", NULL);
}

void tearDown(void)
{
  GDir *all = g_dir_open(dir, 0, NULL);
  for (const char *name = NULL; (name = g_dir_read_name(all)) != NULL;) {
    g_autofree char *file = g_build_filename(dir, name, NULL);
    g_unlink(file);
  }
  g_dir_close(all);
  g_rmdir(dir);
  g_clear_pointer(&dir, g_free);
}

/* What row K has; the time is the column before the first. */
static double value_of(guint64 k, guint column)
{
  static const double size[] = {0.75, -0.5};
  return column == 0 ? STEP * (double)k : size[column - 1] * cos(0.37 * (double)k);
}

/* The process that records -------------------------------------------------------------------- */

typedef struct {
  volatile int calls, last; /* so many have been made; after the last one the process is killed */
  volatile pid_t recording;
  volatile guint64 flushed; /* rows */
  gboolean old;             /* the file is there, of another run */
  gboolean slow;            /* a process of its own takes its time after the kill */
  gboolean endless;         /* it waits behind its rows until it is killed */
  guint64 rows;             /* in all */
} Shared;

/* The call may be that of another process, which goes on. */
static void stepped(gpointer user)
{
  Shared *s = user;
  s->calls++;
  if (s->calls != s->last) {
    return;
  }
  if (getpid() == s->recording) {
    _exit(9);
  }
  kill(s->recording, SIGKILL);
  if (s->slow) {
    g_usleep(PAUSE);
  }
}

static void say(const HyTrace *trace, guint64 k)
{
  for (guint c = 1; c <= COLUMNS; c++) {
    HyEvent event = {.port = (gint)c - 1, .value.c = {value_of(k, c)}};
    trace->transition(
        trace->user,
        &(HyTransition){
            .t = value_of(k, 0), .atomic = 0, .kind = HY_LAMBDA, .e = STEP, .event = &event});
  }
}

static void record_all(const char *file, Shared *s)
{
  const HyColumn columns[] = {
      {.kind = HY_COLUMN_OUTPUT, .port = 0, .holds = HY_EVENT, .path = "a", .unit = "V"},
      {.kind = HY_COLUMN_OUTPUT, .port = 1, .holds = HY_EVENT, .path = "b.c"}};
  FILE *out = fopen(file, "r+");
  HyRecorder *r = hy_recorder_new(out, file, columns, COLUMNS);
  double end = STEP * (double)(s->rows - 1);
  hy_recorder_set_grid(r, STEP, 0, end, NULL);
  hy_recorder_set_form(r, file, "a test", end, NULL);
  hy_recorder_set_fresh(r, NULL, NULL);
  r->stepped = stepped;
  r->stepped_user = s;
  if (!s->old) {
    hy_record_lay(r);
  }
  HyTrace trace = hy_recorder_trace(r);
  for (guint64 k = 0; k < s->rows; k++) {
    say(&trace, k);
    if (k % PART == PART - 1) {
      hy_recorder_flush(r);
      s->flushed = hy_recorder_failed(r) ? 0 : hy_recorder_rows(r);
    }
  }
  while (s->endless) {
    pause();
  }
  gboolean ok = hy_recorder_finish(r, end, NULL);
  s->flushed = s->rows;
  hy_recorder_free(r);
  _exit(fclose(out) == 0 && ok ? 0 : 1);
}

/* A process that records into FILE as S says, and the end of a pipe that nobody holds any more once
 * this process and those that it has begun are gone. */
static pid_t begin_recording(const char *file, Shared *s, int *over)
{
  int ends[2];
  TEST_ASSERT_TRUE(g_file_set_contents(file, s->old ? "something else" : "", -1, NULL));
  TEST_ASSERT_EQUAL_INT(0, pipe(ends));
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    s->recording = getpid();
    record_all(file, s);
  }
  close(ends[1]);
  *over = ends[0];
  return child;
}

static void wait_until_over(int over)
{
  char none = 0;
  TEST_ASSERT_EQUAL_INT(0, read(over, &none, 1));
  close(over);
}

/* Records into FILE, OLD or not, until call LAST; TRUE: it has not come to that. */
static gboolean record_until(const char *file, gboolean old, int last, Shared *s)
{
  int over = -1, status = 0;
  *s = (Shared){.last = last, .old = old, .rows = ROWS};
  pid_t child = begin_recording(file, s, &over);
  wait_until_over(over);
  TEST_ASSERT_EQUAL_INT(child, waitpid(child, &status, 0));
  TEST_ASSERT_FALSE_MESSAGE(WIFEXITED(status) && WEXITSTATUS(status) == 1, file);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The test's own readers: the number of rows; -1: it is no such file ----------------------------
 */

typedef struct {
  const char *text;
  gsize size;
} Bytes;

static guint32 u32(Bytes b, gsize at)
{
  guint32 v = 0;
  TEST_ASSERT_LESS_OR_EQUAL_size_t(b.size, at + sizeof v);
  memcpy(&v, b.text + at, sizeof v);
  return v;
}

static gint64 doubles(Bytes b, gsize head, guint64 rows)
{
  if (b.size < head + rows * 8 * (COLUMNS + 1)) {
    return -1;
  }
  for (guint64 k = 0; k < rows * (COLUMNS + 1); k++) {
    double v = 0;
    memcpy(&v, b.text + head + 8 * k, sizeof v);
    TEST_ASSERT_TRUE(v == value_of(k / (COLUMNS + 1), (guint)(k % (COLUMNS + 1))));
  }
  return (gint64)rows;
}

static gint64 read_csv(Bytes b)
{
  g_auto(GStrv) lines = g_strsplit(b.text, "\n", -1);
  guint n = g_strv_length(lines);
  if (n < 2 || strcmp(lines[0], "time,a,b.c") != 0 || *lines[n - 1] != '\0') {
    return -1;
  }
  for (guint k = 1; k + 1 < n; k++) {
    g_auto(GStrv) fields = g_strsplit(lines[k], ",", -1);
    TEST_ASSERT_EQUAL_UINT(COLUMNS + 1, g_strv_length(fields));
    for (guint c = 0; c <= COLUMNS; c++) {
      TEST_ASSERT_TRUE(g_ascii_strtod(fields[c], NULL) == value_of(k - 1, c));
    }
  }
  return (gint64)n - 2;
}

static gint64 read_jsonl(Bytes b)
{
  g_auto(GStrv) lines = g_strsplit(b.text, "\n", -1);
  guint n = g_strv_length(lines);
  if (n < 2 || *lines[n - 1] != '\0') {
    return -1;
  }
  for (guint k = 1; k + 1 < n; k++) {
    const char *at = strstr(lines[k], "\"b.c\": ");
    TEST_ASSERT_TRUE(at != NULL && g_str_has_suffix(lines[k], "}"));
    TEST_ASSERT_TRUE(g_ascii_strtod(at + strlen("\"b.c\": "), NULL) == value_of(k - 1, 2));
  }
  return (gint64)n - 2;
}

/* Both columns change in every row. */
static gint64 read_vcd(Bytes b)
{
  const char *at = strstr(b.text, "$enddefinitions $end\n");
  if (at == NULL) {
    return -1;
  }
  g_auto(GStrv) rows = g_strsplit(at + strlen("$enddefinitions $end\n"), "#", -1);
  guint n = g_strv_length(rows);
  for (guint k = 1; k < n; k++) {
    g_auto(GStrv) lines = g_strsplit(rows[k], "\n", -1);
    if (g_strv_length(lines) != 4) {
      return -1;
    }
    TEST_ASSERT_TRUE(g_ascii_strtod(lines[2] + 1, NULL) == value_of(k - 1, 2));
  }
  return MAX((gint64)n, 1) - 1;
}

static gint64 read_npy(Bytes b)
{
  const char *shape = b.size > 12 ? strstr(b.text + 12, "'shape': (") : NULL;
  return shape == NULL
             ? -1
             : doubles(b, 12 + u32(b, 8), strtoull(shape + strlen("'shape': ("), NULL, 10));
}

/* ngspice takes nothing beyond what is counted. */
static gint64 read_raw(Bytes b)
{
  const char *points = strstr(b.text, "No. Points: "), *rows = strstr(b.text, "Binary:\n");
  if (points == NULL || rows == NULL) {
    return -1;
  }
  gsize head = (gsize)(rows - b.text) + strlen("Binary:\n");
  guint64 n = strtoull(points + strlen("No. Points: "), NULL, 10);
  return b.size == head + n * 8 * (COLUMNS + 1) ? doubles(b, head, n) : -1;
}

/* Variables, one behind the other up to the end of the file; the last one may lead beyond it. */
static gint64 read_mat(Bytes b)
{
  gsize at = 128, last = 0;
  while (at + 8 <= b.size) {
    if (u32(b, at) != 14) {
      return -1;
    }
    last = at;
    at += 8 + u32(b, at + 4);
  }
  guint32 n = last > 0 ? u32(b, last + 36) : 0;
  gboolean ok = last > 0 && at >= b.size && u32(b, last + 32) == COLUMNS + 1 &&
                memcmp(b.text + last + 48, "data", 4) == 0 &&
                u32(b, last + 60) == n * 8 * (COLUMNS + 1) &&
                at >= last + 64 + (gsize)n * 8 * (COLUMNS + 1);
  return ok ? doubles(b, last + 64, n) : -1;
}

static gint64 read_wav(Bytes b)
{
  guint32 size = b.size >= 44 ? u32(b, 40) : 1;
  if (size % (2 * COLUMNS) != 0 || 44 + size > b.size || u32(b, 4) != 36 + size) {
    return -1;
  }
  for (guint32 k = 0; k < size / 2; k++) {
    gint16 v = 0;
    memcpy(&v, b.text + 44 + 2 * (gsize)k, sizeof v);
    TEST_ASSERT_TRUE(v == (gint16)rint(32768 * value_of(k / COLUMNS, 1 + k % COLUMNS)));
  }
  return size / (2 * COLUMNS);
}

/* The number of rows stands behind the head of the data set, whose first dimension it is; that of
 * bytes and the end of the file must not be less. */
static gint64 read_h5(Bytes b)
{
  if (b.size < 96) {
    return -1;
  }
  guint64 end = 0, rows = 0;
  memcpy(&end, b.text + 40, sizeof end);
  static const guint8 space[] = {1, 1, 0, 0, 0, 0, 0, 0}; /* of one dimension, of fixed size */
  for (gsize at = 96; at + 16 < b.size; at += 8) {
    if (memcmp(b.text + at, space, sizeof space) == 0 && (guint8)b.text[at - 8] == 1) {
      memcpy(&rows, b.text + at + 8, sizeof rows);
      gsize head = (gsize)(end - rows * 8 * (COLUMNS + 1)); /* all three agree, or rows are less */
      return end <= b.size && head <= b.size ? (gint64)rows : -1;
    }
  }
  return -1;
}

typedef struct {
  const char *suffix;
  gint64 (*read)(Bytes b);
  gboolean counted; /* rows may stand behind those that the head counts */
} Form;

static const Form forms[] = {
    {"csv", read_csv, FALSE}, {"jsonl", read_jsonl, FALSE}, {"vcd", read_vcd, FALSE},
    {"raw", read_raw, FALSE}, {"npy", read_npy, TRUE},      {"mat", read_mat, TRUE},
    {"h5", read_h5, TRUE},    {"wav", read_wav, TRUE},
};

static gint64 rows_in(const Form *form, const char *file)
{
  char *text = NULL;
  gsize size = 0;
  TEST_ASSERT_TRUE(g_file_get_contents(file, &text, &size, NULL));
  gint64 rows = form->read((Bytes){text, size});
  g_free(text);
  return rows;
}

static void check(const Form *form, const char *file, int last, guint64 least)
{
  gint64 rows = rows_in(form, file);
  g_autofree char *message = g_strdup_printf("%s after call %d: %" G_GINT64_FORMAT
                                             " rows, %" G_GUINT64_FORMAT " had been handed on",
                                             form->suffix, last, rows, least);
  TEST_ASSERT_TRUE_MESSAGE(rows >= (gint64)least && rows <= ROWS, message);
}

/* What a file was after the call before. */
typedef struct {
  off_t size;
  gint64 rows;
} Before;

/* Killed within the call that has written rows, which nobody counts yet: some pages are there. */
static void check_cut(const Form *form, const char *file, int last, Before *before)
{
  struct stat is;
  TEST_ASSERT_EQUAL_INT(0, stat(file, &is));
  Before now = {is.st_size, rows_in(form, file)};
  gboolean grown = before->size > 0 && now.size > before->size;
  if (form->counted && grown && now.rows == before->rows) {
    TEST_ASSERT_EQUAL_INT(0, truncate(file, (before->size + now.size) / 2));
    check(form, file, last, (guint64)now.rows);
  }
  *before = now;
}

/* By those who read the forms; the name of a file says how many rows it has at least. */
static const char others[] =
    "import sys, glob, csv, json, wave, warnings\n"
    "import numpy, scipy.io, h5py\n"
    "warnings.simplefilter('ignore')\n"
    "def rows(f):\n"
    "  if f.endswith('npy'): return len(numpy.load(f))\n"
    "  if f.endswith('mat'): return scipy.io.loadmat(f)['data'].shape[1]\n"
    "  if f.endswith('h5'):\n"
    "    with h5py.File(f, 'r') as h: return len(h['table'][:])\n"
    "  if f.endswith('wav'):\n"
    "    w = wave.open(f); n = w.getnframes(); assert len(w.readframes(n)) == 4 * n; return n\n"
    "  if f.endswith('jsonl'): return len([json.loads(l) for l in open(f)]) - 1\n"
    "  if f.endswith('csv'): return len([float(r[2]) for r in list(csv.reader(open(f)))[1:]])\n"
    "for f in sorted(glob.glob(sys.argv[1] + '/*')):\n"
    "  least = int(f.split('.')[-2])\n"
    "  n = rows(f) if f.split('.')[-1] not in ('raw', 'vcd') else least\n"
    "  if n < least: print(f, n)\n";

static void check_by_others(void)
{
  const char *argv[] = {"/usr/bin/python3", "-c", others, dir, NULL};
  const char *probe[] = {"/usr/bin/python3", "-c", "import numpy, scipy.io, h5py", NULL};
  g_autofree char *out = NULL, *err = NULL;
  int status = 1;
  if (!g_spawn_sync(NULL, (char **)(gpointer)probe, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL,
                    NULL, NULL, &status, NULL) ||
      status != 0) {
    return;
  }
  TEST_ASSERT_TRUE(g_spawn_sync(NULL, (char **)(gpointer)argv, NULL, G_SPAWN_DEFAULT, NULL, NULL,
                                &out, &err, &status, NULL));
  TEST_ASSERT_EQUAL_STRING("", err);
  TEST_ASSERT_EQUAL_STRING("", out);
}

static void check_form(const Form *form, gboolean old, Shared *s)
{
  Before before = {0};
  gboolean ended = FALSE;
  for (int last = 1; !ended; last++) {
    g_autofree char *name = g_strdup_printf("%s/r%02d.%s", dir, last, form->suffix);
    ended = record_until(name, old, last, s);
    check(form, name, last, s->flushed);
    g_autofree char *kept = g_strdup_printf("%s/r%d-%02d.%" G_GUINT64_FORMAT ".%s", dir, old, last,
                                            s->flushed, form->suffix);
    check_cut(form, name, last, &before);
    TEST_ASSERT_EQUAL_INT(0, g_rename(name, kept));
  }
  TEST_ASSERT_GREATER_THAN_INT(3, s->calls);
}

static void test_a_killed_recording_is_whole(void)
{
  Shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  TEST_ASSERT_TRUE(s != MAP_FAILED);
  for (guint f = 0; f < G_N_ELEMENTS(forms); f++) {
    check_form(&forms[f], FALSE, s);
    check_form(&forms[f], TRUE, s);
  }
  check_by_others();
  munmap(s, sizeof *s);
}

/* Whether the system lets a process that changes a file keep others from opening it. */
static gboolean has_leases(void)
{
  g_autofree char *name = g_build_filename(dir, "lease", NULL);
  int file = open(name, O_RDWR | O_CREAT, 0600);
#ifdef F_SETLEASE
  gboolean has = fcntl(file, F_SETLEASE, F_WRLCK) == 0;
#else
  gboolean has = FALSE;
#endif
  close(file);
  return has;
}

/* A process of its own is in the middle of a change when somebody opens the file. */
static void test_who_reads_at_once_waits(void)
{
  Shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  TEST_ASSERT_TRUE(s != MAP_FAILED);
  if (!has_leases()) {
    TEST_IGNORE_MESSAGE("no leases on this file system");
  }
  for (guint f = 0; f < G_N_ELEMENTS(forms); f++) {
    gboolean ended = FALSE;
    for (int last = 1; !ended; last++) {
      g_autofree char *name = g_strdup_printf("%s/r%02d.%s", dir, last, forms[f].suffix);
      int over = -1, status = 0;
      *s = (Shared){.last = last, .rows = ROWS, .slow = TRUE};
      pid_t child = begin_recording(name, s, &over);
      TEST_ASSERT_EQUAL_INT(child, waitpid(child, &status, 0));
      ended = WIFEXITED(status) && WEXITSTATUS(status) == 0;
      check(&forms[f], name, last, s->flushed);
      wait_until_over(over);
    }
  }
  munmap(s, sizeof *s);
}

/* What KILLS processes leave that do nothing but write, each killed at some instant. */
typedef struct {
  guint read, none, empty, torn, later;
} Left;

static void kill_one(const Form *form, GRand *random, Shared *s, Left *left)
{
  g_autofree char *name = g_strdup_printf("%s/r.%s", dir, form->suffix);
  int over = -1, status = 0;
  *s = (Shared){.last = -1, .rows = MOST, .endless = TRUE};
  guint64 enough = (guint64)g_rand_int_range(random, 0, MOST - 2 * PART);
  gulong more = (gulong)g_rand_int_range(random, 0, 500); /* us, about as long as a part takes */
  pid_t child = begin_recording(name, s, &over);
  while (s->flushed < enough) {
    g_usleep(20);
  }
  g_usleep(more);
  TEST_ASSERT_EQUAL_INT(0, kill(child, SIGKILL));
  TEST_ASSERT_EQUAL_INT(child, waitpid(child, &status, 0));
  guint64 flushed = s->flushed;
  struct stat is;
  TEST_ASSERT_EQUAL_INT(0, stat(name, &is));
  gint64 rows = is.st_size > 0 ? rows_in(form, name) : 0;
  left->empty += is.st_size == 0;
  left->none += is.st_size > 0 && rows == 0;
  left->torn += rows < (gint64)flushed;
  left->read += rows > 0;
  wait_until_over(over);
  left->later += is.st_size > 0 && rows_in(form, name) < (gint64)flushed;
}

static void test_a_kill_at_any_instant_leaves_whole_rows(void)
{
  const char *many = g_getenv("HY_KILLS");
  guint n = many != NULL ? (guint)g_ascii_strtoull(many, NULL, 10) : KILLS, torn = 0;
  Shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  TEST_ASSERT_TRUE(s != MAP_FAILED);
  if (!has_leases()) {
    TEST_IGNORE_MESSAGE("no leases on this file system");
  }
  g_autoptr(GRand) random = g_rand_new_with_seed(24);
  for (guint f = 0; f < G_N_ELEMENTS(forms); f++) {
    Left left = {0};
    for (guint k = 0; k < n; k++) {
      kill_one(&forms[f], random, s, &left);
    }
    if (many != NULL) {
      printf("| .%s | %u | %u | %u | %u | %u |\n", forms[f].suffix, left.read, left.none,
             left.empty, left.torn, left.later);
    }
    torn += left.torn + left.later;
  }
  TEST_ASSERT_EQUAL_UINT(0, torn);
  munmap(s, sizeof *s);
}

/* Where the head counts, however long it is: in one page, or what is told first is never less. */
static void test_counts_lie_in_one_page(void)
{
  for (guint n = 1; n < 700; n++) {
    g_autofree char *name = g_strnfill(n, 'x');
    HyColumn columns[30];
    const HyColumn *is[G_N_ELEMENTS(columns)];
    for (guint k = 0; k < G_N_ELEMENTS(columns); k++) {
      columns[k] = (HyColumn){.path = name};
      is[k] = &columns[k];
    }
    const char *suffixes[] = {"r.mat", "r.npy", "r.raw"};
    for (guint k = 0; k < G_N_ELEMENTS(suffixes); k++) {
      HyRowHead head = {1 + n % G_N_ELEMENTS(columns), is, "about", 1, 0};
      HyRecordCounts counts = {0};
      g_autoptr(GString) text = g_string_new(NULL);
      TEST_ASSERT_TRUE(hy_record_form(suffixes[k], NULL)->head(text, &head, &counts, NULL));
      gsize low = G_MAXSIZE, high = 0;
      for (guint c = 0; c < counts.n; c++) {
        if (!counts.count[c].early) {
          low = MIN(low, counts.count[c].at);
          high = MAX(high, counts.count[c].at + (k == 0 ? 4 : HY_COUNT_SIZE));
        }
      }
      TEST_ASSERT_EQUAL_size_t_MESSAGE(low / 4096, (high - 1) / 4096, suffixes[k]);
    }
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_killed_recording_is_whole);
  RUN_TEST(test_who_reads_at_once_waits);
  RUN_TEST(test_a_kill_at_any_instant_leaves_whole_rows);
  RUN_TEST(test_counts_lie_in_one_page);
  return UNITY_END();
}
