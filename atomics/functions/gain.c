/* Gain: k in. */
#include "atomics.h"
#include "static_class.h"

typedef struct {
  HyStatic base;
  double k;
} Gain;

static gboolean gain_describe(const void *state, HyXBuilder *b, const HyX *in, guint n_in, HyX *out,
                              GError **error)
{
  (void)n_in, (void)error;
  const Gain *s = state;
  out[0] = hy_x_op(b, HY_X_MUL, hy_x_const(b, s->k), in[0]);
  return TRUE;
}

static const HyPort gain_in[] = {{.name = "in", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyPort gain_out[] = {{.name = "out", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam gain_params[] = {
    HY_PARAM(Gain, k, .value = 1, .doc = "the factor"),
    {.name = NULL},
};
const HyAtomicClass hy_gain_class = {
    .name = "gain",
    .doc = "k in",
    .palette = "Functions",
    .example = "<gain name=\"g\" in=\"x\" k=\"-2\"/>",
    .in = gain_in,
    .out = gain_out,
    .params = gain_params,
    .describe = gain_describe,
    HY_STATIC_CLASS(Gain),
};
