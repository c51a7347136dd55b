/* Names: SPICE has those of nodes, elements, parameters and models apart and takes no notice of
 * case; ours are identifiers, and all of one circuit are different. Each keeps its first spelling,
 * as far as that is an identifier nobody has: node 3 is n3, a node called as an element is the
 * one with a "_" behind it. */
#include "base/hint.h"
#include "editor-export/spice.h"
#include "language/schema.h"

#include <string.h>

static GHashTable *table(GDestroyNotify free_value)
{
  return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_value);
}

static void free_model(gpointer p)
{
  SpiceModel *m = p;
  g_hash_table_unref(m->values);
  g_free(m);
}

SpiceScope *spice_scope_new(Spice *s, SpiceScope *around, const SpiceLine *at, const char *name)
{
  SpiceScope *scope = g_new0(SpiceScope, 1);
  scope->around = around;
  scope->at = at;
  scope->name = name;
  scope->lines = g_ptr_array_new();
  scope->nodes = table(g_free);
  scope->elements = table(g_free);
  scope->params = table(g_free);
  scope->models = table(free_model);
  scope->starts = table(NULL);
  scope->taken = g_hash_table_new(g_str_hash, g_str_equal);
  scope->ports = g_ptr_array_new();
  scope->order = g_ptr_array_new();
  scope->shared = g_ptr_array_new();
  scope->globals = g_ptr_array_new();
  g_ptr_array_add(s->scopes, scope);
  return scope;
}

void spice_scope_free(gpointer p)
{
  SpiceScope *scope = p;
  g_ptr_array_unref(scope->lines);
  g_hash_table_unref(scope->nodes);
  g_hash_table_unref(scope->elements);
  g_hash_table_unref(scope->params);
  g_hash_table_unref(scope->models);
  g_hash_table_unref(scope->starts);
  g_hash_table_unref(scope->taken);
  g_ptr_array_unref(scope->ports);
  g_ptr_array_unref(scope->order);
  g_ptr_array_unref(scope->shared);
  g_ptr_array_unref(scope->globals);
  g_free(scope);
}

/* Attributes that every block has, so that no port or parameter may have their names; the time, and
 * the circuit itself. */
static gboolean is_fixed(const char *name)
{
  static const char *const fixed[] = {"name",   "label",  "doc",    "unit",     "count",  "index",
                                      "before", "after",  "if",     "priority", "method", "dqrel",
                                      "dqmin",  "reltol", "abstol", "hstep",    "type",   "file",
                                      "kind",   "t",      "net",    NULL};
  return g_strv_contains(fixed, name);
}

const char *spice_unique(Spice *s, SpiceScope *scope, const char *text)
{
  g_autoptr(GString) name = g_string_new(g_ascii_isdigit(*text) ? "n" : "");
  for (; *text != '\0'; text++) {
    g_string_append_c(name, g_ascii_isalnum(*text) ? *text : '_');
  }
  while (!hy_name_is_legal(name->str) || is_fixed(name->str) ||
         g_hash_table_contains(scope->taken, name->str)) {
    g_string_append_c(name, '_');
  }
  const char *kept = g_string_chunk_insert_const(s->strings, name->str);
  g_hash_table_add(scope->taken, hy_key(kept));
  return kept;
}

const SpiceName *spice_add(Spice *s, SpiceScope *scope, GHashTable *names, const char *text,
                           char letter)
{
  g_autofree char *key = spice_lower(text);
  if (g_hash_table_contains(names, key)) {
    return NULL;
  }
  SpiceName *n = g_new0(SpiceName, 1);
  n->name = spice_unique(s, scope, text);
  n->letter = letter;
  g_hash_table_insert(names, g_steal_pointer(&key), n);
  if (names == scope->nodes) {
    g_ptr_array_add(scope->order, n);
  }
  return n;
}

static SpiceName *lookup(GHashTable *names, const char *text)
{
  g_autofree char *key = spice_lower(text);
  return g_hash_table_lookup(names, key);
}

static gboolean is_ground(const char *text)
{
  return strcmp(text, "0") == 0 || g_ascii_strcasecmp(text, "gnd") == 0;
}

const char *spice_node(Spice *s, SpiceScope *scope, const char *text)
{
  if (is_ground(text)) {
    return "0";
  }
  const SpiceName *n = lookup(scope->nodes, text);
  return n != NULL ? n->name : spice_add(s, scope, scope->nodes, text, 0)->name;
}

const char *spice_known_node(SpiceScope *scope, const char *text)
{
  const SpiceName *n = lookup(scope->nodes, text);
  return is_ground(text) ? "0" : n != NULL ? n->name : NULL;
}

SpiceName *spice_element(SpiceScope *scope, const char *text)
{
  return lookup(scope->elements, text);
}

const char *spice_param(SpiceScope *scope, const char *text)
{
  const SpiceName *n = lookup(scope->params, text);
  if (n != NULL || scope->around == NULL) {
    return n != NULL ? n->name : NULL;
  }
  n = lookup(scope->around->params, text);
  if (n != NULL && !g_ptr_array_find(scope->globals, n->name, NULL)) {
    g_ptr_array_add(scope->globals, hy_key(n->name));
  }
  return n != NULL ? n->name : NULL;
}

const char *spice_current(Spice *s, const SpiceName *element)
{
  return element->current != NULL ? element->current : spice_text(s, "%s.i", element->name);
}

const SpiceModel *spice_model(SpiceScope *scope, const char *text)
{
  g_autofree char *key = spice_lower(text);
  const SpiceModel *m = g_hash_table_lookup(scope->models, key);
  return m != NULL || scope->around == NULL ? m : spice_model(scope->around, text);
}
