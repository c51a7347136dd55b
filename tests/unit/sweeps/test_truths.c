/* Tables beside what is known of the models by theory: a queue, and how smooth results are. */
#include "sweep_model.h"

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Customers at random, one server: M/D/1. In the mean rho + rho^2/(2 (1 - rho)) are there
 * (Pollaczek and Khinchine). */
static const char queue[] =
    "<hydevs xmlns=\"urn:hydevs:1\" name=\"queue\"><param name=\"rho\" value=\"0.5\"/>"
    "<random_generator name=\"customers\" mean=\"1/rho\"/>"
    "<server name=\"desk\" time=\"1\" in=\"customers\"/><counter name=\"came\" in=\"customers\"/>"
    "<counter name=\"gone\" in=\"desk\"/><experiment stop=\"1200\" seed=\"7\"/></hydevs>";

#define GROUPS 40U
#define EACH   10U
#define T      2.262 /* of Student, 9 degrees of freedom: 95 % are within +- T */

/* Seeds of the runs are independent: of 40 intervals of 95 %, each of ten runs, about 38 have the
 * mean in them, and fewer than 33 with a probability of 1e-3. */
static void test_intervals_of_seeds_have_the_mean_of_theory_as_often_as_they_say(void)
{
  put("queue.xml", queue);
  HyPlanOptions o = asked(NULL, WORDS("mean(came - gone, 1000)"));
  o.n = (guint64)GROUPS * EACH;
  g_autoptr(HyPlan) plan = plan_of("queue.xml", &o);
  g_autoptr(HySweep) sweep = hy_sweep_new(plan, NULL, NULL);
  TEST_ASSERT_TRUE(hy_sweep_go(sweep, NULL));
  guint covered = 0;
  double theory = 0.5 + 0.25 / (2 * 0.5), all = 0.0;
  for (guint64 g = 0; g < GROUPS; g++) {
    double mean = 0.0, squares = 0.0;
    for (guint64 k = 0; k < EACH; k++) {
      double v = hy_sweep_value(sweep, EACH * g + k, 0), d = v - mean;
      mean += d / (double)(k + 1);
      squares += d * (v - mean);
      all += v / (GROUPS * EACH);
    }
    covered += fabs(mean - theory) < T * sqrt(squares / (EACH - 1) / EACH);
  }
  TEST_ASSERT_GREATER_OR_EQUAL_UINT(33, covered);
  TEST_ASSERT_DOUBLE_WITHIN(0.01, theory, all);
}

/* A buck converter over its load: second differences of the voltage at 20 ms. Where runs have equal
 * methods, and these no quantum, nothing jumps; by liqss2 a run has an event more or less, and
 * does: so the test can tell. */
static guint jumps_by(const char *method)
{
  enum { N = 301 };
  const HyLoadOptions load = {.method = method};
  HyPlanOptions o = asked(WORDS("R=5:20:301"), WORDS("final(uC)"));
  o.load = &load;
  g_autoptr(HyReport) report = hy_report_new();
  HyRunSettings run = HY_RUN_SETTINGS;
  run.stop = 0.02;
  o.run = &run;
  g_autoptr(HyPlan) plan = hy_plan_new(HY_SOURCE_DIR "/examples/thesis/buck/model.xml", &o, report);
  TEST_ASSERT_NOT_NULL(plan);
  g_autoptr(HySweep) sweep = hy_sweep_new(plan, NULL, NULL);
  TEST_ASSERT_TRUE(hy_sweep_go(sweep, NULL));
  double second[N - 2], sorted[N - 2];
  for (guint k = 0; k < N - 2; k++) {
    second[k] = fabs(hy_sweep_value(sweep, k, 0) - 2 * hy_sweep_value(sweep, k + 1, 0) +
                     hy_sweep_value(sweep, k + 2, 0));
    guint at = k; /* by insertion */
    for (; at > 0 && sorted[at - 1] > second[k]; at--) {
      sorted[at] = sorted[at - 1];
    }
    sorted[at] = second[k];
  }
  guint jumps = 0;
  for (guint k = 0; k < N - 2; k++) {
    jumps += second[k] > 30 * sorted[(N - 2) / 2];
  }
  return jumps;
}

static void test_results_are_as_smooth_as_the_model(void)
{
  TEST_ASSERT_EQUAL_UINT(0, jumps_by("auto"));
  TEST_ASSERT_GREATER_THAN_UINT(0, jumps_by("liqss2"));
}

/* What is asked of the steady state is found for each run: of a buck converter D U within what its
 * switches take, long before the run itself is there. */
static void test_the_steady_state_is_a_measure_of_each_run(void)
{
  HyPlanOptions o = asked(WORDS("duty=0.25,0.5"), WORDS("steady(mean(uC))", "mean(uC)"));
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyPlan) plan = hy_plan_new(HY_SOURCE_DIR "/examples/thesis/buck/model.xml", &o, report);
  TEST_ASSERT_NOT_NULL(plan);
  g_autoptr(HySweep) sweep = hy_sweep_new(plan, NULL, NULL);
  TEST_ASSERT_TRUE(hy_sweep_go(sweep, NULL));
  for (guint k = 0; k < 2; k++) {
    double wanted = 24 * 0.25 * (k + 1);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, wanted, hy_sweep_value(sweep, k, 0));
    TEST_ASSERT_TRUE(hy_sweep_value(sweep, k, 1) < 0.8 * wanted);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_intervals_of_seeds_have_the_mean_of_theory_as_often_as_they_say);
  RUN_TEST(test_results_are_as_smooth_as_the_model);
  RUN_TEST(test_the_steady_state_is_a_measure_of_each_run);
  return UNITY_END();
}
