/* The language of attribute values: coupled/formula.h and nearest.h. */
#include "expr/formula.h"
#include "hydevs/text.h"
#include "unity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static HyFormulaPool *pool;

void setUp(void)
{
  pool = hy_formula_pool_new();
}

void tearDown(void)
{
  hy_formula_pool_free(pool);
}

/* A small world: numbers N, i, one, zero, w[1..3]; signals x, v, u[1..N], stage[1..4].i,
 * grid[1..2,1..3], .y. */
static HyNameKind world_value(gpointer user, const HyFormula *ref, const gint64 *at,
                              HyNameValue *value, GError **error)
{
  static const struct {
    const char *name;
    double number;
  } numbers[] = {{"N", 4}, {"i", 2}, {"one", 1}, {"zero", 0}, {"half", 0.5}};
  static const double w[] = {1, 1, 2};
  const char *name = ref->ref.name;
  (void)user;
  if (strcmp(name, "kind") == 0 || strcmp(name, "who") == 0) {
    value->text = *name == 'k' ? "edge" : "me";
    value->choices = *name == 'k' ? "edge, other" : NULL;
    return HY_NAME_TEXT;
  }
  for (guint k = 0; k < G_N_ELEMENTS(numbers) && !ref->own; k++) {
    if (strcmp(name, numbers[k].name) == 0) {
      value->number = numbers[k].number;
      return HY_NAME_NUMBER;
    }
  }
  if (strcmp(name, "w") == 0) {
    if (ref->n_index == 0) {
      value->numbers = w;
      value->n = 3;
      return HY_NAME_NUMBERS;
    }
    if (at[0] >= 1 && at[0] <= 3) {
      value->number = w[at[0] - 1];
      return HY_NAME_NUMBER;
    }
  }
  if (strcmp(name, "missing") == 0 || (ref->n_index == 1 && (at[0] < 1 || at[0] > 4))) {
    g_set_error(error, g_quark_from_static_string("test"), 1, "no such thing");
    return HY_NAME_ERROR;
  }
  return HY_NAME_SIGNAL;
}

static gboolean world_extent(gpointer user, const HyFormula *ref, const gint64 *at, guint dim,
                             gint64 *lo, gint64 *hi, GError **error)
{
  (void)user, (void)at, (void)error;
  *lo = 1;
  *hi = strcmp(ref->ref.name, "w") == 0 ? 3 : strcmp(ref->ref.name, "grid") == 0 ? dim + 2 : 4;
  if (strcmp(ref->ref.name, "none") == 0) {
    *hi = 0;
  }
  return TRUE;
}

static const HyFormulaScope world = {.value = world_value, .extent = world_extent};

