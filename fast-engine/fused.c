/* The fused engine: the flat loop, in which static blocks that state what they compute are run by
 * rank and not by messages. Their order D is their rank, and at an instant they stand before
 * everything else; so taking the smallest number of those that wait is the order of the flat
 * engine, and the events are the same to the last bit. Everything discrete is run as there.
 *
 * What is left out: a block from which nothing leads to anybody who looks (all its readers evaluate
 * rows; fused_plan.c). Of what a trace wants all transitions is run as in flat, so that it sees the
 * same; of what it wants words it hears them. */
#include "cycle.h"
#include "engines.h"
#include "equations/members.h"
#include "fused_plain.h"
#include "fused_rows.h"
#include "fused_signals.h"
#include "groups/groups.h"

#include <string.h>

/* Life ---------------------------------------------------------------------------------------- */

static gboolean fused_build(HySim *sim, GError **error)
{
  (void)error;
  sim->engine = g_new0(HyFused, 1);
  return TRUE;
}

static void fused_clear(HySim *sim)
{
  hy_fused_clear(sim->engine);
  g_free(sim->engine);
}

void hy_fused_set(HyFused *f, guint atomic, double tn)
{
  hy_agenda_set(&f->tn, f->place[atomic], tn);
}

static void fused_init(HySim *sim, double t)
{
  HyFused *f = sim->engine;
  hy_fused_clear(f);
  *f = (HyFused){.t0 = t};
  hy_fused_plan(sim, f);
  hy_agenda_init(&f->tn, f->n_places);
  hy_pending_init(&f->due, f->n_joined);
  for (guint a = 0; a < sim->n; a++) {
    double tn = hy_atom_schedule(sim, &sim->atoms[a], t);
    if (isnan(tn)) {
      return;
    }
    if (f->kind[a] != HY_DEAD) {
      hy_fused_set(f, a, tn);
    }
  }
}

static void fused_tape(HySim *sim, HyTape *tape)
{
  HyFused *f = sim->engine;
  hy_agenda_tape(&f->tn, f->n_places, tape);
  hy_pending_tape(&f->due, f->n_joined, tape);
  hy_tape_bytes(tape, f->kind, sim->n);
  hy_tape_bytes(tape, f->record, f->slots * sizeof *f->record);
  hy_tape_bytes(tape, &f->settled, sizeof f->settled);
  if (tape->pass == HY_TAPE_LOAD) {
    hy_fused_link(sim, f);
  }
}

/* Where a plain block has the last word of what is no static block, its input has it on flat. */
static HyPiece *fused_kept(const HySim *sim, HyFused *f, guint atomic, guint port)
{
  guint slot = sim->sources.slot[sim->sources.first[atomic] + port];
  if (f->kind[atomic] != HY_PLAIN || slot == HY_NO_SOURCE) {
    return NULL;
  }
  return hy_fused_record(sim, f, slot) == &f->record[slot] ? &f->record[slot] : NULL;
}

static void fused_tell(HySim *sim)
{
  const HyFused *f = sim->engine;
  for (guint a = 0; a < f->n_joined; a++) {
    HyStaticState *own = f->own[a];
    for (guint k = 0; f->kind[a] == HY_PLAIN && k < own->form.kind->n_in; k++) {
      own->in[k] = *f->to.plain[a].in[k];
    }
  }
}

/* Who can be plain is so at once. */
static void fused_resume(HySim *sim)
{
  HyFused *f = sim->engine;
  for (guint a = 0; a < f->n_joined; a++) {
    f->kind[a] = f->kind[a] == HY_PLAIN ? HY_JOINED : f->kind[a];
  }
  hy_fused_settle(sim, f);
  hy_agenda_clear(&f->tn);
  hy_agenda_init(&f->tn, f->n_places);
  hy_pending_clear(&f->due);
  hy_pending_init(&f->due, f->n_joined);
  for (guint a = 0; a < sim->n; a++) {
    if (f->kind[a] != HY_DEAD) {
      hy_fused_set(f, a, hy_atom_next(&sim->atoms[a]));
    }
    for (guint k = 0; f->kind[a] == HY_PLAIN && k < f->to.plain[a].own->form.kind->n_in; k++) {
      HyPiece *kept = fused_kept(sim, f, a, k);
      if (kept != NULL) {
        *kept = f->to.plain[a].own->in[k];
      }
    }
  }
}

