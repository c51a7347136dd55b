/* States whose derivative the room evaluates: who has to look again when something has changed.
 *
 * What a row reads changes by a word (hy_room_said), by the step of another member, or by a mode
 * (hy_room_decided). Then the row is evaluated at once, all of its Taylor coefficients, and the
 * method of the state told its new derivative; the owner, an atomic, learns from the list of those
 * that are due that its next event has moved. Nothing is evaluated before all of the row has spoken
 * (`missing`), and a row with several changed modes once, after all of them.
 *
 * A nonlinear row is its Taylor polynomial for a while only: until the first coefficient left out,
 * or a look ahead, says that it is wrong by its tolerance (numerics/validity.h). Then the
 * member is due (`look`) and its row is evaluated anew.
 *
 * Of a row in two parts (expr/split.c) only the curved one has to be looked at: the straight one is
 * exact. */
#include "members.h"

#include "meetings.h"
#include "owned.h"
#include "row_curved.h"
#include "row_modes.h"
#include "static_block.h"

#include "expr/lanes.h"

#include <string.h>

/* Members ------------------------------------------------------------------------------------- */

/* The place of SLOT in ROW; HY_NO_SLOT: it does not read it. */
guint hy_row_place(const HyRunRow *row, guint slot)
{
  for (guint k = 0; k < row->n_slots; k++) {
    if (row->slot[k] == slot) {
      return k;
    }
  }
  return HY_NO_SLOT;
}

double hy_member_partial(HyRoom *room, guint32 i, guint32 j, double t)
{
  guint32 number = hy_room_state(room, i)->row;
  const HyRunRow *row = &room->run[number];
  guint place = i == j ? row->shape->self : hy_row_place(row, hy_member_slot(room, j));
  double a = 0.0;
  if (place != HY_NO_SLOT) {
    gboolean known = row->linear && !row->stale;
    a = known ? row->coef[place] : hy_room_row_partial(room, number, place, t);
  }
  room->count.partials++;
  return isfinite(a) ? a : 0.0;
}

/* The pieces of the start are explicit. Where the time constant of a state is shorter than what
 * they foresee, x would swing by quanta before anything implicit happens: its first step is now. */
static gboolean starts_stiff(HyRoom *room, guint32 state, double t)
{
  const HyMember *m = hy_room_state(room, state)->member;
  double h = m->v->tn - t;
  return m->v->pieces == m->quantizer->order && h > 0.0 && h < INFINITY &&
         h * fabs(hy_member_partial(room, state, state, t)) > 1.0;
}

typedef struct {
  HyRoom *room;
  const HyRunRow *row;
  double piece[4]; /* of what is not linear in it, made at T */
  double t;
  HyBand band;
} Look;

/* Of the row after the time S, as numerics/validity.h asks for it. */
static double member_excess(void *user, double s)
{
  const Look *look = user;
  double at = hy_poly_at(look->piece, (int)look->room->diagram.lanes, s);
  double e = hy_room_row_bent(look->room, look->row, look->t + s) - at;
  return isnan(e) ? INFINITY : fabs(e) / hy_validity_band(&look->band, s);
}

/* Where the degree in time of what is read ends before the coefficients do, the piece is the row
 * for ever; else the row is evaluated ahead, further and further, on what is in the table. */
/* Two coefficients are all that is left out: nothing has to be evaluated ahead. */
static double foresee_all(HyRoom *room, HyRunRow *row, double t, const HyBand *band)
{
  double further = hy_room_row_further(room, row, t);
  return hy_validity_foresee_two(row->beyond, further, (int)room->diagram.lanes, band);
}

double hy_member_look_ahead(HyRoom *room, HyRunRow *row, const HyMember *m, double t,
                            const HyBand *band, double s)
{
  HyTemplate *shape = row->bent;
  const HyProgram *p = shape->value;
  guint n = room->diagram.lanes;
  double all = shape->nearly ? foresee_all(room, row, t, band) : NAN;
  if (!isnan(all)) {
    row->validity = (HyValidity){.foreseen = all < INFINITY ? all : NAN, .far = INFINITY};
    return all;
  }
  for (guint k = 0; k < p->n_load; k++) {
    hy_x_degree_take(&shape->time, p->load[k], row->in[p->load[k]]->c, n);
  }
  guint degree = hy_x_degree(&shape->time, shape->node, shape->n_nodes, NULL);
  if (degree < n || (degree == n && !isnan(s))) { /* the coefficients are all */
    row->validity.foreseen = NAN;
    return degree == n ? s : INFINITY;
  }
  HyReach reach = HY_REACH_NONE;
  for (guint k = 0; k < p->n_load; k++) {
    const HyPiece *in = row->in[p->load[k]];
    hy_validity_reach(&reach, in->c, t - in->t, (int)n, m->v->rel, m->v->min);
  }
  Look look = {.room = room, .row = row, .t = t, .band = *band};
  memcpy(look.piece, shape->reg[p->out[0]], sizeof look.piece);
  hy_row_end_piece(look.piece);
  return hy_validity_look(&row->validity, s, &reach, INFINITY, member_excess, &look);
}

