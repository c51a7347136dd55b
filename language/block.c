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
#include "language/block.h"
#include "hydevs/trace.h"
#include <string.h>

const HyFormula *hy_item_parse(Env *env, Item *i, HyTextKind kind)
{
  if (!i->parsed) {
    i->formula = hy_env_parse(env, kind, i->attribute->value);
    i->parsed = TRUE;
  }
  return i->formula;
}

/* Parameters ----------------------------------------------------------------------------------- */

/* The model's own words begin with its path, which stands before ours already. */
void hy_model_problem(Env *env, guint component, GError *error)
{
  g_autofree char *path = hy_model_path(env->scope->model, component);
  gsize n = strlen(path);
  const char *text = error->message;
  if (strncmp(text, path, n) == 0 && strncmp(text + n, ": ", 2) == 0) {
    text += n + 2;
  }
  hy_problem(env, "%s", text);
  g_error_free(error);
}

static gboolean one_number(Env *env, const HyParam *p, const HyFormula *list, const char *text,
                           double *v)
{
  if (list->n != 1) {
    hy_problem(env, "%s=\"%s\" is a list of %u values, %s takes one (the decimal sign is \".\")",
               p->name, text, list->n, p->name);
    return FALSE;
  }
  return hy_env_number(env, list->child[0], v);
}

static gboolean set_reals(Env *env, guint component, const HyParam *p, const HyFormula *list,
                          GError **error)
{
  const HyFormula *folded = hy_env_fold(env, list);
  if (folded == NULL) {
    return TRUE; /* said */
  }
  g_autofree double *v = g_new(double, MAX(folded->n, 1));
  for (guint32 k = 0; k < folded->n; k++) {
    if (folded->child[k]->kind != HY_F_NUMBER) {
      hy_problem(env, "%s: value %u is no number", p->name, k + 1);
      return TRUE;
    }
    v[k] = folded->child[k]->number;
  }
  return hy_model_set_reals(env->scope->model, component, p->name, v, folded->n, error);
}

/* Numbers and formulas over parameters; else payloads in GVariant's text form. */
static gboolean set_values(Env *env, guint component, const HyParam *p, const char *text,
                           GError **error)
{
  HyModel *model = env->scope->model;
  const HyFormula *list = hy_formula_parse(env->loader->pool, HY_TEXT_LIST, text, NULL);
  HyFormulaScope scope = hy_env_scope;
  scope.user = env;
  const HyFormula *folded =
      list != NULL ? hy_formula_fold(env->loader->scratch, list, &scope, NULL) : NULL;
  gboolean numbers = folded != NULL;
  for (guint32 k = 0; numbers && k < folded->n; k++) {
    numbers = folded->child[k]->kind == HY_F_NUMBER;
  }
  if (!numbers) {
    const char *done = hy_env_text(env, text);
    return done == NULL || hy_model_set(model, component, p->name, done, error);
  }
  g_autofree HyValue *v = g_new0(HyValue, MAX(folded->n, 1));
  for (guint32 k = 0; k < folded->n; k++) {
    v[k].c[0] = folded->child[k]->number;
  }
  return hy_model_set_values(model, component, p->name, v, folded->n, error);
}

/* A text parameter called path names a file, seen from the one that says it. */
static char *beside(const char *file, const char *path)
{
  g_autofree char *folder = g_path_get_dirname(file);
  return g_path_is_absolute(path) || strcmp(folder, ".") == 0
             ? g_strdup(path)
             : g_build_filename(folder, path, NULL);
}

/* PARSED may be NULL: it is read from TEXT. */
static void set_param(Env *env, guint component, const HyParam *p, const char *text,
                      const HyFormula *parsed)
{
  HyModel *model = env->scope->model;
  GError *error = NULL;
  gboolean ok = TRUE;
  env->what = p->name;
  if (p->kind == HY_TEXT) {
    const char *done = hy_env_text(env, text);
    g_autofree char *path =
        done != NULL && strcmp(p->name, "path") == 0 ? beside(env->file->name, done) : NULL;
    ok =
        done == NULL || hy_model_set(model, component, p->name, path != NULL ? path : done, &error);
  } else if (p->kind == HY_VALUES) {
    ok = set_values(env, component, p, text, &error);
  } else if (p->kind == HY_BOOLEAN && (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)) {
    ok = hy_model_set(model, component, p->name, text, &error);
  } else {
    const HyFormula *list = parsed != NULL ? parsed : hy_env_parse(env, HY_TEXT_LIST, text);
    double v;
    if (list == NULL) {
      return;
    }
    if (p->kind == HY_REALS) {
      ok = set_reals(env, component, p, list, &error);
    } else if (one_number(env, p, list, text, &v)) {
      ok = hy_model_set_real(model, component, p->name, v, &error);
    }
  }
  if (!ok) {
    hy_model_problem(env, component, error);
  }
}

