/* What a block is: an atomic class, or the Define of a <type>, of another file or of the block
 * itself. Needs the entry; reads the files that it names (files.c). Leaves klass or inside. */
#include "hydevs/text.h"
#include "language/env.h"
#include "language/machine.h"
#include <string.h>

/* Types of this file and classes are offered; those of libraries are named with a dot. */
static void no_such_type(Loader *l, const HyFile *f, Entry *e, const char *type)
{
  HyNearest nearest = {.word = type};
  gboolean read = hy_report_errors(l->report) <= HY_MAX_MESSAGES;
  for (guint32 k = read ? hy_element(f->tree, 0)->child : 0; k != 0;
       k = hy_element(f->tree, k)->next) {
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
  hy_complain(l, e->define, e, "there is no type \"%s\"%s", type, hint);
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
static gboolean library_type(Loader *l, HyFile *f, Entry *e, const HyAttribute *a, const char *type)
{
  const char *dot = strchr(type, '.');
  g_autofree char *library = g_strndup(type, (gsize)(dot - type));
  g_autofree char *path = hy_loader_find_library(l, f, library);
  if (path == NULL) {
    hy_complain(l, e->define, e,
                "type=\"%s\": there is no library \"%s\" (%s.xml beside this file, or --library)",
                type, library, library);
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
    hy_complain(l, e->define, e, "type=\"%s\": %s has no type \"%s\"%s", type, in->name, dot + 1,
                hint);
  }
  return e->inside != NULL;
}

/* type="name": of this file, then a class, then of the standard library, which is read for it. */
static gboolean named_type(Loader *l, HyFile *f, Entry *e, const HyAttribute *a)
{
  const char *type = e->open_type ? e->type : a->value;
  if (strchr(type, '.') != NULL) {
    return library_type(l, f, e, a, type);
  }
  e->inside = hy_file_type(l, f, type);
  if (e->inside == NULL) {
    e->klass = hy_blocks_find(l->options.blocks, type);
  }
  HyFile *standard = e->inside == NULL && e->klass == NULL ? hy_loader_standard(l) : NULL;
  if (standard != NULL) {
    e->inside = hy_file_type(l, standard, type);
  }
  if (e->inside == NULL && e->klass == NULL) {
    no_such_type(l, f, e, type);
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
  if (e->open_type && e->type == NULL) { /* no instance has said which */
    return FALSE;
  }
  e->type_looked = 1;
  HyFile *f = e->define->file;
  const HyElement *x = hy_element(f->tree, e->element);
  if (x->name == HY_W_COUPLED || x->name == HY_W_EQUATIONS || x->name == HY_W_CIRCUIT) {
    e->inside = hy_define_new(l, f, e->element, e->define, e);
    return TRUE;
  }
  if (x->name == HY_W_MACHINE) {
    return hy_machine_read(l, e);
  }
  if (x->name == HY_W_PARAM) {
    e->klass = hy_class_find("lever");
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

/* Open types: type="control.{kind}" ------------------------------------------------------------ */

gboolean hy_is_choice(const Entry *e)
{
  return e->cond != NULL || e->open_type;
}

/* The type that block E has in S; NULL: reported. */
static const char *type_text(Loader *l, Scope *s, const Entry *e)
{
  const HyFile *f = e->define->file;
  Env env = hy_env(l, s, e, hy_attribute_find(f->tree, hy_element(f->tree, e->element), HY_W_TYPE));
  env.what = "type=";
  return hy_env_text(&env, env.attribute->value);
}

gboolean hy_open_type_is(Loader *l, Scope *s, const Entry *e)
{
  const char *text = type_text(l, s, e);
  return text == NULL || (e->type != NULL && strcmp(text, e->type) == 0);
}

/* A further entry of block HEAD, right behind it, since the order of entries is that of ties. */
static void add_variant(Loader *l, Define *d, Entry *head, const char *type)
{
  Entry *e = hy_arena_take(l->entries, sizeof *e);
  *e = *head;
  guint at = 0;
  g_ptr_array_find(d->entries, head, &at);
  e->type = type;
  e->variant = 1;
  e->klass = NULL;
  e->inside = NULL;
  e->plan = NULL;
  e->row = e->row_numerics = e->last_n = 0;
  e->type_looked = e->bad = 0;
  e->slot = d->blocks->len;
  head->same = e;
  g_ptr_array_add(d->blocks, e);
  g_ptr_array_insert(d->entries, (gint)at + 1, e);
}

static void open_type(Loader *l, Scope *s, Entry *head)
{
  const char *text = type_text(l, s, head);
  if (text == NULL) {
    return;
  }
  head->type = head->type != NULL ? head->type : text;
  const Entry *e = head;
  while (e != NULL && (e->element != head->element || strcmp(e->type, text) != 0)) {
    e = e->same;
  }
  if (e == NULL) {
    add_variant(l, s->define, head, text);
  }
}

void hy_open_types(Loader *l, Scope *s)
{
  guint n = s->define->blocks->len;
  for (guint k = 0; k < n; k++) {
    Entry *e = g_ptr_array_index(s->define->blocks, k);
    if (e->open_type && !e->variant && (!e->bad || e->type != NULL)) {
      open_type(l, s, e);
    }
  }
}
