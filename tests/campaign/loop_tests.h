/* The tests of random converters with what controls them: test_loops.c and test_long_loops.c differ
 * in how many they look at and in what they ask for. */
#ifndef CAMPAIGN_LOOP_TESTS_H
#define CAMPAIGN_LOOP_TESTS_H

#include "figures.h"
#include "loop_judge.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static char *scratch;
static GArray *verdicts;
static GString *broken;
static int left_out[TRUTH_KINDS];

void setUp(void)
{
  scratch = g_dir_make_tmp("loops-XXXXXX", NULL);
  verdicts = g_array_new(FALSE, TRUE, sizeof(LoopVerdict));
  broken = g_string_new(NULL);
  memset(left_out, 0, sizeof left_out);
}

void tearDown(void)
{
  for (guint k = 0; k < verdicts->len; k++) {
    loop_verdict_clear(&g_array_index(verdicts, LoopVerdict, k));
  }
  g_array_free(verdicts, TRUE);
  g_string_free(broken, TRUE);
  scratch_remove(scratch);
  g_free(scratch);
}

/* Made once for all tests. */
static const Truth *truth_of(const Loop *l)
{
  static Truth *known[LOOPS + 1];
  if (known[l->seed] == NULL) {
    known[l->seed] = truth_new(l, 1, NULL);
  }
  return known[l->seed];
}

static void run_all(double tolerance, gboolean engines)
{
  static Loop l; /* a test that fails does not return */
  Setting s = {
      .program = HY_PROGRAM, .tolerance = tolerance, .seconds = LOOP_SECONDS, .scratch = scratch};
  for (guint64 seed = 1; seed <= LOOPS; seed++) {
    LoopVerdict v;
    loop_random(&l, seed);
    const Truth *t = truth_of(&l);
    left_out[t->kind]++;
    if (t->kind == TRUTH_OK) {
      TEST_ASSERT_TRUE(loop_judge(&v, &l, t, &s, engines ? ENGINE_EVENTS : 0));
      g_array_append_val(verdicts, v);
    }
  }
}

/* How many end, and right within PART; the seeds of the others are said. */
static int count_off(double part, int *not_ended)
{
  int off = 0;
  *not_ended = 0;
  for (guint k = 0; k < verdicts->len; k++) {
    const LoopVerdict *v = &g_array_index(verdicts, LoopVerdict, k);
    if (v->status != 0) {
      (*not_ended)++;
      printf("seed %" G_GUINT64_FORMAT ": status %d: %s\n", v->seed, v->status, v->words);
    } else if (!(v->error <= part)) {
      off++;
      printf("seed %" G_GUINT64_FORMAT ", %s: off by %.3g\n", v->seed, v->control, v->error);
    }
    if (!v->same) {
      g_string_append_printf(broken, "%" G_GUINT64_FORMAT " ", v->seed);
    }
  }
  return off;
}

static double median_of(const char *control)
{
  int n = 0;
  double median = 0, worst = 0;
  loop_errors(verdicts, control, &n, &median, &worst);
  return median;
}

static void holds(LoopFigures f)
{
  int not_ended = 0, off = count_off(f.part, &not_ended);
  loop_table(verdicts, left_out);
  TEST_ASSERT_EQUAL_STRING_MESSAGE("", broken->str, "differ on tree, flat and fused");
  TEST_ASSERT_LESS_OR_EQUAL_INT(f.off, off);
  TEST_ASSERT_LESS_OR_EQUAL_INT(f.not_ended, not_ended);
  TEST_ASSERT_TRUE(median_of(NULL) <= f.median);
  TEST_ASSERT_TRUE(median_of("open loop") <= f.median_open);
  TEST_ASSERT_TRUE(median_of("hysteresis") <= f.median_led);
  TEST_ASSERT_TRUE(median_of("peak current") <= f.median_led);
  TEST_ASSERT_GREATER_OR_EQUAL_INT(LOOPS * 19 / 20, left_out[TRUTH_OK]);
}

static void test_as_models_say_they_are_off_no_more_often_than_this(void)
{
  run_all(0, TRUE);
  holds(LOOP_DEFAULT);
}

static void test_at_a_fine_tolerance_they_are_off_no_more_often_than_this(void)
{
  run_all(LOOP_FINE, FALSE);
  holds(LOOP_AT_FINE);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_as_models_say_they_are_off_no_more_often_than_this);
  RUN_TEST(test_at_a_fine_tolerance_they_are_off_no_more_often_than_this);
  return UNITY_END();
}

#endif
