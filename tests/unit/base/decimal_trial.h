/* For tests: numbers as text by trial, with the C library alone; what hy_double_text() is to say.
 */
#ifndef DECIMAL_TRIAL_H
#define DECIMAL_TRIAL_H

#include "hydevs/text.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

static inline double from_bits(guint64 bits)
{
  double v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

/* The fewest digits that read back: at least 15, but among subnormal numbers. */
static inline void check_number(double v)
{
  char wanted[40], got[HY_DOUBLE_SIZE];
  int digits = v != 0 && fabs(v) < DBL_MIN ? 1 : 15;
  do {
    (void)snprintf(wanted, sizeof wanted, "%.*g", digits, v);
  } while (strtod(wanted, NULL) != v && ++digits <= 17);
  hy_double_text(got, v);
  if (strcmp(wanted, got) != 0) { /* said only then: this is called millions of times */
    TEST_ASSERT_EQUAL_STRING(wanted, got);
  }
}

/* Doubles of any bits. */
static inline void check_random(guint32 seed, guint n)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(seed);
  for (guint k = 0; k < n; k++) {
    double v = from_bits((guint64)g_rand_int(random) << 32 | g_rand_int(random));
    if (isfinite(v)) {
      check_number(v);
    }
  }
}

#endif
