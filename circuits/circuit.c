/* A circuit as it is built, solved and asked. The steps, each needing what the one before leaves:
 * tree.c (which elements are states; labels), coils.c (their currents), star.c (currents and
 * potentials of resistances), capacitors.c and coils.c (derivatives). */
#include "base/hint.h"
#include "internal.h"

#include <math.h>

HyCircuit *hy_circuit_new(HyFormulaPool *pool)
{
  HyCircuit *c = g_new0(HyCircuit, 1);
  c->pool = pool;
  c->nodes = g_ptr_array_new_with_free_func(g_free);
  c->branches = g_array_new(FALSE, TRUE, sizeof(Branch));
  c->names = g_array_new(FALSE, TRUE, sizeof(Name));
  c->by_name = g_hash_table_new(NULL, NULL);
  c->taken = g_hash_table_new(NULL, NULL);
  c->labels = g_ptr_array_new_with_free_func(g_free);
  c->controls = g_array_new(FALSE, FALSE, sizeof(HyControl));
  c->order = g_array_new(FALSE, FALSE, sizeof(guint32));
  c->walk = g_array_new(FALSE, FALSE, sizeof(guint32));
  c->coils = g_array_new(FALSE, FALSE, sizeof(guint32));
  c->coil_walk = g_array_new(FALSE, FALSE, sizeof(guint32));
  c->mutual = g_array_new(FALSE, FALSE, sizeof(Mutual));
  Label *nothing = g_malloc0(sizeof *nothing);
  g_ptr_array_add(c->labels, nothing);
  c->nothing = nothing;
  hy_circuit_node(c, "0");
  return c;
}

static void circuit_free_stars(HyCircuit *c)
{
  for (guint k = 0; c->stars != NULL && k < c->stars->len; k++) {
    Star *star = &g_array_index(c->stars, Star, k);
    for (guint i = 0; i < star->spokes->len; i++) {
      g_array_unref(g_array_index(star->spokes, Spoke, i).parts);
    }
    g_array_unref(star->spokes);
    g_array_unref(star->mesh);
  }
  for (guint k = 0; c->supers != NULL && k < c->nodes->len; k++) {
    g_array_unref(c->supers[k].known);
    g_array_unref(c->supers[k].parts);
    g_clear_pointer(&c->supers[k].shares, g_array_unref);
  }
  g_clear_pointer(&c->stars, g_array_unref);
  g_clear_pointer(&c->parts, g_array_unref);
  g_free(c->supers);
  g_free(c->seen);
}

void hy_circuit_free(HyCircuit *c)
{
  if (c == NULL) {
    return;
  }
  circuit_free_stars(c);
  g_ptr_array_unref(c->nodes);
  for (guint32 k = 0; k < c->branches->len; k++) {
    windings_forget(circuit_branch(c, k));
  }
  g_array_unref(c->branches);
  g_array_unref(c->names);
  g_hash_table_unref(c->by_name);
  g_hash_table_unref(c->taken);
  g_ptr_array_unref(c->labels);
  g_array_unref(c->controls);
  g_array_unref(c->order);
  g_array_unref(c->walk);
  g_array_unref(c->coils);
  g_array_unref(c->coil_walk);
  g_array_unref(c->mutual);
  g_free(c->super);
  g_free(c->cluster);
  g_free(c->island);
  g_free(c->up);
  g_free(c->off);
  g_free(c->coil_up);
  g_free(c->from);
  g_free(c);
}

void hy_circuit_fault_clear(HyCircuitFault *fault)
{
  g_clear_pointer(&fault->text, g_free);
  g_clear_pointer(&fault->elements, g_array_unref);
}

/* Building ------------------------------------------------------------------------------------- */

guint hy_circuit_node(HyCircuit *c, const char *name)
{
  g_ptr_array_add(c->nodes, g_strdup(name));
  return c->nodes->len - 1;
}

const char *hy_circuit_node_name(const HyCircuit *c, guint node)
{
  return g_ptr_array_index(c->nodes, node);
}

