/* DEVStone and RING against their closed forms, on both engines. */
#include "closed_form.h"

#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static HyTotals run(HyModel *root, HyEngine engine, double tf)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(HySim) sim = hy_sim_new(root, engine, &error);
  TEST_ASSERT_NOT_NULL(sim);
  hy_sim_set_limit(sim, 0);
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0, &error));
  TEST_ASSERT_TRUE(hy_sim_run(sim, tf, &error));
  HyTotals totals;
  hy_sim_totals(sim, &totals);
  return totals;
}

static void check_size(DevstoneKind kind, guint w, guint d)
{
  Expected e = expected(kind, w, d);
  g_autofree char *what = g_strdup_printf("model %d %ux%u", kind, w, d);
  g_autoptr(HyModel) root = devstone_new(kind, w, d, FALSE);
  HyCounts c;
  hy_model_count(hy_model_coupled(root, 1), &c);
  TEST_ASSERT_EQUAL_MEMORY_MESSAGE(&e.structure, &c, sizeof c, what);
  HyTotals tree = run(root, HY_TREE, 1), flat = run(root, HY_FLAT, 1);
  TEST_ASSERT_EQUAL_UINT64_MESSAGE(e.run.n_int + 1, tree.n_int,
                                   what); /* the seeder's is one more */
  TEST_ASSERT_EQUAL_UINT64_MESSAGE(e.run.n_ext, tree.n_ext, what);
  TEST_ASSERT_EQUAL_UINT64_MESSAGE(e.run.n_int + 1, tree.cycles, what);
  TEST_ASSERT_EQUAL_UINT64_MESSAGE(e.run.n_int + 1, flat.n_int, what);
  TEST_ASSERT_EQUAL_UINT64_MESSAGE(e.run.n_ext, flat.n_ext, what);
  TEST_ASSERT_EQUAL_UINT64_MESSAGE(e.run.i, tree.i, what);
  TEST_ASSERT_EQUAL_UINT64_MESSAGE(e.run.star, tree.star, what);
  TEST_ASSERT_EQUAL_UINT64_MESSAGE(e.run.x, tree.x, what);
  TEST_ASSERT_EQUAL_UINT64_MESSAGE(e.run.y, tree.y, what);
  TEST_ASSERT_EQUAL_UINT64_MESSAGE(e.run.done, tree.done, what);
}

static void test_structure_transitions_and_messages_are_the_closed_forms(void)
{
  for (DevstoneKind kind = DEVSTONE_LI; kind <= DEVSTONE_HOMOD; kind++) {
    for (guint w = 1; w <= 8; w++) {
      for (guint d = 1; d <= 8; d++) {
        check_size(kind, w, d);
      }
    }
  }
}

static void test_larger_sizes(void)
{
  static const guint sizes[][2] = {{10, 10}, {20, 5}, {5, 20}};
  for (DevstoneKind kind = DEVSTONE_LI; kind <= DEVSTONE_HOMOD; kind++) {
    for (gsize k = 0; k < G_N_ELEMENTS(sizes); k++) {
      check_size(kind, sizes[k][0], sizes[k][1]);
    }
  }
}

/* With the inner model first the work grows exponentially: any other order of flattening shows at
 * once. */
static void test_homod_with_the_inner_model_first(void)
{
  static const guint cases[][3] = {{2, 2, 4}, {3, 3, 64}, {4, 3, 235}, {3, 4, 388}, {5, 5, 252631}};
  for (gsize k = 0; k < G_N_ELEMENTS(cases); k++) {
    for (HyEngine engine = HY_TREE; engine <= HY_FLAT; engine++) {
      g_autoptr(HyModel) root = devstone_new(DEVSTONE_HOMOD, cases[k][0], cases[k][1], TRUE);
      HyTotals n = run(root, engine, 1);
      TEST_ASSERT_EQUAL_UINT64(cases[k][2] + 1, n.n_int);
      TEST_ASSERT_EQUAL_UINT64(cases[k][2], n.n_ext);
    }
  }
}

static void test_ring(void)
{
  static const struct {
    guint n;
    double until;
    guint64 count;
  } cases[] = {{10, 20000.0 / 10 + 0.0371, 22768},
               {100, 20000.0 / 100 + 0.0371, 22144},
               {1000, 20000.0 / 1000 + 0.0371, 21509},
               {10000, 40000.0 / 10000 + 0.0371, 39170},
               {10, 2000, 22767} /* an event at the end time is executed */};
  for (gsize k = 0; k < G_N_ELEMENTS(cases); k++) {
    for (HyEngine engine = HY_TREE; engine <= HY_FLAT; engine++) {
      g_autoptr(HyModel) root = ring_new(cases[k].n);
      HyTotals n = run(root, engine, cases[k].until);
      TEST_ASSERT_EQUAL_UINT64(cases[k].count, n.n_int);
      TEST_ASSERT_EQUAL_UINT64(cases[k].count, n.n_ext);
    }
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_structure_transitions_and_messages_are_the_closed_forms);
  RUN_TEST(test_larger_sizes);
  RUN_TEST(test_homod_with_the_inner_model_first);
  RUN_TEST(test_ring);
  return UNITY_END();
}
