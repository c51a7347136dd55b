/* mLIQSS inside the room; for groups.c. */
#ifndef HYDEVS_GROUPS_LIQSS_H
#define HYDEVS_GROUPS_LIQSS_H

#include "equations/room_internal.h"

/* After the members are known: who may step together with whom. */
void hy_liqss_start(HyRoom *room);
/* The own step of a member at T. */
void hy_liqss_step(HyRoom *room, guint32 state, double t);
/* A mode in the row of STATE has changed, and its derivative with it. */
void hy_liqss_follow(HyRoom *room, guint32 state, double t);

#endif
