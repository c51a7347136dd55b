/* The experiment in force: what it inherits with like=, what it sets, records and asks for.
 *
 * Works in three parts, as what it needs is there: hy_experiments_read() before anything is
 * expanded, since sets change values; hy_experiment_numerics() for the root, so that all inherits
 * from it; hy_experiment_finish() afterwards, when numbers such as stop may use parameters of the
 * root and when it is known which sets have met nothing.
 *
 * All experiments of the file are checked for names and likes, also those that are not in force.
 * Options of the command line come last and are sets like the others. */
#include "hydevs/text.h"
#include "hydevs/trace.h"
#include "language/numerics.h"
#include <math.h>
#include <string.h>

const char *hy_said_in(const HyFile *f, guint32 element, guint16 word)
{
  const HyAttribute *a = hy_attribute_find(f->tree, hy_element(f->tree, element), word);
  return a != NULL ? a->value : NULL;
}

/* "experiment fine: " or "experiment: " */
char *hy_experiment_who(const HyFile *f, guint32 element)
{
  const char *name = hy_said_in(f, element, HY_W_NAME);
  return name != NULL ? g_strdup_printf("experiment %s", name) : g_strdup("experiment");
}

/* The first element of each name; it keeps the names of the tree. */
static GHashTable *find_names(const HyFile *f)
{
  GHashTable *named = g_hash_table_new(g_str_hash, g_str_equal);
  for (guint32 k = hy_element(f->tree, 0)->child; k != 0; k = hy_element(f->tree, k)->next) {
    const char *said =
        hy_element(f->tree, k)->name == HY_W_EXPERIMENT ? hy_said_in(f, k, HY_W_NAME) : NULL;
    if (said != NULL && !g_hash_table_contains(named, said)) {
      g_hash_table_insert(named, hy_key(said), GUINT_TO_POINTER(k));
    }
  }
  return named;
}

/* "; did you mean ...": the first in the file of those that are nearest. Newly allocated. */
static char *meant(const HyFile *f, const char *name)
{
  HyNearest near = {.word = name};
  for (guint32 k = hy_element(f->tree, 0)->child; k != 0; k = hy_element(f->tree, k)->next) {
    const char *said =
        hy_element(f->tree, k)->name == HY_W_EXPERIMENT ? hy_said_in(f, k, HY_W_NAME) : NULL;
    if (said != NULL) {
      hy_nearest_offer(&near, said);
    }
  }
  return hy_did_you_mean(near.best);
}

/* The element that `like` names; 0: none, or an error. */
static guint32 like(Loader *l, const HyFile *f, GHashTable *named, guint32 element)
{
  HyAttribute *a = hy_attribute_find(f->tree, hy_element(f->tree, element), HY_W_LIKE);
  if (a == NULL) {
    return 0;
  }
  guint32 found = GPOINTER_TO_UINT(g_hash_table_lookup(named, a->value));
  if (found == 0 && hy_note_once(l, a, REPORTED_ERROR)) {
    g_autofree char *name = hy_experiment_who(f, element);
    g_autofree char *hint =
        hy_report_errors(l->report) < HY_MAX_MESSAGES ? meant(f, a->value) : g_strdup("");
    hy_report_error(l->report, f->name, a->line, "%s: there is no experiment \"%s\"%s", name,
                    a->value, hint);
  }
  return found;
}

/* From FROM on until the end, or where another way has been before: WAY, [elements], is 0 where
 * none has, else its number. One that leads back to its own way is wrong. */
static void follow_likes(Loader *l, const HyFile *f, GHashTable *named, guint32 from, guint32 *way)
{
  guint32 at = from;
  while (at != 0 && !f->bad[at] && way[at] == 0) {
    way[at] = from;
    at = like(l, f, named, at);
  }
  if (at != 0 && !f->bad[at] && way[at] == from) {
    g_autofree char *who_is = hy_experiment_who(f, at);
    hy_report_error(l->report, f->name, hy_element(f->tree, at)->line,
                    "%s: like=\"%s\" leads back to itself", who_is, hy_said_in(f, at, HY_W_LIKE));
    f->bad[at] = 1;
  }
}

