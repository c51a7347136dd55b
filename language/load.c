/* Files -> trees -> instances -> HyModel, in this order; and the answers to what the file said.
 *
 * A file is read once, whatever names it: by its canonical path. What it needs from others is
 * looked for beside it, in the folders of <import>, of --library and of HYDEVS_LIBRARY, and where
 * the program was installed; the standard library only when a word in the file may need it.
 *
 * Leaves an HyLoaded, which owns the model and all that was said beside it (a Row for each
 * component: file, line, unit, label, formula, numerics). Or NULL, and the reasons are in the
 * report. Needs every other file of the room, and none of them needs it but for files and types. */
#include "hydevs/load.h"
#include "coupled/model_internal.h"
#include "language/expand.h"
#include <math.h>
#include <string.h>

/* Files ---------------------------------------------------------------------------------------- */

static void free_file(gpointer p)
{
  HyFile *f = p;
  hy_tree_free(f->tree);
  hy_vocabulary_free(f->vocabulary);
  g_clear_pointer(&f->types, g_hash_table_unref);
  g_free(f->bad);
  g_free(f->folder);
  g_free(f);
}

static HyFile *file_new(Loader *l, HyTree *tree)
{
  HyFile *f = g_new0(HyFile, 1);
  f->tree = tree;
  f->name = g_string_chunk_insert_const(l->strings, tree->file);
  f->folder = g_path_get_dirname(tree->file);
  f->bad = g_new0(guint8, tree->elements->len);
  g_ptr_array_add(l->files, f);
  /* The standard library is only read when a word in the file may need it. */
  f->vocabulary = hy_vocabulary_new(tree, l->options.blocks, NULL);
  gboolean unknown = FALSE;
  for (guint32 k = 0; k < tree->elements->len && !unknown; k++) {
    const HyElement *e = hy_element(tree, k);
    unknown =
        !e->foreign && hy_element_rule(e->name) == NULL && f->vocabulary->klass[e->name] == NULL;
  }
  if (unknown && hy_loader_standard(l) != NULL) {
    hy_vocabulary_free(f->vocabulary);
    f->vocabulary =
        hy_vocabulary_new(tree, l->options.blocks, (const char *const *)l->standard_types);
  }
  hy_language_check(tree, f->vocabulary, f->bad, l->report);
  return f;
}

/* A file is read when it is first asked for, and kept also if it is of no use. ASKED: where it is
 * named; NULL for the standard library, to which limits do not apply. */
HyFile *hy_loader_file(Loader *l, const char *path, const Env *asked)
{
  g_autofree char *canonical = g_canonicalize_filename(path, NULL);
  gpointer known;
  if (g_hash_table_lookup_extended(l->by_path, canonical, NULL, &known)) {
    return known;
  }
  if (asked != NULL && l->files->len >= l->options.max_files) {
    hy_problem(asked, "more than %u files are needed; this is the limit", l->options.max_files);
    return NULL;
  }
  if (asked != NULL && !g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
    hy_problem(asked, "there is no file \"%s\"", path);
    g_hash_table_insert(l->by_path, g_steal_pointer(&canonical), NULL);
    return NULL;
  }
  /* The limits are for what a user asks for, not for the standard library. */
  const HyReadLimits ours = HY_READ_LIMITS, *limits = asked != NULL ? &l->options.read : &ours;
  HyTree *tree = hy_tree_read(path, hy_words, limits, l->report);
  HyFile *f = tree != NULL ? file_new(l, tree) : NULL;
  g_hash_table_insert(l->by_path, g_steal_pointer(&canonical), f);
  return f;
}

/* Types of a file are listed when the first is asked for; a name that stands twice is reported
 * then. */
Define *hy_file_type(Loader *l, HyFile *file, const char *name)
{
  if (file->types == NULL) {
    file->types = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint32 k = hy_element(file->tree, 0)->child; k != 0;
         k = hy_element(file->tree, k)->next) {
      const HyElement *e = hy_element(file->tree, k);
      const HyAttribute *a =
          e->name == HY_W_TYPE && !e->foreign ? hy_attribute_find(file->tree, e, HY_W_NAME) : NULL;
      if (a == NULL || !(hy_name_is_legal(a->value) || hy_is_reserved(a->value))) {
        continue;
      }
      const Define *first = g_hash_table_lookup(file->types, a->value);
      if (first != NULL) {
        hy_report_error(l->report, file->name, e->line,
                        "type %s: this name is already taken by the type in line %u", a->value,
                        hy_element(file->tree, first->element)->line);
        continue;
      }
      g_hash_table_insert(file->types, hy_key(a->value), hy_define_new(l, file, k, NULL, NULL));
    }
  }
  return g_hash_table_lookup(file->types, name);
}

