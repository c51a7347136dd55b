/* The plain evaluator against arithmetic of 34 digits: random formulas at random points of random
 * balls; the true value lies in the ball that comes out. */
/* The name is that of the standard (TS 18661-3), for functions of _Float128. */
/* NOLINTNEXTLINE(clang-diagnostic-reserved-macro-identifier,bugprone-reserved-identifier) */
#define __STDC_WANT_IEC_60559_TYPES_EXT__ 1
#include "atomics/random.h"
#include "audit/eval.h"
#include "expr/ops.h"

#include <float.h>
#include <string.h>
#include <unity.h>

#if defined(__clang__) || !defined(__HAVE_FLOAT128) || !__HAVE_FLOAT128
typedef long double Real;
#define R(f) f##l
#else
typedef _Float128 Real;
#define R(f) f##f128
#endif

#define INPUTS 4
#define NODES  4096

static HyWritten tree[NODES];
static guint n_nodes;
static HyRandom dice;

void setUp(void)
{
}

void tearDown(void)
{
}

static double chance(void)
{
  return hy_random_uniform(&dice);
}

static guint one_of(guint n)
{
  return (guint)(chance() * n);
}

/* Trees ---------------------------------------------------------------------------------------- */

static const char *const functions[] = {
    "sqrt", "exp",  "log", "log10", "sin",   "cos", "tan", "asin",  "acos", "atan", "sinh", "cosh",
    "tanh", "wlog", "abs", "sign",  "atan2", "min", "max", "limit", "if",   "sum",  "prod", "mean"};

static guint arguments(const char *name)
{
  return strcmp(name, "if") == 0 || strcmp(name, "limit") == 0 ? 3
         : strcmp(name, "atan2") == 0                          ? 2
         : hy_ops[hy_op_find(name, strlen(name))].slices       ? 1 + one_of(3)
                                                               : 1;
}

static void grow(guint depth, char sign);

static void grow_children(HyWritten node, guint depth, const char *signs)
{
  tree[n_nodes++] = node;
  for (guint k = 0; k < node.n; k++) {
    grow(depth - 1, (char)(k > 0 && signs != NULL ? signs[one_of((guint)strlen(signs))] : ' '));
  }
}

static double some_number(void)
{
  static const double plain[] = {0, 1, -1, 0.5, 2, 3, 10, 1e9, 1e-9};
  return chance() < 0.5 ? plain[one_of(G_N_ELEMENTS(plain))] : 20 * chance() - 10;
}

static void grow(guint depth, char sign)
{
  HyWritten node = {.sign = sign};
  guint kind = depth == 0 || n_nodes > NODES / 2 ? one_of(4) : 2 + one_of(14);
  if (kind == 0) {
    node.kind = HY_F_NUMBER;
    node.number = some_number();
    tree[n_nodes++] = node;
  } else if (kind < 4) {
    node.kind = HY_F_REF;
    node.place = 1 + one_of(INPUTS);
    tree[n_nodes++] = node;
  } else if (kind < 6) {
    node.kind = HY_F_SUM;
    node.n = 2 + one_of(3);
    grow_children(node, depth, "+-");
  } else if (kind < 8) {
    node.kind = HY_F_PRODUCT;
    node.n = 2 + one_of(2);
    grow_children(node, depth, "*/");
  } else if (kind == 8) {
    node.kind = one_of(2) ? HY_F_NEG : HY_F_NOT;
    node.n = 1;
    grow_children(node, depth, NULL);
  } else if (kind == 9) {
    node.kind = HY_F_COMPARE;
    node.n = 2;
    grow_children(node, depth, "<>lg=!");
  } else if (kind == 10) {
    node.kind = one_of(2) ? HY_F_AND : HY_F_OR;
    node.n = 2 + one_of(2);
    grow_children(node, depth, NULL);
  } else if (kind == 11) {
    node.kind = HY_F_POW;
    node.n = 2;
    grow_children(node, depth, NULL);
  } else {
    const char *name = functions[one_of(G_N_ELEMENTS(functions))];
    node.kind = HY_F_CALL;
    node.function = (guint8)hy_op_find(name, strlen(name));
    node.n = arguments(name);
    grow_children(node, depth, NULL);
  }
}

