/* Sources that read their own circuit: value="2*R.i + u" as what they read times factors, and the
 * rest. Only readings that are no states count: a voltage of a capacitor or a current of an
 * inductor is known at any time, as signals from outside are. What is not affine in readings is a
 * formula like any other, and an algebraic loop if it follows from itself. A reading may come by
 * way of ports between circuits of the network, times numbers there.
 *
 * A choice is two sides times a mode m: if(c, a, b) = m a + (1 - m) b, where m is a signal of its
 * own, so that all factors of the source change together. */
#include "language/circuits.h"
#include "language/names.h"
#include "language/network.h"

#include <string.h>

typedef struct {
  Network *n;
  Env *env;
  HyFormulaPool *pool;
  const char *name; /* of the source */
  Affine *out;
  gboolean through; /* behind a port: other signals there have no name at this side */
} Split;

/* What stands before a part of the value: FACTOR, while GUARD, a product of modes, is 1. */
typedef struct {
  const HyFormula *factor, *guard;
} Weight;

static gboolean reads(const Split *s, const HyFormula *f)
{
  return hy_reads_at_once(s->env, f);
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
  if (b->kind == HY_F_NUMBER && b->number == 1.0 && op != '+') {
    return a;
  }
  const HyFormula *child[] = {a, b};
  const char ops[] = {op, op};
  return hy_formula_chain(s->pool, op == '+' ? HY_F_SUM : HY_F_PRODUCT, child, ops, 2);
}

static Weight times(const Split *s, Weight w, char op, const HyFormula *f)
{
  return (Weight){join(s, w.factor, op, f), w.guard};
}

static Weight less(const Split *s, Weight w)
{
  return (Weight){join(s, hy_formula_number(s->pool, -1.0), '*', w.factor), w.guard};
}

/* A sum of products of names and numbers is finite whatever its names are. */
static gboolean is_finite(const HyFormula *f)
{
  gboolean all = f->kind == HY_F_NUMBER || f->kind == HY_F_REF || f->kind == HY_F_NEG ||
                 f->kind == HY_F_SUM || f->kind == HY_F_PRODUCT;
  for (guint32 k = 0; all && f->kind != HY_F_NUMBER && f->kind != HY_F_REF && k < f->n; k++) {
    gboolean divides = f->kind == HY_F_PRODUCT && k > 0 && f->ops[k] == '/';
    all = is_finite(f->child[k]) && (!divides || f->child[k]->kind == HY_F_NUMBER);
  }
  return all;
}

/* F while the guard is 1, else 0; what may have no value then is not looked at. */
static const HyFormula *guarded(const Split *s, const HyFormula *guard, const HyFormula *f)
{
  if (guard == NULL || is_finite(f)) {
    gboolean nothing = f->kind == HY_F_NUMBER && f->number == 0.0;
    return nothing ? f : guard != NULL ? join(s, guard, '*', f) : f;
  }
  const HyFormula *half = hy_formula_number(s->pool, 0.5), *zero = hy_formula_number(s->pool, 0.0);
  return hy_formula_choose(s->pool, hy_formula_compare(s->pool, guard, '>', half), f, zero);
}

static void add_control(const Split *s, HyControl x, Weight w, double sign)
{
  w = sign < 0 ? less(s, w) : w;
  x.factor = guarded(s, w.guard, w.factor);
  g_array_append_val(s->out->controls, x);
}

