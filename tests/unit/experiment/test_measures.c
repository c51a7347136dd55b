/* Measures of runs against closed forms: by every method and engine, of jumps, events, sines, of
 * what a grid does not see, and what is said where there is no number. */
#include "expr/formula_measure.h"
#include "hydevs/hydevs.h"

#include <string.h>
#include <unity.h>

static HyReport *report;
static GError *error;
static HyLoaded *loaded;
static HyRun *run;

void setUp(void)
{
  report = hy_report_new();
}

static void forget(void)
{
  g_clear_pointer(&run, hy_run_free);
  g_clear_pointer(&loaded, hy_loaded_free);
  g_clear_error(&error);
}

void tearDown(void)
{
  forget();
  g_clear_pointer(&report, hy_report_free);
}

/* m.xml, which loads. */

static void load(const char *body, const HyLoadOptions *options)
{
  forget();
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">%s</hydevs>", body);
  loaded = hy_load_memory(text, strlen(text), "m.xml", options, report);
  g_autofree char *messages = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, messages);
}

static void begin(const char *body, const char *method, const char *engine)
{
  load(body, &(HyLoadOptions){.method = method});
  HyRunSettings settings = HY_RUN_SETTINGS;
  settings.engine = engine;
  run = hy_run_new(loaded, &settings, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(run, error != NULL ? error->message : "");
}

static void go(void)
{
  gboolean ok = hy_run_go(run, &error);
  TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : "");
}

static void add(const char *text)
{
  gboolean ok = hy_run_add_measure(run, NULL, text, &error);
  TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : "");
}

static void expect(guint k, double want, double within)
{
  const char *why = hy_run_measure_why(run, k), *text = hy_run_measure_text(run, k);
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(within, want, hy_run_measure_value(run, k),
                                    why != NULL ? why : text);
}

/* A text and what it comes to. */
typedef struct {
  const char *text;
  double want;
} Wanted;

static void expect_all(const Wanted *all, guint n, double within)
{
  for (guint k = 0; k < n; k++) {
    add(all[k].text);
  }
  go();
  for (guint k = 0; k < n; k++) {
    expect(k, all[k].want, within * fmax(1.0, fabs(all[k].want)));
  }
}

/* Closed forms -------------------------------------------------------------------------------- */

#define RC                                                                                         \
  "<circuit name='c'><voltage name='U' nodes='a 0' value='10'/>"                                   \
  "<resistor name='R' nodes='a b' R='%s'/><capacitor name='C' nodes='b 0' C='%s'/>"                \
  "<out name='v' from='b.v' unit='V'/></circuit>"                                                  \
  "<experiment stop='%s'><record path='c/R.i'/></experiment>"

/* v = U (1 - e^(-t/RC)) by the exact block, over many R and C. */
static void test_a_step_of_rc_is_exact(void)
{
  double U = 10.0;
  for (int k = 0; k < 40; k++) {
    double R = pow(10.0, 1.0 + 0.1 * k), C = pow(10.0, -9.0 + 0.07 * k), tau = R * C;
    char r[HY_DOUBLE_SIZE], c[HY_DOUBLE_SIZE], t[HY_DOUBLE_SIZE];
    g_autofree char *body = g_strdup_printf(RC, hy_double_text(r, R), hy_double_text(c, C),
                                            hy_double_text(t, 5.0 * tau));
    begin(body, "block_liqss2", NULL);
    add("first(c.v > 0.632*10)");
    add("mean(c.v)");
    add("integral(c.v*c/R.i)"); /* into the capacitor: C v^2/2 */
    add("rms(c/R.i)");
    add("final(c.v)");
    go();
    double v = U * (1.0 - exp(-5.0));
    expect(0, -log(1.0 - 0.632) * tau, 1e-12 * tau);
    expect(1, U * (1.0 - (1.0 - exp(-5.0)) / 5.0), 1e-12);
    expect(2, 0.5 * C * v * v, 1e-12 * C * U * U);
    expect(3, U / R * sqrt((1.0 - exp(-10.0)) / 10.0), 1e-12 * U / R);
    expect(4, v, 1e-12);
    TEST_ASSERT_EQUAL_STRING("s", hy_run_measure_unit(run, 0));
    TEST_ASSERT_EQUAL_STRING("V", hy_run_measure_unit(run, 1));
  }
}

