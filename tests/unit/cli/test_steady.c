/* hydevs steady, and a run that begins there, as a user calls them. */
#include "model_file.h"

#include <math.h>
#include <stdlib.h>

/* u' = (s - u)/tau: u is between a/(1 + a) and 1/(1 + a), a = e^(-T/2 tau); its fundamental is
 * 2/pi/hypot(1, 2 pi tau). */
#define LAG                                                                                        \
  "<hydevs xmlns='urn:hydevs:1' name='lag'><square name='s' frequency='1'/>"                       \
  "<integrator name='u' in='(s - u)/0.5'/>"                                                        \
  "<experiment stop='3' method='qss3' dqrel='1e-7' dqmin='1e-7' record='u' grid='0.5'/></hydevs>"

static void lag(void)
{
  TEST_ASSERT_TRUE(g_file_set_contents(file, LAG, -1, NULL));
}

static void test_the_state_and_what_it_means_are_told(void)
{
  g_autofree char *out = NULL, *err = NULL;
  lag();
  TEST_ASSERT_EQUAL_INT(
      0, hydevs(dir, (const char *[WORDS]){"steady", file, "--harmonics", "1"}, &out, &err));
  TEST_ASSERT_EQUAL_STRING("", err);
  TEST_ASSERT_TRUE_MESSAGE(g_str_has_prefix(out, "lag: period 1 s, of s (square)\nfound in 3 "
                                                 "periods, 1 of them steps of Newton's method"),
                           out);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out, "\n  u       0.2689414214\n"), out);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out, "\n  0.13533528\nstable: what disturbs it is down to "
                                           "1 % after 3 periods (3 s)\n"),
                               out);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out, "  1. 0.193096 at -162.3 degrees"), out);
}

static void test_the_same_as_data(void)
{
  g_autofree char *out = NULL;
  lag();
  TEST_ASSERT_EQUAL_INT(0,
                        hydevs(dir, (const char *[WORDS]){"steady", file, "--json"}, &out, NULL));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out, "\"exact\": true"), out);
  const char *monodromy = strstr(out, "\"monodromy\": [\n    [");
  TEST_ASSERT_NOT_NULL_MESSAGE(monodromy, out);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, exp(-2.0), strtod(strrchr(monodromy, '[') + 1, NULL));
}

/* By the method of the model, QSS3: the same value at every period, from the first on. */
static void test_a_run_begins_there(void)
{
  g_autofree char *out = NULL, *err = NULL;
  lag();
  TEST_ASSERT_EQUAL_INT(
      0, hydevs(dir, (const char *[WORDS]){"run", file, "--from-steady", "-o", "-"}, &out, &err));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err, "from the steady state of period 1 s, found in 3"), err);
  g_auto(GStrv) line = g_strsplit(out, "\n", -1);
  double low = exp(-1.0) / (1.0 + exp(-1.0));
  for (guint k = 0; k <= 6; k++) {
    const char *value = strchr(line[k + 1], ',') + 1;
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, k % 2 == 0 ? low : 1.0 - low, g_ascii_strtod(value, NULL));
  }
}

static void test_its_period_is_in_the_provenance(void)
{
  g_autofree char *csv = g_build_filename(dir, "lag.csv", NULL);
  g_autofree char *beside = g_strconcat(csv, ".json", NULL);
  lag();
  TEST_ASSERT_EQUAL_INT(
      0,
      hydevs(dir, (const char *[WORDS]){"run", file, "--from-steady", "--period", "2", "-o", csv},
             NULL, NULL));
  g_autofree char *told = contents(beside);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(told, "\"from_steady\": 2,"), told);
  g_unlink(csv);
  g_unlink(beside);
}

