/* The components of a scope in their order: for each copy of each block its hidden functions, then
 * itself, with its parameters set; and the lines that its attributes ask for.
 *
 * Needs Copies (place.c). Leaves components in the HyModel of the scope, a Row of information for
 * each, and Lines, to be drawn when all components are there (wires.c). An output port of the
 * scope is a line from the block that it names, or a function.
 *
 * A parameter of a class is taken from the sets that meet the copy, else from the attribute, else
 * from the class. The model checks it (hydevs/model.h) and its words are put behind the place in
 * the file. What before= and after= say of a repeated block is kept for references that go beyond
 * its copies. */
#include "coupled/model_internal.h"
#include "language/machine.h"
#include "language/numerics.h"
#include <string.h>

const HyFormula *hy_item_parse(Env *env, Item *i, HyTextKind kind)
{
  if (!i->parsed) {
    i->formula = hy_env_parse(env, kind, i->attribute->value);
    i->parsed = TRUE;
  }
  return i->formula;
}

/* Rows ----------------------------------------------------------------------------------------- */

static const char *kept(Loader *l, const char *text)
{
  return text != NULL ? g_string_chunk_insert_const(l->strings, text) : NULL;
}

/* What is in force at a copy: that of the scope, what the block states itself, then the sets that
 * meet it, the last one winning. */
static guint32 block_numerics(Loader *l, Scope *s, Entry *e, const gint64 *at,
                              const GPtrArray *sets)
{
  guint32 numerics = s->numerics;
  if (e->plan->numerics) {
    Env env = hy_env(l, s, e, NULL);
    hy_env_copy(&env, e, at);
    numerics = hy_numerics_state(l, numerics, &env, hy_element(e->define->file->tree, e->element),
                                 hy_group(l, s, e), FALSE);
  }
  for (guint k = 0; sets != NULL && k < sets->len; k++) {
    const SetGroup *g = g_ptr_array_index(sets, k);
    for (guint i = 0; i < g->items->len; i++) {
      const SetItem *item = &g_array_index(g->items, SetItem, i);
      Env env;
      HyFile from;
      if (item->word >= HY_W_METHOD && item->word <= HY_W_HSTEP) {
        hy_set_env(l, g, item, &env, &from);
        numerics = hy_numerics_set(l, numerics, &env, item->word, item->text, hy_group(l, g, NULL));
      }
    }
  }
  return numerics;
}

/* The information of a component. Copies of a block mostly have the same, so the row made last is
 * used again where only its numerics could differ and do not. */
guint32 hy_block_row(Loader *l, Scope *s, Entry *e, const gint64 *at, const GPtrArray *sets)
{
  guint32 numerics = e->klass == NULL                    ? s->numerics
                     : e->plan->numerics || sets != NULL ? block_numerics(l, s, e, at, sets)
                                                         : s->numerics;
  if (e->row > 0 && e->row_numerics == numerics) {
    return e->row - 1;
  }
  const HyFile *f = e->define->file;
  const HyElement *x = hy_element(f->tree, e->element);
  const HyAttribute *label = hy_attribute_find(f->tree, x, HY_W_LABEL);
  Row row;
  memset(&row, 0, sizeof row);
  row.file = f->name;
  row.line = e->line;
  row.numerics = numerics;
  row.unit = kept(l, e->unit);
  row.type = kept(l, hy_placed_by(f, e));
  row.label = label != NULL ? kept(l, label->value) : NULL;
  if (e->klass != NULL && hy_takes_names(e->klass)) {
    const HyAttribute *a = hy_attribute_find(f->tree, x, hy_tree_find_name(f->tree, "formula"));
    row.formula = a != NULL ? kept(l, a->value) : NULL;
  }
  e->alike = FALSE;
  e->row = hy_row_add(l, &row) + 1;
  e->row_numerics = numerics;
  return e->row - 1;
}

/* Blocks --------------------------------------------------------------------------------------- */

