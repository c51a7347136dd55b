/* Formulas that became blocks: hidden functions, whose inputs are the references of the formula in
 * the order in which they appear, so that copies share the expression.
 *
 * Needs a folded formula and the references that are left in it, which are signals. Leaves a
 * component of the class `function`, its Row with the formula as the user wrote it, and a Line for
 * each input. */
#include "coupled/model_formula.h"
#include "coupled/model_internal.h"
#include "language/expand.h"
#include <string.h>

/* Also inside indices. */
gboolean hy_formula_mentions(const HyFormula *f, const char *name)
{
  if (f->kind == HY_F_NUMBER || f->kind == HY_F_NOTHING) {
    return FALSE;
  }
  if (f->kind == HY_F_REF) {
    return !f->own && f->ref.name == name;
  }
  for (guint32 k = 0; k < f->n; k++) {
    if (hy_formula_mentions(f->child[k], name)) {
      return TRUE;
    }
  }
  return FALSE;
}

static guint row_hash(gconstpointer p)
{
  const Row *r = p;
  return r->line * 31U + r->numerics * 7U + GPOINTER_TO_UINT(r->formula) +
         GPOINTER_TO_UINT(r->file);
}

guint32 hy_row_add(Loader *l, const Row *row)
{
  guint32 len = l->rows->len;
  for (guint32 k = len;
       k-- > 0 && k + 4 > len;) { /* rows that are equal come one after the other */
    const Row *other = &g_array_index(l->rows, Row, k);
    if (row_hash(other) == row_hash(row) && memcmp(other, row, sizeof *row) == 0) {
      return k;
    }
  }
  g_array_append_val(l->rows, *row);
  return len;
}

void hy_scope_add_row(Scope *s, guint32 row)
{
  if (s->rows == NULL) {
    s->rows = g_array_new(FALSE, FALSE, sizeof(guint32));
  }
  g_array_append_val(s->rows, row);
}

static Row function_row(const Env *env, const char *text)
{
  const HyAttribute *a = env->attribute;
  Row row;
  memset(&row, 0, sizeof row); /* rows are compared as bytes */
  row.file = env->file->name;
  row.line = a != NULL ? a->line : env->entry->line;
  row.numerics = env->entry->row > 0 ? env->entry->row_numerics : env->scope->numerics;
  row.formula = text != NULL ? g_string_chunk_insert_const(env->loader->strings, text) : NULL;
  return row;
}

/* Time -----------------------------------------------------------------------------------------
 */

/* `t` in a formula is the output of a block of the class `clock`, hidden but for its name: one for
 * each instance of a model in whose formulas it stands. It can be made while there are components
 * to come, so not for a wire. */
gboolean hy_clock_end(Env *env, const HyFormula *ref, End *end)
{
  Scope *s = env->scope;
  if (ref->n_index > 0 || ref->ref.port != NULL) {
    hy_problem(env, "\"t\" is the time; it has no index and no port");
    return FALSE;
  }
  if (s->in_base != NULL) {
    hy_problem(env, "\"t\" is the time of formulas, not a block; place one: <clock name=\"now\"/>");
    return FALSE;
  }
  if (s->clock == 0) {
    const HyAtomicClass *klass = hy_class_find("clock");
    Row row = function_row(env, NULL);
    guint32 component = hy_model_add(s->model, HY_TIME, klass);
    hy_numerics_apply(env->loader, s, env->entry, NULL, component, klass, s->numerics);
    hy_scope_add_row(s, hy_row_add(env->loader, &row));
    s->clock = component + 1;
  }
  *end = (End){.component = s->clock - 1};
  return TRUE;
}

/* A reference of the formula becomes a line into input K of the function. */
static void draw(Env *env, const HyFormula *ref, guint32 component, guint32 k)
{
  Line line = {
      .attribute = env->attribute, .file = env->file, .to = {.component = component, .number = k}};
  if (hy_env_end(env, ref, TRUE, &line.from)) {
    g_array_append_val(env->scope->lines, line);
  }
}

/* A block NAME of class KLASS, which has formula F, with lines into its inputs; TEXT is what the
 * user wrote. Returns its component. */
guint32 hy_formula_add(Env *env, const HyAtomicClass *klass, const HyFormula *f, const char *name,
                       const char *text)
{
  Loader *l = env->loader;
  Scope *s = env->scope;
  f = hy_network_compare(env, f, name, text);
  g_autoptr(HyFormulaRefs) refs = hy_formula_refs_new(f);
  guint32 component = hy_model_add(s->model, name, klass);
  hy_model_set_array(s->model, component, refs->n, 0);
  GError *error = NULL;
  if (!hy_model_set_formula(s->model, component, "formula", f, refs, NULL, text, &error)) {
    hy_problem_error(env, error);
  }
  Row row = function_row(env, text);
  hy_numerics_apply(l, s, env->entry, NULL, component, klass, row.numerics);
  hy_image_share(s->model, component);
  hy_scope_add_row(s, hy_row_add(l, &row));
  for (guint k = 0; k < refs->n; k++) {
    draw(env, refs->ref[k], component, k);
  }
  return component;
}

/* The hidden function NAME. */
guint32 hy_function_add(Env *env, const HyFormula *f, const char *name, const char *text)
{
  return hy_formula_add(env, hy_class_find("function"), f, name, text);
}