#define WAVES                                                                                      \
  "<sine name='s' amplitude='2' frequency='50' offset='0.5'/>"                                     \
  "<triangle name='a' low='-1' high='3' frequency='50'/>"                                          \
  "<square name='q' low='-2' high='4' frequency='50' duty='0.25'/>"                                \
  "<function name='f' formula='s'/><experiment stop='0.1'/>"

static void test_waves_are_what_they_are(void)
{
  const Wanted all[] = {
      {"mean(s)", 0.5},
      {"rms(s)", 1.5},
      {"ripple(s)", 4.0},
      {"min(s, 7m)", -1.5}, /* the trough at 95 ms is within */
      {"peak(s)", 2.5},
      {"mean(a)", 1.0},
      {"rms(a)", sqrt(1.0 + 4.0 / 3.0)},
      {"ripple(a, 20m..40m)", 4.0},
      {"mean(q)", -0.5},
      {"rms(q)", sqrt(0.25 * 16.0 + 0.75 * 4.0)},
      {"min(q)", -2.0},
      {"integral(q, 20m..25m)", 0.02},
      {"integral(q, 21m..27m)", 4 * 4e-3 - 2 * 2e-3}, /* begins and ends inside of pieces */
      {"count(q > 0)", 5.0}, /* it holds at the start, and comes to at the end */
      {"first(s > 1.5)", asin(0.5) / (100.0 * G_PI)},
      {"last(s > 1.5)", 0.08 + 0.01 - asin(0.5) / (100.0 * G_PI)},
      {"count(s > 1.5)", 5.0},
      {"count(s > 2.499999)", 5.0}, /* by little is above, too */
      {"mean(s*s)", 2.25},
      {"mean(s^2) - mean(s)^2", 2.0},
      {"mean(s*q)", -0.25 + 6.0 / G_PI},
      {"at(s, 5m)", 2.5},
      {"at(q, 5m)", -2.0}, /* after what happens then */
      {"at(q, 0.1)", 4.0},
      {"final(q)", 4.0},
      {"integral(t)", 0.005},
      {"max(mean(a), 2)", 2.0},
      {"sqrt(rms(s)^2 - mean(s)^2)", sqrt(2.0)},
  };
  begin(WAVES, NULL, NULL);
  expect_all(all, G_N_ELEMENTS(all), 1e-12);
}

/* A window ends as a run does: after what happens then, also what holds there. */
static void test_both_ends_of_a_window_belong_to_it(void)
{
  static const char body[] = "<step name='s' from='0' to='5' at='1'/><constant name='k' value='3'/>"
                             "<function name='f' formula='s*s'/>"
                             "<integrator name='e' in='s - e' x0='0'/>"
                             "<experiment stop='2'/>";
  static const Wanted all[] = {
      {"max(s, 0..1)", 5.0},
      {"ripple(f, 0.5..1)", 25.0},
      {"mean(s, 0..1)", 0.0},
      {"first(s > 1, 0..1)", 1.0},
      {"count(s > 1, 0..1)", 1.0},
      {"last(s > 1, 0..1)", 1.0},
      {"last(k > 1, 0.5..1.5)", 1.5},
      {"settle(s, 2%, 0..1)", 1},
      {"max(s, 0..0.5)", 0.0},
      {"last(e > 1, 1..1.5)", 1.5},
      {"max(2*s, 0..1)", 10.0},
      {"at(e, 1)", 0.0},
      {"at(s*e, 1)", 0.0},
      {"max(e.x, 0..1)", 0.0},
      {"at(e.x, 1)", 0.0},
      {"min(s, 1..2)", 5.0},
  };
  static const char *const methods[] = {"qss2", "block_liqss2", "liqss2"};
  for (guint k = 0; k < G_N_ELEMENTS(methods); k++) {
    begin(body, methods[k], NULL);
    expect_all(all, G_N_ELEMENTS(all), 1e-15);
  }
}

