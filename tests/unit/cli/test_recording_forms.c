/* Recordings of other forms than CSV, read by what they are for, or against the CSV of the same
 * run. */
#include "command.h"
#include "results/record_internal.h"

#include <math.h>
#include <stdlib.h>

static char *dir;

static const char mixed[] =
    "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">"
    "<sine name=\"a\" frequency=\"3\"/><sawtooth name=\"time\" frequency=\"2\"/>"
    "<integrator name=\"x\" in=\"a\" unit=\"V\" method=\"qss2\" dqmin=\"1m\" dqrel=\"1m\"/>"
    "<pwm name=\"gate\" period=\"0.25\" duty=\"0.3\"/>"
    "<experiment stop=\"1\" record=\"a time x gate\"/></hydevs>\n";

void setUp(void)
{
  dir = g_dir_make_tmp("hydevs-XXXXXX", NULL);
  g_autofree char *file = g_build_filename(dir, "m.xml", NULL);
  TEST_ASSERT_TRUE(g_file_set_contents(file, mixed, -1, NULL));
}

void tearDown(void)
{
  remove_folder(dir);
  g_clear_pointer(&dir, g_free);
}

static void call(const char *const *words, int wanted, const char *told)
{
  g_autofree char *out = NULL, *err = NULL;
  int status = hydevs(dir, words, &out, &err);
  TEST_ASSERT_EQUAL_INT_MESSAGE(wanted, status, err);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err, told), err);
}

static char *read_file(const char *name, gsize *size)
{
  g_autofree char *file = g_build_filename(dir, name, NULL);
  char *text = NULL;
  TEST_ASSERT_TRUE_MESSAGE(g_file_get_contents(file, &text, size, NULL), name);
  return text;
}

/* The numbers of the CSV, row by row; *ROWS: how many rows of 5. An empty field is NaN. */
static GArray *numbers(guint *rows)
{
  g_autofree char *text = read_file("r.csv", NULL);
  g_auto(GStrv) lines = g_strsplit(g_strchomp(text), "\n", -1);
  GArray *all = g_array_new(FALSE, FALSE, sizeof(double));
  *rows = g_strv_length(lines) - 1;
  for (guint k = 1; k <= *rows; k++) {
    g_auto(GStrv) fields = g_strsplit(lines[k], ",", -1);
    TEST_ASSERT_EQUAL_UINT(5, g_strv_length(fields));
    for (guint c = 0; c < 5; c++) {
      double v = *fields[c] != '\0' ? g_ascii_strtod(fields[c], NULL) : NAN;
      g_array_append_val(all, v);
    }
  }
  TEST_ASSERT_GREATER_THAN_UINT(100, *rows);
  return all;
}

static double number(const GArray *all, gsize row, gsize column)
{
  return g_array_index(all, double, 5 * row + column);
}

static void record_all(void)
{
  call((const char *[WORDS]){"run", "m.xml", "-o", "r.csv", "-o", "r.raw", "-o", "r.npy", "-o",
                             "r.vcd", "-o", "r.jsonl", "-o", "r.mat", "-o", "r.h5", "--seed=7"},
       0, "r.vcd: 4 columns");
}

/* The doubles behind the head are those of the CSV. */
static void check_doubles(const char *text, gsize size, gsize head)
{
  guint rows;
  g_autoptr(GArray) all = numbers(&rows);
  TEST_ASSERT_EQUAL_size_t(head + all->len * sizeof(double), size);
  for (guint k = 0; k < all->len; k++) {
    double v, wanted = g_array_index(all, double, k);
    memcpy(&v, text + head + k * sizeof v, sizeof v);
    TEST_ASSERT_TRUE((isnan(v) && isnan(wanted)) || v == wanted);
  }
}