static gboolean is_parsed(const HyParam *p, const char *text)
{
  return p->kind == HY_REAL || p->kind == HY_INTEGER || p->kind == HY_REALS ||
         (p->kind == HY_BOOLEAN && strcmp(text, "true") != 0 && strcmp(text, "false") != 0);
}

/* The set that has the parameter or input NAME of a copy, the last of those that meet it. */
static const SetItem *overridden(const GPtrArray *sets, const char *name, const SetGroup **group)
{
  for (guint k = sets != NULL ? sets->len : 0; k-- > 0;) {
    const SetGroup *g = g_ptr_array_index(sets, k);
    for (guint i = g->items->len; i-- > 0;) {
      const SetItem *item = &g_array_index(g->items, SetItem, i);
      if (strcmp(item->name, name) == 0) {
        *group = g;
        return item;
      }
    }
  }
  return NULL;
}

/* Parameters of the class from the attributes of the block, unless a set has them, and then what
 * it needs and nobody has given. A formula is no parameter here: its block is made of it
 * (formula_block.c). */
static void set_params(Loader *l, Scope *s, Entry *e, const gint64 *at, guint component,
                       const GPtrArray *sets)
{
  const Plan *plan = e->plan;
  guint64 given = 0;
  const SetGroup *g;
  for (guint k = 0; k < plan->n && plan->item[k].role == R_PARAM; k++) {
    Item *i = &plan->item[k];
    const HyParam *p = &e->klass->params[i->index];
    given |= G_GUINT64_CONSTANT(1) << i->index;
    if (overridden(sets, p->name, &g) != NULL || strcmp(p->name, "formula") == 0) {
      continue;
    }
    Env env = hy_env(l, s, e, i->attribute);
    hy_env_copy(&env, e, at);
    env.what = p->name;
    if (is_parsed(p, i->attribute->value) && hy_item_parse(&env, i, HY_TEXT_LIST) == NULL) {
      continue;
    }
    set_param(&env, component, p, i->attribute->value, i->formula);
    hy_unit_of_param(&env, i->attribute, p->unit, p->name);
  }
  for (guint k = 0; e->klass->params != NULL && e->klass->params[k].name != NULL; k++) {
    const HyParam *p = &e->klass->params[k];
    if (p->required && !(given >> k & 1) && overridden(sets, p->name, &g) == NULL) {
      g_autofree char *unit = p->unit != NULL ? g_strdup_printf(" (%s)", p->unit) : g_strdup("");
      g_autofree char *doc = p->doc != NULL ? g_strdup_printf(": %s", p->doc) : g_strdup("");
      hy_entry_problem(l, s, e, at, "%s needs %s%s%s", e->klass->name, p->name, unit, doc);
    }
  }
}

/* Sets that meet an atomic copy ---------------------------------------------------------------- */

static const HyParam *class_param(const HyAtomicClass *klass, const char *name)
{
  for (const HyParam *p = klass->params; p != NULL && p->name != NULL; p++) {
    if (strcmp(p->name, name) == 0) {
      return p;
    }
  }
  return NULL;
}

/* A whole number, smaller ones first. */
static void put_priority(Env *env, guint component, const char *text)
{
  const HyFormula *f = hy_env_parse(env, HY_TEXT_EXPRESSION, text);
  double v;
  gint64 whole;
  if (f == NULL || !hy_env_number(env, f, &v)) {
    return;
  }
  if (!hy_formula_whole(v, &whole) || ABS(whole) >= G_MAXINT) {
    hy_problem(env, "priority=\"%s\" is not a whole number", text);
    return;
  }
  hy_model_set_priority(env->scope->model, component, (gint)whole);
}

/* ENV reads the names of the root; the component is in S. */
static void set_param_item(Env *env, Scope *s, guint component, const HyParam *p, const char *text)
{
  gboolean parsed = is_parsed(p, text);
  const HyFormula *list = parsed ? hy_env_parse(env, HY_TEXT_LIST, text) : NULL;
  const HyFormula *folded = list != NULL ? hy_env_fold(env, list) : NULL;
  if (folded != NULL || !parsed) {
    env->scope = s;
    set_param(env, component, p, text, folded);
  }
}

