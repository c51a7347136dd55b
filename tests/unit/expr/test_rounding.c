/* How wrong values are by rounding: never more than is said, beside long double values, and not
 * much less where equal numbers are subtracted. */
#include "exact.h"
#include "expr/rounding.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <unity.h>

#define NODES 40

void setUp(void)
{
}

void tearDown(void)
{
}

/* Sums, differences, products, quotients and functions of what is there already. */
static HyX random_node(HyXBuilder *b)
{
  static const guint32 ops[] = {HY_X_ADD, HY_X_SUB, HY_X_SUB, HY_X_MUL,
                                HY_X_DIV, HY_X_SIN, HY_X_EXP, HY_X_ATAN};
  HyX a = (HyX)uniform(0, b->n), c = (HyX)uniform(0, b->n);
  return hy_x_op(b, ops[(guint)uniform(0, G_N_ELEMENTS(ops))], a, c);
}

static void exact_values(const HyXBuilder *b, const double *in, long double *v)
{
  for (HyX x = 0; x < b->n; x++) {
    const HyNode *n = &b->node[x];
    v[x] = n->op == HY_X_IN ? in[n->a]
           : n->op == HY_X_CONST
               ? n->v
               : operation(n->op, v[n->a], hy_x_operands(n->op) > 1 ? v[n->b] : 0);
  }
}

static void round_all(const HyXBuilder *b, const double *in, double *v, double *e)
{
  guint8 need[4 * NODES];
  guint32 mode_of[4 * NODES] = {0};
  memset(need, 1, sizeof need);
  TEST_ASSERT_TRUE(b->n <= 4 * NODES);
  const HyRounded x = {.node = b->node, .n = b->n, .need = need, .mode_of = mode_of};
  hy_x_rounding(&x, in, NULL, v, e);
}

/* Whether what X is made of is known so well that the second order does not count; TAME: whether
 * it is so itself. */
static gboolean is_made_of_tame(const HyXBuilder *b, HyX x, const double *v, const double *e,
                                gboolean *tame)
{
  const HyNode *n = &b->node[x];
  guint operands = hy_x_operands(n->op);
  gboolean made = (operands < 1 || tame[n->a]) && (operands < 2 || tame[n->b]);
  tame[x] = made && fabs(v[x]) < 1e6 && e[x] <= 1e-6 * fabs(v[x]);
  return made && isfinite(v[x]);
}

/* Twice: functions of libm may be wrong by a digit, and not by half of one. */
static void test_no_value_is_more_wrong_than_is_said(void)
{
  guint looked = 0, most = 0;
  for (guint run = 0; run < 2000; run++) {
    g_autoptr(HyXBuilder) b = hy_x_builder_new();
    double in[] = {uniform(-2, 2), uniform(-2, 2), uniform(-2, 2)}, v[4 * NODES], e[4 * NODES];
    long double exact[4 * NODES];
    gboolean tame[4 * NODES];
    for (guint k = 0; k < G_N_ELEMENTS(in); k++) {
      hy_x_in(b, k);
    }
    for (guint k = 0; k < NODES; k++) {
      random_node(b);
    }
    round_all(b, in, v, e);
    exact_values(b, in, exact);
    for (HyX x = 0; x < b->n; x++) {
      if (is_made_of_tame(b, x, v, e, tame)) {
        long double wrong = fabsl(v[x] - exact[x]);
        TEST_ASSERT_TRUE(wrong <= 2 * e[x] * (1 + 1e-3) + DBL_MIN);
        looked += e[x] > 0;
        most += e[x] > 0 && 20 * wrong > e[x];
      }
    }
  }
  TEST_ASSERT_TRUE(looked > 20000 && most > looked / 4); /* nor is it said to be far more */
}

/* t/(1 + z) - t, where z is nothing beside 1. */
static void test_of_equal_numbers_rounding_is_left(void)
{
  g_autoptr(HyXBuilder) b = hy_x_builder_new();
  HyX t = hy_x_in(b, 0), z = hy_x_in(b, 1), one = hy_x_const(b, 1.0);
  HyX y = hy_x_op(b, HY_X_SUB, hy_x_op(b, HY_X_DIV, t, hy_x_op(b, HY_X_ADD, one, z)), t);
  double v[4 * NODES], e[4 * NODES];
  round_all(b, (double[]){1e-3, 1e-20}, v, e);
  TEST_ASSERT_TRUE(v[y] == 0.0 && e[y] >= 0.5e-3 * DBL_EPSILON && e[y] <= 2e-3 * DBL_EPSILON);
  round_all(b, (double[]){0.0, 1e-20}, v, e);
  TEST_ASSERT_TRUE(e[y] == 0.0);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_no_value_is_more_wrong_than_is_said);
  RUN_TEST(test_of_equal_numbers_rounding_is_left);
  return UNITY_END();
}