static const HyFormula *parse(HyTextKind kind, const char *text)
{
  g_autoptr(GError) error = NULL;
  const HyFormula *tree = hy_formula_parse(pool, kind, text, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(tree, error == NULL ? text : error->message);
  return tree;
}

static void expect_parse_error(HyTextKind kind, const char *text, const char *message)
{
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_NULL_MESSAGE(hy_formula_parse(pool, kind, text, &error), text);
  TEST_ASSERT_EQUAL_STRING(message, error->message);
}

static void expect_print(HyTextKind kind, const char *text, const char *printed)
{
  const HyFormula *tree = parse(kind, text);
  g_autofree char *found = hy_formula_text(tree);
  TEST_ASSERT_EQUAL_STRING(printed, found);
  TEST_ASSERT_TRUE_MESSAGE(hy_formula_equal(tree, parse(kind, found)), text);
}

static void expect_fold(HyTextKind kind, const char *text, const char *folded)
{
  g_autoptr(GError) error = NULL;
  const HyFormula *tree = hy_formula_fold(pool, parse(kind, text), &world, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(tree, error == NULL ? text : error->message);
  g_autofree char *found = hy_formula_text(tree);
  TEST_ASSERT_EQUAL_STRING_MESSAGE(folded, found, text);
}

static void expect_fold_error(HyTextKind kind, const char *text, const char *message)
{
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_NULL_MESSAGE(hy_formula_fold(pool, parse(kind, text), &world, &error), text);
  TEST_ASSERT_EQUAL_STRING(message, error->message);
}

static double constant(const char *text)
{
  g_autoptr(GError) error = NULL;
  double v = 0;
  gboolean good = hy_formula_constant(pool, parse(HY_TEXT_EXPRESSION, text), &world, &v, &error);
  TEST_ASSERT_TRUE_MESSAGE(good, error == NULL ? text : error->message);
  return v;
}

/* ---- Numbers ---- */

static void test_numbers_are_correctly_rounded(void)
{
  static const struct {
    const char *text, *decimal;
  } cases[] = {{"10u", "1e-5"},
               {"4.7k", "4700"},
               {"10µ", "1e-5"},
               {"10μ", "1e-5"},
               {"1.3u", "1.3e-6"},
               {"5.5f", "5.5e-15"},
               {"7p", "7e-12"},
               {"3.3n", "3.3e-9"},
               {"0.1m", "1e-4"},
               {"2.2M", "2.2e6"},
               {"1G", "1e9"},
               {"0.3T", "3e11"},
               {"123456789012345678901234567890", "123456789012345678901234567890"},
               {"0.1234567890123456789m", "0.1234567890123456789e-3"},
               {"9007199254740993", "9007199254740993"},
               {"1.7976931348623157e308", "1.7976931348623157e308"},
               {"4.9e-324", "4.9e-324"},
               {"1e-5", "0.00001"},
               {"2698.4", "2698.4"},
               {"007", "7"},
               {"0.000", "0"}};
  for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
    const HyFormula *x = parse(HY_TEXT_EXPRESSION, cases[i].text);
    TEST_ASSERT_EQUAL_INT(HY_F_NUMBER, x->kind);
    TEST_ASSERT_TRUE_MESSAGE(x->number == g_ascii_strtod(cases[i].decimal, NULL), cases[i].text);
  }
}

static void test_every_decimal_reads_as_strtod_reads_it(void)
{
  static const char *const suffix[] = {"", "f", "p", "n", "u", "m", "k", "M", "G", "T"};
  static const int exponent[] = {0, -15, -12, -9, -6, -3, 3, 6, 9, 12};
  g_autoptr(GRand) rand = g_rand_new_with_seed(1);
  for (int i = 0; i < 20000; i++) {
    guint s = (guint)g_rand_int_range(rand, 0, G_N_ELEMENTS(suffix));
    int digits = g_rand_int_range(rand, 0, 18);
    g_autofree char *number = g_strdup_printf(
        "%.*f", digits, g_rand_double(rand) * pow(10, g_rand_int_range(rand, -3, 9)));
    g_autofree char *text = g_strconcat(number, suffix[s], NULL);
    g_autofree char *decimal = g_strdup_printf("%se%d", number, exponent[s]);
    TEST_ASSERT_TRUE_MESSAGE(
        parse(HY_TEXT_EXPRESSION, text)->number == g_ascii_strtod(decimal, NULL), text);
    hy_formula_pool_clear(pool);
  }
}

static void test_every_double_prints_and_reads_back(void)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed(2);
  for (int i = 0; i < 20000; i++) {
    guint64 bits = ((guint64)g_rand_int(rand) << 32) | g_rand_int(rand);
    HyFormula x = {.kind = HY_F_NUMBER};
    memcpy(&x.number, &bits, sizeof bits);
    if (!isfinite(x.number)) {
      continue;
    }
    g_autofree char *text = hy_formula_text(&x);
    TEST_ASSERT_TRUE_MESSAGE(hy_formula_equal(&x, parse(HY_TEXT_EXPRESSION, text)), text);
    hy_formula_pool_clear(pool);
  }
}

/* ---- Grammar ---- */

static void test_precedence(void)
{
  TEST_ASSERT_EQUAL_DOUBLE(-9, constant("-3^2"));
  TEST_ASSERT_EQUAL_DOUBLE(512, constant("2^3^2"));
  TEST_ASSERT_EQUAL_DOUBLE(0.5, constant("2^-1"));
  TEST_ASSERT_EQUAL_DOUBLE(0.5, constant(".5"));
  TEST_ASSERT_EQUAL_DOUBLE(-2.5e-4, constant("-(.25e-3)"));
  TEST_ASSERT_EQUAL_DOUBLE(1.5 + 0.25, constant("1.5+.25"));
  TEST_ASSERT_EQUAL_DOUBLE(9, constant("(-3)^2"));
  TEST_ASSERT_EQUAL_DOUBLE(-4, constant("1 - 2 - 3"));
  TEST_ASSERT_EQUAL_DOUBLE(2, constant("12/3/2"));
  TEST_ASSERT_EQUAL_DOUBLE(1, constant("not 1 == 2 and 3 > 2 or zero"));
  TEST_ASSERT_EQUAL_DOUBLE(0, constant("1 < 2 and not 2 <= 2"));
  TEST_ASSERT_EQUAL_DOUBLE(1, constant("2 >= 2 and 1 != 2 and + 1 == - -1"));
  TEST_ASSERT_EQUAL_DOUBLE(7, constant("1+2*3"));
}

