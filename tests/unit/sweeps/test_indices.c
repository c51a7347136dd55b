/* Indices of Sobol, against closed forms. */
#include "hydevs/error.h"
#include "sweeps/indices.h"

#include <math.h>
#include <stdio.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static const char *const names[] = {"U", "D", "f"};

typedef double (*Function)(const double *u);

static HySweepIndices *indices_of(Function f, guint64 n, guint d, guint64 seed)
{
  g_autofree double *y = g_new(double, hy_indices_runs(n, d));
  for (guint64 k = 0; k < hy_indices_runs(n, d); k++) {
    double u[3];
    for (guint j = 0; j < d; j++) {
      u[j] = hy_indices_place(seed, names[j], d, j, k);
    }
    y[k] = f(u);
  }
  return hy_indices(y, n, d, seed, NULL);
}

static double product(const double *u)
{
  return (20 + 8 * u[0]) * (0.3 + 0.1 * u[1]);
}

/* T. Ishigami, T. Homma, An importance quantification technique in uncertainty analysis, 1990. */
static double ishigami(const double *u)
{
  double x[3];
  for (guint j = 0; j < 3; j++) {
    x[j] = (2 * u[j] - 1) * G_PI;
  }
  return sin(x[0]) + 7 * sin(x[1]) * sin(x[1]) + 0.1 * pow(x[2], 4) * sin(x[0]);
}

static void inside(HySweepIndex index, double truth, double within, const char *what)
{
  char text[200];
  snprintf(text, sizeof text, "%s: %g in %g .. %g, truth %g", what, index.value, index.low,
           index.high, truth);
  TEST_ASSERT_TRUE_MESSAGE(index.low <= truth && truth <= index.high, text);
  TEST_ASSERT_TRUE_MESSAGE(index.low < index.value && index.value < index.high, text);
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(within, truth, index.value, text);
}

/* Of U D with U in 20 .. 28 and D in 0.3 .. 0.4: var U E[D]^2, var D E[U]^2 and var U var D are
 * the shares. */
static void test_indices_of_a_product_are_in_their_intervals(void)
{
  const double u = 64.0 / 12 * 0.35 * 0.35, d = 0.01 / 12 * 24 * 24, both = 64.0 / 12 * 0.01 / 12;
  const double v = u + d + both;
  for (guint64 seed = 1; seed <= 3; seed++) {
    g_autofree HySweepIndices *s = indices_of(product, 256, 2, seed);
    inside(s[0].first, u / v, 0.02, "first of U");
    inside(s[1].first, d / v, 0.02, "first of D");
    inside(s[0].total, (u + both) / v, 0.02, "total of U");
    inside(s[1].total, (d + both) / v, 0.02, "total of D");
  }
}

/* V_1 = (1 + b pi^4/5)^2/2, V_2 = a^2/8, V_13 = b^2 pi^8 (1/18 - 1/50); 2 % at 2^14. */
static void test_indices_of_ishigami(void)
{
  const double b = 0.1, v1 = pow(1 + b * pow(G_PI, 4) / 5, 2) / 2, v2 = 49.0 / 8;
  const double v13 = b * b * pow(G_PI, 8) * (1.0 / 18 - 1.0 / 50), v = v1 + v2 + v13;
  g_autofree HySweepIndices *s = indices_of(ishigami, 4096, 3, 1);
  inside(s[0].first, v1 / v, 0.02 * v1 / v, "first of 1");
  inside(s[1].first, v2 / v, 0.02 * v2 / v, "first of 2");
  inside(s[2].first, 0, 0.02, "first of 3");
  inside(s[0].total, (v1 + v13) / v, 0.02 * (v1 + v13) / v, "total of 1");
  inside(s[1].total, v2 / v, 0.02 * v2 / v, "total of 2");
  inside(s[2].total, v13 / v, 0.02 * v13 / v, "total of 3");
}

/* A and B differ in all, AB_i is A but for i. */
static void test_plan_is_that_of_saltelli(void)
{
  for (guint64 base = 0; base < 20; base++) {
    double a[3], b[3];
    for (guint j = 0; j < 3; j++) {
      a[j] = hy_indices_place(9, names[j], 3, j, base * 5);
      b[j] = hy_indices_place(9, names[j], 3, j, base * 5 + 4);
      TEST_ASSERT_TRUE(a[j] != b[j]);
      for (guint i = 0; i < 3; i++) {
        TEST_ASSERT_TRUE(hy_indices_place(9, names[j], 3, j, base * 5 + 1 + i) ==
                         (i == j ? b[j] : a[j]));
      }
    }
  }
}

static void test_no_index_of_holes_or_of_what_is_constant(void)
{
  double y[] = {1, 2, 3, NAN}, same[] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
  g_autoptr(GError) hole = NULL, constant = NULL;
  TEST_ASSERT_NULL(hy_indices(y, 1, 2, 1, &hole));
  TEST_ASSERT_EQUAL_STRING("run 3 has no number, and indices need all of them", hole->message);
  TEST_ASSERT_NULL(hy_indices(same, 2, 1, 1, &constant));
  TEST_ASSERT_EQUAL_STRING("all runs have the value 0.1: there is no variance", constant->message);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_plan_is_that_of_saltelli);
  RUN_TEST(test_indices_of_a_product_are_in_their_intervals);
  RUN_TEST(test_indices_of_ishigami);
  RUN_TEST(test_no_index_of_holes_or_of_what_is_constant);
  return UNITY_END();
}
