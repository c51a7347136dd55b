/* Copies of a whole simulation, and back. Whatever is state passes by one tape (base/tape.h): the
 * atoms with their states, what their classes name beside, the room of the equations with its
 * groups, the agenda of the engine, the counters.
 *
 * All memory that init has made stays where it is, so pointers to it are good in a copy that is put
 * back into the same simulation, and only there. A file has no pointers and nothing that follows
 * from the rest: neither the agenda nor who is run how. */
#include "dead.h"
#include "engine.h"

struct HySnapshot {
  gpointer life; /* of its simulation, held */
  HyTape tape;
};

/* In memory ----------------------------------------------------------------------------------- */

static void snapshot_atoms(HySim *sim, HyTape *tape)
{
  hy_tape_bytes(tape, sim->atoms, sim->n * sizeof *sim->atoms);
  hy_tape_whole(tape, sim->states, sim->states_size);
  for (guint a = 0; a < sim->n; a++) {
    if (sim->atoms[a].klass->tape != NULL) {
      tape->copied = sim->states; /* a class may have copied something of its own since */
      tape->copied_size = sim->states_size;
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
  hy_tape_array(tape, "wrong", sim->wrong);
  HY_TAPE(tape, sim->finished);
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

static gboolean is_ready(const HySim *sim, const char *call, GError **error)
{
  if (sim->inside != HY_BETWEEN_EVENTS && !hy_sim_may_call(sim, call, error)) {
    return FALSE;
  }
  if (!sim->ready) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: the simulation has not been initialised",
                hy_model_name(sim->model));
    return FALSE;
  }
  return TRUE;
}

static HySnapshot *snapshot_new(HySim *sim, gboolean keeps, GError **error)
{
  g_autoptr(HySnapshot) snapshot = g_new0(HySnapshot, 1);
  snapshot->life = g_atomic_rc_box_acquire(sim->life);
  hy_tape_init(&snapshot->tape);
  snapshot->tape.keeps = keeps;
  snapshot_pass(sim, &snapshot->tape, HY_TAPE_SAVE);
  if (snapshot->tape.refused != NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: %s", hy_model_name(sim->model),
                snapshot->tape.refused);
    return NULL;
  }
  return g_steal_pointer(&snapshot);
}

HySnapshot *hy_sim_save(HySim *sim, GError **error)
{
  g_return_val_if_fail(sim != NULL, NULL);
  return is_ready(sim, G_STRFUNC, error) && hy_sim_verdict(sim, error)
             ? snapshot_new(sim, FALSE, error)
             : NULL;
}

