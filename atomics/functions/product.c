/* Product of its inputs, from the first to the last. */
#include "atomics.h"
#include "static_class.h"

static gboolean product_describe(const void *state, HyXBuilder *b, const HyX *in, guint n_in,
                                 HyX *out, GError **error)
{
  (void)state, (void)error;
  out[0] = hy_x_const(b, 1.0);
  for (guint i = 0; i < n_in; i++) {
    out[0] = hy_x_op(b, HY_X_MUL, out[0], in[i]);
  }
  return TRUE;
}

static const HyPort product_in[] = {
    {.name = "in", .kind = HY_SIGNAL, .array = TRUE, .doc = "the factors"}, {.name = NULL}};
static const HyPort product_out[] = {{.name = "out", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam product_params[] = {
    HY_STATIC_TOLERANCES(HyStatic, ),
    {.name = NULL},
};
const HyAtomicClass hy_product_class = {
    .name = "product",
    .doc = "in[1] in[2] ...",
    .palette = "Functions",
    .example = "<product name=\"p\" in=\"u, i\"/>",
    .in = product_in,
    .out = product_out,
    .params = product_params,
    .describe = product_describe,
    HY_STATIC_CLASS(HyStatic),
};
