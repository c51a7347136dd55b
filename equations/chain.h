/* Whether states form a chain: each is read by few others, all of them near to it in some order. A
 * matrix of such a system fills little when it is factored, however many states there are. */
#ifndef HYDEVS_EQUATIONS_CHAIN_H
#define HYDEVS_EQUATIONS_CHAIN_H

#include "room.h"

/* All states have rows, and can be put in layers of no more than WIDEST so that each reads its own
 * layer and the two beside it alone, none of them through a hub. All rows have been derived; takes
 * a time that grows like the number of partial derivatives. */
gboolean hy_room_is_chain(const HyRoom *room, guint widest);

/* Likewise of the states STATE[N] alone, ascending: what others they read is not looked at, and
 * hubs are none of theirs. ORDER: their places in STATE, layer by layer; as they are if that is
 * narrow enough. WIDTH: how many places away in ORDER what one of them reads is, at most. */
gboolean hy_room_chain_order(const HyRoom *room, const guint32 *state, guint n, guint widest,
                             guint32 *order, guint *width);

#endif
