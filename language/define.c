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
#include "language/circuits.h"
#include "language/network.h"
#include <string.h>

const char *hy_text_of(const HyFile *f, const HyElement *e, guint16 word)
{
  const HyAttribute *a = hy_attribute_find(f->tree, e, word);
  return a != NULL ? a->value : NULL;
}

Entry *hy_define_param(const Define *d, const char *name)
{
  Entry *e = g_hash_table_lookup(d->inner, name);
  return e != NULL && e->param != NULL ? hy_key(e->param) : e;
}

/* "type/cell/x: " */
char *hy_define_path(const Define *d, const char *name)
{
  GString *path = g_string_new(name);
  for (; d != NULL && (d->around != NULL || d->is_type); d = d->around) {
    g_string_prepend_c(path, '/');
    g_string_prepend(path, d->name);
  }
  return g_string_free(path, FALSE);
}

/* About an entry of a definition, which is bad then: it is left out of all instances. */
void hy_complain(Loader *l, const Define *d, Entry *e, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *what = g_strdup_vprintf(format, args);
  va_end(args);
  g_autofree char *path = hy_define_path(d, e->name != NULL ? e->name : "wire");
  hy_report_error(l->report, d->file->name, e->line, "%s: %s", path, what);
  e->bad = 1;
}

/* As messages call it. */
const char *hy_entry_what(const Entry *e)
{
  static const char *const words[] = {
      [E_PARAM] = "parameter", [E_LET] = "let",  [E_IN] = "input port",
      [E_OUT] = "output port", [E_BLOCK] = NULL, [E_WIRE] = "wire"};
  const HyFile *f = e->define->file;
  if (hy_is_node(e)) {
    return "node";
  }
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
      hy_complain(
          l, d, e,
          "\"%s\" is already a parameter of the model around it (line %u); choose another name",
          e->name, outer->line);
      return;
    }
    for (guint k = 0; k < in->entry->n_index; k++) {
      if (in->entry->index[k] == e->name) {
        hy_complain(l, d, e, "\"%s\" is already the index of \"%s\" (line %u); choose another name",
                    e->name, in->entry->name, in->entry->line);
        return;
      }
    }
  }
}

static gboolean is_value(const Entry *e)
{
  return e->kind == E_PARAM || e->kind == E_LET;
}

/* A parameter or let that is seen in D. */
static gboolean names_a_value(const Define *d, const char *name)
{
  const Entry *e = NULL;
  for (const Define *in = d; in != NULL && e == NULL; in = in->around) {
    e = g_hash_table_lookup(in->inner, name);
    e = e != NULL && is_value(e) ? e : NULL;
  }
  return e != NULL;
}

/* An element may be called as a value is: L is the parameter, L.i its current. */
static GHashTable *names_for(Define *d, const Entry *e)
{
  Entry *first = g_hash_table_lookup(d->inner, e->name);
  gboolean element = hy_is_element(e) && !hy_is_node(e);
  if (is_value(e) && first != NULL && hy_is_element(first) && !hy_is_node(first)) {
    g_hash_table_remove(d->inner, e->name);
    g_hash_table_insert(d->elements, hy_key(e->name), first);
  }
  return e->kind == E_OUT ? d->outs : element && names_a_value(d, e->name) ? d->elements : d->inner;
}

/* A name is taken once, but by blocks whose `if` may exclude each other: they are a chain, and
 * which of them lives is known in each instance. */
static void add_name(Loader *l, Define *d, Entry *e)
{
  GHashTable *names = names_for(d, e);
  Entry *first = g_hash_table_lookup(names, e->name);
  if (first == NULL) {
    g_hash_table_insert(names, hy_key(e->name), e);
    if (names == d->inner && d->around != NULL) {
      check_hidden(l, d, e);
    }
    return;
  }
  if (e->cond == NULL || first->cond == NULL || e->kind != E_BLOCK || first->kind != E_BLOCK) {
    hy_complain(l, d, e, "this name is already taken by the %s in line %u", hy_entry_what(first),
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
        hy_complain(l, d, e,
                    "index \"%s\" is already the index of \"%s\" (line %u); add index=\"%s\"", name,
                    in->entry->name, in->entry->line, strcmp(name, "i") == 0 ? "j" : "k");
        return FALSE;
      }
    }
  }
  for (const Define *in = d; in != NULL; in = in->around) {
    const Entry *other = g_hash_table_lookup(in->inner, name);
    if (other != NULL && (in == d || other->kind == E_PARAM || other->kind == E_LET)) {
      hy_complain(l, d, e,
                  "index \"%s\" is already the name of the %s in line %u; add index=\"...\"", name,
                  hy_entry_what(other), other->line);
      return FALSE;
    }
  }
  return TRUE;
}

