/* A <circuit> as branches: its elements, once the copies of all are known, with their nodes and
 * numbers; what the room circuits makes of them, or why it cannot.
 *
 * A formula of signals (value, R) is a signal for the equations, whose name is that of the block
 * that computes it; control and gate decide modes only and are wired in network_blocks.c. Readings
 * are asked for by formulas (ends.c) while blocks are made, and by what is recorded. */
#include "language/network.h"
#include "coupled/model_internal.h"
#include "language/names.h"

#include <math.h>
#include <string.h>

gboolean hy_is_nested(const Scope *child)
{
  return child->define->is_circuit && child->parent != NULL && child->parent->define->is_circuit;
}

gboolean hy_is_element(const Entry *e)
{
  const HyFile *f = e->define->file;
  return e->kind == E_BLOCK && e->define->is_circuit &&
         (hy_is_node(e) || f->vocabulary->element[hy_element(f->tree, e->element)->name] != NULL);
}

const char *hy_network_signal(Network *n, const char *name, const char *what)
{
  g_autofree char *text = g_strconcat(name, what, NULL);
  return hy_formula_pool_name(n->pool, text);
}

/* Attributes ----------------------------------------------------------------------------------- */

static Item *item_of(const Entry *e, const char *name)
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

static void said_nothing(Network *n, const Element *e, const char *name, const char *unit,
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
  Item *i = item_of(e->entry, name);
  memset(said, 0, sizeof *said);
  if (hy_element_set(n, e, name, said)) {
    return !isnan(said->number) && said_in_range(name, p, said);
  }
  if (i != NULL) {
    return said_by_attribute(n, e, i, said) && said_in_range(name, p, said);
  }
  if (port != G_MAXUINT) {
    said_nothing(n, e, name, klass->in[port].unit, klass->in[port].doc);
    return FALSE;
  }
  if (p->required) {
    said_nothing(n, e, name, p->unit, p->doc);
    return FALSE;
  }
  said->number = p->value;
  return TRUE;
}

