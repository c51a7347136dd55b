/* What a <hydevs>, <type> or <coupled> defines: its entries and names, once for all instances.
 *
 * Needs the tree of a file, checked by schema_check.c. Leaves a Define with an Entry for each
 * element in it, found by name: parameters, lets, ports, blocks, wires. Nothing is computed here,
 * since values differ from instance to instance; what is the same in all is found when first asked
 * for and kept:
 *
 *   type of a block   a class, a <type> of this file or a library, another file, a <coupled>
 *   plan of a block   what each of its attributes is for: parameter, input, named input
 *   kind of a port    signal or event; if it does not say, by what it is connected to
 *
 * Names mean one thing in one model: an entry that hides a parameter or index that is visible from
 * outside is an error. */
#include "hydevs/text.h"
#include "language/expand.h"
#include <string.h>

static const char *value_of(const HyFile *f, const HyElement *e, guint16 word)
{
  const HyAttribute *a = hy_attribute_find(f->tree, e, word);
  return a != NULL ? a->value : NULL;
}

/* "type/cell/x: " */
static char *define_path(const Define *d, const char *name)
{
  GString *path = g_string_new(name);
  for (; d != NULL && (d->around != NULL || d->is_type); d = d->around) {
    g_string_prepend_c(path, '/');
    g_string_prepend(path, d->name);
  }
  return g_string_free(path, FALSE);
}

static void complain(Loader *l, const Define *d, Entry *e, const char *format, ...)
    G_GNUC_PRINTF(4, 5);
/* About an entry of a definition, which is bad then: it is left out of all instances. */
static void complain(Loader *l, const Define *d, Entry *e, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *what = g_strdup_vprintf(format, args);
  va_end(args);
  g_autofree char *path = define_path(d, e->name != NULL ? e->name : "wire");
  hy_report_error(l->report, d->file->name, e->line, "%s: %s", path, what);
  e->bad = 1;
}

/* As messages call it. */
static const char *kind_of(const Entry *e)
{
  static const char *const words[] = {
      [E_PARAM] = "parameter", [E_LET] = "let",  [E_IN] = "input port",
      [E_OUT] = "output port", [E_BLOCK] = NULL, [E_WIRE] = "wire"};
  const HyFile *f = e->define->file;
  return e->kind == E_BLOCK ? hy_tree_name(f->tree, hy_element(f->tree, e->element)->name)
                            : words[e->kind];
}

/* Names --------------------------------------------------------------------------------------- */

/* A parameter or index that is visible from outside. */
static void check_hidden(Loader *l, Define *d, Entry *e)
{
  for (const Define *in = d; in->around != NULL; in = in->around) {
    const Entry *outer = g_hash_table_lookup(in->around->inner, e->name);
    if (outer != NULL && (outer->kind == E_PARAM || outer->kind == E_LET)) {
      complain(
          l, d, e,
          "\"%s\" is already a parameter of the model around it (line %u); choose another name",
          e->name, outer->line);
      return;
    }
    for (guint k = 0; k < in->entry->n_index; k++) {
      if (in->entry->index[k] == e->name) {
        complain(l, d, e, "\"%s\" is already the index of \"%s\" (line %u); choose another name",
                 e->name, in->entry->name, in->entry->line);
        return;
      }
    }
  }
}

/* A name is taken once, but by entries whose `if` may exclude each other: they are a chain, and
 * which of them lives is known in each instance. */
static void add_name(Loader *l, Define *d, Entry *e)
{
  GHashTable *names = e->kind == E_OUT ? d->outs : d->inner;
  Entry *first = g_hash_table_lookup(names, e->name);
  if (first == NULL) {
    g_hash_table_insert(names, hy_key(e->name), e);
    if (e->kind != E_OUT && d->around != NULL) {
      check_hidden(l, d, e);
    }
    return;
  }
  if (e->cond == NULL || first->cond == NULL) {
    complain(l, d, e, "this name is already taken by the %s in line %u", kind_of(first),
             first->line);
    return;
  }
  while (first->same != NULL) {
    first = first->same;
  }
  first->same = e;
}

/* Indices ------------------------------------------------------------------------------------- */

/* An index is seen in all that is inside the block, so it may be no index around it and no
 * parameter that is visible there. */
