/* States whose derivative the room evaluates, its members: who has to look again when something has
 * changed. For room.c and the room groups. */
#ifndef HYDEVS_EQUATIONS_MEMBERS_H
#define HYDEVS_EQUATIONS_MEMBERS_H

#include "equations/room_internal.h"

void hy_members_start(HyRoom *room);
/* What is said at SLOT has been decided by the group, and everybody in it knows. The next word that
 * is said there is another one. */
gboolean hy_members_take_told(HyRoom *room, guint slot);
/* SLOT has changed; FIRST: it is its first word. */
void hy_members_touch_readers(HyRoom *room, guint slot, double t, gboolean first);
/* STATE is to be found by hy_room_due(). */
static inline void hy_member_make_due(HyRoom *room, guint32 state)
{
  HyRoomState *s = hy_room_state(room, state);
  if (!s->due) {
    s->due = TRUE;
    room->members.due[room->members.n_due++] = state;
  }
}

/* So is a static block, which a group leads or reads, at T. One that waits, or is idle, has nothing
 * to say. */
void hy_members_make_block_due(HyRoom *room, guint atomic, double t);

/* hy_room_due() of a state, which is most often what is due; NULL: it is none, and still there. */
static inline const HyRoomState *hy_member_take_due(HyRoom *room)
{
  guint32 due = room->members.due[room->members.n_due - 1];
  if (due >= room->states->len) {
    return NULL;
  }
  HyRoomState *s = hy_room_state(room, due);
  s->due = FALSE;
  room->members.n_due--;
  return s;
}

/* The row of STATE, and until when it is what it is now. */
void hy_member_evaluate(HyRoom *room, guint32 state, double t, double *dx);
/* The rows in room->members.touched; FIRST: for each of them something is known that was not. */
void hy_members_touch_rows(HyRoom *room, double t, gboolean first);

/* A mode has changed in the hubs of room->members.hubs: what they are is another function, though
 * the value may be the same. For classic groups that read one. */
void hy_members_turn_hubs(HyRoom *room, double t);

/* Where the state speaks. */
static inline guint hy_member_slot(const HyRoom *room, guint32 state)
{
  return room->diagram.flat->first_out[hy_room_state(room, state)->atomic];
}

/* The place of SLOT in ROW; HY_NO_SLOT: it does not read it. */
guint hy_row_place(const HyRunRow *row, guint slot);
/* d x'_i / d q_j at T by the row of I; 0 where it is not finite. */
double hy_member_partial(HyRoom *room, guint32 i, guint32 j, double t);

/* The table of row_states.h, in three: made; whether STATE, just touched, is odd; all of them are,
 * until they have been touched. */
void hy_row_states_start(HyRoom *room);
void hy_row_state_look(HyRoom *room, guint32 state);
void hy_row_states_forget(HyRoom *room);

#endif
