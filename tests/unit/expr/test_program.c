/* Programs: every operation in every form against long double values and high-order differences of
 * them, for each number of lanes; registers, modes and inputs with a time of their own. */
#include "exact.h"
#include "expr/linked.h"

#include <math.h>
#include <string.h>
#include <unity.h>

#define H 0.01L

void setUp(void)
{
}

void tearDown(void)
{
}

static long double value_at(const double *c, long double s)
{
  return c[0] + s * (c[1] + s * (c[2] + s * (long double)c[3]));
}

/* The four Taylor coefficients of f(u(s), v(s)) at 0 by differences over seven points. */
static void reference(guint32 op, const double *u, const double *v, long double *r)
{
  static const long double weight[4][7] = {
      {0, 0, 0, 1, 0, 0, 0},
      {-1 / 60.0L, 3 / 20.0L, -3 / 4.0L, 0, 3 / 4.0L, -3 / 20.0L, 1 / 60.0L},
      {1 / 90.0L, -3 / 20.0L, 3 / 2.0L, -49 / 18.0L, 3 / 2.0L, -3 / 20.0L, 1 / 90.0L},
      {1 / 8.0L, -1, 13 / 8.0L, 0, -13 / 8.0L, 1, -1 / 8.0L}};
  static const long double factorial[] = {1, 1, 2, 6};
  for (guint k = 0; k < 4; k++) {
    r[k] = 0;
    for (int i = 0; i < 7; i++) {
      long double s = (i - 3) * H;
      r[k] += weight[k][i] * operation(op, value_at(u, s), value_at(v, s));
    }
    r[k] /= powl(H, k) * factorial[k];
  }
}

static void check_outputs(const HyProgram *p, const HyReg *reg, const HyReg *expected)
{
  for (guint k = 0; k < p->n_out; k++) {
    for (guint i = 0; i < p->lanes; i++) {
      double want = expected[p->out[k]][i], got = reg[p->out[k]][i];
      TEST_ASSERT_TRUE(isnan(want) ? isnan(got) : want == got && !signbit(want) == !signbit(got));
    }
  }
}

/* Linked, a program leaves the same bits, whether its inputs are there or it fetches them. */
static void check_linked(const HyProgram *p, const HyPiece *in, double t, const HyReg *expected)
{
  if (!p->plain) {
    return;
  }
  g_autofree HyReg *reg = g_new(HyReg, p->n_regs + 1);
  hy_program_prepare(p, reg);
  g_autoptr(HyLinked) linked = hy_linked_new(p, reg);
  hy_program_load(p, in, t, reg);
  hy_linked_run(linked, p->number);
  check_outputs(p, (const HyReg *)reg, expected);
  g_autofree HyReg *own = g_new(HyReg, p->n_regs + 1);
  hy_program_prepare(p, own);
  g_autofree const HyPiece **from = g_new(const HyPiece *, p->n_in + 1);
  for (guint k = 0; k < p->n_in; k++) {
    from[k] = &in[k];
  }
  g_autoptr(HyLinked) fetches = hy_linked_new_from(p, own, TRUE);
  hy_linked_evaluate_from(fetches, p->number, from, t);
  check_outputs(p, (const HyReg *)own, expected);
  hy_program_prepare(p, own);
  g_autoptr(HyLinked) together = hy_linked_new_from(p, own, FALSE);
  hy_linked_evaluate(together, p->number, in, t);
  check_outputs(p, (const HyReg *)own, expected);
}

static void evaluate(HyXBuilder *b, HyX out, guint lanes, const HyPiece *in, double t, double *r)
{
  g_autoptr(HyProgram) p = hy_program_new(b, &out, 1, 2, lanes, NULL);
  TEST_ASSERT_NOT_NULL(p);
  g_autofree HyReg *reg = g_new(HyReg, p->n_regs + 1);
  hy_program_prepare(p, reg);
  hy_program_evaluate(p, in, t, reg, NULL);
  for (guint k = 0; k < 4; k++) {
    r[k] = reg[p->out[0]][k];
  }
  check_linked(p, in, t, (const HyReg *)reg);
}

