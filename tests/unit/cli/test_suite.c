/* Suites of hydevs bench: their pages against single comparisons, figures against closed forms. */
#define TOLERANCE "1e-3"
#include "small_model.h"

#include "suite.h"

#include <math.h>
#include <stdio.h>

#define DECAYS                                                                                     \
  "<param name=\"k\" value=\"1\"/>"                                                                \
  "<integrator name=\"x\" in=\"-k*x\" x0=\"1\"/>"                                                  \
  "<integrator name=\"y\" in=\"x - 2*y\" x0=\"2\"/>"

/* Writes a suite beside the model, and calls hydevs bench with it and up to four words. */
static int suite(const char *body, char **out, char **err, const char *const *words)
{
  g_autofree char *name = g_build_filename(dir, "suite.xml", NULL);
  g_autofree char *whole = g_strdup_printf("<suite title=\"S\">\n%s\n</suite>\n", body);
  TEST_ASSERT_TRUE(g_file_set_contents(name, whole, -1, NULL));
  const char *all[WORDS] = {"bench", "suite.xml"};
  for (guint k = 0; words[k] != NULL; k++) {
    all[k + 2] = words[k];
  }
  int status = hydevs(dir, all, out, err);
  g_unlink(name);
  return status;
}

/* The page; newly allocated. */
static char *page_of(const char *body, const char *const *words)
{
  char *out = NULL;
  g_autofree char *err = NULL;
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, suite(body, &out, &err, words), err);
  TEST_ASSERT_EQUAL_STRING("", err);
  return out;
}

#define PAGE(body, ...) page_of(body, (const char *const[]){__VA_ARGS__, NULL})

static void expect(const char *text, const char *part)
{
  if (strstr(text, part) == NULL) {
    g_autofree char *what = g_strdup_printf("no \"%s\" in:\n%s", part, text);
    TEST_FAIL_MESSAGE(what);
  }
}

/* Cells of the row of PAGE that begins with HEAD. */
static char **row_of(const char *page, const char *head)
{
  g_autofree char *start = g_strdup_printf("| %s |", head);
  g_auto(GStrv) lines = g_strsplit(page, "\n", -1);
  for (char **line = lines; *line != NULL; line++) {
    if (g_str_has_prefix(*line, start)) {
      return g_strsplit(*line + 2, " | ", -1);
    }
  }
  TEST_FAIL_MESSAGE(page);
  return NULL;
}

/* Member NAME of the only row of what hydevs bench --json says. */
static double single(const char *json, const char *name)
{
  g_autofree char *key = g_strdup_printf("\"%s\":", name);
  const char *at = strstr(json, key);
  TEST_ASSERT_NOT_NULL_MESSAGE(at, json);
  return g_ascii_strtod(at + strlen(key), NULL);
}

#define TABLE                                                                                      \
  "<table number=\"1.1\" title=\"two | of them\" model=\"model.xml\" method=\"qss2,liqss2\" "      \
  "tol=\"1e-2,1e-4\" until=\"3\" set=\"k=2\" repeat=\"1\">"                                        \
  "<printed by=\"DASSL\" tol=\"1e-2\" error=\"0.5\" evals=\"1234\" ms=\"7\"/>"                     \
  "<printed by=\"QSS2\" method=\"qss2\" tol=\"1e-4\" error=\"0.25\"/>"                             \
  "<note>Below\n   it.</note></table>"

/* Its numbers are those of one comparison, and what was printed stands in the row it belongs to. */
static void test_a_table_is_a_comparison_beside_what_was_printed(void)
{
  model(DECAYS);
  g_autofree char *page = PAGE(TABLE, NULL);
  expect(page, "# S\n\n## Table 1.1: two \\| of them\n\n| method | tol | printed error |");
  expect(page, "\n| DASSL | 1e-02 | 5.00e-01 | 1234 | 7 |  |  |  |  |  |  |\n");
  expect(page, "\n\nm: 2 states to t = 3; ");
  expect(page, "\n\nBelow it.\n");
  g_auto(GStrv) row = row_of(page, "QSS2: qss2");
  TEST_ASSERT_EQUAL_STRING("1e-4", row[1]);
  TEST_ASSERT_EQUAL_STRING("2.50e-01", row[2]);
  const char *words[WORDS] = {"bench", file,   "--json",     "-t",        "3",
                              "-m",    "qss2", "--tol=1e-4", "--set=k=2", "--repeat=1"};
  g_autofree char *json = NULL, *err = NULL;
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, words, &json, &err));
  g_autofree char *error = g_strdup_printf("%.2e", single(json, "error"));
  TEST_ASSERT_EQUAL_STRING(strstr(json, "\"error\":null") != NULL ? "" : error, row[5]);
  TEST_ASSERT_EQUAL_DOUBLE(single(json, "f_evals"), g_ascii_strtod(row[6], NULL));
  TEST_ASSERT_EQUAL_DOUBLE(single(json, "steps"), g_ascii_strtod(row[7], NULL));
  TEST_ASSERT_EQUAL_DOUBLE(single(json, "events"), g_ascii_strtod(row[8], NULL));
  g_auto(GStrv) other = row_of(page, "qss2"); /* at the tolerance that nobody has printed */
  TEST_ASSERT_EQUAL_STRING("1e-2", other[1]);
  TEST_ASSERT_EQUAL_STRING("", other[2]);
}

