/* The examples of the thesis that take long: all cells of Tyson's, all periods of the stages in
 * parallel. */
#include "thesis.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static const ThesisRun runs[] = {
    {"cuk-interleaved", "coarse", "expected.csv", NULL, 2e-3},
    {"cuk-interleaved", "shifted", "expected-shifted.csv", NULL, 2e-2},
    {"tyson", "coarse", "expected.csv", NULL, 2e-2},
    {"tyson", "fine", "expected.csv", NULL, 5e-4},
};

static void test_as_near_as_the_tolerance_promises(void)
{
  for (gsize k = 0; k < G_N_ELEMENTS(runs); k++) {
    thesis_check(&runs[k]);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_as_near_as_the_tolerance_promises);
  return UNITY_END();
}
