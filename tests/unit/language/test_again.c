/* A formula that many copies and instances have is folded once, where the same comes of it; here it
 * does not always: indices meet, conditions turn, numbers change, blocks are left out. Every model
 * is made of integrators of constants, so that x(1) is known in closed form. */
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

#define N 6

static HyLoaded *load(const char *blocks, HyReport *report)
{
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\"><param name=\"p\" value=\"3\"/>"
                      "<constant name=\"c\" count=\"%d\" value=\"i\"/>"
                      "<constant name=\"d\" count=\"%d\" value=\"10*i\"/>\n%s\n</hydevs>",
                      N, N, blocks);
  return hy_load_memory(text, strlen(text), "m.xml", &(HyLoadOptions){0}, report);
}

/* The states PATH, in which %u is 1 to N, at t = 1. */
static void assert_states(const char *blocks, const char *path, const double *wanted)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = load(blocks, report);
  g_autofree char *said = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, said);
  g_autoptr(GError) error = NULL;
  g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), HY_FLAT, &error);
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0, &error) && hy_sim_run(sim, 1, &error));
  for (guint k = 0; k < N; k++) {
    g_auto(GStrv) parts = g_strsplit(path, "%u", 2);
    g_autofree char *one = g_strdup_printf("%s%u%s", parts[0], k + 1, parts[1]);
    guint atomic;
    TEST_ASSERT_TRUE_MESSAGE(hy_sim_find(sim, one, &atomic), one);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-12, wanted[k], hy_sim_value(sim, atomic, 1), one);
  }
}

#define COPIES(in) "<integrator name=\"x\" count=\"6\" in=\"" in "\"/>"

static void assert_copies(const char *blocks, double (*wanted)(double i))
{
  double all[N];
  for (guint k = 0; k < N; k++) {
    all[k] = wanted(k + 1);
  }
  assert_states(blocks, "x[%u]", all);
}

static double three_of_it(double i)
{
  return 3 * i + 1;
}

static double others(double i)
{
  return i + 10 * (7 - i) + 1;
}

static double met(double i)
{
  return i * 4 + i;
}

static double parted(double i)
{
  return 2 * (i < 4 ? i : 4);
}

static double turned(double i)
{
  return i < 4 ? i + 1 : 10 * i - 1;
}

static double numbered(double i)
{
  return i * i + i / 4;
}

static double summed(double i)
{
  return i * (i + 1) / 2 + 1;
}

/* Signals of other indices, and the same function of them. */
static void test_indices_are_those_of_the_copy(void)
{
  assert_copies(COPIES("p*c[i] + 1"), three_of_it);
  assert_copies(COPIES("c[i] + d[7 - i] + 1"), others);
}

/* c[i] and c[4] are two signals, except in the fourth copy; c[i] and the other one two from the
 * fifth copy on. */
static void test_signals_that_meet_and_part(void)
{
  assert_copies(COPIES("c[i]*c[4] + c[i]"), met);
  assert_copies(COPIES("c[min(i, 4)] + c[if(i &lt; 4, i, 4)]"), parted);
  assert_copies(COPIES("c[i]*c[4]/c[i]*c[i] + c[i]"), met);
}

/* A signal that stands twice in a formula is one input of it. */
static void test_a_signal_is_one_input(void)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = load(COPIES("c[i]*c[4]*c[i]"), report);
  const HyModel *m = hy_loaded_model(loaded);
  for (guint k = 1; k <= N; k++) {
    g_autofree char *name = g_strdup_printf("x[%u]:in", k);
    TEST_ASSERT_EQUAL_MESSAGE(k == 4 ? 1 : 2, hy_model_n_in(m, hy_model_find(m, name)), name);
  }
}

static void test_numbers_of_the_copy(void)
{
  assert_copies(COPIES("if(i &lt; 4, c[i] + 1, d[i] - 1)"), turned);
  assert_copies(COPIES("i*c[i] + c[i]/4"), numbered);
  assert_copies(COPIES("sum(c[1..i]) + c[1]"), summed);
}

/* Parameters and blocks that an instance has, or has not. */
static void test_instances(void)
{
  const double twos[] = {5, 5, 7, 7, 5, 5};
  assert_states("<type name=\"cell\"><param name=\"k\" value=\"2\"/><in name=\"u\"/>"
                "<integrator name=\"x\" in=\"k*u + 1\"/></type>"
                "<block type=\"cell\" name=\"a1\" u=\"c[2]\"/>"
                "<block type=\"cell\" name=\"a2\" u=\"c[2]\"/>"
                "<block type=\"cell\" name=\"a3\" u=\"c[2]\" k=\"3\"/>"
                "<block type=\"cell\" name=\"a4\" u=\"c[2]\" k=\"3\"/>"
                "<block type=\"cell\" name=\"a5\" u=\"c[2]\"/>"
                "<block type=\"cell\" name=\"a6\" u=\"c[2]\" k=\"2\"/>",
                "a%u/x", twos);
  const double ends[] = {2 * (4 + 1), 2 * (1 + 2), 2 * (2 + 3),
                         2 * (3 + 4), 2 * (4 + 5), 2 * (5 + 3)};
  assert_states("<integrator name=\"x\" count=\"6\" before=\"c[2] + 2\" after=\"4\" "
                "in=\"2*(if(i == 1, x[i-1], c[i-1]) + if(i == 6, x[i+1] - 1, c[i]))\"/>",
                "x[%u]", ends);
}

/* What a set gives to one copy is not given to those that had the same parameters. */
static void test_a_set_meets_one_copy(void)
{
  const double all[] = {1, 1, 6, 1, 1, 1};
  assert_states("<integrator name=\"x\" count=\"6\" in=\"0*c[i] + 1\" dqmin=\"0.001\"/>"
                "<experiment stop=\"1\"><set block=\"x[3]\" x0=\"5\"/></experiment>",
                "x[%u]", all);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_indices_are_those_of_the_copy);
  RUN_TEST(test_signals_that_meet_and_part);
  RUN_TEST(test_a_signal_is_one_input);
  RUN_TEST(test_numbers_of_the_copy);
  RUN_TEST(test_instances);
  RUN_TEST(test_a_set_meets_one_copy);
  return UNITY_END();
}
