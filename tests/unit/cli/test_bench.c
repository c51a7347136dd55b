/* hydevs bench: its rows against closed forms, other programs and other runs. */
#define TOLERANCE "1e-3"
#include "small_model.h"

#include "bench.h"
#include "results/csv_read.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* Calls hydevs bench with up to six words; what it prints is newly allocated. */
static char *bench(int status, const char *const *words)
{
  const char *all[WORDS] = {"bench"};
  char *out = NULL;
  g_autofree char *err = NULL;
  for (guint k = 0; words[k] != NULL; k++) {
    all[k + 1] = words[k];
  }
  TEST_ASSERT_EQUAL_INT_MESSAGE(status, hydevs(dir, all, &out, &err), err);
  TEST_ASSERT_EQUAL_STRING("", err);
  return out;
}

#define BENCH(status, ...) bench(status, (const char *const[]){__VA_ARGS__, NULL})

/* The object of the row whose METHOD (and TOL, if not NULL) it is; newly allocated. */
static char *row_of(const char *json, const char *method, const char *tol)
{
  g_autofree char *of_method = g_strdup_printf("\"method\":\"%s\"", method);
  g_autofree char *of_tol = tol != NULL ? g_strdup_printf("\"tol\":%s,", tol) : g_strdup("");
  g_auto(GStrv) lines = g_strsplit(json, "\n", -1);
  for (char **line = lines; *line != NULL; line++) {
    if (strstr(*line, of_method) != NULL && strstr(*line, of_tol) != NULL) {
      return g_strdup(*line);
    }
  }
  TEST_FAIL_MESSAGE(json);
  return NULL;
}

static double member(const char *row, const char *name)
{
  g_autofree char *key = g_strdup_printf("\"%s\":", name);
  const char *at = strstr(row, key);
  TEST_ASSERT_NOT_NULL_MESSAGE(at, name);
  at += strlen(key);
  return g_str_has_prefix(at, "null") ? NAN : g_ascii_strtod(at, NULL);
}

static void expect_text(const char *row, const char *text)
{
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(row, text), row);
}

#define DECAYS                                                                                     \
  "<integrator name=\"x\" in=\"-x\" x0=\"1\"/>"                                                    \
  "<integrator name=\"y\" in=\"x - 2*y\" x0=\"2\"/>"

/* x = e^-t, y = e^-t + e^-2t */
static double error_of_a_run(const char *method)
{
  g_autofree char *csv = g_build_filename(dir, "out.csv", NULL), *side = NULL, *out = NULL;
  g_autofree char *err = NULL;
  const char *words[WORDS] = {"run", file, "-t",  "2",  "-g", "400u", "-r",
                              "x.x", "-r", "y.x", "-o", csv,  "-m",   method};
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(dir, words, &out, &err), err);
  g_autoptr(HyTable) table = hy_table_read(csv, NULL);
  TEST_ASSERT_EQUAL_UINT(BENCH_SAMPLES + 1, table->n_rows);
  double above = 0, below = 0;
  for (gsize k = 1; k < table->n_rows; k++) {
    double e = exp(-table->column[0].v[k]), x = e, y = e + e * e;
    above += pow(table->column[1].v[k] - x, 2) + pow(table->column[2].v[k] - y, 2);
    below += x * x + y * y;
  }
  side = g_strconcat(csv, ".json", NULL);
  g_unlink(csv);
  g_unlink(side);
  return sqrt(above / below);
}

