/* Sources that read the circuit: controlled ones, and the windings of ideal transformers, one a
 * source of voltage and one of current, each set by the other.
 *
 * All else has been solved with their values y as names, so what sets them is alpha + beta y, where
 * beta is made of conductances alone: each definition is linear in y, and so is taken apart,
 * alpha with y at 0, beta by its factors. Then (1 - k beta) y = rest + k alpha is eliminated, first
 * the windings, voltage before current: of a transformer by itself the second pivot is 1 + a b,
 * where a and b are above 0. Rows change places where the pivot is a number that is small beside
 * others of its column; what modes make of a pivot that is a formula is known only in the run. */
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
  double *scale;           /* [n][n + 1]: the largest number that an element was made of */
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

/* Rows ----------------------------------------------------------------------------------------- */

static Branch *unknown_branch(const Unknown *u, guint i)
{
  return circuit_branch(u->c, circuit_name(u->c, u->y[i])->branch);
}

/* What sets the winding of a transformer: the other. */
static HyControl unknown_winding(const HyCircuit *c, const Branch *b)
{
  const HyBranch *other = &circuit_branch(c, b->other)->is;
  gboolean voltage = b->is.kind == HY_BRANCH_VOLTAGE;
  HyControl x = {.kind = voltage ? HY_CONTROL_BETWEEN : HY_CONTROL_CURRENT};
  x.a = voltage ? other->a : b->other;
  x.b = other->b;
  x.factor = hy_formula_number(c->pool, voltage ? b->times : -1.0 / b->times);
  return x;
}

static const HyFormula *unknown_read(HyCircuit *c, const HyControl *x)
{
  switch (x->kind) {
  case HY_CONTROL_CURRENT:
    return hy_circuit_current(c, x->a);
  case HY_CONTROL_ACROSS:
    return hy_circuit_across(c, x->a);
  default:
    return hy_circuit_voltage(c, x->a, x->b);
  }
}

static const HyFormula **unknown_at(const Unknown *u, guint i, guint j)
{
  return &u->a[(gsize)i * (u->n + 1) + j];
}

/* F is added to that element, or subtracted. */
static void unknown_scale(Unknown *u, guint i, guint j, const HyFormula *f)
{
  double *scale = &u->scale[(gsize)i * (u->n + 1) + j];
  *scale = f->kind == HY_F_NUMBER ? fmax(*scale, fabs(f->number)) : *scale;
}

/* Row I: y - k beta y = rest + k alpha, summed over its controls. */
static void unknown_row(Unknown *u, guint i)
{
  HyCircuit *c = u->c;
  const Branch *b = unknown_branch(u, i);
  gboolean winding = b->other != NONE;
  HyControl one = winding ? unknown_winding(c, b) : (HyControl){.a = 0};
  guint n = winding ? 1 : b->n_controls;
  const HyControl *x = winding ? &one : (const HyControl *)(gpointer)c->controls->data + b->control;
  g_autofree const HyFormula **reads = g_new(const HyFormula *, (gsize)n + 1);
  for (guint k = 0; k < n; k++) {
    reads[k] = unknown_read(c, &x[k]);
  }
  for (guint j = 0; j <= u->n; j++) {
    gboolean right = j == u->n;
    const HyFormula *const *part = right ? u->alpha : u->beta + (gsize)j * u->n_names;
    Sum s = sum_begin(c);
    u->scale[(gsize)i * (u->n + 1) + j] = i == j;
    sum_add(&s, 1, !right || winding ? hy_formula_number(c->pool, i == j) : b->rest);
    for (guint k = 0; k < n; k++) {
      const HyFormula *f =
          formula_join(c, x[k].factor, '*', unknown_part(u, reads[k], part, !right));
      unknown_scale(u, i, j, f);
      sum_add(&s, right ? 1 : -1, f);
    }
    *unknown_at(u, i, j) = factor_define(c, "m", b->is.name, sum_end(&s));
  }
}

/* Elimination ---------------------------------------------------------------------------------- */

#define SINGULAR 1e-12 /* of what a number was made of: it is 0 but for rounding */
#define SMALL    1e-3  /* beside the largest number of its column: another pivot is better */

/* How large an element is; of formulas -1, of nothing 0. */
static double unknown_size(const Unknown *u, guint i, guint j)
{
  const HyFormula *f = *unknown_at(u, i, j);
  double size = f->kind == HY_F_NUMBER ? fabs(f->number) : -1.0;
  double nothing = SINGULAR * u->scale[(gsize)i * (u->n + 1) + j];
  return size >= 0.0 && size < nothing ? 0.0 : size;
}

/* The row at or below K whose pivot is taken: K unless it is a small number; n: there is none. */
static guint unknown_pivot(const Unknown *u, guint k)
{
  double own = unknown_size(u, k, k), most = own;
  guint best = k, formula = u->n;
  for (guint i = k + 1; i < u->n && own >= 0.0; i++) {
    double size = unknown_size(u, i, k);
    formula = size < 0.0 && formula == u->n ? i : formula;
    if (size > most) {
      most = size;
      best = i;
    }
  }
  if (own < 0.0 || (own > 0.0 && own >= SMALL * most)) {
    return k;
  }
  return most > 0.0 ? best : formula;
}

static void unknown_swap(Unknown *u, guint a, guint b)
{
  for (guint j = 0; a != b && j <= u->n; j++) {
    const HyFormula *f = *unknown_at(u, a, j);
    *unknown_at(u, a, j) = *unknown_at(u, b, j);
    *unknown_at(u, b, j) = f;
    double *x = &u->scale[(gsize)a * (u->n + 1) + j], *y = &u->scale[(gsize)b * (u->n + 1) + j];
    double scale = *x;
    *x = *y;
    *y = scale;
  }
}

