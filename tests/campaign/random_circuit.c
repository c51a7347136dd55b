/* Random circuits: nodes with a capacitor each (or the source), and cells between two of them. A
 * cell is a coil, a resistance, a converter of one of the usual forms, a rectifier or a relay whose
 * currents are formulas of the states beside it, so that no network needs to be solved. */
#include "circuit.h"
#include "dice.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  char name[NAME_SIZE];           /* of its voltage; a number for a source of direct current */
  char current[FORMULA_SIZE / 2]; /* into its capacitor */
  gboolean source;
} Node;

typedef struct {
  Circuit *c;
  Dice dice;
  Node node[MOST_STATES];
  int nodes;
  int most_states, most_diodes, most_gates, most_relays; /* as drawn for this circuit */
  double on, off;                                        /* of switches and diodes */
  double period;
  int coils;
} Draft;

/* What a cell lies between, and its own number. */
typedef struct {
  const char *a, *b;
  Node *from, *to;
  int k;
} Place;

static G_GNUC_PRINTF(2, 3) void flows(Node *n, const char *format, ...)
{
  char text[256];
  va_list args;
  va_start(args, format);
  g_vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (!n->source) {
    g_strlcat(n->current, text, sizeof n->current);
  }
}

/* What a switch is in series with (iS, uS) begins at rest. */
static G_GNUC_PRINTF(4, 5) void add_state(Draft *d, const char *name, double divisor,
                                          const char *format, ...)
{
  State *s = &d->c->state[d->c->states++];
  char text[FORMULA_SIZE / 2];
  va_list args;
  va_start(args, format);
  g_vsnprintf(text, sizeof text, format, args);
  va_end(args);
  g_strlcpy(s->name, name, sizeof s->name);
  g_snprintf(s->formula, sizeof s->formula, "(%s)/%.5g", text, divisor);
  s->x0 = chance(&d->dice, 0.2) && name[1] != 'S' ? rounded(uniform(&d->dice, 0, 10)) : 0;
}

/* A diode NAME whose current is a function of the same number: iNAME without the R. */
static G_GNUC_PRINTF(3, 4) void add_diode(Draft *d, const char *name, const char *format, ...)
{
  Diode *diode = &d->c->diode[d->c->diodes++];
  Function *f = &d->c->function[d->c->functions++];
  va_list args;
  va_start(args, format);
  g_vsnprintf(f->formula, sizeof f->formula, format, args);
  va_end(args);
  g_snprintf(f->name, sizeof f->name, "i%s", name + 1);
  g_strlcpy(diode->name, name, sizeof diode->name);
  g_strlcpy(diode->current, f->name, sizeof diode->current);
  diode->on = d->on;
  diode->off = d->off;
}

/* A switch Rs<k> with a gate of its own; all gates have one frequency, or multiples of it. */
static void add_gate(Draft *d, int k)
{
  Circuit *c = d->c;
  Pwm *g = &c->pwm[c->pwms++];
  Switch *s = &c->gate[c->gates++];
  g_snprintf(g->name, sizeof g->name, "g%d", k);
  g->period = chance(&d->dice, 0.8) ? d->period : rounded(d->period / (2 + below(&d->dice, 3)));
  g->duty = rounded(uniform(&d->dice, 0.08, 0.92));
  g->phase = chance(&d->dice, 0.4) ? 0 : rounded(uniform(&d->dice, 0, g->period));
  g_snprintf(s->name, sizeof s->name, "Rs%d", k);
  g_strlcpy(s->control, g->name, sizeof s->control);
  s->on = d->on;
  s->off = d->off;
}

