/* Templates: the symbolic partial derivative of every class and every operation against the slope
 * lane of the Taylor program and against differences of long double values; what is part of a
 * shape. */
#include "coupled/model_internal.h"
#include "exact.h"
#include "expr/factors.h"
#include "expr/slopes.h"
#include "expr/template.h"
#include "hydevs/model.h"

#include <math.h>
#include <string.h>
#include <unity.h>

#define H      1e-4L /* of differences */
#define POINTS 20

static HyXBuilder *b;

void setUp(void)
{
  b = hy_x_builder_new();
}

void tearDown(void)
{
  g_clear_pointer(&b, hy_x_builder_free);
}

/* Independent values -------------------------------------------------------------------------- */

static long double value_of(const HyTemplate *t, const long double *slot, const double *number,
                            const guint8 *flag)
{
  g_autofree long double *v = g_new0(long double, t->n_nodes);
  for (guint k = 0; k < t->n_nodes; k++) {
    const HyNode *n = &t->node[k];
    if (n->op == HY_X_IN) {
      v[k] = slot[n->a];
    } else if (n->op == HY_X_CONST) {
      v[k] = number[n->a];
    } else if (n->op == HY_X_SELECT) {
      v[k] = flag[t->node[n->a].a] ? v[n->b] : v[n->c];
    } else if (n->op != HY_X_FLAG) {
      v[k] = operation(n->op, v[n->a], v[n->b]);
    }
  }
  return v[t->n_nodes - 1];
}

/* By differences over four points. */
static long double slope_of(const HyTemplate *t, guint slot, const double *at, const double *number,
                            const guint8 *flag)
{
  static const long double weight[] = {1 / 12.0L, -2 / 3.0L, 2 / 3.0L, -1 / 12.0L};
  static const int place[] = {-2, -1, 1, 2};
  g_autofree long double *x = g_new0(long double, t->n_slots);
  long double sum = 0;
  for (guint k = 0; k < t->n_slots; k++) {
    x[k] = at[k];
  }
  for (guint i = 0; i < 4; i++) {
    x[slot] = at[slot] + place[i] * H;
    sum += weight[i] * value_of(t, x, number, flag);
  }
  return sum / H;
}

/* The lane of the slope, the slot's slope being 1 and those of the others 0. */
static double lane_of(HyTemplate *t, guint slot, const double *at, const double *number,
                      const guint8 *flag)
{
  hy_program_prepare_with(t->value, number, t->reg);
  for (guint k = 0; k < t->n_slots; k++) {
    t->reg[k][0] = at[k];
    t->reg[k][1] = k == slot;
  }
  hy_program_run_with(t->value, number, t->reg, flag);
  return t->reg[t->value->out[0]][1];
}

/* Comparing ----------------------------------------------------------------------------------- */

static void near(double tolerance, double expected, double got, const char *what)
{
  char message[200];
  g_snprintf(message, sizeof message, "%s: %.17g, not %.17g", what, got, expected);
  TEST_ASSERT_TRUE_MESSAGE(fabs(got - expected) <= tolerance * fmax(1.0, fabs(expected)), message);
}

/* The partials by slots that are WANTED: those that move are what they are here, the others also
 * what they are at any other place and with all flags turned. */
static void check_slopes(HyTemplate *t, const double *at, const double *number, const guint8 *flag,
                         guint32 wanted, const char *what)
{
  g_autofree double *got = g_new0(double, t->n_slots + 1);
  g_autofree double *elsewhere = g_new0(double, t->n_slots + 1);
  guint8 turned[12];
  for (guint k = 0; k < t->n_flags; k++) {
    turned[k] = !flag[k];
  }
  HySlopes *s = hy_slopes_new(t, wanted);
  for (guint k = 0; k < s->n_load; k++) {
    s->reg[s->load[k]][0] = at[s->load[k]];
  }
  hy_slopes_run(s, number, flag, got);
  TEST_ASSERT_EQUAL_UINT(0, s->moving & ~wanted);
  for (guint k = 0; k < t->n_slots; k++) {
    gboolean moves = (s->moving >> k & 1) != 0;
    double partial =
        hy_template_partial(t, k, moves ? at : elsewhere, number, moves ? flag : turned);
    if ((wanted >> k & 1) != 0 && !moves) {
      got[k] = hy_template_partial(t, k, at, number, flag);
    }
    TEST_ASSERT_TRUE_MESSAGE(
        (wanted >> k & 1) == 0 || partial == got[k] || (isnan(partial) && isnan(got[k])), what);
  }
  hy_slopes_free(s);
}

