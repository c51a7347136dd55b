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
#include "base/hint.h"
#include "base/sized.h"
#include "coupled/model_internal.h"
#include "hydevs/text.h"
#include "language/checks.h"
#include "language/documents.h"
#include "language/foreign.h"
#include "language/hidden.h"
#include "language/look.h"
#include "language/machine.h"
#include "language/netlist.h"
#include "language/numerics.h"
#include <math.h>
#include <string.h>

/* The loader ----------------------------------------------------------------------------------- */

static void free_scope(gpointer p)
{
  hy_scope_free(p);
}

static void free_define(gpointer p)
{
  hy_define_free(p);
}

static void free_machine(gpointer p)
{
  hy_machine_free(p);
}

static void free_machine_said(gpointer p)
{
  hy_machine_said_free(p);
}

/* Limits that are not stated are the usual ones. */
void hy_loader_init(Loader *l, const HyLoadOptions *options, HyReport *report)
{
  *l = (Loader){.report = report, .before = hy_report_errors(report)};
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
  o->read.max_elements = o->read.max_elements > 0 ? o->read.max_elements : usual.max_elements;
  hy_report_set_strict(report, o->strict);
  l->pool = hy_formula_pool_new();
  l->scratch = hy_formula_pool_new();
  hy_formula_pool_limit(l->pool, o->read.max_elements);
  hy_formula_pool_limit(l->scratch, o->read.max_elements);
  l->strings = g_string_chunk_new(4096);
  l->entries = hy_arena_new();
  l->files.all = g_ptr_array_new_with_free_func(hy_file_free);
  l->files.data = g_ptr_array_new();
  l->files.by_path = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  l->defines = g_ptr_array_new_with_free_func(free_define);
  l->scopes = g_ptr_array_new_with_free_func(free_scope);
  l->machines = g_ptr_array_new_with_free_func(free_machine);
  l->machines_said = g_ptr_array_new_with_free_func(free_machine_said);
  l->waiting = g_ptr_array_new();
  l->rows = g_array_new(FALSE, FALSE, sizeof(Row));
  l->numerics = g_array_new(FALSE, FALSE, sizeof(Numerics));
  l->groups =
      g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
  l->chosen.records = g_array_new(FALSE, FALSE, sizeof(HyRecord));
  l->chosen.measures = g_array_new(FALSE, FALSE, sizeof(HyMeasureSaid));
  l->chosen.names = g_ptr_array_new();
  l->chosen.times = g_ptr_array_new_with_free_func(g_free);
  l->names = g_string_new(NULL);
  l->reported = g_hash_table_new(NULL, NULL);
  l->made = g_ptr_array_new_with_free_func(g_free);
  l->chosen.experiment =
      (HyExperiment){.stop = NAN, .grid = NAN, .seed = NAN, .events_at_instant = NAN};
}

void hy_loader_clear(Loader *l)
{
  g_ptr_array_unref(l->scopes);
  g_ptr_array_unref(l->waiting);
  g_ptr_array_unref(l->defines);
  g_ptr_array_unref(l->files.all);
  g_ptr_array_unref(l->files.data);
  g_hash_table_unref(l->files.by_path);
  g_hash_table_unref(l->groups);
  g_clear_pointer(&l->chosen.sets, g_ptr_array_unref);
  g_clear_pointer(&l->chosen.chain, g_array_unref);
  g_strfreev(l->files.standard_types);
  g_string_free(l->names, TRUE);
  g_hash_table_unref(l->reported);
  g_ptr_array_unref(l->made);
  hy_again_free(l);
  hy_into_clear(&l->into);
  hy_arena_free(l->entries);
  hy_formula_pool_free(l->pool);
  hy_formula_pool_free(l->scratch);
  g_clear_pointer(&l->model, hy_model_free);
  g_clear_pointer(&l->machines, g_ptr_array_unref);
  g_ptr_array_unref(l->machines_said);
  g_clear_pointer(&l->rows, g_array_unref);
  g_clear_pointer(&l->numerics, g_array_unref);
  g_clear_pointer(&l->chosen.records, g_array_unref);
  g_clear_pointer(&l->chosen.measures, g_array_unref);
  g_clear_pointer(&l->chosen.names, g_ptr_array_unref);
  g_clear_pointer(&l->chosen.times, g_ptr_array_unref);
  g_clear_pointer(&l->strings, g_string_chunk_free);
  g_clear_pointer(&l->netlist, hy_netlist_free);
}

