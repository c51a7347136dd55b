/* Modes of several blocks that settle in the same working memory. */
#include "expr/modes.h"

#include <math.h>
#include <unity.h>

enum { N = 3, LANES = 2 };

void setUp(void)
{
}
void tearDown(void)
{
}

/* z = c - t, which leaves the upper side at t = c. */
static void input(HyModes *m, double c, double t, gboolean fresh)
{
  double z[4] = {c - t, -1.0};
  hy_modes_begin(m);
  for (guint k = 0; k < N; k++) {
    hy_modes_settle(m, k, t, z, z, fresh, FALSE);
    z[0] += 1.0;
  }
}

/* Each has its own state though both are settled in one place, one after the other; and the copy of
 * the one is no longer there when the other has begun. */
static void test_modes_that_share_their_copy(void)
{
  g_autofree guint8 *work = g_malloc0(hy_modes_work_size(N));
  g_autofree guint8 *memory = g_malloc0(2 * hy_modes_size(N));
  HyModes *early = hy_modes_init(memory, N, LANES, work);
  HyModes *late = hy_modes_init(memory + hy_modes_size(N), N, LANES, work);
  HyModes *alone = hy_modes_new(N, LANES);
  input(early, 1.0, 0.0, TRUE);
  hy_modes_commit(early, TRUE);
  input(late, 10.0, 0.0, TRUE);
  hy_modes_commit(late, TRUE);
  input(alone, 1.0, 0.0, TRUE);
  hy_modes_commit(alone, TRUE);
  TEST_ASSERT_EQUAL_DOUBLE(1.0, hy_modes_next(early));
  TEST_ASSERT_EQUAL_DOUBLE(10.0, hy_modes_next(late));
  input(early, 1.0, 1.0, FALSE);
  TEST_ASSERT_TRUE(hy_modes_toggled(early));
  TEST_ASSERT_EQUAL_UINT8(0, hy_modes_values(early)[0]);
  TEST_ASSERT_TRUE(hy_modes_is_up(early, 0)); /* until that is made the state */
  hy_modes_commit(early, TRUE);
  TEST_ASSERT_FALSE(hy_modes_is_up(early, 0));
  TEST_ASSERT_TRUE(hy_modes_is_up(early, 1));
  TEST_ASSERT_TRUE(hy_modes_is_up(late, 0));
  TEST_ASSERT_EQUAL_DOUBLE(10.0, hy_modes_next(late));
  input(alone, 1.0, 1.0, FALSE);
  hy_modes_commit(alone, TRUE);
  TEST_ASSERT_EQUAL_DOUBLE(hy_modes_next(alone), hy_modes_next(early));
  hy_modes_free(alone);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_modes_that_share_their_copy);
  return UNITY_END();
}