static void test_without_errors_there_is_no_reference(void)
{
  model(DECAYS);
  g_autofree char *page =
      PAGE("<table number=\"1\" title=\"t\" model=\"model.xml\" method=\"qss2\" tol=\"1e-3\" "
           "until=\"3\" repeat=\"1\" errors=\"no\"/>",
           NULL);
  expect(page, "| method | tol | error | f evals |");
  expect(page, "\nm: 2 states to t = 3; no errors: no reference was asked for.\n");
}

static void test_a_page_in_html_has_the_same_cells(void)
{
  model(DECAYS);
  g_autofree char *page = PAGE(TABLE, "--html"), *plain = PAGE(TABLE, NULL);
  g_auto(GStrv) row = row_of(plain, "QSS2: qss2");
  g_autofree char *cells = g_strdup_printf(
      "<tr><td>QSS2: qss2</td><td>1e-4</td><td>2.50e-01</td><td></td><td></td><td>%s</td>"
      "<td>%s</td>",
      row[5], row[6]);
  expect(page, "<h2>Table 1.1: two | of them</h2>\n<table>\n<tr><th>method</th>");
  expect(page, cells);
  expect(page, "</table>\n<p>m: 2 states to t = 3; ");
  TEST_ASSERT_TRUE(g_str_has_suffix(page, "<p>Below it.</p>\n</html>\n"));
}

#define FIGURE                                                                                     \
  "<figure number=\"2\" title=\"more\" model=\"model.xml\" method=\"qss2,qss3\" tol=\"1e-3\" "     \
  "until=\"3\" over=\"k\" values=\"1, 4\" repeat=\"1\"/>"

#define NO_PICTURE "No picture: no run has a time that the clock tells."

static void test_numbers_choose_what_is_run(void)
{
  model(DECAYS);
  g_autofree char *page = PAGE(TABLE FIGURE, "--only", "2");
  TEST_ASSERT_NULL(strstr(page, "Table"));
  expect(page, "## Figure 2: more\n\nCPU in ms, and how it grows:\n\n| k | qss2 | qss3 |\n");
  g_auto(GStrv) row = row_of(page, "4");
  TEST_ASSERT_TRUE(g_ascii_strtod(row[1], NULL) >= 0);
}

/* There may be none, as the clock may go in ticks: what is drawn is looked at below, with times
 * that are known. */
static void test_a_page_leads_to_its_pictures_or_says_why_not(void)
{
  g_autofree char *program = g_find_program_in_path("gnuplot"), *text = NULL;
  if (program == NULL) {
    TEST_IGNORE_MESSAGE("gnuplot is not installed: no picture drawn");
  }
  model(DECAYS);
  g_autofree char *said = PAGE(FIGURE, "--out", "page.md");
  g_autofree char *page = g_build_filename(dir, "page.md", NULL);
  g_autofree char *picture = g_build_filename(dir, "page-2.svg", NULL);
  TEST_ASSERT_EQUAL_STRING("", said);
  text = contents(page);
  gboolean drawn = g_file_test(picture, G_FILE_TEST_EXISTS);
  expect(text, drawn ? "\n![more](page-2.svg)\n" : "\n\n" NO_PICTURE "\n");
  g_unlink(page);
  g_unlink(picture);
  g_autofree char *html = PAGE(FIGURE, "--html");
  const char *after = "<h2>Figure 2: more</h2>\n";
  expect(html, strstr(html, NO_PICTURE) != NULL ? after : "<h2>Figure 2: more</h2>\n<svg");
}