static gboolean index_is_free(Loader *l, Define *d, Entry *e, const char *name)
{
  for (const Define *in = d; in != NULL && in->entry != NULL; in = in->around) {
    for (guint k = 0; k < in->entry->n_index; k++) {
      if (in->entry->index[k] == name) {
        complain(l, d, e, "index \"%s\" is already the index of \"%s\" (line %u); add index=\"%s\"",
                 name, in->entry->name, in->entry->line, strcmp(name, "i") == 0 ? "j" : "k");
        return FALSE;
      }
    }
  }
  for (const Define *in = d; in != NULL; in = in->around) {
    const Entry *other = g_hash_table_lookup(in->inner, name);
    if (other != NULL && (in == d || other->kind == E_PARAM || other->kind == E_LET)) {
      complain(l, d, e, "index \"%s\" is already the name of the %s in line %u; add index=\"...\"",
               name, kind_of(other), other->line);
      return FALSE;
    }
  }
  return TRUE;
}

/* Names of the indices of `count`: those that index= gives, then i, j, k. */
static void read_indices(Loader *l, Define *d, Entry *e)
{
  static const char *const usual[HY_MAX_INDICES] = {"i", "j", "k"};
  const HyElement *x = hy_element(d->file->tree, e->element);
  HyAttribute *a = hy_attribute_find(d->file->tree, x, HY_W_INDEX);
  Env env = {.loader = l, .entry = e, .file = d->file, .attribute = e->count};
  e->f_count = hy_env_parse(&env, HY_TEXT_LIST, e->count->value);
  if (e->f_count == NULL) {
    e->bad = 1;
    return;
  }
  if (e->f_count->n > HY_MAX_INDICES ||
      (e->kind != E_BLOCK && e->kind != E_WIRE && e->f_count->n > 1)) {
    complain(l, d, e, "count=\"%s\": at most %d numbers", e->count->value,
             e->kind == E_BLOCK || e->kind == E_WIRE ? HY_MAX_INDICES : 1);
    return;
  }
  e->n_index = (guint8)e->f_count->n;
  g_auto(GStrv) words = a != NULL ? g_strsplit_set(a->value, " \t\n\r", -1) : NULL;
  guint n = 0;
  for (guint k = 0; words != NULL && words[k] != NULL; k++) {
    if (*words[k] != '\0' && n < HY_MAX_INDICES) {
      e->index[n++] = hy_formula_pool_name(l->pool, words[k]);
    }
  }
  if (a != NULL && n != e->n_index) {
    complain(l, d, e, "index=\"%s\" names %u, count has %u", a->value, n, e->n_index);
    return;
  }
  for (guint k = n; k < e->n_index; k++) {
    e->index[k] = hy_formula_pool_name(l->pool, usual[k]);
  }
  for (guint k = 0; k < e->n_index; k++) {
    if (!index_is_free(l, d, e, e->index[k])) {
      return;
    }
  }
}

/* Entries ------------------------------------------------------------------------------------- */

/* What an element in a model is; FALSE: none of these, such as <experiment> or what structure has
 * refused. */
static gboolean entry_kind(const HyFile *f, const HyElement *e, EntryKind *kind)
{
  switch (e->name) {
  case HY_W_PARAM:
    *kind = E_PARAM;
    return TRUE;
  case HY_W_LET:
    *kind = E_LET;
    return TRUE;
  case HY_W_IN:
    *kind = E_IN;
    return TRUE;
  case HY_W_OUT:
    *kind = E_OUT;
    return TRUE;
  case HY_W_WIRE:
    *kind = E_WIRE;
    return TRUE;
  case HY_W_COUPLED:
  case HY_W_EQUATIONS:
  case HY_W_STATE:
  case HY_W_BLOCK:
    *kind = E_BLOCK;
    return TRUE;
  default:
    *kind = E_BLOCK;
    return hy_element_rule(e->name) == NULL &&
           (f->vocabulary->klass[e->name] != NULL || f->vocabulary->library[e->name]);
  }
}

/* A word that is none of them has been refused by the structure. */
static ValueKind value_kind(const char *word)
{
  static const char *const words[] = {[KIND_REAL] = "real",
                                      [KIND_INTEGER] = "integer",
                                      [KIND_BOOLEAN] = "boolean",
                                      [KIND_TEXT] = "text",
                                      [KIND_PAYLOAD] = "payload"};
  for (guint k = 0; k < G_N_ELEMENTS(words); k++) {
    if (strcmp(word, words[k]) == 0) {
      return k;
    }
  }
  return KIND_REAL;
}

