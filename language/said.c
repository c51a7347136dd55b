/* What the attributes of a copy of an element say: numbers, or formulas of signals, or what a set
 * says in their place. */
#include "coupled/model_internal.h"
#include "language/names.h"
#include "language/network.h"
#include "language/numerics.h"

#include <math.h>
#include <string.h>

Item *hy_element_item(const Entry *e, const char *name)
{
  const HyTree *tree = e->define->file->tree;
  for (guint k = 0; k < e->plan->n; k++) {
    Item *i = &e->plan->item[k];
    if (strcmp(hy_tree_name(tree, i->attribute->name), name) == 0) {
      return i;
    }
  }
  return NULL;
}

/* What a set says in place of the attribute; FALSE: none does. */
gboolean hy_element_set(Network *n, const Element *e, const char *name, Said *said)
{
  const SetGroup *g = NULL;
  g_autoptr(GPtrArray) sets = hy_sets_of_copy(e->scope, e->entry, e->at);
  const SetItem *item = hy_overridden(sets, name, &g);
  if (item == NULL) {
    return FALSE;
  }
  HyFile from;
  hy_set_env(n->loader, g, item, &said->env, &from);
  const HyFormula *f = hy_env_parse(&said->env, HY_TEXT_EXPRESSION, item->text);
  said->stated = TRUE;
  said->text = item->text;
  said->number = NAN;
  if (f != NULL) {
    hy_env_number(&said->env, f, &said->number);
  }
  said->env.file = e->scope->define->file;
  return TRUE;
}

static gboolean said_by_attribute(Network *n, const Element *e, Item *i, Said *said)
{
  gboolean signal = i->role == R_INPUT;
  said->env = hy_env(n->loader, e->scope, e->entry, i->attribute);
  hy_env_copy(&said->env, e->entry, e->at);
  said->env.what = hy_tree_name(said->env.file->tree, i->attribute->name);
  said->env.mode = signal ? MODE_SOURCE : MODE_CONSTANT;
  said->stated = TRUE;
  said->text = i->attribute->value;
  const HyFormula *f = hy_item_parse(&said->env, i, signal ? HY_TEXT_SOURCE : HY_TEXT_LIST);
  f = f != NULL ? hy_env_fold(&said->env, f) : NULL;
  if (f == NULL) {
    return FALSE;
  }
  if (f->n != 1 || f->child[0]->kind == HY_F_ITEMS || f->child[0]->kind == HY_F_NOTHING) {
    hy_problem(&said->env, "%s=\"%s\" is a list of %u, %s takes one", said->env.what, said->text,
               f->n, said->env.what);
    return FALSE;
  }
  said->formula = f->child[0]->kind == HY_F_NUMBER ? NULL : f->child[0];
  said->number = said->formula == NULL ? f->child[0]->number : NAN;
  return TRUE;
}

void hy_element_lacks(Network *n, const Element *e, const char *name, const char *unit,
                      const char *doc)
{
  g_autofree char *in = unit != NULL ? g_strdup_printf(" (%s)", unit) : g_strdup("");
  g_autofree char *more = doc != NULL ? g_strdup_printf(": %s", doc) : g_strdup("");
  hy_entry_problem(n->loader, e->scope, e->entry, e->at, "%s needs %s%s%s", e->entry->klass->name,
                   name, in, more);
}

/* A resistance is above 0 as a parameter is that says so. */
static gboolean said_in_range(const char *name, const HyParam *p, const Said *said)
{
  gboolean resistance = strcmp(name, "R") == 0 || strcmp(name, "Ron") == 0;
  g_autofree char *why = NULL;
  const HyParam any = {.name = name, .kind = HY_REAL, .range = resistance ? HY_POSITIVE : HY_ANY};
  p = p != NULL ? p : &any;
  if (said->formula != NULL ||
      (hy_param_check_number(p, said->number, &why) && isfinite(said->number))) {
    return TRUE;
  }
  if (why != NULL) {
    hy_problem(&said->env, "%s", why);
  } else {
    hy_problem(&said->env, "%s must be finite", p->name);
  }
  return FALSE;
}

gboolean hy_element_said(Network *n, const Element *e, const char *name, Said *said)
{
  const HyAtomicClass *klass = e->entry->klass;
  const HyParam *p = hy_class_param(klass, name);
  guint port = hy_find_port(klass->in, name, NULL);
  Item *i = hy_element_item(e->entry, name);
  memset(said, 0, sizeof *said);
  if (hy_element_set(n, e, name, said)) {
    return !isnan(said->number) && said_in_range(name, p, said);
  }
  if (i != NULL) {
    return said_by_attribute(n, e, i, said) && said_in_range(name, p, said);
  }
  if (port != G_MAXUINT) {
    hy_element_lacks(n, e, name, klass->in[port].unit, klass->in[port].doc);
    return FALSE;
  }
  if (p->required) {
    hy_element_lacks(n, e, name, p->unit, p->doc);
    return FALSE;
  }
  said->number = p->value;
  return TRUE;
}

gboolean hy_element_number(Network *n, const Element *e, const char *name, double *v,
                           gboolean *stated)
{
  Said said;
  gboolean ok = hy_element_said(n, e, name, &said);
  *v = said.number;
  if (stated != NULL) {
    *stated = said.stated;
  }
  return ok;
}
