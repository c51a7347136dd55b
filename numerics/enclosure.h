/* What a quantity can be for a while, as a parabola whose coefficients are intervals: at each h in
 * 0 .. H it is
 *
 *   a + b h + c h^2   for some a in c[0], b in c[1], c in c[2]
 *
 * which may be others at another h. So two such are bounds on both sides, and functions of such
 * quantities have such bounds again (R. Moore: Interval analysis; K. Makino and M. Berz: Taylor
 * models). Rounding is within the intervals: what is computed of points says by its width how wrong
 * it may be.
 *
 * Where a function has no slope, or none is known, what it can be at all is c[0], and the others
 * are 0. What is not known at all is from -INFINITY to INFINITY. */
#ifndef HYDEVS_NUMERICS_ENCLOSURE_H
#define HYDEVS_NUMERICS_ENCLOSURE_H

#include <stdbool.h>

typedef struct {
  double lo, hi;
} HyInterval;

typedef struct {
  HyInterval c[3];
} HyEnclosure;

HyEnclosure hy_enclosure_of(double number);
HyInterval hy_enclosure_range(const HyEnclosure *a, double h);

HyEnclosure hy_enclose_add(const HyEnclosure *a, const HyEnclosure *b, double h);
HyEnclosure hy_enclose_sub(const HyEnclosure *a, const HyEnclosure *b, double h);
/* B may be A: a square is nowhere below 0. */
HyEnclosure hy_enclose_mul(const HyEnclosure *a, const HyEnclosure *b, double h);
HyEnclosure hy_enclose_div(const HyEnclosure *a, const HyEnclosure *b, double h);
HyEnclosure hy_enclose_pow(const HyEnclosure *a, const HyEnclosure *b, double h);
HyEnclosure hy_enclose_atan2(const HyEnclosure *y, const HyEnclosure *x, double h);

HyEnclosure hy_enclose_neg(const HyEnclosure *a, double h);
HyEnclosure hy_enclose_sqrt(const HyEnclosure *a, double h);
/* -f(-a) below 0. */
HyEnclosure hy_enclose_root(const HyEnclosure *a, double h);
HyEnclosure hy_enclose_root_pow(const HyEnclosure *a, const HyEnclosure *b, double h);
HyEnclosure hy_enclose_exp(const HyEnclosure *a, double h);
HyEnclosure hy_enclose_log(const HyEnclosure *a, double h);
HyEnclosure hy_enclose_log10(const HyEnclosure *a, double h);
HyEnclosure hy_enclose_sin(const HyEnclosure *a, double h);
HyEnclosure hy_enclose_cos(const HyEnclosure *a, double h);
HyEnclosure hy_enclose_tan(const HyEnclosure *a, double h);
HyEnclosure hy_enclose_asin(const HyEnclosure *a, double h);
HyEnclosure hy_enclose_acos(const HyEnclosure *a, double h);
HyEnclosure hy_enclose_atan(const HyEnclosure *a, double h);
HyEnclosure hy_enclose_sinh(const HyEnclosure *a, double h);
HyEnclosure hy_enclose_cosh(const HyEnclosure *a, double h);
HyEnclosure hy_enclose_tanh(const HyEnclosure *a, double h);
HyEnclosure hy_enclose_wlog(const HyEnclosure *a, double h);

#endif
