/* The fused engine: the flat loop, in which static blocks that state what they compute are run by
 * rank and not by messages. Their order D is their rank, and at an instant they stand before
 * everything else; so taking the smallest number of those that wait is the order of the flat
 * engine, and the events are the same to the last bit. Everything discrete is run as there.
 *
 * What is left out: a block from which nothing leads to anybody who looks (all its readers evaluate
 * rows). What is watched by a trace is run as in flat, so that the trace sees the same. */
#include "coupled/order.h"
#include "engines.h"
#include "equations/static_block.h"
#include "sim/agenda.h"
#include "sim/pending.h"

#include <string.h>

/* DEAD: a static block that nobody looks at. It is never due. */
typedef enum { OUTSIDE, JOINED, PLAIN, STATE, DEAD } Kind;

/* A joined block without modes, one output, of which all inputs are known. */
typedef struct {
  struct HyStaticState *own;
  const HyPiece **in; /* [n_in] */
  guint slot;
  gboolean heard; /* the room wants to know what it says */
} Plain;

typedef struct {
  gpointer own; /* of JOINED its HyStaticState, of STATE its HyMember */
  guint atomic, port;
  Kind kind;
} Target;

typedef struct {
  HyAgenda tn;    /* of what has instants of its own */
  HyPending due;  /* joined blocks, at the instant of the agenda */
  guint n_joined; /* they have the numbers below, and those OUTSIDE that answer at once */
  guint8 *kind;   /* [n] */
  guint8 *told;   /* [n]: a trace wants its transitions */
  gpointer *own;  /* [n] as in a target */
  guint *start;   /* [slots + 1] */
  Target *target;
  HyPiece *record; /* [slots]: the last word of what is not static; t NaN: none */
  Plain *plain;    /* [n_joined]; NULL before the first instant after the start */
  const HyPiece **in;
  guint *first_mark; /* [slots + 1]: the plain readers of a slot, which are no targets then */
  guint *mark;
  double t0;
} Fused;

/* Making one ---------------------------------------------------------------------------------- */

static gboolean fused_build(HySim *sim, GError **error)
{
  (void)error;
  sim->engine = g_new0(Fused, 1);
  return TRUE;
}

static void clear(Fused *f)
{
  hy_agenda_clear(&f->tn);
  hy_pending_clear(&f->due);
  g_clear_pointer(&f->kind, g_free);
  g_clear_pointer(&f->told, g_free);
  g_clear_pointer(&f->own, g_free);
  g_clear_pointer(&f->start, g_free);
  g_clear_pointer(&f->target, g_free);
  g_clear_pointer(&f->record, g_free);
  g_clear_pointer(&f->plain, g_free);
  g_clear_pointer(&f->in, g_free);
  g_clear_pointer(&f->first_mark, g_free);
  g_clear_pointer(&f->mark, g_free);
}

static void fused_clear(HySim *sim)
{
  clear(sim->engine);
  g_free(sim->engine);
}

/* What answers at once, without a priority of its own, has the first numbers. */
static void find_kinds(HySim *sim, Fused *f)
{
  gboolean first = TRUE;
  for (guint a = 0; a < sim->n; a++) {
    const HyAtom *atom = &sim->atoms[a];
    HyMember *member = sim->room != NULL ? hy_room_member(sim->room, a) : NULL;
    first = first && hy_answers_at_once(atom->klass);
    f->n_joined = first ? a + 1 : f->n_joined;
    f->told[a] = hy_sim_is_told(sim, a);
    if (first && atom->klass->describe != NULL) {
      f->kind[a] = JOINED;
      f->own[a] = ((HyStatic *)(gpointer)atom->state)->own;
    } else if (member != NULL && member->plain) {
      f->kind[a] = STATE;
      f->own[a] = member;
    }
  }
}

/* Whether somebody looks at what comes to TO. Of a port with several sources nobody can say what it
 * leads to (find_alive() follows single ones). */
