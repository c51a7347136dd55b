/* Function: a formula over inputs in[1], in[2], ..., as the model loader writes it. Comparisons are
 * modes: they change at located instants. */
#include "functions/function.h"
#include "atomics.h"
#include "expr/builder.h"
#include "expr/formula.h"
#include "hydevs/error.h"
#include "static_class.h"

#include <string.h>

typedef struct {
  HyStatic base;
  const char *formula;
} Function;

typedef struct {
  HyXBuilder *b;
  const HyFormulaNames *names;
} Translation;

/* What names mean ----------------------------------------------------------------------------- */

/* How many there are of what REF names: in or out. */
static guint known_by(const Translation *x, const HyFormula *ref)
{
  return strcmp(ref->ref.name, "in") == 0    ? x->names->n_in
         : strcmp(ref->ref.name, "out") == 0 ? x->names->n_unknown
                                             : 0;
}

static HyNameKind function_name(gpointer user, const HyFormula *ref, const gint64 *at,
                                HyNameValue *value, GError **error)
{
  (void)value;
  const Translation *x = user;
  gboolean plain = ref->ref.port == NULL && !ref->own && ref->n_index == 1;
  if (!plain || at[0] < 1 || at[0] > known_by(x, ref)) {
    g_autofree char *text = hy_formula_text(ref);
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s is not an input; there are %u, from in[1] on",
                text, x->names->n_in);
    return HY_NAME_ERROR;
  }
  return HY_NAME_SIGNAL;
}

static gboolean function_extent(gpointer user, const HyFormula *ref, const gint64 *at, guint dim,
                                gint64 *lo, gint64 *hi, GError **error)
{
  (void)at, (void)dim, (void)error;
  *lo = 1;
  *hi = known_by(user, ref);
  return TRUE;
}

/* Conditions ---------------------------------------------------------------------------------- */

static HyX value(Translation *x, const HyFormula *f);
static HyX chosen(Translation *x, const HyFormula *condition, HyX yes, HyX no);

static HyX if_above(Translation *x, HyX a, HyX c, HyX yes, HyX no) /* a > c ? yes : no */
{
  HyX z = hy_x_op(x->b, HY_X_SUB, a, c);
  return hy_x_select(x->b, hy_x_crossing(x->b, z, HY_CROSS_BOTH), yes, no);
}

static HyX if_equal(Translation *x, HyX a, HyX c, HyX yes, HyX no)
{
  return if_above(x, a, c, no, if_above(x, c, a, no, yes));
}

static HyX compared(Translation *x, const HyFormula *f, HyX yes, HyX no)
{
  HyX a = value(x, f->child[0]), c = value(x, f->child[1]);
  switch (f->ops[1]) {
  case '<':
    return if_above(x, c, a, yes, no);
  case '>':
    return if_above(x, a, c, yes, no);
  case 'l': /* <= */
    return if_above(x, a, c, no, yes);
  case 'g': /* >= */
    return if_above(x, c, a, no, yes);
  case '=':
    return if_equal(x, a, c, yes, no);
  default:
    return if_equal(x, a, c, no, yes);
  }
}

static HyX chosen(Translation *x, const HyFormula *condition, HyX yes, HyX no)
{
  const HyFormula *f = condition;
  HyX result = f->kind == HY_F_AND ? yes : no;
  switch (f->kind) {
  case HY_F_COMPARE:
    return compared(x, f, yes, no);
  case HY_F_NOT:
    return chosen(x, f->child[0], no, yes);
  case HY_F_AND:
    for (guint k = f->n; k-- > 0;) {
      result = chosen(x, f->child[k], result, no);
    }
    return result;
  case HY_F_OR:
    for (guint k = f->n; k-- > 0;) {
      result = chosen(x, f->child[k], yes, result);
    }
    return result;
  default:
    return if_equal(x, value(x, f), hy_x_const(x->b, 0.0), no, yes);
  }
}

/* Values -------------------------------------------------------------------------------------- */

static HyX negative(Translation *x, HyX a)
{
  return hy_x_op(x->b, HY_X_NEG, a, a);
}