/* The coil of cell K: fed by what FORMAT says less its own resistance. */
static G_GNUC_PRINTF(3, 4) void add_coil(Draft *d, int k, const char *format, ...)
{
  char name[NAME_SIZE], text[256];
  va_list args;
  va_start(args, format);
  g_vsnprintf(text, sizeof text, format, args);
  va_end(args);
  double r = chance(&d->dice, 0.5) ? 0 : decades(&d->dice, -3, -0.5);
  g_snprintf(name, sizeof name, "iL%d", k);
  add_state(d, name, decades(&d->dice, -5, -2.5), "%s - %.5g*iL%d", text, r, k);
}

/* A coil so small that it is what wires have, in series with the switch. */
static double stray(Draft *d)
{
  return decades(&d->dice, -9, -6.5);
}

/* Cells ---------------------------------------------------------------------------------------- */

static void coil(Draft *d, const Place *p)
{
  add_coil(d, p->k, "%s - %s", p->a, p->b);
  flows(p->from, " - iL%d", p->k);
  flows(p->to, " + iL%d", p->k);
}

static void resistance(Draft *d, const Place *p)
{
  double r = decades(&d->dice, -1, 2);
  flows(p->from, " - (%s - %s)/%.5g", p->a, p->b, r);
  flows(p->to, " + (%s - %s)/%.5g", p->a, p->b, r);
}

static void buck(Draft *d, const Place *p)
{
  char name[NAME_SIZE];
  g_snprintf(name, sizeof name, "Rd%d", p->k);
  add_gate(d, p->k);
  add_diode(d, name, "(Rs%d*iL%d - %s)/(Rs%d + Rd%d)", p->k, p->k, p->a, p->k, p->k);
  add_coil(d, p->k, "-Rd%d*id%d - %s", p->k, p->k, p->b);
  flows(p->from, " - (iL%d - id%d)", p->k, p->k);
  flows(p->to, " + iL%d", p->k);
}

static void buck_stray(Draft *d, const Place *p)
{
  char name[NAME_SIZE], is[NAME_SIZE];
  g_snprintf(name, sizeof name, "Rd%d", p->k);
  g_snprintf(is, sizeof is, "iS%d", p->k);
  add_gate(d, p->k);
  add_diode(d, name, "iL%d - iS%d", p->k, p->k);
  add_coil(d, p->k, "-Rd%d*id%d - %s", p->k, p->k, p->b);
  add_state(d, is, stray(d), "%s - Rs%d*iS%d + Rd%d*id%d", p->a, p->k, p->k, p->k, p->k);
  flows(p->from, " - iS%d", p->k);
  flows(p->to, " + iL%d", p->k);
}

static void boost(Draft *d, const Place *p)
{
  char name[NAME_SIZE];
  g_snprintf(name, sizeof name, "Rd%d", p->k);
  add_gate(d, p->k);
  add_diode(d, name, "(Rs%d*iL%d - %s)/(Rs%d + Rd%d)", p->k, p->k, p->b, p->k, p->k);
  add_coil(d, p->k, "%s - Rs%d*(iL%d - id%d)", p->a, p->k, p->k, p->k);
  flows(p->from, " - iL%d", p->k);
  flows(p->to, " + id%d", p->k);
}

static void boost_stray(Draft *d, const Place *p)
{
  char name[NAME_SIZE], is[NAME_SIZE];
  g_snprintf(name, sizeof name, "Rd%d", p->k);
  g_snprintf(is, sizeof is, "iS%d", p->k);
  add_gate(d, p->k);
  add_diode(d, name, "iL%d - iS%d", p->k, p->k);
  add_coil(d, p->k, "%s - %s - Rd%d*id%d", p->a, p->b, p->k, p->k);
  add_state(d, is, stray(d), "%s + Rd%d*id%d - Rs%d*iS%d", p->b, p->k, p->k, p->k, p->k);
  flows(p->from, " - iL%d", p->k);
  flows(p->to, " + id%d", p->k);
}

/* The two coils and the capacitor of Cuk's converter; what it gives to `to` is of the other sign.
 */
