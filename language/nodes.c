/* Nodes of a circuit: nobody declares them, they are what nodes="..." names, and the attributes of
 * circuits inside it; but those that it is joined by itself, <node name="p"/>. Each becomes an
 * entry of the define, so that names are taken once and formulas find them; which copies of x[i]
 * there are is known in each instance. Node 0 is the reference everywhere, and no entry. */
#include "base/hint.h"
#include "language/circuits.h"
#include "language/names.h"
#include "language/network.h"
#include <string.h>

/* A blank outside of brackets separates; in an array of nodes (COMMAS) also a comma. */
char **hy_nodes_split(const char *text, gboolean commas)
{
  GPtrArray *words = g_ptr_array_new();
  const char *start = NULL;
  gint depth = 0;
  for (const char *s = text;; s++) {
    gboolean blank = *s == '\0' || (depth <= 0 && (g_ascii_isspace(*s) || (commas && *s == ',')));
    depth += (*s == '[') - (*s == ']');
    if (blank && start != NULL) {
      g_ptr_array_add(words, g_strndup(start, (gsize)(s - start)));
      start = NULL;
    } else if (!blank && start == NULL) {
      start = s;
    }
    if (*s == '\0') {
      break;
    }
  }
  g_ptr_array_add(words, NULL);
  return (char **)g_ptr_array_free(words, FALSE);
}

static const char *attribute_of(const Env *env)
{
  return hy_tree_name(env->file->tree, env->attribute->name);
}

/* WORD as a list of one reference, which may have a slice; NULL: reported. */
static const HyFormula *node_parse(const Env *env, const char *word)
{
  gboolean name = g_ascii_isalpha(*word) || *word == '_';
  const HyFormula *f = name ? hy_env_parse(env, HY_TEXT_ENDS, word) : NULL;
  if (name && f == NULL) {
    return NULL;
  }
  const HyFormula *ref = f != NULL && f->n == 1 ? f->child[0] : NULL;
  if (ref == NULL || ref->kind != HY_F_REF || ref->ref.port != NULL || ref->own ||
      ref->n_index > HY_MAX_INDICES) {
    hy_problem(env,
               "%s=\"%s\": \"%s\" is no node; a node is a name, with indices if it likes, or 0",
               attribute_of(env), env->attribute->value, word);
    return NULL;
  }
  return f;
}

/* While names are collected: the entry of a node, new or known. */
static void node_entry(Loader *l, Define *d, const Entry *of, const HyFormula *ref)
{
  Entry *known = hy_define_find(d, ref->ref.name, TRUE);
  if (known != NULL && !hy_is_node(known)) {
    hy_complain(l, d, hy_key(of), "\"%s\" is the name of the %s in line %u, so no node",
                known->name, hy_entry_what(known), known->line);
    return;
  }
  if (known != NULL && hy_is_node(known)) {
    if (known->n_index != ref->n_index) {
      hy_complain(l, d, hy_key(of), "node \"%s\" has %u indices here and %u in line %u",
                  known->name, ref->n_index, known->n_index, known->line);
    }
    return;
  }
  Entry *e = hy_arena_take(l->entries, sizeof *e);
  e->name = ref->ref.name;
  e->define = d;
  e->element = of->element;
  e->line = of->line;
  e->kind = E_BLOCK;
  e->klass = &hy_node_class;
  e->type_looked = 1;
  e->n_index = ref->n_index;
  hy_define_add(l, d, e);
}

/* What is wrong is said in each instance. */
static void nodes_of_text(Loader *l, Define *d, const Entry *e, const char *text, gboolean commas)
{
  g_auto(GStrv) words = hy_nodes_split(text, commas);
  for (char **w = words; *w != NULL; w++) {
    const HyFormula *f =
        strcmp(*w, "0") != 0 ? hy_formula_parse(l->pool, HY_TEXT_ENDS, *w, NULL) : NULL;
    f = f != NULL && f->kind == HY_F_ITEMS && f->n == 1 ? f->child[0] : f;
    if (f != NULL && f->kind == HY_F_REF && f->n_index <= HY_MAX_INDICES) {
      node_entry(l, d, e, f);
    }
  }
}

