/* Steps of states in a row: as many cycles as may be are done, and no more. */
#include "hydevs/hydevs.h"
#include "hydevs/load.h"
#include "sim/engine.h"

#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static guint64 cycles_of(const HySim *sim)
{
  HyTotals totals;
  hy_sim_totals(sim, &totals);
  return totals.cycles;
}

/* A ring of states that grow, whose steps touch one another, by functions that are signals of their
 * own. */
static HySim *ring(const HyLoaded *loaded, HyEngine engine, gboolean rows)
{
  HySim *sim = hy_sim_new(hy_loaded_model(loaded), engine, NULL);
  g_autoptr(GError) error = NULL;
  hy_sim_set_rows(sim, rows);
  TEST_ASSERT_TRUE_MESSAGE(hy_sim_init(sim, 0, &error), error != NULL ? error->message : "");
  return sim;
}

static void check_cycles(const char *method, HyEngine engine, gboolean rows)
{
  g_autofree char *text = g_strdup_printf(
      "<hydevs xmlns='urn:hydevs:1' name='m'>"
      "<integrator name='x' count='8' x0='i' in='g[if(i &gt; 1, i - 1, 8)] - x[i]'/>"
      "<gain name='g' count='8' in='h[i]' k='1.05'/>"
      "<gain name='h' count='8' in='x[i]' k='1.05'/>"
      "<experiment stop='1' method='%s' dqrel='1e-4' dqmin='1e-4'/></hydevs>",
      method);
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
  g_autofree char *wrong = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, wrong);
  g_autoptr(HySim) sim = ring(loaded, engine, rows);
  guint64 done = cycles_of(sim);
  for (guint64 most = 1; most <= 60; most++) {
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(most, sim->ops->run(sim, 1e9, most), method);
    done += most;
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(done, cycles_of(sim), method);
  }
}

static void test_as_many_cycles_as_are_asked_for(void)
{
  static const char *const methods[] = {"qss1", "qss2", "qss3", "liqss1", "liqss2", "liqss3"};
  for (guint k = 0; k < G_N_ELEMENTS(methods); k++) {
    check_cycles(methods[k], HY_FLAT, FALSE);
    check_cycles(methods[k], HY_FUSED, FALSE);
    check_cycles(methods[k], HY_FUSED, TRUE);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_as_many_cycles_as_are_asked_for);
  return UNITY_END();
}
