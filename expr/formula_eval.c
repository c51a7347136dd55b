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

static void collect(const HyFormula *x, GPtrArray *refs, GHashTable *slots)
{
  if (x->kind == HY_F_REF) {
    if (!g_hash_table_contains(slots, x)) {
      g_ptr_array_add(refs, hy_key(x));
      g_hash_table_insert(slots, hy_key(x), GUINT_TO_POINTER(refs->len)); /* 1.. */
    }
    return;
  }
  for (guint i = 0; x->kind != HY_F_NUMBER && i < x->n; i++) {
    collect(x->child[i], refs, slots);
  }
}

HyFormulaRefs *hy_formula_refs_new(const HyFormula *folded)
{
  GPtrArray *found = g_ptr_array_new();
  HyFormulaRefs *refs = g_new(HyFormulaRefs, 1);
  refs->slots = g_hash_table_new(ref_hash, ref_equal);
  collect(folded, found, refs->slots);
  refs->n = found->len;
  refs->ref = (const HyFormula *const *)g_ptr_array_free(found, FALSE);
  return refs;
}

void hy_formula_refs_free(HyFormulaRefs *refs)
{
  if (refs != NULL) {
    g_hash_table_destroy(refs->slots);
    g_free(hy_key(refs->ref));
    g_free(refs);
  }
}

guint hy_formula_refs_slot(const HyFormulaRefs *refs, const HyFormula *ref)
{
  guint slot = GPOINTER_TO_UINT(g_hash_table_lookup(refs->slots, ref));
  return slot == 0 ? G_MAXUINT : slot - 1;
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
