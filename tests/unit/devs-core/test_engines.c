/* Tree and flat are one meaning: the same calls of every atomic, bit for bit, on models of random
 * shape. */
#include <string.h>

#include "coupled/model_internal.h"
#include "random_model.h"

#include <unity.h>

#define MODELS 300
#define END    4.0

void setUp(void)
{
}

void tearDown(void)
{
}

static void compare(const GArray *a, const GArray *b, const char *what)
{
  TEST_ASSERT_NOT_NULL_MESSAGE(a, what);
  TEST_ASSERT_NOT_NULL_MESSAGE(b, what);
  TEST_ASSERT_EQUAL_UINT_MESSAGE(a->len, b->len, what);
  TEST_ASSERT_EQUAL_INT_MESSAGE(
      0, a->len == 0 ? 0 : memcmp(a->data, b->data, a->len * sizeof(Call)), what);
}

static void test_tree_and_flat_make_the_same_calls(void)
{
  guint total = 0;
  for (guint32 seed = 0; seed < MODELS; seed++) {
    g_autofree char *what = g_strdup_printf("seed %u", seed);
    g_autoptr(HyModel) root = random_model(seed, seed % 5);
    g_autoptr(GArray) tree = calls_of(root, HY_TREE, END, 0, NULL);
    g_autoptr(GArray) flat = calls_of(root, HY_FLAT, END, 0, NULL);
    compare(tree, flat, what);
    total += tree->len;
  }
  TEST_ASSERT_GREATER_THAN_UINT(100 * MODELS, total); /* something happens in these models */
}

static void test_a_run_in_pieces_is_the_same_run(void)
{
  for (guint32 seed = 0; seed < 50; seed++) {
    g_autofree char *what = g_strdup_printf("seed %u", seed);
    g_autoptr(HyModel) root = random_model(seed, 2);
    for (HyEngine engine = HY_TREE; engine <= HY_FLAT; engine++) {
      g_autoptr(GArray) whole = calls_of(root, engine, END, 0, NULL);
      g_autoptr(GArray) pieces = calls_of(root, engine, END, 0.1, NULL);
      compare(whole, pieces, what);
    }
  }
}

/* Select is one order number an atomic: any order, also one that interleaves coupled models, is
 * obeyed by both. */
static void test_any_order_of_ties_is_obeyed(void)
{
  guint differs = 0;
  for (guint32 seed = 0; seed < 100; seed++) {
    g_autofree char *what = g_strdup_printf("seed %u", seed);
    g_autoptr(HyModel) root = random_model(seed, 3), same = random_model(seed, 3);
    TEST_ASSERT_TRUE(hy_model_check(root, NULL));
    HyRoot *owner = root->owner;
    GRand *rand = g_rand_new_with_seed(seed);
    for (guint k = owner->n_atomics; k-- > 1;) { /* shuffle the places */
      guint j = (guint)g_rand_int_range(rand, 0, (gint32)k + 1);
      guint coupled = owner->atomics[k].coupled, component = owner->atomics[k].component;
      owner->atomics[k] = owner->atomics[j];
      owner->atomics[j].coupled = coupled;
      owner->atomics[j].component = component;
    }
    g_rand_free(rand);
    for (guint k = 0; k < owner->n_atomics; k++) {
      hy_component(owner->coupled[owner->atomics[k].coupled], owner->atomics[k].component)->number =
          k;
    }
    g_autoptr(GArray) tree = calls_of(root, HY_TREE, END, 0, NULL);
    g_autoptr(GArray) flat = calls_of(root, HY_FLAT, END, 0, NULL);
    compare(tree, flat, what);
    g_autoptr(GArray) plain = calls_of(same, HY_FLAT, END, 0, NULL);
    differs += plain->len != flat->len;
  }
  TEST_ASSERT_GREATER_THAN_UINT(20, differs); /* the order matters in these models */
}

static void add_generator(HyModel *m, const char *name, const char *first)
{
  guint k = hy_model_add(m, name, hy_class_find("generator"));
  TEST_ASSERT_TRUE(hy_model_set(m, k, "first", first, NULL));
  TEST_ASSERT_TRUE(hy_model_set(m, k, "period", "1", NULL));
  TEST_ASSERT_TRUE(hy_model_set(m, k, "values", "1", NULL));
}

/* A coordinator that kept t + (tN - t) instead of tN would, after the event of X at 0.03, think A
 * due at 0.29000000000000004, and B, listed later, would come first. */
static void test_depth_does_not_touch_an_instant(void)
{
  TEST_ASSERT_TRUE(0.03 + (0.29 - 0.03) > 0.29);
  for (guint depth = 0; depth <= 8; depth++) {
    g_autoptr(HyModel) root = hy_model_new("R");
    HyModel *m = root;
    for (guint k = 0; k < depth; k++) {
      m = hy_model_add_coupled(m, "inner");
    }
    add_generator(m, "X", "0.03");
    add_generator(m, "A", "0.29");
    add_generator(root, "B", "0.29");
    for (HyEngine engine = HY_TREE; engine <= HY_FLAT; engine++) {
      g_autoptr(GArray) calls = calls_of(root, engine, 0.5, 0, NULL);
      TEST_ASSERT_EQUAL_UINT(6, calls->len); /* lambda and dint of X, A, B */
      for (guint k = 0; k < 6; k++) {
        TEST_ASSERT_EQUAL_UINT(k / 2, g_array_index(calls, Call, k).atomic);
        TEST_ASSERT_TRUE(g_array_index(calls, Call, k).t == (k < 2 ? 0.03 : 0.29));
      }
    }
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_tree_and_flat_make_the_same_calls);
  RUN_TEST(test_a_run_in_pieces_is_the_same_run);
  RUN_TEST(test_any_order_of_ties_is_obeyed);
  RUN_TEST(test_depth_does_not_touch_an_instant);
  return UNITY_END();
}
