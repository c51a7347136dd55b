/* The instants start + k period, k = 0, 1, ..., and what else blocks that sample have in common. */
#ifndef HYDEVS_ATOMICS_HYBRID_GRID_H
#define HYDEVS_ATOMICS_HYBRID_GRID_H

#include "hybrid/probe.h"
#include "numerics/beats.h"

typedef struct {
  double period, start; /* parameters */
  HyBeats beats;
  double k; /* of the instant that is due */
} HyGrid;

void hy_grid_skip(HyGrid *g, double t);                     /* due: the first at or after T */
gboolean hy_grid_init(HyGrid *g, double t, GError **error); /* likewise */

static inline double hy_grid_due(const HyGrid *g)
{
  return hy_beat(&g->beats, g->k, (HyRatio){0.0, 0.0});
}

/* The first member of a state: one signal, and when it is sampled. */
typedef struct {
  HyGrid grid;
  HyProbe probe;
} HySampled;

/* SETTLES: as of a probe. */
gboolean hy_sampled_init(HySampled *s, double t, const HySetup *setup, gboolean settles,
                         GError **error);

void hy_sampled_tape(HySampled *s, HyTape *tape);

/* For the tables of classes, whose states call it `sampled`. */
extern const HyPort hy_sampled_in[];
void hy_sampled_print(const void *state, GString *out);
char *hy_sampled_fault(const void *state);
#define HY_GRID(Type, start_doc)                                                                   \
  HY_PARAM_AT("period", Type, sampled.grid.period, .required = TRUE, .range = HY_POSITIVE,         \
              .unit = "s", .doc = "from one sample to the next"),                                  \
      HY_PARAM_AT("start", Type, sampled.grid.start, .unit = "s", .doc = (start_doc))

#endif