#ifdef HY_SUNDIALS
static void test_errors_are_those_of_closed_forms(void)
{
  model(DECAYS);
  g_autofree char *json = BENCH(0, file, "--json", "-t", "2", "-m", "qss1,qss3", "-k", "2");
  static const char *const methods[] = {"qss1", "qss3"};
  for (guint k = 0; k < G_N_ELEMENTS(methods); k++) {
    g_autofree char *row = row_of(json, methods[k], "0.001");
    double error = error_of_a_run(methods[k]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3 * error, error, member(row, "error"));
    TEST_ASSERT_TRUE(member(row, "error_worst_state") >= member(row, "error"));
    expect_text(row, "\"model\":\"m\",\"N\":2,");
    expect_text(row, "\"reference\":\"cvode_bdf 1e-9\"");
    expect_text(row, "\"ratio_cvode\":null");
    expect_text(row, "\"end\":\"done\",\"why\":null");
    TEST_ASSERT_TRUE(member(row, "cpu_min_ms") >= 0); /* 0: less than the clock can tell */
    TEST_ASSERT_TRUE(member(row, "cpu_median_ms") >= member(row, "cpu_min_ms"));
  }
}

/* Of cvode_bdf an evaluation is one of both states; nothing jumps, so the partition is cvode_bdf.
 */
static void test_solvers_evaluate_all_states_at_once(void)
{
  model(DECAYS);
  const char *words[WORDS] = {"run", file, "-t", "2", "-m", "cvode_bdf", "--stats=json"};
  g_autofree char *json =
      BENCH(0, file, "--json", "-t", "2", "-m", "partition,cvode_bdf", "-k", "1");
  g_autofree char *row = row_of(json, "cvode_bdf", NULL),
                  *divided = row_of(json, "partition", NULL);
  g_autofree char *out = NULL, *err = NULL;
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, words, &out, &err));
  const char *at = strstr(out, "\"classic\": {");
  const char *evaluations = strstr(at, "\"evaluations\": ") + strlen("\"evaluations\": ");
  TEST_ASSERT_EQUAL_DOUBLE(2 * g_ascii_strtod(evaluations, NULL), member(row, "f_evals"));
  TEST_ASSERT_EQUAL_DOUBLE(member(row, "f_evals"), member(divided, "f_evals"));
  TEST_ASSERT_EQUAL_DOUBLE(member(row, "error"), member(divided, "error"));
}

/* What another method did is not said to be of the one that was asked for. */
static void test_a_method_that_gave_way_is_named_with_the_other(void)
{
  static const char *const name = "block_liqss2 -> block_liqss2_quantum";
  model("<integrator name=\"x\" in=\"-x*x\" x0=\"1\"/>");
  g_autofree char *json = BENCH(0, file, "--json", "-t", "2", "-m", "block_liqss2", "-k", "1");
  g_autofree char *row = row_of(json, name, NULL);
  expect_text(row, ",\"stated\":\"block_liqss2\",\"because\":\"they are not linear while no "
                   "switch turns\",");
  g_autofree char *text = BENCH(0, file, "-t", "2", "-m", "block_liqss2", "-k", "1");
  expect_text(text, "\nblock_liqss2 -> block_liqss2_quantum 0.001   fused ");
  expect_text(text, "\nblock_liqss2 0.001: block_liqss2_quantum in its place in 1 of 1 groups of "
                    "states, from t = 0 on: they are not linear while no switch turns\n");
}

static void test_a_reference_that_fails_leaves_the_counts(void)
{
  model("<integrator name=\"x\" in=\"1/(2 - x)\" x0=\"1\"/>"); /* x = 2 at t = 1/2 */
  g_autofree char *out = BENCH(0, file, "-t", "2", "-m", "liqss2", "-k", "1");
  expect_text(out, "no errors: the reference, cvode_bdf 1e-9, has failed: x: cvode_bdf: ");
}
#endif