static void cuk_output(Draft *d, const Place *p)
{
  char name[NAME_SIZE];
  add_coil(d, p->k, "%s - uS%d - Rd%d*id%d", p->a, p->k, p->k, p->k);
  g_snprintf(name, sizeof name, "iM%d", p->k);
  add_state(d, name, decades(&d->dice, -5, -2.5), "-%s - Rd%d*id%d", p->b, p->k, p->k);
  flows(p->from, " - iL%d", p->k);
  flows(p->to, " + iM%d", p->k);
}

static void cuk(Draft *d, const Place *p)
{
  char name[NAME_SIZE], us[NAME_SIZE];
  g_snprintf(name, sizeof name, "Rd%d", p->k);
  g_snprintf(us, sizeof us, "uS%d", p->k);
  add_gate(d, p->k);
  add_diode(d, name, "(Rs%d*(iL%d + iM%d) - uS%d)/(Rs%d + Rd%d)", p->k, p->k, p->k, p->k, p->k,
            p->k);
  add_state(d, us, decades(&d->dice, -6, -4), "id%d - iM%d", p->k, p->k);
  cuk_output(d, p);
}

static void cuk_stray(Draft *d, const Place *p)
{
  char name[NAME_SIZE], us[NAME_SIZE], is[NAME_SIZE];
  g_snprintf(name, sizeof name, "Rd%d", p->k);
  g_snprintf(us, sizeof us, "uS%d", p->k);
  g_snprintf(is, sizeof is, "iS%d", p->k);
  add_gate(d, p->k);
  add_diode(d, name, "iL%d + iM%d - iS%d", p->k, p->k, p->k);
  add_state(d, us, decades(&d->dice, -6, -4), "iL%d - iS%d", p->k, p->k);
  add_state(d, is, stray(d), "uS%d - Rs%d*iS%d + Rd%d*id%d", p->k, p->k, p->k, p->k, p->k);
  cuk_output(d, p);
}

/* A diode that charges over a resistance, and one that charges over a coil. */
static void charger(Draft *d, const Place *p)
{
  char name[NAME_SIZE];
  g_snprintf(name, sizeof name, "Rd%d", p->k);
  add_diode(d, name, "(%s - %s)/(Rd%d + %.5g)", p->a, p->b, p->k, decades(&d->dice, -2, 1));
  flows(p->from, " - id%d", p->k);
  flows(p->to, " + id%d", p->k);
}

static void rectifier(Draft *d, const Place *p)
{
  char name[NAME_SIZE];
  g_snprintf(name, sizeof name, "Rd%d", p->k);
  add_diode(d, name, "iL%d", p->k);
  add_coil(d, p->k, "%s - %s - Rd%d*id%d", p->a, p->b, p->k, p->k);
  flows(p->from, " - iL%d", p->k);
  flows(p->to, " + iL%d", p->k);
}

/* A coil that leads between two diodes, from 0 and to `to`. */
static void half_bridge(Draft *d, const Place *p)
{
  char upper[NAME_SIZE], lower[NAME_SIZE];
  g_snprintf(upper, sizeof upper, "Ru%d", p->k);
  g_snprintf(lower, sizeof lower, "Rl%d", p->k);
  add_diode(d, upper, "(Rl%d*iL%d - %s)/(Ru%d + Rl%d)", p->k, p->k, p->b, p->k, p->k);
  add_diode(d, lower, "-(Ru%d*iL%d + %s)/(Ru%d + Rl%d)", p->k, p->k, p->b, p->k, p->k);
  add_coil(d, p->k, "%s - %s - Ru%d*iu%d", p->a, p->b, p->k, p->k);
  flows(p->from, " - iL%d", p->k);
  flows(p->to, " + iu%d", p->k);
}

