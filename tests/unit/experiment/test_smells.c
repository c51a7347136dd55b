/* What smells in a run is told, and what is meant is not: against what is known of each model. */
#include "hydevs/hydevs.h"
#include "numerics/methods.h"
#include "sim/smells.h"

#include <math.h>
#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

/* A run of a model as a file says it. */
typedef struct {
  HyLoaded *loaded;
  HyRun *run;
  GArray *smells;
  gboolean ok;
} Fixture;

static void fixture_clear(Fixture *f)
{
  g_array_unref(f->smells);
  hy_run_free(f->run);
  hy_loaded_free(f->loaded);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Fixture, fixture_clear)

static Fixture go(const char *inside, const char *engine)
{
  g_autofree char *text =
      g_strconcat("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">\n", inside, "</hydevs>\n", NULL);
  g_autoptr(HyReport) report = hy_report_new();
  Fixture f = {.loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report)};
  g_autofree char *wrong = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(f.loaded, wrong);
  HyRunSettings s = HY_RUN_SETTINGS;
  s.engine = engine;
  f.run = hy_run_new(f.loaded, &s, NULL);
  TEST_ASSERT_NOT_NULL(f.run);
  f.ok = hy_run_go(f.run, NULL);
  f.smells = hy_sim_smells(hy_run_sim(f.run));
  return f;
}

static const HySmell *only(const Fixture *f, HySmellKind kind, const char *path)
{
  guint atomic = 0;
  TEST_ASSERT_EQUAL_UINT(1, f->smells->len);
  const HySmell *smell = &g_array_index(f->smells, HySmell, 0);
  TEST_ASSERT_EQUAL_INT(kind, smell->kind);
  TEST_ASSERT_TRUE(hy_sim_find(hy_run_sim(f->run), path, &atomic));
  TEST_ASSERT_EQUAL_UINT(atomic, smell->atomic);
  return smell;
}

static void check_clean(const char *inside)
{
  g_auto(Fixture) f = go(inside, NULL);
  TEST_ASSERT_TRUE_MESSAGE(f.ok, inside);
  TEST_ASSERT_EQUAL_UINT_MESSAGE(0, f.smells->len, inside);
}

/* Stiff --------------------------------------------------------------------------------------- */

#define STIFF(method, stop)                                                                        \
  "<integrator name=\"slow\" in=\"-slow\" x0=\"1\"/>\n"                                            \
  "<integrator name=\"fast\" in=\"-1000*(fast - slow)\"/>\n"                                       \
  "<experiment stop=\"" stop "\" method=\"" method "\" dqrel=\"1e-3\" dqmin=\"1e-5\"/>\n"

/* The rate of the state itself is known: -1000. */
static void check_stiff(const char *inside, const char *engine)
{
  g_auto(Fixture) f = go(inside, engine);
  const HySmell *smell = only(&f, HY_SMELL_STIFF, "fast");
  TEST_ASSERT_DOUBLE_WITHIN(50, -1000, smell->rate);
  guint64 n_int, n_ext;
  hy_sim_counts(hy_run_sim(f.run), smell->atomic, &n_int, &n_ext);
  TEST_ASSERT_TRUE(smell->count == n_int);
}

static void test_an_explicit_method_on_a_stiff_state_is_told(void)
{
  check_stiff(STIFF("qss1", "300"), NULL);
  check_stiff(STIFF("qss2", "300"), NULL);
  check_stiff(STIFF("qss2", "300"), "tree");
  check_stiff(STIFF("qss2", "300"), "flat");
  check_stiff(STIFF("qss3", "500"), NULL);
}