static void test_raw_is_what_ngspice_reads(void)
{
  record_all();
  gsize size;
  g_autofree char *raw = read_file("r.raw", &size);
  TEST_ASSERT_TRUE(g_str_has_prefix(raw, "Title: m; hydevs "));
  TEST_ASSERT_NOT_NULL(strstr(raw, "; seed 7; qss2 dqrel=0.001 dqmin=0.001\nPlotname: "));
  TEST_ASSERT_NOT_NULL(strstr(raw, "\n\t2\ttime_\tnotype\n\t3\tx\tvoltage\n"));
  guint rows;
  g_array_unref(numbers(&rows));
  g_autofree char *points = g_strdup_printf("\nNo. Points: %u ", rows);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(raw, points), raw);
  const char *end = strstr(raw, "Binary:\n");
  TEST_ASSERT_NOT_NULL(end);
  check_doubles(raw, size, (gsize)(end - raw) + strlen("Binary:\n"));
}

/* What PROGRAM says, called in the folder. */
static char *said_by(const char *const *argv)
{
  g_autofree char *err = NULL;
  g_autoptr(GError) error = NULL;
  char *out = NULL;
  int status;
  TEST_ASSERT_TRUE(g_spawn_sync(dir, hy_key(argv), NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out,
                                &err, &status, &error));
  return out;
}

static double told(const char *text, const char *name)
{
  g_autofree char *wanted = g_strconcat(name, " = ", NULL);
  const char *at = strstr(text, wanted);
  TEST_ASSERT_NOT_NULL_MESSAGE(at, text);
  return g_ascii_strtod(at + strlen(wanted), NULL);
}

static void test_ngspice_loads_it(void)
{
  g_autofree char *program = g_find_program_in_path("ngspice");
  if (program == NULL) {
    TEST_IGNORE_MESSAGE("ngspice is not installed");
  }
  record_all();
  guint rows;
  g_autoptr(GArray) all = numbers(&rows);
  g_autofree char *deck = g_build_filename(dir, "l.cir", NULL);
  const char text[] = "load\n.control\nload r.raw\nlet n = length(x)\nlet high = vecmax(x)\n"
                      "let last = x[length(x)-1]\nset numdgt=16\nprint n\nprint high\nprint last\n"
                      "quit\n.endc\n.end\n";
  TEST_ASSERT_TRUE(g_file_set_contents(deck, text, -1, NULL));
  g_autofree char *out = said_by((const char *[]){program, "-b", "l.cir", NULL});
  double high = -INFINITY;
  for (guint k = 0; k < rows; k++) {
    high = fmax(high, number(all, k, 3));
  }
  TEST_ASSERT_EQUAL_DOUBLE(rows, told(out, "n"));
  TEST_ASSERT_EQUAL_DOUBLE(high, told(out, "high"));
  TEST_ASSERT_EQUAL_DOUBLE(number(all, rows - 1, 3), told(out, "last"));
}

static void test_npy_is_an_array_of_records(void)
{
  record_all();
  gsize size;
  g_autofree char *npy = read_file("r.npy", &size);
  TEST_ASSERT_EQUAL_MEMORY("\223NUMPY\002\000", npy, 8);
  guint32 length;
  memcpy(&length, npy + 8, sizeof length);
  gsize head = 12 + GUINT32_FROM_LE(length);
  TEST_ASSERT_EQUAL_UINT(0, head % 64);
  TEST_ASSERT_EQUAL_CHAR('\n', npy[head - 1]);
  TEST_ASSERT_NOT_NULL(strstr(npy + 12, "('time', '<f8'), ('a', '<f8'), ('time_', '<f8'), "));
  guint rows;
  g_array_unref(numbers(&rows));
  g_autofree char *shape = g_strdup_printf("'fortran_order': False, 'shape': (%u ", rows);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(npy + 12, shape), npy + 12);
  check_doubles(npy, size, head);
}

