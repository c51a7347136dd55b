/* sin(2 pi f t + phase) for a long time: what is left of the turns is exact as far as f t is. */
#ifndef HYDEVS_NUMERICS_SINE_H
#define HYDEVS_NUMERICS_SINE_H

#include <math.h>

#define HY_FULL_TURN 6.283185307179586476925286766559 /* 2 pi */

/* The part of a turn at T, below 1. */
static inline double hy_sine_turns(double f, double t)
{
  return fmod(f * t, 1.0);
}

static inline double hy_sine_angle(double f, double phase, double t)
{
  return HY_FULL_TURN * hy_sine_turns(f, t) + phase;
}

#endif
