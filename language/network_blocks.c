/* The blocks of a circuit: integrators for its states, valves for its switches and diodes,
 * functions for its sources and for all definitions of its equations that somebody needs.
 *
 * A block has the name of its reading, with a dot in it ("L1.i", "D.on"), so that paths, messages
 * and recordings have the words of the user; what has no reading is hidden, with a colon. Signals
 * of the equations are known by these names. */
#include "atomics/atomics.h"
#include "coupled/model_formula.h"
#include "coupled/model_internal.h"
#include "coupled/written.h"
#include "language/circuits.h"
#include "language/hidden.h"
#include "language/network.h"
#include "language/numerics.h"

#include <string.h>

/* Signals -------------------------------------------------------------------------------------- */

void hy_network_made(Network *n, const char *name, Scope *s, guint component, guint port)
{
  hy_made_add(n, name, &(Made){s, component, port});
}

/* The information of a block in S: of element E, or of the circuit. */
static void network_row(Network *n, Scope *s, Element *e, const char *unit, const char *formula)
{
  Loader *l = n->loader;
  const HyFile *f = s->define->file;
  Row row;
  memset(&row, 0, sizeof row);
  if (e != NULL) {
    g_autoptr(GPtrArray) sets = hy_sets_of_copy(s, e->entry, e->at);
    guint32 number = hy_block_row(l, s, e->entry, e->at, sets);
    row = g_array_index(l->rows, Row, number);
  } else {
    row.file = f->name;
    row.line = hy_element(f->tree, s->define->element)->line;
    row.numerics = s->numerics;
  }
  row.unit = unit;
  row.formula = formula != NULL ? g_string_chunk_insert_const(l->strings, formula) : NULL;
  hy_scope_add_row(s, hy_row_add(l, &row));
}

static const char *unit_of_reading(const char *name)
{
  const char *dot = strrchr(name, '.');
  return dot == NULL ? NULL : dot[1] == 'i' ? "A" : dot[1] == 'v' ? "V" : NULL;
}

/* Signal NAME to input PORT of a component of S. */
static void network_connect(Network *n, const char *name, Scope *s, guint component, guint port)
{
  Made from = hy_network_carry(n, name, s);
  gboolean ok = hy_model_connect(s->model, from.component, from.port, component, port, NULL);
  g_assert(ok);
}

/* F as a block called NAME: a function, or a number that is said once. */
static void network_function(Network *n, const char *name, const HyFormula *f)
{
  const char *local;
  Scope *s = hy_network_home(n, name, &local);
  gboolean number = f->kind == HY_F_NUMBER;
  const HyAtomicClass *klass = hy_class_find(number ? "constant" : "function");
  guint component = hy_model_add(s->model, local, klass);
  g_autofree char *text = hy_formula_text(f);
  if (number) {
    hy_model_set_real(s->model, component, "value", f->number, NULL);
  } else {
    g_autoptr(HyFormulaRefs) refs = hy_formula_refs_new(f);
    hy_model_set_array(s->model, component, refs->n, 0);
    const HyExpression *formula = hy_model_formula(s->model, f, refs, NULL, text);
    hy_model_set_formula(s->model, component, "formula", formula, NULL);
    hy_model_write(s->model, component, f, refs, NULL);
    for (guint k = 0; k < refs->n; k++) {
      network_connect(n, refs->ref[k]->ref.name, s, component, k);
    }
  }
  hy_numerics_apply(n->loader, s, s->entry, NULL, component, klass, s->numerics);
  network_row(n, s, NULL, unit_of_reading(name), text);
  hy_network_made(n, hy_formula_pool_name(n->pool, name), s, component, 0);
  n->loader->n_blocks++;
}

/* All definitions that F needs. */
static void network_need(Network *n, const HyFormula *f)
{
  HyDefinition d;
  hy_circuit_need(n->circuit, f);
  while (hy_circuit_next(n->circuit, &d)) {
    network_function(n, d.name, d.formula);
  }
}

/* Elements ------------------------------------------------------------------------------------- */

