/* Whether states form a chain, where that is known from the model. */
#include "equations/chain.h"
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

/* The narrowest layers with which it is one. */
static void check(const char *inside, guint narrowest)
{
  g_autofree char *text = g_strconcat("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">", inside,
                                      "<experiment method=\"qss2\"/></hydevs>", NULL);
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
  TEST_ASSERT_NOT_NULL(loaded);
  g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), HY_FLAT, NULL);
  TEST_ASSERT_TRUE(hy_sim_init_equations(sim, 0, NULL) && hy_sim_run(sim, 0, NULL));
  for (guint wide = 0; wide < 200; wide++) {
    TEST_ASSERT_EQUAL(wide >= narrowest, hy_room_is_chain(sim->room, wide));
  }
}

static void test_states_alone_and_in_a_row(void)
{
  check("<integrator name='x' count='9' in='-x[i]'/>", 1);
  check("<integrator name='x' count='9' in='if(i &gt; 1, x[i-1], 1) - x[i]'/>", 1);
  check("<integrator name='x' count='9' in='if(i &lt; 9, x[i+1], 1) - x[i]'/>", 1);
  /* the first of the file is in the middle */
  check("<integrator name='m' in='a[1] + b[1]'/>"
        "<integrator name='a' count='5' in='if(i &gt; 1, a[i-1], m)'/>"
        "<integrator name='b' count='7' in='if(i &gt; 1, b[i-1], m)'/>",
        1);
}

/* A ring is two rows; a ladder two, of which one begins a step later; a grid as wide as it is. */
static void test_what_is_wider(void)
{
  check("<integrator name='x' count='20' in='if(i &gt; 1, x[i-1], x[20])'/>", 2);
  check("<integrator name='x' count='20' in='if(i &gt; 1, x[i-1], 1) + y[i]'/>"
        "<integrator name='y' count='20' in='if(i &gt; 1, y[i-1], 1) + x[i]'/>",
        2);
  check("<integrator name='x' count='25' in='if(i &gt; 5, x[i-5], 0) + if(i == 1 or i == 6 or "
        "i == 11 or i == 16 or i == 21, 0, x[i-1])'/>",
        5);
}

/* All hear of one, or one of all: a star has its middle and all others, seen from an end. */
static void test_a_star_is_no_chain(void)
{
  check("<integrator name='x' count='30' in='m - x[i]'/><integrator name='m' in='-m'/>", 29);
  check("<integrator name='x' count='100' in='-x[i]'/><integrator name='m' in='sum(x[*])'/>", 99);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_states_alone_and_in_a_row);
  RUN_TEST(test_what_is_wider);
  RUN_TEST(test_a_star_is_no_chain);
  return UNITY_END();
}
