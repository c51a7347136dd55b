/* Elements as branches of the room circuits: their numbers, and the signals that they have in place
 * of some, once the copies of all are known, with their nodes. */
#include "coupled/model_internal.h"
#include "language/env.h"
#include "language/names.h"
#include "language/network.h"

#include <math.h>
#include <string.h>

static HyBranch branch_of(const Element *e, HyBranchKind kind, guint32 number)
{
  return (HyBranch){
      .kind = kind, .name = e->name, .element = number, .a = e->node[0], .b = e->node[1]};
}

/* C or L. */
static gboolean read_size(Network *n, const Element *e, double *size)
{
  const char *name = e->kind == HY_INDUCTOR ? "L" : "C";
  gboolean stated;
  if (!hy_element_number(n, e, name, size, &stated) || stated) {
    return stated;
  }
  const HyParam *p = hy_class_param(e->entry->klass, name);
  hy_element_lacks(n, e, name, p->unit, NULL);
  return FALSE;
}

/* Own current or voltage at a value, for the arithmetic of loading. */
typedef struct {
  const Element *e;
  Env *env;
  double at;
} Shape;

static HyNameKind shape_name(gpointer user, const HyFormula *ref, const gint64 *at,
                             HyNameValue *value, GError **error)
{
  const Shape *s = user;
  const Element *e = s->e;
  const char *port = e->kind == HY_INDUCTOR ? "i" : "v";
  guint32 first = e->scope->first_element[e->entry->slot];
  gboolean own = !ref->own && hy_scope_find_ref(s->env->scope, ref) == e->entry &&
                 ref->ref.port != NULL && strcmp(ref->ref.port, port) == 0;
  guint32 copy = own ? hy_which_copy(s->env, e->entry, ref, at, NULL) : 0;
  if (!own || hy_network_element(s->env->scope->network, first + copy) != e) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s", "");
    return HY_NAME_ERROR;
  }
  value->number = s->at;
  return HY_NAME_NUMBER;
}

/* The flux or charge, formula F, where the current or voltage is X. FALSE: it is of something else.
 */
static gboolean shape_at(const Element *e, Said *said, double x, double *y)
{
  Shape s = {e, &said->env, x};
  HyFormulaScope scope = {.user = &s, .value = shape_name};
  return hy_formula_constant(said->env.loader->scratch, said->formula, &scope, y, NULL);
}

/* A formula of its own current or voltage alone, and one that rises where it starts. */
static gboolean check_shape(Network *n, const Element *e, double start)
{
  gboolean coil = e->kind == HY_INDUCTOR;
  const char *name = coil ? "flux" : "charge", *size = coil ? "L" : "C";
  double low, high, by = 1e-6 * fmax(1.0, fabs(start));
  Said said;
  if (hy_element_item(e->entry, size) != NULL) {
    hy_entry_problem(n->loader, e->scope, e->entry, e->at, "it has %s or %s, not both", size, name);
    return FALSE;
  }
  if (!hy_element_said(n, e, name, &said)) {
    return FALSE;
  }
  if (said.formula == NULL || !shape_at(e, &said, start - by, &low) ||
      !shape_at(e, &said, start + by, &high)) {
    hy_problem(&said.env, "%s=\"%s\" is no formula of %s.%s and numbers alone", name, said.text,
               e->name, coil ? "i" : "v");
    return FALSE;
  }
  if (!(high > low)) {
    hy_problem(&said.env, "%s=\"%s\" does not rise where %s = %g", name, said.text,
               coil ? "i" : "v", start);
    return FALSE;
  }
  return TRUE;
}

static gboolean add_state(Network *n, Element *e, guint32 number)
{
  gboolean coil = e->kind == HY_INDUCTOR;
  HyBranch b = branch_of(e, coil ? HY_BRANCH_COIL : HY_BRANCH_CAPACITOR, number);
  e->shaped = hy_element_item(e->entry, coil ? "flux" : "charge") != NULL;
  if (!hy_element_number(n, e, coil ? "i0" : "v0", &b.start, &b.stated) ||
      !(e->shaped ? check_shape(n, e, b.start) : read_size(n, e, &b.value))) {
    return FALSE;
  }
  b.size = e->shaped ? hy_network_signal(n, e->name, coil ? ":L" : ":C") : NULL;
  b.signal = hy_network_signal(n, e->name, coil ? ".i" : ".v");
  e->start = b.start;
  e->branch = hy_circuit_add(n->circuit, &b);
  return TRUE;
}

