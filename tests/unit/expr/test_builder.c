/* The builder: what becomes one node, what is folded, and what must not be. */
#include "expr/builder.h"

#include <unity.h>

static HyXBuilder *b;

void setUp(void)
{
  b = hy_x_builder_new();
}

void tearDown(void)
{
  hy_x_builder_free(b);
}

static void test_equal_nodes_are_one(void)
{
  HyX x = hy_x_in(b, 0), y = hy_x_in(b, 1);
  TEST_ASSERT_EQUAL(x, hy_x_in(b, 0));
  HyX p = hy_x_op(b, HY_X_MUL, x, y);
  TEST_ASSERT_EQUAL(p, hy_x_op(b, HY_X_MUL, x, y));
  TEST_ASSERT_NOT_EQUAL(p, hy_x_op(b, HY_X_MUL, y, x)); /* no commuting */
  TEST_ASSERT_EQUAL(hy_x_crossing(b, p, HY_CROSS_BOTH), hy_x_crossing(b, p, HY_CROSS_BOTH));
}

static void test_many_nodes_are_found_again(void)
{
  HyX made[3000];
  for (guint k = 0; k < G_N_ELEMENTS(made); k++) {
    made[k] = hy_x_op(b, HY_X_ADD, hy_x_in(b, k % 50), hy_x_const(b, k));
  }
  guint n = b->n;
  for (guint k = 0; k < G_N_ELEMENTS(made); k++) {
    TEST_ASSERT_EQUAL(made[k], hy_x_op(b, HY_X_ADD, hy_x_in(b, k % 50), hy_x_const(b, k)));
  }
  TEST_ASSERT_EQUAL(n, b->n);
}

/* Nodes of another builder, all at once; many more than there is room for. */
static void test_appended_nodes_are_found_again(void)
{
  g_autoptr(HyXBuilder) other = hy_x_builder_new();
  HyX made[1000];
  hy_x_in(other, 0);
  for (guint k = 0; k < G_N_ELEMENTS(made); k++) {
    made[k] = hy_x_op(other, HY_X_MUL, hy_x_in(other, 0), hy_x_const(other, k + 2));
  }
  hy_x_in(b, 0);
  hy_x_append(b, other->node + 1, other->n - 1);
  TEST_ASSERT_EQUAL(other->n, b->n);
  for (guint k = 0; k < G_N_ELEMENTS(made); k++) {
    TEST_ASSERT_EQUAL(made[k], hy_x_op(b, HY_X_MUL, hy_x_in(b, 0), hy_x_const(b, k + 2)));
  }
  TEST_ASSERT_EQUAL(other->n, b->n);
  hy_x_builder_reset(b);
  TEST_ASSERT_EQUAL(0, hy_x_in(b, 7)); /* and forgotten with the others */
}

static void test_numbers_are_folded(void)
{
  HyX two = hy_x_const(b, 2), three = hy_x_const(b, 3);
  TEST_ASSERT_EQUAL(hy_x_const(b, 6), hy_x_op(b, HY_X_MUL, two, three));
  TEST_ASSERT_EQUAL(hy_x_const(b, 8), hy_x_op(b, HY_X_POW, two, three));
  TEST_ASSERT_EQUAL(hy_x_const(b, sqrt(3.0)), hy_x_op(b, HY_X_SQRT, three, three));
  TEST_ASSERT_EQUAL(hy_x_const(b, 1),
                    hy_x_crossing(b, hy_x_op(b, HY_X_SUB, three, two), HY_CROSS_BOTH));
}

static void test_what_is_not_finite_is_not_folded(void)
{
  HyX zero = hy_x_const(b, 0), three = hy_x_const(b, 3);
  HyX q = hy_x_op(b, HY_X_DIV, three, zero);
  TEST_ASSERT_EQUAL(HY_X_DIV, b->node[q].op);
}

static void test_neutral_numbers_go_away(void)
{
  HyX x = hy_x_in(b, 0), one = hy_x_const(b, 1), zero = hy_x_const(b, 0);
  TEST_ASSERT_EQUAL(x, hy_x_op(b, HY_X_MUL, x, one));
  TEST_ASSERT_EQUAL(x, hy_x_op(b, HY_X_MUL, one, x));
  TEST_ASSERT_EQUAL(x, hy_x_op(b, HY_X_DIV, x, one));
  TEST_ASSERT_EQUAL(x, hy_x_op(b, HY_X_SUB, x, zero));
  HyX minus = hy_x_op(b, HY_X_NEG, x, 0);
  TEST_ASSERT_EQUAL(minus, hy_x_op(b, HY_X_MUL, x, hy_x_const(b, -1)));
  TEST_ASSERT_EQUAL(x, hy_x_op(b, HY_X_NEG, minus, 0));
}

static void test_nothing_that_could_be_nan_goes_away(void)
{
  HyX x = hy_x_in(b, 0), zero = hy_x_const(b, 0);
  const HyX kept[] = {
      hy_x_op(b, HY_X_MUL, x, zero), hy_x_op(b, HY_X_SUB, x, x),    hy_x_op(b, HY_X_DIV, x, x),
      hy_x_op(b, HY_X_DIV, zero, x), hy_x_op(b, HY_X_ADD, x, zero), hy_x_op(b, HY_X_ADD, x, x),
  };
  for (guint k = 0; k < G_N_ELEMENTS(kept); k++) {
    TEST_ASSERT_LESS_OR_EQUAL(HY_X_POW, b->node[kept[k]].op);
  }
}

static void test_select_of_a_known_or_needless_mode(void)
{
  HyX x = hy_x_in(b, 0), y = hy_x_in(b, 1);
  TEST_ASSERT_EQUAL(x, hy_x_select(b, hy_x_const(b, 1), x, y));
  TEST_ASSERT_EQUAL(y, hy_x_select(b, hy_x_const(b, 0), x, y));
  HyX mode = hy_x_crossing(b, x, HY_CROSS_BOTH);
  TEST_ASSERT_EQUAL(y, hy_x_select(b, mode, y, y));
  TEST_ASSERT_EQUAL(HY_X_SELECT, b->node[hy_x_op(b, HY_X_MUL, mode, y)].op == HY_X_MUL
                                     ? b->node[hy_x_number(b, mode)].op
                                     : 0);
}

static void test_reach_stops_at_modes(void)
{
  HyX x = hy_x_in(b, 0), y = hy_x_in(b, 1), z = hy_x_in(b, 2);
  HyX out = hy_x_select(b, hy_x_crossing(b, x, HY_CROSS_BOTH), y, hy_x_const(b, 1));
  guint8 need[16];
  hy_x_reach(b, &out, 1, FALSE, need);
  TEST_ASSERT_FALSE(need[x]);
  TEST_ASSERT_TRUE(need[y]);
  hy_x_reach(b, &out, 1, TRUE, need);
  TEST_ASSERT_TRUE(need[x]);
  TEST_ASSERT_FALSE(need[z]);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_equal_nodes_are_one);
  RUN_TEST(test_many_nodes_are_found_again);
  RUN_TEST(test_appended_nodes_are_found_again);
  RUN_TEST(test_numbers_are_folded);
  RUN_TEST(test_what_is_not_finite_is_not_folded);
  RUN_TEST(test_neutral_numbers_go_away);
  RUN_TEST(test_nothing_that_could_be_nan_goes_away);
  RUN_TEST(test_select_of_a_known_or_needless_mode);
  RUN_TEST(test_reach_stops_at_modes);
  return UNITY_END();
}
