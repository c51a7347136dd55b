/* The examples with continuous states: all engines write the same bytes, and the numbers are those
 * of expected.csv, which bench/reference.c has made without hydevs. */
#include "command.h"

#include <math.h>
#include <stdio.h>

void setUp(void)
{
}

void tearDown(void)
{
}

/* What the command records of an example, from one engine. EXPERIMENT may be NULL. */
static char *run_on(const char *model, const char *engine, const char *experiment)
{
  char *out = NULL;
  g_autofree char *err = NULL;
  const char *words[WORDS] = {"run", model, "-o", "-", "--engine", engine};
  words[6] = experiment != NULL ? "--experiment" : NULL;
  words[7] = experiment;
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(NULL, words, &out, &err), err);
  return out;
}

/* Column COLUMN of a row. */
static double number(const char *row, guint column)
{
  g_auto(GStrv) fields = g_strsplit(row, ",", -1);
  TEST_ASSERT_LESS_THAN_UINT_MESSAGE(g_strv_length(fields), column, row);
  return g_ascii_strtod(fields[column], NULL);
}

static guint column_of(const char *head, const char *name)
{
  g_auto(GStrv) fields = g_strsplit(head, ",", -1);
  guint column = 0;
  while (fields[column] != NULL && strcmp(fields[column], name) != 0) {
    column++;
  }
  TEST_ASSERT_NOT_NULL_MESSAGE(fields[column], name);
  return column;
}

#define COLUMNS 6

/* Row by row; TOLERANCE for each column of the expected numbers but the time. */
static void check_against(const char *name, const char *file, const char *experiment,
                          const char *expected, const double tolerance[COLUMNS])
{
  g_autofree char *path = g_strdup_printf("examples/%s/%s", name, file);
  g_autofree char *other = g_strdup_printf("examples/%s/%s", name, expected);
  g_autofree char *model = repository(path), *numbers = repository(other);
  g_autofree char *text = contents(numbers);
  g_autofree char *tree = run_on(model, "tree", experiment);
  g_autofree char *flat = run_on(model, "flat", experiment);
  g_autofree char *fused = run_on(model, "fused", experiment);
  TEST_ASSERT_EQUAL_STRING_MESSAGE(tree, flat, name);
  TEST_ASSERT_EQUAL_STRING_MESSAGE(tree, fused, name);
  g_auto(GStrv) wanted = g_strsplit(text, "\n", -1), got = g_strsplit(flat, "\n", -1);
  g_auto(GStrv) heads = g_strsplit(wanted[0], ",", -1);
  TEST_ASSERT_EQUAL_UINT_MESSAGE(g_strv_length(wanted), g_strv_length(got), name);
  TEST_ASSERT_GREATER_THAN_UINT(50, g_strv_length(wanted));
  for (guint c = 1; heads[c] != NULL; c++) {
    guint column = column_of(g_strchomp(got[0]), heads[c]);
    double worst = 0;
    for (guint row = 1; *wanted[row] != '\0'; row++) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, number(wanted[row], 0), number(got[row], 0));
      worst = fmax(worst, fabs(number(wanted[row], c) - number(got[row], column)));
    }
    g_autofree char *who = g_strdup_printf("%s, %s: off by %g", name, heads[c], worst);
    TEST_ASSERT_TRUE_MESSAGE(c <= COLUMNS && worst <= tolerance[c - 1], who);
  }
}

static void check_example(const char *name, const double tolerance[COLUMNS])
{
  check_against(name, "model.xml", NULL, "expected.csv", tolerance);
}

static void test_bouncing_ball(void)
{
  check_example("bouncing-ball", (const double[COLUMNS]){1e-4, 3e-4, 0});
}

static void test_lotka_volterra(void)
{
  check_example("lotka-volterra", (const double[COLUMNS]){3e-4, 3e-4});
}

static void test_lc_line(void)
{
  check_example("lc-line", (const double[COLUMNS]){8e-3, 8e-3, 8e-3});
}

