/* Coils: T maps the currents of those that are states to the currents of all, and U those of
 * sources, as Kirchhoff's law has it for the parts that only coils hold together (a star point,
 * coils in series). With u the voltages that potentials of the parts give,
 *
 *   (T' L T) di/dt = T' u - T' L U ds/dt
 *
 * where the references of the parts cancel: T' u is made of labels. L is constant, so the matrix is
 * factored here, once for each group of coils that share a magnetic field or a current. */
#include "internal.h"

#include <math.h>

static Branch *coil_at(const HyCircuit *c, guint32 place)
{
  return circuit_branch(c, g_array_index(c->coils, guint32, place));
}

/* Seen from the first node of the cluster. */
static const Label *coil_local(HyCircuit *c, guint32 node)
{
  return label_plus(c, c->supers[c->super[node]].v, 1, c->off[node]);
}

/* Currents ------------------------------------------------------------------------------------- */

/* Clusters behind those they hang on by coils of the tree. */
static void coils_walk(HyCircuit *c)
{
  guint n = c->nodes->len;
  g_autofree guint32 *first = g_new(guint32, (gsize)n + 2);
  g_autofree guint32 *list = tree_at_nodes(c, HY_BRANCH_COIL, first);
  c->coil_up = g_new(guint32, n);
  memset(c->coil_up, 0xff, n * sizeof *c->coil_up);
  for (guint32 k = 0; k < n; k++) {
    if (c->island[k] == k) {
      g_array_append_val(c->coil_walk, k);
    }
  }
  for (guint k = 0; k < c->coil_walk->len; k++) {
    guint32 at = g_array_index(c->coil_walk, guint32, k);
    for (guint32 i = first[at]; i < first[at + 1]; i++) {
      const HyBranch *b = &circuit_branch(c, list[i])->is;
      guint32 to = c->cluster[b->a] == at ? c->cluster[b->b] : c->cluster[b->a];
      if (list[i] != c->coil_up[at]) {
        c->coil_up[to] = list[i];
        g_array_append_val(c->coil_walk, to);
      }
    }
  }
}

static void coils_inject(HyCircuit *c, GArray **into)
{
  for (guint32 k = 0; k < c->branches->len; k++) {
    const Branch *b = circuit_branch(c, k);
    if (b->is.kind >= HY_BRANCH_COIL && !b->dependent) {
      tally_add(into[c->cluster[b->is.a]], -1, b->current);
      tally_add(into[c->cluster[b->is.b]], 1, b->current);
    }
  }
}

/* What flows into a cluster leaves it through the coil that it hangs on. */
static void coils_kirchhoff(HyCircuit *c)
{
  guint n = c->nodes->len;
  g_autofree GArray **into = g_new0(GArray *, n);
  for (guint32 k = 0; k < n; k++) {
    into[k] = g_array_new(FALSE, FALSE, sizeof(Term));
  }
  coils_inject(c, into);
  for (guint k = c->coil_walk->len; k-- > 0;) {
    guint32 at = g_array_index(c->coil_walk, guint32, k);
    if (c->coil_up[at] == NONE) {
      continue;
    }
    Branch *b = circuit_branch(c, c->coil_up[at]);
    gboolean out = c->cluster[b->is.a] == at;
    const Label *i = tally_end(c, into[at]);
    b->current = label_plus(c, c->nothing, out ? 1 : -1, i);
    tally_add(into[c->cluster[out ? b->is.b : b->is.a]], 1, i);
  }
  for (guint32 k = 0; k < n; k++) {
    g_array_unref(into[k]);
  }
}

double name_start(const HyCircuit *c, guint32 k)
{
  const Name *name = circuit_name(c, k);
  const Branch *b = name->branch != NONE ? circuit_branch(c, name->branch) : NULL;
  if (b != NULL && b->rates != NULL) {
    return winding_start(c, b);
  }
  return name->f->kind == HY_F_NUMBER             ? name->f->number
         : b != NULL && b->derivative != NO_STATE ? b->is.start
                                                  : NAN;
}

/* The same of a label of states and sources. */
static double label_start(const HyCircuit *c, const Label *label)
{
  double sum = 0.0;
  for (guint k = 0; k < label->n; k++) {
    sum += label->term[k].n * name_start(c, label->term[k].name);
  }
  return sum;
}

