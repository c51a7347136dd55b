/* States that decide alone and whose derivative the room evaluates, run without messages: the own
 * step of one, with all that follows from it in the rows that read it. */
#ifndef HY_FAST_ENGINE_FUSED_ROWS_H
#define HY_FAST_ENGINE_FUSED_ROWS_H

#include "equations/row_states.h"
#include "fused.h"

/* The step of the states of QUANTIZER; NULL: there is none, they are run as others are. */
HyFusedStep *hy_fused_step_of(const HyQuantizer *quantizer);
/* The engine's functions that a step falls back on. FALSE: sim->error is set. */
gboolean hy_fused_deliver(HySim *sim, HyFused *f, double t, guint slot, HyEvent *y);
gboolean hy_fused_follow(HySim *sim, HyFused *f, double t);

#endif
