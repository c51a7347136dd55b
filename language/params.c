/* Values of parameters and lets: default < attribute at the place of use < set of the experiment <
 * --set.
 *
 * Values are computed on demand, since a let may use a parameter that is stated below it; each is
 * in one of the states of ValueState, and one that needs itself is a circle, reported with all who
 * are in it. Not deeper than HY_PARAM_DEPTH, as each level is a call.
 *
 * Needs the scope's define and, for values from the place of use, the scope around. Leaves a Value
 * for each: a number, numbers (an array, or one formula for all elements with their index), or a
 * text. Bounds, choices and whole numbers are checked here, whoever gave the value. */
#include "hydevs/trace.h"
#include "language/numerics.h"
#include <string.h>

/* The set that has a parameter of the root, if one has: the last of them. Elements of an array are
 * set afterwards. */
static const SetItem *root_override(const Loader *l, const Scope *s, const Entry *e,
                                    const SetGroup **group)
{
  const SetItem *found = NULL;
  for (guint k = 0; s->parent == NULL && e->kind == E_PARAM && k < l->chosen.sets->len; k++) {
    const SetGroup *g = g_ptr_array_index(l->chosen.sets, k);
    for (guint i = 0; g->path == NULL && i < g->items->len; i++) {
      const SetItem *item = &g_array_index(g->items, SetItem, i);
      if (item->name == e->name && item->elements == NULL) {
        found = item;
        *group = g;
      }
    }
  }
  return found;
}

/* Reading ------------------------------------------------------------------------------------- */

/* true and false are numbers, of parameters that are boolean. */
static gboolean read_words(const Entry *p, const char *text, double *v)
{
  gboolean yes = strcmp(text, "true") == 0;
  if (p->value_kind != KIND_BOOLEAN || (!yes && strcmp(text, "false") != 0)) {
    return FALSE;
  }
  *v = yes ? 1 : 0;
  return TRUE;
}

/* Each item of a list that has been folded is a number now. A list of lists may double in every
 * line. */
static gboolean take_groups(Env *env, const HyFormula *f, GArray *numbers)
{
  if (f->n > HY_LISTED) {
    hy_problem(env, "a list of more than %u numbers", HY_LISTED);
    return FALSE;
  }
  for (guint32 k = 0; k < f->n; k++) {
    double v;
    if (f->child[k]->kind == HY_F_NOTHING) {
      hy_problem(env, "\"%s\" gives no value",
                 env->attribute != NULL ? env->attribute->value : "if(...)");
      return FALSE;
    }
    if (!hy_env_number(env, f->child[k], &v)) {
      return FALSE;
    }
    g_array_append_val(numbers, v);
  }
  return TRUE;
}

/* All numbers of a list; its formulas may be arrays. */
static gboolean read_numbers(Env *env, const HyFormula *list, GArray *numbers)
{
  if (list->n == 1 && list->child[0]->kind == HY_F_NUMBER) {
    g_array_append_val(numbers, list->child[0]->number);
    return TRUE;
  }
  const HyFormula *folded = hy_env_fold(env, list);
  return folded != NULL && take_groups(env, folded, numbers);
}

/* Of N further ones. FALSE: reported. */
static gboolean numbers_may_be(Env *env, gsize n)
{
  if (env->loader->n_numbers + n <= HY_NUMBERS) {
    return TRUE;
  }
  hy_problem(env, "arrays have more than %u numbers together", HY_NUMBERS);
  return FALSE;
}

/* One number is no array, unless the parameter says so. */
static gboolean keep_numbers(Env *env, const GArray *numbers, gboolean array, Value *value)
{
  if (!array && numbers->len == 1) {
    value->state = V_DONE;
    value->shape = V_NUMBER;
    value->number = g_array_index(numbers, double, 0);
    return TRUE;
  }
  if (!numbers_may_be(env, numbers->len)) {
    value->state = V_BAD;
    return FALSE;
  }
  env->loader->n_numbers += numbers->len;
  value->state = V_DONE;
  value->shape = V_NUMBERS;
  value->n = numbers->len;
  value->numbers = g_memdup2(numbers->data, numbers->len * sizeof(double));
  return TRUE;
}

