/* Random formulas beside plain evaluation: HY_FORMULAS models of ten each, from HY_FORMULAS_FIRST
 * on, where more are wanted than on every check. */
#include "random_formulas.h"

void setUp(void)
{
}

void tearDown(void)
{
}

#ifdef __SANITIZE_ADDRESS__ /* whose interest is in the code that they reach */
#define BATCHES 25
#else
#define BATCHES 60
#endif

static void test_formulas_are_what_they_say(void)
{
  check_formulas(43, BATCHES);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_formulas_are_what_they_say);
  return UNITY_END();
}