/* Lines and hidden functions of the inputs, before the component itself is there: they name it as
 * PENDING_BLOCK, since hidden functions come first in the order of components. ARRAY_ELEMENTS: how
 * many an input array has been given. */
static void take_inputs(Loader *l, Scope *s, Entry *e, guint32 number, const gint64 *at,
                        const GPtrArray *sets, guint *array_elements)
{
  const SetGroup *g;
  for (guint k = 0; k < e->plan->n; k++) {
    Item *i = &e->plan->item[k];
    InputAt t = {.name = hy_tree_name(e->define->file->tree, i->attribute->name), .at = at, .n = 1};
    if ((i->role != R_INPUT && i->role != R_CHILD_IN) || hy_overridden(sets, t.name, &g) != NULL) {
      continue;
    }
    Env env = hy_env(l, s, e, i->attribute);
    hy_env_copy(&env, e, at);
    env.mode = MODE_SOURCE;
    if (i->role == R_INPUT) {
      t.array = e->klass->in[i->index].array;
      t.event = e->klass->in[i->index].kind == HY_EVENT;
      t.to = (End){.component = PENDING_BLOCK, .number = i->index};
    } else {
      const Scope *child = s->copies[e->slot].child[number];
      t.array = t.counted = i->child->count != NULL;
      t.n = child->in[i->child->slot].n;
      if (t.n == 0 && t.array && hy_was_reported(l, i->child->count, REPORTED_ANYTHING)) {
        continue; /* its length is wrong */
      }
      t.event = hy_port_kind(l, e->inside, i->child) == PORT_EVENT;
      t.to = (End){.entry = e, .copy = number, .port = i->child->name};
    }
    guint n = hy_take_item(&env, i, &t);
    *array_elements = i->role == R_INPUT && t.array ? n : *array_elements;
  }
}

/* The component itself; of a coupled block its inner model, empty but for its ports. */
static guint32 make_component(Loader *l, Scope *s, Entry *e, guint32 number, const gint64 *at)
{
  const char *name = hy_text_of_copy(l, e, at);
  if (e->klass != NULL) {
    return hy_model_add(s->model, name, e->klass);
  }
  Scope *child = s->copies[e->slot].child[number];
  child->model = hy_model_add_coupled(s->model, name);
  hy_scope_ports(l, child);
  return hy_model_index(child->model);
}

/* Ports of the inner model, element by element, inputs first. */
void hy_scope_ports(Loader *l, Scope *child)
{
  for (guint input = 2; input-- > 0;) {
    const GPtrArray *ports = input ? child->define->in : child->define->out;
    for (guint k = 0; k < ports->len; k++) {
      const Entry *p = g_ptr_array_index(ports, k);
      const PortRange *range = input ? &child->in[k] : &child->out[k];
      for (guint i = 0; i < range->n; i++) {
        gint64 element = (gint64)i + 1;
        const char *port = p->count != NULL ? hy_text_of_copy(l, p, &element) : p->name;
        input ? hy_model_in(child->model, port) : hy_model_out(child->model, port);
      }
    }
  }
}

static void set_priority(Loader *l, Scope *s, Entry *e, const gint64 *at, guint32 component)
{
  const HyFile *f = e->define->file;
  const HyAttribute *a = hy_attribute_find(f->tree, hy_element(f->tree, e->element), HY_W_PRIORITY);
  if (a == NULL) {
    return;
  }
  Env env = hy_env(l, s, e, a);
  hy_env_copy(&env, e, at);
  env.what = "priority=";
  hy_put_priority(&env, component, a->value);
}

/* All parameters that the block states are numbers and texts as they stand. */
static gboolean states_numbers(const Entry *e)
{
  for (guint k = 0; k < e->plan->n && e->plan->item[k].role == R_PARAM; k++) {
    const Item *i = &e->plan->item[k];
    gboolean list = i->parsed && i->formula != NULL && i->formula->kind == HY_F_LIST;
    for (guint32 j = 0; list && j < i->formula->n; j++) {
      list = i->formula->child[j]->kind == HY_F_NUMBER;
    }
    gboolean text = e->klass->params[i->index].kind == HY_TEXT;
    if (!list && (!text || strchr(i->attribute->value, '{') != NULL)) {
      return FALSE;
    }
  }
  return !hy_takes_names(e->klass) && e->machine == NULL &&
         e->param == NULL; /* whose formulas are a parameter, too */
}

