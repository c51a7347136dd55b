/* A ring between two threads. A piece is its length and its bytes; `put` is stored when all of it
 * is there, `taken` when it has been copied out. */
#include "ring.h"

#include <string.h>

void hy_ring_init(HyRing *r, gsize size)
{
  r->bytes = g_malloc0(size);
  r->size = size;
  atomic_init(&r->put, 0);
  atomic_init(&r->taken, 0);
}

void hy_ring_clear(HyRing *r)
{
  g_clear_pointer(&r->bytes, g_free);
}

static gsize copy_in(HyRing *r, gsize at, const void *bytes, gsize n)
{
  gsize from = at & (r->size - 1), first = MIN(n, r->size - from);
  if (n > 0) {
    memcpy(r->bytes + from, bytes, first);
    memcpy(r->bytes, (const guint8 *)bytes + first, n - first);
  }
  return at + n;
}

static gsize copy_out(const HyRing *r, gsize at, void *bytes, gsize n)
{
  gsize from = at & (r->size - 1), first = MIN(n, r->size - from);
  memcpy(bytes, r->bytes + from, first);
  memcpy((guint8 *)bytes + first, r->bytes, n - first);
  return at + n;
}

gboolean hy_ring_put(HyRing *r, const void *a, gsize n_a, const void *b, gsize n_b)
{
  gsize put = atomic_load_explicit(&r->put, memory_order_relaxed), n = n_a + n_b;
  gsize used = put - atomic_load_explicit(&r->taken, memory_order_acquire);
  if (n > r->size || sizeof n + n > r->size - used) {
    return FALSE;
  }
  gsize at = copy_in(r, put, &n, sizeof n);
  at = copy_in(r, at, a, n_a);
  at = copy_in(r, at, b, n_b);
  atomic_store_explicit(&r->put, at, memory_order_release);
  return TRUE;
}

gboolean hy_ring_is_empty(const HyRing *r)
{
  return atomic_load_explicit(&r->put, memory_order_acquire) ==
         atomic_load_explicit(&r->taken, memory_order_relaxed);
}

gsize hy_ring_next(const HyRing *r)
{
  gsize n = 0;
  if (!hy_ring_is_empty(r)) {
    copy_out(r, atomic_load_explicit(&r->taken, memory_order_relaxed), &n, sizeof n);
  }
  return n;
}

gsize hy_ring_take(HyRing *r, void *to, gsize room)
{
  gsize n = hy_ring_next(r);
  if (n == 0 || n > room) {
    return 0;
  }
  gsize at = copy_out(r, atomic_load_explicit(&r->taken, memory_order_relaxed) + sizeof n, to, n);
  atomic_store_explicit(&r->taken, at, memory_order_release);
  return n;
}