/* A set gives an input a number, in place of whatever the block says. */
static void set_input_item(Env *env, Scope *s, guint component, guint port, const SetItem *item)
{
  const HyFormula *f = hy_env_parse(env, HY_TEXT_EXPRESSION, item->text);
  double v;
  if (f != NULL && hy_env_number(env, f, &v)) {
    Line line = {
        .attribute = item->attribute, .file = s->define->file, .constant = TRUE, .number = v};
    line.to = (End){.component = component, .number = port};
    g_array_append_val(s->lines, line);
  }
}

static void set_item(Loader *l, Scope *s, const Entry *e, guint component, const SetGroup *g,
                     const SetItem *item)
{
  Env env;
  HyFile from;
  hy_set_env(l, g, item, &env, &from);
  if (item->word >= HY_W_METHOD && item->word <= HY_W_HSTEP) {
    return; /* in the row */
  }
  if (item->word == HY_W_PRIORITY) {
    const HyFormula *f = hy_env_parse(&env, HY_TEXT_EXPRESSION, item->text);
    double v = 0;
    char text[HY_DOUBLE_SIZE];
    if (f != NULL && hy_env_number(&env, f, &v)) {
      env.scope = s;
      put_priority(&env, component, hy_double_text(text, v));
    }
    return;
  }
  if (e->klass == NULL) {
    return; /* its parameters were set before its ports were counted */
  }
  const HyParam *p = class_param(e->klass, item->name);
  guint port = hy_find_port(e->klass->in, item->name, NULL);
  if (p != NULL) {
    set_param_item(&env, s, component, p, item->text);
  } else if (port != G_MAXUINT && !e->klass->in[port].array) {
    set_input_item(&env, s, component, port, item);
  } else {
    hy_problem(&env, "%s \"%s\" has no parameter \"%s\" that can be set", e->klass->name, e->name,
               item->name);
  }
}