/* Two calls say the same; so does a run with --stats, where nobody records. */
static void test_counts_are_those_of_a_run(void)
{
  model(DECAYS);
  g_autofree char *a = BENCH(0, file, "--json", "-t", "2", "-m", "qss2", "-k", "3", "-e", "flat");
  g_autofree char *b = BENCH(0, file, "--json", "-t", "2", "-m", "qss2", "-k", "1", "-e", "flat");
  g_autofree char *row = row_of(a, "qss2", NULL), *again = row_of(b, "qss2", NULL);
  g_autofree char *out = NULL, *err = NULL;
  const char *words[WORDS] = {"run", file, "-t", "2", "-m", "qss2", "-e", "flat", "--stats=json"};
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, words, &out, &err));
  double derivatives = 0;
  for (const char *at = out; (at = strstr(at, "\"integrator\"")) != NULL; at++) {
    derivatives += g_ascii_strtod(strstr(at, "\"external\": ") + strlen("\"external\": "), NULL);
  }
  TEST_ASSERT_EQUAL_DOUBLE(derivatives, member(row, "f_evals"));
  static const struct {
    const char *mine, *of_run;
  } counts[] = {{"steps", "\"steps\": "}, {"events", "\"cycles\": "}};
  for (guint k = 0; k < G_N_ELEMENTS(counts); k++) {
    const char *at = strstr(out, counts[k].of_run) + strlen(counts[k].of_run);
    TEST_ASSERT_EQUAL_DOUBLE(g_ascii_strtod(at, NULL), member(row, counts[k].mine));
    TEST_ASSERT_EQUAL_DOUBLE(member(again, counts[k].mine), member(row, counts[k].mine));
  }
}

/* A switch moves 19 times between the ends of ten periods, and cos t changes its sign 3 times. */
static void test_toggles_between_the_ends_are_counted(void)
{
  model("<pwm name=\"gate\" period=\"1\" duty=\"0.5\"/>"
        "<switch name=\"r\" control=\"gate\" on=\"1\" off=\"3\"/>"
        "<integrator name=\"s\" in=\"c\"/><integrator name=\"c\" in=\"-s\" x0=\"1\"/>"
        "<integrator name=\"y\" in=\"if(c > 0, 1, 0) - r*y\"/>");
  static const char *const methods[] = {"qss3", "rkf45", "block_liqss2"};
  static const char *const engines[] = {"tree", "flat", "fused"};
  for (guint k = 0; k < G_N_ELEMENTS(methods); k++) {
    for (guint j = 0; j < G_N_ELEMENTS(engines); j++) {
      g_autofree char *json =
          BENCH(0, file, "--json", "-t", "10", "-m", methods[k], "-k", "1", "-e", engines[j]);
      g_autofree char *row = row_of(json, methods[k], NULL);
      TEST_ASSERT_EQUAL_DOUBLE_MESSAGE(19 + 3, member(row, "toggles"), row);
    }
  }
}

/* Of 1e9 steps; the other row is not touched by it. */
static void test_a_method_that_does_not_end_is_told(void)
{
  model("<integrator name=\"x\" in=\"1e9*(y - x)\"/><integrator name=\"y\" in=\"-y\" x0=\"1\"/>");
  g_autofree char *json =
      BENCH(3, file, "--json", "-t", "3", "-m", "qss2,liqss2", "-k", "2", "--limit", "0.2");
  g_autofree char *slow = row_of(json, "qss2", NULL), *fast = row_of(json, "liqss2", NULL);
  expect_text(slow, "\"cpu_min_ms\":null");
  expect_text(slow, "\"steps\":null");
  expect_text(slow, "\"end\":\"no end\",\"why\":\"no end in 0.2 s, at t = ");
  expect_text(fast, "\"end\":\"done\"");
  g_autofree char *text = BENCH(3, file, "-t", "3", "-m", "qss2", "-k", "1", "--limit", "0.2");
  expect_text(text, "\nqss2   0.001   fused   no end in 0.2 s, at t = ");
}

static void hangs(gpointer user, BenchRun *run)
{
  (void)user;
  run->since = bench_cpu();
  run->t = 7;
  while (bench_cpu() >= 0) {
  }
}

static void dies(gpointer user, BenchRun *run)
{
  (void)user, (void)run;
  kill(getpid(), SIGKILL);
}

static void says(gpointer user, BenchRun *run)
{
  printf("%s\nand more\n", (const char *)user);
  run->end = BENCH_FAILED;
}

