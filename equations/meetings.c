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

/* Too large an equation is heard as ever. */
static void find_meeting(HyRoom *room, HyDeriver *d, const HyMadeOf *made, HyMeeting *m)
{
  const HyFlatSources *sources = room->diagram.sources;
  const guint32 of_reading = HY_OF_READING;
  guint slot = sources->slot[sources->first[m->atomic] + m->port];
  guint32 group = group_of_slot(made, slot);
  guint32 row = group != HY_NOBODY ? hy_derive_signal(d, slot, HY_NO_SOURCE) : HY_NO_ROW;
  if (row == HY_NO_ROW) {
    return;
  }
  g_array_append_val(room->state_of_row, of_reading);
  if (made->states[slot] == HY_NOBODY && !goes_on(made, row)) {
    return;
  }
  m->reading = g_new0(HyReading, 1);
  *m->reading = (HyReading){.atomic = room->diagram.flat->owner[slot],
                            .slot = slot,
                            .row = row,
                            .group = group,
                            .word.t = NAN};
  g_ptr_array_add(room->readings, m->reading);
}

void hy_meetings_find(HyRoom *room, HyDeriver *d, const HyMadeOf *made)
{
  for (guint k = 0; k < room->meetings->len && made != NULL; k++) {
    find_meeting(room, d, made, hy_meeting(room, k));
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

void hy_room_read_meeting(HyRoom *room, HyMeeting *m, double t, double *c)
{
  hy_room_read(room, m->reading, t, c);
}
