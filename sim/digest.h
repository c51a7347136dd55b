/* Which model a simulation is of, for files that hold its state: two are of one if the same blocks
 * stand in the same order and are wired alike, and all of them have the same parameters. */
#ifndef HY_SIM_DIGEST_H
#define HY_SIM_DIGEST_H

#include "base/tape_file.h"
#include "engine.h"

/* Of the flat graph: 64 hexadecimal digits, newly allocated. Comments, files and types of the text
 * that it was made from do not matter. */
char *hy_sim_digest(const HySim *sim);
/* All parameters and constant inputs on a tape of a file, a record "parameters" for each atomic in
 * the order of ties; of a method the one that has been chosen. SIM has been initialised. */
void hy_sim_parameters_tape(HySim *sim, HyTape *tape);
/* OURS and THEIRS are such tapes of one graph: "a/b: k = 2 there, 3 here" for the first MOST that
 * differ, an array of texts. */
GPtrArray *hy_sim_parameters_compare(const HySim *sim, const HyTapeReader *ours,
                                     const HyTapeReader *theirs, guint most);

#endif
