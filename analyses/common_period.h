/* The period of a model: of all that goes on by itself in it. */
#ifndef HYDEVS_ANALYSES_COMMON_PERIOD_H
#define HYDEVS_ANALYSES_COMMON_PERIOD_H

#include "hydevs/load.h"

/* The shortest time that is a whole number of periods of each source. FALSE: there is none, or a
 * block is not periodic; the message names it. */
gboolean hy_common_period(const HyLoaded *loaded, double *period, GError **error);
/* "gate (pwm) 0.0001 s", "a, b"; newly allocated: the blocks that it is made of. */
char *hy_common_period_of(const HyLoaded *loaded);

#endif
