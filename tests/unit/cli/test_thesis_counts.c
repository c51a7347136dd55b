/* How often the examples of the thesis evaluate their equations: the counts of a loop written by
 * hand (methods.md section 12), with the same methods. Correct variants of one method differ by a
 * quarter; the line of 1000 sections has no discontinuities and differs less. That loop leaves a
 * derivative as it is until something steps; where the end of a piece brings it up to date before,
 * fewer pairs seem to be in conflict. Rows that read both of a pair it evaluates after each of the
 * two, and we once, after both, unless one of the two meets a third. */
#include "thesis.h"

void setUp(void)
{
}

void tearDown(void)
{
}

typedef struct {
  const char *name, *experiment, *set;
  double evaluations, pairs; /* 0: any number */
  double within, pairs_within;
  double common; /* rows that read both of a pair */
} Count;

static const Count counts[] = {
    {"cuk-interleaved", "coarse", NULL, 292000, 0, 0.25, 0, 0},
    {"cuk-interleaved", "fine", NULL, 2465739, 0, 0.25, 0, 0},
    {"tyson", "coarse", NULL, 232787, 0, 0.25, 0, 0},
    {"tyson", "fine", NULL, 1712414, 0, 0.25, 0, 0},
    {"buck-ls", "coarse", NULL, 16169, 0, 0.25, 0, 0},
    {"buck-ld", "coarse", NULL, 14495, 0, 0.25, 0, 0},
    {"adr", "coarse", "full=200", 150326, 7922, 0.05, 0.1, 2},
};

/* Without a fresh x' at own steps, which the loop by hand does not take either. */
static void check_count(const Count *c)
{
  g_autofree char *path = g_strdup_printf("examples/thesis/%s/model.xml", c->name);
  g_autofree char *model = repository(path), *out = NULL, *err = NULL;
  const char *words[WORDS] = {
      "run", model,         "-o",        "-",  "--stats=json",
      "-x",  c->experiment, "--refresh", "no", c->set != NULL ? "--set" : NULL,
      c->set};
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(NULL, words, &out, &err), err);
  double evaluations = thesis_member(out, "evaluations"), pairs = thesis_member(out, "pairs");
  g_autofree char *who = g_strdup_printf("%s, %s: %g evaluations, %g pairs", c->name, c->experiment,
                                         evaluations, pairs);
  double by = evaluations - c->evaluations, pairs_by = fabs(pairs - c->pairs);
  TEST_ASSERT_TRUE_MESSAGE(by <= c->within * c->evaluations, who);
  TEST_ASSERT_TRUE_MESSAGE(-by <= c->within * c->evaluations + c->common * pairs, who);
  TEST_ASSERT_TRUE_MESSAGE(c->pairs == 0 || pairs_by <= c->pairs_within * c->pairs, who);
}

static void test_evaluations(void)
{
  for (gsize k = 0; k < G_N_ELEMENTS(counts); k++) {
    check_count(&counts[k]);
  }
}

/* System (4.1), with which mLIQSS was introduced: LIQSS1 oscillates for ever, this comes to rest.
 */
static void test_the_spiral_rests(void)
{
  g_autofree char *model = repository("tests/models/spiral.xml"), *out = NULL, *err = NULL;
  const char *words[WORDS] = {"run", model, "-o", "-", "--stats=json"};
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(NULL, words, &out, &err), err);
  g_auto(GStrv) table = g_strsplit(out, "\n{", 2); /* the statistics follow it */
  char *end = strrchr(table[0], '\n');             /* the row of the end */
  TEST_ASSERT_NOT_NULL(end);
  TEST_ASSERT_TRUE(g_str_has_prefix(end, "\n100,"));
  *end = '\0';
  const char *row = strrchr(table[0], '\n');
  TEST_ASSERT_NOT_NULL(row);
  g_auto(GStrv) last = g_strsplit(row + 1, ",", -1);
  TEST_ASSERT_EQUAL_UINT(3, g_strv_length(last));
  TEST_ASSERT_TRUE(g_ascii_strtod(last[0], NULL) < 10.0);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, -0.5, g_ascii_strtod(last[1], NULL));
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.7, g_ascii_strtod(last[2], NULL));
  TEST_ASSERT_TRUE(thesis_member(out, "steps") < 20 && thesis_member(out, "pairs") >= 1);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_evaluations);
  RUN_TEST(test_the_spiral_rests);
  return UNITY_END();
}