static void test_a_child_is_watched(void)
{
  BenchRun run;
  char *said;
  bench_child(hangs, NULL, 0.05, &run, &said);
  TEST_ASSERT_EQUAL_INT(BENCH_NO_END, run.end);
  TEST_ASSERT_EQUAL_DOUBLE(7, run.t);
  g_free(said);
  bench_child(dies, NULL, 1, &run, &said);
  TEST_ASSERT_EQUAL_INT(BENCH_FAILED, run.end);
  TEST_ASSERT_EQUAL_STRING("it died: Killed", run.why);
  g_free(said);
  bench_child(says, (gpointer) "why", 1, &run, &said);
  TEST_ASSERT_EQUAL_INT(BENCH_FAILED, run.end);
  TEST_ASSERT_EQUAL_STRING("why", run.why);
  TEST_ASSERT_EQUAL_STRING("why\nand more\n", said);
  g_free(said);
}

static void test_a_method_that_fails_is_told(void)
{
  model("<integrator name=\"x\" in=\"-1\" x0=\"1\"/><integrator name=\"y\" in=\"sqrt(x)\"/>");
  g_autofree char *json = BENCH(3, file, "--json", "-t", "3", "-m", "qss1", "-k", "2");
  g_autofree char *row = row_of(json, "qss1", NULL);
  expect_text(row, "\"end\":\"failed\",\"why\":\"y:in: ");
}

static void test_rows_are_methods_tolerances_and_engines(void)
{
  model(DECAYS);
  g_autofree char *out = BENCH(0, file, "-t", "1", "-m", "qss2,liqss2", "--tol", "1e-2,1e-4",
                               "--engine", "flat,tree", "-k", "1");
  static const char *const rows[] = {"\nqss2   1e-2    flat ", "\nliqss2 1e-2    flat ",
                                     "\nqss2   1e-2    tree ", "\nliqss2 1e-2    tree ",
                                     "\nqss2   1e-4    flat ", "\nliqss2 1e-4    flat ",
                                     "\nqss2   1e-4    tree ", "\nliqss2 1e-4    tree "};
  const char *at = out;
  for (guint k = 0; k < G_N_ELEMENTS(rows); k++) {
    at = strstr(at, rows[k]);
    TEST_ASSERT_NOT_NULL_MESSAGE(at, rows[k]);
  }
}

/* Of the model, not of each row; an error of a row is. */
static void test_warnings_are_said_once(void)
{
  model("<integrator name=\"x\" in=\"-1\" unit=\"m\"/>"
        "<gain name=\"g\" k=\"2\" in=\"x\"/><out name=\"o\" from=\"x\" unit=\"s\"/>");
  g_autofree char *out = NULL, *err = NULL;
  const char *words[WORDS] = {"bench", file, "-t", "1", "-m", "qss2,liqss2", "-k", "1"};
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, words, &out, &err));
  g_auto(GStrv) lines = g_strsplit(err, "\n", -1);
  TEST_ASSERT_EQUAL_UINT_MESSAGE(2, g_strv_length(lines), err);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err, ": warning: "), err);
}

#ifdef HY_BY_HAND
/* The clock of a process may go in ticks, and a short run then takes nothing: it has no ratio. */
static void expect_ratio(const char *row, const char *hand)
{
  double its = member(hand, "cpu_min_ms");
  if (its > 0) {
    TEST_ASSERT_EQUAL_DOUBLE(1, member(hand, "ratio_cvode"));
    TEST_ASSERT_EQUAL_DOUBLE(member(row, "cpu_min_ms") / its, member(row, "ratio_cvode"));
  }
}