/* Where they run does not matter, to the last bit. */
static void test_engines_agree_to_the_last_bit(void)
{
  static const char *const engines[] = {"tree", "flat", "fused"}, *const methods[] = {
                                                                      "block_liqss2", "liqss2",
                                                                      "qss2", "auto",
#ifdef HY_SUNDIALS
                                                                      "cvode_bdf"
#endif
                                                                  };
  static const char body[] =
      "<square name='u' low='0' high='12' frequency='10k' duty='0.3'/>"
      "<sine name='s' frequency='1k'/>"
      "<circuit name='c' u='u'><in name='u' kind='signal'/>"
      "<voltage name='U' nodes='a 0' value='u'/><inductor name='L' nodes='a b' L='1m'/>"
      "<capacitor name='C' nodes='b 0' C='10u'/><resistor name='R' nodes='b 0' R='10'/>"
      "<out name='v' from='b.v'/><out name='i' from='L.i'/></circuit>"
      "<experiment stop='2m'><measure name='a' value='mean(c.v, 0.33m)'/>"
      "<measure name='b' value='ripple(c.v)'/><measure name='c' value='rms(c/R.i)'/>"
      "<measure name='d' value='mean(c.v*c.i)*2'/><measure name='e' value='count(c.i > 0.4)'/>"
      "<measure name='f' value='first(c.v > s)'/><measure name='g' value='at(c.v, 1.234m)'/>"
      "<measure name='h' value='integral(c/C.i^2, 0.1m..1.9m)'/></experiment>";
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    g_autofree char *first = NULL;
    for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
      begin(body, methods[m], engines[e]);
      go();
      g_autofree char *text = hy_run_measures_text(run);
      first = first == NULL ? g_strdup(text) : first;
      TEST_ASSERT_EQUAL_STRING(first, text);
      TEST_ASSERT_NULL(strstr(text, "none"));
    }
  }
}

/* A ripple of 1 MHz, which a grid of 20 us meets at one phase: all its rows are alike. */
static void test_a_grid_makes_no_difference(void)
{
  begin("<sine name='s' frequency='1M' amplitude='0.5' offset='3'/>"
        "<experiment stop='1m'><record path='s' grid='20u'/></experiment>",
        NULL, NULL);
  add("ripple(s)");
  add("mean(s)");
  TEST_ASSERT_TRUE(hy_run_record(run, &error));
  go();
  const HyRecorder *r = hy_run_table(run, 0);
  double least = INFINITY, most = -INFINITY;
  for (guint64 row = 0; row < hy_recorder_rows(r); row++) {
    least = fmin(least, hy_recorder_value(r, row, 0));
    most = fmax(most, hy_recorder_value(r, row, 0));
  }
  TEST_ASSERT_TRUE(most - least < 1e-6);
  expect(0, 1.0, 1e-12);
  expect(1, 3.0, 1e-12);
}

/* Events -------------------------------------------------------------------------------------- */