/* The branches in a label, and of a winding those that it follows from. */
static void label_branches(const HyCircuit *c, const Label *label, GArray *all)
{
  for (guint k = 0; k < label->n; k++) {
    guint32 branch = circuit_name(c, label->term[k].name)->branch;
    const GArray *rates = circuit_branch(c, branch)->rates;
    g_array_append_val(all, branch);
    for (guint i = 0; rates != NULL && i < rates->len; i++) {
      branch = circuit_name(c, g_array_index(rates, Rate, i).name)->branch;
      g_array_append_val(all, branch);
    }
  }
}

gboolean label_starts(HyCircuit *c, guint32 branch, const Label *label, const char *law)
{
  const Branch *b = circuit_branch(c, branch);
  double start = label_start(c, label), scale = fmax(fabs(start), fabs(b->is.start));
  if (!b->is.stated || !(fabs(start - b->is.start) > 1e-9 * scale)) {
    return TRUE;
  }
  g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(guint32));
  g_array_append_val(all, branch);
  label_branches(c, label, all);
  g_autofree char *after = g_strdup_printf(" %s: %s starts at %.15g, the others make it %.15g", law,
                                           b->is.name, b->is.start, start);
  return circuit_wrong(c, all, "", after);
}

/* A source in LABEL whose slope is not known; NONE. */
guint32 label_no_slope(HyCircuit *c, const Label *label)
{
  for (guint k = 0; k < label->n; k++) {
    guint32 branch = circuit_name(c, label->term[k].name)->branch;
    if (branch == NONE || !branch_has_slope(c, branch)) {
      return branch;
    }
  }
  return NONE;
}

static gboolean coils_dependent(HyCircuit *c, guint32 branch)
{
  const Branch *b = circuit_branch(c, branch);
  guint32 jumps = label_no_slope(c, b->current);
  if (jumps == NONE) {
    return label_starts(c, branch, b->current, "make a cut");
  }
  g_autoptr(GArray) both = g_array_new(FALSE, FALSE, sizeof(guint32));
  g_array_append_val(both, branch);
  g_array_append_val(both, jumps);
  g_autofree char *before = g_strdup_printf("cut of %s with ", b->is.name);
  g_autofree char *after =
      g_strdup_printf(", whose slope is not known: put a resistance across %s", b->is.name);
  return circuit_wrong_but(c, both, 1, before, after);
}

gboolean coils_currents(HyCircuit *c)
{
  gboolean any = FALSE;
  for (guint32 k = 0; k < c->branches->len; k++) {
    Branch *b = circuit_branch(c, k);
    if (b->is.kind >= HY_BRANCH_COIL && !b->dependent) {
      b->current = name_is_zero(c, b->name) ? c->nothing : label_of(c, b->name, 1);
    }
    any |= b->is.kind == HY_BRANCH_COIL && b->dependent;
  }
  if (!any) {
    return TRUE;
  }
  coils_walk(c);
  coils_kirchhoff(c);
  for (guint i = 0; i < c->coils->len; i++) {
    guint32 k = g_array_index(c->coils, guint32, i);
    if (circuit_branch(c, k)->dependent && !coils_dependent(c, k)) {
      return FALSE;
    }
  }
  return TRUE;
}

/* Groups --------------------------------------------------------------------------------------- */

/* The place of the coil whose current the name is; NONE: it is a source's. */
static guint32 coil_of_name(const HyCircuit *c, guint32 name)
{
  guint32 branch = circuit_name(c, name)->branch;
  const Branch *b = branch != NONE ? circuit_branch(c, branch) : NULL;
  return b != NULL && b->is.kind == HY_BRANCH_COIL ? b->place : NONE;
}

static guint32 *coils_groups(const HyCircuit *c)
{
  guint32 *of = groups_alone(c->coils->len);
  for (guint k = 0; k < c->mutual->len; k++) {
    const Mutual *m = &g_array_index(c->mutual, Mutual, k);
    groups_join(of, m->a, m->b);
  }
  for (guint32 k = 0; k < c->coils->len; k++) {
    const Branch *b = coil_at(c, k);
    for (guint i = 0; b->dependent && i < b->current->n; i++) {
      guint32 other = coil_of_name(c, b->current->term[i].name);
      if (other != NONE) {
        groups_join(of, k, other);
      }
    }
  }
  groups_flatten(of, c->coils->len);
  return of;
}

