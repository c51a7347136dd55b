/* Which blocks are readings, found from the wires before the first event.
 *
 * A block can be one if its value is made of the states of one group that is solved exactly, of
 * modes, and of what comes from outside. It is one if it is needed: because somebody who is no
 * reading of this group hears it, or because such a reading or a block that the group leads has to
 * be woken by it when something from outside jumps. Blocks are looked at from the last to the
 * first, so those behind one come before it. One that is needed by nobody sleeps.
 *
 * What is made of modes alone and leads to readings alone sleeps like those that nobody hears.
 *
 * A reading is deaf to all but what may jump by itself (outer inputs); there it answers at once, at
 * the states as they are, and the group starts anew. Until its group has begun it is a block like
 * any other: first words go round, else a loop of reading, controller and gate would wait for
 * itself. */
#include "readings.h"

#include "hydevs/trace.h"
#include "meetings.h"
#include "members.h"
#include "owned.h"
#include "rests.h"
#include "static_block.h"

#include <math.h>
#include <string.h>

/* What a reading is for. */
typedef struct {
  gboolean spoken, watched, asked, wakes;
} Role;

typedef struct {
  HyRoom *room;
  HyDeriver *d;
  const HyMadeOf *made;
  const guint8 *watched;
  guint32
      *reads; /* [atomics]: the group whose reading it is, or for which it is asleep; HY_NOBODY */
  guint8 *in_row; /* [slots]: a row reads it */
  guint8 *idle;   /* [atomics]: it leads to members of groups alone, whose derivative is a row */
} Find;

gboolean hy_reading_derive(HyRoom *room, HyDeriver *d, guint atomic, guint32 group)
{
  HyStaticState *own = room->block[atomic];
  const guint32 of_reading = HY_OF_READING;
  if (own->reading != NULL) {
    return TRUE;
  }
  guint slot = room->diagram.flat->first_out[atomic];
  guint32 row = hy_derive_signal(d, slot, HY_NO_SOURCE);
  if (row == HY_NO_ROW) {
    return FALSE;
  }
  g_array_append_val(room->state_of_row, of_reading);
  own->reading = g_new0(HyReading, 1);
  *own->reading =
      (HyReading){.atomic = atomic, .slot = slot, .row = row, .group = group, .word.t = NAN};
  g_ptr_array_add(room->readings, own->reading);
  return TRUE;
}

/* Whether TO, an atomic that is not static, hears what is made of GROUP along a wire: the
 * derivative of a member is its row. */
static gboolean is_heard_by(const Find *f, HyFlatTarget to, guint32 group)
{
  const HyMember *m = hy_room_member(f->room, to.atomic);
  return m == NULL || !m->by_row || m->group != group || to.port != 0;
}

static gboolean is_outer(const Find *f, guint atomic, guint port)
{
  return (hy_made_of_outer(f->made, atomic, TRUE) >> port & 1U) != 0;
}

gboolean hy_reading_is_possible(const HyMadeOf *made, guint atomic, guint32 group)
{
  const HyKind *kind = made->room->kind[atomic];
  return kind != NULL && (hy_made_of_is_balanced(made, atomic, group) ||
                          (hy_made_of_is_readable(made, atomic, group) &&
                           (kind->n_modes == 0 || made->leader[atomic] == group)));
}

/* What the wire to TO makes of a block whose value is made of GROUP. One that meets a line learns
 * of jumps as the group does: by what wakes the block. A probe asks, and need not be told. */
static void look_along(const Find *f, HyFlatTarget to, guint32 group, Role *role)
{
  const HyFlatSources *sources = f->room->diagram.sources;
  guint slot = sources->slot[sources->first[to.atomic] + to.port];
  gboolean many = slot == HY_MANY_SOURCES;
  const HyMeeting *m = many ? NULL : hy_meeting_at(f->room, to.atomic, to.port);
  if (m != NULL) {
    role->wakes |= f->made->jumps[slot] && (!m->probes || m->settles);
  } else if (many || f->room->kind[to.atomic] == NULL) {
    role->spoken |= many || is_heard_by(f, to, group);
  } else if (f->reads[to.atomic] == group) {
    role->wakes |= is_outer(f, to.atomic, to.port);
  } else if (f->made->leader[to.atomic] == group) {
    role->wakes |= is_outer(f, to.atomic, to.port);
    role->spoken |= f->room->kind[to.atomic]->feeds[to.port]; /* what it says is no reading */
  } else if (!hy_reading_is_possible(f->made, to.atomic, group)) {
    role->spoken = TRUE; /* else it is needed by nobody, and this one is not for its sake */
  }
}