/* Reading REF times W; a transistor has the current of its switch less that of its diode. */
static void add_reading(const Split *s, const HyFormula *ref, Weight w)
{
  guint32 copy;
  const Entry *entry = hy_reading_of(s->env, ref, &copy);
  HyControl x = {.kind = HY_CONTROL_BETWEEN};
  gboolean current = ref->ref.port[0] == 'i';
  if (hy_is_node(entry)) {
    x.a = hy_network_node(s->n, copy)->number;
    g_array_index(s->n->node_uses, guint, x.a)++; /* no misspelt one */
  } else {
    const Element *e = hy_network_element(s->n, s->env->scope->first_element[entry->slot] + copy);
    gboolean second = ref->n_port_index > 0 && ref->ref.at[ref->n_index] == 2;
    x.kind = current ? HY_CONTROL_CURRENT : HY_CONTROL_ACROSS;
    x.a = second ? e->second : e->branch;
    if (e->kind == HY_EXPONENTIAL) {
      HyControl series = {.kind = x.kind, .a = e->branch};
      x.a = e->second;
      if (current) {
        add_control(s, series, w, 1);
      }
    } else if (e->kind == HY_TRANSISTOR && current) {
      HyControl diode = {.kind = x.kind, .a = e->second};
      add_control(s, diode, w, -1);
    } else if (e->kind == HY_PROBE) {
      x = (HyControl){.kind = HY_CONTROL_BETWEEN, .a = e->node[0], .b = e->node[1]};
    }
    if (e->kind == HY_PROBE && current) {
      return; /* it takes none */
    }
  }
  add_control(s, x, w, 1);
}

/* Modes ---------------------------------------------------------------------------------------- */

/* It is 1 or 0: whether an element of the circuit is on. */
static gboolean is_on(const Split *s, const HyFormula *f)
{
  const Entry *e = f->kind == HY_F_REF && !f->own ? hy_scope_find_ref(s->env->scope, f) : NULL;
  return e != NULL && hy_is_element(e) && f->ref.port != NULL && strcmp(f->ref.port, "on") == 0;
}

static const HyFormula *mode_of(const Split *s, const HyFormula *condition);

static const HyFormula *other_mode(const Split *s, const HyFormula *mode)
{
  const HyFormula *child[] = {hy_formula_number(s->pool, 1.0), mode};
  return hy_formula_chain(s->pool, HY_F_SUM, child, "+-", 2);
}

/* F with its choices by the modes of the source: a condition about a choice. */
static const HyFormula *by_modes(const Split *s, const HyFormula *f)
{
  if (f->kind == HY_F_NUMBER || f->kind == HY_F_REF || f->kind == HY_F_NOTHING) {
    return f;
  }
  g_autofree const HyFormula **child = g_new(const HyFormula *, f->n);
  for (guint32 k = 0; k < f->n; k++) {
    child[k] = by_modes(s, f->child[k]);
  }
  if (!hy_formula_is_if(f) || f->n != 3) {
    return hy_formula_like(s->pool, f, child);
  }
  const HyFormula *mode = mode_of(s, child[0]);
  return join(s, guarded(s, mode, child[1]), '+', guarded(s, other_mode(s, mode), child[2]));
}

/* The signal that is 1 while CONDITION holds, else 0. */
static const HyFormula *mode_of(const Split *s, const HyFormula *condition)
{
  const HyFormula *f = by_modes(s, condition);
  gboolean above = f->kind == HY_F_COMPARE && f->ops[1] == '>' && is_on(s, f->child[0]) &&
                   f->child[1]->kind == HY_F_NUMBER && f->child[1]->number >= 0.0 &&
                   f->child[1]->number < 1.0;
  if (above || is_on(s, f)) {
    return above ? f->child[0] : f;
  }
  if (f->kind < HY_F_COMPARE || f->kind > HY_F_OR) {
    f = hy_formula_compare(s->pool, f, '!', hy_formula_number(s->pool, 0.0));
  }
  GPtrArray *modes = s->out->modes;
  guint k = 0;
  while (k < modes->len && !hy_formula_equal(g_ptr_array_index(modes, k), f)) {
    k++;
  }
  if (k == modes->len) {
    g_ptr_array_add(modes, hy_key(f));
  }
  g_autofree char *what = g_strdup_printf(":if%u", k + 1);
  return hy_formula_ref(s->pool, hy_network_signal(s->n, s->name, what));
}

/* ---------------------------------------------------------------------------------------------- */

static gboolean split(const Split *s, const HyFormula *f, Weight w);

