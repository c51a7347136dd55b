/* Parameters of an atomic block: as its attributes say them, and as sets of the experiment or of
 * the command line override them. Needs the component; leaves its values in the HyModel. */
#include "coupled/model_internal.h"
#include "language/block.h"
#include "language/checks.h"
#include "language/numerics.h"
#include <string.h>

/* The model's own words begin with its path, which stands before ours already. */
void hy_model_problem(Env *env, guint component, GError *error)
{
  g_autofree char *path = hy_model_path(env->scope->model, component);
  gsize n = strlen(path);
  const char *text = error->message;
  if (strncmp(text, path, n) == 0 && strncmp(text + n, ": ", 2) == 0) {
    text += n + 2;
  }
  hy_problem(env, "%s", text);
  g_error_free(error);
}

static gboolean one_number(Env *env, const HyParam *p, const HyFormula *list, const char *text,
                           double *v)
{
  if (list->n != 1) {
    hy_problem(env, "%s=\"%s\" is a list of %u values, %s takes one (the decimal sign is \".\")",
               p->name, text, list->n, p->name);
    return FALSE;
  }
  return hy_env_number(env, list->child[0], v);
}

static gboolean set_reals(Env *env, guint component, const HyParam *p, const HyFormula *list,
                          GError **error)
{
  const HyFormula *folded = hy_env_fold(env, list);
  if (folded == NULL) {
    return TRUE; /* said */
  }
  g_autofree double *v = g_new(double, MAX(folded->n, 1));
  for (guint32 k = 0; k < folded->n; k++) {
    if (folded->child[k]->kind != HY_F_NUMBER) {
      hy_problem(env, "%s: value %u is no number", p->name, k + 1);
      return TRUE;
    }
    v[k] = folded->child[k]->number;
  }
  return hy_model_set_reals(env->scope->model, component, p->name, v, folded->n, error);
}

/* Numbers and formulas over parameters; else payloads in GVariant's text form. */
static gboolean set_values(Env *env, guint component, const HyParam *p, const char *text,
                           GError **error)
{
  HyModel *model = env->scope->model;
  const HyFormula *list = hy_formula_parse(env->loader->pool, HY_TEXT_LIST, text, NULL);
  HyFormulaScope scope = hy_env_scope;
  scope.user = env;
  const HyFormula *folded =
      list != NULL ? hy_formula_fold(env->loader->scratch, list, &scope, NULL) : NULL;
  gboolean numbers = folded != NULL;
  for (guint32 k = 0; numbers && k < folded->n; k++) {
    numbers = folded->child[k]->kind == HY_F_NUMBER;
  }
  if (!numbers) {
    const char *done = hy_env_text(env, text);
    return done == NULL || hy_model_set(model, component, p->name, done, error);
  }
  g_autofree HyValue *v = g_new0(HyValue, MAX(folded->n, 1));
  for (guint32 k = 0; k < folded->n; k++) {
    v[k].c[0] = folded->child[k]->number;
  }
  return hy_model_set_values(model, component, p->name, v, folded->n, error);
}

/* A text parameter called path names a file, seen from the one that says it. */
static char *beside(const char *file, const char *path)
{
  g_autofree char *folder = g_path_get_dirname(file);
  return g_path_is_absolute(path) || strcmp(folder, ".") == 0
             ? g_strdup(path)
             : g_build_filename(folder, path, NULL);
}

/* PARSED may be NULL: it is read from TEXT. */
static void set_param(Env *env, guint component, const HyParam *p, const char *text,
                      const HyFormula *parsed)
{
  HyModel *model = env->scope->model;
  GError *error = NULL;
  gboolean ok = TRUE;
  env->what = p->name;
  if (p->kind == HY_TEXT) {
    const char *done = hy_env_text(env, text);
    g_autofree char *path =
        done != NULL && strcmp(p->name, "path") == 0 ? beside(env->file->name, done) : NULL;
    if (path != NULL) {
      Loader *l = env->loader;
      g_ptr_array_add(l->files.data, g_string_chunk_insert_const(l->strings, path));
    }
    ok =
        done == NULL || hy_model_set(model, component, p->name, path != NULL ? path : done, &error);
  } else if (p->kind == HY_VALUES) {
    ok = set_values(env, component, p, text, &error);
  } else if (p->kind == HY_BOOLEAN && (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)) {
    ok = hy_model_set(model, component, p->name, text, &error);
  } else {
    const HyFormula *list = parsed != NULL ? parsed : hy_env_parse(env, HY_TEXT_LIST, text);
    double v;
    if (list == NULL) {
      return;
    }
    if (p->kind == HY_REALS) {
      ok = set_reals(env, component, p, list, &error);
    } else if (one_number(env, p, list, text, &v)) {
      ok = hy_model_set_real(model, component, p->name, v, &error);
    }
  }
  if (!ok) {
    hy_model_problem(env, component, error);
  }
}

