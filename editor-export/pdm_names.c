/* Names of blocks, ports and parameters: in PowerDEVS free text, here letters, digits and "_", each
 * once in a coupled model and none that hides a parameter further out. */
#include "editor-export/pdm_import.h"

#include <string.h>

/* TEXT with "_" for what no name may have. */
static char *legal(const char *text, const char *otherwise)
{
  GString *name = g_string_new(NULL);
  for (const char *at = text; *at != '\0'; at++) {
    if (g_ascii_isalnum(*at)) {
      g_string_append_c(name, *at);
    } else if (name->len > 0 && name->str[name->len - 1] != '_') {
      g_string_append_c(name, '_');
    }
  }
  while (name->len > 0 && name->str[name->len - 1] == '_') {
    g_string_truncate(name, name->len - 1);
  }
  if (name->len == 0) {
    g_string_assign(name, otherwise);
  } else if (g_ascii_isdigit(name->str[0])) {
    g_string_prepend(name, "_");
  }
  return g_string_free(name, FALSE);
}

/* Words of formulas, indices, and attributes that every block has. */
static gboolean is_taken(const char *name, GHashTable *used)
{
  static const char *const words[] = {
      "if",    "and",    "or",    "not",      "pi",    "inf",    "i",      "t",     "name",
      "label", "doc",    "unit",  "count",    "index", "before", "after",  "type",  "file",
      "kind",  "method", "dqrel", "priority", "dqmin", "reltol", "abstol", "hstep", "abs",
      "sqrt",  "exp",    "log",   "log10",    "sin",   "cos",    "tan",    "asin",  "acos",
      "atan",  "atan2",  "sinh",  "cosh",     "tanh",  "min",    "max",    "sign",  "limit",
      "sum",   "prod",   "mean",  "floor",    "ceil",  "round",  "mod",    NULL};
  return g_strv_contains(words, name) || g_hash_table_contains(used, name);
}

/* Gives THING a name like TEXT that nobody in USED has. */
static void give(Import *im, gconstpointer thing, const char *text, const char *otherwise,
                 GHashTable *used)
{
  g_autofree char *stem = legal(text, otherwise);
  char *name = g_strdup(stem);
  for (guint n = 2; is_taken(name, used); n++) {
    g_free(name);
    name = g_strdup_printf("%s_%u", stem, n);
  }
  g_hash_table_add(used, name);
  gpointer key =
      (gpointer)(gsize)thing; /* NOLINT(performance-no-int-to-ptr): a key, never written */
  g_hash_table_insert(im->names, key, name);
}

static const char *stem_of(const PdmBlock *b)
{
  const PdmClass *klass = b->coupled ? NULL : pdm_class(b->path);
  return klass != NULL && klass->element != NULL ? klass->element : "block";
}

/* A .pds has no names: a block is called by its class. One that is ours keeps its name. */
static const char *called(const PdmBlock *b)
{
  return b->ours != NULL ? b->ours : strcmp(b->name, b->path) == 0 && !b->coupled ? "" : b->name;
}

static void name_scope(Import *im, const PdmBlock *scope, GHashTable *parameters)
{
  g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
  GHashTableIter at;
  gpointer name;
  g_hash_table_iter_init(&at, parameters);
  while (g_hash_table_iter_next(&at, &name, NULL)) {
    g_hash_table_add(seen, name);
  }
  for (guint k = 0; k < scope->params->len; k++) {
    const PdmParam *p = &g_array_index(scope->params, PdmParam, k);
    give(im, p, p->name, "parameter", seen);
  }
  g_autoptr(GHashTable) used = g_hash_table_new(g_str_hash, g_str_equal);
  g_hash_table_iter_init(&at, seen);
  while (g_hash_table_iter_next(&at, &name, NULL)) {
    g_hash_table_add(used, name);
  }
  for (guint k = 0; k < scope->ports->len; k++) {
    const PdmPort *p = &g_array_index(scope->ports, PdmPort, k);
    give(im, p, p->ours != NULL ? p->ours : p->name, p->out ? "y" : "u", used);
  }
  for (guint k = 0; k < scope->blocks->len; k++) {
    const PdmBlock *b = g_ptr_array_index(scope->blocks, k);
    give(im, b, called(b), stem_of(b), used);
  }
  for (guint k = 0; k < scope->blocks->len; k++) {
    const PdmBlock *b = g_ptr_array_index(scope->blocks, k);
    if (b->coupled) {
      name_scope(im, b, seen);
    }
  }
}

void pdm_name_all(Import *im)
{
  g_autoptr(GHashTable) none = g_hash_table_new(g_str_hash, g_str_equal);
  g_autoptr(GHashTable) variables = g_hash_table_new(g_str_hash, g_str_equal);
  give(im, im->file->root, called(im->file->root), "model", none);
  for (guint k = 0; k < scilab_n_variables(im->scilab); k++) {
    const ScilabVariable *v = scilab_variable(im->scilab, k);
    give(im, v, v->name, "variable", variables);
  }
  name_scope(im, im->file->root, variables);
}

const char *pdm_name(const Import *im, gconstpointer thing)
{
  return g_hash_table_lookup(im->names, thing);
}

char *pdm_port_name(const Import *im, const PdmBlock *coupled, gboolean out, int number)
{
  for (guint k = 0; k < coupled->ports->len; k++) {
    const PdmPort *p = &g_array_index(coupled->ports, PdmPort, k);
    if (p->out == out && p->number == number + 1) {
      return g_strdup(pdm_name(im, p));
    }
  }
  return g_strdup_printf("%s%d", out ? "out" : "in", number + 1);
}
