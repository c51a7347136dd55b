/* The order of ties where a block decides nothing but a mode of another one. */
#include "hydevs/hydevs.h"
#include "hydevs/load.h"

#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

/* Whether the block A has its turn before B. */
static gboolean is_before(const char *inside, const char *a, const char *b)
{
  g_autofree char *text =
      g_strconcat("<hydevs xmlns='urn:hydevs:1' name='m'>", inside, "</hydevs>", NULL);
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
  g_autofree char *wrong = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, wrong);
  g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), HY_FLAT, NULL);
  guint first = 0, second = 0;
  TEST_ASSERT_TRUE(hy_sim_find(sim, a, &first));
  TEST_ASSERT_TRUE(hy_sim_find(sim, b, &second));
  return first < second;
}

#define SOURCES "<integrator name='x' in='-x' x0='1'/><integrator name='y' in='-y' x0='1'/>"

/* What the switch says does not follow what it is turned by, but a glitch would be heard: the one
 * that turns it goes first, wherever the file names it and whatever it is called. */
static void test_what_turns_a_switch_goes_before_it(void)
{
  TEST_ASSERT_TRUE(is_before(SOURCES "<switch name='s' control='z' on='x' off='2' level='1'/>"
                                     "<gain name='z' in='y' k='2'/>",
                             "z", "s"));
  TEST_ASSERT_TRUE(is_before(SOURCES "<gain name='z' in='y' k='2'/>"
                                     "<switch name='s' control='z' on='x' off='2' level='1'/>",
                             "z", "s"));
}

/* In a loop that nothing else breaks it cannot: what the switch says feeds the one that turns it.
 */
static void test_in_a_loop_the_switch_goes_first(void)
{
  TEST_ASSERT_TRUE(is_before(SOURCES "<switch name='s' control='a' on='x' off='2' level='1'/>"
                                     "<gain name='a' in='s' k='2'/>",
                             "s", "a"));
  TEST_ASSERT_TRUE(is_before(SOURCES "<gain name='a' in='s' k='2'/>"
                                     "<switch name='s' control='a' on='x' off='2' level='1'/>",
                             "s", "a"));
}

/* In a loop that a block breaks it can, and must: a solution that has passed it is whole. */
static void test_in_a_broken_loop_what_turns_a_switch_goes_before_it(void)
{
  TEST_ASSERT_TRUE(is_before("<loop_breaker name='b' in='s'/>"
                             "<switch name='s' control='z' on='b' off='0' level='1'/>"
                             "<gain name='z' in='b' k='2'/>",
                             "z", "s"));
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_what_turns_a_switch_goes_before_it);
  RUN_TEST(test_in_a_loop_the_switch_goes_first);
  RUN_TEST(test_in_a_broken_loop_what_turns_a_switch_goes_before_it);
  return UNITY_END();
}