static void test_events_are_values_of_their_own(void)
{
  begin("<generator name='g' first='1' period='1' values='3, -7, 5, 2'/><experiment stop='4.5'/>",
        NULL, NULL);
  add("max(g)");
  add("min(g)");
  add("count(g > 2.5)");
  add("mean(g)"); /* since it is known: 3, -7, 5, and 2 for half a second */
  add("mean(g, 3.5..4.5)");
  add("final(g)");
  add("first(g > 4)");
  add("integral(g, 0..2)");
  add("at(g, 0.5)");
  add("count(g > 2)"); /* 2 is not */
  go();
  expect(0, 5.0, 0.0);
  expect(1, -7.0, 0.0);
  expect(2, 2.0, 0.0);
  expect(3, (3.0 - 7.0 + 5.0 + 1.0) / 3.5, 1e-15);
  expect(4, 3.5, 1e-15);
  expect(5, 2.0, 0.0);
  expect(6, 3.0, 0.0);
  expect(7, 3.0, 1e-15);
  expect(9, 2.0, 0.0);
  TEST_ASSERT_TRUE(isnan(hy_run_measure_value(run, 8)));
  TEST_ASSERT_EQUAL_STRING("at(g, 0.5): what it is of has said no number by then",
                           hy_run_measure_why(run, 8));
}

/* What there is not --------------------------------------------------------------------------- */

static void expect_none(guint k, const char *why)
{
  TEST_ASSERT_TRUE(isnan(hy_run_measure_value(run, k)));
  TEST_ASSERT_EQUAL_STRING(why, hy_run_measure_why(run, k));
}

static void test_what_never_speaks_has_no_value(void)
{
  begin("<generator name='g' first='9' period='1' values='1'/><sine name='s' frequency='1'/>"
        "<experiment stop='2'/>",
        NULL, NULL);
  add("mean(g)");
  add("first(s > 2)");
  add("count(s > 2)");
  add("mean(1/(s - s))");
  go();
  expect_none(0, "mean(g): what it is of has said no number");
  expect_none(1, "first(s > 2): it never holds");
  expect(2, 0.0, 0.0);
  expect_none(3, "mean(1/(s - s)): what it is of has said no number");
}

/* A block that ends the run, and one that fails. */
static void test_a_run_that_ends_early_has_what_there_was(void)
{
  begin("<ramp name='r' duration='4' height='4'/><stop name='end' in='r' level='0.5'/><experiment "
        "stop='2'/>",
        NULL, NULL);
  add("mean(r)");
  add("mean(r, 0.4..1)");
  add("mean(r, 1)");
  add("at(r, 0.25)");
  go();
  expect(0, 0.25, 1e-12);
  TEST_ASSERT_NULL(hy_run_measure_why(run, 0));
  expect(1, 0.45, 1e-12);
  TEST_ASSERT_EQUAL_STRING("mean(r, 0.4..1): the run ended at t = 0.5, its window at 1",
                           hy_run_measure_why(run, 1));
  expect_none(2, "mean(r, 1): the run ended at t = 0.5, before 1");
  expect(3, 0.25, 1e-15);
  begin("<ramp name='r' duration='4' height='4'/><function name='f' formula='sqrt(1 - r)'/>"
        "<integrator name='x' in='f'/><experiment stop='2'/>",
        "qss2", NULL);
  add("max(r)");
  TEST_ASSERT_FALSE(hy_run_go(run, &error));
  TEST_ASSERT_EQUAL_INT(HY_ERROR_RUN, error->code);
  double v = hy_run_measure_value(run, 0);
  TEST_ASSERT_TRUE(v > 0.9 && v < 1.1);
  TEST_ASSERT_NOT_NULL(hy_run_measure_why(run, 0));
}

/* Bounds -------------------------------------------------------------------------------------- */

static void test_bounds_make_a_run_a_test(void)
{
  begin("<param name='A' value='2'/><sine name='s' amplitude='A' frequency='1'/>"
        "<experiment stop='1'><measure name='top' value='max(s)' min='A/2' max='1.1*A' unit='V'/>"
        "<measure name='low' value='min(s)' min='-1.5'/><measure value='mean(s)'/></experiment>",
        NULL, NULL);
  TEST_ASSERT_FALSE(hy_run_go(run, &error));
  TEST_ASSERT_EQUAL_INT(HY_ERROR_AUDIT, error->code);
  TEST_ASSERT_EQUAL_STRING("measure low: -2 is below -1.5", error->message);
  TEST_ASSERT_TRUE(hy_run_measure_passed(run, 0));
  TEST_ASSERT_FALSE(hy_run_measure_passed(run, 1));
  TEST_ASSERT_TRUE(hy_run_measure_passed(run, 2));
  g_autofree char *text = hy_run_measures_text(run);
  TEST_ASSERT_TRUE(g_str_has_prefix(text, "top      "));
  TEST_ASSERT_NOT_NULL(strstr(text, " V  >= 1, <= 2.2: passed\n"));
  TEST_ASSERT_NOT_NULL(strstr(text, "-2    >= -1.5: FAILED\n"));
  TEST_ASSERT_EQUAL_STRING("mean(s)", hy_run_measure_name(run, 2));
}