static gboolean is_read(const HySim *sim, const Fused *f, HyFlatTarget to)
{
  return sim->sources.slot[sim->sources.first[to.atomic] + to.port] == HY_MANY_SOURCES ||
         f->told[to.atomic] || f->kind[to.atomic] == OUTSIDE ||
         (f->kind[to.atomic] == STATE && !((const HyMember *)f->own[to.atomic])->by_row);
}

static gboolean has_readers(const HySim *sim, const Fused *f, guint atomic)
{
  const HyFlat *g = sim->graph;
  if (f->told[atomic] || f->kind[atomic] == OUTSIDE ||
      ((struct HyStaticState *)f->own[atomic])->modes != NULL) {
    return TRUE; /* modes are read by rows */
  }
  for (guint slot = g->first_out[atomic]; slot < g->first_out[atomic + 1]; slot++) {
    if (hy_room_hears(sim->room, slot) || g->start[slot] == g->start[slot + 1]) {
      return TRUE;
    }
    for (guint k = g->start[slot]; k < g->start[slot + 1]; k++) {
      if (is_read(sim, f, g->targets[k])) {
        return TRUE;
      }
    }
  }
  return FALSE;
}

/* The joined block that speaks at each of their slots. */
static guint32 *slot_owners(const HySim *sim, const Fused *f)
{
  guint32 *owner = g_new(guint32, (gsize)sim->graph->first_out[f->n_joined] + 1);
  for (guint a = 0; a < f->n_joined; a++) {
    for (guint s = sim->graph->first_out[a]; s < sim->graph->first_out[a + 1]; s++) {
      owner[s] = a;
    }
  }
  return owner;
}

/* Joined blocks that lead to somebody who looks; backwards along the wires. */
static guint8 *find_alive(const HySim *sim, const Fused *f)
{
  guint8 *alive = g_new0(guint8, (gsize)f->n_joined + 1);
  g_autofree guint32 *owner = slot_owners(sim, f);
  g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(guint));
  for (guint a = 0; a < f->n_joined; a++) {
    if (has_readers(sim, f, a)) {
      alive[a] = 1;
      g_array_append_val(stack, a);
    }
  }
  while (stack->len > 0) {
    guint a = g_array_index(stack, guint, stack->len - 1);
    g_array_set_size(stack, stack->len - 1);
    for (guint k = sim->sources.first[a]; k < sim->sources.first[a + 1]; k++) {
      guint source = sim->sources.slot[k];
      if (source < sim->graph->first_out[f->n_joined] && !alive[owner[source]]) {
        alive[owner[source]] = 1;
        g_array_append_val(stack, owner[source]);
      }
    }
  }
  return alive;
}

static gboolean is_wanted(const Fused *f, const guint8 *alive, HyFlatTarget to)
{
  switch ((Kind)f->kind[to.atomic]) {
  case JOINED:
    return alive[to.atomic];
  case STATE:
    return f->told[to.atomic] || !((const HyMember *)f->own[to.atomic])->by_row;
  default:
    return TRUE;
  }
}

static void find_targets(HySim *sim, Fused *f)
{
  const HyFlat *g = sim->graph;
  guint slots = g->first_out[sim->n] + sim->model->in->len, n = 0;
  g_autofree guint8 *alive = find_alive(sim, f);
  f->start = g_new(guint, (gsize)slots + 1);
  f->target = g_new(Target, (gsize)g->start[slots] + 1);
  for (guint slot = 0; slot < slots; slot++) {
    f->start[slot] = n;
    for (guint k = g->start[slot]; k < g->start[slot + 1]; k++) {
      HyFlatTarget to = g->targets[k];
      if (is_wanted(f, alive, to)) {
        f->target[n++] = (Target){f->own[to.atomic], to.atomic, to.port, (Kind)f->kind[to.atomic]};
      }
    }
  }
  f->start[slots] = n;
  for (guint a = 0; a < f->n_joined; a++) {
    f->kind[a] = alive[a] ? f->kind[a] : DEAD;
  }
}

/* Plain blocks -------------------------------------------------------------------------------- */

