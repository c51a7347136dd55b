/* The tests of a campaign: test_campaign.c and test_long_campaign.c differ in how many circuits
 * they look at. Each says all seeds that break a promise, not only the first. */
#ifndef CAMPAIGN_TESTS_H
#define CAMPAIGN_TESTS_H

#include "by_hand.h"
#include "figures.h"
#include "judge.h"
#include "unity.h"

#include <math.h>

static Circuit circuit; /* the one under test: a test that fails does not return */
static char *scratch;
static GString *broken;

void setUp(void)
{
  scratch = g_dir_make_tmp("campaign-XXXXXX", NULL);
  broken = g_string_new(NULL);
}

void tearDown(void)
{
  scratch_remove(scratch);
  g_free(scratch);
  g_string_free(broken, TRUE);
}

static void breaks(const Circuit *c, const char *what, double percent, double hand)
{
  g_string_append_printf(broken, "%s%s %s (%.3g %%, by hand %.3g %%)", broken->len > 0 ? ", " : "",
                         c->name, what, percent, hand);
}

/* Made once for all tests. */
static const Exact *exact_of(const Circuit *c, guint64 seed)
{
  static Exact *known[CIRCUITS + 1];
  if (known[seed] == NULL) {
    known[seed] = exact_new(c, SAMPLES, 1);
    TEST_ASSERT_NOT_NULL_MESSAGE(known[seed], c->name);
  }
  return known[seed];
}

typedef void (*Promise)(const Circuit *c, const Verdict *v);

typedef enum { ALL, NONE_THAT_SLIDES, NOT_THE_LONGEST } Which;

static gboolean left_out(const Circuit *c, guint64 seed, Which which)
{
  return (which == NONE_THAT_SLIDES && circuit_slides(c)) ||
         (which == NOT_THE_LONGEST && CIRCUITS < LONG_CIRCUITS && seed == LONGEST);
}

static void each_circuit(Which which, const char *method, double tolerance, Asked asked,
                         Promise promise)
{
  Circuit *const c = &circuit;
  Setting s = {.program = HY_PROGRAM,
               .method = method,
               .tolerance = tolerance,
               .seconds = SECONDS,
               .scratch = scratch};
  for (guint64 seed = 1; seed <= CIRCUITS; seed++) {
    Verdict v;
    circuit_random(c, seed);
    if (left_out(c, seed, which)) {
      continue;
    }
    TEST_ASSERT_TRUE(judge(&v, c, exact_of(c, seed), &s, asked));
    promise(c, &v);
    recording_clear(&v.record);
  }
  TEST_ASSERT_EQUAL_STRING_MESSAGE("", broken->str, method);
}

/* ------------------------------------------------------------------------------------------------
 */

/* Whether the reference is right does not depend on hydevs. */
static void test_the_reference_agrees_with_a_closer_look_and_with_cvode(void)
{
  Circuit *const c = &circuit;
  for (guint64 seed = 1; seed <= CIRCUITS; seed += CIRCUITS / LOOKED_AT) {
    int worst = 0;
    circuit_random(c, seed);
    const Exact *e = exact_of(c, seed);
    Exact *closer = exact_new(c, SAMPLES, 5);
    TEST_ASSERT_NOT_NULL_MESSAGE(closer, c->name);
    double off = deviation(c, closer->x, e->x, LEAST_SIZE, &worst), hand = 0;
    if (!circuit_slides(c)) {
      g_autofree double *x = g_new0(double, SAMPLES *(gsize)c->states);
      ByHand cost;
      TEST_ASSERT_TRUE_MESSAGE(by_hand(c, REFERENCE_TOL, REFERENCE_TOL, SAMPLES, x, &cost),
                               c->name);
      hand = deviation(c, x, e->x, LEAST_SIZE, &worst);
    }
    if (off > REFERENCE_OFF || hand > REFERENCE_OFF) {
      breaks(c, "is not sure", off, hand);
    }
    exact_free(closer);
  }
  TEST_ASSERT_EQUAL_STRING("", broken->str);
}

/* All engines write the same bytes. */
static void same_on_all(const Circuit *c, const Verdict *v)
{
  if (!v->same) {
    breaks(c, "differs on tree, flat and fused", v->percent, NAN);
  }
}

static void off_only_with_cvode(const Circuit *c, const Verdict *v)
{
  double hand = HAND_FACTOR * v->by_hand;
  if ((v->percent > FAR_OFF && !(hand > FAR_OFF)) || (v->percent > OFF && !(hand > OFF))) {
    breaks(c, "is off", v->percent, v->by_hand);
  }
  same_on_all(c, v);
}

static void test_cvode_bdf_is_off_only_where_cvode_by_hand_is(void)
{
  each_circuit(ALL, "cvode_bdf", COARSE,
               (Asked){.by_hand = TRUE, .engines = TRUE, .most_events = ENGINE_EVENTS},
               off_only_with_cvode);
}

static void close_at_fine(const Circuit *c, const Verdict *v)
{
  if (v->percent > OFF_AT_FINE) {
    breaks(c, "is off", v->percent, v->by_hand);
  }
}

/* A relay that slides chatters in a band as wide as the tolerance, millions of times at this one.
 */
static void test_cvode_bdf_is_right_at_a_fine_tolerance(void)
{
  each_circuit(NONE_THAT_SLIDES, "cvode_bdf", FINE, (Asked){0}, close_at_fine);
}

static void right_and_the_same(const Circuit *c, const Verdict *v)
{
  if (v->percent > OFF_OF_BLOCKS) {
    breaks(c, "is off", v->percent, NAN);
  }
  same_on_all(c, v);
}

/* What is solved exactly owes its error to sources that say a sine in pieces, also where it slides.
 */
static void test_block_liqss2_is_right(void)
{
  each_circuit(ALL, "block_liqss2", COARSE, (Asked){.engines = TRUE, .most_events = ENGINE_EVENTS},
               right_and_the_same);
}

static void ends(const Circuit *c, const Verdict *v)
{
  if (v->record.status != 0) {
    breaks(c, "does not end", v->record.status, NAN);
  }
  same_on_all(c, v);
}

static void test_mliqss2_ends(void)
{
  each_circuit(NOT_THE_LONGEST, "mliqss2", COARSE,
               (Asked){.engines = TRUE, .most_events = ENGINE_EVENTS}, ends);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_reference_agrees_with_a_closer_look_and_with_cvode);
  RUN_TEST(test_cvode_bdf_is_off_only_where_cvode_by_hand_is);
  RUN_TEST(test_cvode_bdf_is_right_at_a_fine_tolerance);
  RUN_TEST(test_block_liqss2_is_right);
  RUN_TEST(test_mliqss2_ends);
  return UNITY_END();
}

#endif