/* The number that F is, or a signal "NAME:what" that network_blocks.c makes of it. */
static const HyFormula *signal_of(Network *n, const Element *e, const HyFormula *f,
                                  const char *what)
{
  return f->kind == HY_F_NUMBER ? hy_formula_number(n->pool, f->number)
                                : hy_formula_ref(n->pool, hy_network_signal(n, e->name, what));
}

/* What a controlled source reads, once all branches are there. */
gboolean hy_controls_add(Network *n, const Element *e)
{
  Said said;
  Affine affine;
  if (!hy_element_said(n, e, "value", &said) || !hy_controls_split(n, e->name, &said, &affine)) {
    return FALSE;
  }
  for (guint k = 0; k < affine.controls->len; k++) {
    HyControl *x = &g_array_index(affine.controls, HyControl, k);
    g_autofree char *what = g_strdup_printf(":k%u", k + 1);
    x->factor = signal_of(n, e, x->factor, what);
  }
  const HyFormula *rest = signal_of(n, e, affine.rest, ":rest");
  hy_circuit_control(n->circuit, e->branch, rest,
                     (const HyControl *)(gconstpointer)affine.controls->data, affine.controls->len);
  hy_affine_clear(&affine);
  return TRUE;
}

/* Whether its value reads the circuit that it stands in, so that this can be solved for. */
static gboolean is_controlled(Network *n, const Element *e, Said *said)
{
  Affine affine;
  gboolean controlled = hy_controls_split(n, e->name, said, &affine);
  if (controlled) {
    hy_affine_clear(&affine);
  }
  return controlled;
}

static gboolean is_sloped(Network *n, Said *said)
{
  Slope slope;
  gboolean sloped = hy_slope_find(n, said, &slope);
  if (sloped) {
    g_array_unref(slope.terms);
  }
  return sloped;
}

/* Of a number the slope is 0. */
static gboolean add_source(Network *n, Element *e, guint32 number)
{
  gboolean voltage = e->kind == HY_VOLTAGE;
  HyBranch b = branch_of(e, voltage ? HY_BRANCH_VOLTAGE : HY_BRANCH_CURRENT, number);
  Said said;
  if (!hy_element_said(n, e, "value", &said)) {
    return FALSE;
  }
  e->controlled = is_controlled(n, e, &said);
  e->signal = said.formula != NULL && !e->controlled;
  b.value = said.number;
  b.signal = said.formula != NULL ? hy_network_signal(n, e->name, voltage ? ".v" : ".i") : NULL;
  e->sloped = e->signal && is_sloped(n, &said);
  b.has_slope = said.formula == NULL || e->sloped;
  b.slope = e->sloped ? hy_network_signal(n, e->name, ":slope") : NULL;
  e->branch = hy_circuit_add(n->circuit, &b);
  return TRUE;
}

static gboolean add_resistor(Network *n, Element *e, guint32 number)
{
  HyBranch b = branch_of(e, HY_BRANCH_RESISTOR, number);
  Said said;
  if (!hy_element_said(n, e, "R", &said)) {
    return FALSE;
  }
  e->signal = said.formula != NULL;
  b.value = said.number;
  b.signal = e->signal ? hy_network_signal(n, e->name, ":R") : NULL;
  b.reading = hy_network_signal(n, e->name, ".i");
  e->branch = hy_circuit_add(n->circuit, &b);
  return TRUE;
}

