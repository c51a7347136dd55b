/* A formula as nodes: what a parameter of the kind HY_FORMULA holds. It is made once, when it is
 * read, and shared by all blocks with an equal one; no text is read again.
 *
 * Its inputs and unknowns are IN nodes: input k is a = k - 1, unknown k is a = HY_UNKNOWN + k - 1.
 */
#ifndef HYDEVS_EXPR_EXPRESSION_H
#define HYDEVS_EXPR_EXPRESSION_H

#include "builder.h"
#include "formula.h"

#define HY_UNKNOWN 0x80000000U

/* Those of one model: a set, and the builder that makes them. */
typedef struct HyExpressions HyExpressions;

HyExpressions *hy_expressions_new(void);
void hy_expressions_free(HyExpressions *all); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyExpressions, hy_expressions_free)

/* The folded F, one expression or a list of them. PLACE[r] for each of REFS: k stands for the input
 * k, -k for the unknown k; NULL: they are the inputs. WRITTEN: the text that F was read from, where
 * its inputs have the names that an error says; NULL: they have none. */
const HyExpression *hy_expressions_take(HyExpressions *all, const HyFormula *f,
                                        const HyFormulaRefs *refs, const gint *place,
                                        const char *written);
/* TEXT, whose inputs are in[1], in[2], ..., N_IN for "*", and whose unknowns are out[1] ... */
const HyExpression *hy_expressions_parse(HyExpressions *all, const char *text, guint n_in,
                                         GError **error);

/* Its nodes in B, where its inputs are IN, and behind them its unknowns. FALSE: it has not N parts,
 * or names an input or unknown that is not there. */
gboolean hy_expression_nodes(const HyExpression *e, HyXBuilder *b, const HyX *in, guint n_in,
                             guint n_unknown, HyX *out, guint n, GError **error);

/* That of the parameter at FIELD of a state. */
static inline const HyExpression *hy_expression_at(gconstpointer field)
{
  return *(const HyExpression *const *)field;
}
/* REF, a reference of a folded formula, stands in the text WRITTEN where it says. */
gboolean hy_formula_is_written(const HyFormula *ref, const char *written);
/* Without the names of its inputs: equal formulas have the same one. */
const HyExpression *hy_expression_plain(const HyExpression *e);
/* Of a plain one: equal ones of all models have the same number, others another one, but for an
 * accident in 2^64. */
guint64 hy_expression_number(const HyExpression *e);
/* How the user wrote input K: "u[i-1]", newly allocated; NULL: it is not known. */
char *hy_expression_input(const HyExpression *e, guint k);

#endif