/* Of a group the one that is fast is named. */
static void test_an_explicit_group_on_a_stiff_state_is_told(void)
{
  static const char *const methods[] = {
#ifdef HY_SUNDIALS
      "cvode_adams",
#endif
      "rkf45"};
  for (guint k = 0; k < G_N_ELEMENTS(methods); k++) {
    g_autofree char *inside =
        g_strdup_printf("<integrator name=\"slow\" in=\"-slow\" x0=\"1\"/>\n"
                        "<integrator name=\"fast\" in=\"-1000*(fast - slow)\"/>\n"
                        "<experiment stop=\"100\" method=\"%s\" dqrel=\"1e-3\" dqmin=\"1e-5\"/>\n",
                        methods[k]);
    g_auto(Fixture) f = go(inside, NULL);
    const HySmell *smell = only(&f, HY_SMELL_STIFF, "fast");
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, -1000, smell->rate);
    TEST_ASSERT_TRUE(smell->count > 10000);
  }
  check_clean("<integrator name=\"x\" in=\"y\" x0=\"1\"/>\n<integrator name=\"y\" in=\"-x\"/>\n"
              "<experiment stop=\"20000\" method=\"rkf45\"/>\n");
}

static void test_many_steps_that_lead_somewhere_are_none(void)
{
  check_clean(STIFF("liqss2", "300"));
  check_clean("<integrator name=\"x\" in=\"y\" x0=\"1\"/>\n<integrator name=\"y\" in=\"-x\"/>\n"
              "<experiment stop=\"3000\" method=\"qss2\" dqrel=\"1e-4\" dqmin=\"1e-4\"/>\n");
  /* follows a source by some quanta */
  check_clean("<square name=\"p\" frequency=\"100\"/>\n<integrator name=\"x\" in=\"10*(p - x)\"/>\n"
              "<experiment stop=\"300\" method=\"qss2\" dqrel=\"1e-2\" dqmin=\"1e-2\"/>\n");
}

/* Knots --------------------------------------------------------------------------------------- */

/* Three currents into a node behind a resistance of K: with u = sin, their sum decays at 3 K, their
 * differences at 1. */
#define NODE(k, stop)                                                                              \
  "<integrator name=\"x\" in=\"-" k "*(x + y + z) + sin(t) - x\"/>\n"                              \
  "<integrator name=\"y\" in=\"-" k "*(x + y + z) + sin(t - 2.1) - y\"/>\n"                        \
  "<integrator name=\"z\" in=\"-" k "*(x + y + z) + sin(t + 2.1) - z\"/>\n"                        \
  "<experiment stop=\"" stop "\" method=\"mliqss2\" dqrel=\"1e-3\" dqmin=\"1e-6\"/>\n"

static void check_knot(const char *engine)
{
  g_auto(Fixture) f = go(NODE("1e7", "0.04"), engine);
  TEST_ASSERT_EQUAL_UINT(1, f.smells->len);
  const HySmell *smell = &g_array_index(f.smells, HySmell, 0);
  TEST_ASSERT_EQUAL_INT(HY_SMELL_KNOT, smell->kind);
  guint atomic[3], of[3] = {smell->atomic, smell->with[0], smell->with[1]};
  for (guint k = 0; k < 3; k++) {
    static const char *const name[] = {"x", "y", "z"};
    TEST_ASSERT_TRUE(hy_sim_find(hy_run_sim(f.run), name[k], &atomic[k]));
    TEST_ASSERT_TRUE(atomic[k] == of[0] || atomic[k] == of[1] || atomic[k] == of[2]);
  }
  TEST_ASSERT_TRUE(of[0] != of[1] && of[1] != of[2] && of[0] != of[2]);
  guint64 n_int, n_ext;
  hy_sim_counts(hy_run_sim(f.run), smell->atomic, &n_int, &n_ext);
  TEST_ASSERT_TRUE(smell->count == n_int && n_int > 1000);
}

static void test_three_that_answer_each_other_are_told(void)
{
  check_knot(NULL);
  check_knot("tree");
  check_knot("flat");
}

static void test_what_pairs_can_do_is_no_knot(void)
{
  check_clean(NODE("10", "6000"));
  check_clean("<integrator name=\"x\" in=\"-1e9*(x + y) + sin(t) - x\"/>\n"
              "<integrator name=\"y\" in=\"-1e9*(x + y) + sin(t - 2.1) - y\"/>\n"
              "<experiment stop=\"9000\" method=\"mliqss2\" dqrel=\"1e-4\" dqmin=\"1e-4\"/>\n");
}

