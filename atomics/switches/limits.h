/* Two limits of a signal: what saturation and dead_band share, and for hysteresis their order. */
#ifndef HYDEVS_ATOMICS_SWITCHES_LIMITS_H
#define HYDEVS_ATOMICS_SWITCHES_LIMITS_H

#include "static_class.h"

/* The state of both. */
typedef struct {
  HyStatic base; /* first */
  double lower, upper;
} HyLimits;

extern const HyPort hy_limits_in[], hy_limits_out[];
extern const HyParam hy_limits_params[];

/* FALSE: lower is above upper. */
gboolean hy_limits_in_order(double lower, double upper, GError **error);
/* below, between or above, by where IN is. */
HyX hy_limits_select(const HyLimits *s, HyXBuilder *b, HyX in, HyX below, HyX between, HyX above);

#endif
