/* Dead band: small signals are nothing, larger ones are less by the limit that they pass. */
#include "atomics.h"
#include "hydevs/error.h"
#include "static_class.h"

typedef struct {
  HyStatic base;
  double lower, upper;
} DeadBand;

static gboolean dead_band_describe(const void *state, HyXBuilder *b, const HyX *in, guint n_in,
                                   HyX *out, GError **error)
{
  (void)n_in;
  const DeadBand *s = state;
  if (s->lower > s->upper) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "lower = %g is above upper = %g", s->lower,
                s->upper);
    return FALSE;
  }
  HyX lower = hy_x_const(b, s->lower), upper = hy_x_const(b, s->upper);
  HyX above = hy_x_op(b, HY_X_SUB, in[0], upper), below = hy_x_op(b, HY_X_SUB, lower, in[0]);
  HyX zero = hy_x_const(b, 0.0), less = hy_x_op(b, HY_X_SUB, in[0], lower);
  out[0] = hy_x_select(b, hy_x_crossing(b, above, HY_CROSS_BOTH), above, zero);
  out[0] = hy_x_select(b, hy_x_crossing(b, below, HY_CROSS_BOTH), less, out[0]);
  return TRUE;
}

static const HyPort dead_band_in[] = {{.name = "in", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyPort dead_band_out[] = {{.name = "out", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam dead_band_params[] = {
    {.name = "lower", .kind = HY_REAL, .offset = G_STRUCT_OFFSET(DeadBand, lower), .value = -1},
    {.name = "upper", .kind = HY_REAL, .offset = G_STRUCT_OFFSET(DeadBand, upper), .value = 1},
    {.name = NULL}};
const HyAtomicClass hy_dead_band_class = {
    .name = "dead_band",
    .doc = "0 between lower and upper, in less the nearer of them outside",
    .palette = "Hybrid",
    .example = "<dead_band name=\"e\" in=\"d\" lower=\"-0.1\" upper=\"0.1\"/>",
    .in = dead_band_in,
    .out = dead_band_out,
    .params = dead_band_params,
    .describe = dead_band_describe,
    HY_STATIC_CLASS(DeadBand),
};
