/* Blocks with a formula of their own: functions, whose further attributes are named inputs, and
 * implicit blocks, whose formula is also about unknowns.
 *
 * A reference of the formula is a named input, an unknown (of implicit), or a signal of the model;
 * the first two are numbered in the order of the formula, and what is a formula itself gets a
 * hidden function. A named input that the formula does not read is an error, since it is mostly a
 * misspelt one. */
#include "coupled/model_formula.h"
#include "coupled/written.h"
#include "language/block.h"
#include "language/circuits.h"
#include "language/hidden.h"
#include "language/schema.h"
#include <string.h>

static Item *named_item(const Plan *plan, const HyFile *f, const char *name)
{
  for (guint k = 0; k < plan->n; k++) {
    Item *i = &plan->item[k];
    if (i->role == R_NAMED && strcmp(hy_tree_name(f->tree, i->attribute->name), name) == 0) {
      return i;
    }
  }
  return NULL;
}

static Item *param_item(Entry *e, const char *name)
{
  for (guint k = 0; k < e->plan->n; k++) {
    Item *i = &e->plan->item[k];
    if (i->role == R_PARAM && strcmp(e->klass->params[i->index].name, name) == 0) {
      return i;
    }
  }
  return NULL;
}

/* An attribute that is neither parameter nor named in the formula is a misspelt one. */
static void unused_inputs(Env *env, const Entry *e, const HyFormula *written)
{
  for (guint k = 0; k < e->plan->n; k++) {
    const Item *i = &e->plan->item[k];
    const char *name =
        i->role == R_NAMED ? hy_tree_name(env->file->tree, i->attribute->name) : NULL;
    if (name != NULL &&
        !hy_formula_mentions(written, hy_formula_pool_name(env->loader->pool, name))) {
      Env at = *env;
      at.attribute = i->attribute;
      hy_problem(&at,
                 "%s has no input or parameter \"%s\"; it has: formula, and what the formula names",
                 e->klass->name, name);
    }
  }
}

/* What a formula is about beside its inputs: nothing, or the unknowns of an implicit block. */
typedef struct {
  const char **name; /* of the pool, ends with NULL; NULL: it is the block itself */
  guint n;
} Unknowns;

/* FALSE: reported. */
static gboolean read_unknowns(Env *env, Entry *e, Unknowns *u)
{
  *u = (Unknowns){.n = e->klass->formula == HY_FORMULA_OF_UNKNOWNS};
  const Item *i = param_item(e, "unknowns");
  if (u->n == 0 || i == NULL) {
    return TRUE;
  }
  env->attribute = i->attribute;
  g_auto(GStrv) word = g_strsplit(i->attribute->value, ",", -1);
  u->name = g_new0(const char *, g_strv_length(word) + 1);
  if (word[0] == NULL) {
    hy_problem(env, "unknowns=\"\" is no list of different names");
    return FALSE;
  }
  for (u->n = 0; word[u->n] != NULL; u->n++) {
    const char *name = hy_formula_pool_name(env->loader->pool, g_strstrip(word[u->n]));
    const Entry *other = hy_scope_find(env->scope, name);
    if (!hy_name_is_legal(name) || g_strv_contains(u->name, name)) {
      hy_problem(env, "unknowns=\"%s\" is no list of different names", i->attribute->value);
      return FALSE;
    }
    if (other != NULL && other != e) {
      hy_problem(env, "\"%s\" is the name of something else here; call the unknown otherwise",
                 name);
      return FALSE;
    }
    u->name[u->n] = name;
  }
  return TRUE;
}

/* The number of the unknown that REF names, from 1 on; 0: none. */
static guint unknown_of(const Unknowns *u, const Entry *e, const gint64 *at, const HyFormula *ref)
{
  for (guint k = 0; u->name != NULL && k < u->n; k++) {
    if (!ref->own && ref->ref.name == u->name[k]) {
      return k + 1;
    }
  }
  gboolean same = u->n == 1 && u->name == NULL && !ref->own && ref->ref.name == e->name &&
                  ref->n_index == e->n_index &&
                  (ref->ref.port == NULL || strcmp(ref->ref.port, "out") == 0);
  for (guint k = 0; same && k < e->n_index; k++) {
    same = ref->ref.at[k] == at[k];
  }
  return same;
}

/* PLACE[r] of each reference: k for the k-th input, -k for the k-th unknown. FALSE: reported. */
static gboolean find_places(Env *env, Entry *e, const gint64 *at, const HyFormula *folded,
                            const Unknowns *u, const HyFormulaRefs *refs, gint *place)
{
  g_autofree guint8 *named = g_new0(guint8, (gsize)u->n + 1);
  gint n_in = 0;
  if (u->n > 0 && folded->n != u->n) {
    hy_problem(env, "formula has %u part%s for %u unknown%s", folded->n, folded->n == 1 ? "" : "s",
               u->n, u->n == 1 ? "" : "s");
    return FALSE;
  }
  for (guint k = 0; k < refs->n; k++) {
    const HyFormula *ref = refs->ref[k];
    guint number = unknown_of(u, e, at, ref);
    place[k] = number > 0 ? -(gint)number : ++n_in;
    named[number] = 1;
    if (number > 0 && u->name != NULL && (ref->n_index > 0 || ref->ref.port != NULL)) {
      hy_problem(env, "\"%s\" is an unknown of this block; it has no index and no port",
                 ref->ref.name);
      return FALSE;
    }
  }
  for (guint k = 1; k <= u->n; k++) {
    if (!named[k]) {
      hy_problem(env, "formula does not name the unknown \"%s\"",
                 u->name != NULL ? u->name[k - 1] : e->name);
      return FALSE;
    }
  }
  return TRUE;
}

