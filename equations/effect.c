/* What an error of a static block's word does to the states behind it: dx'/dy along the wires, by
 * the programs of the blocks in between, against the quanta of these states.
 *
 * The programs run on Taylor coefficients; with the input that changes given the slope 1, and all
 * others 0, the slope of an output is its partial derivative. Inputs are the last words, in all
 * engines; a word of the block itself may have been delivered or not, so its new value is taken. A
 * state whose derivative is evaluated by rows follows from a block only if that is a hub, or
 * directly: a block that leads to nobody else is not kept up to date by all engines, so it is not
 * looked at (`leads`).
 *
 * Each way to a state counts by itself: several of them add up to no more than a few times as much.
 * A diagram may have very many ways; what is not followed to its end is open, as are modes,
 * discrete blocks, factors that are 0 now, and functions that are not linear. */
#include "effect.h"
#include "members.h"
#include "numerics/poly.h"
#include "static_block.h"

#include <math.h>

/* Wires that are followed at most. */
#define EFFECT_WIRES 64
/* Outputs of a block that are followed at most. */
#define EFFECT_OUTPUTS 8

typedef struct {
  HyRoom *room;
  const HyStaticState *from;
  double y, t;
  guint wires; /* left */
  HyEffect *found;
} Walk;

/* What is said at SLOT: its value, and |d of it/dy|. */
typedef struct {
  guint slot;
  double value, by;
} Word;

static void effect_follow(Walk *w, const Word *word);

void hy_effect_read_at(HyRoom *room, guint atomic, const HyPiece *const *in)
{
  if (room->in_place == NULL) {
    room->in_place = g_new0(const HyPiece *const *, (gsize)room->diagram.flat->n + 1);
  }
  room->in_place[atomic] = in;
}

/* Who is followed --------------------------------------------------------------------------- */

/* Rows of states that are not of classic groups read what is said at SLOT itself. */
static gboolean effect_has_rows(const HyRoom *room, guint slot)
{
  const HyLists *readers = &room->members.by_slot;
  gboolean any = FALSE;
  for (guint32 k = room->members.on ? readers->first[slot] : 0;
       room->members.on && k < readers->first[slot + 1]; k++) {
    any |= !hy_family_is_classic(hy_room_state(room, readers->item[k])->member->family);
  }
  return any;
}

/* Something that ATOMIC says is the derivative of a state that takes it from there, or in rows. */
static gboolean effect_is_last(const HyRoom *room, guint atomic)
{
  const HyFlat *flat = room->diagram.flat;
  gboolean last = FALSE;
  for (guint slot = flat->first_out[atomic]; slot < flat->first_out[atomic + 1]; slot++) {
    last |= effect_has_rows(room, slot);
    for (guint k = flat->start[slot]; k < flat->start[slot + 1]; k++) {
      const HyMember *m = hy_room_member(room, flat->targets[k].atomic);
      last |= m != NULL && !m->by_row;
    }
  }
  return last;
}

static void effect_mark(HyRoom *room, GArray *stack, guint32 atomic)
{
  if (room->block[atomic] != NULL && !room->leads[atomic]) {
    room->leads[atomic] = 1;
    g_array_append_val(stack, atomic);
  }
}

static void effect_find_who_leads(HyRoom *room)
{
  const HyFlatSources *sources = room->diagram.sources;
  guint n = room->diagram.flat->n, slots = room->diagram.flat->first_out[n];
  g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(guint32));
  for (guint32 a = 0; a < n; a++) {
    if (effect_is_last(room, a)) {
      effect_mark(room, stack, a);
    }
  }
  while (stack->len > 0) {
    guint32 a = g_array_index(stack, guint32, stack->len - 1);
    g_array_set_size(stack, stack->len - 1);
    for (guint k = sources->first[a]; k < sources->first[a + 1]; k++) {
      if (sources->slot[k] < slots) {
        effect_mark(room, stack, room->diagram.flat->owner[sources->slot[k]]);
      }
    }
  }
  room->leads_known = TRUE;
}

/* Following ---------------------------------------------------------------------------------- */

/* X' of M, and |dx'/dy|. */
static void effect_on_state(Walk *w, const HyMember *m, double dx, double by)
{
  HyEffect *found = w->found;
  if (hy_family_is_classic(m->family) || !(by > 0.0 && isfinite(by))) {
    found->open = TRUE;
    return;
  }
  double move = m->v->dq / by, rest = m->quantizer->bound * move * fabs(m->v->a);
  double part = w->y > 0.0 ? fabs(dx) / (by * w->y) : 1.0;
  found->move = fmin(found->move, move);
  found->rest = fmin(found->rest, isfinite(rest) ? rest : 0.0);
  found->part = fmin(found->part, part);
}

