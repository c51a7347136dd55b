/* What is known while loading becomes a number: parameters, lets, indices, and what follows from
 * them. This is done for each copy of a block, so a tree in which nothing changes is given back as
 * it is, and what is new is made of the unchanged parts.
 *
 * Of a chain a op b op c ... only the numbers at its beginning are joined: 2*3*x becomes 6*x, while
 * x*2*3 stays, since (x*2)*3 is rounded otherwise than x*6. A condition that is known chooses its
 * branch, and the other one is not looked at: it may name what does not exist.
 *
 * The children of a node that is being made lie on the stack of the pool, from BASE on: a reference
 * to a slice pushes as many as it has elements. Every user leaves the stack as it was. */
#include "formula_internal.h"
#include "formula_memo.h"

#include <math.h>
#include <string.h>

typedef struct {
  HyFormulaPool *pool;
  const HyFormulaScope *scope;
  GError **error;
  guint64 elements;      /* made by slices so far */
  HyFormulaTrace *trace; /* NULL within indices, which are found anew each time */
} Fold;

static const HyFormula *fold(Fold *f, const HyFormula *x);
static const HyFormula *fold_operand(Fold *f, const HyFormula *x);
static gboolean fold_elements(Fold *f, const HyFormula *x);

/* Sets the error: in "x": format. Returns NULL. */
G_GNUC_PRINTF(3, 4)
static gpointer fold_fail(Fold *f, const HyFormula *x, const char *format, ...)
{
  g_autofree char *text = hy_formula_text(x);
  g_autofree char *where = hy_excerpt(text, strlen(text), 0);
  va_list args;
  va_start(args, format);
  g_autofree char *what = g_strdup_vprintf(format, args);
  va_end(args);
  g_set_error(f->error, HY_ERROR, HY_ERROR_MODEL, "in \"%s\": %s", where, what);
  return NULL;
}

static const HyFormula *fold_number(Fold *f, const HyFormula *x, double v)
{
  return hy_node_number(f->pool, v, x->offset);
}

/* V came out of finite (or not) numbers, as WHAT says. */
static const HyFormula *fold_result(Fold *f, const HyFormula *x, double v, gboolean finite,
                                    const char *what)
{
  if (isnan(v)) {
    return fold_fail(f, x, "%s is not a number", what);
  }
  if (isinf(v) && finite) {
    return fold_fail(f, x, "%s is infinite or too large; numbers end at 1.797e308", what);
  }
  return fold_number(f, x, v);
}

/* ---- References ---- */

static void trace_odd(const Fold *f)
{
  if (f->trace != NULL) {
    f->trace->odd = TRUE;
  }
}

static void trace_looked(const Fold *f, const HyFormula *ref, HyNameKind kind, double number)
{
  if (f->trace != NULL && (kind == HY_NAME_NUMBER || kind == HY_NAME_SIGNAL)) {
    HyLooked looked = {.ref = ref, .number = number, .signal = kind == HY_NAME_SIGNAL};
    g_array_append_val(f->trace->looked, looked);
  } else {
    trace_odd(f);
  }
}

/* The range of index K; single indices have lo == hi. */
static gboolean fold_range(Fold *f, const HyFormula *ref, guint k, gint64 *at, gint64 *hi)
{
  const HyIndex *index = &ref->ref.index[k];
  if (index->lo == NULL) {
    if (f->scope->extent == NULL) {
      fold_fail(f, ref, "\"*\" has no meaning here");
      return FALSE;
    }
    return f->scope->extent(f->scope->user, ref, at, k, &at[k], hi, f->error);
  }
  if (!hy_fold_index(f->pool, index->lo, f->scope, &at[k], f->error)) {
    return FALSE;
  }
  *hi = at[k];
  return index->hi == NULL || hy_fold_index(f->pool, index->hi, f->scope, hi, f->error);
}

/* The value of a number, of a name, or of a sum of them, without a tree; FALSE: it is another
 * formula, or wrong. */
