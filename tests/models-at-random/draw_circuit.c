/* A circuit: each node but 0 is tied to one before it by something that lets current through at
 * any voltage, so nothing is cut off; sources have a resistance, so none are in a loop. What else
 * there is lies between any two of them. */
#include "draw.h"

#include <string.h>

typedef struct {
  Scope *s;
  Element *at;
  int nodes, elements, inner, coils;
  gboolean diodes; /* exponential ones */
} Circuit;

static Element *add(Circuit *c, const char *tag, const char *a, const char *b)
{
  Element *e = element_add(c->at, element_new(tag));
  element_set(e, "name", "%c%d", g_ascii_toupper(*tag), ++c->elements);
  element_set(e, "nodes", "%s %s", a, b);
  return e;
}

static double resistance(Circuit *c)
{
  return decades(&c->s->d->dice, chance(&c->s->d->dice, 0.1) ? -4 : -0.5, 1.5);
}

/* Of a coil at 1 Ohm, of a capacitor at 1 Ohm. */
static double storage(Circuit *c)
{
  Draw *d = c->s->d;
  return rounded(d->unit * pow(10, uniform(&d->dice, -1, 1)));
}

/* A number, or what comes from outside. */
static void set_value(Circuit *c, Element *e, const char *name)
{
  Draw *d = c->s->d;
  static const char *const forms[] = {"u", "(u + 2)", "(3*sin(u))", "limit(u, -1, 2)",
                                      "5", "(-3)",    "10"};
  element_set(e, name, "%s", forms[below(&d->dice, G_N_ELEMENTS(forms))]);
}

static void put_valve(Circuit *c, const char *a, const char *b)
{
  static const char *const tags[] = {"ideal_diode", "ideal_diode", "ideal_switch", "transistor",
                                     "thyristor"};
  Draw *d = c->s->d;
  const char *tag = tags[below(&d->dice, G_N_ELEMENTS(tags))];
  Element *e = add(c, tag, a, b);
  element_set(e, "Ron", "%.4g", decades(&d->dice, -3, -1));
  element_set(e, "Roff", "%.4g", decades(&d->dice, 3, 6));
  if (strcmp(tag, "ideal_diode") != 0) {
    element_set(e, strcmp(tag, "ideal_switch") == 0 ? "control" : "gate", "%s",
                chance(&d->dice, 0.8) ? "g" : "(1 - g)");
  }
  if (strcmp(tag, "ideal_switch") != 0 && chance(&d->dice, 0.4)) {
    element_set(e, "Vf", "0.7");
  }
}

static void put_coil(Circuit *c, const char *a, const char *b)
{
  Draw *d = c->s->d;
  Element *e = add(c, "inductor", a, b);
  if (chance(&d->dice, 0.1)) {
    double l = storage(c);
    const char *name = element_get(e, "name");
    element_set(e, "flux", "(%.4g*tanh(%s.i/3) + %.4g*%s.i)", l, name, l / 10, name);
    return;
  }
  element_set(e, "L", "%.4g", storage(c));
  if (chance(&d->dice, 0.3)) {
    element_set(e, "i0", "%.4g", rounded(uniform(&d->dice, -2, 2)));
  }
}

static void put_capacitor(Circuit *c, const char *a, const char *b, gboolean free)
{
  Draw *d = c->s->d;
  Element *e = add(c, "capacitor", a, b);
  element_set(e, "C", "%.4g", storage(c));
  if (free && chance(&d->dice, 0.4)) {
    element_set(e, "v0", "%.4g", rounded(uniform(&d->dice, -5, 5)));
  }
}

/* A node of its own between two. */
static char *between(Circuit *c)
{
  return g_strdup_printf("m%d", ++c->inner);
}

/* Lets current through at any voltage, whatever else there is. */
static void put_tie(Circuit *c, const char *a, const char *b)
{
  Draw *d = c->s->d;
  double which = uniform(&d->dice, 0, 1);
  g_autofree char *m = between(c);
  if (which < 0.35) {
    element_set(add(c, "resistor", a, b), "R", "%.4g", resistance(c));
  } else if (which < 0.6) {
    Element *source = add(c, "voltage", m, b);
    set_value(c, source, "value");
    element_set(add(c, "resistor", a, m), "R", "%.4g", resistance(c));
  } else if (which < 0.68) {
    Element *source = add(c, "current", a, b);
    set_value(c, source, "value");
    element_set(add(c, "resistor", a, b), "R", "%.4g", resistance(c));
  } else if (which < 0.72 && !c->diodes) {
    c->diodes = TRUE; /* one: others would set the currents of each other */
    Element *e = add(c, "exponential_diode", a, b);
    element_set(e, "Is", "1n");
    element_set(e, "Cj", "%.4g", storage(c) / 10);
    element_set(add(c, "resistor", a, b), "R", "100");
  } else {
    put_valve(c, a, b);
  }
}

