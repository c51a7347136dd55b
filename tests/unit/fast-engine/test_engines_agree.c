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
  RUN_TEST(test_an_engine_that_does_not_exist_is_refused);
  return UNITY_END();
}
