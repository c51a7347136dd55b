/* The flat engine: closure under coupling. One agenda of all atomics in the order of ties, events
 * go straight from port to port; the same calls in the same order as the tree, without messages.
 * Nothing is allocated for an event.
 *
 * Two kinds of atomics are most of a continuous model: static blocks with one output and no modes,
 * and states that decide alone. What their functions do is done here without a call through the
 * class, and a step of a state and what it says are found once: nothing can come back to a block
 * before its cycle is over. What is out of the ordinary (a payload, a value that is not finite, a
 * fault that stands, the pieces of the start, whoever is watched in all) goes to their class. */
#include "cycle.h"
#include "engines.h"
#include "equations/static_block.h"

typedef enum { FLAT_ANY, FLAT_STATIC, FLAT_STATE } FlatKind;

typedef struct {
  union {
    HyStaticState *own; /* of a static block */
    HyMember *member;   /* of a state */
  };
  HyAtom *counts;
} FlatAtom;

typedef struct {
  const HyFlat *graph;
  HyAgenda tn;    /* by atomic */
  guint8 *kind;   /* [n]: FlatKind */
  FlatAtom *atom; /* [n], of those that are not FLAT_ANY; NULL: all are */
} Flat;

static gboolean flat_build(HySim *sim, GError **error)
{
  (void)error; /* what can be wrong has been checked on the model */
  Flat *f = g_new0(Flat, 1);
  f->graph = sim->graph;
  hy_agenda_init(&f->tn, sim->n);
  f->kind = g_new0(guint8, (gsize)sim->n + 1);
  sim->engine = f;
  return TRUE;
}

static void flat_clear(HySim *sim)
{
  Flat *f = sim->engine;
  hy_agenda_clear(&f->tn);
  g_free(f->kind);
  g_free(f->atom);
  g_free(f);
}

static FlatKind flat_kind(const HySim *sim, guint atomic, FlatAtom *to)
{
  HyAtom *a = &sim->atoms[atomic];
  to->counts = a;
  if (a->klass->describe != NULL) {
    to->own = ((HyStatic *)(gpointer)a->state)->own;
    return to->own != NULL && to->own->form.simple ? FLAT_STATIC : FLAT_ANY;
  }
  if (a->klass->order == NULL || sim->room == NULL) {
    return FLAT_ANY;
  }
  HyMember *m = to->member = hy_room_member(sim->room, atomic);
  return m != NULL && m->plain && m->family == HY_FAMILY_QUANTIZED && !m->by_row ? FLAT_STATE
                                                                                 : FLAT_ANY;
}

static void flat_take_kind(const HySim *sim, Flat *f, guint atomic)
{
  FlatAtom to;
  FlatKind kind = flat_kind(sim, atomic, &to);
  f->kind[atomic] = FLAT_ANY;
  if (kind != FLAT_ANY && hy_sim_watch(sim, atomic) != HY_WATCH_ALL) {
    if (f->atom == NULL) {
      f->atom = g_new(FlatAtom, sim->n);
    }
    f->kind[atomic] = (guint8)kind;
    f->atom[atomic] = to;
  }
}

static void flat_init(HySim *sim, double t)
{
  Flat *f = sim->engine;
  hy_agenda_clear(&f->tn);
  hy_agenda_init(&f->tn, sim->n);
  for (guint a = 0; a < sim->n; a++) {
    flat_take_kind(sim, f, a);
    double tn = hy_atom_schedule(sim, &sim->atoms[a], t);
    if (isnan(tn)) {
      return;
    }
    hy_agenda_set(&f->tn, a, tn);
  }
}

/* Delivery ------------------------------------------------------------------------------------ */

/* FALSE: sim->error is set; so in all that follow. */
HY_AGENDA_INLINE gboolean flat_hand(HySim *sim, Flat *f, double t, HyFlatTarget to, HyEvent *y)
{
  y->port = (gint)to.port;
  double tn = f->tn.tn[to.atomic];
  double next = hy_atom_input(sim, to.atomic, tn, t, y);
  if (next != tn) { /* NaN, too */
    if (G_UNLIKELY(isnan(next))) {
      return FALSE;
    }
    hy_agenda_set(&f->tn, to.atomic, next);
  }
  return TRUE;
}

static G_GNUC_NO_INLINE gboolean flat_deliver_any(HySim *sim, Flat *f, double t, HyFlatTarget to,
                                                  HyEvent *y)
{
  return flat_hand(sim, f, t, to, y);
}

/* Dext of a static block. */
HY_AGENDA_INLINE void flat_take(Flat *f, double t, HyFlatTarget to, const double *c)
{
  HyStaticState *own = f->atom[to.atomic].own;
  f->atom[to.atomic].counts->n_ext++;
  own->tn = hy_static_take(own, to.port, t, c) ? t : INFINITY;
  if (own->tn != f->tn.tn[to.atomic]) {
    hy_agenda_set(&f->tn, to.atomic, own->tn);
  }
}

