/* States that decide alone and whose derivatives come along wires, run without messages: the own
 * step of one, with all that follows from it in its cone. */
#ifndef HY_FAST_ENGINE_FUSED_SIGNALS_H
#define HY_FAST_ENGINE_FUSED_SIGNALS_H

#include "fused.h"

/* The step of the states of QUANTIZER; NULL: there is none, they are run as others are. */
HyFusedConeStep *hy_fused_cone_step_of(const HyQuantizer *quantizer);

/* The engine's functions that a step falls back on. FALSE: sim->error is set. */

/* The derivative C for the state TO, whatever it is. */
gboolean hy_fused_deliver_state(HySim *sim, HyFused *f, double t, const HyFusedTarget *to,
                                const double *c);
/* TO has taken a derivative and foresees nothing. */
gboolean hy_fused_watch_state(HySim *sim, HyFused *f, double t, const HyFusedTarget *to);
/* The own step has been done: what it says, and all that follows in this cycle. */
gboolean hy_fused_say_state(HySim *sim, HyFused *f, double t, guint atomic);
/* So has the turn of a plain block, whose plain readers know. */
gboolean hy_fused_say_plain(HySim *sim, HyFused *f, double t, const HyFusedPlain *p);
gboolean hy_fused_follow(HySim *sim, HyFused *f, double t);

#endif