static void check(guint32 op, const HyPiece *in, guint lanes, const double *r)
{
  long double expected[4];
  reference(op, in[0].c, in[1].c, expected);
  char message[40];
  g_snprintf(message, sizeof message, "operation %u, %u lanes", op, lanes);
  for (guint k = 0; k < 4; k++) {
    double e = k < lanes ? (double)expected[k] : 0.0;
    double tolerance = (k == 0 ? 1e-14 : 2e-5) * fmax(1.0, fabs(e));
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(tolerance, e, r[k], message);
  }
}

/* Both operands signals; the first a number; the second a number. */
static void check_forms(guint32 op, guint lanes, double from, double to)
{
  for (guint form = 0; form < 3; form++) {
    HyPiece in[2] = {{.t = 0}};
    for (guint i = 0; i < 2; i++) {
      in[i].c[0] = uniform(from, to);
      for (guint k = 1; k < 4 && form != i + 1; k++) {
        in[i].c[k] = k < lanes ? uniform(-0.3, 0.3) : 0.0;
      }
    }
    g_autoptr(HyXBuilder) b = hy_x_builder_new();
    HyX a = form == 1 ? hy_x_const(b, in[0].c[0]) : hy_x_in(b, 0);
    HyX c = form == 2 ? hy_x_const(b, in[1].c[0]) : hy_x_in(b, 1);
    double r[4];
    evaluate(b, hy_x_op(b, (HyXOp)op, a, c), lanes, in, 0.0, r);
    check(op, in, lanes, r);
  }
}

static void test_every_operation_has_exact_coefficients(void)
{
  for (guint32 op = 0; op < HY_X_NAMED; op++) {
    if (hy_x_operands(op) == 0) {
      continue;
    }
    gboolean inside = op == HY_X_ASIN || op == HY_X_ACOS || op == HY_X_TAN;
    for (guint lanes = 1; lanes <= 4; lanes++) {
      for (guint repeat = 0; repeat < 20; repeat++) {
        check_forms(op, lanes, inside ? -0.5 : 0.5, inside ? 0.5 : 2.0);
      }
    }
  }
}

static void test_inputs_have_a_time_of_their_own(void)
{
  const HyPiece in[2] = {{.c = {1, 2, 3, 4}, .t = 1}, {.c = {5, -1}, .t = 3}};
  g_autoptr(HyXBuilder) b = hy_x_builder_new();
  double r[4];
  evaluate(b, hy_x_op(b, HY_X_ADD, hy_x_in(b, 0), hy_x_in(b, 1)), 4, in, 3.5, r);
  TEST_ASSERT_EQUAL_DOUBLE(1 + 2 * 2.5 + 3 * 6.25 + 4 * 15.625 + 4.5, r[0]);
  TEST_ASSERT_EQUAL_DOUBLE(2 + 6 * 2.5 + 12 * 6.25 - 1, r[1]);
  TEST_ASSERT_EQUAL_DOUBLE(3 + 12 * 2.5, r[2]);
  TEST_ASSERT_EQUAL_DOUBLE(4, r[3]);
}

static void test_nan_and_infinity_pass(void)
{
  const HyPiece in[2] = {{.c = {NAN}}, {.c = {0}}};
  for (guint32 op = 0; op < HY_X_NAMED; op++) {
    if (hy_x_operands(op) == 0) {
      continue;
    }
    g_autoptr(HyXBuilder) b = hy_x_builder_new();
    double r[4];
    evaluate(b, hy_x_op(b, (HyXOp)op, hy_x_in(b, 0), hy_x_in(b, 0)), 2, in, 0, r);
    TEST_ASSERT_TRUE(isnan(r[0]));
  }
  g_autoptr(HyXBuilder) b = hy_x_builder_new();
  double r[4];
  evaluate(b, hy_x_op(b, HY_X_DIV, hy_x_const(b, 3), hy_x_in(b, 1)), 1, in, 0, r);
  TEST_ASSERT_TRUE(isinf(r[0]));
  evaluate(b, hy_x_op(b, HY_X_MUL, hy_x_const(b, 0), hy_x_in(b, 0)), 1, in, 0, r);
  TEST_ASSERT_TRUE(isnan(r[0]));
}

