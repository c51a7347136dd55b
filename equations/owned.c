/* Which modes are owned, found from the wires before the first event.
 *
 * Each output says which states it is made of: none, those of one group, or others. A block is led
 * if the inputs of all of its modes are made of the states of one classic group, and no rows of
 * others read one of these modes; then its outputs are made of the group, too, since the group
 * decides when they jump. A diode comes before the block that says its current, so the blocks are
 * gone through until nothing is found any more. Crossings get rows of their own, with the modes
 * that they read as flags.
 *
 * The block stays where it is. Its modes follow the flags, which the group sets, and it is
 * due whenever one has changed. Modes that rows of the group read, a diode's, are 0 until the group
 * has begun. All others, such as that of a comparison behind which there is a gate, are decided by
 * their blocks until then: the first word of a comparison is right, and nobody waits for himself.
 *
 * An input is outer if it may jump by itself: a source that is no sine, a discrete block, a mode
 * that nobody leads and no row reads. What comes there is answered at once, by the rank of the
 * block and not in the turn of the group: the block has its modes judged by the group
 * (HyGroupOps.judge). */
#include "owned.h"

#include "members.h"
#include "static_block.h"

#include <string.h>

/* Of which states an output is made: a group by its number, or one of these. */
#define NOBODY G_MAXUINT32
#define OTHERS (G_MAXUINT32 - 1U)

typedef struct {
  HyRoom *room;
  HyDeriver *d;
  guint32 *of;     /* [slots] */
  guint32 *states; /* [slots]: the same without what modes make of it */
  guint8 *jumps;   /* [slots]: it may, by itself */
  guint32 *leader; /* [atomics]: the group that leads it, or NOBODY */
  guint32 *reader; /* [flags]: the group whose rows read it; NOBODY */
  guint32 *hub;    /* [hubs]: the last group whose rows have been seen to read it; NOBODY */
} Find;

static guint32 both(guint32 a, guint32 b)
{
  return a == NOBODY ? b : b == NOBODY || a == b ? a : OTHERS;
}

/* The groups that can own crossings choose where their steps end. */
static guint32 group_of_state(const HyRoom *room, guint32 state)
{
  const HyMember *m = hy_room_state(room, state)->member;
  return hy_family_is_classic(m->family) && m->family != HY_FAMILY_MULTIRATE ? m->group : OTHERS;
}

static guint32 made_of(const Find *f, const guint32 *of, guint source)
{
  const HyFlat *flat = f->room->diagram.flat;
  return source == HY_NO_SOURCE ? NOBODY : source >= flat->first_out[flat->n] ? OTHERS : of[source];
}

/* What its outputs follow at once, or with MODES what decides its modes, too. */
static guint32 inputs_of(const Find *f, const guint32 *of, guint atomic, gboolean modes)
{
  const HyFlatSources *sources = f->room->diagram.sources;
  const HyKind *kind = f->room->kind[atomic];
  guint32 all = NOBODY;
  for (guint k = 0; k < kind->n_in; k++) {
    if (modes || kind->feeds[k]) {
      all = both(all, made_of(f, of, sources->slot[sources->first[atomic] + k]));
    }
  }
  return all;
}

/* Through hubs, which are few deep (rows.c). */
static void mark_flags(Find *f, guint32 row, guint32 group)
{
  const HyRows *rows = &f->room->rows;
  const HyTemplate *t = hy_row_template(rows, row);
  for (guint k = 0; k < t->n_flags; k++) {
    guint32 *reader = &f->reader[hy_row_flags(rows, row)[k]];
    *reader = both(*reader, group);
  }
  for (guint k = 0; rows->hub->len > 0 && k < t->n_slots; k++) {
    const HyHub *hub = hy_rows_hub(rows, hy_row_slots(rows, row)[k]);
    guint32 *seen = hub != NULL ? &f->hub[hub - (const HyHub *)(gpointer)rows->hub->data] : NULL;
    if (seen != NULL && *seen != group) {
      *seen = group;
      mark_flags(f, hub->row, group);
    }
  }
}

static void find_flag_readers(Find *f)
{
  for (guint32 k = 0; k < f->room->states->len; k++) {
    const HyRoomState *s = hy_room_state(f->room, k);
    if (s->row != HY_NO_ROW) {
      mark_flags(f, s->row, group_of_state(f->room, k));
    }
  }
}

/* Limited outputs are confined by what their blocks foresee; inputs are bits of a word. */
static gboolean can_be_led(const HyRoom *room, guint atomic)
{
  const HyKind *kind = room->kind[atomic];
  return kind != NULL && kind->n_modes > 0 && kind->limits == NULL && kind->n_in <= 64;
}