static void test_three_that_follow_a_source_by_some_quanta_are_no_knot(void)
{
  check_clean("<square name=\"p\" frequency=\"100\"/>\n"
              "<integrator name=\"x\" in=\"10*(p - x) + 1e-6*(y + z)\"/>\n"
              "<integrator name=\"y\" in=\"10*(p - y) + 1e-6*(x + z)\"/>\n"
              "<integrator name=\"z\" in=\"10*(p - z) + 1e-6*(x + y)\"/>\n"
              "<experiment stop=\"900\" method=\"mliqss2\" dqrel=\"1e-2\" dqmin=\"1e-2\"/>\n");
}

/* Chatter ------------------------------------------------------------------------------------- */

static void check_chatter(const char *inside, const char *path, const char *engine)
{
  g_auto(Fixture) f = go(inside, engine);
  const HySmell *smell = only(&f, HY_SMELL_CHATTER, path);
  guint atomic = 0;
  TEST_ASSERT_TRUE(hy_sim_find(hy_run_sim(f.run), "x", &atomic));
  double x = hy_sim_value(hy_run_sim(f.run), atomic, hy_run_stop(f.run));
  TEST_ASSERT_DOUBLE_WITHIN(2e-5, 0, x); /* it slides along 0 */
  TEST_ASSERT_TRUE((double)smell->count > 0.5 * smell->rate * 0.5);
}

#define SLIDING                                                                                    \
  "<comparator name=\"s\" in=\"x\" low=\"1\" high=\"-1\"/>\n"                                      \
  "<integrator name=\"x\" in=\"s + 0.2\" x0=\"0.1\"/>\n"                                           \
  "<experiment stop=\"1\" method=\"qss2\" dqmin=\"1e-5\"/>\n"

static void test_a_mode_that_slides_is_told(void)
{
  check_chatter(SLIDING, "s", NULL);
  check_chatter(SLIDING, "s", "tree");
  check_chatter(SLIDING, "s", "flat");
  check_chatter("<integrator name=\"x\" in=\"if(x > 0, -1, 1) + 0.2\" x0=\"0.1\"/>\n"
                "<experiment stop=\"1\" method=\"liqss2\" dqmin=\"1e-5\"/>\n",
                "x:in", NULL);
}

/* Of a triangle between -0.1 and 0.1, 8 million quanta high, and of what a source drives. */
static void test_modes_that_toggle_often_and_mean_it_are_none(void)
{
  check_clean(
      "<hysteresis name=\"h\" in=\"x\" lower=\"-0.1\" upper=\"0.1\" low=\"1\" high=\"-1\"/>\n"
      "<integrator name=\"x\" in=\"h\" x0=\"0\"/>\n"
      "<experiment stop=\"20000\" method=\"qss2\"/>\n");
  check_clean("<pwm name=\"p\" period=\"1e-3\" duty=\"0.5\"/>\n"
              "<switch name=\"R\" control=\"p\" on=\"1\" off=\"2\"/>\n"
              "<integrator name=\"x\" in=\"1 - R*x\"/>\n"
              "<experiment stop=\"100\" method=\"qss2\" dqrel=\"1e-2\" dqmin=\"1e-2\"/>\n");
}

