/* Formulas that have been read as parameters of components. */
#ifndef HYDEVS_COUPLED_MODEL_FORMULA_H
#define HYDEVS_COUPLED_MODEL_FORMULA_H

#include "expr/expression.h"
#include "hydevs/model.h"

/* Sets PARAM, of the kind HY_FORMULA, to the folded F; REFS, PLACE and WRITTEN as for
 * hy_expressions_take(). Equal formulas of one model are one. */
gboolean hy_model_set_formula(HyModel *model, guint component, const char *param,
                              const HyFormula *f, const HyFormulaRefs *refs, const gint *place,
                              const char *written, GError **error);

#endif