/* Row I less F times row K. */
static void unknown_subtract(Unknown *u, guint i, guint k, const HyFormula *f)
{
  HyCircuit *c = u->c;
  for (guint j = k + 1; j <= u->n; j++) {
    if (!formula_is(*unknown_at(u, k, j), 0.0)) {
      const HyFormula *less = formula_join(c, f, '*', *unknown_at(u, k, j));
      Sum s = sum_begin(c);
      sum_add(&s, 1, *unknown_at(u, i, j));
      sum_add(&s, -1, less);
      unknown_scale(u, i, j, less);
      *unknown_at(u, i, j) = factor_define(c, "m", "a", sum_end(&s));
    }
  }
}

/* Column K of the rows below K becomes 0. FALSE: no pivot is there. */
static gboolean unknown_eliminate(Unknown *u, guint k)
{
  HyCircuit *c = u->c;
  guint row = unknown_pivot(u, k);
  if (row == u->n) {
    return FALSE;
  }
  unknown_swap(u, k, row);
  const HyFormula *pivot = *unknown_at(u, k, k);
  for (guint i = k + 1; i < u->n; i++) {
    if (!formula_is(*unknown_at(u, i, k), 0.0)) {
      const HyFormula *f = formula_join(c, *unknown_at(u, i, k), '/', pivot);
      unknown_subtract(u, i, k, factor_define(c, "m", "f", f));
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

/* Messages ------------------------------------------------------------------------------------- */

/* Which rows row FROM is set by, at any distance; BACK: which it sets. */
static gboolean *unknown_reach(const Unknown *u, guint from, gboolean back)
{
  gboolean *on = g_new0(gboolean, u->n);
  on[from] = TRUE;
  for (gboolean more = TRUE; more;) {
    more = FALSE;
    for (guint i = 0; i < u->n; i++) {
      for (guint j = 0; j < u->n; j++) {
        guint to = back ? i : j, at = back ? j : i;
        if (on[at] && !on[to] && !formula_is(*unknown_at(u, i, j), 0.0)) {
          on[to] = more = TRUE;
        }
      }
    }
  }
  return on;
}

/* Those that set column K and are set by it, each element once. */
static gboolean unknown_impossible(Unknown *u, guint k)
{
  gboolean windings = TRUE;
  for (guint i = 0; i < u->n; i++) { /* the matrix as it was */
    unknown_row(u, i);
  }
  g_autofree gboolean *by = unknown_reach(u, k, FALSE), *sets = unknown_reach(u, k, TRUE);
  g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(guint32));
  for (guint i = 0; i < u->n; i++) {
    const Branch *b = unknown_branch(u, i);
    gboolean second = b->other != NONE && i % 2 == 1 && by[i - 1] && sets[i - 1];
    if (by[i] && sets[i] && !second) {
      windings &= b->other != NONE;
      g_array_append_val(all, circuit_name(u->c, u->y[i])->branch);
    }
  }
  if (windings) {
    return circuit_wrong(u->c, all, "the windings of ", " determine one another, and nothing else");
  }
  return circuit_wrong(u->c, all,
                       all->len == 1 ? "controlled source determines itself: "
                                     : "controlled sources determine one another: ",
                       "");
}

/* ---------------------------------------------------------------------------------------------- */

/* Transformers first, of each the voltage; then controlled sources. */
static void unknown_list(Unknown *u)
{
  HyCircuit *c = u->c;
  u->y = g_new(guint32, c->branches->len + 1);
  for (guint32 k = 0; k < c->branches->len; k++) {
    const Branch *b = circuit_branch(c, k);
    if (b->other != NONE && b->other > k) {
      gboolean voltage = b->is.kind == HY_BRANCH_VOLTAGE;
      u->y[u->n++] = voltage ? b->name : circuit_branch(c, b->other)->name;
      u->y[u->n++] = voltage ? circuit_branch(c, b->other)->name : b->name;
    }
  }
  for (guint32 k = 0; k < c->branches->len; k++) {
    if (circuit_branch(c, k)->rest != NULL) {
      u->y[u->n++] = circuit_branch(c, k)->name;
    }
  }
}

static gboolean unknown_solve_all(Unknown *u)
{
  unknown_take_apart(u);
  for (guint i = 0; i < u->n; i++) {
    unknown_row(u, i);
  }
  for (guint k = 0; k < u->n; k++) {
    if (!unknown_eliminate(u, k)) {
      return unknown_impossible(u, k);
    }
  }
  for (guint i = u->n; i-- > 0;) {
    unknown_back(u, i);
  }
  return TRUE;
}

gboolean unknown_solve(HyCircuit *c)
{
  Unknown u = {.c = c, .n_names = c->names->len};
  gboolean ok = TRUE;
  unknown_list(&u);
  c->large |= (guint64)u.n * u.n_names > MOST_FACTORS;
  if (u.n > 0 && !c->large) {
    u.names_y = g_new0(guint8, u.n_names);
    u.alpha = g_new0(const HyFormula *, u.n_names);
    u.beta = g_new0(const HyFormula *, (gsize)u.n *u.n_names);
    u.a = g_new0(const HyFormula *, (gsize)u.n *(u.n + 1));
    u.scale = g_new0(double, (gsize)u.n *(u.n + 1));
    ok = unknown_solve_all(&u);
  }
  g_free(u.y);
  g_free(u.names_y);
  g_free(u.alpha);
  g_free(u.beta);
  g_free(u.a);
  g_free(u.scale);
  return ok;
}