/* Attributes that a block (or a wire) may have. */
static void take_placing(Entry *e, const HyAttribute *a)
{
  switch (a->name) {
  case HY_W_IF:
    e->cond = a;
    break;
  case HY_W_BEFORE:
    e->before = e->kind == E_BLOCK ? a : e->before;
    break;
  case HY_W_AFTER:
    e->after = e->kind == E_BLOCK ? a : e->after;
    break;
  case HY_W_FROM:
    e->from = e->kind == E_WIRE ? a : e->from;
    break;
  case HY_W_TO:
    e->to = e->kind == E_WIRE ? a : e->to;
    break;
  default:
    break;
  }
}

/* Attributes of parameters and ports. */
static void take_quantity(Entry *e, const HyAttribute *a)
{
  gboolean value = e->kind == E_PARAM || e->kind == E_LET;
  if (a->name == (value ? HY_W_VALUE : HY_W_FROM) && e->kind != E_IN) {
    e->value = a;
  } else if (a->name == HY_W_KIND && value) {
    e->value_kind = value_kind(a->value);
  } else if (a->name == HY_W_KIND) {
    e->port_kind = strcmp(a->value, "event") == 0 ? PORT_EVENT : PORT_SIGNAL;
  }
}

/* Where an attribute is kept that has a meaning for every entry of its kind; all others are looked
 * at by the plan. */
static void take_attribute(Loader *l, Entry *e, const HyAttribute *a)
{
  if (a->name == HY_W_NAME) {
    e->name = e->kind != E_WIRE && hy_name_is_legal(a->value)
                  ? hy_formula_pool_name(l->pool, a->value)
                  : NULL;
  } else if (a->name == HY_W_COUNT) {
    e->count = a;
  } else if (a->name == HY_W_UNIT) {
    e->unit = a->value;
  } else if (e->kind == E_BLOCK || e->kind == E_WIRE) {
    take_placing(e, a);
  } else {
    take_quantity(e, a);
  }
}

static void read_entry(Loader *l, Define *d, guint32 number, EntryKind kind)
{
  HyTree *tree = d->file->tree;
  const HyElement *x = hy_element(tree, number);
  Entry *e = g_new0(Entry, 1);
  e->define = d;
  e->element = number;
  e->line = x->line;
  e->kind = (guint8)kind;
  e->bad = d->file->bad[number];
  for (guint32 k = 0; k < x->n_attributes; k++) {
    take_attribute(l, e, hy_attribute(tree, x, k));
  }
  if (e->name == NULL && kind != E_WIRE) { /* said by the check of the structure */
    g_free(e);
    return;
  }
  g_ptr_array_add(d->entries, e);
  if (kind != E_WIRE) {
    GPtrArray *slots = kind == E_IN      ? d->in
                       : kind == E_OUT   ? d->out
                       : kind == E_BLOCK ? d->blocks
                                         : d->values;
    e->slot = slots->len;
    g_ptr_array_add(slots, e);
    add_name(l, d, e);
  }
}

Define *hy_define_new(Loader *l, HyFile *file, guint32 element, Define *around, Entry *entry)
{
  Define *d = g_new0(Define, 1);
  const HyElement *x = hy_element(file->tree, element);
  const char *name = value_of(file, x, HY_W_NAME);
  d->file = file;
  d->element = element;
  d->name = name != NULL ? name : hy_tree_name(file->tree, x->name);
  d->around = around;
  d->entry = entry;
  d->is_type = x->name == HY_W_TYPE;
  d->entries = g_ptr_array_new_with_free_func(g_free);
  d->inner = g_hash_table_new(NULL, NULL); /* names of the pool: equal names are equal pointers */
  d->outs = g_hash_table_new(NULL, NULL);
  d->values = g_ptr_array_new();
  d->in = g_ptr_array_new();
  d->out = g_ptr_array_new();
  d->blocks = g_ptr_array_new();
  g_ptr_array_add(l->defines, d);
  for (guint32 k = x->child; k != 0; k = hy_element(file->tree, k)->next) {
    EntryKind kind;
    if (!hy_element(file->tree, k)->foreign && entry_kind(file, hy_element(file->tree, k), &kind)) {
      read_entry(l, d, k, kind);
    }
  }
  for (guint k = 0; k < d->entries->len; k++) {
    Entry *e = g_ptr_array_index(d->entries, k);
    if (e->count != NULL) {
      read_indices(l, d, e);
    } else if (e->kind == E_BLOCK && (e->before != NULL || e->after != NULL)) {
      complain(l, d, e, "before= and after= belong to a block with count=");
    }
  }
  return d;
}