/* Which is a result: the page is written, and says so. */
static void test_a_row_without_end_is_told_below(void)
{
  model("<integrator name=\"x\" in=\"1e9*(y - x)\"/><integrator name=\"y\" in=\"-y\" x0=\"1\"/>");
  g_autofree char *page =
      PAGE("<table number=\"1\" title=\"stiff\" model=\"model.xml\" method=\"qss2\" tol=\"1e-3\" "
           "until=\"3\" repeat=\"1\" limit=\"1\"/>",
           NULL);
  expect(page, "\n| qss2 | 1e-3 |  |  |  |  |  |  |\n");
  expect(page, "\n\nqss2, 1e-3: no end in 1 s, at t = ");
}

static void expect_error(int status, const char *body, const char *text, const char *word)
{
  g_autofree char *out = NULL, *err = NULL;
  TEST_ASSERT_EQUAL_INT(status, suite(body, &out, &err, (const char *const[]){word, NULL}));
  TEST_ASSERT_EQUAL_STRING(text, err);
  TEST_ASSERT_EQUAL_STRING("", out);
}

static void test_what_is_no_suite(void)
{
  model(DECAYS);
#define AT "hydevs: suite.xml:"
  expect_error(1, "<table number=\"1\"/>", AT "2: <table> needs title=\"...\"\n", NULL);
  expect_error(1, "\n<tabel/>",
               AT "3: <tabel> has no place here; a suite has <note>, <table> and <figure>\n", NULL);
  expect_error(1, "<table number=\"1\" title=\"t\" model=\"m\" method=\"a\" tool=\"1\"/>",
               AT "2: <table> has no attribute \"tool\"; it has number, title, model, method, tol, "
                  "engine, experiment, until, set, repeat, limit, errors\n",
               NULL);
#define PLAIN "<table number=\"1\" title=\"t\" model=\"m\" method=\"a\" "
  expect_error(1, PLAIN "limit=\"0\"/>", AT "2: limit=\"0\" is not a time above 0\n", NULL);
  expect_error(1, PLAIN "errors=\"yes\"/>", AT "2: errors=\"yes\": \"no\" leaves them out\n", NULL);
  expect_error(1,
               "<figure number=\"1\" title=\"t\" model=\"m\" method=\"a\" over=\"k\" "
               "values=\"1\" error=\"0.1\" errors=\"no\"/>",
               AT "2: error=\"0.1\" is not known with errors=\"no\"\n", NULL);
#define LIST "<figure number=\"1\" title=\"t\" model=\"m\" method=\"a\" over=\"k\" values="
  expect_error(1, LIST "\"1,,2\"/>", AT "2: values=\"1,,2\" are not numbers with commas between\n",
               NULL);
  expect_error(1, LIST "\"1\" error=\"x\"/>",
               AT "2: error=\"x\" are not numbers with commas between\n", NULL);
  expect_error(1, "<table number=\"../1\" title=\"t\" model=\"m\" method=\"a\"/>",
               AT "2: number=\"../1\" has more than letters, digits and dots\n", NULL);
  expect_error(1, PLAIN "repeat=\"0\"/>",
               AT "2: repeat=\"0\" is not a whole number from 1 to 10000\n", NULL);
  expect_error(1, PLAIN ">\n<printed by=\"x\" tol=\"1,2\"/></table>",
               AT "3: tol=\"1,2\" is not a number\n", NULL);
  expect_error(1, PLAIN "><quotient/></table>",
               AT "2: <quotient> has no place here; a table has <note> and <printed>\n", NULL);
  expect_error(1, PLAIN ">words</table>", AT "2: \"words\": text stands in a <note>\n", NULL);
  expect_error(1, "<note>a <b/></note>", AT "2: <b> within <note>, which is text alone\n", NULL);
  expect_error(2, PLAIN "/>",
               "hydevs bench: there is no file and no example \"m\"; see hydevs bench --help\n"
               "hydevs: suite.xml: table 1 cannot be run\n",
               NULL);
  expect_error(2, TABLE,
               "hydevs bench: --only: suite.xml has no table or figure \"9\"; see hydevs "
               "bench --help\n",
               "--only=9");
  expect_error(2, TABLE,
               "hydevs bench: --method: a suite says it for each of its tables; see "
               "hydevs bench --help\n",
               "--method=qss2");
}

/* Figures -------------------------------------------------------------------------------------- */

