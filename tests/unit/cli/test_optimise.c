/* hydevs optimise: known parameters are found again, and what is asked wrongly is said. */
#include "model_file.h"

#include <math.h>
#include <stdio.h>

#ifdef HY_NLOPT

#define RC                                                                                         \
  "<hydevs xmlns='urn:hydevs:1' name='rc'><param name='R' value='1k' min='%s'/>"                   \
  "<param name='C' value='1u'/><integrator name='u' in='i/C' unit='V'/>"                           \
  "<function name='i' formula='(5 - u)/R' unit='A'/><experiment stop='10m'%s/></hydevs>"

static void rc(const char *least, const char *more)
{
  g_autofree char *text = g_strdup_printf(RC, least, more);
  TEST_ASSERT_TRUE(g_file_set_contents(file, text, -1, NULL));
}

/* The charging of 321 nF by 5 V through 2345.6 Ohm, every 50 us. */
static char *measured(const char *head, double t, double u)
{
  char *csv = g_build_filename(dir, "measured.csv", NULL);
  g_autoptr(GString) text = g_string_new(head);
  for (guint k = 0; k < 40; k++) {
    double e = exp(-(50e-6 * k) / (2345.6 * 321e-9));
    g_string_append_printf(text, "\n%.17g,%.17g,%.17g", 50e-6 * k * t, 5 * (1 - e) * u,
                           5 * e / 2345.6);
  }
  TEST_ASSERT_TRUE(g_file_set_contents(csv, text->str, -1, NULL));
  return csv;
}

static double after(const char *text, const char *what)
{
  const char *at = strstr(text, what);
  TEST_ASSERT_NOT_NULL_MESSAGE(at, text);
  return g_ascii_strtod(at + strlen(what), NULL);
}

static void check_found(const char *out)
{
  TEST_ASSERT_DOUBLE_WITHIN(1e-6 * 2345.6, 2345.6, after(out, "R = "));
  TEST_ASSERT_DOUBLE_WITHIN(1e-6 * 321e-9, 321e-9, after(out, "C = "));
}

/* Whatever the experiment states, in any units. */
static void test_a_fit_finds_what_was_measured(void)
{
  g_autofree char *plain = NULL, *scaled = NULL;
  rc("0", " method='qss2'");
  g_autofree char *csv = measured("time,u,i", 1, 1);
  const char *const words[WORDS] = {"optimise",      file,    "--over", "R=log 10:1M", "--over",
                                    "C=log 1n:100u", "--fit", csv};
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, words, &plain, NULL));
  check_found(plain);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(plain, "block_liqss2"), plain);
  TEST_ASSERT_NULL_MESSAGE(strstr(plain, "quanta"), plain);
  g_free(measured("time [us],u [mV],i [A]", 1e6, 1e3));
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, words, &scaled, NULL));
  check_found(scaled);
  g_unlink(csv);
}

/* x'' + 2 z x' + x = 0 from 1, 0: the integral of x^2 + 3 x'^2 is (4 + 4 z^2)/(4 z), least at z =
 * 1; it overshoots by exp(-pi z/sqrt(1 - z^2)). No run is within its bounds: that is no
 * failure. */
#define FILTER                                                                                     \
  "<hydevs xmlns='urn:hydevs:1' name='lc' needs='1.4'><param name='R' value='5'/>"                 \
  "<integrator name='i' in='(1 - R*i - u)/1m'/><integrator name='u' in='i/10u'/>"                  \
  "<experiment stop='10m' method='liqss2'>"                                                        \
  "<measure name='error' value='integral((u - 1)^2 + 300*i^2)'/>"                                  \
  "<measure name='never' value='final(u)' max='0'/></experiment></hydevs>"

static double found_r(const char *const *words)
{
  g_autofree char *out = NULL, *err = NULL;
  const char *all[WORDS] = {"optimise", file, "--over", "R=1:100"};
  for (guint n = 4; *words != NULL; n++) {
    all[n] = *words++;
  }
  TEST_ASSERT_TRUE(g_file_set_contents(file, FILTER, -1, NULL));
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(dir, all, &out, &err), err);
  return after(out, "R = ");
}

#define FOUND_R(...) found_r((const char *const[]){__VA_ARGS__, NULL})

static void test_critical_damping_is_found(void)
{
  TEST_ASSERT_DOUBLE_WITHIN(2e-5, 20, FOUND_R("--minimise", "error"));
  TEST_ASSERT_DOUBLE_WITHIN(
      2e-5, 20, FOUND_R("--maximise", "1 / integral((u - 1)^2 + 300*i^2)", "-a", "direct"));
}

