/* The table of operations, row by row: a name that is read and printed, its value, its Taylor
 * series against differences of the value, its rule against the series, what it is composed of
 * against its value, and its place in the documentation. */
#include "exact.h"
#include "expr/enclose.h"
#include "expr/formula.h"
#include "expr/program.h"

#include <math.h>
#include <string.h>
#include <unity.h>

#define H 0.02 /* of differences */

void setUp(void)
{
}

void tearDown(void)
{
}

static void near(double tolerance, double expected, double got, guint op, const char *what)
{
  char message[200];
  g_snprintf(message, sizeof message, "%s, %s: %.17g, not %.17g", hy_ops[op].name, what, got,
             expected);
  TEST_ASSERT_TRUE_MESSAGE(fabs(got - expected) <= tolerance * fmax(1.0, fabs(expected)), message);
}

static void test_every_row_is_complete(void)
{
  for (guint op = 0; op < hy_n_ops; op++) {
    const HyOp *o = &hy_ops[op];
    TEST_ASSERT_NOT_NULL(o->name);
    TEST_ASSERT_NOT_NULL_MESSAGE(o->doc, o->name);
    guint values = (o->of_one != NULL) + (o->of_two != NULL) + (o->of_all != NULL);
    TEST_ASSERT_EQUAL_UINT_MESSAGE(o->choice ? 0 : 1, values, o->name);
    TEST_ASSERT_EQUAL_MESSAGE(o->operands == 1, o->series_one != NULL, o->name);
    TEST_ASSERT_EQUAL_MESSAGE(o->operands == 2, o->series_two != NULL, o->name);
    TEST_ASSERT_EQUAL_MESSAGE(o->operands > 0, o->slope != NULL || o->rule != NULL, o->name);
    TEST_ASSERT_EQUAL_MESSAGE(o->operands > 0, o->domain != 0, o->name);
    TEST_ASSERT_EQUAL_MESSAGE(o->operands > 0, o->called[HY_IN_C] != NULL, o->name);
    TEST_ASSERT_EQUAL_MESSAGE(o->operands > 0, hy_op_encloses(op), o->name);
    gboolean made = o->operands > 0 || o->joined != NULL || o->composed != NULL;
    TEST_ASSERT_EQUAL_MESSAGE(!o->loading && !o->choice, made, o->name);
  }
}

static void test_a_name_is_read_and_printed(void)
{
  g_autoptr(HyFormulaPool) pool = hy_formula_pool_new();
  for (guint op = 0; op < hy_n_ops; op++) {
    const HyOp *o = &hy_ops[op];
    g_autoptr(GString) text = g_string_new(o->name);
    for (guint k = 0; k < o->min; k++) {
      g_string_append_printf(text, k == 0 ? "(x%u" : ", x%u", k);
    }
    g_string_append_c(text, ')');
    if (o->min == 0) {
      continue;
    }
    TEST_ASSERT_EQUAL_UINT(op, hy_op_find(o->name, strlen(o->name)));
    const HyFormula *f = hy_formula_parse(pool, HY_TEXT_EXPRESSION, text->str, NULL);
    TEST_ASSERT_NOT_NULL_MESSAGE(f, text->str);
    TEST_ASSERT_EQUAL_UINT(op, f->function);
    g_autofree char *printed = hy_formula_text(f);
    TEST_ASSERT_EQUAL_STRING(text->str, printed);
  }
  TEST_ASSERT_EQUAL_UINT(hy_n_ops, hy_op_find("-", 1));
}

static double value_at(guint op, const double (*c)[4], double s)
{
  double arg[2];
  for (guint k = 0; k < 2; k++) {
    arg[k] = c[k][0] + s * (c[k][1] + s * (c[k][2] + s * c[k][3]));
  }
  return hy_op_value(op, arg, 2);
}

static void check_series(guint op, const double (*c)[4])
{
  static const double weight[4][7] = {
      {0, 0, 0, 1, 0, 0, 0},
      {-1 / 60., 3 / 20., -3 / 4., 0, 3 / 4., -3 / 20., 1 / 60.},
      {1 / 90., -3 / 20., 3 / 2., -49 / 18., 3 / 2., -3 / 20., 1 / 90.},
      {1 / 8., -1, 13 / 8., 0, -13 / 8., 1, -1 / 8.}};
  static const double factorial[] = {1, 1, 2, 6};
  double r[4];
  hy_x_series(op, 4, c[0], c[1], r);
  for (guint k = 0; k < 4; k++) {
    double d = 0.0;
    for (int i = 0; i < 7; i++) {
      d += weight[k][i] * value_at(op, c, (i - 3) * H);
    }
    near(k == 0 ? 1e-15 : 1e-4, d / (pow(H, k) * factorial[k]), r[k], op, "series");
  }
}

