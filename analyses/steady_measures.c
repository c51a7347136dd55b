/* Measures in the steady state: what a period is that begins there is what all that follow are. */
#include "hydevs/measure.h"
#include "hydevs/steady.h"

#include "base/sized.h"
#include "experiment/run.h"
#include "results/measures.h"

#include <math.h>

/* All that are wanted, in their order. FALSE: such a run cannot be. */
static gboolean add_terms(const HyRun *run, HyRun *period, GError **error)
{
  const char *text;
  gboolean ok = TRUE;
  for (guint k = 0; ok && (text = hy_measures_next_steady(run->measures, &k)) != NULL; k++) {
    ok = hy_run_add_measure(period, NULL, text, error);
  }
  return ok;
}

/* The same model for one period from its steady state on; NULL: it has none. */
static HyRun *run_period(const HyRun *run, const HySteadySettings *set, GError **error)
{
  g_autoptr(HySteady) steady = hy_steady_new(run->loaded, set, error);
  if (steady == NULL) {
    return NULL;
  }
  HyRunSettings settings = HY_RUN_SETTINGS;
  settings.stop = run->t0 + hy_steady_period(steady);
  settings.unmeasured = TRUE;
  g_autoptr(HyRun) period = hy_run_new(run->loaded, &settings, error);
  if (period == NULL || !add_terms(run, period, error)) {
    return NULL;
  }
  hy_run_from_steady(period, steady);
  return hy_run_go(period, error) ? g_steal_pointer(&period) : NULL;
}

static void give(const HyRun *run, const HyRun *period, const char *why)
{
  guint n = 0;
  for (guint k = 0; hy_measures_next_steady(run->measures, &k) != NULL; k++, n++) {
    double value = period != NULL ? hy_run_measure_value(period, n) : NAN;
    hy_measures_give(run->measures, k, value, period != NULL ? hy_run_measure_why(period, n) : why);
  }
}

gboolean hy_run_measure_steady_sized(HyRun *run, const HySteadySettings *settings, gsize size,
                                     GError **error)
{
  g_return_val_if_fail(run != NULL, FALSE);
  HySteadySettings set = HY_STEADY_SETTINGS;
  if (!hy_sized_take(&set, settings, size, "HySteadySettings", error)) {
    return FALSE;
  }
  guint first = 0;
  if (run->measures == NULL || hy_measures_next_steady(run->measures, &first) == NULL) {
    return TRUE;
  }
  g_autoptr(GError) why = NULL;
  g_autoptr(HyRun) period = run_period(run, &set, &why);
  if (g_error_matches(why, HY_ERROR, HY_ERROR_INTERRUPTED)) {
    g_propagate_error(error, g_steal_pointer(&why));
    return FALSE;
  }
  give(run, period, why != NULL ? why->message : NULL);
  return TRUE;
}
