/* What a run has cost: totals, and the transitions of each block. */
#ifndef HYDEVS_STATS_H
#define HYDEVS_STATS_H

#include "hydevs/sim.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* What a run has taken: seconds of each phase, as the clock on the wall has them. */
typedef struct {
  double load, build, start, run;
  glong peak_kib; /* of the process; 0: not known */
  double run_cpu; /* of the run, time of the processor: another load of the machine is not in it */
} HyCost;

/* Appended to OUT. COST: NULL if not known. Blocks stand in the order of the document; text keeps
 * to the busiest 30, JSON has them all, a line each. */
void hy_stats_text(const HySim *sim, const HyCost *cost, GString *out);
void hy_stats_json(const HySim *sim, const HyCost *cost, GString *out);
/* Scalar derivatives of continuous states, in whatever way they were found: along wires, as rows,
 * by the right-hand sides of solvers. */
guint64 hy_stats_derivatives(const HySim *sim);

#pragma GCC visibility pop
G_END_DECLS
#endif