/* A Python that has MODULES; NULL: there is none. Newly allocated. */
static char *python_with(const char *modules)
{
  static const char *const places[] = {"python3", "/usr/bin/python3"};
  g_autofree char *look = g_strdup_printf("import %s; print(1)", modules);
  for (guint k = 0; k < G_N_ELEMENTS(places); k++) {
    g_autofree char *program = g_find_program_in_path(places[k]);
    g_autofree char *there =
        program != NULL ? said_by((const char *[]){program, "-c", look, NULL}) : g_strdup("");
    if (g_str_has_prefix(there, "1")) {
      return g_steal_pointer(&program);
    }
  }
  return NULL;
}

/* SCRIPT prints n = rows, last = the last of x, and what more it likes. */
static char *loaded_by_python(const char *modules, const char *script)
{
  g_autofree char *program = python_with(modules);
  if (program == NULL) {
    return NULL;
  }
  record_all();
  guint rows;
  g_autoptr(GArray) all = numbers(&rows);
  char *out = said_by((const char *[]){program, "-c", script, NULL});
  TEST_ASSERT_EQUAL_DOUBLE(rows, told(out, "n"));
  TEST_ASSERT_EQUAL_DOUBLE(number(all, rows - 1, 3), told(out, "last"));
  return out;
}

static void test_numpy_loads_it(void)
{
  g_autofree char *out =
      loaded_by_python("numpy", "import numpy; a = numpy.load('r.npy'); print('n =', a.shape[0]); "
                                "print('last =', repr(float(a['x'][-1])))");
  if (out == NULL) {
    TEST_IGNORE_MESSAGE("NumPy is not installed");
  }
}

static const char who[] = "m; hydevs ";
static const char how[] = "; seed 7; qss2 dqrel=0.001 dqmin=0.001";

static void test_scipy_loads_mat(void)
{
  g_autofree char *out = loaded_by_python(
      "scipy.io", "import scipy.io; a = scipy.io.loadmat('r.mat'); d = a['data']; "
                  "print('n =', d.shape[1]); print('last =', repr(float(d[3][-1]))); "
                  "print(*[x[0] for x in a['names'][0]]); print(a['units'][0][3][0]); "
                  "print(a['about'][0])");
  if (out == NULL) {
    TEST_IGNORE_MESSAGE("SciPy is not installed");
  }
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out, "\ntime a time_ x gate\nV\nm; hydevs "), out);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out, how), out);
}

static void test_h5py_loads_h5(void)
{
  g_autofree char *out = loaded_by_python(
      "h5py", "import h5py; f = h5py.File('r.h5'); t = f['table']; print('n =', t.shape[0]); "
              "print('last =', repr(float(t['x'][-1]))); print(*t.dtype.names); "
              "print(t.attrs['units'][3].decode()); print(f.attrs['about'].decode())");
  if (out == NULL) {
    TEST_IGNORE_MESSAGE("h5py is not installed");
  }
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out, "\ntime a time_ x gate\nV\nm; hydevs "), out);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out, how), out);
}

/* All of it, by the tool of those who made the format. */
static void test_h5dump_reads_every_number(void)
{
  g_autofree char *program = g_find_program_in_path("h5dump");
  if (program == NULL) {
    TEST_IGNORE_MESSAGE("h5dump is not installed");
  }
  record_all();
  guint rows;
  g_autoptr(GArray) all = numbers(&rows);
  g_autofree char *out =
      said_by((const char *[]){program, "-m", "%.17g", "-d", "table", "-y", "r.h5", NULL});
  char *at = strstr(out, "DATA {");
  TEST_ASSERT_NOT_NULL_MESSAGE(at, out);
  for (guint k = 0; k < all->len; k++) {
    at += strcspn(at + 1, "-0123456789n") + 1;
    double v = g_ascii_strtod(at, &at), wanted = g_array_index(all, double, k);
    TEST_ASSERT_TRUE_MESSAGE((isnan(v) && isnan(wanted)) || v == wanted, at);
  }
}