/* What nobody reads may fail, and that is to be reported. */
static Role role_of(const Find *f, guint atomic, guint32 group)
{
  const HyFlat *flat = f->room->diagram.flat;
  guint slot = flat->first_out[atomic];
  guint8 watched = f->watched != NULL ? f->watched[atomic] : HY_WATCH_NOTHING;
  Role role = {.spoken = watched == HY_WATCH_WORDS,
               .watched = watched == HY_WATCH_ALL,
               .asked = watched == HY_WATCH_ASKED};
  if (flat->start[slot] == flat->start[slot + 1]) {
    role.spoken |= !f->room->kind[atomic]->safe;
  }
  for (guint k = flat->start[slot]; k < flat->start[slot + 1]; k++) {
    look_along(f, flat->targets[k], group, &role);
  }
  return role;
}

/* When the group has begun it wakes, if it says anything. */
static void make_asleep(Find *f, guint atomic, guint32 group)
{
  HyStaticState *own = f->room->block[atomic];
  f->reads[atomic] = own->group = group;
  own->form.simple = FALSE;
  own->reads = HY_READS_LATER;
}

/* One that nobody needs sleeps, as one behind which there are readings alone does: else it would
 * have to be told of states. Too large an equation is told to by signals, as ever. */
static void make_reading(Find *f, guint atomic, guint32 group, const Role *role)
{
  HyStaticState *own = f->room->block[atomic];
  guint64 outer = hy_made_of_outer(f->made, atomic, TRUE);
  gboolean needed = role->spoken || role->asked || role->wakes;
  gboolean computes = needed || role->watched;
  if (!needed && hy_made_of_is_balanced(f->made, atomic, group)) {
    return; /* to balance it takes evaluations, and watching must not */
  }
  if (computes && !hy_reading_derive(f->room, f->d, atomic, group)) {
    return;
  }
  if (computes) {
    own->reading->spoken = role->spoken || role->watched;
    own->reading->heard = role->spoken != FALSE;
    own->reading->wakes = role->wakes != FALSE;
  }
  own->outer = outer;
  make_asleep(f, atomic, group);
}

/* The group that computes all that comes of the wire to TO, when it has begun; HY_OTHERS: somebody
 * listens.
 */
static guint32 served_along(const Find *f, HyFlatTarget to)
{
  const HyMember *m = hy_room_member(f->room, to.atomic);
  if (f->room->kind[to.atomic] == NULL) {
    gboolean row = m != NULL && m->by_row && m->family == HY_FAMILY_BLOCK && to.port == 0;
    return row ? HY_NOBODY : HY_OTHERS;
  }
  gboolean outer = is_outer(f, to.atomic, to.port);
  if (f->idle[to.atomic] || f->reads[to.atomic] < HY_OTHERS) {
    return f->idle[to.atomic] ? HY_NOBODY : outer ? HY_OTHERS : f->reads[to.atomic];
  }
  gboolean decides = !f->room->kind[to.atomic]->feeds[to.port];
  return decides && !outer ? MIN(f->made->leader[to.atomic], HY_OTHERS) : HY_OTHERS;
}

/* What is made of modes alone, a conductance, leads to readings and to nobody else: from the
 * beginning of their group on it has nothing to do. HY_NOBODY: to nobody at all; HY_OTHERS: to
 * others. */