static void test_print_is_canonical(void)
{
  static const char *const cases[][2] = {
      {"-w^2*x", "-w^2*x"},
      {"(Rs*iL-U)/(Rs+Rd)", "(Rs*iL - U)/(Rs + Rd)"},
      {"((a))+(b*c)", "a + b*c"},
      {"a-(b-c)", "a - (b - c)"},
      {"a/(b*c)", "a/(b*c)"},
      {"(a^b)^c", "(a^b)^c"},
      {"a^(b^c)", "a^b^c"},
      {"a^(-b)", "a^-b"},
      {"(-2)^x", "(-2)^x"},
      {"-2^x", "-2^x"},
      {"-(a*b)", "-(a*b)"},
      {"- - a", "--a"},
      {"a+-2", "a + -2"},
      {"(a<b)==c", "(a < b) == c"},
      {"not(a and b)or c", "not (a and b) or c"},
      {"(a or b)and(c or d)", "(a or b) and (c or d)"},
      {"2*pi*f", "2*pi*f"},
      {"-inf", "-inf"},
      {"u[ i-1 , *].out", "u[i - 1,*].out"},
      {"sum(w[2..N-1], .y)", "sum(w[2..N - 1], .y)"},
      {"if(a>b, 1u, 1e20)", "if(a > b, 1e-6, 1e20)"},
      {"stage[2].u[3]", "stage[2].u[3]"},
      {"kind=='two words'or x>''", "kind == 'two words' or x > ''"},
  };
  for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
    expect_print(HY_TEXT_EXPRESSION, cases[i][0], cases[i][1]);
  }
  expect_print(HY_TEXT_SOURCE, "ref,y , A  B if(c,d)", "ref, y, A B if(c, d)");
  expect_print(HY_TEXT_SOURCE, "a .y", "a .y"); /* two outputs */
  expect_print(HY_TEXT_SOURCE, "a.y", "a.y");   /* one */
  expect_print(HY_TEXT_LIST, "1,-1", "1, -1");
  expect_print(HY_TEXT_ENDS, "b.in  c[2].in[1] .y", "b.in c[2].in[1] .y");
}

static void test_equal_texts_are_one_tree_and_equal_names_one_pointer(void)
{
  const HyFormula *a = parse(HY_TEXT_EXPRESSION, "x + x*v");
  char copy[] = "x + x*v";
  TEST_ASSERT_EQUAL_PTR(a, parse(HY_TEXT_EXPRESSION, copy));
  TEST_ASSERT_TRUE(a != parse(HY_TEXT_LIST, copy));
  TEST_ASSERT_EQUAL_PTR(a->child[0]->ref.name, a->child[1]->child[0]->ref.name);
  TEST_ASSERT_EQUAL_PTR(a->child[0]->ref.name, hy_formula_pool_name(pool, "x"));
  TEST_ASSERT_EQUAL_UINT(4, a->child[1]->offset);
}

static void test_shape_of_sources_and_ends(void)
{
  const HyFormula *source = parse(HY_TEXT_SOURCE, "a b[2].c, 3*x");
  TEST_ASSERT_EQUAL_INT(HY_F_LIST, source->kind);
  TEST_ASSERT_EQUAL_UINT(2, source->n);
  TEST_ASSERT_EQUAL_INT(HY_F_ITEMS, source->child[0]->kind);
  TEST_ASSERT_EQUAL_STRING("c", source->child[0]->child[1]->ref.port);
  TEST_ASSERT_EQUAL_INT64(2, source->child[0]->child[1]->ref.at[0]);
  TEST_ASSERT_EQUAL_INT(HY_F_ITEMS, parse(HY_TEXT_ENDS, "b")->kind);
}

