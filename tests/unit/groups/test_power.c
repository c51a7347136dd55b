/* Power electronics as blocks (tests/models), solved exactly: end values that were computed by
 * another program from the same circuits as networks, how often what turns, and CVODE at a tight
 * tolerance all the way. */
#include "group_run.h"

void setUp(void)
{
}

void tearDown(void)
{
}

typedef struct {
  const char *path;
  double value;
} End;

typedef struct {
  const char *file;
  double stop;
  guint turned, steps; /* by the block */
  double exactly;      /* of the largest, beside CVODE at 1e-9 */
  End end[5];
} Model;

/* 6 diodes, whose gates are sines; 30 thyristors are fired and 30 go out, and one is fired at the
 * end; two switches and a diode at most edges of the full bridge; an edge at the end counts. */
static const Model models[] = {
    {"three-phase-bridge",
     40e-3,
     26,
     26,
     1e-6,
     {{"iL[1]", 0.0}, {"iL[2]", -24.897775}, {"iL[3]", 24.768547}, {"v", 516.953278}}},
    {"thyristor-bridge",
     100e-3,
     61,
     68,
     1e-6,
     {{"iL[1]", -41.979287}, {"iL[3]", 42.003065}, {"iO", 42.021085}}},
    {"full-bridge",
     10e-3,
     798,
     801,
     1e-6,
     {{"iL", -2.770483}, {"iO", 24.513919}, {"v", 402.964407}}},
    {"boost", 10e-3, 400, 466, 1e-6, {{"iL", 1.168035}, {"v", 45.198755}}},
};

#define STATED "method=\"block_liqss2\" dqrel=\"1e-3\" dqmin=\"1e-3\""

/* With NUMERICS in place of what it states. */
static void begin(Run *r, const Model *m, const char *numerics, HyEngine engine)
{
  g_autofree char *file = g_strdup_printf("%s/tests/models/%s.xml", HY_SOURCE_DIR, m->file);
  g_autofree char *text = NULL;
  TEST_ASSERT_TRUE_MESSAGE(g_file_get_contents(file, &text, NULL, NULL), file);
  g_auto(GStrv) part = g_strsplit(text, STATED, -1);
  TEST_ASSERT_EQUAL_UINT(2, g_strv_length(part));
  g_autofree char *other = g_strjoinv(numerics, part);
  load(r, other, engine);
  start(r);
}

static double largest(const Model *m)
{
  double most = 0.0;
  for (const End *end = m->end; end->path != NULL; end++) {
    most = fmax(most, fabs(end->value));
  }
  return most;
}

static void test_it_ends_as_it_should(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(models); k++) {
    const Model *m = &models[k];
    double first[5] = {0};
    for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
      Run r;
      begin(&r, m, STATED, engines[e]);
      go(&r, m->stop);
      for (guint i = 0; m->end[i].path != NULL; i++) {
        double x = at(&r, m->end[i].path, m->stop);
        TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-6, m->end[i].value, x, m->file);
        first[i] = e == 0 ? x : first[i];
        TEST_ASSERT_TRUE_MESSAGE(x == first[i], m->file);
      }
      TEST_ASSERT_EQUAL_UINT64_MESSAGE(m->turned, totals(&r).crossings, m->file);
      TEST_ASSERT_EQUAL_UINT64_MESSAGE(m->steps, totals(&r).steps, m->file);
      TEST_ASSERT_EQUAL_UINT64(0, totals(&r).evaluations);
      clear(&r);
    }
  }
}

/* However coarse the quantum: a diode misses nothing by it. */
static void test_the_quantum_does_not_matter(void)
{
  static const char *const coarse = "method=\"block_liqss2\" dqrel=\"1e-2\" dqmin=\"1e-2\"";
  for (guint k = 0; k < G_N_ELEMENTS(models); k++) {
    const Model *m = &models[k];
    Run r;
    begin(&r, m, coarse, HY_FUSED);
    go(&r, m->stop);
    for (const End *end = m->end; end->path != NULL; end++) {
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-6, end->value, at(&r, end->path, m->stop), m->file);
    }
    clear(&r);
  }
}

