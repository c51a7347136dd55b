/* What a formula reads of its own circuit at once: readings that are no states, also by way of
 * functions of the circuit, whose formulas are put in place of their names, and of ports between
 * circuits of one network.
 *
 * What only decides a mode (a comparison, a condition) is not read at once: modes have memory. So
 * min, max, abs and limit of readings become choices, which are affine where their sides are. */
#include "coupled/model_internal.h"
#include "language/circuits.h"
#include "language/names.h"
#include "language/network.h"

#include <string.h>

#define MOST_OPENED 1000 /* functions in one value, each as often as it stands there */
#define MOST_DEPTH  16   /* of functions that read others */
#define MOST_SIDES  4    /* of min and max */

const Entry *hy_reading_of(const Env *env, const HyFormula *ref, guint32 *copy)
{
  const Entry *e = ref->own ? NULL : hy_scope_find_ref(env->scope, ref);
  if (e == NULL || !hy_is_element(e) || ref->ref.port == NULL) {
    return NULL;
  }
  char port = ref->ref.port[0];
  if (!hy_is_node(e)) {
    HyElementKind kind = hy_element_kind(e->klass);
    gboolean state = (kind == HY_CAPACITOR && port == 'v') || (kind == HY_INDUCTOR && port == 'i');
    if (state || port == 'o') {
      return NULL;
    }
  }
  *copy = hy_which_copy(env, e, ref, ref->ref.at, NULL);
  return *copy < COPY_AFTER ? e : NULL;
}

static gboolean is_call_of(const HyFormula *f, const char *name)
{
  return f->kind == HY_F_CALL && strcmp(hy_ops[f->function].name, name) == 0;
}

const HyFormula *hy_behind(const Env *env, const HyFormula *ref, Env *out)
{
  Network *n = env->scope->network;
  if (n == NULL || n->ports == 0 || n->depth == HY_MOST_PORT_DEPTH) {
    return NULL;
  }
  const HyFormula *f = hy_network_through(n, env, ref, out);
  if (f == NULL) {
    return NULL;
  }
  n->ports--;
  n->depth++;
  return hy_readings_open(out, f);
}

void hy_behind_done(const Env *env)
{
  env->scope->network->depth--;
}

static gboolean ref_reads(const Env *env, const HyFormula *ref)
{
  guint32 copy;
  if (hy_reading_of(env, ref, &copy) != NULL) {
    return TRUE;
  }
  Env there;
  const HyFormula *f = hy_behind(env, ref, &there);
  gboolean reads = f != NULL && hy_reads_at_once(&there, f);
  if (f != NULL) {
    hy_behind_done(env);
  }
  return reads;
}

gboolean hy_reads_at_once(const Env *env, const HyFormula *f)
{
  switch (f->kind) {
  case HY_F_REF:
    return ref_reads(env, f);
  case HY_F_NUMBER:
  case HY_F_NOTHING:
  case HY_F_COMPARE:
  case HY_F_NOT:
  case HY_F_AND:
  case HY_F_OR:
    return FALSE;
  default:
    break;
  }
  gboolean any = FALSE;
  for (guint32 k = hy_formula_is_if(f); !is_call_of(f, "sign") && k < f->n; k++) {
    any |= hy_reads_at_once(env, f->child[k]);
  }
  return any;
}

/* Functions ------------------------------------------------------------------------------------ */

typedef struct {
  Env *env;
  HyFormulaPool *pool;
  guint opened, depth;
} Opening;

static const HyFormula *open_formula(Opening *o, const HyFormula *f);

static Item *item_called(const Entry *e, const Plan *plan, const char *name)
{
  for (guint k = 0; k < plan->n; k++) {
    Item *i = &plan->item[k];
    if (strcmp(hy_tree_name(e->define->file->tree, i->attribute->name), name) == 0) {
      return i;
    }
  }
  return NULL;
}

/* Folded; NULL: it is wrong, which is said where the function is made. */
static const HyFormula *open_fold(Env *env, const HyFormula *f)
{
  HyFormulaScope scope = hy_env_scope;
  scope.user = env;
  return f != NULL ? hy_formula_fold(env->loader->scratch, f, &scope, NULL) : NULL;
}

/* F, a formula of function E, with what its own attributes say in place of their names. NULL: one
 * of them is no single formula. */
