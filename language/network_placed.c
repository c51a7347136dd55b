/* The elements of a network as they stand in the file, for whoever checks the equations that are
 * made of them: numbers are read again from the attributes, and nothing is taken from branches. */
#include "coupled/elements.h"
#include "coupled/model_internal.h"
#include "coupled/written.h"
#include "language/network.h"
#include "language/scope.h"

#include <math.h>

/* Who says NAME.WHAT; nobody: its model is NULL. */
static HyPlacedSignal signal_of(Network *n, const Element *e, const char *what)
{
  const Made *made = hy_made_find(n, hy_network_signal(n, e->name, what));
  return made != NULL ? (HyPlacedSignal){made->scope->model, made->component, made->port}
                      : (HyPlacedSignal){NULL, 0, 0};
}

static double number_of(Network *n, const Element *e, const char *name)
{
  double v = NAN;
  return hy_element_number(n, e, name, &v, NULL) ? v : NAN;
}

/* A number, or else who says it. */
static void place_value(Network *n, const Element *e, const char *name, const char *what,
                        double otherwise, HyPlaced *p)
{
  Said said = {.number = otherwise};
  gboolean stated = hy_element_item(e->entry, name) != NULL || hy_element_set(n, e, name, &said);
  if (stated && hy_element_said(n, e, name, &said) && said.formula != NULL) {
    p->signal = signal_of(n, e, what);
  }
  p->value = p->signal.model == NULL && said.formula != NULL ? NAN : said.number;
}

static void place_valve(Network *n, const Element *e, HyPlaced *p)
{
  p->kind = e->kind == HY_SWITCH       ? HY_PLACED_SWITCH
            : e->kind == HY_TRANSISTOR ? HY_PLACED_TRANSISTOR
                                       : HY_PLACED_DIODE;
  place_value(n, e, "Ron", ":Ron", 1e-3, p);
  p->roff = number_of(n, e, "Roff");
  p->vf = e->kind == HY_SWITCH ? 0.0 : number_of(n, e, "Vf");
  p->on = signal_of(n, e, ".on");
  if (e->kind == HY_TRANSISTOR) {
    p->rd = hy_element_item(e->entry, "Rd") != NULL ? number_of(n, e, "Rd") : p->value;
    p->body = signal_of(n, e, ":don");
  } else if (e->kind != HY_SWITCH) {
    p->valve = p->on;
  }
}

static void place_state(Network *n, const Element *e, HyPlaced *p)
{
  gboolean coil = e->kind == HY_INDUCTOR;
  p->kind = e->shaped ? HY_PLACED_OTHER : coil ? HY_PLACED_COIL : HY_PLACED_CAPACITOR;
  if (!e->shaped) {
    p->value = number_of(n, e, coil ? "L" : "C");
    if (hy_circuit_is_state(n->circuit, e->branch)) {
      p->state = signal_of(n, e, coil ? ".i" : ".v");
    }
  }
}

/* One that reads its own circuit has its law from there. */
static void place_source(Network *n, const Element *e, HyPlaced *p)
{
  gboolean voltage = e->kind == HY_VOLTAGE;
  p->kind = e->controlled ? HY_PLACED_OTHER : voltage ? HY_PLACED_VOLTAGE : HY_PLACED_CURRENT;
  if (!e->controlled) {
    place_value(n, e, "value", voltage ? ".v" : ".i", NAN, p);
  }
}

static void place_element(Network *n, const Element *e, HyPlaced *p)
{
  switch (e->kind) {
  case HY_RESISTOR:
    p->kind = HY_PLACED_RESISTOR;
    place_value(n, e, "R", ":R", NAN, p);
    break;
  case HY_CAPACITOR:
  case HY_INDUCTOR:
    place_state(n, e, p);
    break;
  case HY_VOLTAGE:
  case HY_CURRENT:
    place_source(n, e, p);
    break;
  case HY_SWITCH:
  case HY_DIODE:
  case HY_TRANSISTOR:
  case HY_THYRISTOR:
    place_valve(n, e, p);
    break;
  case HY_TRANSFORMER:
    p->kind = HY_PLACED_TRANSFORMER;
    p->value = number_of(n, e, "ratio");
    break;
  case HY_PROBE:
    p->kind = HY_PLACED_PROBE;
    break;
  case HY_COUPLING:
  case HY_EXPONENTIAL:
    p->kind = HY_PLACED_OTHER;
    break;
  }
}

/* The place of the coil whose branch that is. */
static guint coil_of(const Network *n, guint branch)
{
  guint k = 0;
  while (hy_network_element(n, k)->branch != branch) {
    k++;
  }
  return k;
}

static void place_couplings(const Network *n, GArray *placed)
{
  for (guint k = 0; k < n->couplings->len; k++) {
    const Coupling *c = &g_array_index(n->couplings, Coupling, k);
    HyPlaced p = {.kind = HY_PLACED_COUPLING,
                  .value = c->k,
                  .with = {coil_of(n, c->first), coil_of(n, c->second)}};
    g_array_append_val(placed, p);
  }
}

void hy_network_keep(Network *n)
{
  if (!hy_model_keeps_written(n->scope->model)) {
    return;
  }
  GArray *placed = g_array_new(FALSE, FALSE, sizeof(HyPlaced));
  for (guint32 k = 0; k < n->elements->len; k++) {
    const Element *e = hy_network_element(n, k);
    HyPlaced p = {.kind = HY_PLACED_PROBE};
    if (!e->left_out && e->kind != HY_COUPLING) {
      for (guint end = 0; end < hy_element_ends(e->kind); end++) {
        p.node[end] = e->node[end];
      }
      place_element(n, e, &p);
      p.i = signal_of(n, e, ".i");
      p.v = signal_of(n, e, ".v");
    }
    g_array_append_val(placed, p);
    hy_formula_pool_clear(n->loader->scratch);
  }
  place_couplings(n, placed);
  hy_model_place_network(n->scope->model, n->node_uses->len, placed);
}