/* Texts --------------------------------------------------------------------------------------- */

static void test_what_is_wrong_is_said(void)
{
  static const char *const wrong[][2] = {
      {"", "in \"\": nothing is measured; write for instance max(x)"},
      {"3", "in \"3\": nothing is measured; write for instance max(x)"},
      {"s", "in \"s\": say what of \"s\" is measured: final(s), mean(s)"},
      {"maen(s)", "in \"maen(s)\": there is no measure \"maen\"; did you mean \"mean\"?"},
      {"mean(s", "in \"mean(s\": \")\" is missing for the \"(\" of mean"},
      {"rms()", "in \"rms()\": write rms(x); window: the last W seconds, or from..to"},
      {"rms(2)", "in \"rms(2)\": there is no signal in it; write rms(x)"},
      {"mean(2)", "in \"mean(2)\": nothing is measured; write for instance max(x)"},
      {"rms(rms(s))", "in \"rms(rms(s))\": a measure in the brackets of another one; the "
                      "larger of two signals at each instant is if(a > b, a, b)"},
      {"first(s)", "in \"first(s)\": first is of a comparison: first(x > a)"},
      {"mean(s, 0)", "in \"mean(s, 0)\": the last 0 seconds are no window"},
      {"mean(s, 2..1)", "in \"mean(s, 2..1)\": from 2 to 1 there is no time"},
      {"mean(s, s)", "\"s\" is no number"},
      {"at(s)", "in \"at(s)\": write at(x, t)"},
      {"mean(s, 3)", "mean(s, 3): the window of 3 s is longer than the run, which is from 0 to 1"},
      {"mean(s, 0.5..2)", "mean(s, 0.5..2): the run is from 0 to 1"},
      {"at(s, 7)", "at(s, 7): the run is from 0 to 1"},
      {"max(sa)", "nothing is called \"sa\"; did you mean \"s\"?"},
      {"max(s/w)", "nothing is called \"s/w\"; a quotient is written with blanks, a / b"},
      {"max(x[*])", "in \"x[*]\": \"*\" has no meaning here"},
  };
  begin("<sine name='s' frequency='1'/><sine name='x' count='2' frequency='1'/>"
        "<experiment stop='1'/>",
        NULL, NULL);
  for (guint k = 0; k < G_N_ELEMENTS(wrong); k++) {
    TEST_ASSERT_FALSE_MESSAGE(hy_run_add_measure(run, NULL, wrong[k][0], &error), wrong[k][0]);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(wrong[k][1], error->message, wrong[k][0]);
    g_clear_error(&error);
  }
  TEST_ASSERT_EQUAL_UINT(0, hy_run_n_measures(run));
  add("mean(s)"); /* what was wrong is not in the way */
  go();
  expect(0, 0.0, 1e-12);
}

static char *same_path(gpointer user, const char *path, GError **e)
{
  (void)user, (void)e;
  return g_strdup(path);
}