static void test_mistakes_in_expressions(void)
{
  static const char *const cases[][2] = {
      {"2x", "in \"2x\": an operator is missing between 2 and x"},
      {"2pi", "in \"2pi\": an operator is missing between 2 and pi"},
      {"3 (a)", "in \"3 (a)\": an operator is missing between 3 and ("},
      {"a=1", "in \"a=1\": write == to compare"},
      {"10mH", "\"10mH\" is not a number; write 10m, without a unit"},
      {"5V", "\"5V\" is not a number; write 5, without a unit"},
      {"2.5'\xBA'",
       "in \"2.5'\xEF\xBF\xBD'\": an operator is missing between 2.5 and '\xEF\xBF\xBD'"},
      {"10µH", "\"10µH\" is not a number; write 10µ, without a unit"},
      {"2*10mH",
       "in \"2*10mH\": \"10mH\" is not a number; write 10m, units are not part of a formula"},
      {"a && b", "in \"a && b\": write and instead of &&"},
      {"a || b", "in \"a || b\": write or instead of ||"},
      {"!a", "in \"!a\": write not instead of !"},
      {"a**2", "in \"a**2\": write ^ for a power"},
      {"a×b", "in \"a×b\": write * instead of ×"},
      {"a ? b", "in \"a ? b\": write if(condition, a, b)"},
      {"2,5", "\"2,5\" is a list of 2 values, one is expected (the decimal sign is \".\")"},
      {"5.", "in \"5.\": digits must follow the decimal point of \"5.\"; write 5 or 5.0"},
      {"1.2.3", "in \"1.2.3\": 1.2.3 has two decimal points"},
      {"1e400",
       "in \"1e400\": 1e400 is too large; numbers end at 1.797e308 (infinity is written inf)"},
      {"1e-400", "in \"1e-400\": 1e-400 is too small; numbers begin at 4.9e-324"},
      {"a<b<c", "in \"a<b<c\": comparisons do not chain; write a < b and b < c"},
      {"(a+b", "in \"(a+b\": \")\" is missing for the \"(\" at column 1"},
      {"u[1", "in \"u[1\": \"]\" is missing for the \"[\" at column 2"},
      {"a+b)", "in \"a+b)\": \")\" at column 4 closes nothing"},
      {"(a]", "in \"(a]\": \")\" is expected before \"]\""},
      {"", "\"\" is empty; an expression is expected"},
      {" ", "\" \" is empty; an expression is expected"},
      {"a+", "in \"a+\": a number, a name or \"(\" is expected after \"+\""},
      {"a,,b", "in \"a,,b\": a number, a name or \"(\" is expected before \",\""},
      {"a b", "in \"a b\": an operator is missing between a and b"},
      {"1 + not a",
       "in \"1 + not a\": not binds weaker than what stands before it; write (not ...)"},
      {"sqt(x)", "in \"sqt(x)\": there is no function \"sqt\"; did you mean \"sqrt\"?"},
      {"Sin(x)", "in \"Sin(x)\": there is no function \"Sin\"; did you mean \"sin\"?"},
      {"ln(x)", "in \"ln(x)\": there is no function \"ln\"; write log(x), the natural logarithm"},
      {"sin(2,5)", "in \"sin(2,5)\": sin takes 1 argument, not 2 (the decimal sign is \".\")"},
      {"atan2(x)", "in \"atan2(x)\": atan2 takes 2 arguments, not 1"},
      {"sin()", "in \"sin()\": sin takes 1 argument, not 0"},
      {"sum()", "in \"sum()\": sum needs at least one argument"},
      {"x.y.z", "in \"x.y.z\": only one \".\" is possible: block.port; what is inside a block is "
                "reached by its ports"},
      {"time(x)", "in \"time(x)\": there is no function \"time\"; a formula knows no time, use a "
                  "source block"},
      {"if(a)", "in \"if(a)\": write if(condition, a, b); this if has 1 argument"},
      {"if", "in \"if\": write if(condition, a, b)"},
      {"x.if", "in \"x.if\": \"if\" is a word of the language and cannot be a name"},
      {"x. y", "in \"x. y\": a port name must follow \".\" at once: v.out"},
      {"v:in",
       "in \"v:in\": \":\" can only stand in a path; a formula cannot refer to a hidden function"},
      {"(a)[1]", "in \"(a)[1]\": \"[\" must follow a name: u[2]"},
      {"a..b", "in \"a..b\": \"..\" can only stand between two indices: u[2..5]"},
      {"a $ b", "in \"a $ b\": \"$\" does not belong in a formula"},
      {"a \xF3", "in \"a \xEF\xBF\xBD\": the byte 0xF3 does not belong in a formula"},
      {"u[1,1,1,1,1,1,1,1,1]",
       "in \"u[1,1,1,1,1,1,1,1,1]\": more than 8 indices in one pair of brackets"},
  };
  for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
    expect_parse_error(HY_TEXT_EXPRESSION, cases[i][0], cases[i][1]);
  }
}

