/* The table of operations, and what its rows name: values on numbers, rules of differentiation, and
 * functions composed of other operations. The series are those of numerics/taylor.h; the rules are
 * those of every textbook of analysis, written with y = f(a) where that saves an operation. */
#include "ops.h"
#include "builder.h"
#include "numerics/taylor.h"
#include "program.h"

#include <math.h>
#include <string.h>

/* Numbers ------------------------------------------------------------------------------------- */

#define OF_TWO(name, result)                                                                       \
  static double name(double a, double c)                                                           \
  {                                                                                                \
    return result;                                                                                 \
  }
OF_TWO(plus, a + c)
OF_TWO(minus, a - c)
OF_TWO(times, (a * c))
OF_TWO(over, a / c)

static double negative(double a)
{
  return -a;
}

static double sign(double a)
{
  return (a > 0) - (a < 0);
}

static double limit(const double *arg, guint n)
{
  (void)n;
  return arg[0] < arg[1] ? arg[1] : arg[0] > arg[2] ? arg[2] : arg[0];
}

static double least(const double *arg, guint n)
{
  double v = arg[0];
  for (guint i = 1; i < n; i++) {
    v = arg[i] < v ? arg[i] : v;
  }
  return v;
}

static double greatest(const double *arg, guint n)
{
  double v = arg[0];
  for (guint i = 1; i < n; i++) {
    v = arg[i] > v ? arg[i] : v;
  }
  return v;
}

static double number_of(const double *arg, guint n)
{
  (void)arg;
  return n;
}

static double sum(const double *arg, guint n)
{
  double v = n > 0 ? arg[0] : 0.0;
  for (guint i = 1; i < n; i++) {
    v += arg[i];
  }
  return v;
}

static double product(const double *arg, guint n)
{
  double v = n > 0 ? arg[0] : 1.0;
  for (guint i = 1; i < n; i++) {
    v *= arg[i];
  }
  return v;
}

static double mean(const double *arg, guint n)
{
  return sum(arg, n) / n;
}

/* The remainder with the sign of C. */
static double modulo(double a, double c)
{
  double r = fmod(a, c);
  return r != 0 && (r < 0) != (c < 0) ? r + c : r;
}

static double root(double a)
{
  return copysign(sqrt(fabs(a)), a);
}

static double root_power(double a, double c)
{
  return copysign(pow(fabs(a), c), a);
}

double hy_op_value(guint op, const double *arg, guint n)
{
  const HyOp *o = &hy_ops[op];
  return o->of_one != NULL   ? o->of_one(arg[0])
         : o->of_two != NULL ? o->of_two(arg[0], arg[1])
                             : o->of_all(arg, n);
}

/* Derivatives --------------------------------------------------------------------------------- */

static gboolean is(const HyXBuilder *b, HyTerm x, double v)
{
  return b == NULL ? x.v == v : hy_x_is_const(b, x.x) && b->node[x.x].v == v;
}

static HyTerm number(HyXBuilder *b, double v)
{
  return b == NULL ? (HyTerm){.v = v} : (HyTerm){.x = hy_x_const(b, v)};
}

/* As it stands, without the rules for 0. */
static HyTerm plainly(HyXBuilder *b, guint32 op, HyTerm a, HyTerm c)
{
  HyTerm r;
  if (b == NULL) {
    hy_x_series(op, 1, &a.v, &c.v, &r.v);
  } else {
    r.x = hy_x_op(b, (HyXOp)op, a.x, c.x);
  }
  return r;
}

HyTerm hy_term(HyXBuilder *b, guint32 op, HyTerm a, HyTerm c)
{
  gboolean no_a = op <= HY_X_NEG && is(b, a, 0.0);
  switch (op) {
  case HY_X_ADD:
    return no_a ? c : is(b, c, 0.0) ? a : plainly(b, op, a, c);
  case HY_X_SUB:
    return is(b, c, 0.0) ? a : no_a ? plainly(b, HY_X_NEG, c, c) : plainly(b, op, a, c);
  case HY_X_MUL:
    return no_a || is(b, c, 0.0) ? number(b, 0.0) : plainly(b, op, a, c);
  case HY_X_DIV:
  case HY_X_NEG:
    return no_a ? a : plainly(b, op, a, c);
  default:
    return plainly(b, op, a, c);
  }
}

static HyTerm call(HyXBuilder *b, guint32 op, HyTerm a)
{
  return hy_term(b, op, a, a);
}

static HyTerm add_rule(HyXBuilder *b, HyTerm y, const HyTerm *a, const HyTerm *d)
{
  (void)y, (void)a;
  return hy_term(b, HY_X_ADD, d[0], d[1]);
}

