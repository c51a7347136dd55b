/* The blocks of functions/: what they say for known inputs, on tree and flat; and what all static
 * classes promise: exact Taylor coefficients, the same events on both engines, named errors. */
#include "pieces.h"

#include <math.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static const double line[] = {0, 1, 2, 0, 0};     /* 1 + 2 s */
static const double square[] = {0, 3, 0, 1, 0};   /* 3 + s^2 */
static const double falling[] = {0, 1, -1, 0, 0}; /* 1 - s */
static const double rising[] = {0, -1, 1, 0, 0};  /* s - 1 */

static void check_one(const Bench *bench, double c0, double c1, double c2, double c3)
{
  g_autoptr(GArray) words = bench_words(bench, 0.0);
  TEST_ASSERT_EQUAL(1, words->len); /* both inputs arrive, then it speaks once */
  check_word(words, 0, 0, c0, c1, c2, c3);
}

static void test_gain(void)
{
  check_one(&(Bench){"gain", 1, 4, {line}, {1}, {"k", "-3"}}, -3, -6, 0, 0);
}

static void test_sum(void)
{
  check_one(&(Bench){"sum", 2, 4, {line, square}, {1, 1}, {NULL}}, 4, 2, 1, 0);
  check_one(&(Bench){"sum", 2, 4, {line, square}, {1, 1}, {"k", "2, -1"}}, -1, 4, -1, 0);
  check_one(&(Bench){"sum", 2, 4, {line, square}, {1, 1}, {"k", "-1, 0.5"}}, 0.5, -2, 0.5, 0);
  bench_fails(&(Bench){"sum", 2, 4, {line, square}, {1, 1}, {"k", "2"}}, 1,
              "B: k has 1 factor for 2 inputs");
}

static void test_product(void)
{
  check_one(&(Bench){"product", 2, 4, {line, square}, {1, 1}, {NULL}}, 3, 6, 1, 2);
}

static void test_division(void)
{
  check_one(&(Bench){"division", 2, 4, {square, line}, {1, 1}, {NULL}}, 3, -6, 13, -26);
  bench_fails(&(Bench){"division", 2, 4, {line, (const double[]){0, 0, 0, 0, 0}}, {1, 1}, {NULL}},
              1, "B: division by zero: in / by = 1 / 0 at t = 0");
}

static void test_power(void)
{
  check_one(&(Bench){"power", 1, 4, {line}, {1}, {NULL}}, 1, 4, 4, 0);
  check_one(&(Bench){"power", 1, 4, {line}, {1}, {"n", "3"}}, 1, 6, 12, 8);
  check_one(&(Bench){"power", 1, 4, {line}, {1}, {"n", "-1"}}, 1, -2, 4, -8);
}

static void test_order_of_the_model_counts(void)
{
  check_one(&(Bench){"power", 1, 2, {line}, {1}, {"n", "3"}}, 1, 6, 0, 0);
}

/* 1 - s on the table (-1, 2), (0, 0), (0.25, 1): segments end at s = 0.75 and 1; outside they go
 * on.
 */
static void test_lookup(void)
{
  const Bench bench = {"lookup", 1, 4, {falling}, {1}, {"x", "-1, 0, 0.25", "y", "2, 0, 1"}};
  g_autoptr(GArray) words = bench_words(&bench, 5);
  TEST_ASSERT_EQUAL(2, words->len);
  check_word(words, 0, 0, 4, -4, 0, 0);
  check_word(words, 1, 1, 0, 2, 0, 0);
  bench_fails(&(Bench){"lookup", 1, 4, {line}, {1}, {"x", "0, 2, 1", "y", "1, 2, 3"}}, 1,
              "B: x[3] = 1 is not above x[2] = 2");
  bench_fails(&(Bench){"lookup", 1, 4, {line}, {1}, {"x", "0, 2", "y", "1, 2, 3"}}, 1,
              "B: x has 2 values and y has 3; a table needs as many of both, two at least");
  bench_fails(&(Bench){"lookup", 1, 4, {line}, {1}, {"x", "-1e308, 1e308", "y", "0, 1"}}, 1,
              "B: there is no line from (-1e+308, 0) to (1e+308, 1): its slope must be finite");
  bench_fails(&(Bench){"lookup", 1, 4, {line}, {1}, {"x", "0, 1, inf", "y", "0, 1, 2"}}, 1,
              "B: there is no line from (1, 1) to (inf, 2): its slope must be finite");
}