static void test_limits_are_kept(void)
{
  double z = log(0.04) / hypot(G_PI, log(0.04)), r = 20 * fabs(z);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, r,
                            FOUND_R("--minimise", "first(u > 0.9)", "--keep-below", "max(u)=1.04"));
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, r, FOUND_R("--minimise", "error", "--keep-above", "max(u)=1.04"));
  TEST_ASSERT_EQUAL_DOUBLE(100, FOUND_R("--minimise", "max(u)", "--keep-below", "error=1"));
}

static void test_limits_that_no_run_keeps_are_told(void)
{
  g_autofree char *out = NULL;
  TEST_ASSERT_TRUE(g_file_set_contents(file, FILTER, -1, NULL));
  TEST_ASSERT_EQUAL_INT(
      3, hydevs(dir,
                (const char *[WORDS]){"optimise", file, "--over", "R=1:100", "--minimise", "error",
                                      "--keep-below", "max(u)=0.5"},
                &out, NULL));
  TEST_ASSERT_TRUE_MESSAGE(g_str_has_prefix(out, "none of "), out);
}

/* Below 1.5 kOhm no model can be made; these runs stand in the table, too. */
static void test_runs_that_fail_are_rows(void)
{
  g_autofree char *out = NULL;
  rc("1.5k", "");
  g_autofree char *csv = measured("time,u,i", 1, 1), *table = g_build_filename(dir, "o.csv", NULL);
  const char *const words[WORDS] = {
      "optimise", file,   "--over", "R=500:10k", "--over", "C=log 100n:10u",
      "--start",  "R=2k", "--fit",  csv,         "-o",     table};
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, words, &out, NULL));
  check_found(out);
  double runs = after(out, "the least of "), failed = after(out, " runs, ");
  g_autofree char *rows = contents(table);
  g_auto(GStrv) line = g_strsplit(rows, "\n", -1);
  TEST_ASSERT_EQUAL_STRING("run,R,C,status,squares,events,why", line[0]);
  TEST_ASSERT_TRUE(failed > 0 && g_strv_length(line) == (guint)runs + 2);
  guint n = 0;
  for (guint k = 1; k <= (guint)runs; k++) {
    g_auto(GStrv) field = g_strsplit(line[k], ",", -1);
    gboolean low = g_ascii_strtod(field[1], NULL) < 1500;
    TEST_ASSERT_EQUAL_STRING(low ? "1" : "0", field[3]);
    TEST_ASSERT_EQUAL_INT(low, field[4][0] == '\0');
    TEST_ASSERT_EQUAL_INT(low, strstr(line[k], "below its minimum 1500") != NULL);
    n += low ? 1 : 0;
  }
  TEST_ASSERT_TRUE(failed == n);
  g_unlink(csv);
  g_unlink(table);
}

/* By quanta the answer says so, and is as near as they are. */
static void test_quanta_are_told(void)
{
  g_autofree char *out = NULL;
  rc("0", "");
  g_autofree char *csv = measured("time,u,i", 1, 1);
  TEST_ASSERT_EQUAL_INT(0,
                        hydevs(dir,
                               (const char *[WORDS]){"optimise", file, "--over", "R=1k:5k", "--set",
                                                     "C=321n", "-m", "qss2", "--fit", csv},
                               &out, NULL));
  TEST_ASSERT_NOT_NULL_MESSAGE(
      strstr(out, "steps down to 0.001 of the ranges: the steps are as small as asked; qss2"), out);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out, "states move in these quanta"), out);
  TEST_ASSERT_DOUBLE_WITHIN(40, 2345.6, after(out, "R = "));
  g_unlink(csv);
}

static void refused(int status, const char *csv, const char *const *words, const char *why)
{
  g_autofree char *out = NULL, *err = NULL, *measured_in = g_build_filename(dir, "m.csv", NULL);
  const char *all[WORDS] = {"optimise", file};
  guint n = 2;
  TEST_ASSERT_TRUE(g_file_set_contents(measured_in, csv, -1, NULL));
  while (*words != NULL) {
    all[n++] = *words++;
  }
  TEST_ASSERT_EQUAL_INT(status, hydevs(dir, all, &out, &err));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err, why), err);
  TEST_ASSERT_EQUAL_STRING("", out);
  g_unlink(measured_in);
}

#define REFUSED(status, csv, why, ...)                                                             \
  refused(status, csv, (const char *const[]){__VA_ARGS__, NULL}, why)
