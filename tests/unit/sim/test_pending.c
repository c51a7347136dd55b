/* The set of joined blocks that wait, against a plain one. */
#include "sim/pending.h"

#include <string.h>

#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

/* Adds and takes at random; what is taken is the smallest of the plain set. */
static void against_a_plain_set(guint n, guint32 seed)
{
  GRand *rand = g_rand_new_with_seed(seed);
  g_autofree guint8 *plain = g_new0(guint8, n);
  HyPending p;
  hy_pending_init(&p, n);
  guint held = 0;
  for (guint k = 0; k < 20000; k++) {
    TEST_ASSERT_EQUAL(held == 0, hy_pending_is_empty(&p));
    gboolean crowded = g_rand_int_range(rand, 0, 200) < (gint32)(k / 100);
    if (held == 0 || !crowded) {
      guint i = (guint)g_rand_int_range(rand, 0, (gint32)n);
      held += !plain[i]; /* adding again changes nothing */
      plain[i] = 1;
      hy_pending_add(&p, i);
    } else {
      const guint8 *first = memchr(plain, 1, n);
      guint taken = hy_pending_take(&p);
      TEST_ASSERT_EQUAL_UINT((guint)(first - plain), taken);
      plain[taken] = 0;
      held--;
    }
  }
  while (held-- > 0) {
    plain[hy_pending_take(&p)] = 0;
  }
  TEST_ASSERT_TRUE(hy_pending_is_empty(&p));
  TEST_ASSERT_NULL(memchr(plain, 1, n));
  hy_pending_clear(&p);
  g_rand_free(rand);
}

static void test_the_smallest_is_taken(void)
{
  static const guint sizes[] = {1, 2, 63, 64, 65, 127, 128, 4095, 4096, 4097, 262144, 300001};
  for (guint k = 0; k < G_N_ELEMENTS(sizes); k++) {
    against_a_plain_set(sizes[k], k);
  }
}

static void test_nothing_waits_at_first(void)
{
  for (guint n = 0; n < 200; n++) {
    HyPending p;
    hy_pending_init(&p, n);
    TEST_ASSERT_TRUE(hy_pending_is_empty(&p));
    hy_pending_clear(&p);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_nothing_waits_at_first);
  RUN_TEST(test_the_smallest_is_taken);
  return UNITY_END();
}
