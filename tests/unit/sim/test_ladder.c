/* The ladder against a plain scan: the smallest key, and of equal ones the first. */
#include "sim/ladder.h"

#include <math.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static guint scan(const double *key, guint n)
{
  guint best = 0;
  for (guint k = 1; k < n; k++) {
    best = key[k] < key[best] ? k : best;
  }
  return best;
}

static void check_size(guint n, GRand *rand)
{
  HyLadder l;
  hy_ladder_init(&l, n);
  double *key = g_new(double, n);
  for (guint k = 0; k < n; k++) {
    key[k] = INFINITY;
  }
  TEST_ASSERT_TRUE(isinf(hy_ladder_min(&l)));
  for (guint step = 0; step < 3000; step++) {
    guint i = step % 3 == 0 ? scan(key, n) : (guint)g_rand_int_range(rand, 0, (gint32)n);
    guint kind = (guint)g_rand_int_range(rand, 0, 10);
    key[i] = kind == 0  ? INFINITY
             : kind < 7 ? g_rand_int_range(rand, 0, 4)
                        : g_rand_double(rand) * 4; /* many ties */
    hy_ladder_set(&l, i, key[i]);
    guint wanted = scan(key, n);
    TEST_ASSERT_TRUE(hy_ladder_min(&l) == key[wanted]);
    if (isfinite(key[wanted])) {
      guint first;
      TEST_ASSERT_TRUE(hy_ladder_find(&l, &first) == key[wanted]);
      TEST_ASSERT_EQUAL_UINT(wanted, first);
    }
  }
  g_free(key);
  hy_ladder_clear(&l);
}

static void test_the_first_of_the_smallest(void)
{
  static const guint sizes[] = {1,  2,   7,   8,   9,   15,   16,   17,
                                64, 127, 128, 129, 136, 1000, 1025, 8193};
  GRand *rand = g_rand_new_with_seed(1);
  for (gsize k = 0; k < G_N_ELEMENTS(sizes); k++) {
    check_size(sizes[k], rand);
  }
  g_rand_free(rand);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_first_of_the_smallest);
  return UNITY_END();
}