static guint32 served_by(const Find *f, guint atomic)
{
  const HyFlat *flat = f->room->diagram.flat;
  const HyKind *kind = f->room->kind[atomic];
  guint first = flat->first_out[atomic], end = flat->first_out[atomic + 1];
  guint32 group = HY_NOBODY;
  gboolean quiet = kind->n_modes == 0 && kind->n_in <= 64 && f->made->states[first] == HY_NOBODY &&
                   hy_made_of_outer(f->made, atomic, TRUE) == 0 &&
                   (f->watched == NULL || f->watched[atomic] == HY_WATCH_NOTHING);
  for (guint slot = first; slot < end && quiet; slot++) {
    quiet = !f->in_row[slot] && flat->start[slot] < flat->start[slot + 1];
    for (guint k = flat->start[slot]; k < flat->start[slot + 1] && quiet; k++) {
      guint32 by = served_along(f, flat->targets[k]);
      quiet = by != HY_OTHERS && (group == HY_NOBODY || by == HY_NOBODY || by == group);
      group = by != HY_NOBODY ? by : group;
    }
  }
  return quiet ? group : HY_OTHERS;
}

static guint8 *slots_in_rows(const HyRoom *room)
{
  guint slots = room->diagram.flat->first_out[room->diagram.flat->n];
  guint8 *in = g_new0(guint8, (gsize)slots + 1);
  for (guint k = 0; k < room->rows.slot->len; k++) {
    in[MIN(g_array_index(room->rows.slot, guint32, k), slots)] = 1;
  }
  return in;
}

static gint by_atomic(gconstpointer a, gconstpointer b)
{
  const HyReading *const *r = a, *const *s = b;
  return ((*r)->atomic > (*s)->atomic) - ((*r)->atomic < (*s)->atomic);
}

/* In the order of ties, without those of led blocks that nobody needs. */
static void keep_needed(HyRoom *room)
{
  for (guint k = room->readings->len; k-- > 0;) {
    HyStaticState *own = room->block[hy_reading(room, k)->atomic];
    gboolean of_block = own != NULL && own->reading == hy_reading(room, k); /* else of a meeting */
    if (of_block && own->reads == HY_READS_NOT) {
      own->reading = NULL;
      g_ptr_array_remove_index_fast(room->readings, k);
    }
  }
  g_ptr_array_sort(room->readings, by_atomic);
}

void hy_readings_find(HyRoom *room, HyDeriver *d, const HyMadeOf *made, const guint8 *watched)
{
  const HyFlat *flat = room->diagram.flat;
  if (made == NULL) {
    return;
  }
  Find f = {room,
            d,
            made,
            watched,
            g_new(guint32, (gsize)flat->n + 1),
            slots_in_rows(room),
            g_new0(guint8, (gsize)flat->n + 1)};
  for (guint a = 0; a < flat->n; a++) {
    f.reads[a] = HY_NOBODY;
  }
  for (guint a = flat->n; a-- > 0;) {
    guint32 group = made->states[flat->first_out[a]];
    if (room->kind[a] != NULL && hy_reading_is_possible(made, a, group)) {
      Role role = role_of(&f, a, group);
      make_reading(&f, a, group, &role);
    } else if (room->kind[a] != NULL && (group = served_by(&f, a)) != HY_OTHERS) {
      f.idle[a] = group == HY_NOBODY;
      if (group != HY_NOBODY) {
        make_asleep(&f, a, group);
      }
    }
  }
  g_free(f.reads);
  g_free(f.in_row);
  g_free(f.idle);
  keep_needed(room);
}

/* First words --------------------------------------------------------------------------------- */

/* A group begins when all has spoken that its states follow. What its readings follow beside that,
 * the time as a rule, may speak later at that instant: then the step begins anew that was begun
 * without it. */
static void put_awaited(const HyRoom *room, HyListMaker *make, int pass, guint32 row, guint group)
{
  const guint32 *slot = hy_row_slots(&room->rows, row);
  for (guint k = 0; k < hy_row_template(&room->rows, row)->n_slots; k++) {
    const HyHub *hub = hy_rows_hub(&room->rows, slot[k]);
    if (hub != NULL) {
      put_awaited(room, make, pass, hub->row, group);
    } else if (room->members.state_of[slot[k]] == 0) {
      hy_list_maker_put(make, pass, slot[k], group);
    }
  }
}