/* The row in doubles is no further from that of other slots, as far as they may be wrong, than is
 * said. Twice: functions of libm may be wrong by a digit. */
static void check_rounding(HyTemplate *t, const double *at, const double *number,
                           const guint8 *flag, const char *what)
{
  g_autofree double *wrong = g_new0(double, t->n_slots + 1);
  g_autofree long double *x = g_new0(long double, t->n_slots + 1);
  for (guint k = 0; k < t->n_slots; k++) {
    wrong[k] = uniform(0.0, 1e-9);
    x[k] = at[k] + (long double)(uniform(-1.0, 1.0) * wrong[k]);
  }
  long double exact = value_of(t, x, number, flag);
  double e = hy_template_rounding(t, at, wrong, number, flag);
  double far = fabs((double)((long double)hy_template_at(t, at, number, flag) - exact));
  TEST_ASSERT_TRUE_MESSAGE(!(far > 2.0 * e + 1e-15), what);
}

static void check_point(HyTemplate *t, const double *number, const guint8 *flag, double from,
                        double to, const char *what)
{
  g_autofree double *at = g_new0(double, t->n_slots);
  for (guint k = 0; k < t->n_slots; k++) {
    at[k] = uniform(from, to);
  }
  g_autofree double *gradient = g_new0(double, t->n_slots);
  hy_template_gradient(t, at, number, flag, gradient);
  g_autofree double *all = g_new0(double, t->n_slots + 1);
  hy_template_all_partials(t, at, number, flag, all);
  check_slopes(t, at, number, flag, 0x55555555U, what);
  check_slopes(t, at, number, flag, 0xffffffffU, what);
  check_rounding(t, at, number, flag, what);
  for (guint slot = 0; slot < t->n_slots; slot++) {
    double partial = hy_template_partial(t, slot, at, number, flag);
    TEST_ASSERT_TRUE_MESSAGE(partial == all[slot] || (isnan(partial) && isnan(all[slot])), what);
    near(1e-12, gradient[slot], partial, what);
    near(1e-12, lane_of(t, slot, at, number, flag), partial, what);
    near(1e-9, (double)slope_of(t, slot, at, number, flag), partial, what);
  }
}

/* Random points, with every choice of its flags. */
static void check_root(const HyXBuilder *from, HyX root, double least, double most,
                       const char *what)
{
  HyShape shape;
  hy_shape_init(&shape);
  hy_shape_take(&shape, from, root);
  HyTemplate *t = hy_template_new(&shape);
  const double *number = (const double *)(gpointer)shape.number->data;
  TEST_ASSERT_TRUE(hy_template_compile(t, 2));
  TEST_ASSERT_LESS_THAN(12, t->n_flags);
  for (guint choice = 0; choice < 1U << t->n_flags; choice++) {
    guint8 flag[12] = {0};
    for (guint k = 0; k < t->n_flags; k++) {
      flag[k] = choice >> k & 1;
    }
    for (guint k = 0; k < POINTS; k++) {
      check_point(t, number, flag, least, most, what);
    }
  }
  hy_template_free(t);
  hy_shape_clear(&shape);
}

static HyX flag_of_mode(gpointer user, HyXBuilder *to, HyX x, const HyNode *n)
{
  (void)user;
  return n->op == HY_X_MODE ? hy_x_flag(to, x) : hy_x_same_leaf(NULL, to, x, n);
}

/* What a class says, its modes being flags: nodes of B from those of SAID. */
static HyX with_flags(const HyXBuilder *said, HyX root)
{
  g_autofree guint8 *need = g_new0(guint8, said->n);
  g_autofree HyX *map = g_new0(HyX, said->n);
  hy_x_builder_reset(b);
  hy_x_reach(said, &root, 1, FALSE, need);
  HyXMap to = {.b = b, .node = said->node, .map = map, .leaf = flag_of_mode};
  hy_x_map(&to, said->n, need);
  return map[root];
}

