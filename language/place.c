/* Which blocks exist in a scope and how often; for coupled ones the scopes of their copies, with
 * values of their parameters and their ports, so that everything in the scope can then refer to
 * them.
 *
 * Needs the values of the scope (params.c). For each block: `count` is a number or up to three of
 * them; `if` leaves the block out, or single copies where it names an index. Leaves the Copies of
 * each, by number, the last index fastest. Limits on blocks and on types inside themselves are
 * kept here, before anything large is made. */
#include "hydevs/trace.h"
#include "language/checks.h"
#include "language/circuits.h"
#include "language/network.h"
#include "language/numerics.h"
#include <string.h>

/* An instance of D in PARENT, as copy AT of ENTRY. Values are computed when asked for; models,
 * ports and copies come later. */
Scope *hy_scope_new(Loader *l, Define *d, Scope *parent, const Entry *entry, const gint64 *at)
{
  Scope *s = g_new0(Scope, 1);
  s->define = d;
  s->parent = parent;
  s->around = d->around != NULL ? parent : NULL;
  s->entry = entry;
  s->depth = parent != NULL ? parent->depth + 1 : 1;
  s->numerics = parent != NULL ? parent->numerics : 0;
  for (guint k = 0; entry != NULL && k < entry->n_index; k++) {
    s->at[k] = at[k];
  }
  s->values = d->values->len > 0 ? g_new0(Value, d->values->len) : NULL;
  s->number = l->scopes->len;
  d->used = TRUE;
  g_ptr_array_add(l->scopes, s);
  return s;
}

/* One number of a count. */
static gboolean whole_count(Env *env, const HyFormula *f, guint32 *n)
{
  gint64 whole;
  gboolean ok = hy_env_count(env, f, &whole);
  *n = ok ? (guint32)MIN(whole, (gint64)G_MAXUINT32) : 0;
  return ok;
}

/* Ports --------------------------------------------------------------------------------------- */

/* Whether the `if` of a port holds in S; TRUE where it has none. */
static gboolean port_is_there(Loader *l, Scope *s, Entry *e)
{
  Env env = hy_env(l, s, e, e->cond);
  env.what = "if=";
  if (e->cond == NULL) {
    return TRUE;
  }
  if (e->f.cond == NULL && !e->bad) {
    e->f.cond = hy_env_parse(&env, HY_TEXT_EXPRESSION, e->cond->value);
    e->bad = e->f.cond == NULL;
  }
  double yes = 0;
  return !e->bad && hy_env_number(&env, e->f.cond, &yes) && yes != 0;
}

/* How many elements each port has, and the number of its first; returns their sum. */
static guint port_ranges(Loader *l, Scope *s, const GPtrArray *ports, PortRange *range)
{
  guint n = 0;
  for (guint k = 0; k < ports->len; k++) {
    Entry *e = g_ptr_array_index(ports, k);
    guint32 count = !e->bad && port_is_there(l, s, e) ? 1 : 0;
    if (count > 0 && e->count != NULL) {
      Env env = hy_env(l, s, e, e->count);
      env.what = "count=";
      if (!whole_count(&env, e->f.count->child[0], &count) || l->stopped) {
        count = 0;
      }
      if (count > l->options.max_blocks) {
        hy_problem(&env, "%u ports; the limit is %" G_GUINT64_FORMAT " (--max-blocks)", count,
                   l->options.max_blocks);
        count = 0;
      }
    }
    range[k] = (PortRange){n, count};
    n += count;
  }
  return n;
}

/* How many ports the instance has: its parameters are known, its blocks are not. */
void hy_scope_prepare(Loader *l, Scope *s)
{
  const Define *d = s->define;
  s->in = d->in->len > 0 ? g_new0(PortRange, d->in->len) : NULL;
  s->out = d->out->len > 0 ? g_new0(PortRange, d->out->len) : NULL;
  s->n_in = port_ranges(l, s, d->in, s->in);
  s->n_out = port_ranges(l, s, d->out, s->out);
  s->in_state = s->n_in > 0 ? g_new0(guint8, s->n_in) : NULL;
  s->in_const = NULL;
}

/* Copies -------------------------------------------------------------------------------------- */

void hy_copy_indices(const Entry *e, const Copies *c, guint32 number, gint64 *at)
{
  for (guint k = e->n_index; k-- > 0;) {
    at[k] = number % c->extent[k] + 1;
    number /= c->extent[k];
  }
}

