/* A folded expression as a function of its references, in plain doubles. */
#include "formula_internal.h"

#include <math.h>

/* ---- Functions ---- */

static double mod_floor(double a, double b)
{
  double r = fmod(a, b);
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

static double extreme(const double *arg, guint n, gboolean greatest)
{
  double v = arg[0];
  for (guint i = 1; i < n; i++) {
    v = (greatest ? arg[i] > v : arg[i] < v) ? arg[i] : v;
  }
  return v;
}

static double accumulate(HyFunction function, const double *arg, guint n)
{
  double v = function == HY_FN_PROD ? 1.0 : 0.0;
  for (guint i = 0; i < n; i++) {
    v = i == 0 ? arg[0] : function == HY_FN_PROD ? v * arg[i] : v + arg[i];
  }
  return function == HY_FN_MEAN ? v / n : v;
}

static double sign(double x)
{
  return (x > 0) - (x < 0);
}

static double limit(double x, double lo, double hi)
{
  return x < lo ? lo : x > hi ? hi : x;
}

static double function_of_one(HyFunction function, double x)
{
  static double (*const libm[HY_N_FUNCTIONS])(double) = {
      [HY_FN_ABS] = fabs,    [HY_FN_SQRT] = sqrt,   [HY_FN_EXP] = exp,   [HY_FN_LOG] = log,
      [HY_FN_LOG10] = log10, [HY_FN_SIN] = sin,     [HY_FN_COS] = cos,   [HY_FN_TAN] = tan,
      [HY_FN_ASIN] = asin,   [HY_FN_ACOS] = acos,   [HY_FN_ATAN] = atan, [HY_FN_SINH] = sinh,
      [HY_FN_COSH] = cosh,   [HY_FN_TANH] = tanh,   [HY_FN_SIGN] = sign, [HY_FN_FLOOR] = floor,
      [HY_FN_CEIL] = ceil,   [HY_FN_ROUND] = round,
  };
  g_return_val_if_fail(libm[function] != NULL, NAN);
  return libm[function](x);
}

double hy_function_value(HyFunction function, const double *arg, guint n)
{
  switch (function) {
  case HY_FN_SUM:
  case HY_FN_PROD:
  case HY_FN_MEAN:
    return accumulate(function, arg, n);
  case HY_FN_MIN:
  case HY_FN_MAX:
    return extreme(arg, n, function == HY_FN_MAX);
  case HY_FN_ATAN2:
    return atan2(arg[0], arg[1]);
  case HY_FN_MOD:
    return mod_floor(arg[0], arg[1]);
  case HY_FN_LIMIT:
    return limit(arg[0], arg[1], arg[2]);
  default:
    return function_of_one(function, arg[0]);
  }
}

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
      g_ptr_array_add(refs, (gpointer)x);
      g_hash_table_insert(slots, (gpointer)x, GUINT_TO_POINTER(refs->len)); /* 1.. */
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
    g_free((gpointer)refs->ref);
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

/* ---- Evaluation ---- */

static double eval_call(const HyFormula *x, const HyFormulaRefs *refs, const double *values)
{
  if (x->function == HY_FN_IF) {
    g_return_val_if_fail(x->n == 3, NAN);
    return hy_formula_eval(x->child[hy_formula_eval(x->child[0], refs, values) != 0 ? 1 : 2], refs,
                           values);
  }
  double few[8] = {0};
  double *arg = x->n <= G_N_ELEMENTS(few) ? few : g_new(double, x->n);
  for (guint i = 0; i < x->n; i++) {
    arg[i] = hy_formula_eval(x->child[i], refs, values);
  }
  double v = hy_function_value(x->function, arg, x->n);
  if (arg != few) {
    g_free(arg);
  }
  return v;
}

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

double hy_formula_eval(const HyFormula *folded, const HyFormulaRefs *refs, const double *values)
{
  const HyFormula *x = folded;
  guint slot = 0;
  double v = 0;
  switch (x->kind) {
  case HY_F_NUMBER:
    return x->number;
  case HY_F_REF:
    slot = hy_formula_refs_slot(refs, x);
    g_return_val_if_fail(slot < refs->n, NAN);
    return values[slot];
  case HY_F_NEG:
    return -hy_formula_eval(x->child[0], refs, values);
  case HY_F_NOT:
    return hy_formula_eval(x->child[0], refs, values) == 0;
  case HY_F_CALL:
    return eval_call(x, refs, values);
  case HY_F_NOTHING:
  case HY_F_ITEMS:
  case HY_F_LIST:
    g_return_val_if_reached(NAN);
  default:
    break;
  }
  v = hy_formula_eval(x->child[0], refs, values);
  for (guint i = 1; i < x->n; i++) {
    v = hy_join(x->kind, hy_op(x, i), v, hy_formula_eval(x->child[i], refs, values));
  }
  return v;
}