/* A random expression of many nodes that are used again and again, against plain doubles. */
static void test_registers_are_kept_until_the_last_use(void)
{
  for (guint repeat = 0; repeat < 200; repeat++) {
    g_autoptr(HyXBuilder) b = hy_x_builder_new();
    HyPiece in[2] = {{.c = {uniform(-1, 1)}}, {.c = {uniform(-1, 1)}}};
    HyX x[40] = {hy_x_in(b, 0), hy_x_in(b, 1)};
    double v[40] = {in[0].c[0], in[1].c[0]};
    for (guint k = 2; k < 40; k++) {
      guint i = (guint)uniform(0, k), j = (guint)uniform(0, k);
      guint op = (guint)uniform(0, 4);
      if (op == 3) {
        x[k] = hy_x_op(b, HY_X_TANH, x[i], x[i]);
        v[k] = tanh(v[i]);
      } else {
        x[k] = hy_x_op(b, (HyXOp)op, x[i], x[j]);
        v[k] = op == 0 ? v[i] + v[j] : op == 1 ? v[i] - v[j] : v[i] * v[j];
      }
    }
    double r[4];
    evaluate(b, x[39], 1, in, 0, r);
    TEST_ASSERT_EQUAL_DOUBLE(v[39], r[0]);
  }
}

/* Operands in every place: the result of the instruction before, of another one, both, an input, a
 * number; several outputs, of which one is an input and one is read by others. */
static void test_what_is_linked_leaves_the_same_bits(void)
{
  for (guint repeat = 0; repeat < 400; repeat++) {
    guint lanes = 1 + repeat % 4;
    g_autoptr(HyXBuilder) b = hy_x_builder_new();
    HyPiece in[3] = {{.t = 0}};
    HyX x[40] = {0};
    for (guint k = 0; k < 3; k++) {
      for (guint i = 0; i < lanes; i++) {
        in[k].c[i] = uniform(-2, 2);
      }
      x[k] = hy_x_in(b, k);
    }
    for (guint k = 3; k < 40; k++) {
      guint i = (guint)uniform(0, k), j = uniform(0, 1) < 0.5 ? k - 1 : (guint)uniform(0, k);
      HyX other = uniform(0, 1) < 0.3 ? hy_x_const(b, uniform(-2, 2)) : x[i];
      gboolean swapped = uniform(0, 1) < 0.5;
      HyXOp op = uniform(0, 1) < 0.1 ? HY_X_NEG : (HyXOp)uniform(0, 4);
      x[k] = hy_x_op(b, op, swapped ? other : x[j], swapped ? x[j] : other);
    }
    const HyX out[] = {x[39], x[1], x[20]};
    g_autoptr(HyProgram) p = hy_program_new(b, out, 3, 3, lanes, NULL);
    g_autofree HyReg *reg = g_new(HyReg, p->n_regs + 1);
    hy_program_prepare(p, reg);
    hy_program_evaluate(p, in, 0.7, reg, NULL);
    check_linked(p, in, 0.7, (const HyReg *)reg);
  }
}

/* A square that is there is not made again, whether it is still read afterwards or not: the bits
 * are those of the power alone. */
