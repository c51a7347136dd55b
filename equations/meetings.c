/* Who meets whom, found from the wires before the first event. */
#include "meetings.h"

#include "members.h"

#include <math.h>

HyMeeting *hy_room_add_meeting(HyRoom *room, guint atomic, guint port)
{
  HyMeeting *m = hy_room_memory(room, sizeof *m);
  m->atomic = atomic;
  m->port = port;
  m->number = room->meetings->len;
  m->until = -INFINITY;
  m->since = INFINITY;
  m->at = INFINITY;
  m->open = NAN;
  m->sums = HY_SUMS_NOT;
  m->with = NULL;
  m->sum = 0.0;
  m->fastest = NAN;
  g_ptr_array_add(room->meetings, m);
  return m;
}

/* What is made of no states is known to any group. */
static guint32 any_group(const HyMadeOf *made)
{
  guint n = made->room->members.group->len, k = 0;
  while (k < n && !made->exact[k]) {
    k++;
  }
  return k < n ? k : HY_NOBODY;
}

/* The group that knows what is said at SLOT at any instant. */
static guint32 group_of_slot(const HyMadeOf *made, guint slot)
{
  const HyFlat *flat = made->room->diagram.flat;
  guint owner = slot < flat->first_out[flat->n] ? flat->owner[slot] : flat->n;
  guint32 group = owner < flat->n ? made->states[slot] : HY_OTHERS;
  if (group >= HY_OTHERS) {
    return group == HY_NOBODY && !made->jumps[slot] ? any_group(made) : HY_NOBODY;
  }
  gboolean known = made->room->kind[owner] == NULL
                       ? made->exact[group] != 0
                       : made->exact[group] && hy_reading_is_possible(made, owner, group);
  return known ? group : HY_NOBODY;
}

/* Of a row without states: it moves, and by sines and the time alone, so that it never jumps. */
static gboolean goes_on(const HyMadeOf *made, guint32 row)
{
  const HyRows *rows = &made->room->rows;
  const HyTemplate *t = hy_row_template(rows, row);
  gboolean all = t->n_slots > 0 && t->n_flags == 0;
  for (guint k = 0; k < t->n_slots && all; k++) {
    all = hy_made_of_goes_on(made, hy_row_slots(rows, row)[k]);
  }
  return all;
}

/* The group that integrates what is said at SLOT is made of, and can be looked at at any instant of
 * its step. */
static guint32 looks_of_slot(const HyMadeOf *made, guint slot)
{
  const HyFlat *flat = made->room->diagram.flat;
  guint32 group = slot < flat->first_out[flat->n] ? made->states[slot] : HY_NOBODY;
  gboolean looks =
      group < HY_OTHERS && !made->exact[group] && hy_made_of_family(made, group) != HY_FAMILY_CHAIN;
  return looks ? group : HY_NOBODY;
}

/* What is said at SLOT is a state of GROUP, or comes from outside. */
static gboolean is_known_to(const HyRoom *room, guint slot, guint32 group)
{
  const HyFlat *flat = room->diagram.flat;
  guint owner = slot < flat->first_out[flat->n] ? flat->owner[slot] : flat->n;
  guint32 state = owner < flat->n ? room->members.state_at[owner] : 0;
  if (owner == flat->n || state == 0) {
    return owner < flat->n && room->kind[owner] == NULL;
  }
  return hy_room_state(room, state - 1)->member->group == group && slot == flat->first_out[owner];
}

/* All that ROW reads is so; through hubs, which are few deep (rows.c). */
static gboolean is_made_of(const HyRoom *room, guint32 row, guint32 group)
{
  const guint32 *slot = hy_row_slots(&room->rows, row);
  gboolean all = TRUE;
  for (guint k = 0; k < hy_row_template(&room->rows, row)->n_slots && all; k++) {
    const HyHub *hub = hy_rows_hub(&room->rows, slot[k]);
    all = hub != NULL ? is_made_of(room, hub->row, group) : is_known_to(room, slot[k], group);
  }
  return all;
}

static guint slot_of(const HyRoom *room, const HyMeeting *m)
{
  const HyFlatSources *sources = room->diagram.sources;
  return sources->slot[sources->first[m->atomic] + m->port];
}

/* What is made of no states is a factor for the group that knows the other one: it *FOLLOWS. Else
 * it is for the group that decides modes of it, if a sum is asked for. */