/* Equations of the examples and those written by hand in C have the same solution. */
static void test_examples_agree_with_what_was_written_by_hand(void)
{
  static const struct {
    const char *name, *set, *method, *experiment;
    double error;
  } all[] = {
      {"buck", NULL, "liqss2", "coarse", 1e-5},
      {"cuk", NULL, "liqss2", "coarse", 1e-5},
      {"buck-ls", NULL, "mliqss2", "coarse", 1e-5},
      {"buck-ld", NULL, "mliqss2", "fine", 1e-5},
      {"cuk-ls", NULL, "block_liqss2", "coarse", 1e-4},
      {"buck-ls-interleaved", "N=2", "block_liqss2", "coarse", 1e-5},
      {"cuk-ls-interleaved", "N=2", "block_liqss2", "coarse", 1e-5},
      {"buck-heatsink", "N=12", "liqss2", "coarse", 1e-5},
      {"cuk-interleaved", "N=2", "mliqss2", "start", 1e-5},
      {"cuk-interleaved", "N=2", "mliqss2", "shifted", 1e-4},
      {"tyson", "N=3", "mliqss2", "coarse", 1e-3},
      {"adr", "N=32", "mliqss2", "coarse", 1e-3},
      {"adr-varying", "N=32", "mliqss2", "cvode", 1e-3},
  };
  for (guint k = 0; k < G_N_ELEMENTS(all); k++) {
    g_autofree char *set = g_strconcat("--set=", all[k].set, NULL);
    g_autofree char *json =
        BENCH(0, all[k].name, "--json", "-k", "1", "--tol=1e-5", "-m", all[k].method, "-x",
              all[k].experiment, all[k].set != NULL ? set : "--strict");
    g_autofree char *row = row_of(json, all[k].method, NULL), *hand = row_of(json, "by_hand", NULL);
    g_autofree char *what = g_strdup_printf("%s: %s", all[k].name, row);
    TEST_ASSERT_TRUE_MESSAGE(member(row, "error") < all[k].error, what);
    expect_text(row, "\"reference\":\"hand-written CVODE 1e-9\"");
    expect_ratio(row, hand);
  }
}

/* Where nothing switches, CVODE is asked the same by both; rounding moves a few steps. */
static void test_cvode_takes_the_same_steps_for_both(void)
{
  static const char *const names[] = {"adr-varying", "tyson"};
  for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
    g_autofree char *json =
        BENCH(0, names[k], "--json", "-k", "1", "-m", "cvode_bdf", "--set=N=8", "--tol=1e-4");
    g_autofree char *row = row_of(json, "cvode_bdf", NULL), *hand = row_of(json, "by_hand", NULL);
    double steps = member(hand, "steps"), f_evals = member(hand, "f_evals");
    TEST_ASSERT_DOUBLE_WITHIN(0.05 * steps, steps, member(row, "steps"));
    TEST_ASSERT_DOUBLE_WITHIN(0.05 * f_evals, f_evals, member(row, "f_evals"));
  }
}

/* Edges of the switch and of the diode in 100 periods, which both find by themselves; cuk-ls blocks
 * once more in the first one. */
static void test_toggles_are_those_by_hand(void)
{
  static const char *const names[] = {"buck", "buck-ls", "cuk-ls"};
  static const double toggles[] = {398, 398, 400};
  for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
    g_autofree char *json =
        BENCH(0, names[k], "--json", "-k", "1", "-m", "block_liqss2,cvode_bdf", "--tol=1e-3");
    static const char *const rows[] = {"block_liqss2", "cvode_bdf", "by_hand"};
    for (guint j = 0; j < G_N_ELEMENTS(rows); j++) {
      g_autofree char *row = row_of(json, rows[j], NULL);
      TEST_ASSERT_EQUAL_DOUBLE_MESSAGE(toggles[k], member(row, "toggles"), row);
    }
  }
}

/* Other parameters than N are not those of the program. */
static void test_a_program_for_other_parameters_is_none(void)
{
  g_autofree char *json = BENCH(0, "buck", "--json", "-k", "1", "-m", "liqss2", "--set=R=7");
  TEST_ASSERT_NULL(strstr(json, "by_hand"));
  expect_text(json, "\"reference\":\"cvode_bdf 1e-9\"");
}