static HyTerm sub_rule(HyXBuilder *b, HyTerm y, const HyTerm *a, const HyTerm *d)
{
  (void)y, (void)a;
  return hy_term(b, HY_X_SUB, d[0], d[1]);
}

/* One side of it is 0. */
static gboolean is_half(const HyXBuilder *b, const HyNode *n)
{
  return n->op == HY_X_SELECT &&
         (is(b, (HyTerm){.x = n->b}, 0.0) || is(b, (HyTerm){.x = n->c}, 0.0));
}

/* a d, inside a choice one side of which is 0: 0 there, though a be infinite. */
static HyTerm scaled(HyXBuilder *b, HyTerm a, HyTerm d)
{
  if (b == NULL || !is_half(b, &b->node[d.x])) {
    return hy_term(b, HY_X_MUL, a, d);
  }
  HyNode choice = b->node[d.x];
  HyTerm yes = scaled(b, a, (HyTerm){.x = choice.b}), no = scaled(b, a, (HyTerm){.x = choice.c});
  return (HyTerm){.x = hy_x_select(b, choice.a, yes.x, no.x)};
}

static HyTerm mul_rule(HyXBuilder *b, HyTerm y, const HyTerm *a, const HyTerm *d)
{
  (void)y;
  HyTerm left = hy_term(b, HY_X_MUL, d[0], a[1]);
  return hy_term(b, HY_X_ADD, left, hy_term(b, HY_X_MUL, a[0], d[1]));
}

/* (a' - y c') / c */
static HyTerm div_rule(HyXBuilder *b, HyTerm y, const HyTerm *a, const HyTerm *d)
{
  HyTerm top = hy_term(b, HY_X_SUB, d[0], hy_term(b, HY_X_MUL, y, d[1]));
  return hy_term(b, HY_X_DIV, top, a[1]);
}

/* y (c' log a + c a' / a), or c a^(c-1) a' where c does not change. */
static HyTerm pow_rule(HyXBuilder *b, HyTerm y, const HyTerm *a, const HyTerm *d)
{
  HyTerm c = a[1], one = number(b, 1.0);
  if (!is(b, d[1], 0.0)) {
    HyTerm by_c = hy_term(b, HY_X_MUL, d[1], call(b, HY_X_LOG, a[0]));
    HyTerm by_a = hy_term(b, HY_X_DIV, hy_term(b, HY_X_MUL, c, d[0]), a[0]);
    return hy_term(b, HY_X_MUL, y, hy_term(b, HY_X_ADD, by_c, by_a));
  }
  HyTerm less = is(b, c, 2.0) ? a[0] : plainly(b, HY_X_POW, a[0], plainly(b, HY_X_SUB, c, one));
  return scaled(b, hy_term(b, HY_X_MUL, c, less), d[0]);
}

/* |a|, and so little more that only what has no inverse at 0 is another number there: large, and
 * not infinite, so that 0 times it is 0. */
static HyTerm size_of(HyXBuilder *b, HyTerm a)
{
  HyTerm size = call(b, HY_X_SQRT, plainly(b, HY_X_MUL, a, a));
  return plainly(b, HY_X_ADD, size, number(b, 1e-100));
}

/* c |a|^(c-1) a' + y log|a| c' */
static HyTerm root_pow_rule(HyXBuilder *b, HyTerm y, const HyTerm *a, const HyTerm *d)
{
  HyTerm size = size_of(b, a[0]);
  HyTerm less = plainly(b, HY_X_POW, size, plainly(b, HY_X_SUB, a[1], number(b, 1.0)));
  HyTerm by_a = scaled(b, hy_term(b, HY_X_MUL, a[1], less), d[0]);
  if (is(b, d[1], 0.0)) {
    return by_a;
  }
  return hy_term(b, HY_X_ADD, by_a,
                 scaled(b, hy_term(b, HY_X_MUL, y, call(b, HY_X_LOG, size)), d[1]));
}

/* (c a' - a c') / (a a + c c) */
static HyTerm atan2_rule(HyXBuilder *b, HyTerm y, const HyTerm *a, const HyTerm *d)
{
  (void)y;
  HyTerm square =
      plainly(b, HY_X_ADD, plainly(b, HY_X_MUL, a[0], a[0]), plainly(b, HY_X_MUL, a[1], a[1]));
  HyTerm left = hy_term(b, HY_X_MUL, a[1], d[0]);
  HyTerm turn = hy_term(b, HY_X_SUB, left, hy_term(b, HY_X_MUL, a[0], d[1]));
  return hy_term(b, HY_X_DIV, turn, square);
}

