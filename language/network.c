/* A <circuit> as branches: its elements, once the copies of all are known, with their nodes and
 * numbers; what the room circuits makes of them, or why it cannot.
 *
 * A formula of signals (value, R) is a signal for the equations, whose name is that of the block
 * that computes it; control and gate decide modes only and are wired in network_blocks.c. Readings
 * are asked for by formulas (ends.c) while blocks are made, and by what is recorded. */
#include "language/network.h"
#include "coupled/model_internal.h"
#include "language/circuits.h"
#include "language/names.h"

#include <math.h>
#include <string.h>

gboolean hy_is_nested(const Scope *child)
{
  return child->define->is_circuit && child->parent != NULL && child->parent->define->is_circuit;
}

gboolean hy_is_element(const Entry *e)
{
  const HyFile *f = e->define->file;
  return e->kind == E_BLOCK && e->define->is_circuit &&
         (hy_is_node(e) || f->vocabulary->element[hy_element(f->tree, e->element)->name] != NULL);
}

const char *hy_network_signal(Network *n, const char *name, const char *what)
{
  g_autofree char *text = g_strconcat(name, what, NULL);
  return hy_formula_pool_name(n->pool, text);
}

/* Gathering ------------------------------------------------------------------------------------ */

static void read_nodes(Network *n, Element *e)
{
  if (e->kind == HY_COUPLING || e->left_out) {
    return;
  }
  memset(e->node, 0, sizeof e->node);
  const Item *i = hy_element_item(e->entry, "nodes");
  if (i == NULL) {
    hy_element_lacks(n, e, "nodes", NULL, hy_class_param(e->entry->klass, "nodes")->doc);
    n->failed = TRUE;
    return;
  }
  Env env = hy_env(n->loader, e->scope, e->entry, i->attribute);
  hy_env_copy(&env, e->entry, e->at);
  env.mode = MODE_SOURCE;
  n->failed |= !hy_nodes_read(n, &env, i->attribute->value, hy_element_ends(e->kind), e->node);
}

static void gather_entry(Network *n, Scope *s, Entry *e)
{
  const Copies *c = &s->copies[e->slot];
  s->first_element[e->slot] = n->elements->len;
  n->failed |= e->bad || c->bad;
  for (guint32 k = 0; k < c->n && !e->bad && !c->bad; k++) {
    Element one = {.scope = s,
                   .entry = e,
                   .kind = hy_element_kind(e->klass),
                   .branch = HY_NO_BRANCH,
                   .second = HY_NO_BRANCH,
                   .junction = HY_NO_BRANCH,
                   .left_out = c->component[k] == HY_LEFT_OUT};
    g_autoptr(GString) name = g_string_new(s->in_network);
    hy_copy_indices(e, c, k, one.at);
    hy_copy_name(e, one.at, name);
    one.name = hy_formula_pool_name(n->pool, name->str);
    g_array_append_val(n->elements, one);
  }
}

/* Where the way through the circuits is: at copy COPY of block BLOCK. */
typedef struct {
  Scope *scope;
  guint block;
  guint32 copy;
} Way;

/* S joins the network, as what the outermost circuit calls it. */
static void enter(Network *n, Scope *s, GArray *way)
{
  g_autoptr(GString) path = g_string_new(s == n->scope ? "" : s->parent->in_network);
  if (s != n->scope) {
    hy_copy_name(s->entry, s->at, path);
    g_string_append_c(path, '/');
  }
  s->network = n;
  s->in_network = hy_formula_pool_name(n->pool, path->str);
  s->first_element = g_new0(guint32, MAX(s->define->blocks->len, 1));
  g_hash_table_insert(n->scopes, hy_key(s->in_network), s);
  g_ptr_array_add(n->circuits, s);
  n->failed |= s != n->scope && !hy_nodes_join(n, s);
  Way at = {s, 0, 0};
  g_array_append_val(way, at);
}

/* The next copy of a circuit inside; NULL: there is none left. */
static Scope *next_inside(Network *n, Way *at, const Entry *e)
{
  const Copies *c = &at->scope->copies[e->slot];
  gboolean wrong = e->bad || c->bad;
  n->failed |= wrong;
  while (!wrong && at->copy < c->n) {
    Scope *child = c->child[at->copy++];
    if (child != NULL) {
      return child;
    }
  }
  return NULL;
}

/* One step: an element, or into a circuit, in the order of the file. */
static void step(Network *n, GArray *way)
{
  Way *at = &g_array_index(way, Way, way->len - 1);
  if (at->block == at->scope->define->blocks->len) {
    g_array_set_size(way, way->len - 1);
    return;
  }
  Entry *e = g_ptr_array_index(at->scope->define->blocks, at->block);
  gboolean nested = e->inside != NULL && e->inside->is_circuit;
  Scope *inside = nested ? next_inside(n, at, e) : NULL;
  if (inside != NULL) {
    enter(n, inside, way);
    return;
  }
  if (hy_is_element(e) && !hy_is_node(e)) {
    gather_entry(n, at->scope, e);
  }
  at->block++;
  at->copy = 0;
}