HySnapshot *hy_sim_keep(HySim *sim, GError **error)
{
  return is_ready(sim, G_STRFUNC, error) && hy_sim_verdict(sim, error)
             ? snapshot_new(sim, TRUE, error)
             : NULL;
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

/* Files --------------------------------------------------------------------------------------- */

static void file_run(HySim *sim, HyTape *tape)
{
  hy_tape_section(tape, "run");
  HY_TAPE(tape, sim->now.opened);
  HY_TAPE(tape, sim->finished);
  hy_tape_array(tape, "wrong", sim->wrong);
  for (guint k = 0; k < sim->wrong->len; k++) {
    HyWrong *w = &g_array_index(sim->wrong, HyWrong, k);
    HY_TAPE(tape, w->atomic);
    HY_TAPE(tape, w->port);
    HY_TAPE(tape, w->t);
    HY_TAPE(tape, w->value);
    if (w->atomic >= sim->n) {
      hy_tape_reject(tape, "there is no such block");
    }
  }
  HY_TAPE(tape, sim->now.n_wrong);
  hy_sim_tape_signals(sim, tape);
}

/* Of what answers at once, and of a state, the engine need not know when it has moved last. */
static void file_atom(HyAtom *a, HyTape *tape)
{
  if (a->klass->describe == NULL && a->klass->order == NULL) {
    HY_TAPE(tape, a->tl);
  }
  if (a->klass->ta != NULL) {
    HY_TAPE(tape, a->ta);
  }
}

static void file_class(HyAtom *a, HyTape *tape)
{
  if (a->klass->tape != NULL) {
    a->klass->tape(a->state, tape);
  } else if (a->klass->dint != NULL || a->klass->dext != NULL) {
    hy_tape_refuse(tape, "%s does not name what it remembers, so no file can hold it",
                   a->klass->name);
  }
}

static void file_atoms(HySim *sim, const guint8 *dead, HyTape *tape)
{
  for (guint k = 0; k < sim->n; k++) {
    g_autofree char *path = dead[k] ? NULL : hy_sim_path(sim, k);
    g_autofree char *section = dead[k] ? NULL : g_strdup_printf("block %s", path);
    if (!dead[k]) {
      hy_tape_section(tape, section);
      file_atom(&sim->atoms[k], tape);
      file_class(&sim->atoms[k], tape);
    }
  }
}

/* Blocks that nobody looks at, if the engine that writes runs them. If it does not, one that does
 * makes of them what they would be now: whoever would see the difference does not look. */
static void file_dead(HySim *sim, const guint8 *dead, HyTape *tape)
{
  gboolean runs_all = sim->ops->runs_all;
  HY_TAPE(tape, runs_all);
  for (guint k = 0; k < sim->n; k++) {
    if (dead[k] && runs_all) {
      file_class(&sim->atoms[k], tape);
    } else if (dead[k] && tape->pass == HY_TAPE_LOAD && tape->refused == NULL &&
               sim->ops->runs_all) {
      hy_sim_revive(sim, k);
    }
  }
}

/* How far the run has come, and how much has been done so far: by engines in different ways, so the
 * same state may have other numbers here. */
static void file_work(HySim *sim, const guint8 *dead, HyTape *tape)
{
  hy_tape_section(tape, "work");
  HY_TAPE(tape, sim->now.t);
  HY_TAPE(tape, sim->now.passed);
  HY_TAPE(tape, sim->now.cycle_t);
  HY_TAPE(tape, sim->now.at_t);
  HY_TAPE(tape, sim->now.instants);
  HY_TAPE(tape, sim->now.totals.cycles);
  for (guint a = 0; a < sim->n; a++) {
    HY_TAPE(tape, sim->atoms[a].n_int);
    HY_TAPE(tape, sim->atoms[a].n_ext);
  }
  if (sim->room != NULL) {
    hy_room_tape_work(sim->room, tape);
  }
  file_dead(sim, dead, tape);
}

/* No state that any run has come to: all events up to now have been done. */
static void file_check_instants(const HySim *sim, const guint8 *dead, HyTape *tape)
{
  for (guint k = 0; k < sim->n && tape->refused == NULL; k++) {
    double tn = dead[k] ? INFINITY : hy_atom_next(&sim->atoms[k]);
    if (!(tn > sim->now.t)) {
      g_autofree char *path = hy_sim_path(sim, k);
      char text[HY_DOUBLE_SIZE];
      hy_tape_refuse(tape, "block %s would be due at t = %s, which has passed", path,
                     hy_double_text(text, tn));
    }
  }
}

static void file_pass(HySim *sim, HyTape *tape)
{
  HyInside before = sim->inside;
  g_autofree guint8 *dead = hy_sim_find_dead(sim);
  sim->inside = HY_IN_EVENT;
  if (tape->pass == HY_TAPE_SAVE && sim->ops->tell != NULL) {
    sim->ops->tell(sim);
  }
  file_run(sim, tape);
  file_atoms(sim, dead, tape);
  if (sim->room != NULL) {
    hy_tape_section(tape, "room");
    hy_room_tape(sim->room, tape);
  }
  file_work(sim, dead, tape);
  if (tape->pass == HY_TAPE_LOAD) {
    file_check_instants(sim, dead, tape);
    sim->some = (HyPace){0};
  }
  if (tape->pass == HY_TAPE_LOAD && tape->refused == NULL) {
    sim->ops->resume(sim);
  }
  sim->inside = before;
}

static gboolean file_is_good(const HySim *sim, const HyTape *tape, GError **error)
{
  if (tape->refused == NULL) {
    return TRUE;
  }
  g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: %s", hy_model_name(sim->model), tape->refused);
  return FALSE;
}

static gboolean file_read(HySim *sim, HyTape *tape, GError **error)
{
  g_autoptr(HySnapshot) before = hy_sim_keep(sim, error);
  if (before == NULL) {
    return FALSE;
  }
  snapshot_pass(sim, &before->tape, HY_TAPE_DROP);
  file_pass(sim, tape);
  if (file_is_good(sim, tape, error)) {
    hy_sim_wake(sim, -INFINITY);
    return TRUE;
  }
  snapshot_pass(sim, &before->tape, HY_TAPE_DROP);
  snapshot_pass(sim, &before->tape, HY_TAPE_LOAD);
  return FALSE;
}

gboolean hy_sim_tape(HySim *sim, HyTape *tape, GError **error)
{
  g_return_val_if_fail(sim != NULL && tape != NULL, FALSE);
  g_return_val_if_fail(hy_tape_files(tape), FALSE);
  if (!is_ready(sim, G_STRFUNC, error) || !hy_sim_verdict(sim, error)) {
    return FALSE;
  }
  if (!sim->now.opened || sim->ops->next(sim) <= sim->now.t) {
    char t[HY_DOUBLE_SIZE];
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: not all is done that happens at t = %s",
                hy_model_name(sim->model), hy_double_text(t, sim->now.t));
    return FALSE;
  }
  if (tape->pass == HY_TAPE_LOAD) {
    return file_read(sim, tape, error);
  }
  file_pass(sim, tape);
  return file_is_good(sim, tape, error);
}