static void apply_sets(Loader *l, Scope *s, const Entry *e, guint component, const GPtrArray *sets)
{
  for (guint k = 0; sets != NULL && k < sets->len; k++) {
    SetGroup *g = g_ptr_array_index(sets, k);
    g->matches += e->klass != NULL;
    for (guint i = 0; i < g->items->len; i++) {
      set_item(l, s, e, component, g, &g_array_index(g->items, SetItem, i));
    }
  }
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
static guint32 block_row(Loader *l, Scope *s, Entry *e, const gint64 *at, const GPtrArray *sets)
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
  row.label = label != NULL ? kept(l, label->value) : NULL;
  if (e->klass != NULL && hy_takes_names(e->klass)) {
    const HyAttribute *a = hy_attribute_find(f->tree, x, hy_tree_find_name(f->tree, "formula"));
    row.formula = a != NULL ? kept(l, a->value) : NULL;
  }
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
    if ((i->role != R_INPUT && i->role != R_CHILD_IN) || overridden(sets, t.name, &g) != NULL) {
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
  put_priority(&env, component, a->value);
}

static void set_all(Loader *l, Scope *s, Entry *e, const gint64 *at, guint component, guint32 row,
                    const GPtrArray *sets)
{
  set_params(l, s, e, at, component, sets);
  hy_numerics_apply(l, s, e, at, component, e->klass, g_array_index(l->rows, Row, row).numerics);
}

/* One copy: the sets that meet it, its row, its hidden functions and itself, its lines, its
 * parameters. */
static void add_copy(Loader *l, Scope *s, Entry *e, guint32 number)
{
  Copies *c = &s->copies[e->slot];
  gint64 at[HY_MAX_INDICES] = {0};
  hy_copy_indices(e, c, number, at);
  g_autoptr(GPtrArray) sets = NULL;
  if (s->active != NULL) {
    GArray *inside = NULL;
    sets = g_ptr_array_new();
    hy_sets_match(l, s, e, at, sets, &inside);
    if (inside != NULL) {
      g_array_unref(inside);
    }
    if (sets->len == 0) {
      g_clear_pointer(&sets, g_ptr_array_unref);
    }
  }
  guint32 row = block_row(l, s, e, at, sets);
  guint32 component;
  if (e->klass != NULL && hy_takes_names(e->klass)) {
    guint before = hy_model_n(s->model);
    hy_formula_block(l, s, e, at, row);
    component = hy_model_n(s->model) > before ? hy_model_n(s->model) - 1 : HY_NO_COMPONENT;
    c->bad |= component == HY_NO_COMPONENT;
    if (component != HY_NO_COMPONENT) {
      set_all(l, s, e, at, component, row, sets);
    }
  } else {
    guint first = s->lines->len, elements = 0;
    take_inputs(l, s, e, number, at, sets, &elements);
    component = make_component(l, s, e, number, at);
    hy_scope_add_row(s, component, row);
    for (guint k = first; k < s->lines->len; k++) {
      Line *line = &g_array_index(s->lines, Line, k);
      if (line->to.entry == NULL && line->to.component == PENDING_BLOCK) {
        line->to.component = component;
      }
    }
    if (elements > 0) {
      hy_model_set_array(s->model, component, elements, elements);
    }
    if (e->klass != NULL) {
      set_all(l, s, e, at, component, row, sets);
    }
  }
  c->component[number] = component;
  if (component != HY_NO_COMPONENT) {
    set_priority(l, s, e, at, component);
    apply_sets(l, s, e, component, sets);
  }
}

/* before= and after= --------------------------------------------------------------------------- */

/* What stands for a reference beyond the first or last copy: a number, a source, or a formula. */
static void read_boundary(Loader *l, Scope *s, Entry *e, const HyAttribute *a, gboolean after)
{
  Boundary *b = &s->boundary[2 * e->slot + after];
  const HyFormula **kept_formula = after ? &e->f_after : &e->f_before;
  Env env = hy_env(l, s, e, a);
  env.mode = MODE_SOURCE;
  b->state = BOUNDARY_WRONG;
  if (*kept_formula == NULL &&
      (*kept_formula = hy_env_parse(&env, HY_TEXT_EXPRESSION, a->value)) == NULL) {
    return;
  }
  const HyFormula *f = hy_env_fold(&env, *kept_formula);
  if (f == NULL) {
    return;
  }
  if (f->kind == HY_F_NUMBER) {
    b->number = f->number;
    b->state = BOUNDARY_NUMBER;
  } else if (f->kind == HY_F_REF) {
    b->state = hy_env_end(&env, f, TRUE, &b->end) ? BOUNDARY_END : BOUNDARY_WRONG;
  } else if (f->kind != HY_F_NOTHING) {
    HyFormulaScope scope = hy_env_scope;
    scope.user = &env;
    b->formula = hy_formula_fold(l->pool, *kept_formula, &scope, NULL); /* to stay */
    b->state = b->formula != NULL ? BOUNDARY_FORMULA : BOUNDARY_WRONG;
  }
}

static void read_boundaries(Loader *l, Scope *s)
{
  const Define *d = s->define;
  for (guint k = 0; k < d->blocks->len; k++) {
    Entry *e = g_ptr_array_index(d->blocks, k);
    if ((e->before == NULL && e->after == NULL) || e->bad || s->copies[k].bad) {
      continue; /* a chain without copies has its ends, too: q[N] is `before` for N = 0 */
    }
    if (s->boundary == NULL) {
      s->boundary = g_new0(Boundary, 2 * (gsize)d->blocks->len);
    }
    if (e->n_index != 1) {
      hy_entry_problem(l, s, e, NULL, "before= and after= belong to a count with one number");
      s->copies[k].bad = 1;
      continue;
    }
    if (e->before != NULL) {
      read_boundary(l, s, e, e->before, FALSE);
    }
    if (e->after != NULL) {
      read_boundary(l, s, e, e->after, TRUE);
    }
  }
}

/* Output ports --------------------------------------------------------------------------------- */

static const char *output_text(const Entry *e)
{
  return e->value != NULL ? e->value->value : e->name;
}

/* An output port that is a number: a hidden block that says it once. */
static void constant_block(Env *env, const InputAt *t, guint element, double v)
{
  Scope *s = env->scope;
  g_autofree char *name = hy_hidden_name(env->entry, t->at, "from", 0);
  guint32 component = hy_model_add(s->model, name, hy_class_find("constant"));
  hy_model_set_real(s->model, component, "value", v, NULL);
  Row row;
  memset(&row, 0, sizeof row);
  row.file = env->file->name;
  row.line = env->entry->line;
  row.numerics = s->numerics;
  hy_scope_add_row(s, component, hy_row_add(env->loader, &row));
  Line line = {.attribute = env->attribute,
               .file = env->file,
               .to = t->to,
               .from = {.component = component}};
  line.to.port_index = t->array ? element + 1 : 0;
  g_array_append_val(s->lines, line);
}

/* The formula of from=, or the block of the port's own name. FALSE: none, or reported. */
static gboolean parse_output(Loader *l, Scope *s, Entry *e, const Env *env)
{
  if (e->f_value != NULL) {
    return TRUE;
  }
  const Entry *b = e->value == NULL ? g_hash_table_lookup(s->define->inner, e->name) : NULL;
  if (e->value == NULL && (b == NULL || b->kind != E_BLOCK)) {
    if (!hy_is_wired(s->define, e)) {
      hy_entry_problem(l, s, e, NULL, "nothing is called \"%s\" here; say from=\"...\"", e->name);
    }
    return FALSE;
  }
  g_autofree char *copy = b != NULL && b->count != NULL && e->count != NULL
                              ? g_strdup_printf("%s[%s]", e->name, e->index[0])
                              : NULL;
  e->f_value = hy_env_parse(env, HY_TEXT_SOURCE, copy != NULL ? copy : output_text(e));
  return e->f_value != NULL;
}

/* One element: a line, a constant block or a function "y[2]:from". */
static void output_element(Env *env, const InputAt *t, const HyFormula *g, guint element)
{
  if (g->kind == HY_F_NUMBER) {
    constant_block(env, t, element, g->number);
    return;
  }
  if (g->kind == HY_F_REF || g->kind == HY_F_ITEMS || g->kind == HY_F_NOTHING) {
    hy_take_group(env, t, g, element);
    return;
  }
  g_autofree char *name = hy_hidden_name(env->entry, t->at, "from", 0);
  guint32 component = hy_function_add(env, g, name, output_text(env->entry));
  Line line = {.attribute = env->attribute,
               .file = env->file,
               .to = t->to,
               .from = {.component = component}};
  line.to.port_index = t->array ? element + 1 : 0;
  g_array_append_val(env->scope->lines, line);
}

static void add_output(Loader *l, Scope *s, Entry *e)
{
  const PortRange *range = &s->out[e->slot];
  Env env = hy_env(l, s, e, e->value);
  env.mode = MODE_SOURCE;
  if (!parse_output(l, s, e, &env)) {
    return;
  }
  gboolean event = hy_port_kind(l, s->define, e) == PORT_EVENT;
  for (guint k = 0; k < range->n; k++) {
    gint64 at[HY_MAX_INDICES] = {(gint64)k + 1};
    hy_env_copy(&env, e, at);
    const HyFormula *f = hy_env_boundaries(&env, hy_env_fold(&env, e->f_value));
    if (f == NULL) {
      return;
    }
    InputAt t = {.name = "from",
                 .at = at,
                 .n = 1,
                 .event = event,
                 .to = {.entry = e},
                 .array = e->count != NULL};
    gboolean whole = f->n == range->n && f->n > 1; /* from="x[*]" gives all elements at once */
    if (f->n != 1 && !whole) {
      hy_problem(&env, "from=\"%s\" is a list of %u, the port has %u", output_text(e), f->n,
                 range->n);
      return;
    }
    output_element(&env, &t, f->child[whole ? k : 0], k);
  }
}

/* All that was made for one copy alone is dropped after it, so memory does not grow with `count`.
 */
static void add_copies(Loader *l, Scope *s, Entry *e)
{
  guint32 n = s->copies[e->slot].n;
  for (guint32 c = 0; c < n; c++) {
    if (s->copies[e->slot].component[c] != HY_LEFT_OUT) {
      add_copy(l, s, e, c);
    }
    hy_formula_pool_clear(l->scratch);
    g_ptr_array_set_size(l->made, 0);
  }
}

/* In the order of the file, which is the order of components and so of ties. */
void hy_scope_blocks(Loader *l, Scope *s)
{
  const Define *d = s->define;
  s->lines = g_array_sized_new(FALSE, FALSE, sizeof(Line), d->entries->len);
  read_boundaries(l, s);
  for (guint k = 0; k < d->entries->len; k++) {
    Entry *e = g_ptr_array_index(d->entries, k);
    if (e->bad) {
      continue;
    }
    if (e->kind == E_WIRE) {
      Line line = {.wire = e};
      g_array_append_val(s->lines, line);
    } else if (e->kind == E_OUT) {
      add_output(l, s, e);
    } else if (e->kind == E_BLOCK && !s->copies[e->slot].bad) {
      add_copies(l, s, e);
    }
  }
}