/* A sine of 1/s toggles twice a period; what is counted goes along with a copy. */
static void test_toggles_are_counted(void)
{
  g_auto(Fixture) f = go("<sine name=\"u\" frequency=\"1\" phase=\"0.3\"/>\n"
                         "<comparator name=\"c\" in=\"u\"/>\n<integrator name=\"x\" in=\"c\"/>\n"
                         "<experiment stop=\"50\" method=\"qss2\"/>\n",
                         NULL);
  HySim *sim = hy_run_sim(f.run);
  guint c = 0;
  TEST_ASSERT_TRUE(hy_sim_find(sim, "c", &c));
  TEST_ASSERT_UINT_WITHIN(1, 100, hy_room_toggles(sim->room, c, HY_ALL_MODES));
  guint64 before = hy_room_toggles(sim->room, c, 0);
  HySnapshot *copy = hy_sim_save(sim, NULL);
  TEST_ASSERT_TRUE(hy_sim_run(sim, 60, NULL));
  TEST_ASSERT_UINT_WITHIN(1, 120, hy_room_toggles(sim->room, c, 0));
  TEST_ASSERT_TRUE(hy_sim_load(sim, copy, NULL));
  TEST_ASSERT_TRUE(before == hy_room_toggles(sim->room, c, 0));
  hy_snapshot_free(copy);
}

/* Growth -------------------------------------------------------------------------------------- */

/* x = e^t is a million after 13.8155; a look comes every thousand cycles or so. */
static void check_growth(const char *method, const char *stop, double size)
{
  g_autofree char *inside =
      g_strdup_printf("<integrator name=\"x\" in=\"1*x\" x0=\"1\"/>\n"
                      "<integrator name=\"ramp\" in=\"1e15\"/>\n"
                      "<experiment stop=\"%s\" method=\"%s\" dqrel=\"1e-4\"/>\n",
                      stop, method);
  g_auto(Fixture) f = go(inside, NULL);
  const HySmell *smell = only(&f, HY_SMELL_GROWTH, "x");
  TEST_ASSERT_DOUBLE_WITHIN(8, 13.8155 + 4, smell->since);
  TEST_ASSERT_DOUBLE_WITHIN(0.1 * size, size, smell->rate);
}

/* A block that is solved exactly has one step, and nobody hears it. */
static void test_a_state_that_nobody_hears_blows_up(void)
{
  g_auto(Fixture) f = go("<square name=\"u\" frequency=\"100\"/>\n"
                         "<integrator name=\"x\" in=\"1*x\" x0=\"1\" method=\"block_liqss2\"/>\n"
                         "<experiment stop=\"40\"/>\n",
                         NULL);
  const HySmell *smell = only(&f, HY_SMELL_GROWTH, "x");
  TEST_ASSERT_DOUBLE_WITHIN(8, 13.8155 + 4, smell->since);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9 * exp(40), exp(40), smell->rate);
}

static void test_a_state_that_blows_up_is_told(void)
{
  check_growth("qss2", "40", exp(40));
  check_growth("liqss2", "40", exp(40));
  /* before its end, where the numbers end: e^709.8 */
  g_auto(Fixture) f = go("<integrator name=\"x\" in=\"1*x\" x0=\"1\"/>\n"
                         "<experiment stop=\"1000\" method=\"qss2\"/>\n",
                         NULL);
  TEST_ASSERT_FALSE(f.ok);
  only(&f, HY_SMELL_GROWTH, "x");
}

/* x' = x/2 + 10 i x. */
static void test_one_that_swings_up_is_told(void)
{
  g_auto(Fixture) f = go("<integrator name=\"a\" in=\"0.5*a + 10*b\" x0=\"1\"/>\n"
                         "<integrator name=\"b\" in=\"0.5*b - 10*a\"/>\n"
                         "<experiment stop=\"80\" method=\"qss3\"/>\n",
                         NULL);
  TEST_ASSERT_EQUAL_UINT(2, f.smells->len);
}

static void test_ramps_powers_and_what_comes_to_rest_are_none(void)
{
  check_clean("<integrator name=\"a\" in=\"1e15\"/>\n<integrator name=\"b\" in=\"a\"/>\n"
              "<integrator name=\"c\" in=\"b*1e-10\"/>\n"
              "<experiment stop=\"1000\" method=\"qss2\"/>\n");
  check_clean("<integrator name=\"x\" in=\"x*(1 - x*1e-14)\" x0=\"1\"/>\n"
              "<experiment stop=\"200\" method=\"qss2\"/>\n");
  check_clean("<integrator name=\"x\" in=\"-x\" x0=\"1e20\"/>\n"
              "<experiment stop=\"20\" method=\"qss2\"/>\n");
}

