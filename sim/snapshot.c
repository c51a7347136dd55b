/* Copies of a whole simulation, and back. Whatever is state passes by one tape (base/tape.h): the
 * atoms with their states, what their classes name beside, the room of the equations with its
 * groups, the agenda of the engine, the counters.
 *
 * All memory that init has made stays where it is, so pointers to it are good in a copy that is put
 * back into the same simulation, and only there. */
#include "engine.h"

struct HySnapshot {
  gpointer life; /* of its simulation, held */
  HyTape tape;
};

static void snapshot_atoms(HySim *sim, HyTape *tape)
{
  hy_tape_bytes(tape, sim->atoms, sim->n * sizeof *sim->atoms);
  hy_tape_bytes(tape, sim->states, sim->states_size);
  for (guint a = 0; a < sim->n; a++) {
    if (sim->atoms[a].klass->tape != NULL) {
      sim->atoms[a].klass->tape(sim->atoms[a].state, tape);
    }
  }
}

static void snapshot_pass(HySim *sim, HyTape *tape, HyTapePass pass)
{
  HyInside before = sim->inside;
  sim->inside = HY_IN_EVENT; /* blocks name what they own */
  hy_tape_begin(tape, pass);
  hy_tape_bytes(tape, &sim->now, sizeof sim->now);
  hy_tape_array(tape, sim->wrong);
  hy_tape_text(tape, &sim->finished);
  snapshot_atoms(sim, tape);
  hy_sim_tape_signals(sim, tape);
  if (sim->room != NULL) {
    hy_room_tape(sim->room, tape);
  }
  sim->ops->tape(sim, tape);
  sim->inside = before;
}

void hy_snapshot_free(HySnapshot *snapshot)
{
  if (snapshot != NULL) {
    g_atomic_rc_box_release(snapshot->life);
    hy_tape_clear(&snapshot->tape);
    g_free(snapshot);
  }
}

HySnapshot *hy_sim_save(HySim *sim, GError **error)
{
  g_return_val_if_fail(sim != NULL, NULL);
  if (sim->inside != HY_BETWEEN_EVENTS && !hy_sim_may_call(sim, G_STRFUNC, error)) {
    return NULL;
  }
  if (!sim->ready) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: the simulation has not been initialised",
                hy_model_name(sim->model));
    return NULL;
  }
  if (!hy_sim_verdict(sim, error)) {
    return NULL;
  }
  g_autoptr(HySnapshot) snapshot = g_new0(HySnapshot, 1);
  snapshot->life = g_atomic_rc_box_acquire(sim->life);
  hy_tape_init(&snapshot->tape);
  snapshot_pass(sim, &snapshot->tape, HY_TAPE_SAVE);
  if (snapshot->tape.refused != NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: %s", hy_model_name(sim->model),
                snapshot->tape.refused);
    return NULL;
  }
  return g_steal_pointer(&snapshot);
}

gboolean hy_sim_load(HySim *sim, HySnapshot *snapshot, GError **error)
{
  g_return_val_if_fail(sim != NULL && snapshot != NULL, FALSE);
  if (!hy_sim_may_call(sim, G_STRFUNC, error)) {
    return FALSE;
  }
  if (snapshot->life != sim->life || !sim->ready) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "%s: the snapshot is of another simulation, or of this one before its last init",
                hy_model_name(sim->model));
    return FALSE;
  }
  g_clear_error(&sim->error);
  snapshot_pass(sim, &snapshot->tape, HY_TAPE_DROP);
  snapshot_pass(sim, &snapshot->tape, HY_TAPE_LOAD);
  g_assert(snapshot->tape.at == snapshot->tape.bytes->len);
  hy_sim_wake(sim, -INFINITY); /* whoever watches may be another one */
  return TRUE;
}