/* The doubles behind the heads, whether a reader is there or not; the heads say who and how. */
static void test_rows_of_mat_and_h5_are_those_of_csv(void)
{
  static const char *const names[] = {"r.mat", "r.h5"};
  record_all();
  guint rows;
  g_autoptr(GArray) all = numbers(&rows);
  for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
    gsize size;
    g_autofree char *text = read_file(names[k], &size);
    TEST_ASSERT_TRUE(size > all->len * sizeof(double));
    check_doubles(text, size, size - all->len * sizeof(double));
  }
  gsize size;
  g_autofree char *h5 = read_file("r.h5", &size);
  guint64 end;
  memcpy(&end, h5 + 40, sizeof end);
  TEST_ASSERT_EQUAL_UINT64(size, GUINT64_FROM_LE(end));
  TEST_ASSERT_NOT_NULL(memmem(h5, size, who, strlen(who)));
}

/* Replayed, changes give every row. */
static void test_vcd_tells_every_change(void)
{
  record_all();
  g_autofree char *vcd = read_file("r.vcd", NULL);
  TEST_ASSERT_NOT_NULL(strstr(vcd, "$timescale 1 fs $end\n"));
  TEST_ASSERT_NOT_NULL(strstr(vcd, "$var real 64 c x $end\n"));
  guint rows, row = 0;
  g_autoptr(GArray) all = numbers(&rows);
  double now[4] = {NAN, NAN, NAN, NAN};
  char *body = strstr(vcd, "$enddefinitions $end\n");
  TEST_ASSERT_NOT_NULL(body);
  g_auto(GStrv) lines = g_strsplit(body, "\n", -1);
  for (guint k = 1; lines[k] != NULL; k++) {
    if (*lines[k] == 'r') {
      char *code;
      double v = g_ascii_strtod(lines[k] + 1, &code);
      TEST_ASSERT_TRUE(code[0] == ' ' && code[1] >= 'a' && code[1] <= 'd' && code[2] == '\0');
      now[code[1] - 'a'] = v;
      continue;
    }
    for (guint c = 0; c < 4 && row > 0; c++) { /* the row before is complete */
      double wanted = number(all, row - 1, 1 + c);
      TEST_ASSERT_TRUE((isnan(wanted) && isnan(now[c])) || wanted == now[c]);
    }
    if (*lines[k] == '#') {
      double t = number(all, row++, 0);
      TEST_ASSERT_EQUAL_DOUBLE(rint(t / 1e-15), g_ascii_strtod(lines[k] + 1, NULL));
    }
  }
  TEST_ASSERT_EQUAL_UINT(rows, row);
}

static void test_gtkwave_converts_vcd(void)
{
  g_autofree char *to = g_find_program_in_path("vcd2lxt"), *fst = g_find_program_in_path("vcd2fst");
  if (to == NULL || fst == NULL) {
    TEST_IGNORE_MESSAGE("vcd2fst and vcd2lxt of GTKWave are not installed");
  }
  record_all();
  g_free(said_by((const char *[]){to, "r.vcd", "r.lxt", NULL}));
  g_free(said_by((const char *[]){fst, "r.vcd", "r.fst", NULL}));
  gsize size;
  g_free(read_file("r.lxt", &size));
  TEST_ASSERT_GREATER_THAN_size_t(500, size);
  g_autofree char *back = g_find_program_in_path("fst2vcd");
  g_autofree char *vcd = said_by((const char *[]){back, "r.fst", NULL});
  guint rows;
  g_autoptr(GArray) all = numbers(&rows);
  g_autofree char *end = g_strdup_printf("#%.0f\n", rint(number(all, rows - 1, 0) / 1e-15));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(vcd, end), "the last instant");
  g_autofree char *last = g_strdup_printf("r%.16g ", number(all, rows - 1, 3));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(vcd, last), last);
}

