/* The components of a scope in their order: for each copy of each block its hidden functions, then
 * itself, with its parameters set; and the lines that its attributes ask for. */
#include "coupled/expand.h"
#include "hydevs/trace.h"
#include <string.h>

#define PENDING_BLOCK                                                                              \
  HY_NO_COMPONENT /* the component of lines to the block that is about to be made */

const HyFormula *hy_item_parse(Env *env, Item *i, HyTextKind kind)
{
  if (i->state == 0) {
    i->formula = hy_env_parse(env, kind, i->attribute->value);
    i->state = i->formula != NULL ? 1 : 2;
  }
  return i->formula;
}

/* Names
 * -----------------------------------------------------------------------------------------------------------
 */

static void append_number(GString *out, gint64 v)
{
  char digits[24], *at = digits + sizeof digits;
  for (guint64 rest = (guint64)v; at == digits + sizeof digits || rest > 0; rest /= 10) {
    *--at = (char)('0' + rest % 10);
  }
  g_string_append_len(out, at, digits + sizeof digits - at);
}

static const char *copy_name(Loader *l, const Entry *e, const gint64 *at)
{
  if (e->n_index == 0) {
    return e->name;
  }
  g_string_assign(l->names, e->name);
  for (guint k = 0; k < e->n_index; k++) {
    g_string_append_c(l->names, k == 0 ? '[' : ',');
    append_number(l->names, at[k]);
  }
  g_string_append_c(l->names, ']');
  return l->names->str;
}

/* "u[3]:in", "e:in[2]" */
static char *hidden_name(const Entry *e, const gint64 *at, const char *port, guint element)
{
  GString *name = g_string_new(NULL);
  hy_copy_name(e, at, name);
  g_string_append_printf(name, ":%s", port);
  if (element > 0) {
    g_string_append_printf(name, "[%u]", element);
  }
  return g_string_free(name, FALSE);
}

/* Sources
 * ---------------------------------------------------------------------------------------------------------
 */

/* The input that a source is for. */
typedef struct {
  const char *name;
  End to;                  /* of its first element */
  guint n;                 /* elements it may have; of an array of an atomic block: any number */
  gboolean array, counted; /* counted: exactly n elements */
  gboolean event;
  const gint64 *at; /* of the copy */
} Target;

static void take_constant(Env *env, const Target *t, Line line, double v)
{
  if (t->event) {
    hy_problem(env, "input \"%s\" takes events; a number is no event", t->name);
    return;
  }
  line.constant = TRUE;
  line.number = v;
  g_array_append_val(env->scope->lines, line);
}

static void take_ref(Env *env, const HyFormula *ref, Line line)
{
  if (hy_env_end(env, ref, TRUE, &line.from)) {
    g_array_append_val(env->scope->lines, line);
  }
}

static void take_items(Env *env, const Target *t, const HyFormula *items, Line line)
{
  if (!t->event && items->n > 1) {
    g_autofree char *text = hy_formula_text(items);
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    g_autofree char *sum = g_strjoinv(" + ", words);
    hy_problem(env, "input \"%s\" takes one signal; add them with a formula: %s=\"%s\"", t->name,
               t->name, sum);
    return;
  }
  for (guint32 k = 0; k < items->n; k++) {
    take_ref(env, items->child[k], line);
  }
}

/* In equations x' = x is no mistake: the state feeds itself through a hidden function. */
static gboolean is_state(const Env *env, const Entry *e)
{
  return e == env->entry && hy_element(e->define->file->tree, e->element)->name == HY_W_STATE;
}

static gboolean is_own_state(const Env *env, const Target *t, const HyFormula *ref)
{
  const Entry *e = env->entry;
  gboolean same = is_state(env, e) && !ref->own && ref->ref.name == e->name;
  for (guint k = 0; same && k < e->n_index; k++) {
    same = ref->ref.at[k] == t->at[k];
  }
  return same;
}

static void take_group(Env *env, const Target *t, const HyFormula *g, guint element)
{
  Line line = {.attribute = env->attribute, .file = env->file, .to = t->to};
  if (t->to.entry != NULL) {
    line.to.port_index = t->array ? element + 1 : 0;
  } else {
    line.to.number += element;
  }
  switch (g->kind) {
  case HY_F_NUMBER:
    take_constant(env, t, line, g->number);
    return;
  case HY_F_NOTHING:
    return;
  case HY_F_REF:
    if (is_own_state(env, t, g)) {
      break;
    }
    take_ref(env, g, line);
    return;
  case HY_F_ITEMS:
    take_items(env, t, g, line);
    return;
  default:
    break;
  }
  g_autofree char *name = hidden_name(env->entry, t->at, t->name, t->array ? element + 1 : 0);
  guint32 function = hy_function_add(env, g, name, env->attribute->value);
  line.from = (End){.component = function};
  g_array_append_val(env->scope->lines, line);
}

