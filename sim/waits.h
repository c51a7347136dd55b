/* Rings of blocks that wait for each other: each of them says nothing before a signal has come, and
 * that is what the next one would say. Found by what is so now, so where the run has ended, or
 * stands behind its first instant. */
#ifndef HY_SIM_WAITS_H
#define HY_SIM_WAITS_H

#include "coupled/order.h"
#include "engine.h"

/* A GArray of HyLoopStep (coupled/order.h), ring after ring, HY_LOOPS_SHOWN at most, without a
 * block in common: each block waits for the one of the next step, from the first by its path on. */
GArray *hy_sim_waits(const HySim *sim);
guint hy_wait_atomic(const HySim *sim, const HyLoopStep *step); /* who waits there */
/* The ring that begins at STEP, N blocks, as a message; newly allocated. */
char *hy_wait_text(const HyLoopStep *step, guint n);
/* The model has a cycle of wires without a state: else nobody can wait so. */
gboolean hy_sim_may_wait(const HySim *sim);

/* A state that has never moved, since CAUSE has never said what its derivative follows; and so many
 * more that rest for that. */
typedef struct {
  guint state, cause, more;
} HyResting;
/* HyResting, one for each cause that waits for nobody else. */
GArray *hy_sim_resting(const HySim *sim);

#endif
