/* The period of a model: of all that goes on by itself in it. */
#ifndef HYDEVS_ANALYSES_COMMON_PERIOD_H
#define HYDEVS_ANALYSES_COMMON_PERIOD_H

#include "hydevs/load.h"

/* The shortest time that is a whole number of periods of each source. FALSE: there is none, or a
 * block is not periodic; the message names it. */
gboolean hy_common_period(const HyLoaded *loaded, double *period, GError **error);
/* "gate (pwm), ref (sine)"; newly allocated: the blocks that it is made of. */
char *hy_common_period_of(const HyLoaded *loaded);
/* Of the source that takes the longest; 0: none is periodic. */
double hy_common_period_longest(const HyLoaded *loaded);
/* A machine, or a block of one's own, speaks: whether it has a period of its own nobody has said.
 */
gboolean hy_common_period_may_miss(const HyLoaded *loaded);
/* "gate (pwm) repeats after 0.0001 s", "t (clock) never repeats"; newly allocated: the first source
 * that is elsewhere after PERIOD than it was. NULL: there is none. */
char *hy_common_period_misses(const HyLoaded *loaded, double period);

#endif
