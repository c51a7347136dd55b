/* Levers: which atomics are some, what they are, and how they are moved. A lever that has been told
 * something is due, and has its turn like any other source; so it is the same on all engines, and a
 * command makes no event of its own. */
#include "engine.h"

#include "base/hint.h"
#include "base/sized.h"

#include <string.h>

void hy_sim_find_levers(HySim *sim)
{
  sim->levers = g_array_new(FALSE, FALSE, sizeof(HyLeverAt));
  for (guint a = 0; a < sim->n; a++) {
    if (sim->atoms[a].klass->set != NULL) {
      HyLeverAt at = {.atomic = a, .path = hy_sim_path(sim, a)};
      g_array_append_val(sim->levers, at);
    }
  }
}

void hy_sim_clear_levers(HySim *sim)
{
  for (guint k = 0; sim->levers != NULL && k < sim->levers->len; k++) {
    g_free(g_array_index(sim->levers, HyLeverAt, k).path);
  }
  g_clear_pointer(&sim->levers, g_array_unref);
}

static const HyLeverAt *levers_at(const HySim *sim, guint k)
{
  return &g_array_index(sim->levers, HyLeverAt, k);
}

guint hy_sim_n_levers(const HySim *sim)
{
  g_return_val_if_fail(sim != NULL, 0);
  return sim->levers->len;
}

gboolean hy_sim_lever(const HySim *sim, const char *path, guint *k, GError **error)
{
  g_return_val_if_fail(sim != NULL && path != NULL && k != NULL, FALSE);
  HyNearest nearest = {.word = path};
  for (guint i = 0; i < sim->levers->len; i++) {
    if (strcmp(levers_at(sim, i)->path, path) == 0) {
      *k = i;
      return TRUE;
    }
    hy_nearest_offer(&nearest, levers_at(sim, i)->path);
  }
  guint atomic;
  g_autofree char *hint = hy_did_you_mean(nearest.best);
  if (hy_sim_find(sim, path, &atomic)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: \"%s\" is no lever but a block %s%s",
                hy_model_name(sim->model), path, sim->atoms[atomic].klass->name, hint);
  } else {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: there is no lever \"%s\"%s",
                hy_model_name(sim->model), path,
                sim->levers->len > 0 ? hint : "; this model has no levers");
  }
  return FALSE;
}

static void levers_info(const HySim *sim, guint k, HyLever *lever)
{
  const HyLeverAt *at = levers_at(sim, k);
  const HyAtom *a = &sim->atoms[at->atomic];
  HyInside before = sim->inside;
  sim->self->inside = HY_IN_EVENT; /* a block is asked, and must not call back */
  a->klass->lever(a->state, sim->now.t, lever);
  sim->self->inside = before;
  lever->path = at->path;
  lever->atomic = at->atomic;
}

gboolean hy_sim_lever_info_sized(const HySim *sim, guint k, HyLever *lever, gsize size)
{
  g_return_val_if_fail(sim != NULL && lever != NULL && k < sim->levers->len, FALSE);
  HyLever found = {0};
  if (sim->ready) {
    levers_info(sim, k, &found);
    hy_sized_give(lever, size, &found);
  }
  return sim->ready;
}

/* Whether it may be set so. */
static gboolean levers_may(const HySim *sim, const HyLever *lever, double value, double ramp,
                           GError **error)
{
  char v[HY_DOUBLE_SIZE], bound[HY_DOUBLE_SIZE];
  const char *name = hy_model_name(sim->model);
  if (!isfinite(value) || !isfinite(value - lever->value)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: %s cannot be set to %s", name, lever->path,
                hy_double_text(v, value));
    return FALSE;
  }
  if (!(ramp >= 0.0) || isinf(ramp)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: %s: a ramp of %s s is none", name,
                lever->path, hy_double_text(v, ramp));
    return FALSE;
  }
  if (value < lever->lower || value > lever->upper) {
    gboolean below = value < lever->lower;
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: %s = %s is %s its bound %s%s%s", name,
                lever->path, hy_double_text(v, value), below ? "below" : "above",
                hy_double_text(bound, below ? lever->lower : lever->upper),
                lever->unit != NULL ? " " : "", lever->unit != NULL ? lever->unit : "");
    return FALSE;
  }
  return TRUE;
}

gboolean hy_sim_set_lever(HySim *sim, double t, guint k, double value, double ramp, GError **error)
{
  g_return_val_if_fail(sim != NULL && k < sim->levers->len, FALSE);
  HyLever lever;
  if (!hy_sim_may_run(sim, G_STRFUNC, t, "a lever at", error) ||
      !hy_sim_meets(sim, t, "a lever at", error)) {
    return FALSE;
  }
  levers_info(sim, k, &lever);
  if (!levers_may(sim, &lever, value, ramp, error)) {
    return FALSE;
  }
  HyAtom *a = &sim->atoms[lever.atomic];
  sim->inside = HY_IN_EVENT;
  double was = a->klass->next(a->state);
  a->klass->set(a->state, t, value, ramp);
  double next = a->klass->next(a->state);
  if (next != was) {
    next = next >= t ? next : hy_sim_fail_schedule(sim, a, t, next);
    if (!isnan(next)) {
      sim->ops->place(sim, lever.atomic, next);
    }
  }
  sim->inside = HY_NOT_INSIDE;
  return hy_sim_verdict(sim, error);
}