static void test_lookup_of_several_segments(void)
{
  const Bench bench = {"lookup", 1, 4, {falling}, {1}, {"x", "-1, 0, 0.25, 1", "y", "2, 0, 1, 1"}};
  g_autoptr(GArray) words = bench_words(&bench, 5);
  TEST_ASSERT_EQUAL(3, words->len);
  check_word(words, 0, 0, 1, 0, 0, 0);
  check_word(words, 1, 0.75, 1, -4, 0, 0);
  check_word(words, 2, 1, 0, 2, 0, 0);
}

/* function ------------------------------------------------------------------------------------ */

static void check_formula(const char *formula, double value, double slope)
{
  const Bench bench = {"function", 2, 4, {rising, line}, {1, 1}, {"formula", formula}};
  g_autoptr(GArray) words = bench_words(&bench, 0.5);
  guint k = 0; /* the last word at 0; what only decides modes is not waited for */
  while (k + 1 < words->len && g_array_index(words, Word, k + 1).t <= 0) {
    k++;
  }
  const Word *w = &g_array_index(words, Word, k);
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-12, value, w->c[0], formula);
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-12, slope, w->c[1], formula);
}

/* in[1] = s - 1, in[2] = 1 + 2 s */
static void test_formulas(void)
{
  check_formula("in[1]*in[2]", -1, -1);
  check_formula("2*pi", 2 * M_PI, 0);
  check_formula("-in[1]^2 + 3", 2, 2);
  check_formula("in[2]/in[1]/2", -0.5, -1.5);
  check_formula("1 - in[1] - in[2]", 1, -3);
  check_formula("sqrt(in[2])", 1, 1);
  check_formula("exp(in[1])", exp(-1), exp(-1));
  check_formula("log(in[2])", 0, 2);
  check_formula("log10(in[2]*1000)", 3, 2 / M_LN10);
  check_formula("sin(in[1]) + cos(in[1])", sin(-1) + cos(-1), cos(-1) - sin(-1));
  check_formula("tan(in[1])", tan(-1), 1 / (cos(1) * cos(1)));
  check_formula("asin(in[1]/2) + acos(in[1]/2)", M_PI / 2, 0);
  check_formula("atan(in[2])", M_PI / 4, 1);
  check_formula("atan2(in[2], in[1])", 3 * M_PI / 4, -1.5);
  check_formula("sinh(in[2])", sinh(1), 2 * cosh(1));
  check_formula("cosh(in[2])", cosh(1), 2 * sinh(1));
  check_formula("tanh(in[2])", tanh(1), 2 * (1 - tanh(1) * tanh(1)));
  check_formula("abs(in[1])", 1, -1);
  check_formula("sign(in[1])", -1, 0);
  check_formula("sign(in[1] - in[1])", 0, 0);
  check_formula("min(in[1], in[2], 5)", -1, 1);
  check_formula("max(in[1], in[2], -5)", 1, 2);
  check_formula("limit(in[1], -0.5, 1)", -0.5, 0);
  check_formula("limit(in[2], 0, inf)", 1, 2);
  check_formula("sum(in[*])", 0, 3);
  check_formula("prod(in[1], in[2], 2)", -2, -2);
  check_formula("mean(in[1..2])", 0, 1.5);
  check_formula("in[1]^in[2]^0", -1, 1);
}

static void test_conditions(void)
{
  check_formula("if(in[1] < in[2], in[2], 7)", 1, 2);
  check_formula("if(in[1] > in[2], 7, in[1])", -1, 1);
  check_formula("in[1] <= -1", 0, 0); /* equal, and about to leave */
  check_formula("in[2] >= 1", 1, 0);
  check_formula("in[1] - in[1] == 0", 1, 0);
  check_formula("in[1] - in[1] != 0", 0, 0);
  check_formula("not (in[1] > 0)", 1, 0);
  check_formula("in[1] > 0 and in[2] > 0", 0, 0);
  check_formula("in[1] > 0 or in[2] > 0", 1, 0);
  check_formula("if((in[1] < 0 or in[2] > 3) and not in[2] == 0, in[1], 0)", -1, 1);
  check_formula("if(in[1], 3, 4)", 3, 0);
  check_formula("3*(in[2] > 0) + 1", 4, 0);
}

