/* A signal that touches a level and goes back, from above and from below, by sources, formulas and
 * states: every block that has a level ends its run, after it is what it was before, and what it
 * has done at the touch it has done once. */
#include "library_model.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* s touches LEVEL at t = 2.5 and is symmetric about it. */
typedef struct {
  const char *inside;
  double level;
  gboolean states;
} Touch;

#define OSCILLATES                                                                                 \
  "<integrator name='s' in='v'/><integrator name='v' x0='0.2*pi' in='-(0.2*pi)^2*s'/>"
static const Touch touches[] = {
    {"<sine name='s' frequency='0.1'/>", 1, FALSE},
    {"<sine name='s' frequency='0.1' amplitude='-1'/>", -1, FALSE},
    {"<sine name='s' frequency='0.1' amplitude='0.7' offset='0.3'/>", 1, FALSE},
    {"<sine name='s' frequency='0.1' amplitude='-0.7' offset='1.7'/>", 1, FALSE},
    {"<triangle name='s' low='-1' high='1' frequency='0.2'/>", 1, FALSE},
    {"<triangle name='s' low='1' high='-1' frequency='0.2'/>", -1, FALSE},
    {"<function name='s' formula='1 - 0.1*(t - 2.5)^2'/>", 1, FALSE},
    {"<function name='s' formula='1 + 0.1*(t - 2.5)^2'/>", 1, FALSE},
    {"<function name='p' formula='0.4*(t - 2.5)^2'/><function name='s' formula='1 - p*p'/>", 1,
     FALSE},
    {"<integrator name='s' x0='0.375' in='-0.2*(t - 2.5)'/>", 1, TRUE},
    {"<integrator name='s' x0='1.625' in='0.2*(t - 2.5)'/>", 1, TRUE},
    {"<integrator name='s' in='if(t &lt; 2.5, 0.4, -0.4)'/>", 1, TRUE},
    {OSCILLATES, 1, TRUE},
    {"<integrator name='s' in='v'/><integrator name='v' x0='-0.2*pi' in='-(0.2*pi)^2*s'/>", -1,
     TRUE},
};

/* b has the level L, z is s - L. */
static const char *const blocks[] = {
    "<quantizer name='b' dq='0.25' in='s'/>",
    "<quantizer name='b' dq='0.25' hysteresis='0.001' in='s'/>",
    "<quantizer name='b' dq='0.25' hysteresis='1e-15' in='s'/>",
    ("<quantizer name='q' dq='0.25' in='s'/><integrator name='w' in='q - w'/>"
     "<function name='b' formula='q'/>"),
    "<comparator name='b' level='L' in='s'/>",
    "<hysteresis name='b' lower='L - 0.01' upper='L' in='s'/>",
    "<hysteresis name='b' lower='L' upper='L + 0.01' in='s'/>",
    ("<crossing name='c' level='L' in='s'/><counter name='n' in='c'/>"
     "<function name='b' formula='sin(pi*n/2)^2'/>"),
    "<on_delay name='b' in='z + 0.5' time='0.2'/>",
    "<on_delay name='b' in='z + 0.5' time='0'/>",
    "<saturation name='b' lower='L - 2' upper='L' in='s'/>",
    "<saturation name='b' lower='L' upper='L + 2' in='s'/>",
    "<dead_band name='b' lower='L - 2' upper='L' in='s'/>",
    "<dead_band name='b' lower='L' upper='L + 2' in='s'/>",
    "<switch name='b' control='s' on='1' off='0' level='L'/>",
    "<diode name='b' i='z' ron='1' roff='2'/>",
    "<lookup name='b' in='s' x='L - 1, L, L + 1' y='0, 1, 5'/>",
    "<and name='b' in='z + 0.5, z + 0.5'/>",
    "<or name='b' in='z + 0.5, z + 0.5'/>",
    "<not name='b' in='z + 0.5'/>",
    "<function name='b' formula='if(s > L, 1, 0)'/>",
    "<function name='b' formula='if(s >= L, 1, 0)'/>",
    "<function name='b' formula='abs(s - L)'/>",
    "<function name='b' formula='max(s, L) + min(s, L)'/>",
    "<function name='b' formula='limit(s, L, L + 1)'/>",
    ("<machine name='b' s='s'><state name='low' out='0'><when guard='s > L' to='high'/></state>"
     "<state name='high' out='1'><when guard='s &lt;= L' to='low'/></state></machine>"),
    ("<machine name='b' s='s'><state name='low' out='0'><when guard='s >= L' to='high'/></state>"
     "<state name='high' out='1'><when guard='s &lt; L' to='low'/></state></machine>"),
};

