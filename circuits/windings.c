/* Windings of ideal transformers whose values follow from states: a leakage coil on either side of
 * one, or a capacitor across each of its windings.
 *
 * A winding that is a source of current is times the current of the other. If coils and sources of
 * current alone lead to one end of that, its current is a sum of theirs; if capacitors and sources
 * of voltage join the ends of the other, so is the voltage of a winding that is a source of
 * voltage. What has a slope then is
 *
 *   y = sum of n x,   dy/dt = sum of n dx/dt
 *
 * over states and sources x whose slopes are known. So the winding may stand in a cut of coils or a
 * loop of capacitors like any source with a slope: y is a definition, and dy/dt an unknown
 * (unknown.c), as derivatives of states depend on the voltages and currents of windings. */
#include "internal.h"

#include <math.h>

/* Terms of states and sources ------------------------------------------------------------------ */

static void rates_add(GArray *rates, guint32 name, double n)
{
  for (guint k = 0; k < rates->len; k++) {
    Rate *r = &g_array_index(rates, Rate, k);
    if (r->name == name) {
      r->n += n;
      return;
    }
  }
  Rate r = {name, n};
  g_array_append_val(rates, r);
}

/* FACTOR times LABEL is added. FALSE: one of its names has no slope. */
static gboolean rates_add_label(HyCircuit *c, GArray *rates, const Label *label, double factor)
{
  for (guint k = 0; k < label->n; k++) {
    const Term *t = &label->term[k];
    guint32 branch = circuit_name(c, t->name)->branch;
    if (branch == NONE || !branch_has_slope(c, branch)) {
      return FALSE;
    }
    const Branch *b = circuit_branch(c, branch);
    if (b->rates == NULL) {
      rates_add(rates, t->name, factor * t->n);
    }
    for (guint i = 0; b->rates != NULL && i < b->rates->len; i++) {
      const Rate *r = &g_array_index(b->rates, Rate, i);
      rates_add(rates, r->name, factor * t->n * r->n);
    }
  }
  return TRUE;
}

/* The other winding ---------------------------------------------------------------------------- */

/* What flows through winding K from plus to minus, if that is what coils and sources of current
 * bring to the part at its plus; NULL: something else joins its ends. */
static const Label *winding_cut(HyCircuit *c, guint32 k)
{
  g_autofree guint32 *part = groups_alone(c->nodes->len);
  for (guint32 i = 0; i < c->branches->len; i++) {
    const HyBranch *b = &circuit_branch(c, i)->is;
    if (i != k && b->kind <= HY_BRANCH_RESISTOR) {
      groups_join(part, b->a, b->b);
    }
  }
  groups_flatten(part, c->nodes->len);
  const HyBranch *w = &circuit_branch(c, k)->is;
  guint32 here = part[w->a];
  if (here == part[w->b]) {
    return NULL;
  }
  g_autoptr(GArray) into = g_array_new(FALSE, FALSE, sizeof(Term));
  for (guint32 i = 0; i < c->branches->len; i++) {
    const Branch *b = circuit_branch(c, i);
    gint into_it = (part[b->is.b] == here) - (part[b->is.a] == here);
    if (b->is.kind >= HY_BRANCH_COIL && into_it != 0) {
      tally_add(into, into_it, b->current);
    }
  }
  return tally_end(c, into);
}

/* Its voltage, if capacitors and sources join its ends; NULL: they do not. */
static const Label *winding_loop(HyCircuit *c, guint32 k)
{
  const HyBranch *w = &circuit_branch(c, k)->is;
  return c->super[w->a] == c->super[w->b] ? label_plus(c, c->off[w->a], -1, c->off[w->b]) : NULL;
}

static gboolean winding_has_slope(HyCircuit *c, guint32 k)
{
  gboolean voltage = circuit_branch(c, k)->is.kind == HY_BRANCH_VOLTAGE;
  guint32 other = circuit_branch(c, k)->other;
  double times = circuit_branch(c, k)->times;
  const Label *label = voltage ? winding_loop(c, other) : winding_cut(c, other);
  if (label == NULL) {
    return FALSE;
  }
  GArray *rates = g_array_new(FALSE, FALSE, sizeof(Rate));
  if (!rates_add_label(c, rates, label, voltage ? times : -1.0 / times)) {
    g_array_unref(rates);
    return FALSE;
  }
  Branch *b = circuit_branch(c, k);
  b->rates = rates;
  if (b->as_slope == NONE) {
    g_autofree char *name = g_strdup_printf("%s:slope%u", b->is.name, b->other > k ? 1U : 2U);
    b->as_slope = name_given(c, name, 0.0, k);
  }
  b->slope = b->as_slope;
  return TRUE;
}

/* ---------------------------------------------------------------------------------------------- */

gboolean branch_has_slope(HyCircuit *c, guint32 k)
{
  Branch *b = circuit_branch(c, k);
  if (b->other != NONE && b->slope == NONE && !b->asked) {
    b->asked = TRUE; /* one that follows from itself has none */
    winding_has_slope(c, k);
    b->asked = FALSE;
  }
  gboolean has = b->derivative != NO_STATE || b->slope != NONE;
  b->sloped |= has;
  return has;
}

void windings_forget(Branch *b)
{
  g_clear_pointer(&b->rates, g_array_unref);
  b->slope = b->other != NONE ? NONE : b->slope;
}

double winding_start(const HyCircuit *c, const Branch *b)
{
  double sum = 0.0;
  for (guint k = 0; k < b->rates->len; k++) {
    const Rate *r = &g_array_index(b->rates, Rate, k);
    sum += r->n * name_start(c, r->name);
  }
  return sum;
}

/* What is a state of the tree that was chosen is one now. */
void windings_define(HyCircuit *c)
{
  for (guint32 k = 0; k < c->branches->len; k++) {
    const Branch *b = circuit_branch(c, k);
    if (b->rates == NULL) {
      continue;
    }
    Sum s = sum_begin(c);
    for (guint i = 0; i < b->rates->len; i++) {
      const Rate *r = &g_array_index(b->rates, Rate, i);
      const HyFormula *n = hy_formula_number(c->pool, fabs(r->n));
      sum_add(&s, r->n < 0 ? -1 : 1, formula_join(c, n, '*', circuit_name(c, r->name)->f));
    }
    circuit_name(c, b->name)->definition = sum_end(&s);
  }
}