/* The value of input K of ATOMIC. */
static double effect_input(const Walk *w, const HyStaticState *own, guint k)
{
  guint atomic = own->form.atomic, from = w->from->form.atomic;
  const HyDiagram *d = &w->room->diagram;
  const HyPiece *const *in_place = w->room->in_place != NULL ? w->room->in_place[atomic] : NULL;
  guint source = d->sources->slot[d->sources->first[atomic] + k];
  if (source >= d->flat->first_out[from] && source < d->flat->first_out[from + 1]) {
    guint port = source - d->flat->first_out[from];
    return w->from->form.reg[w->from->form.program->out[port]][0];
  }
  const HyPiece *in = in_place != NULL ? in_place[k] : &own->in[k];
  return hy_poly_at(in->c, (int)own->form.order, w->t - in->t);
}

/* What OWN makes of what comes to its input PORT, with slopes in the second lane. */
static void effect_evaluate(const Walk *w, const HyStaticState *own, guint port, double by,
                            Word *out)
{
  const HyProgram *p = own->form.program;
  HyReg *reg = hy_kind_ahead(own->form.kind);
  guint slot = w->room->diagram.flat->first_out[own->form.atomic];
  for (guint k = 0; k < p->n_load; k++) {
    double *r = reg[p->load[k]];
    r[0] = effect_input(w, own, p->load[k]);
    r[1] = p->load[k] == port ? 1.0 : 0.0;
    r[2] = r[3] = 0.0;
  }
  hy_program_run(p, 0, p->n_ins, reg, NULL);
  for (guint k = 0; k < p->n_out; k++) {
    const double *r = reg[p->out[k]];
    out[k] = (Word){.slot = slot + k, .value = r[0], .by = by * fabs(r[1])};
  }
}

/* Before all of its inputs have come it may have other partial derivatives than later, and when
 * another of its inputs changes, if it is not linear: nobody would tell the block. */
static void effect_on_block(Walk *w, const HyStaticState *own, guint port, double by)
{
  const HyProgram *p = own->form.program;
  Word word[EFFECT_OUTPUTS];
  w->found->waits |= own->missing > 0;
  if (p->n_modes > 0 || p->n_out > EFFECT_OUTPUTS || p->lanes < 2) {
    w->found->open = TRUE;
    return;
  }
  w->found->open |= !own->form.exact;
  effect_evaluate(w, own, port, by, word);
  for (guint k = 0; k < p->n_out; k++) {
    effect_follow(w, &word[k]);
  }
}

/* Rows that read the word itself. Of their x' no part is asked for: what a hub is made of has been
 * looked at as it is. */
static void effect_on_rows(Walk *w, const Word *word)
{
  HyRoom *room = w->room;
  const HyLists *readers = &room->members.by_slot;
  for (guint32 k = readers->first[word->slot]; k < readers->first[word->slot + 1]; k++) {
    const HyRoomState *s = hy_room_state(room, readers->item[k]);
    guint place = hy_row_place(&room->run[s->row], word->slot);
    double partial = place != HY_NO_SLOT && s->member->missing == 0
                         ? hy_room_row_partial(room, s->row, place, w->t)
                         : NAN;
    effect_on_state(w, s->member, INFINITY, word->by * fabs(partial));
  }
}

static void effect_on(Walk *w, HyFlatTarget to, const Word *word)
{
  const HyRoom *room = w->room;
  const HyMember *m = hy_room_member(room, to.atomic);
  gboolean direct = room->diagram.flat->owner[word->slot] == w->from->form.atomic;
  gboolean is_state = m != NULL && to.port == 0 && (direct || !m->by_row);
  w->found->direct &= is_state;
  if (room->leads[to.atomic]) {
    effect_on_block(w, room->block[to.atomic], to.port, word->by);
  } else if (is_state) {
    effect_on_state(w, m, word->value, word->by);
  } else {
    w->found->open = TRUE;
  }
}

static void effect_follow(Walk *w, const Word *word)
{
  const HyFlat *flat = w->room->diagram.flat;
  guint first = flat->start[word->slot], end = flat->start[word->slot + 1];
  w->found->open |= first == end;
  for (guint k = first; k < end; k++) {
    if (w->wires == 0) {
      w->found->open = TRUE;
      return;
    }
    w->wires--;
    effect_on(w, flat->targets[k], word);
  }
  if (w->room->members.on) {
    effect_on_rows(w, word);
  }
}

void hy_effect_find(HyRoom *room, const HyStaticState *own, guint port, double t, HyEffect *effect)
{
  double y = own->form.reg[own->form.program->out[port]][0];
  Walk w = {
      .room = room, .from = own, .y = fabs(y), .t = t, .wires = EFFECT_WIRES, .found = effect};
  guint slot = room->diagram.flat->first_out[own->form.atomic] + port;
  if (G_UNLIKELY(!room->leads_known)) {
    effect_find_who_leads(room);
  }
  *effect = (HyEffect){.move = INFINITY, .rest = INFINITY, .part = 1.0, .direct = TRUE};
  effect_follow(&w, &(Word){.slot = slot, .value = y, .by = 1.0});
  effect->open |= effect->waits;
  effect->rest = effect->open || effect->rest == INFINITY ? 0.0 : HY_VALIDITY_QUANTA * effect->rest;
}