/* Parameters of a copy. Those of one whose block states numbers alone are those of the copy before,
 * in whatever scope, where the same numerics are in force. */
static void set_all(Loader *l, Scope *s, Entry *e, const gint64 *at, guint component, guint32 row,
                    const GPtrArray *sets)
{
  HyComponent *c = hy_component(s->model, component);
  guint32 numerics = g_array_index(l->rows, Row, row).numerics;
  if (e->alike && sets == NULL) {
    c->u.image = e->image;
    c->group = hy_numerics_group(l, e->klass, numerics);
    return;
  }
  guint errors = hy_report_errors(l->report);
  hy_set_params(l, s, e, at, component, sets);
  hy_numerics_apply(l, s, e, at, component, e->klass, numerics);
  e->image = hy_image_share(s->model, component);
  e->alike = sets == NULL && errors == hy_report_errors(l->report) && states_numbers(e);
}

/* Those that meet a copy; NULL: none. */
GPtrArray *hy_sets_of_copy(const Scope *s, const Entry *e, const gint64 *at)
{
  if (s->active == NULL) {
    return NULL;
  }
  GArray *inside = NULL;
  GPtrArray *sets = g_ptr_array_new();
  hy_sets_match(s, e, at, sets, &inside);
  g_clear_pointer(&inside, g_array_unref);
  if (sets->len == 0) {
    g_clear_pointer(&sets, g_ptr_array_unref);
  }
  return sets;
}

void hy_name_pending(Scope *s, guint first, guint32 component)
{
  for (guint k = first; k < s->lines->len; k++) {
    Line *line = &g_array_index(s->lines, Line, k);
    if (line->to.entry == NULL && line->to.component == PENDING_BLOCK) {
      line->to.component = component;
    }
  }
}

/* A block without a formula of its own, or a machine, which has many. */
static guint32 add_plain(Loader *l, Scope *s, Entry *e, guint32 number, const gint64 *at,
                         guint32 row, const GPtrArray *sets)
{
  guint first = s->lines->len, elements = 0;
  take_inputs(l, s, e, number, at, sets, &elements);
  if (e->machine != NULL) {
    return hy_machine_block(l, s, e, at, row, first);
  }
  guint32 component = make_component(l, s, e, number, at);
  hy_scope_add_row(s, row);
  hy_name_pending(s, first, component);
  if (elements > 0) {
    hy_model_set_array(s->model, component, elements, elements);
  } else if (e->klass != NULL && hy_only_outputs_vary(e->klass)) {
    hy_model_set_array(s->model, component, 0, 1); /* more, if lines ask for them */
  }
  return component;
}

/* One copy: the sets that meet it, its row, its hidden functions and itself, its lines, its
 * parameters. */
void hy_add_copy(Loader *l, Scope *s, Entry *e, guint32 number)
{
  Copies *c = &s->copies[e->slot];
  gint64 at[HY_MAX_INDICES] = {0};
  hy_copy_indices(e, c, number, at);
  g_autoptr(GPtrArray) sets = hy_sets_of_copy(s, e, at);
  guint32 row = hy_block_row(l, s, e, at, sets);
  guint32 component = e->klass != NULL && hy_takes_names(e->klass)
                          ? hy_formula_block(l, s, e, at, row)
                          : add_plain(l, s, e, number, at, row, sets);
  c->component[number] = component;
  if (component == HY_NO_COMPONENT) {
    c->bad = 1;
    return;
  }
  if (e->klass != NULL) {
    set_all(l, s, e, at, component, row, sets);
  }
  set_priority(l, s, e, at, component);
  hy_apply_sets(l, s, e, component, sets);
}
