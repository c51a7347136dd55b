/* The instants start + k period, k = 0, 1, ..., of blocks that sample. */
#ifndef HYDEVS_ATOMICS_HYBRID_GRID_H
#define HYDEVS_ATOMICS_HYBRID_GRID_H

#include "hydevs/atomic.h"
#include "sources/edges.h"

typedef struct {
  double period, start; /* parameters */
  double phase;         /* start in periods */
  double k;             /* of the instant that is due */
} HyGrid;

gboolean hy_grid_init(HyGrid *g, double t, GError **error); /* due: the first at or after T */

static inline double hy_grid_due(const HyGrid *g)
{
  return hy_edge(g->period, g->k, g->phase, 0);
}

#endif
