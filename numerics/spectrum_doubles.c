/* The steps of spectrum_steps.h in doubles. */
#include "spectrum.h"

#include "eigen.h"

#include <float.h>
#include <math.h>

typedef double Real;

#define REAL_EPSILON DBL_EPSILON
#define REAL_LEAST                                                                                 \
  1.0 /* all that is rounding is negligible: where doubles do, that is 1e-10 per second */
#define REAL_SPECTRUM hy_spectrum_in_doubles

static inline Real real_of(double a)
{
  return a;
}

static inline double real_head(Real a)
{
  return a;
}

static inline Real real_minus(Real a)
{
  return -a;
}

static inline Real real_add(Real a, Real b)
{
  return a + b;
}

static inline Real real_times(Real a, Real b)
{
  return a * b;
}

static inline Real real_gather(Real sum, Real a, Real b)
{
  return sum + a * b;
}

static inline Real real_over(Real a, Real b)
{
  return a / b;
}

static inline Real real_scale(Real a, double power)
{
  return a * power;
}

static inline Real real_root(Real a)
{
  return sqrt(a);
}

#include "spectrum_steps.h"