void hy_value_spoil(Value *value)
{
  if (value->shape == V_NUMBERS) {
    g_free(value->numbers);
  }
  *value = (Value){.state = V_BAD};
}

/* The parameter's own count, where it has one. */
static gboolean own_count(Env *env, Scope *scope, const Entry *p, guint *n)
{
  Env count = hy_env(env->loader, scope, p, p->count);
  count.what = "count=";
  gint64 whole;
  if (p->f.count == NULL || !hy_env_count(&count, p->f.count->child[0], &whole)) {
    return FALSE;
  }
  if ((guint64)whole > env->loader->options.max_blocks) {
    char text[HY_DOUBLE_SIZE];
    hy_problem(&count, "count is %s, above the limit of blocks (--max-blocks)",
               hy_double_text(text, (double)whole));
    return FALSE;
  }
  if (!numbers_may_be(&count, (gsize)whole)) {
    return FALSE;
  }
  *n = (guint)whole;
  return TRUE;
}

/* One formula for all elements, with the index of the parameter. */
static gboolean read_each(Env *env, const Entry *p, const HyFormula *list, guint n, GArray *numbers)
{
  for (guint k = 0; k < n; k++) {
    double v;
    Env at = *env;
    at.index[at.n_index] = p->index[0];
    at.at[at.n_index++] = (gint64)k + 1;
    const HyFormula *folded = k == 0 ? hy_env_fold(&at, list) : NULL;
    if (k == 0 && (folded == NULL || folded->n > 1)) { /* the whole may be one array */
      return folded != NULL && folded->n == n && take_groups(&at, folded, numbers);
    }
    if (!hy_env_number(&at, list->child[0], &v)) {
      return FALSE;
    }
    hy_formula_pool_clear(env->loader->scratch);
    g_array_append_val(numbers, v);
  }
  return TRUE;
}

static gboolean read_counted(Env *env, const Entry *p, const HyFormula *list, guint n,
                             GArray *numbers)
{
  if (list->n == 1 && list->child[0]->kind == HY_F_NUMBER) {
    for (guint k = 0; k < n; k++) {
      g_array_append_val(numbers, list->child[0]->number);
    }
    return TRUE;
  }
  if (list->n == 1) {
    /* In a pool of its own that can be cleared: others may be folding around this one. */
    Loader *l = env->loader;
    HyFormulaPool *around = l->scratch;
    l->scratch = hy_formula_pool_within(around);
    gboolean ok = read_each(env, p, list, n, numbers);
    hy_formula_pool_free(l->scratch);
    l->scratch = around;
    return ok;
  }
  if (!read_numbers(env, list, numbers)) {
    return FALSE;
  }
  if (numbers->len != n) {
    hy_problem(env, "\"%s\" has %u values, count is %u", p->name, numbers->len, n);
    return FALSE;
  }
  return TRUE;
}

static gboolean read_text(Env *env, const char *text, Value *value)
{
  const char *done = hy_env_text(env, text);
  if (done == NULL) {
    value->state = V_BAD;
    return FALSE;
  }
  value->state = V_DONE;
  value->shape = V_TEXT;
  value->text = done;
  return TRUE;
}

gboolean hy_value_read(Env *env, const Entry *p, const char *text, const HyFormula *parsed,
                       Value *value)
{
  value->state = V_BAD;
  if (p->value_kind >= KIND_TEXT) {
    return read_text(env, text, value);
  }
  double word;
  if (read_words(p, text, &word)) {
    *value = (Value){.state = V_DONE, .shape = V_NUMBER, .number = word};
    return TRUE;
  }
  const HyFormula *list = parsed != NULL ? parsed : hy_env_parse(env, HY_TEXT_LIST, text);
  if (list == NULL) {
    return FALSE;
  }
  if (p->count == NULL && list->n == 1 && list->child[0]->kind == HY_F_NUMBER) { /* nearly always */
    *value = (Value){.state = V_DONE, .shape = V_NUMBER, .number = list->child[0]->number};
    return TRUE;
  }
  g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(double));
  if (!read_numbers(env, list, numbers)) {
    return FALSE;
  }
  return keep_numbers(env, numbers, FALSE, value);
}

