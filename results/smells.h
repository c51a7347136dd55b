/* What smells in a run, in words and as JSON. */
#ifndef HYDEVS_RESULTS_SMELLS_H
#define HYDEVS_RESULTS_SMELLS_H

#include "sim/smells.h"

/* "PATH: what, and what to try". Newly allocated. */
char *hy_smell_text(const HySim *sim, const HySmell *smell);
/* A member "warnings" with its comma, a line each; nothing if nothing smells. INDENT: of the
 * member. */
void hy_smells_json(const HySim *sim, const char *indent, GString *out);

#endif
