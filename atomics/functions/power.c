/* Power with a constant exponent; a whole one is repeated multiplication. */
#include "atomics.h"
#include "static_class.h"

typedef struct {
  HyStatic base;
  double n;
} Power;

static gboolean power_describe(const void *state, HyXBuilder *b, const HyX *in, guint n_in,
                               HyX *out, GError **error)
{
  (void)n_in, (void)error;
  const Power *s = state;
  out[0] = hy_x_op(b, HY_X_POW, in[0], hy_x_const(b, s->n));
  return TRUE;
}

static const HyPort power_in[] = {{.name = "in", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyPort power_out[] = {{.name = "out", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam power_params[] = {
    HY_PARAM(Power, n, .value = 2, .doc = "the exponent"),
    HY_STATIC_TOLERANCES(Power, base.),
    {.name = NULL},
};
const HyAtomicClass hy_power_class = {
    .name = "power",
    .doc = "in ^ n",
    .palette = "Functions",
    .example = "<power name=\"p\" in=\"x\" n=\"2\"/>",
    .in = power_in,
    .out = power_out,
    .params = power_params,
    .describe = power_describe,
    HY_STATIC_CLASS(Power),
};