/* What was given to an array from outside has its length, or is one number for all elements. */
static gboolean stretch(Env *env, Scope *scope, const Entry *p, Value *value)
{
  guint n;
  if (p->count == NULL || p->value_kind >= KIND_TEXT) {
    return TRUE;
  }
  if (!own_count(env, scope, p, &n)) {
    return FALSE;
  }
  if (value->shape == V_NUMBERS && value->n != n) {
    hy_problem(env, "\"%s\" has %u values, count is %u (line %u)", p->name, value->n, n, p->line);
    return FALSE;
  }
  if (value->shape == V_NUMBER) {
    g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint k = 0; k < n; k++) {
      g_array_append_val(numbers, value->number);
    }
    return keep_numbers(env, numbers, TRUE, value);
  }
  return TRUE;
}

gboolean hy_value_take(Env *env, Scope *scope, const Entry *p, const char *text,
                       const HyFormula *parsed, Value *value)
{
  return hy_value_read(env, p, text, parsed, value) && stretch(env, scope, p, value);
}

/* Checking ------------------------------------------------------------------------------------ */

/* min= and max= may be formulas of parameters of the same model. */
static gboolean check_bound(Env *env, Scope *scope, const Entry *p, double v, guint16 word)
{
  const HyFile *f = p->define->file;
  HyAttribute *a = hy_attribute_find(f->tree, hy_element(f->tree, p->element), word);
  if (a == NULL) {
    return TRUE;
  }
  Env bound = hy_env(env->loader, scope, p, a);
  bound.what = word == HY_W_MIN ? "min=" : "max=";
  const HyFormula *g = hy_env_parse(&bound, HY_TEXT_EXPRESSION, a->value);
  double limit;
  if (g == NULL || !hy_env_number(&bound, g, &limit)) {
    return FALSE;
  }
  if (word == HY_W_MIN ? v >= limit : v <= limit) {
    return TRUE;
  }
  char x[HY_DOUBLE_SIZE], y[HY_DOUBLE_SIZE];
  g_autofree char *where =
      env->attribute != p->value ? g_strdup_printf(" (line %u)", p->line) : g_strdup("");
  hy_problem(env, "%s = %s is %s its %s %s%s", p->name, hy_double_text(x, v),
             word == HY_W_MIN ? "below" : "above", word == HY_W_MIN ? "minimum" : "maximum",
             hy_double_text(y, limit), where);
  return FALSE;
}

/* As the kind of the parameter and its bounds want it. */
static gboolean check_number(Env *env, Scope *scope, const Entry *p, double v)
{
  gint64 whole;
  char x[HY_DOUBLE_SIZE];
  if (p->value_kind == KIND_INTEGER && !hy_formula_whole(v, &whole)) {
    hy_problem(env, "%s = %s is not a whole number", p->name, hy_double_text(x, v));
    return FALSE;
  }
  if (p->value_kind == KIND_BOOLEAN && v != 0 && v != 1) {
    hy_problem(env, "%s = %s is neither 0 nor 1", p->name, hy_double_text(x, v));
    return FALSE;
  }
  return check_bound(env, scope, p, v, HY_W_MIN) && check_bound(env, scope, p, v, HY_W_MAX);
}