/* Names and likes of all experiments, also of those not in force. */
static void check_all(Loader *l, const HyFile *f, GHashTable *named)
{
  g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
  g_autofree guint32 *way = g_new0(guint32, f->tree->elements->len);
  for (guint32 k = hy_element(f->tree, 0)->child; k != 0; k = hy_element(f->tree, k)->next) {
    const HyElement *e = hy_element(f->tree, k);
    if (e->name != HY_W_EXPERIMENT || f->bad[k]) {
      continue;
    }
    const char *name = hy_said_in(f, k, HY_W_NAME);
    g_ptr_array_add(l->chosen.names,
                    g_string_chunk_insert_const(l->strings, name != NULL ? name : ""));
    gpointer first = name != NULL ? g_hash_table_lookup(seen, name) : NULL;
    if (first != NULL) {
      hy_report_error(l->report, f->name, e->line,
                      "experiment %s: this name is already taken by the experiment in line %u",
                      name, GPOINTER_TO_UINT(first));
    } else if (name != NULL) {
      g_hash_table_insert(seen, hy_key(name), GUINT_TO_POINTER(e->line));
    }
    follow_likes(l, f, named, k, way);
  }
}

/* CHAIN: AT and all that it is like, the most basic first. */
static void make_chain(Loader *l, const HyFile *f, GHashTable *named, guint32 at, GArray *chain)
{
  for (; at != 0 && !f->bad[at]; at = like(l, f, named, at)) {
    g_array_append_val(chain, at);
  }
  for (guint k = 0; k < chain->len / 2; k++) {
    guint32 *a = &g_array_index(chain, guint32, k),
            *b = &g_array_index(chain, guint32, chain->len - 1 - k), other = *a;
    *a = *b;
    *b = other;
  }
}

/* The experiment in force, after all that it is like, into l->chosen.chain; their sets in that
 * order, then those of the command line, so the last one wins. */
gboolean hy_experiments_read(Loader *l, HyFile *file)
{
  l->chosen.sets = g_ptr_array_new_with_free_func(hy_set_free);
  l->chosen.chain = g_array_new(FALSE, FALSE, sizeof(guint32));
  g_autoptr(GHashTable) named = find_names(file);
  check_all(l, file, named);
  guint32 at = 0;
  if (l->options.experiment != NULL) {
    at = GPOINTER_TO_UINT(g_hash_table_lookup(named, l->options.experiment));
    if (at == 0) {
      g_autofree char *hint = meant(file, l->options.experiment);
      hy_report_error(l->report, file->name, 0, "there is no experiment \"%s\"%s",
                      l->options.experiment, hint);
      return FALSE;
    }
  }
  for (guint32 k = hy_element(file->tree, 0)->child; at == 0 && k != 0;
       k = hy_element(file->tree, k)->next) {
    at = hy_element(file->tree, k)->name == HY_W_EXPERIMENT ? k : 0;
  }
  make_chain(l, file, named, at, l->chosen.chain);
  for (guint k = 0; k < l->chosen.chain->len; k++) {
    guint32 experiment = g_array_index(l->chosen.chain, guint32, k);
    for (guint32 e = hy_element(file->tree, experiment)->child; e != 0;
         e = hy_element(file->tree, e)->next) {
      if (hy_element(file->tree, e)->name == HY_W_SET && !file->bad[e]) {
        hy_set_read(l, file, experiment, e);
      }
    }
  }
  for (const char *const *o = l->options.set; o != NULL && *o != NULL; o++) {
    hy_set_option(l, *o);
  }
  return TRUE;
}

/* Numerics ------------------------------------------------------------------------------------- */

guint32 hy_experiment_numerics(Loader *l, Scope *root, HyFile *file)
{
  Numerics first = {.value = {0, 1e-3, 1e-6, NAN, NAN, NAN}};
  g_array_append_val(l->numerics, first);
  Env env = hy_env(l, root, NULL, NULL);
  guint32 row =
      hy_numerics_state(l, 0, &env, hy_element(file->tree, 0), hy_group(l, root, NULL), FALSE);
  for (guint k = 0; k < l->chosen.chain->len; k++) {
    guint32 e = g_array_index(l->chosen.chain, guint32, k);
    row = hy_numerics_state(l, row, &env, hy_element(file->tree, e),
                            hy_group(l, root, l->chosen.chain), FALSE);
  }
  Numerics n = g_array_index(l->numerics, Numerics, row);
  if (l->options.method != NULL) {
    if (!g_strv_contains(hy_method_words, l->options.method)) {
      g_autofree char *hint = hy_did_you_mean(hy_nearest(l->options.method, hy_method_words));
      hy_report_error(l->report, "--method", 0, "no method \"%s\"%s", l->options.method, hint);
    }
    n.method = g_string_chunk_insert_const(l->strings, l->options.method);
    n.group = hy_group(l, root, l->chosen.chain);
  }
  n.value[1] = l->options.dqrel > 0 ? l->options.dqrel : n.value[1];
  n.value[2] = l->options.dqmin > 0 ? l->options.dqmin : n.value[2];
  for (guint k = 3; k <= 4;
       k++) { /* what nobody states is as the quantum, wherever that is stated */
    gboolean is_quantum = isnan(n.value[k]) && n.value[k - 2] == l->options.tol;
    n.value[k] = l->options.tol > 0 && !is_quantum ? l->options.tol : n.value[k];
  }
  n.value[5] = l->options.hstep > 0 ? l->options.hstep : n.value[5];
  g_array_append_val(l->numerics, n);
  return l->numerics->len - 1;
}