static void gather_elements(Network *n)
{
  g_autoptr(GArray) way = g_array_new(FALSE, FALSE, sizeof(Way));
  enter(n, n->scope, way);
  while (way->len > 0) {
    step(n, way);
  }
}

/* What names other elements, once all of these are branches. */
static gboolean add_others(Network *n, Element *e, guint32 number)
{
  return e->kind == HY_COUPLING ? hy_coupling_add(n, e, number)
                                : !e->controlled || n->failed || hy_controls_add(n, e);
}

/* Nodes first, so that formulas can name all of them; then branches. */
static void gather(Network *n)
{
  gather_elements(n);
  for (guint32 k = 0; k < n->elements->len; k++) {
    read_nodes(n, hy_network_element(n, k));
  }
  for (guint pass = 0; pass < 2; pass++) {
    for (guint32 k = 0; k < n->elements->len; k++) {
      Element *e = hy_network_element(n, k);
      if (!e->left_out) {
        gboolean ok = pass == 0 ? hy_branch_add(n, e, k) : add_others(n, e, k);
        n->failed |= !ok;
      }
      hy_formula_pool_clear(n->loader->scratch);
    }
  }
}

/* Messages ------------------------------------------------------------------------------------- */

static gint compare_lines(gconstpointer a, gconstpointer b)
{
  guint x = *(const guint *)a, y = *(const guint *)b;
  return (x > y) - (x < y);
}

#define MOST_LINES 10 /* that a message names */

/* "4, 7", each once. */
static guint list_lines(GArray *lines, GString *out)
{
  g_array_sort(lines, compare_lines);
  guint shown = 0, last = 0;
  for (guint k = 0; k < lines->len && shown <= MOST_LINES; k++) {
    guint line = g_array_index(lines, guint, k);
    if (line != last) {
      g_string_append_printf(out, shown == 0 ? "%u" : shown == MOST_LINES ? " ..." : ", %u", line);
      shown++;
    }
    last = line;
  }
  return shown;
}

/* " (lines 4, 7)"; of elements of another file " (lines 4, power.xml 12)"; and where the circuits
 * that they are in were placed. */
static void append_lines(const Network *n, const GArray *elements, GString *out)
{
  const HyFile *file = n->scope->define->file;
  g_autoptr(GArray) lines = g_array_new(FALSE, FALSE, sizeof(guint)),
                    placed = g_array_new(FALSE, FALSE, sizeof(guint));
  g_autoptr(GString) list = g_string_new(NULL), others = g_string_new(NULL),
                     around = g_string_new(NULL);
  for (guint k = 0; k < elements->len; k++) {
    const Element *e = hy_network_element(n, g_array_index(elements, guint, k));
    if (e->scope->define->file == file) {
      g_array_append_val(lines, e->entry->line);
    } else {
      g_string_append_printf(others, "%s%s %u", others->len > 0 ? ", " : "",
                             e->scope->define->file->name, e->entry->line);
    }
    for (const Scope *s = e->scope; s != n->scope; s = s->parent) {
      if (s->parent->define->file == file) {
        g_array_append_val(placed, s->entry->line);
      }
    }
  }
  guint shown = list_lines(lines, list);
  guint n_placed = list_lines(placed, around);
  g_string_append_printf(out, " (%s%s%s%s",
                         shown > 1    ? "lines "
                         : shown == 1 ? "line "
                                      : "",
                         list->str, shown > 0 && others->len > 0 ? ", " : "", others->str);
  g_string_append_printf(out, n_placed > 0 ? ", placed in line%s %s)" : "%s%s)",
                         n_placed > 1 ? "s" : "", around->str);
}

static void report_fault(Network *n, const HyCircuitFault *fault)
{
  g_autoptr(GString) text = g_string_new(NULL);
  const Scope *s = n->scope;
  hy_scope_path(s, text);
  g_string_append_printf(text, ": %s", fault->text);
  guint line = s->entry->line;
  const char *file = s->define->file->name;
  if (fault->elements != NULL && fault->elements->len > 0) {
    const Element *first = hy_network_element(n, g_array_index(fault->elements, guint, 0));
    append_lines(n, fault->elements, text);
    line = first->entry->line;
    file = first->scope->define->file->name;
  }
  hy_report_error(n->loader->report, file, line, "%s", text->str);
}

void hy_network_warn_of_nodes(const Network *n)
{
  for (guint32 k = 0; k < n->elements->len; k++) {
    const Element *e = hy_network_element(n, k);
    for (guint end = 0; end < hy_element_ends(e->kind) && !e->left_out; end++) {
      if (e->node[end] != 0 && g_array_index(n->node_uses, guint, e->node[end]) == 1 &&
          hy_note_once(n->loader, e->entry, REPORTED_WARNING)) {
        g_autoptr(GString) path = g_string_new(NULL);
        hy_scope_path(n->scope, path);
        hy_report_warning(n->loader->report, e->scope->define->file->name, e->entry->line,
                          "%s/%s: nothing else is at node \"%s\"", path->str, e->name,
                          hy_circuit_node_name(n->circuit, e->node[end]));
      }
    }
  }
}