static HyLoaded *load_touch(const Touch *touch, const char *block, const char *method)
{
  char level[HY_DOUBLE_SIZE];
  g_autofree char *body = g_strdup_printf(
      "<let name='L' value='%s'/>%s<function name='z' formula='s - L'/>%s"
      "<experiment stop='5' record='b' grid='0.25' method='%s' dqrel='1e-4' dqmin='1e-5'/>",
      hy_double_text(level, touch->level), touch->inside, block, method);
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns='urn:hydevs:1' name='m' needs='1.3'>%s</hydevs>", body);
  g_autoptr(HyReport) report = hy_report_new();
  HyLoaded *loaded = hy_load_memory(text, strlen(text), "m.xml",
                                    &(HyLoadOptions){.library = library_folders}, report);
  g_autofree char *messages = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, messages);
  return loaded;
}

static void check_touch(const Touch *touch, const char *block, const char *method)
{
  static const char *const engines[] = {"tree", "flat", "fused"};
  g_autoptr(HyLoaded) loaded = load_touch(touch, block, method);
  g_autofree char *first = NULL;
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    g_autofree char *who =
        g_strdup_printf("%s %s %s on %s", touch->inside, block, method, engines[e]);
    g_autoptr(HyRun) run = library_go(loaded, engines[e]);
    const HyRecorder *table = hy_run_table(run, 0);
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(21, hy_recorder_rows(table), who);
    double before = hy_recorder_value(table, 6, 0), after = hy_recorder_value(table, 14, 0);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(2e-3, before, after, who);
    HyTotals totals;
    hy_sim_totals(hy_run_sim(run), &totals);
    TEST_ASSERT_LESS_THAN_UINT64_MESSAGE(strstr(who, "<integrator") != NULL ? 20000 : 1000,
                                         totals.cycles, who);
    g_autofree char *text = library_text(run);
    first = first != NULL ? first : g_strdup(text);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(first, text, who);
  }
}

static void test_who_touches_a_level_goes_on(void)
{
  static const char *const methods[] = {"qss2",         "qss3",      "liqss2",        "mliqss2",
                                        "block_liqss2", "cvode_bdf", "rk45_doubling", "auto"};
  for (guint k = 0; k < G_N_ELEMENTS(touches); k++) {
    for (guint b = 0; b < G_N_ELEMENTS(blocks); b++) {
      gboolean states = touches[k].states || strstr(blocks[b], "<integrator") != NULL;
      for (guint m = 0; m < (states ? G_N_ELEMENTS(methods) : 1U); m++) {
        check_touch(&touches[k], blocks[b], methods[m]);
      }
    }
  }
}

/* Many at once: amplitudes that are multiples of the step, any phase. */
static void test_a_quantizer_bears_any_touch(void)
{
  static const double steps[] = {0.25, 0.1, 1, 0.3, 1 / 3.0, 0.7},
                      hysteresis[] = {0, 0, 1e-15, 1e-9, 0.05};
  g_autoptr(GRand) random = g_rand_new_with_seed(1);
  g_autoptr(GString) body = g_string_new(NULL);
  for (guint k = 0; k < 400; k++) {
    char dq[HY_DOUBLE_SIZE], a[HY_DOUBLE_SIZE], c[HY_DOUBLE_SIZE], f[HY_DOUBLE_SIZE],
        p[HY_DOUBLE_SIZE], h[HY_DOUBLE_SIZE];
    double step = steps[k % G_N_ELEMENTS(steps)];
    hy_double_text(dq, step);
    hy_double_text(a, step * g_rand_int_range(random, 1, 6));
    hy_double_text(c, step * g_rand_int_range(random, -3, 4));
    hy_double_text(f, k % 3 == 0 ? 0.1 : g_rand_double_range(random, 0.1, 3));
    hy_double_text(p, k % 2 == 0 ? 0 : g_rand_double_range(random, -3, 3));
    hy_double_text(h, hysteresis[k % G_N_ELEMENTS(hysteresis)]);
    g_string_append_printf(body,
                           "<sine name='s%u' amplitude='%s' offset='%s' frequency='%s' "
                           "phase='%s'/><quantizer name='q%u' dq='%s' hysteresis='%s' in='s%u'/>",
                           k, a, c, f, p, k, dq, h, k);
  }
  g_string_append(body, "<experiment stop='5' record='q0' grid='1'/>");
  g_autoptr(HyLoaded) loaded = library_load(body->str);
  g_autoptr(HyRun) run = library_go(loaded, "flat");
  TEST_ASSERT_EQUAL_UINT64(6, hy_recorder_rows(hy_run_table(run, 0)));
}

