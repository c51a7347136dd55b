/* N: rings that never speak break the promise of a run, and are named as by any run; what has had
 * no reason to speak is not judged. */
#include "circuit_run.h"

typedef struct {
  guint64 judged, unjudged;
  guint breaches;
  char *words; /* of the error that ends the run; NULL: none */
} Found;

static Found found_of(const char *body)
{
  HyRunSettings settings = HY_RUN_SETTINGS;
  HyAudited a;
  g_autoptr(HyLoaded) loaded = load_text(body);
  g_autoptr(HyRun) run = hy_run_new(loaded, &settings, &error);
  TEST_ASSERT_TRUE(hy_run_record(run, &error));
  gboolean ok = hy_run_go(run, &error);
  TEST_ASSERT_TRUE(hy_run_audit(run, &a));
  const HyAuditCount *n = &a.counts[a.n_counts - 1];
  TEST_ASSERT_EQUAL_STRING("N", n->check);
  Found f = {n->judged, n->unjudged, a.n_breaches, ok ? NULL : g_strdup(error->message)};
  g_clear_error(&error);
  return f;
}

static void test_a_ring_that_never_speaks(void)
{
  Found f = found_of("<sample_hold name='a' in='b + 1' period='0.1'/>"
                     "<sample_hold name='b' in='a' period='0.1'/>"
                     "<function name='c' formula='2*b'/>"
                     "<experiment stop='2' record='a c' audit='full'/>");
  TEST_ASSERT_EQUAL_UINT(1, f.breaches);
  TEST_ASSERT_NOT_NULL(f.words);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(f.words, "a: it waits for a:in, that for b, that for a"),
                               f.words);
  g_free(f.words);
}

static void test_who_has_spoken_is_judged(void)
{
  Found f = found_of("<unit_delay name='a' in='b + 1' period='0.1'/>"
                     "<sample_hold name='b' in='a' period='0.1'/>"
                     "<experiment stop='2' record='a b' audit='full'/>");
  TEST_ASSERT_NULL_MESSAGE(f.words, f.words);
  TEST_ASSERT_EQUAL_UINT64(2, f.judged);
  TEST_ASSERT_EQUAL_UINT64(0, f.unjudged);
}

static void test_silence_by_itself_is_not_judged(void)
{
  Found f = found_of("<sine name='s'/><delay name='d' in='s' time='5'/>"
                     "<experiment stop='2' record='d' audit='full'/>");
  TEST_ASSERT_NULL_MESSAGE(f.words, f.words);
  TEST_ASSERT_EQUAL_UINT64(1, f.judged);
  TEST_ASSERT_EQUAL_UINT64(1, f.unjudged);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_ring_that_never_speaks);
  RUN_TEST(test_who_has_spoken_is_judged);
  RUN_TEST(test_silence_by_itself_is_not_judged);
  return UNITY_END();
}
