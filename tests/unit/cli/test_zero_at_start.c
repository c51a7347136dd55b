/* What is watched may be exactly 0 at t = 0, and turn positive at once, later, or after a time
 * below 0: each time the watchers see it. A solver that waits for a change of sign misses the
 * first. */
#include "command.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static char **rows_of(const char *model, const char *method, const char *engine)
{
  g_autofree char *path = repository(model), *out = NULL, *err = NULL;
  const char *words[WORDS] = {"run", path, "-o", "-", "--method", method, "--engine", engine};
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(NULL, words, &out, &err), err);
  return g_strsplit(g_strchomp(out), "\n", -1);
}

static const char *const methods[] = {"qss2", "qss3", "liqss2", "liqss3", "mliqss2", "mliqss3"};
static const char *const engines[] = {"tree", "flat"};

/* 2 t - t^2 is above 0 from 0 to 2, t^2 - 2 t from 2, and what rests until 1 and rises, from 1. */
static void check_closed_form(const char *method, const char *engine)
{
  static const struct {
    double t, within;
    const char *values; /* of three diodes and three comparators */
  } wanted[] = {{0.0, 0.0, "1,0,0,1,0,0"},  {1.0, 5e-4, "1,0,0,1,0,0"}, {1.0, 5e-4, "1,0,1,1,0,1"},
                {2.0, 5e-4, "1,0,1,1,0,1"}, {2.0, 5e-4, "0,1,1,0,1,1"}, {3.0, 0.0, "0,1,1,0,1,1"}};
  g_auto(GStrv) row = rows_of("tests/models/zero-at-start.xml", method, engine);
  TEST_ASSERT_EQUAL_UINT_MESSAGE(1 + G_N_ELEMENTS(wanted), g_strv_length(row), method);
  for (gsize k = 0; k < G_N_ELEMENTS(wanted); k++) {
    g_auto(GStrv) cell = g_strsplit(row[k + 1], ",", 2);
    TEST_ASSERT_DOUBLE_WITHIN(wanted[k].within, wanted[k].t, g_ascii_strtod(cell[0], NULL));
    TEST_ASSERT_EQUAL_STRING_MESSAGE(wanted[k].values, cell[1], method);
  }
}

static void test_it_is_seen_when_it_turns_positive(void)
{
  for (gsize m = 0; m < G_N_ELEMENTS(methods); m++) {
    for (gsize e = 0; e < G_N_ELEMENTS(engines); e++) {
      check_closed_form(methods[m], engines[e]);
    }
  }
}

/* Its current is (Rs (iL1 + iL2) - uC1)/(Rs + Rd), all of it 0 at t = 0, and the coil makes it
 * grow. Afterwards a quantum of uC1 may turn the diode off again. */
static void test_the_diode_of_the_cuk_conducts_from_the_start(void)
{
  g_autofree char *path = repository("examples/thesis/cuk/model.xml");
  for (gsize m = 0; m < G_N_ELEMENTS(methods); m++) {
    g_autofree char *out = NULL, *err = NULL;
    const char *words[WORDS] = {"trace", path, "-t", "0", "--method", methods[m]};
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(NULL, words, &out, &err), err);
    gboolean off = g_regex_match_simple(" t=0 +Rd +-> cuk +\\(y,0\\) out:100000", out, 0, 0);
    gboolean on = g_regex_match_simple(" t=0 +Rd +-> cuk +\\(y,0\\) out:1e-05", out, 0, 0);
    TEST_ASSERT_TRUE_MESSAGE(off && on, methods[m]);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_it_is_seen_when_it_turns_positive);
  RUN_TEST(test_the_diode_of_the_cuk_conducts_from_the_start);
  return UNITY_END();
}
