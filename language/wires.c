/* <wire> elements: their copies, from each end of `from` to each end of `to`. Needs all components
 * of the scope; hands each line to lines.c. */
#include "coupled/model_internal.h"
#include "language/env.h"
#include "language/lines.h"
#include "language/names.h"
#include <string.h>

/* Sources: signals, with "*" and indices folded. FALSE: some are wrong, which is reported. */
static gboolean wire_ends(Env *env, const HyFormula *f, gboolean outgoing, GArray *ends)
{
  const HyFormula *folded = hy_env_fold(env, f);
  gboolean ok = folded != NULL;
  for (guint32 k = 0; folded != NULL && k < folded->n; k++) {
    End end;
    if (folded->child[k]->kind != HY_F_REF) {
      continue;
    }
    if (hy_env_end(env, folded->child[k], outgoing, &end)) {
      g_array_append_val(ends, end);
    } else {
      ok = FALSE;
    }
  }
  return ok;
}

/* A target is not a value: its name is looked up by hy_env_end alone. */
static HyNameKind target_value(gpointer user, const HyFormula *ref, const gint64 *at,
                               HyNameValue *value, GError **error)
{
  Env *env = user;
  if (hy_index_value(env->index, env->at, env->n_index, ref->ref.name, value)) {
    return HY_NAME_NUMBER;
  }
  const Entry *e = hy_scope_find_ref(env->scope, ref);
  gboolean out = g_hash_table_lookup(env->scope->define->outs, ref->ref.name) != NULL;
  return (e != NULL && e->kind == E_BLOCK) || out ? HY_NAME_SIGNAL
                                                  : hy_env_scope.value(user, ref, at, value, error);
}

/* Targets are inputs, which have no value in a formula, so their names are looked up another way.
 */
static void target_ends(Env *env, const HyFormula *f, GArray *ends)
{
  HyFormulaScope scope = {.user = env, .value = target_value, .extent = hy_env_scope.extent};
  GError *error = NULL;
  const HyFormula *folded = hy_formula_fold(env->loader->scratch, f, &scope, &error);
  if (folded == NULL) {
    hy_problem_error(env, error);
    return;
  }
  for (guint32 k = 0; k < folded->n; k++) {
    End end;
    if (folded->child[k]->kind == HY_F_REF && hy_env_end(env, folded->child[k], FALSE, &end)) {
      g_array_append_val(ends, end);
    }
  }
}

/* Copies of a wire. Wires are limited like blocks, since they cost as much. */
static Copies wire_copies(Loader *l, Scope *s, const Entry *w)
{
  Copies c = {.n = 1}, none = {.n = 0};
  Env env = hy_env(l, s, w, w->count);
  if (w->count == NULL) {
    return c;
  }
  env.what = "count=";
  guint64 total = 1;
  for (guint k = 0; k < w->n_index; k++) {
    double v;
    gint64 n;
    if (!hy_env_number(&env, w->f.count->child[k], &v)) {
      return none;
    }
    if (!hy_formula_whole(v, &n) || n < 0) {
      hy_problem(&env, "count=\"%s\" is %g, not a whole number from 0", w->count->value, v);
      return none;
    }
    c.extent[k] = (guint32)MIN(n, (gint64)G_MAXUINT32);
    total = MIN(total * c.extent[k], (guint64)1 << 40);
  }
  l->n_wires += total;
  if (l->n_wires > 4 * l->options.max_blocks) {
    hy_problem(&env,
               "more than %" G_GUINT64_FORMAT
               " wires; the limit is four for each block (--max-blocks)",
               4 * l->options.max_blocks);
    l->stopped = TRUE;
    return none;
  }
  c.n = (guint32)total;
  return c;
}

/* The ends of one copy of a wire (End): it goes from each of the first to each of the others. */
typedef struct {
  GArray *from, *to;
} WireEnds;

