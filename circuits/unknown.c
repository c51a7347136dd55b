/* Sources that read the circuit: controlled ones, and the windings of ideal transformers, one a
 * source of voltage and one of current, each set by the other.
 *
 * All else has been solved with their values y as names, so what sets them is alpha + beta y, where
 * beta is made of conductances alone: each definition is linear in y, and so is taken apart,
 * alpha with y at 0, beta by its factors. Then (1 - k beta) y = rest + k alpha is solved
 * (linear.c), first the windings, voltage before current: of a transformer by itself the second
 * pivot is 1 + a b, where a and b are above 0. */
#include "internal.h"

#include <math.h>

typedef struct {
  HyCircuit *c;
  guint n, n_names, n_junctions; /* the last of them are junctions */
  guint32 *y;                    /* [n] names */
  guint8 *names_y;               /* [names]: y stands in it, even if it cancels */
  const HyFormula **alpha;       /* [names]: with y at 0 */
  const HyFormula **beta;        /* [n][names]; NULL: 0 */
  const HyFormula **a;           /* [n][n + 1]: the matrix and its right side */
  double *scale;                 /* [n][n + 1]: the largest number that an element was made of */
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

/* Unknown I is not the value of a winding but its slope. */
static gboolean unknown_is_slope(const Unknown *u, guint i)
{
  const Branch *b = unknown_branch(u, i);
  return b->rates != NULL && u->y[i] == b->slope;
}

static gboolean unknown_same(const HyCircuit *c, guint32 a, guint32 b)
{
  return c->super[a] == c->super[b] && label_equal(c->off[a], c->off[b]);
}

/* 1: they stand side by side; -1: one turned round; 0: they do not. */
static gint unknown_beside(const HyCircuit *c, const HyBranch *x, const HyBranch *y)
{
  if (unknown_same(c, x->a, y->a) && unknown_same(c, x->b, y->b)) {
    return 1;
  }
  return unknown_same(c, x->a, y->b) && unknown_same(c, x->b, y->a) ? -1 : 0;
}

/* The winding that sets winding B stands beside that of a transformer before it, which sets a
 * voltage, too: X is that, as both have one core then. */
static gboolean unknown_core(const HyCircuit *c, const Branch *b, HyControl *x)
{
  const Branch *other = circuit_branch(c, b->other);
  for (guint32 k = 0; k < MIN(b->other, other->other); k++) {
    const Branch *y = circuit_branch(c, k);
    gboolean voltage = y->other != NONE && y->is.kind == HY_BRANCH_VOLTAGE;
    gint beside = voltage ? unknown_beside(c, &other->is, &circuit_branch(c, y->other)->is) : 0;
    if (beside != 0) {
      *x = (HyControl){.kind = HY_CONTROL_ACROSS, .a = k};
      x->factor = hy_formula_number(c->pool, beside * b->times / y->times);
      return TRUE;
    }
  }
  return FALSE;
}

/* What sets the winding of a transformer: the other. */
static HyControl unknown_winding(const HyCircuit *c, const Branch *b)
{
  const HyBranch *other = &circuit_branch(c, b->other)->is;
  gboolean voltage = b->is.kind == HY_BRANCH_VOLTAGE;
  HyControl core;
  if (voltage && unknown_core(c, b, &core)) {
    return core;
  }
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

/* Row I of a junction: -beta y = alpha - i, its current i being given. */
static void unknown_junction(Unknown *u, guint i, const Branch *b)
{
  HyCircuit *c = u->c;
  const HyFormula *current = formula_of(c, b->current);
  for (guint j = 0; j <= u->n; j++) {
    gboolean right = j == u->n;
    const HyFormula *const *part = right ? u->alpha : u->beta + (gsize)j * u->n_names;
    Sum s = sum_begin(c);
    sum_add(&s, right ? 1 : -1, unknown_part(u, current, part, !right));
    *unknown_at(u, i, j) = factor_define(c, right ? "i0" : "g", b->is.name, sum_end(&s));
    u->scale[(gsize)i * (u->n + 1) + j] = 0.0;
    unknown_scale(u, i, j, *unknown_at(u, i, j));
  }
}

/* A factor and what it is before. */
typedef struct {
  const HyFormula *factor, *of;
} Read;

/* What sets unknown I. */
static GArray *unknown_reads(const Unknown *u, guint i)
{
  HyCircuit *c = u->c;
  const Branch *b = unknown_branch(u, i);
  GArray *reads = g_array_new(FALSE, FALSE, sizeof(Read));
  if (unknown_is_slope(u, i)) {
    for (guint k = 0; k < b->rates->len; k++) {
      const Rate *r = &g_array_index(b->rates, Rate, k);
      Read x = {hy_formula_number(c->pool, r->n), name_slope(c, r->name)};
      g_array_append_val(reads, x);
    }
    return reads;
  }
  gboolean winding = b->other != NONE;
  HyControl one = winding ? unknown_winding(c, b) : (HyControl){.a = 0};
  const HyControl *x = winding ? &one : (const HyControl *)(gpointer)c->controls->data + b->control;
  for (guint k = 0; k < (winding ? 1 : b->n_controls); k++) {
    Read read = {x[k].factor, unknown_read(c, &x[k])};
    g_array_append_val(reads, read);
  }
  return reads;
}

/* Row I: y - k beta y = rest + k alpha, summed over what sets it. */
static void unknown_row(Unknown *u, guint i)
{
  HyCircuit *c = u->c;
  const Branch *b = unknown_branch(u, i);
  if (b->is.junction) {
    unknown_junction(u, i, b);
    return;
  }
  gboolean winding = b->other != NONE;
  g_autoptr(GArray) reads = unknown_reads(u, i);
  for (guint j = 0; j <= u->n; j++) {
    gboolean right = j == u->n;
    const HyFormula *const *part = right ? u->alpha : u->beta + (gsize)j * u->n_names;
    Sum s = sum_begin(c);
    u->scale[(gsize)i * (u->n + 1) + j] = i == j;
    sum_add(&s, 1, !right || winding ? hy_formula_number(c->pool, i == j) : b->rest);
    for (guint k = 0; k < reads->len; k++) {
      const Read *x = &g_array_index(reads, Read, k);
      const HyFormula *f = formula_join(c, x->factor, '*', unknown_part(u, x->of, part, !right));
      unknown_scale(u, i, j, f);
      sum_add(&s, right ? 1 : -1, f);
    }
    *unknown_at(u, i, j) = factor_define(c, "m", b->is.name, sum_end(&s));
  }
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
    gboolean known = FALSE;
    for (guint j = 0; j < i && b->other != NONE; j++) {
      known |= by[j] && sets[j] && unknown_branch(u, j)->is.element == b->is.element;
    }
    if (by[i] && sets[i] && !known) {
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

/* What each junction is offered; several that read one another have no formula. */
static gboolean unknown_junctions(Unknown *u)
{
  HyCircuit *c = u->c;
  guint first = u->n - u->n_junctions;
  for (guint i = first; i < u->n; i++) {
    Branch *b = unknown_branch(u, i);
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint j = first; j < u->n; j++) {
      const HyFormula *f = *unknown_at(u, i, j);
      double nothing = 1e-12 * u->scale[(gsize)i * (u->n + 1) + j];
      if (i == j || f->kind != HY_F_NUMBER || fabs(f->number) > nothing) {
        g_array_append_val(all, circuit_name(c, u->y[j])->branch);
      }
    }
    if (all->len > 1) {
      return circuit_wrong(c, all, "exponential diodes set the currents of one another: ",
                           "; give all but one of them a capacitance (Cj)");
    }
    b->offered = *unknown_at(u, i, u->n);
    b->against = *unknown_at(u, i, i);
  }
  return TRUE;
}

/* ---------------------------------------------------------------------------------------------- */

/* The value of a winding, or where that follows from states its slope. */
static void unknown_list_winding(Unknown *u, const Branch *b)
{
  u->y[u->n++] = b->rates != NULL ? b->slope : b->name;
}

/* Transformers first, of each the voltage; then controlled sources; then junctions. */
static void unknown_list(Unknown *u)
{
  HyCircuit *c = u->c;
  u->y = g_new(guint32, c->branches->len + 1);
  for (guint32 k = 0; k < c->branches->len; k++) {
    const Branch *b = circuit_branch(c, k);
    if (b->other != NONE && b->other > k) {
      gboolean voltage = b->is.kind == HY_BRANCH_VOLTAGE;
      unknown_list_winding(u, voltage ? b : circuit_branch(c, b->other));
      unknown_list_winding(u, voltage ? circuit_branch(c, b->other) : b);
    }
  }
  for (guint32 k = 0; k < c->branches->len; k++) {
    if (circuit_branch(c, k)->rest != NULL) {
      u->y[u->n++] = circuit_branch(c, k)->name;
    }
  }
  for (guint32 k = 0; k < c->branches->len; k++) {
    if (circuit_branch(c, k)->is.junction) {
      u->y[u->n++] = circuit_branch(c, k)->name;
      u->n_junctions++;
    }
  }
}

/* When each supernode was eliminated; G_MAXUINT: it was not. Its potential is made of those of
 * later ones. */
static guint *unknown_turns(const HyCircuit *c)
{
  guint *turn = g_new(guint, c->nodes->len);
  memset(turn, 0xff, c->nodes->len * sizeof *turn);
  for (guint k = 0; k < c->stars->len; k++) {
    turn[g_array_index(c->stars, Star, k).super] = k;
  }
  return turn;
}

/* The definition of its potential that no other supernode has, too; NULL: there is none. */
static Name *unknown_potential(const HyCircuit *c, guint32 super)
{
  const Label *v = c->supers[super].v;
  Name *name = v->n == 1 && v->term[0].n == 1 ? circuit_name(c, v->term[0].name) : NULL;
  for (guint32 k = 0; name != NULL && k < c->nodes->len; k++) {
    if (k != super && c->super[k] == k && label_factor(c->supers[k].v, v->term[0].name) != 0) {
      return NULL;
    }
  }
  return name != NULL && name->definition != NULL ? name : NULL;
}

/* Between A and B, of a cluster, the voltage is known: the earlier of them has it from the other,
 * and not from its currents, which an open switch beside it would make large. */
static void unknown_tie(const Unknown *u, const Branch *b, guint8 *tied, const guint *turn)
{
  HyCircuit *c = u->c;
  gboolean first = turn[c->super[b->is.a]] < turn[c->super[b->is.b]];
  guint32 near = first ? b->is.b : b->is.a, far = first ? b->is.a : b->is.b;
  Name *name = unknown_potential(c, c->super[far]);
  if (c->super[near] == c->super[far] || c->cluster[near] != c->cluster[far] || name == NULL ||
      tied[c->super[far]]) {
    return;
  }
  tied[c->super[far]] = TRUE;
  const Label *v = label_plus(c, c->supers[c->super[near]].v, 1, c->off[near]);
  const Label *y = label_of(c, circuit_branch(c, b->other)->name, 1);
  Sum s = sum_begin(c);
  sum_label(&s, 1, label_plus(c, v, -1, c->off[far]));
  sum_scaled(&s, first ? 1 : -1, hy_formula_number(c->pool, b->times), y);
  name->definition = sum_end(&s);
}

static void unknown_tie_all(const Unknown *u)
{
  HyCircuit *c = u->c;
  g_autofree guint *turn = unknown_turns(c);
  g_autofree guint8 *tied = g_new0(guint8, c->nodes->len);
  for (guint32 k = 0; k < c->branches->len; k++) {
    const Branch *b = circuit_branch(c, k);
    if (b->other != NONE && b->is.kind == HY_BRANCH_CURRENT) {
      unknown_tie(u, b, tied, turn);
    }
  }
}

static gboolean unknown_solve_all(Unknown *u)
{
  unknown_take_apart(u);
  for (guint i = 0; i < u->n; i++) {
    unknown_row(u, i);
  }
  Linear l = {
      .c = u->c, .n = u->n, .n_given = u->n_junctions, .y = u->y, .a = u->a, .scale = u->scale};
  guint open = 0;
  if (!linear_solve(&l, &open)) {
    return unknown_impossible(u, open);
  }
  unknown_tie_all(u);
  return unknown_junctions(u);
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
