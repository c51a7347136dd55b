/* Between which numbers a limited output is: min, max and limit() with constant limits, saturation,
 * and whatever if() makes of them. */
#ifndef HYDEVS_EQUATIONS_LIMITED_H
#define HYDEVS_EQUATIONS_LIMITED_H

#include "expr/builder.h"

typedef struct {
  double lower, upper; /* infinite: there is none */
} HyKindLimits;

HyKindLimits hy_limited_find(const HyXBuilder *b, HyX out);

#endif
