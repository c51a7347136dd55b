/* What the loader says about an attribute or an element: where it stands, in which copy of which
 * model, and only once. Needs nothing of the passes; all of them use it. */
#include "language/env.h"

GQuark hy_silent_quark(void)
{
  return g_quark_from_static_string("hy-silent");
}

/* A million copies have a million numbers, so no printf. */
static void append_number(GString *out, gint64 v)
{
  char digits[24], *at = digits + sizeof digits;
  guint64 rest = v < 0 ? 0 - (guint64)v : (guint64)v;
  for (gboolean first = TRUE; first || rest > 0; first = FALSE, rest /= 10) {
    *--at = (char)('0' + rest % 10);
  }
  if (v < 0) {
    *--at = '-';
  }
  g_string_append_len(out, at, digits + sizeof digits - at);
}

/* "u[2,1]"; a wire has no name. */
void hy_copy_name(const Entry *entry, const gint64 *at, GString *out)
{
  g_string_append(out, entry->name != NULL ? entry->name : "wire");
  for (guint k = 0; k < entry->n_index && at != NULL; k++) {
    g_string_append_c(out, k == 0 ? '[' : ',');
    append_number(out, at[k]);
  }
  if (entry->n_index > 0 && at != NULL) {
    g_string_append_c(out, ']');
  }
}

/* "a/b[2]" of an instance; nothing of the root. */
void hy_scope_path(const Scope *scope, GString *out)
{
  g_autoptr(GPtrArray) up = g_ptr_array_new();
  for (; scope->parent != NULL; scope = scope->parent) {
    g_ptr_array_add(up, hy_key(scope));
  }
  for (guint k = up->len; k-- > 0;) {
    const Scope *s = g_ptr_array_index(up, k);
    hy_copy_name(s->entry, s->at, out);
    if (k > 0) {
      g_string_append_c(out, '/');
    }
  }
}

/* "stage[2]/x: ", or nothing for the root itself. */
static GString *whose(const Scope *scope, const Entry *e, const gint64 *at)
{
  GString *path = g_string_new(NULL);
  if (scope != NULL) {
    hy_scope_path(scope, path);
  }
  if (e != NULL) {
    if (path->len > 0) {
      g_string_append_c(path, '/');
    }
    hy_copy_name(e, at, path);
  }
  if (path->len > 0) {
    g_string_append(path, ": ");
  }
  return path;
}

gboolean hy_was_reported(const Loader *l, const void *about, guint what)
{
  return GPOINTER_TO_UINT(g_hash_table_lookup(l->reported, about)) & what;
}

gboolean hy_note_once(Loader *l, const void *about, Reported what)
{
  guint before = GPOINTER_TO_UINT(g_hash_table_lookup(l->reported, about));
  g_hash_table_insert(l->reported, hy_key(about), GUINT_TO_POINTER(before | what));
  return !(before & what);
}

static void problem(const Env *env, const char *what)
{
  const HyAttribute *a = env->attribute;
  if (a != NULL && !hy_note_once(env->loader, a, REPORTED_ERROR)) {
    return;
  }
  gboolean option = g_str_has_prefix(env->file->name, "--"); /* of the command line */
  guint line = a != NULL ? a->line : env->entry != NULL && !option ? env->entry->line : 0;
  g_autoptr(GString) path = whose(env->scope, env->entry, env->n_index > 0 ? env->at : NULL);
  hy_report_error(env->loader->report, env->file->name, line, "%s%s", path->str, what);
}

void hy_problem(const Env *env, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *what = g_strdup_vprintf(format, args);
  va_end(args);
  problem(env, what);
}

/* "stop: ": an experiment has several formulas in one line, and no path that says which. */
static char *of_experiment(const Env *env)
{
  const char *what = env->what != NULL ? env->what : "";
  gboolean named = env->entry == NULL && g_str_has_suffix(what, "=");
  return named ? g_strdup_printf("%.*s: ", (int)strlen(what) - 1, what) : g_strdup("");
}

/* Takes ERROR, whose text is one sentence. One that is silent is a consequence of what has been
 * reported. */
void hy_problem_error(const Env *env, GError *error)
{
  g_return_if_fail(error != NULL);
  if (error->domain != HY_SILENT) {
    g_autofree char *which = of_experiment(env);
    g_autofree char *what = g_strconcat(which, error->message, NULL);
    problem(env, what);
  } else if (env->attribute != NULL) {
    hy_note_once(env->loader, env->attribute, REPORTED_ELSEWHERE);
  }
  g_error_free(error);
}

/* About an entry as a whole, once for all its instances. */
void hy_entry_problem(Loader *l, const Scope *scope, const Entry *e, const gint64 *at,
                      const char *format, ...)
{
  if (!hy_note_once(l, e, REPORTED_ERROR)) {
    return;
  }
  va_list args;
  va_start(args, format);
  g_autofree char *what = g_strdup_vprintf(format, args);
  va_end(args);
  GString *path = whose(scope, e, at);
  hy_report_error(l->report, e->define->file->name, e->line, "%s%s", path->str, what);
  g_string_free(path, TRUE);
}
