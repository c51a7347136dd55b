/* What is computed of what states say, and is wrong by that, is told, with by how much it is:
 * beside what is computed of the states. What is as right as they are is not. */
#include "circuit_run.h"
#include "results/smells.h"
#include "sim/smells.h"

#define R "1m"

/* A capacitor behind a resistance, at a voltage that swings: what flows there, y, is 200 at most.
 */
#define RC(resistance, heard)                                                                      \
  "<function name='u' formula='100 + 10*sin(20*t)'/>"                                              \
  "<integrator name='x' x0='100' in='(u - x)/" resistance "'/>"                                    \
  "<function name='y' formula='(u - x)/" resistance "'/>" heard

static char *model(const char *inside, const char *method, const char *record)
{
  return g_strdup_printf("%s<experiment stop='0.2' method='%s' hstep='100u' record='%s'/>", inside,
                         method, record);
}

/* The only thing that smells; NULL: nothing does. The caller's. */
static HySmell *smell_of(const HyRun *run)
{
  g_autoptr(GArray) smells = hy_sim_smells(hy_run_sim(run));
  TEST_ASSERT_TRUE(smells->len <= 1);
  return smells->len == 0 ? NULL : g_memdup2(smells->data, sizeof(HySmell));
}

static guint atomic_at(const HyRun *run, const char *path)
{
  guint atomic = 0;
  TEST_ASSERT_TRUE(hy_sim_find(hy_run_sim(run), path, &atomic));
  return atomic;
}

/* Of all rows, both sides of each event: the largest that y is off what x makes of it, and how near
 * any comes to WAS. */
static double farthest(const HyRun *run, double was, double *nearest)
{
  const HyRecorder *table = hy_run_table(run, 0);
  double most = 0.0;
  *nearest = INFINITY;
  for (guint64 k = 0; k < hy_recorder_rows(table); k++) {
    double u = hy_recorder_value(table, k, 0), x = hy_recorder_value(table, k, 1);
    double off = fabs(hy_recorder_value(table, k, 2) - (u - x) / 1e-3);
    most = fmax(most, off);
    *nearest = fmin(*nearest, fabs(off - was));
  }
  return most;
}

/* It is told as it was: a row has just that, and none much more. Where nothing is told no row is
 * farther off than a tenth of the largest of all. */
static void check_told(const char *method, const char *engine, gboolean always)
{
  g_autofree char *body = model(RC(R, ""), method, "u x.x y");
  g_autoptr(HyLoaded) loaded = load_text(body);
  g_autoptr(HyRun) run = go(loaded, engine);
  g_autofree HySmell *smell = smell_of(run);
  double nearest, most = farthest(run, smell != NULL ? smell->was : 0.0, &nearest);
  TEST_ASSERT_TRUE_MESSAGE(smell != NULL || (!always && most < 20.0), method);
  if (smell == NULL) {
    return;
  }
  TEST_ASSERT_EQUAL_INT(HY_SMELL_GAIN, smell->kind);
  TEST_ASSERT_EQUAL_UINT(atomic_at(run, "y"), smell->atomic);
  TEST_ASSERT_EQUAL_UINT(atomic_at(run, "x"), smell->with[0]);
  TEST_ASSERT_TRUE_MESSAGE(nearest <= 1e-6 * smell->was, method);
  TEST_ASSERT_TRUE_MESSAGE(smell->was >= 0.3 * most, method);
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-6 * smell->was, smell->was, smell->told / 1e-3, method);
}

static void test_what_is_told_is_what_was(void)
{
  static const char *const methods[] = {"qss2", "qss3", "mliqss2", "liqss2", "liqss3", "mliqss3"};
  static const char *const engines[] = {"tree", "flat", "fused"};
  for (guint k = 0; k < G_N_ELEMENTS(methods) * G_N_ELEMENTS(engines); k++) {
    check_told(methods[k / 3], engines[k % 3], k / 3 < 2);
  }
}

