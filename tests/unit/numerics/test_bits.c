/* Modes are the same to the last bit whoever compiled them, on whatever machine. */
#include "bits.h"

#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static void test_modes_have_the_bits_that_are_kept_here(void)
{
  TEST_ASSERT_EQUAL_HEX64(BITS_OF_MODES, bits_of_all());
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_modes_have_the_bits_that_are_kept_here);
  return UNITY_END();
}