void hy_member_evaluate(HyRoom *room, guint32 state, double t, double *dx)
{
  const HyRoomState *s = hy_room_state(room, state);
  HyRunRow *row = &room->run[s->row];
  hy_room_row_value(room, s->row, t, dx);
  if (!row->shape->exact) {
    WITH_LANES(room->diagram.lanes, hy_member_find_look, room, row, s->member, t, dx)
  }
}

/* A member of a classic group tells its group; any other one takes its new derivative. A member
 * that foresaw nothing, being not finite, is looked after by its owner. */
void hy_member_touch(HyRoom *room, guint32 state, double t)
{
  HyMember *m = hy_room_state(room, state)->member;
  if (hy_family_is_classic(m->family)) {
    room->ops->touch(room, state, t);
    return;
  }
  if (m->missing > 0) {
    return;
  }
  double dx[4], tn = m->v->tn;
  hy_member_evaluate(room, state, t, dx);
  m->quantizer->derivative(m->v, t, dx);
  if (G_UNLIKELY(m->v->tn == INFINITY || tn == INFINITY)) { /* what was wrong may be right again */
    m->watch(m->owner, t);
  }
  if (m->family == HY_FAMILY_PAIRS && G_UNLIKELY(!m->begun) && starts_stiff(room, state, t)) {
    m->v->tn = t;
  }
  hy_row_state_look(room, state);
  hy_member_make_due(room, state);
}

/* Start --------------------------------------------------------------------------------------- */

/* A row that is not there, or reads what has no source, is nothing to decide with. */
static void find_members(HyRoom *room)
{
  for (guint32 k = 0; k < room->states->len; k++) {
    HyRoomState *s = hy_room_state(room, k);
    room->members.state_of[hy_member_slot(room, k)] = k + 1;
    if (!s->member->by_row) {
      continue;
    }
    if (s->row == HY_NO_ROW && hy_family_is_classic(s->member->family)) {
      s->member->why = "its derivative is too large an equation for a classic method";
    }
    if (s->row == HY_NO_ROW) {
      s->member->family = HY_FAMILY_QUANTIZED;
      s->member->by_row = FALSE;
      continue;
    }
    const HyTemplate *t = hy_row_template(&room->rows, s->row);
    s->member->missing = t->n_slots + t->n_flags;
    room->members.v[k] = s->member->v;
  }
}

static void put_readers(HyRoom *room, HyListMaker *make, int pass, guint32 row, guint32 state)
{
  for (guint k = 0; k < hy_row_template(&room->rows, row)->n_slots; k++) {
    hy_list_maker_put(make, pass, hy_row_slots(&room->rows, row)[k], state);
  }
}

/* For the leader of the group that owns it. */
static void put_owned(HyRoom *room, HyListMaker *make, int pass)
{
  for (guint k = 0; k < room->owned->len; k++) {
    const HyOwned *o = hy_owned(room, k);
    guint32 leader = hy_room_group(room, o->group)->first;
    put_readers(room, make, pass, o->rises, leader);
    if (o->falls != o->rises) {
      put_readers(room, make, pass, o->falls, leader);
    }
  }
}

static const HyRoomWatched *watched(const HyRoom *room, guint k)
{
  return &g_array_index(room->watched, HyRoomWatched, k);
}

/* For the first state. */
static void put_watched(HyRoom *room, HyListMaker *make, int pass)
{
  for (guint k = 0; k < room->watched->len; k++) {
    if (watched(room, k)->row != HY_NO_ROW) {
      put_readers(room, make, pass, watched(room, k)->row, 0);
    }
  }
}

/* Whom a word at a slot touches: made once, since touching is what happens most often. */
static void find_slot_readers(HyRoom *room)
{
  HyListMaker make;
  hy_list_maker_init(&make, room->diagram.flat->first_out[room->diagram.flat->n]);
  for (int pass = 0; pass < 2; pass++) {
    for (guint32 i = 0; i < room->states->len; i++) {
      const HyRoomState *s = hy_room_state(room, i);
      if (s->member->by_row) {
        put_readers(room, &make, pass, s->row, i);
      }
    }
    put_owned(room, &make, pass);
    put_watched(room, &make, pass);
    hy_list_maker_turn(&make, pass);
  }
  room->members.by_slot = make.lists;
}

/* It is waited for by the first state. */
static void join_watched(HyRoom *room)
{
  for (guint k = 0; k < room->watched->len; k++) {
    if (watched(room, k)->row != HY_NO_ROW) {
      const HyTemplate *t = hy_row_template(&room->rows, watched(room, k)->row);
      hy_room_state(room, 0)->member->missing += t->n_slots + t->n_flags;
    }
  }
}