void hy_nodes_define(Loader *l, Define *d)
{
  guint n = d->entries->len;
  HyTree *tree = d->file->tree;
  for (guint k = 0; k < n; k++) {
    const Entry *e = g_ptr_array_index(d->entries, k);
    const HyAttribute *a = hy_is_element(e) && !e->bad
                               ? hy_attribute_find(tree, hy_element(tree, e->element),
                                                   hy_tree_find_name(tree, "nodes"))
                               : NULL;
    if (a != NULL) {
      nodes_of_text(l, d, e, a->value, FALSE);
    }
  }
}

void hy_node_port_read(Loader *l, Define *d, Entry *e)
{
  HyTree *tree = d->file->tree;
  guint16 word = hy_tree_find_name(tree, e->name);
  e->klass = &hy_node_class;
  e->type_looked = 1;
  e->node_port = 1;
  if (hy_is_fixed(word, TRUE)) {
    hy_complain(l, d, e, "every block has an attribute \"%s\", so no node can be given by it",
                e->name);
  }
  if (e->count == NULL) {
    return;
  }
  Env env = {.loader = l, .entry = e, .file = d->file, .attribute = e->count};
  e->f.count = hy_env_parse(&env, HY_TEXT_LIST, e->count->value);
  e->bad |= e->f.count == NULL;
  e->n_index = 1;
  if (e->f.count != NULL && e->f.count->n != 1) {
    hy_complain(l, d, e, "count=\"%s\": at most 1 number", e->count->value);
  }
}

const Entry *hy_node_port(const Define *d)
{
  for (guint k = 0; d->is_circuit && k < d->blocks->len; k++) {
    const Entry *e = g_ptr_array_index(d->blocks, k);
    if (e->node_port) {
      return e;
    }
  }
  return NULL;
}

void hy_nodes_of_blocks(Loader *l, Define *d)
{
  guint n = d->is_circuit ? d->blocks->len : 0;
  for (guint k = 0; k < n; k++) {
    Entry *e = g_ptr_array_index(d->blocks, k);
    if (e->bad || e->nodes_known || hy_is_element(e) || !hy_entry_type(l, e) || e->inside == NULL ||
        hy_node_port(e->inside) == NULL) {
      continue;
    }
    e->nodes_known = 1;
    const Plan *plan = hy_entry_plan(l, e);
    for (guint i = 0; i < plan->n && !e->bad; i++) {
      if (plan->item[i].role == R_CHILD_NODE) {
        nodes_of_text(l, d, e, plan->item[i].attribute->value, TRUE);
      }
    }
  }
}

/* In an instance ------------------------------------------------------------------------------- */

/* "h[1]/x[2,1]", of the pool. */
static const char *node_key(Network *n, const Scope *s, const char *name, const gint64 *at,
                            guint n_at)
{
  g_autoptr(GString) text = g_string_new(s->in_network);
  g_string_append(text, name);
  for (guint k = 0; k < n_at; k++) {
    g_string_append_printf(text, "%c%" G_GINT64_FORMAT "%s", k == 0 ? '[' : ',', at[k],
                           k + 1 == n_at ? "]" : "");
  }
  return hy_formula_pool_name(n->pool, text->str);
}

static guint node_add(Network *n, const char *key, guint number)
{
  NodeAt at = {key, number};
  g_array_append_val(n->nodes, at);
  g_hash_table_insert(n->by_key, hy_key(key), GUINT_TO_POINTER(n->nodes->len));
  return n->nodes->len - 1;
}

/* Its place in the list; HY_NO_COMPONENT: no element is at it. A node port is what it is joined to.
 */
static guint32 node_find(Network *n, const char *key)
{
  guint place = GPOINTER_TO_UINT(g_hash_table_lookup(n->by_key, key));
  const char *joined = g_hash_table_lookup(n->joined, key);
  if (place > 0) {
    return place - 1;
  }
  place = joined != NULL ? GPOINTER_TO_UINT(g_hash_table_lookup(n->by_key, joined)) : 0;
  return place > 0 ? node_add(n, key, hy_network_node(n, place - 1)->number) : HY_NO_COMPONENT;
}

