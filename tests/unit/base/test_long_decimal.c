/* Ten million numbers as text, the same as by trial with the C library. */
#include "decimal_trial.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static void test_ten_million_numbers(void)
{
  check_random(5, 10000000);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_ten_million_numbers);
  return UNITY_END();
}
