/* An environment: where the text of an attribute is read, that is in which scope, for which copy of
 * which entry. Formulas and texts with {N} become values in it.
 *
 * Needs what names mean (names.c) and, for u[0] and u[N+1], the boundaries of the scope
 * (outputs.c). What is parsed stays in the pool of the loader; what is folded lives until scratch
 * is cleared. */
#include "hydevs/text.h"
#include "language/hidden.h"
#include "language/names.h"
#include <string.h>

Env hy_env(Loader *l, Scope *scope, const Entry *entry, const HyAttribute *attribute)
{
  return (Env){.loader = l,
               .scope = scope,
               .entry = entry,
               .attribute = attribute,
               .file = entry != NULL ? entry->define->file : scope->define->file};
}

void hy_env_copy(Env *env, const Entry *entry, const gint64 *at)
{
  env->n_index = entry->n_index;
  for (guint k = 0; k < entry->n_index; k++) {
    env->index[k] = entry->index[k];
    env->at[k] = at[k];
  }
}

/* NULL: reported at the attribute of ENV. */
const HyFormula *hy_env_parse(const Env *env, HyTextKind kind, const char *text)
{
  GError *error = NULL;
  const HyFormula *f = hy_formula_parse(env->loader->pool, kind, text, &error);
  if (f == NULL) {
    hy_problem_error(env, error);
  }
  return f;
}

/* What is known now becomes a number; NULL: reported. The result lives until the scratch is
 * cleared. */
const HyFormula *hy_env_fold(Env *env, const HyFormula *formula)
{
  HyFormulaScope scope = hy_env_scope;
  scope.user = env;
  scope.trace = hy_again_trace(env->again);
  GError *error = NULL;
  env->formula = formula;
  const HyFormula *f = hy_formula_fold(env->loader->scratch, formula, &scope, &error);
  if (f == NULL && error->domain == HY_SILENT) {
    hy_name_nowhere(env, &error);
  }
  env->formula = NULL;
  if (f == NULL) {
    hy_problem_error(env, error);
  }
  return f;
}

/* The formula that REF stands for beyond the copies of a block; NULL: it is none of these. */
static const HyFormula *boundary_of(const Env *env, const HyFormula *ref)
{
  const Entry *e = ref->own || ref->n_index != 1 ? NULL : hy_scope_find_ref(env->scope, ref);
  if (e == NULL || e->kind != E_BLOCK || e->n_index != 1) {
    return NULL;
  }
  const Boundary *b = &env->scope->boundary[2 * (gsize)e->slot];
  b += ref->ref.at[0] != 0;
  gboolean beyond =
      ref->ref.at[0] == 0 || ref->ref.at[0] == (gint64)env->scope->copies[e->slot].n + 1;
  return beyond && b->state == BOUNDARY_FORMULA ? b->formula : NULL;
}

/* F with the port and its index that ASKED has; dropped with the copy. */
static const HyFormula *with_port(Env *env, const HyFormula *f, const HyFormula *asked)
{
  HyFormula *copy = g_memdup2(f, sizeof *f);
  gint64 *at = g_new(gint64, MAX((guint)f->n_index + asked->n_port_index, 1));
  for (guint k = 0; k < f->n_index; k++) {
    at[k] = f->ref.at[k];
  }
  for (guint k = 0; k < asked->n_port_index; k++) {
    at[f->n_index + k] = asked->ref.at[asked->n_index + k];
  }
  copy->n_port_index = asked->n_port_index;
  copy->ref.port = asked->ref.port;
  copy->ref.at = at;
  g_ptr_array_add(env->loader->made, at);
  g_ptr_array_add(env->loader->made, copy);
  return copy;
}

static const HyFormula *replace(Env *env, const HyFormula *f, const HyFormula *asked, guint depth);

/* A reference is what before= or after= says where it goes beyond the copies. In that formula,
 * where ASKED is the reference that led to it, a block without a port gives the port asked for. */
static const HyFormula *replace_ref(Env *env, const HyFormula *ref, const HyFormula *asked,
                                    guint depth)
{
  if (asked == NULL) {
    const HyFormula *b = boundary_of(env, ref);
    return b == NULL ? ref : ref->ref.port == NULL ? b : replace(env, b, ref, depth);
  }
  const Entry *e =
      ref->own || ref->ref.port != NULL ? NULL : hy_scope_find(env->scope, ref->ref.name);
  return e != NULL && hy_asks_port(e, asked) ? with_port(env, ref, asked) : ref;
}

/* A copy of F in which references beyond the copies are what before= and after= say; F itself
 * where there are none. */
