/* The normal tree: as many voltage sources and capacitors, then resistances, then coils as go
 * without a loop (P. R. Bryant: The order of complexity of electrical networks). What closes a loop
 * of capacitors and sources, or is a coil of the tree, is no state: it follows from others.
 *
 * Leaves the supernodes (nodes held together by sources and capacitors), the clusters (by
 * resistances, too) and the islands (by coils, too), each called by its first node; and what each
 * node has above the first of its supernode, as a label. */
#include "internal.h"

/* Words ---------------------------------------------------------------------------------------- */

gboolean circuit_wrong(HyCircuit *c, const GArray *branches, const char *before, const char *after)
{
  g_autoptr(GString) text = g_string_new(before);
  c->fault->elements = g_array_new(FALSE, FALSE, sizeof(guint));
  for (guint k = 0; k < branches->len; k++) {
    const Branch *b = circuit_branch(c, g_array_index(branches, guint32, k));
    g_string_append_printf(text, "%s%s", k > 0 ? ", " : "", b->is.name);
    g_array_append_val(c->fault->elements, b->is.element);
  }
  g_string_append(text, after);
  c->fault->text = g_string_free(g_steal_pointer(&text), FALSE);
  return FALSE;
}

gboolean circuit_wrong_but(HyCircuit *c, const GArray *branches, guint k, const char *before,
                           const char *after)
{
  circuit_wrong(c, branches, "", "");
  g_free(c->fault->text);
  c->fault->text = g_strconcat(
      before, circuit_branch(c, g_array_index(branches, guint32, k))->is.name, after, NULL);
  return FALSE;
}

/* Branch K and those of the tree of sources and capacitors that go from one of its ends to the
 * other: each node knows which it was reached by. */
GArray *tree_loop(const HyCircuit *c, guint32 k)
{
  guint n = c->nodes->len;
  g_autofree guint32 *by = g_new(guint32, n);
  memset(by, 0xff, n * sizeof *by);
  const HyBranch *first = &circuit_branch(c, k)->is;
  by[first->b] = k;
  for (gboolean more = TRUE; more && by[first->a] == NONE;) {
    more = FALSE;
    for (guint32 i = 0; i < c->branches->len; i++) {
      const Branch *b = circuit_branch(c, i);
      if (b->tree && b->is.kind <= HY_BRANCH_CAPACITOR &&
          (by[b->is.a] == NONE) != (by[b->is.b] == NONE)) {
        by[by[b->is.a] == NONE ? b->is.a : b->is.b] = i;
        more = TRUE;
      }
    }
  }
  GArray *loop = g_array_new(FALSE, FALSE, sizeof(guint32));
  g_array_append_val(loop, k);
  for (guint32 node = first->a; node != first->b && by[node] != NONE;) {
    const HyBranch *b = &circuit_branch(c, by[node])->is;
    g_array_append_val(loop, by[node]);
    node = b->a == node ? b->b : b->a;
  }
  return loop;
}

/* Current sources alone lead to the part that node INSIDE is in. */
static gboolean tree_starved(HyCircuit *c, guint32 inside)
{
  g_autoptr(GArray) cut = g_array_new(FALSE, FALSE, sizeof(guint32));
  g_autoptr(GString) nodes = g_string_new(NULL);
  guint32 part = c->island[inside];
  for (guint32 k = 0; k < c->branches->len; k++) {
    const HyBranch *b = &circuit_branch(c, k)->is;
    if (b->kind == HY_BRANCH_CURRENT && (c->island[b->a] == part) != (c->island[b->b] == part)) {
      g_array_append_val(cut, k);
    }
  }
  guint n = 0;
  for (guint32 k = 0; k < c->nodes->len; k++) {
    if (c->island[k] == part && ++n <= 10) {
      g_string_append_printf(nodes, "%s%s", n > 1 ? ", " : "", circuit_node_name(c, k));
    }
  }
  g_autofree char *before =
      g_strdup_printf("only current sources lead to node%s %s%s: ", n > 1 ? "s" : "", nodes->str,
                      n > 10 ? " ..." : "");
  return circuit_wrong(c, cut, before,
                       cut->len > 1 ? "; give them a resistance" : "; give it a resistance");
}

/* Choosing ------------------------------------------------------------------------------------- */

static gboolean tree_short(HyCircuit *c, guint32 k)
{
  g_autoptr(GArray) one = g_array_new(FALSE, FALSE, sizeof(guint32));
  g_array_append_val(one, k);
  g_autofree char *node =
      g_strconcat(" on node ", circuit_node_name(c, circuit_branch(c, k)->is.a), NULL);
  return circuit_wrong(c, one, "both ends of ", node);
}

static gboolean tree_voltages(HyCircuit *c)
{
  for (guint32 k = 0; k < c->branches->len; k++) {
    Branch *b = circuit_branch(c, k);
    if (b->is.a == b->is.b) {
      return tree_short(c, k);
    }
    if (b->is.kind != HY_BRANCH_VOLTAGE) {
      continue;
    }
    b->tree = groups_join(c->super, b->is.a, b->is.b);
    if (!b->tree) {
      g_autoptr(GArray) loop = tree_loop(c, k);
      return circuit_wrong(
          c, loop, "loop of voltage sources: ", "; put a resistance in series with one of them");
    }
  }
  return TRUE;
}