static void put_windings(Circuit *c, const char *a, const char *b)
{
  Draw *d = c->s->d;
  g_autofree char *m = between(c), *n = between(c);
  if (chance(&d->dice, 0.5)) { /* a transformer with a load */
    Element *t = add(c, "transformer", a, b);
    element_set(t, "nodes", "%s %s %s %s", a, b, m, n);
    element_set(t, "ratio", "%.4g", decades(&d->dice, -0.5, 0.7));
    element_set(add(c, "resistor", m, n), "R", "%.4g", resistance(c));
    element_set(add(c, "resistor", n, b), "R", "1k");
    return;
  }
  Element *first = add(c, "inductor", a, b), *second = add(c, "inductor", m, b);
  element_set(first, "L", "%.4g", storage(c));
  element_set(second, "L", "%.4g", storage(c));
  Element *k = add(c, "coupling", a, b);
  element_unset(k, "nodes");
  element_set(k, "inductors", "%s %s", element_get(first, "name"), element_get(second, "name"));
  element_set(k, "k", "%.4g", rounded(uniform(&d->dice, -0.99, 0.99)));
  element_set(add(c, "resistor", m, b), "R", "%.4g", resistance(c));
}

static void put_other(Circuit *c, const char *a, const char *b)
{
  Draw *d = c->s->d;
  double which = uniform(&d->dice, 0, 1);
  g_autofree char *m = between(c);
  if (which < 0.3) {
    put_coil(c, a, b);
  } else if (which < 0.45) {
    put_capacitor(c, a, b, FALSE);
  } else if (which < 0.65) {
    put_capacitor(c, a, m, TRUE);
    element_set(add(c, "resistor", m, b), "R", "%.4g", resistance(c));
  } else if (which < 0.75) {
    put_windings(c, a, b);
  } else if (which < 0.8) {
    add(c, "probe", a, b);
  } else if (which < 0.86) { /* reads a resistance, and nothing reads it back at once */
    Element *e = add(c, "current", a, b);
    element_set(e, "value", "(0.2*Rs.i + %.4g*Rs.v)", rounded(uniform(&d->dice, -0.1, 0.1)));
  } else {
    put_valve(c, a, b);
  }
}

static void draw_readings(Circuit *c, const char *name)
{
  Draw *d = c->s->d;
  static const char *const forms[] = {"n%d.v", "(n%d.v*Rs.i)", "(n%d.v - Cs.v)", "Rs.i"};
  int n = 1 + below(&d->dice, 3);
  for (int k = 1; k <= n; k++) {
    Element *out = element_add(c->at, element_new("out"));
    g_autofree char *from =
        g_strdup_printf(forms[below(&d->dice, 3)], 1 + below(&d->dice, c->nodes));
    element_set(out, "name", "y%d", k);
    element_set(out, "from", "%s", from);
    draw_readable(c->s->signals, "%s.y%d", name, k);
  }
}

void draw_circuit(Scope *s)
{
  Draw *d = s->d;
  g_autofree char *name = draw_name(d), *u = draw_formula(s, 2);
  Circuit c = {.s = s, .nodes = 2 + below(&d->dice, 3)};
  double period = rounded(d->unit / (1 + below(&d->dice, 4)));
  c.at = element_add(s->at, element_new("circuit"));
  element_set(c.at, "name", "%s", name);
  element_set(c.at, "u", "%s", u);
  element_set(c.at, "g", "%sg", name);
  Element *gate = element_add(s->at, element_new("pwm"));
  g_autofree char *duty = draw_duty(s);
  element_set(gate, "name", "%sg", name);
  element_set(gate, "period", "%.4g", period);
  element_set(gate, "duty", "%s", duty);
  element_set(element_add(c.at, element_new("in")), "name", "u");
  element_set(element_add(c.at, element_new("in")), "name", "g");
  for (int k = 1; k <= c.nodes; k++) {
    g_autofree char *a = g_strdup_printf("n%d", k);
    g_autofree char *b = below(&d->dice, k) == 0
                             ? g_strdup("0")
                             : g_strdup_printf("n%d", 1 + below(&d->dice, k - 1 > 0 ? k - 1 : 1));
    put_tie(&c, a, strcmp(a, b) == 0 ? "0" : b);
  }
  for (int k = 1 + below(&d->dice, 5); k > 0; k--) {
    int i = 1 + below(&d->dice, c.nodes), j = below(&d->dice, i);
    g_autofree char *a = g_strdup_printf("n%d", i);
    g_autofree char *b = j == 0 ? g_strdup("0") : g_strdup_printf("n%d", j);
    put_other(&c, a, b);
  }
  Element *r = add(&c, "resistor", "n1", "ns");
  element_set(r, "name", "Rs");
  element_set(r, "R", "%.4g", resistance(&c));
  Element *s1 = add(&c, "capacitor", "ns", "0");
  element_set(s1, "name", "Cs");
  element_set(s1, "C", "%.4g", storage(&c));
  draw_readings(&c, name);
}
