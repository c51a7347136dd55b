/* Which modes are owned, found from the wires before the first event.
 *
 * Each output says which states it is made of: none, those of one group, or others; blocks come
 * after those that feed them, so one pass over them is enough. A block is led if the inputs of all
 * of its modes are made of the states of one classic group, whose rows read one of these modes.
 * Its crossings get rows of their own, with the modes that they read as flags.
 *
 * The block stays where it is. Its modes follow the flags, which the group sets, and it is
 * due whenever one has changed. Until the group has begun, its modes are 0. */
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

static guint32 made_of(const Find *f, guint source)
{
  const HyFlat *flat = f->room->diagram.flat;
  return source == HY_NO_SOURCE               ? NOBODY
         : source >= flat->first_out[flat->n] ? OTHERS
                                              : f->of[source];
}

/* What its outputs follow at once, or with MODES what decides its modes, too. */
static guint32 inputs_of(const Find *f, guint atomic, gboolean modes)
{
  const HyFlatSources *sources = f->room->diagram.sources;
  const HyKind *kind = f->room->kind[atomic];
  guint32 of = NOBODY;
  for (guint k = 0; k < kind->n_in; k++) {
    if (modes || kind->feeds[k]) {
      of = both(of, made_of(f, sources->slot[sources->first[atomic] + k]));
    }
  }
  return of;
}

static void find_makers(Find *f)
{
  const HyRoom *room = f->room;
  const HyFlat *flat = room->diagram.flat;
  for (guint slot = 0; slot < flat->first_out[flat->n]; slot++) {
    guint32 state = room->members.state_at[flat->owner[slot]];
    gboolean first = flat->first_out[flat->owner[slot]] == slot;
    f->of[slot] = room->kind[flat->owner[slot]] != NULL ? OTHERS
                  : state == 0                          ? NOBODY
                  : first                               ? group_of_state(room, state - 1)
                                                        : OTHERS;
  }
  for (guint a = 0; a < flat->n; a++) {
    guint32 of = room->kind[a] != NULL ? inputs_of(f, a, FALSE) : NOBODY;
    for (guint slot = flat->first_out[a]; room->kind[a] != NULL && slot < flat->first_out[a + 1];
         slot++) {
      f->of[slot] = of;
    }
  }
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
    guint32 group = group_of_state(f->room, k);
    if (group != OTHERS && s->row != HY_NO_ROW) {
      mark_flags(f, s->row, group);
    }
  }
}

/* A mode that nobody's rows read is nothing to a group; limited outputs are confined by what their
 * blocks foresee. */
static gboolean is_owned_by(const Find *f, guint atomic, guint32 group)
{
  const HyRoom *room = f->room;
  gboolean read = FALSE;
  for (guint32 k = room->first_flag[atomic]; k < room->first_flag[atomic + 1]; k++) {
    read |= f->reader[k] == group;
  }
  return read && group < OTHERS && room->kind[atomic]->limits == NULL;
}

static guint32 derive_side(Find *f, guint atomic, HyX z, guint32 leader)
{
  guint32 row = hy_derive_node(f->d, atomic, z);
  if (row != HY_NO_ROW) {
    g_array_append_val(f->room->state_of_row, leader);
  }
  return row;
}

/* FALSE: a crossing of the block is too large an equation. */
static gboolean derive_modes(Find *f, guint atomic, guint32 group, GArray *owned)
{
  HyRoom *room = f->room;
  const HyKind *kind = room->kind[atomic];
  guint32 leader = hy_room_group(room, group)->first;
  for (guint32 m = 0; m < kind->n_modes; m++) {
    const HyNode *n = &kind->node[hy_kind_mode(kind, m)];
    HyOwned o = {.atomic = atomic, .mode = m, .flag = room->first_flag[atomic] + m, .group = group};
    o.rises = derive_side(f, atomic, n->a, leader);
    o.falls = n->a == n->c || o.rises == HY_NO_ROW ? o.rises : derive_side(f, atomic, n->c, leader);
    if (o.falls == HY_NO_ROW) {
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

void hy_owned_find(HyRoom *room, HyDeriver *d)
{
  const HyFlat *flat = room->diagram.flat;
  if (!anybody_owns(room)) {
    return;
  }
  Find f = {room, d, list_of_nobody(flat->first_out[flat->n]),
            list_of_nobody(room->first_flag[flat->n]), list_of_nobody(room->rows.hub->len)};
  find_makers(&f);
  find_flag_readers(&f);
  for (guint a = 0; a < flat->n; a++) {
    guint32 group =
        room->kind[a] != NULL && room->kind[a]->n_modes > 0 ? inputs_of(&f, a, TRUE) : NOBODY;
    guint before = room->owned->len;
    if (group < OTHERS && is_owned_by(&f, a, group)) {
      room->block[a]->led = derive_modes(&f, a, group, room->owned);
      g_array_set_size(room->owned, room->block[a]->led ? room->owned->len : before);
    }
  }
  g_free(f.of);
  g_free(f.reader);
  g_free(f.hub);
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
    take_flag(room, hy_owned(room, k));
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

void hy_owned_turn(HyRoom *room, const HyOwned *o, guint8 value, double t)
{
  guint32 first = room->first_flag[o->atomic], n = room->first_flag[o->atomic + 1] - first;
  guint8 few[8], *mode = n <= G_N_ELEMENTS(few) ? few : g_new(guint8, n);
  memcpy(mode, room->flag + first, n);
  mode[o->mode] = value;
  hy_room_decided(room, o->atomic, t, mode, n);
  if (mode != few) {
    g_free(mode);
  }
  make_block_due(room, o->atomic, t);
}
