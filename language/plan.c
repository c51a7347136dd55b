/* What each attribute of a block is for: a parameter, an input, a name in a formula. Needs its type
 * (types.c); leaves the plan of the entry, the same for all copies. */
#include "coupled/model_internal.h"
#include "language/circuits.h"
#include <string.h>

gboolean hy_is_fixed(guint16 word, gboolean block)
{
  for (guint g = 0; word < HY_N_WORDS && g <= HY_G_PLACED; g++) {
    for (guint k = 0; k < hy_groups[g].n; k++) {
      if (hy_groups[g].attributes[k].word == word) {
        return TRUE;
      }
    }
  }
  return block && (word == HY_W_TYPE || word == HY_W_FILE);
}

/* A word of the language and not of the type of X. */
static gboolean is_word_of(const HyElement *x, guint16 word)
{
  return hy_is_fixed(word, x->name == HY_W_BLOCK) ||
         (x->name == HY_W_MACHINE && word == HY_W_INITIAL);
}

/* A lever knows its unit, and what is said of it, as its own. */
static gboolean is_parameter_too(const Entry *e, const char *name)
{
  return e->klass != NULL && e->klass->set != NULL && hy_class_param(e->klass, name) != NULL;
}

/* What the attribute NAME is to a block of KLASS. A block with a formula takes any name for an
 * input (R_NAMED). */
static gboolean plan_atomic(const HyAtomicClass *klass, const char *name, Item *i)
{
  guint port = hy_find_port(klass->in, name, NULL);
  gboolean function = hy_takes_names(klass);
  if (port != G_MAXUINT && !function) {
    i->role = R_INPUT;
    i->index = (guint16)port;
    return TRUE;
  }
  const HyParam *param = hy_class_param(klass, name);
  i->role = param != NULL ? R_PARAM : R_NAMED;
  i->index = param != NULL ? (guint16)(param - klass->params) : 0;
  return param != NULL || function;
}

/* An attribute of the block says what it is. */
static gboolean is_given(const Entry *inside)
{
  return inside->kind == E_PARAM || inside->kind == E_IN || inside->node_port;
}

/* What the attribute NAME is to a block with the definition INSIDE. */
static gboolean plan_coupled(Loader *l, const Define *inside, const char *name, Item *i)
{
  Entry *child = hy_define_param(inside, hy_formula_pool_name(l->pool, name));
  if (child == NULL || !is_given(child)) {
    return FALSE;
  }
  i->child = child;
  i->role = child->kind == E_PARAM ? R_CHILD_PARAM
            : child->kind == E_IN  ? R_CHILD_IN
                                   : R_CHILD_NODE;
  i->index = (guint16)child->slot;
  return TRUE;
}

/* With all that the block has, and the nearest of it. */
static void unknown_attribute(Loader *l, Entry *e, const HyAttribute *a)
{
  const char *name = hy_tree_name(e->define->file->tree, a->name);
  HyNearest nearest = {.word = name};
  g_autoptr(GString) list = g_string_new(NULL);
  if (e->klass != NULL) {
    hy_class_offer(e->klass, &nearest, list);
  }
  for (guint k = 0; e->inside != NULL && k < e->inside->entries->len; k++) {
    const Entry *c = g_ptr_array_index(e->inside->entries, k);
    if (is_given(c)) {
      hy_nearest_offer(&nearest, c->name);
      hy_list_word(list, c->name);
    }
  }
  const Entry *c = e->inside != NULL
                       ? g_hash_table_lookup(e->inside->inner, hy_formula_pool_name(l->pool, name))
                       : NULL;
  g_autofree char *path = hy_define_path(e->define, e->name);
  if (c != NULL && c->kind == E_LET) {
    hy_report_error(l->report, e->define->file->name, a->line,
                    "%s: \"%s\" is computed (let) and cannot be set", path, name);
    return;
  }
  g_autofree char *hint = hy_did_you_mean_long(nearest.best);
  hy_report_error(l->report, e->define->file->name, a->line,
                  "%s: %s has no input or parameter \"%s\"; it has: %s%s", path,
                  e->klass != NULL    ? e->klass->name
                  : e->inside != NULL ? e->inside->name
                                      : "?",
                  name, list->len > 0 ? list->str : "none", hint);
}