/* Most blocks of a drawn model say nothing but their name. */
static const Plan nothing_said;

void hy_define_free(Define *d)
{
  for (guint k = 0; k < d->blocks->len; k++) {
    Entry *e = g_ptr_array_index(d->blocks, k);
    if (e->plan != NULL && e->plan != &nothing_said) {
      g_free(e->plan->item);
      g_free(hy_key(e->plan));
    }
  }
  g_ptr_array_unref(d->values);
  g_ptr_array_unref(d->in);
  g_ptr_array_unref(d->out);
  g_ptr_array_unref(d->blocks);
  g_hash_table_unref(d->inner);
  g_hash_table_unref(d->outs);
  g_ptr_array_unref(d->entries);
  g_free(d);
}

/* Types --------------------------------------------------------------------------------------- */

/* Types of this file and classes are offered; those of libraries are named with a dot. */
static void no_such_type(Loader *l, const HyFile *f, Entry *e, const HyAttribute *a)
{
  HyNearest nearest = {.word = a->value};
  for (guint32 k = hy_element(f->tree, 0)->child; k != 0; k = hy_element(f->tree, k)->next) {
    const HyElement *x = hy_element(f->tree, k);
    const char *name = x->name == HY_W_TYPE ? value_of(f, x, HY_W_NAME) : NULL;
    if (name != NULL) {
      hy_nearest_offer(&nearest, name);
    }
  }
  for (const HyAtomicClass *const *k = hy_blocks_all(l->options.blocks); *k != NULL; k++) {
    hy_nearest_offer(&nearest, (*k)->name);
  }
  g_autofree char *hint = hy_did_you_mean_long(nearest.best);
  complain(l, e->define, e, "there is no type \"%s\"%s", a->value, hint);
}

/* type="library.name". */
static gboolean library_type(Loader *l, HyFile *f, Entry *e, const HyAttribute *a, const char *dot)
{
  g_autofree char *library = g_strndup(a->value, (gsize)(dot - a->value));
  g_autofree char *path = hy_loader_find_library(l, f, library);
  if (path == NULL) {
    complain(l, e->define, e,
             "type=\"%s\": there is no library \"%s\" (%s.xml beside this file, or --library)",
             a->value, library, library);
    return FALSE;
  }
  Env env = {.loader = l, .entry = e, .file = f, .attribute = a};
  HyFile *in = hy_loader_file(l, path, &env);
  if (in == NULL) {
    e->bad = 1;
    return FALSE;
  }
  e->inside = hy_file_type(l, in, dot + 1);
  if (e->inside == NULL) {
    complain(l, e->define, e, "type=\"%s\": %s has no type \"%s\"", a->value, in->name, dot + 1);
  }
  return e->inside != NULL;
}

/* type="name": of this file, then a class, then of the standard library, which is read for it. */
static gboolean named_type(Loader *l, HyFile *f, Entry *e, const HyAttribute *a)
{
  const char *dot = strchr(a->value, '.');
  if (dot != NULL) {
    return library_type(l, f, e, a, dot);
  }
  e->inside = hy_file_type(l, f, a->value);
  if (e->inside == NULL) {
    e->klass = hy_blocks_find(l->options.blocks, a->value);
  }
  HyFile *standard = e->inside == NULL && e->klass == NULL ? hy_loader_standard(l) : NULL;
  if (standard != NULL) {
    e->inside = hy_file_type(l, standard, a->value);
  }
  if (e->inside == NULL && e->klass == NULL) {
    no_such_type(l, f, e, a);
    return FALSE;
  }
  return TRUE;
}

/* file="path": the root model of another file is the type. */
static gboolean file_type(Loader *l, HyFile *f, Entry *e, const HyAttribute *a)
{
  if (strstr(a->value, "://") != NULL) {
    complain(l, e->define, e, "file=\"%s\": a network address; only files are read", a->value);
    return FALSE;
  }
  g_autofree char *path =
      g_path_is_absolute(a->value) ? g_strdup(a->value) : hy_beside(f, a->value);
  Env env = {.loader = l, .entry = e, .file = f, .attribute = a};
  HyFile *in = hy_loader_file(l, path, &env);
  if (in == NULL) {
    e->bad = 1;
    return FALSE;
  }
  if (in->root == NULL) {
    in->root = hy_define_new(l, in, 0, NULL, NULL);
  }
  e->inside = in->root;
  return TRUE;
}

