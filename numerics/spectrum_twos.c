/* The steps of spectrum_steps.h in numbers of 106 bits. */
#include "spectrum.h"

#include "eigen.h"
#include "two.h"

typedef Two Real;

#define REAL_EPSILON  0x1p-104
#define REAL_LEAST    0.0 /* what is rounding of large elements is not, beside small ones */
#define REAL_SPECTRUM hy_spectrum_in_twos

static inline Real real_of(double a)
{
  return two_of(a);
}

static inline double real_head(Real a)
{
  return a.h;
}

static inline Real real_minus(Real a)
{
  return two_minus(a);
}

static inline Real real_add(Real a, Real b)
{
  return two_add(a, b);
}

static inline Real real_times(Real a, Real b)
{
  return two_times(a, b);
}

static inline Real real_gather(Real sum, Real a, Real b)
{
  return two_gather(sum, a, b);
}

static inline Real real_over(Real a, Real b)
{
  return two_over(a, b);
}

static inline Real real_scale(Real a, double power)
{
  return two_scale(a, power);
}

static inline Real real_root(Real a)
{
  return two_root(a);
}

#include "spectrum_steps.h"
