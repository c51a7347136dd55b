/* Ways to feed an input that other tests do not take. Every model is one state x, the integral of a
 * constant, so that x(1) is known in closed form; or it is wrong, and the words are known. */
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

static HyLoaded *load(const char *inside, HyReport *report)
{
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">\n%s\n</hydevs>", inside);
  return hy_load_memory(text, strlen(text), "m.xml", &(HyLoadOptions){0}, report);
}

/* x(1), the same on every engine; nothing is reported. */
static void assert_x(double wanted, const char *inside)
{
  for (HyEngine engine = HY_TREE; engine <= HY_FUSED; engine++) {
    g_autoptr(HyReport) report = hy_report_new();
    g_autoptr(HyLoaded) loaded = load(inside, report);
    g_autofree char *reported = hy_report_text(report);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("", reported, inside);
    g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), engine, NULL);
    guint x;
    TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL) && hy_sim_run(sim, 1, NULL));
    TEST_ASSERT_TRUE(hy_sim_find(sim, "x", &x));
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-12, wanted, hy_sim_value(sim, x, 1), inside);
  }
}

static void test_an_output_may_be_a_number(void)
{
  assert_x(3, "<type name=\"t\"><out name=\"y\" from=\"3\"/></type>"
              "<block name=\"b\" type=\"t\"/><integrator name=\"x\" in=\"b\"/>");
  assert_x(11, "<type name=\"t\"><out name=\"y\" count=\"2\" from=\"4 + i\"/></type>"
               "<block name=\"b\" type=\"t\"/><integrator name=\"x\" in=\"b.y[1] + b.y[2]\"/>");
}

/* Two blocks of one name: a reference means the one that is there. */
static void test_of_one_name_the_block_that_is_there_is_meant(void)
{
  for (int k = 1; k <= 2; k++) {
    g_autofree char *text = g_strdup_printf(
        "<param name=\"k\" value=\"%d\"/>"
        "<constant name=\"c\" value=\"5\" if=\"k == 1\"/>"
        "<constant name=\"c\" value=\"7\" if=\"k == 2\"/><integrator name=\"x\" in=\"2*c\"/>",
        k);
    assert_x(k == 1 ? 10 : 14, text);
  }
}

/* The array is as long as the highest index that a wire names, copies counted. */
static void test_wires_fill_arrays_of_ports(void)
{
  assert_x(12, "<constant name=\"a\" value=\"5\"/><constant name=\"b\" value=\"7\"/>"
               "<sum name=\"s\"/><wire from=\"a\" to=\"s.in[1]\"/><wire from=\"b\" to=\"s.in[2]\"/>"
               "<integrator name=\"x\" in=\"s\"/>");
  assert_x(6,
           "<constant name=\"a\" count=\"3\" value=\"i\"/><sum name=\"s\"/>"
           "<wire count=\"3\" from=\"a[i]\" to=\"s.in[4 - i]\"/><integrator name=\"x\" in=\"s\"/>");
}

/* An input port that does not say what it carries is what a wire inside leads it to. */
static void test_a_wire_decides_what_a_port_carries(void)
{
  static const char events[] = "<type name=\"t\"><in name=\"u\"/><counter name=\"n\"/>"
                               "<wire from=\"u\" to=\"n.in\"/><out name=\"y\" from=\"n\"/></type>"
                               "<block name=\"b\" type=\"t\" u=\"%s\"/>"
                               "<generator name=\"g\" period=\"0.25\" values=\"1, 1\"/>"
                               "<integrator name=\"x\" in=\"b\"/>";
  g_autofree char *fed = g_strdup_printf(events, "g"), *constant = g_strdup_printf(events, "3");
  assert_x(0.25 * 1 + 0.75 * 2, fed);
  g_autoptr(HyReport) report = hy_report_new();
  TEST_ASSERT_NULL(load(constant, report));
  g_autofree char *reported = hy_report_text(report);
  TEST_ASSERT_EQUAL_STRING("m.xml:2: b: input \"u\" takes events; a number is no event\n",
                           reported);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_an_output_may_be_a_number);
  RUN_TEST(test_of_one_name_the_block_that_is_there_is_meant);
  RUN_TEST(test_wires_fill_arrays_of_ports);
  RUN_TEST(test_a_wire_decides_what_a_port_carries);
  return UNITY_END();
}
