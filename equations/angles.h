/* Whether states are angles: what they make is put into sines. A tolerance by their size says
 * little of such a state, which grows with each turn. For whoever chooses a method for them, and
 * for their quanta. */
#ifndef HYDEVS_EQUATIONS_ANGLES_H
#define HYDEVS_EQUATIONS_ANGLES_H

#include "room.h"

/* Some block takes the sine or the cosine of what states make for which OF[states], at once;
 * through blocks that are not static nobody looks. */
gboolean hy_room_has_angles(const HyRoom *room, const guint8 *of);

/* Before the first event: states of which a sine is taken as they are, or times a number, or with
 * something added, know what half a turn is of them (HyQState.half_turn). */
void hy_room_find_angles(HyRoom *room);

#endif