/* The next event of an atomic is at T. */
static inline void fused_place(gpointer engine, guint atomic, double t)
{
  HyFused *f = engine;
  if (atomic < f->n_joined && t == f->tn.now) {
    hy_pending_add(&f->due, atomic);
    t = INFINITY;
  }
  if (f->tn.tn[f->place[atomic]] != t) {
    hy_fused_set(f, atomic, t);
  }
}

void hy_fused_copy_inputs(const HyFusedPlain *p)
{
  for (guint k = 0; k < p->own->form.kind->n_in; k++) {
    p->own->in[k] = *p->in[k];
  }
  p->own->fresh = TRUE;
}

void hy_fused_end_piece(HyFused *f, const HyFusedPlain *p, double t)
{
  HyStaticState *own = p->own;
  if (!hy_static_is_bounded(own->inexact->bound, fabs(own->form.first[0]))) {
    hy_fused_copy_inputs(p); /* the bound is that of the inputs as they are */
  }
  own->form.work->foreseen = hy_static_foresee(own, t);
  if (G_LIKELY(hy_static_believes(own, t))) {
    own->until = hy_static_until(own, t);
  } else {
    hy_fused_copy_inputs(p);
    own->until = hy_static_look(own, t);
  }
  own->tn = own->until;
  if (f->tn.tn[p->place] != own->tn) {
    hy_agenda_set(&f->tn, p->place, own->tn);
  }
}

/* Delivery ------------------------------------------------------------------------------------ */

/* FALSE: sim->error is set; so in all that follow. */
static G_GNUC_NO_INLINE gboolean fused_deliver_any(HySim *sim, HyFused *f, double t,
                                                   const HyFusedTarget *to, HyEvent *y)
{
  y->port = (gint)to->port;
  double next = hy_atom_input(sim, to->atomic, f->tn.tn[to->place], t, y);
  if (G_UNLIKELY(isnan(next))) {
    return FALSE;
  }
  fused_place(f, to->atomic, next);
  return TRUE;
}

/* It has taken a derivative and foresees nothing. */
gboolean hy_fused_watch_state(HySim *sim, HyFused *f, double t, const HyFusedTarget *to)
{
  const HyMember *m = to->own;
  m->watch(m->owner, t);
  double next = hy_atom_schedule(sim, &sim->atoms[to->atomic], t);
  if (isnan(next)) {
    return FALSE;
  }
  fused_place(f, to->atomic, next);
  return TRUE;
}

/* A new derivative, as dext of an integrator would take it. */
static inline gboolean fused_deliver_state(HySim *sim, HyFused *f, double t,
                                           const HyFusedTarget *to, HyEvent *y)
{
  HyMember *m = to->own;
  if (G_UNLIKELY(m->v->pieces < m->quantizer->order || m->v->tn == INFINITY)) {
    return fused_deliver_any(sim, f, t, to, y);
  }
  m->quantizer->derivative(m->v, t, y->value.c);
  sim->atoms[to->atomic].n_ext++;
  if (G_UNLIKELY(m->v->tn == INFINITY)) {
    return hy_fused_watch_state(sim, f, t, to);
  }
  if (m->v->tn != f->tn.tn[to->place]) {
    hy_agenda_set(&f->tn, to->place, m->v->tn);
  }
  return TRUE;
}

/* What is not static keeps its last word here. */
static inline void fused_keep(HyFused *f, double t, guint slot, const HyEvent *y)
{
  HyPiece *r = &f->record[slot];
  memcpy(r->c, y->value.c, sizeof r->c);
  r->t = t;
}

static inline void fused_mark_readers(HyFused *f, guint slot)
{
  for (guint k = f->to.first_mark[slot]; k < f->to.first_mark[slot + 1]; k++) {
    hy_pending_add(&f->due, f->to.mark[k]);
  }
}