/* One group: its coils, of which the first n_links are states. */
typedef struct {
  guint32 *coil; /* [n] places */
  guint n, n_links;
  double *l; /* [n][n] */
} CoilGroup;

static CoilGroup coils_group(const HyCircuit *c, const guint32 *next, guint32 first)
{
  CoilGroup g = {.n = 0};
  for (guint32 k = first; k != NONE; k = next[k]) {
    g.n++;
  }
  g.coil = g_new(guint32, g.n);
  guint states = 0, others = g.n;
  for (guint32 k = first; k != NONE; k = next[k]) {
    g.coil[coil_at(c, k)->dependent ? --others : states++] = k;
  }
  g.n_links = states;
  return g;
}

static guint coil_in_group(const CoilGroup *g, guint32 place)
{
  guint k = 0;
  while (k < g->n && g->coil[k] != place) {
    k++;
  }
  return k;
}

static void coils_inductance(const HyCircuit *c, CoilGroup *g)
{
  g->l = g_new0(double, (gsize)g->n * g->n);
  for (guint k = 0; k < g->n; k++) {
    g->l[k * g->n + k] = branch_number(&coil_at(c, g->coil[k])->is);
  }
  for (guint k = 0; k < c->mutual->len; k++) {
    const Mutual *m = &g_array_index(c->mutual, Mutual, k);
    guint a = coil_in_group(g, m->a), b = coil_in_group(g, m->b);
    if (a < g->n && b < g->n) {
      g->l[a * g->n + b] += m->mutual;
      g->l[b * g->n + a] += m->mutual;
    }
  }
}

static gboolean coils_impossible(HyCircuit *c, const CoilGroup *g)
{
  g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(guint32));
  for (guint k = 0; k < g->n; k++) {
    g_array_append_val(all, g_array_index(c->coils, guint32, g->coil[k]));
  }
  circuit_wrong(c, all, "coupling of ",
                ": no coils couple like that (their matrix of inductances is not positive "
                "definite); take smaller k");
  for (guint k = 0; k < c->mutual->len; k++) {
    const Mutual *m = &g_array_index(c->mutual, Mutual, k);
    if (coil_in_group(g, m->a) < g->n) {
      g_array_append_val(c->fault->elements, m->element);
    }
  }
  return FALSE;
}

/* T, of coil K by link I; and U by the name of a source. */
static gint32 coil_share(const HyCircuit *c, const CoilGroup *g, guint k, guint i)
{
  if (k < g->n_links) {
    return k == i;
  }
  return label_factor(coil_at(c, g->coil[k])->current, coil_at(c, g->coil[i])->name);
}

/* T' L, [links][coils] */
static double *coils_turned(const HyCircuit *c, const CoilGroup *g)
{
  double *tl = g_new0(double, (gsize)g->n_links * g->n + 1);
  for (guint i = 0; i < g->n_links; i++) {
    for (guint k = 0; k < g->n; k++) {
      gint32 t = coil_share(c, g, k, i);
      for (guint j = 0; t != 0 && j < g->n; j++) {
        tl[i * g->n + j] += t * g->l[k * g->n + j];
      }
    }
  }
  return tl;
}

/* T' u of link I. */
static const Label *coils_drive(HyCircuit *c, const CoilGroup *g, guint i)
{
  g_autoptr(GArray) tally = g_array_new(FALSE, FALSE, sizeof(Term));
  for (guint k = 0; k < g->n; k++) {
    gint32 t = coil_share(c, g, k, i);
    const HyBranch *b = &coil_at(c, g->coil[k])->is;
    if (t != 0) {
      tally_add(tally, t, coil_local(c, b->a));
      tally_add(tally, -t, coil_local(c, b->b));
    }
  }
  return tally_end(c, tally);
}

