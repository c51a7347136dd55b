/* Formulas that became blocks: hidden functions, whose inputs are the references of the formula in
 * the order in which they appear, so that copies share the expression.
 *
 * Needs a folded formula and the references that are left in it, which are signals. Leaves a
 * component of the class `function`, its Row with the formula as the user wrote it, and a Line for
 * each input. */
#include "coupled/model_formula.h"
#include "coupled/model_internal.h"
#include "coupled/written.h"
#include "language/circuits.h"
#include "language/hidden.h"
#include "language/numerics.h"
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

/* Formulas -------------------------------------------------------------------------------------
 */

/* A reference of the formula becomes a line into input K of the function. */
static void draw(Env *env, const HyFormula *ref, guint32 component, guint32 k)
{
  Line line = {
      .attribute = env->attribute, .file = env->file, .to = {.component = component, .number = k}};
  if (hy_env_end(env, ref, TRUE, &line.from)) {
    hy_keep_line(env->loader, env->scope, &line);
  }
}

/* Its parameters: the formula and what is in force. */
static void set_formula(Env *env, guint32 component, const HyExpression *formula, guint32 numerics)
{
  HyModel *model = env->scope->model;
  GError *error = NULL;
  if (!hy_model_set_formula(model, component, "formula", formula, &error)) {
    hy_problem_error(env, error);
  }
  hy_numerics_apply(env->loader, env->scope, env->entry, NULL, component,
                    hy_component(model, component)->klass, numerics);
  hy_image_share(model, component);
}

/* A block NAME of class KLASS, which has formula F, with lines into its inputs; TEXT is what the
 * user wrote. Returns its component. */
guint32 hy_formula_add(Env *env, const HyAtomicClass *klass, const HyFormula *f, const char *name,
                       const char *text)
{
  Scope *s = env->scope;
  f = hy_network_compare(env, f, name, text);
  g_autoptr(HyFormulaRefs) refs = hy_formula_refs_new(f);
  const HyExpression *formula = hy_model_formula(s->model, f, refs, NULL, text);
  guint32 component = hy_model_add(s->model, name, klass);
  guint32 written = hy_model_write(s->model, component, f, refs, NULL);
  hy_model_set_array(s->model, component, refs->n, 0);
  Row row = function_row(env, text);
  set_formula(env, component, formula, row.numerics);
  hy_scope_add_row(s, hy_row_add(env->loader, &row));
  for (guint k = 0; k < refs->n; k++) {
    draw(env, refs->ref[k], component, k);
  }
  if (env->again != NULL) {
    hy_again_keep(env, refs, formula, written);
  }
  return component;
}

/* The hidden function NAME. */
guint32 hy_function_add(Env *env, const HyFormula *f, const char *name, const char *text)
{
  return hy_formula_add(env, hy_class_find("function"), f, name, text);
}

/* Again ----------------------------------------------------------------------------------------
 *
 * One text is the input of many blocks: of the copies of one, of the instances of a type. What it
 * became is remembered from its second time on, for the texts of late, so that it is folded and
 * made an expression only where other numbers stand in it (expr/formula_memo.h). */

#define AGAIN     512 /* places, by the address of the formula */
#define OTHERWISE 8   /* times one after the other that it became something else, and is given up */

struct Again {
  const HyFormula *formula;
  HyFormulaMemo memo;
  const HyExpression *expression; /* NULL: it is seen for the first or second time */
  guint32 written;                /* where it is kept (coupled/written.h) */
  const char *text;               /* of the loader */
  guint8 *image;                  /* of its last block, with these numerics; or NULL */
  guint32 numerics;
  guint group;
  guint otherwise; /* times, one after the other */
};

static void again_clear(Again *a)
{
  hy_formula_memo_clear(&a->memo);
  *a = (Again){.formula = NULL};
}

void hy_again_free(Loader *l)
{
  for (guint k = 0; l->again != NULL && k < AGAIN; k++) {
    again_clear(&l->again[k]);
  }
  g_clear_pointer(&l->again, g_free);
}

/* Trees that have been made of it apart from folding are not known to be equal. */
Again *hy_again_find(const Env *env, const HyFormula *f)
{
  Loader *l = env->loader;
  gboolean one = f->kind == HY_F_LIST && f->n == 1 && f->child[0]->kind != HY_F_REF &&
                 f->child[0]->kind != HY_F_NUMBER;
  if (!one || env->scope->network != NULL || env->scope->boundary != NULL || env->named != NULL ||
      env->unknown != NULL) {
    return NULL;
  }
  if (l->again == NULL) {
    l->again = g_new0(Again, AGAIN);
  }
  Again *a = &l->again[(GPOINTER_TO_SIZE(f) >> 4) % AGAIN];
  if (a->formula != f) {
    again_clear(a);
    a->formula = f;
    return NULL;
  }
  return a->otherwise < OTHERWISE ? a : NULL;
}

HyFormulaTrace *hy_again_trace(Again *a)
{
  if (a == NULL) {
    return NULL;
  }
  hy_formula_memo_init(&a->memo); /* what it was before does not hold any more */
  a->expression = NULL;
  a->image = NULL;
  return &a->memo.trace;
}

void hy_again_keep(Env *env, const HyFormulaRefs *refs, const HyExpression *formula, guint32 kept)
{
  Again *a = env->again;
  const char *text = env->attribute->value;
  HyFormulaScope scope = hy_env_scope;
  scope.user = env;
  gboolean written = TRUE;
  for (guint k = 0; written && k < refs->n; k++) {
    written = hy_formula_is_written(refs->ref[k], text);
  }
  if (written && hy_formula_memo_keep(&a->memo, refs, env->loader->scratch, &scope)) {
    a->expression = formula;
    a->written = kept;
    a->text = g_string_chunk_insert_const(env->loader->strings, text);
  }
}

gboolean hy_again_holds(Env *env, Again *a)
{
  HyFormulaScope scope = hy_env_scope;
  scope.user = env;
  env->formula = a->formula;
  gboolean holds =
      a->expression != NULL && hy_formula_memo_holds(&a->memo, env->loader->scratch, &scope);
  env->formula = NULL;
  a->otherwise = holds ? 0 : a->otherwise + 1;
  return holds;
}

guint32 hy_again_add(Env *env, Again *a, const char *name)
{
  Scope *s = env->scope;
  guint32 component = hy_model_add(s->model, name, hy_class_find("function"));
  hy_model_set_array(s->model, component, a->memo.n_refs, 0);
  hy_model_write_again(s->model, component, a->written);
  Row row = function_row(env, NULL);
  row.formula = a->text;
  HyComponent *c = hy_component(s->model, component);
  if (a->image == NULL || a->numerics != row.numerics) {
    set_formula(env, component, a->expression, row.numerics);
    a->image = c->u.image;
    a->numerics = row.numerics;
    a->group = c->group;
  }
  c->u.image = a->image;
  c->group = a->group;
  hy_scope_add_row(s, hy_row_add(env->loader, &row));
  for (guint k = 0; k < a->memo.n_refs; k++) {
    draw(env, &a->memo.ref[k], component, k);
  }
  return component;
}
