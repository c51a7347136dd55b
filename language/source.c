/* What an input takes: wires, constants, and hidden functions for formulas.
 *
 * Needs an item of a block's plan and the copy it is for. The text is a list of sources, each one
 * of
 *
 *   a reference   a line from that port, or from each element of "*"
 *   a number      a constant of the input: no block, no message
 *   a formula     a hidden function "v:in" before the block, whose inputs are the references in it
 *
 * Leaves Lines, and the hidden functions as components. */
#include "coupled/order.h"
#include "language/block.h"
#include "language/hidden.h"
#include <string.h>

/* Names ---------------------------------------------------------------------------------------- */

/* "u[3]" or "u[2,1]"; the loader's, until the next call. */
const char *hy_text_of_copy(Loader *l, const Entry *e, const gint64 *at)
{
  if (e->n_index == 0) {
    return e->name;
  }
  g_string_truncate(l->names, 0);
  hy_copy_name(e, at, l->names);
  return l->names->str;
}

/* "u[3]:in", "e:in[2]"; likewise. */
const char *hy_hidden_name(Loader *l, const Entry *e, const gint64 *at, const char *port,
                           guint element)
{
  g_string_truncate(l->names, 0);
  hy_copy_name(e, at, l->names);
  g_string_append_c(l->names, ':');
  g_string_append(l->names, port);
  if (element > 0) {
    g_string_append_printf(l->names, "[%u]", element);
  }
  return l->names->str;
}

/* Sources -------------------------------------------------------------------------------------- */

/* An event input takes no number: it has no event. */
static void take_constant(Env *env, const InputAt *t, Line line, double v)
{
  if (t->event) {
    hy_problem(env, "input \"%s\" takes events; a number is no event", t->name);
    return;
  }
  line.constant = TRUE;
  line.number = v;
  hy_keep_line(env->loader, env->scope, &line);
}

void hy_take_ref(Env *env, const HyFormula *ref, Line line)
{
  if (hy_env_end(env, ref, TRUE, &line.from)) {
    hy_keep_line(env->loader, env->scope, &line);
  }
}

/* Several sources at once are for event inputs only. */
static void take_items(Env *env, const InputAt *t, const HyFormula *items, Line line)
{
  if (!t->event && items->n > 1) {
    g_autofree char *text = hy_formula_text(items);
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    g_autofree char *sum = g_strjoinv(" + ", words);
    hy_problem(env, "input \"%s\" takes one signal; add them with a formula: %s=\"%s\"", t->name,
               t->name, sum);
    return;
  }
  for (guint32 k = 0; k < items->n; k++) {
    hy_take_ref(env, items->child[k], line);
  }
}

/* In equations x' = x is no mistake: the state feeds itself through a hidden function. So does a
 * coupled model; an atomic block that names itself was meant otherwise. */
static gboolean is_state(const Env *env, const Entry *e)
{
  return e == env->entry && hy_element(e->define->file->tree, e->element)->name == HY_W_STATE;
}

/* An unknown of a loop_breaker that is another of its unknowns, as in z's in="z.out[2], p": their
 * loop is that. */
static gboolean is_other_unknown(const Entry *e, const HyFormula *ref, guint element)
{
  gint64 index = ref->n_port_index > 0 ? ref->ref.at[ref->n_index] : 1;
  return e->klass != NULL && hy_breaks_loops(e->klass) && index != (gint64)element + 1;
}

/* The copy names itself and may: x' = x, a signal of a model that returns to it, as in
 * X="star[*].x" where each copy of star hears all, or another unknown. A function goes between. */
static gboolean is_itself(const Env *env, const InputAt *t, const HyFormula *ref, guint element)
{
  const Entry *e = env->entry;
  gboolean may = is_state(env, e) || is_other_unknown(e, ref, element) ||
                 (e->kind == E_BLOCK && e->klass == NULL && !t->event);
  gboolean same = may && !ref->own && ref->ref.name == e->name;
  for (guint k = 0; same && k < e->n_index; k++) {
    same = ref->ref.at[k] == t->at[k];
  }
  return same;
}