/* Whether a formula reads an index of E, so that its value differs from copy to copy. */
static gboolean names_index(const HyFormula *f, const Entry *e, guint depth)
{
  if (f->kind == HY_F_REF) {
    for (guint k = 0; k < e->n_index; k++) {
      if (f->ref.name == e->index[k]) {
        return TRUE;
      }
    }
    for (guint k = 0; f->ref.index != NULL && depth > 0 && k < f->n_index; k++) {
      if (f->ref.index[k].lo != NULL && names_index(f->ref.index[k].lo, e, depth - 1)) {
        return TRUE;
      }
    }
    return FALSE;
  }
  if (f->kind == HY_F_NUMBER || f->kind == HY_F_NOTHING) {
    return FALSE;
  }
  for (guint32 k = 0; k < f->n; k++) {
    if (depth == 0 || names_index(f->child[k], e, depth - 1)) {
      return TRUE;
    }
  }
  return FALSE;
}

/* The `if` of a block: for all copies, or in ENV for one. */
static gboolean holds(Env *env, const Entry *e, gboolean *yes)
{
  double v;
  env->attribute = e->cond;
  env->what = "if=";
  if (!hy_env_number(env, e->f.cond, &v)) {
    return FALSE;
  }
  *yes = v != 0;
  return TRUE;
}

static gboolean count_copies(Loader *l, Scope *s, Entry *e, Copies *c)
{
  Env env = hy_env(l, s, e, e->cond);
  gboolean yes = TRUE;
  if (e->cond != NULL) {
    if (e->f.cond == NULL) {
      e->f.cond = hy_env_parse(&env, HY_TEXT_EXPRESSION, e->cond->value);
      e->bad = e->f.cond == NULL;
      e->cond_indexed = e->f.cond != NULL && names_index(e->f.cond, e, HY_FOLDED_DEPTH);
    }
    if (e->bad || (!e->cond_indexed && !holds(&env, e, &yes))) {
      return FALSE;
    }
  }
  c->n = yes ? 1 : 0;
  if (e->count == NULL || !yes) {
    return TRUE;
  }
  env.attribute = e->count;
  env.what = "count=";
  guint64 total = 1;
  for (guint k = 0; k < e->n_index; k++) {
    if (!whole_count(&env, e->f.count->child[k], &c->extent[k])) {
      return FALSE;
    }
    total = MIN(total, G_MAXUINT32) *
            c->extent[k]; /* cannot overflow, and is above every limit if cut */
  }
  if (total > l->options.max_blocks || l->n_blocks + total > l->options.max_blocks) {
    hy_problem(&env,
               "count=\"%s\" would make %" G_GUINT64_FORMAT
               " blocks; the limit is %" G_GUINT64_FORMAT " (--max-blocks)",
               e->count->value, MAX(total, 1), l->options.max_blocks);
    l->stopped = TRUE;
    return FALSE;
  }
  c->n = (guint32)total;
  return TRUE;
}

void hy_too_many_blocks(Loader *l, const Scope *s, const Entry *e)
{
  hy_entry_problem(l, s, e, NULL,
                   "more than %" G_GUINT64_FORMAT
                   " blocks, a coupled model counted as %u; this is the limit (--max-blocks)",
                   l->options.max_blocks, HY_COUPLED_WEIGHT);
  l->stopped = TRUE;
}

static gboolean within_limits(Loader *l, Scope *s, Entry *e, const Copies *c)
{
  if (e->inside != NULL && c->n > 0 && s->depth >= l->options.max_recursion) {
    hy_entry_problem(l, NULL, e, NULL,
                     "\"%s\" stands inside itself more than %u deep; is there an if that ends it?",
                     e->inside->name, l->options.max_recursion);
    l->stopped = TRUE;
    return FALSE;
  }
  /* By what they take of the machine: a coupled model, or an element of a circuit, as much as
   * HY_COUPLED_WEIGHT atomic ones. */
  l->n_blocks += e->inside != NULL || hy_is_element(e) ? (guint64)c->n * HY_COUPLED_WEIGHT : c->n;
  if (l->n_blocks > l->options.max_blocks) {
    hy_too_many_blocks(l, s, e);
    return FALSE;
  }
  return TRUE;
}

/* What is done with a value from the place of use. FALSE: reported. */
typedef gboolean (*Given)(Env *env, Scope *child, Item *i, Value *value);