/* Joined from the first argument to the last, or all of them together. */
static HyX called(Translation *x, const HyFormula *f)
{
  const HyOp *op = &hy_ops[f->function];
  HyX arg[3] = {value(x, f->child[op->choice ? 1 : 0])};
  if (op->choice) {
    return chosen(x, f->child[0], arg[0], value(x, f->child[2]));
  }
  for (guint k = 1; k < f->n; k++) {
    HyX a = value(x, f->child[k]);
    if (op->joined != NULL) {
      arg[0] = op->joined(x->b, arg[0], a);
    } else {
      arg[k] = a;
    }
  }
  if (op->operands > 0) {
    return hy_x_op(x->b, (HyXOp)f->function, arg[0], arg[1]);
  }
  return op->composed != NULL ? op->composed(x->b, arg, f->n) : arg[0];
}

static HyX chain(Translation *x, const HyFormula *f)
{
  HyX v = value(x, f->child[0]);
  for (guint k = 1; k < f->n; k++) {
    HyXOp op = f->kind == HY_F_SUM ? (f->ops[k] == '+' ? HY_X_ADD : HY_X_SUB)
                                   : (f->ops[k] == '*' ? HY_X_MUL : HY_X_DIV);
    v = hy_x_op(x->b, op, v, value(x, f->child[k]));
  }
  return v;
}

static HyX value(Translation *x, const HyFormula *f)
{
  HyX a;
  switch (f->kind) {
  case HY_F_NUMBER:
    return hy_x_const(x->b, f->number);
  case HY_F_REF:
    return (f->ref.name[0] == 'i' ? x->names->in : x->names->unknown)[f->ref.at[0] - 1];
  case HY_F_NEG:
    return negative(x, value(x, f->child[0]));
  case HY_F_POW:
    a = value(x, f->child[0]);
    return hy_x_op(x->b, HY_X_POW, a, value(x, f->child[1]));
  case HY_F_PRODUCT:
  case HY_F_SUM:
    return chain(x, f);
  case HY_F_CALL:
    return called(x, f);
  default: /* a condition */
    a = hy_x_const(x->b, 1.0);
    return chosen(x, f, a, hy_x_const(x->b, 0.0));
  }
}

gboolean hy_formula_nodes(HyXBuilder *b, const char *text, const HyFormulaNames *names, HyX *out,
                          guint n, GError **error)
{
  Translation x = {.b = b, .names = names};
  const HyFormulaScope scope = {.user = &x, .value = function_name, .extent = function_extent};
  g_autoptr(HyFormulaPool) pool = hy_formula_pool_new();
  const HyFormula *f = hy_formula_parse(pool, HY_TEXT_LIST, text, error);
  f = f != NULL ? hy_formula_fold(pool, f, &scope, error) : NULL;
  if (f == NULL) {
    return FALSE;
  }
  if (f->n != n) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "formula \"%s\" has %u parts, and %u are meant",
                text, f->n, n);
    return FALSE;
  }
  for (guint k = 0; k < n; k++) {
    if (f->child[k]->kind >= HY_F_ITEMS) {
      g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "formula \"%s\" has no value", text);
      return FALSE;
    }
    out[k] = value(&x, f->child[k]);
  }
  return TRUE;
}

static gboolean function_describe(const void *state, HyXBuilder *b, const HyX *in, guint n_in,
                                  HyX *out, GError **error)
{
  const HyFormulaNames names = {.in = in, .n_in = n_in};
  return hy_formula_nodes(b, ((const Function *)state)->formula, &names, out, 1, error);
}

static const HyPort function_in[] = {
    {.name = "in",
     .kind = HY_SIGNAL,
     .array = TRUE,
     .optional = TRUE,
     .doc = "what the formula reads, in the order of its names"},
    {.name = NULL},
};
static const HyPort function_out[] = {{.name = "out", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam function_params[] = {
    {.name = "formula",
     .kind = HY_TEXT,
     .offset = G_STRUCT_OFFSET(Function, formula),
     .required = TRUE,
     .doc = "its inputs are in[1], in[2], ..."},
    HY_STATIC_TOLERANCES(Function, base.),
    {.name = NULL},
};
const HyAtomicClass hy_function_class = {
    .name = "function",
    .doc = "out = formula over parameters, ports and blocks in scope; further attributes are named "
           "inputs",
    .palette = "Functions",
    .example = "<function name=\"p\" formula=\"u*i\" u=\"bus.v\"/>",
    .in = function_in,
    .out = function_out,
    .params = function_params,
    .describe = function_describe,
    HY_STATIC_CLASS(Function),
};