static gboolean read_number(Network *n, const Element *e, const char *name, double *v,
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

/* Branches ------------------------------------------------------------------------------------- */

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
  if (!read_number(n, e, name, size, &stated) || stated) {
    return stated;
  }
  const HyParam *p = hy_class_param(e->entry->klass, name);
  said_nothing(n, e, name, p->unit, NULL);
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
  if (item_of(e->entry, size) != NULL) {
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
  e->shaped = item_of(e->entry, coil ? "flux" : "charge") != NULL;
  if (!read_number(n, e, coil ? "i0" : "v0", &b.start, &b.stated) ||
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
static gboolean add_controls(Network *n, const Element *e)
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
  if (p == NULL || p->optional || item_of(e->entry, p->name) != NULL) {
    return TRUE;
  }
  said_nothing(n, e, p->name, p->unit, p->doc);
  return FALSE;
}

#define DEFAULT_RON 1e-3

/* A number, or a formula: the number is not used then. */
static gboolean read_ron(Network *n, Element *e)
{
  Said said = {.number = DEFAULT_RON};
  gboolean stated = item_of(e->entry, "Ron") != NULL || hy_element_set(n, e, "Ron", &said);
  if (stated && !hy_element_said(n, e, "Ron", &said)) {
    return FALSE;
  }
  e->warm = said.formula != NULL;
  e->ron = e->warm ? DEFAULT_RON : said.number;
  if (e->warm && e->kind == HY_TRANSISTOR && item_of(e->entry, "Rd") == NULL) {
    said_nothing(n, e, "Rd", "Ohm", "it is Ron only where that is a number");
    return FALSE;
  }
  return TRUE;
}

static gboolean read_valve(Network *n, Element *e, double *vf)
{
  gboolean diode = e->kind != HY_SWITCH;
  *vf = 0.0;
  if (!has_control(n, e) || !read_ron(n, e) || !read_number(n, e, "Roff", &e->roff, NULL) ||
      (diode && !read_number(n, e, "Vf", vf, NULL))) {
    return FALSE;
  }
  e->rd = e->ron;
  gboolean own = FALSE;
  double rd;
  if (e->kind == HY_TRANSISTOR && item_of(e->entry, "Rd") != NULL &&
      !read_number(n, e, "Rd", &rd, &own)) {
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

static gboolean add_valves(Network *n, Element *e, guint32 number)
{
  double vf;
  if (!read_valve(n, e, &vf)) {
    return FALSE;
  }
  double drop = vf * (1.0 - e->rd / e->roff);
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
  if (!read_number(n, e, "Is", &e->is, NULL) || !read_number(n, e, "n", &times, NULL) ||
      !read_number(n, e, "T", &t, NULL) || !read_number(n, e, "Rs", &rs.value, NULL) ||
      !read_number(n, e, "Roff", &off.value, NULL) || !read_number(n, e, "Cj", &cj, NULL)) {
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
  if (!read_number(n, e, "ratio", &t.ratio, NULL)) {
    return FALSE;
  }
  memcpy(t.node, e->node, sizeof t.node);
  e->branch = hy_circuit_transformer(n->circuit, &t);
  e->second = e->branch + 1;
  return TRUE;
}

static gboolean add_branch(Network *n, Element *e, guint32 number)
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
  default: /* a probe takes no current; couplings come when all inductors are there */
    return TRUE;
  }
}

/* Couplings ------------------------------------------------------------------------------------ */

/* The branches that inductors="..." names; NULL: reported. */
static GArray *read_inductors(Network *n, const Element *e)
{
  const Item *i = item_of(e->entry, "inductors");
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
  Item *i = item_of(e->entry, "k");
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
      hy_circuit_couple(n->circuit, g_array_index(coils, guint, a), g_array_index(coils, guint, b),
                        k, number);
    }
  }
  return TRUE;
}

static gboolean add_coupling(Network *n, const Element *e, guint32 number)
{
  const char *const needs[] = {"inductors", "k"};
  for (guint k = 0; k < G_N_ELEMENTS(needs); k++) {
    if (item_of(e->entry, needs[k]) == NULL) {
      const HyParam *p = hy_class_param(e->entry->klass, needs[k]);
      said_nothing(n, e, p->name, NULL, p->doc);
      return FALSE;
    }
  }
  g_autoptr(GArray) coils = read_inductors(n, e);
  return coils != NULL && read_couplings(n, e, number, coils);
}

/* Gathering ------------------------------------------------------------------------------------ */

static void read_nodes(Network *n, Element *e)
{
  if (e->kind == HY_COUPLING || e->left_out) {
    return;
  }
  memset(e->node, 0, sizeof e->node);
  const Item *i = item_of(e->entry, "nodes");
  if (i == NULL) {
    said_nothing(n, e, "nodes", NULL, hy_class_param(e->entry->klass, "nodes")->doc);
    n->failed = TRUE;
    return;
  }
  Env env = hy_env(n->loader, e->scope, e->entry, i->attribute);
  hy_env_copy(&env, e->entry, e->at);
  env.mode = MODE_SOURCE;
  n->failed |= !hy_nodes_read(n, &env, i->attribute->value, hy_element_ends(e->kind), e->node);
}

static void gather_entry(Network *n, Scope *s, Entry *e)
{
  const Copies *c = &s->copies[e->slot];
  s->first_element[e->slot] = n->elements->len;
  n->failed |= e->bad || c->bad;
  for (guint32 k = 0; k < c->n && !e->bad && !c->bad; k++) {
    Element one = {.scope = s,
                   .entry = e,
                   .kind = hy_element_kind(e->klass),
                   .branch = HY_NO_BRANCH,
                   .second = HY_NO_BRANCH,
                   .junction = HY_NO_BRANCH,
                   .left_out = c->component[k] == HY_LEFT_OUT};
    g_autoptr(GString) name = g_string_new(s->in_network);
    hy_copy_indices(e, c, k, one.at);
    hy_copy_name(e, one.at, name);
    one.name = hy_formula_pool_name(n->pool, name->str);
    g_array_append_val(n->elements, one);
  }
}

/* Where the way through the circuits is: at copy COPY of block BLOCK. */
typedef struct {
  Scope *scope;
  guint block;
  guint32 copy;
} Way;

/* S joins the network, as what the outermost circuit calls it. */
static void enter(Network *n, Scope *s, GArray *way)
{
  g_autoptr(GString) path = g_string_new(s == n->scope ? "" : s->parent->in_network);
  if (s != n->scope) {
    hy_copy_name(s->entry, s->at, path);
    g_string_append_c(path, '/');
  }
  s->network = n;
  s->in_network = hy_formula_pool_name(n->pool, path->str);
  s->first_element = g_new0(guint32, MAX(s->define->blocks->len, 1));
  g_hash_table_insert(n->scopes, hy_key(s->in_network), s);
  g_ptr_array_add(n->circuits, s);
  n->failed |= s != n->scope && !hy_nodes_join(n, s);
  Way at = {s, 0, 0};
  g_array_append_val(way, at);
}

/* The next copy of a circuit inside; NULL: there is none left. */
static Scope *next_inside(Network *n, Way *at, const Entry *e)
{
  const Copies *c = &at->scope->copies[e->slot];
  gboolean wrong = e->bad || c->bad;
  n->failed |= wrong;
  while (!wrong && at->copy < c->n) {
    Scope *child = c->child[at->copy++];
    if (child != NULL) {
      return child;
    }
  }
  return NULL;
}

/* One step: an element, or into a circuit, in the order of the file. */
static void step(Network *n, GArray *way)
{
  Way *at = &g_array_index(way, Way, way->len - 1);
  if (at->block == at->scope->define->blocks->len) {
    g_array_set_size(way, way->len - 1);
    return;
  }
  Entry *e = g_ptr_array_index(at->scope->define->blocks, at->block);
  gboolean nested = e->inside != NULL && e->inside->is_circuit;
  Scope *inside = nested ? next_inside(n, at, e) : NULL;
  if (inside != NULL) {
    enter(n, inside, way);
    return;
  }
  if (hy_is_element(e) && !hy_is_node(e)) {
    gather_entry(n, at->scope, e);
  }
  at->block++;
  at->copy = 0;
}

static void gather_elements(Network *n)
{
  g_autoptr(GArray) way = g_array_new(FALSE, FALSE, sizeof(Way));
  enter(n, n->scope, way);
  while (way->len > 0) {
    step(n, way);
  }
}

/* What names other elements, once all of these are branches. */
static gboolean add_others(Network *n, Element *e, guint32 number)
{
  return e->kind == HY_COUPLING ? add_coupling(n, e, number)
                                : !e->controlled || n->failed || add_controls(n, e);
}

/* Nodes first, so that formulas can name all of them; then branches. */
static void gather(Network *n)
{
  gather_elements(n);
  for (guint32 k = 0; k < n->elements->len; k++) {
    read_nodes(n, hy_network_element(n, k));
  }
  for (guint pass = 0; pass < 2; pass++) {
    for (guint32 k = 0; k < n->elements->len; k++) {
      Element *e = hy_network_element(n, k);
      if (!e->left_out) {
        gboolean ok = pass == 0 ? add_branch(n, e, k) : add_others(n, e, k);
        n->failed |= !ok;
      }
      hy_formula_pool_clear(n->loader->scratch);
    }
  }
}

/* Messages ------------------------------------------------------------------------------------- */

static gint compare_lines(gconstpointer a, gconstpointer b)
{
  guint x = *(const guint *)a, y = *(const guint *)b;
  return (x > y) - (x < y);
}

#define MOST_LINES 10 /* that a message names */

/* "4, 7", each once. */
static guint list_lines(GArray *lines, GString *out)
{
  g_array_sort(lines, compare_lines);
  guint shown = 0, last = 0;
  for (guint k = 0; k < lines->len && shown <= MOST_LINES; k++) {
    guint line = g_array_index(lines, guint, k);
    if (line != last) {
      g_string_append_printf(out, shown == 0 ? "%u" : shown == MOST_LINES ? " ..." : ", %u", line);
      shown++;
    }
    last = line;
  }
  return shown;
}

/* " (lines 4, 7)"; of elements of another file " (lines 4, power.xml 12)"; and where the circuits
 * that they are in were placed. */
static void append_lines(const Network *n, const GArray *elements, GString *out)
{
  const HyFile *file = n->scope->define->file;
  g_autoptr(GArray) lines = g_array_new(FALSE, FALSE, sizeof(guint)),
                    placed = g_array_new(FALSE, FALSE, sizeof(guint));
  g_autoptr(GString) list = g_string_new(NULL), others = g_string_new(NULL),
                     around = g_string_new(NULL);
  for (guint k = 0; k < elements->len; k++) {
    const Element *e = hy_network_element(n, g_array_index(elements, guint, k));
    if (e->scope->define->file == file) {
      g_array_append_val(lines, e->entry->line);
    } else {
      g_string_append_printf(others, "%s%s %u", others->len > 0 ? ", " : "",
                             e->scope->define->file->name, e->entry->line);
    }
    for (const Scope *s = e->scope; s != n->scope; s = s->parent) {
      if (s->parent->define->file == file) {
        g_array_append_val(placed, s->entry->line);
      }
    }
  }
  guint shown = list_lines(lines, list);
  guint n_placed = list_lines(placed, around);
  g_string_append_printf(out, " (%s%s%s%s",
                         shown > 1    ? "lines "
                         : shown == 1 ? "line "
                                      : "",
                         list->str, shown > 0 && others->len > 0 ? ", " : "", others->str);
  g_string_append_printf(out, n_placed > 0 ? ", placed in line%s %s)" : "%s%s)",
                         n_placed > 1 ? "s" : "", around->str);
}

static void report_fault(Network *n, const HyCircuitFault *fault)
{
  g_autoptr(GString) text = g_string_new(NULL);
  const Scope *s = n->scope;
  hy_scope_path(s, text);
  g_string_append_printf(text, ": %s", fault->text);
  guint line = s->entry->line;
  const char *file = s->define->file->name;
  if (fault->elements != NULL && fault->elements->len > 0) {
    const Element *first = hy_network_element(n, g_array_index(fault->elements, guint, 0));
    append_lines(n, fault->elements, text);
    line = first->entry->line;
    file = first->scope->define->file->name;
  }
  hy_report_error(n->loader->report, file, line, "%s", text->str);
}

void hy_network_warn_of_nodes(const Network *n)
{
  for (guint32 k = 0; k < n->elements->len; k++) {
    const Element *e = hy_network_element(n, k);
    for (guint end = 0; end < hy_element_ends(e->kind) && !e->left_out; end++) {
      if (e->node[end] != 0 && g_array_index(n->node_uses, guint, e->node[end]) == 1 &&
          hy_note_once(n->loader, e->entry, REPORTED_WARNING)) {
        g_autoptr(GString) path = g_string_new(NULL);
        hy_scope_path(n->scope, path);
        hy_report_warning(n->loader->report, e->scope->define->file->name, e->entry->line,
                          "%s/%s: nothing else is at node \"%s\"", path->str, e->name,
                          hy_circuit_node_name(n->circuit, e->node[end]));
      }
    }
  }
}

/* "a, b" of the part of NODE, and which of them voltages are against. */
static const char *list_part(const Network *n, guint node, GString *names)
{
  const char *zero = NULL;
  guint count = 0;
  for (guint k = 1; k < n->node_uses->len; k++) {
    if (hy_circuit_island(n->circuit, k) == hy_circuit_island(n->circuit, node)) {
      const char *name = hy_circuit_node_name(n->circuit, k);
      const HyFormula *v = hy_circuit_potential(n->circuit, k);
      zero = zero == NULL && v->kind == HY_F_NUMBER && v->number == 0.0 ? name : zero;
      if (++count <= MOST_LINES) {
        g_string_append_printf(names, "%s%s", count > 1 ? ", " : "", name);
      }
    }
  }
  g_string_append(names, count > MOST_LINES ? " ..." : "");
  return zero;
}

/* A part that nothing ties to 0 is legal, and mostly has a misspelt node. The other side of a
 * transformer is no such part. */
static void warn_of_parts_alone(const Network *n)
{
  g_autofree gboolean *seen = g_new0(gboolean, n->node_uses->len);
  for (guint32 k = 0; k < n->elements->len; k++) {
    const Element *e = hy_network_element(n, k);
    guint part = hy_circuit_island(n->circuit, e->node[0]);
    if (e->left_out || e->kind == HY_PROBE || hy_element_ends(e->kind) == 0 || seen[part]) {
      continue;
    }
    seen[part] = TRUE;
    if (hy_circuit_is_alone(n->circuit, part) &&
        hy_note_once(n->loader, e->entry, REPORTED_WARNING)) {
      g_autoptr(GString) path = g_string_new(NULL), names = g_string_new(NULL);
      hy_scope_path(n->scope, path);
      const char *zero = list_part(n, part, names);
      hy_report_warning(n->loader->report, e->scope->define->file->name, e->entry->line,
                        "%s/%s: no element leads from %s to 0; voltages there are against %s",
                        path->str, e->name, names->str, zero != NULL ? zero : "one of them");
    }
  }
}

/* Records -------------------------------------------------------------------------------------- */

/* Whether the parts of PATH before the last may lead to S. One that only a run could compare, since
 * its index is a formula, may. */
static gboolean may_lead(const HyPath *path, const Scope *s)
{
  if (hy_path_any_depth(&path->part[path->n - 1])) {
    return TRUE;
  }
  for (guint k = path->n - 1; k-- > 0; s = s->parent) {
    const HyPathPart *part = &path->part[k];
    if (hy_path_any_depth(part)) {
      return TRUE;
    }
    gboolean root = s->parent == NULL;
    if (root || part->hidden != NULL || !g_pattern_match_simple(part->name, s->entry->name)) {
      return FALSE;
    }
    gboolean number = part->n_index == 1 && s->entry->n_index == 1 && part->index[0].lo != NULL &&
                      part->index[0].lo->kind == HY_F_NUMBER && part->index[0].hi == NULL;
    if (number && part->index[0].lo->number != (double)s->at[0]) {
      return FALSE;
    }
  }
  return s->parent == NULL;
}

/* Readings of S that a path may mean, by its last part alone: a few too many do no harm. */
static void want_path(Network *n, Scope *s, const HyPath *path)
{
  const HyPathPart *part = path->n > 0 ? &path->part[path->n - 1] : NULL;
  if (part == NULL || part->hidden != NULL || !may_lead(path, s)) {
    return;
  }
  for (guint k = 0; k < s->define->blocks->len; k++) {
    const Entry *e = g_ptr_array_index(s->define->blocks, k);
    if (!hy_is_element(e) || !g_pattern_match_simple(part->name, e->name)) {
      continue;
    }
    for (const HyPort *p = e->klass->out; p != NULL && p->name != NULL; p++) {
      if (path->port == NULL ? strcmp(p->name, "on") != 0
                             : g_pattern_match_simple(path->port, p->name)) {
        hy_network_want_all(n, s, e, p->name);
      }
    }
  }
}

static void want_text(Network *n, const char *text)
{
  const HyPaths *paths = text != NULL ? hy_paths_parse(n->loader->pool, text, NULL) : NULL;
  for (guint k = 0; paths != NULL && k < paths->n; k++) { /* what is wrong is said elsewhere */
    for (guint i = 0; i < n->circuits->len; i++) {
      want_path(n, g_ptr_array_index(n->circuits, i), paths->path[k]);
    }
  }
}

static void want_records(Network *n)
{
  const Loader *l = n->loader;
  const HyFile *f = g_ptr_array_index(l->files.all, 0);
  for (guint k = 0; k < l->chosen.chain->len; k++) {
    guint32 experiment = g_array_index(l->chosen.chain, guint32, k);
    want_text(n, hy_said_in(f, experiment, HY_W_RECORD));
    for (guint32 i = hy_element(f->tree, experiment)->child; i != 0;
         i = hy_element(f->tree, i)->next) {
      if (hy_element(f->tree, i)->name == HY_W_RECORD) {
        want_text(n, hy_said_in(f, i, HY_W_PATH));
      }
    }
  }
  for (const char *const *o = l->options.record; o != NULL && *o != NULL; o++) {
    want_text(n, *o);
  }
}

/* ---------------------------------------------------------------------------------------------- */

static Network *network_new(Loader *l, Scope *s)
{
  Network *n = g_new0(Network, 1);
  n->loader = l;
  n->scope = s;
  n->pool = hy_formula_pool_new();
  n->circuit = hy_circuit_new(n->pool);
  n->elements = g_array_new(FALSE, FALSE, sizeof(Element));
  n->circuits = g_ptr_array_new();
  n->scopes = g_hash_table_new(g_str_hash, g_str_equal);
  n->nodes = g_array_new(FALSE, FALSE, sizeof(NodeAt));
  n->by_key = g_hash_table_new(g_str_hash, g_str_equal);
  n->joined = g_hash_table_new(g_str_hash, g_str_equal);
  n->node_uses = g_array_new(FALSE, TRUE, sizeof(guint));
  g_array_set_size(n->node_uses, 1);
  NodeAt zero = {hy_formula_pool_name(n->pool, "0"), 0};
  g_array_append_val(n->nodes, zero);
  g_hash_table_insert(n->by_key, hy_key(zero.key), GUINT_TO_POINTER(1));
  n->made = g_array_new(FALSE, FALSE, sizeof(Made));
  n->signal = g_hash_table_new(g_str_hash, g_str_equal);
  n->carried = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
  n->wants = g_array_new(FALSE, FALSE, sizeof(Want));
  n->wanted = g_hash_table_new(NULL, NULL);
  return n;
}

void hy_network_free(Network *n)
{
  hy_circuit_free(n->circuit);
  hy_formula_pool_free(n->pool);
  g_array_unref(n->elements);
  g_ptr_array_unref(n->circuits);
  g_hash_table_unref(n->scopes);
  g_array_unref(n->nodes);
  g_hash_table_unref(n->by_key);
  g_hash_table_unref(n->joined);
  g_array_unref(n->node_uses);
  g_free(n->names_at);
  g_array_unref(n->made);
  g_hash_table_unref(n->signal);
  g_hash_table_unref(n->carried);
  g_array_unref(n->wants);
  g_hash_table_unref(n->wanted);
  g_free(n);
}

void hy_network_fail(Scope *s)
{
  s->network->failed = TRUE;
}

void hy_network_solve(Loader *l, Scope *s)
{
  Network *n = network_new(l, s);
  HyCircuitFault fault = {NULL, NULL};
  gather(n);
  if (!n->failed && !hy_circuit_solve(n->circuit, &fault)) {
    n->failed = TRUE;
    report_fault(n, &fault);
  }
  hy_circuit_fault_clear(&fault);
  if (!n->failed) {
    warn_of_parts_alone(n);
    hy_nodes_of_ports(n);
    want_records(n);
  }
}
