/* The same as in sweep, at 200 instants. */
#include "sweep_kills.h"

static void test_a_sweep_that_is_killed_200_times_goes_on(void)
{
  killed_and_gone_on(
      "sweep line.xml --vary rate=-0.5:1:100 -n 100 --measure final(gone) -j 2 -o x.csv", 200);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_sweep_that_is_killed_200_times_goes_on);
  return UNITY_END();
}
