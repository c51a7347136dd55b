/* The DEVStone models: no numerics, only construction, couplings, routing and transitions. */
#ifndef HY_DEVSTONE_H
#define HY_DEVSTONE_H

#include <hydevs/hydevs.h>

typedef enum { DEVSTONE_LI, DEVSTONE_HI, DEVSTONE_HO, DEVSTONE_HOMOD } DevstoneKind;

/* The root model: a seeder and C_depth. INNER_FIRST lists C_(k-1) before the atomics (variant F),
 * else last (L). */
HyModel *devstone_new(DevstoneKind kind, guint width, guint depth, gboolean inner_first);
/* RING(N): p_0 .. p_(N-1), each waits 0.5 + frac(i 0.618...) and passes an event on. */
HyModel *ring_new(guint n);

#endif