char *hy_beside(const HyFile *from, const char *name)
{
  return strcmp(from->folder, ".") == 0 ? g_strdup(name)
                                        : g_build_filename(from->folder, name, NULL);
}

static void add_folders(GPtrArray *folders, const char *list)
{
  g_auto(GStrv) words = g_strsplit(list != NULL ? list : "", G_SEARCHPATH_SEPARATOR_S, -1);
  for (char **word = words; *word != NULL; word++) {
    if (**word != '\0') {
      g_ptr_array_add(folders, g_strdup(*word));
    }
  }
}

/* Those of the caller, of the environment, and of the installation, in this order. Newly
 * allocated. */
char **hy_library_folders(const char *const *first)
{
  GPtrArray *folders = g_ptr_array_new();
  for (; first != NULL && *first != NULL; first++) {
    g_ptr_array_add(folders, g_strdup(*first));
  }
  add_folders(folders, g_getenv("HYDEVS_LIBRARY"));
  add_folders(folders, HYDEVS_LIBRARY_PATH);
  g_ptr_array_add(folders, NULL);
  return (char **)g_ptr_array_free(folders, FALSE);
}

/* LIBRARY.xml in the library path; NULL: none. Newly allocated. */
static char *in_library_path(const Loader *l, const char *name)
{
  g_autofree char *file = g_strconcat(name, ".xml", NULL);
  g_auto(GStrv) folders = hy_library_folders(l->options.library);
  for (char **folder = folders; *folder != NULL; folder++) {
    char *path = g_build_filename(*folder, file, NULL);
    if (g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
      return path;
    }
    g_free(path);
  }
  return NULL;
}

/* Where a library is: as <import> says, beside the file, in the library path. Newly allocated;
 * NULL: nowhere. */
char *hy_loader_find_library(Loader *l, const HyFile *from, const char *name)
{
  const HyTree *tree = from->tree;
  for (guint32 k = hy_element(tree, 0)->child; k != 0; k = hy_element(tree, k)->next) {
    const HyElement *e = hy_element(tree, k);
    const HyAttribute *a = e->name == HY_W_IMPORT ? hy_attribute_find(tree, e, HY_W_NAME) : NULL;
    const HyAttribute *file = a != NULL ? hy_attribute_find(tree, e, HY_W_FILE) : NULL;
    if (file != NULL && strcmp(a->value, name) == 0) {
      return g_path_is_absolute(file->value) ? g_strdup(file->value) : hy_beside(from, file->value);
    }
  }
  g_autofree char *file = g_strconcat(name, ".xml", NULL);
  char *beside = hy_beside(from, file);
  if (g_file_test(beside, G_FILE_TEST_IS_REGULAR)) {
    return beside;
  }
  g_free(beside);
  return in_library_path(l, name);
}

/* The standard library, read once if it is needed at all; its names are those of block elements,
 * too. */
HyFile *hy_loader_standard(Loader *l)
{
  if (l->standard_looked) {
    return l->standard;
  }
  l->standard_looked = TRUE;
  g_autofree char *path = in_library_path(l, "standard");
  l->standard = path != NULL ? hy_loader_file(l, path, NULL) : NULL;
  g_autoptr(GPtrArray) names = g_ptr_array_new();
  if (l->standard != NULL) {
    hy_file_type(l, l->standard, "");
    GHashTableIter at;
    gpointer name;
    g_hash_table_iter_init(&at, l->standard->types);
    while (g_hash_table_iter_next(&at, &name, NULL)) {
      g_ptr_array_add(names, g_strdup(name));
    }
  }
  g_ptr_array_add(names, NULL);
  l->standard_types = (char **)g_ptr_array_free(g_steal_pointer(&names), FALSE);
  return l->standard;
}

/* The loader ----------------------------------------------------------------------------------- */

static void free_scope(gpointer p)
{
  hy_scope_free(p);
}

static void free_define(gpointer p)
{
  hy_define_free(p);
}