static HyTerm one_and_square(HyXBuilder *b, guint32 op, HyTerm a)
{
  return plainly(b, op, number(b, 1.0), plainly(b, HY_X_MUL, a, a));
}

/* 1 / sqrt(1 - a^2) with the sign of V. */
static HyTerm over_root(HyXBuilder *b, double v, HyTerm a)
{
  HyTerm root = call(b, HY_X_SQRT, one_and_square(b, HY_X_SUB, a));
  return hy_term(b, HY_X_DIV, number(b, v), root);
}

#define SLOPE(name, result)                                                                        \
  static HyTerm name(HyXBuilder *b, HyTerm y, HyTerm a)                                            \
  {                                                                                                \
    (void)b, (void)y, (void)a;                                                                     \
    return result;                                                                                 \
  }
SLOPE(neg_slope, number(b, -1.0))
SLOPE(sqrt_slope, hy_term(b, HY_X_DIV, number(b, 0.5), y))
SLOPE(root_slope, hy_term(b, HY_X_DIV, number(b, 0.5), size_of(b, y)))
SLOPE(exp_slope, y)
SLOPE(log_slope, hy_term(b, HY_X_DIV, number(b, 1.0), a))
SLOPE(log10_slope, hy_term(b, HY_X_DIV, number(b, 1.0 / log(10.0)), a))
SLOPE(sin_slope, call(b, HY_X_COS, a))
SLOPE(cos_slope, call(b, HY_X_NEG, call(b, HY_X_SIN, a)))
SLOPE(tan_slope, one_and_square(b, HY_X_ADD, y))
SLOPE(asin_slope, over_root(b, 1.0, a))
SLOPE(acos_slope, over_root(b, -1.0, a))
SLOPE(atan_slope, hy_term(b, HY_X_DIV, number(b, 1.0), one_and_square(b, HY_X_ADD, a)))
SLOPE(sinh_slope, call(b, HY_X_COSH, a))
SLOPE(cosh_slope, call(b, HY_X_SINH, a))
SLOPE(tanh_slope, one_and_square(b, HY_X_SUB, y))
SLOPE(wlog_slope, hy_term(b, HY_X_DIV, number(b, 1.0),
                          plainly(b, HY_X_ADD, number(b, 1.0), call(b, HY_X_EXP, y))))

HyTerm hy_op_rule(HyXBuilder *b, guint32 op, HyTerm y, const HyTerm *a, const HyTerm *d)
{
  const HyOp *o = &hy_ops[op];
  return o->rule != NULL ? o->rule(b, y, a, d) : scaled(b, o->slope(b, y, a[0]), d[0]);
}

/* Composed ------------------------------------------------------------------------------------ */

static HyX abs_of(HyXBuilder *b, const HyX *arg, guint n)
{
  (void)n;
  return hy_x_if_above(b, hy_x_const(b, 0.0), *arg, hy_x_op(b, HY_X_NEG, *arg, *arg), *arg);
}

static HyX sign_of(HyXBuilder *b, const HyX *arg, guint n)
{
  (void)n;
  HyX zero = hy_x_const(b, 0.0);
  HyX below = hy_x_if_above(b, zero, *arg, hy_x_const(b, -1.0), zero);
  return hy_x_if_above(b, *arg, zero, hy_x_const(b, 1.0), below);
}

static HyX limit_of(HyXBuilder *b, const HyX *arg, guint n)
{
  (void)n;
  HyX a = arg[0], lo = arg[1], hi = arg[2];
  return hy_x_if_above(b, lo, a, lo, hy_x_if_above(b, a, hi, hi, a));
}

static HyX lesser_of(HyXBuilder *b, HyX so_far, HyX a)
{
  return hy_x_if_above(b, so_far, a, a, so_far);
}

static HyX greater_of(HyXBuilder *b, HyX so_far, HyX a)
{
  return hy_x_if_above(b, a, so_far, a, so_far);
}

static HyX sum_of(HyXBuilder *b, HyX so_far, HyX a)
{
  return hy_x_op(b, HY_X_ADD, so_far, a);
}

static HyX product_of(HyXBuilder *b, HyX so_far, HyX a)
{
  return hy_x_op(b, HY_X_MUL, so_far, a);
}

static HyX mean_of(HyXBuilder *b, const HyX *sum, guint n)
{
  return hy_x_op(b, HY_X_DIV, *sum, hy_x_const(b, n));
}

/* The table ----------------------------------------------------------------------------------- */

/* Names in other languages, by HyLanguage, where TEXT is ours. In SPICE log was that to base 10
 * once, and ln never; what is WRITTEN_OUT comes as a function with the export. */