/* "a, b" of the part of NODE, and which of them voltages are against. */
static const char *list_part(const Network *n, guint node, GString *names)
{
  const char *zero = NULL;
  guint count = 0;
  for (guint k = 1; k < n->node_uses->len; k++) {
    if (hy_circuit_island(n->circuit, k) == hy_circuit_island(n->circuit, node)) {
      const char *name = hy_circuit_node_name(n->circuit, k);
      const HyFormula *v = hy_circuit_potential(n->circuit, k);
      zero = zero == NULL && v->kind == HY_F_NUMBER && v->number == 0.0 ? name : zero;
      if (++count <= MOST_LINES) {
        g_string_append_printf(names, "%s%s", count > 1 ? ", " : "", name);
      }
    }
  }
  g_string_append(names, count > MOST_LINES ? " ..." : "");
  return zero;
}

/* A part that nothing ties to 0 is legal, and mostly has a misspelt node. The other side of a
 * transformer is no such part. */
static void warn_of_parts_alone(const Network *n)
{
  g_autofree gboolean *seen = g_new0(gboolean, n->node_uses->len);
  for (guint32 k = 0; k < n->elements->len; k++) {
    const Element *e = hy_network_element(n, k);
    guint part = hy_circuit_island(n->circuit, e->node[0]);
    if (e->left_out || e->kind == HY_PROBE || hy_element_ends(e->kind) == 0 || seen[part]) {
      continue;
    }
    seen[part] = TRUE;
    if (hy_circuit_is_alone(n->circuit, part) &&
        hy_note_once(n->loader, e->entry, REPORTED_WARNING)) {
      g_autoptr(GString) path = g_string_new(NULL), names = g_string_new(NULL);
      hy_scope_path(n->scope, path);
      const char *zero = list_part(n, part, names);
      hy_report_warning(n->loader->report, e->scope->define->file->name, e->entry->line,
                        "%s/%s: no element leads from %s to 0; voltages there are against %s",
                        path->str, e->name, names->str, zero != NULL ? zero : "one of them");
    }
  }
}

/* ---------------------------------------------------------------------------------------------- */

static Network *network_new(Loader *l, Scope *s)
{
  Network *n = g_new0(Network, 1);
  n->loader = l;
  n->scope = s;
  n->pool = hy_formula_pool_new();
  n->circuit = hy_circuit_new(n->pool);
  n->elements = g_array_new(FALSE, FALSE, sizeof(Element));
  n->couplings = g_array_new(FALSE, FALSE, sizeof(Coupling));
  n->circuits = g_ptr_array_new();
  n->scopes = g_hash_table_new(g_str_hash, g_str_equal);
  n->nodes = g_array_new(FALSE, FALSE, sizeof(NodeAt));
  n->by_key = g_hash_table_new(g_str_hash, g_str_equal);
  n->joined = g_hash_table_new(g_str_hash, g_str_equal);
  n->node_uses = g_array_new(FALSE, TRUE, sizeof(guint));
  g_array_set_size(n->node_uses, 1);
  NodeAt zero = {hy_formula_pool_name(n->pool, "0"), 0};
  g_array_append_val(n->nodes, zero);
  g_hash_table_insert(n->by_key, hy_key(zero.key), GUINT_TO_POINTER(1));
  n->made = g_array_new(FALSE, FALSE, sizeof(Made));
  n->signal = g_hash_table_new(g_str_hash, g_str_equal);
  n->carried = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
  n->wants = g_array_new(FALSE, FALSE, sizeof(Want));
  n->wanted = g_hash_table_new(NULL, NULL);
  return n;
}

void hy_network_free(Network *n)
{
  hy_circuit_free(n->circuit);
  hy_formula_pool_free(n->pool);
  g_array_unref(n->elements);
  g_array_unref(n->couplings);
  g_ptr_array_unref(n->circuits);
  g_hash_table_unref(n->scopes);
  g_array_unref(n->nodes);
  g_hash_table_unref(n->by_key);
  g_hash_table_unref(n->joined);
  g_array_unref(n->node_uses);
  g_free(n->names_at);
  g_array_unref(n->made);
  g_hash_table_unref(n->signal);
  g_hash_table_unref(n->carried);
  g_array_unref(n->wants);
  g_hash_table_unref(n->wanted);
  g_free(n);
}

void hy_network_fail(Scope *s)
{
  s->network->failed = TRUE;
}

void hy_network_solve(Loader *l, Scope *s)
{
  Network *n = network_new(l, s);
  HyCircuitFault fault = {NULL, NULL};
  gather(n);
  if (!n->failed && !hy_circuit_solve(n->circuit, &fault)) {
    n->failed = TRUE;
    report_fault(n, &fault);
  }
  hy_circuit_fault_clear(&fault);
  if (!n->failed) {
    warn_of_parts_alone(n);
    hy_nodes_of_ports(n);
    hy_network_want_records(n);
  }
}