/* The number of an element's end. */
static guint node_number(Network *n, const char *key)
{
  const char *joined = g_hash_table_lookup(n->joined, key);
  const char *real = joined != NULL ? joined : key;
  if (!g_hash_table_contains(n->by_key, real)) {
    guint none = 0;
    node_add(n, real, hy_circuit_node(n->circuit, real));
    g_array_append_val(n->node_uses, none);
  }
  guint32 place = node_find(n, key);
  return hy_network_node(n, place)->number;
}

/* x[4] of a node port of 3 is none. */
static gboolean node_exists(const Env *env, const HyFormula *ref)
{
  const Entry *e = hy_scope_find(env->scope, ref->ref.name);
  guint32 n = e->node_port && e->count != NULL ? env->scope->copies[e->slot].extent[0] : 0;
  if (!e->node_port || e->count == NULL || e->bad || (ref->ref.at[0] >= 1 && ref->ref.at[0] <= n)) {
    return TRUE;
  }
  hy_problem(env, "\"%s[%" G_GINT64_FORMAT "]\" does not exist (%s has 1..%u)", e->name,
             ref->ref.at[0], e->name, n);
  return FALSE;
}

/* The keys of the nodes that WORD names: one, or those of a slice. FALSE: reported. */
static gboolean keys_of_word(Network *n, Env *env, const char *word, gboolean slices,
                             GPtrArray *keys)
{
  if (strcmp(word, "0") == 0) {
    g_ptr_array_add(keys, hy_key(hy_formula_pool_name(n->pool, "0")));
    return TRUE;
  }
  const HyFormula *f = node_parse(env, word);
  f = f != NULL ? hy_env_fold(env, f) : NULL;
  if (f != NULL && f->n != 1 && !slices) {
    hy_problem(env, "%s=\"%s\": \"%s\" is not one node", attribute_of(env), env->attribute->value,
               word);
    return FALSE;
  }
  for (guint32 k = 0; f != NULL && k < f->n; k++) {
    const HyFormula *ref = f->child[k];
    if (!node_exists(env, ref)) {
      return FALSE;
    }
    g_ptr_array_add(keys,
                    hy_key(node_key(n, env->scope, ref->ref.name, ref->ref.at, ref->n_index)));
  }
  return f != NULL;
}

/* The keys of the nodes that TEXT names. NULL: reported. */
static GPtrArray *node_keys(Network *n, Env *env, const char *text, gboolean array)
{
  g_auto(GStrv) words = hy_nodes_split(text, array);
  GPtrArray *keys = g_ptr_array_new();
  gboolean ok = TRUE;
  env->names = NAMES_NODES;
  for (char **w = words; ok && *w != NULL; w++) {
    ok = keys_of_word(n, env, *w, array, keys);
  }
  env->names = NAMES_SIGNALS;
  if (!ok) {
    g_clear_pointer(&keys, g_ptr_array_unref);
  }
  return keys;
}

gboolean hy_nodes_read(Network *n, Env *env, const char *text, guint ends, guint *node)
{
  g_auto(GStrv) words = hy_nodes_split(text, FALSE);
  guint many = g_strv_length(words);
  if (many != ends) {
    hy_problem(env, "nodes=\"%s\" names %u node%s; %s has %u, with a blank between", text, many,
               many == 1 ? "" : "s", env->entry->klass->name, ends);
    return FALSE;
  }
  g_autoptr(GPtrArray) keys = node_keys(n, env, text, FALSE);
  for (guint k = 0; keys != NULL && k < ends; k++) {
    node[k] = node_number(n, g_ptr_array_index(keys, k));
    g_array_index(n->node_uses, guint, node[k])++;
  }
  return keys != NULL;
}

/* Node ports ----------------------------------------------------------------------------------- */

static Item *item_of_port(const Entry *block, const Entry *port)
{
  for (guint k = 0; k < block->plan->n; k++) {
    Item *i = &block->plan->item[k];
    if (i->role == R_CHILD_NODE && i->child == port) {
      return i;
    }
  }
  return NULL;
}

/* Those that the block does not give, all in one message. */
static gboolean all_given(Loader *l, const Scope *child)
{
  g_autoptr(GString) list = g_string_new(NULL);
  guint missing = 0;
  for (guint k = 0; k < child->define->blocks->len; k++) {
    const Entry *port = g_ptr_array_index(child->define->blocks, k);
    if (port->node_port && !port->bad && item_of_port(child->entry, port) == NULL) {
      g_string_append_printf(list, "%s%s", missing++ > 0 ? ", " : "", port->name);
    }
  }
  if (missing > 0) {
    hy_entry_problem(l, child->parent, child->entry, child->at,
                     "%s needs node%s %s; a name that nothing else has leaves one open",
                     child->define->name, missing > 1 ? "s" : "", list->str);
  }
  return missing == 0;
}

