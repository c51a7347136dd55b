/* Formulas that have been read as parameters of components. */
#ifndef HYDEVS_COUPLED_MODEL_FORMULA_H
#define HYDEVS_COUPLED_MODEL_FORMULA_H

#include "expr/expression.h"
#include "hydevs/model.h"

/* The folded F as an expression of MODEL; REFS, PLACE and WRITTEN as for hy_expressions_take().
 * Equal formulas of one model are one. */
const HyExpression *hy_model_formula(HyModel *model, const HyFormula *f, const HyFormulaRefs *refs,
                                     const gint *place, const char *written);
/* Sets PARAM, of the kind HY_FORMULA. */
gboolean hy_model_set_formula(HyModel *model, guint component, const char *param,
                              const HyExpression *formula, GError **error);

#endif