static gboolean can_be_plain(const HySim *sim, const Fused *f, guint atomic)
{
  const struct HyStaticState *own = f->own[atomic];
  if (f->kind[atomic] != JOINED || f->told[atomic] || !own->simple || own->missing > 0 ||
      own->undecided > 0 || own->fault != HY_FINE || !isnan(own->wrong)) {
    return FALSE;
  }
  for (guint k = sim->sources.first[atomic]; k < sim->sources.first[atomic + 1]; k++) {
    if (sim->sources.slot[k] == HY_MANY_SOURCES) {
      return FALSE;
    }
  }
  return TRUE;
}

/* Where what is said at SLOT is kept. */
static const HyPiece *record_of(const HySim *sim, const Fused *f, const guint32 *owner, guint slot)
{
  if (slot >= sim->graph->first_out[f->n_joined]) {
    return &f->record[slot];
  }
  guint a = owner[slot];
  if (f->kind[a] == OUTSIDE) {
    return &f->record[slot];
  }
  return &((const struct HyStaticState *)f->own[a])->said[slot - sim->graph->first_out[a]];
}

static void make_plain(const HySim *sim, Fused *f)
{
  g_autofree guint32 *owner = slot_owners(sim, f);
  guint n = sim->sources.first[f->n_joined];
  f->plain = g_new0(Plain, (gsize)f->n_joined + 1);
  f->in = g_new(const HyPiece *, (gsize)n + 1);
  for (guint a = 0; a < f->n_joined; a++) {
    if (!can_be_plain(sim, f, a)) {
      continue;
    }
    struct HyStaticState *own = f->own[a];
    guint first = sim->sources.first[a];
    for (guint k = first; k < sim->sources.first[a + 1]; k++) {
      guint source = sim->sources.slot[k];
      f->in[k] = source == HY_NO_SOURCE ? &own->in[k - first] : record_of(sim, f, owner, source);
    }
    guint slot = sim->graph->first_out[a];
    f->plain[a] = (Plain){own, f->in + first, slot, hy_room_hears(sim->room, slot)};
    f->kind[a] = PLAIN;
  }
}

/* Targets that are plain become marks; the others close up. */
static void split_targets(const HySim *sim, Fused *f)
{
  guint slots = sim->graph->first_out[sim->n] + sim->model->in->len, n = 0, marks = 0, from = 0;
  f->first_mark = g_new(guint, (gsize)slots + 1);
  f->mark = g_new(guint, (gsize)f->start[slots] + 1);
  for (guint slot = 0; slot < slots; slot++) {
    guint end = f->start[slot + 1];
    f->start[slot] = n;
    f->first_mark[slot] = marks;
    for (; from < end; from++) {
      if (f->kind[f->target[from].atomic] == PLAIN) {
        f->mark[marks++] = f->target[from].atomic;
      } else {
        f->target[n++] = f->target[from];
      }
    }
  }
  f->start[slots] = n;
  f->first_mark[slots] = marks;
}

static G_GNUC_NO_INLINE void become_plain(const HySim *sim, Fused *f)
{
  make_plain(sim, f);
  split_targets(sim, f);
}

/* As if they had come to it, for the functions of flat. */
static G_GNUC_NO_INLINE void copy_inputs(const Plain *p)
{
  for (guint k = 0; k < p->own->kind->n_in; k++) {
    p->own->in[k] = *p->in[k];
  }
  p->own->fresh = TRUE;
}

/* Places -------------------------------------------------------------------------------------- */

/* The next event of an atomic is at T. */
static inline void place(Fused *f, guint atomic, double t)
{
  if (atomic < f->n_joined && t == f->tn.now) {
    hy_pending_add(&f->due, atomic);
    t = INFINITY;
  }
  if (f->tn.tn[atomic] != t) {
    hy_agenda_set(&f->tn, atomic, t);
  }
}

