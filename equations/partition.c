#include "partition.h"
#include "base/number.h"

#include "room_internal.h"

/* Of each signal, what its reader is by it. */
typedef struct {
  const HyRoom *room;
  HyPart *slot; /* [slots] */
} Marks;

static guint atomic_of_flag(const HyRoom *room, guint32 flag)
{
  return hy_part_of(room->first_flag, room->diagram.flat->n, flag);
}

/* The first reason that the row gives: a mode, then a signal that is marked. */
static HyPart part_of_row(const Marks *m, guint32 row)
{
  const HyRows *rows = &m->room->rows;
  const HyTemplate *shape = hy_row_template(rows, row);
  if (shape->n_flags > 0) {
    return (HyPart){HY_PART_MODE, atomic_of_flag(m->room, hy_row_flags(rows, row)[0])};
  }
  for (guint k = 0; k < shape->n_slots; k++) {
    HyPart of = m->slot[hy_row_slots(rows, row)[k]];
    if (of.why != HY_PART_SMOOTH) {
      return of;
    }
  }
  return (HyPart){HY_PART_SMOOTH, 0};
}

/* A hub is as the signals that it is made of; those that are hubs have less depth. */
static void mark_hubs(const Marks *m)
{
  const GArray *hub = m->room->rows.hub;
  guint deepest = 0;
  for (guint k = 0; k < hub->len; k++) {
    deepest = MAX(deepest, g_array_index(hub, HyHub, k).depth);
  }
  for (guint depth = 1; depth <= deepest; depth++) {
    for (guint k = 0; k < hub->len; k++) {
      const HyHub *h = &g_array_index(hub, HyHub, k);
      if (h->depth == depth) {
        m->slot[h->slot] = part_of_row(m, h->row);
      }
    }
  }
}

static guint slot_of(const HyRoom *room, guint state)
{
  return room->diagram.flat->first_out[hy_room_state(room, state)->atomic];
}

static void find_discontinuous(Marks *m, HyPart *part)
{
  mark_hubs(m);
  for (guint k = 0; k < m->room->states->len; k++) {
    const HyRoomState *s = hy_room_state(m->room, k);
    part[k] = !s->member->plain     ? (HyPart){HY_PART_JUMPS, s->atomic}
              : s->row == HY_NO_ROW ? (HyPart){HY_PART_NO_ROW, s->atomic}
                                    : part_of_row(m, s->row);
  }
}

/* Of the others those that read one of them. Not further: in a chain each state reads the one
 * before it, and all of it would follow its first. */
static void find_readers(Marks *m, HyPart *part)
{
  for (guint k = 0; k < m->room->states->len; k++) {
    if (part[k].why != HY_PART_SMOOTH) {
      m->slot[slot_of(m->room, k)] = (HyPart){HY_PART_READER, hy_room_state(m->room, k)->atomic};
    }
  }
  mark_hubs(m);
  for (guint k = 0; k < m->room->states->len; k++) {
    if (part[k].why == HY_PART_SMOOTH) {
      part[k] = part_of_row(m, hy_room_state(m->room, k)->row);
    }
  }
}

void hy_room_partition(const HyRoom *room, HyPart *part)
{
  guint slots = room->diagram.flat->first_out[room->diagram.flat->n];
  g_autofree HyPart *slot = g_new0(HyPart, (gsize)slots + 1);
  Marks m = {.room = room, .slot = slot};
  find_discontinuous(&m, part);
  find_readers(&m, part);
}