/* Numbers are parsed once for all copies; texts and the words true and false are not formulas. */
static gboolean take_given(Env *env, Scope *child, Item *i, Value *value)
{
  const char *text = i->attribute->value;
  gboolean formula =
      i->child->value_kind < KIND_TEXT && strcmp(text, "true") != 0 && strcmp(text, "false") != 0;
  if (formula && hy_item_parse(env, i, HY_TEXT_LIST) == NULL) {
    return FALSE;
  }
  hy_unit_of_param(env, i->attribute, i->child->unit, i->child->name);
  return hy_value_take(env, child, i->child, text, i->formula, value);
}

static gboolean check_given(Env *env, Scope *child, Item *i, Value *value)
{
  return value->state == V_BAD || hy_value_check(env, child, i->child, value);
}

/* ARRAYS or the others. */
static void each_given(Loader *l, Scope *s, Entry *e, Scope *child, const gint64 *at,
                       gboolean arrays, Given given)
{
  const Plan *plan = hy_entry_plan(l, e);
  for (guint k = 0; k < plan->n && plan->item[k].role == R_CHILD_PARAM; k++) {
    Item *i = &plan->item[k];
    if ((i->child->count != NULL) != arrays) {
      continue;
    }
    Env env = hy_env(l, s, e, i->attribute);
    hy_env_copy(&env, e, at);
    env.what = hy_tree_name(env.file->tree, i->attribute->name);
    Value *value = &child->values[i->child->slot];
    if (!given(&env, child, i, value)) {
      hy_value_spoil(value);
    }
  }
}

/* Values that the place of use gives to the parameters of a coupled block. Bounds may be other
 * parameters, and so may counts. */
static void give_values(Loader *l, Scope *s, Entry *e, Scope *child, const gint64 *at)
{
  for (gboolean arrays = FALSE; arrays <= TRUE; arrays++) {
    each_given(l, s, e, child, at, arrays, take_given);
    each_given(l, s, e, child, at, arrays, check_given);
  }
}

/* Lengths ------------------------------------------------------------------------------------- */

/* Of <in name="u" count="N"/> the N, if it is a parameter without a value. */
Entry *hy_length_of(const Entry *array)
{
  gboolean counted = array->count != NULL && !array->bad && array->kind != E_LET;
  const HyFormula *f = counted && array->f.count != NULL ? array->f.count->child[0] : NULL;
  if (f == NULL || f->kind != HY_F_REF || f->own || f->ref.port != NULL || f->n_index > 0) {
    return NULL;
  }
  Entry *n = g_hash_table_lookup(array->define->inner, f->ref.name);
  return n != NULL && n->kind == E_PARAM && n->value == NULL && !n->bad ? n : NULL;
}

/* What of D may be given a list, from 0 on: input ports, then parameters; NULL behind the last. */
static const Entry *array_of(const Define *d, guint k)
{
  guint ports = d->in->len;
  return k < ports                    ? g_ptr_array_index(d->in, k)
         : k - ports < d->values->len ? g_ptr_array_index(d->values, k - ports)
                                      : NULL;
}

const Entry *hy_measures(const Define *d, const Entry *param)
{
  const Entry *array;
  for (guint k = 0; (array = array_of(d, k)) != NULL; k++) {
    if (hy_length_of(array) == param) {
      return array;
    }
  }
  return NULL;
}

/* The item of E's plan that gives CHILD a source or value; NULL: none does. */
static Item *item_for(const Plan *plan, const Entry *child)
{
  guint k = 0;
  while (k < plan->n && plan->item[k].child != child) {
    k++;
  }
  return k < plan->n ? &plan->item[k] : NULL;
}

/* Whether lengths are to be found from what stands at E: then blocks that it names come first. */
static gboolean wants_lengths(Loader *l, Entry *e)
{
  if (e->bad || (e->open_type && e->type == NULL) || hy_is_node(e) || !hy_entry_type(l, e) ||
      e->inside == NULL) {
    return FALSE;
  }
  for (guint k = 0; k < e->inside->in->len; k++) {
    const Entry *port = g_ptr_array_index(e->inside->in, k), *n = hy_length_of(port);
    if (n != NULL && item_for(hy_entry_plan(l, e), n) == NULL) {
      return TRUE;
    }
  }
  return FALSE;
}

