/* The components of a scope in the order of the file, and what stands beside blocks: what a chain
 * is fed with at its ends (before= and after=), and where output ports come from.
 *
 * Needs the copies of all blocks (place.c). Leaves the components and the lines to be drawn. */
#include "language/block.h"
#include "language/circuits.h"
#include "language/hidden.h"
#include <string.h>

/* before= and after= --------------------------------------------------------------------------- */

/* What stands for a reference beyond the first or last copy: a number, a source, or a formula. */
static void read_boundary(Loader *l, Scope *s, Entry *e, const HyAttribute *a, gboolean after)
{
  Boundary *b = &s->boundary[2 * e->slot + after];
  const HyFormula **kept_formula = after ? &e->f.after : &e->f.before;
  Env env = hy_env(l, s, e, a);
  env.mode = MODE_SOURCE;
  b->state = BOUNDARY_WRONG;
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
    b->state = BOUNDARY_NUMBER;
  } else if (f->kind == HY_F_REF) {
    b->state = hy_env_end(&env, f, TRUE, &b->end) ? BOUNDARY_END : BOUNDARY_WRONG;
  } else if (f->kind != HY_F_NOTHING) {
    HyFormulaScope scope = hy_env_scope;
    scope.user = &env;
    b->formula = hy_formula_fold(l->pool, *kept_formula, &scope, NULL); /* to stay */
    b->state = b->formula != NULL ? BOUNDARY_FORMULA : BOUNDARY_WRONG;
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

/* Output ports --------------------------------------------------------------------------------- */

static const char *output_text(const Entry *e)
{
  return e->value != NULL ? e->value->value : e->name;
}

/* From a hidden block to the element of the port. */
static void line_from(Env *env, const InputAt *t, guint element, guint32 component)
{
  Line line = {.attribute = env->attribute,
               .file = env->file,
               .to = t->to,
               .from = {.component = component}};
  line.to.port_index = t->array ? element + 1 : 0;
  hy_keep_line(env->loader, env->scope, &line);
}

/* An output port that is a number: a hidden block that says it once. */
static void constant_block(Env *env, const InputAt *t, guint element, double v)
{
  Scope *s = env->scope;
  g_autofree char *name = g_strdup(hy_hidden_name(env->loader, env->entry, t->at, "from", 0));
  guint32 component = hy_model_add(s->model, name, hy_class_find("constant"));
  hy_model_set_real(s->model, component, "value", v, NULL);
  Row row;
  memset(&row, 0, sizeof row);
  row.file = env->file->name;
  row.line = env->entry->line;
  row.numerics = s->numerics;
  hy_scope_add_row(s, hy_row_add(env->loader, &row));
  line_from(env, t, element, component);
}

/* The formula of from=, or the block of the port's own name. FALSE: none, or reported. */
static gboolean parse_output(Loader *l, Scope *s, Entry *e, const Env *env)
{
  if (e->f.value != NULL) {
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
  e->f.value = hy_env_parse(env, HY_TEXT_SOURCE, copy != NULL ? copy : output_text(e));
  return e->f.value != NULL;
}

/* One element: a line, a constant block or a function "y[2]:from". */
static void output_element(Env *env, const InputAt *t, const HyFormula *g, guint element)
{
  if (g->kind == HY_F_NUMBER) {
    constant_block(env, t, element, g->number);
    return;
  }
  if (g->kind == HY_F_REF || g->kind == HY_F_ITEMS || g->kind == HY_F_NOTHING) {
    hy_take_group(env, t, g, element);
    return;
  }
  g_autofree char *name = g_strdup(hy_hidden_name(env->loader, env->entry, t->at, "from", 0));
  line_from(env, t, element, hy_function_add(env, g, name, output_text(env->entry)));
}

static void add_output(Loader *l, Scope *s, Entry *e)
{
  const PortRange *range = &s->out[e->slot];
  Env env = hy_env(l, s, e, e->value);
  env.mode = MODE_SOURCE;
  if (!parse_output(l, s, e, &env)) {
    return;
  }
  gboolean event = hy_port_kind(l, s->define, e) == PORT_EVENT;
  for (guint k = 0; k < range->n; k++) {
    gint64 at[HY_MAX_INDICES] = {(gint64)k + 1};
    hy_env_copy(&env, e, at);
    const HyFormula *f = hy_env_boundaries(&env, hy_env_fold(&env, e->f.value));
    if (f == NULL) {
      return;
    }
    InputAt t = {.name = "from",
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

/* All that was made for one copy alone is dropped after it, so memory does not grow with `count`.
 */
static void add_copies(Loader *l, Scope *s, Entry *e)
{
  guint32 n = s->copies[e->slot].n;
  for (guint32 c = 0; c < n && !l->stopped; c++) {
    if (s->copies[e->slot].component[c] != HY_LEFT_OUT) {
      hy_add_copy(l, s, e, c);
    }
    hy_formula_pool_clear(l->scratch);
    g_ptr_array_set_size(l->made, 0);
  }
}

/* In the order of the file, which is the order of components and so of ties. */
void hy_scope_blocks(Loader *l, Scope *s)
{
  const Define *d = s->define;
  s->lines = g_array_sized_new(FALSE, FALSE, sizeof(Line), d->entries->len);
  read_boundaries(l, s);
  for (guint k = 0; k < d->entries->len && !l->stopped; k++) {
    Entry *e = g_ptr_array_index(d->entries, k);
    if (e->bad) {
      continue;
    }
    if (e->kind == E_WIRE) {
      Line line = {.wire = e};
      hy_keep_line(l, s, &line);
    } else if (e->kind == E_BLOCK && hy_is_element(e)) {
      hy_network_blocks(l, s, e);
    } else if (e->kind == E_OUT) {
      add_output(l, s, e);
    } else if (e->kind == E_BLOCK && !s->copies[e->slot].bad) {
      add_copies(l, s, e);
    }
  }
}