/* The elements found; lines and functions are made. */
static guint take_source(Env *env, const Target *t, const HyFormula *f)
{
  const HyFormula *folded = hy_env_boundaries(env, hy_env_fold(env, f));
  if (folded == NULL) {
    return 0;
  }
  if ((!t->array && folded->n != 1) || (t->counted && folded->n > t->n)) {
    hy_problem(env, "%s=\"%s\" is a list of %u, %s takes %u", t->name, env->attribute->value,
               folded->n, t->name, t->array ? t->n : 1);
    return folded->n;
  }
  for (guint32 k = 0; k < folded->n; k++) {
    take_group(env, t, folded->child[k], k);
  }
  return folded->n;
}

static guint take_item(Env *env, Item *i, const Target *t)
{
  if (i->direct != NULL && !i->direct->bad && (env->named == NULL) && !is_state(env, i->direct) &&
      (i->direct->kind == E_IN || (i->direct->klass != NULL && i->direct->klass->out != NULL))) {
    Line line = {
        .attribute = i->attribute, .file = env->file, .to = t->to, .from = {.entry = i->direct}};
    if (t->array && t->to.entry != NULL) {
      line.to.port_index = 1;
    }
    g_array_append_val(env->scope->lines, line);
    return 1;
  }
  End plain;
  if (env->named == NULL && i->state == 0 && !t->array &&
      hy_plain_end(env, i->attribute->value, TRUE, &plain) && !is_state(env, plain.entry)) {
    Line line = {.attribute = i->attribute, .file = env->file, .to = t->to, .from = plain};
    g_array_append_val(env->scope->lines, line);
    return 1;
  }
  const HyFormula *f = hy_item_parse(env, i, HY_TEXT_SOURCE);
  return f != NULL ? take_source(env, t, f) : 0;
}

/* Parameters
 * --------------------------------------------------------------------------------------------------------
 */

/* The model's own words begin with its path, which stands before ours already. */
static void model_problem(Env *env, guint component, GError *error)
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
    model_problem(env, component, error);
  }
}

static gboolean is_parsed(const HyParam *p, const char *text)
{
  return p->kind == HY_REAL || p->kind == HY_INTEGER || p->kind == HY_REALS ||
         (p->kind == HY_BOOLEAN && strcmp(text, "true") != 0 && strcmp(text, "false") != 0);
}

static const SetItem *overridden(const GPtrArray *sets, const char *name, const SetGroup **group)
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

