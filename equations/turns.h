/* When sources turn that a static block is fed by. A crossing that is found where such a source
 * comes to the end of its line waits for its word: a comparison with the top of a carrier is
 * touched there, and not passed. */
#ifndef HYDEVS_EQUATIONS_TURNS_H
#define HYDEVS_EQUATIONS_TURNS_H

#include "room.h"

/* The event of a source behind ATOMIC, a static block, that comes at T or within rounding of it;
 * -INFINITY: there is none. */
double hy_room_turn_at(HyRoom *room, guint atomic, double t);
void hy_room_free_turns(HyRoom *room);

#endif