/* A valve, whose signals are "NAME.on", "NAME.R", "NAME.G", or behind another mark. */
static guint add_valve(Network *n, const Element *e, guint32 number, const char *mark, double drop)
{
  gboolean warm = e->warm && mark[0] == '.';
  HyBranch b = branch_of(e, HY_BRANCH_RESISTOR, number);
  g_autofree char *on = g_strconcat(mark, "on", NULL), *r = g_strconcat(mark, "R", NULL),
                  *g = g_strconcat(mark, "G", NULL);
  b.on = hy_network_signal(n, e->name, on);
  b.signal = hy_network_signal(n, e->name, r);
  b.conductance = hy_network_signal(n, e->name, g);
  b.drop = drop;
  if (warm) {
    b.signal = hy_network_signal(n, e->name, ":R");
    b.conductance = NULL;
    b.drop_signal = drop != 0.0 ? hy_network_signal(n, e->name, ":drop") : NULL;
  }
  b.reading = e->kind != HY_TRANSISTOR ? hy_network_signal(n, e->name, ".i") : NULL;
  return hy_circuit_add(n->circuit, &b);
}

/* A diode needs no control. What it says is looked at when it is wired. */
static gboolean has_control(Network *n, const Element *e)
{
  const HyPort *p = e->entry->klass->in;
  if (p == NULL || p->optional || hy_element_item(e->entry, p->name) != NULL) {
    return TRUE;
  }
  hy_element_lacks(n, e, p->name, p->unit, p->doc);
  return FALSE;
}

#define DEFAULT_RON 1e-3

/* A number, or a formula: the number is not used then. */
static gboolean read_ron(Network *n, Element *e)
{
  Said said = {.number = DEFAULT_RON};
  gboolean stated = hy_element_item(e->entry, "Ron") != NULL || hy_element_set(n, e, "Ron", &said);
  if (stated && !hy_element_said(n, e, "Ron", &said)) {
    return FALSE;
  }
  e->warm = said.formula != NULL;
  e->ron = e->warm ? DEFAULT_RON : said.number;
  if (e->warm && e->kind == HY_TRANSISTOR && hy_element_item(e->entry, "Rd") == NULL) {
    hy_element_lacks(n, e, "Rd", "Ohm", "it is Ron only where that is a number");
    return FALSE;
  }
  return TRUE;
}

static gboolean read_valve(Network *n, Element *e, double *vf)
{
  gboolean diode = e->kind != HY_SWITCH;
  *vf = 0.0;
  if (!has_control(n, e) || !read_ron(n, e) || !hy_element_number(n, e, "Roff", &e->roff, NULL) ||
      (diode && !hy_element_number(n, e, "Vf", vf, NULL))) {
    return FALSE;
  }
  e->rd = e->ron;
  gboolean own = FALSE;
  double rd;
  if (e->kind == HY_TRANSISTOR && hy_element_item(e->entry, "Rd") != NULL &&
      !hy_element_number(n, e, "Rd", &rd, &own)) {
    return FALSE;
  }
  e->rd = own ? rd : e->ron;
  gboolean rd_known = !e->warm || e->kind == HY_TRANSISTOR;
  if ((!e->warm && e->roff <= e->ron) || (rd_known && e->roff <= e->rd)) {
    hy_entry_problem(n->loader, e->scope, e->entry, e->at, "Roff must be above Ron");
    return FALSE;
  }
  e->knee = *vf / e->roff;
  return TRUE;
}

/* A transistor has its channel and its body side by side, so each blocks with 2 Roff, and conducts
 * with what is R beside the 2 Roff of the other. */
double hy_transistor_share(const Element *e, double r)
{
  return r / (1.0 - r / (2.0 * e->roff));
}

/* The body begins where u = Roff i and u = Vf (1 - Rd/Roff) + Rd i of the whole meet. */
static double transistor_drop(const Element *e, double vf)
{
  return vf * (1.0 - e->rd / e->roff) / (1.0 - e->rd / (2.0 * e->roff));
}

static gboolean add_valves(Network *n, Element *e, guint32 number)
{
  double vf;
  if (!read_valve(n, e, &vf)) {
    return FALSE;
  }
  double drop = e->kind == HY_TRANSISTOR ? transistor_drop(e, vf) : vf * (1.0 - e->rd / e->roff);
  e->branch = add_valve(n, e, number, ".", e->kind == HY_TRANSISTOR ? 0.0 : drop);
  if (e->kind == HY_TRANSISTOR) { /* its diode, the other way round */
    Element turned = *e;
    turned.node[0] = e->node[1], turned.node[1] = e->node[0];
    e->second = add_valve(n, &turned, number, ":d", drop);
  }
  return TRUE;
}

