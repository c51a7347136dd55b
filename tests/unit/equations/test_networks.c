/* Which states make linear networks, and whether they are angles, where that is known from the
 * model. */
#include "equations/angles.h"
#include "equations/networks.h"
#include "equations/print.h"
#include "groups/groups.h"
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

static HyLoaded *load(const char *inside)
{
  g_autofree char *text = g_strconcat("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">", inside,
                                      "<experiment method=\"qss2\"/></hydevs>", NULL);
  g_autoptr(HyReport) report = hy_report_new();
  HyLoaded *loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
  g_autofree char *problems = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, problems);
  return loaded;
}

/* The states that are in, by name in the order of the file: "x y ". */
static void check(const char *inside, const char *expected)
{
  g_autoptr(HyLoaded) loaded = load(inside);
  g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), HY_FLAT, NULL);
  TEST_ASSERT_TRUE(hy_sim_init_equations(sim, 0, NULL) && hy_sim_run(sim, 0, NULL));
  guint n = hy_print_n_states(sim->room);
  g_autofree guint8 *in = g_new0(guint8, n + 1);
  g_autoptr(GString) text = g_string_new(NULL);
  hy_groups_find_exact(sim->room, in);
  hy_room_networks(sim->room, in);
  for (guint k = 0; k < n; k++) {
    g_autofree char *path = hy_sim_path(sim, hy_print_state_atomic(sim->room, k));
    g_string_append_printf(text, in[k] ? "%s " : "", path);
  }
  TEST_ASSERT_EQUAL_STRING(expected, text->str);
}

#define SWING                                                                                      \
  "<integrator name='l' in='(1 - v - 0.1*l)/2'/>"                                                  \
  "<integrator name='v' in='(l - v)/3'/>"

static void test_a_controller_that_is_not_linear_stays_outside(void)
{
  check(SWING "<integrator name='c' in='l*v'/>", "l v ");
  check(SWING "<integrator name='c' in='(1 - v)/(1 + v^2)'/>", "l v ");
  check(SWING "<integrator name='c' in='min(l, sqrt(abs(v)))'/>", "l v ");
}

/* A sine of the time is none of what bends; nor is a mode. */
static void test_sines_of_the_time_and_modes_are_linear(void)
{
  check("<integrator name='l' in='sin(3*t) - v'/><integrator name='v' in='if(l &gt; 0, l, 2*l)'/>"
        "<integrator name='c' in='l*v'/>",
        "l v ");
  check("<integrator name='l' in='sin(3*v) - v'/><integrator name='v' in='l'/>", "");
}

/* A coil that saturates bends what answers it, and what answers that, to the end. */
static void test_one_row_bends_its_network(void)
{
  check(SWING "<integrator name='w' in='v - w - w^3'/>", "l v ");
  check("<integrator name='l' in='1 - v'/><integrator name='v' in='l - w'/>"
        "<integrator name='w' in='v - w - w^3'/>",
        "");
  check("<integrator name='x' count='9' in='if(i &gt; 1, x[i-1], 1) - 2*x[i] + "
        "if(i &lt; 9, x[i+1], x[9]^2)'/>" SWING,
        "l v ");
}

/* An integral and a filter go with what they read, and on from there. */
static void test_what_nobody_answers_goes_with_what_it_reads(void)
{
  check(SWING "<integrator name='p' in='1 - v'/><integrator name='f' in='p - f'/>", "l v p f ");
  check(SWING "<integrator name='c' in='l*v'/><integrator name='f' in='c + v - f'/>"
              "<integrator name='g' in='f - g'/><integrator name='h' in='v - h'/>",
        "l v h ");
  check("<integrator name='a' in='w'/><integrator name='w' in='1 - q*a*a'/>"
        "<integrator name='q' in='-1'/>",
        "q ");
}

/* The network may hear of the rest; two that only hear of each other's controllers are two. */
static void test_a_network_may_hear_of_the_rest(void)
{
  check("<integrator name='l' in='c - v'/><integrator name='v' in='l - v'/>"
        "<integrator name='c' in='1 - v*v'/>",
        "l v ");
  check("<integrator name='l' in='c - v'/><integrator name='v' in='l - v'/>"
        "<integrator name='c' in='1 - l*v'/>",
        "");
}

/* Through a hub, the mean of forty. */
static void test_hubs_are_looked_through(void)
{
#define FORTY(of)                                                                                  \
  "<function name='m' formula='sum(x[*])/40'/>"                                                    \
  "<integrator name='x' count='40' in='m - x[i]'/><integrator name='y' in='" of "'/>"
  g_autoptr(GString) all = g_string_new(NULL);
  for (int k = 1; k <= 40; k++) {
    g_string_append_printf(all, "x[%d] ", k);
  }
  check(FORTY("m*m - y"), all->str);
  check(FORTY("m*m + x[1] - y^3") "<integrator name='z' in='m + y'/>", all->str);
  g_string_append(all, "y ");
  check(FORTY("m - y"), all->str);
  check("<function name='m' formula='sum(x[*])^2/40'/>"
        "<integrator name='x' count='40' in='m - x[i]'/><integrator name='y' in='m - y'/>" SWING,
        "l v ");
}

static void check_angles(const char *inside, gboolean expected)
{
  g_autoptr(HyLoaded) loaded = load(inside);
  g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), HY_FLAT, NULL);
  TEST_ASSERT_TRUE(hy_sim_init_equations(sim, 0, NULL) && hy_sim_run(sim, 0, NULL));
  guint8 first[8] = {1};
  TEST_ASSERT_EQUAL_MESSAGE(expected, hy_room_has_angles(sim->room, first), inside);
}

/* The first state is asked for: whether a sine is taken of it, at once. */
static void test_angles_are_what_sines_are_taken_of(void)
{
  check_angles("<integrator name='x' in='y'/><integrator name='y' in='-sin(x)'/>", TRUE);
  check_angles("<integrator name='x' in='y'/><integrator name='y' in='-x'/>", FALSE);
  check_angles("<integrator name='x' in='y*sin(t)'/><integrator name='y' in='cos(y)'/>", FALSE);
  check_angles("<integrator name='x' in='y'/><function name='p' formula='2*x + 1'/>"
               "<function name='q' formula='if(cos(p) &gt; 0, 1, 0)'/>"
               "<integrator name='y' in='q'/>",
               TRUE);
  check_angles("<integrator name='x' in='1'/><integrator name='y' in='x'/>"
               "<function name='q' formula='sin(y)'/><integrator name='z' in='q'/>",
               FALSE);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_controller_that_is_not_linear_stays_outside);
  RUN_TEST(test_sines_of_the_time_and_modes_are_linear);
  RUN_TEST(test_one_row_bends_its_network);
  RUN_TEST(test_what_nobody_answers_goes_with_what_it_reads);
  RUN_TEST(test_a_network_may_hear_of_the_rest);
  RUN_TEST(test_hubs_are_looked_through);
  RUN_TEST(test_angles_are_what_sines_are_taken_of);
  return UNITY_END();
}
