/* Capacitors: those of the tree are states, v_t; one that closes a loop with them and with sources
 * u has v_l = F v_t + W u. With i_t the currents that Kirchhoff's law gives those of the tree when
 * the others take nothing,
 *
 *   (C_t + F' C_l F) dv_t/dt = i_t - F' C_l W du/dt,   i_l = C_l (F dv_t/dt + W du/dt)
 *
 * and once the currents i_l are known, so are those of the tree and of the sources. */
#include "internal.h"

#include <math.h>

/* Currents ------------------------------------------------------------------------------------- */

static gboolean in_tree(const Branch *b)
{
  return b->is.kind <= HY_BRANCH_CAPACITOR && b->tree;
}

/* What flows from branches outside of the tree into those nodes that hang on another. */
static GArray **capacitors_inject(HyCircuit *c)
{
  guint n = c->nodes->len;
  GArray **into = g_new0(GArray *, n);
  for (guint32 k = 0; k < n; k++) {
    into[k] = c->up[k] != NONE ? g_array_new(FALSE, FALSE, sizeof(Term)) : NULL;
  }
  for (guint32 k = 0; k < c->branches->len; k++) {
    const Branch *b = circuit_branch(c, k);
    GArray *ends[] = {into[b->is.a], into[b->is.b]};
    for (guint end = 0; end < 2; end++) {
      if (ends[end] != NULL && !in_tree(b) && b->current != NULL) {
        tally_add(ends[end], end == 0 ? -1 : 1, b->current);
      }
    }
  }
  return into;
}

/* It leaves by the branch that the node hangs on. */
static void capacitors_kirchhoff(HyCircuit *c)
{
  g_autofree GArray **into = capacitors_inject(c);
  for (guint k = c->walk->len; k-- > 0;) {
    guint32 at = g_array_index(c->walk, guint32, k);
    if (into[at] == NULL) {
      continue;
    }
    Branch *b = circuit_branch(c, c->up[at]);
    const Label *i = tally_end(c, into[at]);
    guint32 other = b->is.a == at ? b->is.b : b->is.a;
    b->current = label_plus(c, c->nothing, b->is.a == at ? 1 : -1, i);
    if (into[other] != NULL) {
      tally_add(into[other], 1, i);
    }
    g_array_unref(into[at]);
  }
}

/* Dependent ones ------------------------------------------------------------------------------- */

static const Label *capacitor_voltage(HyCircuit *c, const Branch *b)
{
  return label_plus(c, c->off[b->is.a], -1, c->off[b->is.b]);
}

static gboolean is_dependent(const Branch *b)
{
  return b->is.kind == HY_BRANCH_CAPACITOR && b->dependent;
}

static gboolean capacitor_allowed(HyCircuit *c, guint32 branch)
{
  const Branch *b = circuit_branch(c, branch);
  const Label *v = capacitor_voltage(c, b);
  guint32 jumps = label_no_slope(c, v);
  if (jumps == NONE) {
    return label_starts(c, branch, v, "close a loop");
  }
  g_autoptr(GArray) loop = tree_loop(c, branch);
  for (guint k = 1; k < loop->len; k++) { /* it stands first: others of the loop only by line */
    guint32 *at = &g_array_index(loop, guint32, k);
    if (*at == jumps) {
      *at = g_array_index(loop, guint32, 1);
      g_array_index(loop, guint32, 1) = jumps;
    }
  }
  g_autofree char *before = g_strdup_printf("loop of %s with ", b->is.name);
  g_autofree char *after = g_strdup_printf(
      ", whose slope is not known: put a resistance (its ESR) in series with %s", b->is.name);
  return circuit_wrong_but(c, loop, 1, before, after);
}

/* What stands in the tree, by the number of its branch: groups that loops hold together. */
static guint32 *capacitors_groups(HyCircuit *c)
{
  guint32 *of = groups_alone(c->branches->len);
  for (guint32 k = 0; k < c->branches->len; k++) {
    const Branch *b = circuit_branch(c, k);
    const Label *v = is_dependent(b) ? capacitor_voltage(c, b) : c->nothing;
    for (guint i = 0; i < v->n; i++) {
      guint32 other = circuit_name(c, v->term[i].name)->branch;
      if (circuit_branch(c, other)->is.kind == HY_BRANCH_CAPACITOR) {
        groups_join(of, k, other);
      }
    }
  }
  groups_flatten(of, c->branches->len);
  return of;
}

typedef struct {
  GArray *state, *loop; /* guint32: branches of the tree, and dependent ones */
} CapacitorGroup;