/* Fixed steps --------------------------------------------------------------------------------- */

/* x = cos t, y = -sin t by METHOD; then more of the model, and its end. */
static char *oscillator(const char *method, double h, const char *stop)
{
  char hstep[G_ASCII_DTOSTR_BUF_SIZE];
  return g_strdup_printf("<integrator name=\"x\" in=\"y\" x0=\"1\"/>\n"
                         "<integrator name=\"y\" in=\"-x\"/>\n"
                         "<experiment stop=\"%s\" method=\"%s\" hstep=\"%s\"/>\n",
                         stop, method, g_ascii_dtostr(hstep, sizeof hstep, h));
}

static HyGroupTotals first_group(const Fixture *f)
{
  HyGroupTotals g;
  hy_sim_group(hy_run_sim(f->run), 0, &g);
  return g;
}

/* Euler's method makes x + i y (1 - i h)^k of it: 5 % too large at t = 10, of what ranges from -1
 * to 1 and a little more. */
static void test_fixed_steps_that_are_too_long_are_told(void)
{
  static const char *const engines[] = {"tree", "flat", "fused"};
  double h = 0.01, most[2] = {0}, low[2] = {1.0, 0.0}, high[2] = {1.0, 0.0}, x = 1.0, y = 0.0;
  for (guint k = 1; k <= 1000; k++) {
    double was[2] = {x, y};
    x = was[0] + h * was[1];
    y = was[1] - h * was[0];
    const double now[2] = {x, y}, right[2] = {cos(k * h), -sin(k * h)};
    for (guint i = 0; i < 2; i++) {
      most[i] = fmax(most[i], fabs(now[i] - right[i]));
      low[i] = fmin(low[i], now[i]);
      high[i] = fmax(high[i], now[i]);
    }
  }
  double off = fmax(most[0] / (high[0] - low[0]), most[1] / (high[1] - low[1]));
  TEST_ASSERT_TRUE(off > 0.02 && off < 0.03);
  for (guint k = 0; k < G_N_ELEMENTS(engines); k++) {
    g_autofree char *inside = oscillator("euler", h, "10");
    g_auto(Fixture) f = go(inside, engines[k]);
    const HySmell *smell = only(&f, HY_SMELL_COARSE, "x");
    TEST_ASSERT_DOUBLE_WITHIN(0.05 * off, off, smell->rate);
  }
  g_autofree char *half = oscillator("euler", 0.003, "10"); /* 0.7 % */
  check_clean(half);
}

/* For any of them: what it says is what it is off by, within a factor of 1.5. Their errors grow
 * with the time, so the largest one is in the last lap; h is such that most are off by some
 * percent. */
static void test_every_method_with_fixed_steps_says_how_far_it_is_off(void)
{
  for (const HyMethod *m = hy_methods; m->name != NULL; m++) {
    if ((m->needs & HY_NEEDS_HSTEP) == 0) {
      continue;
    }
    double h = m->order == 1 ? 0.01 : 0.1, off = 0.0;
    for (guint k = 0; k < 8; k++) {
      g_autofree char *stop = g_strdup_printf("%u", 13 + k);
      g_autofree char *inside = oscillator(m->name, h, stop);
      g_auto(Fixture) f = go(inside, NULL);
      TEST_ASSERT_TRUE_MESSAGE(f.ok, m->name);
      const HySim *sim = hy_run_sim(f.run);
      double t = hy_sim_time(sim);
      guint x = 0;
      TEST_ASSERT_TRUE(hy_sim_find(sim, "x", &x));
      off = fmax(off, fabs(hy_sim_value(sim, x, t) - cos(t)) / 2.0);
      if (k == 7) {
        double said = first_group(&f).off;
        TEST_ASSERT_TRUE_MESSAGE(said > off / 1.5 && said < 1.5 * off, m->name);
        TEST_ASSERT_TRUE_MESSAGE((said > 0.01) == (f.smells->len == 1), m->name);
      }
    }
  }
}