/* Comparisons change at the instants of the closed form. */
static void test_conditions_are_crossings(void)
{
  const Bench bench = {"function",       2,      4,
                       {rising, square}, {1, 1}, {"formula", "if(in[1]^2 > 4, in[2], -in[1])"}};
  g_autoptr(GArray) words = bench_words(&bench, 5);
  TEST_ASSERT_EQUAL(2, words->len); /* s - 1 = 2 at s = 3 */
  check_word(words, 0, 0, 1, -1, 0, 0);
  check_word(words, 1, 3, 12, 6, 1, 0);
}

static void test_abs_of_a_line(void)
{
  const Bench bench = {"function", 1, 2, {rising}, {1}, {"formula", "abs(in[1])"}};
  g_autoptr(GArray) words = bench_words(&bench, 5);
  TEST_ASSERT_EQUAL(2, words->len);
  check_word(words, 1, 1, 0, 1, 0, 0);
}

static void check_formula_fails(const char *formula, const char *message)
{
  bench_fails(&(Bench){"function", 2, 4, {rising, line}, {1, 1}, {"formula", formula}}, 5, message);
}

/* Text is read when it is set. */
static void check_formula_is_refused(const char *formula, const char *message)
{
  HyModel *m = hy_model_new("M");
  guint block = hy_model_add(m, "B", hy_class_find("function"));
  g_autoptr(GError) error = NULL;
  hy_model_set_array(m, block, 2, 0);
  TEST_ASSERT_FALSE(hy_model_set(m, block, "formula", formula, &error));
  TEST_ASSERT_EQUAL_STRING(message, error->message);
  hy_model_free(m);
}

static void test_formulas_that_fail(void)
{
  check_formula_is_refused("in[1] +",
                           "B: in \"in[1] +\": a number, a name or \"(\" is expected after \"+\"");
  check_formula_fails("in[3]", "B: in[3] is not an input; there are 2, from in[1] on");
  check_formula_is_refused("x", "B: x is not an input; there are 2, from in[1] on");
  check_formula_fails("3/(in[1] + 1)", "B: division by zero: 3 / (in[1] + 1) = 3 / 0 at t = 0");
  check_formula_fails("log(in[1])", "B: log(in[1]) = log(-1) is not a number at t = 0");
  check_formula_fails("exp(1000*in[2])", "B: exp(1000 * in[2]) = exp(1000) is infinite at t = 0");
}

static void test_only_the_branch_taken_can_fail(void)
{
  check_formula("if(in[1] > 0, sqrt(in[1]), 2)", 2, 0);
  check_formula("if(in[1] > 0, if(sqrt(in[1]) > 3, 1, 2), 3)", 3, 0);
}

/* The root of a signal at 0 has no slope: the value goes on alone. */
static void test_missing_derivatives_end_the_piece(void)
{
  const double at_zero[] = {0, 0, 1, 0, 0};
  check_one(&(Bench){"function", 1, 3, {at_zero}, {1}, {"formula", "sqrt(in[1])"}}, 0, 0, 0, 0);
}

/* Two inputs jump at t = 1, one after the other; between them the divisor is 0. */
static void test_a_wrong_result_must_stand_to_be_an_error(void)
{
  const double up[] = {0, 1, 0, 0, 0, 1, 2, 0, 0, 0}, down[] = {0, 2, 0, 0, 0, 1, 1, 0, 0, 0};
  const Bench bench = {"function", 2, 3, {up, down}, {2, 2}, {"formula", "6/(in[1] - in[2])"}};
  g_autoptr(GArray) words = bench_words(&bench, 5);
  TEST_ASSERT_EQUAL(2, words->len);
  check_word(words, 1, 1, 6, 0, 0, 0);
  const double same[] = {0, 1, 0, 0, 0, 1, 2, 0, 0, 0, 3, 1, 0, 0, 0};
  bench_fails(&(Bench){"function", 2, 3, {same, down}, {3, 2}, {"formula", "6/(in[1] - in[2])"}}, 5,
              "B: division by zero: 6 / (in[1] - in[2]) = 6 / 0 at t = 3");
}