/* So that all of a run can be told. */
static void test_vcd_counts_in_larger_ticks_in_long_runs(void)
{
  g_autofree char *file = g_build_filename(dir, "l.xml", NULL);
  const char slow[] = "<hydevs xmlns=\"urn:hydevs:1\" name=\"l\"><sawtooth name=\"k\" "
                      "frequency=\"1e-5\"/><experiment record=\"k\"/></hydevs>\n";
  TEST_ASSERT_TRUE(g_file_set_contents(file, slow, -1, NULL));
  call((const char *[WORDS]){"run", "l.xml", "-o", "r.vcd", "--until=1e5", "--grid=1e5"}, 0,
       "r.vcd: 1 column, 2 rows");
  g_autofree char *vcd = read_file("r.vcd", NULL);
  TEST_ASSERT_NOT_NULL(strstr(vcd, "$timescale 1 ns $end\n"));
  TEST_ASSERT_NOT_NULL(strstr(vcd, "\n#100000000000000\n"));
}

static void test_jsonl_has_an_object_a_row(void)
{
  call((const char *[WORDS]){"run", "m.xml", "-o", "r.csv", "-o", "r.jsonl", "--grid=0.25"}, 0,
       "r.jsonl: 4 columns, 5 rows");
  g_autofree char *text = read_file("r.jsonl", NULL);
  g_auto(GStrv) lines = g_strsplit(g_strchomp(text), "\n", -1);
  g_autofree char *csv = read_file("r.csv", NULL);
  g_auto(GStrv) rows = g_strsplit(g_strchomp(csv), "\n", -1);
  TEST_ASSERT_EQUAL_UINT(6, g_strv_length(lines));
  TEST_ASSERT_TRUE(g_str_has_prefix(lines[0], "{\"about\": \"m; hydevs "));
  TEST_ASSERT_TRUE(g_str_has_suffix(lines[0], "\"columns\": [\"a\", \"time_\", \"x\", \"gate\"]}"));
  for (guint k = 1; k < 6; k++) {
    g_auto(GStrv) v = g_strsplit(rows[k], ",", -1);
    g_autofree char *wanted =
        g_strdup_printf("{\"time\": %s, \"a\": %s, \"time_\": %s, \"x\": %s, \"gate\": %s}", v[0],
                        v[1], v[2], v[3], v[4]);
    TEST_ASSERT_EQUAL_STRING(wanted, lines[k]);
  }
}

static guint32 little(const char *at, guint bytes)
{
  guint32 v = 0;
  for (guint k = 0; k < bytes; k++) {
    v |= (guint32)(guchar)at[k] << (8 * k);
  }
  return v;
}

/* Each sample is the number of the CSV times 2^15, cut to 16 bits, which is warned of. */
static void test_wav_is_sound(void)
{
  call((const char *[WORDS]){"run", "m.xml", "-o", "r.csv", "-o", "r.wav", "--grid=1/800"}, 0,
       " values beyond -1 to 1 were cut\n");
  gsize size;
  guint rows, beyond = 0;
  g_autofree char *wav = read_file("r.wav", &size);
  g_autoptr(GArray) all = numbers(&rows);
  TEST_ASSERT_EQUAL_size_t(44 + (gsize)rows * 4 * 2, size);
  TEST_ASSERT_EQUAL_MEMORY("RIFF", wav, 4);
  TEST_ASSERT_EQUAL_MEMORY("WAVEfmt \020\0\0\0\001\0\004\0", wav + 8, 16);
  TEST_ASSERT_EQUAL_UINT32(size - 8, little(wav + 4, 4));
  TEST_ASSERT_EQUAL_UINT32(800, little(wav + 24, 4));
  TEST_ASSERT_EQUAL_UINT32(6400, little(wav + 28, 4));
  TEST_ASSERT_EQUAL_UINT32(8 | 16 << 16, little(wav + 32, 4));
  TEST_ASSERT_EQUAL_UINT32(size - 44, little(wav + 40, 4));
  for (guint row = 0; row < rows; row++) {
    for (guint k = 0; k < 4; k++) {
      double v = number(all, row, k + 1);
      gint16 sample = (gint16)(guint16)little(wav + 44 + 8 * (gsize)row + 2 * (gsize)k, 2);
      double wanted = isnan(v) ? 0 : fmin(fmax(rint(v * 32768), -32768), 32767);
      TEST_ASSERT_EQUAL_DOUBLE(wanted, sample);
      beyond += fabs(v) > 1;
    }
  }
  TEST_ASSERT_GREATER_THAN_UINT(0, beyond);
  call((const char *[WORDS]){"run", "m.xml", "-o", "s.wav"}, 2,
       "s.wav: a sound has a whole number of samples a second, say --grid 1/44100");
  call((const char *[WORDS]){"run", "m.xml", "-o", "s.wav", "--grid=0.3"}, 2,
       "s.wav: a sound has a whole number of samples a second, say --grid 1/44100");
}

