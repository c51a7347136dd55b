/* The equations of a model that has none are told like those of any. */
#include "hydevs/equations.h"
#include "hydevs/load.h"
#include "hydevs/report.h"
#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static void no_states(const char *body)
{
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns='urn:hydevs:1' name='m'>%s</hydevs>", body);
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
  TEST_ASSERT_NOT_NULL(loaded);
  g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), HY_FLAT, NULL);
  g_autoptr(HyEquations) e = hy_equations_new(sim, 0.0, NULL);
  g_autoptr(GString) out = g_string_new(NULL), json = g_string_new(NULL);
  hy_equations_text(e, TRUE, TRUE, out);
  hy_equations_json(e, TRUE, json);
  TEST_ASSERT_EQUAL_STRING("m: 0 states\n", out->str);
  TEST_ASSERT_EQUAL_STRING(
      "{\n  \"model\":\"m\",\n  \"states\":[],\n  \"summary\":{\"states\":0}\n}\n", json->str);
}

static void test_a_model_without_states_has_no_equations(void)
{
  no_states("<generator name='g' period='1' values='7'/>");
  no_states("<square name='s' frequency='1'/><function name='k' formula='2*s'/>");
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_model_without_states_has_no_equations);
  return UNITY_END();
}