static gboolean quick_value(const HyFormula *x, const HyFormulaScope *scope, double *v)
{
  if (x->kind == HY_F_SUM) {
    double sum = 0.0, next = 0.0;
    gboolean known = quick_value(x->child[0], scope, &sum);
    for (guint k = 1; known && k < x->n; k++) {
      known = x->child[k]->kind != HY_F_SUM && quick_value(x->child[k], scope, &next);
      sum = hy_join(HY_F_SUM, x->ops[k], sum, next);
    }
    *v = sum;
    return known && isfinite(sum);
  }
  if (x->kind == HY_F_REF && x->n_index == 0 && x->ref.port == NULL) {
    HyNameValue value = {0};
    g_autoptr(GError) error = NULL; /* it comes again when the formula is folded */
    gboolean known = scope->value(scope->user, x, hy_no_index, &value, &error) == HY_NAME_NUMBER;
    *v = value.number;
    return known && isfinite(value.number);
  }
  *v = x->kind == HY_F_NUMBER ? x->number : 0.0;
  return x->kind == HY_F_NUMBER;
}

gboolean hy_fold_index(HyFormulaPool *pool, const HyFormula *index, const HyFormulaScope *scope,
                       gint64 *whole, GError **error)
{
  double v;
  if (quick_value(index, scope, &v) && hy_formula_whole(v, whole)) {
    return TRUE;
  }
  Fold f = {.pool = pool, .scope = scope, .error = error};
  const HyFormula *number = fold_operand(&f, index);
  if (number == NULL) {
    return FALSE;
  }
  if (number->kind != HY_F_NUMBER) {
    g_autofree char *signal = hy_formula_text(hy_formula_first_ref(number));
    fold_fail(&f, index, "an index is decided while loading and %s is a signal", signal);
    return FALSE;
  }
  if (!hy_formula_whole(number->number, whole)) {
    g_autoptr(GString) text = g_string_new(NULL);
    hy_print_number(number->number, text);
    fold_fail(&f, index, "the index is %s, not a whole number", text->str);
    return FALSE;
  }
  return TRUE;
}

/* What a name stands for that is a text. */
static const HyFormula *fold_said(Fold *f, const HyFormula *ref, const HyNameValue *value)
{
  HyFormula *node = hy_node_new(f->pool, HY_F_TEXT, ref->offset);
  node->said.text = value->text;
  node->said.choices = value->choices;
  return node;
}

/* REF becomes N elements. What is done again for each of N copies, as k[i] + sum(k), would take a
 * time that grows like N^2. */
static gboolean count_elements(Fold *f, const HyFormula *ref, guint64 n)
{
  HyFormulaPool *counter = f->pool->counter;
  counter->elements += n;
  return counter->elements <= counter->most ||
         fold_fail(f, ref,
                   "arrays have become more than %" G_GUINT64_FORMAT
                   " elements in all formulas together, which is the limit; compute once, by a "
                   "let, what each of many copies needs",
                   counter->most) != NULL;
}

/* Pushes what REF with the indices AT is. ONE: it has to be a single value. */
static gboolean push_value(Fold *f, const HyFormula *ref, const gint64 *at, gboolean one)
{
  HyNameValue value = {0};
  HyNameKind kind = f->scope->value(f->scope->user, ref, at, &value, f->error);
  trace_looked(f, ref, kind, value.number);
  switch (kind) {
  case HY_NAME_ERROR:
    return FALSE;
  case HY_NAME_NUMBER:
    if (isnan(value.number)) {
      return fold_fail(f, ref, "its value is not a number") != NULL;
    }
    hy_push(f->pool, fold_number(f, ref, value.number));
    return TRUE;
  case HY_NAME_NUMBERS:
    if (one) {
      return fold_fail(f, ref,
                       "this is a list of %u values, one is expected; write %s[1] or sum(%s[*])",
                       value.n, ref->ref.name, ref->ref.name) != NULL;
    }
    if (!count_elements(f, ref, value.n)) {
      return FALSE;
    }
    for (guint i = 0; i < value.n; i++) {
      hy_push(f->pool, fold_number(f, ref, value.numbers[i]));
    }
    return TRUE;
  case HY_NAME_TEXT:
    hy_push(f->pool, fold_said(f, ref, &value));
    return TRUE;
  default:
    break;
  }
  const HyFormula *node = ref;
  if (ref->ref.at == NULL) {
    HyFormula *known = hy_arena_copy(f->pool, ref, sizeof *ref);
    known->ref.index = NULL;
    known->ref.at =
        hy_arena_copy(f->pool, at, ((gsize)ref->n_index + ref->n_port_index) * sizeof *at);
    node = known;
  }
  hy_push(f->pool, node);
  return TRUE;
}

