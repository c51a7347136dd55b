/* How far a bound of what is watched stays above 0; for the files of this folder. */
#ifndef HYDEVS_NUMERICS_FALLS_H
#define HYDEVS_NUMERICS_FALLS_H

#include <float.h>
#include <math.h>

/* z_0 + z_1 h - z_2 h^2 / 2 */
typedef struct {
  double z0, z1, z2;
} Low;

/* Units in which squares of all numbers are numbers, and products of two that are not 0 none. */
#define SMALLER 0x1p-600
#define LARGER  0x1p600

static inline double falls_square(const Low *low)
{
  return low->z1 * low->z1 + 2.0 * low->z2 * low->z0;
}

static inline Low falls_scaled(const Low *low, double unit)
{
  return (Low){unit * low->z0, unit * low->z1, unit * low->z2};
}

static inline double falls_root(const Low *low, double square)
{
  if (square < 0.0) {
    return INFINITY;
  }
  if (low->z1 < 0.0) {
    return 2.0 * low->z0 / (sqrt(square) - low->z1);
  }
  return low->z2 > 0.0 ? (low->z1 + sqrt(square)) / low->z2 : INFINITY;
}

/* Where low(h) is 0. What has come through many switches that are off is so small that its square
 * is 0, and the root would be no step at all. */
static inline double falls_step(const Low *low)
{
  double square = falls_square(low);
  if (!isfinite(square) && isfinite(low->z1 + low->z2 + low->z0)) {
    Low smaller = falls_scaled(low, SMALLER);
    return falls_root(&smaller, falls_square(&smaller));
  }
  if (low->z1 * low->z1 < DBL_MIN && fabs(low->z2 * low->z0) < DBL_MIN) { /* no touch */
    Low larger = falls_scaled(low, LARGER);
    return falls_root(&larger, falls_square(&larger));
  }
  return falls_root(low, square);
}

#endif