/* Inputs -------------------------------------------------------------------------------------- */

static void test_silent_until_all_have_arrived(void)
{
  const double late[] = {2, 5, 0, 0, 0};
  g_autoptr(GArray) words = bench_words(&(Bench){"sum", 2, 4, {line, late}, {1, 1}, {NULL}}, 5);
  TEST_ASSERT_EQUAL(1, words->len);
  check_word(words, 0, 2, 10, 2, 0, 0); /* 1 + 2 s is 5 by then */
}

static void test_constants_are_known_at_the_start(void)
{
  HyModel *m = bench_model(&(Bench){"sum", 2, 4, {NULL}, {0}, {"k", "2, 3"}});
  TEST_ASSERT_TRUE(hy_model_set_input(m, 0, 0, 5, NULL));
  TEST_ASSERT_TRUE(hy_model_set_input(m, 0, 1, 7, NULL));
  g_autoptr(GArray) words = words_of(m, 5, NULL);
  TEST_ASSERT_EQUAL(1, words->len);
  check_word(words, 0, -1, 31, 0, 0, 0);
}

static void test_a_constant_beside_a_wire(void)
{
  HyModel *m = bench_model(&(Bench){"product", 2, 4, {line}, {1}, {NULL}});
  TEST_ASSERT_TRUE(hy_model_set_input(m, 0, 1, 3, NULL));
  g_autoptr(GArray) words = words_of(m, 5, NULL);
  TEST_ASSERT_EQUAL(1, words->len);
  check_word(words, 0, 0, 3, 6, 0, 0);
}

static void test_an_open_input_is_an_error(void)
{
  bench_fails(&(Bench){"division", 2, 4, {line}, {1}, {NULL}}, 1,
              "B: input \"by\" has no source; give it a number if one is meant");
  bench_fails(&(Bench){"sum", 2, 4, {NULL, line}, {0, 1}, {NULL}}, 1,
              "B: input \"in[1]\" has no source; give it a number if one is meant");
}

static GArray *payload_words(const char *payload, GError **error)
{
  HyModel *m = bench_model(&(Bench){"gain", 1, 4, {NULL}, {0}, {"k", "2"}});
  guint g = hy_model_add(m, "G", hy_class_find("generator"));
  if (!hy_model_set(m, g, "values", payload, error) || !hy_model_set(m, g, "period", "1", error) ||
      !hy_model_connect(m, g, 0, 0, 0, error)) {
    hy_model_free(m);
    return NULL;
  }
  return words_of(m, 5, error);
}

static void test_a_payload_is_a_number_or_an_error(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GArray) words = payload_words("uint16 7", &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(words, error != NULL ? error->message : "");
  TEST_ASSERT_EQUAL_DOUBLE(14, g_array_index(words, Word, 0).c[0]);
  g_autoptr(GArray) none = payload_words("('job', 1)", &error);
  TEST_ASSERT_NULL(none);
  TEST_ASSERT_NOT_NULL(strstr(error->message, "B: what came in at in is not a number at t = "));
}

static void test_a_constant_is_said_once(void)
{
  const double steps[] = {0, 4, 0, 0, 0, 1, 4, 0, 0, 0, 2, 5, 0, 0, 0, 3, 4, 0, 0, 0};
  g_autoptr(GArray) words = bench_words(&(Bench){"gain", 1, 4, {steps}, {4}, {NULL}}, 5);
  TEST_ASSERT_EQUAL(3, words->len);
  check_word(words, 1, 2, 5, 0, 0, 0);
}

/* All static classes -------------------------------------------------------------------------- */