/* choices= lists the texts, or numbers as text, that a parameter may have. */
static gboolean check_choices(Env *env, const Entry *p, const Value *value)
{
  const HyFile *f = p->define->file;
  const HyAttribute *a = hy_attribute_find(f->tree, hy_element(f->tree, p->element), HY_W_CHOICES);
  if (a == NULL) {
    return TRUE;
  }
  char number[HY_DOUBLE_SIZE];
  const char *text = value->shape == V_TEXT     ? value->text
                     : value->shape == V_NUMBER ? hy_double_text(number, value->number)
                                                : "";
  g_auto(GStrv) words = g_strsplit_set(a->value, " ,", -1);
  if (g_strv_contains((const char *const *)words, text)) {
    return TRUE;
  }
  hy_problem(env, "%s=\"%s\": choose one of %s", p->name, text, a->value);
  return FALSE;
}

/* A let may be anything. */
gboolean hy_value_check(Env *env, Scope *scope, const Entry *p, const Value *value)
{
  if (p->kind != E_PARAM) {
    return TRUE;
  }
  for (guint k = 0; value->shape == V_NUMBERS && k < value->n; k++) {
    if (!check_number(env, scope, p, value->numbers[k])) {
      return FALSE;
    }
  }
  return (value->shape != V_NUMBER || check_number(env, scope, p, value->number)) &&
         check_choices(env, p, value);
}

/* On demand ----------------------------------------------------------------------------------- */

/* A value that needs itself: all on the way are named once, and are wrong. */
static void circle(Loader *l, Scope *s, const Entry *e)
{
  guint from = l->computing.n;
  while (from > 0 && l->computing.entry[from - 1] != e) {
    from--;
  }
  g_autoptr(GString) names = g_string_new(NULL), lines = g_string_new(NULL);
  for (guint k = from > 0 ? from - 1 : 0; k < l->computing.n; k++) {
    g_string_append_printf(names, "%s -> ", l->computing.entry[k]->name);
    g_string_append_printf(lines, "%s%u", lines->len > 0 ? ", " : "", l->computing.entry[k]->line);
    if (k > 0 && l->computing.entry[k] != e) {
      hy_note_once(l, l->computing.entry[k], REPORTED_ERROR);
    }
  }
  g_string_append(names, e->name);
  if (hy_note_once(l, e, REPORTED_ERROR)) {
    GString *path = g_string_new(NULL);
    hy_scope_path(s, path);
    hy_report_error(l->report, e->define->file->name, e->line,
                    "%s%s%s depends on itself: %s (lines %s)", path->str, path->len > 0 ? ": " : "",
                    e->name, names->str, lines->str);
    g_string_free(path, TRUE);
  }
}

/* A parameter without default that nobody sets: at the place of use if there is one. */
static void required_missing(Loader *l, const Scope *s, const Entry *e)
{
  const char *doc = NULL;
  const HyFile *f = e->define->file;
  const HyAttribute *a = hy_attribute_find(f->tree, hy_element(f->tree, e->element), HY_W_DOC);
  doc = a != NULL ? a->value : NULL;
  g_autofree char *unit = e->unit != NULL ? g_strdup_printf(" (%s)", e->unit) : g_strdup("");
  const Entry *port = hy_measures(s->define, e);
  g_autofree char *about = doc != NULL ? g_strdup_printf(": %s", doc)
                           : port != NULL
                               ? g_strdup_printf(", or %s=\"...\", whose length it is", port->name)
                               : g_strdup("");
  if (s->entry != NULL) {
    hy_entry_problem(l, s->parent, s->entry, s->at, "%s needs %s%s%s", s->define->name, e->name,
                     unit, about);
  } else {
    hy_entry_problem(l, s, e, NULL, "has no value%s%s; write value=\"...\" or set it", unit, about);
  }
}

