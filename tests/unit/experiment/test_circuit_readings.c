/* Sources and switches that read their own circuit by way of choices, functions and modes, beside
 * what they are by hand, in all engines. */
#include "circuit_run.h"

static const char *const engines[] = {"tree", "flat", "fused"};

#define MOST_COLUMNS 4

/* The last row of BODY, the same in all engines. */
static void run_all(const char *body, guint n, double *end)
{
  g_autoptr(HyLoaded) loaded = load_text(body);
  for (guint k = 0; k < G_N_ELEMENTS(engines); k++) {
    g_autoptr(HyRun) run = go(loaded, engines[k]);
    for (guint c = 0; c < n; c++) {
      double v = last(run, c);
      TEST_ASSERT_TRUE_MESSAGE(k == 0 || v == end[c], engines[k]);
      end[c] = v;
    }
  }
}

/* A signal of the time that decides its own mode says nothing twice. */
static void test_a_ramp_may_decide_its_own_mode(void)
{
  double end[MOST_COLUMNS];
  run_all("<function name='f' formula='t + if(g > 0, 1, 2)'/><function name='g' formula='5 - f'/>"
          "<experiment stop='6' grid='6' record='f'/>",
          1, end);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 8, end[0]);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_ramp_may_decide_its_own_mode);
  return UNITY_END();
}