static gboolean is_parsed(const HyParam *p, const char *text)
{
  return p->kind == HY_REAL || p->kind == HY_INTEGER || p->kind == HY_REALS ||
         (p->kind == HY_BOOLEAN && strcmp(text, "true") != 0 && strcmp(text, "false") != 0);
}

/* The set that has the parameter or input NAME of a copy, the last of those that meet it. */
const SetItem *hy_overridden(const GPtrArray *sets, const char *name, const SetGroup **group)
{
  for (guint k = sets != NULL ? sets->len : 0; k-- > 0;) {
    const SetGroup *g = g_ptr_array_index(sets, k);
    for (guint i = g->items->len; i-- > 0;) {
      const SetItem *item = &g_array_index(g->items, SetItem, i);
      if (strcmp(item->name, name) == 0) {
        *group = g;
        return item;
      }
    }
  }
  return NULL;
}

/* min= or max= of a parameter that may change. */
static void set_bound(Env *env, guint component, guint16 word, const char *name)
{
  const Entry *p = env->entry;
  HyAttribute *a =
      hy_attribute_find(p->define->file->tree, hy_element(p->define->file->tree, p->element), word);
  Env bound = hy_env(env->loader, env->scope, p, a);
  bound.what = hy_words[word];
  double v;
  const HyFormula *f = a != NULL ? hy_env_parse(&bound, HY_TEXT_EXPRESSION, a->value) : NULL;
  if (f != NULL && hy_env_number(&bound, f, &v)) {
    hy_model_set_real(env->scope->model, component, name, v, NULL);
  }
}

/* The lever behind a parameter that may change: it begins at its value, within its bounds. */
static void set_lever(Loader *l, Scope *s, const Entry *param, guint component)
{
  const HyFile *f = param->define->file;
  const char *doc = hy_text_of(f, hy_element(f->tree, param->element), HY_W_DOC);
  const Value *value = hy_scope_value(l, s, param);
  Env env = hy_env(l, s, param, NULL);
  if (value->state == V_DONE && value->shape == V_NUMBER) {
    hy_model_set_real(s->model, component, "value", value->number, NULL);
  }
  hy_model_set(s->model, component, "unit", param->unit != NULL ? param->unit : "", NULL);
  hy_model_set(s->model, component, "doc", doc != NULL ? doc : "", NULL);
  set_bound(&env, component, HY_W_MIN, "lower");
  set_bound(&env, component, HY_W_MAX, "upper");
}

/* Parameters of the class from the attributes of the block, unless a set has them, and then what
 * it needs and nobody has given. A formula is no parameter here: its block is made of it
 * (formula_block.c). */
void hy_set_params(Loader *l, Scope *s, Entry *e, const gint64 *at, guint component,
                   const GPtrArray *sets)
{
  const Plan *plan = e->plan;
  guint64 given = 0;
  const SetGroup *g;
  if (e->param != NULL) {
    set_lever(l, s, e->param, component);
  }
  for (guint k = 0; k < plan->n && plan->item[k].role == R_PARAM; k++) {
    Item *i = &plan->item[k];
    const HyParam *p = &e->klass->params[i->index];
    given |= G_GUINT64_CONSTANT(1) << i->index;
    if (hy_overridden(sets, p->name, &g) != NULL || strcmp(p->name, "formula") == 0) {
      continue;
    }
    Env env = hy_env(l, s, e, i->attribute);
    hy_env_copy(&env, e, at);
    env.what = p->name;
    if (is_parsed(p, i->attribute->value) && hy_item_parse(&env, i, HY_TEXT_LIST) == NULL) {
      continue;
    }
    set_param(&env, component, p, i->attribute->value, i->formula);
    hy_unit_of_param(&env, i->attribute, p->unit, p->name);
  }
  for (guint k = 0; e->klass->params != NULL && e->klass->params[k].name != NULL; k++) {
    const HyParam *p = &e->klass->params[k];
    if (p->required && !(given >> k & 1) && hy_overridden(sets, p->name, &g) == NULL) {
      g_autofree char *unit = p->unit != NULL ? g_strdup_printf(" (%s)", p->unit) : g_strdup("");
      g_autofree char *doc = p->doc != NULL ? g_strdup_printf(": %s", p->doc) : g_strdup("");
      hy_entry_problem(l, s, e, at, "%s needs %s%s%s", e->klass->name, p->name, unit, doc);
    }
  }
}

