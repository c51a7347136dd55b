/* Trees that nobody has written: made piece by piece by rooms that derive formulas. */
#include "formula_internal.h"

#include <math.h>
#include <string.h>

const HyFormula *hy_formula_number(HyFormulaPool *pool, double v)
{
  return hy_node_number(pool, v, 0);
}

const HyFormula *hy_formula_ref(HyFormulaPool *pool, const char *name)
{
  HyFormula *ref = hy_node_new(pool, HY_F_REF, 0);
  ref->ref.name = hy_formula_pool_name(pool, name);
  ref->ref.at = hy_no_index;
  return ref;
}

const HyFormula *hy_formula_negative(HyFormulaPool *pool, const HyFormula *f)
{
  if (f->kind == HY_F_NUMBER) {
    return hy_node_number(pool, -f->number, 0);
  }
  if (f->kind == HY_F_NEG) {
    return f->child[0];
  }
  guint base = pool->stack->len;
  hy_push(pool, f);
  return hy_node_with(pool, &(HyFormula){.kind = HY_F_NEG}, NULL, base);
}

const HyFormula *hy_formula_chain(HyFormulaPool *pool, HyFormulaKind kind,
                                  const HyFormula *const *child, const char *ops, guint n)
{
  g_assert(n > 0 && (kind == HY_F_SUM || kind == HY_F_PRODUCT));
  if (n == 1) {
    return child[0];
  }
  guint base = pool->stack->len;
  for (guint k = 0; k < n; k++) {
    hy_push(pool, child[k]);
  }
  return hy_node_with(pool, &(HyFormula){.kind = (guint8)kind}, ops, base);
}

const HyFormula *hy_formula_like(HyFormulaPool *pool, const HyFormula *f,
                                 const HyFormula *const *child)
{
  guint base = pool->stack->len;
  gboolean changed = FALSE;
  for (guint32 k = 0; k < f->n; k++) {
    hy_push(pool, child[k]);
    changed |= child[k] != f->child[k];
  }
  if (!changed) {
    g_ptr_array_set_size(pool->stack, (gint)base);
    return f;
  }
  return hy_node_with(pool, f, f->ops, base);
}

const HyFormula *hy_formula_compare(HyFormulaPool *pool, const HyFormula *a, char op,
                                    const HyFormula *b)
{
  const char ops[] = {op, op};
  guint base = pool->stack->len;
  hy_push(pool, a);
  hy_push(pool, b);
  return hy_node_with(pool, &(HyFormula){.kind = HY_F_COMPARE}, ops, base);
}

const HyFormula *hy_formula_call(HyFormulaPool *pool, const char *function,
                                 const HyFormula *argument)
{
  guint base = pool->stack->len;
  hy_push(pool, argument);
  guint8 number = (guint8)hy_op_find(function, strlen(function));
  return hy_node_with(pool, &(HyFormula){.kind = HY_F_CALL, .function = number}, NULL, base);
}

const HyFormula *hy_formula_choose(HyFormulaPool *pool, const HyFormula *condition,
                                   const HyFormula *yes, const HyFormula *no)
{
  guint base = pool->stack->len;
  hy_push(pool, condition);
  hy_push(pool, yes);
  hy_push(pool, no);
  guint choice = hy_op_find("if", 2);
  return hy_node_with(pool, &(HyFormula){.kind = HY_F_CALL, .function = (guint8)choice}, NULL,
                      base);
}