/* The rule on numbers, and as an expression. */
static void check_rule(guint op, const double (*c)[4])
{
  double r[4];
  hy_x_series(op, 2, c[0], c[1], r);
  const HyTerm a[2] = {{.v = c[0][0]}, {.v = c[1][0]}}, d[2] = {{.v = c[0][1]}, {.v = c[1][1]}};
  near(1e-12, r[1], hy_op_rule(NULL, op, (HyTerm){.v = r[0]}, a, d).v, op, "rule");
  g_autoptr(HyXBuilder) b = hy_x_builder_new();
  const HyTerm x[2] = {{.x = hy_x_in(b, 0)}, {.x = hy_x_in(b, 1)}};
  const HyTerm dx[2] = {{.x = hy_x_in(b, 2)}, {.x = hy_x_in(b, 3)}};
  HyTerm y = {.x = hy_x_op(b, (HyXOp)op, x[0].x, x[1].x)};
  HyX out = hy_op_rule(b, op, y, x, dx).x;
  const HyPiece in[4] = {{.c = {c[0][0]}}, {.c = {c[1][0]}}, {.c = {c[0][1]}}, {.c = {c[1][1]}}};
  g_autoptr(HyProgram) p = hy_program_new(b, &out, 1, 4, 1, NULL);
  g_autofree HyReg *reg = g_new(HyReg, p->n_regs + 1);
  hy_program_prepare(p, reg);
  hy_program_evaluate(p, in, 0.0, reg, NULL);
  near(1e-12, r[1], reg[p->out[0]][0], op, "rule as an expression");
}

static void test_series_and_rules_are_those_of_the_value(void)
{
  for (guint op = 0; op < hy_n_ops; op++) {
    for (guint repeat = 0; hy_x_operands(op) > 0 && repeat < 20; repeat++) {
      double c[2][4];
      for (guint k = 0; k < 8; k++) {
        c[k / 4][k % 4] = k % 4 == 0 ? uniform(0.3, 0.8) : uniform(-0.4, 0.4);
      }
      check_series(op, (const double(*)[4])c);
      check_rule(op, (const double(*)[4])c);
    }
  }
}

static void check_composed(const HyOp *o, guint op, const double *arg, guint n)
{
  g_autoptr(HyXBuilder) b = hy_x_builder_new();
  HyX x[3];
  for (guint k = 0; k < n; k++) {
    x[k] = hy_x_const(b, arg[k]);
  }
  for (guint k = 1; k < n && o->joined != NULL; k++) {
    x[0] = o->joined(b, x[0], x[k]);
  }
  HyX y = o->composed != NULL ? o->composed(b, x, n) : x[0];
  TEST_ASSERT_TRUE_MESSAGE(hy_x_is_const(b, y), o->name);
  TEST_ASSERT_EQUAL_DOUBLE_MESSAGE(hy_op_value(op, arg, n), b->node[y].v, o->name);
}

static void test_what_is_composed_has_the_value(void)
{
  static const double place[] = {-1.5, 0.0, 0.25, 2.0};
  for (guint op = 0; op < hy_n_ops; op++) {
    const HyOp *o = &hy_ops[op];
    gboolean made = o->joined != NULL || o->composed != NULL;
    for (guint i = 0; made && i < 64; i++) {
      const double arg[] = {place[i % 4], place[i / 4 % 4], place[i / 16]};
      check_composed(o, op, arg, o->max == 1 ? 1 : 3);
    }
  }
}

static void test_the_documentation_names_every_function(void)
{
  g_autofree char *text = NULL;
  TEST_ASSERT_TRUE(g_file_get_contents(HY_SOURCE_DIR "/docs/language.md", &text, NULL, NULL));
  for (guint op = 0; op < hy_n_ops; op++) {
    g_autofree char *pattern = g_strdup_printf("[` ]%s[` (]", hy_ops[op].name);
    TEST_ASSERT_TRUE_MESSAGE(hy_ops[op].min == 0 || g_regex_match_simple(pattern, text, 0, 0),
                             hy_ops[op].name);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_every_row_is_complete);
  RUN_TEST(test_a_name_is_read_and_printed);
  RUN_TEST(test_series_and_rules_are_those_of_the_value);
  RUN_TEST(test_what_is_composed_has_the_value);
  RUN_TEST(test_the_documentation_names_every_function);
  return UNITY_END();
}