#define OVER_R "--over", "R=1k:2k"
#define FIT    "--fit", "m.csv"

static void test_what_is_asked_wrongly_is_said(void)
{
  const char *csv = "time,u\n0,0\n0.001,1\n";
  rc("0", "");
  REFUSED(2, csv, "over which parameters? say --over NAME=LEAST:MOST", FIT);
  REFUSED(2, csv, "what for? say --minimise, --maximise or --fit", OVER_R);
  REFUSED(2, csv, "--minimise, --maximise and --fit: one of them", OVER_R, FIT, "--minimise", "u");
  REFUSED(2, csv, "--over R: say NAME=LEAST:MOST", "--over", "R", FIT);
  REFUSED(2, csv, "--over R=1: say NAME=LEAST:MOST, two numbers", "--over", "R=1", FIT);
  REFUSED(2, csv, "--over R=2:1: the first number must be below the second", "--over", "R=2:1",
          FIT);
  REFUSED(2, csv, "--over R=log 0:1: both numbers of log are above 0", "--over", "R=log 0:1", FIT);
  REFUSED(2, csv, "--over R=1:2: R is there twice", OVER_R, "--over", "R=1:2", FIT);
  REFUSED(2, csv, "--start R=5: it is a number inside of what --over says", OVER_R, "--start",
          "R=5", FIT);
  REFUSED(2, csv, "--start C=5: --over names no such parameter", OVER_R, "--start", "C=5", FIT);
  REFUSED(2, csv, "--keep-below u: say MEASURE=NUMBER", OVER_R, "--keep-below", "u", FIT);
  REFUSED(2, csv, "simplex is none of bobyqa, cobyla, direct or crs2", OVER_R, "-a", "simplex",
          FIT);
  REFUSED(2, csv, "nowhere/o.csv: cannot be written: No such file or directory", OVER_R, FIT, "-o",
          "nowhere/o.csv");
  REFUSED(3, csv, "hydevs: first(u > 7): it never holds", OVER_R, "--minimise", "first(u > 7)");
  REFUSED(2, csv, "--refresh maybe: choose yes or no", OVER_R, FIT, "--refresh", "maybe");
  REFUSED(1, csv, "nothing is called", OVER_R, "--minimise", "max(q)");
  REFUSED(1, csv, "the model has no parameter \"Q\"", "--over", "Q=1:2", FIT);
  REFUSED(3, csv, "nothing.csv: cannot read", OVER_R, "--fit", "nothing.csv");
}

static void test_a_measurement_that_does_not_fit_is_refused(void)
{
  rc("0", "");
  REFUSED(2, "u,time\n0,0\n1,1\n", "m.csv: the first column is u; it must be time", OVER_R, FIT);
  REFUSED(2, "time,u\n0,0\n", "m.csv: it needs a column of times, one of values, and two rows",
          OVER_R, FIT);
  REFUSED(2, "time [h],u\n0,0\n1,1\n", "m.csv: the time is in h; it must be in s, ms ...", OVER_R,
          FIT);
  REFUSED(2, "time,u\n0,0\n0,1\n", "m.csv: row 2: its time is not above that of the row before",
          OVER_R, FIT);
  REFUSED(2, "time,u\n0,0\n1m,x\n", "m.csv: row 2: its time is not above", OVER_R, FIT);
  REFUSED(2, "time,u\n0,0\n1,x\n", "m.csv: column u: 1 of its values are no numbers", OVER_R, FIT);
  REFUSED(2, "time,u [A]\n0,0\n1,1\n", "m.csv: u is measured in A; the model has it in V", OVER_R,
          FIT);
  REFUSED(2, "time,u\n-1,0\n1,1\n", "u has no value at t = -1", OVER_R, FIT);
  REFUSED(2, "time,v\n0,0\n1,1\n", "m.csv: column 2: nothing matches \"v\"", OVER_R, FIT);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_fit_finds_what_was_measured);
  RUN_TEST(test_critical_damping_is_found);
  RUN_TEST(test_limits_are_kept);
  RUN_TEST(test_limits_that_no_run_keeps_are_told);
  RUN_TEST(test_runs_that_fail_are_rows);
  RUN_TEST(test_quanta_are_told);
  RUN_TEST(test_what_is_asked_wrongly_is_said);
  RUN_TEST(test_a_measurement_that_does_not_fit_is_refused);
  return UNITY_END();
}

#else

int main(void)
{
  puts("skipped: hydevs was built without NLopt");
  return 77;
}

#endif
