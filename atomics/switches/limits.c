#include "switches/limits.h"
#include "hydevs/error.h"

gboolean hy_limits_in_order(double lower, double upper, GError **error)
{
  if (lower > upper) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "lower = %g is above upper = %g", lower, upper);
  }
  return !(lower > upper);
}

HyX hy_limits_select(const HyLimits *s, HyXBuilder *b, HyX in, HyX below, HyX between, HyX above)
{
  HyX over = hy_x_op(b, HY_X_SUB, in, hy_x_const(b, s->upper));
  HyX under = hy_x_op(b, HY_X_SUB, hy_x_const(b, s->lower), in);
  HyX rest = hy_x_select(b, hy_x_crossing(b, over, HY_CROSS_BOTH), above, between);
  return hy_x_select(b, hy_x_crossing(b, under, HY_CROSS_BOTH), below, rest);
}

const HyPort hy_limits_in[] = {{.name = "in", .kind = HY_SIGNAL}, {.name = NULL}};
const HyPort hy_limits_out[] = {{.name = "out", .kind = HY_SIGNAL}, {.name = NULL}};
const HyParam hy_limits_params[] = {
    HY_PARAM(HyLimits, lower, .value = -1), HY_PARAM(HyLimits, upper, .value = 1), {.name = NULL}};