/* The one group whose rows read modes of the block; NOBODY, OTHERS. */
static guint32 reader_of(const Find *f, guint atomic)
{
  guint32 of = NOBODY;
  for (guint32 k = f->room->first_flag[atomic]; k < f->room->first_flag[atomic + 1]; k++) {
    of = both(of, f->reader[k]);
  }
  return of;
}

static guint32 leader_of(const Find *f, guint atomic)
{
  guint32 of = can_be_led(f->room, atomic) ? inputs_of(f, f->of, atomic, TRUE) : NOBODY;
  guint32 reader = reader_of(f, atomic);
  return of < OTHERS && (reader == of || reader == NOBODY) ? of : NOBODY;
}

static void start_slots(Find *f)
{
  const HyRoom *room = f->room;
  const HyFlat *flat = room->diagram.flat;
  for (guint slot = 0; slot < flat->first_out[flat->n]; slot++) {
    guint owner = flat->owner[slot];
    guint32 state = room->kind[owner] == NULL ? room->members.state_at[owner] : 0;
    gboolean first = flat->first_out[owner] == slot;
    f->of[slot] = f->states[slot] = state == 0 ? NOBODY
                                    : first    ? group_of_state(room, state - 1)
                                               : OTHERS;
    HySine sine;
    f->jumps[slot] =
        room->kind[owner] == NULL && (state == 0 || !first) &&
        !(room->sources.sine != NULL &&
          room->sources.sine(room->sources.user, owner, slot - flat->first_out[owner], &sine));
  }
}

/* One pass over all blocks; TRUE: something has been found. */
static gboolean find_makers(Find *f)
{
  const HyRoom *room = f->room;
  const HyFlat *flat = room->diagram.flat;
  gboolean found = FALSE;
  for (guint a = 0; a < flat->n; a++) {
    if (room->kind[a] == NULL) {
      continue;
    }
    guint32 states = inputs_of(f, f->states, a, FALSE), leader = leader_of(f, a);
    guint32 of = both(inputs_of(f, f->of, a, FALSE), leader);
    for (guint slot = flat->first_out[a]; slot < flat->first_out[a + 1]; slot++) {
      of = both(f->of[slot], of); /* what has once been found stays: so this comes to an end */
      found |= f->of[slot] != of || f->states[slot] != states;
      f->of[slot] = of;
      f->states[slot] = states;
    }
    found |= f->leader[a] != leader;
    f->leader[a] = leader;
  }
  return found;
}

static gboolean source_jumps(const Find *f, guint source)
{
  const HyFlat *flat = f->room->diagram.flat;
  return source != HY_NO_SOURCE && (source >= flat->first_out[flat->n] || f->jumps[source]);
}

/* The inputs of a block that jump, as bits; of those that its outputs follow, or all. */
static guint64 find_outer(const Find *f, guint atomic, gboolean modes)
{
  const HyFlatSources *sources = f->room->diagram.sources;
  const HyKind *kind = f->room->kind[atomic];
  guint64 outer = 0;
  for (guint k = 0; k < kind->n_in && k < 64; k++) {
    gboolean jumps = source_jumps(f, sources->slot[sources->first[atomic] + k]);
    outer |= (guint64)(jumps && (modes || kind->feeds[k])) << k;
  }
  return outer;
}

/* Where rows read a mode, its toggle is a new start of their group, which then looks at all that it
 * leads and reads: before that a switch is on and the diodes beside it are not. */
static gboolean jumps_by_modes(const Find *f, guint atomic)
{
  return f->room->kind[atomic]->n_modes > 0 && reader_of(f, atomic) == NOBODY &&
         (f->leader[atomic] == NOBODY || find_outer(f, atomic, TRUE) != 0);
}

static gboolean find_jumps(Find *f)
{
  const HyRoom *room = f->room;
  const HyFlat *flat = room->diagram.flat;
  gboolean found = FALSE;
  for (guint a = 0; a < flat->n; a++) {
    const HyKind *kind = room->kind[a];
    if (kind == NULL) {
      continue;
    }
    gboolean jumps = kind->n_in > 64 || find_outer(f, a, FALSE) != 0 || jumps_by_modes(f, a);
    for (guint slot = flat->first_out[a]; slot < flat->first_out[a + 1]; slot++) {
      found |= jumps && !f->jumps[slot];
      f->jumps[slot] |= jumps;
    }
  }
  return found;
}

static guint32 derive_side(Find *f, guint atomic, HyX z, guint32 leader)
{
  guint32 row = hy_derive_node(f->d, atomic, z);
  if (row != HY_NO_ROW) {
    g_array_append_val(f->room->state_of_row, leader);
  }
  return row;
}

