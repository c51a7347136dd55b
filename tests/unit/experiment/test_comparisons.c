/* A comparison of what rests is that of numbers, whoever states it and whoever decides it:
 * formulas, blocks, machines, circuits, rows, groups that own it, on all engines. Beside a plain
 * evaluator that knows what each source is at an instant, and compares numbers there. Instants are
 * none at which something turns or passes the level, so what moves is on the side on which it was,
 * too. */
#include "library_model.h"

#include "numerics/methods.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* Sources, beside what they are -----------------------------------------------------------------
 */

typedef enum { HELD, PWM, PLACE, RAMP, TRAPEZOID, STEP, KINDS } Kind;

/* All numbers have few binary digits, so sums and differences of sources are exact. */
typedef struct {
  Kind kind;
  double at, period, duty; /* the first change, and from one to the next */
  double value[8];
  double times; /* what it is multiplied by */
} Source;

static double trapezoid(double phase, double part)
{
  return phase < part       ? phase / part
         : phase < 2 * part ? 1
         : phase < 3 * part ? 3 - phase / part
                            : 0;
}

static double source_is(const Source *s, double t)
{
  double k = floor((t - s->at) / s->period);
  switch (s->kind) {
  case HELD:
    return t < s->at ? 0 : s->times * s->value[k < 8 ? (int)k : 7];
  case PWM:
    return s->times * (t - s->period * floor(t / s->period) < s->duty * s->period);
  case PLACE: { /* a token comes at AT, and every PERIOD, and goes half a period later */
    double come = t < s->at ? 0 : k + 1;
    double gone = t < s->at + s->period / 2 ? 0 : floor((t - s->at) / s->period - 0.5) + 1;
    return s->times * (come - gone);
  }
  case RAMP:
    return s->times * fmin(fmax((t - s->at) / s->period, 0), 1);
  case TRAPEZOID:
    return s->times * trapezoid(t - 4 * s->period * floor(t / (4 * s->period)), s->period);
  default:
    return t < s->at ? 0 : s->times;
  }
}

static void held_text(GString *text, const char *name, const Source *s)
{
  g_string_append_printf(text, "<generator name='%sg' first='%g' period='%g' values='", name, s->at,
                         s->period);
  for (guint k = 0; k < 8; k++) {
    g_string_append_printf(text, "%s%g", k > 0 ? ", " : "", s->value[k]);
  }
  g_string_append_printf(text, "'/><sampler name='%s0' in='%sg' trigger='%sg'/>", name, name, name);
}

static void source_text(GString *text, const char *name, const Source *s)
{
  switch (s->kind) {
  case HELD:
    held_text(text, name, s);
    break;
  case PWM:
    g_string_append_printf(text, "<pwm name='%s0' period='%g' duty='%g'/>", name, s->period,
                           s->duty);
    break;
  case PLACE:
    g_string_append_printf(text,
                           "<generator name='%sg' first='%g' period='%g' values='1' repeat='true'/>"
                           "<generator name='%sh' first='%g' period='%g' values='1' repeat='true'/>"
                           "<place name='%s0' in='%sg' take='%sh' tokens='0'/>",
                           name, s->at, s->period, name, s->at + s->period / 2, s->period, name,
                           name, name);
    break;
  case RAMP:
    g_string_append_printf(text, "<ramp name='%s0' start='%g' duration='%g'/>", name, s->at,
                           s->period);
    break;
  case TRAPEZOID:
    g_string_append_printf(text, "<trapezoid name='%s0' rise='%g' up='%g' fall='%g' down='%g'/>",
                           name, s->period, s->period, s->period, s->period);
    break;
  default:
    g_string_append_printf(text, "<step name='%s0' from='0' to='1' at='%g'/>", name, s->at);
  }
  g_string_append_printf(text, "<gain name='%s' in='%s0' k='%g'/>", name, name, s->times);
}

static Source source_drawn(GRand *dice)
{
  Source s = {.kind = (Kind)g_rand_int_range(dice, 0, KINDS)};
  s.at = g_rand_int_range(dice, 1, 12) / 8.0;
  s.period = 0.25 * (1 << g_rand_int_range(dice, 0, 3));
  s.duty = g_rand_int_range(dice, 1, 4) / 4.0;
  for (guint k = 0; k < G_N_ELEMENTS(s.value); k++) {
    s.value[k] = g_rand_int_range(dice, -1, 3) / 2.0;
  }
  s.times = (const double[]){1, 1, 0.5, 2, -1}[g_rand_int_range(dice, 0, 5)];
  return s;
}

