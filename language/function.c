/* Formulas that became blocks. The text of a function reads its inputs as in[1], in[2], ... so that
 * copies share it. */
#include "language/expand.h"
#include <string.h>

typedef struct {
  const char *in, *out; /* of the pool */
  const gint *place;
} Names;

/* A copy of F whose references are in[k] or out[k]; all its memory goes to MADE. */
static const HyFormula *renamed(const HyFormula *f, const HyFormulaRefs *refs, const Names *names,
                                GPtrArray *made, guint depth)
{
  if (f->kind == HY_F_NUMBER || f->kind == HY_F_NOTHING || depth == 0) {
    return f;
  }
  HyFormula *copy = g_memdup2(f, sizeof *f);
  g_ptr_array_add(made, copy);
  if (f->kind == HY_F_REF) {
    gint64 *at = g_new(gint64, 1);
    g_ptr_array_add(made, at);
    guint slot = hy_formula_refs_slot(refs, f);
    gint place = names->place != NULL ? names->place[slot] : (gint)slot + 1;
    *at = ABS(place);
    copy->own = 0;
    copy->n_index = 1;
    copy->n_port_index = 0;
    copy->ref.name = place > 0 ? names->in : names->out;
    copy->ref.port = NULL;
    copy->ref.at = at;
    copy->ref.index = NULL;
    return copy;
  }
  const HyFormula **child = g_new(const HyFormula *, f->n);
  g_ptr_array_add(made, child);
  for (guint32 k = 0; k < f->n; k++) {
    child[k] = renamed(f->child[k], refs, names, made, depth - 1);
  }
  copy->child = child;
  return copy;
}

char *hy_function_text(Loader *l, const HyFormula *f, const HyFormulaRefs *refs, const gint *place)
{
  const Names names = {hy_formula_pool_name(l->pool, "in"), hy_formula_pool_name(l->pool, "out"),
                       place};
  g_autoptr(GPtrArray) made = g_ptr_array_new_with_free_func(g_free);
  return hy_formula_text(renamed(f, refs, &names, made, HY_FORMULA_DEPTH + 50));
}

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
         GPOINTER_TO_UINT(r->file) + GPOINTER_TO_UINT(r->names);
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

void hy_scope_add_row(Scope *s, guint32 component, guint32 row)
{
  if (s->rows == NULL) {
    s->rows = g_array_new(FALSE, FALSE, sizeof(guint32));
  }
  (void)component;
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

/* A reference of the formula becomes a line into input K of the function. */
static void draw(Env *env, const HyFormula *ref, guint32 component, guint32 k)
{
  Line line = {
      .attribute = env->attribute, .file = env->file, .to = {.component = component, .number = k}};
  if (hy_env_end(env, ref, TRUE, &line.from)) {
    g_array_append_val(env->scope->lines, line);
  }
}

guint32 hy_function_add(Env *env, const HyFormula *f, const char *name, const char *text)
{
  Loader *l = env->loader;
  Scope *s = env->scope;
  g_autoptr(HyFormulaRefs) refs = hy_formula_refs_new(f);
  g_autofree char *formula = hy_function_text(l, f, refs, NULL);
  const HyAtomicClass *klass = hy_class_find("function");
  guint32 component = hy_model_add(s->model, name, klass);
  hy_model_set_array(s->model, component, refs->n, 0);
  GError *error = NULL;
  if (!hy_model_set(s->model, component, "formula", formula, &error)) {
    hy_problem_error(env, error);
  }
  Row row = function_row(env, text);
  hy_numerics_apply(l, s, env->entry, NULL, component, klass, row.numerics);
  hy_scope_add_row(s, component, hy_row_add(l, &row));
  for (guint k = 0; k < refs->n; k++) {
    draw(env, refs->ref[k], component, k);
  }
  return component;
}