static void test_unknown_ends_and_pipes_are_refused(void)
{
  call((const char *[WORDS]){"run", "m.xml", "-o", "r.xls"}, 2,
       "r.xls: a recording is a .csv, .h5 (HDF5), .jsonl (lines of JSON), .mat (MATLAB, Octave), "
       ".npy "
       "(NumPy), .raw (ngspice), .vcd (value changes) or .wav");
  g_autofree char *file = g_build_filename(dir, "r.xls", NULL);
  TEST_ASSERT_FALSE(g_file_test(file, G_FILE_TEST_EXISTS));
  call((const char *[WORDS]){"run", "m.xml", "-o", "r.csv", "-o", "r.csv"}, 2,
       "r.csv: something else is written into this file, too; name another one");
}

/* What a page shows comes from the run, so all of it but names is the same, whatever else there is.
 */
static void test_a_page_needs_no_csv(void)
{
  static const char *const forms[] = {"p.csv", "p.raw", "p.jsonl", "-"};
  g_autofree char *wanted = NULL;
  for (guint k = 0; k < G_N_ELEMENTS(forms); k++) {
    g_autofree char *out = said_by(
        (const char *[]){HY_PROGRAM, "run", "m.xml", "-o", forms[k], "--html", "p.html", NULL});
    gsize size;
    g_autofree char *page = read_file("p.html", &size);
    char *plots = strstr(page, "id=\"recording\">"), *end = strstr(plots, "</script>");
    TEST_ASSERT_TRUE(plots != NULL && end != NULL && strstr(plots, "\"points\":\"") != NULL);
    g_autofree char *shown = g_strndup(plots, (gsize)(end - plots));
    TEST_ASSERT_EQUAL_STRING(wanted != NULL ? wanted : shown, shown);
    TEST_ASSERT_EQUAL_INT(k < 3, strstr(page, "id=\"provenance\"") != NULL);
    g_free(wanted);
    wanted = g_steal_pointer(&shown);
  }
}

/* A limit of file sizes cuts; what is left are whole rows, and the head knows how many. */
static void test_what_is_kept_of_a_run_that_cannot_write_is_whole(void)
{
  const char script[] = "ulimit -f 8; exec \"$0\" run m.xml -o r.raw --until 1000";
  g_autofree char *out = said_by((const char *[]){"/bin/sh", "-c", script, HY_PROGRAM, NULL});
  gsize size;
  g_autofree char *raw = read_file("r.raw", &size);
  const char *end = strstr(raw, "Binary:\n"), *points = strstr(raw, "No. Points: ");
  TEST_ASSERT_TRUE(end != NULL && points != NULL);
  gsize head = (gsize)(end - raw) + strlen("Binary:\n");
  guint64 rows = g_ascii_strtoull(points + strlen("No. Points: "), NULL, 10);
  TEST_ASSERT_GREATER_THAN_UINT64(50, rows);
  TEST_ASSERT_EQUAL_size_t(head + rows * 5 * sizeof(double), size);
}

/* The same of HDF5: the end of the file that its head tells. */
static void test_h5_that_was_cut_ends_where_it_says(void)
{
  const char script[] = "ulimit -f 8; exec \"$0\" run m.xml -o r.h5 --until 1000";
  g_autofree char *out = said_by((const char *[]){"/bin/sh", "-c", script, HY_PROGRAM, NULL});
  gsize size;
  g_autofree char *h5 = read_file("r.h5", &size);
  guint64 end;
  memcpy(&end, h5 + 40, sizeof end);
  TEST_ASSERT_EQUAL_UINT64(size, GUINT64_FROM_LE(end));
  TEST_ASSERT_GREATER_THAN_size_t(2000, size);
}

