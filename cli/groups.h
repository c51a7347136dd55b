/* What is to be said of the groups of classic methods of a run. */
#ifndef HY_CLI_GROUPS_H
#define HY_CLI_GROUPS_H

#include "hydevs/load.h"
#include "hydevs/sim.h"

/* Warns of tolerances that are far below the quanta of what a group reads. FALSE: STRICT, and there
 * was something to warn of. */
gboolean cli_warn_groups(const HyLoaded *loaded, const HySim *sim, gboolean strict, GError **error);

#endif