static Bench any_bench(const HyAtomicClass *klass, const double *data, guint n_pieces)
{
  Bench bench = {.klass = klass->name, .order = 4};
  while (klass->in[bench.n].name != NULL) {
    bench.n++;
  }
  bench.n = klass->in[0].array ? 3 : bench.n;
  for (guint k = 0; k < bench.n; k++) {
    bench.pieces[k] = data + (gsize)5 * n_pieces * k;
    bench.n_pieces[k] = n_pieces;
  }
  if (strcmp(klass->name, "function") == 0) {
    bench.params[0] = "formula";
    bench.params[1] = "sqrt(in[1])*sin(in[2])/in[3] + max(in[1], in[2])*atan2(in[3], in[1])";
  }
  return bench;
}

/* Seven pieces of one polynomial around t = 0, for each of three inputs. */
#define STEP 0.02
static void same_polynomials(double *data)
{
  static const double c[3][4] = {
      {1.2, 0.3, -0.2, 0.1}, {0.9, -0.4, 0.15, 0.05}, {0.7, 0.25, 0.2, -0.15}};
  for (guint k = 0; k < 3; k++) {
    for (int i = 0; i < 7; i++) {
      double s = (i - 3) * STEP, *p = data + 5 * (7 * (gsize)k + (gsize)i);
      p[0] = s;
      p[1] = c[k][0] + s * (c[k][1] + s * (c[k][2] + s * c[k][3]));
      p[2] = c[k][1] + s * (2 * c[k][2] + s * 3 * c[k][3]);
      p[3] = c[k][2] + s * 3 * c[k][3];
      p[4] = c[k][3];
    }
  }
}

/* The value at each of seven instants: the last word there, or before (a constant). */
static void values_at(const GArray *words, double *f)
{
  for (int i = 0; i < 7; i++) {
    for (guint k = 0; k < words->len; k++) {
      const Word *w = &g_array_index(words, Word, k);
      if (w->t <= (i - 3) * STEP) {
        f[i] = w->c[0];
      }
    }
  }
}

static void check_differences(const HyAtomicClass *klass, const GArray *words)
{
  double f[7] = {0}, c[4] = {0};
  values_at(words, f);
  for (guint k = 0; k < words->len; k++) {
    const Word *w = &g_array_index(words, Word, k);
    if (w->t <= 0) {
      memcpy(c, w->c, sizeof c);
    }
  }
  double d1 = (f[6] - f[0]) / 60 - 3 * (f[5] - f[1]) / 20 + 3 * (f[4] - f[2]) / 4;
  double d2 = (f[6] + f[0]) / 90 - 3 * (f[5] + f[1]) / 20 + 3 * (f[4] + f[2]) / 2 - 49 * f[3] / 18;
  double d3 = -(f[6] - f[0]) / 8 + (f[5] - f[1]) - 13 * (f[4] - f[2]) / 8;
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-8, d1 / STEP, c[1], klass->name);
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-6, d2 / STEP / STEP / 2, c[2], klass->name);
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-4, d3 / STEP / STEP / STEP / 6, c[3], klass->name);
}

static void test_every_static_class_sends_taylor_coefficients(void)
{
  double data[3 * 7 * 5];
  guint n = 0;
  same_polynomials(data);
  for (const HyAtomicClass *const *k = hy_classes(); *k != NULL; k++) {
    if ((*k)->describe != NULL) {
      Bench bench = any_bench(*k, data, 7);
      g_autoptr(GArray) words = bench_words(&bench, 0.1);
      TEST_ASSERT_GREATER_THAN_MESSAGE(0, words->len, (*k)->name);
      check_differences(*k, words);
      n++;
    }
  }
  TEST_ASSERT_GREATER_OR_EQUAL(16, n);
}