/* Nobody can tidy up then; still what is there can be read, but for what was handed on last: rows
 * come first and their number after them. */
static void test_a_killed_run_leaves_what_can_be_read(void)
{
  const char script[] = "\"$0\" run m.xml -o r.h5 --until 1e7 2>/dev/null & run=$!\n"
                        "while kill -0 $run && [ $(wc -c <r.h5 2>/dev/null || echo 0) -lt 300000 "
                        "]; do sleep 0.02; done\n"
                        "kill -9 $run; wait $run 2>/dev/null; true";
  g_autofree char *said = said_by((const char *[]){"/bin/sh", "-c", script, HY_PROGRAM, NULL});
  gsize size;
  g_autofree char *h5 = read_file("r.h5", &size);
  guint64 end;
  memcpy(&end, h5 + 40, sizeof end);
  end = GUINT64_FROM_LE(end);
  TEST_ASSERT_LESS_OR_EQUAL_UINT64(size, end);
  TEST_ASSERT_LESS_OR_EQUAL_UINT64(end + HY_RECORD_BUFFER + 5 * sizeof(double), size);
}

static void test_times_beyond_all_ticks_are_refused(void)
{
  call((const char *[WORDS]){"run", "m.xml", "-o", "r.vcd", "--until=1e30", "--grid=1e30"}, 2,
       "r.vcd: value changes count up to 2^53 s, and the run goes on to 1e+30");
}

/* The heads of HDF5 have an end. */
static void test_too_many_columns_for_h5_are_refused(void)
{
  g_autofree char *file = g_build_filename(dir, "n.xml", NULL);
  const char wide[] =
      "<hydevs xmlns=\"urn:hydevs:1\" name=\"n\"><integrator name=\"x\" count=\"2500\" "
      "in=\"1\"/><experiment stop=\"1\" grid=\"1\" method=\"qss2\" record=\"x[*]\"/></hydevs>\n";
  TEST_ASSERT_TRUE(g_file_set_contents(file, wide, -1, NULL));
  call((const char *[WORDS]){"run", "n.xml", "-o", "n.h5"}, 2,
       "n.h5: 2500 columns are too many for HDF5, whose heads have 64 KiB");
  call((const char *[WORDS]){"run", "n.xml", "-o", "n.mat"}, 0, "n.mat: 2500 columns, 2 rows");
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_raw_is_what_ngspice_reads);
  RUN_TEST(test_ngspice_loads_it);
  RUN_TEST(test_npy_is_an_array_of_records);
  RUN_TEST(test_numpy_loads_it);
  RUN_TEST(test_scipy_loads_mat);
  RUN_TEST(test_h5py_loads_h5);
  RUN_TEST(test_h5dump_reads_every_number);
  RUN_TEST(test_rows_of_mat_and_h5_are_those_of_csv);
  RUN_TEST(test_gtkwave_converts_vcd);
  RUN_TEST(test_wav_is_sound);
  RUN_TEST(test_vcd_tells_every_change);
  RUN_TEST(test_vcd_counts_in_larger_ticks_in_long_runs);
  RUN_TEST(test_jsonl_has_an_object_a_row);
  RUN_TEST(test_unknown_ends_and_pipes_are_refused);
  RUN_TEST(test_a_page_needs_no_csv);
  RUN_TEST(test_what_is_kept_of_a_run_that_cannot_write_is_whole);
  RUN_TEST(test_h5_that_was_cut_ends_where_it_says);
  RUN_TEST(test_too_many_columns_for_h5_are_refused);
  RUN_TEST(test_a_killed_run_leaves_what_can_be_read);
  RUN_TEST(test_times_beyond_all_ticks_are_refused);
  return UNITY_END();
}