static Line line_to(const Env *env, const InputAt *t, guint element)
{
  Line line = {.attribute = env->attribute, .file = env->file, .to = t->to};
  if (t->to.entry != NULL) {
    line.to.port_index = t->array ? element + 1 : 0;
  } else {
    line.to.number += element;
  }
  return line;
}

/* One element of a source, after folding: a number, a line, several lines, or a formula. */
void hy_take_group(Env *env, const InputAt *t, const HyFormula *g, guint element)
{
  Line line = line_to(env, t, element);
  switch (g->kind) {
  case HY_F_NUMBER:
    take_constant(env, t, line, g->number);
    return;
  case HY_F_NOTHING:
    return;
  case HY_F_REF:
    if (is_itself(env, t, g, element)) {
      break;
    }
    hy_take_ref(env, g, line);
    return;
  case HY_F_ITEMS:
    take_items(env, t, g, line);
    return;
  default:
    break;
  }
  g_autofree char *name =
      g_strdup(hy_hidden_name(env->loader, env->entry, t->at, t->name, t->array ? element + 1 : 0));
  guint32 function = hy_function_add(env, g, name, env->attribute->value);
  line.from = (End){.component = function};
  hy_keep_line(env->loader, env->scope, &line);
}

/* One formula that becomes what it became before, but for the indices in it. FALSE: it has to be
 * folded, and *AGAIN is where what comes of that is to be remembered, if anywhere. */
static gboolean take_again(Env *env, const InputAt *t, const HyFormula *f, Again **again)
{
  *again = hy_again_find(env, f);
  if (*again == NULL || !hy_again_holds(env, *again)) {
    return FALSE;
  }
  Line line = line_to(env, t, 0);
  const char *name = hy_hidden_name(env->loader, env->entry, t->at, t->name, t->array ? 1 : 0);
  line.from = (End){.component = hy_again_add(env, *again, name)};
  hy_keep_line(env->loader, env->scope, &line);
  return TRUE;
}

/* The elements found; lines and functions are made. */
static guint take_source(Env *env, const InputAt *t, const HyFormula *f)
{
  if (take_again(env, t, f, &env->again)) {
    env->again = NULL;
    return 1;
  }
  const HyFormula *folded = hy_env_boundaries(env, hy_env_fold(env, f));
  if (folded == NULL) {
    env->again = NULL;
    return 0;
  }
  if ((!t->array && folded->n != 1) || (t->counted && folded->n > t->n)) {
    hy_problem(env, "%s=\"%s\" is a list of %u, %s takes %u", t->name, env->attribute->value,
               folded->n, t->name, t->array ? t->n : 1);
    return folded->n;
  }
  for (guint32 k = 0; k < folded->n; k++) {
    hy_take_group(env, t, folded->child[k], k);
  }
  env->again = NULL;
  return folded->n;
}

/* What an attribute of a block asks for; returns the elements found. Plain names are taken without
 * making a formula of them. */
guint hy_take_item(Env *env, Item *i, const InputAt *t)
{
  if (i->direct != NULL && !i->direct->bad && (env->named == NULL) && !is_state(env, i->direct) &&
      (i->direct->kind == E_IN || (i->direct->klass != NULL && i->direct->klass->out != NULL))) {
    Line line = {
        .attribute = i->attribute, .file = env->file, .to = t->to, .from = {.entry = i->direct}};
    if (t->array && t->to.entry != NULL) {
      line.to.port_index = 1;
    }
    hy_keep_line(env->loader, env->scope, &line);
    return 1;
  }
  End plain;
  if (env->named == NULL && !i->parsed && !t->array &&
      hy_plain_end(env, i->attribute->value, TRUE, &plain) && !is_state(env, plain.entry)) {
    Line line = {.attribute = i->attribute, .file = env->file, .to = t->to, .from = plain};
    hy_keep_line(env->loader, env->scope, &line);
    return 1;
  }
  const HyFormula *f = hy_item_parse(env, i, HY_TEXT_SOURCE);
  return f != NULL ? take_source(env, t, f) : 0;
}