/* What a block of the element is called where it stands: "h[2]/L1.i" there is "L1.i". */
static const char *local_name(const Element *e, const char *name)
{
  return name + strlen(e->scope->in_network);
}

/* d flux/d i of a coil, d charge/d v of a capacitor. */
static void add_shape(Network *n, const Element *e)
{
  Said said;
  gboolean coil = e->kind == HY_INDUCTOR;
  if (e->shaped && hy_element_said(n, e, coil ? "flux" : "charge", &said)) {
    const char *name = hy_network_signal(n, e->name, coil ? ":L" : ":C");
    guint32 component = hy_formula_add(&said.env, &hy_differential_class, said.formula,
                                       local_name(e, name), said.text);
    hy_network_made(n, name, e->scope, component, 0);
  }
}

/* Integrator NAME of E, from START. */
static void add_integrator(Network *n, Element *e, const char *name, double start)
{
  Scope *s = e->scope;
  const HyAtomicClass *klass = hy_class_find("integrator");
  guint component = hy_model_add(s->model, local_name(e, name), klass);
  network_row(n, s, e, unit_of_reading(name), NULL);
  guint32 row = g_array_index(s->rows, guint32, s->rows->len - 1);
  hy_model_set_real(s->model, component, "x0", start, NULL);
  hy_numerics_apply(n->loader, s, e->entry, e->at, component, klass,
                    g_array_index(n->loader->rows, Row, row).numerics);
  hy_network_made(n, name, s, component, 0);
}

static void add_state(Network *n, Element *e)
{
  add_shape(n, e);
  if (hy_circuit_is_state(n->circuit, e->branch)) {
    const char *what = e->kind == HY_INDUCTOR ? ".i" : ".v";
    add_integrator(n, e, hy_network_signal(n, e->name, what), e->start);
  }
}

/* F, which is read where SAID was, as a block. */
static void add_formula(Network *n, const Element *e, const HyFormula *f, Said *said,
                        const char *what)
{
  const char *name = hy_network_signal(n, e->name, what);
  guint32 component = hy_function_add(&said->env, f, local_name(e, name), said->text);
  hy_network_made(n, name, e->scope, component, 0);
}

/* The formula of a source or a resistance as a block of its own. */
static void add_signal(Network *n, Element *e, const char *attribute, const char *what)
{
  Said said;
  if (e->signal && hy_element_said(n, e, attribute, &said)) {
    add_formula(n, e, said.formula, &said, what);
  }
}

/* F as a block of its own; a number needs none. */
static void add_part(Network *n, Element *e, const HyFormula *f, Said *said, const char *what)
{
  if (f->kind != HY_F_NUMBER) {
    add_formula(n, e, f, said, what);
  }
}

gboolean hy_network_hidden(Scope *s, const HyFormula *ref, End *end)
{
  Network *n = s->network;
  const Made *made = n != NULL ? hy_made_find(n, ref->ref.name) : NULL;
  if (made == NULL) {
    return FALSE;
  }
  g_assert(made->scope == s); /* of a source that stands there, or of a comparison */
  *end = (End){.component = made->component, .number = made->port};
  return TRUE;
}

/* Of a controlled source what the circuit does not say: modes, factors and the rest. */
static void add_controlled(Network *n, Element *e)
{
  Said said;
  Affine affine;
  if (!e->controlled || !hy_element_said(n, e, "value", &said) ||
      !hy_controls_split(n, e->name, &said, &affine)) {
    return;
  }
  for (guint k = 0; k < affine.modes->len; k++) {
    g_autofree char *what = g_strdup_printf(":if%u", k + 1);
    add_part(n, e, g_ptr_array_index(affine.modes, k), &said, what);
  }
  for (guint k = 0; k < affine.controls->len; k++) {
    g_autofree char *what = g_strdup_printf(":k%u", k + 1);
    add_part(n, e, g_array_index(affine.controls, HyControl, k).factor, &said, what);
  }
  add_part(n, e, affine.rest, &said, ":rest");
  hy_affine_clear(&affine);
}

/* What CONTROL says is a line to the valve, or a hidden function before it; or a set has a number.
 */