#ifdef HY_SUNDIALS
/* Of a group what its tolerance makes of it. */
static void test_a_group_may_be_off_by_its_tolerance(void)
{
  g_autofree char *body = model(RC(R, ""), "cvode_adams", "y");
  g_autoptr(HyLoaded) loaded = load_text(body);
  g_autoptr(HyRun) run = go(loaded, NULL);
  g_autofree HySmell *smell = smell_of(run);
  TEST_ASSERT_NOT_NULL(smell);
  TEST_ASSERT_EQUAL_INT(HY_SMELL_GAIN, smell->kind);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1e3 * smell->told, smell->was);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0.11, smell->told);
}
#endif

static void expect_smell(const char *inside, const char *method, const char *record, gboolean told)
{
  g_autofree char *body = model(inside, method, record);
  g_autoptr(HyLoaded) loaded = load_text(body);
  g_autoptr(HyRun) run = go(loaded, NULL);
  g_autofree HySmell *smell = smell_of(run);
  g_autofree char *text = smell != NULL ? hy_smell_text(hy_run_sim(run), smell) : NULL;
  g_autofree char *message =
      g_strdup_printf("%s by %s: %s", inside, method, text != NULL ? text : "no word");
  TEST_ASSERT_EQUAL_MESSAGE(told, smell != NULL, message);
}

/* Whom it concerns: who hears y, and nobody where nobody does, or where a group computes it. */
static void test_it_is_told_where_somebody_hears(void)
{
#define SAMPLED "<generator name='g' period='1m' values='1'/><sampler name='s' in='y' trigger='g'/>"
  expect_smell(RC(R, ""), "qss2", "x", FALSE);
  expect_smell(RC(R, SAMPLED), "qss2", "x", TRUE);
  expect_smell(RC(R, "<function name='p' formula='y*y'/>"), "liqss2", "p", TRUE);
  expect_smell(RC(R, "<integrator name='z' in='y - z'/>"), "qss2", "z", FALSE);
  expect_smell(RC(R, ""), "block_liqss2", "y", FALSE);
  expect_smell(RC(R, SAMPLED), "block_liqss2", "x", FALSE);
  expect_smell(RC(R, ""), "auto", "y", FALSE);
}

/* A gain of 1 or so, a difference that is no small one, a current of a switch, a state. */
static void test_what_is_right_is_not_told(void)
{
  static const char *const quiet[] = {
      "<integrator name='x' in='sin(20*t) - x'/><function name='y' formula='(sin(20*t) - x)/3'/>",
      "<integrator name='x' in='1 - x'/><integrator name='z' x0='1' in='-z'/>"
      "<function name='y' formula='x - z'/>",
      "<integrator name='x' in='-100*z'/><integrator name='z' x0='1' in='100*x'/>"
      "<function name='y' formula='x*z + 2*x'/>",
      "<pwm name='g' period='10m' duty='0.5'/><integrator name='x' in='if(g &gt; 0.5, 10, -10) - "
      "x'/>"
      "<function name='y' formula='if(g &gt; 0.5, x/10, x/1M)'/>",
  };
  static const char *const methods[] = {"qss2",      "qss3", "liqss2",
#ifdef HY_SUNDIALS
                                        "cvode_bdf",
#endif
                                        "mliqss2",   "auto", "block_liqss2"};
  for (guint k = 0; k < G_N_ELEMENTS(quiet) * G_N_ELEMENTS(methods); k++) {
    expect_smell(quiet[k / G_N_ELEMENTS(methods)], methods[k % G_N_ELEMENTS(methods)], "y", FALSE);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_what_is_told_is_what_was);
#ifdef HY_SUNDIALS
  RUN_TEST(test_a_group_may_be_off_by_its_tolerance);
#endif
  RUN_TEST(test_it_is_told_where_somebody_hears);
  RUN_TEST(test_what_is_right_is_not_told);
  return UNITY_END();
}
