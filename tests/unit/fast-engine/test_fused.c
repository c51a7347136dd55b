/* The fused engine where random models seldom come. */
#include "agree.h"

#include "hydevs/load.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static guint add(HyModel *m, const char *name, const char *klass)
{
  return hy_model_add(m, name, hy_class_find(klass));
}

static void set(HyModel *m, guint k, const char *param, const char *text)
{
  TEST_ASSERT_TRUE_MESSAGE(hy_model_set(m, k, param, text, NULL), param);
}

static void wire(HyModel *m, const char *from, const char *to)
{
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_TRUE_MESSAGE(hy_model_wire(m, from, to, &error), error ? error->message : "");
}

/* What comes from outside meets a mode that changes at that instant: the block of the mode, of
 * lower rank than the last one that the input leads to, speaks before that. */
static void test_an_input_at_the_instant_of_a_mode_waits_for_it(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  hy_model_in(m, "u");
  guint k = add(m, "ramp", "ramp");
  set(m, k, "duration", "4");
  set(m, k, "height", "4");
  k = add(m, "mode", "comparator");
  set(m, k, "level", "1");
  add(m, "outer", "gain");
  add(m, "further", "gain");
  add(m, "last", "gain");
  add(m, "latest", "relay");
  add(m, "K", "sink");
  wire(m, "ramp", "mode.in");
  wire(m, ".u", "outer.in");
  wire(m, "mode", "latest.in");
  wire(m, "outer", "further.in");
  wire(m, "further", "last.in");
  wire(m, "last", "latest.in");
  wire(m, "latest", "K.in");
  g_autofree char *first = NULL;
  for (HyEngine engine = HY_TREE; engine <= HY_FUSED; engine++) {
    g_autoptr(HySim) sim = hy_sim_new(m, engine, NULL);
    guint sink;
    TEST_ASSERT_TRUE(hy_sim_find(sim, "K", &sink));
    TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL));
    TEST_ASSERT_TRUE(hy_sim_run(sim, 0.5, NULL));
    TEST_ASSERT_TRUE(hy_sim_next(sim) == 1.0);
    TEST_ASSERT_TRUE(hy_sim_input(sim, 1.0, 0, &(HyValue){.c = {7}}, NULL));
    TEST_ASSERT_TRUE(hy_sim_run(sim, 0.75, NULL)); /* nothing is due by then */
    TEST_ASSERT_TRUE(hy_sim_next(sim) == 1.0);
    TEST_ASSERT_TRUE(hy_sim_run(sim, 2.0, NULL));
    g_autofree char *last = hy_sim_print(sim, sink);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(last, "7"), last);
    first = first != NULL ? first : g_strdup(last);
    TEST_ASSERT_EQUAL_STRING(first, last);
  }
}

/* 1, and 0 from t = 1. */
static void add_off(HyModel *m)
{
  guint k = add(m, "off", "step");
  set(m, k, "from", "1");
  set(m, k, "to", "0");
  set(m, k, "at", "1");
}

/* Nobody reads it, and still it must not divide by zero. */
static void test_a_block_that_nobody_reads_may_fail(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add_off(m);
  guint k = add(m, "ratio", "division");
  TEST_ASSERT_TRUE(hy_model_set_input(m, k, 0, 2, NULL));
  wire(m, "off", "ratio.by");
  for (HyEngine engine = HY_TREE; engine <= HY_FUSED; engine++) {
    g_auto(Said) said = say_all(m, &(Way){.engine = engine, .tf = 2});
    TEST_ASSERT_EQUAL_STRING("ratio: division by zero: 2 / by = 2 / 0 at t = 1", said.error);
  }
}

static void add_ratio(HyModel *m, const char *gain, const char *ratio)
{
  g_autofree char *in = g_strdup_printf("%s.in", gain), *by = g_strdup_printf("%s.by", ratio);
  add(m, gain, "gain");
  guint k = add(m, ratio, "division");
  TEST_ASSERT_TRUE(hy_model_set_input(m, k, 0, 2, NULL));
  wire(m, "off", in);
  wire(m, gain, by);
}

/* Two blocks divide by zero at one instant; only the row of a state reads the first one, which
 * fused leaves out. */
static void test_the_first_of_two_faults_is_told_also_of_a_block_left_out(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add_off(m);
  add_ratio(m, "G", "first");
  add_ratio(m, "H", "second");
  add(m, "x", "integrator");
  wire(m, "first", "x.in");
  for (HyEngine engine = HY_TREE; engine <= HY_FUSED; engine++) {
    g_auto(Said) said = say_all(m, &(Way){.engine = engine, .tf = 2, .rows = TRUE});
    TEST_ASSERT_EQUAL_STRING("first: division by zero: 2 / by = 2 / 0 at t = 1", said.error);
  }
}

