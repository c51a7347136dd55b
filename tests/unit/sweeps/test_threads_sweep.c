/* The same bytes by any number of threads, which load models and run them at once. */
#include "sweep_model.h"

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void same_by_all(const char *model, const HyPlanOptions *o)
{
  g_autoptr(HyPlan) plan = plan_of(model, o);
  g_autofree char *one = table_of(plan, 1);
  for (guint k = 2; k <= 7; k += 2 + (k == 4)) {
    g_autofree char *many = table_of(plan, k);
    TEST_ASSERT_EQUAL_STRING(one, many);
  }
}

static void test_threads_make_the_same_table(void)
{
  HyPlanOptions o = asked(WORDS("R=0:2:5", "C=1,2,0"), WORDS("final(v)"));
  same_by_all("rc.xml", &o); /* some of these fail */
}

static void test_threads_draw_the_same(void)
{
  HyPlanOptions o = HY_PLAN_OPTIONS;
  o.n = 40;
  o.random = WORDS("rate=uniform 0.5 1.5");
  same_by_all("line.xml", &o);
}

/* Types of the standard library, whose file all loads share. */
static void test_threads_share_a_library(void)
{
  HyPlanOptions o = HY_PLAN_OPTIONS;
  g_autofree char *file =
      g_build_filename(HY_SOURCE_DIR, "examples/power/rectifier/model.xml", NULL);
  g_autoptr(HyReport) report = hy_report_new();
  o.vary = WORDS("experiment.stop=50u,100u,150u,200u");
  g_autoptr(HyPlan) plan = hy_plan_new(file, &o, report);
  g_autofree char *why = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(plan, why);
  g_autofree char *one = table_of(plan, 1), *many = table_of(plan, 4);
  TEST_ASSERT_EQUAL_STRING(one, many);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_threads_make_the_same_table);
  RUN_TEST(test_threads_draw_the_same);
  RUN_TEST(test_threads_share_a_library);
  return UNITY_END();
}