static void test_mistakes_in_sources_and_ends(void)
{
  expect_parse_error(HY_TEXT_SOURCE, "a b + c",
                     "in \"a b + c\": an operator is missing between a and b");
  expect_parse_error(HY_TEXT_SOURCE, "a 5", "in \"a 5\": an operator is missing between a and 5");
  expect_parse_error(HY_TEXT_SOURCE, "u[1]v",
                     "in \"u[1]v\": an operator is missing between ] and v");
  expect_parse_error(HY_TEXT_SOURCE, "a,",
                     "in \"a,\": a number, a name or \"(\" is expected after \",\"");
  expect_parse_error(HY_TEXT_ENDS, "a, b",
                     "in \"a, b\": ends of wires are separated by blanks, not by \",\"");
  expect_parse_error(HY_TEXT_ENDS, "5",
                     "in \"5\": a block or port such as b.in is expected before \"5\"");
  expect_parse_error(HY_TEXT_ENDS, "", "\"\" is empty; a block or port is expected");
}

/* ---- Folding ---- */

static void test_folding_puts_numbers_and_simplifies_nothing(void)
{
  static const char *const cases[][2] = {
      {"-N^2*x", "-16*x"},
      {"0*x", "0*x"},
      {"x + 1 + N", "x + 1 + 4"},
      {"1 + N + x + 0", "5 + x + 0"},
      {"u[i - 1] - 2*u[i] + u[i+1]", "u[1] - 2*u[2] + u[3]"},
      {"if(i == 1, u[0], u[i-1])", "u[1]"},
      {"if(x > 0, N, -N)", "if(x > 0, 4, -4)"},
      {"sum(w[*])", "4"},
      {"sum(w)", "4"},
      {"prod(w[2..3], 5)", "10"},
      {"mean(w[*]) + min(3, 2) + max(3, 2)", "6.333333333333333"},
      {"sum(stage[*].i) - x", "sum(stage[1].i, stage[2].i, stage[3].i, stage[4].i) - x"},
      {"mean(grid[i,*])", "mean(grid[2,1], grid[2,2], grid[2,3])"},
      {"sum(grid[*,1..2])", "sum(grid[1,1], grid[1,2], grid[2,1], grid[2,2])"},
      {"sum(none[*])", "0"},
      {"prod(none[3..2])", "1"},
      {"sum(if(i > 1, u[*], 0))", "sum(u[1], u[2], u[3], u[4])"},
      {"u[mod(i + 2, N) + 1]", "u[1]"},
      {"mod(-1, 4) + floor(-0.5) + ceil(0.5) + round(2.5)", "6"},
      {".N + N", ".N + 4"},
      {"inf", "inf"},
      {"-2^half", "-1.4142135623730951"},
      {"limit(7, 0, N) + sign(-3) + abs(-2)", "5"},
      {"u[2.0000000001]", "u[2]"},
      {"if(kind == 'edge' and who != 'you', x, missing)", "x"},
      {"x*(kind == who)", "x*0"},
      {"if('a' == 'a', 'b', 1) == 'b'", "1"},
  };
  for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
    expect_fold(HY_TEXT_EXPRESSION, cases[i][0], cases[i][1]);
  }
  const HyFormula *x = parse(HY_TEXT_EXPRESSION, "x*v + u[3]");
  TEST_ASSERT_EQUAL_PTR(x, hy_formula_fold(pool, x, &world, NULL));
}

static void test_folding_sources(void)
{
  expect_fold(HY_TEXT_SOURCE, "stage[*].i", "stage[1].i, stage[2].i, stage[3].i, stage[4].i");
  expect_fold(HY_TEXT_SOURCE, "u[1..i], v", "u[1], u[2], v");
  expect_fold(HY_TEXT_SOURCE, "w", "1, 1, 2");
  expect_fold(HY_TEXT_SOURCE, "x, if(zero, v), u[1]", "x, if(0, 0), u[1]");
  expect_fold(HY_TEXT_SOURCE, "x if(zero, v) if(one, u[i])", "x u[2]");
  expect_fold(HY_TEXT_SOURCE, "x if(zero, v)", "x");
  expect_fold(HY_TEXT_SOURCE, "x u[*]", "x u[1] u[2] u[3] u[4]");
  expect_fold(HY_TEXT_SOURCE, "2*N", "8");
  expect_fold(HY_TEXT_ENDS, "u[i+1].in x", "u[3].in x");
  expect_fold(HY_TEXT_ENDS, "if(zero, x)", "");
}