/* Afterwards ----------------------------------------------------------------------------------- */

/* What a number of an experiment may be: MIN or more, and a whole one up to 2^53 if WHOLE. Only
 * stop may be infinite. */
typedef struct {
  guint16 word;
  const char *what; /* "stop=" */
  double min;
  gboolean whole;
} Range;

static gboolean in_range(const Range *range, double v)
{
  return v >= range->min && v > -INFINITY && (v < INFINITY || range->word == HY_W_STOP) &&
         (!range->whole || (v == floor(v) && v <= 0x1p53));
}

/* What a number of the experiment must be instead. */
static void out_of_range(Env *env, const Range *range, const char *text)
{
  char min[HY_DOUBLE_SIZE];
  if (range->min == -INFINITY) {
    hy_problem(env, "%s\"%s\" must be finite", range->what, text);
  } else {
    hy_problem(env, "%s\"%s\" must be a %snumber, %s or more", range->what, text,
               range->whole               ? "whole "
               : range->word == HY_W_STOP ? ""
                                          : "finite ",
               hy_double_text(min, range->min));
  }
}

/* The nearest statement in the chain, from the experiment in force outwards; NULL: none. */
static const HyAttribute *stated(const Loader *l, const HyFile *f, guint16 word)
{
  for (guint k = l->chosen.chain->len; k-- > 0;) {
    const HyElement *e = hy_element(f->tree, g_array_index(l->chosen.chain, guint32, k));
    const HyAttribute *a = hy_attribute_find(f->tree, e, word);
    if (a != NULL) {
      return a;
    }
  }
  return NULL;
}

/* OTHERWISE if nobody states it, or it is wrong. */
static double number(Loader *l, Scope *root, const Range *range, double otherwise)
{
  const HyAttribute *a = stated(l, root->define->file, range->word);
  if (a == NULL) {
    return otherwise;
  }
  Env env = hy_env(l, root, NULL, a);
  env.what = range->what;
  const HyFormula *g = hy_env_parse(&env, HY_TEXT_EXPRESSION, a->value);
  double v = otherwise;
  if (g == NULL || !hy_env_number(&env, g, &v)) {
    return otherwise;
  }
  if (!in_range(range, v)) {
    out_of_range(&env, range, a->value);
    return otherwise;
  }
  return v;
}

static const char *text(Loader *l, const HyFile *f, guint16 word)
{
  const HyAttribute *a = stated(l, f, word);
  return a != NULL ? g_string_chunk_insert_const(l->strings, a->value) : NULL;
}

/* What the options say goes first. */
const char *hy_experiment_audit(Loader *l, const HyFile *f)
{
  return l->options.audit != NULL ? g_string_chunk_insert_const(l->strings, l->options.audit)
                                  : text(l, f, HY_W_AUDIT);
}

/* Of the experiment or a record: as they were if A is NULL, or wrong. */
static void read_grid(Loader *l, Scope *root, const HyAttribute *a, double *step,
                      HyInstants *instants)
{
  Env env = hy_env(l, root, NULL, a);
  env.what = "grid=";
  if (a != NULL) {
    hy_grid_read(&env, a->value, step, instants);
  }
}

/* --grid, in place of what the file says. */
static void override_grids(Loader *l, Scope *root)
{
  Env env = hy_env(l, root, NULL, NULL);
  HyFile from = *env.file;
  from.name = "--grid";
  env.file = &from;
  env.what = "";
  double step = NAN;
  HyInstants instants = {0};
  if (l->options.grid == NULL || !hy_grid_read(&env, l->options.grid, &step, &instants)) {
    return;
  }
  for (guint k = 0; k < l->chosen.records->len; k++) {
    HyRecord *r = &g_array_index(l->chosen.records, HyRecord, k);
    r->grid = step;
    r->instants = instants;
  }
}