/* What a block is, found once. FALSE: that is not known, and has been reported. */
gboolean hy_entry_type(Loader *l, Entry *e)
{
  if (e->type_looked || e->bad) {
    return !e->bad;
  }
  e->type_looked = 1;
  HyFile *f = e->define->file;
  const HyElement *x = hy_element(f->tree, e->element);
  if (x->name == HY_W_COUPLED || x->name == HY_W_EQUATIONS) {
    e->inside = hy_define_new(l, f, e->element, e->define, e);
    return TRUE;
  }
  if (x->name == HY_W_STATE) {
    e->klass = hy_class_find("integrator");
    return TRUE;
  }
  if (x->name != HY_W_BLOCK) {
    e->klass = f->vocabulary->klass[x->name];
    HyFile *standard = e->klass == NULL ? hy_loader_standard(l) : NULL;
    e->inside = standard != NULL ? hy_file_type(l, standard, hy_tree_name(f->tree, x->name)) : NULL;
    e->bad = e->klass == NULL && e->inside == NULL;
    return !e->bad;
  }
  const HyAttribute *type = hy_attribute_find(f->tree, x, HY_W_TYPE),
                    *file = hy_attribute_find(f->tree, x, HY_W_FILE);
  if ((type == NULL) == (file == NULL)) {
    complain(l, e->define, e, "a block needs type=\"...\" or file=\"...\"%s",
             type != NULL ? ", not both" : "");
    return FALSE;
  }
  return type != NULL ? named_type(l, f, e, type) : file_type(l, f, e, file);
}

/* Plans: what each attribute of a block is for ------------------------------------------------- */

/* A word that means the same at every block, and so is neither its parameter nor its input. */
static gboolean is_fixed(guint16 word, gboolean block)
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
  for (guint16 k = 0; klass->params != NULL && klass->params[k].name != NULL; k++) {
    if (strcmp(klass->params[k].name, name) == 0) {
      i->role = R_PARAM;
      i->index = k;
      return TRUE;
    }
  }
  i->role = R_NAMED;
  return function;
}

/* What the attribute NAME is to a block with the definition INSIDE. */
static gboolean plan_coupled(Loader *l, const Define *inside, const char *name, Item *i)
{
  Entry *child = g_hash_table_lookup(inside->inner, hy_formula_pool_name(l->pool, name));
  if (child == NULL || (child->kind != E_PARAM && child->kind != E_IN)) {
    return FALSE;
  }
  i->child = child;
  i->role = child->kind == E_PARAM ? R_CHILD_PARAM : R_CHILD_IN;
  i->index = (guint16)child->slot;
  return TRUE;
}

