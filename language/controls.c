/* Sources that read their own circuit: value="2*R.i + u" as what they read times factors, and the
 * rest. Only readings that are no states count: a voltage of a capacitor or a current of an
 * inductor is known at any time, as signals from outside are. What is not affine in readings is a
 * formula like any other, and an algebraic loop if it follows from itself. */
#include "language/names.h"
#include "language/network.h"

#include <string.h>

typedef struct {
  Network *n;
  Env *env;
  HyFormulaPool *pool;
  Affine *out;
} Split;

/* The element or node of this circuit whose reading REF is, no state; NULL: it is a signal. */
static const Entry *reading_of(const Split *s, const HyFormula *ref, guint32 *copy)
{
  const Entry *e = ref->own ? NULL : hy_scope_find(s->n->scope, ref->ref.name);
  if (e == NULL || !hy_is_element(e) || ref->ref.port == NULL) {
    return NULL;
  }
  char port = ref->ref.port[0];
  if (!hy_is_node(e)) {
    HyElementKind kind = hy_element_kind(e->klass);
    gboolean state = (kind == HY_CAPACITOR && port == 'v') || (kind == HY_INDUCTOR && port == 'i');
    if (state || port == 'o') {
      return NULL;
    }
  }
  *copy = hy_which_copy(s->env, e, ref, ref->ref.at, NULL);
  return *copy < COPY_AFTER ? e : NULL;
}

static gboolean reads(const Split *s, const HyFormula *f)
{
  guint32 copy;
  if (f->kind == HY_F_REF) {
    return reading_of(s, f, &copy) != NULL;
  }
  gboolean any = FALSE;
  for (guint32 k = 0; f->kind != HY_F_NUMBER && k < f->n; k++) {
    any |= reads(s, f->child[k]);
  }
  return any;
}

/* A op B; numbers are computed. */
static const HyFormula *join(const Split *s, const HyFormula *a, char op, const HyFormula *b)
{
  if (a->kind == HY_F_NUMBER && b->kind == HY_F_NUMBER) {
    double v = op == '*'   ? a->number * b->number
               : op == '/' ? a->number / b->number
                           : a->number + b->number;
    return hy_formula_number(s->pool, v);
  }
  if (a->kind == HY_F_NUMBER && a->number == (op == '+' ? 0.0 : 1.0) && op != '/') {
    return b;
  }
  const HyFormula *child[] = {a, b};
  const char ops[] = {op, op};
  return hy_formula_chain(s->pool, op == '+' ? HY_F_SUM : HY_F_PRODUCT, child, ops, 2);
}

static void add_control(const Split *s, HyControl x, const HyFormula *factor, double sign)
{
  x.factor = sign < 0 ? join(s, hy_formula_number(s->pool, -1.0), '*', factor) : factor;
  g_array_append_val(s->out->controls, x);
}

/* Reading REF times FACTOR; a transistor has the current of its switch less that of its diode. */
static void add_reading(const Split *s, const HyFormula *ref, const HyFormula *factor)
{
  guint32 copy;
  const Entry *entry = reading_of(s, ref, &copy);
  HyControl x = {.kind = HY_CONTROL_BETWEEN, .a = copy};
  gboolean current = ref->ref.port[0] == 'i';
  if (!hy_is_node(entry)) {
    const Element *e = hy_network_element(s->n, s->n->first[entry->slot] + copy);
    gboolean second = ref->n_port_index > 0 && ref->ref.at[ref->n_index] == 2;
    x.kind = current ? HY_CONTROL_CURRENT : HY_CONTROL_ACROSS;
    x.a = second ? e->second : e->branch;
    if (e->kind == HY_TRANSISTOR && current) {
      HyControl diode = {.kind = x.kind, .a = e->second};
      add_control(s, diode, factor, -1);
    } else if (e->kind == HY_PROBE) {
      x = (HyControl){.kind = HY_CONTROL_BETWEEN, .a = e->node[0], .b = e->node[1]};
    }
    if (e->kind == HY_PROBE && current) {
      return; /* it takes none */
    }
  }
  add_control(s, x, factor, 1);
}

static gboolean split(const Split *s, const HyFormula *f, const HyFormula *factor);

/* FALSE: two factors read the circuit, or what it is divided by. */
static gboolean split_product(const Split *s, const HyFormula *f, const HyFormula *factor)
{
  const HyFormula *reading = NULL;
  for (guint32 k = 0; k < f->n; k++) {
    gboolean divides = k > 0 && f->ops[k] == '/';
    if (!reads(s, f->child[k])) {
      factor = join(s, factor, divides ? '/' : '*', f->child[k]);
      continue;
    }
    if (reading != NULL || divides) {
      return FALSE;
    }
    reading = f->child[k];
  }
  g_assert(reading != NULL);
  return split(s, reading, factor);
}

/* FACTOR times F to what has been found. FALSE: it is not affine in what it reads. */
static gboolean split(const Split *s, const HyFormula *f, const HyFormula *factor)
{
  const HyFormula *minus = hy_formula_number(s->pool, -1.0);
  g_assert(f != NULL);
  if (!reads(s, f)) {
    s->out->rest = join(s, s->out->rest, '+', join(s, factor, '*', f));
    return TRUE;
  }
  switch (f->kind) {
  case HY_F_REF:
    add_reading(s, f, factor);
    return TRUE;
  case HY_F_NEG:
    return split(s, f->child[0], join(s, minus, '*', factor));
  case HY_F_PRODUCT:
    return split_product(s, f, factor);
  case HY_F_SUM:
    for (guint32 k = 0; k < f->n; k++) {
      gboolean less = k > 0 && f->ops[k] == '-';
      if (!split(s, f->child[k], less ? join(s, minus, '*', factor) : factor)) {
        return FALSE;
      }
    }
    return TRUE;
  default:
    return FALSE;
  }
}

gboolean hy_controls_split(Network *n, Said *said, Affine *out)
{
  Split s = {n, &said->env, n->loader->scratch, out};
  out->controls = g_array_new(FALSE, FALSE, sizeof(HyControl));
  out->rest = hy_formula_number(s.pool, 0.0);
  if (said->formula == NULL || !reads(&s, said->formula) ||
      !split(&s, said->formula, hy_formula_number(s.pool, 1.0))) {
    g_clear_pointer(&out->controls, g_array_unref);
    return FALSE;
  }
  return TRUE;
}