static const char *keep_text(const Loader *l, const char *text)
{
  return text != NULL ? g_string_chunk_insert(l->strings, text) : NULL;
}

/* Those of the root, as they are in force. */
static void keep_parameters(const Loader *l, HyLoaded *d)
{
  const Scope *root = g_ptr_array_index(l->scopes, 0);
  const HyFile *file = root->define->file;
  d->parameters = g_array_new(FALSE, TRUE, sizeof(HyParameter));
  for (guint k = 0; k < root->define->values->len; k++) {
    const Entry *e = g_ptr_array_index(root->define->values, k);
    const Value *v = &root->values[e->slot];
    if (e->kind != E_PARAM || v->state != V_DONE) {
      continue;
    }
    HyParameter p = {
        .name = g_string_chunk_insert_const(l->strings, e->name),
        .array = v->shape == V_NUMBERS,
        .unit = keep_text(l, e->unit),
        .doc = keep_text(l, hy_text_of(file, hy_element(file->tree, e->element), HY_W_DOC))};
    if (v->shape == V_TEXT) {
      p.text = g_string_chunk_insert(l->strings, v->text);
    } else {
      p.n = p.array ? v->n : 1;
      p.numbers = g_memdup2(p.array ? v->numbers : &v->number, p.n * sizeof(double));
    }
    g_array_append_val(d->parameters, p);
  }
}

/* Each of LIST once. */
static void keep_names(GPtrArray *names, const GPtrArray *list)
{
  g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
  for (guint k = 0; k < list->len; k++) {
    if (g_hash_table_add(known, g_ptr_array_index(list, k))) {
      g_ptr_array_add(names, g_ptr_array_index(list, k));
    }
  }
}

/* All files: those of XML first. */
static void keep_inputs(const Loader *l, HyLoaded *d)
{
  d->inputs = g_ptr_array_new();
  d->sha256 = g_ptr_array_new();
  for (guint k = 0; k < l->files.all->len; k++) {
    const HyFile *f = g_ptr_array_index(l->files.all, k);
    g_ptr_array_add(d->inputs, hy_key(f->name));
    g_ptr_array_add(d->sha256, g_string_chunk_insert(l->strings, f->tree->sha256));
  }
  keep_names(d->inputs, l->files.data);
  for (guint k = 0; k < l->files.all->len; k++) {
    const HyFile *f = g_ptr_array_index(l->files.all, k);
    for (guint i = 0; f->tree->further != NULL && i < f->tree->further->len; i++) {
      const char *name = g_ptr_array_index(f->tree->further, i);
      g_ptr_array_add(d->inputs, g_string_chunk_insert(l->strings, name));
    }
  }
  for (const char *const *file = hy_blocks_files(l->options.blocks); *file != NULL; file++) {
    g_ptr_array_add(d->inputs, g_string_chunk_insert(l->strings, *file));
  }
  g_ptr_array_add(d->inputs, NULL);
}

