/* All engines are one meaning, on block diagrams of random shape: the same words of every block at
 * the same instants, bit for bit, the same errors, the same states at the end; whoever is watched,
 * and in whatever pieces a run is done. */
#include "engines_agree.h"

#define MODELS 150

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