/* Those that say where they start come first, so that it is them who are states. */
static void tree_states(HyCircuit *c, HyBranchKind kind, guint32 *of)
{
  for (guint later = 0; later < 2; later++) {
    for (guint32 k = 0; k < c->branches->len; k++) {
      Branch *b = circuit_branch(c, k);
      if (b->is.kind == kind && b->is.stated == (later == 0)) {
        b->tree = groups_join(of, b->is.a, b->is.b);
        b->dependent = b->tree == (kind == HY_BRANCH_COIL);
      }
    }
  }
}

static void tree_resistances(HyCircuit *c)
{
  for (guint32 k = 0; k < c->branches->len; k++) {
    const HyBranch *b = &circuit_branch(c, k)->is;
    if (b->kind == HY_BRANCH_RESISTOR) {
      groups_join(c->cluster, b->a, b->b);
    }
  }
}

static gboolean tree_currents(HyCircuit *c)
{
  for (guint32 k = 0; k < c->branches->len; k++) {
    const HyBranch *b = &circuit_branch(c, k)->is;
    if (b->kind == HY_BRANCH_CURRENT && c->island[b->a] != c->island[b->b]) {
      return tree_starved(c, c->island[b->a] != c->island[0] ? b->a : b->b);
    }
  }
  return TRUE;
}

/* Labels --------------------------------------------------------------------------------------- */

static gboolean tree_has(const HyCircuit *c, guint32 k, HyBranchKind kind, guint32 *a, guint32 *b)
{
  const Branch *branch = circuit_branch(c, k);
  gboolean coil = kind == HY_BRANCH_COIL;
  *a = coil ? c->cluster[branch->is.a] : branch->is.a;
  *b = coil ? c->cluster[branch->is.b] : branch->is.b;
  return branch->tree && (coil ? branch->is.kind == kind : branch->is.kind <= HY_BRANCH_CAPACITOR);
}

guint32 *tree_at_nodes(const HyCircuit *c, HyBranchKind kind, guint32 *first)
{
  guint n = c->nodes->len;
  guint32 a, b;
  memset(first, 0, (n + 2) * sizeof *first);
  for (guint32 k = 0; k < c->branches->len; k++) {
    if (tree_has(c, k, kind, &a, &b)) {
      first[a + 2]++, first[b + 2]++;
    }
  }
  for (guint k = 2; k < n + 2; k++) {
    first[k] += first[k - 1];
  }
  guint32 *list = g_new(guint32, (gsize)first[n + 1] + 1);
  for (guint32 k = 0; k < c->branches->len; k++) {
    if (tree_has(c, k, kind, &a, &b)) {
      list[first[a + 1]++] = k;
      list[first[b + 1]++] = k;
    }
  }
  return list;
}

/* Node FROM is known; those that hang on it follow. */
static void tree_step(HyCircuit *c, guint32 from, const guint32 *branch, guint n)
{
  for (guint k = 0; k < n; k++) {
    const Branch *b = circuit_branch(c, branch[k]);
    guint32 to = b->is.a == from ? b->is.b : b->is.a;
    if (c->up[from] == branch[k]) {
      continue;
    }
    c->up[to] = branch[k];
    const Label *v = label_of(c, b->name, b->is.a == to ? 1 : -1);
    c->off[to] = label_plus(c, c->off[from], 1, v);
    g_array_append_val(c->walk, to);
  }
}

static void tree_labels(HyCircuit *c)
{
  guint n = c->nodes->len;
  g_autofree guint32 *first = g_new(guint32, (gsize)n + 2),
                     *list = tree_at_nodes(c, HY_BRANCH_VOLTAGE, first);
  c->off = g_new0(const Label *, n);
  c->up = g_new(guint32, n);
  memset(c->up, 0xff, n * sizeof *c->up);
  for (guint32 k = 0; k < n; k++) {
    if (c->super[k] == k) {
      c->off[k] = c->nothing;
      g_array_append_val(c->walk, k);
    }
  }
  for (guint k = 0; k < c->walk->len; k++) {
    guint32 node = g_array_index(c->walk, guint32, k);
    tree_step(c, node, list + first[node], first[node + 1] - first[node]);
  }
}

gboolean tree_find(HyCircuit *c)
{
  guint n = c->nodes->len;
  c->super = groups_alone(n);
  if (!tree_voltages(c)) {
    return FALSE;
  }
  tree_states(c, HY_BRANCH_CAPACITOR, c->super);
  groups_flatten(c->super, n);
  c->cluster = g_memdup2(c->super, n * sizeof *c->super);
  tree_resistances(c);
  groups_flatten(c->cluster, n);
  c->island = g_memdup2(c->cluster, n * sizeof *c->cluster);
  tree_states(c, HY_BRANCH_COIL, c->island);
  groups_flatten(c->island, n);
  tree_labels(c);
  return tree_currents(c);
}