static void fused_init(HySim *sim, double t)
{
  Fused *f = sim->engine;
  clear(f);
  *f = (Fused){.kind = g_new0(guint8, (gsize)sim->n + 1),
               .told = g_new0(guint8, (gsize)sim->n + 1),
               .own = g_new0(gpointer, (gsize)sim->n + 1),
               .t0 = t};
  hy_agenda_init(&f->tn, sim->n);
  find_kinds(sim, f);
  hy_pending_init(&f->due, f->n_joined);
  find_targets(sim, f);
  gsize slots = sim->graph->first_out[sim->n] + sim->model->in->len;
  f->record = g_new0(HyPiece, slots + 1);
  for (gsize slot = 0; slot < slots; slot++) {
    f->record[slot].t = NAN;
  }
  for (guint a = 0; a < sim->n; a++) {
    double tn = hy_atom_schedule(sim, &sim->atoms[a], t);
    if (isnan(tn)) {
      return;
    }
    if (f->kind[a] != DEAD) {
      hy_agenda_set(&f->tn, a, tn);
    }
  }
}

/* Delivery ------------------------------------------------------------------------------------ */

/* FALSE: sim->error is set; so in all that follow. */
static G_GNUC_NO_INLINE gboolean deliver_any(HySim *sim, Fused *f, double t, const Target *to,
                                             HyEvent *y)
{
  y->port = (gint)to->port;
  double next = hy_atom_input(sim, to->atomic, f->tn.tn[to->atomic], t, y);
  if (G_UNLIKELY(isnan(next))) {
    return FALSE;
  }
  place(f, to->atomic, next);
  return TRUE;
}

/* A new derivative, as dext of an integrator would take it. */
static inline gboolean deliver_state(HySim *sim, Fused *f, double t, const Target *to, HyEvent *y)
{
  HyMember *m = to->own;
  if (G_UNLIKELY(m->v->pieces < m->quantizer->order || m->v->tn == INFINITY)) {
    return deliver_any(sim, f, t, to, y);
  }
  m->quantizer->derivative(m->v, t, y->value.c);
  sim->atoms[to->atomic].n_ext++;
  if (G_UNLIKELY(m->v->tn == INFINITY)) {
    m->watch(m->owner, t);
    double next = hy_atom_schedule(sim, &sim->atoms[to->atomic], t);
    if (isnan(next)) {
      return FALSE;
    }
    place(f, to->atomic, next);
  } else if (m->v->tn != f->tn.tn[to->atomic]) {
    hy_agenda_set(&f->tn, to->atomic, m->v->tn);
  }
  return TRUE;
}

static inline gboolean is_finite(const double *c)
{
  return isfinite(c[0] + c[1] + (c[2] + c[3]));
}

/* What is not static keeps its last word here. */
static inline void keep(Fused *f, double t, guint slot, const HyEvent *y)
{
  HyPiece *r = &f->record[slot];
  memcpy(r->c, y->value.c, sizeof r->c);
  r->t = t;
}

static inline void mark_readers(Fused *f, guint slot)
{
  for (guint k = f->first_mark[slot]; k < f->first_mark[slot + 1]; k++) {
    hy_pending_add(&f->due, f->mark[k]);
  }
}