/* The lines into its inputs, in their order; those that need one have their hidden function first.
 */
static void take_places(Env *env, Entry *e, const gint64 *at, const HyFormulaRefs *refs,
                        const gint *place)
{
  const HyAttribute *formula = env->attribute;
  for (guint k = 0; k < refs->n; k++) {
    const HyFormula *ref = refs->ref[k];
    Item *i = ref->own ? NULL : named_item(e->plan, e->define->file, ref->ref.name);
    Line line = {.attribute = formula,
                 .file = env->file,
                 .to = {.component = PENDING_BLOCK, .number = (guint32)place[k] - 1}};
    env->attribute = i != NULL ? i->attribute : formula;
    if (place[k] < 0) {
      continue;
    }
    if (i == NULL) {
      hy_take_ref(env, ref, line);
    } else if (ref->n_index > 0 || ref->ref.port != NULL) {
      hy_problem(env, "\"%s\" is an input of this %s; it has no index and no port", ref->ref.name,
                 e->klass->name);
    } else {
      InputAt t = {.name = ref->ref.name, .to = line.to, .n = 1, .at = at};
      hy_take_item(env, i, &t);
    }
  }
  env->attribute = formula;
}

/* The block itself, of which the lines from FIRST on are. */
static guint32 place_formula(Env *env, Entry *e, const gint64 *at, const HyFormula *f,
                             const HyFormulaRefs *refs, const gint *place, guint n_in, guint n_out,
                             guint first)
{
  Scope *s = env->scope;
  guint32 component = hy_model_add(s->model, hy_text_of_copy(env->loader, e, at), e->klass);
  hy_model_set_array(s->model, component, n_in, n_out);
  GError *error = NULL;
  const HyExpression *formula = hy_model_formula(s->model, f, refs, place, env->attribute->value);
  hy_model_write(s->model, component, f, refs, place);
  if (!hy_model_set_formula(s->model, component, "formula", formula, &error)) {
    hy_model_problem(env, component, error);
  }
  hy_name_pending(s, first, component);
  return component;
}

/* Hidden functions of its named inputs first, then the block; HY_NO_COMPONENT: reported. */
static guint32 add_formula(Env *env, Entry *e, const gint64 *at, guint32 row, Item *formula,
                           const Unknowns *u)
{
  const HyFormula *f = hy_item_parse(env, formula, u->n > 0 ? HY_TEXT_LIST : HY_TEXT_EXPRESSION);
  if (f == NULL) {
    return HY_NO_COMPONENT;
  }
  unused_inputs(env, e, f);
  env->named = e->plan;
  env->unknown = u->name;
  const HyFormula *folded = hy_env_boundaries(env, hy_env_fold(env, f));
  env->named = NULL;
  env->unknown = NULL;
  if (folded == NULL) {
    return HY_NO_COMPONENT;
  }
  guint first = env->scope->lines->len, n_in = 0;
  folded = u->n == 0 ? hy_network_compare(env, folded, hy_text_of_copy(env->loader, e, at),
                                          env->attribute->value)
                     : folded;
  g_autoptr(HyFormulaRefs) refs = hy_formula_refs_new(folded);
  g_autofree gint *place = g_new(gint, (gsize)refs->n + 1);
  if (!find_places(env, e, at, folded, u, refs, place)) {
    return HY_NO_COMPONENT;
  }
  take_places(env, e, at, refs, place);
  for (guint k = 0; k < refs->n; k++) {
    n_in += place[k] > 0;
  }
  guint32 component = place_formula(env, e, at, folded, refs, place, n_in, u->n, first);
  hy_scope_add_row(env->scope, row);
  return component;
}

guint32 hy_formula_block(Loader *l, Scope *s, Entry *e, const gint64 *at, guint32 row)
{
  Item *formula = param_item(e, "formula");
  if (formula == NULL) {
    hy_entry_problem(l, s, e, at, "%s needs formula=\"...\"", e->klass->name);
    return HY_NO_COMPONENT;
  }
  Env env = hy_env(l, s, e, formula->attribute);
  hy_env_copy(&env, e, at);
  env.mode = MODE_SOURCE;
  Unknowns u;
  gboolean ok = read_unknowns(&env, e, &u);
  env.attribute = formula->attribute;
  guint32 component = ok ? add_formula(&env, e, at, row, formula, &u) : HY_NO_COMPONENT;
  g_free(u.name);
  return component;
}
