/* Sum of weighted inputs, from the first to the last, all of them each time: no running total. */
#include "atomics.h"
#include "hydevs/error.h"
#include "static_class.h"

typedef struct {
  HyStatic base;
  HyReals k;
} Sum;

static gboolean sum_describe(const void *state, HyXBuilder *b, const HyX *in, guint n_in, HyX *out,
                             GError **error)
{
  const Sum *s = state;
  if (s->k.n != 0 && s->k.n != n_in) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "k has %u factor%s for %u inputs", s->k.n,
                s->k.n == 1 ? "" : "s", n_in);
    return FALSE;
  }
  out[0] = hy_x_const(b, 0.0);
  for (guint i = 0; i < n_in; i++) {
    double k = s->k.n > 0 ? s->k.v[i] : 1.0;
    if (i > 0 && k == -1.0) {
      out[0] = hy_x_op(b, HY_X_SUB, out[0], in[i]);
      continue;
    }
    HyX term = hy_x_op(b, HY_X_MUL, hy_x_const(b, k), in[i]);
    out[0] = i == 0 ? term : hy_x_op(b, HY_X_ADD, out[0], term);
  }
  return TRUE;
}

static const HyPort sum_in[] = {
    {.name = "in", .kind = HY_SIGNAL, .array = TRUE, .doc = "the summands"}, {.name = NULL}};
static const HyPort sum_out[] = {{.name = "out", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam sum_params[] = {
    HY_PARAM(Sum, k, .doc = "a factor for each; all 1 if not given"),
    {.name = NULL},
};
const HyAtomicClass hy_sum_class = {
    .name = "sum",
    .doc = "k[1] in[1] + k[2] in[2] + ...",
    .palette = "Functions",
    .example = "<sum name=\"e\" in=\"ref, y\" k=\"1, -1\"/>",
    .in = sum_in,
    .out = sum_out,
    .params = sum_params,
    .describe = sum_describe,
    HY_STATIC_CLASS(Sum),
};