/* By another method, which is told the sines piece by piece, at many instants on the way. */
static void test_cvode_says_the_same(void)
{
#ifdef HY_SUNDIALS
  static const char *const tight = "method=\"cvode_bdf\" dqrel=\"1e-9\" dqmin=\"1e-9\"";
  for (guint k = 0; k < G_N_ELEMENTS(models); k++) {
    const Model *m = &models[k];
    Run r, other;
    begin(&r, m, STATED, HY_FUSED);
    begin(&other, m, tight, HY_FUSED);
    for (int i = 1; i <= 40; i++) {
      double t = m->stop * i / 40;
      go(&r, t);
      go(&other, t);
      for (const End *end = m->end; end->path != NULL; end++) {
        TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(m->exactly * largest(m), at(&other, end->path, t),
                                          at(&r, end->path, t), m->file);
      }
    }
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(m->turned, totals(&other).crossings, m->file);
    clear(&r);
    clear(&other);
  }
#endif
}

/* The circuits of bench/ladder, for so many periods, at 1 and 100 kHz. */
static void open_rung(Run *r, const char *name, const char *f, const char *numerics,
                      HyEngine engine)
{
  g_autofree char *file = g_strdup_printf("%s/bench/models/ladder-%s.xml", HY_SOURCE_DIR, name);
  g_autoptr(GString) text = g_string_new(NULL);
  char *as_written = NULL;
  TEST_ASSERT_TRUE_MESSAGE(g_file_get_contents(file, &as_written, NULL, NULL), file);
  g_string_append(text, as_written);
  g_free(as_written);
  TEST_ASSERT_EQUAL_UINT(1, g_string_replace(text, "value=\"10k\"", f, 0));
  TEST_ASSERT_EQUAL_UINT(1, g_string_replace(text, STATED, numerics, 0));
  load(r, text->str, engine);
  start(r);
}

/* The error is that of thesis equation 4.11, of each state. */
static void climb(const char *name, const char *f, double stop, const char *const *state)
{
  Run run[3], other;
  double off[3] = {0}, all[3] = {0};
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    open_rung(&run[e], name, f, STATED, engines[e]);
  }
  open_rung(&other, name, f, "method=\"cvode_bdf\" dqrel=\"1e-9\" dqmin=\"1e-9\"", HY_FUSED);
  for (int i = 1; i <= 100; i++) {
    double t = stop * i / 100;
    go(&other, t);
    for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
      go(&run[e], t);
    }
    for (guint k = 0; state[k] != NULL; k++) {
      double x = at(&run[0], state[k], t), reference = at(&other, state[k], t);
      TEST_ASSERT_TRUE(x == at(&run[1], state[k], t) && x == at(&run[2], state[k], t));
      off[k] += (x - reference) * (x - reference);
      all[k] += reference * reference;
    }
  }
  for (guint k = 0; state[k] != NULL; k++) {
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-3, 0.0, sqrt(off[k] / all[k]), name);
  }
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    clear(&run[e]);
  }
  clear(&other);
}

static void test_any_frequency_ends_right(void)
{
#ifdef HY_SUNDIALS
  static const char *const buck[] = {"buck/L1.i", "buck/C1.v", NULL};
  static const char *const inverter[] = {"inverter/Lb.i", "inverter/Lc.i", "inverter/Cd.v", NULL};
  climb("buck", "value=\"1k\"", 20e-3, buck);
  climb("buck", "value=\"100k\"", 1e-3, buck);
  climb("inverter", "value=\"1k\"", 20e-3, inverter);
  climb("inverter", "value=\"100k\"", 1e-3, inverter);
#endif
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_it_ends_as_it_should);
  RUN_TEST(test_the_quantum_does_not_matter);
  RUN_TEST(test_cvode_says_the_same);
  RUN_TEST(test_any_frequency_ends_right);
  return UNITY_END();
}