/* One copy of a wire. */
static void wire_copy(Loader *l, Scope *s, Entry *w, const gint64 *at, WireEnds *ends,
                      guint32 number)
{
  Env env = hy_env(l, s, w, w->cond);
  hy_env_copy(&env, w, at);
  env.what = "if=";
  double yes = 1;
  if (w->f.cond != NULL && !hy_env_number(&env, w->f.cond, &yes)) {
    return;
  }
  if (yes == 0) {
    return;
  }
  g_array_set_size(ends->from, 0);
  g_array_set_size(ends->to, 0);
  env.mode = MODE_SOURCE;
  env.attribute = w->from;
  gboolean known = wire_ends(&env, w->f.from, TRUE, ends->from);
  env.attribute = w->to;
  target_ends(&env, w->f.to, ends->to);
  for (guint b = 0; b < ends->to->len && !known; b++) {
    Line line = {.attribute = w->to, .file = env.file, .wire = w};
    line.to = g_array_index(ends->to, End, b);
    hy_mark_source(l, s, &line, number + 1);
  }
  Line all = {.attribute = w->to, .file = env.file, .wire = w};
  if (!hy_may_have_lines(l, s, &all, (guint64)ends->from->len * ends->to->len)) {
    return;
  }
  for (guint a = 0; a < ends->from->len; a++) {
    for (guint b = 0; b < ends->to->len; b++) {
      Line line = {.attribute = w->to, .file = env.file, .wire = w};
      line.from = g_array_index(ends->from, End, a);
      line.to = g_array_index(ends->to, End, b);
      g_array_index(s->lines, Line, number) =
          line; /* in place of the wire: messages find it there */
      hy_draw_line(l, s, &line, number + 1);
    }
  }
  hy_formula_pool_clear(l->scratch);
}

/* Once for all instances; FALSE: reported. */
static gboolean parse_wire(Loader *l, Scope *s, Entry *w)
{
  if (w->f.from == NULL) {
    Env env = hy_env(l, s, w, w->from);
    w->f.from = hy_env_parse(&env, HY_TEXT_ENDS, w->from->value);
    env.attribute = w->to;
    w->f.to = hy_env_parse(&env, HY_TEXT_ENDS, w->to->value);
    env.attribute = w->cond;
    w->f.cond = w->cond != NULL ? hy_env_parse(&env, HY_TEXT_EXPRESSION, w->cond->value) : NULL;
    w->bad |= w->f.from == NULL || w->f.to == NULL || (w->cond != NULL && w->f.cond == NULL);
  }
  return !w->bad;
}

/* from="a.out" to="b.in" */
static gboolean draw_plain_wire(Loader *l, Scope *s, Entry *w, guint32 number)
{
  Env env = hy_env(l, s, w, w->to);
  Line line = {.attribute = w->to, .file = env.file, .wire = w};
  if (w->bad || w->count != NULL || w->cond != NULL ||
      !hy_plain_end(&env, w->from->value, TRUE, &line.from) ||
      !hy_plain_end(&env, w->to->value, FALSE, &line.to)) {
    return FALSE;
  }
  g_array_index(s->lines, Line, number) = line;
  hy_draw_line(l, s, &line, number + 1);
  return TRUE;
}

/* Copy after copy; a plain wire is drawn without making formulas. */
void hy_draw_wire(Loader *l, Scope *s, Entry *w, guint32 number)
{
  if (draw_plain_wire(l, s, w, number) || w->bad || !parse_wire(l, s, w)) {
    return;
  }
  Copies copies = wire_copies(l, s, w);
  WireEnds ends = {g_array_new(FALSE, FALSE, sizeof(End)), g_array_new(FALSE, FALSE, sizeof(End))};
  for (guint32 k = 0; k < copies.n && !l->stopped; k++) {
    gint64 at[HY_MAX_INDICES] = {0};
    hy_copy_indices(w, &copies, k, at);
    wire_copy(l, s, w, at, &ends, number);
  }
  g_array_unref(ends.from);
  g_array_unref(ends.to);
}

