/* The part of the statistics about an automatic partition or method; nothing if there is none. */
#ifndef HY_STATS_PARTITION_H
#define HY_STATS_PARTITION_H

#include "hydevs/json.h"
#include "hydevs/sim.h"

/* What method="auto" has chosen: "qss3, chosen for you: WHY", newly allocated, NULL if nothing; a
 * member "chosen", or nothing. */
char *hy_stats_chosen(const HySim *sim);
void hy_stats_chosen_json(const HySim *sim, HyJsonOut *json);

void hy_stats_partition_text(const HySim *sim, GString *out);
void hy_stats_partition_json(const HySim *sim, HyJsonOut *json);

#endif
