/* .model NAME TYPE(a=1 b=2): kept as it is written, read by the elements that name it; and .func
 * name(a, b) {formula}, by the formulas that call it. */
#include "editor-export/spice.h"

#include <string.h>

void spice_read_model(Spice *s, SpiceScope *scope, const SpiceLine *at, const SpiceWord *w)
{
  if (w[0].kind != SPICE_WORD || w[1].kind != SPICE_WORD) {
    spice_error(s, at, ".model takes a name, a type and parameters: .model SW1 SW(Ron=1m)");
    return;
  }
  SpiceModel *m = g_new0(SpiceModel, 1);
  g_autofree char *type = spice_lower(w[1].text);
  m->at = at;
  m->name = w[0].text;
  m->type = g_string_chunk_insert_const(s->strings, type);
  m->values = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
  char *key = spice_lower(m->name);
  if (g_hash_table_contains(scope->models, key)) {
    spice_error(s, at, "there are two models %s", m->name);
  }
  g_hash_table_replace(scope->models, key, m);
  for (w += 2; w->kind != SPICE_END; w++) {
    gboolean given = w[0].kind == SPICE_WORD && w[1].kind == SPICE_EQUALS &&
                     (w[2].kind == SPICE_WORD || w[2].kind == SPICE_FORMULA);
    if (!given) {
      spice_error(s, at, "model %s: \"%s\" is no parameter with its value", m->name, w->text);
      return;
    }
    SpiceWord *value = g_new(SpiceWord, 1);
    *value = w[2];
    g_hash_table_replace(m->values, spice_lower(w[0].text), value);
    w += 2;
  }
}

const char *spice_model_value(Spice *s, SpiceScope *scope, const SpiceModel *m, const char *name,
                              const char *other)
{
  const SpiceWord *w = g_hash_table_lookup(m->values, name);
  const char *value = w != NULL ? spice_value(s, scope, m->at, w) : other;
  return value != NULL ? value : "1"; /* an error has been reported */
}

const SpiceModel *spice_model_of(Spice *s, SpiceScope *scope, const SpiceLine *at,
                                 const SpiceWord *w, const char *types)
{
  const SpiceModel *m = w->kind == SPICE_WORD ? spice_model(scope, w->text) : NULL;
  if (m == NULL) {
    spice_error(s, at,
                w->kind == SPICE_WORD ? "there is no .model %s"
                                      : "the name of a .model is missing%s",
                w->text);
    return NULL;
  }
  g_auto(GStrv) known = g_strsplit(types, " ", -1);
  if (!g_strv_contains((const char *const *)known, m->type)) {
    spice_error(s, at, "model %s is a %s; %s is needed here", m->name, m->type, types);
    return NULL;
  }
  return m;
}

void spice_read_function(Spice *s, const SpiceLine *at, const char *text)
{
  text += strspn(text, " \t");
  const char *open = strchr(text, '('), *close = open != NULL ? strchr(open, ')') : NULL;
  if (close == NULL) {
    spice_error(s, at, ".func takes a name, arguments and a formula: .func f(x, y) {x + y}");
    return;
  }
  g_autofree char *name = g_strndup(text, (gsize)(open - text));
  g_autofree char *inside = g_strndup(open + 1, (gsize)(close - open - 1));
  g_autofree char *formula = g_strstrip(g_strdup(close + 1 + strspn(close + 1, " \t=")));
  gsize n = strlen(formula);
  if (n > 1 && strchr("{'\"", formula[0]) != NULL && strchr("}'\"", formula[n - 1]) != NULL) {
    formula[0] = formula[n - 1] = ' ';
  }
  SpiceFunction *f = g_new0(SpiceFunction, 1);
  f->name = g_string_chunk_insert_const(s->strings, g_strstrip(name));
  f->arguments = g_strsplit(inside, ",", -1);
  f->formula = g_string_chunk_insert_const(s->strings, g_strstrip(formula));
  for (guint k = 0; f->arguments[k] != NULL; k++) {
    char *lower = spice_lower(g_strstrip(f->arguments[k]));
    g_free(f->arguments[k]);
    f->arguments[k] = lower;
  }
  if (!g_hash_table_replace(s->functions, spice_lower(f->name), f)) {
    spice_error(s, at, "there are two functions %s", f->name);
  }
}

void spice_function_free(gpointer p)
{
  SpiceFunction *f = p;
  g_strfreev(f->arguments);
  g_free(f);
}