/* To all targets of SLOT but plain ones. */
static inline gboolean fused_send(HySim *sim, HyFused *f, double t, guint slot, HyEvent *y)
{
  const HyFusedTarget *to = f->to.target + f->to.start[slot],
                      *end = f->to.target + f->to.start[slot + 1];
  for (; to < end; to++) {
    if (to->kind == HY_OF_STATE && G_LIKELY(f->watched[to->atomic] != HY_WATCH_ALL)) {
      if (!fused_deliver_state(sim, f, t, to, y)) {
        return FALSE;
      }
    } else if (to->kind == HY_OUTSIDE || f->watched[to->atomic] == HY_WATCH_ALL) {
      if (!fused_deliver_any(sim, f, t, to, y)) {
        return FALSE;
      }
    } else {
      HyStaticState *own = to->own;
      if (G_UNLIKELY(hy_static_is_deaf(own, to->port))) {
        continue; /* since a group has begun to decide its modes */
      }
      gboolean due = hy_static_take(own, to->port, t, y->value.c);
      own->tn = due ? t : INFINITY;
      sim->atoms[to->atomic].n_ext++;
      if (G_LIKELY(due)) {
        hy_pending_add(&f->due, to->atomic);
      }
    }
  }
  return TRUE;
}

/* What is infinite goes the way of the flat engine; plain readers find out when they are run. What
 * is no number all are offered in the order of the graph, as there: who wants one refuses it. */
static G_GNUC_NO_INLINE gboolean fused_deliver_odd(HySim *sim, HyFused *f, double t, guint slot,
                                                   HyEvent *y)
{
  const HyFlat *g = sim->graph;
  const HyFusedTarget *to = f->to.target + f->to.start[slot],
                      *end = f->to.target + f->to.start[slot + 1];
  HyEvent number = *y;
  gboolean none = y->value.payload != NULL && !hy_static_number(y->value.payload, number.value.c);
  for (guint k = g->start[slot]; k < g->start[slot + 1]; k++) {
    const HyFlatTarget *any = &g->targets[k];
    if (to < end && to->atomic == any->atomic && to->port == any->port) {
      if (!fused_deliver_any(sim, f, t, to++, y)) {
        return FALSE;
      }
    } else if (none && (f->kind[any->atomic] == HY_PLAIN || f->kind[any->atomic] == HY_DEAD)) {
      y->port = (gint)any->port;
      if (isnan(hy_atom_input(sim, any->atomic, INFINITY, t, y))) {
        return FALSE;
      }
    }
  }
  fused_keep(f, t, slot, &number);
  fused_mark_readers(f, slot);
  return TRUE;
}

/* From an atomic that is not plain. */
static gboolean fused_deliver(HySim *sim, gpointer engine, double t, guint slot, HyEvent *y)
{
  HyFused *f = engine;
  if (G_UNLIKELY(y->value.payload != NULL || !hy_cycle_is_finite(y->value.c))) {
    return fused_deliver_odd(sim, f, t, slot, y);
  }
  fused_keep(f, t, slot, y);
  fused_mark_readers(f, slot);
  return fused_send(sim, f, t, slot, y);
}

/* Steps --------------------------------------------------------------------------------------- */

/* A block whose modes have been judged, or a state that foresees nothing: as its class says. */
static G_GNUC_NO_INLINE gboolean fused_follow_any(HySim *sim, HyFused *f, double t, guint atomic)
{
  double tn = hy_atom_schedule(sim, &sim->atoms[atomic], t);
  if (isnan(tn)) {
    return FALSE;
  }
  if (tn > t && atomic < f->n_joined) {
    hy_pending_remove(&f->due, atomic); /* it was due, and is no more */
  }
  fused_place(f, atomic, tn);
  return TRUE;
}

/* What the room has made due: mostly states that know when they have their next event. */
static G_GNUC_NO_INLINE gboolean fused_follow_room(HySim *sim, HyFused *f, double t)
{
  while (*sim->n_due > 0) {
    const HyRoomState *s = hy_member_take_due(sim->room);
    guint atomic = s != NULL ? s->atomic : 0;
    if (G_UNLIKELY(s == NULL)) {
      hy_room_due(sim->room, &atomic);
    }
    if (G_UNLIKELY(s == NULL || !(s->member->v->tn < INFINITY || s->member->says < INFINITY))) {
      if (!fused_follow_any(sim, f, t, atomic)) {
        return FALSE;
      }
    } else if (f->tn.tn[f->place[atomic]] != hy_member_next(s->member)) {
      hy_agenda_set(&f->tn, f->place[atomic], hy_member_next(s->member));
    }
  }
  return TRUE;
}

