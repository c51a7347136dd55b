/* Saturation: a signal within limits. */
#include "atomics.h"
#include "hydevs/error.h"
#include "static_class.h"

typedef struct {
  HyStatic base;
  double lower, upper;
} Saturation;

static gboolean saturation_describe(const void *state, HyXBuilder *b, const HyX *in, guint n_in,
                                    HyX *out, GError **error)
{
  (void)n_in;
  const Saturation *s = state;
  if (s->lower > s->upper) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "lower = %g is above upper = %g", s->lower,
                s->upper);
    return FALSE;
  }
  HyX lower = hy_x_const(b, s->lower), upper = hy_x_const(b, s->upper);
  HyX above = hy_x_op(b, HY_X_SUB, in[0], upper), below = hy_x_op(b, HY_X_SUB, lower, in[0]);
  out[0] = hy_x_select(b, hy_x_crossing(b, above, HY_CROSS_BOTH), upper, in[0]);
  out[0] = hy_x_select(b, hy_x_crossing(b, below, HY_CROSS_BOTH), lower, out[0]);
  return TRUE;
}

static const HyPort saturation_in[] = {{.name = "in", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyPort saturation_out[] = {{.name = "out", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam saturation_params[] = {
    {.name = "lower", .kind = HY_REAL, .offset = G_STRUCT_OFFSET(Saturation, lower), .value = -1},
    {.name = "upper", .kind = HY_REAL, .offset = G_STRUCT_OFFSET(Saturation, upper), .value = 1},
    {.name = NULL}};
const HyAtomicClass hy_saturation_class = {
    .name = "saturation",
    .doc = "in, limited to lower .. upper",
    .palette = "Hybrid",
    .example = "<saturation name=\"u\" in=\"v\" lower=\"-1\" upper=\"1\"/>",
    .in = saturation_in,
    .out = saturation_out,
    .params = saturation_params,
    .describe = saturation_describe,
    HY_STATIC_CLASS(Saturation),
};
