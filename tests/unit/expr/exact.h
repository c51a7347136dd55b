/* For tests: what every operation is in long double, apart from the code under test; random points.
 */
#ifndef EXACT_H
#define EXACT_H

#include "expr/builder.h"

#include <math.h>

static guint64 seed = 1;

static double uniform(double from, double to)
{
  seed = seed * 6364136223846793005U + 1442695040888963407U;
  return from + (to - from) * ((double)(seed >> 11) * 0x1p-53);
}

G_GNUC_UNUSED static long double operation(guint32 op, long double a, long double c)
{
  switch (op) {
  case HY_X_ADD:
    return a + c;
  case HY_X_SUB:
    return a - c;
  case HY_X_MUL:
    return a * c;
  case HY_X_DIV:
    return a / c;
  case HY_X_POW:
    return powl(a, c);
  case HY_X_NEG:
    return -a;
  case HY_X_SQRT:
    return sqrtl(a);
  case HY_X_ROOT:
    return a < 0 ? -sqrtl(-a) : sqrtl(a);
  case HY_X_ROOT_POW:
    return a < 0 ? -powl(-a, c) : powl(a, c);
  case HY_X_EXP:
    return expl(a);
  case HY_X_LOG:
    return logl(a);
  case HY_X_SIN:
    return sinl(a);
  case HY_X_COS:
    return cosl(a);
  case HY_X_TAN:
    return tanl(a);
  case HY_X_ASIN:
    return asinl(a);
  case HY_X_ACOS:
    return acosl(a);
  case HY_X_ATAN:
    return atanl(a);
  case HY_X_ATAN2:
    return atan2l(a, c);
  case HY_X_SINH:
    return sinhl(a);
  case HY_X_COSH:
    return coshl(a);
  case HY_X_TANH:
    return tanhl(a);
  case HY_X_WLOG: {
    long double y = a > 1 ? logl(a) : a;
    for (int k = 0; k < 50; k++) {
      y -= (y + expl(y) - a) / (1 + expl(y));
    }
    return y;
  }
  default:
    return log10l(a);
  }
}

#endif
