/* Linearly implicit methods in a group, from their start on. */
#include "group_run.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* x' = 1000 (0.001 - x) from 0, with a quantum of 0.01: x goes to 0.001 and never beyond. Explicit
 * pieces of the start would hold for 4 to 10 time constants, and x would go past it by a quantum
 * before anything implicit happened. */
static void test_a_stiff_start_does_not_swing(void)
{
  static const char *const methods[] = {"mliqss1", "mliqss2", "mliqss3"};
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
      Run r;
      setup(&r, "<integrator name=\"x\" in=\"1 - 1000*x\" x0=\"0\"/>", methods[m], "0.01",
            engines[e]);
      for (int k = 1; k <= 100; k++) {
        double t = 5e-4 * k;
        go(&r, t);
        TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(0.0006, 0.0005, at(&r, "x", t), methods[m]);
      }
      clear(&r);
    }
  }
}

/* The example with which mLIQSS was introduced. Each of the two rows reads both states, so a step
 * evaluates two rows, whether one state takes it or both: each row once. */
static void test_a_row_that_reads_both_of_a_pair_is_evaluated_once(void)
{
  static const char spiral[] = "<integrator name=\"x\" in=\"-x - y + 0.2\" x0=\"-4\"/>"
                               "<integrator name=\"y\" in=\"x - y + 1.2\" x0=\"4\"/>";
  static const char *const methods[] = {"mliqss1", "mliqss2", "mliqss3"};
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
      Run r;
      HyTotals t;
      setup(&r, spiral, methods[m], "0.01", engines[e]);
      go(&r, 0.0);
      hy_sim_totals(r.sim, &t);
      guint64 start = t.evaluations;
      go(&r, 20.0);
      hy_sim_totals(r.sim, &t);
      TEST_ASSERT_GREATER_THAN_UINT64_MESSAGE(0, t.pairs, methods[m]);
      TEST_ASSERT_LESS_OR_EQUAL_UINT64_MESSAGE(start + 2 * (t.steps - t.pairs), t.evaluations,
                                               methods[m]);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(0.04, -0.5, at(&r, "x", 20.0), methods[m]);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(0.04, 0.7, at(&r, "y", 20.0), methods[m]);
      clear(&r);
    }
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_row_that_reads_both_of_a_pair_is_evaluated_once);
  RUN_TEST(test_a_stiff_start_does_not_swing);
  return UNITY_END();
}
