/* Looking at a simulation: times, counters, and atomics by number and by path. */
#include "engine.h"

#include "base/sized.h"
#include "groups/groups.h"

#include <string.h>

char *hy_sim_path(const HySim *sim, guint atomic)
{
  g_return_val_if_fail(sim != NULL && atomic < sim->n, NULL);
  const HyRoot *owner = sim->model->owner;
  return hy_model_path(owner->coupled[owner->atomics[atomic].coupled],
                       owner->atomics[atomic].component);
}

double hy_sim_time(const HySim *sim)
{
  g_return_val_if_fail(sim != NULL, NAN);
  return sim->now.t;
}

double hy_sim_next(const HySim *sim)
{
  g_return_val_if_fail(sim != NULL, NAN);
  return sim->ready && sim->finished == NULL ? sim->ops->next(sim) : INFINITY;
}

const char *hy_sim_finished(const HySim *sim)
{
  g_return_val_if_fail(sim != NULL, NULL);
  return sim->finished;
}

static void find_totals(const HySim *sim, HyTotals *totals)
{
  *totals = sim->now.totals;
  if (sim->room != NULL) {
    HyRoomCounts counts;
    hy_room_counts(sim->room, &counts);
    totals->steps = counts.steps;
    totals->evaluations = counts.evaluations;
    totals->pairs = counts.pairs;
    totals->toggles = counts.toggles;
    totals->classic = counts.classic;
  }
  for (guint a = 0; a < sim->n; a++) {
    totals->n_int += sim->atoms[a].n_int;
    totals->n_ext += sim->atoms[a].n_ext;
  }
}

void hy_sim_totals_sized(const HySim *sim, HyTotals *totals, gsize size)
{
  g_return_if_fail(sim != NULL && totals != NULL);
  HyTotals found;
  find_totals(sim, &found);
  hy_sized_give(totals, size, &found);
}

guint hy_sim_n_groups(const HySim *sim)
{
  g_return_val_if_fail(sim != NULL, 0);
  return sim->room != NULL ? hy_groups_n(sim->room) : 0;
}

void hy_sim_group_sized(const HySim *sim, guint group, HyGroupTotals *totals, gsize size)
{
  g_return_if_fail(sim != NULL && totals != NULL && group < hy_sim_n_groups(sim));
  HyGroupTotals found = {0};
  hy_group_totals(sim->room, group, &found);
  hy_sized_give(totals, size, &found);
}

guint hy_sim_n(const HySim *sim)
{
  g_return_val_if_fail(sim != NULL, 0);
  return sim->n;
}

gboolean hy_sim_find(const HySim *sim, const char *path, guint *atomic)
{
  g_return_val_if_fail(sim != NULL && path != NULL && atomic != NULL, FALSE);
  g_auto(GStrv) parts = g_strsplit(path, "/", -1);
  const HyModel *m = sim->model;
  for (guint k = 0; m != NULL && parts[k] != NULL; k++) {
    guint c = hy_model_find(m, parts[k]);
    if (c == HY_SELF) {
      return FALSE;
    }
    if (parts[k + 1] == NULL && hy_model_class(m, c) != NULL) {
      *atomic = hy_component(m, c)->number;
      return TRUE;
    }
    m = hy_model_coupled(m, c);
  }
  return FALSE;
}

const HyAtomicClass *hy_sim_class(const HySim *sim, guint atomic)
{
  g_return_val_if_fail(sim != NULL && atomic < sim->n, NULL);
  return sim->atoms[atomic].klass;
}

const void *hy_sim_state(const HySim *sim, guint atomic)
{
  g_return_val_if_fail(sim != NULL && atomic < sim->n, NULL);
  return sim->atoms[atomic].state;
}

/* A block is asked, and must not call back; what was before. */
static HyInside look_enter(const HySim *sim)
{
  HyInside before = sim->inside;
  sim->self->inside = HY_IN_EVENT;
  return before;
}

char *hy_sim_print(const HySim *sim, guint atomic)
{
  g_return_val_if_fail(sim != NULL && sim->ready && atomic < sim->n, NULL);
  GString *text = g_string_new(NULL);
  if (sim->atoms[atomic].klass->print != NULL) {
    HyInside before = look_enter(sim);
    sim->atoms[atomic].klass->print(sim->atoms[atomic].state, text);
    sim->self->inside = before;
  }
  return g_string_free(text, FALSE);
}

double hy_sim_value(const HySim *sim, guint atomic, double t)
{
  g_return_val_if_fail(sim != NULL && sim->ready && atomic < sim->n, NAN);
  const HyAtom *a = &sim->atoms[atomic];
  if (a->klass->value == NULL) {
    return NAN;
  }
  HyInside before = look_enter(sim);
  double value = a->klass->value(a->state, t);
  sim->self->inside = before;
  return value;
}

gboolean hy_sim_reading(const HySim *sim, guint atomic, guint port, double t, double *y)
{
  return port == 0 && sim->room != NULL && hy_room_reading(sim->room, atomic, t, y);
}

gboolean hy_sim_may_read(const HySim *sim, guint atomic, guint port)
{
  return port == 0 && sim->room != NULL && hy_room_may_read(sim->room, atomic);
}

gboolean hy_sim_sine(const HySim *sim, guint atomic, guint port, HySine *sine)
{
  const HyAtom *a = &sim->atoms[atomic];
  return a->klass->sine != NULL && a->klass->sine(a->state, port, sine) && sine->frequency > 0.0;
}

double hy_sim_fastest(const HySim *sim, guint atomic)
{
  return sim->room != NULL ? hy_group_fastest(sim->room, atomic) : 0.0;
}

double hy_sim_turning(const HySim *sim, guint atomic, double t, double angle)
{
  return sim->room != NULL ? hy_group_turning(sim->room, atomic, t, angle) : INFINITY;
}

gboolean hy_sim_rests(const HySim *sim, guint atomic)
{
  return sim->room != NULL && hy_group_rests(sim->room, atomic);
}

gboolean hy_sim_held(const HySim *sim, guint atomic, HyHeld *held)
{
  g_return_val_if_fail(sim != NULL && sim->ready && atomic < sim->n && held != NULL, FALSE);
  const HyAtom *a = &sim->atoms[atomic];
  HyInside before = look_enter(sim);
  gboolean has = a->klass->held != NULL && a->klass->held(a->state, held);
  sim->self->inside = before;
  return has;
}

char *hy_sim_report(const HySim *sim, guint atomic)
{
  g_return_val_if_fail(sim != NULL && atomic < sim->n, NULL);
  const HyAtom *a = &sim->atoms[atomic];
  if (!sim->ready || a->klass->report == NULL) { /* what could not start has done nothing */
    return NULL;
  }
  GString *text = g_string_new(NULL);
  HyInside before = look_enter(sim);
  a->klass->report(a->state, text);
  sim->self->inside = before;
  return g_string_free(text, FALSE);
}

void hy_sim_counts(const HySim *sim, guint atomic, guint64 *n_int, guint64 *n_ext)
{
  g_return_if_fail(sim != NULL && atomic < sim->n && n_int != NULL && n_ext != NULL);
  *n_int = sim->atoms[atomic].n_int;
  *n_ext = sim->atoms[atomic].n_ext;
}
