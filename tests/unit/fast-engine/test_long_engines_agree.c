/* As test_engines_agree.c, on many more diagrams. */
#include "engines_agree.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static void test_engines_say_the_same(void)
{
  all_seeds_agree(10000);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_engines_say_the_same);
  return UNITY_END();
}
