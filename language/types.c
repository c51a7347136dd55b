/* What a block is: an atomic class, or the Define of a <type>, of another file or of the block
 * itself. Needs the entry; reads the files that it names (files.c). Leaves klass or inside. */
#include "hydevs/text.h"
#include "language/expand.h"
#include <string.h>

/* Types of this file and classes are offered; those of libraries are named with a dot. */
static void no_such_type(Loader *l, const HyFile *f, Entry *e, const HyAttribute *a)
{
  HyNearest nearest = {.word = a->value};
  for (guint32 k = hy_element(f->tree, 0)->child; k != 0; k = hy_element(f->tree, k)->next) {
    const HyElement *x = hy_element(f->tree, k);
    const char *name = x->name == HY_W_TYPE ? hy_text_of(f, x, HY_W_NAME) : NULL;
    if (name != NULL) {
      hy_nearest_offer(&nearest, name);
    }
  }
  for (const HyAtomicClass *const *k = hy_blocks_all(l->options.blocks); *k != NULL; k++) {
    hy_nearest_offer(&nearest, (*k)->name);
  }
  g_autofree char *hint = hy_did_you_mean_long(nearest.best);
  hy_complain(l, e->define, e, "there is no type \"%s\"%s", a->value, hint);
}

/* "; did you mean ...", of the types of a library. */
static char *type_meant(const HyFile *library, const char *name)
{
  HyNearest nearest = {.word = name};
  GHashTableIter at;
  gpointer known;
  g_hash_table_iter_init(&at, library->types);
  while (g_hash_table_iter_next(&at, &known, NULL)) {
    gboolean first = nearest.best == NULL || strcmp(known, nearest.best) < 0;
    HyNearest one = {.word = name};
    hy_nearest_offer(&one, known);
    if (one.best != NULL && (nearest.best == NULL || one.distance < nearest.distance ||
                             (one.distance == nearest.distance && first))) {
      nearest = one;
    }
  }
  return hy_did_you_mean(nearest.best);
}

/* type="library.name". */
static gboolean library_type(Loader *l, HyFile *f, Entry *e, const HyAttribute *a, const char *dot)
{
  g_autofree char *library = g_strndup(a->value, (gsize)(dot - a->value));
  g_autofree char *path = hy_loader_find_library(l, f, library);
  if (path == NULL) {
    hy_complain(l, e->define, e,
                "type=\"%s\": there is no library \"%s\" (%s.xml beside this file, or --library)",
                a->value, library, library);
    return FALSE;
  }
  Env env = {.loader = l, .entry = e, .file = f, .attribute = a};
  HyFile *in = hy_loader_file(l, path, &env);
  if (in == NULL) {
    e->bad = 1;
    return FALSE;
  }
  e->inside = hy_file_type(l, in, dot + 1);
  if (e->inside == NULL) {
    g_autofree char *hint = type_meant(in, dot + 1);
    hy_complain(l, e->define, e, "type=\"%s\": %s has no type \"%s\"%s", a->value, in->name,
                dot + 1, hint);
  }
  return e->inside != NULL;
}

/* type="name": of this file, then a class, then of the standard library, which is read for it. */
static gboolean named_type(Loader *l, HyFile *f, Entry *e, const HyAttribute *a)
{
  const char *dot = strchr(a->value, '.');
  if (dot != NULL) {
    return library_type(l, f, e, a, dot);
  }
  e->inside = hy_file_type(l, f, a->value);
  if (e->inside == NULL) {
    e->klass = hy_blocks_find(l->options.blocks, a->value);
  }
  HyFile *standard = e->inside == NULL && e->klass == NULL ? hy_loader_standard(l) : NULL;
  if (standard != NULL) {
    e->inside = hy_file_type(l, standard, a->value);
  }
  if (e->inside == NULL && e->klass == NULL) {
    no_such_type(l, f, e, a);
    return FALSE;
  }
  return TRUE;
}

/* file="path": the root model of another file is the type. */
static gboolean file_type(Loader *l, HyFile *f, Entry *e, const HyAttribute *a)
{
  if (strstr(a->value, "://") != NULL) {
    hy_complain(l, e->define, e, "file=\"%s\": a network address; only files are read", a->value);
    return FALSE;
  }
  g_autofree char *path =
      g_path_is_absolute(a->value) ? g_strdup(a->value) : hy_beside(f, a->value);
  Env env = {.loader = l, .entry = e, .file = f, .attribute = a};
  HyFile *in = hy_loader_file(l, path, &env);
  if (in == NULL) {
    e->bad = 1;
    return FALSE;
  }
  if (in->root == NULL) {
    in->root = hy_define_new(l, in, 0, NULL, NULL);
  }
  e->inside = in->root;
  return TRUE;
}

/* What a block is, found once. FALSE: that is not known, and has been reported. */
gboolean hy_entry_type(Loader *l, Entry *e)
{
  if (e->type_looked || e->bad) {
    return !e->bad;
  }
  e->type_looked = 1;
  HyFile *f = e->define->file;
  const HyElement *x = hy_element(f->tree, e->element);
  if (x->name == HY_W_COUPLED || x->name == HY_W_EQUATIONS || x->name == HY_W_CIRCUIT) {
    e->inside = hy_define_new(l, f, e->element, e->define, e);
    return TRUE;
  }
  if (x->name == HY_W_STATE) {
    e->klass = hy_class_find("integrator");
    return TRUE;
  }
  if (e->define->is_circuit && f->vocabulary->element[x->name] != NULL) {
    e->klass = f->vocabulary->element[x->name];
    return TRUE;
  }
  if (x->name != HY_W_BLOCK) {
    e->klass = f->vocabulary->klass[x->name];
    HyFile *standard = e->klass == NULL ? hy_loader_standard(l) : NULL;
    e->inside = standard != NULL ? hy_file_type(l, standard, hy_tree_name(f->tree, x->name)) : NULL;
    e->bad = e->klass == NULL && e->inside == NULL;
    return !e->bad;
  }
  const HyAttribute *type = hy_attribute_find(f->tree, x, HY_W_TYPE),
                    *file = hy_attribute_find(f->tree, x, HY_W_FILE);
  if ((type == NULL) == (file == NULL)) {
    hy_complain(l, e->define, e, "a block needs type=\"...\" or file=\"...\"%s",
                type != NULL ? ", not both" : "");
    return FALSE;
  }
  return type != NULL ? named_type(l, f, e, type) : file_type(l, f, e, file);
}
