/* Sources that read the circuit: the windings of ideal transformers, one a source of voltage and
 * one of current, each set by the other.
 *
 * All else has been solved with their values y as names, so what sets them is alpha + beta y, where
 * beta is made of conductances alone: each definition is linear in y, and so is taken apart,
 * alpha with y at 0, beta by its factors. Then (1 - k beta) y = k alpha is eliminated in the order
 * of the windings, voltage first: of a transformer by itself the second pivot is 1 + a b, where a
 * and b are above 0. */
#include "internal.h"

#include <math.h>

typedef struct {
  HyCircuit *c;
  guint n, n_names;
  guint32 *y;              /* [n] names */
  guint8 *names_y;         /* [names]: y stands in it, even if it cancels */
  const HyFormula **alpha; /* [names]: with y at 0 */
  const HyFormula **beta;  /* [n][names]; NULL: 0 */
  const HyFormula **a;     /* [n][n + 1]: the matrix and its right side */
} Unknown;

/* Taking apart --------------------------------------------------------------------------------- */

static const HyFormula *unknown_zero(const Unknown *u)
{
  return hy_formula_number(u->c->pool, 0.0);
}

/* Conductances are no names of the circuit: they are what they are. */
static const HyFormula *unknown_ref(const Unknown *u, const HyFormula *ref,
                                    const HyFormula *const *part, gboolean one)
{
  guint32 name = GPOINTER_TO_UINT(g_hash_table_lookup(u->c->by_name, ref->ref.name));
  const HyFormula *p = name > 0 ? part[name - 1] : one ? NULL : ref;
  return p != NULL ? p : unknown_zero(u);
}

/* The part of F with PART in place of its names: alpha (ONE FALSE), or by y (ONE TRUE), where only
 * one factor of a product has any. */
static const HyFormula *unknown_part(const Unknown *u, const HyFormula *f,
                                     const HyFormula *const *part, gboolean one)
{
  HyCircuit *c = u->c;
  if (f->kind == HY_F_NUMBER) {
    return one ? unknown_zero(u) : f;
  }
  if (f->kind == HY_F_REF) {
    return unknown_ref(u, f, part, one);
  }
  if (f->kind == HY_F_NEG) {
    return hy_formula_negative(c->pool, unknown_part(u, f->child[0], part, one));
  }
  if (f->kind == HY_F_SUM) {
    Sum s = sum_begin(c);
    for (guint32 k = 0; k < f->n; k++) {
      sum_add(&s, k > 0 && f->ops[k] == '-' ? -1 : 1, unknown_part(u, f->child[k], part, one));
    }
    return sum_end(&s);
  }
  const HyFormula *product = NULL;
  gboolean any = FALSE;
  for (guint32 k = 0; k < f->n; k++) {
    const HyFormula *p = unknown_part(u, f->child[k], part, one);
    gboolean has = one && !formula_is(p, 0.0);
    any |= has;
    p = one && !has ? f->child[k] : p;
    product = product == NULL ? p : formula_join(c, product, f->ops[k], p);
  }
  return one && !any ? unknown_zero(u) : product;
}

/* A number or a name in place of a longer formula. */
static const HyFormula *unknown_define(const Unknown *u, const char *what, guint32 name,
                                       const HyFormula *f)
{
  gboolean short_enough = f->kind == HY_F_NUMBER || f->kind == HY_F_REF;
  const char *of = circuit_name(u->c, name)->f->ref.name;
  return short_enough ? f : circuit_name(u->c, name_define(u->c, what, of, f)->term[0].name)->f;
}

static gboolean unknown_stands_in(const Unknown *u, const HyFormula *f)
{
  if (f->kind == HY_F_REF) {
    guint32 name = GPOINTER_TO_UINT(g_hash_table_lookup(u->c->by_name, f->ref.name));
    return name > 0 && u->names_y[name - 1];
  }
  gboolean any = FALSE;
  for (guint32 k = 0; f->kind != HY_F_NUMBER && k < f->n; k++) {
    any |= unknown_stands_in(u, f->child[k]);
  }
  return any;
}

/* In the order of names, in which each stands behind those it is made of. */
static void unknown_take_apart(Unknown *u)
{
  for (guint32 k = 0; k < u->n_names; k++) {
    const HyFormula *definition = circuit_name(u->c, k)->definition;
    u->alpha[k] = circuit_name(u->c, k)->f;
    gboolean any = definition != NULL && unknown_stands_in(u, definition);
    for (guint j = 0; j < u->n; j++) {
      const HyFormula **beta = u->beta + (gsize)j * u->n_names;
      if (u->y[j] == k) {
        beta[k] = hy_formula_number(u->c->pool, 1.0);
        u->alpha[k] = NULL;
        u->names_y[k] = TRUE;
      } else if (any) {
        const HyFormula *f = unknown_part(u, definition, beta, TRUE);
        beta[k] = formula_is(f, 0.0) ? NULL : unknown_define(u, "by", k, f);
      }
    }
    u->names_y[k] |= any;
    if (any) {
      const HyFormula *f = unknown_part(u, definition, u->alpha, FALSE);
      u->alpha[k] = formula_is(f, 0.0) ? NULL : unknown_define(u, "at0", k, f);
    }
  }
}

/* Solving -------------------------------------------------------------------------------------- */

