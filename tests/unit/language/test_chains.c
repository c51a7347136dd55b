/* What before= and after= give to a chain whose blocks have several ports: the port that is asked
 * for. Every model is made of integrators of constants, so that x(1) is known in closed form. */
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

/* An edge that says u = 1 and v = 3, w = (5, 7); cells that add up what they are told. */
#define EDGE                                                                                       \
  "<type name=\"edge\"><constant name=\"u\" value=\"1\"/><constant name=\"v\" value=\"3\"/>"       \
  "<constant name=\"c\" count=\"2\" value=\"3 + 2*i\"/>"                                           \
  "<out name=\"u\"/><out name=\"v\"/><out name=\"w\" count=\"2\" from=\"c[i]\"/></type>"
#define CELL                                                                                       \
  "<type name=\"cell\"><in name=\"a\"/><in name=\"b\"/><in name=\"p\" count=\"2\"/>"               \
  "<integrator name=\"x\" in=\"a\"/><integrator name=\"y\" in=\"b\"/>"                             \
  "<integrator name=\"z\" in=\"p[1] + 10*p[2]\"/><function name=\"c\" count=\"2\" "                \
  "formula=\"i*z\"/>"                                                                              \
  "<out name=\"u\" from=\"x\"/><out name=\"v\" from=\"y\"/>"                                       \
  "<out name=\"w\" count=\"2\" from=\"c[i]\"/></type>"
#define ONE "<type name=\"one\"><constant name=\"k\" value=\"2\"/><out name=\"k\"/></type>"

static HyLoaded *load(const char *blocks, HyReport *report)
{
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">\n" EDGE CELL ONE
                      "\n<block name=\"edge\" type=\"edge\"/>"
                      "<block name=\"one\" type=\"one\"/>"
                      "<constant name=\"k\" value=\"4\"/>\n%s\n</hydevs>",
                      blocks);
  return hy_load_memory(text, strlen(text), "m.xml", &(HyLoadOptions){0}, report);
}

/* The states x, y, z of CELL at t = 1, the same on every engine. */
static void assert_cell(const char *blocks, const char *cell, const double *wanted)
{
  for (HyEngine engine = HY_TREE; engine <= HY_FUSED; engine++) {
    g_autoptr(HyReport) report = hy_report_new();
    g_autoptr(HyLoaded) loaded = load(blocks, report);
    g_autofree char *said = hy_report_text(report);
    TEST_ASSERT_NOT_NULL_MESSAGE(loaded, said);
    g_autoptr(GError) error = NULL;
    g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), engine, &error);
    TEST_ASSERT_TRUE(hy_sim_init(sim, 0, &error) && hy_sim_run(sim, 1, &error));
    for (guint k = 0; k < 3; k++) {
      g_autofree char *path = g_strdup_printf("%s/%c", cell, (char)('x' + (int)k));
      guint atomic;
      TEST_ASSERT_TRUE_MESSAGE(hy_sim_find(sim, path, &atomic), path);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-12, wanted[k], hy_sim_value(sim, atomic, 1), path);
    }
  }
}

#define CHAIN(ends, at)                                                                            \
  "<block name=\"cell\" type=\"cell\" count=\"2\" " ends " a=\"cell[" at "].u\" b=\"cell[" at      \
  "].v\" p=\"cell[" at "].w[*]\"/>"
#define FORMULAS(ends)                                                                             \
  "<block name=\"cell\" type=\"cell\" count=\"2\" " ends                                           \
  " a=\"2*cell[i-1].u\" b=\"2*cell[i-1].v\" p=\"2*cell[i-1].w[1], 2*cell[i-1].w[2]\"/>"

static void test_the_port_that_is_asked_for(void)
{
  const double own[] = {1, 3, 75}, twice[] = {2, 6, 150}, ones[] = {2, 2, 22}, fixed[] = {3, 3, 33},
               number[] = {9, 9, 99}, named[] = {4, 4, 44}, sums[] = {5, 7, 119};
  assert_cell(CHAIN("before=\"edge\"", "i-1"), "cell[1]", own);
  assert_cell(CHAIN("after=\"edge\"", "i+1"), "cell[2]", own);
  assert_cell(FORMULAS("before=\"edge\""), "cell[1]", twice);
  assert_cell(CHAIN("before=\"2*edge\"", "i-1"), "cell[1]", twice); /* in its formula, too */
  assert_cell(CHAIN("before=\"edge + k\"", "i-1"), "cell[1]", sums);
  assert_cell(CHAIN("before=\"one\"", "i-1"), "cell[1]", ones); /* its only output */
  assert_cell(CHAIN("before=\"k\"", "i-1"), "cell[1]", named);
  assert_cell(CHAIN("before=\"edge.v\"", "i-1"), "cell[1]", fixed); /* as it is stated */
  assert_cell(CHAIN("before=\"9\"", "i-1"), "cell[1]", number);
}

static void test_a_port_that_the_end_does_not_have(void)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded =
      load("<type name=\"two\"><constant name=\"u\" value=\"1\"/>"
           "<constant name=\"q\" value=\"1\"/>"
           "<out name=\"u\"/><out name=\"q\"/></type>"
           "<block name=\"two\" type=\"two\"/>" CHAIN("before=\"two\"", "i-1"),
           report);
  g_autofree char *said = hy_report_text(report);
  TEST_ASSERT_NULL(loaded);
  TEST_ASSERT_EQUAL_STRING("m.xml:4: cell[1]: two two has no output \"v\"; it has: u, q\n"
                           "m.xml:4: cell[1]: two two has no output \"w\"; it has: u, q\n",
                           said);
}

/* All to all: x_k' = x_1 + x_2 + x_3 - 4 x_k, from 1, is x = exp(-t); each copy hears itself, too.
 */
static void test_a_copy_may_hear_itself(void)
{
  static const char star[] =
      "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\"><type name=\"star\"><in name=\"X\" count=\"3\"/>"
      "<integrator name=\"x\" in=\"sum(X[*]) - 4*x\" x0=\"1\" method=\"qss3\" dqrel=\"1e-6\" "
      "dqmin=\"1e-9\"/><out name=\"x\"/></type>"
      "<block name=\"star\" type=\"star\" count=\"3\" X=\"star[*].x\"/></hydevs>";
  for (HyEngine engine = HY_TREE; engine <= HY_FUSED; engine++) {
    g_autoptr(HyReport) report = hy_report_new();
    g_autoptr(HyLoaded) loaded = hy_load_memory(star, strlen(star), "m.xml", NULL, report);
    g_autofree char *said = hy_report_text(report);
    TEST_ASSERT_NOT_NULL_MESSAGE(loaded, said);
    g_autoptr(GError) error = NULL;
    g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), engine, &error);
    TEST_ASSERT_TRUE(hy_sim_init(sim, 0, &error) && hy_sim_run(sim, 1, &error));
    guint atomic;
    TEST_ASSERT_TRUE(hy_sim_find(sim, "star[2]/x", &atomic));
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.36787944117144233, hy_sim_value(sim, atomic, 1));
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_port_that_is_asked_for);
  RUN_TEST(test_a_port_that_the_end_does_not_have);
  RUN_TEST(test_a_copy_may_hear_itself);
  return UNITY_END();
}
