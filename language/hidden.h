/* Formulas that become blocks: function.c. */
#ifndef HY_LANGUAGE_HIDDEN_H
#define HY_LANGUAGE_HIDDEN_H

#include "language/env.h"

gboolean hy_formula_mentions(const HyFormula *f, const char *name);
/* A function of the folded expression F, or HY_NO_COMPONENT. */
guint32 hy_function_add(Env *env, const HyFormula *f, const char *name, const char *text);
guint32 hy_formula_add(Env *env, const HyAtomicClass *klass, const HyFormula *f, const char *name,
                       const char *text);
/* What is remembered of F, the text of an input; NULL: it is there for the first time. */
Again *hy_again_find(const Env *env, const HyFormula *f);
void hy_again_free(Loader *l);
HyFormulaTrace *hy_again_trace(Again *a); /* for folding; NULL: nobody asks */
/* Folded in ENV, which has it, it became this FORMULA with these REFS. */
void hy_again_keep(Env *env, const HyFormulaRefs *refs, const HyExpression *formula, guint32 kept);
/* Whether it becomes the same in ENV, but for its indices; and the hidden function NAME of it. */
gboolean hy_again_holds(Env *env, Again *a);
guint32 hy_again_add(Env *env, Again *a, const char *name);

#endif
