/* A folded expression as a function of its references, and the arithmetic of its signs. */
#include "formula_internal.h"

#include <math.h>

/* ---- References ---- */

static guint ref_hash(gconstpointer key)
{
  const HyFormula *ref = key;
  guint h = g_str_hash(ref->ref.name) + ref->own;
  if (ref->ref.port != NULL) {
    h = h * 31 + g_str_hash(ref->ref.port);
  }
  guint n = (guint)ref->n_index + ref->n_port_index;
  for (guint i = 0; ref->ref.at != NULL && i < n; i++) {
    h = h * 31 + (guint)ref->ref.at[i];
  }
  return h;
}

static gboolean ref_equal(gconstpointer a, gconstpointer b)
{
  return hy_formula_equal(a, b);
}

#define FEW 16 /* so many are compared one by one; more are in a table */

/* Its place + 1, or 0. */
static guint find_ref(const HyFormulaRefs *refs, const HyFormula *ref)
{
  if (refs->slots != NULL) {
    return GPOINTER_TO_UINT(g_hash_table_lookup(refs->slots, ref));
  }
  guint slot = refs->n;
  while (slot > 0 && !ref_equal(refs->ref[slot - 1], ref)) {
    slot--;
  }
  return slot;
}

static void add_ref(HyFormulaRefs *refs, const HyFormula *ref)
{
  guint n = refs->n++;
  if (n == 0 || (n >= FEW && (n & (n - 1)) == 0)) {
    refs->ref = g_renew(const HyFormula *, refs->ref, MAX(FEW, 2 * (gsize)n));
  }
  refs->ref[n] = ref;
  if (n == FEW) {
    refs->slots = g_hash_table_new(ref_hash, ref_equal);
  }
  for (guint k = n == FEW ? 0 : n; refs->slots != NULL && k < refs->n; k++) {
    g_hash_table_insert(refs->slots, hy_key(refs->ref[k]), GUINT_TO_POINTER(k + 1));
  }
}

static void collect(const HyFormula *x, HyFormulaRefs *refs)
{
  if (x->kind == HY_F_REF) {
    if (find_ref(refs, x) == 0) {
      add_ref(refs, x);
    }
    return;
  }
  for (guint i = 0; x->kind != HY_F_NUMBER && i < x->n; i++) {
    collect(x->child[i], refs);
  }
}

HyFormulaRefs *hy_formula_refs_new(const HyFormula *folded)
{
  HyFormulaRefs *refs = g_new(HyFormulaRefs, 1);
  *refs = (HyFormulaRefs){.n = 0};
  collect(folded, refs);
  return refs;
}

void hy_formula_refs_free(HyFormulaRefs *refs)
{
  if (refs != NULL) {
    g_clear_pointer(&refs->slots, g_hash_table_destroy);
    g_free(refs->ref);
    g_free(refs);
  }
}

guint hy_formula_refs_slot(const HyFormulaRefs *refs, const HyFormula *ref)
{
  return find_ref(refs, ref) - 1; /* G_MAXUINT of 0 */
}

const HyFormula *hy_formula_first_ref(const HyFormula *formula)
{
  if (formula->kind == HY_F_REF) {
    return formula;
  }
  for (guint i = 0; formula->kind != HY_F_NUMBER && i < formula->n; i++) {
    const HyFormula *ref = hy_formula_first_ref(formula->child[i]);
    if (ref != NULL) {
      return ref;
    }
  }
  return NULL;
}

/* ---- Arithmetic ---- */

char hy_op(const HyFormula *x, guint i)
{
  if (x->ops == NULL) {
    return '\0';
  }
  return x->ops[i];
}

double hy_join(HyFormulaKind kind, char op, double a, double b)
{
  switch (kind) {
  case HY_F_SUM:
    return op == '+' ? a + b : a - b;
  case HY_F_PRODUCT:
    return op == '*' ? a * b : a / b;
  case HY_F_AND:
    return a != 0 && b != 0;
  case HY_F_OR:
    return a != 0 || b != 0;
  case HY_F_POW:
    return pow(a, b);
  default:
    break;
  }
  switch (op) {
  case '<':
    return a < b;
  case '>':
    return a > b;
  case 'l':
    return a <= b;
  case 'g':
    return a >= b;
  case '=':
    return a == b;
  default:
    return a != b;
  }
}
