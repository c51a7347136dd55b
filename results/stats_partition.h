/* The part of the statistics about an automatic partition; nothing if there is none. */
#ifndef HY_STATS_PARTITION_H
#define HY_STATS_PARTITION_H

#include "hydevs/sim.h"

void hy_stats_partition_text(const HySim *sim, GString *out);
void hy_stats_partition_json(const HySim *sim, GString *out);

#endif