static void test_tanks(void)
{
  check_example("tanks", (const double[COLUMNS]){3e-5, 3e-5, 3e-5, 3e-5});
}

static void test_coulomb(void)
{
  check_example("coulomb", (const double[COLUMNS]){2e-5, 2e-4});
}

static void test_multirate(void)
{
  check_example("multirate",
                (const double[COLUMNS]){0.0122, 0.0099, 0.0196, 0.0192, 0.0087, 0.0086});
}

static void test_equations_block(void)
{
  check_example("equations-block", (const double[COLUMNS]){1e-4, 6e-4});
}

/* The reference is that of the same converter as a diagram by hand. */
static void test_circuit(void)
{
  check_example("circuit", (const double[COLUMNS]){1e-6, 1e-6, 1e-6});
}

static void test_algebraic_loop(void)
{
  check_example("algebraic-loop", (const double[COLUMNS]){2e-5, 2e-4});
  check_against("algebraic-loop", "implicit.xml", NULL, "expected.csv",
                (const double[COLUMNS]){2e-5, 2e-4});
  check_against("algebraic-loop", "implicit.xml", "diode", "expected-diode.csv",
                (const double[COLUMNS]){2e-5, 2e-4});
}

/* Where the friction is constant, x' of the velocity no longer answers its own steps. */
static void test_liqss_learns_that_friction_has_become_constant(void)
{
  g_autofree char *model = repository("examples/coulomb/model.xml"), *err = NULL, *out = NULL;
  const char *words[WORDS] = {"run", model, "-o", "-", "--grid", "0", "-m", "liqss3"};
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(NULL, words, &out, &err), err);
  g_auto(GStrv) rows = g_strsplit(out, "\n", -1);
  guint n = g_strv_length(rows);
  TEST_ASSERT_LESS_THAN_UINT(2500, n); /* 1646 rows, both sides of each step; QSS3 has 3393 */
  TEST_ASSERT_DOUBLE_WITHIN(2e-5, 0.025, number(rows[n - 2], column_of(g_strchomp(rows[0]), "x")));
}

/* Twelve crossings, each where the closed form has it (classic-multirate-realtime.md, section 6).
 */
static void test_the_ball_touches_the_floor_when_it_should(void)
{
  static const double down[] = {0.451523641, 1.316027405, 2.140760613,
                                2.927554146, 3.678154600, 4.394228166};
  static const double contact[] = {3.146483e-3, 3.146702e-3, 3.146933e-3,
                                   3.147174e-3, 3.147427e-3, 3.147693e-3};
  g_autofree char *model = repository("examples/bouncing-ball/model.xml"), *err = NULL, *out = NULL;
  const char *words[WORDS] = {"run", model, "-o", "-", "--grid", "0"};
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(NULL, words, &out, &err), err);
  g_auto(GStrv) rows = g_strsplit(out, "\n", -1);
  guint column = column_of(g_strchomp(rows[0]), "touches"), seen = 0;
  for (guint k = 1; *rows[k] != '\0'; k++) {
    if ((guint)number(rows[k], column) > seen) {
      double wanted = down[seen / 2] + (seen % 2 == 1 ? contact[seen / 2] : 0);
      TEST_ASSERT_DOUBLE_WITHIN(5e-5, wanted, number(rows[k], 0));
      seen++;
    }
  }
  TEST_ASSERT_EQUAL_UINT(12, seen);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_bouncing_ball);
  RUN_TEST(test_lotka_volterra);
  RUN_TEST(test_lc_line);
  RUN_TEST(test_tanks);
  RUN_TEST(test_coulomb);
  RUN_TEST(test_multirate);
  RUN_TEST(test_equations_block);
  RUN_TEST(test_circuit);
  RUN_TEST(test_algebraic_loop);
  RUN_TEST(test_liqss_learns_that_friction_has_become_constant);
  RUN_TEST(test_the_ball_touches_the_floor_when_it_should);
  return UNITY_END();
}