static gint compare_items(gconstpointer a, gconstpointer b)
{
  const Item *x = a, *y = b;
  gboolean px = x->role == R_PARAM || x->role == R_CHILD_PARAM,
           py = y->role == R_PARAM || y->role == R_CHILD_PARAM;
  if (px != py) {
    return px ? -1 : 1;
  }
  return (gint)x->index - (gint)y->index;
}

/* A text that is only a name of a single block or port needs no formula. */
static Entry *direct(Loader *l, const Define *d, const char *text)
{
  if (!hy_name_is_legal(text)) {
    return NULL;
  }
  Entry *e = g_hash_table_lookup(d->inner, hy_formula_pool_name(l->pool, text));
  gboolean plain = e != NULL && e->count == NULL && !hy_is_choice(e) && e->same == NULL &&
                   !e->bad && !hy_is_element(e);
  return plain && (e->kind == E_BLOCK || e->kind == E_IN) ? e : NULL;
}

/* Most blocks do not, and then nothing has to be looked for in each copy. */
static gboolean states_numerics(const HyTree *tree, const HyElement *x)
{
  for (guint32 k = 0; k < x->n_attributes; k++) {
    guint16 name = hy_attribute(tree, x, k)->name;
    if (name >= HY_W_METHOD && name <= HY_W_HSTEP) {
      return TRUE;
    }
  }
  return FALSE;
}

/* Most blocks of a drawn model say nothing but their name. */
static const Plan nothing_said;

void hy_block_plan_free(const Plan *plan)
{
  if (plan != NULL && plan != &nothing_said) {
    g_free(plan->item);
    g_free(hy_key(plan));
  }
}

/* Made when a block is placed for the first time. Parameters come first, so that inputs find them
 * set; a block that says nothing but its name shares one empty plan. */
const Plan *hy_entry_plan(Loader *l, Entry *e)
{
  if (e->plan != NULL) {
    return e->plan;
  }
  const HyFile *f = e->define->file;
  const HyElement *x = hy_element(f->tree, e->element);
  guint n = 0;
  if (e->param != NULL) { /* whose attributes these are */
    e->plan = &nothing_said;
    return e->plan;
  }
  for (guint32 k = 0; k < x->n_attributes; k++) {
    n += !is_word_of(x, hy_attribute(f->tree, x, k)->name) ||
         (e->klass != NULL && e->klass->set != NULL);
  }
  if (n == 0 && !states_numerics(f->tree, x)) {
    e->plan = &nothing_said;
    return e->plan;
  }
  Plan *plan = g_new0(Plan, 1);
  e->plan = plan;
  plan->numerics = states_numerics(f->tree, x);
  plan->item = n > 0 ? g_new0(Item, n) : NULL;
  for (guint32 k = 0; k < x->n_attributes; k++) {
    const HyAttribute *a = hy_attribute(f->tree, x, k);
    if (is_word_of(x, a->name) && !is_parameter_too(e, hy_tree_name(f->tree, a->name))) {
      continue;
    }
    Item i = {.attribute = a};
    gboolean derivative = x->name == HY_W_STATE && a->name == HY_W_DERIVATIVE;
    const char *name = derivative ? "in" : hy_tree_name(f->tree, a->name);
    if (!(e->klass != NULL ? plan_atomic(e->klass, name, &i)
                           : plan_coupled(l, e->inside, name, &i))) {
      unknown_attribute(l, e, a);
      e->bad = 1;
      continue;
    }
    if (i.role == R_INPUT || i.role == R_CHILD_IN || i.role == R_NAMED) {
      i.direct = direct(l, e->define, a->value);
    }
    if (plan->item != NULL) {
      plan->item[plan->n++] = i;
    }
  }
  if (plan->n > 1) {
    qsort(plan->item, plan->n, sizeof(Item), compare_items);
  }
  return plan;
}