/* The sources in currents of the group. */
static GArray *coils_sources(const HyCircuit *c, const CoilGroup *g)
{
  GArray *sources = g_array_new(FALSE, FALSE, sizeof(guint32));
  for (guint k = g->n_links; k < g->n; k++) {
    const Label *i = coil_at(c, g->coil[k])->current;
    for (guint m = 0; m < i->n; m++) {
      gboolean known = coil_of_name(c, i->term[m].name) != NONE;
      for (guint s = 0; s < sources->len; s++) {
        known |= g_array_index(sources, guint32, s) == i->term[m].name;
      }
      if (!known) {
        g_array_append_val(sources, i->term[m].name);
      }
    }
  }
  return sources;
}

/* T' L U of a source: what its slope takes from each link, [links]. */
static void coils_slope(const HyCircuit *c, const CoilGroup *g, const double *tl, guint32 name,
                        double *out)
{
  for (guint i = 0; i < g->n_links; i++) {
    out[i] = 0.0;
    for (guint k = g->n_links; k < g->n; k++) {
      out[i] += tl[i * g->n + k] * label_factor(coil_at(c, g->coil[k])->current, name);
    }
  }
}

/* One coil by itself. */
static void coils_simple(HyCircuit *c, const CoilGroup *g)
{
  Branch *b = coil_at(c, g->coil[0]);
  const HyFormula *l = branch_size(c, &b->is);
  const HyFormula *f = formula_join(c, formula_of(c, coils_drive(c, g, 0)), '/', l);
  b->derivative = name_define(c, "di", b->is.name, f)->term[0].name;
}

/* Those whose L is a signal: T' L T and T' L U. */
static GArray *coils_terms(HyCircuit *c, const CoilGroup *g, const GArray *sources)
{
  GArray *terms = g_array_new(FALSE, FALSE, sizeof(MatrixTerm));
  guint n = g->n_links;
  for (guint k = 0; k < g->n; k++) {
    const Branch *b = coil_at(c, g->coil[k]);
    for (guint i = 0; b->is.size != NULL && i < n; i++) {
      for (guint j = 0; j < n + sources->len; j++) {
        gint32 by = j < n    ? coil_share(c, g, k, j)
                    : k >= n ? label_factor(b->current, g_array_index(sources, guint32, j - n))
                             : 0;
        MatrixTerm t = {i, j, coil_share(c, g, k, i) * by, branch_size(c, &b->is)};
        g_array_append_vals(terms, &t, t.n != 0);
      }
    }
  }
  return terms;
}

/* Coils whose L is a signal are coupled to none: any number above 0 will do. */
static gboolean coils_are_definite(const HyCircuit *c, const CoilGroup *g)
{
  g_autofree double *whole = g_memdup2(g->l, (gsize)g->n * g->n * sizeof(double));
  for (guint k = 0; k < g->n; k++) {
    if (coil_at(c, g->coil[k])->is.size != NULL) {
      whole[k * g->n + k] = 1.0;
    }
  }
  return matrix_factor(whole, g->n);
}

static gboolean coils_solve(HyCircuit *c, CoilGroup *g)
{
  if (!coils_are_definite(c, g)) {
    return coils_impossible(c, g);
  }
  g_autofree double *tl = coils_turned(c, g);
  g_autofree double *m = g_new0(double, (gsize)g->n_links * g->n_links + 1);
  for (guint i = 0; i < g->n_links; i++) {
    for (guint k = 0; k < g->n; k++) {
      for (guint j = 0; j < g->n_links; j++) {
        m[i * g->n_links + j] += tl[i * g->n + k] * coil_share(c, g, k, j);
      }
    }
  }
  g_autoptr(GArray) sources = coils_sources(c, g);
  g_autofree double *h = g_new0(double, (gsize)sources->len * g->n_links + 1);
  g_autofree guint32 *slope = g_new(guint32, (gsize)sources->len + 1);
  for (guint s = 0; s < sources->len; s++) {
    guint32 name = g_array_index(sources, guint32, s);
    coils_slope(c, g, tl, name, h + (gsize)s * g->n_links);
    slope[s] = circuit_branch(c, circuit_name(c, name)->branch)->slope;
  }
  g_autofree const Label **drive = g_new(const Label *, (gsize)g->n_links + 1);
  g_autofree guint32 *branch = g_new(guint32, (gsize)g->n_links + 1);
  for (guint i = 0; i < g->n_links; i++) {
    const Branch *b = coil_at(c, g->coil[i]);
    branch[i] = g_array_index(c->coils, guint32, g->coil[i]);
    drive[i] = name_single(c, "u", b->is.name, coils_drive(c, g, i));
  }
  MatrixRows rows = {.n = g->n_links,
                     .n_slopes = sources->len,
                     .factor = m,
                     .h = h,
                     .drive = drive,
                     .slope = slope,
                     .branch = branch,
                     .what = "di"};
  g_autoptr(GArray) terms = coils_terms(c, g, sources);
  if (terms->len > 0) {
    matrix_eliminate(c, &rows, m, terms);
    return TRUE;
  }
  if (!matrix_factor(m, g->n_links)) {
    return coils_impossible(c, g);
  }
  matrix_rows(c, &rows);
  return TRUE;
}