#define ALIKE(text)                                                                                \
  {                                                                                                \
    (text), (text), (text), (text)                                                                 \
  }
#define NOT_IN_SPICE(text)                                                                         \
  {                                                                                                \
    (text), (text), (text), NULL                                                                   \
  }
#define LN_IN_SPICE(text)                                                                          \
  {                                                                                                \
    (text), (text), (text), "ln"                                                                   \
  }
#define WRITTEN_OUT(text)                                                                          \
  {                                                                                                \
    (text), (text), NULL, NULL                                                                     \
  }
#define BY_FUNCTION(text)                                                                          \
  {                                                                                                \
    "power", (text), (text), "pow"                                                                 \
  }

#define SIGN(text, where, names, value, coefficients, derivative, degree, words)                   \
  {                                                                                                \
    .name = (text), .domain = (where), .called = names(text), .operands = 2, .of_two = (value),    \
    .series_two = (coefficients), .rule = (derivative), .growth = (degree), .doc = (words)         \
  }
#define FUNCTION(text, where, names, value, coefficients, derivative, words)                       \
  {                                                                                                \
    .name = (text), .domain = (where), .called = names(text), .operands = 1, .min = 1, .max = 1,   \
    .of_one = (value), .series_one = (coefficients), .slope = (derivative), .doc = (words)         \
  }
#define COMPOSED(text, value, made_of, words)                                                      \
  {                                                                                                \
    .name = (text), .min = 1, .max = 1, .of_one = (value), .composed = (made_of), .doc = (words)   \
  }
#define SEVERAL(text, value, step, words)                                                          \
  .name = (text), .min = 1, .max = HY_OP_ANY, .slices = TRUE, .of_all = (value), .joined = (step), \
  .doc = (words)
#define LOADING(text, value, words)                                                                \
  {                                                                                                \
    .name = (text), .min = 1, .max = 1, .of_one = (value), .loading = TRUE, .doc = (words)         \
  }

/* Those of HyXOp, which blocks name; after them those that only formulas name. Messages list them
 * in this order. */
