/* All engines are one meaning, on block diagrams of random shape: the same words of every block at
 * the same instants, bit for bit, the same errors, the same states at the end; whoever is watched,
 * and in whatever pieces a run is done. */
#include "engines_agree.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static void test_engines_say_the_same(void)
{
  all_seeds_agree(150);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_engines_say_the_same);
  return UNITY_END();
}
