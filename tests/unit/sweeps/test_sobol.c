/* Indices of a sweep's measures, against a closed form; what they are refused for. */
#include "sobol.h"

/* The mean of U D; below 0.3 there is no such model. */
static const char product[] =
    "<hydevs xmlns=\"urn:hydevs:1\" name=\"p\" needs=\"1.4\"><param name=\"U\" value=\"24\"/>"
    "<param name=\"D\" value=\"0.35\" min=\"0.3\"/><pwm name=\"g\" period=\"1m\" duty=\"D\"/>"
    "<function name=\"u\" formula=\"U*g\"/><experiment stop=\"2m\">"
    "<measure name=\"m\" value=\"mean(u)\"/></experiment></hydevs>";

static void test_indices_of_a_product_are_in_their_intervals(void)
{
  const char *const random[] = {"U=uniform 20 28", "D=uniform 0.3 0.4", NULL};
  const double u = 64.0 / 12 * 0.35 * 0.35, d = 0.01 / 12 * 24 * 24, both = 64.0 / 12 * 0.01 / 12;
  const double v = u + d + both;
  put("p.xml", product);
  HyPlanOptions o = saltelli(random, 256);
  g_autoptr(HyPlan) plan = plan_of("p.xml", &o);
  TEST_ASSERT_EQUAL_UINT64(4 * 256, hy_plan_n(plan));
  g_autofree HySweepIndices *s = indices_of(plan, NULL);
  check_index(&s[0].first, u / v, 0.02);
  check_index(&s[1].first, d / v, 0.02);
  check_index(&s[0].total, (u + both) / v, 0.02);
  check_index(&s[1].total, (d + both) / v, 0.02);
}

/* Rows of one base: A, A with U of B, A with D of B, B. */
static void test_the_plan_is_that_of_saltelli(void)
{
  const char *const random[] = {"U=uniform 20 28", "D=uniform 0.3 0.4", NULL};
  put("p.xml", product);
  HyPlanOptions o = saltelli(random, 8);
  g_autoptr(HyPlan) plan = plan_of("p.xml", &o);
  for (guint64 k = 0; k < hy_plan_n(plan); k += 4) {
    g_auto(GStrv) a = hy_plan_row(plan, k), au = hy_plan_row(plan, k + 1);
    g_auto(GStrv) ad = hy_plan_row(plan, k + 2), b = hy_plan_row(plan, k + 3);
    TEST_ASSERT_EQUAL_STRING(b[0], au[0]);
    TEST_ASSERT_EQUAL_STRING(a[1], au[1]);
    TEST_ASSERT_EQUAL_STRING(a[0], ad[0]);
    TEST_ASSERT_EQUAL_STRING(b[1], ad[1]);
    TEST_ASSERT_TRUE(strcmp(a[0], b[0]) != 0 && strcmp(a[1], b[1]) != 0);
  }
}

static void test_no_indices_over_holes(void)
{
  const char *const random[] = {"U=uniform 20 28", "D=uniform 0.29 0.4", NULL};
  g_autoptr(GError) error = NULL;
  put("p.xml", product);
  HyPlanOptions o = saltelli(random, 64);
  g_autoptr(HyPlan) plan = plan_of("p.xml", &o);
  TEST_ASSERT_NULL(indices_of(plan, &error));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error->message, " has no number, and indices need all"),
                               error->message);
}

static void test_other_plans_have_no_indices(void)
{
  const char *const random[] = {"U=uniform 20 28", NULL}, *const vary[] = {"D=0.3:0.4:2", NULL};
  g_autoptr(GError) error = NULL;
  g_autofree char *why = NULL, *none = NULL;
  put("p.xml", product);
  HyPlanOptions o = saltelli(random, 8);
  o.vary = vary;
  TEST_ASSERT_NULL(try_plan("p.xml", &o, &why));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(why, "without --vary and --plan"), why);
  HyPlanOptions nothing = saltelli(NULL, 8);
  TEST_ASSERT_NULL(try_plan("p.xml", &nothing, &none));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(none, "indices are of what --random draws"), none);
  o = saltelli(random, 8);
  o.sampling = "latin";
  g_autoptr(HyPlan) plan = plan_of("p.xml", &o);
  TEST_ASSERT_NULL(indices_of(plan, &error));
  TEST_ASSERT_EQUAL_STRING("indices need all runs of a plan by saltelli", error->message);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_indices_of_a_product_are_in_their_intervals);
  RUN_TEST(test_the_plan_is_that_of_saltelli);
  RUN_TEST(test_no_indices_over_holes);
  RUN_TEST(test_other_plans_have_no_indices);
  return UNITY_END();
}
