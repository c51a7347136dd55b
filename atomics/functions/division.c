/* Quotient of two signals. */
#include "atomics.h"
#include "static_class.h"

enum { IN, BY };

static gboolean division_describe(const void *state, HyXBuilder *b, const HyX *in, guint n_in,
                                  HyX *out, GError **error)
{
  (void)state, (void)n_in, (void)error;
  out[0] = hy_x_op(b, HY_X_DIV, in[IN], in[BY]);
  return TRUE;
}

static const HyPort division_in[] = {
    [IN] = {.name = "in", .kind = HY_SIGNAL},
    [BY] = {.name = "by", .kind = HY_SIGNAL},
    {.name = NULL},
};
static const HyPort division_out[] = {{.name = "out", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam division_params[] = {
    HY_STATIC_TOLERANCES(HyStatic, ),
    {.name = NULL},
};
const HyAtomicClass hy_division_class = {
    .name = "division",
    .doc = "in / by",
    .palette = "Functions",
    .example = "<division name=\"r\" in=\"u\" by=\"i\"/>",
    .in = division_in,
    .out = division_out,
    .params = division_params,
    .describe = division_describe,
    HY_STATIC_CLASS(HyStatic),
};
