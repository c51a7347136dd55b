/* What a model can only be told when its blocks are asked to start. */
#ifndef HY_CLI_TRY_H
#define HY_CLI_TRY_H

#include "hydevs/load.h"

/* REPORT gets the blocks of LOADED that cannot run or not start, with their places in the file. */
void cli_try_blocks(const HyLoaded *loaded, HyReport *report);
/* The exit status of a run that ERROR has ended, having told it: if the blocks could not start,
 * with all of them. */
int cli_failed_blocks(const HyLoaded *loaded, const GError *error);

#endif
