/* The limit of events at one instant is that of the blocks which take part in them: the same loop
 * ends as early in a large model as in a small one, after the same cycles on every engine; and a
 * long cascade through many blocks is no loop. */
#include "hydevs/hydevs.h"

#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

/* Says `left` events at the same instant, as soon as it has got one. */
typedef struct {
  double left;
} Burst;

static void burst_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)t;
  (void)e;
  ((Burst *)state)->left += x->value.c[0];
}

static void burst_dint(void *state, double t)
{
  (void)t;
  ((Burst *)state)->left--;
}

static double burst_ta(const void *state)
{
  return ((const Burst *)state)->left > 0 ? 0 : INFINITY;
}

static HyEvent burst_lambda(const void *state, double t)
{
  (void)state;
  (void)t;
  return (HyEvent){.port = 0, .value = {{1}, NULL}};
}

static const HyPort burst_in[] = {{.name = "in", .kind = HY_EVENT, .optional = TRUE}, {0}};
static const HyPort burst_out[] = {{.name = "out", .kind = HY_EVENT}, {0}};
static const HyParam burst_params[] = {HY_PARAM(Burst, left, .text = "0"), {0}};
static const HyAtomicClass burst_class = {.name = "burst",
                                          .state_size = sizeof(Burst),
                                          .params = burst_params,
                                          .in = burst_in,
                                          .out = burst_out,
                                          .dint = burst_dint,
                                          .dext = burst_dext,
                                          .lambda = burst_lambda,
                                          .ta = burst_ta};

static guint add(HyModel *root, guint number, const char *left)
{
  g_autofree char *name = g_strdup_printf("b%u", number);
  guint k = hy_model_add(root, name, &burst_class);
  TEST_ASSERT_TRUE(hy_model_set(root, k, "left", left, NULL));
  return k;
}

static void connect(HyModel *root, guint from, guint to)
{
  TEST_ASSERT_TRUE(hy_model_connect(root, from, 0, to, 0, NULL));
}

/* N blocks, of which the last two throw one event to and fro, and WIDE more. */
static HyModel *ring(guint n, guint wide)
{
  HyModel *root = hy_model_new("m");
  for (guint k = 0; k < n + wide; k++) {
    add(root, k, k + 1 == n ? "1" : "0");
  }
  connect(root, n - 2, n - 1);
  connect(root, n - 1, n - 2);
  return root;
}

/* Cycles until the run ends; the message in ERROR, if there is one. */
static guint64 cycles_of(HyModel *root, HyEngine engine, GError **error)
{
  g_autoptr(HySim) sim = hy_sim_new(root, engine, error);
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0, error));
  hy_sim_run(sim, 1, error);
  HyTotals totals;
  hy_sim_totals(sim, &totals);
  return totals.cycles;
}

static void test_a_loop_of_two_ends_as_early_among_many(void)
{
  g_autoptr(HyModel) root = ring(20000, 0);
  for (HyEngine engine = HY_TREE; engine <= HY_FUSED; engine++) {
    g_autoptr(GError) error = NULL;
    TEST_ASSERT_EQUAL_UINT64(1000001, cycles_of(root, engine, &error));
    TEST_ASSERT_EQUAL_STRING("illegitimate at t = 0: more than 1000000 further events at one "
                             "instant; the last were of b19999, b19998",
                             error->message);
  }
}

/* 150 blocks hand on 8,000 events, one after another: more cycles than 100 of them may have. */
static void test_a_long_cascade_through_many_is_legitimate(void)
{
  for (HyEngine engine = HY_TREE; engine <= HY_FUSED; engine++) {
    g_autoptr(HyModel) root = hy_model_new("m");
    for (guint k = 0; k < 150; k++) {
      add(root, k, k == 0 ? "8000" : "0");
      if (k > 0) {
        connect(root, k - 1, k);
      }
    }
    g_autoptr(GError) error = NULL;
    guint64 cycles = cycles_of(root, engine, &error);
    TEST_ASSERT_NULL_MESSAGE(error, error != NULL ? error->message : "");
    TEST_ASSERT_EQUAL_UINT64(150 * 8000, cycles);
  }
}

/* Each second event goes to 50,000 blocks more: 100 million inputs in 4,000 cycles after the first
 * 1,024. */
static void test_events_to_very_many_end_earlier(void)
{
  g_autoptr(HyModel) root = ring(2, 50000);
  for (guint k = 0; k < 50000; k++) {
    connect(root, 0, 2 + k);
  }
  g_autoptr(GError) error = NULL;
  guint64 cycles = cycles_of(root, HY_FLAT, &error);
  TEST_ASSERT_NOT_NULL(error);
  TEST_ASSERT_EQUAL_INT(HY_ERROR_ILLEGITIMATE, error->code);
  TEST_ASSERT_EQUAL_STRING("illegitimate at t = 0: 5023 events at one instant, to more than "
                           "100000000 inputs; the last were of b1, b0",
                           error->message);
  TEST_ASSERT_EQUAL_UINT64(5023, cycles);
}

/* Who states a limit gets that one, whatever takes part. */
static void test_a_stated_limit_is_exact(void)
{
  g_autoptr(HyModel) root = ring(100, 0);
  for (HyEngine engine = HY_TREE; engine <= HY_FUSED; engine++) {
    g_autoptr(GError) error = NULL;
    g_autoptr(HySim) sim = hy_sim_new(root, engine, &error);
    hy_sim_set_limit(sim, 1200345);
    TEST_ASSERT_TRUE(hy_sim_init(sim, 0, &error));
    TEST_ASSERT_FALSE(hy_sim_run(sim, 1, &error));
    HyTotals totals;
    hy_sim_totals(sim, &totals);
    TEST_ASSERT_EQUAL_UINT64(1200346, totals.cycles);
  }
}

/* Behind a copy that is put back in the middle of an instant the limit is where it was. */
static void test_a_copy_remembers_who_took_part(void)
{
  g_autoptr(HyModel) root = ring(2, 0);
  g_autoptr(GError) error = NULL;
  g_autoptr(HySim) sim = hy_sim_new(root, HY_FLAT, &error);
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0, &error));
  gboolean done = TRUE;
  for (guint k = 0; k < 3000; k++) {
    TEST_ASSERT_TRUE(hy_sim_step(sim, 1, &done, &error));
  }
  HySnapshot *snapshot = hy_sim_save(sim, &error);
  for (guint k = 0; k < 2; k++) {
    g_clear_error(&error);
    TEST_ASSERT_FALSE(hy_sim_run(sim, 1, &error));
    HyTotals totals;
    hy_sim_totals(sim, &totals);
    TEST_ASSERT_EQUAL_UINT64(1000001, totals.cycles);
    TEST_ASSERT_TRUE(hy_sim_load(sim, snapshot, NULL));
  }
  hy_snapshot_free(snapshot);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_loop_of_two_ends_as_early_among_many);
  RUN_TEST(test_a_long_cascade_through_many_is_legitimate);
  RUN_TEST(test_events_to_very_many_end_earlier);
  RUN_TEST(test_a_stated_limit_is_exact);
  RUN_TEST(test_a_copy_remembers_who_took_part);
  return UNITY_END();
}