static void take_control(Network *n, Element *e, const char *control)
{
  Said said = {.stated = FALSE};
  InputAt t = {.name = control, .at = e->at, .n = 1};
  t.to = (End){.component = PENDING_BLOCK, .number = HY_VALVE_GATE};
  if (hy_element_set(n, e, control, &said)) {
    Line line = {.file = e->scope->define->file, .to = t.to, .constant = TRUE};
    line.number = said.number;
    hy_keep_line(n->loader, e->scope, &line);
    return;
  }
  for (guint k = 0; k < e->entry->plan->n; k++) {
    Item *i = &e->entry->plan->item[k];
    const char *name = hy_tree_name(e->scope->define->file->tree, i->attribute->name);
    if (i->role == R_INPUT && strcmp(name, control) == 0) {
      Env env = hy_env(n->loader, e->scope, e->entry, i->attribute);
      hy_env_copy(&env, e->entry, e->at);
      env.mode = MODE_SOURCE;
      hy_take_item(&env, i, &t);
    }
  }
}

/* FIRST: of its outputs. */
static void valve_made(Network *n, const Element *e, guint component, const char *mark, guint first)
{
  static const char *const what[] = {[HY_VALVE_ON] = "on", [HY_VALVE_R] = "R", [HY_VALVE_G] = "G"};
  for (guint k = 0; k < G_N_ELEMENTS(what); k++) {
    g_autofree char *signal = g_strconcat(mark, what[k], NULL);
    hy_network_made(n, hy_network_signal(n, e->name, signal), e->scope, component, first + k);
  }
}

/* CONTROL NULL: it has none. */
static guint add_valve(Network *n, Element *e, const char *kind, const char *mark,
                       const char *control, double ron)
{
  Scope *s = e->scope;
  HyModel *model = s->model;
  guint first = s->lines->len;
  if (control != NULL) {
    take_control(n, e, control);
  }
  g_autofree char *name = g_strconcat(e->name, mark, "on", NULL);
  guint component = hy_model_add(model, local_name(e, name), &hy_valve_class);
  hy_model_set(model, component, "kind", kind, NULL);
  hy_model_set_real(model, component, "ron", ron, NULL);
  hy_model_set_real(model, component, "roff", e->roff, NULL);
  hy_model_set_real(model, component, "knee", e->knee, NULL);
  network_row(n, s, e, NULL, NULL);
  hy_name_pending(s, first, component);
  if (control == NULL) {
    hy_model_set_input(model, component, HY_VALVE_GATE, 0.0, NULL);
  }
  if (strcmp(kind, "switch") == 0) {
    hy_model_set_input(model, component, HY_VALVE_CURRENT, 0.0, NULL);
  }
  valve_made(n, e, component, mark, 0);
  return component;
}

static void add_transistor(Network *n, Element *e)
{
  Scope *s = e->scope;
  guint first = s->lines->len;
  take_control(n, e, "gate");
  g_autofree char *name = g_strconcat(e->name, ".on", NULL);
  e->valve = hy_model_add(s->model, local_name(e, name), &hy_transistor_class);
  hy_model_set_real(s->model, e->valve, "ron", hy_transistor_share(e, e->ron), NULL);
  hy_model_set_real(s->model, e->valve, "rd", hy_transistor_share(e, e->rd), NULL);
  hy_model_set_real(s->model, e->valve, "roff", 2.0 * e->roff, NULL);
  hy_model_set_real(s->model, e->valve, "knee", 0.5 * e->knee, NULL);
  network_row(n, s, e, NULL, NULL);
  hy_name_pending(s, first, e->valve);
  valve_made(n, e, e->valve, ".", 0);
  valve_made(n, e, e->valve, ":d", HY_VALVE_BODY);
}

static const HyFormula *number_times(Network *n, double x, const HyFormula *f)
{
  const HyFormula *both[] = {hy_formula_number(n->pool, x), f};
  return hy_formula_chain(n->pool, HY_F_PRODUCT, both, "**", 2);
}