/* Sets that meet an atomic copy ---------------------------------------------------------------- */

/* A whole number, smaller ones first. */
void hy_put_priority(Env *env, guint component, const char *text)
{
  const HyFormula *f = hy_env_parse(env, HY_TEXT_EXPRESSION, text);
  double v;
  gint64 whole;
  if (f == NULL || !hy_env_number(env, f, &v)) {
    return;
  }
  if (!hy_formula_whole(v, &whole) || ABS(whole) >= G_MAXINT) {
    hy_problem(env, "priority=\"%s\" is not a whole number", text);
    return;
  }
  hy_model_set_priority(env->scope->model, component, (gint)whole);
}

/* ENV reads the names of the root; the component is in S. */
static void set_param_item(Env *env, Scope *s, guint component, const HyParam *p, const char *text)
{
  gboolean parsed = is_parsed(p, text);
  const HyFormula *list = parsed ? hy_env_parse(env, HY_TEXT_LIST, text) : NULL;
  const HyFormula *folded = list != NULL ? hy_env_fold(env, list) : NULL;
  if (folded != NULL || !parsed) {
    env->scope = s;
    set_param(env, component, p, text, folded);
  }
}

/* A set gives an input a number, in place of whatever the block says. */
static void set_input_item(Env *env, Scope *s, guint component, guint port, const SetItem *item)
{
  const HyFormula *f = hy_env_parse(env, HY_TEXT_EXPRESSION, item->text);
  double v;
  if (f != NULL && hy_env_number(env, f, &v)) {
    Line line = {
        .attribute = item->attribute, .file = s->define->file, .constant = TRUE, .number = v};
    line.to = (End){.component = component, .number = port};
    hy_keep_line(env->loader, s, &line);
  }
}

static void set_item(Loader *l, Scope *s, const Entry *e, guint component, const SetGroup *g,
                     const SetItem *item)
{
  Env env;
  HyFile from;
  hy_set_env(l, g, item, &env, &from);
  if (item->word >= HY_W_METHOD && item->word <= HY_W_HSTEP) {
    return; /* in the row */
  }
  if (item->word == HY_W_PRIORITY) {
    const HyFormula *f = hy_env_parse(&env, HY_TEXT_EXPRESSION, item->text);
    double v = 0;
    char text[HY_DOUBLE_SIZE];
    if (f != NULL && hy_env_number(&env, f, &v)) {
      env.scope = s;
      hy_put_priority(&env, component, hy_double_text(text, v));
    }
    return;
  }
  if (e->klass == NULL) {
    return; /* its parameters were set before its ports were counted */
  }
  const HyParam *p = hy_class_param(e->klass, item->name);
  guint port = hy_find_port(e->klass->in, item->name, NULL);
  if (p != NULL) {
    set_param_item(&env, s, component, p, item->text);
  } else if (port != G_MAXUINT && !e->klass->in[port].array) {
    set_input_item(&env, s, component, port, item);
  } else {
    hy_problem(&env, "%s \"%s\" has no parameter \"%s\" that can be set", e->klass->name, e->name,
               item->name);
  }
}

void hy_apply_sets(Loader *l, Scope *s, const Entry *e, guint component, const GPtrArray *sets)
{
  for (guint k = 0; sets != NULL && k < sets->len; k++) {
    SetGroup *g = g_ptr_array_index(sets, k);
    g->matches += e->klass != NULL;
    for (guint i = 0; i < g->items->len; i++) {
      set_item(l, s, e, component, g, &g_array_index(g->items, SetItem, i));
    }
  }
}