static guint32 group_of_meeting(const HyMadeOf *made, const HyMeeting *m, gboolean *follows)
{
  guint end = made->room->diagram.flat->first_out[made->room->diagram.flat->n];
  guint slot = slot_of(made->room, m);
  guint other = m->with != NULL ? slot_of(made->room, m->with) : end;
  *follows = slot < end && other < end && made->states[slot] == HY_NOBODY &&
             made->states[other] < HY_OTHERS;
  guint32 of = slot < end ? made->of[slot] : HY_NOBODY;
  gboolean decided = hy_meeting_is_of_sum(m) && of < HY_OTHERS && made->exact[of] &&
                     made->states[slot] == HY_NOBODY && !*follows;
  return decided ? of : group_of_slot(made, *follows ? other : slot);
}

/* ROW, what is said at SLOT: made of states, sines and words from outside, in modes that GROUP
 * decides. */
static gboolean can_sum(const HyMadeOf *made, guint32 row, guint slot, guint32 group,
                        gboolean follows)
{
  gboolean alone = made->states[slot] == HY_NOBODY;
  gboolean words = follows && hy_row_template(&made->room->rows, row)->n_flags == 0;
  return !alone || words || goes_on(made, row) || made->of[slot] == group;
}

/* Too large an equation is heard as ever. */
static void find_meeting(HyRoom *room, HyDeriver *d, const HyMadeOf *made, HyMeeting *m)
{
  const guint32 of_reading = HY_OF_READING;
  guint slot = slot_of(room, m);
  guint32 looks = m->probes ? HY_NOBODY : looks_of_slot(made, slot);
  gboolean follows = FALSE;
  guint32 group = looks != HY_NOBODY ? looks : group_of_meeting(made, m, &follows);
  guint32 row = group != HY_NOBODY ? hy_derive_signal(d, slot, HY_NO_SOURCE) : HY_NO_ROW;
  if (row == HY_NO_ROW) {
    return;
  }
  g_array_append_val(room->state_of_row, of_reading);
  gboolean alone = made->states[slot] == HY_NOBODY;
  if (hy_meeting_is_of_sum(m) ? !can_sum(made, row, slot, group, follows)
      : looks != HY_NOBODY    ? !is_made_of(room, row, looks)
                              : alone && !goes_on(made, row)) {
    return;
  }
  m->looks = looks != HY_NOBODY;
  m->degree = hy_meeting_is_of_sum(m) ? hy_made_of_degree(made, row) : 0;
  m->reading = g_new0(HyReading, 1);
  *m->reading = (HyReading){.atomic = room->diagram.flat->owner[slot],
                            .slot = slot,
                            .row = row,
                            .group = group,
                            .looks = m->looks,
                            .word.t = NAN};
  g_ptr_array_add(room->readings, m->reading);
}

/* A product of which the group knows one factor alone is heard as ever. */
static void drop_half(HyRoom *room, HyMeeting *m)
{
  const HyReading *other = m->with != NULL ? m->with->reading : NULL;
  if (m->with != NULL && m->reading != NULL &&
      (other == NULL || other->group != m->reading->group)) {
    g_ptr_array_remove(room->readings, m->reading);
    m->reading = NULL;
  }
}

void hy_meetings_find(HyRoom *room, HyDeriver *d, const HyMadeOf *made)
{
  for (guint k = 0; k < room->meetings->len && made != NULL; k++) {
    find_meeting(room, d, made, hy_meeting(room, k));
  }
  for (guint k = 0; k < room->meetings->len && made != NULL; k++) {
    drop_half(room, hy_meeting(room, k));
  }
}

const HyMeeting *hy_meeting_at(const HyRoom *room, guint atomic, guint port)
{
  for (guint k = 0; k < room->meetings->len; k++) {
    const HyMeeting *m = hy_meeting(room, k);
    if (m->atomic == atomic && m->port == port && m->reading != NULL) {
      return m;
    }
  }
  return NULL;
}

/* Looking anew -------------------------------------------------------------------------------- */

/* Through hubs, as above. */
static void put_row(const HyRoom *room, HyListMaker *make, int pass, guint32 row, guint group)
{
  const guint32 *slot = hy_row_slots(&room->rows, row);
  for (guint k = 0; k < hy_row_template(&room->rows, row)->n_slots; k++) {
    const HyHub *hub = hy_rows_hub(&room->rows, slot[k]);
    if (hub != NULL) {
      put_row(room, make, pass, hub->row, group);
    } else if (room->members.state_of[slot[k]] == 0) {
      hy_list_maker_put(make, pass, slot[k], group);
    }
  }
}

static gboolean is_sum(const HyMeeting *m)
{
  return m->sums != HY_SUMS_NOT && m->reading != NULL;
}

/* What moves the states of groups that look, or gather SUMS, and what meetings follow beside them.
 */