static void refused(const char *verb, const char *period, const char *why)
{
  g_autofree char *err = NULL;
  const char *words[WORDS] = {verb, file, "--period", period, NULL};
  words[4] = strcmp(verb, "bode") == 0 ? "--from=s" : NULL;
  words[5] = words[4] != NULL ? "--to=u" : NULL;
  TEST_ASSERT_EQUAL_INT(1, hydevs(dir, words, NULL, &err));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err, why), err);
}

/* The source is high for half a second, so a short period may well come back once. */
static void test_a_period_must_be_one_of_the_sources(void)
{
  lag();
  refused("steady", "1.5",
          "a further period of 1.5 s from the state that was found ends elsewhere");
  refused("steady", "0.01", "ends elsewhere; s (square) repeats after 1 s");
  refused("bode", "0.01", "ends elsewhere; s (square) repeats after 1 s");
}

/* v' = s - v^2 has no exact steps, and is told at the tolerances of a steady state wherever it
 * begins; v^2 has the mean 1/2 of s, so v is near its root, and a period makes e^(-2 v T). */
static void test_a_run_of_what_is_not_linear_begins_there(void)
{
  g_autofree char *out = NULL, *err = NULL, *state = NULL;
  TEST_ASSERT_TRUE(g_file_set_contents(
      file,
      "<hydevs xmlns='urn:hydevs:1' name='bent'><square name='s' frequency='1k'/>"
      "<integrator name='v' in='s - v^2'/>"
      "<experiment stop='5m' record='v' grid='1m'/></hydevs>",
      -1, NULL));
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, (const char *[WORDS]){"steady", file}, &state, NULL));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(state, "because its states have no exact steps: they are not "
                                             "linear while no switch turns"),
                               state);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(state, "mean and rms: not known"), state);
  TEST_ASSERT_EQUAL_INT(
      0, hydevs(dir, (const char *[WORDS]){"run", file, "--from-steady", "-o", "-"}, &out, &err));
  TEST_ASSERT_DOUBLE_WITHIN(3e-4, sqrt(0.5), g_ascii_strtod(strstr(out, "\n0,") + 3, NULL));
}

static void test_what_makes_no_sense_is_refused(void)
{
  g_autofree char *err = NULL;
  lag();
  TEST_ASSERT_EQUAL_INT(
      2, hydevs(dir, (const char *[WORDS]){"run", file, "--period", "1"}, NULL, &err));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err, "it goes with --from-steady"), err);
  g_clear_pointer(&err, g_free);
  TEST_ASSERT_EQUAL_INT(
      2, hydevs(dir, (const char *[WORDS]){"steady", file, "--period", "-1"}, NULL, &err));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err, "--period=-1 must be a time above 0"), err);
}

#define EXPECT(status, said, wrong, ...)                                                           \
  do {                                                                                             \
    g_autofree char *o = NULL, *w = NULL;                                                          \
    TEST_ASSERT_EQUAL_INT(status, hydevs(dir, (const char *[WORDS]){__VA_ARGS__}, &o, &w));        \
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(o, said), o);                                              \
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(w, wrong), w);                                             \
  } while (0)

/* The figures of examples/steady/README.md. */
static void test_the_example_is_as_its_page_says(void)
{
  g_autofree char *buck = repository("examples/steady/buck.xml");
  g_autofree char *peak = repository("examples/steady/peak.xml");
  EXPECT(0, "down to 1 % after 135 periods", "", "steady", buck);
  EXPECT(0,
         "\ncrossover at 8047.8 Hz, phase margin 62.95 degrees\n"
         "its phase is nowhere -180 degrees: no gain margin\n",
         "", "bode", buck, "--from", "e", "--to", "vc", "--loop");
  EXPECT(0, "a multiplier is -1.667, below -1", "", "steady", peak);
  EXPECT(0, "  -0.26315789\nstable", "", "steady", peak, "--set", "mc=100k");
}