/* x jumps to where u says, and with it what is known of its error. */
static void test_an_error_ends_where_a_state_is_reset(void)
{
  g_auto(Fixture) f =
      go("<generator name=\"again\" first=\"1\" period=\"1\" values=\"1\" repeat=\"true\"/>\n"
         "<reset_integrator name=\"x\" in=\"2*x\" x0=\"1\" reset=\"again\" value=\"1\"/>\n"
         "<experiment stop=\"8.5\" method=\"euler\" hstep=\"0.01\"/>\n",
         NULL);
  double lap = (exp(2.0) - pow(1.02, 100.0)) / (exp(2.0) - 1.0);
  TEST_ASSERT_DOUBLE_WITHIN(0.05 * lap, lap, first_group(&f).off);
}

/* The trapezoidal rule turns a fast state round at each step, for ever. */
static void test_a_method_that_rings_is_told(void)
{
  const char *text = "<integrator name=\"x\" in=\"-1e7*(x - 1)\"/>\n"
                     "<experiment stop=\"1\" method=\"%s\" hstep=\"0.01\"/>\n";
  g_autofree char *rings = g_strdup_printf(text, "trapezoidal");
  g_autofree char *rests = g_strdup_printf(text, "backward_euler");
  g_auto(Fixture) f = go(rings, NULL);
  TEST_ASSERT_TRUE(only(&f, HY_SMELL_COARSE, "x")->rate > 0.5);
  check_clean(rests);
}

/* What is outside comes in pieces, and jumps within steps. */
static void test_inputs_make_no_step_coarse(void)
{
  check_clean("<triangle name=\"u\" frequency=\"500\"/>\n<pwm name=\"p\" period=\"7m\" "
              "duty=\"0.35\"/>\n"
              "<integrator name=\"x\" in=\"u + p - x\"/>\n"
              "<experiment stop=\"3\" method=\"rk2\" hstep=\"3m\"/>\n");
}

/* A group that reads a faster one sees it stand still in its step: nothing is known. */
static void test_what_reads_a_faster_group_is_not_judged(void)
{
  g_auto(Fixture) f =
      go("<integrator name=\"slow\" in=\"fast - slow\" method=\"euler_advanced\" hstep=\"0.5\"/>\n"
         "<integrator name=\"fast\" in=\"cos(20*t) - fast\" method=\"euler_advanced\" "
         "hstep=\"0.5m\"/>\n<ramp name=\"t\" duration=\"100\" height=\"100\"/>\n"
         "<experiment stop=\"5\"/>\n",
         NULL);
  TEST_ASSERT_EQUAL_UINT(0, f.smells->len);
  HyGroupTotals g;
  hy_sim_group(hy_run_sim(f.run), 0, &g);
  TEST_ASSERT_EQUAL_DOUBLE(0.0, g.off);
  hy_sim_group(hy_run_sim(f.run), 1, &g);
  TEST_ASSERT_TRUE(g.off > 0.0);
}

static void check_words(const char *method, double h, const char *wanted)
{
  g_autofree char *inside = oscillator(method, h, "10");
  g_auto(Fixture) f = go(inside, NULL);
  g_autoptr(HyReport) report = hy_report_new();
  hy_report_run(report, f.run);
  const HyMessageAt *m = hy_report_get(report, 0);
  TEST_ASSERT_NOT_NULL(m);
  TEST_ASSERT_EQUAL_UINT(2, m->line);
  TEST_ASSERT_EQUAL_STRING(wanted, m->text);
}

