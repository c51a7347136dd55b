/* And: 1 while all inputs are above one half. */
#include "atomics.h"
#include "static_class.h"

static gboolean and_describe(const void *state, HyXBuilder *b, const HyX *in, guint n_in, HyX *out,
                             GError **error)
{
  (void)state, (void)error;
  HyX one = hy_x_const(b, 1.0), zero = hy_x_const(b, 0.0), half = hy_x_const(b, 0.5);
  out[0] = one;
  for (guint k = n_in; k-- > 0;) {
    HyX above = hy_x_op(b, HY_X_SUB, in[k], half);
    out[0] = hy_x_select(b, hy_x_crossing(b, above, HY_CROSS_BOTH), out[0], zero);
  }
  return TRUE;
}

static const HyPort and_in[] = {{.name = "in", .kind = HY_SIGNAL, .array = TRUE}, {.name = NULL}};
static const HyPort and_out[] = {{.name = "out", .kind = HY_SIGNAL}, {.name = NULL}};
const HyAtomicClass hy_and_class = {
    .name = "and",
    .doc = "1 if all inputs are above 0.5",
    .palette = "Hybrid",
    .example = "<and name=\"both\" in=\"a, b\"/>",
    .in = and_in,
    .out = and_out,
    .describe = and_describe,
    HY_STATIC_CLASS(HyStatic),
};
