/* A simulation is made, set up, and freed. */
#include "smells.h"

#include "hydevs/expression.h"

#include <string.h>

static gsize aligned(gsize size)
{
  return (size + 15) & ~(gsize)15;
}

/* The engines look into what hy_static_init() makes. */
static gboolean is_static(const HyAtomicClass *k)
{
  return k->init == hy_static_init && k->next == hy_static_next && k->lambda == hy_static_lambda &&
         k->dint == hy_static_dint && k->dext == hy_static_dext && k->clear == hy_static_clear &&
         k->tape == hy_static_tape && k->state_size >= sizeof(HyStatic);
}

/* Which of them cannot do without `describe`. */
static gboolean has_static_functions(const HyAtomicClass *k)
{
  return k->init == hy_static_init || k->next == hy_static_next || k->lambda == hy_static_lambda ||
         k->dint == hy_static_dint || k->dext == hy_static_dext || k->clear == hy_static_clear ||
         k->tape == hy_static_tape || k->print == hy_static_print || k->fault == hy_static_fault;
}

static gboolean make_atoms(HySim *sim, GError **error)
{
  const HyRoot *owner = sim->model->owner;
  sim->n = owner->n_atomics;
  sim->atoms = g_new(HyAtom, MAX(sim->n, 1));
  gsize size = 0;
  for (guint a = 0; a < sim->n; a++) {
    const HyModel *m = owner->coupled[owner->atomics[a].coupled];
    const HyComponent *c = hy_component(m, owner->atomics[a].component);
    if (c->klass->ta == NULL && c->klass->next == NULL) {
      return hy_model_error(m, owner->atomics[a].component, error,
                            "%s is known to the checks, but this version cannot run it",
                            c->klass->name);
    }
    if (c->klass->describe != NULL && !is_static(c->klass)) {
      return hy_model_error(m, owner->atomics[a].component, error,
                            "class \"%s\" has describe, so its state begins with an HyStatic and "
                            "its other functions are hy_static_init() and so on",
                            c->klass->name);
    }
    if (c->klass->describe == NULL && has_static_functions(c->klass)) {
      return hy_model_error(m, owner->atomics[a].component, error,
                            "class \"%s\" has hy_static_init() or another such function, and no "
                            "describe",
                            c->klass->name);
    }
    if ((c->klass->set != NULL) != (c->klass->lever != NULL) ||
        (c->klass->set != NULL && (c->klass->next == NULL || c->n_out != 1))) {
      return hy_model_error(m, owner->atomics[a].component, error,
                            "class \"%s\" is a lever: it has set and lever, next, and one output",
                            c->klass->name);
    }
    sim->atoms[a] = (HyAtom){.klass = c->klass, .n_out = c->n_out};
    size += aligned(c->klass->state_size); /* check limits each, and their number is a guint */
  }
  sim->states_size = size;
  sim->states = g_try_malloc(MAX(size, 1));
  if (sim->states == NULL) {
    return hy_model_error(sim->model, HY_SELF, error,
                          "no memory for the states (%" G_GSIZE_FORMAT " bytes)", size);
  }
  guint8 *state = sim->states;
  for (guint a = 0; a < sim->n; a++) {
    sim->atoms[a].state = state;
    state += aligned(sim->atoms[a].klass->state_size);
  }
  return TRUE;
}

HySim *hy_sim_new_on(HyModel *model, const HyEngineOps *ops, GError **error)
{
  g_return_val_if_fail(model != NULL && hy_model_parent(model) == NULL, NULL);
  if (!hy_model_check(model, error)) {
    return NULL;
  }
  HySim *sim = g_new0(HySim, 1);
  sim->self = sim;
  sim->model = model;
  hy_model_use(model, 1);
  sim->ops = ops;
  sim->graph = hy_flat_new(model);
  sim->wrong = g_array_new(FALSE, FALSE, sizeof(HyWrong));
  if (!make_atoms(sim, error) || !sim->ops->build(sim, error)) {
    hy_sim_free(sim);
    return NULL;
  }
  hy_sim_find_levers(sim);
  return sim;
}

