/* Which readings of a network somebody asks for, by formulas and by what is recorded, where they
 * are found, and what they are in terms of its equations. */
#include "coupled/model_internal.h"
#include "expr/formula_measure.h"
#include "language/circuits.h"
#include "language/names.h"
#include "language/network.h"
#include "language/numerics.h"

#include <string.h>

/* ".v", of a winding ".v[2]". */
static char *reading_text(const char *port, guint winding)
{
  return winding > 0 ? g_strdup_printf(".%s[%u]", port, winding) : g_strconcat(".", port, NULL);
}

/* "h[1]/L1", "x[2]"; PLACE: of a copy, or of the node in the list of the network. */
static const char *name_of(const Scope *s, const Entry *e, guint32 place)
{
  const Network *n = s->network;
  return hy_is_node(e) ? hy_network_node(n, place)->key
                       : hy_network_element(n, s->first_element[e->slot] + place)->name;
}

const char *hy_network_element_name(const Scope *s, const End *end)
{
  return name_of(s, end->entry, end->copy) + strlen(s->in_network);
}

static void network_want(Scope *s, const Entry *e, const End *end, gboolean recorded)
{
  Network *n = s->network;
  if (n == NULL || n->failed || end->copy >= COPY_AFTER) {
    return;
  }
  Want w = {.element = HY_NO_BRANCH,
            .what = end->port[0],
            .winding = end->port_index,
            .recorded = recorded};
  if (hy_is_node(e)) {
    w.node = hy_network_node(n, end->copy)->number;
    g_array_index(n->node_uses, guint, w.node) += !recorded; /* a formula: no misspelt one */
  } else {
    w.element = s->first_element[e->slot] + end->copy;
  }
  g_autofree char *what = reading_text(end->port, end->port_index);
  w.name = hy_network_signal(n, name_of(s, e, end->copy), what);
  if (g_hash_table_add(n->wanted, hy_key(w.name))) {
    g_array_append_val(n->wants, w);
  }
}

void hy_network_want(Scope *s, const End *end)
{
  network_want(s, end->entry, end, FALSE);
}

/* Of a copy of an element, of a transformer for both windings. */
static void want_recorded(Scope *s, const Entry *e, guint32 copy, const char *port)
{
  gboolean windings = !hy_is_node(e) && hy_element_kind(e->klass) == HY_TRANSFORMER;
  for (guint w = windings ? 1 : 0; w <= (windings ? 2 : 0); w++) {
    End end = {.copy = copy, .port = port, .port_index = w};
    network_want(s, e, &end, TRUE);
  }
}

/* Whether "h[1]/x[2]" is a copy of NAME of S. */
static gboolean is_copy_of(const Scope *s, const char *text, const char *name)
{
  gsize before = strlen(s->in_network), length = strlen(name);
  return g_str_has_prefix(text, s->in_network) && strncmp(text + before, name, length) == 0 &&
         (text[before + length] == '\0' || text[before + length] == '[');
}

void hy_network_want_all(Network *n, Scope *s, const Entry *e, const char *port)
{
  for (guint32 k = 0; !hy_is_node(e) && k < s->copies[e->slot].n; k++) {
    if (!hy_network_element(n, s->first_element[e->slot] + k)->left_out) {
      want_recorded(s, e, k, port);
    }
  }
  for (guint place = 0; hy_is_node(e) && place < n->nodes->len; place++) {
    if (is_copy_of(s, hy_network_node(n, place)->key, e->name)) {
      want_recorded(s, e, place, port);
    }
  }
}

gboolean hy_network_place(Scope *s, const End *end, guint *component, guint *port)
{
  Network *n = s->network;
  if (n == NULL || n->failed) {
    return FALSE;
  }
  g_autofree char *what = reading_text(end->port, end->port_index);
  g_autofree char *name = g_strconcat(name_of(s, end->entry, end->copy), what, NULL);
  const Made *made = hy_made_find(n, hy_formula_pool_name(n->pool, name));
  if (made == NULL) {
    return FALSE;
  }
  g_assert(made->scope == s); /* a reading stands where it is read */
  *component = made->component;
  *port = made->port;
  return TRUE;
}

/* The current into plus; of a transistor that of its switch less that of its diode. */
static const HyFormula *element_current(Network *n, const Element *e)
{
  if (e->branch == HY_NO_BRANCH) {
    return hy_formula_number(n->pool, 0.0);
  }
  const HyFormula *i = hy_circuit_current(n->circuit, e->branch);
  if (e->kind != HY_TRANSISTOR && e->kind != HY_EXPONENTIAL) {
    return i;
  }
  const HyFormula *both[] = {i, hy_circuit_current(n->circuit, e->second)};
  return hy_formula_chain(n->pool, HY_F_SUM, both, e->kind == HY_TRANSISTOR ? "+-" : "++", 2);
}