/* Limits that are not stated are the usual ones. */
static void loader_init(Loader *l, const HyLoadOptions *options, HyReport *report)
{
  *l = (Loader){.report = report};
  if (options != NULL) {
    l->options = *options;
  }
  HyLoadOptions *o = &l->options;
  HyReadLimits usual = HY_READ_LIMITS;
  o->max_blocks = o->max_blocks > 0 ? o->max_blocks : HY_MAX_BLOCKS;
  o->max_recursion =
      o->max_recursion > 0 ? MIN(o->max_recursion, HY_MAX_RECURSION - 1) : HY_MAX_RECURSION - 1;
  o->max_files = o->max_files > 0 ? o->max_files : HY_MAX_FILES;
  o->read.max_bytes = o->read.max_bytes > 0 ? o->read.max_bytes : usual.max_bytes;
  o->read.max_nested = o->read.max_nested > 0 ? o->read.max_nested : usual.max_nested;
  o->read.max_value = o->read.max_value > 0 ? o->read.max_value : usual.max_value;
  hy_report_set_strict(report, o->strict);
  l->pool = hy_formula_pool_new();
  l->scratch = hy_formula_pool_new();
  l->strings = g_string_chunk_new(4096);
  l->files = g_ptr_array_new_with_free_func(free_file);
  l->by_path = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  l->defines = g_ptr_array_new_with_free_func(free_define);
  l->scopes = g_ptr_array_new_with_free_func(free_scope);
  l->waiting = g_ptr_array_new();
  l->rows = g_array_new(FALSE, FALSE, sizeof(Row));
  l->numerics = g_array_new(FALSE, FALSE, sizeof(Numerics));
  l->groups =
      g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
  l->records = g_array_new(FALSE, FALSE, sizeof(HyRecord));
  l->experiments = g_ptr_array_new();
  l->names = g_string_new(NULL);
  l->said = g_hash_table_new(NULL, NULL);
  l->made = g_ptr_array_new_with_free_func(g_free);
  l->experiment = (HyExperiment){.stop = NAN, .grid = NAN, .seed = NAN, .events_at_instant = NAN};
}

static void loader_clear(Loader *l)
{
  g_ptr_array_unref(l->scopes);
  g_ptr_array_unref(l->waiting);
  g_ptr_array_unref(l->defines);
  g_ptr_array_unref(l->files);
  g_hash_table_unref(l->by_path);
  g_hash_table_unref(l->groups);
  g_clear_pointer(&l->sets, g_ptr_array_unref);
  g_clear_pointer(&l->chain, g_array_unref);
  g_strfreev(l->standard_types);
  g_string_free(l->names, TRUE);
  g_hash_table_unref(l->said);
  g_ptr_array_unref(l->made);
  hy_formula_pool_free(l->pool);
  hy_formula_pool_free(l->scratch);
  g_clear_pointer(&l->model, hy_model_free);
  g_clear_pointer(&l->rows, g_array_unref);
  g_clear_pointer(&l->numerics, g_array_unref);
  g_clear_pointer(&l->records, g_array_unref);
  g_clear_pointer(&l->experiments, g_ptr_array_unref);
  g_clear_pointer(&l->strings, g_string_chunk_free);
}

/* What is kept after loading. */
static HyLoaded *hand_over(Loader *l)
{
  HyLoaded *d = g_new0(HyLoaded, 1);
  d->scopes = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
  for (guint k = 0; k < l->scopes->len; k++) {
    Scope *s = g_ptr_array_index(l->scopes, k);
    if (s->rows != NULL && s->model != NULL) {
      g_hash_table_insert(d->scopes, s->model, g_steal_pointer(&s->rows));
    }
  }
  d->model = g_steal_pointer(&l->model);
  const Scope *root = g_ptr_array_index(l->scopes, 0);
  d->group = g_array_index(l->numerics, Numerics, root->numerics).group;
  d->file = ((const HyFile *)g_ptr_array_index(l->files, 0))->name;
  d->method =
      l->options.method != NULL ? g_string_chunk_insert(l->strings, l->options.method) : NULL;
  d->rows = g_steal_pointer(&l->rows);
  d->numerics = g_steal_pointer(&l->numerics);
  d->strings = g_steal_pointer(&l->strings);
  d->records = g_steal_pointer(&l->records);
  g_ptr_array_add(l->experiments, NULL);
  d->experiments = g_steal_pointer(&l->experiments);
  d->experiment = l->experiment;
  d->experiment.n_records = d->records->len;
  d->experiment.records = (const HyRecord *)(gpointer)d->records->data;
  return d;
}

/* needs="major.minor" of the root element. */
static gboolean newer_language(Loader *l, const HyFile *f)
{
  const HyAttribute *a = hy_attribute_find(f->tree, hy_element(f->tree, 0), HY_W_NEEDS);
  if (a == NULL) {
    return FALSE;
  }
  char *end;
  guint64 major = g_ascii_strtoull(a->value, &end, 10),
          minor = *end == '.' ? g_ascii_strtoull(end + 1, &end, 10) : 0;
  if (*end != '\0' || end == a->value) {
    hy_report_error(l->report, f->name, a->line, "needs=\"%s\": write a version such as 1.1",
                    a->value);
    return TRUE;
  }
  if (major > 1 || minor > HY_LANGUAGE_MINOR) {
    hy_report_error(l->report, f->name, a->line,
                    "this file needs hydevs language %s; this program reads 1.%d", a->value,
                    HY_LANGUAGE_MINOR);
    return TRUE;
  }
  return FALSE;
}