void hy_members_start(HyRoom *room)
{
  gsize slots = room->diagram.flat->first_out[room->diagram.flat->n];
  guint blocks = room->diagram.flat->n + room->meetings->len; /* each of them once */
  room->members.due = g_new(guint32, (gsize)room->states->len + blocks + 1);
  room->members.decided = g_new0(guint8, (gsize)room->diagram.flat->n + 1);
  room->members.state_of = g_new0(guint32, slots + 1);
  room->members.v = g_new0(HyQState *, (gsize)room->states->len + 1);
  find_members(room);
  find_slot_readers(room);
  hy_readings_await(room);
  hy_meetings_listen(room);
  hy_row_modes_start(room);
  hy_row_states_start(room);
  join_watched(room);
  hy_owned_join(room);
  room->ops->start(room);
}

/* Running ------------------------------------------------------------------------------------- */

gboolean hy_members_take_told(HyRoom *room, guint slot)
{
  guint32 state = room->members.state_of[slot];
  HyMember *m = state > 0 ? hy_room_state(room, state - 1)->member : NULL;
  gboolean told = m != NULL && m->told;
  if (told) {
    m->told = FALSE;
  }
  return told;
}

static guint32 state_of_row(const HyRoom *room, guint32 row)
{
  return g_array_index(room->state_of_row, guint32, row);
}

void hy_members_touch_readers(HyRoom *room, guint slot, double t, gboolean first)
{
  for (guint32 k = room->members.by_slot.first[slot]; k < room->members.by_slot.first[slot + 1];
       k++) {
    guint32 state = room->members.by_slot.item[k];
    hy_room_state(room, state)->member->missing -= first;
    hy_member_touch(room, state, t);
  }
}

/* Whether a changed flag makes the row of STATE be evaluated. A classic group starts anew then,
 * whatever its rows say (follow), once it knows all of them. */
static gboolean is_evaluated(const HyMember *m, gboolean first)
{
  return m->by_row && (first || !hy_family_is_classic(m->family));
}

/* Several flags of a row may have changed; it is evaluated once, when all of them have. */
void hy_members_touch_rows(HyRoom *room, double t, gboolean first)
{
  const guint32 *row = (const guint32 *)(gpointer)room->members.touched->data;
  for (guint k = 0; k < room->members.touched->len && first; k++) {
    HyMember *m = hy_room_state(room, state_of_row(room, row[k]))->member;
    m->missing -= m->by_row;
  }
  for (guint k = 0; k < room->members.touched->len; k++) {
    guint before = 0;
    guint32 state = state_of_row(room, row[k]);
    if (!is_evaluated(hy_room_state(room, state)->member, first)) {
      continue;
    }
    while (row[before] != row[k]) {
      before++;
    }
    if (before == k) {
      hy_member_touch(room, state, t);
    }
  }
  for (guint k = 0; k < room->members.touched->len && !first; k++) {
    room->ops->follow(room, state_of_row(room, row[k]), t);
  }
}

static void turn_hub(HyRoom *room, guint slot, double t)
{
  const HyLists *readers = &room->members.by_slot;
  for (guint32 k = readers->first[slot]; k < readers->first[slot + 1]; k++) {
    guint32 state = readers->item[k];
    if (hy_family_is_classic(hy_room_state(room, state)->member->family)) {
      room->ops->follow(room, state, t);
    }
  }
}

void hy_members_turn_hubs(HyRoom *room, double t)
{
  const GArray *turned = room->members.hubs, *hubs = room->rows.hub;
  for (guint k = 0; k < turned->len; k++) {
    guint32 row = g_array_index(turned, guint32, k);
    for (guint h = 0; h < hubs->len; h++) {
      const HyHub *hub = &g_array_index(hubs, HyHub, h);
      if (hub->row == row) {
        turn_hub(room, hub->slot, t);
      }
    }
  }
}

void hy_members_make_block_due(HyRoom *room, guint atomic, double t)
{
  HyStaticState *own = room->block[atomic];
  own->fresh = TRUE;
  own->port = 0;
  if (own->missing == 0 && own->tn != t) {
    own->tn = t;
    room->members.due[room->members.n_due++] = room->states->len + atomic;
  }
}

const guint *hy_room_n_due(const HyRoom *room)
{
  return &room->members.n_due;
}

const HyMember *hy_room_due(HyRoom *room, guint *atomic)
{
  g_assert(room->members.n_due > 0);
  const HyRoomState *s = hy_member_take_due(room);
  if (G_LIKELY(s != NULL)) {
    *atomic = s->atomic;
    return s->member;
  }
  *atomic = room->members.due[--room->members.n_due] - room->states->len;
  if (*atomic >= room->diagram.flat->n) {
    HyMeeting *m = hy_meeting(room, *atomic - room->diagram.flat->n);
    m->due = FALSE;
    *atomic = m->atomic;
  } else {
    hy_row_modes_judge(room, *atomic);
  }
  return NULL;
}