/* Four diodes; the coil's current comes back to 0. */
static void bridge(Draft *d, const Place *p)
{
  static const int upper[] = {'u', 'v'}, lower[] = {'l', 'm'};
  static const char *const sign[] = {"", "-"};
  for (int leg = 0; leg < 2; leg++) {
    char name[NAME_SIZE];
    const int u = upper[leg], l = lower[leg], k = p->k;
    g_snprintf(name, sizeof name, "R%c%d", u, k);
    add_diode(d, name, "(%sR%c%d*iL%d - %s)/(R%c%d + R%c%d)", sign[leg], l, k, k, p->b, u, k, l, k);
    g_snprintf(name, sizeof name, "R%c%d", l, k);
    add_diode(d, name, "-(%sR%c%d*iL%d + %s)/(R%c%d + R%c%d)", sign[leg], u, k, k, p->b, u, k, l,
              k);
  }
  add_coil(d, p->k, "%s - Ru%d*iu%d + Rv%d*iv%d", p->a, p->k, p->k, p->k, p->k);
  flows(p->from, " - iL%d", p->k);
  flows(p->to, " + iu%d + iv%d", p->k, p->k);
}

/* A switch in series with a resistance. */
static void chopper(Draft *d, const Place *p)
{
  double r = decades(&d->dice, -1, 1.5);
  add_gate(d, p->k);
  flows(p->from, " - (%s - %s)/(Rs%d + %.5g)", p->a, p->b, p->k, r);
  flows(p->to, " + (%s - %s)/(Rs%d + %.5g)", p->a, p->b, p->k, r);
}

/* A source of two values behind a coil, chosen by the error of the coil's current and a part of the
 * error of the voltage: within a band that is crossed a few times in a period, or by its sign,
 * which slides. */
static void relay(Draft *d, const Place *p)
{
  Relay *r = &d->c->relay[d->c->relays++];
  char name[NAME_SIZE];
  double i = rounded(uniform(&d->dice, 0.5, 5)), g = chance(&d->dice, 0.5) ? 0 : 0.1;
  double u = decades(&d->dice, 1, 2), l = decades(&d->dice, -3.5, -2);
  g_snprintf(name, sizeof name, "iL%d", p->k);
  g_snprintf(r->name, sizeof r->name, "h%d", p->k);
  g_snprintf(r->formula, sizeof r->formula, "%.5g - iL%d - %.5g*%s", i, p->k, g, p->b);
  r->high = u;
  r->low = -u;
  r->upper = chance(&d->dice, 0.5) ? 0 : rounded(uniform(&d->dice, 0.02, 0.2) * d->period * u / l);
  r->lower = -r->upper;
  add_state(d, name, l, "h%d - %s", p->k, p->b);
  flows(p->to, " + iL%d", p->k);
}

typedef struct {
  void (*add)(Draft *d, const Place *p);
  int states, diodes, gates, relays, often;
} Cell;

static const Cell cells[] = {
    {coil, 1, 0, 0, 0, 3},       {resistance, 0, 0, 0, 0, 1},  {buck, 1, 1, 1, 0, 3},
    {buck_stray, 2, 1, 1, 0, 4}, {boost, 1, 1, 1, 0, 3},       {boost_stray, 2, 1, 1, 0, 3},
    {cuk, 3, 1, 1, 0, 3},        {cuk_stray, 4, 1, 1, 0, 4},   {charger, 0, 1, 0, 0, 2},
    {rectifier, 1, 1, 0, 0, 3},  {half_bridge, 1, 2, 0, 0, 2}, {bridge, 1, 4, 0, 0, 1},
    {chopper, 0, 0, 1, 0, 1},    {relay, 1, 0, 0, 1, 4},
};

/* Circuits ---------------------------------------------------------------------------------------
 */

static void add_source(Draft *d)
{
  Node *n = &d->node[d->nodes++];
  double u = rounded(uniform(&d->dice, 5, 100));
  n->source = TRUE;
  g_snprintf(n->name, sizeof n->name, "%.5g", u);
  if (chance(&d->dice, 0.25)) {
    Sine *s = &d->c->sine[d->c->sines++];
    g_strlcpy(s->name, "src", sizeof s->name);
    g_strlcpy(n->name, "src", sizeof n->name);
    s->amplitude = u;
    s->frequency = rounded(decades(&d->dice, -1.5, 0) / d->period);
    s->phase = rounded(uniform(&d->dice, 0, 6));
  }
}