static guint32 group_branch(const GArray *list, guint k)
{
  return g_array_index(list, guint32, k);
}

/* F or W: how often the voltage of branch L has the name of branch K. */
static gint32 capacitor_share(HyCircuit *c, guint32 l, guint32 name)
{
  return label_factor(capacitor_voltage(c, circuit_branch(c, l)), name);
}

static double *capacitors_matrix(HyCircuit *c, const CapacitorGroup *g)
{
  guint n = g->state->len;
  double *m = g_new0(double, (gsize)n *n + 1);
  for (guint i = 0; i < n; i++) {
    m[i * n + i] = branch_number(&circuit_branch(c, group_branch(g->state, i))->is);
  }
  for (guint k = 0; k < g->loop->len; k++) {
    guint32 l = group_branch(g->loop, k);
    double size = branch_number(&circuit_branch(c, l)->is);
    for (guint i = 0; i < n; i++) {
      gint32 fi = capacitor_share(c, l, circuit_branch(c, group_branch(g->state, i))->name);
      for (guint j = 0; fi != 0 && j < n; j++) {
        m[i * n + j] +=
            size * fi * capacitor_share(c, l, circuit_branch(c, group_branch(g->state, j))->name);
      }
    }
  }
  return m;
}

/* The sources in the loops of the group. */
static GArray *capacitors_sources(HyCircuit *c, const CapacitorGroup *g)
{
  GArray *sources = g_array_new(FALSE, FALSE, sizeof(guint32));
  for (guint k = 0; k < g->loop->len; k++) {
    const Label *v = capacitor_voltage(c, circuit_branch(c, group_branch(g->loop, k)));
    for (guint i = 0; i < v->n; i++) {
      guint32 name = v->term[i].name;
      gboolean known =
          circuit_branch(c, circuit_name(c, name)->branch)->is.kind == HY_BRANCH_CAPACITOR;
      for (guint s = 0; s < sources->len; s++) {
        known |= group_branch(sources, s) == name;
      }
      if (!known) {
        g_array_append_val(sources, name);
      }
    }
  }
  return sources;
}

/* F' C_l W of a source, [states]. */
static void capacitors_slope(HyCircuit *c, const CapacitorGroup *g, guint32 source, double *out)
{
  for (guint i = 0; i < g->state->len; i++) {
    guint32 name = circuit_branch(c, group_branch(g->state, i))->name;
    out[i] = 0.0;
    for (guint k = 0; k < g->loop->len; k++) {
      guint32 l = group_branch(g->loop, k);
      out[i] += branch_number(&circuit_branch(c, l)->is) * capacitor_share(c, l, name) *
                capacitor_share(c, l, source);
    }
  }
}

/* Those whose C is a signal: C_t, F' C_l F and F' C_l W. */
static GArray *capacitors_terms(HyCircuit *c, const CapacitorGroup *g, const GArray *sources)
{
  GArray *terms = g_array_new(FALSE, FALSE, sizeof(MatrixTerm));
  guint n = g->state->len;
  for (guint i = 0; i < n; i++) {
    const HyBranch *b = &circuit_branch(c, group_branch(g->state, i))->is;
    MatrixTerm t = {i, i, 1, branch_size(c, b)};
    g_array_append_vals(terms, &t, b->size != NULL);
  }
  for (guint k = 0; k < g->loop->len; k++) {
    guint32 l = group_branch(g->loop, k);
    const HyBranch *b = &circuit_branch(c, l)->is;
    for (guint i = 0; b->size != NULL && i < n; i++) {
      gint32 fi = capacitor_share(c, l, circuit_branch(c, group_branch(g->state, i))->name);
      for (guint j = 0; j < n + sources->len; j++) {
        guint32 name = j < n ? circuit_branch(c, group_branch(g->state, j))->name
                             : group_branch(sources, j - n);
        MatrixTerm t = {i, j, fi * capacitor_share(c, l, name), branch_size(c, b)};
        g_array_append_vals(terms, &t, t.n != 0);
      }
    }
  }
  return terms;
}