/* Truth ---------------------------------------------------------------------------------------- */

static const HyWritten *at;
static Real point[INPUTS];

static Real true_value(void);

static Real wide_wlog(Real a)
{
  Real y = a > 1 ? R(log)(a) : a < -700 ? a : R(fmin)(a, 0.6);
  for (int k = 0; k < 100; k++) {
    Real e = R(exp)(y);
    y -= (y + e - a) / (1 + e);
  }
  return y;
}

static Real of_several(const char *name, const Real *x, guint n)
{
  Real v = x[0];
  for (guint k = 1; k < n; k++) {
    v = strcmp(name, "min") == 0    ? (x[k] < v ? x[k] : v)
        : strcmp(name, "max") == 0  ? (x[k] > v ? x[k] : v)
        : strcmp(name, "prod") == 0 ? v * x[k]
                                    : v + x[k];
  }
  return strcmp(name, "mean") == 0 ? v / n : v;
}

static Real wide_function(const char *name, const Real *x, guint n)
{
  static const struct {
    const char *name;
    Real (*f)(Real);
  } one[] = {{"sqrt", R(sqrt)}, {"exp", R(exp)},   {"log", R(log)},    {"log10", R(log10)},
             {"sin", R(sin)},   {"cos", R(cos)},   {"tan", R(tan)},    {"asin", R(asin)},
             {"acos", R(acos)}, {"atan", R(atan)}, {"sinh", R(sinh)},  {"cosh", R(cosh)},
             {"tanh", R(tanh)}, {"abs", R(fabs)},  {"wlog", wide_wlog}};
  for (guint k = 0; k < G_N_ELEMENTS(one); k++) {
    if (strcmp(one[k].name, name) == 0) {
      return one[k].f(x[0]);
    }
  }
  if (strcmp(name, "sign") == 0) {
    return (x[0] > 0) - (x[0] < 0);
  }
  if (strcmp(name, "atan2") == 0) {
    return R(atan2)(x[0], x[1]);
  }
  if (strcmp(name, "limit") == 0) {
    return x[1] > x[0] ? x[1] : x[0] > x[2] ? x[2] : x[0];
  }
  return of_several(name, x, n);
}

static Real true_call(const HyWritten *node)
{
  const char *name = hy_ops[node->function].name;
  Real x[4] = {0};
  for (guint k = 0; k < node->n; k++) {
    x[k] = true_value();
  }
  return strcmp(name, "if") == 0 ? (x[0] != 0 ? x[1] : x[2]) : wide_function(name, x, node->n);
}

static Real true_compare(char sign, Real a, Real b)
{
  switch (sign) {
  case '<':
    return a < b;
  case '>':
    return a > b;
  case 'l':
    return a <= b;
  case 'g':
    return a >= b;
  case '=':
    return a == b;
  default:
    return a != b;
  }
}

static Real true_chain(const HyWritten *node)
{
  Real v = true_value();
  for (guint k = 1; k < node->n; k++) {
    char sign = at->sign;
    Real x = true_value();
    v = node->kind == HY_F_COMPARE ? true_compare(sign, v, x)
        : sign == '+'              ? v + x
        : sign == '-'              ? v - x
        : sign == '*'              ? v * x
                                   : v / x;
  }
  return v;
}

static Real true_value(void)
{
  const HyWritten *node = at++;
  Real v, all = 1, any = 0;
  switch (node->kind) {
  case HY_F_NUMBER:
    return node->number;
  case HY_F_REF:
    return point[node->place - 1];
  case HY_F_NEG:
    return -true_value();
  case HY_F_NOT:
    return true_value() == 0;
  case HY_F_AND:
  case HY_F_OR:
    for (guint k = 0; k < node->n; k++) {
      v = true_value();
      all = all != 0 && v != 0;
      any = any != 0 || v != 0;
    }
    return node->kind == HY_F_AND ? all : any;
  case HY_F_POW:
    v = true_value();
    return R(pow)(v, true_value());
  case HY_F_CALL:
    return true_call(node);
  default:
    return true_chain(node);
  }
}