/* Letters of right texts, changed, doubled and left out. */
static void test_any_text_is_a_measure_or_wrong(void)
{
  static const char *const right[] = {"mean(a[2]/v:in.out*i, 5m..7m)*max(x) - min(max(y), 2)",
                                      "first(u.v > 3*w, 1e-3)+settle(x, 2%)/thd(.y, 50)",
                                      "if(count(x<=a) > 3, final('t'), at(z, -1))"};
  static const char letters[] = "()[],.+-*/^<>= %'xm5:\303";
  g_autoptr(GRand) dice = g_rand_new_with_seed(7);
  guint good = 0;
  for (guint k = 0; k < 20000; k++) {
    g_autoptr(GString) text = g_string_new(right[k % G_N_ELEMENTS(right)]);
    for (gint n = g_rand_int_range(dice, 0, 4); n > 0 && text->len > 1; n--) {
      gsize at = (gsize)g_rand_int_range(dice, 0, (gint32)text->len);
      gint how = g_rand_int_range(dice, 0, 3);
      char c = letters[g_rand_int_range(dice, 0, (gint32)sizeof letters - 1)];
      if (how == 0) {
        g_string_erase(text, (gssize)at, 1);
      } else if (how == 1) {
        g_string_insert_c(text, (gssize)at, c);
      } else {
        text->str[at] = c;
      }
    }
    g_autofree char *mapped = hy_measure_map(text->str, same_path, NULL, NULL);
    TEST_ASSERT_EQUAL_STRING(text->str, mapped);
    g_autoptr(GError) wrong = NULL;
    g_autoptr(HyMeasureText) x = hy_measure_parse(text->str, &wrong);
    TEST_ASSERT_TRUE_MESSAGE((x == NULL) == (wrong != NULL), text->str);
    TEST_ASSERT_TRUE_MESSAGE(wrong == NULL || (g_utf8_validate(wrong->message, -1, NULL) &&
                                               strpbrk(wrong->message, "\n\t") == NULL),
                             wrong != NULL ? wrong->message : "");
    good += x != NULL;
  }
  TEST_ASSERT_TRUE(good > 3000 && good < 17000);
  g_autofree char *deep = g_strnfill(HY_MEASURE_BYTES + 1, '(');
  TEST_ASSERT_NULL(hy_measure_parse(deep, &error));
  g_clear_error(&error);
  g_autoptr(GString) nested = g_string_new(NULL);
  for (guint k = 0; k < HY_MEASURE_BYTES / 4; k++) {
    g_string_append(nested, "max(");
  }
  TEST_ASSERT_NULL(hy_measure_parse(nested->str, &error));
}

/* When it settles, and how far from a sine it is ------------------------------------------------
 */

static double response(double s, double t)
{
  double w = sqrt(fabs(1.0 - s * s));
  double k = s < 1.0 ? cos(w * t) + s / w * sin(w * t) : cosh(w * t) + s / w * sinh(w * t);
  return 1.0 - exp(-s * t) * k;
}

/* A damped resonance: settled when it has crossed the band for the last time, found here by looking
 * at the closed form from the end. */
static void test_settling_is_the_last_crossing_of_the_band(void)
{
  for (double damping = 0.05; damping < 3.0; damping *= 1.7) {
    char d[HY_DOUBLE_SIZE];
    g_autofree char *body = g_strdup_printf(
        "<integrator name='v' in='w' x0='0'/><integrator name='w' in='1 - v - 2*%s*w' x0='0'/>"
        "<experiment stop='200' method='block_liqss2'/>",
        hy_double_text(d, damping));
    begin(body, NULL, NULL);
    add("settle(v, 2%)");
    add("settle(v, 2%, 0..150)");
    add("first(v > 0.5)");
    go();
    double at[2] = {200.0, 150.0};
    for (guint k = 0; k < 2; k++) {
      double last = response(damping, at[k]), band = 0.02 * fabs(last);
      while (fabs(response(damping, at[k]) - last) < band) {
        at[k] -= 1e-4;
      }
    }
    expect(0, at[0], 2e-4);
    expect(1, at[1], 2e-4);
  }
  begin("<constant name='c' value='3'/><experiment stop='1'/>", NULL, NULL);
  add("settle(c, 2%)");
  go();
  expect_none(0, "settle(c, 2%): it ends where it began, or comes nearer for too long");
}

