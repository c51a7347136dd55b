/* Bounds of operations: whatever parabolas operands are within their bounds, at every instant up to
 * the horizon the result is within its own; and bounds of points are as narrow as rounding. */
#include "exact.h"
#include "expr/enclose.h"

#include <unity.h>

#define LOOKS 16

void setUp(void)
{
}

void tearDown(void)
{
}

static HyInterval about(double x, double width)
{
  return (HyInterval){x - width * uniform(0, 1), x + width * uniform(0, 1)};
}

static HyEnclosure draw(double from, double to, double width)
{
  return (HyEnclosure){{about(uniform(from, to), width), about(uniform(-3, 3), width),
                        about(uniform(-3, 3), width)}};
}

static long double within(HyInterval x)
{
  return x.lo + (x.hi - x.lo) * (long double)uniform(0, 1);
}

static long double value_in(const HyEnclosure *e, double h)
{
  return within(e->c[0]) + h * (within(e->c[1]) + h * within(e->c[2]));
}

static void check(guint op, const HyEnclosure *a, const HyEnclosure *b, double h)
{
  HyEnclosure y = hy_op_enclose(op, a, b, h);
  for (guint k = 0; k <= LOOKS; k++) {
    double s = h * k / LOOKS;
    long double x = value_in(a, s), v = operation(op, x, a == b ? x : value_in(b, s));
    long double lo = y.c[0].lo + s * (y.c[1].lo + (long double)s * y.c[2].lo);
    long double hi = y.c[0].hi + s * (y.c[1].hi + (long double)s * y.c[2].hi);
    if (!isnan(v) && !(v >= lo && v <= hi)) {
      char message[200];
      g_snprintf(message, sizeof message, "%s of %g at %g of %g: %.17g, not in %.17g .. %.17g",
                 hy_ops[op].name, (double)x, s, h, (double)v, (double)lo, (double)hi);
      TEST_FAIL_MESSAGE(message);
    }
  }
}

/* Of any sign, beyond domains, with a number for the second, and twice the same. */
static void test_results_are_within_their_bounds(void)
{
  for (guint op = 0; op < HY_X_NAMED; op++) {
    TEST_ASSERT_EQUAL_MESSAGE(hy_x_operands(op) > 0, hy_op_encloses(op), hy_ops[op].name);
    for (guint k = 0; k < 4000 && hy_op_encloses(op); k++) {
      double width = k % 3 == 0 ? 0.0 : pow(10.0, uniform(-6, 0)), h = pow(10.0, uniform(-4, 0.5));
      double size = k % 2 == 0 ? 1.0 : 5.0;
      HyEnclosure a = draw(-size, size, width), b = draw(-size, size, width);
      HyEnclosure number = hy_enclosure_of(round(uniform(-4, 5)) / (k % 5 == 0 ? 2 : 1));
      check(op, &a, k % 4 == 0 ? &number : &b, h);
      check(op, &a, &a, h);
    }
  }
}

static void test_points_stay_points(void)
{
  for (guint op = 0; op < HY_X_NAMED; op++) {
    for (guint k = 0; k < 200 && hy_op_encloses(op); k++) {
      HyEnclosure a = draw(0.2, 0.8, 0), b = draw(0.2, 0.8, 0), y = hy_op_enclose(op, &a, &b, 0);
      double v = (double)operation(op, a.c[0].lo, b.c[0].lo), size = fabs(v) + 1.0;
      TEST_ASSERT_TRUE_MESSAGE(y.c[0].lo <= v && v <= y.c[0].hi, hy_ops[op].name);
      TEST_ASSERT_TRUE_MESSAGE(y.c[0].hi - y.c[0].lo <= 1e-13 * size, hy_ops[op].name);
    }
  }
}

/* Where a root has no slope it still has a value; a quotient that passes a pole may be anything. */
static void test_what_has_no_slope_has_bounds(void)
{
  HyEnclosure a = {{{0, 0}, {0, 0}, {1, 1}}}, pole = {{{0.1, 0.1}, {-1, -1}, {0, 0}}};
  HyEnclosure one = hy_enclosure_of(1.0), y = hy_op_enclose(HY_X_SQRT, &a, &a, 2.0);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.0, y.c[0].lo);
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, 2.0, y.c[0].hi);
  TEST_ASSERT_TRUE(y.c[1].lo == 0.0 && y.c[2].hi == 0.0);
  y = hy_op_enclose(HY_X_DIV, &one, &pole, 0.2);
  TEST_ASSERT_TRUE(isinf(y.c[0].lo) && isinf(y.c[0].hi));
  TEST_ASSERT_FALSE(hy_op_encloses(HY_X_NAMED));
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_results_are_within_their_bounds);
  RUN_TEST(test_points_stay_points);
  RUN_TEST(test_what_has_no_slope_has_bounds);
  return UNITY_END();
}