static inline gboolean fused_follow(HySim *sim, HyFused *f, double t)
{
  return G_LIKELY(*sim->n_due == 0) || fused_follow_room(sim, f, t);
}

gboolean hy_fused_deliver_state(HySim *sim, HyFused *f, double t, const HyFusedTarget *to,
                                const double *c)
{
  HyEvent y = {.value.c = {c[0], c[1], c[2], c[3]}};
  return fused_deliver_state(sim, f, t, to, &y);
}

gboolean hy_fused_deliver(HySim *sim, HyFused *f, double t, guint slot, HyEvent *y)
{
  return fused_deliver(sim, f, t, slot, y);
}

gboolean hy_fused_follow(HySim *sim, HyFused *f, double t)
{
  return fused_follow_room(sim, f, t);
}

/* Any atomic, as the flat engine does it. */
static G_GNUC_NO_INLINE gboolean fused_run_any(HySim *sim, HyFused *f, double t, guint atomic)
{
  return hy_cycle(sim, f, t, atomic, fused_deliver, fused_place) && fused_follow(sim, f, t);
}

static G_GNUC_NO_INLINE gboolean fused_run_odd(HySim *sim, HyFused *f, double t, guint atomic)
{
  hy_fused_copy_inputs(&f->to.plain[atomic]);
  return fused_run_any(sim, f, t, atomic);
}

/* To all but plain readers, who are marked, what a plain block has just said. */
gboolean hy_fused_say_plain(HySim *sim, HyFused *f, double t, const HyFusedPlain *p)
{
  const double *c = p->own->form.first;
  HyEvent y = {.value.c = {c[0], c[1], c[2], c[3]}};
  hy_atom_tell_word(sim, p->atomic, t, &y);
  if (!fused_send(sim, f, t, p->slot, &y)) {
    return FALSE;
  }
  if (p->heard) {
    hy_atom_said(sim, p->atomic, 0, t, &y);
  }
  return fused_follow(sim, f, t);
}

static inline gboolean fused_run_plain(HySim *sim, HyFused *f, double t, guint atomic)
{
  const HyFusedPlain *p = &f->to.plain[atomic];
  HyPlainTurn turn = hy_fused_plain_turn(sim, f, p, t);
  if (G_UNLIKELY(turn == HY_PLAIN_ODD)) {
    return fused_run_odd(sim, f, t, atomic);
  }
  if (turn == HY_PLAIN_SILENT) {
    return TRUE;
  }
  fused_mark_readers(f, p->slot);
  return (p->quiet && p->to == p->end) || hy_fused_say_plain(sim, f, t, p);
}

/* A member of a group: says what the group has decided, or lets it decide. */
static gboolean fused_run_member(HySim *sim, HyFused *f, double t, guint atomic, HyMember *m)
{
  HyQState *v = m->v;
  if (m->says <= t) {
    HyEvent y = {.value.c = {v->q[0], v->q[1], v->q[2]}};
    hy_atom_tell_word(sim, atomic, t, &y);
    if (G_UNLIKELY(!hy_cycle_is_finite(y.value.c) || sim->now.n_wrong > 0)) {
      hy_sim_note_value(sim, atomic, t, &y);
    }
    if (!fused_deliver(sim, f, t, sim->graph->first_out[atomic], &y)) {
      return FALSE;
    }
    m->says = INFINITY;
    m->told = FALSE; /* the signal table has it */
  } else {
    hy_group_step(sim->room, m->state, t);
  }
  sim->atoms[atomic].n_int++;
  double tn = hy_member_next(m);
  if (G_UNLIKELY(!(v->tn < INFINITY || m->says < INFINITY))) {
    m->watch(m->owner, t);
    tn = hy_atom_schedule(sim, &sim->atoms[atomic], t);
    if (isnan(tn)) {
      return FALSE;
    }
  }
  hy_fused_set(f, atomic, tn);
  return fused_follow(sim, f, t);
}

