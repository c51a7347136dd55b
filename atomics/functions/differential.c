/* Differential: d formula / d in[1], the formula's only input. Only the loader places it, for what
 * an inductor with a flux or a capacitor with a charge is to its circuit: flux' = (dflux/di) i'. */
#include "atomics.h"
#include "expr/expression.h"
#include "expr/template.h"
#include "static_class.h"

typedef struct {
  HyStatic base;
  const HyExpression *formula;
} Differential;

static gboolean differential_describe(const void *state, HyXBuilder *b, const HyX *in, guint n_in,
                                      HyX *out, GError **error)
{
  HyX y;
  if (!hy_expression_nodes(((const Differential *)state)->formula, b, in, n_in, 0, &y, 1, error)) {
    return FALSE;
  }
  out[0] = hy_x_differentiate(b, y, in[0]);
  return TRUE;
}

static const HyPort differential_in[] = {{.name = "in", .kind = HY_SIGNAL, .array = TRUE},
                                         {.name = NULL}};
static const HyPort differential_out[] = {{.name = "out", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam differential_params[] = {
    HY_PARAM(Differential, formula, .required = TRUE, .doc = "of in[1]"),
    HY_STATIC_TOLERANCES(Differential, base.),
    {.name = NULL},
};
const HyAtomicClass hy_differential_class = {
    .name = "differential",
    .doc = "the derivative of a formula by its input",
    .palette = "Circuit",
    .in = differential_in,
    .out = differential_out,
    .formula = HY_FORMULA_OF_INPUTS,
    .params = differential_params,
    .describe = differential_describe,
    HY_STATIC_CLASS(Differential),
};