/* Whether a port or block of D has this name: then an index that nobody named gives way, since
 * inside an index such a name would be a signal, which is an error. A parameter would be read. */
static gboolean is_signal(const Define *d, const char *name)
{
  const Entry *other = g_hash_table_lookup(d->inner, name);
  return other != NULL && (other->kind == E_IN || other->kind == E_BLOCK);
}

/* Indices from number N on: the first of i, j, k that are no signals. */
static void take_usual_indices(Loader *l, const Define *d, Entry *e, guint n)
{
  static const char *const usual[] = {"i", "j", "k"};
  guint next = n;
  for (guint k = n; k < e->n_index; k++) {
    const char *name = NULL;
    do {
      name = hy_formula_pool_name(l->pool, usual[next++]);
    } while (next + (e->n_index - k) <= G_N_ELEMENTS(usual) && is_signal(d, name));
    e->index[k] = name;
  }
}

/* Names of the indices of `count`: those that index= gives, then i, j, k. */
static void read_indices(Loader *l, Define *d, Entry *e)
{
  const HyElement *x = hy_element(d->file->tree, e->element);
  HyAttribute *a = hy_attribute_find(d->file->tree, x, HY_W_INDEX);
  Env env = {.loader = l, .entry = e, .file = d->file, .attribute = e->count};
  e->f.count = hy_env_parse(&env, HY_TEXT_LIST, e->count->value);
  if (e->f.count == NULL) {
    e->bad = 1;
    return;
  }
  if (e->f.count->n > HY_MAX_INDICES ||
      (e->kind != E_BLOCK && e->kind != E_WIRE && e->f.count->n > 1)) {
    hy_complain(l, d, e, "count=\"%s\": at most %d numbers", e->count->value,
                e->kind == E_BLOCK || e->kind == E_WIRE ? HY_MAX_INDICES : 1);
    return;
  }
  e->n_index = (guint8)e->f.count->n;
  g_auto(GStrv) words = a != NULL ? g_strsplit_set(a->value, " \t\n\r", -1) : NULL;
  guint n = 0;
  for (guint k = 0; words != NULL && words[k] != NULL; k++) {
    if (*words[k] != '\0' && n < HY_MAX_INDICES) {
      e->index[n++] = hy_formula_pool_name(l->pool, words[k]);
    }
  }
  if (a != NULL && n != e->n_index) {
    hy_complain(l, d, e, "index=\"%s\" names %u, count has %u", a->value, n, e->n_index);
    return;
  }
  take_usual_indices(l, d, e, n);
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
  case HY_W_CIRCUIT:
  case HY_W_MACHINE:
  case HY_W_STATE:
  case HY_W_BLOCK:
  case HY_W_NODE:
    *kind = E_BLOCK;
    return TRUE;
  default:
    *kind = E_BLOCK;
    return hy_element_rule(e->name) == NULL &&
           (f->vocabulary->klass[e->name] != NULL || f->vocabulary->library[e->name] ||
            f->vocabulary->element[e->name] != NULL);
  }
}

/* A word that is none of them has been refused by the structure. */
static ValueKind value_kind(const char *word)
{
  const char *const *words = hy_choices_of(HY_X_KIND);
  guint k = 0;
  while (words[k] != NULL && strcmp(word, words[k]) != 0) {
    k++;
  }
  return words[k] != NULL ? (ValueKind)k : KIND_REAL;
}

/* Attributes that a block (or a wire) may have. */
static void take_placing(Entry *e, const HyAttribute *a)
{
  switch (a->name) {
  case HY_W_TYPE:
    e->open_type = e->kind == E_BLOCK && strchr(a->value, '{') != NULL;
    break;
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
  } else if (a->name == HY_W_IF && !value) {
    e->cond = a;
  } else if (a->name == HY_W_KIND && value) {
    e->value_kind = value_kind(a->value);
  } else if (a->name == HY_W_KIND) {
    e->port_kind = strcmp(a->value, "event") == 0 ? PORT_EVENT : PORT_SIGNAL;
  }
}