gboolean coils_derivatives(HyCircuit *c)
{
  g_autofree guint32 *of = coils_groups(c), *next = groups_lists(of, c->coils->len);
  gboolean ok = TRUE;
  for (guint32 k = 0; k < c->coils->len && ok; k++) {
    if (of[k] != k) {
      continue;
    }
    CoilGroup g = coils_group(c, next, k);
    if (g.n == 1 && g.n_links == 1) {
      coils_simple(c, &g);
    } else if (g.n > MOST_GROUP) {
      c->large = TRUE;
    } else {
      coils_inductance(c, &g);
      ok = g.n_links == 0 || coils_solve(c, &g);
    }
    g_free(g.coil);
    g_free(g.l);
  }
  return ok;
}

/* Voltages ------------------------------------------------------------------------------------- */

const HyFormula *name_slope(const HyCircuit *c, guint32 name)
{
  const Branch *b = circuit_branch(c, circuit_name(c, name)->branch);
  return circuit_name(c, b->derivative != NO_STATE ? b->derivative : b->slope)->f;
}

/* FACTOR times di/dt of a coil, or less it. */
static void coil_add_slope(HyCircuit *c, Sum *sum, const Branch *b, gint sign, const HyFormula *l)
{
  for (guint k = 0; k < b->current->n; k++) {
    const Term *t = &b->current->term[k];
    const HyFormula *n = hy_formula_number(c->pool, ABS(t->n));
    sum_add(sum, t->n < 0 ? -sign : sign,
            formula_join(c, formula_join(c, n, '*', l), '*', name_slope(c, t->name)));
  }
}

/* L di/dt with all that couples. */
const HyFormula *coil_across(HyCircuit *c, guint32 branch)
{
  Branch *b = circuit_branch(c, branch);
  if (b->across != NULL) {
    return b->across;
  }
  Sum sum = sum_begin(c);
  coil_add_slope(c, &sum, b, 1, branch_size(c, &b->is));
  for (guint k = 0; k < c->mutual->len; k++) {
    const Mutual *m = &g_array_index(c->mutual, Mutual, k);
    if (m->a == b->place || m->b == b->place) {
      const HyFormula *l = hy_formula_number(c->pool, fabs(m->mutual));
      coil_add_slope(c, &sum, coil_at(c, m->a == b->place ? m->b : m->a), m->mutual < 0 ? -1 : 1,
                     l);
    }
  }
  b->across = sum_end(&sum);
  return b->across;
}

void coils_bridge(HyCircuit *c)
{
  guint n = c->nodes->len;
  c->from = g_new(const Label *, n);
  for (guint32 k = 0; k < n; k++) {
    c->from[k] = c->nothing;
  }
  for (guint k = 0; k < c->coil_walk->len; k++) {
    guint32 at = g_array_index(c->coil_walk, guint32, k), up = c->coil_up[at];
    if (up == NONE) {
      continue;
    }
    const HyBranch *b = &circuit_branch(c, up)->is;
    gboolean plus = c->cluster[b->a] == at;
    guint32 here = plus ? b->a : b->b, there = plus ? b->b : b->a;
    const HyFormula *f = coil_across(c, up);
    const Label *v = formula_is(f, 0.0) ? c->nothing : name_define(c, "vl", b->name, f);
    const Label *from = label_plus(c, c->from[c->cluster[there]], 1, coil_local(c, there));
    from = label_plus(c, from, -1, coil_local(c, here));
    c->from[at] = label_plus(c, from, plus ? 1 : -1, v);
  }
}