const HyOp hy_ops[] = {
    [HY_X_ADD] = SIGN("+", HY_TOTAL, ALIKE, plus, hy_taylor_add, add_rule, HY_GROWS_AS_SUM, "sum"),
    [HY_X_SUB] =
        SIGN("-", HY_TOTAL, ALIKE, minus, hy_taylor_sub, sub_rule, HY_GROWS_AS_SUM, "difference"),
    [HY_X_MUL] =
        SIGN("*", HY_TOTAL, ALIKE, times, hy_taylor_mul, mul_rule, HY_GROWS_AS_PRODUCT, "product"),
    [HY_X_DIV] = SIGN("/", HY_BY_OPERAND, ALIKE, over, hy_taylor_div, div_rule,
                      HY_GROWS_AS_QUOTIENT, "quotient"),
    [HY_X_POW] = SIGN("^", HY_BY_OPERAND, BY_FUNCTION, pow, hy_taylor_pow, pow_rule,
                      HY_GROWS_AS_POWER, "power"),
    [HY_X_NEG] = {.name = "-",
                  .doc = "change of sign",
                  .operands = 1,
                  .domain = HY_TOTAL,
                  .called = ALIKE("-"),
                  .growth = HY_GROWS_AS_SUM,
                  .of_one = negative,
                  .series_one = hy_taylor_neg,
                  .slope = neg_slope},
    [HY_X_ABS] = COMPOSED("abs", fabs, abs_of, "without its sign"),
    [HY_X_SQRT] =
        FUNCTION("sqrt", HY_PARTIAL, ALIKE, sqrt, hy_taylor_sqrt, sqrt_slope, "square root"),
    [HY_X_EXP] =
        FUNCTION("exp", HY_PARTIAL, ALIKE, exp, hy_taylor_exp, exp_slope, "e to the power of a"),
    [HY_X_LOG] = FUNCTION("log", HY_PARTIAL, LN_IN_SPICE, log, hy_taylor_log, log_slope,
                          "natural logarithm"),
    [HY_X_LOG10] = FUNCTION("log10", HY_PARTIAL, ALIKE, log10, hy_taylor_log10, log10_slope,
                            "logarithm to base 10"),
    [HY_X_SIN] = FUNCTION("sin", HY_TOTAL, ALIKE, sin, hy_taylor_sin, sin_slope, "sine of radians"),
    [HY_X_COS] =
        FUNCTION("cos", HY_TOTAL, ALIKE, cos, hy_taylor_cos, cos_slope, "cosine of radians"),
    [HY_X_TAN] =
        FUNCTION("tan", HY_TOTAL, ALIKE, tan, hy_taylor_tan, tan_slope, "tangent of radians"),
    [HY_X_ASIN] =
        FUNCTION("asin", HY_PARTIAL, ALIKE, asin, hy_taylor_asin, asin_slope, "arc of a sine"),
    [HY_X_ACOS] =
        FUNCTION("acos", HY_PARTIAL, ALIKE, acos, hy_taylor_acos, acos_slope, "arc of a cosine"),
    [HY_X_ATAN] =
        FUNCTION("atan", HY_TOTAL, ALIKE, atan, hy_taylor_atan, atan_slope, "arc of a tangent"),
    [HY_X_ATAN2] = {.name = "atan2",
                    .doc = "angle of the point (x, y), written atan2(y, x)",
                    .operands = 2,
                    .domain = HY_TOTAL,
                    .called = NOT_IN_SPICE("atan2"),
                    .min = 2,
                    .max = 2,
                    .of_two = atan2,
                    .series_two = hy_taylor_atan2,
                    .rule = atan2_rule},
    [HY_X_SINH] =
        FUNCTION("sinh", HY_PARTIAL, ALIKE, sinh, hy_taylor_sinh, sinh_slope, "hyperbolic sine"),
    [HY_X_COSH] =
        FUNCTION("cosh", HY_PARTIAL, ALIKE, cosh, hy_taylor_cosh, cosh_slope, "hyperbolic cosine"),
    [HY_X_TANH] =
        FUNCTION("tanh", HY_TOTAL, ALIKE, tanh, hy_taylor_tanh, tanh_slope, "hyperbolic tangent"),
    [HY_X_WLOG] = FUNCTION("wlog", HY_TOTAL, WRITTEN_OUT, hy_wlog, hy_taylor_wlog, wlog_slope,
                           "the y with y + exp(y) = a; exp(wlog(a)) is Lambert's W of exp(a)"),
    [HY_X_ROOT] = {.name = "sqrt",
                   .doc = "square root",
                   .operands = 1,
                   .domain = HY_PARTIAL,
                   .called = {"root", "sqrt", "sqrt", "sqrt"},
                   .of_one = root,
                   .series_one = hy_taylor_root,
                   .slope = root_slope},
    [HY_X_ROOT_POW] = {.name = "^",
                       .doc = "power",
                       .operands = 2,
                       .domain = HY_PARTIAL,
                       .called = {"root_power", "^", "^", "pow"},
                       .of_two = root_power,
                       .series_two = hy_taylor_root_pow,
                       .rule = root_pow_rule},
    [HY_X_NAMED] = {SEVERAL("min", least, lesser_of, "the least")},
    {SEVERAL("max", greatest, greater_of, "the greatest")},
    COMPOSED("sign", sign, sign_of, "-1, 0 or 1"),
    {.name = "limit",
     .doc = "a, but not below lo nor above hi: limit(a, lo, hi)",
     .min = 3,
     .max = 3,
     .of_all = limit,
     .composed = limit_of},
    {.name = "if", .doc = "if(condition, a, b)", .min = 2, .max = 3, .choice = TRUE},
    {SEVERAL("sum", sum, sum_of, "sum of all"), .of_none = TRUE},
    {SEVERAL("prod", product, product_of, "product of all"), .of_none = TRUE},
    {SEVERAL("mean", mean, sum_of, "sum of all, divided by their number"), .composed = mean_of},
    {.name = "length",
     .doc = "how many there are in a list, an array or a slice",
     .min = 1,
     .max = HY_OP_ANY,
     .slices = TRUE,
     .of_none = TRUE,
     .loading = TRUE,
     .counts = TRUE,
     .of_all = number_of},
    LOADING("floor", floor, "the whole number below"),
    LOADING("ceil", ceil, "the whole number above"),
    LOADING("round", round, "the nearest whole number"),
    {.name = "mod",
     .doc = "remainder, with the sign of the divisor",
     .min = 2,
     .max = 2,
     .loading = TRUE,
     .of_two = modulo},
};
const guint hy_n_ops = G_N_ELEMENTS(hy_ops);
G_STATIC_ASSERT(G_N_ELEMENTS(hy_ops) <= HY_I_ADD_K); /* instructions count on from there */

guint hy_op_find(const char *name, gsize n)
{
  guint op = 0;
  while (op < hy_n_ops && (hy_ops[op].min == 0 || hy_ops[op].name[0] != name[0] ||
                           strlen(hy_ops[op].name) != n || memcmp(hy_ops[op].name, name, n) != 0)) {
    op++;
  }
  return op;
}