guint hy_circuit_add(HyCircuit *c, const HyBranch *branch)
{
  guint32 k = c->branches->len;
  gboolean state = branch->kind == HY_BRANCH_COIL || branch->kind == HY_BRANCH_CAPACITOR;
  Branch b = {.is = *branch, .name = NONE, .slope = NONE, .derivative = NO_STATE, .other = NONE};
  if (branch->kind != HY_BRANCH_RESISTOR) {
    b.name = name_given(c, branch->signal, branch->value, k);
  }
  if (branch->junction) {
    b.name = name_given(c, branch->drop_signal, 0.0, k);
  }
  if (state) {
    b.derivative = NONE;
  } else if (branch->has_slope) {
    b.slope = name_given(c, branch->slope, branch->slope_value, NONE);
  }
  if (branch->kind == HY_BRANCH_COIL) {
    b.place = c->coils->len;
    g_array_append_val(c->coils, k);
  }
  g_array_append_val(c->branches, b);
  return k;
}

guint hy_circuit_transformer(HyCircuit *c, const HyTransformer *t)
{
  guint32 first = c->branches->len;
  for (guint32 k = 0; k < 2; k++) {
    static const char *const marks[2][2] = {{":v1", ":i1"}, {":v2", ":i2"}};
    g_autofree char *v = g_strconcat(t->name, marks[k][0], NULL),
                    *i = g_strconcat(t->name, marks[k][1], NULL);
    Branch b = {
        .is = {.name = t->name, .element = t->element}, .slope = NONE, .derivative = NO_STATE};
    const guint *ends = k == 0 ? t->node : t->node + 2;
    b.is.a = ends[0], b.is.b = ends[1];
    b.other = first + 1 - k;
    b.times = k == 0 ? t->ratio : 1.0 / t->ratio;
    b.as_voltage = name_given(c, v, 0.0, first + k);
    b.as_current = name_given(c, i, 0.0, first + k);
    b.as_slope = NONE;
    g_array_append_val(c->branches, b);
  }
  return first;
}

void hy_circuit_control(HyCircuit *c, guint branch, const HyFormula *rest, const HyControl *control,
                        guint n)
{
  Branch *b = circuit_branch(c, branch);
  b->rest = rest;
  b->control = c->controls->len;
  b->n_controls = n;
  g_array_append_vals(c->controls, control, n);
}

void hy_circuit_couple(HyCircuit *c, guint a, guint b, double k, guint element)
{
  const Branch *x = circuit_branch(c, a), *y = circuit_branch(c, b);
  Mutual m = {x->place, y->place, element, k * sqrt(x->is.value * y->is.value)};
  g_array_append_val(c->mutual, m);
}

const HyControl *hy_circuit_controls(const HyCircuit *c, guint branch, const HyFormula **rest,
                                     guint *n)
{
  const Branch *b = circuit_branch(c, branch);
  *rest = b->rest;
  *n = b->n_controls;
  return &g_array_index(c->controls, HyControl, b->control);
}

gboolean hy_circuit_coupling(const HyCircuit *c, guint k, guint *a, guint *b, double *factor,
                             guint *element)
{
  if (k >= c->mutual->len) {
    return FALSE;
  }
  const Mutual *m = &g_array_index(c->mutual, Mutual, k);
  *a = g_array_index(c->coils, guint32, m->a);
  *b = g_array_index(c->coils, guint32, m->b);
  *factor = m->mutual / sqrt(circuit_branch(c, *a)->is.value * circuit_branch(c, *b)->is.value);
  *element = m->element;
  return TRUE;
}

/* What tree_find() and coils_currents() leave, for another try. */
static void circuit_forget(HyCircuit *c)
{
  g_clear_pointer(&c->super, g_free);
  g_clear_pointer(&c->cluster, g_free);
  g_clear_pointer(&c->island, g_free);
  g_clear_pointer(&c->up, g_free);
  g_clear_pointer(&c->off, g_free);
  g_clear_pointer(&c->coil_up, g_free);
  g_array_set_size(c->walk, 0);
  g_array_set_size(c->coil_walk, 0);
  for (guint32 k = 0; k < c->branches->len; k++) {
    Branch *b = circuit_branch(c, k);
    b->tree = b->dependent = b->sloped = FALSE;
    b->current = NULL;
    windings_forget(b);
  }
}

/* Of transformer number NTH, by the bits of CHOICE, the second winding is the source of voltage, or
 * the first. */