static void keep_options(const Loader *l, HyLoaded *d)
{
  const HyLoadOptions *o = &l->options;
  d->set = g_strdupv((char **)hy_key(o->set));
  d->record = g_strdupv((char **)hy_key(o->record));
  d->measure = g_strdupv((char **)hy_key(o->measure));
  d->options = *o;
  d->options.set = (const char *const *)d->set;
  d->options.record = (const char *const *)d->record;
  d->options.measure = (const char *const *)d->measure;
  d->options.experiment = keep_text(l, o->experiment);
  d->options.method = keep_text(l, o->method);
  d->options.audit = keep_text(l, o->audit);
  d->options.grid = keep_text(l, o->grid);
  d->options.library = NULL;
  d->options.blocks = NULL;
  d->options.documents = NULL;
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
  d->looks = hy_looks_keep(l, &d->define_looks);
  d->model = g_steal_pointer(&l->model);
  d->machines = g_steal_pointer(&l->machines);
  const Scope *root = g_ptr_array_index(l->scopes, 0);
  d->group = g_array_index(l->numerics, Numerics, root->numerics).group;
  d->file = ((const HyFile *)g_ptr_array_index(l->files.all, 0))->name;
  keep_inputs(l, d);
  keep_options(l, d);
  keep_parameters(l, d);
  d->rows = g_steal_pointer(&l->rows);
  d->numerics = g_steal_pointer(&l->numerics);
  d->strings = g_steal_pointer(&l->strings);
  d->netlist = g_steal_pointer(&l->netlist);
  d->records = g_steal_pointer(&l->chosen.records);
  d->measures = g_steal_pointer(&l->chosen.measures);
  g_ptr_array_add(l->chosen.names, NULL);
  d->experiments = g_steal_pointer(&l->chosen.names);
  d->times = g_steal_pointer(&l->chosen.times);
  d->experiment = l->chosen.experiment;
  d->experiment.n_records = d->records->len;
  d->experiment.records = (const HyRecord *)(gpointer)d->records->data;
  d->experiment.n_measures = d->measures->len;
  d->experiment.measures = (const HyMeasureSaid *)(gpointer)d->measures->data;
  return d;
}

/* needs="major.minor" of the root element: the oldest language that reads the file. One that is too
 * old to know an element of it is a warning. */
static void check_oldest(Loader *l, const HyFile *f, const HyAttribute *needs, guint64 minor)
{
  static const struct {
    guint16 word;
    guint minor;
  } came[] = {{HY_W_EQUATIONS, 1},
              {HY_W_CIRCUIT, 2},
              {HY_W_MACHINE, 3},
              {HY_W_MEASURE, 4},
              {HY_W_SWEEP, 4}};
  for (guint k = 0; minor < HY_LANGUAGE_MINOR && k < f->tree->elements->len; k++) {
    const HyElement *e = hy_element(f->tree, k);
    for (guint i = 0; i < G_N_ELEMENTS(came); i++) {
      if (!e->foreign && e->name == came[i].word && minor < came[i].minor) {
        hy_report_warning(l->report, f->name, needs->line,
                          "needs=\"%s\", and <%s> in line %u came with 1.%u", needs->value,
                          hy_words[came[i].word], e->line, came[i].minor);
        return;
      }
    }
  }
}

/* TRUE: it cannot be read, which is reported. */
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
  check_oldest(l, f, a, major == 1 ? minor : 0);
  return FALSE;
}

/* The model as a whole. One with mistakes has been made without what they are about, and is asked
 * for its algebraic loops only: leaving out makes none. FALSE: it has mistakes, and they are told.
 */
static gboolean check_whole(Loader *l, const HyFile *f)
{
  g_autoptr(GError) error = NULL;
  HyRoot *owner = l->model->owner;
  owner->partial = hy_report_errors(l->report) > l->before;
  gboolean ok = hy_model_check(l->model, &error);
  if (!ok && owner->loops != NULL) {
    hy_check_loops(l, owner->loops);
  } else if (!ok && !owner->partial) {
    if (owner->fault_model != NULL) {
      hy_say_of(l, hy_report_error, owner->fault_model, owner->fault_component, error->message);
    } else {
      hy_report_error(l->report, f->name, 0, "%s", error->message);
    }
  }
  return ok && !owner->partial;
}

/* Tolerances and steps that whoever loads asks for in place of the file's. */
static gboolean options_hold(Loader *l)
{
  const HyLoadOptions *o = &l->options;
  const struct {
    const char *name;
    double v;
  } all[] = {
      {"--tol", o->tol}, {"--dqrel", o->dqrel}, {"--dqmin", o->dqmin}, {"--hstep", o->hstep}};
  gboolean hold = TRUE;
  for (guint k = 0; k < G_N_ELEMENTS(all); k++) {
    if (!(all[k].v >= 0 && all[k].v < INFINITY)) {
      char text[HY_DOUBLE_SIZE];
      hy_report_error(l->report, all[k].name, 0,
                      "%s must be a number above 0 (0: as the file says)",
                      hy_double_text(text, all[k].v));
      hold = FALSE;
    }
  }
  return hold;
}

