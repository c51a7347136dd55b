/* Static blocks that lead to nobody who looks: all who read them evaluate rows, or are such blocks.
 * The fused engine leaves them out; what they say is seen by nobody. */
#ifndef HYDEVS_SIM_DEAD_H
#define HYDEVS_SIM_DEAD_H

#include "engine.h"

/* [n], newly allocated: 1 for those. It is the same from init on, whatever has begun since. */
guint8 *hy_sim_find_dead(const HySim *sim);
/* ATOMIC, one of them, becomes what it would be by what comes to it now; nobody hears of it. Those
 * before it know. */
void hy_sim_revive(HySim *sim, guint atomic);

#endif