/* With all that the block has, and the nearest of it. */
static void unknown_attribute(Loader *l, Entry *e, const HyAttribute *a)
{
  const char *name = hy_tree_name(e->define->file->tree, a->name);
  HyNearest nearest = {.word = name};
  g_autoptr(GString) list = g_string_new(NULL);
  const HyPort *p = e->klass != NULL ? e->klass->in : NULL;
  for (; p != NULL && p->name != NULL; p++) {
    hy_nearest_offer(&nearest, p->name);
    g_string_append_printf(list, "%s%s", list->len > 0 ? ", " : "", p->name);
  }
  const HyParam *q = e->klass != NULL ? e->klass->params : NULL;
  for (; q != NULL && q->name != NULL; q++) {
    hy_nearest_offer(&nearest, q->name);
    g_string_append_printf(list, "%s%s", list->len > 0 ? ", " : "", q->name);
  }
  for (guint k = 0; e->inside != NULL && k < e->inside->entries->len; k++) {
    const Entry *c = g_ptr_array_index(e->inside->entries, k);
    if (c->kind == E_PARAM || c->kind == E_IN) {
      hy_nearest_offer(&nearest, c->name);
      g_string_append_printf(list, "%s%s", list->len > 0 ? ", " : "", c->name);
    }
  }
  const Entry *c = e->inside != NULL
                       ? g_hash_table_lookup(e->inside->inner, hy_formula_pool_name(l->pool, name))
                       : NULL;
  g_autofree char *path = define_path(e->define, e->name);
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
  gboolean plain = e != NULL && e->count == NULL && e->cond == NULL && e->same == NULL && !e->bad;
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
  for (guint32 k = 0; k < x->n_attributes; k++) {
    n += !is_fixed(hy_attribute(f->tree, x, k)->name, x->name == HY_W_BLOCK);
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
    if (is_fixed(a->name, x->name == HY_W_BLOCK)) {
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

/* Kinds of ports that do not say theirs -------------------------------------------------------- */

#define PORT_KIND_DEPTH 64 /* models inside each other that are looked into */

static PortKind port_kind(Loader *l, Define *d, Entry *port, guint depth);

static PortKind kind_of_class(const HyPort *ports, const char *name)
{
  guint k = hy_find_port(ports, name, NULL);
  return k == G_MAXUINT ? PORT_UNKNOWN : ports[k].kind == HY_EVENT ? PORT_EVENT : PORT_SIGNAL;
}

/* Whether NAME stands in F: as a line (1), or inside an expression (2). */
static guint occurs(const HyFormula *f, const char *name, guint depth)
{
  if (f->kind == HY_F_REF) {
    return f->ref.name == name ? 1 : 0;
  }
  if (f->kind == HY_F_NUMBER || f->kind == HY_F_NOTHING || depth == 0) {
    return 0;
  }
  gboolean line = f->kind == HY_F_LIST || f->kind == HY_F_ITEMS || hy_formula_is_if(f);
  guint best = 0;
  for (guint32 k = 0; k < f->n; k++) {
    guint found = occurs(f->child[k], name, depth - 1);
    best = found == 0 ? best : line && found == 1 ? 1 : 2;
    if (best == 2) {
      break;
    }
  }
  return best;
}

/* What the input is that item I is for. */
static PortKind kind_of_target(Loader *l, const Entry *e, const Item *i, guint depth)
{
  if (i->role == R_NAMED) {
    return PORT_SIGNAL;
  }
  if (i->role == R_INPUT) {
    return e->klass->in[i->index].kind == HY_EVENT ? PORT_EVENT : PORT_SIGNAL;
  }
  return port_kind(l, e->inside, i->child, depth - 1);
}

/* What PORT must be because item I reads it; PORT_UNKNOWN: it does not, or that says nothing. */
static PortKind kind_from_item(Loader *l, const Entry *e, const Item *i, const Entry *port,
                               guint depth)
{
  if (i->direct != NULL ? i->direct != port : strstr(i->attribute->value, port->name) == NULL) {
    return PORT_UNKNOWN;
  }
  if (i->role == R_PARAM || i->role == R_CHILD_PARAM) {
    gboolean formula = i->role == R_PARAM && e->klass != NULL && hy_takes_names(e->klass);
    return formula ? PORT_SIGNAL : PORT_UNKNOWN;
  }
  if (i->direct == NULL) {
    const HyFormula *f = hy_formula_parse(l->pool, HY_TEXT_SOURCE, i->attribute->value, NULL);
    guint found = f != NULL ? occurs(f, port->name, HY_FOLDED_DEPTH) : 0;
    if (found != 1) {
      return found == 2 ? PORT_SIGNAL : PORT_UNKNOWN;
    }
  }
  return kind_of_target(l, e, i, depth);
}

/* By the first of its attributes that reads the port. */
static PortKind kind_from_block(Loader *l, Entry *e, const Entry *port, guint depth)
{
  if (e->bad || !hy_entry_type(l, e)) {
    return PORT_UNKNOWN;
  }
  const Plan *plan = hy_entry_plan(l, e);
  PortKind kind = PORT_UNKNOWN;
  for (guint k = 0; k < plan->n && kind == PORT_UNKNOWN; k++) {
    kind = kind_from_item(l, e, &plan->item[k], port, depth);
  }
  return kind;
}

/* What one end of a wire (as written) is. */
static PortKind kind_of_end(Loader *l, Define *d, const HyFormula *ref, gboolean outgoing,
                            guint depth)
{
  Entry *e = g_hash_table_lookup(d->inner, ref->ref.name);
  if (e == NULL || e->kind != E_BLOCK) {
    return e != NULL && e->kind == E_IN ? port_kind(l, d, e, depth - 1) : PORT_UNKNOWN;
  }
  if (e->bad || !hy_entry_type(l, e)) {
    return PORT_UNKNOWN;
  }
  if (e->klass != NULL) {
    return kind_of_class(outgoing ? e->klass->out : e->klass->in, ref->ref.port);
  }
  GPtrArray *ports = outgoing ? e->inside->out : e->inside->in;
  Entry *p =
      ref->ref.port == NULL
          ? (ports->len > 0 ? g_ptr_array_index(ports, 0) : NULL)
          : g_hash_table_lookup(outgoing ? e->inside->outs : e->inside->inner, ref->ref.port);
  return p != NULL && p->kind == (outgoing ? E_OUT : E_IN) ? port_kind(l, e->inside, p, depth - 1)
                                                           : PORT_UNKNOWN;
}

/* By the first end that the wire leads to. */
static PortKind kind_from_wire(Loader *l, Define *d, const Entry *w, const Entry *port, guint depth)
{
  if (w->from == NULL || w->to == NULL || strstr(w->from->value, port->name) == NULL) {
    return PORT_UNKNOWN;
  }
  const HyFormula *f = hy_formula_parse(l->pool, HY_TEXT_ENDS, w->from->value, NULL);
  const HyFormula *g = hy_formula_parse(l->pool, HY_TEXT_ENDS, w->to->value, NULL);
  if (f == NULL || g == NULL || occurs(f, port->name, HY_FOLDED_DEPTH) != 1 || g->n == 0 ||
      g->child[0]->kind != HY_F_REF) {
    return PORT_UNKNOWN;
  }
  return kind_of_end(l, d, g->child[0], FALSE, depth);
}

/* By the first in the model that reads it. */
static PortKind kind_of_input(Loader *l, Define *d, const Entry *port, guint depth)
{
  for (guint k = 0; k < d->entries->len; k++) {
    Entry *e = g_ptr_array_index(d->entries, k);
    PortKind kind = e->kind == E_BLOCK  ? kind_from_block(l, e, port, depth)
                    : e->kind == E_WIRE ? kind_from_wire(l, d, e, port, depth)
                                        : PORT_UNKNOWN;
    if (kind != PORT_UNKNOWN) {
      return kind;
    }
  }
  return PORT_UNKNOWN;
}

/* The first reference of a list, or of the last branch of an if; NULL: it is a formula. */
static const HyFormula *first_line(const HyFormula *f)
{
  while (f != NULL && f->kind != HY_F_REF) {
    gboolean line = f->kind == HY_F_LIST || f->kind == HY_F_ITEMS;
    gboolean either = hy_formula_is_if(f) && f->n >= 2;
    f = line && f->n > 0 ? f->child[0] : either ? f->child[f->n - 1] : NULL;
  }
  return f;
}

/* Of an output port that does not say: that of what it leads outside, by from= or by the block of
 * its own name. */
static PortKind kind_of_output(Loader *l, Define *d, const Entry *port, guint depth)
{
  Entry *e = port->value == NULL ? g_hash_table_lookup(d->inner, port->name) : NULL;
  if (e != NULL && e->kind == E_BLOCK && hy_entry_type(l, e)) {
    return e->klass != NULL ? kind_of_class(e->klass->out, NULL)
           : e->inside->out->len > 0
               ? port_kind(l, e->inside, g_ptr_array_index(e->inside->out, 0), depth - 1)
               : PORT_UNKNOWN;
  }
  const HyFormula *f = port->value != NULL
                           ? hy_formula_parse(l->pool, HY_TEXT_SOURCE, port->value->value, NULL)
                           : NULL;
  const HyFormula *ref = first_line(f);
  return ref != NULL ? kind_of_end(l, d, ref, TRUE, depth) : f != NULL ? PORT_SIGNAL : PORT_UNKNOWN;
}

/* Ports may ask for each other in a circle, and are then of the kind that somebody else decides. */
static PortKind port_kind(Loader *l, Define *d, Entry *port, guint depth)
{
  if (port->port_kind == PORT_NOT_LOOKED && depth > 0) {
    port->port_kind = PORT_IN_WORK;
    port->port_kind =
        port->kind == E_IN ? kind_of_input(l, d, port, depth) : kind_of_output(l, d, port, depth);
  }
  return port->port_kind == PORT_IN_WORK || port->port_kind == PORT_NOT_LOOKED ? PORT_UNKNOWN
                                                                               : port->port_kind;
}

PortKind hy_port_kind(Loader *l, Define *d, Entry *port)
{
  return port_kind(l, d, port, PORT_KIND_DEPTH);
}
