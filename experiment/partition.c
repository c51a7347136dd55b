/* partition="auto": which states are quantized and which go to CVODE, decided from the equations
 * before a run. */
#include "run.h"

#include "coupled/model_internal.h"
#include "equations/print.h"
#include "sim/engine.h"

#define CLASSIC   "cvode_bdf"
#define QUANTIZED "liqss2"

static gboolean is_quantized(const char *name)
{
  const HyMethod *method = name != NULL ? hy_method_find(name) : NULL;
  return method != NULL && !hy_family_is_classic(method->family);
}

void hy_run_block(const HyLoaded *loaded, const HySim *sim, guint atomic, HyBlockInfo *info)
{
  const HyRoot *owner = sim->model->owner;
  hy_loaded_block(loaded, owner->coupled[owner->atomics[atomic].coupled],
                  owner->atomics[atomic].component, info);
}

/* The states that are free run by the quantized method first: all of them, to see the equations. */
static HyMethodChoice *free_states(const HySim *sim, const HyLoaded *loaded)
{
  HyMethodChoice *choice = g_new0(HyMethodChoice, MAX(sim->n, 1));
  for (guint a = 0; a < sim->n; a++) {
    HyBlockInfo info;
    if (hy_class_method(sim->atoms[a].klass) == NULL) {
      continue;
    }
    hy_run_block(loaded, sim, a, &info);
    if (!info.stated || hy_method_is_auto(&info)) {
      choice[a].method = is_quantized(info.method) ? info.method : QUANTIZED;
    }
  }
  return choice;
}

static void choose(const HySim *seen, HyMethodChoice *choice)
{
  guint n = seen->room != NULL ? hy_print_n_states(seen->room) : 0;
  g_autofree HyPart *part = g_new0(HyPart, MAX(n, 1));
  if (n > 0) {
    hy_room_partition(seen->room, part);
  }
  for (guint k = 0; k < n; k++) {
    HyMethodChoice *c = &choice[hy_print_state_atomic(seen->room, k)];
    c->part = part[k];
    c->method = c->method != NULL && part[k].why == HY_PART_SMOOTH ? CLASSIC : c->method;
  }
}

gboolean hy_run_partition(const HyRun *run, GError **error)
{
  g_autoptr(HySim) seen = hy_sim_new(hy_loaded_model(run->loaded), HY_FLAT, error);
  if (seen == NULL) {
    return FALSE;
  }
  g_autofree HyMethodChoice *choice = free_states(seen, run->loaded);
  hy_sim_choose_methods(seen, choice);
  if (!hy_sim_init_equations(seen, run->t0, error)) {
    return FALSE;
  }
  choose(seen, choice);
  hy_sim_choose_methods(run->sim, choice);
  return TRUE;
}