static void test_folding_errors(void)
{
  static const char *const cases[][2] = {
      {"1/(N - 4)", "in \"1/(N - 4)\": division by zero"},
      {"0^-1", "in \"0^-1\": division by zero: 0 to a negative power"},
      {"sqrt(1 - N)", "in \"sqrt(1 - N)\": sqrt(-3) is not a number"},
      {"exp(1000)",
       "in \"exp(1000)\": exp(1000) is infinite or too large; numbers end at 1.797e308"},
      {"1e300*1e300*x",
       "in \"1e300*1e300*x\": the result is infinite or too large; numbers end at 1.797e308"},
      {"inf - inf", "in \"inf - inf\": the result is not a number"},
      {"mod(1, 0)", "in \"mod(1, 0)\": mod(1, 0) is not a number"},
      {"floor(x)", "in \"floor(x)\": floor can be computed only while loading, and x is a signal"},
      {"u[x]", "in \"x\": an index is decided while loading and x is a signal"},
      {"u[i/4]", "in \"i/4\": the index is 0.5, not a whole number"},
      {"u[*] + 1", "in \"u[*]\": several values where one is expected; write sum(...), prod, min, "
                   "max or mean of them"},
      {"w + 1", "in \"w\": this is a list of 3 values, one is expected; write w[1] or sum(w[*])"},
      {"1 + if(zero, x)",
       "in \"if(zero, x)\": this gives nothing where a value is needed; write if(condition, a, b)"},
      {"if(x > 0, v)", "in \"if(x > 0, v)\": x is a signal, so if needs a value for both cases: "
                       "if(condition, a, b)"},
      {"mean(none[*])", "in \"mean(none[*])\": there are no elements to take the mean of"},
      {"missing", "no such thing"},
      {"kind == missing", "no such thing; a text stands in quotes: 'missing'"},
      {"kind == 'egde'", "in \"kind == 'egde'\": 'egde' is never so; the choices are edge, other"},
      {"'egde' != kind", "in \"'egde' != kind\": 'egde' is never so; the choices are edge, other"},
      {"who >= 'me'", "in \"who >= 'me'\": texts are compared by == and != only"},
      {"x == 'me'",
       "in \"x == 'me'\": 'me' is a text, which can only be compared with another one"},
      {"sum(kind, 1)",
       "kind is a text, which can only be compared in formulas: kind == 'edge' (in texts: {kind})"},
      {"-'a'", "in \"'a'\": 'a' is a text, which can only be compared with one: kind == 'a'"},
      {"sum(none[1..30M])",
       "in \"none[1..30000000]\": more than 20000000 elements, which is the limit"},
  };
  for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
    expect_fold_error(HY_TEXT_EXPRESSION, cases[i][0], cases[i][1]);
  }
  expect_fold_error(HY_TEXT_SOURCE, "x N",
                    "in \"x N\": 4 is not an output; blanks can separate only outputs");
}

static void test_constants(void)
{
  g_autoptr(GError) error = NULL;
  double v = 0;
  TEST_ASSERT_EQUAL_DOUBLE(2.5, constant("N/2 + half"));
  TEST_ASSERT_FALSE(
      hy_formula_constant(pool, parse(HY_TEXT_EXPRESSION, "2*x"), &world, &v, &error));
  TEST_ASSERT_EQUAL_STRING("in \"2*x\": this has to be known while loading, and x is a signal",
                           error->message);
  gint64 whole = 0;
  TEST_ASSERT_TRUE(hy_formula_whole(3 + 1e-10, &whole) && whole == 3);
  TEST_ASSERT_FALSE(hy_formula_whole(2.5, &whole));
  TEST_ASSERT_FALSE(hy_formula_whole(1e300, &whole));
  TEST_ASSERT_FALSE(hy_formula_whole(NAN, &whole));
}

static void test_evaluation(void)
{
  const HyFormula *f = hy_formula_fold(
      pool, parse(HY_TEXT_EXPRESSION, "v*x - u[i]/N^2 + if(x > v, min(x, v, 3), u[2]*x)"), &world,
      NULL);
  g_autoptr(HyFormulaRefs) refs = hy_formula_refs_new(f);
  TEST_ASSERT_EQUAL_UINT(3, refs->n);
  TEST_ASSERT_EQUAL_STRING("v", refs->ref[0]->ref.name);
  TEST_ASSERT_EQUAL_STRING("x", refs->ref[1]->ref.name);
  TEST_ASSERT_EQUAL_STRING("u", refs->ref[2]->ref.name);
  TEST_ASSERT_EQUAL_UINT(2, hy_formula_refs_slot(refs, parse(HY_TEXT_EXPRESSION, "u[2]")));
  TEST_ASSERT_EQUAL_UINT(G_MAXUINT, hy_formula_refs_slot(refs, parse(HY_TEXT_EXPRESSION, "u[1]")));
}