/* Dext of a state. */
HY_AGENDA_INLINE gboolean flat_answer(HySim *sim, Flat *f, double t, HyFlatTarget to, HyEvent *y)
{
  const HyMember *m = f->atom[to.atomic].member;
  HyQState *v = m->v;
  if (G_UNLIKELY(v->pieces < m->quantizer->order || v->tn == INFINITY)) {
    return flat_deliver_any(sim, f, t, to, y);
  }
  m->quantizer->derivative(v, t, y->value.c);
  f->atom[to.atomic].counts->n_ext++;
  double next = v->tn;
  if (G_UNLIKELY(next == INFINITY)) {
    m->watch(m->owner, t);
    next = hy_atom_schedule(sim, &sim->atoms[to.atomic], t);
    if (isnan(next)) {
      return FALSE;
    }
  }
  if (next != f->tn.tn[to.atomic]) {
    hy_agenda_set(&f->tn, to.atomic, next);
  }
  return TRUE;
}

HY_AGENDA_INLINE gboolean flat_deliver(HySim *sim, gpointer engine, double t, guint slot,
                                       HyEvent *y)
{
  Flat *f = engine;
  const HyFlatTarget *to = f->graph->targets + f->graph->start[slot];
  const HyFlatTarget *end = f->graph->targets + f->graph->start[slot + 1];
  gboolean odd = y->value.payload != NULL || !hy_cycle_is_finite(y->value.c);
  for (; to < end; to++) {
    FlatKind kind = G_UNLIKELY(odd) ? FLAT_ANY : (FlatKind)f->kind[to->atomic];
    if (kind == FLAT_STATIC) {
      flat_take(f, t, *to, y->value.c);
    } else if (!(kind == FLAT_STATE ? flat_answer(sim, f, t, *to, y)
                                    : flat_deliver_any(sim, f, t, *to, y))) {
      return FALSE;
    }
  }
  return TRUE;
}

/* Where all are FLAT_ANY. */
HY_AGENDA_INLINE gboolean flat_deliver_plainly(HySim *sim, gpointer engine, double t, guint slot,
                                               HyEvent *y)
{
  Flat *f = engine;
  const HyFlatTarget *to = f->graph->targets + f->graph->start[slot];
  const HyFlatTarget *end = f->graph->targets + f->graph->start[slot + 1];
  for (; to < end; to++) {
    if (!flat_hand(sim, f, t, *to, y)) {
      return FALSE;
    }
  }
  return TRUE;
}

/* Cycles -------------------------------------------------------------------------------------- */

static inline void flat_place(gpointer engine, guint atomic, double tn)
{
  Flat *f = engine;
  hy_agenda_set(&f->tn, atomic, tn);
}

/* Not in place, for whoever is run as any atomic. */
static gboolean flat_deliver_for_any(HySim *sim, gpointer engine, double t, guint slot, HyEvent *y)
{
  return flat_deliver(sim, engine, t, slot, y);
}

static G_GNUC_NO_INLINE gboolean flat_run_any(HySim *sim, Flat *f, double t, guint atomic)
{
  return hy_cycle(sim, f, t, atomic, flat_deliver_for_any, flat_place);
}

/* Lambda and dint of a static block. */
HY_AGENDA_INLINE gboolean flat_run_static(HySim *sim, Flat *f, double t, guint atomic)
{
  HyStaticState *own = f->atom[atomic].own;
  if (G_UNLIKELY(hy_fault_is_passed(&own->fault, t) || sim->now.n_wrong > 0 ||
                 !hy_static_evaluate(own, t))) {
    return flat_run_any(sim, f, t, atomic);
  }
  const double *c = own->form.first;
  gboolean speaks = c[1] != 0.0 || !hy_static_is_said(c, own->said);
  HyEvent y = {.port = speaks ? 0 : -1, .value.c = {c[0], c[1], c[2], c[3]}};
  hy_atom_tell_word(sim, atomic, t, &y);
  if (speaks && !flat_deliver(sim, f, t, f->graph->first_out[atomic], &y)) {
    return FALSE;
  }
  f->atom[atomic].counts->n_int++;
  if (own->form.exact) {
    hy_static_said(own, t, speaks);
  } else {
    hy_static_move(own, t, speaks);
  }
  hy_agenda_set(&f->tn, atomic, own->tn);
  if (speaks) {
    hy_atom_said(sim, atomic, 0, t, &y);
  }
  return TRUE;
}

