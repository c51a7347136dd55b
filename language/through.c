/* What stands behind the ports between circuits of one network: behind an input port of a circuit
 * in another one what its block says there, behind an output port what its from= says inside. So a
 * source that reads its own network by way of a port is solved for, and the slope of one is known
 * that follows a ramp by such a way. */
#include "language/env.h"
#include "language/names.h"
#include "language/network.h"
#include <string.h>

/* Element NUMBER of what TEXT says, which PARSED has, in ENV; NULL: it is no single formula. */
static const HyFormula *element_of(Env *env, const HyFormula *parsed, guint number, guint n)
{
  const HyFormula *f = parsed != NULL ? hy_env_fold(env, parsed) : NULL;
  if (f == NULL) {
    return NULL;
  }
  guint at = f->n == n ? number : 0;
  gboolean one = (f->n == n || f->n == 1) && at < f->n && f->child[at]->kind != HY_F_ITEMS &&
                 f->child[at]->kind != HY_F_NOTHING;
  return one ? f->child[at] : NULL;
}

/* Behind input port E of circuit S what the block of S says. */
static const HyFormula *through_input(Network *n, Scope *s, const Entry *e, guint number, Env *out)
{
  Item *given = NULL;
  for (guint k = 0; k < s->entry->plan->n; k++) {
    Item *i = &s->entry->plan->item[k];
    given = i->role == R_CHILD_IN && i->child == e ? i : given;
  }
  const SetGroup *g;
  g_autoptr(GPtrArray) sets = hy_sets_of_copy(s->parent, s->entry, s->at);
  if (given == NULL || hy_overridden(sets, e->name, &g) != NULL) {
    return NULL;
  }
  *out = hy_env(n->loader, s->parent, s->entry, given->attribute);
  hy_env_copy(out, s->entry, s->at);
  out->mode = MODE_SOURCE;
  return element_of(out, hy_item_parse(out, given, HY_TEXT_SOURCE), number, s->in[e->slot].n);
}

/* Behind the output of circuit E that REF names what its from= says. */
static const HyFormula *through_output(Network *n, const Env *env, const Entry *e,
                                       const HyFormula *ref, Env *out)
{
  guint32 copy = hy_which_copy(env, e, ref, ref->ref.at, NULL);
  Scope *s = copy < COPY_AFTER ? env->scope->copies[e->slot].child[copy] : NULL;
  const GPtrArray *ports = e->inside->out;
  Entry *p = ref->ref.port != NULL ? g_hash_table_lookup(e->inside->outs, ref->ref.port)
             : ports->len > 0      ? g_ptr_array_index(ports, 0)
                                   : NULL;
  if (s == NULL || s->network != n || p == NULL || p->bad || p->value == NULL) {
    return NULL;
  }
  gint64 at[HY_MAX_INDICES] = {ref->n_port_index > 0 ? ref->ref.at[ref->n_index] : 1};
  if (at[0] < 1 || at[0] > s->out[p->slot].n) {
    return NULL;
  }
  *out = hy_env(n->loader, s, p, p->value);
  hy_env_copy(out, p, at);
  out->mode = MODE_SOURCE;
  if (p->f.value == NULL) {
    p->f.value = hy_env_parse(out, HY_TEXT_SOURCE, p->value->value);
  }
  return element_of(out, p->f.value, (guint)at[0] - 1, s->out[p->slot].n);
}

const HyFormula *hy_network_through(Network *n, const Env *env, const HyFormula *ref, Env *out)
{
  const Entry *e = ref->own ? NULL : hy_scope_find_ref(env->scope, ref);
  if (e == NULL || e->bad) {
    return NULL;
  }
  if (e->kind == E_IN) {
    guint number = ref->n_index == 1 ? (guint)ref->ref.at[0] - 1 : 0;
    return env->scope != n->scope ? through_input(n, env->scope, e, number, out) : NULL;
  }
  gboolean circuit = e->kind == E_BLOCK && e->inside != NULL && e->inside->is_circuit;
  return circuit ? through_output(n, env, e, ref, out) : NULL;
}