/* What a source gives a lag by a resistance is lost in it, in the mean. */
static void test_powers_add_up(void)
{
  TEST_ASSERT_TRUE(g_file_set_contents(
      file,
      "<hydevs xmlns='urn:hydevs:1' name='lag'><square name='s' frequency='1'/>"
      "<integrator name='u' in='(s - u)/0.5'/><function name='pin' formula='s*(s - u)'/>"
      "<function name='pr' formula='(s - u)*(s - u)'/><function name='pu' formula='u*(s - u)'/>"
      "<experiment record='u'/></hydevs>",
      -1, NULL));
  double a = 1.0 / (1.0 + exp(-1.0)), in = a * 0.5 * -expm1(-1.0);
  g_autofree char *mean = g_strdup_printf("mean of pin = %.10g", in);
  EXPECT(0, mean, "", "steady", file, "--balance", "pin, pr,pu");
  EXPECT(0, "  pr = ", "", "steady", file, "--balance", "pin,pr");
  EXPECT(0, "100 %\n", "", "steady", file, "--balance", "pin,pr");
}

/* u/s = 1/(1 + j w tau), at w tau = 1, as a table and with the parameter stated twice. */
static void test_a_response_is_a_table(void)
{
  g_autofree char *out = NULL;
  TEST_ASSERT_TRUE(g_file_set_contents(
      file,
      "<hydevs xmlns='urn:hydevs:1' name='lag'><square name='s' frequency='1k'/>"
      "<param name='U' value='1'/><integrator name='u' in='(U + s - u)/1m'/></hydevs>",
      -1, NULL));
  const char *words[WORDS] = {
      "bode",     file, "--from", "U",   "--to", "u", "--low", "159.15494309189535",
      "--points", "1",  "--set",  "U=2", "-o",   "-"};
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, words, &out, NULL));
  g_auto(GStrv) line = g_strsplit(out, "\n", -1);
  g_auto(GStrv) number = g_strsplit(line[1], ",", -1);
  TEST_ASSERT_EQUAL_STRING("frequency,gain,phase", line[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-7, -10.0 * log10(2.0), g_ascii_strtod(number[1], NULL));
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, -45.0, g_ascii_strtod(number[2], NULL));
  EXPECT(2, "", "say what oscillates with --from NAME", "bode", file);
  EXPECT(1, "", "nobody", "bode", file, "--from", "nobody", "--to", "u");
  EXPECT(2, "", "--low=-3 must be a frequency above 0, in Hz", "bode", file, "--from", "U", "--to",
         "u", "--low", "-3");
}

/* Off for 0.7 s, on for 0.3 s; x is largest when it goes off, (1 - e^-1.2)/(1 - e^-4). */
#define BLINKS                                                                                     \
  "<hydevs xmlns='urn:hydevs:1' name='m'><machine name='b' initial='off'>"                         \
  "<state name='off' out='0'><after time='0.7' to='on'/></state>"                                  \
  "<state name='on' out='1'><after time='0.3' to='off'/></state></machine>"                        \
  "<integrator name='x' in='4*(b - x)'/><experiment stop='3' record='x' grid='1'/></hydevs>"

/* What it does by itself nobody knows: the period is to be stated, and a wrong one is found out. */
static void test_a_machine_wants_its_period_stated(void)
{
  const char *unknown = "b: machine: what it does by itself says no period; state that of the "
                        "model, --period T";
  TEST_ASSERT_TRUE(g_file_set_contents(file, BLINKS, -1, NULL));
  g_autofree char *x = g_strdup_printf("\n  x       %.10g\n", expm1(-1.2) / expm1(-4.0));
  EXPECT(0, x, "", "steady", file, "--period", "1");
  EXPECT(0, "\n1,0.71184", "from the steady state of period 1 s", "run", file, "--from-steady",
         "--period", "1", "-o", "-");
  EXPECT(0, "steady state of period 1 s", "", "bode", file, "--from", "x", "--to", "x", "--period",
         "1", "--points", "2");
  EXPECT(1, "", unknown, "steady", file);
  EXPECT(1, "", unknown, "run", file, "--from-steady", "-o", "-");
  EXPECT(1, "", unknown, "bode", file, "--from", "x", "--to", "x");
  EXPECT(1, "", "ends elsewhere; b (machine) does not repeat after that", "steady", file,
         "--period", "1.5");
}