/* Whether some wire may lead to the output port OUT: its name is looked for in their texts. */
gboolean hy_is_wired(const Define *d, const Entry *out)
{
  for (guint k = 0; k < d->entries->len; k++) {
    const Entry *w = g_ptr_array_index(d->entries, k);
    if (w->kind == E_WIRE && w->to != NULL && strstr(w->to->value, out->name) != NULL) {
      return TRUE;
    }
  }
  return FALSE;
}

/* Port arrays as long as lines ask for: to="sum.in[3]", in="router.out[3]" ----------------------
 */

/* Whether ends of this side say how long the arrays of a class are. Outputs are as many as inputs;
 * where no input is an array they count by themselves. What has a formula is made with its ports.
 */
static gboolean is_stretched(const HyAtomicClass *klass, gboolean outgoing)
{
  return klass != NULL && !hy_takes_names(klass) &&
         (outgoing ? hy_only_outputs_vary(klass) : hy_has_array(klass->in));
}

/* The array behind an end has as many elements as the highest index that is named. */
static void lengthen(Scope *s, const End *end, gboolean outgoing)
{
  const HyAtomicClass *klass =
      end->entry != NULL && end->entry->kind == E_BLOCK ? end->entry->klass : NULL;
  if (!is_stretched(klass, outgoing) || end->copy >= s->copies[end->entry->slot].n) {
    return;
  }
  const HyPort *ports = outgoing ? klass->out : klass->in;
  guint k = hy_find_port(ports, end->port, NULL);
  guint component = s->copies[end->entry->slot].component[end->copy];
  if (k == G_MAXUINT || !ports[k].array || component >= hy_model_n(s->model)) {
    return;
  }
  guint index = MAX(end->port_index, 1);
  guint n = outgoing ? hy_model_n_out(s->model, component) : hy_model_n_in(s->model, component);
  if (hy_port_number(ports, n, k, index) >= n && index <= 65536) {
    hy_model_set_array(s->model, component, outgoing ? 0 : index, index);
  }
}

static void lengthen_by_wire(Loader *l, Scope *s, Entry *w)
{
  Copies copies = wire_copies(l, s, w);
  g_autoptr(GArray) from = g_array_new(FALSE, FALSE, sizeof(End));
  g_autoptr(GArray) to = g_array_new(FALSE, FALSE, sizeof(End));
  for (guint32 c = 0; c < copies.n; c++) {
    gint64 at[HY_MAX_INDICES] = {0};
    Env env = hy_env(l, s, w, w->from);
    hy_copy_indices(w, &copies, c, at);
    hy_env_copy(&env, w, at);
    env.mode = MODE_SOURCE;
    wire_ends(&env, w->f.from, TRUE, from);
    env.attribute = w->to;
    target_ends(&env, w->f.to, to);
  }
  for (guint e = 0; e < from->len; e++) {
    lengthen(s, &g_array_index(from, End, e), TRUE);
  }
  for (guint e = 0; e < to->len; e++) {
    lengthen(s, &g_array_index(to, End, e), FALSE);
  }
  hy_formula_pool_clear(l->scratch);
}

/* Before any line is drawn, since ports cannot be added later. Lines of models without port arrays
 * are not looked at. */
void hy_lengthen_arrays(Loader *l, Scope *s)
{
  gboolean arrays = FALSE;
  for (guint k = 0; k < s->define->blocks->len && !arrays; k++) {
    const Entry *e = g_ptr_array_index(s->define->blocks, k);
    arrays = is_stretched(e->klass, FALSE) || is_stretched(e->klass, TRUE);
  }
  for (guint k = 0; arrays && k < s->lines->len; k++) {
    Line line = g_array_index(s->lines, Line, k);
    if (line.wire == NULL && !line.constant) {
      lengthen(s, &line.from, TRUE);
    } else if (line.wire != NULL && !line.wire->bad && parse_wire(l, s, line.wire)) {
      lengthen_by_wire(l, s, line.wire);
    }
  }
}
