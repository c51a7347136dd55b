/* Runs of a sweep once more, to be looked at: what they record is kept in memory. */
#include "internal.h"

#include "hydevs/steady.h"

static gboolean go(HyRun *run, GError **error)
{
  return hy_run_record(run, error) && hy_run_measure_steady(run, NULL, error) &&
         hy_run_go(run, error);
}

HyRun *hy_sweep_again(const HyPlan *p, guint64 k, HyLoaded **loaded, GError **error)
{
  g_return_val_if_fail(p != NULL && loaded != NULL && (k < p->n || k == HY_SWEEP_MIDDLE), NULL);
  gboolean middle = k == HY_SWEEP_MIDDLE;
  g_autoptr(HyReport) report = hy_report_new();
  g_auto(GStrv) row = middle ? hy_plan_middle_row(p) : hy_plan_row(p, k);
  g_autoptr(HyLoaded) model = hy_sweep_load(p, row, report);
  HyRunSettings s;
  if (model == NULL) {
    g_autofree char *why = hy_sweep_first_line(report);
    g_set_error_literal(error, HY_ERROR, HY_ERROR_MODEL, why);
    return NULL;
  }
  if (!hy_sweep_settings(p, row, middle ? 0 : k, &s, error)) {
    return NULL;
  }
  g_autoptr(HyRun) run = hy_run_new(model, &s, error);
  g_autoptr(GError) ended = NULL;
  if (run == NULL || (!go(run, &ended) && !g_error_matches(ended, HY_ERROR, HY_ERROR_AUDIT))) {
    if (ended != NULL) {
      g_propagate_error(error, g_steal_pointer(&ended));
    }
    return NULL;
  }
  *loaded = g_steal_pointer(&model);
  return g_steal_pointer(&run);
}
