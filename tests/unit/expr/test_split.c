/* Rows in two parts: together they are the row, the straight one is linear, and there are none
 * where that is of no use. */
#include "exact.h"
#include "expr/template.h"

#include <unity.h>

#define POINTS 20

static HyXBuilder *b;
static HyShape shape;
static HyTemplate *t;

void setUp(void)
{
  b = hy_x_builder_new();
  hy_shape_init(&shape);
}

void tearDown(void)
{
  g_clear_pointer(&t, hy_template_free);
  hy_shape_clear(&shape);
  g_clear_pointer(&b, hy_x_builder_free);
}

static HyX in(guint k)
{
  return hy_x_in(b, k);
}

static HyX number(double v)
{
  return hy_x_literal(b, v);
}

static HyX op(HyXOp what, HyX a, HyX c)
{
  return hy_x_op(b, what, a, c);
}

static void take(HyX root)
{
  g_clear_pointer(&t, hy_template_free);
  hy_shape_take(&shape, b, root);
  t = hy_template_new(&shape);
  TEST_ASSERT_TRUE(hy_template_compile(t, 2));
}

/* Of the nodes, in long double; SLOT as those of N count them. */
static long double value_of(const HyTemplate *n, const long double *slot, const guint8 *flag)
{
  const double *of = (const double *)(gpointer)shape.number->data;
  g_autofree long double *v = g_new0(long double, n->n_nodes);
  for (guint k = 0; k < n->n_nodes; k++) {
    const HyNode *x = &n->node[k];
    if (x->op == HY_X_IN) {
      v[k] = slot[x->a];
    } else if (x->op == HY_X_CONST) {
      v[k] = of[x->a];
    } else if (x->op == HY_X_SELECT) {
      v[k] = flag[n->node[x->a].a] ? v[x->b] : v[x->c];
    } else if (x->op != HY_X_FLAG) {
      v[k] = operation(x->op, v[x->a], v[x->b]);
    }
  }
  return v[n->n_nodes - 1];
}

/* By the factors, that is on the way that rows take. */
static double straight_at(const long double *slot, const guint8 *flag)
{
  double factor[8];
  hy_template_coefficients(t->straight, (const double *)(gpointer)shape.number->data, flag, factor);
  double sum = factor[t->straight->n_slots];
  for (guint k = 0; k < t->straight->n_slots; k++) {
    sum += factor[k] * (double)slot[t->straight_slot[k]];
  }
  return sum;
}

/* ALONE: how many slots only the straight part reads. */
static void expect_parts(HyX root, guint alone)
{
  take(root);
  TEST_ASSERT_NOT_NULL(t->straight);
  TEST_ASSERT_NOT_NULL(t->curved);
  TEST_ASSERT_EQUAL(HY_NONLINEAR, t->curved->degree);
  guint n_alone = 0;
  for (guint k = 0; k < t->n_slots; k++) {
    guint place = t->straight_place[k];
    TEST_ASSERT_TRUE(place != HY_NO_SLOT || t->bends[k]);
    TEST_ASSERT_TRUE(place == HY_NO_SLOT || t->straight_slot[place] == k);
    n_alone += !t->bends[k];
  }
  TEST_ASSERT_EQUAL(alone, n_alone);
  for (guint k = 0; k < 2 * POINTS; k++) {
    long double slot[8];
    const guint8 flag[1] = {k % 2};
    for (guint i = 0; i < t->n_slots; i++) {
      slot[i] = uniform(0.3, 0.9);
    }
    double all = (double)value_of(t, slot, flag);
    double sum = straight_at(slot, flag) + (double)value_of(t->curved, slot, flag);
    TEST_ASSERT_DOUBLE_WITHIN(1e-13, all, sum);
  }
}

static void expect_none(HyX root)
{
  take(root);
  TEST_ASSERT_NULL(t->straight);
  TEST_ASSERT_NULL(t->curved);
}

static HyX square(HyX x)
{
  return op(HY_X_POW, x, hy_x_const(b, 2));
}

static void test_the_parts_of_sums(void)
{
  HyX bend = op(HY_X_MUL, in(0), in(1)), line = op(HY_X_MUL, number(3), in(2));
  expect_parts(op(HY_X_ADD, bend, line), 1);
  expect_parts(op(HY_X_ADD, line, bend), 1);
  expect_parts(op(HY_X_SUB, bend, line), 1);
  expect_parts(op(HY_X_SUB, line, bend), 1);
  expect_parts(op(HY_X_NEG, op(HY_X_SUB, line, bend), 0), 1);
  expect_parts(op(HY_X_SUB, op(HY_X_SUB, number(2), bend), op(HY_X_SUB, in(3), line)), 2);
}

static void test_a_factor_goes_to_both_parts(void)
{
  HyX sum = op(HY_X_SUB, op(HY_X_SIN, in(0), 0), in(1));
  HyX chosen = hy_x_select(b, hy_x_flag(b, 0), number(2), number(5));
  expect_parts(op(HY_X_MUL, number(3), sum), 1);
  expect_parts(op(HY_X_MUL, sum, number(3)), 1);
  expect_parts(op(HY_X_DIV, sum, number(3)), 1);
  expect_parts(op(HY_X_MUL, chosen, sum), 1);
  expect_parts(op(HY_X_DIV, op(HY_X_NEG, sum, 0), op(HY_X_ADD, number(1), chosen)), 1);
}

/* What a section does, beside what it has to do with its neighbours. */
static void test_a_section_of_a_line(void)
{
  HyX u = in(5), left = in(4), right = in(6);
  HyX flows = op(HY_X_DIV, op(HY_X_SUB, left, u), number(0.01));
  HyX spreads = op(HY_X_SUB, op(HY_X_ADD, right, left), op(HY_X_MUL, number(2), u));
  HyX cube = op(HY_X_POW, u, hy_x_const(b, 3));
  HyX reacts = op(HY_X_MUL, number(0.5), op(HY_X_SUB, square(u), cube));
  expect_parts(op(HY_X_ADD, op(HY_X_ADD, flows, op(HY_X_MUL, number(7), spreads)), reacts), 2);
  TEST_ASSERT_EQUAL(3, t->straight->n_slots);
  TEST_ASSERT_EQUAL(1, t->curved->value->n_load);
  TEST_ASSERT_TRUE(t->curved->nearly);
  TEST_ASSERT_FALSE(t->curved->whole);
}

static void test_what_is_of_no_use_is_left_out(void)
{
  HyX bend = op(HY_X_MUL, in(0), in(1));
  expect_none(bend);
  expect_none(op(HY_X_ADD, in(0), number(2)));                     /* linear */
  expect_none(op(HY_X_ADD, bend, number(2)));                      /* no slot */
  expect_none(op(HY_X_SUB, in(0), bend));                          /* none of its own */
  expect_none(op(HY_X_SIN, op(HY_X_ADD, bend, in(2)), 0));         /* no sum */
  expect_none(op(HY_X_MUL, in(3), op(HY_X_ADD, bend, in(2))));     /* no number */
  expect_none(op(HY_X_DIV, number(2), op(HY_X_ADD, bend, in(2)))); /* below */
  expect_none(hy_x_select(b, hy_x_flag(b, 0), op(HY_X_ADD, bend, in(2)), in(3)));
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_parts_of_sums);
  RUN_TEST(test_a_factor_goes_to_both_parts);
  RUN_TEST(test_a_section_of_a_line);
  RUN_TEST(test_what_is_of_no_use_is_left_out);
  return UNITY_END();
}
