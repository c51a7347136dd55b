/* `t` in formulas is the time, exact: states of closed form by every method, on every engine. */
#include "hydevs/hydevs.h"
#include "numerics/methods.h"

#include <math.h>
#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

/* From t = -1 to 2: a smooth state and a fast one, a state of a model inside, a chain that begins
 * with t, an equation, an output port; what is read of them at the end. */
#define MODEL                                                                                      \
  "<integrator name='s' in='sin(t)' x0='-cos(1)'/>"                                                \
  "<integrator name='z' in='-10*(z - cos(t)) - sin(t)' x0='cos(1)'/>"                              \
  "<coupled name='c'><integrator name='x' in='t^2' x0='-1/3'/><out name='now' "                    \
  "from='t'/></coupled>"                                                                           \
  "<integrator name='p' in='c.now' x0='0.5'/>"                                                     \
  "<integrator name='u' count='2' before='t' in='u[i-1] - u[i]' x0='-1 - i'/>"                     \
  "<equations name='q'><state name='y' derivative='2*t - y' x0='-4'/></equations>"                 \
  "<function name='late' formula='max(t - 1, 0)'/>"

static HyLoaded *load(const char *body, const char *method)
{
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns='urn:hydevs:1' name='m'>%s<experiment "
                      "start='-1' stop='2' dqrel='1e-4' dqmin='1e-4'/></hydevs>",
                      body);
  g_autoptr(HyReport) report = hy_report_new();
  HyLoadOptions options = {.method = method, .hstep = 1e-3};
  HyLoaded *loaded = hy_load_memory(text, strlen(text), "m.xml", &options, report);
  g_autofree char *messages = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, messages);
  return loaded;
}

/* At the end of a run: the state itself, or what a block without one has said. */
static void run(const HyLoaded *loaded, const char *engine, const char *const *path, double *x)
{
  g_autoptr(GError) error = NULL;
  HyRunSettings settings = HY_RUN_SETTINGS;
  settings.engine = engine;
  g_autoptr(HyRun) run = hy_run_new(loaded, &settings, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(run, error != NULL ? error->message : "");
  gboolean ok = hy_run_go(run, &error);
  TEST_ASSERT_TRUE_MESSAGE(ok, ok ? "" : error->message);
  for (guint k = 0; path[k] != NULL; k++) {
    guint atomic;
    TEST_ASSERT_TRUE_MESSAGE(hy_sim_find(hy_run_sim(run), path[k], &atomic), path[k]);
    x[k] = hy_sim_value(hy_run_sim(run), atomic, 2);
  }
}

/* u[1] = t - 1, u[2] = t - 2, q/y = 2 t - 2 are solutions that take no decaying part. */
static void test_states_are_those_of_closed_forms_by_every_method(void)
{
  static const char *const path[] = {"s", "z", "c/x", "p", "u[1]", "u[2]", "q/y", NULL},
                           *const engines[] = {"tree", "flat", "fused"};
  const double wanted[] = {-cos(2), cos(2), 8. / 3, 2, 1, 0, 2};
  for (const char *const *method = hy_method_names; *method != NULL; method++) {
#ifndef HY_SUNDIALS
    if (g_str_has_prefix(*method, "cvode")) {
      continue;
    }
#endif
    g_autoptr(HyLoaded) loaded = load(MODEL, *method);
    double first[G_N_ELEMENTS(wanted)] = {0}, x[G_N_ELEMENTS(wanted)] = {0};
    for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
      run(loaded, engines[e], path, e == 0 ? first : x);
      for (guint k = 0; k < G_N_ELEMENTS(wanted); k++) {
        g_autofree char *what = g_strdup_printf("%s of %s on %s", path[k], *method, engines[e]);
        TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(4e-3, wanted[k], e == 0 ? first[k] : x[k], what);
        TEST_ASSERT_TRUE_MESSAGE(e == 0 || first[k] == x[k], what);
      }
    }
  }
}

/* Recorded on a grid: t, and a formula with a crossing in it, are what they are in closed form. */
static void test_the_time_is_exact(void)
{
  static const char *const record[] = {"t", "late", NULL};
  g_autofree char *text = g_strdup_printf(
      "<hydevs xmlns='urn:hydevs:1' name='m'>%s<experiment start='-1' stop='2' method='qss3' "
      "grid='0.25'/></hydevs>",
      MODEL);
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(GError) error = NULL;
  g_autoptr(HyLoaded) loaded =
      hy_load_memory(text, strlen(text), "m.xml", &(HyLoadOptions){.record = record}, report);
  g_autoptr(HyRun) run = hy_run_new(loaded, NULL, &error);
  TEST_ASSERT_TRUE(hy_run_record(run, &error) && hy_run_go(run, &error));
  const HyRecorder *table = hy_run_table(run, 0);
  TEST_ASSERT_EQUAL_UINT64(13, hy_recorder_rows(table));
  for (guint64 row = 0; row < 13; row++) {
    double t = -1 + 0.25 * (double)row;
    TEST_ASSERT_EQUAL_DOUBLE(t, hy_recorder_value(table, row, 0));
    TEST_ASSERT_EQUAL_DOUBLE(fmax(t - 1, 0), hy_recorder_value(table, row, 1));
  }
}

/* A parameter, a port, a block, a named input: who has the name t keeps it. */
static void test_a_name_of_the_model_wins(void)
{
  static const char *const path[] = {"x", "around/a/x", "b/x", "e/x", "f/x", NULL};
  g_autoptr(HyLoaded) loaded =
      load("<type name='own'><integrator name='t' in='1'/><integrator name='x' in='t'/></type>"
           "<type name='sealed'><integrator name='x' in='t'/></type>"
           "<coupled name='around'><param name='t' value='7'/><coupled name='a'>"
           "<integrator name='x' in='t'/></coupled></coupled>"
           "<constant name='two' value='2'/>"
           "<coupled name='b'><in name='t'/><integrator name='x' in='t'/></coupled>"
           "<wire from='two' to='b.t'/><block name='e' type='own'/><block name='f' type='sealed'/>"
           "<function name='g' formula='t + 1' t='two'/><integrator name='x' in='g'/>",
           "qss3");
  double x[5];
  run(loaded, "flat", path, x);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 9, x[0]);   /* 3 (two + 1) */
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 21, x[1]);  /* 3 * 7 */
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 6, x[2]);   /* 3 * 2 */
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, 4.5, x[3]); /* 3^2 / 2 */
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1.5, x[4]); /* (2^2 - 1) / 2: the time, in a type of its own */
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_states_are_those_of_closed_forms_by_every_method);
  RUN_TEST(test_the_time_is_exact);
  RUN_TEST(test_a_name_of_the_model_wins);
  return UNITY_END();
}