static void run_on(HySim *sim, gboolean rows)
{
  hy_sim_set_rows(sim, rows);
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL) && hy_sim_run(sim, 5, NULL));
}

static void check_counts(const HySim *a, const HySim *b, guint atomic)
{
  guint64 n_int[2], n_ext[2];
  hy_sim_counts(a, atomic, &n_int[0], &n_ext[0]);
  hy_sim_counts(b, atomic, &n_int[1], &n_ext[1]);
  TEST_ASSERT_EQUAL_UINT64(n_int[0], n_int[1]);
  TEST_ASSERT_EQUAL_UINT64(n_ext[0], n_ext[1]);
}

/* At the end of a run on each of the engines the values of those called NAME, [n], have the same
 * bits; by signals as much has happened, too. */
static void check_engines(HyModel *m, gboolean rows, const char *const *name, guint n)
{
  g_autoptr(HySim) tree = hy_sim_new(m, HY_TREE, NULL);
  HyTotals expected, totals;
  run_on(tree, rows);
  hy_sim_totals(tree, &expected);
  for (HyEngine engine = HY_FLAT; engine <= HY_FUSED; engine++) {
    g_autoptr(HySim) sim = hy_sim_new(m, engine, NULL);
    run_on(sim, rows);
    for (guint k = 0; k < n; k++) {
      guint atomic = 0;
      TEST_ASSERT_TRUE(hy_sim_find(sim, name[k], &atomic));
      double want = hy_sim_value(tree, atomic, 5), got = hy_sim_value(sim, atomic, 5);
      TEST_ASSERT_EQUAL_MEMORY_MESSAGE(&want, &got, sizeof want, name[k]);
      if (!rows) {
        check_counts(tree, sim, atomic);
      }
    }
    hy_sim_totals(sim, &totals);
    TEST_ASSERT_EQUAL_UINT64(expected.steps, totals.steps);
    if (!rows) {
      TEST_ASSERT_EQUAL_UINT64(expected.cycles, totals.cycles);
      TEST_ASSERT_EQUAL_UINT64(expected.n_int, totals.n_int);
    }
  }
}

/* Linear and not, each state beside those of another method, some of which it reads, one of them by
 * a wire alone. */
static void test_states_of_several_methods_stand_side_by_side(void)
{
  static const char *const name[] = {"x", "y", "z", "u", "w", "s"};
  static const char *const method[][3] = {{"qss2", "liqss2", "qss3"},
                                          {"qss3", "qss1", "liqss3"},
                                          {"liqss2", "qss2", "liqss2"},
                                          {"qss2", "qss2", "liqss2"},
                                          {"bqss", "qss1", "liqss1"}};
  for (guint way = 0; way < G_N_ELEMENTS(method); way++) {
    g_autofree char *text =
        g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">"
                        "<integrator name=\"x\" in=\"y*z\" x0=\"1\" method=\"%s\"/>"
                        "<integrator name=\"y\" in=\"z - x\" x0=\"0.5\" method=\"%s\"/>"
                        "<integrator name=\"z\" in=\"x - z\" method=\"%s\"/>"
                        "<integrator name=\"u\" in=\"1 - u\" method=\"%s\"/>"
                        "<integrator name=\"w\" in=\"1 - w\" method=\"%s\"/>"
                        "<integrator name=\"s\" in=\"w\" method=\"%s\"/>"
                        "<experiment stop=\"5\"/></hydevs>",
                        method[way][0], method[way][1], method[way][2], method[way][1],
                        method[way][2], method[way][0]);
    g_autoptr(HyReport) report = hy_report_new();
    g_autoptr(HyLoaded) loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
    TEST_ASSERT_NOT_NULL(loaded);
    check_engines(hy_loaded_model(loaded), TRUE, name, G_N_ELEMENTS(name));
    check_engines(hy_loaded_model(loaded), FALSE, name, G_N_ELEMENTS(name));
  }
}

/* Block K of the chain below, behind BEFORE. Every third is a curve. */
static void add_link(HyModel *m, guint k, const char *before)
{
  g_autofree char *name = g_strdup_printf("b%u", k);
  gboolean curve = k % 3 == 2;
  guint at = add(m, name, curve ? "function" : "gain");
  if (curve) {
    hy_model_set_array(m, at, 1, 0);
    set(m, at, "formula", k % 6 == 2 ? "tanh(in[1])" : "in[1] - 0.25*in[1]*in[1]*in[1]");
  } else {
    set(m, at, "k", k == 0 ? "-1" : "0.96875");
  }
  g_autofree char *in = g_strdup_printf(curve ? "b%u.in[1]" : "b%u.in", k);
  wire(m, before, in);
}

