/* The examples of the thesis: every run ends, at every tolerance. A part of it is in
 * test_thesis_examples.c. */
#include "thesis.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static void test_every_run_ends(void)
{
  static const char *const tolerances[] = {"1e-1", "1e-2", "1e-3", "1e-4", "1e-5"};
  for (gsize k = 0; k < G_N_ELEMENTS(tolerances); k++) {
    thesis_all_end(tolerances[k]);
    thesis_ends("tests/models/heat-sink.xml", tolerances[k], NULL, NULL); /* 60 s of a bar */
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_every_run_ends);
  return UNITY_END();
}