/* A quarter of the step, by its digits. */
static void test_shorter_steps_are_named(void)
{
  check_words(
      "euler", 0.01,
      "x: steps of 0.01 by euler are too long: by what steps half as long make of it, it is "
      "off by 2.4 % of what it ranges over; state hstep=0.002 or less, or a method that "
      "chooses its steps, as cvode_bdf and auto do");
  check_words(
      "rk4", 3.0,
      "x: steps of 3 by rk4 are far too long: steps half as long make something else of it; "
      "state a shorter hstep, or a method that chooses its steps, as cvode_bdf and auto do");
}

/* Words --------------------------------------------------------------------------------------- */

static void test_it_is_told_in_words_with_its_place(void)
{
  g_auto(Fixture) f = go(STIFF("qss2", "300"), NULL);
  g_autoptr(HyReport) report = hy_report_new();
  hy_report_run(report, f.run);
  const HyMessageAt *m = hy_report_get(report, 0);
  TEST_ASSERT_NOT_NULL(m);
  TEST_ASSERT_TRUE(m->warning);
  TEST_ASSERT_EQUAL_STRING("m.xml", m->file);
  TEST_ASSERT_EQUAL_UINT(3, m->line);
  TEST_ASSERT_TRUE(g_str_has_prefix(m->text, "fast: "));
  TEST_ASSERT_NOT_NULL(strstr(m->text, "qss2"));
  TEST_ASSERT_NOT_NULL(strstr(m->text, "try --method auto, liqss2"));
  g_autoptr(GString) json = g_string_new(NULL);
  hy_stats_json(hy_run_sim(f.run), NULL, json);
  TEST_ASSERT_NOT_NULL(
      strstr(json->str, "\"warnings\": [\n    {\"kind\": \"stiff\", \"path\": \"fast\""));
}

/* What goes wrong inside a type of a library is told of the element that has the type, whose line
 * is the user's, and then where it is inside. */
static void test_types_of_libraries_are_told_by_their_element(void)
{
  g_auto(Fixture) f = go("<integrator name=\"x\" in=\"c\" x0=\"1\"/>\n"
                         "<pi name=\"c\" in=\"x\" kp=\"1\" ki=\"1\"/>\n"
                         "<experiment stop=\"40\" method=\"qss2\"/>\n",
                         NULL);
  g_autoptr(HyReport) report = hy_report_new();
  hy_report_run(report, f.run);
  const HyMessageAt *x = hy_report_get(report, 0), *c = hy_report_get(report, 1);
  TEST_ASSERT_TRUE(x != NULL && c != NULL && x->line != c->line);
  const HyMessageAt *inner = g_str_has_prefix(c->text, "c/") ? c : x, *own = inner == c ? x : c;
  TEST_ASSERT_EQUAL_STRING("m.xml", inner->file);
  TEST_ASSERT_EQUAL_UINT(own->line + 1, inner->line);
  TEST_ASSERT_TRUE(g_str_has_prefix(inner->text, "c/") && strstr(inner->text, "it blows up"));
  TEST_ASSERT_NOT_NULL(strstr(inner->text, " (in pi, standard.xml:"));
  TEST_ASSERT_NULL(strstr(own->text, " (in "));
}

/* So is a loop through one, with the lines of the file that was asked for. */
static void test_loops_through_types_are_told_by_their_element(void)
{
  static const char text[] =
      "<hydevs xmlns='urn:hydevs:1' name='m'>\n<gain name='g' in='c' k='2'/>\n"
      "<pi name='c' in='g' kp='1' ki='1'/>\n<experiment stop='1'/></hydevs>";
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
  const HyMessageAt *m = hy_report_get(report, 0);
  TEST_ASSERT_NULL(loaded);
  TEST_ASSERT_NOT_NULL(m);
  TEST_ASSERT_EQUAL_STRING("m.xml", m->file);
  TEST_ASSERT_TRUE(m->line == 2 || m->line == 3);
  TEST_ASSERT_TRUE_MESSAGE(strstr(m->text, "(lines 2, 3") || strstr(m->text, "(lines 3, 2"),
                           m->text);
}

