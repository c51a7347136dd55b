/* Repeatable numbers for the tests of this folder. */
#ifndef HYDEVS_TESTS_NUMERICS_RANDOM_H
#define HYDEVS_TESTS_NUMERICS_RANDOM_H

#include <math.h>
#include <stdint.h>

/* Uniform in (-1, 1); the state is the caller's. */
static inline double random_signed(uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return (double)(int64_t)*state * 0x1p-63;
}

/* Of either sign, its size spread evenly over the given powers of ten. */
static inline double random_size(uint64_t *state, double decades)
{
  double sign = random_signed(state) < 0.0 ? -1.0 : 1.0;
  return sign * pow(10.0, decades * random_signed(state));
}

#endif