static void set_params(Loader *l, Scope *s, Entry *e, const gint64 *at, guint component,
                       const GPtrArray *sets)
{
  Plan *plan = e->plan;
  guint64 given = 0;
  const SetGroup *g;
  for (guint k = 0; k < plan->n && plan->item[k].role == R_PARAM; k++) {
    Item *i = &plan->item[k];
    const HyParam *p = &e->klass->params[i->index];
    given |= G_GUINT64_CONSTANT(1) << i->index;
    if (overridden(sets, p->name, &g) != NULL || strcmp(p->name, "formula") == 0) {
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
    if (p->required && !(given >> k & 1) && overridden(sets, p->name, &g) == NULL) {
      g_autofree char *unit = p->unit != NULL ? g_strdup_printf(" (%s)", p->unit) : g_strdup("");
      g_autofree char *doc = p->doc != NULL ? g_strdup_printf(": %s", p->doc) : g_strdup("");
      hy_entry_problem(l, s, e, at, "%s needs %s%s%s", e->klass->name, p->name, unit, doc);
    }
  }
}

/* Sets that meet an atomic copy
 * ------------------------------------------------------------------------------------- */

static const HyParam *class_param(const HyAtomicClass *klass, const char *name)
{
  for (const HyParam *p = klass->params; p != NULL && p->name != NULL; p++) {
    if (strcmp(p->name, name) == 0) {
      return p;
    }
  }
  return NULL;
}

static void put_priority(Env *env, guint component, const char *text)
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

static void set_input_item(Env *env, Scope *s, guint component, guint port, const SetItem *item)
{
  const HyFormula *f = hy_env_parse(env, HY_TEXT_EXPRESSION, item->text);
  double v;
  if (f != NULL && hy_env_number(env, f, &v)) {
    Line line = {
        .attribute = item->attribute, .file = s->define->file, .constant = TRUE, .number = v};
    line.to = (End){.component = component, .number = port};
    g_array_append_val(s->lines, line);
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
      put_priority(&env, component, hy_double_text(text, v));
    }
    return;
  }
  if (e->klass == NULL) {
    return; /* its parameters were set before its ports were counted */
  }
  const HyParam *p = class_param(e->klass, item->name);
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

static void apply_sets(Loader *l, Scope *s, const Entry *e, guint component, const GPtrArray *sets)
{
  for (guint k = 0; sets != NULL && k < sets->len; k++) {
    SetGroup *g = g_ptr_array_index(sets, k);
    g->matches += e->klass != NULL;
    for (guint i = 0; i < g->items->len; i++) {
      set_item(l, s, e, component, g, &g_array_index(g->items, SetItem, i));
    }
  }
}

/* Rows
 * ------------------------------------------------------------------------------------------------------------------
 */

static const char *kept(Loader *l, const char *text)
{
  return text != NULL ? g_string_chunk_insert_const(l->strings, text) : NULL;
}

static guint32 block_numerics(Loader *l, Scope *s, Entry *e, const gint64 *at,
                              const GPtrArray *sets)
{
  guint32 numerics = s->numerics;
  if (e->plan->numerics) {
    Env env = hy_env(l, s, e, NULL);
    hy_env_copy(&env, e, at);
    numerics = hy_numerics_state(l, numerics, &env, hy_element(e->define->file->tree, e->element),
                                 hy_group(l, s, e), FALSE);
  }
  for (guint k = 0; sets != NULL && k < sets->len; k++) {
    const SetGroup *g = g_ptr_array_index(sets, k);
    for (guint i = 0; i < g->items->len; i++) {
      const SetItem *item = &g_array_index(g->items, SetItem, i);
      Env env;
      HyFile from;
      if (item->word >= HY_W_METHOD && item->word <= HY_W_HSTEP) {
        hy_set_env(l, g, item, &env, &from);
        numerics = hy_numerics_set(l, numerics, &env, item->word, item->text, hy_group(l, g, NULL));
      }
    }
  }
  return numerics;
}

static guint32 block_row(Loader *l, Scope *s, Entry *e, const gint64 *at, const GPtrArray *sets)
{
  guint32 numerics = e->klass == NULL                    ? s->numerics
                     : e->plan->numerics || sets != NULL ? block_numerics(l, s, e, at, sets)
                                                         : s->numerics;
  if (e->row > 0 && e->row_numerics == numerics) {
    return e->row - 1;
  }
  const HyFile *f = e->define->file;
  const HyElement *x = hy_element(f->tree, e->element);
  const HyAttribute *label = hy_attribute_find(f->tree, x, HY_W_LABEL);
  Row row;
  memset(&row, 0, sizeof row);
  row.file = f->name;
  row.line = e->line;
  row.numerics = numerics;
  row.unit = kept(l, e->unit);
  row.label = label != NULL ? kept(l, label->value) : NULL;
  if (e->klass != NULL && hy_takes_names(e->klass)) {
    const HyAttribute *a = hy_attribute_find(f->tree, x, hy_tree_find_name(f->tree, "formula"));
    row.formula = a != NULL ? kept(l, a->value) : NULL;
  }
  e->row = hy_row_add(l, &row) + 1;
  e->row_numerics = numerics;
  return e->row - 1;
}

/* Functions with a formula of their own
 * --------------------------------------------------------------------------------- */

static Item *named_item(Plan *plan, const HyFile *f, const char *name)
{
  for (guint k = 0; k < plan->n; k++) {
    Item *i = &plan->item[k];
    if (i->role == R_NAMED && strcmp(hy_tree_name(f->tree, i->attribute->name), name) == 0) {
      return i;
    }
  }
  return NULL;
}

static Item *param_item(Entry *e, const char *name)
{
  for (guint k = 0; k < e->plan->n; k++) {
    Item *i = &e->plan->item[k];
    if (i->role == R_PARAM && strcmp(e->klass->params[i->index].name, name) == 0) {
      return i;
    }
  }
  return NULL;
}

static void unused_inputs(Env *env, const Entry *e, const HyFormula *written)
{
  for (guint k = 0; k < e->plan->n; k++) {
    const Item *i = &e->plan->item[k];
    const char *name =
        i->role == R_NAMED ? hy_tree_name(env->file->tree, i->attribute->name) : NULL;
    if (name != NULL &&
        !hy_formula_mentions(written, hy_formula_pool_name(env->loader->pool, name))) {
      Env at = *env;
      at.attribute = i->attribute;
      hy_problem(&at,
                 "%s has no input or parameter \"%s\"; it has: formula, and what the formula names",
                 e->klass->name, name);
    }
  }
}

/* With named inputs the row also says how the formula calls each input. */
static guint32 named_row(Loader *l, const Entry *e, const HyFormulaRefs *refs, const gint *place,
                         guint32 row)
{
  gboolean named = FALSE;
  for (guint k = 0; k < e->plan->n; k++) {
    named |= e->plan->item[k].role == R_NAMED;
  }
  if (!named) {
    return row;
  }
  g_autoptr(GString) names = g_string_new(NULL);
  for (guint k = 0; k < refs->n; k++) {
    if (place[k] > 0) {
      g_string_append(names, names->len > 0 ? " " : "");
      hy_formula_print(refs->ref[k], names);
    }
  }
  Row with = g_array_index(l->rows, Row, row);
  with.names = g_string_chunk_insert_const(l->strings, names->str);
  return hy_row_add(l, &with);
}

/* What a formula is about beside its inputs: nothing, or the unknowns of an implicit block. */
typedef struct {
  const char **name; /* of the pool, ends with NULL; NULL: it is the block itself */
  guint n;
} Unknowns;

/* FALSE: reported. */
static gboolean read_unknowns(Env *env, Entry *e, Unknowns *u)
{
  *u = (Unknowns){.n = strcmp(e->klass->name, "implicit") == 0};
  const Item *i = param_item(e, "unknowns");
  if (u->n == 0 || i == NULL) {
    return TRUE;
  }
  env->attribute = i->attribute;
  g_auto(GStrv) word = g_strsplit(i->attribute->value, ",", -1);
  u->name = g_new0(const char *, g_strv_length(word) + 1);
  if (word[0] == NULL) {
    hy_problem(env, "unknowns=\"\" is no list of different names");
    return FALSE;
  }
  for (u->n = 0; word[u->n] != NULL; u->n++) {
    const char *name = hy_formula_pool_name(env->loader->pool, g_strstrip(word[u->n]));
    const Entry *other = hy_scope_find(env->scope, name);
    if (!hy_name_is_legal(name) || g_strv_contains(u->name, name)) {
      hy_problem(env, "unknowns=\"%s\" is no list of different names", i->attribute->value);
      return FALSE;
    }
    if (other != NULL && other != e) {
      hy_problem(env, "\"%s\" is the name of something else here; call the unknown otherwise",
                 name);
      return FALSE;
    }
    u->name[u->n] = name;
  }
  return TRUE;
}

/* The number of the unknown that REF names, from 1 on; 0: none. */
static guint unknown_of(const Unknowns *u, const Entry *e, const gint64 *at, const HyFormula *ref)
{
  for (guint k = 0; u->name != NULL && k < u->n; k++) {
    if (!ref->own && ref->ref.name == u->name[k]) {
      return k + 1;
    }
  }
  gboolean same = u->n == 1 && u->name == NULL && !ref->own && ref->ref.name == e->name &&
                  ref->n_index == e->n_index &&
                  (ref->ref.port == NULL || strcmp(ref->ref.port, "out") == 0);
  for (guint k = 0; same && k < e->n_index; k++) {
    same = ref->ref.at[k] == at[k];
  }
  return same;
}

/* PLACE[r] of each reference: k for the k-th input, -k for the k-th unknown. FALSE: reported. */
static gboolean find_places(Env *env, Entry *e, const gint64 *at, const HyFormula *folded,
                            const Unknowns *u, const HyFormulaRefs *refs, gint *place)
{
  g_autofree guint8 *named = g_new0(guint8, (gsize)u->n + 1);
  gint n_in = 0;
  if (u->n > 0 && folded->n != u->n) {
    hy_problem(env, "formula has %u part%s for %u unknown%s", folded->n, folded->n == 1 ? "" : "s",
               u->n, u->n == 1 ? "" : "s");
    return FALSE;
  }
  for (guint k = 0; k < refs->n; k++) {
    const HyFormula *ref = refs->ref[k];
    guint number = unknown_of(u, e, at, ref);
    place[k] = number > 0 ? -(gint)number : ++n_in;
    named[number] = 1;
    if (number > 0 && u->name != NULL && (ref->n_index > 0 || ref->ref.port != NULL)) {
      hy_problem(env, "\"%s\" is an unknown of this block; it has no index and no port",
                 ref->ref.name);
      return FALSE;
    }
  }
  for (guint k = 1; k <= u->n; k++) {
    if (!named[k]) {
      hy_problem(env, "formula does not name the unknown \"%s\"",
                 u->name != NULL ? u->name[k - 1] : e->name);
      return FALSE;
    }
  }
  return TRUE;
}

/* The lines into its inputs, in their order; those that need one have their hidden function first.
 */
static void take_places(Env *env, Entry *e, const gint64 *at, const HyFormulaRefs *refs,
                        const gint *place)
{
  const HyAttribute *formula = env->attribute;
  for (guint k = 0; k < refs->n; k++) {
    const HyFormula *ref = refs->ref[k];
    Item *i = ref->own ? NULL : named_item(e->plan, e->define->file, ref->ref.name);
    Line line = {.attribute = formula,
                 .file = env->file,
                 .to = {.component = PENDING_BLOCK, .number = (guint32)place[k] - 1}};
    env->attribute = i != NULL ? i->attribute : formula;
    if (place[k] < 0) {
      continue;
    }
    if (i == NULL) {
      take_ref(env, ref, line);
    } else if (ref->n_index > 0 || ref->ref.port != NULL) {
      hy_problem(env, "\"%s\" is an input of this %s; it has no index and no port", ref->ref.name,
                 e->klass->name);
    } else {
      Target t = {.name = ref->ref.name, .to = line.to, .n = 1, .at = at};
      take_item(env, i, &t);
    }
  }
  env->attribute = formula;
}

/* The block itself, of which the lines from FIRST on are. */
static guint32 place_formula(Env *env, Entry *e, const gint64 *at, const char *text, guint n_in,
                             guint n_out, guint first)
{
  Scope *s = env->scope;
  guint32 component = hy_model_add(s->model, copy_name(env->loader, e, at), e->klass);
  hy_model_set_array(s->model, component, n_in, n_out);
  GError *error = NULL;
  if (!hy_model_set(s->model, component, "formula", text, &error)) {
    model_problem(env, component, error);
  }
  for (guint k = first; k < s->lines->len; k++) {
    Line *line = &g_array_index(s->lines, Line, k);
    line->to.component = line->to.entry == NULL && line->to.component == PENDING_BLOCK
                             ? component
                             : line->to.component;
  }
  return component;
}

/* Hidden functions of its named inputs first, then the block. */
static void add_formula(Env *env, Entry *e, const gint64 *at, guint32 row, Item *formula,
                        const Unknowns *u)
{
  Loader *l = env->loader;
  const HyFormula *f = hy_item_parse(env, formula, u->n > 0 ? HY_TEXT_LIST : HY_TEXT_EXPRESSION);
  if (f == NULL) {
    return;
  }
  unused_inputs(env, e, f);
  env->named = e->plan;
  env->unknown = u->name;
  const HyFormula *folded = hy_env_boundaries(env, hy_env_fold(env, f));
  env->named = NULL;
  env->unknown = NULL;
  if (folded == NULL) {
    return;
  }
  guint first = env->scope->lines->len, n_in = 0;
  g_autoptr(HyFormulaRefs) refs = hy_formula_refs_new(folded);
  g_autofree gint *place = g_new0(gint, (gsize)refs->n + 1);
  if (!find_places(env, e, at, folded, u, refs, place)) {
    return;
  }
  take_places(env, e, at, refs, place);
  for (guint k = 0; k < refs->n; k++) {
    n_in += place[k] > 0;
  }
  g_autofree char *text = hy_function_text(l, folded, refs, place);
  place_formula(env, e, at, text, n_in, u->n, first);
  hy_scope_add_row(env->scope, 0, named_row(l, e, refs, place, row));
}

static void add_function(Loader *l, Scope *s, Entry *e, const gint64 *at, guint32 row)
{
  Item *formula = param_item(e, "formula");
  if (formula == NULL) {
    hy_entry_problem(l, s, e, at, "%s needs formula=\"...\"", e->klass->name);
    return;
  }
  Env env = hy_env(l, s, e, formula->attribute);
  hy_env_copy(&env, e, at);
  env.mode = MODE_SOURCE;
  Unknowns u;
  gboolean ok = read_unknowns(&env, e, &u);
  env.attribute = formula->attribute;
  if (ok) {
    add_formula(&env, e, at, row, formula, &u);
  }
  g_free(u.name);
}

/* Blocks
 * ------------------------------------------------------------------------------------------------------------------
 */

static void take_inputs(Loader *l, Scope *s, Entry *e, guint32 number, const gint64 *at,
                        const GPtrArray *sets, guint *array_elements)
{
  const SetGroup *g;
  for (guint k = 0; k < e->plan->n; k++) {
    Item *i = &e->plan->item[k];
    Target t = {.name = hy_tree_name(e->define->file->tree, i->attribute->name), .at = at, .n = 1};
    if ((i->role != R_INPUT && i->role != R_CHILD_IN) || overridden(sets, t.name, &g) != NULL) {
      continue;
    }
    Env env = hy_env(l, s, e, i->attribute);
    hy_env_copy(&env, e, at);
    env.mode = MODE_SOURCE;
    if (i->role == R_INPUT) {
      t.array = e->klass->in[i->index].array;
      t.event = e->klass->in[i->index].kind == HY_EVENT;
      t.to = (End){.component = PENDING_BLOCK, .number = i->index};
    } else {
      const Scope *child = s->copies[e->slot].child[number];
      t.array = t.counted = i->child->count != NULL;
      t.n = child->in[i->child->slot].n;
      t.event = hy_port_kind(l, e->inside, i->child, 64) == 2;
      t.to = (End){.entry = e, .copy = number, .port = i->child->name};
    }
    guint n = take_item(&env, i, &t);
    *array_elements = i->role == R_INPUT && t.array ? n : *array_elements;
  }
}

static guint32 make_component(Loader *l, Scope *s, Entry *e, guint32 number, const gint64 *at)
{
  const char *name = copy_name(l, e, at);
  if (e->klass != NULL) {
    return hy_model_add(s->model, name, e->klass);
  }
  Scope *child = s->copies[e->slot].child[number];
  child->model = hy_model_add_coupled(s->model, name);
  hy_scope_ports(l, child);
  return hy_model_index(child->model);
}

void hy_scope_ports(Loader *l, Scope *child)
{
  for (guint input = 2; input-- > 0;) {
    const GPtrArray *ports = input ? child->define->in : child->define->out;
    for (guint k = 0; k < ports->len; k++) {
      const Entry *p = g_ptr_array_index(ports, k);
      const PortRange *range = input ? &child->in[k] : &child->out[k];
      for (guint i = 0; i < range->n; i++) {
        gint64 element = (gint64)i + 1;
        const char *port = p->count != NULL ? copy_name(l, p, &element) : p->name;
        input ? hy_model_in(child->model, port) : hy_model_out(child->model, port);
      }
    }
  }
}

static void set_priority(Loader *l, Scope *s, Entry *e, const gint64 *at, guint32 component)
{
  const HyFile *f = e->define->file;
  const HyAttribute *a = hy_attribute_find(f->tree, hy_element(f->tree, e->element), HY_W_PRIORITY);
  if (a == NULL) {
    return;
  }
  Env env = hy_env(l, s, e, a);
  hy_env_copy(&env, e, at);
  env.what = "priority=";
  put_priority(&env, component, a->value);
}

static void set_all(Loader *l, Scope *s, Entry *e, const gint64 *at, guint component, guint32 row,
                    const GPtrArray *sets)
{
  set_params(l, s, e, at, component, sets);
  hy_numerics_apply(l, s, e, at, component, e->klass, g_array_index(l->rows, Row, row).numerics);
}

static void add_copy(Loader *l, Scope *s, Entry *e, guint32 number)
{
  Copies *c = &s->copies[e->slot];
  gint64 at[HY_MAX_INDICES] = {0};
  hy_copy_indices(e, c, number, at);
  g_autoptr(GPtrArray) sets = NULL;
  if (s->active != NULL) {
    GArray *inside = NULL;
    sets = g_ptr_array_new();
    hy_sets_match(l, s, e, at, sets, &inside);
    if (inside != NULL) {
      g_array_unref(inside);
    }
    if (sets->len == 0) {
      g_clear_pointer(&sets, g_ptr_array_unref);
    }
  }
  guint32 row = block_row(l, s, e, at, sets);
  guint32 component;
  if (e->klass != NULL && hy_takes_names(e->klass)) {
    guint before = hy_model_n(s->model);
    add_function(l, s, e, at, row);
    component = hy_model_n(s->model) > before ? hy_model_n(s->model) - 1 : HY_NO_COMPONENT;
    c->bad |= component == HY_NO_COMPONENT;
    if (component != HY_NO_COMPONENT) {
      set_all(l, s, e, at, component, row, sets);
    }
  } else {
    guint first = s->lines->len, elements = 0;
    take_inputs(l, s, e, number, at, sets, &elements);
    component = make_component(l, s, e, number, at);
    hy_scope_add_row(s, component, row);
    for (guint k = first; k < s->lines->len; k++) {
      Line *line = &g_array_index(s->lines, Line, k);
      if (line->to.entry == NULL && line->to.component == PENDING_BLOCK) {
        line->to.component = component;
      }
    }
    if (elements > 0) {
      hy_model_set_array(s->model, component, elements, elements);
    }
    if (e->klass != NULL) {
      set_all(l, s, e, at, component, row, sets);
    }
  }
  c->component[number] = component;
  if (component != HY_NO_COMPONENT) {
    set_priority(l, s, e, at, component);
    apply_sets(l, s, e, component, sets);
  }
}

/* before= and after=
 * ---------------------------------------------------------------------------------------------------------
 */

static void read_boundary(Loader *l, Scope *s, Entry *e, HyAttribute *a, gboolean after)
{
  Boundary *b = &s->boundary[2 * e->slot + after];
  const HyFormula **kept_formula = after ? &e->f_after : &e->f_before;
  Env env = hy_env(l, s, e, a);
  env.mode = MODE_SOURCE;
  b->state = 3;
  if (*kept_formula == NULL &&
      (*kept_formula = hy_env_parse(&env, HY_TEXT_EXPRESSION, a->value)) == NULL) {
    return;
  }
  const HyFormula *f = hy_env_fold(&env, *kept_formula);
  if (f == NULL) {
    return;
  }
  if (f->kind == HY_F_NUMBER) {
    b->number = f->number;
    b->state = 1;
  } else if (f->kind == HY_F_REF) {
    b->state = hy_env_end(&env, f, TRUE, &b->end) ? 2 : 3;
  } else if (f->kind != HY_F_NOTHING) {
    HyFormulaScope scope = hy_env_scope;
    scope.user = &env;
    b->formula = hy_formula_fold(l->pool, *kept_formula, &scope, NULL); /* to stay */
    b->state = b->formula != NULL ? 4 : 3;
  }
}

static void read_boundaries(Loader *l, Scope *s)
{
  const Define *d = s->define;
  for (guint k = 0; k < d->blocks->len; k++) {
    Entry *e = g_ptr_array_index(d->blocks, k);
    if ((e->before == NULL && e->after == NULL) || e->bad || s->copies[k].bad) {
      continue; /* a chain without copies has its ends, too: q[N] is `before` for N = 0 */
    }
    if (s->boundary == NULL) {
      s->boundary = g_new0(Boundary, 2 * (gsize)d->blocks->len);
    }
    if (e->n_index != 1) {
      hy_entry_problem(l, s, e, NULL, "before= and after= belong to a count with one number");
      s->copies[k].bad = 1;
      continue;
    }
    if (e->before != NULL) {
      read_boundary(l, s, e, e->before, FALSE);
    }
    if (e->after != NULL) {
      read_boundary(l, s, e, e->after, TRUE);
    }
  }
}

/* Output ports
 * ----------------------------------------------------------------------------------------------------------------
 */

static const char *output_text(const Entry *e)
{
  return e->value != NULL ? e->value->value : e->name;
}

static void constant_block(Env *env, const Target *t, guint element, double v)
{
  Scope *s = env->scope;
  g_autofree char *name = hidden_name(env->entry, t->at, "from", 0);
  guint32 component = hy_model_add(s->model, name, hy_class_find("constant"));
  hy_model_set_real(s->model, component, "value", v, NULL);
  Row row;
  memset(&row, 0, sizeof row);
  row.file = env->file->name;
  row.line = env->entry->line;
  row.numerics = s->numerics;
  hy_scope_add_row(s, component, hy_row_add(env->loader, &row));
  Line line = {.attribute = env->attribute,
               .file = env->file,
               .to = t->to,
               .from = {.component = component}};
  line.to.port_index = t->array ? element + 1 : 0;
  g_array_append_val(s->lines, line);
}

/* The formula of from=, or the block of the port's own name. FALSE: none, or reported. */
static gboolean parse_output(Loader *l, Scope *s, Entry *e, const Env *env)
{
  if (e->f_value != NULL) {
    return TRUE;
  }
  const Entry *b = e->value == NULL ? g_hash_table_lookup(s->define->inner, e->name) : NULL;
  if (e->value == NULL && (b == NULL || b->kind != E_BLOCK)) {
    if (!hy_is_wired(s->define, e)) {
      hy_entry_problem(l, s, e, NULL, "nothing is called \"%s\" here; say from=\"...\"", e->name);
    }
    return FALSE;
  }
  g_autofree char *copy = b != NULL && b->count != NULL && e->count != NULL
                              ? g_strdup_printf("%s[%s]", e->name, e->index[0])
                              : NULL;
  e->f_value = hy_env_parse(env, HY_TEXT_SOURCE, copy != NULL ? copy : output_text(e));
  return e->f_value != NULL;
}

/* One element: a line, a constant block or a function "y[2]:from". */
static void output_element(Env *env, const Target *t, const HyFormula *g, guint element)
{
  if (g->kind == HY_F_NUMBER) {
    constant_block(env, t, element, g->number);
    return;
  }
  if (g->kind == HY_F_REF || g->kind == HY_F_ITEMS || g->kind == HY_F_NOTHING) {
    take_group(env, t, g, element);
    return;
  }
  g_autofree char *name = hidden_name(env->entry, t->at, "from", 0);
  guint32 component = hy_function_add(env, g, name, output_text(env->entry));
  Line line = {.attribute = env->attribute,
               .file = env->file,
               .to = t->to,
               .from = {.component = component}};
  line.to.port_index = t->array ? element + 1 : 0;
  g_array_append_val(env->scope->lines, line);
}

static void add_output(Loader *l, Scope *s, Entry *e)
{
  const PortRange *range = &s->out[e->slot];
  Env env = hy_env(l, s, e, e->value);
  env.mode = MODE_SOURCE;
  if (!parse_output(l, s, e, &env)) {
    return;
  }
  gboolean event = hy_port_kind(l, s->define, e, 64) == 2;
  for (guint k = 0; k < range->n; k++) {
    gint64 at[HY_MAX_INDICES] = {(gint64)k + 1};
    hy_env_copy(&env, e, at);
    const HyFormula *f = hy_env_boundaries(&env, hy_env_fold(&env, e->f_value));
    if (f == NULL) {
      return;
    }
    Target t = {.name = "from",
                .at = at,
                .n = 1,
                .event = event,
                .to = {.entry = e},
                .array = e->count != NULL};
    gboolean whole = f->n == range->n && f->n > 1; /* from="x[*]" gives all elements at once */
    if (f->n != 1 && !whole) {
      hy_problem(&env, "from=\"%s\" is a list of %u, the port has %u", output_text(e), f->n,
                 range->n);
      return;
    }
    output_element(&env, &t, f->child[whole ? k : 0], k);
  }
}

static void add_copies(Loader *l, Scope *s, Entry *e)
{
  guint32 n = s->copies[e->slot].n;
  for (guint32 c = 0; c < n; c++) {
    if (s->copies[e->slot].component[c] != HY_LEFT_OUT) {
      add_copy(l, s, e, c);
    }
    hy_formula_pool_clear(l->scratch);
    g_ptr_array_set_size(l->made, 0);
  }
}

void hy_scope_blocks(Loader *l, Scope *s)
{
  const Define *d = s->define;
  s->lines = g_array_sized_new(FALSE, FALSE, sizeof(Line), d->entries->len);
  read_boundaries(l, s);
  for (guint k = 0; k < d->entries->len; k++) {
    Entry *e = g_ptr_array_index(d->entries, k);
    if (e->bad) {
      continue;
    }
    if (e->kind == E_WIRE) {
      Line line = {.wire = e};
      g_array_append_val(s->lines, line);
    } else if (e->kind == E_OUT) {
      add_output(l, s, e);
    } else if (e->kind == E_BLOCK && !s->copies[e->slot].bad) {
      add_copies(l, s, e);
    }
  }
}
