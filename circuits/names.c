/* Names and the formulas behind them. A formula is written as a reader would: numbers are computed,
 * a factor of 1 is left out, what is added comes before what is subtracted. */
#include "base/hint.h"
#include "internal.h"

#include <math.h>

/* Names ---------------------------------------------------------------------------------------- */

static guint32 name_add(HyCircuit *c, const HyFormula *f, const HyFormula *definition,
                        guint32 branch)
{
  Name name = {.f = f, .definition = definition, .branch = branch};
  g_array_append_val(c->names, name);
  if (f->kind == HY_F_REF) {
    g_hash_table_insert(c->by_name, hy_key(f->ref.name), GUINT_TO_POINTER(c->names->len));
  }
  return c->names->len - 1;
}

guint32 name_given(HyCircuit *c, const char *signal, double value, guint32 branch)
{
  if (signal == NULL) {
    return name_add(c, hy_formula_number(c->pool, value), NULL, branch);
  }
  const HyFormula *f = hy_formula_ref(c->pool, signal);
  guint32 known = GPOINTER_TO_UINT(g_hash_table_lookup(c->by_name, f->ref.name));
  return known != 0 ? known - 1 : name_add(c, f, NULL, branch);
}

/* "WHAT:WHERE", where WHERE has what may stand behind a colon, and is nobody's yet. */
static const HyFormula *name_new(HyCircuit *c, const char *what, const char *where)
{
  g_autoptr(GString) text = g_string_new(what);
  if (where != NULL) {
    g_string_append_printf(text, ":%s", where);
    g_strcanon(text->str + strlen(what) + 1,
               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", '_');
  }
  gsize length = text->len;
  const HyFormula *f = hy_formula_ref(c->pool, text->str);
  gpointer first = hy_key(f->ref.name);
  guint k = GPOINTER_TO_UINT(g_hash_table_lookup(c->taken, first));
  for (k = MAX(k, 1); g_hash_table_contains(c->by_name, f->ref.name);) {
    g_string_truncate(text, length);
    g_string_append_printf(text, "_%u", ++k);
    f = hy_formula_ref(c->pool, text->str);
  }
  g_hash_table_insert(c->taken, first, GUINT_TO_POINTER(k));
  return f;
}

const Label *name_define(HyCircuit *c, const char *what, const char *where, const HyFormula *f)
{
  guint32 name = name_add(c, name_new(c, what, where), f, NONE);
  return label_of(c, name, 1);
}

const Label *name_single(HyCircuit *c, const char *what, const char *where, const Label *label)
{
  gboolean single = label->n == 0 || (label->n == 1 && ABS(label->term[0].n) == 1);
  return single ? label : name_define(c, what, where, formula_of(c, label));
}

char *name_of_pair(const HyCircuit *c, guint32 x, guint32 y)
{
  return g_strdup_printf("%s_%s", circuit_node_name(c, x), circuit_node_name(c, y));
}

/* Sums ----------------------------------------------------------------------------------------- */

Sum sum_begin(HyCircuit *c)
{
  return (Sum){c, g_ptr_array_new(), g_string_new(NULL)};
}

void sum_add(Sum *s, gint sign, const HyFormula *f)
{
  if (f->kind == HY_F_NUMBER && f->number == 0.0) {
    return;
  }
  gboolean negative = f->kind == HY_F_NUMBER ? f->number < 0 : f->kind == HY_F_NEG;
  g_ptr_array_add(s->child, hy_key(negative ? hy_formula_negative(s->c->pool, f) : f));
  g_string_append_c(s->ops, negative == (sign < 0) ? '+' : '-');
}

void sum_label(Sum *s, gint sign, const Label *label)
{
  for (guint k = 0; k < label->n; k++) {
    const Term *t = &label->term[k];
    const HyFormula *n = hy_formula_number(s->c->pool, ABS(t->n));
    sum_add(s, t->n < 0 ? -sign : sign, formula_join(s->c, n, '*', circuit_name(s->c, t->name)->f));
  }
}

void sum_scaled(Sum *s, gint sign, const HyFormula *factor, const Label *label)
{
  gboolean negative = label->n == 1 && label->term[0].n < 0;
  const Label *positive = negative ? label_plus(s->c, s->c->nothing, -1, label) : label;
  sum_add(s, negative ? -sign : sign, formula_join(s->c, factor, '*', formula_of(s->c, positive)));
}

/* Of numbers alone, from left to right. FALSE: they are not. */
static gboolean sum_numbers(const Sum *s, double *v)
{
  *v = 0.0;
  for (guint k = 0; k < s->child->len; k++) {
    const HyFormula *f = s->child->pdata[k];
    if (f->kind != HY_F_NUMBER) {
      return FALSE;
    }
    *v += s->ops->str[k] == '-' ? -f->number : f->number;
  }
  return TRUE;
}

/* The first that is added comes first. */
static const HyFormula *sum_chain(Sum *s)
{
  HyFormulaPool *pool = s->c->pool;
  char *plus = strchr(s->ops->str, '+');
  guint n = s->child->len;
  if (plus != NULL && plus != s->ops->str) {
    gsize k = (gsize)(plus - s->ops->str);
    gpointer first = s->child->pdata[k];
    memmove(s->child->pdata + 1, s->child->pdata, k * sizeof first);
    memmove(s->ops->str + 1, s->ops->str, k);
    s->child->pdata[0] = first;
    s->ops->str[0] = '+';
  } else if (plus == NULL) {
    s->child->pdata[0] = hy_key(hy_formula_negative(pool, s->child->pdata[0]));
  }
  return hy_formula_chain(pool, HY_F_SUM, (const HyFormula *const *)s->child->pdata, s->ops->str,
                          n);
}

const HyFormula *sum_end(Sum *s)
{
  double v;
  gboolean numbers = sum_numbers(s, &v);
  const HyFormula *f = numbers ? hy_formula_number(s->c->pool, v) : sum_chain(s);
  g_ptr_array_unref(s->child);
  g_string_free(s->ops, TRUE);
  return f;
}

const HyFormula *formula_of(HyCircuit *c, const Label *label)
{
  Sum s = sum_begin(c);
  sum_label(&s, 1, label);
  return sum_end(&s);
}

/* Products ------------------------------------------------------------------------------------- */

gboolean name_is_zero(const HyCircuit *c, guint32 name)
{
  return formula_is(circuit_name(c, name)->f, 0.0);
}

gboolean formula_is(const HyFormula *f, double v)
{
  return f->kind == HY_F_NUMBER && f->number == v;
}

const HyFormula *formula_join(HyCircuit *c, const HyFormula *a, char op, const HyFormula *b)
{
  if (a->kind == HY_F_NUMBER && b->kind == HY_F_NUMBER) {
    return hy_formula_number(c->pool, op == '*' ? a->number * b->number : a->number / b->number);
  }
  if (formula_is(b, 1.0) || (formula_is(a, 0.0) && op == '*')) {
    return a;
  }
  if (op == '*' && (formula_is(a, 1.0) || formula_is(b, 0.0))) {
    return b;
  }
  const HyFormula *child[] = {a, b};
  const char ops[] = {op, op};
  return hy_formula_chain(c->pool, HY_F_PRODUCT, child, ops, 2);
}

const HyFormula *formula_conducted(HyCircuit *c, const HyFormula *g, const HyFormula *r,
                                   const Label *label)
{
  gboolean known = r != NULL && r->kind == HY_F_NUMBER;
  gboolean negative = label->n == 1 && label->term[0].n < 0;
  const Label *positive = negative ? label_plus(c, c->nothing, -1, label) : label;
  const HyFormula *v = formula_of(c, positive);
  const HyFormula *i = known ? formula_join(c, v, '/', r) : formula_join(c, g, '*', v);
  return negative ? hy_formula_negative(c->pool, i) : i;
}

const HyFormula *factor_define(HyCircuit *c, const char *what, const char *where,
                               const HyFormula *f)
{
  return f->kind == HY_F_NUMBER || f->kind == HY_F_REF
             ? f
             : circuit_name(c, name_define(c, what, where, f)->term[0].name)->f;
}

const HyFormula *branch_size(HyCircuit *c, const HyBranch *b)
{
  return b->size != NULL ? hy_formula_ref(c->pool, b->size) : hy_formula_number(c->pool, b->value);
}

const HyFormula *branch_drop(HyCircuit *c, const HyBranch *b)
{
  const HyFormula *drop = b->drop_signal != NULL ? hy_formula_ref(c->pool, b->drop_signal)
                                                 : hy_formula_number(c->pool, b->drop);
  return b->on != NULL ? formula_join(c, drop, '*', hy_formula_ref(c->pool, b->on)) : drop;
}