/* Of a node of a row, the flags held fixed: a constant, a line in the time, linear in what the row
 * reads and in sines of such lines (groups/classic_sines.c), or anything else. */
typedef enum { CONSTANT, LINE, LINEAR, BENT } Shape;

/* The time of the run, one line for ever. */
static gboolean is_time(const HyFlat *flat, guint slot)
{
  guint owner = slot < flat->first_out[flat->n] ? flat->owner[slot] : flat->n;
  return owner < flat->n &&
         strcmp(hy_model_class(hy_flat_model(flat, owner), hy_flat_component(flat, owner))->name,
                "clock") == 0;
}

static Shape shape_of_node(const Find *f, guint32 row, const HyNode *n, const guint8 *of)
{
  guint operands = hy_x_operands(n->op);
  Shape a = operands > 0 ? (Shape)of[n->a] : CONSTANT;
  Shape b = operands > 1 ? (Shape)of[n->b] : CONSTANT;
  switch (n->op) {
  case HY_X_IN:
    return is_time(f->room->diagram.flat, hy_row_slots(&f->room->rows, row)[n->a]) ? LINE : LINEAR;
  case HY_X_ADD:
  case HY_X_SUB:
  case HY_X_NEG:
    return MAX(a, b);
  case HY_X_SELECT:
    return (Shape)MAX(of[n->b], of[n->c]);
  case HY_X_MUL:
    return a == CONSTANT ? b : b == CONSTANT ? a : BENT;
  case HY_X_DIV:
    return b == CONSTANT ? a : BENT;
  case HY_X_SIN:
  case HY_X_COS:
    return a == LINE ? LINEAR : a == CONSTANT ? CONSTANT : BENT;
  default:
    return a == CONSTANT && b == CONSTANT ? CONSTANT : BENT;
  }
}

/* ROW is linear as exact blocks solve it. */
static gboolean is_nearly_linear(const Find *f, guint32 row)
{
  const HyTemplate *t = hy_row_template(&f->room->rows, row);
  g_autofree guint8 *of = g_new0(guint8, (gsize)t->n_nodes + 1);
  Shape shape = CONSTANT;
  for (guint k = 0; k < t->n_nodes; k++) {
    shape = shape_of_node(f, row, &t->node[k], of);
    of[k] = (guint8)shape;
  }
  return t->degree != HY_NONLINEAR || shape < BENT;
}

/* An exact block gives way to another method where a crossing bends: one that its rows do not read
 * it leaves to its block. */
static gboolean may_own(const Find *f, const HyOwned *o)
{
  const HyMember *m = hy_room_state(f->room, hy_room_group(f->room, o->group)->first)->member;
  gboolean any = !o->late || m->family != HY_FAMILY_BLOCK;
  return o->falls != HY_NO_ROW &&
         (any || (is_nearly_linear(f, o->rises) && is_nearly_linear(f, o->falls)));
}

/* FALSE: a crossing of the block is too large an equation, or bends. */
static gboolean derive_modes(Find *f, guint atomic, GArray *owned)
{
  HyRoom *room = f->room;
  const HyKind *kind = room->kind[atomic];
  guint32 group = f->leader[atomic], leader = hy_room_group(room, group)->first;
  gboolean late = inputs_of(f, f->states, atomic, TRUE) != group || reader_of(f, atomic) != group;
  for (guint32 m = 0; m < kind->n_modes; m++) {
    const HyNode *n = &kind->node[hy_kind_mode(kind, m)];
    HyOwned o = {.atomic = atomic,
                 .mode = m,
                 .flag = room->first_flag[atomic] + m,
                 .group = group,
                 .late = late};
    o.rises = derive_side(f, atomic, n->a, leader);
    o.falls = n->a == n->c || o.rises == HY_NO_ROW ? o.rises : derive_side(f, atomic, n->c, leader);
    if (!may_own(f, &o)) {
      return FALSE;
    }
    g_array_append_val(owned, o);
  }
  return TRUE;
}

static gboolean anybody_owns(const HyRoom *room)
{
  gboolean any = FALSE;
  for (guint32 k = 0; k < room->states->len; k++) {
    any |= group_of_state(room, k) != OTHERS;
  }
  return any && room->first_flag[room->diagram.flat->n] > 0;
}

static guint32 *list_of_nobody(guint n)
{
  guint32 *list = g_new(guint32, (gsize)n + 1);
  for (guint k = 0; k < n; k++) {
    list[k] = NOBODY;
  }
  return list;
}

static void find_clear(Find *f)
{
  g_free(f->of);
  g_free(f->states);
  g_free(f->jumps);
  g_free(f->leader);
  g_free(f->reader);
  g_free(f->hub);
}

