/* A hundred thousand random formulas beside plain evaluation, as test_formulas.c has a thousand:
 * HY_FORMULAS models of ten each, from HY_FORMULAS_FIRST on; some six minutes. */
#include "random_formulas.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static void test_a_hundred_thousand_formulas_are_what_they_say(void)
{
  check_formulas(10000, 10000);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_hundred_thousand_formulas_are_what_they_say);
  return UNITY_END();
}