static guint circuit_set_windings(HyCircuit *c, guint choice)
{
  guint n = 0;
  for (guint32 k = 0; k < c->branches->len; k++) {
    Branch *b = circuit_branch(c, k);
    if (b->other == NONE) {
      continue;
    }
    gboolean second = b->other < k, turned = (choice >> MIN(n, 31U) & 1U) != 0;
    b->is.kind = second != turned ? HY_BRANCH_VOLTAGE : HY_BRANCH_CURRENT;
    b->name = second != turned ? b->as_voltage : b->as_current;
    n += second;
  }
  return n;
}

#define MOST_TURNED 10 /* transformers of which all choices are tried */

/* The first choice of windings that gives a normal tree; the fault of the very first is told. */
static gboolean circuit_choose(HyCircuit *c)
{
  guint n = circuit_set_windings(c, 0), tries = 1U << MIN(n, MOST_TURNED);
  HyCircuitFault *told = c->fault, other = {NULL, NULL};
  for (guint k = 0; k < tries; k++) {
    circuit_forget(c);
    circuit_set_windings(c, k);
    c->fault = k == 0 ? told : &other;
    gboolean ok = tree_find(c) && capacitors_allowed(c) && coils_currents(c);
    hy_circuit_fault_clear(&other);
    c->fault = told;
    if (ok) {
      hy_circuit_fault_clear(told);
      return TRUE;
    }
  }
  return FALSE;
}

/* Always FALSE. */
static gboolean circuit_too_large(const HyCircuit *c)
{
  hy_circuit_fault_clear(c->fault);
  c->fault->text = g_strdup("its equations are too large: more conductances, capacitors or coils "
                            "are one with all others than can be");
  return FALSE;
}

gboolean hy_circuit_solve(HyCircuit *c, HyCircuitFault *fault)
{
  *fault = (HyCircuitFault){NULL, NULL};
  c->fault = fault;
  if (!circuit_choose(c)) {
    return FALSE;
  }
  windings_define(c);
  if (!c->large) {
    star_solve(c);
  }
  if (!c->large) {
    capacitors_derivatives(c);
  }
  if (!c->large && !coils_derivatives(c)) {
    return FALSE;
  }
  if (!c->large) {
    coils_bridge(c);
  }
  gboolean ok = c->large || unknown_solve(c);
  return ok && (!c->large || circuit_too_large(c));
}

/* Answers -------------------------------------------------------------------------------------- */

gboolean hy_circuit_is_state(const HyCircuit *c, guint branch)
{
  const Branch *b = circuit_branch(c, branch);
  return b->derivative != NO_STATE && !b->dependent;
}

gboolean hy_circuit_uses_slope(const HyCircuit *c, guint branch)
{
  return circuit_branch(c, branch)->sloped;
}

double hy_circuit_start(const HyCircuit *c, guint branch)
{
  return circuit_branch(c, branch)->is.start;
}

const HyFormula *hy_circuit_derivative(HyCircuit *c, guint branch)
{
  g_assert(hy_circuit_is_state(c, branch));
  return circuit_name(c, circuit_branch(c, branch)->derivative)->f;
}

const HyFormula *hy_circuit_current(HyCircuit *c, guint branch)
{
  return formula_of(c, circuit_branch(c, branch)->current);
}

/* From the first node of its island. */
static const Label *circuit_v(HyCircuit *c, guint node)
{
  const Label *v = label_plus(c, c->supers[c->super[node]].v, 1, c->off[node]);
  return label_plus(c, v, 1, c->from[c->cluster[node]]);
}

const HyFormula *hy_circuit_voltage(HyCircuit *c, guint a, guint b)
{
  return formula_of(c, label_plus(c, circuit_v(c, a), -1, circuit_v(c, b)));
}

const HyFormula *hy_circuit_potential(HyCircuit *c, guint node)
{
  return formula_of(c, circuit_v(c, node));
}

gboolean hy_circuit_is_held(HyCircuit *c, guint a, guint b)
{
  const Label *v = label_plus(c, c->off[a], -1, c->off[b]);
  gboolean held = c->super[a] == c->super[b];
  for (guint k = 0; k < v->n; k++) {
    held &= circuit_name(c, v->term[k].name)->definition == NULL;
  }
  return held;
}

guint hy_circuit_island(const HyCircuit *c, guint node)
{
  return c->island[node];
}