static void test_the_row_of_mixed_mode_is_named_mixed(void)
{
  g_autofree char *out = BENCH(0, "adr-varying", "--set=N=20", "-k", "1");
  static const char *const rows[] = {"\ncvode_bdf ", "\nliqss2 ", "\nmliqss2 ", "\nmixed ",
                                     "\nby_hand "};
  const char *at = out;
  for (guint k = 0; k < G_N_ELEMENTS(rows); k++) {
    at = strstr(at, rows[k]);
    TEST_ASSERT_NOT_NULL_MESSAGE(at, out);
  }
}
#endif

static void expect_error(int status, const char *text, const char *word, const char *option)
{
  g_autofree char *out = NULL, *err = NULL;
  TEST_ASSERT_EQUAL_INT(
      status, hydevs(dir, (const char *[WORDS]){"bench", "--until=1", word, option}, &out, &err));
  TEST_ASSERT_EQUAL_STRING(text, err);
  TEST_ASSERT_EQUAL_STRING("", out);
}

static void test_wrong_words(void)
{
  model(DECAYS);
  expect_error(2,
               "hydevs bench: there is no file and no example \"bck\" (did you mean \"buck\"?); "
               "see hydevs bench --help\n",
               "bck", NULL);
  expect_error(2,
               "hydevs bench: there is no file and no example \"xyzxyz\"; see hydevs bench "
               "--help\n",
               "xyzxyz", NULL);
  expect_error(1, "--method: no method \"liqs2\"; did you mean \"liqss2\"?\n", file,
               "--method=liqs2");
  expect_error(2, "hydevs bench: --method=: names with commas between; see hydevs bench --help\n",
               file, "--method=");
  expect_error(2, "hydevs bench: --tol = x must be above 0; see hydevs bench --help\n", file,
               "--tol=1,x");
  expect_error(2,
               "hydevs bench: engine \"quick\": choose auto, tree, flat or fused; see hydevs bench "
               "--help\n",
               file, "--engine=quick");
  expect_error(2,
               "hydevs bench: --repeat takes a whole number from 1 to 10000; see hydevs bench "
               "--help\n",
               file, "--repeat=0");
  expect_error(2, "hydevs bench: --limit=0 is not a time above 0; see hydevs bench --help\n", file,
               "--limit=0");
  expect_error(2, "hydevs bench: which model?; see hydevs bench --help\n", NULL, NULL);
  expect_error(2,
               "hydevs bench: --grid is an option of other verbs; here it would do nothing; see "
               "hydevs bench --help\n",
               file, "--grid=1");
  model("<pulse name=\"p\" start=\"1\" end=\"2\"/>");
  expect_error(1,
               "hydevs: m: there is nothing to compare: no block of this model has a continuous "
               "state, as an integrator has\n",
               file, NULL);
}

int main(void)
{
  UNITY_BEGIN();
#ifdef HY_SUNDIALS
  RUN_TEST(test_errors_are_those_of_closed_forms);
  RUN_TEST(test_solvers_evaluate_all_states_at_once);
  RUN_TEST(test_a_method_that_gave_way_is_named_with_the_other);
  RUN_TEST(test_a_reference_that_fails_leaves_the_counts);
#endif
  RUN_TEST(test_counts_are_those_of_a_run);
  RUN_TEST(test_toggles_between_the_ends_are_counted);
  RUN_TEST(test_a_method_that_does_not_end_is_told);
  RUN_TEST(test_a_child_is_watched);
  RUN_TEST(test_a_method_that_fails_is_told);
  RUN_TEST(test_rows_are_methods_tolerances_and_engines);
  RUN_TEST(test_warnings_are_said_once);
#ifdef HY_BY_HAND
  RUN_TEST(test_examples_agree_with_what_was_written_by_hand);
  RUN_TEST(test_cvode_takes_the_same_steps_for_both);
  RUN_TEST(test_toggles_are_those_by_hand);
  RUN_TEST(test_a_program_for_other_parameters_is_none);
  RUN_TEST(test_the_row_of_mixed_mode_is_named_mixed);
#endif
  RUN_TEST(test_wrong_words);
  return UNITY_END();
}