typedef struct {
  guint n; /* indices */
  gint64 lo[HY_INDICES], hi[HY_INDICES];
  guint64 elements;
  gboolean slice;
} Ranges;

static gboolean fold_ranges(Fold *f, const HyFormula *ref, Ranges *r)
{
  *r = (Ranges){.n = (guint)ref->n_index + ref->n_port_index, .elements = 1};
  for (guint k = 0; k < r->n; k++) {
    if (!fold_range(f, ref, k, r->lo, &r->hi[k])) {
      return FALSE;
    }
    r->slice |= ref->ref.index[k].lo == NULL || ref->ref.index[k].hi != NULL;
    guint64 extent = r->hi[k] < r->lo[k] ? 0 : (guint64)r->hi[k] - (guint64)r->lo[k] + 1;
    if (extent > HY_FORMULA_ELEMENTS || r->elements * extent > HY_FORMULA_ELEMENTS) {
      fold_fail(f, ref, "more than %d elements, which is the limit", HY_FORMULA_ELEMENTS);
      return FALSE;
    }
    r->elements *= extent;
  }
  f->elements += r->elements;
  if (f->elements > HY_FORMULA_ELEMENTS) {
    fold_fail(f, ref, "more than %d elements in one text, which is the limit", HY_FORMULA_ELEMENTS);
    return FALSE;
  }
  return TRUE;
}

/* Pushes every element of a slice, the last index running fastest. */
static gboolean push_slice(Fold *f, const HyFormula *ref, const Ranges *r)
{
  gint64 at[HY_INDICES];
  trace_odd(f);
  if (!count_elements(f, ref, r->elements)) {
    return FALSE;
  }
  memcpy(at, r->lo, sizeof at);
  for (guint64 i = 0; i < r->elements; i++) {
    if (!push_value(f, ref, at, TRUE)) {
      return FALSE;
    }
    for (guint k = r->n; k-- > 0 && ++at[k] > r->hi[k];) {
      at[k] = r->lo[k];
    }
  }
  return TRUE;
}

/* Pushes what REF stands for. ONE: it has to be a single value. */
static gboolean push_ref(Fold *f, const HyFormula *ref, gboolean one)
{
  if (ref->ref.at != NULL) {
    return push_value(f, ref, ref->ref.at, one);
  }
  Ranges r;
  if (!fold_ranges(f, ref, &r)) {
    return FALSE;
  }
  if (one && r.slice) {
    return fold_fail(f, ref,
                     "several values where one is expected; write sum(...), prod, min, max or mean "
                     "of them") != NULL;
  }
  return r.slice ? push_slice(f, ref, &r) : push_value(f, ref, r.lo, one);
}

/* What has been pushed since BASE, if it is one node (else NULL). */
static const HyFormula *pop_one(Fold *f, guint base)
{
  const HyFormula *node = f->pool->stack->len == base + 1 ? f->pool->stack->pdata[base] : NULL;
  g_ptr_array_set_size(f->pool->stack, (gint)base);
  return node;
}

/* ---- Operators ---- */

static gboolean all_numbers(const HyFormula *const *child, guint n)
{
  for (guint i = 0; i < n; i++) {
    if (child[i]->kind != HY_F_NUMBER) {
      return FALSE;
    }
  }
  return TRUE;
}