/* How long the list at I is. FALSE: reported. */
static gboolean list_length(Env *env, Item *i, guint *n)
{
  Mode mode = env->mode;
  gboolean param = i->child->kind == E_PARAM;
  env->mode = param ? mode : MODE_SOURCE;
  const HyFormula *f = hy_item_parse(env, i, param ? HY_TEXT_LIST : HY_TEXT_SOURCE);
  const HyFormula *folded = f != NULL ? hy_env_fold(env, f) : NULL;
  env->mode = mode;
  *n = folded != NULL ? folded->n : 0;
  return folded != NULL;
}

/* Of several with one length the first that is given has it, ports before parameters. */
static void find_lengths(Loader *l, Scope *s, Entry *e, Scope *child, const gint64 *at)
{
  const Plan *plan = hy_entry_plan(l, e);
  const Entry *array;
  for (guint k = 0; (array = array_of(e->inside, k)) != NULL; k++) {
    const Entry *n = hy_length_of(array);
    Item *i = n != NULL && item_for(plan, n) == NULL ? item_for(plan, array) : NULL;
    if (i == NULL || child->values[n->slot].state != V_NOT_YET) {
      continue;
    }
    Env env = hy_env(l, s, e, i->attribute);
    hy_env_copy(&env, e, at);
    env.what = hy_tree_name(env.file->tree, i->attribute->name);
    guint length;
    Value *value = &child->values[n->slot];
    *value = (Value){.state = V_BAD};
    if (list_length(&env, i, &length)) {
      *value = (Value){.state = V_DONE, .shape = V_NUMBER, .number = length};
      value->state = hy_value_check(&env, child, n, value) ? V_DONE : V_BAD;
    }
  }
}

/* A <set block="..."> that meets the copy: parameters of a coupled block and numerics. */
static void set_coupled(Loader *l, Entry *e, Scope *child, SetGroup *g)
{
  g->matches++;
  for (guint k = 0; k < g->items->len; k++) {
    const SetItem *item = &g_array_index(g->items, SetItem, k);
    Env env;
    HyFile from;
    hy_set_env(l, g, item, &env, &from);
    if (item->word >= HY_W_METHOD && item->word <= HY_W_HSTEP) {
      child->numerics =
          hy_numerics_set(l, child->numerics, &env, item->word, item->text, hy_group(l, g, NULL));
      continue;
    }
    if (item->word == HY_W_PRIORITY) {
      continue; /* when its component is made */
    }
    Entry *p = hy_define_param(e->inside, item->name);
    if (p == NULL || p->kind != E_PARAM) {
      hy_problem(&env, "%s \"%s\" has no parameter \"%s\" that can be set", e->inside->name,
                 e->name, item->name);
      continue;
    }
    Value *value = &child->values[p->slot];
    hy_value_spoil(value); /* what the place of use gave */
    if (!hy_value_read(&env, p, item->text, NULL, value) ||
        !hy_value_check(&env, child, p, value)) {
      hy_value_spoil(value);
    }
  }
}

static void place_coupled(Loader *l, Scope *s, Entry *e, Copies *c, guint32 number,
                          const gint64 *at)
{
  Scope *child = hy_scope_new(l, e->inside, s, e, at);
  if (c->child != NULL) {
    c->child[number] = child;
  }
  find_lengths(l, s, e, child, at);
  give_values(l, s, e, child, at);
  const HyFile *f = e->inside->file;
  const HyElement *x = hy_element(f->tree, e->inside->element);
  if (e->inside->around == NULL) { /* what the type itself, or the root of a file, states */
    Env env = hy_env(l, child, NULL, NULL);
    child->numerics =
        hy_numerics_state(l, child->numerics, &env, x, hy_group(l, child, x), !e->inside->is_type);
  }
  if (e->plan->numerics) {
    Env env = hy_env(l, s, e, NULL);
    hy_env_copy(&env, e, at);
    child->numerics =
        hy_numerics_state(l, child->numerics, &env, hy_element(e->define->file->tree, e->element),
                          hy_group(l, s, e), FALSE);
  }
  if (s->active != NULL) {
    g_autoptr(GPtrArray) matched = g_ptr_array_new();
    hy_sets_match(s, e, at, matched, &child->active);
    hy_sets_sort(child);
    for (guint k = 0; k < matched->len; k++) {
      set_coupled(l, e, child, g_ptr_array_index(matched, k));
    }
  }
  hy_scope_prepare(l, child);
  g_ptr_array_add(l->waiting, child);
}

/* How many nodes a node port has. */
static void place_node(Loader *l, Scope *s, Entry *e, Copies *c)
{
  *c = (Copies){.n = 1, .component = &c->one, .one = HY_NO_COMPONENT, .child = &c->one_child};
  if (e->count != NULL && !e->bad) {
    Env env = hy_env(l, s, e, e->count);
    env.what = "count=";
    c->bad = !whole_count(&env, e->f.count->child[0], &c->extent[0]);
  }
}

