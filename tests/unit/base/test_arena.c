/* Memory that is taken piece by piece: zeroed, aligned, and nobody else's. */
#include "base/arena.h"

#include <stdint.h>
#include <string.h>
#include <unity.h>

void setUp(void)
{
}
void tearDown(void)
{
}

/* What was taken before is as it was written, whatever is taken later. */
static void test_pieces_do_not_overlap(void)
{
  enum { N = 5000 };
  HyArena *arena = hy_arena_new();
  guint8 *piece[N];
  for (guint k = 0; k < N; k++) {
    gsize size = k % 97 + (k % 1000 == 0 ? 3000000U : 0U);
    piece[k] = hy_arena_take(arena, size);
    TEST_ASSERT_EQUAL(0, (uintptr_t)piece[k] % sizeof(double));
    for (gsize i = 0; i < size; i++) {
      TEST_ASSERT_EQUAL(0, piece[k][i]);
    }
    memset(piece[k], (int)(k % 251) + 1, size);
  }
  for (guint k = 0; k < N; k++) {
    for (gsize i = 0; i < k % 97; i++) {
      TEST_ASSERT_EQUAL(k % 251 + 1, piece[k][i]);
    }
  }
  hy_arena_free(arena);
  hy_arena_free(NULL);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_pieces_do_not_overlap);
  return UNITY_END();
}
