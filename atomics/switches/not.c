/* Not: 1 while the input is not above one half. */
#include "atomics.h"
#include "static_class.h"

static gboolean not_describe(const void *state, HyXBuilder *b, const HyX *in, guint n_in, HyX *out,
                             GError **error)
{
  (void)state, (void)n_in, (void)error;
  HyX one = hy_x_const(b, 1.0), zero = hy_x_const(b, 0.0), half = hy_x_const(b, 0.5);
  HyX above = hy_x_op(b, HY_X_SUB, in[0], half);
  out[0] = hy_x_select(b, hy_x_crossing(b, above, HY_CROSS_BOTH), zero, one);
  return TRUE;
}

static const HyPort not_in[] = {{.name = "in", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyPort not_out[] = {{.name = "out", .kind = HY_SIGNAL}, {.name = NULL}};
const HyAtomicClass hy_not_class = {
    .name = "not",
    .doc = "1 if in is not above 0.5",
    .palette = "Hybrid",
    .example = "<not name=\"off\" in=\"on\"/>",
    .in = not_in,
    .out = not_out,
    .describe = not_describe,
    HY_STATIC_CLASS(HyStatic),
};