/* u[1] to u[n], each twice: few are looked up one by one, more in a table. */
static void test_references_are_found_however_many(void)
{
  for (gint n = 1; n <= 70; n++) {
    g_autoptr(GString) text = g_string_new("0");
    for (gint k = 0; k < 2 * n; k++) {
      g_string_append_printf(text, " + u[%d]", k % n + 1);
    }
    g_autoptr(HyFormulaRefs) refs = hy_formula_refs_new(parse(HY_TEXT_EXPRESSION, text->str));
    TEST_ASSERT_EQUAL_INT(n, refs->n);
    for (gint k = 0; k <= n; k++) {
      g_autofree char *one = g_strdup_printf("u[%d]", k + 1);
      guint slot = hy_formula_refs_slot(refs, parse(HY_TEXT_EXPRESSION, one));
      TEST_ASSERT_EQUAL_UINT(k < n ? (guint)k : G_MAXUINT, slot);
      TEST_ASSERT_TRUE(k == n || refs->ref[k]->ref.at[0] == k + 1);
    }
  }
}

/* ---- Limits ---- */

static char *repeat(const char *text, guint n, const char *end)
{
  GString *s = g_string_new(NULL);
  for (guint i = 0; i < n; i++) {
    g_string_append(s, text);
  }
  g_string_append(s, end);
  return g_string_free(s, FALSE);
}

static void test_nesting_is_limited(void)
{
  static const char *const openers[] = {"(", "-", "not ", "2^", "sin(", "u[", "-2^(1+", "if(x,"};
  for (guint i = 0; i < G_N_ELEMENTS(openers); i++) {
    for (guint n = 201; n <= 100000; n = n * 497) {
      g_autofree char *text = repeat(openers[i], n, "x");
      g_autoptr(GError) error = NULL;
      TEST_ASSERT_NULL(hy_formula_parse(pool, HY_TEXT_EXPRESSION, text, &error));
      TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error->message, "nested more than 200 deep"),
                                   error->message);
    }
  }
  g_autofree char *open = repeat("(", 199, "x");
  g_autofree char *close = repeat(")", 199, "");
  g_autofree char *text = g_strconcat(open, close, NULL);
  expect_print(HY_TEXT_EXPRESSION, text, "x");
}

static void test_long_texts(void)
{
  static const char *const links[] = {"1+", "x-", "2*", "x and ", "0 or ", "sin(x)/"};
  for (guint i = 0; i < G_N_ELEMENTS(links); i++) {
    g_autofree char *text = repeat(links[i], HY_FORMULA_BYTES / (guint)strlen(links[i]) - 1, "1");
    const HyFormula *x = hy_formula_fold(pool, parse(HY_TEXT_EXPRESSION, text), &world, NULL);
    g_autofree char *printed = x == NULL ? NULL : hy_formula_text(x);
    TEST_ASSERT_TRUE(x != NULL || strchr("2", links[i][0]) != NULL); /* 2*2*... overflows */
  }
  g_autofree char *ones = repeat("1+", 10000, "x");
  g_autofree char *folded = NULL;
  const HyFormula *x = hy_formula_fold(pool, parse(HY_TEXT_EXPRESSION, ones), &world, NULL);
  folded = hy_formula_text(x);
  TEST_ASSERT_EQUAL_STRING("10000 + x", folded);
  g_autofree char *large = repeat(" ", HY_FORMULA_BYTES, "1");
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_NULL(hy_formula_parse(pool, HY_TEXT_EXPRESSION, large, &error));
  TEST_ASSERT_NOT_NULL(strstr(error->message, "the text is longer than 1048576 bytes"));
  g_autofree char *digits = repeat("1", 5000, "");
  TEST_ASSERT_NULL(hy_formula_parse(pool, HY_TEXT_EXPRESSION, digits, NULL));
}

/* ---- Paths ---- */