/* A reading, or one behind a port. */
static gboolean split_ref(const Split *s, const HyFormula *ref, Weight w)
{
  guint32 copy;
  if (hy_reading_of(s->env, ref, &copy) != NULL) {
    add_reading(s, ref, w);
    return TRUE;
  }
  Env env;
  const HyFormula *f = hy_behind(s->env, ref, &env);
  Split there = *s;
  there.env = &env;
  there.through = TRUE;
  gboolean ok = f != NULL && split(&there, f, w);
  if (f != NULL) {
    hy_behind_done(s->env);
  }
  return ok;
}

/* Whether F, which reads nothing of the network, can stand in a factor or the rest. */
static gboolean can_stand(const Split *s, const HyFormula *f)
{
  return !s->through || f->kind == HY_F_NUMBER;
}

/* FALSE: two factors read the circuit, or what it is divided by. */
static gboolean split_product(const Split *s, const HyFormula *f, Weight w)
{
  const HyFormula *reading = NULL;
  for (guint32 k = 0; k < f->n; k++) {
    gboolean divides = k > 0 && f->ops[k] == '/';
    if (!reads(s, f->child[k])) {
      if (!can_stand(s, f->child[k])) {
        return FALSE;
      }
      w = times(s, w, divides ? '/' : '*', f->child[k]);
      continue;
    }
    if (reading != NULL || divides) {
      return FALSE;
    }
    reading = f->child[k];
  }
  g_assert(reading != NULL);
  return split(s, reading, w);
}

static gboolean split_choice(const Split *s, const HyFormula *f, Weight w)
{
  const HyFormula *one = hy_formula_number(s->pool, 1.0), *mode = mode_of(s, f->child[0]);
  const HyFormula *guard = w.guard != NULL ? w.guard : one;
  return f->n == 3 && split(s, f->child[1], (Weight){w.factor, join(s, guard, '*', mode)}) &&
         split(s, f->child[2], (Weight){w.factor, join(s, guard, '*', other_mode(s, mode))});
}

/* W times F to what has been found. FALSE: it is not affine in what it reads. */
static gboolean split(const Split *s, const HyFormula *f, Weight w)
{
  g_assert(f != NULL);
  if (!reads(s, f)) {
    const HyFormula *more = guarded(s, w.guard, join(s, w.factor, '*', f));
    s->out->rest = join(s, s->out->rest, '+', more);
    return can_stand(s, f);
  }
  switch (f->kind) {
  case HY_F_REF:
    return split_ref(s, f, w);
  case HY_F_NEG:
    return split(s, f->child[0], less(s, w));
  case HY_F_PRODUCT:
    return split_product(s, f, w);
  case HY_F_CALL:
    return hy_formula_is_if(f) && !s->through && split_choice(s, f, w);
  case HY_F_SUM:
    for (guint32 k = 0; k < f->n; k++) {
      gboolean minus = k > 0 && f->ops[k] == '-';
      if (!split(s, f->child[k], minus ? less(s, w) : w)) {
        return FALSE;
      }
    }
    return TRUE;
  default:
    return FALSE;
  }
}

void hy_affine_clear(Affine *a)
{
  g_clear_pointer(&a->controls, g_array_unref);
  g_clear_pointer(&a->modes, g_ptr_array_unref);
}

gboolean hy_controls_split(Network *n, const char *name, Said *said, Affine *out)
{
  Split s = {n, &said->env, n->loader->scratch, name, out, FALSE};
  n->ports = HY_MOST_PORTS;
  const HyFormula *f = said->formula != NULL ? hy_readings_open(&said->env, said->formula) : NULL;
  *out = (Affine){.rest = hy_formula_number(s.pool, 0.0)};
  if (f == NULL || !reads(&s, f)) {
    return FALSE;
  }
  out->controls = g_array_new(FALSE, FALSE, sizeof(HyControl));
  out->modes = g_ptr_array_new();
  if (!split(&s, f, (Weight){hy_formula_number(s.pool, 1.0), NULL})) {
    hy_affine_clear(out);
    return FALSE;
  }
  return TRUE;
}
