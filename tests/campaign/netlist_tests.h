/* The tests of random netlists: test_netlists.c and test_long_netlists.c differ in how many they
 * look at. */
#ifndef CAMPAIGN_NETLIST_TESTS_H
#define CAMPAIGN_NETLIST_TESTS_H

#include "figures.h"
#include "judge.h"
#include "netlist.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static Netlist net; /* the one under test: a test that fails does not return */
static char *scratch;
static GString *broken;
static int ran, refused, left_open, grown;
static GHashTable *seen; /* reasons */

void setUp(void)
{
  scratch = g_dir_make_tmp("netlists-XXXXXX", NULL);
  broken = g_string_new(NULL);
}

void tearDown(void)
{
  scratch_remove(scratch);
  g_free(scratch);
  g_string_free(broken, TRUE);
}

static void breaks(const char *what, const char *words)
{
  const char *end = words + strcspn(words, "\n");
  g_string_append_printf(broken, "%s: %s: %.*s; ", net.c.name, what, (int)(end - words), words);
}

/* It ends with exit status 1, and in one of the words that the reference has. */
static void judge_refusal(const Setting *s, const char *const *reason, int n)
{
  Recording r;
  gboolean right = FALSE;
  TEST_ASSERT_TRUE(recording_make(&r, &net.c, s));
  for (int k = 0; k < n; k++) {
    g_hash_table_add(seen, g_strdup(reason[k]));
    right |= strstr(r.words, reason[k]) != NULL;
  }
  if (r.status != 1 || !right) {
    breaks(n > 0 ? reason[0] : "nothing determines it", r.words);
  }
  recording_clear(&r);
}

/* Values that leave all bounds: sources that read the circuit may do that. */
static gboolean grows(const Exact *e)
{
  double most = 0;
  for (int k = 0; k < SAMPLES * net.c.states; k++) {
    most = fmax(most, fabs(e->x[k]));
  }
  return !(most < NETLIST_MOST);
}

static void judge_run(const Setting *s, const Exact *e)
{
  Verdict v;
  TEST_ASSERT_TRUE(judge(&v, &net.c, e, s, (Asked){.engines = TRUE, .most_events = ENGINE_EVENTS}));
  if (!(v.percent <= OFF_OF_NETLISTS) || !v.same) {
    g_autofree char *what = g_strdup_printf("%.3g %% off at %s%s", v.percent,
                                            net.c.state[v.worst].name, v.same ? "" : ", engines");
    breaks(what, v.record.words);
  }
  recording_clear(&v.record);
}

static void judge_netlist(guint64 seed, const Setting *s)
{
  const char *reason[MOST_REASONS];
  static const char *const undetermined[] = {"determine"};
  netlist_random(&net, seed);
  int n = netlist_refused(&net, reason);
  if (n > 0) {
    refused++;
    judge_refusal(s, reason, n);
    return;
  }
  netlist_start(&net);
  Field f;
  Modes off = {{0}, {0}, {0}};
  if (!field_init(&f, &net.c, &off)) {
    left_open++;
    judge_refusal(s, undetermined, 1);
    return;
  }
  Exact *e = exact_new(&net.c, SAMPLES, 1);
  if (e == NULL || grows(e)) {
    grown++;
  } else if (net.c.states > 0) {
    ran++;
    judge_run(s, e);
  }
  exact_free(e);
}

static void test_random_netlists_end_right_or_are_refused_with_the_reason(void)
{
  Setting s = {.program = HY_PROGRAM,
               .method = "block_liqss2",
               .tolerance = 1e-6,
               .seconds = SECONDS,
               .scratch = scratch};
  seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  for (guint64 seed = 1; seed <= NETLISTS; seed++) {
    judge_netlist(seed, &s);
  }
  printf("%u reasons, %d run, %d refused, %d left open, %d out of bounds\n",
         g_hash_table_size(seen), ran, refused, left_open, grown);
  TEST_ASSERT_EQUAL_STRING("", broken->str);
  TEST_ASSERT_GREATER_THAN_INT(NETLISTS * 2 / 3, ran);
  TEST_ASSERT_GREATER_OR_EQUAL_UINT(MIN(NETLISTS / 20, 5), g_hash_table_size(seen));
  TEST_ASSERT_GREATER_THAN_INT(NETLISTS / 20, refused);
  TEST_ASSERT_LESS_THAN_INT(NETLISTS / 10, left_open + grown);
  g_hash_table_unref(seen);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_random_netlists_end_right_or_are_refused_with_the_reason);
  return UNITY_END();
}

#endif