static const HyPath *path(const char *text)
{
  g_autoptr(GError) error = NULL;
  const HyPath *p = hy_path_parse(pool, text, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(p, error == NULL ? text : error->message);
  p = hy_path_fold(pool, p, &world, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(p, error == NULL ? text : error->message);
  return p;
}

static void test_parts_of_paths_meet_components(void)
{
  const HyPathPart *part = &path("stage[2..3]/x")->part[0];
  TEST_ASSERT_TRUE(hy_path_part_matches(part, "stage", (const gint64[]){3}, 1));
  TEST_ASSERT_FALSE(hy_path_part_matches(part, "stage", (const gint64[]){4}, 1));
  TEST_ASSERT_TRUE(hy_path_part_meets(part, "stage[2]"));
  TEST_ASSERT_FALSE(hy_path_part_meets(part, "stage[2]:in"));
  TEST_ASSERT_TRUE(hy_path_part_meets(&path("u[N/2]:in[*]")->part[0], "u[2]:in[7]"));
  TEST_ASSERT_FALSE(hy_path_part_meets(&path("u[N/2]:in[*]")->part[0], "u[2]:in"));
  TEST_ASSERT_TRUE(hy_path_port_meets(path("b.u[2..N]"), "u[4]"));
  TEST_ASSERT_FALSE(hy_path_port_meets(path("b.u[2..N]"), "u[5]"));
}

static void test_lists_of_paths(void)
{
  const HyPaths *paths = hy_paths_parse(pool, " u[1]  u[N / 2]\n stage[*]/iL1 ", NULL);
  TEST_ASSERT_NOT_NULL(paths);
  TEST_ASSERT_EQUAL_UINT(3, paths->n);
  TEST_ASSERT_FALSE(paths->path[0]->pattern);
  TEST_ASSERT_TRUE(paths->path[2]->pattern);
  g_autoptr(GString) printed = g_string_new(NULL);
  hy_path_print(hy_path_fold(pool, paths->path[1], &world, NULL), printed);
  TEST_ASSERT_EQUAL_STRING("u[2]", printed->str);
  g_string_truncate(printed, 0);
  hy_path_print(path("u[1e15*2]"), printed);
  TEST_ASSERT_EQUAL_STRING("u[2000000000000000]", printed->str);
  TEST_ASSERT_EQUAL_PTR(paths, hy_paths_parse(pool, " u[1]  u[N / 2]\n stage[*]/iL1 ", NULL));
}

static void test_mistakes_in_paths(void)
{
  static const char *const cases[][2] = {
      {"", "the path is empty; write for instance stage[2]/uC.out"},
      {"a//b", "in \"a//b\": a block's name is expected: stage[2]/uC.out"},
      {"a[", "in \"a[\": a number, a name or \"(\" is expected after \"[\""},
      {"a.", "in \"a.\": the name of a port or parameter is expected after \".\""},
      {"a***", "in \"a***\": \"**\" stands alone between two \"/\""},
      {"a b", "in \"a b\": one path is expected, without blanks in it"},
      {"u[1", "in \"u[1\": \"]\" is missing for the \"[\" at column 2"},
      {"a.b.c",
       "in \"a.b.c\": a path is written stage[2]/uC.out: blocks with \"/\", then \".\" and a port"},
      {"v:", "in \"v:\": the name of an input is expected after \":\": v:in"},
  };
  for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(GError) error = NULL;
    TEST_ASSERT_NULL_MESSAGE(hy_path_parse(pool, cases[i][0], &error), cases[i][0]);
    TEST_ASSERT_EQUAL_STRING(cases[i][1], error->message);
  }
}

/* ---- Did you mean ---- */

static void test_nearest(void)
{
  static const char *const words[] = {"gain", "sum", "integrator", "liqss2", "v", NULL};
  TEST_ASSERT_EQUAL_STRING("gain", hy_nearest("gian", words));
  TEST_ASSERT_EQUAL_STRING("gain", hy_nearest("GAIN", words));
  TEST_ASSERT_EQUAL_STRING("sum", hy_nearest("sun", words));
  TEST_ASSERT_EQUAL_STRING("liqss2", hy_nearest("liqs2", words));
  TEST_ASSERT_EQUAL_STRING("integrator", hy_nearest("intergater", words));
  TEST_ASSERT_EQUAL_STRING("v", hy_nearest("w", words));
  TEST_ASSERT_NULL(hy_nearest("capacitor", words));
  TEST_ASSERT_NULL(hy_nearest("xyz", words));
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_numbers_are_correctly_rounded);
  RUN_TEST(test_every_decimal_reads_as_strtod_reads_it);
  RUN_TEST(test_every_double_prints_and_reads_back);
  RUN_TEST(test_precedence);
  RUN_TEST(test_print_is_canonical);
  RUN_TEST(test_equal_texts_are_one_tree_and_equal_names_one_pointer);
  RUN_TEST(test_shape_of_sources_and_ends);
  RUN_TEST(test_mistakes_in_expressions);
  RUN_TEST(test_mistakes_in_sources_and_ends);
  RUN_TEST(test_folding_puts_numbers_and_simplifies_nothing);
  RUN_TEST(test_folding_sources);
  RUN_TEST(test_folding_errors);
  RUN_TEST(test_constants);
  RUN_TEST(test_evaluation);
  RUN_TEST(test_references_are_found_however_many);
  RUN_TEST(test_nesting_is_limited);
  RUN_TEST(test_long_texts);
  RUN_TEST(test_parts_of_paths_meet_components);
  RUN_TEST(test_lists_of_paths);
  RUN_TEST(test_mistakes_in_paths);
  RUN_TEST(test_nearest);
  return UNITY_END();
}
