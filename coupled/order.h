/* Who runs first among atomics that are due at one instant. Static blocks, which answer at once,
 * stand before everything else, each after those that feed it; so whatever else is due meets
 * settled inputs. Every engine has the same order: it is the numbering of the atomics. */
#ifndef HYDEVS_COUPLED_ORDER_H
#define HYDEVS_COUPLED_ORDER_H

#include "flatten.h"

/* A static class (with `describe`), or another with an output that is at_once. */
gboolean hy_answers_at_once(const HyAtomicClass *klass);
/* Of the latter one that has other outputs, too. */
gboolean hy_breaks_loops(const HyAtomicClass *klass);
/* What such an atomic says at output PORT may be a trial: it leads the inputs, and does not follow
 * them. */
gboolean hy_is_trial(const HyFlat *flat, guint atomic, guint port);

/* Renumbers the atomics of ROOT, which are in depth-first order: those that answer at once, without
 * a priority, come first, by rank and, within a rank, in the order so far. The rank is the longest
 * way from something that does not answer at once. A wire into a mode counts, too, unless it is
 * part of a cycle: a mode is a memory. A block that breaks a loop stands after what is in the loop,
 * and before all else that reads it, so nobody outside who answers at once sees a trial. FALSE, and
 * the numbers as they were: a loop is broken twice, or there are cycles without a memory, and
 * *LOOPS has them. Nothing is done for a model in which nobody answers at once. */
gboolean hy_order_statics(HyModel *root, GArray **loops, GError **error);

/* A wire of an algebraic loop. The steps of a loop go against the wires: the block that one comes
 * from is where the next one leads to. */
typedef struct {
  const HyModel *to_model, *from_model;
  guint to, in, from, out; /* components and ports */
  gboolean first;          /* of its loop */
} HyLoopStep;
#define HY_LOOPS_SHOWN 10

/* The loop that begins at STEP, as a message; WHERE stands behind the blocks. */
char *hy_loop_text(const HyLoopStep *step, guint n, const char *where);
/* The number of steps of the loop that begins at step K. */
guint hy_loop_length(const GArray *loops, guint k);

/* feeds[k] = 1 for the inputs that some output of a block follows at once, 0 for those that only
 * decide modes. From the description of the class, by the room equations; all 1 if it cannot be
 * described (init says why). B is made use of. */
void hy_feed_through(HyXBuilder *b, const HyAtomicClass *klass, const void *state, guint n_in,
                     guint n_out, guint8 *feeds);

#endif