/* A parameter that may change is two things: what is set before the run, which no name means, and a
 * lever of its name, which begins there. */
static gboolean may_change(const HyFile *f, const HyElement *x)
{
  const char *change = x->name == HY_W_PARAM ? hy_text_of(f, x, HY_W_CHANGE) : NULL;
  return change != NULL && strcmp(change, "true") == 0;
}

static void add_lever(Loader *l, Define *d, Entry *param)
{
  Entry *e = hy_arena_take(l->entries, sizeof *e);
  *e = (Entry){.name = param->name,
               .define = d,
               .unit = param->unit,
               .element = param->element,
               .line = param->line,
               .kind = E_BLOCK,
               .bad = param->bad,
               .param = param};
  param->used = 1;
  g_ptr_array_add(d->entries, param);
  param->slot = d->values->len;
  g_ptr_array_add(d->values, param);
  hy_define_add(l, d, e);
  if (param->count != NULL || (param->value_kind != KIND_REAL) ||
      hy_text_of(d->file, hy_element(d->file->tree, param->element), HY_W_CHOICES) != NULL) {
    hy_complain(l, d, e, "a parameter that may change is one real number; it has no %s",
                param->count != NULL             ? "count"
                : param->value_kind != KIND_REAL ? "kind"
                                                 : "choices");
    param->bad = 1;
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
  Entry *e = hy_arena_take(l->entries, sizeof *e);
  e->define = d;
  e->element = number;
  e->line = x->line;
  e->kind = (guint8)kind;
  e->bad = d->file->bad[number];
  for (guint32 k = 0; k < x->n_attributes; k++) {
    take_attribute(l, e, hy_attribute(tree, x, k));
  }
  if (e->name == NULL && kind != E_WIRE) { /* said by the check of the structure */
    return;
  }
  if (x->name == HY_W_NODE) {
    hy_node_port_read(l, d, e);
  }
  may_change(d->file, x) ? add_lever(l, d, e) : hy_define_add(l, d, e);
}

void hy_define_add(Loader *l, Define *d, Entry *e)
{
  g_ptr_array_add(d->entries, e);
  if (e->kind != E_WIRE) {
    GPtrArray *slots = e->kind == E_IN      ? d->in
                       : e->kind == E_OUT   ? d->out
                       : e->kind == E_BLOCK ? d->blocks
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
  const char *name = hy_text_of(file, x, HY_W_NAME);
  d->file = file;
  d->element = element;
  d->name = name != NULL ? name : hy_tree_name(file->tree, x->name);
  d->around = around;
  d->entry = entry;
  d->is_type = x->name == HY_W_TYPE;
  d->is_circuit = hy_is_circuit(file->tree, x);
  d->entries = g_ptr_array_new();
  d->inner = g_hash_table_new(NULL, NULL); /* names of the pool: equal names are equal pointers */
  d->elements = g_hash_table_new(NULL, NULL);
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
  if (d->is_circuit) {
    hy_nodes_define(l, d);
  }
  for (guint k = 0; k < d->entries->len; k++) {
    Entry *e = g_ptr_array_index(d->entries, k);
    if (e->count != NULL && !hy_is_node(e)) {
      read_indices(l, d, e);
    } else if (e->kind == E_BLOCK && (e->before != NULL || e->after != NULL)) {
      hy_complain(l, d, e, "before= and after= belong to a block with count=");
    }
  }
  return d;
}

void hy_define_free(Define *d)
{
  for (guint k = 0; k < d->blocks->len; k++) {
    Entry *e = g_ptr_array_index(d->blocks, k);
    hy_block_plan_free(e->plan);
  }
  g_ptr_array_unref(d->values);
  g_ptr_array_unref(d->in);
  g_ptr_array_unref(d->out);
  g_ptr_array_unref(d->blocks);
  g_hash_table_unref(d->inner);
  g_hash_table_unref(d->elements);
  g_hash_table_unref(d->outs);
  g_ptr_array_unref(d->entries);
  g_free(d);
}
