/* All engines are one meaning, on block diagrams of random shape: the same words of every block at
 * the same instants, bit for bit, the same errors, the same states at the end; whoever is watched,
 * and in whatever pieces a run is done. */
#include "engines_agree.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static void test_engines_say_the_same(void)
{
  all_seeds_agree(150);
}

/* Diagrams in which the engines once said different things, found among the thousands of
 * test_long_engines_agree.c: words wanted of a state whose row is curved (609, 801); of members of
 * classic groups, behind a block that fails (1325, 6691, 7397); an input that only decides the
 * modes of a block, which a group decides (2225, 3577, 4950, 5777, 7894); how far rounding bounds
 * what a block says, by inputs that had not been brought to it (8515). */
static void test_engines_say_the_same_where_they_once_did_not(void)
{
  static const guint32 found[] = {609, 801, 1325, 6691, 7397, 2225, 3577, 4950, 5777, 7894, 8515};
  for (guint k = 0; k < G_N_ELEMENTS(found); k++) {
    TEST_ASSERT_GREATER_THAN_UINT(0, seed_agrees(found[k]));
  }
  TEST_ASSERT_EQUAL_UINT(0, disagreements);
}

/* A number that is no engine's comes from a caller's file or from a newer header. */
static void test_an_engine_that_does_not_exist_is_refused(void)
{
  g_autoptr(HyModel) model = hy_model_new("m");
  for (int k = -1; k <= 17; k += 18) {
    g_autoptr(GError) error = NULL;
    g_autofree char *wanted =
        g_strdup_printf("there is no engine %d; there are HY_TREE, HY_FLAT and HY_FUSED", k);
    TEST_ASSERT_NULL(hy_sim_new(model, (HyEngine)k, &error));
    TEST_ASSERT_TRUE(g_error_matches(error, HY_ERROR, HY_ERROR_USAGE));
    TEST_ASSERT_EQUAL_STRING(wanted, error->message);
    TEST_ASSERT_NULL(hy_engine_name((HyEngine)k));
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_engines_say_the_same);
  RUN_TEST(test_engines_say_the_same_where_they_once_did_not);
  RUN_TEST(test_an_engine_that_does_not_exist_is_refused);
  return UNITY_END();
}
