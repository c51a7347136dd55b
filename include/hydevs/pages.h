/* Seeing a model: its tree as data, its diagram, and pages to read in a browser. */
#ifndef HYDEVS_PAGES_H
#define HYDEVS_PAGES_H

#include "hydevs/experiment.h"
#include "hydevs/look.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The first line of `hydevs trace --json`, appended to OUT: the model tree with types, ports,
 * couplings, priorities, positions, units and texts, as library/trace.schema.json says. */
void hy_model_json(const HyLoaded *loaded, GString *out);

#pragma GCC visibility pop
G_END_DECLS
#endif