/* x' is what N blocks make of x one after the other; every fifth is read by x' of y, too. */
static HyModel *chain_of(guint n, const char *method)
{
  HyModel *m = hy_model_new("R");
  set(m, add(m, "x", "integrator"), "x0", "1");
  add(m, "y", "integrator");
  set(m, 0, "method", method);
  set(m, 1, "method", method);
  hy_model_set_array(m, add(m, "all", "sum"), n / 5 + 1, 0);
  wire(m, "x", "all.in[1]");
  wire(m, "all", "y.in");
  g_autofree char *last = g_strdup("x");
  for (guint k = 0; k < n; k++) {
    add_link(m, k, last);
    g_free(last);
    last = g_strdup_printf("b%u", k);
    if (k % 5 == 4) {
      g_autofree char *to = g_strdup_printf("all.in[%u]", k / 5 + 2);
      wire(m, last, to);
    }
  }
  wire(m, last, "x.in");
  return m;
}

/* As many as fused lays out for a step, and more. */
static void test_a_state_reaches_any_number_of_blocks(void)
{
  static const guint many[] = {1, 2, 62, 63, 64, 65, 130};
  static const char *const name[] = {"x", "y"};
  for (guint k = 0; k < G_N_ELEMENTS(many); k++) {
    g_autoptr(HyModel) qss = chain_of(many[k], "qss2"), liqss = chain_of(many[k], "liqss3");
    check_engines(qss, FALSE, name, G_N_ELEMENTS(name));
    check_engines(liqss, FALSE, name, G_N_ELEMENTS(name));
  }
}

/* A caller who asks for one cycle gets one, however many follow from it in a loop. */
static void test_a_cycle_at_a_time(void)
{
  g_autoptr(HyModel) m = chain_of(12, "qss2");
  g_autoptr(HySim) sim = hy_sim_new(m, HY_FUSED, NULL);
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL));
  gboolean done = TRUE;
  for (guint64 k = 1; k <= 200; k++) {
    HyTotals totals;
    TEST_ASSERT_TRUE(hy_sim_step(sim, 5, &done, NULL));
    hy_sim_totals(sim, &totals);
    TEST_ASSERT_TRUE(done);
    TEST_ASSERT_EQUAL_UINT64(k, totals.cycles);
  }
}

typedef struct {
  guint words, others;
} Heard;

static void count_heard(gpointer user, const HyTransition *x)
{
  Heard *h = user;
  *(x->kind == HY_LAMBDA && x->event->port >= 0 ? &h->words : &h->others) += 1;
}

/* How often the function before the state x of x' = -x moves, x watched so. */
static guint64 turns_before_a_state(HyWatched how, Heard *heard)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "back", "gain");
  guint x = add(m, "x", "integrator");
  set(m, x, "x0", "1");
  wire(m, "x", "back.in");
  wire(m, "back", "x.in");
  g_autoptr(HySim) sim = hy_sim_new(m, HY_FUSED, NULL);
  guint back, state;
  guint64 n_int, n_ext;
  guint8 watched[2] = {HY_WATCH_NOTHING, HY_WATCH_NOTHING};
  TEST_ASSERT_TRUE(hy_sim_find(sim, "back", &back) && hy_sim_find(sim, "x", &state));
  watched[state] = (guint8)how;
  hy_sim_set_rows(sim, TRUE);
  hy_sim_set_trace(
      sim,
      &(HyTrace){.user = heard, .transition = count_heard, .watched = watched, .n_watched = 2});
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL) && hy_sim_run(sim, 1, NULL));
  hy_sim_counts(sim, back, &n_int, &n_ext);
  return n_int;
}

/* Who wants to hear a state does not need what only comes to it; who wants to see it take that
 * does. */
static void test_words_of_a_state_cost_no_block_before_it(void)
{
  Heard none = {0}, words = {0}, all = {0};
  TEST_ASSERT_EQUAL_UINT64(0, turns_before_a_state(HY_WATCH_NOTHING, &none));
  TEST_ASSERT_EQUAL_UINT64(0, turns_before_a_state(HY_WATCH_WORDS, &words));
  TEST_ASSERT_TRUE(turns_before_a_state(HY_WATCH_ALL, &all) > 10);
  TEST_ASSERT_EQUAL_UINT(0, none.words);
  TEST_ASSERT_TRUE(words.words > 10);
  TEST_ASSERT_EQUAL_UINT(all.words, words.words);
  TEST_ASSERT_TRUE(all.others > all.words);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_an_input_at_the_instant_of_a_mode_waits_for_it);
  RUN_TEST(test_a_block_that_nobody_reads_may_fail);
  RUN_TEST(test_words_of_a_state_cost_no_block_before_it);
  RUN_TEST(test_states_of_several_methods_stand_side_by_side);
  RUN_TEST(test_a_state_reaches_any_number_of_blocks);
  RUN_TEST(test_a_cycle_at_a_time);
  RUN_TEST(test_the_first_of_two_faults_is_told_also_of_a_block_left_out);
  return UNITY_END();
}
