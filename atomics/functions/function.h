/* The formula of a function as the nodes of an expression; also for other blocks that compute with
 * formulas. */
#ifndef HYDEVS_ATOMICS_FUNCTION_H
#define HYDEVS_ATOMICS_FUNCTION_H

#include "hydevs/expression.h"

/* What names mean: in[k] is IN[k - 1], and out[k] is UNKNOWN[k - 1] where there are unknowns. */
typedef struct {
  const HyX *in, *unknown;
  guint n_in, n_unknown;
} HyFormulaNames;

/* TEXT is N expressions with commas between them; each becomes a node of OUT. */
gboolean hy_formula_nodes(HyXBuilder *b, const char *text, const HyFormulaNames *names, HyX *out,
                          guint n, GError **error);

#endif