static void test_distortion_of_waves(void)
{
  const Wanted all[] = {{"thd(q, 50)", sqrt(G_PI * G_PI / 8.0 - 1.0)},
                        {"thd(a, 50)", sqrt(pow(G_PI, 4.0) / 96.0 - 1.0)},
                        {"thd(a, 50, 20m..80m)", sqrt(pow(G_PI, 4.0) / 96.0 - 1.0)},
                        {"thd(s + h, 50)", 0.1 / 2.0},
                        {"thd(q, 50, 60m)", sqrt(G_PI * G_PI / 8.0 - 1.0)}};
  begin("<sine name='s' amplitude='2' frequency='50' offset='0.5' phase='1'/>"
        "<sine name='h' amplitude='0.1' frequency='150'/>"
        "<triangle name='a' low='-1' high='3' frequency='50'/>"
        "<square name='q' low='-2' high='4' frequency='50' duty='0.5'/><experiment stop='0.1'/>",
        NULL, NULL);
  TEST_ASSERT_FALSE(hy_run_add_measure(run, NULL, "thd(q, 50, 30m)", &error));
  TEST_ASSERT_EQUAL_STRING("thd(q, 50, 30m): the window of 0.03 s is no whole number of periods",
                           error->message);
  g_clear_error(&error);
  TEST_ASSERT_FALSE(hy_run_add_measure(run, NULL, "thd(q, -1)", &error));
  TEST_ASSERT_EQUAL_STRING("in \"thd(q, -1)\": the frequency cannot be -1", error->message);
  g_clear_error(&error);
  expect_all(all, G_N_ELEMENTS(all), 1e-11);
}

/* A square wave on an LC filter at rest: the mean is D U, and the power that goes in comes out. */
static void test_a_converter_is_what_it_must_be(void)
{
  begin("<param name='U' value='24'/><param name='D' value='0.35'/><param name='f' value='100k'/>"
        "<param name='L' value='100u'/><param name='C' value='22u'/><param name='R' value='4'/>"
        "<square name='u' low='0' high='U' frequency='f' duty='D'/>"
        "<circuit name='c' u='u'><in name='u' kind='signal'/>"
        "<voltage name='U' nodes='a 0' value='u'/><inductor name='L' nodes='a b' L='L'/>"
        "<capacitor name='C' nodes='b 0' C='C'/><resistor name='R' nodes='b 0' R='R'/>"
        "<out name='v' from='b.v'/></circuit>"
        "<experiment stop='5m' method='block_liqss2' record='c/L.i c/C.i'/>",
        NULL, NULL);
  add("mean(c.v, 10/f)/(D*U)");
  add("ripple(c/L.i, 10/f)/(U*D*(1-D)/(L*f))");
  add("ripple(c.v, 10/f)/(U*D*(1-D)/(8*L*C*f^2))");
  add("mean(u*c/L.i, 10/f)/mean(c.v^2/R, 10/f)");
  add("max(c/C.i, 10/f) + min(c/C.i, 10/f)"); /* the load takes no part in it */
  add("mean(c/C.i, 10/f)");
  add("steady(mean(c.v))/(D*U)");
  add("steady(ripple(c.v))/ripple(c.v, 10/f)");
  add("max(steady(rms(c/C.i)), 0) - rms(c/C.i, 10/f)");
  add("steady(integral(c.v))*f/(D*U)");
  gboolean found = hy_run_measure_steady(run, NULL, &error);
  TEST_ASSERT_TRUE(found);
  go();
  expect(0, 1.0, 1e-10);
  expect(1, 1.0, 2e-3); /* the output is no constant */
  expect(2, 1.0, 2e-2);
  expect(3, 1.0, 1e-10);
  expect(4, 0.0, 2e-2);
  expect(5, 0.0, 1e-10);
  expect(6, 1.0, 1e-10);
  expect(7, 1.0, 1e-8);
  expect(8, 0.0, 1e-9);
  expect(9, 1.0, 1e-10);
  TEST_ASSERT_FALSE(hy_run_add_measure(run, NULL, "steady(final(u))", &error));
  TEST_ASSERT_EQUAL_STRING("in \"steady(final(u))\": steady is of one of min, max, peak, mean, "
                           "rms, ripple, integral and "
                           "thd, without a window: steady(mean(x))",
                           error->message);
  g_clear_error(&error);
  begin("<integrator name='x' in='-x' x0='1'/><experiment stop='1'/>", NULL, NULL);
  add("steady(mean(x))");
  TEST_ASSERT_TRUE(hy_run_measure_steady(run, NULL, &error));
  go();
  TEST_ASSERT_TRUE(isnan(hy_run_measure_value(run, 0)));
  TEST_ASSERT_TRUE(g_str_has_prefix(hy_run_measure_why(run, 0), "steady(mean(x)): "));
}

