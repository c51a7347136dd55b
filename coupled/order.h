/* Who runs first among atomics that are due at one instant. Static blocks, which answer at once,
 * stand before everything else, each after those that feed it; so whatever else is due meets
 * settled inputs. Every engine has the same order: it is the numbering of the atomics. */
#ifndef HYDEVS_COUPLED_ORDER_H
#define HYDEVS_COUPLED_ORDER_H

#include "model_internal.h"

/* Renumbers the atomics of ROOT, which are in depth-first order: static classes (with `describe`)
 * without a priority come first, by rank and, within a rank, in the order so far. The rank is the
 * longest way from something that is not static. A wire into a mode counts, too, unless it is part
 * of a cycle: a mode is a memory. FALSE, the numbers as they were, and *LOOP set: there is a cycle
 * without one. Nothing is done for a model without static blocks. */
gboolean hy_order_statics(HyModel *root, gboolean *loop, GError **error);

/* feeds[k] = 1 for the inputs that some output of a block follows at once, 0 for those that only
 * decide modes. From the description of the class, by the room equations; all 1 if it cannot be
 * described (init says why). */
void hy_feed_through(const HyAtomicClass *klass, const void *state, guint n_in, guint n_out,
                     guint8 *feeds);

#endif