/* A watcher hears what a state is about to say before it has moved, as on flat. */
static inline void fused_foretell(const HySim *sim, const HyFused *f, double t, guint atomic)
{
  if (G_UNLIKELY(f->watched[atomic] != HY_WATCH_NOTHING)) {
    HyEvent y = hy_atom_lambda(sim, atomic, t);
    hy_atom_tell_word(sim, atomic, t, &y);
  }
}

static inline gboolean fused_step_row(HySim *sim, HyFused *f, double t, guint atomic)
{
  const HyFusedRow *row = &f->row[atomic];
  fused_foretell(sim, f, t, atomic);
  return row->step(sim, f, row, t);
}

/* The own step of a state has been done: it says so, and is due again. */
gboolean hy_fused_say_state(HySim *sim, HyFused *f, double t, guint atomic)
{
  const HyMember *m = f->own[atomic];
  const HyQState *v = m->v;
  HyEvent y = {.value.c = {v->q[0], v->q[1], v->q[2]}};
  if (G_UNLIKELY(!hy_cycle_is_finite(y.value.c) || sim->now.n_wrong > 0)) {
    hy_sim_note_value(sim, atomic, t, &y);
  }
  if (!fused_deliver(sim, f, t, sim->graph->first_out[atomic], &y)) {
    return FALSE;
  }
  double tn = v->tn < INFINITY ? hy_member_next(m) : hy_atom_schedule(sim, &sim->atoms[atomic], t);
  if (G_UNLIKELY(isnan(tn))) {
    return FALSE;
  }
  hy_fused_set(f, atomic, tn);
  hy_atom_said(sim, atomic, 0, t, &y);
  return fused_follow(sim, f, t);
}

/* The own step of a state that decides alone. */
static inline gboolean fused_run_state(HySim *sim, HyFused *f, double t, guint atomic)
{
  const HyFusedRow *row = &f->row[atomic];
  if (row->step != NULL && row->state->way != HY_ROW_ODD && row->state->v->tn == t) {
    return fused_step_row(sim, f, t, atomic);
  }
  HyMember *m = f->own[atomic];
  HyQState *v = m->v;
  if (G_UNLIKELY(f->watched[atomic] == HY_WATCH_ALL || v->pieces < m->quantizer->order ||
                 (v->tn != t && m->says != t))) {
    return fused_run_any(sim, f, t, atomic);
  }
  if (row->step != NULL) {
    return fused_step_row(sim, f, t, atomic);
  }
  if (m->family != HY_FAMILY_QUANTIZED) {
    return fused_run_member(sim, f, t, atomic, m);
  }
  fused_foretell(sim, f, t, atomic);
  const HyFusedCone *cone = f->to.cone[atomic];
  if (cone != NULL) {
    return cone->step(sim, f, cone, t);
  }
  if (m->quantizer->implicit) {
    hy_room_localize(sim->room, m->state, t, v);
  }
  m->quantizer->step(v, t);
  if (G_UNLIKELY(v->tn == INFINITY)) {
    m->watch(m->owner, t);
  }
  ++*hy_room_steps(sim->room);
  sim->atoms[atomic].n_int++;
  return hy_fused_say_state(sim, f, t, atomic);
}

/* Joined blocks whose own instant has come (a mode changes) wait with the others. */
static void fused_gather(HyFused *f, double t)
{
  guint place;
  while (hy_agenda_first(&f->tn, &place) == t && f->atomic[place] < f->n_joined) {
    hy_agenda_set(&f->tn, place, INFINITY);
    hy_pending_add(&f->due, f->atomic[place]);
  }
}

/* The next step at or before TF: whose it is, TRUE; FALSE: there is none. */
static inline gboolean fused_next_step(const HySim *sim, HyFused *f, double tf, guint *atomic)
{
  if (!hy_pending_is_empty(&f->due)) {
    *atomic = hy_pending_take(&f->due);
    return TRUE;
  }
  guint place;
  double t = hy_agenda_first(&f->tn, &place);
  if (!(t <= tf) || isinf(t)) {
    return FALSE;
  }
  *atomic = f->atomic[place];
  hy_agenda_advance(&f->tn, t);
  if (G_UNLIKELY(!f->settled && t > f->t0)) {
    hy_fused_settle(sim, f);
  }
  if (*atomic < f->n_joined) {
    fused_gather(f, t);
    *atomic = hy_pending_take(&f->due);
  }
  return TRUE;
}

