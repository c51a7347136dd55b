/* Dead band: small signals are nothing, larger ones are less by the limit that they pass. */
#include "atomics.h"
#include "switches/limits.h"

static gboolean dead_band_describe(const void *state, HyXBuilder *b, const HyX *in, guint n_in,
                                   HyX *out, GError **error)
{
  (void)n_in;
  const HyLimits *s = state;
  if (!hy_limits_in_order(s->lower, s->upper, error)) {
    return FALSE;
  }
  HyX below = hy_x_op(b, HY_X_SUB, in[0], hy_x_const(b, s->lower));
  HyX above = hy_x_op(b, HY_X_SUB, in[0], hy_x_const(b, s->upper));
  out[0] = hy_limits_select(s, b, in[0], below, hy_x_const(b, 0.0), above);
  return TRUE;
}

const HyAtomicClass hy_dead_band_class = {
    .name = "dead_band",
    .doc = "0 between lower and upper, in less the nearer of them outside",
    .palette = "Hybrid",
    .example = "<dead_band name=\"e\" in=\"d\" lower=\"-0.1\" upper=\"0.1\"/>",
    .in = hy_limits_in,
    .out = hy_limits_out,
    .params = hy_limits_params,
    .describe = dead_band_describe,
    HY_STATIC_CLASS(HyLimits),
};