static void find_all(Find *f)
{
  start_slots(f);
  find_flag_readers(f);
  while (find_makers(f)) {
  }
  while (find_jumps(f)) {
  }
}

void hy_owned_find(HyRoom *room, HyDeriver *d)
{
  const HyFlat *flat = room->diagram.flat;
  guint slots = flat->first_out[flat->n];
  if (!anybody_owns(room)) {
    return;
  }
  Find f = {.room = room,
            .d = d,
            .of = list_of_nobody(slots),
            .states = list_of_nobody(slots),
            .jumps = g_new0(guint8, (gsize)slots + 1),
            .leader = list_of_nobody(flat->n),
            .reader = list_of_nobody(room->first_flag[flat->n]),
            .hub = list_of_nobody(room->rows.hub->len)};
  find_all(&f);
  for (guint a = 0; a < flat->n; a++) {
    guint before = room->owned->len;
    if (f.leader[a] != NOBODY && !derive_modes(&f, a, room->owned)) {
      g_array_set_size(room->owned, before);
      f.leader[a] = NOBODY; /* what is behind it is made of the group all the same */
    }
    if (room->owned->len > before) {
      room->block[a]->led = !hy_owned(room, before)->late;
      room->block[a]->outer = find_outer(&f, a, TRUE);
    }
  }
  find_clear(&f);
}

static void join_row(HyRoom *room, guint32 row, guint32 leader)
{
  const HyTemplate *t = hy_row_template(&room->rows, row);
  hy_room_state(room, leader)->member->missing += t->n_slots + t->n_flags;
}

/* As if the modes had been decided already, to be 0. */
static void take_flag(HyRoom *room, const HyOwned *o)
{
  room->members.decided[o->atomic] = 1;
  for (guint32 k = room->by_flag.first[o->flag]; k < room->by_flag.first[o->flag + 1]; k++) {
    guint32 state = g_array_index(room->state_of_row, guint32, room->by_flag.item[k]);
    if (state != HY_NO_STATE && hy_room_state(room, state)->member->by_row) {
      hy_room_state(room, state)->member->missing--;
    }
  }
}

void hy_owned_join(HyRoom *room)
{
  for (guint k = 0; k < room->owned->len; k++) {
    const HyOwned *o = hy_owned(room, k);
    guint32 leader = hy_room_group(room, o->group)->first;
    join_row(room, o->rises, leader);
    if (o->falls != o->rises) {
      join_row(room, o->falls, leader);
    }
  }
  for (guint k = 0; k < room->owned->len; k++) {
    if (!hy_owned(room, k)->late) {
      take_flag(room, hy_owned(room, k));
    }
  }
}

void hy_owned_start(HyRoom *room, const guint8 *mode, guint n)
{
  for (guint k = 0; k < room->owned->len; k++) {
    guint32 flag = hy_owned(room, k)->flag;
    room->flag[flag] = flag < n ? mode[flag] : room->flag[flag];
  }
}

/* One that waits, or is idle, has nothing to say. */
static void make_block_due(HyRoom *room, guint atomic, double t)
{
  HyStaticState *own = room->block[atomic];
  own->fresh = TRUE;
  own->port = 0;
  if (own->missing == 0 && own->tn != t) {
    own->tn = t;
    room->members.due[room->members.n_due++] = room->states->len + atomic;
  }
}

void hy_owned_set(HyRoom *room, const HyOwned *o, guint8 value, double t)
{
  guint32 first = room->first_flag[o->atomic], n = room->first_flag[o->atomic + 1] - first;
  guint8 few[8], *mode = n <= G_N_ELEMENTS(few) ? few : g_new(guint8, n);
  memcpy(mode, room->flag + first, n);
  mode[o->mode] = value;
  hy_room_decided(room, o->atomic, t, mode, n);
  if (mode != few) {
    g_free(mode);
  }
}

void hy_owned_turn(HyRoom *room, const HyOwned *o, guint8 value, double t)
{
  hy_owned_set(room, o, value, t);
  make_block_due(room, o->atomic, t);
}

void hy_room_judge(HyRoom *room, guint atomic, double t)
{
  guint k = 0;
  while (hy_owned(room, k)->atomic != atomic) {
    k++;
  }
  room->ops->judge(room, hy_room_group(room, hy_owned(room, k)->group)->first, atomic, t);
}

void hy_owned_begin(HyRoom *room, guint group, double t)
{
  for (guint k = 0; k < room->owned->len; k++) {
    const HyOwned *o = hy_owned(room, k);
    if (o->late && o->group == group && o->mode == 0) {
      room->block[o->atomic]->led = TRUE;
      make_block_due(room, o->atomic, t);
    }
  }
}
