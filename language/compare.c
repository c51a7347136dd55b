/* What is compared in a circuit: a mode that readings decide is looked at when the last of them has
 * come, not the first. So the difference of the sides is a function by itself, which has its place
 * behind all that it reads, and the comparison has one input. */
#include "language/circuits.h"
#include "language/hidden.h"
#include "language/names.h"
#include "language/network.h"

#include <string.h>

typedef struct {
  Env *env;
  const char *name, *text; /* of the function that it stands in */
  guint n;                 /* differences that it has */
} Compare;

/* What REF names changes when a mode of the circuit does. */
static gboolean compare_turns(const Env *env, const HyFormula *ref)
{
  guint32 copy;
  const Entry *e = ref->own ? NULL : hy_scope_find_ref(env->scope, ref);
  if (hy_reading_of(env, ref, &copy) != NULL) {
    return TRUE;
  }
  gboolean nested = env->scope->in_network[0] != '\0';
  return e != NULL && (e->kind == E_IN      ? nested
                       : e->kind != E_BLOCK ? FALSE
                       : e->klass != NULL   ? e->klass->formula == HY_FORMULA_OF_INPUTS
                                            : e->inside != NULL && e->inside->is_circuit);
}

static gboolean compare_is_named(const Env *env, const Entry *e, const HyFormula *ref)
{
  const HyTree *tree = e->define->file->tree;
  gboolean any = FALSE;
  for (guint k = 0; e->plan != NULL && k < e->plan->n; k++) {
    const Item *i = &e->plan->item[k];
    any |= i->role == R_NAMED && strcmp(hy_tree_name(tree, i->attribute->name), ref->ref.name) == 0;
  }
  return any && env->entry == e;
}

/* Two signals or more, one of which may change with modes; inputs of the function itself are known
 * only there. */
static gboolean compare_apart(const Env *env, const HyFormula *f)
{
  g_autoptr(HyFormulaRefs) refs = hy_formula_refs_new(f);
  gboolean turns = FALSE;
  for (guint k = 0; k < refs->n; k++) {
    turns |= compare_turns(env, refs->ref[k]);
    if (compare_is_named(env, env->entry, refs->ref[k])) {
      return FALSE;
    }
  }
  return turns && refs->n > 1;
}

static const HyFormula *compare_difference(Compare *c, const HyFormula *f)
{
  HyFormulaPool *pool = c->env->loader->scratch;
  Network *n = c->env->scope->network;
  g_autofree char *what = g_strdup_printf("%sz%u", strchr(c->name, ':') != NULL ? "" : ":", ++c->n);
  Scope *s = c->env->scope;
  g_autofree char *local = g_strconcat(c->name, what, NULL);
  const char *name = hy_network_signal(n, s->in_network, local);
  const HyFormula *z = hy_formula_chain(pool, HY_F_SUM, f->child, "+-", 2);
  hy_network_made(n, name, s, hy_function_add(c->env, z, local, c->text), 0);
  return hy_formula_compare(pool, hy_formula_ref(pool, name), f->ops[1],
                            hy_formula_number(pool, 0.0));
}

static const HyFormula *compare_in(Compare *c, const HyFormula *f)
{
  if (f->kind == HY_F_NUMBER || f->kind == HY_F_REF || f->kind == HY_F_NOTHING) {
    return f;
  }
  g_autofree const HyFormula **child = g_new(const HyFormula *, f->n);
  for (guint32 k = 0; k < f->n; k++) {
    child[k] = compare_in(c, f->child[k]);
  }
  f = hy_formula_like(c->env->loader->scratch, f, child);
  return f->kind == HY_F_COMPARE && compare_apart(c->env, f) ? compare_difference(c, f) : f;
}

const HyFormula *hy_network_compare(Env *env, const HyFormula *f, const char *name,
                                    const char *text)
{
  Compare c = {.env = env, .name = name, .text = text};
  return env->scope->network != NULL ? compare_in(&c, f) : f;
}
