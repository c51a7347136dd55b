/* Statistics as members of an object of JSON that is open, each with a line of its own. */
#ifndef HY_STATS_MEMBERS_H
#define HY_STATS_MEMBERS_H

#include "hydevs/json.h"
#include "hydevs/stats.h"

/* All that hy_stats_json() tells. */
void hy_stats_members(const HySim *sim, const HyCost *cost, HyJsonOut *json);

#endif