static void put_all(const HyRoom *room, HyListMaker *make, int pass, const guint8 *looks,
                    gboolean sums)
{
  for (guint32 k = 0; k < room->states->len; k++) {
    const HyRoomState *s = hy_room_state(room, k);
    if (s->row != HY_NO_ROW && s->member->by_row && looks[s->member->group]) {
      put_row(room, make, pass, s->row, s->member->group);
    }
  }
  for (guint k = 0; k < room->meetings->len; k++) {
    const HyMeeting *m = hy_meeting(room, k);
    if (sums ? is_sum(m) : m->looks) {
      put_row(room, make, pass, m->reading->row, m->reading->group);
    }
  }
}

static HyLists listen(const HyRoom *room, gboolean sums, gboolean *any)
{
  g_autofree guint8 *looks = g_new0(guint8, (gsize)room->members.group->len + 1);
  HyListMaker make;
  *any = FALSE;
  for (guint k = 0; k < room->meetings->len; k++) {
    const HyMeeting *m = hy_meeting(room, k);
    if (sums ? is_sum(m) : m->looks) {
      looks[m->reading->group] = 1;
      *any = TRUE;
    }
  }
  hy_list_maker_init(&make, room->diagram.flat->first_out[room->diagram.flat->n]);
  for (int pass = 0; pass < 2; pass++) {
    put_all(room, &make, pass, looks, sums);
    hy_list_maker_turn(&make, pass);
  }
  return make.lists;
}

void hy_meetings_listen(HyRoom *room)
{
  room->members.looking = listen(room, FALSE, &room->members.looked);
  room->members.gathering = listen(room, TRUE, &room->members.gathers);
}

/* A group that several rows name looks once: nothing has happened since. */
void hy_meetings_hear(HyRoom *room, guint slot, double t)
{
  const HyLists *looking = &room->members.looking;
  guint before = HY_NOBODY;
  for (guint32 k = looking->first[slot]; k < looking->first[slot + 1]; k++) {
    if (looking->item[k] != before) {
      before = looking->item[k];
      room->ops->look(room, before, t);
    }
  }
}

void hy_meetings_gather(HyRoom *room, guint slot, double t)
{
  const HyLists *gathering = &room->members.gathering;
  for (guint32 k = gathering->first[slot]; k < gathering->first[slot + 1]; k++) {
    room->ops->gather(room, gathering->item[k], t);
  }
}

void hy_meetings_gather_all(HyRoom *room, double t)
{
  for (guint k = 0; k < room->meetings->len && room->members.gathers; k++) {
    if (is_sum(hy_meeting(room, k))) {
      room->ops->gather(room, hy_meeting(room, k)->reading->group, t);
    }
  }
}

static gboolean reads_flag(const HyRoom *room, guint32 row, guint32 first, guint n)
{
  const HyTemplate *t = hy_row_template(&room->rows, row);
  gboolean any = FALSE;
  for (guint k = 0; k < t->n_flags && !any; k++) {
    guint32 flag = hy_row_flags(&room->rows, row)[k];
    any = flag >= first && flag < first + n;
  }
  for (guint k = 0; k < t->n_slots && !any; k++) {
    const HyHub *hub = hy_rows_hub(&room->rows, hy_row_slots(&room->rows, row)[k]);
    any = hub != NULL && reads_flag(room, hub->row, first, n);
  }
  return any;
}

void hy_meetings_turn(HyRoom *room, guint32 first, guint n, double t)
{
  for (guint k = 0; k < room->meetings->len && room->members.looked; k++) {
    const HyMeeting *m = hy_meeting(room, k);
    if (m->looks && reads_flag(room, m->reading->row, first, n)) {
      room->ops->look(room, m->reading->group, t);
    }
  }
}

/* Running ------------------------------------------------------------------------------------- */

void hy_meeting_make_due(HyRoom *room, HyMeeting *m)
{
  if (!m->due) {
    m->due = TRUE;
    room->members.due[room->members.n_due++] =
        room->states->len + room->diagram.flat->n + m->number;
  }
}

void hy_room_meet(HyRoom *room, HyMeeting *m, double t)
{
  m->asked = TRUE;
  room->ops->meet(room, m, t);
}

double hy_room_probe(HyRoom *room, const HyMeeting *m, double t)
{
  return room->ops->ask(room, m->reading, t);
}

double hy_room_gather(HyRoom *room, const HyMeeting *m, double t)
{
  room->ops->gather(room, m->reading->group, t);
  return m->sum;
}

void hy_room_read_meeting(HyRoom *room, HyMeeting *m, double t, double *c)
{
  hy_room_read(room, m->reading, t, c);
}