/* What a channel with the resistance RON has beside its body: Ron/(1 - Ron/(2 Roff)). */
static const HyFormula *channel_of(Network *n, const Element *e, const HyFormula *ron)
{
  const HyFormula *less[] = {hy_formula_number(n->pool, 1.0), number_times(n, 0.5 / e->roff, ron)};
  const HyFormula *both[] = {ron, hy_formula_chain(n->pool, HY_F_SUM, less, "+-", 2)};
  return hy_formula_chain(n->pool, HY_F_PRODUCT, both, "*/", 2);
}

/* Of a valve whose Ron is a formula: R = on Ron + (1 - on) Roff, drop = Vf - Vf/Roff Ron. */
static void add_warm(Network *n, Element *e)
{
  Said said;
  if (!e->warm || !hy_element_said(n, e, "Ron", &said)) {
    return;
  }
  add_formula(n, e, said.formula, &said, ":Ron");
  const HyFormula *on = hy_formula_ref(n->pool, hy_network_signal(n, e->name, ".on")),
                  *ron = hy_formula_ref(n->pool, hy_network_signal(n, e->name, ":Ron")),
                  *one = hy_formula_number(n->pool, 1.0), *off[] = {one, on};
  gboolean transistor = e->kind == HY_TRANSISTOR;
  const HyFormula *warm[] = {on, transistor ? channel_of(n, e, ron) : ron};
  const HyFormula *r[] = {hy_formula_chain(n->pool, HY_F_PRODUCT, warm, "**", 2),
                          number_times(n, transistor ? 2.0 * e->roff : e->roff,
                                       hy_formula_chain(n->pool, HY_F_SUM, off, "+-", 2))};
  network_function(n, hy_network_signal(n, e->name, ":R"),
                   hy_formula_chain(n->pool, HY_F_SUM, r, "++", 2));
  const HyFormula *drop[] = {hy_formula_number(n->pool, e->knee * e->roff),
                             number_times(n, e->knee, ron)};
  if (e->knee != 0.0 && !transistor) {
    network_function(n, hy_network_signal(n, e->name, ":drop"),
                     hy_formula_chain(n->pool, HY_F_SUM, drop, "+-", 2));
  }
}

/* Is (exp(u/Vt) - 1), where the voltage u of the junction is a state; else what it follows from. */
static void add_junction(Network *n, Element *e)
{
  HyFormulaPool *pool = n->pool;
  const char *name = hy_network_signal(n, e->name, ":vj");
  if (e->junction == HY_NO_BRANCH) {
    HyModel *model = e->scope->model;
    guint component = hy_model_add(model, local_name(e, name), &hy_junction_class);
    hy_model_set_real(model, component, "saturation", e->is, NULL);
    hy_model_set_real(model, component, "thermal", e->vt, NULL);
    network_row(n, e->scope, e, "V", NULL);
    hy_numerics_apply(n->loader, e->scope, e->entry, e->at, component, &hy_junction_class,
                      e->scope->numerics);
    hy_network_made(n, name, e->scope, component, 0);
    return;
  }
  add_integrator(n, e, name, 0.0);
  const HyFormula *u = hy_formula_ref(pool, name);
  const HyFormula *by[] = {u, hy_formula_number(pool, e->vt)};
  const HyFormula *power =
      hy_formula_call(pool, "exp", hy_formula_chain(pool, HY_F_PRODUCT, by, "*/", 2));
  const HyFormula *less[] = {power, hy_formula_number(pool, 1.0)};
  const HyFormula *i = number_times(n, e->is, hy_formula_chain(pool, HY_F_SUM, less, "+-", 2));
  network_function(n, hy_network_signal(n, e->name, ":ij"), i);
}