/* Tests ---------------------------------------------------------------------------------------- */

static void some_balls(HyBall *in)
{
  for (guint k = 0; k < INPUTS; k++) {
    in[k] = hy_ball(one_of(3) == 0 ? some_number() : 8 * chance() - 4);
    in[k].e = one_of(3) == 0 ? 0 : pow(10, -12 * chance());
    point[k] = (Real)in[k].v + (Real)in[k].e * (Real)(2 * chance() - 1);
  }
}

/* TRUE: something was to be judged. */
static gboolean holds_truth(guint number)
{
  HyBall in[INPUTS];
  n_nodes = 0;
  grow(1 + one_of(6), ' ');
  TEST_ASSERT_EQUAL_UINT(n_nodes, hy_written_size(tree));
  some_balls(in);
  HyBall got = hy_written_value(tree, in);
  at = tree;
  Real truth = true_value();
  TEST_ASSERT_TRUE(at == tree + n_nodes);
  if (!isfinite(got.v) || !isfinite(got.e) || !(R(fabs)(truth) < (Real)1e300)) {
    return FALSE;
  }
  Real off = R(fabs)(truth - (Real)got.v);
  if (!(off <= (Real)got.e)) {
    g_autofree char *text = g_strdup_printf("tree %u: %.17g is off by %g, within %g", number, got.v,
                                            (double)off, got.e);
    TEST_FAIL_MESSAGE(text);
  }
  return TRUE;
}

static void test_true_values_lie_in_the_balls(void)
{
  guint judged = 0;
  hy_random_seed(&dice, 26);
  for (guint k = 0; k < 10000; k++) {
    judged += holds_truth(k) ? 1 : 0;
  }
  TEST_ASSERT_GREATER_THAN_UINT(6000, judged);
}

/* Balls that hold everything would pass: numbers that are exact come out so, within some units. */
static void test_balls_of_exact_numbers_are_small(void)
{
  guint small = 0, judged = 0;
  hy_random_seed(&dice, 27);
  for (guint k = 0; k < 10000; k++) {
    HyBall in[INPUTS];
    n_nodes = 0;
    grow(2, ' ');
    some_balls(in);
    for (guint i = 0; i < INPUTS; i++) {
      in[i].e = 0;
    }
    HyBall got = hy_written_value(tree, in);
    if (isfinite(got.v) && isfinite(got.e)) {
      judged++;
      small += got.e <= 1e-13 * (1 + fabs(got.v));
    }
  }
  TEST_ASSERT_GREATER_THAN_UINT(judged * 9 / 10, small);
}

/* What rests exactly at a level is decided; within a radius, or a doubt, it is open. */
static void test_comparisons_are_open_within_the_radius(void)
{
  HyBall one = hy_ball(1), near = {1 + 1e-9, 1e-8, 0, FALSE}, doubted = {1 + 1e-9, 0, 1e-8, FALSE};
  TEST_ASSERT_EQUAL_DOUBLE(0, hy_ball_above(one, one).v);
  TEST_ASSERT_EQUAL_DOUBLE(0, hy_ball_above(one, one).e);
  TEST_ASSERT_EQUAL_DOUBLE(0.5, hy_ball_above(near, one).v);
  TEST_ASSERT_EQUAL_DOUBLE(0.5, hy_ball_above(doubted, one).v);
  HyBall both = hy_ball_choose(hy_ball_above(doubted, one), hy_ball(10), hy_ball(-2));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 4, both.v);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 6, both.e);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_true_values_lie_in_the_balls);
  RUN_TEST(test_balls_of_exact_numbers_are_small);
  RUN_TEST(test_comparisons_are_open_within_the_radius);
  return UNITY_END();
}