/* One that hears a source may follow it alone, or not: a counter to 2 takes two periods of it. */
static void test_a_machine_that_hears_a_source_may_follow_it(void)
{
  static const char text[] =
      "<hydevs xmlns='urn:hydevs:1' name='m'><square name='s' frequency='1'/>"
      "<machine name='b' initial='low'>"
      "<state name='low' out='0'><when guard='s &gt; 0.5' to='high'/></state>"
      "<state name='high' out='1'><when guard='s &lt; 0.5' to='%s'/></state>"
      "<state name='next' out='2'><when guard='s &gt; 0.5' to='last'/></state>"
      "<state name='last' out='3'><when guard='s &lt; 0.5' to='low'/></state></machine>"
      "<integrator name='x' in='4*(b - x)'/></hydevs>";
  g_autofree char *follows = g_strdup_printf(text, "low"), *counts = g_strdup_printf(text, "next");
  g_autofree char *x = g_strdup_printf("\n  x       %.10g\n", exp(-2.0) / (1.0 + exp(-2.0)));
  TEST_ASSERT_TRUE(g_file_set_contents(file, follows, -1, NULL));
  EXPECT(0, x, "", "steady", file);
  TEST_ASSERT_TRUE(g_file_set_contents(file, counts, -1, NULL));
  EXPECT(1, "",
         "m: a second period from the state that was found ends elsewhere, so a block remembers",
         "steady", file);
  EXPECT(0, "period 2 s", "", "steady", file, "--period", "2");
}

/* A period in other units than was meant has a limit of its own, and no memory is filled. */
static void test_a_period_that_is_far_too_long_ends(void)
{
  lag();
  EXPECT(3, "",
         "lag: a period of 1000000000 s has more than 1000 events, at t = 249.5 (2.49e-05 % of "
         "it); state a "
         "shorter --period, or allow more by --max-events",
         "steady", file, "--period", "1e9", "--max-events", "1000");
  EXPECT(3, "",
         "lag: a period of 1000000000 s has more to be kept of it than 1 MiB, at t = ", "run", file,
         "--from-steady", "--period", "1e9", "--max-memory", "1");
  EXPECT(3, "", "has more than 1000 events", "bode", file, "--from", "s", "--to", "u", "--period",
         "1e9", "--max-events", "1000");
  EXPECT(0, "period 1 s", "", "steady", file, "--max-events", "0", "--max-memory", "0");
  EXPECT(2, "", "--max-events and --max-memory take whole numbers, 0 or more", "steady", file,
         "--max-events=-1");
  EXPECT(2, "", "they go with --from-steady", "run", file, "--max-events", "5");
  EXPECT(2, "", "--progress=loud: choose auto, none or json", "steady", file, "--progress=loud");
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_machine_wants_its_period_stated);
  RUN_TEST(test_a_machine_that_hears_a_source_may_follow_it);
  RUN_TEST(test_a_period_that_is_far_too_long_ends);
  RUN_TEST(test_the_state_and_what_it_means_are_told);
  RUN_TEST(test_the_same_as_data);
  RUN_TEST(test_a_run_begins_there);
  RUN_TEST(test_its_period_is_in_the_provenance);
  RUN_TEST(test_a_period_must_be_one_of_the_sources);
  RUN_TEST(test_a_run_of_what_is_not_linear_begins_there);
  RUN_TEST(test_what_makes_no_sense_is_refused);
  RUN_TEST(test_the_example_is_as_its_page_says);
  RUN_TEST(test_powers_add_up);
  RUN_TEST(test_a_response_is_a_table);
  return UNITY_END();
}
