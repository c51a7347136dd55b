/* Own rates and what comes back, where both are known from the matrix. */
#include "equations/print.h"
#include "equations/stiffness.h"
#include "hydevs/hydevs.h"
#include "sim/engine.h"

#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

/* Rates at 0 of a model: NOW and ANY of its first three states, in the order of the file. */
static void rates(const char *inside, HyStateRate *now, HyStateRate *any)
{
  g_autofree char *text = g_strconcat("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">", inside,
                                      "<experiment method=\"qss2\"/></hydevs>", NULL);
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
  TEST_ASSERT_NOT_NULL(loaded);
  g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), HY_FLAT, NULL);
  TEST_ASSERT_TRUE(hy_sim_init_equations(sim, 0, NULL) && hy_sim_run(sim, 0, NULL));
  memset(now, 0, 3 * sizeof *now);
  memset(any, 0, 3 * sizeof *any);
  TEST_ASSERT_TRUE(hy_print_n_states(sim->room) <= 3);
  hy_room_rates(sim->room, 0, now, any);
  HyStateRate again[3] = {{0}}, other[3] = {{0}};
  hy_room_rates(sim->room, 0, again, other); /* the room is as before */
  TEST_ASSERT_EQUAL_MEMORY(now, again, sizeof again);
  TEST_ASSERT_EQUAL_MEMORY(any, other, sizeof other);
}

static void check(const HyStateRate *r, double rate, double back)
{
  TEST_ASSERT_DOUBLE_WITHIN(1e-9 * rate, rate, r->rate);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9 * rate, back, r->back);
}

/* A = (-2 1 0; 1 -2 1; 0 1 -2) times 100. */
static void test_a_chain_that_diffuses(void)
{
  HyStateRate now[3], any[3];
  rates("<integrator name='x' count='3' in='100*(if(i &gt; 1, x[i-1], 1) - 2*x[i] + "
        "if(i &lt; 3, x[i+1], 0))'/>",
        now, any);
  check(&now[0], 200, 50);
  check(&now[1], 200, 100);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 50, now[1].next);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, now[0].next);
  check(&now[2], 200, 50);
  check(&any[1], 200, 100);
}

/* A = (-5 0; 7 -1000): nobody answers; of a swing nothing decays. */
static void test_what_is_triangular_and_what_swings(void)
{
  HyStateRate now[3], any[3];
  rates("<integrator name='a' in='-5*a'/><integrator name='b' in='7*a - 1000*b'/>", now, any);
  check(&now[0], 5, 0);
  check(&now[1], 1000, 0);
  rates("<integrator name='a' in='9*b'/><integrator name='b' in='-9*a'/>", now, any);
  check(&now[0], 0, 0);
  check(&now[1], 0, 0);
}

/* f = -x^3 + x y: df/dx = -3 x^2 + y = -11 at (2, 1); df/dy = 2; back 2 * 3 / 11. */
static void test_partials_are_those_of_now(void)
{
  HyStateRate now[3], any[3];
  rates("<integrator name='x' in='-x^3 + x*y' x0='2'/><integrator name='y' in='3*x - y' x0='1'/>",
        now, any);
  check(&now[0], 11, 6.0 / 11);
  check(&now[1], 1, 6.0 / 11);
}

/* A resistance of 1 or 1000 in a row with a coil of 0.1, and in that of a capacitor. */
static void test_each_mode_is_turned(void)
{
  HyStateRate now[3], any[3];
  rates("<constant name='g' value='1'/><switch name='R' control='g' on='1' off='1000'/>"
        "<integrator name='i' in='(5 - R*i - u)/0.1'/><integrator name='u' in='i - u/R'/>",
        now, any);
  check(&now[0], 10, 1);
  check(&any[0], 10000, 10 / 1e4);
  check(&now[1], 1, 1);
  check(&any[1], 1, 1);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_chain_that_diffuses);
  RUN_TEST(test_what_is_triangular_and_what_swings);
  RUN_TEST(test_partials_are_those_of_now);
  RUN_TEST(test_each_mode_is_turned);
  return UNITY_END();
}
