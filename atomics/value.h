/* An event value that a state keeps beyond the transition in which it came. */
#ifndef HYDEVS_ATOMICS_VALUE_H
#define HYDEVS_ATOMICS_VALUE_H

#include "hydevs/atomic.h"

/* The copy owns a reference on the payload; hy_value_drop() gives it back. */
static inline HyValue hy_value_keep(const HyValue *v)
{
  if (v->payload != NULL) {
    g_variant_ref(v->payload);
  }
  return *v;
}

static inline void hy_value_drop(HyValue *v)
{
  g_clear_pointer(&v->payload, g_variant_unref);
}

#endif