/* All who compare a with b --------------------------------------------------------------------- */

static const char readers[] =
    "<function name='gt' formula='if(a > b, 1, 0)'/><function name='ge' formula='if(a >= b, 1, "
    "0)'/>"
    "<function name='lt' formula='if(b > a, 1, 0)'/><function name='le' formula='if(b >= a, 1, "
    "0)'/>"
    "<function name='eq' formula='if(a == b, 1, 0)'/><function name='ne' formula='if(a != b, 1, "
    "0)'/>"
    "<function name='d' formula='a - b'/><comparator name='cmp' in='d'/>"
    "<switch name='sw' control='a' level='0.5' on='1' off='0'/><comparator name='half' in='a' "
    "level='0.5'/>"
    "<machine name='m' a='a' b='b' initial='off'><in name='a'/><in name='b'/><out name='y'/>"
    "<state name='off' y='0'><when guard='a > b' to='on'/></state>"
    "<state name='on' y='1'><when guard='a &lt;= b' to='off'/></state></machine>"
    "<machine name='e' a='a' b='b' initial='off'><in name='a'/><in name='b'/><out name='y'/>"
    "<state name='off' y='0'><when guard='a == b' to='on'/></state>"
    "<state name='on' y='1'><when guard='a != b' to='off'/></state></machine>"
    "<circuit name='c' a='a' b='b'><in name='a'/><in name='b'/>"
    "<voltage name='U' nodes='p 0' value='1'/><resistor name='R' nodes='q 0' R='1'/>"
    "<ideal_switch name='S' nodes='p q' control='if(a > b, 1, 0)'/><out name='on' from='S.on'/>"
    "</circuit>"
    "<integrator name='one' in='0*one' x0='1'/>"
    "<function name='own' formula='if(one*(a - b) > 0, 1, 0)'/><integrator name='y' in='own - y'/>"
    "<function name='not_own' formula='if(one*b >= a, 1, 0)'/><integrator name='z' in='not_own - "
    "z'/>";

/* Columns, and what they are where a and b are these numbers. */
static const char columns[] = "gt ge lt le eq ne cmp sw half m.y e.y c.on own not_own";
enum { N_COLUMNS = 14 };

static void compared(double a, double b, gboolean *is)
{
  const gboolean wanted[N_COLUMNS] = {
      a > b, a >= b, a<b, a <= b, a == b, a != b, a> b, a > 0.5, a > 0.5, a > b, a == b, a > b,
      a > b, a <= b};
  memcpy(is, wanted, sizeof wanted);
}

/* Between all instants at which something turns or passes: those have fewer digits. */
static double instant(guint k)
{
  return k / 32.0 + 5 / 1024.0;
}

#define INSTANTS 128

static char *grid_text(void)
{
  GString *grid = g_string_new(NULL);
  char buffer[HY_DOUBLE_SIZE];
  for (guint k = 0; k < INSTANTS; k++) {
    g_string_append_printf(grid, "%s%s", k > 0 ? ", " : "", hy_double_text(buffer, instant(k)));
  }
  return g_string_free(grid, FALSE);
}

static void check_run(const HyRun *run, const Source *a, const Source *b, const char *text)
{
  const HyRecorder *table = hy_run_table(run, 0);
  gboolean is[N_COLUMNS];
  g_auto(GStrv) name = g_strsplit(columns, " ", -1);
  for (guint k = 0; k < INSTANTS; k++) {
    double t = instant(k);
    compared(source_is(a, t), source_is(b, t), is);
    for (guint c = 0; c < N_COLUMNS; c++) {
      if (hy_recorder_value(table, k, c) != is[c]) {
        g_autofree char *why = g_strdup_printf("%s is %g at %g where a = %g, b = %g: %s", name[c],
                                               hy_recorder_value(table, k, c), t, source_is(a, t),
                                               source_is(b, t), text);
        TEST_FAIL_MESSAGE(why);
      }
    }
  }
}

static HyLoaded *load(const char *body)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns='urn:hydevs:1' name='m' needs='1.3'>%s</hydevs>", body);
  HyLoaded *loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
  g_autofree char *messages = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, messages);
  return loaded;
}

static HyRun *go(const HyLoaded *loaded, const char *engine, gboolean rows)
{
  g_autoptr(GError) error = NULL;
  HyRunSettings settings = HY_RUN_SETTINGS;
  settings.engine = engine;
  settings.rows = rows;
  HyRun *run = hy_run_new(loaded, &settings, &error);
  gboolean ok = run != NULL && hy_run_record(run, &error) && hy_run_go(run, &error);
  TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : "");
  return run;
}