/* The numbers at the beginning of a chain as one number; *KNOWN: how many they were. */
static const HyFormula *fold_prefix(Fold *f, const HyFormula *x, const HyFormula *const *child,
                                    guint *known)
{
  double v = child[0]->number;
  gboolean finite = isfinite(v);
  guint k = 1;
  for (; k < x->n && child[k]->kind == HY_F_NUMBER; k++) {
    double b = child[k]->number;
    char op = hy_op(x, k);
    if (op == '/' && b == 0) {
      return fold_fail(f, x, "division by zero");
    }
    finite = finite && isfinite(b);
    v = hy_join(x->kind, op, v, b);
    if (isnan(v) || (isinf(v) && finite)) {
      break; /* fold_result has the words */
    }
  }
  *known = k;
  return fold_result(f, x, v, finite, "the result");
}

static const HyFormula *fold_chain(Fold *f, const HyFormula *x)
{
  GPtrArray *stack = f->pool->stack;
  guint base = stack->len;
  gboolean changed = FALSE;
  for (guint i = 0; i < x->n; i++) {
    const HyFormula *child = fold_operand(f, x->child[i]);
    if (child == NULL) {
      g_ptr_array_set_size(stack, (gint)base);
      return NULL;
    }
    changed |= child != x->child[i];
    hy_push(f->pool, child);
  }
  const HyFormula *const *child = (const HyFormula *const *)&stack->pdata[base];
  const HyFormula *result = x;
  guint known = 0;
  if (child[0]->kind == HY_F_NUMBER && child[1]->kind == HY_F_NUMBER) {
    result = fold_prefix(f, x, child, &known);
    changed = result != NULL && known < x->n;
  }
  if (!changed) { /* as it was, or one number, or an error */
    g_ptr_array_set_size(stack, (gint)base);
    return result;
  }
  if (known > 0) {
    stack->pdata[base + known - 1] = hy_key(result);
    g_ptr_array_remove_range(stack, base, known - 1);
    return hy_node_with(f->pool, x, x->ops == NULL ? NULL : x->ops + known - 1, base);
  }
  return hy_node_with(f->pool, x, x->ops, base);
}

static gboolean is_text(const HyFormula *x)
{
  return x != NULL && x->kind == HY_F_TEXT;
}

/* TEXT is folded from X, and stands where a number or a signal is needed. Returns NULL. */
static gpointer fail_text(Fold *f, const HyFormula *x, const HyFormula *text)
{
  if (x->kind == HY_F_REF) {
    const char *name = x->ref.name;
    g_set_error(f->error, HY_ERROR, HY_ERROR_MODEL,
                "%s is a text, which can only be compared in formulas: %s == '%s' (in texts: {%s})",
                name, name, text->said.text, name);
    return NULL;
  }
  return fold_fail(f, x, "'%s' is a text, which can only be compared with one: kind == '%s'",
                   text->said.text, text->said.text);
}

/* A text in X, its operand I, that the name beside it cannot have is a mistake of writing. */
static gboolean may_be(Fold *f, const HyFormula *x, guint i, const HyFormula *name)
{
  const HyFormula *text = x->child[i];
  if (text->kind != HY_F_TEXT || name->said.choices == NULL) {
    return TRUE;
  }
  g_auto(GStrv) words = g_strsplit_set(name->said.choices, " ,", -1);
  return g_strv_contains((const char *const *)words, text->said.text) ||
         fold_fail(f, x, "'%s' is never so; the choices are %s", text->said.text,
                   name->said.choices) != NULL;
}

/* A == B or A != B, at least one of them a text. */
static const HyFormula *compare_texts(Fold *f, const HyFormula *x, const HyFormula *a,
                                      const HyFormula *b)
{
  char op = hy_op(x, 1);
  if (a->kind != HY_F_TEXT || b->kind != HY_F_TEXT) {
    guint text = a->kind == HY_F_TEXT ? 0 : 1;
    return fold_fail(f, x, "'%s' is a text, which can only be compared with another one",
                     (text == 0 ? a : b)->said.text);
  }
  if (op != '=' && op != '!') {
    return fold_fail(f, x, "texts are compared by == and != only");
  }
  if (!may_be(f, x, 1, a) || !may_be(f, x, 0, b)) {
    return NULL;
  }
  return fold_number(f, x, (strcmp(a->said.text, b->said.text) == 0) == (op == '='));
}