/* The node at the other side of the wall: what a node port there is joined to itself. */
static const char *joined_to(const Network *n, const char *key)
{
  const char *further = g_hash_table_lookup(n->joined, key);
  return further != NULL ? further : key;
}

static gboolean join(Network *n, const Scope *child, const Entry *port)
{
  const Item *i = item_of_port(child->entry, port);
  Env env = hy_env(n->loader, child->parent, child->entry, i->attribute);
  hy_env_copy(&env, child->entry, child->at);
  env.mode = MODE_SOURCE;
  guint want = port->count != NULL ? child->copies[port->slot].extent[0] : 1;
  g_autoptr(GPtrArray) keys = node_keys(n, &env, i->attribute->value, port->count != NULL);
  if (keys == NULL || port->bad || child->copies[port->slot].bad) {
    return FALSE;
  }
  if (keys->len != want) {
    hy_problem(&env, "%s=\"%s\" names %u node%s, %s has %u", port->name, i->attribute->value,
               keys->len, keys->len == 1 ? "" : "s", port->name, want);
    return FALSE;
  }
  for (gint64 k = 1; k <= want; k++) {
    const char *key = node_key(n, child, port->name, &k, port->n_index);
    g_hash_table_insert(n->joined, hy_key(key),
                        hy_key(joined_to(n, g_ptr_array_index(keys, k - 1))));
  }
  return TRUE;
}

gboolean hy_nodes_join(Network *n, const Scope *child)
{
  gboolean ok = all_given(n->loader, child);
  for (guint k = 0; ok && k < child->define->blocks->len; k++) {
    const Entry *port = g_ptr_array_index(child->define->blocks, k);
    ok = !port->node_port || join(n, child, port);
  }
  return ok;
}

void hy_nodes_of_ports(Network *n)
{
  for (guint i = 0; i < n->circuits->len; i++) {
    const Scope *s = g_ptr_array_index(n->circuits, i);
    for (guint k = 0; k < s->define->blocks->len; k++) {
      const Entry *port = g_ptr_array_index(s->define->blocks, k);
      gint64 many = port->count != NULL ? s->copies[port->slot].extent[0] : 1;
      for (gint64 at = 1; port->node_port && at <= many; at++) {
        node_find(n, node_key(n, s, port->name, &at, port->n_index));
      }
    }
  }
}

/* As formulas name it ----------------------------------------------------------------------------
 */

/* In nodes="..." a node, in inductors="..." an inductor. */
HyNameKind hy_network_name(const Env *env, const Entry *e, const HyFormula *ref, const gint64 *at,
                           GError **error)
{
  const char *name = ref->ref.name;
  if (env->names == NAMES_NODES) {
    return hy_is_node(e)
               ? HY_NAME_SIGNAL
               : hy_name_wrong(error, "\"%s\" is the name of something else here, so no node",
                               name);
  }
  if (hy_is_node(e) || hy_element_kind(e->klass) != HY_INDUCTOR || ref->ref.port != NULL) {
    return hy_name_wrong(error, "\"%s\" is no inductor of this circuit", name);
  }
  return hy_which_copy(env, e, ref, at, error) == HY_NO_COMPONENT ? HY_NAME_ERROR : HY_NAME_SIGNAL;
}

guint32 hy_node_copy(const Env *env, const Entry *e, const gint64 *at, GError **error)
{
  Network *n = env->scope->network;
  const char *key = n != NULL ? node_key(n, env->scope, e->name, at, e->n_index) : NULL;
  guint32 place = n != NULL ? node_find(n, key) : HY_NO_COMPONENT;
  if (place == HY_NO_COMPONENT && (n == NULL || n->failed)) {
    hy_name_silent(error); /* its element is wrong, which has been reported */
  } else if (place == HY_NO_COMPONENT) {
    hy_name_wrong(error, "no element is at node \"%s\"", key + strlen(env->scope->in_network));
  }
  return place;
}