/* A node with a capacitor and perhaps a load. Its state is written at the end, when all its
 * currents are known. */
static void add_node(Draft *d)
{
  Node *n = &d->node[d->nodes];
  g_snprintf(n->name, sizeof n->name, "u%d", d->nodes++);
  if (chance(&d->dice, 0.7)) {
    flows(n, " - %s/%.5g", n->name, decades(&d->dice, 0, 2.3));
  }
}

static const Cell *draw_cell(Draft *d, int states_left)
{
  const Circuit *c = d->c;
  for (int tries = 0; tries < 200; tries++) {
    const Cell *cell = &cells[below(&d->dice, G_N_ELEMENTS(cells))];
    if (below(&d->dice, 4) < cell->often && cell->states <= states_left &&
        c->diodes + cell->diodes <= d->most_diodes && c->gates + cell->gates <= d->most_gates &&
        c->relays + cell->relays <= d->most_relays) {
      return cell;
    }
  }
  return NULL;
}

/* FALSE: nothing fits any more. */
static gboolean add_cell(Draft *d, int k)
{
  int last = d->nodes - 1;
  gboolean fresh = d->nodes == 1 || chance(&d->dice, 0.6);
  int left = d->most_states - d->c->states - (d->nodes - 1) - fresh;
  const Cell *cell = left >= 0 ? draw_cell(d, left) : NULL;
  if (cell == NULL) {
    return FALSE;
  }
  if (fresh) {
    add_node(d);
  }
  int to = fresh ? d->nodes - 1 : 1 + below(&d->dice, last);
  int from = chance(&d->dice, 0.5) ? 0 : below(&d->dice, d->nodes);
  from = from == to ? 0 : from;
  Place p = {.a = d->node[from].name,
             .b = d->node[to].name,
             .from = &d->node[from],
             .to = &d->node[to],
             .k = k};
  cell->add(d, &p);
  return TRUE;
}

static void add_capacitors(Draft *d)
{
  for (int k = 1; k < d->nodes; k++) {
    Node *n = &d->node[k];
    add_state(d, n->name, decades(&d->dice, -6, -3.3), "%s", n->current);
  }
}

/* The document's order decides who is first: it is drawn, too. */
static void shuffle(Draft *d)
{
  for (int k = d->c->states - 1; k > 0; k--) {
    int other = below(&d->dice, k + 1);
    State s = d->c->state[k];
    d->c->state[k] = d->c->state[other];
    d->c->state[other] = s;
  }
}

static void draft(Draft *d)
{
  Dice *dice = &d->dice;
  d->most_states = 2 + below(dice, 13);
  d->most_diodes = 1 + below(dice, 4);
  d->most_gates = below(dice, 4);
  d->most_relays = chance(dice, 0.25);
  d->on = decades(dice, -5, -1.3);
  d->off = decades(dice, 2.7, 5);
  d->period = decades(dice, -5, -3);
  add_source(d);
  for (int k = 1; k < 10 && add_cell(d, k); k++) {
  }
  add_capacitors(d);
  shuffle(d);
  d->c->stop = d->period * rounded(uniform(dice, 5, 50));
}

void circuit_random(Circuit *c, guint64 seed)
{
  Dice dice = {.state = seed * G_GUINT64_CONSTANT(0x2545f4914f6cdd1d) + 1};
  do {
    *c = (Circuit){.stop = 0};
    Draft d = {.c = c, .dice = {.state = roll(&dice)}};
    draft(&d);
  } while (c->diodes == 0 || c->states < 2 || c->gates + c->relays + c->sines == 0);
  g_snprintf(c->name, sizeof c->name, "seed%" G_GUINT64_FORMAT, seed);
}
