/* What smells in a run, in words and as JSON. */
#ifndef HYDEVS_RESULTS_SMELLS_H
#define HYDEVS_RESULTS_SMELLS_H

#include "hydevs/json.h"
#include "sim/smells.h"

/* "PATH: what, and what to try". Newly allocated. */
char *hy_smell_text(const HySim *sim, const HySmell *smell);
/* A member "warnings", a line each; nothing if nothing smells. */
void hy_smells_json(const HySim *sim, HyJsonOut *json);

#endif