/* TEXT: paths with blanks between. ATTRIBUTE is NULL for an option. */
static void add_records(Loader *l, Scope *root, const char *paths, const HyAttribute *attribute,
                        const char *file, const HyRecord *model)
{
  GError *error = NULL;
  Env env = hy_env(l, root, NULL, attribute);
  HyFile from = *env.file;
  from.name = file;
  env.file = &from;
  env.what = "an index of a path";
  const HyPaths *all = hy_paths_parse(l->pool, paths, &error);
  if (all == NULL) {
    hy_problem_error(&env, error);
    return;
  }
  HyFormulaScope scope = hy_env_scope;
  scope.user = &env;
  for (guint k = 0; k < all->n; k++) {
    const HyPath *path = hy_path_fold(l->pool, all->path[k], &scope, &error);
    if (path == NULL) {
      hy_problem_error(&env, g_steal_pointer(&error));
      return;
    }
    g_autoptr(GString) name = g_string_new(NULL);
    hy_path_print(path, name);
    HyRecord r = *model;
    r.path = g_string_chunk_insert_const(l->strings, name->str);
    r.file = g_string_chunk_insert_const(l->strings, file);
    r.line = attribute != NULL ? attribute->line : 0;
    g_array_append_val(l->chosen.records, r);
  }
}

/* record= of the nearest experiment that has one; every <record> of the chain; then --record. */
static void read_records(Loader *l, Scope *root)
{
  const HyFile *f = root->define->file;
  HyRecord plain = {.grid = NAN};
  for (guint k = l->chosen.chain->len; k-- > 0;) {
    const HyAttribute *a = hy_attribute_find(
        f->tree, hy_element(f->tree, g_array_index(l->chosen.chain, guint32, k)), HY_W_RECORD);
    if (a != NULL) {
      add_records(l, root, a->value, a, f->name, &plain);
      break;
    }
  }
  for (guint k = 0; k < l->chosen.chain->len; k++) {
    guint32 e = hy_element(f->tree, g_array_index(l->chosen.chain, guint32, k))->child;
    for (; e != 0; e = hy_element(f->tree, e)->next) {
      const HyElement *x = hy_element(f->tree, e);
      const HyAttribute *path = hy_attribute_find(f->tree, x, HY_W_PATH),
                        *grid = hy_attribute_find(f->tree, x, HY_W_GRID);
      if (x->name != HY_W_RECORD || f->bad[e] || path == NULL) {
        continue;
      }
      const char *label = hy_said_in(f, e, HY_W_LABEL);
      HyRecord r = {.grid = NAN,
                    .label = label != NULL ? g_string_chunk_insert_const(l->strings, label) : NULL};
      read_grid(l, root, grid, &r.grid, &r.instants);
      add_records(l, root, path->value, path, f->name, &r);
    }
  }
  for (const char *const *o = l->options.record; o != NULL && *o != NULL; o++) {
    g_autofree char *file = g_strdup_printf("--record %s", *o);
    add_records(l, root, *o, NULL, file, &plain);
  }
}

/* When the root's values are known: numbers, texts and records of the experiment, and sets that
 * have met nothing. */
void hy_experiment_finish(Loader *l, Scope *root)
{
  const HyFile *f = root->define->file;
  HyExperiment *x = &l->chosen.experiment;
  x->name = l->chosen.chain->len > 0
                ? hy_said_in(f, g_array_index(l->chosen.chain, guint32, l->chosen.chain->len - 1),
                             HY_W_NAME)
                : NULL;
  x->name = x->name != NULL ? g_string_chunk_insert_const(l->strings, x->name) : NULL;
  x->doc = text(l, f, HY_W_DOC);
  x->label = text(l, f, HY_W_LABEL);
  x->engine = text(l, f, HY_W_ENGINE);
  x->partition = text(l, f, HY_W_PARTITION);
  x->audit = hy_experiment_audit(l, f);
  x->start = number(l, root, &(Range){HY_W_START, "start=", -INFINITY, FALSE}, 0);
  x->stop = number(l, root, &(Range){HY_W_STOP, "stop=", x->start, FALSE}, NAN);
  read_grid(l, root, stated(l, f, HY_W_GRID), &x->grid, &x->instants);
  x->seed = number(l, root, &(Range){HY_W_SEED, "seed=", 0, TRUE}, NAN);
  x->events_at_instant =
      number(l, root, &(Range){HY_W_EVENTS_AT_INSTANT, "events_at_instant=", 0, TRUE}, NAN);
  read_records(l, root);
  override_grids(l, root);
  hy_measures_read(l, root);
  hy_sets_finish(l, root);
}
