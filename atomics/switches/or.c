/* Or: 1 while an input is above one half. */
#include "atomics.h"
#include "static_class.h"

static gboolean or_describe(const void *state, HyXBuilder *b, const HyX *in, guint n_in, HyX *out,
                            GError **error)
{
  (void)state, (void)error;
  HyX one = hy_x_const(b, 1.0), zero = hy_x_const(b, 0.0), half = hy_x_const(b, 0.5);
  out[0] = zero;
  for (guint k = n_in; k-- > 0;) {
    HyX above = hy_x_op(b, HY_X_SUB, in[k], half);
    out[0] = hy_x_select(b, hy_x_crossing(b, above, HY_CROSS_BOTH), one, out[0]);
  }
  return TRUE;
}

static const HyPort or_in[] = {{.name = "in", .kind = HY_SIGNAL, .array = TRUE}, {.name = NULL}};
static const HyPort or_out[] = {{.name = "out", .kind = HY_SIGNAL}, {.name = NULL}};
const HyAtomicClass hy_or_class = {
    .name = "or",
    .doc = "1 if an input is above 0.5",
    .palette = "Hybrid",
    .example = "<or name=\"any\" in=\"a, b\"/>",
    .in = or_in,
    .out = or_out,
    .describe = or_describe,
    HY_STATIC_CLASS(HyStatic),
};
