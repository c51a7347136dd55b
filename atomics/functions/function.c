/* Function: a formula over inputs in[1], in[2], ... (expr/expression.h). Comparisons are modes:
 * they change at located instants. */
#include "atomics.h"
#include "expr/expression.h"
#include "static_class.h"

typedef struct {
  HyStatic base;
  const HyExpression *formula;
} Function;

static gboolean function_describe(const void *state, HyXBuilder *b, const HyX *in, guint n_in,
                                  HyX *out, GError **error)
{
  return hy_expression_nodes(((const Function *)state)->formula, b, in, n_in, 0, out, 1, error);
}

static const HyPort function_in[] = {
    {.name = "in",
     .kind = HY_SIGNAL,
     .array = TRUE,
     .optional = TRUE,
     .doc = "what the formula reads, in the order of its names"},
    {.name = NULL},
};
static const HyPort function_out[] = {{.name = "out", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam function_params[] = {
    HY_PARAM(Function, formula, .required = TRUE, .doc = "its inputs are in[1], in[2], ..."),
    HY_STATIC_TOLERANCES(Function, base.),
    {.name = NULL},
};
const HyAtomicClass hy_function_class = {
    .name = "function",
    .doc = "out = formula over parameters, ports and blocks in scope; further attributes are named "
           "inputs",
    .palette = "Functions",
    .example = "<function name=\"p\" formula=\"u*i\" u=\"bus.v\"/>",
    .in = function_in,
    .out = function_out,
    .formula = HY_FORMULA_OF_INPUTS,
    .params = function_params,
    .describe = function_describe,
    HY_STATIC_CLASS(Function),
};