/* Beside a text a name failed: it may have been meant as a text, too. Returns NULL. */
static gpointer suggest_quotes(Fold *f, const HyFormula *side)
{
  GError *error = f->error != NULL ? *f->error : NULL;
  if (error != NULL && side->kind == HY_F_REF && side->n_index == 0 && side->ref.port == NULL) {
    char *message =
        g_strdup_printf("%s; a text stands in quotes: '%s'", error->message, side->ref.name);
    g_free(error->message);
    error->message = message;
  }
  return NULL;
}

/* Operand I of X, whose operands before it are CHILD: a side of a comparison may be a text. */
static const HyFormula *fold_side(Fold *f, const HyFormula *x, guint i, const HyFormula **child)
{
  if (x->kind != HY_F_COMPARE) {
    return fold_operand(f, x->child[i]);
  }
  const HyFormula *side = fold(f, x->child[i]);
  if (side == NULL && i == 1 && is_text(child[0])) {
    return suggest_quotes(f, x->child[i]);
  }
  return side != NULL && side->kind == HY_F_NOTHING ? fold_operand(f, x->child[i]) : side;
}

/* Negation, power, comparison, not: a fixed number of operands. */
static const HyFormula *fold_operator(Fold *f, const HyFormula *x)
{
  const HyFormula *child[2] = {NULL, NULL};
  gboolean changed = FALSE, finite = TRUE;
  for (guint i = 0; i < x->n; i++) {
    child[i] = fold_side(f, x, i, child);
    if (child[i] == NULL) {
      return NULL;
    }
    changed |= child[i] != x->child[i];
    finite = finite && (child[i]->kind != HY_F_NUMBER || isfinite(child[i]->number));
  }
  if (is_text(child[0]) || is_text(child[1])) {
    return compare_texts(f, x, child[0], child[1]);
  }
  if (!all_numbers(child, x->n)) {
    if (!changed) {
      return x;
    }
    guint base = f->pool->stack->len;
    for (guint i = 0; i < x->n; i++) {
      hy_push(f->pool, child[i]);
    }
    return hy_node_with(f->pool, x, x->ops, base);
  }
  g_return_val_if_fail(child[0] != NULL, NULL);
  double a = child[0]->number, b = x->n == 2 ? child[1]->number : 0;
  switch (x->kind) {
  case HY_F_NEG:
    return fold_number(f, x, -a);
  case HY_F_NOT:
    return fold_number(f, x, a == 0);
  case HY_F_COMPARE:
    return fold_number(f, x, hy_join(HY_F_COMPARE, x->ops[1], a, b));
  default:
    if (a == 0 && b < 0) {
      return fold_fail(f, x, "division by zero: 0 to a negative power");
    }
    return fold_result(f, x, pow(a, b), finite, "the power");
  }
}

/* ---- Functions ---- */

/* The condition decides: gives the branch, or X itself if the condition stays open (then *CONDITION
 * is it folded). */
static const HyFormula *choose_branch(Fold *f, const HyFormula *x, const HyFormula **condition)
{
  static const HyFormula nothing = {.kind = HY_F_NOTHING};
  *condition = fold_operand(f, x->child[0]);
  if (*condition == NULL) {
    return NULL;
  }
  if ((*condition)->kind != HY_F_NUMBER) {
    if (x->n == 2) {
      g_autofree char *signal = hy_formula_text(hy_formula_first_ref(*condition));
      return fold_fail(
          f, x, "%s is a signal, so if needs a value for both cases: if(condition, a, b)", signal);
    }
    return x;
  }
  if ((*condition)->number != 0) {
    return x->child[1];
  }
  return x->n == 2 ? &nothing : x->child[2];
}

