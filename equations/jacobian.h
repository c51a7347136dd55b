/* The Jacobian of all states of a simulation, for reports. */
#ifndef HYDEVS_EQUATIONS_JACOBIAN_H
#define HYDEVS_EQUATIONS_JACOBIAN_H

#include "room.h"

/* A[i * n + j] = d x_i' / d x_j of the n states at T, which must not lie before the last event;
 * sources, and whatever else is no state, stand still. All rows have to be derived. Returns the
 * first state whose row of A is not finite, or which has no equation (NaN), n if there is none. */
guint hy_room_jacobian(HyRoom *room, double t, double *a);

#endif