/* --set 'w[2]=5' */
static gboolean set_elements(Env *env, Scope *s, const Entry *e, const SetItem *item, Value *value)
{
  GError *error = NULL;
  HyFormulaScope scope = hy_env_scope;
  scope.user = env;
  const HyPath *path = hy_path_fold(env->loader->pool, item->elements, &scope, &error);
  if (path == NULL) {
    hy_problem_error(env, error);
    return FALSE;
  }
  double v;
  const HyFormula *f = hy_env_parse(env, HY_TEXT_EXPRESSION, item->text);
  if (f == NULL || !hy_env_number(env, f, &v) || !check_number(env, s, e, v)) {
    return FALSE;
  }
  gboolean met = FALSE;
  for (gint64 k = 1; value->shape == V_NUMBERS && k <= value->n; k++) {
    if (hy_path_part_matches(&path->part[0], e->name, &k, 1)) {
      value->numbers[k - 1] = v;
      met = TRUE;
    }
  }
  if (!met && value->shape == V_NUMBERS) {
    hy_problem(env, "%s has %u elements, from %s[1] on", e->name, value->n, e->name);
  } else if (!met) {
    hy_problem(env, "%s is no array: --set %s=VALUE", e->name, e->name);
  }
  return met;
}

/* Single elements of an array of the root, from sets and options, in their order. */
static gboolean set_all_elements(Loader *l, Scope *s, const Entry *e, Value *value)
{
  gboolean ok = TRUE;
  for (guint k = 0; ok && s->parent == NULL && e->kind == E_PARAM && k < l->chosen.sets->len; k++) {
    const SetGroup *g = g_ptr_array_index(l->chosen.sets, k);
    for (guint i = 0; ok && g->path == NULL && i < g->items->len; i++) {
      const SetItem *item = &g_array_index(g->items, SetItem, i);
      if (item->elements != NULL && item->name == e->name) {
        Env env;
        HyFile from;
        hy_set_env(l, g, item, &env, &from);
        ok = set_elements(&env, s, e, item, value);
      }
    }
  }
  return ok;
}

static void compute(Loader *l, Scope *s, const Entry *e, Value *value)
{
  const SetGroup *group = NULL;
  const SetItem *over = root_override(l, s, e, &group);
  Env env = hy_env(l, s, e, over != NULL ? over->attribute : e->value);
  env.what = e->kind == E_LET ? "let" : "param";
  HyFile from = {.name = NULL};
  if (over != NULL && over->attribute == NULL) { /* of the command line: there is no file */
    from = *env.file;
    from.name = group->file;
    env.file = &from;
  }
  const char *text = over != NULL ? over->text : e->value != NULL ? e->value->value : NULL;
  if (text == NULL) {
    required_missing(l, s, e);
    return;
  }
  gboolean ok;
  if (e->count != NULL && e->value_kind < KIND_TEXT) {
    guint n;
    const HyFormula *list = hy_env_parse(&env, HY_TEXT_LIST, text);
    g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(double));
    ok = list != NULL && own_count(&env, s, e, &n) && read_counted(&env, e, list, n, numbers);
    ok = ok && keep_numbers(&env, numbers, TRUE, value);
  } else {
    ok = hy_value_read(&env, e, text, NULL, value);
  }
  if (!ok || !set_all_elements(l, s, e, value) || !hy_value_check(&env, s, e, value)) {
    hy_value_spoil(value);
  }
}

const Value *hy_scope_value(Loader *l, Scope *scope, const Entry *e)
{
  Value *value = &scope->values[e->slot];
  if (value->state == V_DONE || value->state == V_BAD) {
    return value;
  }
  if (e->bad) {
    value->state = V_BAD;
    return value;
  }
  if (value->state == V_BUSY) {
    circle(l, scope, e);
    value->state = V_BAD;
    return value;
  }
  if (l->computing.n == HY_PARAM_DEPTH) {
    hy_entry_problem(l, scope, e, NULL, "parameters need each other more than %d deep",
                     HY_PARAM_DEPTH);
    value->state = V_BAD;
    return value;
  }
  value->state = V_BUSY;
  l->computing.entry[l->computing.n++] = e;
  Value result = {.state = V_BAD};
  compute(l, scope, e, &result);
  l->computing.n--;
  gboolean was_bad = value->state == V_BAD;
  *value = result;
  if (was_bad) { /* it needs itself */
    hy_value_spoil(value);
  }
  return value;
}