static const HyFormula *fold_if(Fold *f, const HyFormula *x)
{
  const HyFormula *condition = NULL;
  const HyFormula *branch = choose_branch(f, x, &condition);
  if (branch != x) {
    return branch == NULL || branch->kind == HY_F_NOTHING ? branch : fold(f, branch);
  }
  const HyFormula *a = fold_operand(f, x->child[1]);
  const HyFormula *b = a == NULL ? NULL : fold_operand(f, x->child[2]);
  if (b == NULL || (condition == x->child[0] && a == x->child[1] && b == x->child[2])) {
    return b == NULL ? NULL : x;
  }
  guint base = f->pool->stack->len;
  hy_push(f->pool, condition);
  hy_push(f->pool, a);
  hy_push(f->pool, b);
  return hy_node_with(f->pool, x, NULL, base);
}

/* Pushes the arguments. */
static gboolean push_arguments(Fold *f, const HyFormula *x, gboolean slices)
{
  for (guint i = 0; i < x->n; i++) {
    if (slices) {
      if (!fold_elements(f, x->child[i])) {
        return FALSE;
      }
      continue;
    }
    const HyFormula *argument = fold_operand(f, x->child[i]);
    if (argument == NULL) {
      return FALSE;
    }
    hy_push(f->pool, argument);
  }
  return TRUE;
}

static const HyFormula *fold_known_call(Fold *f, const HyFormula *x, const HyFormula *const *child,
                                        guint n)
{
  if (n == 0 && !hy_ops[x->function].of_none) {
    return fold_fail(f, x, "there are no elements to take the %s of", hy_ops[x->function].name);
  }
  gboolean finite = TRUE;
  double *arg = g_new(double, MAX(n, 1));
  for (guint i = 0; i < n; i++) {
    arg[i] = child[i]->number;
    finite = finite && isfinite(arg[i]);
  }
  double v = hy_op_value(x->function, arg, n);
  g_autoptr(GString) what = g_string_new("the result");
  if (n <= 3 && (isnan(v) || (isinf(v) && finite))) {
    g_string_printf(what, "%s(", hy_ops[x->function].name);
    for (guint i = 0; i < n; i++) {
      g_string_append(what, i == 0 ? "" : ", ");
      hy_print_number(arg[i], what);
    }
    g_string_append_c(what, ')');
  }
  g_free(arg);
  return fold_result(f, x, v, finite, what->str);
}

/* Whether REF without an index is an array, and of how many. */
static gboolean is_whole(Fold *f, const HyFormula *ref, guint64 *n)
{
  static const HyIndex all = {.lo = NULL};
  if (ref->kind != HY_F_REF || ref->n_index + ref->n_port_index > 0 || f->scope->extent == NULL) {
    return FALSE;
  }
  HyFormula slice = *ref;
  slice.n_index = 1;
  slice.ref.index = &all;
  gint64 lo, hi;
  gboolean array = f->scope->extent(f->scope->user, &slice, NULL, 0, &lo, &hi, NULL);
  *n = array && hi >= lo ? (guint64)(hi - lo) + 1 : 0;
  return array;
}

/* How many X's arguments are; of an array nobody asks what they are. */
static const HyFormula *fold_number_of(Fold *f, const HyFormula *x)
{
  guint base = f->pool->stack->len;
  guint64 n = 0;
  trace_odd(f);
  for (guint i = 0; i < x->n; i++) {
    const HyFormula *child = x->child[i];
    Ranges r = {.slice = FALSE};
    if (is_whole(f, child, &r.elements)) {
      n += r.elements;
      continue;
    }
    if (child->kind == HY_F_REF && child->ref.at == NULL && !fold_ranges(f, child, &r)) {
      return NULL;
    }
    gboolean good = r.slice || fold_elements(f, child);
    n += r.slice ? r.elements : f->pool->stack->len - base;
    g_ptr_array_set_size(f->pool->stack, (gint)base);
    if (!good) {
      return NULL;
    }
  }
  return fold_number(f, x, (double)n);
}