static void test_higher_powers_begin_with_the_square_that_is_there(void)
{
  for (guint m = 3; m <= 16; m++) {
    guint lanes = 1 + m % 4;
    const HyPiece in[2] = {{.c = {1.1, 0.3, lanes > 2 ? -0.2 : 0.0, lanes > 3 ? 0.1 : 0.0}}};
    g_autoptr(HyXBuilder) b = hy_x_builder_new();
    HyX x = hy_x_in(b, 0), power = hy_x_op(b, HY_X_POW, x, hy_x_const(b, m));
    double alone[4];
    evaluate(b, power, lanes, in, 0.0, alone);
    guint n_ins[2];
    for (guint read = 0; read < 2; read++) {
      hy_x_builder_reset(b);
      x = hy_x_in(b, 0);
      HyX square = hy_x_op(b, HY_X_POW, x, hy_x_const(b, 2)),
          before = hy_x_op(b, HY_X_SIN, square, 0);
      power = hy_x_op(b, HY_X_POW, x, hy_x_const(b, m));
      const HyX out[] = {power, before, read ? square : x};
      g_autoptr(HyProgram) p = hy_program_new(b, out, 3, 2, lanes, NULL);
      g_autofree HyReg *reg = g_new(HyReg, p->n_regs + 1);
      hy_program_prepare(p, reg);
      hy_program_evaluate(p, in, 0.0, reg, NULL);
      for (guint k = 0; k < lanes; k++) {
        TEST_ASSERT_TRUE(alone[k] == reg[p->out[0]][k]);
      }
      n_ins[read] = p->n_ins;
    }
    TEST_ASSERT_EQUAL(n_ins[0] - 1, n_ins[1]);
  }
}

static void test_registers_are_used_again(void)
{
  g_autoptr(HyXBuilder) b = hy_x_builder_new();
  HyX sum = hy_x_in(b, 0);
  for (guint k = 0; k < 100; k++) {
    sum = hy_x_op(b, HY_X_SIN, sum, sum);
  }
  g_autoptr(HyProgram) p = hy_program_new(b, &sum, 1, 1, 2, NULL);
  TEST_ASSERT_EQUAL(100, p->n_ins);
  TEST_ASSERT_EQUAL(2, p->n_regs);
}

static void test_select_follows_its_mode(void)
{
  g_autoptr(HyXBuilder) b = hy_x_builder_new();
  HyX x = hy_x_in(b, 0), y = hy_x_in(b, 1);
  HyX mode = hy_x_crossing(b, x, HY_CROSS_BOTH);
  HyX out = hy_x_op(b, HY_X_ADD, hy_x_select(b, mode, y, hy_x_const(b, 7)), x);
  g_autoptr(HyProgram) p = hy_program_new(b, &out, 1, 2, 3, NULL);
  const HyPiece in[2] = {{.c = {1, 1, 1}}, {.c = {10, 20, 30}}};
  g_autofree HyReg *reg = g_new(HyReg, p->n_regs + 1);
  hy_program_prepare(p, reg);
  TEST_ASSERT_EQUAL(1, p->n_modes);
  hy_program_evaluate(p, in, 0, reg, (const guint8[]){1});
  TEST_ASSERT_EQUAL_DOUBLE(31, reg[p->out[0]][2]);
  hy_program_evaluate(p, in, 0, reg, (const guint8[]){0});
  TEST_ASSERT_EQUAL_DOUBLE(8, reg[p->out[0]][0]);
  TEST_ASSERT_EQUAL_DOUBLE(1, reg[p->out[0]][2]);
}

static void test_too_large_is_an_error(void)
{
  g_autoptr(HyXBuilder) b = hy_x_builder_new();
  g_autoptr(GError) error = NULL;
  HyX out = hy_x_in(b, 70000);
  TEST_ASSERT_NULL(hy_program_new(b, &out, 1, 70001, 2, &error));
  TEST_ASSERT_EQUAL_STRING(
      "more than 65535 inputs and intermediate values; divide it into several blocks",
      error->message);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_every_operation_has_exact_coefficients);
  RUN_TEST(test_inputs_have_a_time_of_their_own);
  RUN_TEST(test_nan_and_infinity_pass);
  RUN_TEST(test_registers_are_kept_until_the_last_use);
  RUN_TEST(test_what_is_linked_leaves_the_same_bits);
  RUN_TEST(test_higher_powers_begin_with_the_square_that_is_there);
  RUN_TEST(test_registers_are_used_again);
  RUN_TEST(test_select_follows_its_mode);
  RUN_TEST(test_too_large_is_an_error);
  return UNITY_END();
}