static void add_element(Network *n, Element *e)
{
  switch (e->kind) {
  case HY_CAPACITOR:
  case HY_INDUCTOR:
    add_state(n, e);
    break;
  case HY_VOLTAGE:
    add_signal(n, e, "value", ".v");
    add_controlled(n, e);
    break;
  case HY_CURRENT:
    add_signal(n, e, "value", ".i");
    add_controlled(n, e);
    break;
  case HY_RESISTOR:
    add_signal(n, e, "R", ":R");
    break;
  case HY_SWITCH:
    add_valve(n, e, "switch", ".", "control", e->ron);
    break;
  case HY_DIODE:
    e->valve = add_valve(n, e, "diode", ".", NULL, e->ron);
    break;
  case HY_THYRISTOR:
    e->valve = add_valve(n, e, "thyristor", ".", "gate", e->ron);
    break;
  case HY_TRANSISTOR:
    add_transistor(n, e);
    break;
  case HY_EXPONENTIAL:
    add_junction(n, e);
    break;
  case HY_COUPLING:
  case HY_PROBE:
  case HY_TRANSFORMER: /* equations and readings alone */
    break;
  }
}

void hy_network_add(Network *n, Element *e)
{
  add_element(n, e);
  add_warm(n, e);
}

/* Their sets have met something, if only a copy that is there. */
static void count_sets(const Element *e)
{
  g_autoptr(GPtrArray) sets = hy_sets_of_copy(e->scope, e->entry, e->at);
  for (guint k = 0; sets != NULL && k < sets->len; k++) {
    ((SetGroup *)g_ptr_array_index(sets, k))->matches++;
  }
}

void hy_network_blocks(Loader *l, Scope *s, const Entry *e)
{
  Network *n = s->network;
  if (n->failed || hy_is_node(e)) {
    return;
  }
  for (guint32 k = 0; k < s->copies[e->slot].n; k++) {
    Element *one = hy_network_element(n, s->first_element[e->slot] + k);
    if (!one->left_out) {
      count_sets(one);
      hy_network_add(n, one);
    }
    hy_formula_pool_clear(l->scratch);
    g_ptr_array_set_size(l->made, 0);
  }
}

/* Readings ------------------------------------------------------------------------------------- */

/* F as a block NAME, unless it is one already. ITSELF: one that says the same will not do. Nor does
 * one of another circuit: what its ports carry in may go straight to an output, which no wire does,
 * and what they carry out back to where it is from. */
static void network_reading(Network *n, const char *name, const HyFormula *f, gboolean itself)
{
  network_need(n, f);
  if (hy_made_find(n, name) != NULL) {
    return;
  }
  const char *local;
  const Made *same = !itself && f->kind == HY_F_REF ? hy_made_find(n, f->ref.name) : NULL;
  if (same != NULL && same->scope == hy_network_home(n, name, &local)) {
    Made copy = *same; /* the list moves */
    hy_made_add(n, name, &copy);
    return;
  }
  network_function(n, name, f);
}

/* Inputs --------------------------------------------------------------------------------------- */

/* F at input PORT of a component of S: a line, a number, or a block called NAME. */
static void network_input(Network *n, Scope *s, guint component, guint port, const HyFormula *f,
                          const char *name)
{
  network_need(n, f);
  if (f->kind == HY_F_NUMBER) {
    hy_model_set_input(s->model, component, port, f->number, NULL);
    return;
  }
  if (f->kind != HY_F_REF) {
    network_reading(n, name, f, FALSE);
  }
  network_connect(n, f->kind == HY_F_REF ? f->ref.name : name, s, component, port);
}

static void junction_inputs(Network *n, const Element *e)
{
  guint at = hy_made_find(n, hy_network_signal(n, e->name, ":vj"))->component;
  if (e->junction != HY_NO_BRANCH) {
    network_input(n, e->scope, at, 0, hy_circuit_derivative(n->circuit, e->junction), NULL);
    return;
  }
  const HyFormula *i, *g;
  hy_circuit_junction(n->circuit, e->branch, &i, &g);
  network_input(n, e->scope, at, HY_JUNCTION_CURRENT, i, hy_network_signal(n, e->name, ":i0"));
  network_input(n, e->scope, at, HY_JUNCTION_CONDUCTANCE, g, hy_network_signal(n, e->name, ":g"));
}

