/* Saturation: a signal within limits. */
#include "atomics.h"
#include "switches/limits.h"

static gboolean saturation_describe(const void *state, HyXBuilder *b, const HyX *in, guint n_in,
                                    HyX *out, GError **error)
{
  (void)n_in;
  const HyLimits *s = state;
  if (!hy_limits_in_order(s->lower, s->upper, error)) {
    return FALSE;
  }
  HyX lower = hy_x_const(b, s->lower), upper = hy_x_const(b, s->upper);
  out[0] = hy_limits_select(s, b, in[0], lower, in[0], upper);
  return TRUE;
}

const HyAtomicClass hy_saturation_class = {
    .name = "saturation",
    .doc = "in, limited to lower .. upper",
    .palette = "Hybrid",
    .example = "<saturation name=\"u\" in=\"v\" lower=\"-1\" upper=\"1\"/>",
    .in = hy_limits_in,
    .out = hy_limits_out,
    .params = hy_limits_params,
    .describe = saturation_describe,
    HY_STATIC_CLASS(HyLimits),
};