static gboolean same_children(const HyFormula *x, const HyFormula *const *child, guint n)
{
  return n == x->n && (n == 0 || memcmp(child, x->child, n * sizeof(gpointer)) == 0);
}

static const HyFormula *fold_call(Fold *f, const HyFormula *x)
{
  const HyOp *info = &hy_ops[x->function];
  if (hy_ops[x->function].choice) {
    return fold_if(f, x);
  }
  if (info->counts) {
    return fold_number_of(f, x);
  }
  GPtrArray *stack = f->pool->stack;
  guint base = stack->len;
  const HyFormula *result = NULL;
  if (push_arguments(f, x, info->slices)) {
    guint n = stack->len - base;
    const HyFormula *const *child = (const HyFormula *const *)&stack->pdata[base];
    if (all_numbers(child, n)) {
      result = fold_known_call(f, x, child, n);
    } else if (info->loading) {
      HyFormula open = {.kind = HY_F_CALL, .n = n, .child = child};
      g_autofree char *signal = hy_formula_text(hy_formula_first_ref(&open));
      fold_fail(f, x, "%s can be computed only while loading, and %s is a signal", info->name,
                signal);
    } else if (same_children(x, child, n)) {
      result = x;
    } else {
      return hy_node_with(f->pool, x, NULL, base);
    }
  }
  g_ptr_array_set_size(stack, (gint)base);
  return result;
}

/* ---- Trees ---- */

static const HyFormula *fold(Fold *f, const HyFormula *x)
{
  guint base = f->pool->stack->len;
  switch (x->kind) {
  case HY_F_NUMBER:
    return x;
  case HY_F_REF:
    push_ref(f, x, TRUE);
    return pop_one(f, base);
  case HY_F_NEG:
  case HY_F_POW:
  case HY_F_COMPARE:
  case HY_F_NOT:
    return fold_operator(f, x);
  case HY_F_CALL:
    return fold_call(f, x);
  case HY_F_NOTHING:
  case HY_F_TEXT:
    return x;
  default:
    return fold_chain(f, x);
  }
}

/* Where a text has no meaning. */
static const HyFormula *fold_value(Fold *f, const HyFormula *x)
{
  const HyFormula *result = fold(f, x);
  return result != NULL && result->kind == HY_F_TEXT ? fail_text(f, x, result) : result;
}

/* Where neither if(0, a) nor a text has a meaning. */
static const HyFormula *fold_operand(Fold *f, const HyFormula *x)
{
  const HyFormula *result = fold_value(f, x);
  if (result != NULL && result->kind == HY_F_NOTHING) {
    return fold_fail(f, x, "this gives nothing where a value is needed; write if(condition, a, b)");
  }
  return result;
}

/* Where a list is allowed: pushes any number of nodes, none of them HY_F_NOTHING. */
static gboolean fold_elements(Fold *f, const HyFormula *x)
{
  while (x->kind == HY_F_CALL && hy_ops[x->function].choice) {
    const HyFormula *condition = NULL;
    const HyFormula *branch = choose_branch(f, x, &condition);
    if (branch == NULL || branch->kind == HY_F_NOTHING) {
      return branch != NULL;
    }
    if (branch == x) {
      break;
    }
    x = branch;
  }
  if (x->kind == HY_F_REF) {
    guint base = f->pool->stack->len;
    gboolean good = push_ref(f, x, FALSE);
    const HyFormula *first =
        good && f->pool->stack->len > base ? f->pool->stack->pdata[base] : NULL;
    return first != NULL && first->kind == HY_F_TEXT ? fail_text(f, x, first) != NULL : good;
  }
  const HyFormula *element = fold_value(f, x);
  if (element != NULL && element->kind != HY_F_NOTHING) {
    hy_push(f->pool, element);
  }
  return element != NULL;
}

