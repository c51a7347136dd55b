/* The error that hydevs bench states, as a formula; without its runs and times. */
#include "bench.h"

#include <math.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

/* The error of eq. 4.11, by hand: quotients of sums; a state that is nowhere is no worse than none.
 */
static void test_error_is_a_quotient_over_all_states(void)
{
  g_autofree double *want = g_new0(double, 3 * BENCH_SAMPLES);
  g_autofree double *got = g_new0(double, 3 * BENCH_SAMPLES);
  double error, worst;
  for (gsize k = 0; k < BENCH_SAMPLES; k++) { /* 3, 4 and 0 for ever, off by 0.3, 0 and 0 */
    want[3 * k] = 3;
    got[3 * k] = 3.3;
    want[3 * k + 1] = got[3 * k + 1] = 4;
  }
  bench_error(want, got, 3, &error, &worst);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.3 / 5, error);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.3 / 3, worst);
  got[2] = 1;
  bench_error(want, got, 3, &error, &worst);
  TEST_ASSERT_TRUE(isinf(worst));
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_error_is_a_quotient_over_all_states);
  return UNITY_END();
}