void hy_readings_await(HyRoom *room)
{
  HyListMaker make;
  hy_list_maker_init(&make, room->diagram.flat->first_out[room->diagram.flat->n]);
  for (int pass = 0; pass < 2; pass++) {
    for (guint k = 0; k < room->readings->len; k++) {
      const HyReading *r = hy_reading(room, k);
      if (r->spoken) {
        put_awaited(room, &make, pass, r->row, r->group);
      }
    }
    for (guint k = 0; k < room->meetings->len; k++) {
      const HyReading *r = hy_meeting(room, k)->reading;
      if (r != NULL) {
        put_awaited(room, &make, pass, r->row, r->group);
      }
    }
    hy_list_maker_turn(&make, pass);
  }
  room->members.awaited = make.lists;
}

void hy_readings_hear_first(HyRoom *room, guint slot, double t)
{
  const HyLists *awaited = &room->members.awaited;
  for (guint32 k = awaited->first[slot]; k < awaited->first[slot + 1]; k++) {
    hy_room_restart(room, awaited->item[k], t);
  }
}

/* Running ------------------------------------------------------------------------------------- */

void hy_readings_begin(HyRoom *room, guint group, double t)
{
  const HyFlat *flat = room->diagram.flat;
  for (guint a = 0; a < flat->n && room->made != NULL; a++) {
    HyStaticState *own = room->kind[a] != NULL ? room->block[a] : NULL;
    if (own != NULL && own->led && own->group == group) {
      own->mute |= own->hushed;
    }
    if (own == NULL || own->reads == HY_READS_NOT || own->group != group ||
        hy_room_is_unsure(room, a)) {
      continue;
    }
    gboolean begins = own->reads == HY_READS_LATER;
    if (begins) {
      own->reads = HY_READS;
      hy_static_take_deaf(own);
    }
    /* Who wakes others says its first word, too: what woke it may have come before all was known.
     */
    gboolean first = own->reading != NULL && own->reading->wakes && isnan(own->said[0].t);
    own->woken |= first;
    if (begins || first) {
      hy_members_make_block_due(room, a, t);
    }
  }
}

gboolean hy_reading_is_known(const HyRoom *room, HyReading *r)
{
  r->known = r->known || hy_room_knows_row(room, r->row, FALSE);
  return r->known;
}

void hy_reading_tell(HyRoom *room, HyReading *r, double t, const double *c)
{
  for (guint k = 0; k < G_N_ELEMENTS(r->word.c); k++) {
    r->word.c[k] = k < room->diagram.lanes ? c[k] : 0.0;
  }
  r->word.t = t;
  r->told = TRUE;
  hy_members_make_block_due(room, r->atomic, t);
}

void hy_room_read(HyRoom *room, HyReading *r, double t, double *c)
{
  memset(c, 0, sizeof(double[4]));
  room->ops->read(room, r, t, c);
}

gboolean hy_room_reading(HyRoom *room, guint atomic, double t, double *y)
{
  const HyStaticState *own = room->kind[atomic] != NULL ? room->block[atomic] : NULL;
  if (own == NULL || own->reads != HY_READS || own->reading == NULL ||
      (!own->reading->known && !hy_reading_is_known(room, own->reading))) {
    return FALSE;
  }
  *y = room->ops->ask(room, own->reading, t);
  return TRUE;
}

gboolean hy_room_may_read(const HyRoom *room, guint atomic)
{
  const HyStaticState *own = room->kind[atomic] != NULL ? room->block[atomic] : NULL;
  return own != NULL && own->reads != HY_READS_NOT;
}

void hy_room_restart(HyRoom *room, guint group, double t)
{
  room->ops->follow(room, hy_room_group(room, group)->first, t);
}

void hy_room_begin_to_tell(HyRoom *room, guint group)
{
  room->telling = group + 1;
}

void hy_room_end_telling(HyRoom *room)
{
  room->telling = 0;
}

gboolean hy_room_is_told_by(const HyRoom *room, guint group)
{
  return room->telling == group + 1;
}
