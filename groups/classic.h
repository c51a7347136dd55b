/* Classic methods: all states of a group are integrated together, by CVODE of SUNDIALS, a method of
 * the textbooks, or a multirate one (HyStepper). Inside the room; for groups.c.
 *
 * A group works ahead: from t0 it takes one step, to t1, with the inputs as they are extrapolated
 * now, and publishes its states on [t0, t1] in one piece or several. What an input that changes on
 * the way would have made of them is estimated; while that stays within the tolerance it is added
 * to them at t1, else the step ends before and the method starts again. */
#ifndef HYDEVS_GROUPS_CLASSIC_H
#define HYDEVS_GROUPS_CLASSIC_H

#include "equations/room_internal.h"

/* After the members are known; groups of the others have been made. */
void hy_classic_make_groups(HyRoom *room);
void hy_classic_free_groups(HyRoom *room);
/* Then; WATCHED as in hy_room_start(). */
void hy_classic_listen(HyRoom *room, const guint8 *watched);
/* Something that the row of STATE reads has changed. */
void hy_classic_touch(HyRoom *room, guint32 state, double t);
/* A mode that the row of STATE reads has changed at T: f is another function from here, even where
 * it has the same value (a diode that turns at i = 0), so the step ends and the method starts anew.
 */
void hy_classic_follow(HyRoom *room, guint32 state, double t);
/* The modes of ATOMIC that the group of STATE owns, at T (HyGroupOps.judge). */
void hy_classic_judge(HyRoom *room, guint32 state, guint atomic, double t);
/* R at T; and with its slope (HyGroupOps.read). */
double hy_classic_ask(HyRoom *room, const HyReading *r, double t);
void hy_classic_read_now(HyRoom *room, HyReading *r, double t, double *c);
/* How far a reading follows what STATE may be off (HyGroupOps.held). */
double hy_classic_held(HyRoom *room, guint32 state);
/* M asks, from T on (HyGroupOps.meet). */
void hy_classic_meet(HyRoom *room, HyMeeting *m, double t);
/* The first instant is over (HyGroupOps.open). */
gboolean hy_classic_open(HyRoom *room, double t);
/* Meetings of GROUP may be elsewhere from T on (HyGroupOps.look). */
void hy_classic_look_again(HyRoom *room, guint group, double t);
/* The sums of GROUP up to T (HyGroupOps.gather). */
void hy_classic_gather_group(HyRoom *room, guint group, double t);
/* STATE, a member, has its turn. */
void hy_classic_step(HyRoom *room, guint32 state, double t);
void hy_classic_tape(HyRoom *room, HyTape *tape);
void hy_classic_counts(const HyRoom *room, HyRoomCounts *counts);

#endif