static BenchRow *add_row(GPtrArray *rows, const char *method, double tol, double ms, double error)
{
  BenchRow *row = g_new0(BenchRow, 1);
  double seconds = ms / 1e3;
  *row = (BenchRow){.method = (char *)method, .tolerance = tol, .error = error};
  row->tol = (char *)(tol == 1e-2 ? "1e-2" : "1e-3");
  row->run.end = isnan(ms) ? BENCH_NO_END : BENCH_DONE;
  row->seconds = g_array_new(FALSE, FALSE, sizeof(double));
  g_array_append_val(row->seconds, seconds);
  g_ptr_array_add(rows, row);
  return row;
}

static void row_free(gpointer data)
{
  g_array_unref(((BenchRow *)data)->seconds);
  g_free(data);
}

/* At N: a takes 2 N^3 and 4 N^3 ms with errors of 1/10 and 1/100, b 6 N and 12 N, but the finer
 * does not end at N = 8. */
static SuiteFigure *growth(const SuiteItem *item)
{
  SuiteFigure *figure = suite_figure_new(item);
  for (guint stages = 2; stages <= 8; stages *= 2) {
    double n = stages;
    g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(row_free);
    add_row(rows, "a", 1e-2, 2 * n * n * n, 0.1);
    add_row(rows, "b", 1e-2, 6 * n, 0.1);
    add_row(rows, "a", 1e-3, 4 * n * n * n, 0.01);
    add_row(rows, "b", 1e-3, n < 8 ? 12 * n : NAN, 0.01);
    suite_figure_add(figure, n, &(BenchTable){.rows = rows});
  }
  return figure;
}

static char *shown(const SuiteItem *item)
{
  SuitePage page = {.text = g_string_new(NULL)};
  g_autoptr(SuiteFigure) figure = growth(item);
  TEST_ASSERT_TRUE(suite_figure_show(figure, &page, NULL, NULL, NULL));
  return g_string_free(page.text, FALSE);
}

static void test_a_line_for_each_method_and_tolerance(void)
{
  SuiteQuotient q = {.of = (char *)"a", .to = (char *)"b", .at = 4, .error = NAN, .printed = 5};
  g_autoptr(GArray) quotients = g_array_new(FALSE, FALSE, sizeof q);
  g_array_append_val(quotients, q);
  SuiteItem item = {.title = (char *)"t",
                    .over = (char *)"N",
                    .tol = (char *)"1e-2,1e-3",
                    .quotients = quotients};
  g_autofree char *page = shown(&item);
  expect(page, "| N | a, 1e-2 | b, 1e-2 | a, 1e-3 | b, 1e-3 |\n");
  expect(page, "\n| 2 | 16 | 12 | 32 | 24 |\n| 4 | 128 | 24 | 256 | 48 |\n"
               "| 8 | 1024 | 48 | 2048 | - |\n| exponent | 3.00 | 1.00 | 3.00 | 1.00 |\n");
  expect(page, "\nCPU time of a over that of b at N = 4: printed 5, here 5.33.\n");
}

/* The cheapest run whose error is small enough. */
static void test_equal_errors(void)
{
  SuiteQuotient q = {.of = (char *)"a", .to = (char *)"b", .at = 4, .error = 0.05, .printed = 5};
  g_autoptr(GArray) quotients = g_array_new(FALSE, FALSE, sizeof q);
  g_array_append_val(quotients, q);
  SuiteItem item = {.title = (char *)"t",
                    .over = (char *)"N",
                    .tol = (char *)"1e-2,1e-3",
                    .error = (char *)"0.2,0.05,0.001",
                    .quotients = quotients};
  g_autofree char *page = shown(&item);
  expect(page, "\n| 4 | 128 (1e-02) | 256 (1e-03) | - | 24 (1e-02) | 48 (1e-03) | - |\n"
               "| 8 | 1024 (1e-02) | 2048 (1e-03) | - | 48 (1e-02) | - | - |\n"
               "| exponent | 3.00 | 3.00 | - | 1.00 | 1.00 | - |\n");
  expect(page, " at N = 4 and an error of 0.05: printed 5, here 5.33.\n");
}

/* A figure over 1, 2, 4 of a, which takes so many MS there, and of b, which takes 3 ms. */
static SuiteFigure *timed(const SuiteItem *item, const double *ms)
{
  SuiteFigure *figure = suite_figure_new(item);
  for (guint k = 0; k < 3; k++) {
    g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(row_free);
    add_row(rows, "a", 1e-2, ms[k], 0.1);
    add_row(rows, "b", 1e-2, ms[3], 0.1);
    suite_figure_add(figure, 1U << k, &(BenchTable){.rows = rows});
  }
  return figure;
}

