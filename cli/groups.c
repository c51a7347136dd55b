#include "groups.h"

#include "hydevs/hydevs.h"
#include "sim/engine.h"

#include <stdio.h>

static void place_of(const HyLoaded *loaded, const HySim *sim, guint atomic, HyBlockInfo *info)
{
  const HyRoot *owner = sim->model->owner;
  hy_loaded_block(loaded, owner->coupled[owner->atomics[atomic].coupled],
                  owner->atomics[atomic].component, info);
}

/* A method that is asked for more than its inputs have spends steps on their noise. */
static void warn_group(const HyLoaded *loaded, const HySim *sim, const HyGroupTotals *g,
                       HyReport *report)
{
  HyBlockInfo info = {0};
  char tolerance[HY_DOUBLE_SIZE], quantum[HY_DOUBLE_SIZE];
  g_autofree char *path = hy_sim_path(sim, g->atomic), *reads = hy_sim_path(sim, g->reads);
  place_of(loaded, sim, g->atomic, &info);
  hy_report_warning(report, info.file, info.line,
                    "%s: the tolerance of its %s is %s where a state is 1, far below the quantum "
                    "%s of %s, which it reads: more steps, no smaller error",
                    path, g->method, hy_double_text(tolerance, g->tolerance),
                    hy_double_text(quantum, g->quantum), reads);
}

gboolean cli_warn_groups(const HyLoaded *loaded, const HySim *sim, gboolean strict, GError **error)
{
  g_autoptr(HyReport) report = hy_report_new();
  hy_report_set_strict(report, strict);
  for (guint k = 0; k < hy_sim_n_groups(sim); k++) {
    HyGroupTotals g;
    hy_sim_group(sim, k, &g);
    if (g.tolerance < 0.1 * g.quantum && g.quantum < INFINITY) {
      warn_group(loaded, sim, &g, report);
    }
  }
  if (hy_report_errors(report) > 0) {
    return hy_report_gerror(report, error);
  }
  g_autofree char *text = hy_report_text(report);
  fputs(text, stderr);
  return TRUE;
}