/* A block of a class with INPUTS inputs, if it has an array of them; PARAM, VALUE, ..., NULL. */
static void check_block(const char *klass, guint inputs, ...)
{
  g_autoptr(HyModel) m = hy_model_new("m");
  g_autoptr(HyXBuilder) said = hy_x_builder_new();
  g_autoptr(GError) error = NULL;
  guint block = hy_model_add(m, "block", hy_class_find(klass));
  if (inputs > 0) {
    hy_model_set_array(m, block, inputs, 0);
  }
  va_list args;
  va_start(args, inputs);
  const char *text = NULL;
  for (const char *param; (param = va_arg(args, const char *)) != NULL;) {
    text = va_arg(args, const char *);
    hy_model_set(m, block, param, text, &error);
    TEST_ASSERT_NULL_MESSAGE(error, error != NULL ? error->message : "");
  }
  va_end(args);
  TEST_ASSERT_TRUE(hy_model_check(m, NULL));
  gsize size;
  const HyAtomicClass *k = hy_class_find(klass);
  g_autofree guint8 *state = g_malloc0(k->state_size);
  const guint8 *image = hy_component_image(m, block, &size);
  memcpy(state, image, size);
  guint n_out = hy_model_n_out(m, block);
  g_autofree HyX *out = g_new0(HyX, n_out + 1);
  hy_x_describe(said, k, state, hy_model_n_in(m, block), n_out, NULL, out, &error);
  TEST_ASSERT_NULL_MESSAGE(error, error != NULL ? error->message : "");
  for (guint o = 0; o < n_out; o++) {
    check_root(b, with_flags(said, out[o]), 0.3, 0.9, text != NULL ? text : klass);
  }
}

static void test_the_partials_of_every_static_class(void)
{
  for (const HyAtomicClass *const *k = hy_classes(); *k != NULL; k++) {
    if ((*k)->describe == NULL || strcmp((*k)->name, "function") == 0) {
      continue;
    }
    gboolean array = FALSE;
    for (const HyPort *p = (*k)->in; p->name != NULL; p++) {
      array |= p->array;
    }
    check_block((*k)->name, array ? 3 : 0, NULL);
  }
  check_block("gain", 0, "k", "-2.5", NULL);
  check_block("sum", 3, "k", "1, -1, 0.5", NULL);
  check_block("power", 0, "n", "3", NULL);
  check_block("power", 0, "n", "-1.5", NULL);
  check_block("lookup", 0, "x", "0.2, 0.5, 0.8", "y", "1, -1, 4", NULL);
}

static void test_the_partials_of_formulas(void)
{
  static const char *const formulas[] = {"in[1]^2",
                                         "in[1]^3",
                                         "in[1]^-2",
                                         "in[1]^0.5",
                                         "in[1]^1",
                                         "in[1]^0",
                                         "2^in[1]",
                                         "in[1]^in[2]",
                                         "2*in[1]^2 + 3*in[2]^2",
                                         "in[1]^in[1]",
                                         "log(in[1])*log10(in[2])",
                                         "exp(-in[1]*in[2])",
                                         "sqrt(in[1]^2 + in[2]^2)",
                                         "in[1]/(in[2] + in[1])",
                                         "(in[1] + 1)/2",
                                         "2/in[1]",
                                         "sin(in[1])*cos(in[2]) + tan(in[1]*in[2]/2)",
                                         "asin(in[1]) - acos(in[2])",
                                         "atan(in[1]/in[2]) + atan2(in[1], in[2])",
                                         "sinh(in[1]) + cosh(in[2]) + tanh(in[1]*in[2])",
                                         "if(in[1] > 0.5, in[1]*in[2], in[2]^2)",
                                         "abs(in[1] - 0.5)",
                                         "max(in[1], in[2]^2)",
                                         "min(in[1], in[2])*in[1]",
                                         "limit(in[1], 0.4, in[2])",
                                         "sign(in[1] - 0.5)*in[2]",
                                         "if(in[1] > 0.5 and in[2] > 0.5, exp(in[1]), log(in[2]))",
                                         "atan2(0.5, in[1])",
                                         "atan2(in[1], 0.5)",
                                         "-(in[1] - in[2])",
                                         "in[1]*in[1] - in[1]"};
  for (guint k = 0; k < G_N_ELEMENTS(formulas); k++) {
    check_block("function", 2, "formula", formulas[k], NULL);
  }
}