static HyLoaded *load(Loader *l, HyTree *tree)
{
  HyFile *f = hy_file_new(l, tree);
  g_hash_table_insert(l->files.by_path, g_canonicalize_filename(tree->file, NULL), f);
  if (newer_language(l, f) || !options_hold(l)) {
    return NULL;
  }
  hy_file_type(l, f, ""); /* also types that nobody places */
  f->root = hy_define_new(l, f, 0, NULL, NULL);
  if (!hy_experiments_read(l, f)) {
    return NULL;
  }
  hy_expand_all(l, f->root);
  hy_experiment_finish(l, g_ptr_array_index(l->scopes, 0));
  if (l->options.fed && !l->stopped && hy_report_errors(l->report) == l->before) {
    hy_feeds_place(l, g_ptr_array_index(l->scopes, 0));
  }
  if (l->stopped || !check_whole(l, f)) {
    return NULL;
  }
  hy_check_trials(l);
  hy_check_samples(l);
  hy_check_method(l);
  hy_check_units(l);
  hy_check_unused(l, f, f->root);
  return hy_report_errors(l->report) > l->before ? NULL : hand_over(l);
}

gboolean hy_take_load_options(HyLoadOptions *taken, const HyLoadOptions *options, gsize size,
                              const char *file, HyReport *report)
{
  g_autoptr(GError) why = NULL;
  if (!hy_sized_take(taken, options, size, "HyLoadOptions", &why)) {
    hy_report_error(report, file, 0, "%s", why->message);
  }
  return why == NULL;
}

/* Whatever goes wrong is in REPORT. */
HyLoaded *hy_load_file_sized(const char *path, const HyLoadOptions *options, gsize size,
                             HyReport *report)
{
  g_return_val_if_fail(path != NULL && report != NULL, NULL);
  HyLoadOptions taken = {0};
  if (!hy_take_load_options(&taken, options, size, path, report)) {
    return NULL;
  }
  Loader l;
  hy_loader_init(&l, &taken, report);
  HyTree *tree =
      hy_documents_read(l.options.documents, l.options.formats, path, &l.options.read, report);
  HyLoaded *loaded = tree != NULL ? load(&l, tree) : NULL;
  hy_loader_clear(&l);
  return loaded;
}

HyLoaded *hy_load_memory_sized(const char *bytes, gsize n, const char *file,
                               const HyLoadOptions *options, gsize size, HyReport *report)
{
  g_return_val_if_fail((bytes != NULL || n == 0) && file != NULL && report != NULL, NULL);
  HyLoadOptions taken = {0};
  if (!hy_take_load_options(&taken, options, size, file, report)) {
    return NULL;
  }
  Loader l;
  hy_loader_init(&l, &taken, report);
  l.options.documents = NULL; /* what is in memory has no name that others could ask for */
  HyTree *tree =
      hy_foreign_parse(l.options.formats, bytes, n, file, hy_words, &l.options.read, report);
  HyLoaded *loaded = tree != NULL ? load(&l, tree) : NULL;
  hy_loader_clear(&l);
  return loaded;
}

void hy_loaded_free(HyLoaded *loaded)
{
  if (loaded == NULL) {
    return;
  }
  g_return_if_fail(loaded->model == NULL || !hy_model_is_used(loaded->model));
  hy_model_free(loaded->model);
  g_clear_pointer(&loaded->machines, g_ptr_array_unref);
  g_hash_table_unref(loaded->scopes);
  g_hash_table_unref(loaded->looks);
  g_ptr_array_unref(loaded->define_looks);
  g_array_unref(loaded->rows);
  g_array_unref(loaded->numerics);
  g_array_unref(loaded->records);
  g_array_unref(loaded->measures);
  g_ptr_array_unref(loaded->experiments);
  g_ptr_array_unref(loaded->times);
  g_ptr_array_unref(loaded->inputs);
  g_ptr_array_unref(loaded->sha256);
  for (guint k = 0; k < loaded->parameters->len; k++) {
    g_free(hy_key(g_array_index(loaded->parameters, HyParameter, k).numbers));
  }
  g_array_unref(loaded->parameters);
  g_strfreev(loaded->set);
  g_strfreev(loaded->record);
  g_strfreev(loaded->measure);
  g_string_chunk_free(loaded->strings);
  hy_netlist_free(loaded->netlist);
  g_free(loaded);
}

