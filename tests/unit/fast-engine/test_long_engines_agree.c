/* As test_engines_agree.c, on many more diagrams. */
#include "engines_agree.h"

#define MODELS 10000

void setUp(void)
{
}

void tearDown(void)
{
}

static void test_engines_say_the_same(void)
{
  guint total = 0;
  for (guint32 seed = 0; seed < MODELS; seed++) {
    total += seed_agrees(seed);
  }
  TEST_ASSERT_EQUAL_UINT(0, disagreements);
  TEST_ASSERT_GREATER_THAN_UINT(100 * MODELS, total); /* something happens in these models */
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_engines_say_the_same);
  return UNITY_END();
}