static void check_sources(const Source *a, const Source *b, const char *method)
{
  g_autofree char *grid = grid_text();
  g_autoptr(GString) text = g_string_new(NULL);
  source_text(text, "a", a);
  source_text(text, "b", b);
  g_string_append_printf(text,
                         "%s<experiment stop='4' method='%s' hstep='0.01' record='%s' grid='%s'/>",
                         readers, method, columns, grid);
  g_autoptr(HyLoaded) loaded = load(text->str);
  g_autoptr(HyRun) run = library_same_on_all_engines(loaded);
  check_run(run, a, b, text->str);
  g_autoptr(HyRun) rows = go(loaded, "fused", TRUE);
  check_run(rows, a, b, text->str);
}

static const char *const methods[] = {"qss2",    "cvode_bdf", "block_liqss2",
                                      "mliqss2", "rk4",       "liqss1",
                                      "qss1",    "qss3",      "block_liqss2_error"};

static void test_what_rests_is_compared_as_numbers_are(void)
{
  g_autoptr(GRand) dice = g_rand_new_with_seed(24);
  for (guint k = 0; k < 45; k++) {
    Source a = source_drawn(dice), b = source_drawn(dice);
    check_sources(&a, &b, methods[k % G_N_ELEMENTS(methods)]);
  }
}

/* At its level from below, from above, and off it to both sides; moving there and jumping there. */
static void test_coming_to_the_level_and_leaving_it(void)
{
  const Source level[] = {{.kind = STEP, .at = 0.125, .period = 1, .times = 1},
                          {.kind = STEP, .at = 8, .period = 1, .times = 1}};
  const Source comes[] = {
      {.kind = TRAPEZOID, .period = 0.5, .times = 1},
      {.kind = TRAPEZOID, .period = 0.5, .times = -1},
      {.kind = TRAPEZOID, .period = 0.5, .times = 2},
      {.kind = RAMP, .at = 0.5, .period = 1, .times = 1},
      {.kind = RAMP, .at = 0.5, .period = 1, .times = -1},
      {.kind = HELD, .at = 0.5, .period = 0.5, .value = {1, 2, 1, 0, 1, -1, 0, 1}, .times = 1},
      {.kind = HELD, .at = 0.5, .period = 0.5, .value = {0, 1, 0, -1, 0, 1, 1, 0}, .times = 1}};
  for (guint k = 0; k < G_N_ELEMENTS(level) * G_N_ELEMENTS(comes); k++) {
    check_sources(&comes[k / 2], &level[k % 2], methods[k % G_N_ELEMENTS(methods)]);
    check_sources(&level[k % 2], &comes[k / 2], methods[k % G_N_ELEMENTS(methods)]);
  }
}

/* Both move alike: their difference rests, and where it is 0 they are equal. */
static void test_two_that_move_alike_are_equal(void)
{
  const Source move[] = {{.kind = TRAPEZOID, .period = 0.5, .times = 1},
                         {.kind = RAMP, .at = 0.5, .period = 1, .times = -1}};
  for (guint k = 0; k < G_N_ELEMENTS(move); k++) {
    for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
      check_sources(&move[k], &move[k], methods[m]);
    }
  }
}

/* A state that is put exactly where it is compared with, and rests there, or is let go again. */
static void test_a_state_that_is_reset_to_its_level_rests_there(void)
{
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    g_autofree char *text = g_strdup_printf(
        "<generator name='go' first='0.5' period='1' values='1, 1, 1'/>"
        "<step name='run' from='1' to='0' at='1.5'/>"
        "<reset_integrator name='x' in='run' reset='go' "
        "value='if(t > 1 and 2 > t, 0.5, 0)'/>"
        "<function name='above' formula='if(x > 0, 1, 0)'/><integrator name='y' in='above - y'/>"
        "<function name='at' formula='if(x == 0, 1, 0)'/><integrator name='z' in='at - z'/>"
        "<experiment stop='4' method='%s' hstep='0.01' grid='0.25, 1.25, 1.75, 3' record='above at "
        "x'/>",
        methods[m]);
    g_autoptr(HyLoaded) loaded = load(text);
    g_autoptr(HyRun) run = library_same_on_all_engines(loaded);
    static const double wanted[4][2] = {{1, 0}, {1, 0}, {1, 0}, {0, 1}};
    for (guint k = 0; k < 4; k++) {
      for (guint c = 0; c < 2; c++) {
        TEST_ASSERT_EQUAL_DOUBLE_MESSAGE(wanted[k][c],
                                         hy_recorder_value(hy_run_table(run, 0), k, c), methods[m]);
      }
    }
  }
}

