/* Ishigami's function as a model, at 2^14 bases: within 2 % of the closed form (T. Ishigami, T.
 * Homma, An importance quantification technique in uncertainty analysis, 1990). */
#include "sobol.h"

static const char ishigami[] =
    "<hydevs xmlns=\"urn:hydevs:1\" name=\"i\" needs=\"1.4\"><param name=\"x\" value=\"0\"/>"
    "<param name=\"y\" value=\"0\"/><param name=\"z\" value=\"0\"/><constant name=\"o\" "
    "value=\"1\"/>"
    "<function name=\"f\" formula=\"o*(sin(x) + 7*sin(y)^2 + 0.1*z^4*sin(x))\"/>"
    "<experiment stop=\"1\"><measure name=\"m\" value=\"final(f)\"/></experiment></hydevs>";

static void test_indices_of_ishigami(void)
{
  const char *const random[] = {"x=uniform -pi pi", "y=uniform -pi pi", "z=uniform -pi pi", NULL};
  const double v1 = pow(1 + 0.1 * pow(G_PI, 4) / 5, 2) / 2, v2 = 49.0 / 8;
  const double v13 = 0.01 * pow(G_PI, 8) * (1.0 / 18 - 1.0 / 50), v = v1 + v2 + v13;
  put("i.xml", ishigami);
  HyPlanOptions o = saltelli(random, 1 << 14);
  g_autoptr(HyPlan) plan = plan_of("i.xml", &o);
  g_autofree HySweepIndices *s = indices_of(plan, NULL);
  check_index(&s[0].first, v1 / v, 0.02 * v1 / v);
  check_index(&s[1].first, v2 / v, 0.02 * v2 / v);
  check_index(&s[2].first, 0, 0.02);
  check_index(&s[0].total, (v1 + v13) / v, 0.02 * (v1 + v13) / v);
  check_index(&s[1].total, v2 / v, 0.02 * v2 / v);
  check_index(&s[2].total, v13 / v, 0.02 * v13 / v);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_indices_of_ishigami);
  return UNITY_END();
}
