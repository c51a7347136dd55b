/* Nodes of a circuit: nobody declares them, they are what nodes="..." names. Each becomes an entry
 * of the define, so that names are taken once and formulas find them; which copies of x[i] there
 * are is known in each instance. Node 0 is the reference, and no entry. */
#include "base/hint.h"
#include "language/names.h"
#include "language/network.h"
#include <string.h>

/* A blank outside of brackets separates. */
char **hy_nodes_split(const char *text)
{
  GPtrArray *words = g_ptr_array_new();
  const char *start = NULL;
  gint depth = 0;
  for (const char *s = text;; s++) {
    gboolean blank = *s == '\0' || (depth <= 0 && g_ascii_isspace(*s));
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

/* The reference that WORD is; NULL: reported. */
static const HyFormula *node_parse(const Env *env, const char *word)
{
  gboolean name = g_ascii_isalpha(*word) || *word == '_';
  const HyFormula *f = name ? hy_env_parse(env, HY_TEXT_ENDS, word) : NULL;
  if (name && f == NULL) {
    return NULL;
  }
  const HyFormula *ref = f != NULL && f->kind == HY_F_ITEMS && f->n == 1 ? f->child[0] : f;
  if (ref == NULL || ref->kind != HY_F_REF || ref->ref.port != NULL || ref->own ||
      ref->n_index > HY_MAX_INDICES) {
    hy_problem(env,
               "nodes=\"%s\": \"%s\" is no node; a node is a name, with indices if it likes, or 0",
               env->attribute->value, word);
    return NULL;
  }
  return ref;
}

/* While names are collected: the entry of a node, new or known. */
static void node_entry(Loader *l, Define *d, const Entry *of, const HyFormula *ref)
{
  Entry *known = g_hash_table_lookup(d->inner, ref->ref.name);
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
  Entry *e = g_new0(Entry, 1);
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

static void nodes_of_entry(Loader *l, Define *d, const Entry *e)
{
  HyTree *tree = d->file->tree;
  const HyElement *x = hy_element(tree, e->element);
  const HyAttribute *a = hy_attribute_find(tree, x, hy_tree_find_name(tree, "nodes"));
  g_auto(GStrv) words = a != NULL ? hy_nodes_split(a->value) : NULL;
  for (char **w = words; w != NULL && *w != NULL; w++) {
    const HyFormula *f =
        strcmp(*w, "0") != 0 ? hy_formula_parse(l->pool, HY_TEXT_ENDS, *w, NULL) : NULL;
    f = f != NULL && f->kind == HY_F_ITEMS && f->n == 1 ? f->child[0] : f;
    if (f != NULL && f->kind == HY_F_REF &&
        f->n_index <= HY_MAX_INDICES) { /* what is wrong is said in each instance */
      node_entry(l, d, e, f);
    }
  }
}

void hy_nodes_define(Loader *l, Define *d)
{
  guint n = d->entries->len;
  for (guint k = 0; k < n; k++) {
    const Entry *e = g_ptr_array_index(d->entries, k);
    if (hy_is_element(e) && !e->bad) {
      nodes_of_entry(l, d, e);
    }
  }
}

/* In an instance ------------------------------------------------------------------------------- */

/* "x[2,1]" */
static char *node_name(const char *name, const gint64 *at, guint n)
{
  GString *text = g_string_new(name);
  for (guint k = 0; k < n; k++) {
    g_string_append_printf(text, "%c%" G_GINT64_FORMAT "%s", k == 0 ? '[' : ',', at[k],
                           k + 1 == n ? "]" : "");
  }
  return g_string_free(text, FALSE);
}

static guint node_number(Network *n, const HyFormula *ref)
{
  g_autofree char *name = node_name(ref->ref.name, ref->ref.at, ref->n_index);
  guint number = GPOINTER_TO_UINT(g_hash_table_lookup(n->nodes, name));
  if (number == 0) {
    guint none = 0;
    number = hy_circuit_node(n->circuit, name) + 1;
    g_hash_table_insert(n->nodes, g_steal_pointer(&name), GUINT_TO_POINTER(number));
    g_array_append_val(n->node_uses, none);
  }
  return number - 1;
}

static gboolean node_read(Network *n, Env *env, const char *word, guint *node)
{
  if (strcmp(word, "0") == 0) {
    *node = 0;
    return TRUE;
  }
  const HyFormula *f = node_parse(env, word);
  f = f != NULL ? hy_env_fold(env, f) : NULL;
  if (f == NULL) {
    return FALSE;
  }
  if (f->kind != HY_F_REF) {
    hy_problem(env, "nodes=\"%s\": \"%s\" is not one node", env->attribute->value, word);
    return FALSE;
  }
  *node = node_number(n, f);
  return TRUE;
}

gboolean hy_nodes_read(Network *n, Env *env, const char *text, guint ends, guint *node)
{
  g_auto(GStrv) words = hy_nodes_split(text);
  guint many = g_strv_length(words);
  if (many != ends) {
    hy_problem(env, "nodes=\"%s\" names %u node%s; %s has %u, with a blank between", text, many,
               many == 1 ? "" : "s", env->entry->klass->name, ends);
    return FALSE;
  }
  env->names = NAMES_NODES;
  gboolean ok = TRUE;
  for (guint k = 0; k < ends && ok; k++) {
    ok = node_read(n, env, words[k], &node[k]);
    if (ok) {
      g_array_index(n->node_uses, guint, node[k])++;
    }
  }
  env->names = NAMES_SIGNALS;
  return ok;
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
  const Network *n = env->scope->network;
  g_autofree char *name = node_name(e->name, at, e->n_index);
  guint number = n != NULL ? GPOINTER_TO_UINT(g_hash_table_lookup(n->nodes, name)) : 0;
  if (number == 0 && (n == NULL || n->failed)) {
    hy_name_silent(error); /* its element is wrong, which has been reported */
    return HY_NO_COMPONENT;
  }
  if (number == 0) {
    hy_name_wrong(error, "no element is at node \"%s\"", name);
    return HY_NO_COMPONENT;
  }
  return number - 1;
}