/* k/q, V/K */
#define BOLTZMANN_BY_CHARGE 8.617333262e-5

/* Between plus, or a node behind Rs, and minus. */
static HyBranch junction_branch(const Element *e, HyBranchKind kind, guint32 number, guint from)
{
  HyBranch b = branch_of(e, kind, number);
  b.a = from;
  return b;
}

/* The junction as a capacitor, whose voltage is a state, and a current by that. */
static void add_junction_state(Network *n, Element *e, guint32 number, HyBranch *rs, double cj)
{
  guint inner = hy_circuit_node(n->circuit, e->name);
  rs->b = inner;
  HyBranch c = junction_branch(e, HY_BRANCH_CAPACITOR, number, inner),
           i = junction_branch(e, HY_BRANCH_CURRENT, number, inner);
  c.signal = hy_network_signal(n, e->name, ":vj");
  c.value = cj;
  i.signal = hy_network_signal(n, e->name, ":ij");
  e->junction = hy_circuit_add(n->circuit, &c);
  hy_circuit_add(n->circuit, &i);
}

/* Rs, whose drop is the junction's voltage, and Roff beside both. */
static gboolean add_exponential(Network *n, Element *e, guint32 number)
{
  double times, t, cj;
  HyBranch rs = branch_of(e, HY_BRANCH_RESISTOR, number), off = rs;
  if (!hy_element_number(n, e, "Is", &e->is, NULL) || !hy_element_number(n, e, "n", &times, NULL) ||
      !hy_element_number(n, e, "T", &t, NULL) || !hy_element_number(n, e, "Rs", &rs.value, NULL) ||
      !hy_element_number(n, e, "Roff", &off.value, NULL) ||
      !hy_element_number(n, e, "Cj", &cj, NULL)) {
    return FALSE;
  }
  e->vt = times * BOLTZMANN_BY_CHARGE * t;
  if (cj > 0.0) {
    add_junction_state(n, e, number, &rs, cj);
  } else {
    rs.junction = TRUE;
    rs.drop_signal = hy_network_signal(n, e->name, ":vj");
  }
  e->branch = hy_circuit_add(n->circuit, &rs);
  e->second = hy_circuit_add(n->circuit, &off);
  return TRUE;
}

static gboolean add_transformer(Network *n, Element *e, guint32 number)
{
  HyTransformer t = {.name = e->name, .element = number};
  if (!hy_element_number(n, e, "ratio", &t.ratio, NULL)) {
    return FALSE;
  }
  memcpy(t.node, e->node, sizeof t.node);
  e->branch = hy_circuit_transformer(n->circuit, &t);
  e->second = e->branch + 1;
  return TRUE;
}

gboolean hy_branch_add(Network *n, Element *e, guint32 number)
{
  switch (e->kind) {
  case HY_RESISTOR:
    return add_resistor(n, e, number);
  case HY_CAPACITOR:
  case HY_INDUCTOR:
    return add_state(n, e, number);
  case HY_VOLTAGE:
  case HY_CURRENT:
    return add_source(n, e, number);
  case HY_SWITCH:
  case HY_DIODE:
  case HY_TRANSISTOR:
  case HY_THYRISTOR:
    return add_valves(n, e, number);
  case HY_TRANSFORMER:
    return add_transformer(n, e, number);
  case HY_EXPONENTIAL:
    return add_exponential(n, e, number);
  case HY_PROBE:    /* takes no current */
  case HY_COUPLING: /* comes when all inductors are there */
    return TRUE;
  }
  g_assert_not_reached();
}

/* Couplings ------------------------------------------------------------------------------------ */

