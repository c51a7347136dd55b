#include "digest.h"

#include "base/digest.h"
#include "base/hint.h"
#include "expr/expression.h"

#include <string.h>

/* The graph ------------------------------------------------------------------------------------ */

static void take_text(HyDigest *d, const char *text)
{
  hy_digest_take(d, text, strlen(text) + 1);
}

static void take_number(HyDigest *d, guint64 v)
{
  guint64 little = GUINT64_TO_LE(v);
  hy_digest_take(d, &little, sizeof little);
}

static void take_ports(HyDigest *d, const HyPort *port)
{
  for (; port != NULL && port->name != NULL; port++) {
    take_text(d, port->name);
    take_number(d, port->kind);
  }
  take_number(d, 0);
}

/* A coupled model by the number of its parent and its name, its atomics by name, class and place in
 * the order of ties: that says all paths. */
static void take_tree(HyDigest *d, const HyModel *m)
{
  take_number(d, m->parent != NULL ? m->parent->number : G_MAXUINT);
  take_text(d, m->parent != NULL ? m->name : "");
  take_number(d, m->in->len);
  const HyAtomicClass *last = NULL;
  for (guint k = 0; k < m->components.len; k++) {
    const HyComponent *c = hy_component(m, k);
    if (c->klass == NULL) {
      continue;
    }
    take_number(d, c->number);
    take_text(d, c->name);
    take_number(d, ((guint64)c->n_in << 32) | c->n_out);
    if (c->klass != last) { /* a class of the file has ports of its own */
      take_text(d, c->klass->name);
      take_ports(d, c->klass->in);
      take_ports(d, c->klass->out);
      last = c->klass;
    }
  }
}

static void take_wires(HyDigest *d, const HyFlat *flat)
{
  guint slots = flat->first_out[flat->n] + flat->root->in->len;
  for (guint s = 0; s < slots; s++) {
    take_number(d, flat->start[s + 1] - flat->start[s]);
    for (guint k = flat->start[s]; k < flat->start[s + 1]; k++) {
      take_number(d, ((guint64)flat->targets[k].atomic << 32) | flat->targets[k].port);
    }
  }
}

char *hy_sim_digest(const HySim *sim)
{
  const HyRoot *owner = sim->model->owner;
  HyDigest d;
  hy_digest_init(&d);
  for (guint k = 0; k < owner->n_coupled; k++) {
    take_tree(&d, owner->coupled[k]);
  }
  take_wires(&d, sim->graph);
  return hy_digest_end(&d);
}

/* Parameters ----------------------------------------------------------------------------------- */

/* Equal formulas are one, so each is counted out once. */
static guint64 formula_number(GHashTable *known, const HyExpression *e)
{
  const HyExpression *plain = e != NULL ? hy_expression_plain(e) : NULL;
  guint64 *number = plain != NULL ? g_hash_table_lookup(known, plain) : NULL;
  if (plain != NULL && number == NULL) {
    number = g_new(guint64, 1);
    *number = hy_expression_number(plain);
    g_hash_table_insert(known, hy_key(plain), number);
  }
  return number != NULL ? *number : 0;
}

/* At FIELD of an image, which nobody changes. */
static void parameter_tape(const HyParam *p, const guint8 *field, GHashTable *formulas,
                           HyTape *tape)
{
  HyReals reals;
  HyValues values;
  guint64 formula;
  char *text;
  union {
    double real;
    gint64 integer;
    gboolean is;
  } v;
  switch (p->kind) {
  case HY_REAL:
    memcpy(&v.real, field, sizeof v.real);
    hy_tape_item(tape, HY_ITEM_F64, p->name, &v.real, 1);
    break;
  case HY_INTEGER:
    memcpy(&v.integer, field, sizeof v.integer);
    hy_tape_item(tape, HY_ITEM_I64, p->name, &v.integer, 1);
    break;
  case HY_BOOLEAN:
    memcpy(&v.is, field, sizeof v.is);
    hy_tape_item(tape, HY_ITEM_I32, p->name, &v.is, 1);
    break;
  case HY_TEXT:
    memcpy(&text, field, sizeof text);
    hy_tape_item(tape, HY_ITEM_TEXT, p->name, &text, 1);
    break;
  case HY_REALS:
    memcpy(&reals, field, sizeof reals);
    hy_tape_item(tape, HY_ITEM_F64, p->name, hy_key(reals.v), reals.n);
    break;
  case HY_VALUES:
    memcpy(&values, field, sizeof values);
    hy_tape_item(tape, HY_ITEM_VALUE, p->name, hy_key(values.v), values.n);
    break;
  default:
    formula = formula_number(formulas, hy_expression_at(field));
    hy_tape_item(tape, HY_ITEM_U64, p->name, &formula, 1);
  }
}

