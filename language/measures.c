/* What an experiment measures: <measure> of the experiment in force and of all that it is like,
 * then the options. Names of values become numbers here; what is left are paths
 * (expr/formula_measure.h), which a run knows (experiment/measures.c). */
#include "expr/formula_measure.h"
#include "hydevs/text.h"
#include "language/names.h"
#include "language/numerics.h"

#include <math.h>
#include <string.h>

/* A value as a number, a path with numbers as its indices. */
static char *meaning(gpointer user, const char *text, GError **error)
{
  Env *env = user;
  Loader *l = env->loader;
  HyFormulaScope scope = hy_env_scope;
  scope.user = env;
  g_autofree char *name = g_strndup(text, strcspn(text, "["));
  const Entry *e = strpbrk(text, "./:") == NULL
                       ? hy_scope_find(env->scope, hy_formula_pool_name(l->pool, name))
                       : NULL;
  double v;
  if (e != NULL && hy_is_value(e)) {
    const HyFormula *f = hy_formula_parse(l->pool, HY_TEXT_EXPRESSION, text, error);
    char number[HY_DOUBLE_SIZE];
    return f != NULL && hy_formula_constant(l->pool, f, &scope, &v, error)
               ? g_strdup_printf("(%s)", hy_double_text(number, v))
               : NULL;
  }
  const HyPath *path = hy_path_parse(l->pool, text, error);
  path = path != NULL ? hy_path_fold(l->pool, path, &scope, error) : NULL;
  if (path == NULL) {
    return NULL;
  }
  g_autoptr(GString) out = g_string_new(NULL);
  hy_path_print(path, out);
  return g_string_free(g_steal_pointer(&out), FALSE);
}

/* NAME of a measure that is not M itself, which is in the list already. */
static guint find_name(const GArray *measures, const char *name)
{
  guint k = 0;
  while (k < measures->len &&
         g_strcmp0(g_array_index(measures, HyMeasureSaid, k).name, name) != 0) {
    k++;
  }
  return name != NULL ? k : measures->len;
}

/* One of an element that this is like gives way to it; FIRST: where those of the same element
 * begin. */
static void add(const Env *env, HyMeasureSaid *m, guint first)
{
  GArray *all = env->loader->chosen.measures;
  guint k = find_name(all, m->name);
  if (k >= first && k < all->len) {
    hy_problem(env, "measure: the name \"%s\" is already taken", m->name);
  } else if (k < first) {
    g_array_index(all, HyMeasureSaid, k) = *m;
  } else {
    g_array_append_val(all, *m);
  }
}

/* TEXT as it is written. FALSE: reported. */
static gboolean read_text(Env *env, const char *text, HyMeasureSaid *m)
{
  Loader *l = env->loader;
  GError *error = NULL;
  env->what = "value=";
  g_autofree char *known = hy_measure_map(text, meaning, env, &error);
  g_autoptr(HyMeasureText) parsed = known != NULL ? hy_measure_parse(known, &error) : NULL;
  if (parsed == NULL) {
    hy_problem_error(env, error);
    return FALSE;
  }
  m->text = g_string_chunk_insert_const(l->strings, known);
  m->said = g_string_chunk_insert_const(l->strings, text);
  return TRUE;
}

static double bound(Loader *l, Scope *root, const HyElement *e, guint16 word, const char *what)
{
  const HyAttribute *a = hy_attribute_find(root->define->file->tree, e, word);
  Env env = hy_env(l, root, NULL, a);
  double v = NAN;
  env.what = what;
  const HyFormula *f = a != NULL ? hy_env_parse(&env, HY_TEXT_EXPRESSION, a->value) : NULL;
  return f != NULL && hy_env_number(&env, f, &v) ? v : NAN;
}

static const char *kept(Loader *l, const char *text)
{
  return text != NULL ? g_string_chunk_insert_const(l->strings, text) : NULL;
}

static void read_element(Loader *l, Scope *root, guint32 number, guint first)
{
  const HyFile *f = root->define->file;
  const HyElement *e = hy_element(f->tree, number);
  const HyAttribute *value = hy_attribute_find(f->tree, e, HY_W_VALUE);
  HyMeasureSaid m = {.name = kept(l, hy_said_in(f, number, HY_W_NAME)),
                     .unit = kept(l, hy_said_in(f, number, HY_W_UNIT)),
                     .label = kept(l, hy_said_in(f, number, HY_W_LABEL)),
                     .min = bound(l, root, e, HY_W_MIN, "min="),
                     .max = bound(l, root, e, HY_W_MAX, "max="),
                     .file = kept(l, f->name),
                     .line = e->line};
  Env env = hy_env(l, root, NULL, value);
  if (value == NULL || !read_text(&env, value->value, &m)) {
    return;
  }
  if (m.min > m.max) {
    hy_problem(&env, "measure: min is above max, so nothing is within them");
  }
  add(&env, &m, first);
}

/* "NAME=max(x)"; NAME may be missing. Newly allocated, NULL: missing. */
static char *option_name(const char *option, const char **text)
{
  gsize n = strspn(option, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-");
  gboolean named = n > 0 && option[n] == '=' && option[n + 1] != '=';
  *text = option + (named ? n + 1 : 0);
  return named ? g_strndup(option, n) : NULL;
}

static void read_option(Loader *l, Scope *root, const char *option)
{
  const char *text;
  g_autofree char *name = option_name(option, &text);
  Env env = hy_env(l, root, NULL, NULL);
  HyFile from = *env.file;
  g_autofree char *file = g_strdup_printf("--measure %s", option);
  from.name = kept(l, file);
  env.file = &from;
  HyMeasureSaid m = {.name = kept(l, name), .min = NAN, .max = NAN, .file = from.name};
  if (read_text(&env, text, &m)) {
    add(&env, &m, 0);
  }
}

void hy_measures_read(Loader *l, Scope *root)
{
  const HyFile *f = root->define->file;
  for (guint k = 0; k < l->chosen.chain->len; k++) {
    guint first = l->chosen.measures->len;
    guint32 e = hy_element(f->tree, g_array_index(l->chosen.chain, guint32, k))->child;
    for (; e != 0; e = hy_element(f->tree, e)->next) {
      if (hy_element(f->tree, e)->name == HY_W_MEASURE && !f->bad[e]) {
        read_element(l, root, e, first);
      }
    }
  }
  for (const char *const *o = l->options.measure; o != NULL && *o != NULL; o++) {
    read_option(l, root, *o);
  }
}