static HyLoaded *load(Loader *l, HyTree *tree)
{
  HyFile *f = file_new(l, tree);
  g_hash_table_insert(l->by_path, g_canonicalize_filename(tree->file, NULL), f);
  if (newer_language(l, f)) {
    return NULL;
  }
  hy_file_type(l, f, ""); /* also types that nobody places */
  f->root = hy_define_new(l, f, 0, NULL, NULL);
  if (!hy_experiments_read(l, f)) {
    return NULL;
  }
  hy_expand_all(l, f->root);
  hy_experiment_finish(l, g_ptr_array_index(l->scopes, 0));
  if (hy_report_errors(l->report) > 0) {
    return NULL;
  }
  GError *error = NULL;
  gboolean ok = hy_model_check(l->model, &error);
  if (!ok && l->model->owner->loops != NULL) {
    hy_check_loops(l, l->model->owner->loops);
  } else if (!ok) {
    const HyRoot *owner = l->model->owner;
    const Row *row = owner->fault_model != NULL
                         ? hy_row_of(l, owner->fault_model, owner->fault_component)
                         : NULL;
    hy_report_error(l->report, row != NULL ? row->file : f->name, row != NULL ? row->line : 0, "%s",
                    error->message);
  }
  g_clear_error(&error);
  if (!ok) {
    return NULL;
  }
  hy_check_trials(l);
  hy_check_unused(l, f, f->root);
  return hy_report_errors(l->report) > 0 ? NULL : hand_over(l);
}

/* Whatever goes wrong is in REPORT. */
HyLoaded *hy_load_file(const char *path, const HyLoadOptions *options, HyReport *report)
{
  Loader l;
  loader_init(&l, options, report);
  HyTree *tree = hy_tree_read(path, hy_words, &l.options.read, report);
  HyLoaded *loaded = tree != NULL ? load(&l, tree) : NULL;
  loader_clear(&l);
  return loaded;
}

HyLoaded *hy_load_memory(const char *bytes, gsize size, const char *file,
                         const HyLoadOptions *options, HyReport *report)
{
  Loader l;
  loader_init(&l, options, report);
  HyTree *tree = hy_tree_parse(bytes, size, file, hy_words, &l.options.read, report);
  HyLoaded *loaded = tree != NULL ? load(&l, tree) : NULL;
  loader_clear(&l);
  return loaded;
}

void hy_loaded_free(HyLoaded *loaded)
{
  if (loaded == NULL) {
    return;
  }
  hy_model_free(loaded->model);
  g_hash_table_unref(loaded->scopes);
  g_array_unref(loaded->rows);
  g_array_unref(loaded->numerics);
  g_array_unref(loaded->records);
  g_ptr_array_unref(loaded->experiments);
  g_string_chunk_free(loaded->strings);
  g_free(loaded);
}

/* Answers -------------------------------------------------------------------------------------- */

HyModel *hy_loaded_model(const HyLoaded *loaded)
{
  return loaded->model;
}

const char *hy_loaded_file(const HyLoaded *loaded)
{
  return loaded->file;
}

const char *hy_loaded_method(const HyLoaded *loaded)
{
  return loaded->method;
}

const HyExperiment *hy_loaded_experiment(const HyLoaded *loaded)
{
  return &loaded->experiment;
}

const char *const *hy_loaded_experiments(const HyLoaded *loaded)
{
  return (const char *const *)loaded->experiments->pdata;
}

/* What was said of a component; for one that was not loaded, what is in force without a statement.
 */
void hy_loaded_block(const HyLoaded *loaded, const HyModel *model, guint component,
                     HyBlockInfo *info)
{
  const GArray *rows = g_hash_table_lookup(loaded->scopes, model);
  *info = (HyBlockInfo){.dqrel = 1e-3, .dqmin = 1e-6, .reltol = 1e-3, .abstol = 1e-6, .hstep = NAN};
  if (rows == NULL || component >= rows->len) {
    return;
  }
  const Row *row = &g_array_index(loaded->rows, Row, g_array_index(rows, guint32, component));
  const Numerics *n = &g_array_index(loaded->numerics, Numerics, row->numerics);
  *info = (HyBlockInfo){.file = row->file,
                        .line = row->line,
                        .unit = row->unit,
                        .label = row->label,
                        .formula = row->formula,
                        .method = n->method,
                        .group = n->group,
                        .stated = n->group != loaded->group,
                        .dqrel = n->value[1],
                        .dqmin = n->value[2],
                        .reltol = isnan(n->value[3]) ? n->value[1] : n->value[3],
                        .abstol = isnan(n->value[4]) ? n->value[2] : n->value[4],
                        .hstep = n->value[5]};
}

char *hy_schema_text(const HyLoadOptions *options)
{
  g_autoptr(HyReport) report = hy_report_new();
  Loader l;
  loader_init(&l, options, report);
  HyFile *standard = hy_loader_standard(&l);
  char *text = hy_language_xsd(standard != NULL ? standard->tree : NULL, l.options.blocks);
  loader_clear(&l);
  return text;
}