/* Each operand a signal, a number, and an expression with a select inside. */
static void test_the_partials_of_every_operation(void)
{
  for (guint32 op = 0; op < HY_X_NAMED; op++) {
    for (guint form = 0; hy_x_operands(op) > 0 && form < 9; form++) {
      hy_x_builder_reset(b);
      HyX x = hy_x_in(b, 0), y = hy_x_in(b, 1), half = hy_x_const(b, 0.5);
      HyX product = hy_x_op(b, HY_X_MUL, x, y);
      HyX choice = hy_x_select(b, hy_x_flag(b, 0), product, hy_x_op(b, HY_X_MUL, x, half));
      const HyX operand[] = {x, half, choice, y, half, product};
      HyX root = hy_x_op(b, (HyXOp)op, operand[form % 3], operand[3 + form / 3]);
      check_root(b, root, 0.3, 0.9, hy_ops[op].name);
    }
  }
}

static void test_a_constant_exponent_of_zero_has_no_slope(void)
{
  HyX root = hy_x_op(b, HY_X_POW, hy_x_in(b, 0), hy_x_const(b, 0));
  HyShape shape;
  hy_shape_init(&shape);
  hy_shape_take(&shape, b, root);
  HyTemplate *t = hy_template_new(&shape);
  TEST_ASSERT_TRUE(hy_template_compile(t, 2));
  TEST_ASSERT_EQUAL_DOUBLE(0, hy_template_partial(t, 0, (double[]){0}, (double[]){0}, NULL));
  hy_template_free(t);
  hy_shape_clear(&shape);
}

/* Shape --------------------------------------------------------------------------------------- */

static gboolean same_shape(HyX x, HyX y)
{
  HyShape one, two;
  hy_shape_init(&one);
  hy_shape_init(&two);
  hy_shape_take(&one, b, x);
  hy_shape_take(&two, b, y);
  gboolean same =
      hy_template_equal(&one.as, &two.as) && hy_template_hash(&one.as) == hy_template_hash(&two.as);
  hy_shape_clear(&one);
  hy_shape_clear(&two);
  return same;
}

/* v (in[k] - w) */
static HyX scaled(guint k, double v, double w)
{
  HyX less = hy_x_op(b, HY_X_SUB, hy_x_in(b, k), hy_x_const(b, w));
  return hy_x_op(b, HY_X_MUL, hy_x_const(b, v), less);
}

static void test_numbers_and_names_are_no_part_of_a_shape(void)
{
  TEST_ASSERT_TRUE(same_shape(scaled(0, 2, 3), scaled(7, 5, 4)));
}

static void test_exponents_and_operations_are_part_of_a_shape(void)
{
  HyX x = hy_x_in(b, 0);
  HyX square = hy_x_op(b, HY_X_POW, x, hy_x_const(b, 2));
  HyX cube = hy_x_op(b, HY_X_POW, x, hy_x_const(b, 3));
  TEST_ASSERT_FALSE(same_shape(square, cube));
  TEST_ASSERT_FALSE(same_shape(hy_x_op(b, HY_X_ADD, x, square), hy_x_op(b, HY_X_SUB, x, square)));
  TEST_ASSERT_FALSE(same_shape(hy_x_op(b, HY_X_MUL, x, x), hy_x_op(b, HY_X_MUL, x, hy_x_in(b, 1))));
}

static HyDegree degree(HyX root)
{
  HyShape shape;
  hy_shape_init(&shape);
  hy_shape_take(&shape, b, root);
  HyTemplate *t = hy_template_new(&shape);
  TEST_ASSERT_TRUE(hy_template_compile(t, 2));
  HyDegree d = t->degree;
  hy_template_free(t);
  hy_shape_clear(&shape);
  return d;
}

static void test_degrees(void)
{
  HyX x = hy_x_in(b, 0), y = hy_x_in(b, 1), two = hy_x_const(b, 2);
  HyX flag = hy_x_select(b, hy_x_flag(b, 0), two, hy_x_const(b, 5));
  TEST_ASSERT_EQUAL(HY_DEGREE_0, degree(two));
  TEST_ASSERT_EQUAL(HY_DEGREE_0, degree(hy_x_op(b, HY_X_EXP, flag, flag)));
  TEST_ASSERT_EQUAL(HY_DEGREE_1, degree(hy_x_op(b, HY_X_MUL, x, flag)));
  TEST_ASSERT_EQUAL(HY_DEGREE_1, degree(hy_x_op(b, HY_X_DIV, hy_x_op(b, HY_X_SUB, x, y), flag)));
  TEST_ASSERT_EQUAL(HY_NONLINEAR, degree(hy_x_op(b, HY_X_MUL, x, y)));
  TEST_ASSERT_EQUAL(HY_NONLINEAR, degree(hy_x_op(b, HY_X_DIV, two, x)));
  TEST_ASSERT_EQUAL(HY_DEGREE_1, degree(hy_x_select(b, hy_x_flag(b, 0), x, two)));
}