/* Faults -------------------------------------------------------------------------------------- */

/* A block that was left out has its turn after all, at T, with the last words of its sources; what
 * a port with several of them would have is not known. TRUE: the result is not finite. */
static gboolean fused_is_wrong_too(const HySim *sim, const HyFused *f, guint atomic, double t)
{
  HyStaticState *own = f->own[atomic];
  guint first = sim->sources.first[atomic];
  for (guint k = first; k < sim->sources.first[atomic + 1]; k++) {
    guint source = sim->sources.slot[k];
    if (source != HY_NO_SOURCE && source != HY_MANY_SOURCES) {
      const HyPiece *said = hy_fused_record(sim, f, source);
      if (!isnan(said->t)) {
        hy_static_take(own, k - first, said->t, said->c);
      }
    }
  }
  for (guint k = 0; own->missing == 0 && !own->fault.wrong && k < own->form.program->n_out; k++) {
    hy_static_lambda(sim->atoms[atomic].state, t);
    hy_static_dint(sim->atoms[atomic].state, t);
  }
  return own->fault.wrong;
}

/* The run has ended at T with ATOMIC. If its result was not finite, that of a block that was left
 * out may have been so, too, at the same instant; the first of them is named, as by flat. */
static G_GNUC_NO_INLINE void fused_name_first(HySim *sim, HyFused *f, double t, guint atomic)
{
  const HyStaticState *failed = f->own[atomic];
  if ((f->kind[atomic] != HY_JOINED && f->kind[atomic] != HY_PLAIN) || !failed->fault.failed) {
    return;
  }
  for (guint a = 0; a < atomic; a++) {
    if (f->kind[a] == HY_DEAD && fused_is_wrong_too(sim, f, a, failed->fault.since)) {
      g_clear_error(&sim->error);
      hy_static_dint(sim->atoms[a].state, t);
      hy_atom_schedule(sim, &sim->atoms[a], t);
      return;
    }
  }
}

static guint64 fused_run(HySim *sim, double tf, guint64 max)
{
  HyFused *f = sim->engine;
  if (!hy_pending_is_empty(&f->due) && f->tn.now > tf) {
    return 0; /* an input has come later than that */
  }
  f->tf = tf;
  for (f->left = max; f->left > 0 && sim->n > 0; f->left--) {
    guint atomic;
    if (!fused_next_step(sim, f, tf, &atomic)) {
      break;
    }
    double t = f->tn.now;
    if (!hy_sim_may_cycle(sim, atomic, t)) {
      break;
    }
    sim->now.t = t;
    sim->now.totals.cycles++;
    gboolean ok = f->kind[atomic] == HY_PLAIN      ? fused_run_plain(sim, f, t, atomic)
                  : f->kind[atomic] == HY_OF_STATE ? fused_run_state(sim, f, t, atomic)
                                                   : fused_run_any(sim, f, t, atomic);
    if (!ok) {
      fused_name_first(sim, f, t, atomic);
      break;
    }
  }
  return max - f->left;
}

static void fused_input(HySim *sim, double t, guint port, const HyValue *value)
{
  HyFused *f = sim->engine;
  HyEvent x = {.value = *value};
  hy_agenda_advance(&f->tn, t);
  fused_gather(f, t); /* they have their turn among those that the input reaches */
  fused_deliver(sim, f, t, sim->graph->first_out[sim->n] + port, &x);
}

static double fused_next(const HySim *sim)
{
  const HyFused *f = sim->engine;
  return hy_pending_is_empty(&f->due) ? hy_agenda_min(&f->tn) : f->tn.now;
}

static void fused_follow_outside(HySim *sim, double t)
{
  fused_follow(sim, sim->engine, t);
}

static void fused_place_lever(HySim *sim, guint atomic, double t)
{
  hy_fused_set(sim->engine, atomic, t);
}

const HyEngineOps hy_engine_fused = {
    .build = fused_build,
    .clear = fused_clear,
    .init = fused_init,
    .run = fused_run,
    .input = fused_input,
    .next = fused_next,
    .follow = fused_follow_outside,
    .place = fused_place_lever,
    .tape = fused_tape,
    .tell = fused_tell,
    .resume = fused_resume,
};