/* A line of its own for each state, and one that speaks at t = 2 first: "v". */
static char *late(const char *stop, const char *method, const char *x, const char *y)
{
  return g_strdup_printf("<generator name=\"g\" first=\"2\" period=\"1\" values=\"1, 1\"/>\n"
                         "<delay name=\"v\" time=\"0\" in=\"g\"/>\n"
                         "<integrator name=\"x\" in=\"%s\" x0=\"1\"/>\n"
                         "<integrator name=\"y\" in=\"%s\"/>\n"
                         "<experiment stop=\"%s\" method=\"%s\"/>\n",
                         x, y, stop, method);
}

static void check_waits(const char *inside, guint line, const char *wanted)
{
  static const char *const engines[] = {"tree", "flat", "fused"};
  for (guint k = 0; k < G_N_ELEMENTS(engines); k++) {
    g_auto(Fixture) f = go(inside, engines[k]);
    g_autoptr(HyReport) report = hy_report_new();
    hy_report_run(report, f.run);
    const HyMessageAt *m = hy_report_get(report, 0);
    TEST_ASSERT_TRUE_MESSAGE((m != NULL) == (wanted != NULL), inside);
    if (wanted != NULL) {
      TEST_ASSERT_EQUAL_UINT(line, m->line);
      TEST_ASSERT_NOT_NULL_MESSAGE(strstr(m->text, wanted), m->text);
    }
  }
}

/* By every method, and only where it has never moved. */
static void test_a_state_that_has_rested_to_the_end_is_told(void)
{
  static const char *const methods[] = {"cvode_bdf", "block_liqss2", "rk4\" hstep=\"0.01", "qss2",
                                        "mliqss2"};
  for (guint k = 0; k < G_N_ELEMENTS(methods); k++) {
    g_autofree char *never = late("1", methods[k], "-x", "v - y"),
                    *then = late("3", methods[k], "-x", "v - y"),
                    *both = late("1", methods[k], "v - x", "v - y"),
                    *none = late("1", methods[k], "-x", "x - y");
    check_waits(never, 5, "y: at rest all the time, as g has said nothing");
    check_waits(then, 0, NULL);
    check_waits(both, 4, "x and 1 more: at rest all the time, as g has said nothing");
    check_waits(none, 0, NULL);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_state_that_has_rested_to_the_end_is_told);
  RUN_TEST(test_an_explicit_method_on_a_stiff_state_is_told);
  RUN_TEST(test_an_explicit_group_on_a_stiff_state_is_told);
  RUN_TEST(test_many_steps_that_lead_somewhere_are_none);
  RUN_TEST(test_three_that_answer_each_other_are_told);
  RUN_TEST(test_what_pairs_can_do_is_no_knot);
  RUN_TEST(test_three_that_follow_a_source_by_some_quanta_are_no_knot);
  RUN_TEST(test_a_mode_that_slides_is_told);
  RUN_TEST(test_modes_that_toggle_often_and_mean_it_are_none);
  RUN_TEST(test_toggles_are_counted);
  RUN_TEST(test_a_state_that_blows_up_is_told);
  RUN_TEST(test_a_state_that_nobody_hears_blows_up);
  RUN_TEST(test_one_that_swings_up_is_told);
  RUN_TEST(test_fixed_steps_that_are_too_long_are_told);
  RUN_TEST(test_every_method_with_fixed_steps_says_how_far_it_is_off);
  RUN_TEST(test_an_error_ends_where_a_state_is_reset);
  RUN_TEST(test_a_method_that_rings_is_told);
  RUN_TEST(test_inputs_make_no_step_coarse);
  RUN_TEST(test_what_reads_a_faster_group_is_not_judged);
  RUN_TEST(test_shorter_steps_are_named);
  RUN_TEST(test_ramps_powers_and_what_comes_to_rest_are_none);
  RUN_TEST(test_it_is_told_in_words_with_its_place);
  RUN_TEST(test_types_of_libraries_are_told_by_their_element);
  RUN_TEST(test_loops_through_types_are_told_by_their_element);
  return UNITY_END();
}
