/* Doubles as decimals: the work behind hy_double_text(). */
#ifndef HYDEVS_BASE_DECIMAL_H
#define HYDEVS_BASE_DECIMAL_H

#include <glib.h>

/* A number as text by one multiplication; returns the length. 0: that cannot tell, as for 0,
 * subnormal numbers, and some beyond 1e17 that lie exactly between two decimals. */
gsize hy_decimal_quick(char *buffer, double v);
gsize hy_decimal_slow(char *buffer, double v); /* any number */

/* hy_double_text(), which see; returns the length. */
static inline gsize hy_decimal_text(char *buffer, double v)
{
  gsize size = hy_decimal_quick(buffer, v);
  return size > 0 ? size : hy_decimal_slow(buffer, v);
}

/* What that rests upon: for K from -292 to 324, BITS (the higher ones first, as a number) times
 * 2^EXPONENT is 10^K, or less than it by less than 4 of its last bit; for K from 0 to 27 it is
 * exact. */
void hy_power_of_ten(int k, guint64 bits[2], int *exponent);

#endif