/* To all targets of SLOT but plain ones. */
static inline gboolean send(HySim *sim, Fused *f, double t, guint slot, HyEvent *y)
{
  const Target *to = f->target + f->start[slot], *end = f->target + f->start[slot + 1];
  for (; to < end; to++) {
    if (to->kind == STATE && G_LIKELY(!f->told[to->atomic])) {
      if (!deliver_state(sim, f, t, to, y)) {
        return FALSE;
      }
    } else if (to->kind == OUTSIDE || f->told[to->atomic]) {
      if (!deliver_any(sim, f, t, to, y)) {
        return FALSE;
      }
    } else {
      struct HyStaticState *own = to->own;
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

/* What is no number, or infinite, goes the way of the flat engine; plain readers find out when they
 * are run. */
static G_GNUC_NO_INLINE gboolean deliver_odd(HySim *sim, Fused *f, double t, guint slot, HyEvent *y)
{
  const Target *to = f->target + f->start[slot], *end = f->target + f->start[slot + 1];
  for (; to < end; to++) {
    if (!deliver_any(sim, f, t, to, y)) {
      return FALSE;
    }
  }
  if (f->plain == NULL) {
    return TRUE;
  }
  HyEvent number = *y;
  if (y->value.payload != NULL && !hy_static_number(y->value.payload, number.value.c)) {
    number.value.c[0] = NAN;
  }
  keep(f, t, slot, &number);
  mark_readers(f, slot);
  return TRUE;
}

/* From an atomic that is not plain. */
static gboolean deliver(HySim *sim, Fused *f, double t, guint slot, HyEvent *y)
{
  if (G_UNLIKELY(y->value.payload != NULL || !is_finite(y->value.c))) {
    return deliver_odd(sim, f, t, slot, y);
  }
  keep(f, t, slot, y);
  if (G_LIKELY(f->plain != NULL)) {
    mark_readers(f, slot);
  }
  return send(sim, f, t, slot, y);
}

/* Steps --------------------------------------------------------------------------------------- */

/* What the room has made due. */
static G_GNUC_NO_INLINE gboolean follow_room(HySim *sim, Fused *f, double t)
{
  while (*sim->n_due > 0) {
    guint atomic;
    const HyMember *m = hy_room_due(sim->room, &atomic);
    double tn = hy_member_next(m);
    if (G_UNLIKELY(!(m->v->tn < INFINITY || m->says < INFINITY))) {
      tn = hy_atom_schedule(sim, &sim->atoms[atomic], t);
      if (isnan(tn)) {
        return FALSE;
      }
    }
    place(f, atomic, tn);
  }
  return TRUE;
}

static inline gboolean follow(HySim *sim, Fused *f, double t)
{
  return G_LIKELY(*sim->n_due == 0) || follow_room(sim, f, t);
}

/* Any atomic, as the flat engine does it. */
static G_GNUC_NO_INLINE gboolean run_any(HySim *sim, Fused *f, double t, guint atomic)
{
  HyEvent y = hy_atom_lambda(sim, atomic, t);
  gint port = -1;
  if (hy_atom_output(sim, atomic, t, &y)) {
    port = y.port;
    gboolean ok = deliver(sim, f, t, sim->graph->first_out[atomic] + (guint)port, &y);
    hy_atom_delivered(&y);
    if (!ok) {
      return FALSE;
    }
  } else if (G_UNLIKELY(sim->error != NULL)) {
    return FALSE;
  }
  double tn = hy_atom_internal(sim, atomic, t);
  if (G_UNLIKELY(isnan(tn))) {
    return FALSE;
  }
  place(f, atomic, tn);
  hy_atom_said(sim, atomic, port, t, &y);
  return follow(sim, f, t);
}

static G_GNUC_NO_INLINE gboolean run_odd(HySim *sim, Fused *f, double t, guint atomic)
{
  copy_inputs(&f->plain[atomic]);
  return run_any(sim, f, t, atomic);
}

/* Until when what a nonlinear function has just said holds. */
static inline void find_until(const Plain *p, double t)
{
  struct HyStaticState *own = p->own;
  if (G_LIKELY(hy_static_believes(own, t))) {
    own->until = hy_static_until(own, t);
  } else {
    copy_inputs(p);
    own->until = hy_static_look(own, t);
  }
  own->tn = own->until;
}

static inline gboolean run_plain(HySim *sim, Fused *f, double t, guint atomic)
{
  const Plain *p = &f->plain[atomic];
  struct HyStaticState *own = p->own;
  if (G_UNLIKELY(t > own->wrong || sim->n_wrong > 0)) {
    return run_odd(sim, f, t, atomic);
  }
  hy_program_evaluate_from(own->program, p->in, t, own->reg);
  hy_static_cut(own);
  const double *c = own->first;
  if (G_UNLIKELY(!is_finite(c))) {
    return run_odd(sim, f, t, atomic);
  }
  sim->atoms[atomic].n_int++;
  gboolean speaks = c[1] != 0.0 || !hy_static_is_said(c, own->said);
  hy_static_said(own, t, speaks);
  if (!own->exact) {
    find_until(p, t);
  }
  if (G_UNLIKELY(f->tn.tn[atomic] != own->tn)) {
    hy_agenda_set(&f->tn, atomic, own->tn);
  }
  if (!speaks) {
    return TRUE;
  }
  mark_readers(f, p->slot);
  if (f->start[p->slot] == f->start[p->slot + 1] && !p->heard) {
    return TRUE;
  }
  HyEvent y = {.value.c = {c[0], c[1], c[2], c[3]}};
  if (!send(sim, f, t, p->slot, &y)) {
    return FALSE;
  }
  if (p->heard) {
    hy_atom_said(sim, atomic, 0, t, &y);
  }
  return follow(sim, f, t);
}

/* A member of a group: says what the group has decided, or lets it decide. */
static gboolean run_member(HySim *sim, Fused *f, double t, guint atomic, HyMember *m)
{
  HyQState *v = m->v;
  if (m->says <= t) {
    HyEvent y = {.value.c = {v->q[0], v->q[1], v->q[2]}};
    if (G_UNLIKELY(!is_finite(y.value.c) || sim->n_wrong > 0)) {
      hy_sim_note_value(sim, atomic, t, &y);
    }
    if (!deliver(sim, f, t, sim->graph->first_out[atomic], &y)) {
      return FALSE;
    }
    m->says = INFINITY;
    m->told = FALSE; /* the signal table has it */
  } else {
    hy_room_step(sim->room, m->state, t);
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
  hy_agenda_set(&f->tn, atomic, tn);
  return follow(sim, f, t);
}

/* The own step of a state that decides alone. */
static inline gboolean run_state(HySim *sim, Fused *f, double t, guint atomic)
{
  HyMember *m = f->own[atomic];
  HyQState *v = m->v;
  if (G_UNLIKELY(f->told[atomic] || v->pieces < m->quantizer->order ||
                 (v->tn != t && m->says != t))) {
    return run_any(sim, f, t, atomic);
  }
  if (m->family != HY_FAMILY_QUANTIZED) {
    return run_member(sim, f, t, atomic, m);
  }
  if (m->quantizer->implicit) {
    hy_room_localize(sim->room, m->state, t, v);
  }
  m->quantizer->step(v, t);
  HyEvent y = {.value.c = {v->q[0], v->q[1], v->q[2]}};
  if (G_UNLIKELY(v->tn == INFINITY)) {
    m->watch(m->owner, t);
  }
  if (G_UNLIKELY(!is_finite(y.value.c) || sim->n_wrong > 0)) {
    hy_sim_note_value(sim, atomic, t, &y);
  }
  ++*hy_room_steps(sim->room);
  sim->atoms[atomic].n_int++;
  if (!deliver(sim, f, t, sim->graph->first_out[atomic], &y)) {
    return FALSE;
  }
  double tn = v->tn < INFINITY ? hy_member_next(m) : hy_atom_schedule(sim, &sim->atoms[atomic], t);
  if (G_UNLIKELY(isnan(tn))) {
    return FALSE;
  }
  hy_agenda_set(&f->tn, atomic, tn);
  hy_atom_said(sim, atomic, 0, t, &y);
  return follow(sim, f, t);
}

/* Joined blocks whose own instant has come (a mode changes) wait with the others. */
static void gather(Fused *f, double t)
{
  guint atomic;
  while (hy_agenda_first(&f->tn, &atomic) == t && atomic < f->n_joined) {
    hy_agenda_set(&f->tn, atomic, INFINITY);
    hy_pending_add(&f->due, atomic);
  }
}

/* The next step at or before TF: whose it is, TRUE; FALSE: there is none. */
static inline gboolean next_step(const HySim *sim, Fused *f, double tf, guint *atomic)
{
  if (!hy_pending_is_empty(&f->due)) {
    *atomic = hy_pending_take(&f->due);
    return TRUE;
  }
  double t = hy_agenda_first(&f->tn, atomic);
  if (!(t <= tf) || isinf(t)) {
    return FALSE;
  }
  hy_agenda_advance(&f->tn, t);
  if (G_UNLIKELY(f->plain == NULL && t > f->t0)) {
    become_plain(sim, f);
  }
  if (*atomic < f->n_joined) {
    gather(f, t);
    *atomic = hy_pending_take(&f->due);
  }
  return TRUE;
}

/* Faults -------------------------------------------------------------------------------------- */

/* A block that was left out has its turn after all, at T, with the last words of its sources; what
 * a port with several of them would have is not known. TRUE: the result is not finite. */
static gboolean is_wrong_too(const HySim *sim, const Fused *f, const guint32 *owner, guint atomic,
                             double t)
{
  struct HyStaticState *own = f->own[atomic];
  guint first = sim->sources.first[atomic];
  for (guint k = first; k < sim->sources.first[atomic + 1]; k++) {
    guint source = sim->sources.slot[k];
    if (source != HY_NO_SOURCE && source != HY_MANY_SOURCES) {
      const HyPiece *said = record_of(sim, f, owner, source);
      if (!isnan(said->t)) {
        hy_static_take(own, k - first, said->t, said->c);
      }
    }
  }
  for (guint k = 0; own->missing == 0 && !own->bad && k < own->program->n_out; k++) {
    hy_static_lambda(sim->atoms[atomic].state, t);
    hy_static_dint(sim->atoms[atomic].state, t);
  }
  return own->bad;
}

/* The run has ended at T with ATOMIC. If its result was not finite, that of a block that was left
 * out may have been so, too, at the same instant; the first of them is named, as by flat. */
static G_GNUC_NO_INLINE void name_first(HySim *sim, Fused *f, double t, guint atomic)
{
  const struct HyStaticState *failed = f->own[atomic];
  if ((f->kind[atomic] != JOINED && f->kind[atomic] != PLAIN) || failed->fault != HY_NOT_FINITE) {
    return;
  }
  g_autofree guint32 *owner = slot_owners(sim, f);
  for (guint a = 0; a < atomic; a++) {
    if (f->kind[a] == DEAD && is_wrong_too(sim, f, owner, a, failed->wrong)) {
      g_clear_error(&sim->error);
      hy_static_dint(sim->atoms[a].state, t);
      hy_atom_schedule(sim, &sim->atoms[a], t);
      return;
    }
  }
}

static guint64 fused_run(HySim *sim, double tf, guint64 max)
{
  Fused *f = sim->engine;
  guint64 done = 0;
  if (!hy_pending_is_empty(&f->due) && f->tn.now > tf) {
    return 0; /* an input has come later than that */
  }
  for (; done < max && sim->n > 0; done++) {
    guint atomic;
    if (!next_step(sim, f, tf, &atomic)) {
      break;
    }
    double t = f->tn.now;
    if (!hy_sim_may_cycle(sim, atomic, t)) {
      break;
    }
    sim->t = t;
    sim->totals.cycles++;
    gboolean ok = f->kind[atomic] == PLAIN   ? run_plain(sim, f, t, atomic)
                  : f->kind[atomic] == STATE ? run_state(sim, f, t, atomic)
                                             : run_any(sim, f, t, atomic);
    if (!ok) {
      name_first(sim, f, t, atomic);
      break;
    }
  }
  return done;
}

static void fused_input(HySim *sim, double t, guint port, const HyValue *value)
{
  Fused *f = sim->engine;
  HyEvent x = {.value = *value};
  hy_agenda_advance(&f->tn, t);
  gather(f, t); /* they have their turn among those that the input reaches */
  deliver(sim, f, t, sim->graph->first_out[sim->n] + port, &x);
}

static double fused_next(const HySim *sim)
{
  const Fused *f = sim->engine;
  return hy_pending_is_empty(&f->due) ? hy_agenda_min(&f->tn) : f->tn.now;
}

const HyEngineOps hy_engine_fused = {
    .build = fused_build,
    .clear = fused_clear,
    .init = fused_init,
    .run = fused_run,
    .input = fused_input,
    .next = fused_next,
};