/* Random pieces, many of them at equal instants: both engines say the same (in words_of). */
static void test_every_static_class_is_the_same_on_both_engines(void)
{
  double data[3 * 60 * 5];
  GRand *rand = g_rand_new_with_seed(7);
  for (guint k = 0; k < 3; k++) {
    double t = 0;
    for (guint i = 0; i < 60; i++) {
      double *p = data + 5 * (60 * (gsize)k + i);
      p[0] = t;
      for (guint c = 1; c < 5; c++) {
        p[c] = g_rand_double_range(rand, c == 1 ? 0.1 : -1, c == 1 ? 1.5 : 1);
      }
      t += 0.1 * g_rand_int_range(rand, 0, 3);
    }
  }
  g_rand_free(rand);
  for (const HyAtomicClass *const *k = hy_classes(); *k != NULL; k++) {
    if ((*k)->describe != NULL) {
      Bench bench = any_bench(*k, data, 60);
      g_autoptr(GError) error = NULL;
      g_autoptr(GArray) words = words_of(bench_model(&bench), 8, &error);
      TEST_ASSERT_TRUE_MESSAGE(words != NULL || strstr(error->message, "B: ") != NULL, (*k)->name);
    }
  }
}

/* The source is named, whatever the block makes of it. */
static void test_every_static_class_survives_nan(void)
{
  for (const HyAtomicClass *const *k = hy_classes(); *k != NULL; k++) {
    if ((*k)->describe == NULL) {
      continue;
    }
    for (guint bad = 0; bad < 2; bad++) { /* the value, or a slope that reaches the output */
      double data[3 * 2 * 5] = {0};
      for (guint i = 0; i < 3; i++) {
        double *p = data + (gsize)10 * i;
        p[1] = p[6] = 1.2 - 0.1 * i;
        p[5] = 1;
        p[6 + bad] = NOT_A_NUMBER;
      }
      Bench bench = any_bench(*k, data, 2);
      g_autoptr(GError) error = NULL;
      g_autoptr(GArray) words = words_of(bench_model(&bench), 5, &error);
      TEST_ASSERT_NULL_MESSAGE(words, (*k)->name);
      TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error->message, "\"out\" is nan at t = 1"),
                                   error->message);
    }
  }
}

static void test_every_static_class_survives_infinity(void)
{
  for (const HyAtomicClass *const *k = hy_classes(); *k != NULL; k++) {
    for (int sign = -1; sign <= 1 && (*k)->describe != NULL; sign += 2) {
      double data[3 * 2 * 5] = {0};
      for (guint i = 0; i < 3; i++) {
        double *p = data + (gsize)10 * i;
        p[1] = 1.2 - 0.1 * i;
        p[5] = 1;
        p[6] = sign < 0 ? -INFINITY : INFINITY;
      }
      Bench bench = any_bench(*k, data, 2);
      g_autoptr(GError) error = NULL;
      g_autoptr(GArray) words = words_of(bench_model(&bench), 5, &error);
      TEST_ASSERT_NULL_MESSAGE(words, (*k)->name);
      TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error->message, "inf at t = 1"), error->message);
    }
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_gain);
  RUN_TEST(test_sum);
  RUN_TEST(test_product);
  RUN_TEST(test_division);
  RUN_TEST(test_power);
  RUN_TEST(test_order_of_the_model_counts);
  RUN_TEST(test_lookup);
  RUN_TEST(test_lookup_of_several_segments);
  RUN_TEST(test_formulas);
  RUN_TEST(test_conditions);
  RUN_TEST(test_conditions_are_crossings);
  RUN_TEST(test_abs_of_a_line);
  RUN_TEST(test_formulas_that_fail);
  RUN_TEST(test_only_the_branch_taken_can_fail);
  RUN_TEST(test_missing_derivatives_end_the_piece);
  RUN_TEST(test_a_wrong_result_must_stand_to_be_an_error);
  RUN_TEST(test_silent_until_all_have_arrived);
  RUN_TEST(test_constants_are_known_at_the_start);
  RUN_TEST(test_a_constant_beside_a_wire);
  RUN_TEST(test_an_open_input_is_an_error);
  RUN_TEST(test_a_payload_is_a_number_or_an_error);
  RUN_TEST(test_a_constant_is_said_once);
  RUN_TEST(test_every_static_class_sends_taylor_coefficients);
  RUN_TEST(test_every_static_class_is_the_same_on_both_engines);
  RUN_TEST(test_every_static_class_survives_nan);
  RUN_TEST(test_every_static_class_survives_infinity);
  return UNITY_END();
}
