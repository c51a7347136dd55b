/* Units as plain text: equal but for blanks. (udunits2 will know more.) */
#include "language/checks.h"
#include <string.h>

/* As texts, blanks left out. */
gboolean hy_units_differ(const char *a, const char *b)
{
  for (;; a++, b++) {
    while (*a == ' ') {
      a++;
    }
    while (*b == ' ') {
      b++;
    }
    if (*a != *b) {
      return TRUE;
    }
    if (*a == '\0') {
      return FALSE;
    }
  }
}

/* A warning where a parameter of a class is given by the bare name of one with another unit. */
void hy_unit_of_param(Env *env, const HyAttribute *attribute, const char *unit, const char *name)
{
  if (unit == NULL || hy_was_reported(env->loader, attribute, REPORTED_ANYTHING) ||
      !hy_name_is_legal(attribute->value)) {
    return;
  }
  const char *known = hy_formula_pool_name(env->loader->pool, attribute->value);
  const Entry *e = NULL;
  for (const Scope *s = env->scope; s != NULL && e == NULL; s = s->around) {
    e = hy_scope_find(s, known);
  }
  if (e == NULL || e->unit == NULL || (e->kind != E_PARAM && e->kind != E_LET) ||
      !hy_units_differ(e->unit, unit)) {
    return;
  }
  hy_note_once(env->loader, attribute, REPORTED_WARNING);
  g_autoptr(GString) path = g_string_new(NULL);
  hy_scope_path(env->scope, path);
  g_string_append(path, path->len > 0 ? "/" : "");
  hy_copy_name(env->entry, env->n_index > 0 ? env->at : NULL, path);
  hy_report_warning(env->loader->report, env->file->name, attribute->line,
                    "%s.%s is in \"%s\" but \"%s\" is in \"%s\"", path->str, name, unit, e->name,
                    e->unit);
}