/* What sets the winding of branch K: K times a voltage or a current. */
static const HyFormula *unknown_control(HyCircuit *c, const Branch *b, double *factor)
{
  const Branch *other = circuit_branch(c, b->other);
  gboolean voltage = b->is.kind == HY_BRANCH_VOLTAGE;
  *factor = voltage ? b->times : -1.0 / b->times;
  return voltage ? hy_circuit_voltage(c, other->is.a, other->is.b) : formula_of(c, other->current);
}

static const HyFormula **unknown_at(const Unknown *u, guint i, guint j)
{
  return &u->a[(gsize)i * (u->n + 1) + j];
}

/* Row I: y - k beta y = k alpha. */
static void unknown_row(Unknown *u, guint i)
{
  HyCircuit *c = u->c;
  double k;
  const Branch *b = circuit_branch(c, circuit_name(c, u->y[i])->branch);
  const HyFormula *control = unknown_control(c, b, &k);
  const HyFormula *factor = hy_formula_number(c->pool, k);
  for (guint j = 0; j < u->n; j++) {
    const HyFormula *beta = unknown_part(u, control, u->beta + (gsize)j * u->n_names, TRUE);
    Sum s = sum_begin(c);
    sum_add(&s, 1, hy_formula_number(c->pool, i == j));
    sum_add(&s, -1, formula_join(c, factor, '*', beta));
    *unknown_at(u, i, j) = factor_define(c, "m", b->is.name, sum_end(&s));
  }
  const HyFormula *alpha = unknown_part(u, control, u->alpha, FALSE);
  *unknown_at(u, i, u->n) = factor_define(c, "m", b->is.name, formula_join(c, factor, '*', alpha));
}

#define SINGULAR 1e-12 /* of 1: a pivot that is a number, and rounding */

/* Column K of the rows below K becomes 0. FALSE: its pivot is the number 0. */
static gboolean unknown_eliminate(Unknown *u, guint k)
{
  HyCircuit *c = u->c;
  const HyFormula *pivot = *unknown_at(u, k, k);
  if (pivot->kind == HY_F_NUMBER && fabs(pivot->number) < SINGULAR) {
    return FALSE;
  }
  for (guint i = k + 1; i < u->n; i++) {
    if (formula_is(*unknown_at(u, i, k), 0.0)) {
      continue;
    }
    const HyFormula *f =
        factor_define(c, "m", "f", formula_join(c, *unknown_at(u, i, k), '/', pivot));
    for (guint j = k + 1; j <= u->n; j++) {
      if (!formula_is(*unknown_at(u, k, j), 0.0)) {
        Sum s = sum_begin(c);
        sum_add(&s, 1, *unknown_at(u, i, j));
        sum_add(&s, -1, formula_join(c, f, '*', *unknown_at(u, k, j)));
        *unknown_at(u, i, j) = factor_define(c, "m", "a", sum_end(&s));
      }
    }
  }
  return TRUE;
}

static void unknown_back(Unknown *u, guint i)
{
  HyCircuit *c = u->c;
  Sum s = sum_begin(c);
  sum_add(&s, 1, *unknown_at(u, i, u->n));
  for (guint j = i + 1; j < u->n; j++) {
    sum_add(&s, -1, formula_join(c, *unknown_at(u, i, j), '*', circuit_name(c, u->y[j])->f));
  }
  circuit_name(c, u->y[i])->definition = formula_join(c, sum_end(&s), '/', *unknown_at(u, i, i));
}

static gboolean unknown_impossible(const Unknown *u)
{
  g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(guint32));
  for (guint k = 0; k < u->n; k += 2) {
    g_array_append_val(all, circuit_name(u->c, u->y[k])->branch);
  }
  return circuit_wrong(u->c, all, "the windings of ", " determine one another, and nothing else");
}

gboolean unknown_solve(HyCircuit *c)
{
  Unknown u = {.c = c, .n_names = c->names->len};
  u.y = g_new(guint32, c->branches->len);
  for (guint32 k = 0; k < c->branches->len; k++) { /* of each transformer voltage first */
    const Branch *b = circuit_branch(c, k);
    if (b->other != NONE && b->other > k) {
      gboolean voltage = b->is.kind == HY_BRANCH_VOLTAGE;
      u.y[u.n++] = voltage ? b->name : circuit_branch(c, b->other)->name;
      u.y[u.n++] = voltage ? circuit_branch(c, b->other)->name : b->name;
    }
  }
  gboolean ok = TRUE;
  if (u.n > 0) {
    u.names_y = g_new0(guint8, u.n_names);
    u.alpha = g_new0(const HyFormula *, u.n_names);
    u.beta = g_new0(const HyFormula *, (gsize)u.n *u.n_names);
    u.a = g_new0(const HyFormula *, (gsize)u.n *(u.n + 1));
    unknown_take_apart(&u);
    for (guint i = 0; i < u.n; i++) {
      unknown_row(&u, i);
    }
    for (guint k = 0; k < u.n && ok; k++) {
      ok = unknown_eliminate(&u, k);
    }
    for (guint i = u.n; ok && i-- > 0;) {
      unknown_back(&u, i);
    }
    ok = ok || unknown_impossible(&u);
  }
  g_free(u.y);
  g_free(u.names_y);
  g_free(u.alpha);
  g_free(u.beta);
  g_free(u.a);
  return ok;
}