/* Of a state: its step, and what it says. */
HY_AGENDA_INLINE gboolean flat_run_state(HySim *sim, Flat *f, double t, guint atomic)
{
  const HyMember *m = f->atom[atomic].member;
  HyQState *v = m->v;
  if (G_UNLIKELY(v->pieces < m->quantizer->order || v->tn != t || sim->now.n_wrong > 0)) {
    return flat_run_any(sim, f, t, atomic);
  }
  if (G_UNLIKELY(hy_sim_watch(sim, atomic) != HY_WATCH_NOTHING)) {
    HyEvent word = hy_atom_lambda(sim, atomic, t); /* before it has moved */
    hy_atom_tell_word(sim, atomic, t, &word);
  }
  if (m->quantizer->implicit) {
    hy_room_localize(sim->room, m->state, t, v);
  }
  m->quantizer->step(v, t);
  if (G_UNLIKELY(v->tn == INFINITY)) {
    m->watch(m->owner, t);
  }
  HyEvent y = {.value.c = {v->q[0], v->q[1], v->q[2]}};
  if (G_UNLIKELY(!hy_cycle_is_finite(y.value.c))) {
    hy_sim_note_value(sim, atomic, t, &y);
  }
  ++*hy_room_steps(sim->room);
  f->atom[atomic].counts->n_int++;
  if (!flat_deliver(sim, f, t, f->graph->first_out[atomic], &y)) {
    return FALSE;
  }
  double tn = v->tn < INFINITY ? v->tn : hy_atom_schedule(sim, &sim->atoms[atomic], t);
  if (G_UNLIKELY(isnan(tn))) {
    return FALSE;
  }
  hy_agenda_set(&f->tn, atomic, tn);
  hy_atom_said(sim, atomic, 0, t, &y);
  return TRUE;
}

HY_AGENDA_INLINE gboolean flat_run_kind(HySim *sim, Flat *f, double t, guint atomic)
{
  FlatKind kind = (FlatKind)f->kind[atomic];
  return kind == FLAT_STATIC  ? flat_run_static(sim, f, t, atomic)
         : kind == FLAT_STATE ? flat_run_state(sim, f, t, atomic)
                              : flat_run_any(sim, f, t, atomic);
}

/* MIXED, a constant: some are not FLAT_ANY. */
HY_AGENDA_INLINE gboolean flat_follow_room(HySim *sim, Flat *f, double t)
{
  guint atomic;
  double tn;
  while (hy_atom_due(sim, t, &atomic, &tn)) {
    if (G_UNLIKELY(isnan(tn))) {
      return FALSE;
    }
    hy_agenda_set(&f->tn, atomic, tn);
  }
  return TRUE;
}

HY_AGENDA_INLINE gboolean flat_cycle(HySim *sim, Flat *f, double t, guint atomic, gboolean mixed)
{
  return (mixed ? flat_run_kind(sim, f, t, atomic)
                : hy_cycle(sim, f, t, atomic, flat_deliver_plainly, flat_place)) &&
         flat_follow_room(sim, f, t);
}

HY_AGENDA_INLINE guint64 flat_run_loop(HySim *sim, Flat *f, double tf, guint64 max, gboolean mixed)
{
  guint64 done = 0;
  for (; done < max; done++) {
    guint atomic;
    double t = hy_agenda_first(&f->tn, &atomic);
    if (!(t <= tf && t < INFINITY)) {
      break;
    }
    if (!hy_sim_may_cycle(sim, atomic, t)) {
      break;
    }
    sim->now.t = t;
    hy_agenda_advance(&f->tn, t);
    sim->now.totals.cycles++;
    if (!flat_cycle(sim, f, t, atomic, mixed)) {
      break;
    }
  }
  return done;
}

static G_GNUC_NO_INLINE guint64 flat_run_mixed(HySim *sim, Flat *f, double tf, guint64 max)
{
  return flat_run_loop(sim, f, tf, max, TRUE);
}

static guint64 flat_run(HySim *sim, double tf, guint64 max)
{
  Flat *f = sim->engine;
  return f->atom != NULL ? flat_run_mixed(sim, f, tf, max) : flat_run_loop(sim, f, tf, max, FALSE);
}

static void flat_input(HySim *sim, double t, guint port, const HyValue *value)
{
  Flat *f = sim->engine;
  HyEvent x = {.value = *value};
  flat_deliver(sim, f, t, f->graph->first_out[sim->n] + port, &x);
}

static double flat_next(const HySim *sim)
{
  const Flat *f = sim->engine;
  return hy_agenda_min(&f->tn);
}

static void flat_follow(HySim *sim, double t)
{
  flat_follow_room(sim, sim->engine, t);
}

static void flat_place_lever(HySim *sim, guint atomic, double t)
{
  flat_place(sim->engine, atomic, t);
}

static void flat_tape(HySim *sim, HyTape *tape)
{
  Flat *f = sim->engine;
  hy_agenda_tape(&f->tn, sim->n, tape);
}

static void flat_resume(HySim *sim)
{
  Flat *f = sim->engine;
  hy_agenda_clear(&f->tn);
  hy_agenda_init(&f->tn, sim->n);
  for (guint a = 0; a < sim->n; a++) {
    hy_agenda_set(&f->tn, a, hy_atom_next(&sim->atoms[a]));
  }
}

const HyEngineOps hy_engine_flat = {
    .build = flat_build,
    .clear = flat_clear,
    .init = flat_init,
    .run = flat_run,
    .input = flat_input,
    .next = flat_next,
    .follow = flat_follow,
    .place = flat_place_lever,
    .tape = flat_tape,
    .runs_all = TRUE,
    .resume = flat_resume,
};
