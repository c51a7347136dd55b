/* Numbers: those in a payload, and where one stands among others. */
#ifndef HYDEVS_BASE_NUMBER_H
#define HYDEVS_BASE_NUMBER_H

#include <glib.h>

/* The number in a payload of any kind that is one, such as "uint64 5"; FALSE: it is none. */
gboolean hy_variant_number(GVariant *v, double *number);

/* Of N parts that begin at FIRST[k], which do not fall, the last one that does not begin behind AT.
 */
static inline guint hy_part_of(const guint32 *first, guint n, guint32 at)
{
  guint low = 0, high = n;
  while (high - low > 1) {
    guint middle = low + (high - low) / 2;
    *(first[middle] <= at ? &low : &high) = middle;
  }
  return low;
}

#endif
