/* What folding a formula has looked up, and what came of it: where the same is looked up again, in
 * the next copy of a block or instance of a model, the same comes of it, and nothing is folded.
 *
 * A folded tree follows from its text and from what the names in it mean, and names are asked in an
 * order that follows from their meanings. So if each name that was asked, asked again, is the same
 * number or again a signal, the tree is the same but for the indices of its signals; and where
 * signals that were one are one, and those that were two are two, it is the same function of them.
 * The indices are computed anew: x[i-1] is another x in each copy. */
#ifndef HYDEVS_EXPR_FORMULA_MEMO_H
#define HYDEVS_EXPR_FORMULA_MEMO_H

#include "formula.h"

typedef struct {
  const HyFormula *ref; /* as written */
  double number;
  guint place;     /* of a signal: which reference of the result it is */
  gboolean signal; /* else it was the number */
} HyLooked;

typedef struct HyFormulaTrace {
  GArray *looked; /* HyLooked */
  gboolean odd;   /* there was more: slices, lists, texts, counts */
} HyFormulaTrace;

typedef struct {
  HyFormulaTrace trace; /* for hy_formula_fold() */
  HyFormula *ref;       /* [n_refs]: the references of the result, with their indices */
  gint64 *at;           /* of these */
  guint n_refs, room;
  gboolean twins; /* references of one name and port are among them */
  gboolean ready;
} HyFormulaMemo;

void hy_formula_memo_init(HyFormulaMemo *memo); /* of zeros, or one that holds no more */
void hy_formula_memo_clear(HyFormulaMemo *memo);
/* After folding in SCOPE with the trace: REFS are those of the result. FALSE: it cannot be
 * remembered. */
gboolean hy_formula_memo_keep(HyFormulaMemo *memo, const HyFormulaRefs *refs, HyFormulaPool *pool,
                              const HyFormulaScope *scope);
/* Whether all is as it was, in SCOPE; MEMO->ref are the references of the result then. */
gboolean hy_formula_memo_holds(HyFormulaMemo *memo, HyFormulaPool *pool,
                               const HyFormulaScope *scope);

#endif