/* The branches that inductors="..." names; NULL: reported. */
static GArray *read_inductors(Network *n, const Element *e)
{
  const Item *i = hy_element_item(e->entry, "inductors");
  Env env = hy_env(n->loader, e->scope, e->entry, i->attribute);
  hy_env_copy(&env, e->entry, e->at);
  const HyFormula *f = hy_env_parse(&env, HY_TEXT_ENDS, i->attribute->value);
  env.mode = MODE_SOURCE;
  env.names = NAMES_INDUCTORS;
  f = f != NULL ? hy_env_fold(&env, f) : NULL;
  if (f == NULL) {
    return NULL;
  }
  GArray *coils = g_array_new(FALSE, FALSE, sizeof(guint));
  for (guint32 k = 0; k < (f->kind == HY_F_REF ? 1 : f->n); k++) {
    const HyFormula *ref = f->kind == HY_F_REF ? f : f->child[k];
    const Entry *coil = hy_define_find(e->scope->define, ref->ref.name, TRUE);
    guint32 copy = hy_which_copy(&env, coil, ref, ref->ref.at, NULL);
    guint branch = hy_network_element(n, e->scope->first_element[coil->slot] + copy)->branch;
    if (hy_network_element(n, e->scope->first_element[coil->slot] + copy)->shaped) {
      hy_problem(&env, "inductors=\"%s\": %s has a flux, couplings are of inductors with an L",
                 i->attribute->value, ref->ref.name);
      g_array_unref(coils);
      return NULL;
    }
    if (branch == HY_NO_BRANCH) { /* it is wrong, which has been reported */
      g_array_unref(coils);
      return NULL;
    }
    for (guint m = 0; m < coils->len; m++) {
      copy = g_array_index(coils, guint, m) == branch ? HY_NO_COMPONENT : copy;
    }
    g_array_append_val(coils, branch);
    if (copy == HY_NO_COMPONENT) {
      hy_problem(&env, "inductors=\"%s\" names %s twice", i->attribute->value, ref->ref.name);
      g_array_unref(coils);
      return NULL;
    }
  }
  if (coils->len < 2) {
    hy_problem(&env, "inductors=\"%s\": two or more are expected", i->attribute->value);
    g_clear_pointer(&coils, g_array_unref);
  }
  return coils;
}

static gboolean read_couplings(Network *n, const Element *e, guint32 number, const GArray *coils)
{
  Item *i = hy_element_item(e->entry, "k");
  Env env = hy_env(n->loader, e->scope, e->entry, i->attribute);
  hy_env_copy(&env, e->entry, e->at);
  env.what = "k";
  const HyFormula *list = hy_item_parse(&env, i, HY_TEXT_LIST);
  list = list != NULL ? hy_env_fold(&env, list) : NULL;
  guint pairs = coils->len * (coils->len - 1) / 2, at = 0;
  if (list == NULL) {
    return FALSE;
  }
  if (list->n != 1 && list->n != pairs) {
    hy_problem(&env,
               "k=\"%s\" has %u numbers for %u inductors; write one, or %u: one for each pair",
               i->attribute->value, list->n, coils->len, pairs);
    return FALSE;
  }
  for (guint a = 0; a < coils->len; a++) {
    for (guint b = a + 1; b < coils->len; b++) {
      const HyFormula *f = list->child[list->n == 1 ? 0 : at++];
      double k = f->kind == HY_F_NUMBER ? f->number : NAN;
      if (!(fabs(k) > 0.0 && fabs(k) < 1.0)) {
        hy_problem(&env, "k=\"%s\": a coupling is between -1 and 1, and not 0",
                   i->attribute->value);
        return FALSE;
      }
      Coupling both = {g_array_index(coils, guint, a), g_array_index(coils, guint, b), k};
      hy_circuit_couple(n->circuit, both.first, both.second, k, number);
      g_array_append_val(n->couplings, both);
    }
  }
  return TRUE;
}

gboolean hy_coupling_add(Network *n, const Element *e, guint32 number)
{
  const char *const needs[] = {"inductors", "k"};
  for (guint k = 0; k < G_N_ELEMENTS(needs); k++) {
    if (hy_element_item(e->entry, needs[k]) == NULL) {
      const HyParam *p = hy_class_param(e->entry->klass, needs[k]);
      hy_element_lacks(n, e, p->name, NULL, p->doc);
      return FALSE;
    }
  }
  g_autoptr(GArray) coils = read_inductors(n, e);
  return coils != NULL && read_couplings(n, e, number, coils);
}