/* G (u - (G u + K x)/(G + K)) is G K/(G + K) (u - x). */
static void test_factors_that_are_small_differences(void)
{
  const double number[] = {0x1p60, 0x1p-40}, unit = 0x1p-40; /* their sum is no double */
  const guint8 flag = 1;
  HyX on = hy_x_flag(b, 0), one = hy_x_const(b, 1); /* else the sum would be made at once */
  HyX G = hy_x_select(b, on, hy_x_const(b, number[0]), one);
  HyX K = hy_x_select(b, on, hy_x_const(b, number[1]), one);
  HyX u = hy_x_in(b, 0), x = hy_x_in(b, 1);
  HyX top = hy_x_op(b, HY_X_ADD, hy_x_op(b, HY_X_MUL, G, u), hy_x_op(b, HY_X_MUL, K, x));
  HyX node = hy_x_op(b, HY_X_DIV, top, hy_x_op(b, HY_X_ADD, G, K));
  HyX root = hy_x_op(b, HY_X_MUL, G, hy_x_op(b, HY_X_SUB, u, node));
  HyShape shape;
  hy_shape_init(&shape);
  hy_shape_take(&shape, b, root);
  HyTemplate *t = hy_template_new(&shape);
  TEST_ASSERT_TRUE(hy_template_compile(t, 2));
  Two factor[3];
  const double *numbers = (const double *)(gpointer)shape.number->data;
  TEST_ASSERT_TRUE(hy_template_factors(t, numbers, &flag, factor));
  TEST_ASSERT_DOUBLE_WITHIN(1e-2 * unit, unit, factor[0].h); /* 32 digits of 2^60 */
  TEST_ASSERT_DOUBLE_WITHIN(1e-15 * unit, -unit, factor[1].h);
  TEST_ASSERT_EQUAL_DOUBLE(0.0, factor[2].h);
  hy_template_free(t);
  hy_shape_clear(&shape);
}

/* Of a choice those of what is chosen; where a slot is under a root, or a number is none, nothing
 * is said. */
static void test_factors_of_choices_and_of_none(void)
{
  HyX x = hy_x_in(b, 0), two = hy_x_const(b, 2), five = hy_x_const(b, 5);
  HyX flag = hy_x_flag(b, 0), zero = hy_x_const(b, 0);
  HyX roots[] = {
      hy_x_op(b, HY_X_ADD, hy_x_op(b, HY_X_NEG, hy_x_select(b, flag, x, two), two), five),
      hy_x_op(b, HY_X_MUL, x, hy_x_op(b, HY_X_SQRT, hy_x_select(b, flag, five, two), two)),
      hy_x_op(b, HY_X_DIV, x, hy_x_select(b, flag, two, zero)), hy_x_op(b, HY_X_SQRT, x, x)};
  static const double right[][2][2] = {
      {{0, 3}, {-1, 5}}, {{1.4142135623730951, 0}, {2.23606797749979, 0}}, {{0, 0}, {0.5, 0}}};
  for (guint k = 0; k < G_N_ELEMENTS(roots); k++) {
    HyShape shape;
    hy_shape_init(&shape);
    hy_shape_take(&shape, b, roots[k]);
    HyTemplate *t = hy_template_new(&shape);
    for (guint8 on = 0; on < 2; on++) {
      Two factor[2];
      gboolean ok =
          hy_template_factors(t, (const double *)(gpointer)shape.number->data, &on, factor);
      TEST_ASSERT_EQUAL(k < 2 || (k == 2 && on), ok);
      TEST_ASSERT_TRUE(!ok || (factor[0].h == right[k][on][0] && factor[1].h == right[k][on][1]));
    }
    hy_template_free(t);
    hy_shape_clear(&shape);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_partials_of_every_static_class);
  RUN_TEST(test_the_partials_of_formulas);
  RUN_TEST(test_the_partials_of_every_operation);
  RUN_TEST(test_a_constant_exponent_of_zero_has_no_slope);
  RUN_TEST(test_numbers_and_names_are_no_part_of_a_shape);
  RUN_TEST(test_exponents_and_operations_are_part_of_a_shape);
  RUN_TEST(test_degrees);
  RUN_TEST(test_factors_that_are_small_differences);
  RUN_TEST(test_factors_of_choices_and_of_none);
  return UNITY_END();
}