const HyFormula *hy_want_formula(Network *n, const Want *w)
{
  if (w->element == HY_NO_BRANCH) {
    return hy_circuit_potential(n->circuit, w->node);
  }
  const Element *e = hy_network_element(n, w->element);
  if (w->winding > 0) {
    guint branch = w->winding == 1 ? e->branch : e->second;
    return w->what == 'i' ? hy_circuit_current(n->circuit, branch)
                          : hy_circuit_across(n->circuit, branch);
  }
  if (w->what == 'i') {
    return element_current(n, e);
  }
  if (e->kind == HY_EXPONENTIAL) {
    return hy_circuit_across(n->circuit, e->second);
  }
  return e->branch == HY_NO_BRANCH ? hy_circuit_voltage(n->circuit, e->node[0], e->node[1])
                                   : hy_circuit_across(n->circuit, e->branch);
}

/* Records -------------------------------------------------------------------------------------- */

/* Whether the parts of PATH before the last may lead to S. One that only a run could compare, since
 * its index is a formula, may. */
static gboolean may_lead(const HyPath *path, const Scope *s)
{
  if (hy_path_any_depth(&path->part[path->n - 1])) {
    return TRUE;
  }
  for (guint k = path->n - 1; k-- > 0; s = s->parent) {
    const HyPathPart *part = &path->part[k];
    if (hy_path_any_depth(part)) {
      return TRUE;
    }
    gboolean root = s->parent == NULL;
    if (root || part->hidden != NULL || !g_pattern_match_simple(part->name, s->entry->name)) {
      return FALSE;
    }
    gboolean number = part->n_index == 1 && s->entry->n_index == 1 && part->index[0].lo != NULL &&
                      part->index[0].lo->kind == HY_F_NUMBER && part->index[0].hi == NULL;
    if (number && part->index[0].lo->number != (double)s->at[0]) {
      return FALSE;
    }
  }
  return s->parent == NULL;
}

/* Readings of S that a path may mean, by its last part alone: a few too many do no harm. */
static void want_path(Network *n, Scope *s, const HyPath *path)
{
  const HyPathPart *part = path->n > 0 ? &path->part[path->n - 1] : NULL;
  if (part == NULL || part->hidden != NULL || !may_lead(path, s)) {
    return;
  }
  for (guint k = 0; k < s->define->blocks->len; k++) {
    const Entry *e = g_ptr_array_index(s->define->blocks, k);
    if (!hy_is_element(e) || !g_pattern_match_simple(part->name, e->name)) {
      continue;
    }
    for (const HyPort *p = e->klass->out; p != NULL && p->name != NULL; p++) {
      if (path->port == NULL ? strcmp(p->name, "on") != 0
                             : g_pattern_match_simple(path->port, p->name)) {
        hy_network_want_all(n, s, e, p->name);
      }
    }
  }
}

static void want_text(Network *n, const char *text)
{
  const HyPaths *paths = text != NULL ? hy_paths_parse(n->loader->pool, text, NULL) : NULL;
  for (guint k = 0; paths != NULL && k < paths->n; k++) { /* what is wrong is said elsewhere */
    for (guint i = 0; i < n->circuits->len; i++) {
      want_path(n, g_ptr_array_index(n->circuits, i), paths->path[k]);
    }
  }
}

/* Of a path in a measure. */
static char *want_measured(gpointer user, const char *path, GError **error)
{
  (void)error;
  want_text(user, path);
  return g_strdup(path);
}

static void want_measure(Network *n, const char *text)
{
  g_free(text != NULL ? hy_measure_map(text, want_measured, n, NULL) : NULL);
}

void hy_network_want_records(Network *n)
{
  const Loader *l = n->loader;
  const HyFile *f = g_ptr_array_index(l->files.all, 0);
  for (guint k = 0; k < l->chosen.chain->len; k++) {
    guint32 experiment = g_array_index(l->chosen.chain, guint32, k);
    want_text(n, hy_said_in(f, experiment, HY_W_RECORD));
    for (guint32 i = hy_element(f->tree, experiment)->child; i != 0;
         i = hy_element(f->tree, i)->next) {
      if (hy_element(f->tree, i)->name == HY_W_RECORD) {
        want_text(n, hy_said_in(f, i, HY_W_PATH));
      } else if (hy_element(f->tree, i)->name == HY_W_MEASURE) {
        want_measure(n, hy_said_in(f, i, HY_W_VALUE));
      }
    }
  }
  for (const char *const *o = l->options.record; o != NULL && *o != NULL; o++) {
    want_text(n, *o);
  }
  for (const char *const *o = l->options.measure; o != NULL && *o != NULL; o++) {
    want_measure(n, *o); /* a name in front is one path more, which leads nowhere or does no harm */
  }
}