static const HyFormula *open_named(Env *env, const Entry *e, const Plan *plan, const HyFormula *f)
{
  if (f->kind == HY_F_REF) {
    Item *i = f->own ? NULL : item_called(e, plan, f->ref.name);
    if (i == NULL || i->role != R_NAMED) {
      return f;
    }
    Env at = *env;
    at.attribute = i->attribute;
    const HyFormula *list = hy_item_parse(&at, i, HY_TEXT_SOURCE);
    list = open_fold(&at, list);
    gboolean one = list != NULL && list->n == 1 && list->child[0]->kind != HY_F_NOTHING &&
                   list->child[0]->kind != HY_F_ITEMS;
    return one ? list->child[0] : NULL;
  }
  if (f->kind == HY_F_NUMBER || f->kind == HY_F_NOTHING) {
    return f;
  }
  g_autofree const HyFormula **child = g_new(const HyFormula *, f->n);
  for (guint32 k = 0; k < f->n; k++) {
    child[k] = open_named(env, e, plan, f->child[k]);
    if (child[k] == NULL) {
      return NULL;
    }
  }
  return hy_formula_like(env->loader->scratch, f, child);
}

/* The formula of a copy of function E; NULL: it is not one formula, or wrong. */
static const HyFormula *function_body(const Opening *o, Entry *e, const gint64 *at)
{
  Loader *l = o->env->loader;
  const Plan *plan = hy_entry_plan(l, e);
  Item *i = item_called(e, plan, "formula");
  if (i == NULL || i->role != R_PARAM) {
    return NULL;
  }
  Env env = hy_env(l, o->env->scope, e, i->attribute);
  hy_env_copy(&env, e, at);
  env.mode = MODE_SOURCE;
  const HyFormula *f = hy_item_parse(&env, i, HY_TEXT_EXPRESSION);
  env.named = plan;
  f = open_fold(&env, f);
  env.named = NULL;
  return f != NULL ? open_named(&env, e, plan, f) : NULL;
}

/* What stands in place of REF: the formula of a function that reads the circuit at once. */
static const HyFormula *open_ref(Opening *o, const HyFormula *ref)
{
  Entry *e = ref->own ? NULL : hy_scope_find_ref(o->env->scope, ref);
  gboolean function = e != NULL && e->kind == E_BLOCK && !e->bad && e->klass != NULL &&
                      e->klass->formula == HY_FORMULA_OF_INPUTS && e->n_index == ref->n_index;
  if (!function || o->depth == MOST_DEPTH || o->opened == MOST_OPENED ||
      hy_which_copy(o->env, e, ref, ref->ref.at, NULL) >= COPY_AFTER) {
    return ref;
  }
  o->opened++;
  o->depth++;
  const HyFormula *body = function_body(o, e, ref->ref.at);
  body = body != NULL ? open_formula(o, body) : NULL;
  o->depth--;
  return body != NULL && hy_reads_at_once(o->env, body) ? body : ref;
}

/* Choices -------------------------------------------------------------------------------------- */

/* a < b ? yes : no */
static const HyFormula *choice(const Opening *o, const HyFormula *a, const HyFormula *b,
                               const HyFormula *yes, const HyFormula *no)
{
  return hy_formula_choose(o->pool, hy_formula_compare(o->pool, a, '<', b), yes, no);
}

/* min, max, abs and limit as choices; other calls as they are. */
static const HyFormula *open_call(const Opening *o, const HyFormula *f)
{
  const HyFormula *a = f->child[0], *zero = hy_formula_number(o->pool, 0.0);
  gboolean least = is_call_of(f, "min");
  if (is_call_of(f, "abs")) {
    return choice(o, a, zero, hy_formula_negative(o->pool, a), a);
  }
  if (is_call_of(f, "limit")) {
    const HyFormula *lo = f->child[1], *hi = f->child[2];
    return choice(o, a, lo, lo, choice(o, hi, a, hi, a));
  }
  if ((!least && !is_call_of(f, "max")) || f->n > MOST_SIDES) {
    return f;
  }
  for (guint32 k = 1; k < f->n; k++) {
    const HyFormula *b = f->child[k];
    a = least ? choice(o, b, a, b, a) : choice(o, a, b, b, a);
  }
  return a;
}

static const HyFormula *open_formula(Opening *o, const HyFormula *f)
{
  if (f->kind == HY_F_REF) {
    return open_ref(o, f);
  }
  if (f->kind == HY_F_NUMBER || f->kind == HY_F_NOTHING || f->kind == HY_F_COMPARE ||
      f->kind == HY_F_NOT || f->kind == HY_F_AND || f->kind == HY_F_OR) {
    return f;
  }
  g_autofree const HyFormula **child = g_new(const HyFormula *, f->n);
  for (guint32 k = 0; k < f->n; k++) {
    child[k] = open_formula(o, f->child[k]);
  }
  const HyFormula *opened = hy_formula_like(o->pool, f, child);
  return f->kind == HY_F_CALL && hy_reads_at_once(o->env, opened) ? open_call(o, opened) : opened;
}

const HyFormula *hy_readings_open(Env *env, const HyFormula *f)
{
  Opening o = {.env = env, .pool = env->loader->scratch};
  return open_formula(&o, f);
}