/* Answers -------------------------------------------------------------------------------------- */

HyModel *hy_loaded_model(const HyLoaded *loaded)
{
  g_return_val_if_fail(loaded != NULL, NULL);
  return loaded->model;
}

const char *hy_loaded_file(const HyLoaded *loaded)
{
  g_return_val_if_fail(loaded != NULL, NULL);
  return loaded->file;
}

const char *const *hy_loaded_inputs(const HyLoaded *loaded)
{
  g_return_val_if_fail(loaded != NULL, NULL);
  return (const char *const *)loaded->inputs->pdata;
}

const char *hy_loaded_method(const HyLoaded *loaded)
{
  g_return_val_if_fail(loaded != NULL, NULL);
  return loaded->options.method;
}

const HyLoadOptions *hy_loaded_options(const HyLoaded *loaded)
{
  g_return_val_if_fail(loaded != NULL, NULL);
  return &loaded->options;
}

char *hy_loaded_digest(const HyLoaded *loaded, guint input)
{
  g_return_val_if_fail(loaded != NULL && input + 1 < loaded->inputs->len, NULL);
  if (input < loaded->sha256->len) {
    return g_strdup(g_ptr_array_index(loaded->sha256, input));
  }
  return hy_digest_file(g_ptr_array_index(loaded->inputs, input));
}

guint hy_loaded_n_parameters(const HyLoaded *loaded)
{
  g_return_val_if_fail(loaded != NULL, 0);
  return loaded->parameters->len;
}

const HyParameter *hy_loaded_parameter(const HyLoaded *loaded, guint parameter)
{
  g_return_val_if_fail(loaded != NULL && parameter < loaded->parameters->len, NULL);
  return &g_array_index(loaded->parameters, HyParameter, parameter);
}

const HyExperiment *hy_loaded_experiment(const HyLoaded *loaded)
{
  g_return_val_if_fail(loaded != NULL, NULL);
  return &loaded->experiment;
}

const char *const *hy_loaded_experiments(const HyLoaded *loaded)
{
  g_return_val_if_fail(loaded != NULL, NULL);
  return (const char *const *)loaded->experiments->pdata;
}

/* NULL: it was not loaded. */
static const Row *loaded_row(gconstpointer of, const HyModel *m, guint component)
{
  const HyLoaded *loaded = of;
  const GArray *rows = g_hash_table_lookup(loaded->scopes, m);
  return rows != NULL && component < rows->len
             ? &g_array_index(loaded->rows, Row, g_array_index(rows, guint32, component))
             : NULL;
}

void hy_loaded_say(const HyLoaded *loaded, HySay say, HyReport *report, const HyModel *model,
                   guint component, const char *text)
{
  hy_say_placed(say, report, loaded_row, loaded, loaded->file, model, component, text);
}

/* What was said of a component; for one that was not loaded, what is in force without a statement.
 */
static HyBlockInfo block_info(const HyLoaded *loaded, const HyModel *model, guint component)
{
  const Row *row = loaded_row(loaded, model, component);
  if (row == NULL) {
    return (HyBlockInfo){
        .dqrel = 1e-3, .dqmin = 1e-6, .reltol = 1e-3, .abstol = 1e-6, .hstep = NAN};
  }
  const Numerics *n = &g_array_index(loaded->numerics, Numerics, row->numerics);
  return (HyBlockInfo){.file = row->file,
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

void hy_loaded_block_sized(const HyLoaded *loaded, const HyModel *model, guint component,
                           HyBlockInfo *info, gsize size)
{
  g_return_if_fail(loaded != NULL && model != NULL && info != NULL);
  HyBlockInfo found = block_info(loaded, model, component);
  hy_sized_give(info, size, &found);
}