static void capacitors_solve(HyCircuit *c, const CapacitorGroup *g)
{
  guint n = g->state->len;
  g_autofree double *m = capacitors_matrix(c, g);
  g_autoptr(GArray) sources = capacitors_sources(c, g);
  g_autofree double *h = g_new0(double, (gsize)sources->len *n + 1);
  g_autofree guint32 *slope = g_new(guint32, (gsize)sources->len + 1);
  for (guint s = 0; s < sources->len; s++) {
    guint32 name = group_branch(sources, s);
    capacitors_slope(c, g, name, h + (gsize)s * n);
    slope[s] = circuit_branch(c, circuit_name(c, name)->branch)->slope;
  }
  g_autofree const Label **drive = g_new(const Label *, (gsize)n + 1);
  for (guint i = 0; i < n; i++) {
    const Branch *b = circuit_branch(c, group_branch(g->state, i));
    drive[i] = name_single(c, "ic", b->is.name, b->current);
  }
  g_autoptr(GArray) terms = capacitors_terms(c, g, sources);
  MatrixRows rows = {.n = n,
                     .n_slopes = sources->len,
                     .factor = m,
                     .h = h,
                     .drive = drive,
                     .slope = slope,
                     .branch = (const guint32 *)(gconstpointer)g->state->data,
                     .what = "dv"};
  if (terms->len > 0) {
    matrix_eliminate(c, &rows, m, terms);
  } else {
    matrix_factor(m, n); /* a sum of squares and of what is above 0 */
    matrix_rows(c, &rows);
  }
}

static void capacitors_simple(HyCircuit *c, guint32 k)
{
  Branch *b = circuit_branch(c, k);
  const HyFormula *f = formula_join(c, formula_of(c, b->current), '/', branch_size(c, &b->is));
  b->derivative = name_define(c, "dv", b->is.name, f)->term[0].name;
}

/* C (F dv_t/dt + W du/dt) of a dependent one. */
static void capacitor_takes(HyCircuit *c, guint32 k)
{
  Branch *b = circuit_branch(c, k);
  const Label *v = capacitor_voltage(c, b);
  Sum sum = sum_begin(c);
  for (guint i = 0; i < v->n; i++) {
    const HyFormula *n = hy_formula_number(c->pool, ABS(v->term[i].n));
    const HyFormula *size = formula_join(c, n, '*', branch_size(c, &b->is));
    sum_add(&sum, v->term[i].n, formula_join(c, size, '*', name_slope(c, v->term[i].name)));
  }
  const HyFormula *f = sum_end(&sum);
  g_autofree char *what = g_strconcat(b->is.name, ".i", NULL);
  b->current = formula_is(f, 0.0) ? c->nothing : name_define(c, what, NULL, f);
}

static void capacitors_of_group(HyCircuit *c, const guint32 *next, guint32 k)
{
  CapacitorGroup g = {g_array_new(FALSE, FALSE, sizeof(guint32)),
                      g_array_new(FALSE, FALSE, sizeof(guint32))};
  for (guint32 i = k; i != NONE; i = next[i]) {
    g_array_append_val(is_dependent(circuit_branch(c, i)) ? g.loop : g.state, i);
  }
  if (g.loop->len + g.state->len > MOST_GROUP) {
    c->large = TRUE;
  } else if (g.loop->len == 0) {
    capacitors_simple(c, k);
  } else if (g.state->len > 0) {
    capacitors_solve(c, &g);
  }
  g_array_unref(g.state);
  g_array_unref(g.loop);
}

/* Where no loops are, each is a group. */
static void capacitors_states(HyCircuit *c, gboolean loops)
{
  g_autofree guint32 *of = loops ? capacitors_groups(c) : NULL;
  g_autofree guint32 *next = loops ? groups_lists(of, c->branches->len) : NULL;
  for (guint32 k = 0; k < c->branches->len; k++) {
    if (circuit_branch(c, k)->is.kind != HY_BRANCH_CAPACITOR) {
      continue;
    }
    if (of == NULL) {
      capacitors_simple(c, k);
    } else if (of[k] == k) {
      capacitors_of_group(c, next, k);
    }
  }
}

gboolean capacitors_allowed(HyCircuit *c)
{
  for (guint32 k = 0; k < c->branches->len; k++) {
    if (is_dependent(circuit_branch(c, k)) && !capacitor_allowed(c, k)) {
      return FALSE;
    }
  }
  return TRUE;
}

void capacitors_derivatives(HyCircuit *c)
{
  gboolean loops = FALSE;
  capacitors_kirchhoff(c);
  for (guint32 k = 0; k < c->branches->len; k++) {
    loops |= is_dependent(circuit_branch(c, k));
  }
  capacitors_states(c, loops);
  for (guint32 k = 0; loops && !c->large && k < c->branches->len; k++) {
    if (is_dependent(circuit_branch(c, k))) {
      capacitor_takes(c, k);
    }
  }
  if (loops) {
    capacitors_kirchhoff(c);
  }
}
