/* partition="auto": which states are quantized and which go to CVODE, decided from the equations
 * before a run. */
#ifndef HY_CLI_PARTITION_H
#define HY_CLI_PARTITION_H

#include "model.h"

/* Chooses the methods of run->sim, which nobody has initialised yet, for all states whose method no
 * element nearer than the experiment states: discontinuous ones and those that read them get the
 * quantized method of the experiment (liqss2, if it states none), the others cvode_bdf. */
gboolean cli_partition(const CliRun *run, const HyLoaded *loaded, GError **error);

#endif