static void element_inputs(Network *n, const Element *e)
{
  gboolean coil = e->kind == HY_INDUCTOR;
  if (e->kind == HY_EXPONENTIAL) {
    junction_inputs(n, e);
  } else if ((coil || e->kind == HY_CAPACITOR) && hy_circuit_is_state(n->circuit, e->branch)) {
    const Made *state = hy_made_find(n, hy_network_signal(n, e->name, coil ? ".i" : ".v"));
    network_input(n, e->scope, state->component, 0, hy_circuit_derivative(n->circuit, e->branch),
                  NULL);
  } else if (e->kind == HY_DIODE || e->kind == HY_THYRISTOR) {
    network_input(n, e->scope, e->valve, HY_VALVE_CURRENT,
                  hy_circuit_current(n->circuit, e->branch), hy_network_signal(n, e->name, ".i"));
  } else if (e->kind == HY_TRANSISTOR) {
    network_input(n, e->scope, e->valve, HY_VALVE_CURRENT,
                  hy_circuit_current(n->circuit, e->second), hy_network_signal(n, e->name, ":di"));
  }
}

/* Term K of the slope of E, as a signal. */
static const HyFormula *slope_term(Network *n, Element *e, const SlopeTerm *term, guint k)
{
  const HyAtomicClass *klass;
  Scope *s = e->scope;
  g_autofree char *what = g_strdup_printf(":slope%u", k + 1);
  const char *name = hy_network_signal(n, e->name, what);
  guint component = hy_slope_block(term, s->model, local_name(e, name), &klass);
  network_row(n, s, e, NULL, NULL);
  hy_numerics_apply(n->loader, s, s->entry, NULL, component, klass, s->numerics);
  hy_network_made(n, name, s, component, 0);
  return hy_formula_ref(n->pool, name);
}

/* The slope of a source, if the equations have it: all blocks are there now. */
static void add_slope(Network *n, Element *e)
{
  Said said;
  Slope slope;
  if (!e->sloped || !hy_circuit_uses_slope(n->circuit, e->branch) ||
      !hy_element_said(n, e, "value", &said) || !hy_slope_find(n, &said, &slope)) {
    return;
  }
  g_autofree const HyFormula **sum = g_new(const HyFormula *, (gsize)slope.terms->len + 1);
  g_autofree char *ops = g_strnfill((gsize)slope.terms->len + 1, '+');
  sum[0] = hy_formula_number(n->pool, slope.rest);
  for (guint k = 0; k < slope.terms->len; k++) {
    sum[k + 1] = slope_term(n, e, &g_array_index(slope.terms, SlopeTerm, k), k);
  }
  guint skip = slope.rest == 0.0 && slope.terms->len > 0;
  network_function(
      n, hy_network_signal(n, e->name, ":slope"),
      hy_formula_chain(n->pool, HY_F_SUM, sum + skip, ops, slope.terms->len + 1 - skip));
  g_array_unref(slope.terms);
  hy_formula_pool_clear(n->loader->scratch);
}

/* A reading for a want; what is on says a valve. */
static void add_want(Network *n, const Want *w)
{
  if (w->what != 'o') {
    network_reading(n, w->name, hy_want_formula(n, w), w->recorded);
  }
}

void hy_network_finish(Loader *l, Scope *s)
{
  Network *n = s->network;
  if (!n->failed && hy_report_errors(l->report) == 0) {
    hy_network_warn_of_nodes(n);
  }
  for (guint32 k = 0; k < n->elements->len && !n->failed; k++) {
    add_slope(n, hy_network_element(n, k));
  }
  for (guint32 k = 0; k < n->elements->len && !n->failed; k++) {
    const Element *e = hy_network_element(n, k);
    if (!e->left_out) {
      element_inputs(n, e);
    }
  }
  for (guint k = 0; k < n->wants->len && !n->failed; k++) {
    add_want(n, &g_array_index(n->wants, Want, k));
  }
  if (!n->failed) {
    hy_network_keep(n);
  }
  if (l->n_blocks > l->options.max_blocks) {
    hy_entry_problem(l, NULL, hy_key(s->entry), NULL,
                     "more than %" G_GUINT64_FORMAT " blocks; this is the limit (--max-blocks)",
                     l->options.max_blocks);
    l->stopped = TRUE;
  }
}
