/* Which states make networks that are linear between toggles, whatever controls them. For whoever
 * chooses a method for these alone. */
#ifndef HYDEVS_EQUATIONS_NETWORKS_H
#define HYDEVS_EQUATIONS_NETWORKS_H

#include "room.h"

/* IN[states]: those whose equations are linear while no mode turns, hubs put into them. Those that
 * are in no such network go out of it. All rows have been derived; takes a time that grows like the
 * number of partial derivatives, and where these are too many nobody stays in. */
void hy_room_networks(const HyRoom *room, guint8 *in);

#endif