/* The maximum is at the level at an instant at which the sine is told anew. */
static void test_a_quantizer_is_at_most_once_at_a_level_that_is_touched(void)
{
  g_autoptr(HyLoaded) loaded =
      library_load("<sine name='s' frequency='0.1'/><quantizer name='q' dq='0.25' in='s'/>"
                   "<experiment stop='12' record='q'/>");
  g_autoptr(HyRun) run = library_same_on_all_engines(loaded);
  const HyRecorder *table = hy_run_table(run, 0);
  guint at_top = 0;
  for (guint64 row = 0; row < hy_recorder_rows(table); row++) {
    gboolean top = hy_recorder_value(table, row, 0) == 1.0;
    at_top += top;
    TEST_ASSERT_TRUE(!top || hy_recorder_time(table, row) == 2.5);
  }
  TEST_ASSERT_LESS_OR_EQUAL_UINT(1, at_top);
  TEST_ASSERT_TRUE(hy_recorder_time(table, hy_recorder_rows(table) - 1) == 12.0);
}

/* A modulation index at the top of its carrier is above it at all times but isolated ones: a gate
 * never falls, and one with a dead time rises once. By sources alone, and where an exact block or a
 * method with steps finds the crossing; with a carrier that comes before or after what it is told
 * to. The index is a constant, a limited sine, a state at rest, or a limited one. */
static void check_gate(const char *index, const char *frequency, const char *method, gboolean first)
{
  g_autofree char *carrier = g_strdup_printf("<triangle name='car' frequency='1/%s'/>", frequency);
  g_autofree char *body = g_strdup_printf(
      "%s%s<function name='g' formula='if(m &gt; car, 1, 0)'/><on_delay name='d' in='g' "
      "time='0.1u'/><integrator name='w' in='g + d - 1000*w'/>%s"
      "<experiment stop='700u' record='g d w' method='%s'/>",
      first ? carrier : "", index, first ? "" : carrier, method);
  g_autoptr(HyLoaded) loaded = library_load(body);
  g_autoptr(HyRun) run = library_same_on_all_engines(loaded);
  const HyRecorder *table = hy_run_table(run, 0);
  guint64 rows = hy_recorder_rows(table);
  for (guint64 row = 0; row < rows; row++) {
    gboolean up = hy_recorder_time(table, row) > 0.1e-6;
    TEST_ASSERT_TRUE_MESSAGE(hy_recorder_value(table, row, 0) == 1.0, body);
    TEST_ASSERT_TRUE_MESSAGE(!up || hy_recorder_value(table, row, 1) == 1.0, body);
  }
  double exact = 1e-3 * (2.0 - exp(-0.7) - exp(-0.6999)); /* w' = g + d - 1000 w */
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(4e-6, exact, hy_recorder_value(table, rows - 1, 2), body);
}

static void test_the_top_of_a_carrier_is_no_edge_of_a_gate(void)
{
  static const char *const index[] = {
      "<function name='m' formula='1'/>",
      "<sine name='s' amplitude='0.3' frequency='1k'/><function name='m' formula='limit(s + 1.3, "
      "0, 1)'/>",
      "<integrator name='x' x0='1' in='0*x'/><function name='m' formula='x'/>",
      "<integrator name='x' x0='2' in='-500*x'/><function name='m' formula='limit(x, 0, 1)'/>"};
  static const char *const frequency[] = {"35.57u", "42.31u", "0.1m", "33.3333u"};
  static const char *const methods[] = {"qss2", "mliqss2", "block_liqss2", "cvode_bdf"};
  for (guint i = 0; i < G_N_ELEMENTS(index); i++) {
    for (guint f = 0; f < G_N_ELEMENTS(frequency); f++) {
      for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
        check_gate(index[i], frequency[f], methods[m], FALSE);
        check_gate(index[i], frequency[f], methods[m], TRUE);
      }
    }
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_quantizer_is_at_most_once_at_a_level_that_is_touched);
  RUN_TEST(test_a_quantizer_bears_any_touch);
  RUN_TEST(test_the_top_of_a_carrier_is_no_edge_of_a_gate);
  RUN_TEST(test_who_touches_a_level_goes_on);
  return UNITY_END();
}