/* The page of it, with its picture in the page. */
static char *drawn(const double *ms)
{
  SuiteQuotient q = {.of = (char *)"a", .to = (char *)"b", .at = 2, .error = NAN, .printed = 5};
  g_autoptr(GArray) quotients = g_array_new(FALSE, FALSE, sizeof q);
  g_array_append_val(quotients, q);
  SuiteItem item = {.title = (char *)"t", .over = (char *)"N", .quotients = quotients};
  SuitePage page = {.text = g_string_new(NULL), .html = TRUE};
  g_autoptr(SuiteFigure) figure = timed(&item, ms);
  g_autoptr(GError) error = NULL;
  g_autofree char *picture = g_build_filename(dir, "picture.svg", NULL);
  gboolean ok = suite_figure_show(figure, &page, picture, "picture.svg", &error);
  g_unlink(picture);
  g_autofree char *text = g_string_free(page.text, FALSE);
  TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : "");
  return g_steal_pointer(&text);
}

/* A time of 0 is one that the clock does not tell: it is no point of a picture, and no quotient. */
static void test_a_time_of_0_is_left_out(void)
{
  g_autofree char *program = g_find_program_in_path("gnuplot");
  if (program == NULL) {
    TEST_IGNORE_MESSAGE("gnuplot is not installed: no picture drawn");
  }
  g_autofree char *all = drawn((const double[]){6, 12, 24, 3});
  expect(all, "<svg");
  expect(all, "printed 5, here 4.");
  g_autofree char *some = drawn((const double[]){0, 12, 0, 0}); /* and nothing of b */
  expect(some, "<svg");
  expect(some, "printed 5, here not known.");
  expect(some, "<td>exponent</td><td>-</td><td>-</td>");
  g_autofree char *none = drawn((const double[]){0, 0, 0, 0});
  TEST_ASSERT_NULL(strstr(none, "<svg"));
  expect(none, NO_PICTURE);
  expect(none, "printed 5, here not known.");
}

/* Instructions --------------------------------------------------------------------------------- */

/* What callgrind collects of hydevs run, which records nothing. */
static double instructions_of_a_run(void)
{
  const char *argv[] = {"valgrind",
                        "--tool=callgrind",
                        "--callgrind-out-file=/dev/null",
                        "--toggle-collect=hy_sim_run",
                        HY_PROGRAM,
                        "run",
                        file,
                        "-t",
                        "20",
                        NULL};
  g_autofree char *err = NULL, *out = NULL;
  TEST_ASSERT_TRUE(g_spawn_sync(NULL, hy_key(argv), NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out,
                                &err, NULL, NULL));
  const char *at = strstr(err, "Collected : ");
  TEST_ASSERT_NOT_NULL_MESSAGE(at, err);
  return g_ascii_strtod(at + strlen("Collected : "), NULL);
}

static void test_instructions_are_those_of_a_run(void)
{
  g_autofree char *program = g_find_program_in_path("valgrind"), *out = NULL, *err = NULL;
  if (program == NULL) {
    TEST_IGNORE_MESSAGE("valgrind is not installed: nothing counted");
  }
  model("<integrator name=\"s\" in=\"c\"/><integrator name=\"c\" in=\"-s\" x0=\"1\"/>");
  const char *words[WORDS] = {"bench", file,         "--json",        "-t", "20", "-m",
                              "qss2",  "--repeat=1", "--instructions"};
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(dir, words, &out, &err), err);
  double wanted = instructions_of_a_run();
  TEST_ASSERT_DOUBLE_WITHIN(0.1 * wanted, wanted, single(out, "instructions"));
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_table_is_a_comparison_beside_what_was_printed);
  RUN_TEST(test_without_errors_there_is_no_reference);
  RUN_TEST(test_a_page_in_html_has_the_same_cells);
  RUN_TEST(test_numbers_choose_what_is_run);
  RUN_TEST(test_a_page_leads_to_its_pictures_or_says_why_not);
  RUN_TEST(test_a_row_without_end_is_told_below);
  RUN_TEST(test_what_is_no_suite);
  RUN_TEST(test_a_line_for_each_method_and_tolerance);
  RUN_TEST(test_equal_errors);
  RUN_TEST(test_a_time_of_0_is_left_out);
  RUN_TEST(test_instructions_are_those_of_a_run);
  return UNITY_END();
}