gboolean hy_circuit_is_alone(const HyCircuit *c, guint node)
{
  guint32 part = c->island[node];
  gboolean tied = part == 0;
  for (guint32 k = 0; k < c->branches->len; k++) {
    const Branch *b = circuit_branch(c, k);
    tied |= (b->other != NONE || b->rest != NULL) && c->island[b->is.a] == part;
  }
  for (guint k = 0; k < c->mutual->len; k++) {
    const Mutual *m = &g_array_index(c->mutual, Mutual, k);
    for (guint end = 0; end < 2; end++) {
      guint32 coil = g_array_index(c->coils, guint32, end == 0 ? m->a : m->b);
      tied |= c->island[circuit_branch(c, coil)->is.a] == part;
    }
  }
  return !tied;
}

/* Of a resistance by its current, which is exact: v = r i + drop. */
static const HyFormula *circuit_across_resistor(HyCircuit *c, const Branch *b)
{
  const HyBranch *is = &b->is;
  if (c->super[is->a] == c->super[is->b]) {
    return hy_circuit_voltage(c, is->a, is->b);
  }
  const HyFormula *r = is->signal != NULL ? hy_formula_ref(c->pool, is->signal)
                                          : hy_formula_number(c->pool, is->value);
  Sum sum = sum_begin(c);
  if (b->current->n > 0) {
    sum_scaled(&sum, 1, r, b->current);
  }
  if (is->drop != 0.0 || is->drop_signal != NULL) {
    sum_add(&sum, 1, branch_drop(c, is));
  }
  return sum_end(&sum);
}

const HyFormula *hy_circuit_across(HyCircuit *c, guint branch)
{
  const Branch *b = circuit_branch(c, branch);
  switch (b->is.kind) {
  case HY_BRANCH_VOLTAGE:
    return circuit_name(c, b->name)->f;
  case HY_BRANCH_RESISTOR:
    return circuit_across_resistor(c, b);
  case HY_BRANCH_COIL:
    return c->cluster[b->is.a] != c->cluster[b->is.b] ? coil_across(c, branch)
                                                      : hy_circuit_voltage(c, b->is.a, b->is.b);
  default:
    return hy_circuit_voltage(c, b->is.a, b->is.b);
  }
}

void hy_circuit_junction(HyCircuit *c, guint branch, const HyFormula **i, const HyFormula **g)
{
  const Branch *b = circuit_branch(c, branch);
  g_assert(b->is.junction);
  *i = b->offered;
  *g = b->against;
}

/* Needs ---------------------------------------------------------------------------------------- */

/* The names in F that have not been opened yet, behind those that are there. */
static void circuit_collect(HyCircuit *c, const HyFormula *f, GArray *open)
{
  if (f->kind == HY_F_REF) {
    guint32 k = GPOINTER_TO_UINT(g_hash_table_lookup(c->by_name, f->ref.name));
    Name *name = k != 0 ? circuit_name(c, k - 1) : NULL;
    if (name != NULL && name->needed < NEED_OPEN && name->definition != NULL) {
      name->needed = NEED_MET;
      k--;
      g_array_append_val(open, k);
    }
    return;
  }
  for (guint32 k = 0; f->kind != HY_F_NUMBER && k < f->n; k++) {
    circuit_collect(c, f->child[k], open);
  }
}

/* Depth first, without recursion: a name is given out behind all that it is made of. */
void hy_circuit_need(HyCircuit *c, const HyFormula *formula)
{
  g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(guint32));
  circuit_collect(c, formula, open);
  while (open->len > 0) {
    guint32 k = g_array_index(open, guint32, open->len - 1);
    Name *name = circuit_name(c, k);
    if (name->needed == NEED_MET) {
      name->needed = NEED_OPEN;
      circuit_collect(c, name->definition, open);
      continue;
    }
    g_array_set_size(open, open->len - 1);
    if (name->needed == NEED_OPEN) {
      name->needed = NEED_LISTED;
      g_array_append_val(c->order, k);
    }
  }
}

gboolean hy_circuit_next(HyCircuit *c, HyDefinition *definition)
{
  if (c->given == c->order->len) {
    return FALSE;
  }
  const Name *name = circuit_name(c, g_array_index(c->order, guint32, c->given++));
  *definition = (HyDefinition){name->f->ref.name, name->definition};
  return TRUE;
}