/* The integral is held at its limit by what compares it: no endless to and fro, by any method,
 * whether the limit counts as above or not. liqss1 is up to three quanta off. */
static void test_a_relay_whose_state_rests_at_its_level_goes_on(void)
{
  static const char *const all[] = {"qss1",         "qss2",
                                    "qss3",         "bqss",
                                    "liqss1",       "liqss2",
                                    "liqss3",       "mliqss1",
                                    "mliqss2",      "mliqss3",
                                    "cvode_bdf",    "rk4",
                                    "block_liqss2", "block_liqss2_quantum"};
  static const char *const held[] = {"if(x > 0.5, 0, 1)", "if(x >= 0.5, 0, 1)",
                                     "if(x > 0.5, -1, 1)", "if(x >= 0.5, -1, 1)",
                                     "if(x == 0.5, 0, if(x > 0.5, -1, 1))"};
  for (guint k = 0; k < G_N_ELEMENTS(all) * G_N_ELEMENTS(held); k++) {
    const char *method = all[k % G_N_ELEMENTS(all)], *in = held[k / G_N_ELEMENTS(all)];
    g_autofree char *text = g_strdup_printf(
        "<integrator name='x' in='%s'/><experiment stop='2' method='%s' dqrel='0.125' "
        "dqmin='0.125' hstep='0.0625' grid='1' record='x'/>",
        in, method);
    g_autoptr(HyLoaded) loaded = load(text);
    g_autoptr(HyRun) run = library_same_on_all_engines(loaded);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(0.4, 0.5, hy_recorder_value(hy_run_table(run, 0), 2, 0),
                                      text);
  }
}

/* What a bound holds is equal to it, also where the bound is met at the instant at which the
 * comparison crosses. T: for how long each holds, until t = 2. By every method of one rate; what
 * reads the state is found by its group. */
static void test_what_is_limited_is_equal_to_its_bound(void)
{
  static const struct {
    const char *condition;
    double t;
  } cases[] = {
      {"0 &gt; limit(sin(pi*t), 0, 1)", 0}, {"0 &gt;= limit(sin(pi*t), 0, 1)", 1},
      {"limit(sin(pi*t), 0, 1) &gt; 0", 1}, {"max(cos(pi*t), 0) &gt; 0", 1},
      {"0 &gt; max(cos(pi*t), 0)", 0},      {"max(cos(pi*t), 0) &gt;= 0", 2},
      {"min(1 - t, 0) &gt;= 0", 1},         {"min(1 - t, 0) &gt; 0", 0},
      {"abs(cos(pi*t)) &gt;= 0", 2},        {"0 &gt; abs(cos(pi*t))", 0},
      {"if(t &gt; 1, 0, 1 - t) &gt; 0", 1}, {"0 &gt; if(t &gt; 1, 0, t - 1)", 1},
      {"0 &gt; min(1, max(1 - t, 0))", 0},  {"max(0, 1 - t) &gt; limit(t - 1, 0, 2)", 1},
  };
  for (guint m = 0; hy_methods[m].name != NULL; m++) {
    gboolean one_rate = hy_methods[m].family != HY_FAMILY_MULTIRATE;
    for (guint k = 0; k < 2 * G_N_ELEMENTS(cases) && one_rate; k++) {
      g_autofree char *text = g_strdup_printf(
          "<integrator name='x' in='if(%s, 1, %s)'/><experiment stop='2' method='%s' "
          "hstep='0.01' dqrel='1m' dqmin='1m' grid='2' record='x'/>",
          cases[k / 2].condition, k % 2 == 0 ? "0" : "0*x", hy_methods[m].name);
      g_autoptr(HyLoaded) loaded = load(text);
      g_autoptr(HyRun) run = library_go(loaded, "fused");
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(5e-3, cases[k / 2].t,
                                        hy_recorder_value(hy_run_table(run, 0), 1, 0), text);
    }
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_what_rests_is_compared_as_numbers_are);
  RUN_TEST(test_coming_to_the_level_and_leaving_it);
  RUN_TEST(test_two_that_move_alike_are_equal);
  RUN_TEST(test_a_state_that_is_reset_to_its_level_rests_there);
  RUN_TEST(test_a_relay_whose_state_rests_at_its_level_goes_on);
  RUN_TEST(test_what_is_limited_is_equal_to_its_bound);
  return UNITY_END();
}
