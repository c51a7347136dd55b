/* Every class names what it remembers, or a file could not hold it. */
#include "atomics/atomics.h"
#include "hydevs/hydevs.h"

#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static void test_every_class_names_what_it_remembers(void)
{
  for (const HyAtomicClass *const *k = hy_classes(); *k != NULL; k++) {
    TEST_ASSERT_TRUE_MESSAGE((*k)->tape != NULL, (*k)->name);
  }
  TEST_ASSERT_NOT_NULL(hy_valve_class.tape);
  TEST_ASSERT_NOT_NULL(hy_transistor_class.tape);
  TEST_ASSERT_NOT_NULL(hy_differential_class.tape);
  TEST_ASSERT_NOT_NULL(hy_junction_class.tape);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_every_class_names_what_it_remembers);
  return UNITY_END();
}