/* A current that is 0 but for rounding of larger things, and a formula that goes round too often to
 * be followed: both end soon, and what is not known well is said. */
static void test_noise_ends_soon(void)
{
  begin("<sine name='s' amplitude='325' frequency='50'/><circuit name='c' u='s'>"
        "<in name='u' kind='signal'/><voltage name='U' nodes='a 0' value='u'/>"
        "<inductor name='L' nodes='a b' L='1m'/><ideal_diode name='D' nodes='b p' Ron='1m' "
        "Roff='1M'/>"
        "<ideal_diode name='E' nodes='m b' Ron='1m' Roff='1M'/>"
        "<capacitor name='C' nodes='p m' C='1m'/><resistor name='R' nodes='p m' R='20'/>"
        "<resistor name='G' nodes='m 0' R='1'/></circuit>"
        "<experiment stop='40m' method='block_liqss2' record='c/G.i c/C.v c/L.i c/D.i c/R.i'/>",
        NULL, NULL);
  add("mean(c/C.v)");
  add("max(c/L.i - c/G.i)");
  add("mean(c/R.i*20 - c/C.v)");
  add("mean(sin(1e9*t) + 0*s)");
  add("mean(if(s > 100, 1, 0))");
  go();
  TEST_ASSERT_TRUE(hy_run_measure_value(run, 0) > 1.0);
  expect(1, 0.0, 1e-9);
  expect(2, 0.0, 1e-9);
  expect(4, 0.5 - asin(100.0 / 325.0) / G_PI, 1e-9);
  g_autofree char *text = hy_run_measures_text(run);
  g_auto(GStrv) line = g_strsplit(text, "\n", -1);
  TEST_ASSERT_NULL(strstr(line[0], "known to"));
  TEST_ASSERT_NOT_NULL(strstr(line[3], "known to"));
  TEST_ASSERT_NULL(strstr(line[4], "known to"));
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_step_of_rc_is_exact);
  RUN_TEST(test_waves_are_what_they_are);
  RUN_TEST(test_both_ends_of_a_window_belong_to_it);
  RUN_TEST(test_engines_agree_to_the_last_bit);
  RUN_TEST(test_a_grid_makes_no_difference);
  RUN_TEST(test_events_are_values_of_their_own);
  RUN_TEST(test_what_never_speaks_has_no_value);
  RUN_TEST(test_a_run_that_ends_early_has_what_there_was);
  RUN_TEST(test_bounds_make_a_run_a_test);
  RUN_TEST(test_what_is_wrong_is_said);
  RUN_TEST(test_any_text_is_a_measure_or_wrong);
  RUN_TEST(test_settling_is_the_last_crossing_of_the_band);
  RUN_TEST(test_distortion_of_waves);
  RUN_TEST(test_noise_ends_soon);
  RUN_TEST(test_a_converter_is_what_it_must_be);
  return UNITY_END();
}