static void constants_tape(const HyModel *m, guint component, HyTape *tape)
{
  for (guint k = hy_constants_from(m, component); m->constants != NULL && k < m->constants->len;
       k++) {
    HyConstantInput *c = &g_array_index(m->constants, HyConstantInput, k);
    if (c->component != component) {
      return;
    }
    guint port = c->port;
    hy_tape_item(tape, HY_ITEM_U32, "input", &port, 1);
    hy_tape_item(tape, HY_ITEM_VALUE, "constant", &c->value, 1);
  }
}

/* A state begins as its parameters say, or is put where somebody else has found it: that is no part
 * of what it is later. */
static gboolean is_start(const HyAtomicClass *klass, const HyParam *p)
{
  return klass->order != NULL && strcmp(p->name, "x0") == 0;
}

void hy_sim_parameters_tape(HySim *sim, HyTape *tape)
{
  const HyRoot *owner = sim->model->owner;
  g_autoptr(GHashTable) formulas = g_hash_table_new_full(NULL, NULL, NULL, g_free);
  for (guint a = 0; a < sim->n; a++) {
    const HyModel *m = owner->coupled[owner->atomics[a].coupled];
    guint k = owner->atomics[a].component;
    const HyAtomicClass *klass = sim->atoms[a].klass;
    const HyParam *method = hy_class_method(klass);
    gsize size;
    const guint8 *image = hy_component_image(m, k, &size);
    hy_tape_section(tape, "parameters");
    for (const HyParam *p = klass->params; p != NULL && p->name != NULL; p++) {
      if (!is_start(klass, p)) {
        parameter_tape(p, (p == method ? sim->atoms[a].state : image) + p->offset, formulas, tape);
      }
    }
    constants_tape(m, k, tape);
  }
  hy_tape_section(tape, "numerics");
  HY_TAPE(tape, sim->set.learns);
  HY_TAPE(tape, sim->set.stale);
  HY_TAPE(tape, sim->set.by_rows);
  HY_TAPE(tape, sim->set.together);
}

static void compare_atomic(const HySim *sim, guint a, const HyTapeReader *ours,
                           const HyTapeReader *theirs, guint most, GPtrArray *found)
{
  guint n = MIN(hy_tape_reader_n_items(ours, a), hy_tape_reader_n_items(theirs, a));
  g_autofree char *path = a < sim->n ? hy_sim_path(sim, a) : g_strdup("numerics");
  for (guint k = 0; k < n && found->len < most; k++) {
    const char *name = hy_tape_reader_item(ours, a, k);
    if (hy_tape_reader_equal(ours, a, k, theirs, a, k)) {
      continue;
    }
    g_autoptr(GString) there = g_string_new(NULL), here = g_string_new(NULL);
    hy_tape_reader_print(theirs, a, k, there);
    hy_tape_reader_print(ours, a, k, here);
    gboolean formula = strcmp(name, "formula") == 0;
    g_ptr_array_add(found, formula ? g_strdup_printf("%s: another formula", path)
                                   : g_strdup_printf("%s: %s = %s there, %s here", path, name,
                                                     there->str, here->str));
  }
  if (hy_tape_reader_n_items(ours, a) != hy_tape_reader_n_items(theirs, a) && found->len < most) {
    g_ptr_array_add(found, g_strdup_printf("%s: other constant inputs", path));
  }
}

GPtrArray *hy_sim_parameters_compare(const HySim *sim, const HyTapeReader *ours,
                                     const HyTapeReader *theirs, guint most)
{
  GPtrArray *found = g_ptr_array_new_with_free_func(g_free);
  guint n = MIN(hy_tape_reader_n(ours), hy_tape_reader_n(theirs));
  for (guint a = 0; a < n && found->len < most; a++) {
    compare_atomic(sim, a, ours, theirs, most, found);
  }
  return found;
}