static const HyFormula *replace(Env *env, const HyFormula *f, const HyFormula *asked, guint depth)
{
  if (f->kind == HY_F_REF) {
    return replace_ref(env, f, asked, depth);
  }
  if (f->kind == HY_F_NUMBER || f->kind == HY_F_NOTHING || depth == 0) {
    return f;
  }
  const HyFormula **child = g_new(const HyFormula *, MAX(f->n, 1));
  gboolean changed = FALSE;
  for (guint32 k = 0; k < f->n; k++) {
    child[k] = replace(env, f->child[k], asked, depth - 1);
    changed |= child[k] != f->child[k];
  }
  if (!changed) {
    g_free(child);
    return f;
  }
  HyFormula *copy = g_memdup2(f, sizeof *f);
  copy->child = child;
  g_ptr_array_add(env->loader->made, child);
  g_ptr_array_add(env->loader->made, copy);
  return copy;
}

const HyFormula *hy_env_boundaries(Env *env, const HyFormula *folded)
{
  return folded != NULL && env->scope->boundary != NULL
             ? replace(env, folded, NULL, HY_FOLDED_DEPTH)
             : folded;
}

/* The value of a formula in which no signal may stand. FALSE: reported. */
gboolean hy_env_number(Env *env, const HyFormula *formula, double *v)
{
  if (formula->kind == HY_F_NUMBER) {
    *v = formula->number;
    return TRUE;
  }
  HyFormulaScope scope = hy_env_scope;
  scope.user = env;
  GError *error = NULL;
  env->formula = formula;
  gboolean ok = hy_formula_constant(env->loader->scratch, formula, &scope, v, &error);
  env->formula = NULL;
  if (!ok) {
    hy_problem_error(env, error);
  }
  return ok;
}

/* A whole number from 0 on. FALSE: reported. */
gboolean hy_env_count(Env *env, const HyFormula *formula, gint64 *n)
{
  double v;
  if (!hy_env_number(env, formula, &v)) {
    return FALSE;
  }
  gboolean whole = hy_formula_whole(v, n);
  if (!whole || *n < 0) {
    char text[HY_DOUBLE_SIZE];
    hy_problem(env, "count is %s, %s", hy_double_text(text, v),
               whole ? "less than 0" : "not a whole number");
  }
  return whole && *n >= 0;
}

/* Texts --------------------------------------------------------------------------------------- */

/* What {name} stands for in a text: a text parameter as it is, any formula as a number. */
static gboolean append_value(Env *env, const char *name, GString *out)
{
  const char *known = hy_formula_pool_name(env->loader->pool, name);
  HyNameValue number = {0};
  if (!hy_index_value(env->index, env->at, env->n_index, known, &number)) {
    Scope *s = env->scope;
    Entry *e = NULL;
    for (; s != NULL && e == NULL; s = s->around) {
      e = hy_scope_find(s, known);
      if (e != NULL && hy_is_value(e)) {
        e->used = 1;
        const Value *v = hy_scope_value(env->loader, s, e);
        if (v->state == V_DONE && v->shape == V_TEXT) {
          g_string_append(out, v->text);
          return TRUE;
        }
      }
    }
    const HyFormula *f = hy_env_parse(env, HY_TEXT_EXPRESSION, name);
    if (f == NULL || !hy_env_number(env, f, &number.number)) {
      return FALSE;
    }
  }
  char buffer[HY_DOUBLE_SIZE];

  g_string_append(out, hy_double_text(buffer, number.number));
  return TRUE;
}

/* Texts that texts are put into may double in every line. FALSE: reported. */
static gboolean text_may_be(Env *env, gsize length)
{
  if (length > HY_TEXT_BYTES) {
    hy_problem(env, "with what stands for its {...} the text is longer than %u bytes",
               HY_TEXT_BYTES);
  } else if (env->loader->text_bytes + length > HY_TEXTS_BYTES) {
    hy_problem(env, "texts with {...} are longer than %u bytes together", HY_TEXTS_BYTES);
  } else {
    return TRUE;
  }
  return FALSE;
}

/* A text with all {...} replaced. NULL: one has no value, or it is too long, which is reported. */
const char *hy_env_text(Env *env, const char *text)
{
  if (strchr(text, '{') == NULL) {
    return text;
  }
  g_autoptr(GString) out = g_string_new(NULL);
  while (*text != '\0') {
    const char *end = *text == '{' ? strchr(text, '}') : NULL;
    if (end == NULL) {
      g_string_append_c(out, *text++);
      continue;
    }
    g_autofree char *name = g_strndup(text + 1, (gsize)(end - text - 1));
    Mode mode = env->mode;
    env->mode = MODE_CONSTANT;
    gboolean ok = append_value(env, g_strstrip(name), out);
    env->mode = mode;
    if (!ok || !text_may_be(env, out->len)) {
      return NULL;
    }
    text = end + 1;
  }
  env->loader->text_bytes += out->len;
  return g_string_chunk_insert_const(env->loader->strings, out->str);
}
