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

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_stiff_start_does_not_swing);
  return UNITY_END();
}