/* Pushes the items that remain, all of them references. */
static gboolean fold_items(Fold *f, const HyFormula *x)
{
  guint base = f->pool->stack->len;
  for (guint i = 0; i < x->n; i++) {
    if (!fold_elements(f, x->child[i])) {
      return FALSE;
    }
  }
  for (guint i = base; i < f->pool->stack->len; i++) {
    const HyFormula *item = f->pool->stack->pdata[i];
    if (item->kind != HY_F_REF) {
      g_autofree char *text = hy_formula_text(item);
      return fold_fail(f, x, "%s is not an output; blanks can separate only outputs", text) != NULL;
    }
  }
  return TRUE;
}

/* Pushes one group of a list, or several where it is a slice. */
static gboolean fold_group(Fold *f, const HyFormula *x)
{
  guint base = f->pool->stack->len;
  if (x->kind == HY_F_ITEMS) {
    if (!fold_items(f, x)) {
      return FALSE;
    }
    guint n = f->pool->stack->len - base;
    if (same_children(x, (const HyFormula *const *)&f->pool->stack->pdata[base], n)) {
      g_ptr_array_set_size(f->pool->stack, (gint)base);
      hy_push(f->pool, x);
    } else if (n > 1) {
      const HyFormula *items = hy_node_with(f->pool, x, NULL, base);
      hy_push(f->pool, items);
    } else if (n == 0) {
      g_ptr_array_add(f->pool->stack, hy_node_new(f->pool, HY_F_NOTHING, x->offset));
    }
    return TRUE;
  }
  if (!fold_elements(f, x)) {
    return FALSE;
  }
  if (f->pool->stack->len == base && x->kind != HY_F_REF) {
    const HyFormula *nothing =
        x->kind == HY_F_NOTHING ? x : hy_node_new(f->pool, HY_F_NOTHING, x->offset);
    hy_push(f->pool, nothing);
  }
  return TRUE;
}

static const HyFormula *fold_root(Fold *f, const HyFormula *x)
{
  GPtrArray *stack = f->pool->stack;
  guint base = stack->len;
  gboolean good = TRUE;
  if (x->kind == HY_F_ITEMS) {
    good = fold_items(f, x);
  }
  for (guint i = 0; good && x->kind == HY_F_LIST && i < x->n; i++) {
    good = fold_group(f, x->child[i]);
  }
  if (good && !same_children(x, (const HyFormula *const *)&stack->pdata[base], stack->len - base)) {
    return hy_node_with(f->pool, x, NULL, base);
  }
  g_ptr_array_set_size(stack, (gint)base);
  return good ? x : NULL;
}

const HyFormula *hy_formula_fold(HyFormulaPool *pool, const HyFormula *formula,
                                 const HyFormulaScope *scope, GError **error)
{
  Fold f = {.pool = pool, .scope = scope, .error = error, .trace = scope->trace};
  if (formula->kind == HY_F_LIST || formula->kind == HY_F_ITEMS) {
    return fold_root(&f, formula);
  }
  return fold_value(&f, formula);
}

gboolean hy_formula_constant(HyFormulaPool *pool, const HyFormula *formula,
                             const HyFormulaScope *scope, double *value, GError **error)
{
  Fold f = {.pool = pool, .scope = scope, .error = error};
  const HyFormula *result = hy_formula_fold(pool, formula, scope, error);
  if (result != NULL && result->kind == HY_F_LIST && result->n == 1) {
    result = result->child[0];
  }
  if (result == NULL) {
    return FALSE;
  }
  if (result->kind == HY_F_NUMBER) {
    *value = result->number;
    return TRUE;
  }
  const HyFormula *signal = hy_formula_first_ref(result);
  if (result->kind == HY_F_LIST) {
    fold_fail(&f, formula,
              "this is a list of %u values, one is expected (the decimal sign is \".\")",
              result->n);
  } else if (signal == NULL) {
    fold_fail(&f, formula, "this gives nothing where a value is needed; write if(condition, a, b)");
  } else {
    g_autofree char *text = hy_formula_text(signal);
    fold_fail(&f, formula, "this has to be known while loading, and %s is a signal", text);
  }
  return FALSE;
}
