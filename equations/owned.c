/* Which modes are owned, found from the wires before the first event (made_of.h). Crossings get
 * rows of their own, with the modes that they read as flags.
 *
 * The block stays where it is. Its modes follow the flags, which the group sets, and it is
 * due whenever one has changed. Modes that rows of the group read, a diode's, are 0 until the group
 * has begun, and their blocks say nothing before that, unless somebody would wait for himself
 * (first_words.c). All others, such as that of a comparison behind which there is a gate, are
 * decided by their blocks until then: so the first word of each is right.
 *
 * An input is outer if it may jump by itself: a source that is no sine, a discrete block, a mode
 * that nobody leads and no row reads. What comes there is answered at once, by the rank of the
 * block and not in the turn of the group: the block has its modes judged by the group
 * (HyGroupOps.judge). */
#include "owned.h"

#include "members.h"
#include "readings.h"
#include "rests.h"
#include "static_block.h"

#include <string.h>

typedef struct {
  HyRoom *room;
  HyDeriver *d;
  HyMadeOf *made;
} Find;

/* It is nobody's until its block is known to be led. */
static guint32 derive_side(const Find *f, guint atomic, HyX z)
{
  const guint32 nobody = HY_OF_READING;
  guint32 row = hy_derive_node(f->d, atomic, z);
  if (row != HY_NO_ROW) {
    g_array_append_val(f->room->state_of_row, nobody);
  }
  return row;
}

/* FALSE: a crossing of the block is too large an equation. */
static gboolean derive_modes(Find *f, guint atomic, GArray *owned)
{
  HyRoom *room = f->room;
  const HyKind *kind = room->kind[atomic];
  guint32 group = f->made->leader[atomic];
  gboolean late = hy_made_of_inputs(f->made, f->made->states, atomic, TRUE) != group ||
                  !hy_made_of_is_read_by(f->made, atomic, group);
  gboolean follows = hy_made_of_inputs(f->made, f->made->states, atomic, FALSE) != HY_NOBODY;
  if (late && follows && f->made->exact[group] && !hy_reading_derive(room, f->d, atomic, group)) {
    return FALSE;
  }
  for (guint32 m = 0; m < kind->n_modes; m++) {
    const HyNode *n = &kind->node[hy_kind_mode(kind, m)];
    HyOwned o = {.atomic = atomic,
                 .mode = m,
                 .flag = room->first_flag[atomic] + m,
                 .group = group,
                 .late = late};
    o.rises = derive_side(f, atomic, n->a);
    o.falls = n->a == n->c || o.rises == HY_NO_ROW ? o.rises : derive_side(f, atomic, n->c);
    if (o.falls == HY_NO_ROW) {
      return FALSE;
    }
    g_array_append_val(owned, o);
  }
  return TRUE;
}

/* What is behind a block that cannot be led may have lost its leader, too. */
static void keep_led(HyRoom *room, const HyMadeOf *made)
{
  guint n = 0;
  for (guint k = 0; made != NULL && k < room->owned->len; k++) {
    HyOwned o = *hy_owned(room, k);
    if (made->leader[o.atomic] == o.group) {
      guint32 leader = hy_room_group(room, o.group)->first;
      g_array_index(room->state_of_row, guint32, o.rises) = leader;
      g_array_index(room->state_of_row, guint32, o.falls) = leader;
      g_array_index(room->owned, HyOwned, n++) = o;
    }
  }
  g_array_set_size(room->owned, n);
}

void hy_owned_find(HyRoom *room, HyDeriver *d, HyMadeOf *made)
{
  Find f = {room, d, made};
  for (guint a = 0; made != NULL && a < room->diagram.flat->n; a++) {
    guint before = room->owned->len;
    if (made->leader[a] != HY_NOBODY && !derive_modes(&f, a, room->owned)) {
      g_array_set_size(room->owned, before);
      hy_made_of_refuse(made, a);
    }
  }
  hy_made_of_settle(made);
  keep_led(room, made);
  for (guint k = 0; k < room->owned->len; k++) {
    const HyOwned *o = hy_owned(room, k);
    room->block[o->atomic]->led = !o->late;
    room->block[o->atomic]->group = o->group;
    room->block[o->atomic]->outer = hy_made_of_outer(made, o->atomic, TRUE);
  }
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
    if (state < room->states->len && hy_room_state(room, state)->member->by_row) {
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
  hy_members_make_block_due(room, o->atomic, t);
}

/* The group of ATOMIC cannot judge yet what it has not known so far: it starts anew, and then the
 * block says what it is. */
static gboolean is_held(HyRoom *room, guint atomic, double t)
{
  HyStaticState *own = room->block[atomic];
  if (hy_room_is_unsure(room, atomic)) {
    hy_static_hold(own, TRUE);
    hy_room_restart(room, own->group, t);
  }
  return own->held;
}

void hy_room_judge(HyRoom *room, guint atomic, double t)
{
  guint k = 0;
  while (hy_owned(room, k)->atomic != atomic) {
    k++;
  }
  if (!is_held(room, atomic, t)) {
    room->ops->judge(room, hy_room_group(room, hy_owned(room, k)->group)->first, atomic, t);
  }
}

/* Its modes are known, or may be. */
static void begin_block(HyRoom *room, const HyOwned *o, double t)
{
  HyStaticState *own = room->block[o->atomic];
  gboolean begins = !own->led;
  if (begins) {
    own->led = TRUE;
    hy_static_take_deaf(own);
  }
  if (begins || own->held) {
    hy_static_hold(own, FALSE);
    hy_members_make_block_due(room, o->atomic, t);
  }
}

void hy_owned_begin(HyRoom *room, guint group, double t)
{
  for (guint k = 0; k < room->owned->len; k++) {
    const HyOwned *o = hy_owned(room, k);
    if (o->group == group && o->mode == 0 && !hy_room_is_unsure(room, o->atomic)) {
      begin_block(room, o, t);
    }
  }
}
