/* A ring of fixed size between two threads: one puts, one takes, and neither ever waits. What is
 * put is a piece of bytes, taken whole. */
#ifndef HY_SESSION_RING_H
#define HY_SESSION_RING_H

#include <glib.h>
#include <stdatomic.h>

typedef struct {
  guint8 *bytes;
  gsize size;               /* a power of two */
  atomic_size_t put, taken; /* bytes so far; they only grow */
} HyRing;

void hy_ring_init(HyRing *r, gsize size); /* a power of two */
void hy_ring_clear(HyRing *r);
/* A and B, one behind the other, as one piece. FALSE: it does not fit, and is not there. */
gboolean hy_ring_put(HyRing *r, const void *a, gsize n_a, const void *b, gsize n_b);
gboolean hy_ring_is_empty(const HyRing *r);
gsize hy_ring_next(const HyRing *r); /* bytes of the next piece; 0: there is none */
/* The next piece, into TO, which has room for it: its bytes; 0: there is none. */
gsize hy_ring_take(HyRing *r, void *to, gsize room);

#endif
