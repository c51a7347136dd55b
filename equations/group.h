/* States that decide together, inside the room: who has to look again when something has changed.
 * For room.c. */
#ifndef HYDEVS_EQUATIONS_GROUP_H
#define HYDEVS_EQUATIONS_GROUP_H

#include "room_internal.h"

/* Lists by number, made in two passes over what is put into them: counted, then filled. */
typedef struct {
  HyLists lists;
  guint n;
} HyListMaker;

void hy_list_maker_init(HyListMaker *m, guint n);
void hy_list_maker_put(HyListMaker *m, int pass, guint list, guint32 item);
void hy_list_maker_turn(HyListMaker *m, int pass);
void hy_lists_clear(HyLists *lists);

void hy_room_start_groups(HyRoom *room);
/* What is said at SLOT has been decided by the group, and everybody in it knows. */
gboolean hy_room_is_told(HyRoom *room, guint slot);
/* SLOT has changed; FIRST: it is its first word. */
void hy_room_touch_readers(HyRoom *room, guint slot, double t, gboolean first);
/* The row of STATE may be another one now. */
void hy_room_touch(HyRoom *room, guint32 state, double t);
/* STATE is to be found by hy_room_due(). */
void hy_room_is_due(HyRoom *room, guint32 state);
/* The rows in room->touched; FIRST: for each of them something is known that was not. */
void hy_room_touch_rows(HyRoom *room, double t, gboolean first);

#endif