/* A circuit with node ports stands in a circuit. */
static gboolean is_in_circuit(Loader *l, const Scope *s, Entry *e)
{
  const Entry *node = e->inside != NULL ? hy_node_port(e->inside) : NULL;
  if (node == NULL || s->define->is_circuit) {
    return TRUE;
  }
  hy_entry_problem(l, s, e, NULL,
                   "\"%s\" is a circuit with a node to be joined (\"%s\", line %u): it can stand "
                   "only in a <circuit>",
                   e->inside->name, node->name, node->line);
  return FALSE;
}

/* One block: its type, its copies, and of each whether it is there. What is wrong has no copies,
 * and is not reported again by those who name it. */
static void place(Loader *l, Scope *s, Entry *e)
{
  Copies *c = &s->copies[e->slot];
  if (hy_is_node(e)) {
    place_node(l, s, e, c);
    return;
  }
  if (e->open_type && !hy_open_type_is(l, s, e)) {
    *c = (Copies){.n = 0, .component = &c->one, .child = &c->one_child};
    return;
  }
  if (!hy_entry_type(l, e) || !is_in_circuit(l, s, e) || !count_copies(l, s, e, c) ||
      !within_limits(l, s, e, c)) {
    *c = (Copies){.bad = 1, .component = &c->one, .child = &c->one_child};
    return;
  }
  e->last_n = c->n;
  hy_entry_plan(l, e);
  if (e->bad) {
    *c = (Copies){.bad = 1, .component = &c->one, .child = &c->one_child};
    return;
  }
  gboolean single = e->count == NULL;
  c->component = single ? &c->one : g_new(guint32, MAX(c->n, 1));
  c->child = e->klass != NULL ? NULL : single ? &c->one_child : g_new0(Scope *, MAX(c->n, 1));
  for (guint32 k = 0; k < c->n; k++) {
    gint64 at[HY_MAX_INDICES] = {0};
    gboolean yes = TRUE;
    if (e->inside != NULL || e->cond_indexed) {
      hy_copy_indices(e, c, k, at);
    }
    if (e->cond_indexed) {
      Env env = hy_env(l, s, e, e->cond);
      hy_env_copy(&env, e, at);
      if (!holds(&env, e, &yes)) {
        c->bad = 1;
        return;
      }
    }
    c->component[k] = yes ? HY_NO_COMPONENT : HY_LEFT_OUT;
    if (yes && e->inside != NULL) {
      place_coupled(l, s, e, c, k, at);
    }
  }
}

gboolean hy_scope_placed(Loader *l, Scope *s, Entry *e)
{
  if (s->copies[e->slot].component != NULL) {
    return TRUE;
  }
  if (l->placing == HY_PARAM_DEPTH) {
    hy_entry_problem(l, s, e, NULL, "lengths of ports need each other more than %d deep",
                     HY_PARAM_DEPTH);
    return FALSE;
  }
  l->placing++;
  place(l, s, e);
  l->placing--;
  return TRUE;
}

/* All blocks of a scope, those with lengths to be found after the others; two of one name may not
 * both be there. */
void hy_scope_place(Loader *l, Scope *s)
{
  Define *d = s->define;
  hy_open_types(l, s);
  hy_nodes_of_blocks(l, d);
  s->copies = g_new0(Copies, MAX(d->blocks->len, 1));
  for (guint k = 0; k < d->blocks->len && !l->stopped; k++) {
    Entry *e = g_ptr_array_index(d->blocks, k);
    if (!wants_lengths(l, e)) {
      place(l, s, e);
    }
  }
  for (guint k = 0; k < d->blocks->len && !l->stopped; k++) {
    Entry *e = g_ptr_array_index(d->blocks, k);
    hy_scope_placed(l, s, e);
    for (Entry *other = hy_define_find(d, e->name, hy_is_element(e));
         other != NULL && e->cond != NULL && other != e; other = other->same) {
      if (other->kind == E_BLOCK && other->slot < e->slot && s->copies[other->slot].n > 0 &&
          s->copies[e->slot].n > 0) {
        hy_entry_problem(l, s, e, NULL, "this name is already taken by the block in line %u",
                         other->line);
        s->copies[e->slot].bad = 1;
      }
    }
  }
}
