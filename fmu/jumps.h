/* Which outputs say values that stand still until the next one: they change at events alone. */
#ifndef HY_FMU_JUMPS_H
#define HY_FMU_JUMPS_H

#include "hydevs/sim.h"

/* By slot of the flat graph of SIM, which is initialised: 1 where what is said there may move
 * between two words. Newly allocated. */
guint8 *hy_moving_slots(const HySim *sim);

#endif
