/* Which states decide together: those that have a group method from the same element. */
#include "group_run.h"

#define GROUP_METHOD "backward_euler"

#define PAIR                                                                                       \
  "<integrator name=\"x\" in=\"y\" x0=\"1\"/><integrator name=\"y\" in=\"-4*x - 100*y\"/>"

/* STATES: of each group, ends with 0. */
static void check_groups(const char *inside, const char *numerics, const guint *states)
{
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    Run r;
    setup_with(&r, inside, numerics, engines[e]);
    guint n = 0;
    for (; states[n] > 0; n++) {
      HyGroupTotals g;
      TEST_ASSERT_TRUE_MESSAGE(n < hy_sim_n_groups(r.sim), inside);
      hy_sim_group(r.sim, n, &g);
      TEST_ASSERT_EQUAL_UINT_MESSAGE(states[n], g.states, inside);
    }
    TEST_ASSERT_EQUAL_UINT_MESSAGE(n, hy_sim_n_groups(r.sim), inside);
    go(&r, 1);
    clear(&r);
  }
}

#define CHECK(inside, numerics, ...) check_groups(inside, numerics, (const guint[]){__VA_ARGS__, 0})

#define EXPERIMENT "method=\"" GROUP_METHOD "\" hstep=\"0.01\""
#define IN_TYPE    "<type name=\"c\" " EXPERIMENT ">" PAIR "</type>"
#define COPIES     "<coupled name=\"c\" count=\"3\">" PAIR "</coupled>"

static void test_the_experiment_makes_one_group_of_all(void)
{
  CHECK(COPIES PAIR, EXPERIMENT, 8);
  CHECK(COPIES "<integrator name=\"q\" in=\"-q\" method=\"qss2\"/>", EXPERIMENT, 6);
}

static void test_a_type_makes_a_group_of_each_copy(void)
{
  CHECK(IN_TYPE "<block type=\"c\" name=\"c\" count=\"3\"/>", "", 2, 2, 2);
}

static void test_a_coupled_block_makes_one_group_of_all_its_copies(void)
{
  CHECK("<coupled name=\"c\" count=\"3\" " EXPERIMENT ">" PAIR "</coupled>" PAIR, EXPERIMENT, 6, 2);
}

static void test_an_integrator_makes_one_group_of_all_its_copies(void)
{
  CHECK("<integrator name=\"x\" count=\"4\" in=\"-x[i]\" " EXPERIMENT "/>"
        "<integrator name=\"y\" in=\"-y\" " EXPERIMENT "/>",
        "", 4, 1);
}

static void test_a_set_makes_one_group_of_what_it_meets(void)
{
  Run r;
  HyGroupTotals g;
  load(&r,
       "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">" COPIES "<experiment stop=\"1\" method=\"qss2\">"
       "<set block=\"c[*]/x\" " EXPERIMENT "/><set block=\"c[3]/y\" " EXPERIMENT "/>"
       "</experiment></hydevs>",
       HY_FLAT);
  start(&r);
  TEST_ASSERT_EQUAL_UINT(2, hy_sim_n_groups(r.sim));
  hy_sim_group(r.sim, 0, &g);
  TEST_ASSERT_EQUAL_UINT(3, g.states);
  hy_sim_group(r.sim, 1, &g);
  TEST_ASSERT_EQUAL_UINT(1, g.states);
  clear(&r);
}

/* Two stiff states that stop each other pair only within a group. */
static guint64 pairs(const char *own, const char *numerics)
{
  g_autofree char *text = g_strdup_printf("<integrator name=\"x\" in=\"-1e4*(x - y) + 1\" %s/>"
                                          "<integrator name=\"y\" in=\"1e4*(x - y)\" %s/>",
                                          own, own);
  Run r;
  HyTotals t;
  setup_with(&r, text, numerics, HY_FLAT);
  go(&r, 1);
  hy_sim_totals(r.sim, &t);
  clear(&r);
  return t.pairs;
}

static void test_states_of_mliqss_pair_only_within_their_group(void)
{
  TEST_ASSERT_TRUE(pairs("", "method=\"mliqss2\"") > 0);
  TEST_ASSERT_EQUAL_UINT64(0, pairs("method=\"mliqss2\"", ""));
}

static void test_a_group_has_one_step(void)
{
  Run r;
  g_autoptr(GError) error = NULL;
  load(&r,
       "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\"><coupled name=\"c\" " EXPERIMENT ">"
       "<integrator name=\"x\" in=\"-x\"/><integrator name=\"y\" in=\"-y\" hstep=\"0.02\"/>"
       "</coupled></hydevs>",
       HY_FLAT);
  TEST_ASSERT_FALSE(hy_sim_init(r.sim, 0, &error));
  TEST_ASSERT_EQUAL_STRING("c/y: hstep = 0.02, but c/x of the same group has 0.01; a group has one "
                           "step, so state hstep where the method is stated",
                           error->message);
  clear(&r);
}

void setUp(void)
{
}

void tearDown(void)
{
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_experiment_makes_one_group_of_all);
  RUN_TEST(test_a_type_makes_a_group_of_each_copy);
  RUN_TEST(test_a_coupled_block_makes_one_group_of_all_its_copies);
  RUN_TEST(test_an_integrator_makes_one_group_of_all_its_copies);
  RUN_TEST(test_a_set_makes_one_group_of_what_it_meets);
  RUN_TEST(test_states_of_mliqss_pair_only_within_their_group);
  RUN_TEST(test_a_group_has_one_step);
  return UNITY_END();
}