void hy_sim_clear_states(HySim *sim)
{
  sim->inside = HY_IN_EVENT;
  for (guint a = 0; sim->ready && a < sim->n; a++) {
    if (sim->atoms[a].klass->clear != NULL) {
      sim->atoms[a].klass->clear(sim->atoms[a].state);
    }
  }
  sim->ready = FALSE;
  sim->inside = HY_NOT_INSIDE;
}

void hy_sim_free(HySim *sim)
{
  if (sim == NULL) {
    return;
  }
  g_return_if_fail(sim->inside == HY_NOT_INSIDE);
  hy_sim_clear_states(sim);
  if (sim->engine != NULL) {
    sim->ops->clear(sim);
  }
  hy_smells_free(sim);
  hy_sim_clear_levers(sim);
  hy_sim_clear_signals(sim);
  hy_room_free(sim->room);
  hy_flat_sources_clear(&sim->sources);
  hy_flat_free(sim->graph);
  g_clear_error(&sim->error);
  g_clear_pointer(&sim->life, g_atomic_rc_box_release);
  g_free(sim->set.start.x0);
  g_free(sim->set.start.mode);
  g_free(sim->finished);
  g_array_unref(sim->wrong);
  g_free(sim->set.choice);
  g_free(sim->set.chosen.why);
  g_clear_pointer(&sim->set.watched, g_array_unref);
  g_free(sim->widest);
  g_free(sim->atoms);
  g_free(sim->states);
  hy_model_use(sim->model, -1);
  g_free(sim);
}

void hy_sim_set_seed(HySim *sim, guint64 seed)
{
  g_return_if_fail(sim != NULL);
  sim->set.seed = seed;
}

void hy_sim_set_limit(HySim *sim, guint64 limit)
{
  g_return_if_fail(sim != NULL);
  sim->set.limit = limit;
  sim->set.limit_set = TRUE;
}

void hy_sim_set_implicit(HySim *sim, gboolean exact, gboolean refresh)
{
  g_return_if_fail(sim != NULL);
  sim->set.learns = !exact;
  sim->set.stale = !refresh;
}

void hy_sim_set_rows(HySim *sim, gboolean rows)
{
  g_return_if_fail(sim != NULL);
  sim->set.by_rows = rows;
}

void hy_sim_choose_methods(HySim *sim, const HyMethodChoice *choice)
{
  g_free(sim->set.choice);
  sim->set.choice = g_memdup2(choice, sim->n * sizeof *choice);
}

void hy_sim_start_at(HySim *sim, const HyStart *start)
{
  g_free(sim->set.start.x0);
  g_free(sim->set.start.mode);
  sim->set.start = *start;
  sim->set.start.x0 = g_memdup2(start->x0, sim->n * sizeof *start->x0);
  sim->set.start.mode = g_memdup2(start->mode, start->n_modes);
}

void hy_sim_put_together(HySim *sim)
{
  sim->set.together = TRUE;
}

void hy_sim_watch_slot(HySim *sim, guint slot)
{
  if (sim->set.watched == NULL) {
    sim->set.watched = g_array_new(FALSE, FALSE, sizeof(guint));
  }
  g_array_append_val(sim->set.watched, slot);
}

/* Whether it wants to hear of an atomic that is not there. */
static gboolean watches_beyond(const HySim *sim, const HyTrace *trace)
{
  for (guint a = sim->n; trace->watched != NULL && a < trace->n_watched; a++) {
    if (trace->watched[a] != HY_WATCH_NOTHING) {
      return TRUE;
    }
  }
  return FALSE;
}

void hy_sim_set_trace(HySim *sim, const HyTrace *trace)
{
  g_return_if_fail(sim != NULL && sim->inside == HY_NOT_INSIDE);
  g_return_if_fail(trace == NULL || !watches_beyond(sim, trace));
  g_return_if_fail(trace == NULL || trace->fits == NULL || trace->fits(trace->user, sim));
  sim->set.trace = trace != NULL ? *trace : (HyTrace){0};
  hy_sim_wake(sim, -INFINITY);
}

void hy_sim_set_progress(HySim *sim, HyProgress progress, gpointer user)
{
  g_return_if_fail(sim != NULL);
  sim->set.progress = progress;
  sim->set.progress_user = user;
}
