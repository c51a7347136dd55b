/* The circuit of a seed, and its model. Whatever comes of it: parts without a way to the reference,
 * loops of capacitors and sources, coils that alone meet at a node, and some that cannot be. */
#include "netlist.h"
#include "dice.h"

#include <math.h>
#include <string.h>

typedef struct {
  Netlist *net;
  Dice dice;
} Draw;

/* Elements ------------------------------------------------------------------------------------- */

static NetElement *add(Draw *d, NetKind kind, int a, int b)
{
  static const char *const letter[] = {"R", "C", "L", "U", "I", "S", "D", "T", "K"};
  Netlist *net = d->net;
  NetElement *e = &net->e[net->n];
  *e = (NetElement){.kind = kind,
                    .a = a,
                    .b = b,
                    .with = -1,
                    .sine = -1,
                    .gate = -1,
                    .diode = -1,
                    .state = -1,
                    .of = -1};
  g_snprintf(e->name, sizeof e->name, "%s%d", letter[kind], ++net->n);
  return e;
}

static void add_gate(Draw *d, NetElement *e)
{
  Circuit *c = &d->net->c;
  e->gate = c->gates;
  g_strlcpy(c->gate[c->gates++].control, c->pwm[below(&d->dice, c->pwms)].name, NAME_SIZE);
}

static void set_source(Draw *d, NetElement *e, double most)
{
  Circuit *c = &d->net->c;
  e->value = rounded(uniform(&d->dice, -most, most));
  if (chance(&d->dice, 0.4) && c->sines < 4) {
    Sine *s = &c->sine[c->sines];
    e->sine = c->sines;
    g_snprintf(s->name, sizeof s->name, "s%d", c->sines++);
    s->amplitude = rounded(most);
    s->frequency = decades(&d->dice, 2.5, 3.5);
    s->phase = rounded(uniform(&d->dice, -3, 3));
  }
}

static void set_valve(Draw *d, NetElement *e)
{
  Circuit *c = &d->net->c;
  e->ron = decades(&d->dice, -3, -1);
  e->value = decades(&d->dice, 4, 6);
  e->vf = e->kind != NET_SWITCH && chance(&d->dice, 0.5) ? 0.7 : 0;
  if (e->kind != NET_SWITCH) {
    e->diode = c->diodes++;
  }
  if (e->kind != NET_DIODE) {
    add_gate(d, e);
  }
}

static void set_element(Draw *d, NetElement *e)
{
  switch (e->kind) {
  case NET_RESISTOR:
    e->value = decades(&d->dice, -1, 2.5);
    break;
  case NET_CAPACITOR:
    e->value = decades(&d->dice, -7, -4);
    break;
  case NET_COIL:
    e->value = decades(&d->dice, -5, -2);
    break;
  case NET_VOLTAGE:
    set_source(d, e, 40);
    break;
  case NET_CURRENT:
    set_source(d, e, 2);
    break;
  default:
    set_valve(d, e);
    break;
  }
}

static void add_any(Draw *d)
{
  static const NetKind kinds[] = {NET_RESISTOR,  NET_RESISTOR,  NET_RESISTOR, NET_RESISTOR,
                                  NET_CAPACITOR, NET_CAPACITOR, NET_COIL,     NET_COIL,
                                  NET_VOLTAGE,   NET_VOLTAGE,   NET_CURRENT,  NET_SWITCH,
                                  NET_DIODE,     NET_DIODE,     NET_THYRISTOR};
  const Circuit *c = &d->net->c;
  int n = d->net->nodes, a = below(&d->dice, n), b = (a + 1 + below(&d->dice, n - 1)) % n;
  NetKind kind = kinds[below(&d->dice, (int)G_N_ELEMENTS(kinds))];
  gboolean full = c->gates == MOST_PARTS || c->diodes == MOST_PARTS;
  set_element(d, add(d, full && kind > NET_CURRENT ? NET_RESISTOR : kind, a, b));
}

/* A resistance before each winding and one across it, so that it is in no loop or cut. */
static void add_transformer(Draw *d)
{
  Netlist *net = d->net;
  int n = net->nodes, first = net->nodes++, second = net->nodes++;
  add(d, NET_RESISTOR, below(&d->dice, n), first)->value = decades(&d->dice, -1, 1);
  add(d, NET_RESISTOR, below(&d->dice, n), second)->value = decades(&d->dice, -1, 1);
  int minus = below(&d->dice, n), other = below(&d->dice, n);
  add(d, NET_RESISTOR, first, minus)->value = decades(&d->dice, 1, 3);
  add(d, NET_RESISTOR, second, other)->value = decades(&d->dice, 1, 3);
  add(d, NET_WINDING, first, minus)->value = decades(&d->dice, -0.5, 0.5);
  add(d, NET_WINDING, second, other);
}

static void couple(Draw *d)
{
  Netlist *net = d->net;
  int first = -1;
  for (int k = 0; k < net->n; k++) {
    if (net->e[k].kind == NET_COIL && first >= 0) {
      net->e[k].with = first;
      net->e[k].k = rounded(uniform(&d->dice, 0.3, 0.95));
      return;
    }
    first = net->e[k].kind == NET_COIL ? k : first;
  }
}

/* Beside diodes in a part of its own, which nothing reads, so that one set of them fits; else
 * anywhere. */
static void add_controlled(Draw *d)
{
  Netlist *net = d->net;
  int of = below(&d->dice, net->n);
  NetKind kind = chance(&d->dice, 0.5) ? NET_VOLTAGE : NET_CURRENT;
  if (net->e[of].kind == NET_WINDING) {
    return;
  }
  int n = net->nodes, a = below(&d->dice, n), b = (a + 1 + below(&d->dice, n - 1)) % n;
  if (net->c.diodes > 0) {
    a = net->nodes++, b = 0;
    add(d, NET_RESISTOR, a, 0)->value = decades(&d->dice, 0, 2);
    set_element(d, add(d, NET_COIL, a, 0));
  }
  NetElement *e = add(d, kind, a, b);
  gboolean itself = chance(&d->dice, 0.2); /* which leaves it open */
  e->of = itself ? net->n - 1 : of;
  e->of_current = itself ? kind == NET_CURRENT : chance(&d->dice, 0.5);
  e->factor = itself ? 1 : rounded(uniform(&d->dice, -2, 2));
}

/* Some resistances, coils and capacitors that nobody names. */
static void put_inside(Draw *d)
{
  Netlist *net = d->net;
  for (int k = 0; k < net->n; k++) {
    NetElement *e = &net->e[k];
    gboolean named = e->with >= 0 || e->kind > NET_COIL;
    for (int i = 0; i < net->n; i++) {
      named |= net->e[i].with == k || net->e[i].of == k;
    }
    e->inside = !named && chance(&d->dice, 0.4);
  }
}

static void add_pwms(Draw *d, double stop)
{
  Circuit *c = &d->net->c;
  for (c->pwms = 0; c->pwms < 2; c->pwms++) {
    Pwm *g = &c->pwm[c->pwms];
    g_snprintf(g->name, sizeof g->name, "g%d", c->pwms);
    g->period = rounded(stop * uniform(&d->dice, 0.05, 0.3));
    g->duty = rounded(uniform(&d->dice, 0.2, 0.8));
    g->phase = rounded(g->period * uniform(&d->dice, 0, 0.9));
  }
}

static void number_states(Netlist *net)
{
  Circuit *c = &net->c;
  for (int k = 0; k < net->n; k++) {
    NetElement *e = &net->e[k];
    if (e->kind == NET_CAPACITOR || e->kind == NET_COIL) {
      e->state = c->states;
      g_snprintf(c->state[c->states].name, NAME_SIZE, "%s%s.%c", e->inside ? "h/" : "", e->name,
                 e->kind == NET_COIL ? 'i' : 'v');
      c->states++;
    }
  }
}

void netlist_random(Netlist *net, guint64 seed)
{
  memset(net, 0, sizeof *net);
  Draw d = {net, {seed * 1000003}};
  net->c.net = net;
  net->c.stop = 1e-3;
  g_snprintf(net->c.name, sizeof net->c.name, "net%" G_GUINT64_FORMAT, seed);
  add_pwms(&d, net->c.stop);
  net->nodes = 3 + below(&d.dice, 5);
  for (int n = net->nodes + 1 + below(&d.dice, 7); n > 0; n--) {
    add_any(&d);
  }
  if (chance(&d.dice, 0.25)) {
    couple(&d);
  }
  if (chance(&d.dice, 0.25)) {
    add_transformer(&d);
  }
  if (chance(&d.dice, 0.5)) {
    add_controlled(&d);
  }
  if (chance(&d.dice, 0.3)) {
    put_inside(&d);
  }
  number_states(net);
}

/* Writing -------------------------------------------------------------------------------------- */

/* Inside, node 3 is the port p3, joined to n3. */
static void write_node(GString *out, const NetElement *e, int node)
{
  if (node == 0) {
    g_string_append(out, " 0");
  } else {
    g_string_append_printf(out, " %c%d", e->inside ? 'p' : 'n', node);
  }
}

static void write_value(GString *out, const Netlist *net, const NetElement *e)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  if (e->sine >= 0) {
    g_string_append_printf(out, " value=\"u%d", e->sine);
  } else {
    g_string_append_printf(out, " value=\"%s", g_ascii_dtostr(number, sizeof number, e->value));
  }
  if (e->of >= 0) {
    g_string_append_printf(out, " + (%s)*%s.%c", g_ascii_dtostr(number, sizeof number, e->factor),
                           net->e[e->of].name, e->of_current ? 'i' : 'v');
  }
  g_string_append_c(out, '"');
}

static void write_element(GString *out, const Netlist *net, const NetElement *e)
{
  static const char *const tag[] = {"resistor",    "capacitor", "inductor",
                                    "voltage",     "current",   "ideal_switch",
                                    "ideal_diode", "thyristor", "transformer"};
  g_string_append_printf(out, "<%s name=\"%s\" nodes=\"", tag[e->kind], e->name);
  write_node(out, e, e->a);
  write_node(out, e, e->b);
  if (e->kind == NET_WINDING) {
    write_node(out, e, e[1].a);
    write_node(out, e, e[1].b);
  }
  g_string_append_c(out, '"');
  if (e->kind <= NET_COIL) {
    circuit_write_number(out,
                         e->kind == NET_RESISTOR ? "R"
                         : e->kind == NET_COIL   ? "L"
                                                 : "C",
                         e->value);
  } else if (e->kind <= NET_CURRENT) {
    write_value(out, net, e);
  } else if (e->kind == NET_WINDING) {
    circuit_write_number(out, "ratio", e->value);
  } else {
    circuit_write_number(out, "Ron", e->ron);
    circuit_write_number(out, "Roff", e->value);
    if (e->vf > 0) {
      circuit_write_number(out, "Vf", e->vf);
    }
    if (e->gate >= 0) {
      g_string_append_printf(out, " %s=\"q%s\"", e->kind == NET_SWITCH ? "control" : "gate",
                             net->c.gate[e->gate].control);
    }
  }
  g_string_append(out, "/>\n");
}

static void write_inside(GString *out, const Netlist *net)
{
  gboolean used[MOST_NODES] = {FALSE}, any = FALSE;
  for (int k = 0; k < net->n; k++) {
    if (net->e[k].inside) {
      any = used[net->e[k].a] = used[net->e[k].b] = TRUE;
    }
  }
  if (!any) {
    return;
  }
  g_string_append(out, "<circuit name=\"h\"");
  for (int k = 1; k < net->nodes; k++) {
    if (used[k]) {
      g_string_append_printf(out, " p%d=\"n%d\"", k, k);
    }
  }
  g_string_append(out, ">\n");
  for (int k = 1; k < net->nodes; k++) {
    if (used[k]) {
      g_string_append_printf(out, "<node name=\"p%d\"/>", k);
    }
  }
  for (int k = 0; k < net->n; k++) {
    if (net->e[k].inside) {
      write_element(out, net, &net->e[k]);
    }
  }
  g_string_append(out, "</circuit>\n");
}

static void write_circuit(GString *out, const Netlist *net)
{
  const Circuit *c = &net->c;
  g_string_append(out, "<circuit name=\"c\"");
  for (int k = 0; k < c->sines; k++) {
    g_string_append_printf(out, " u%d=\"s%d\"", k, k);
  }
  for (int k = 0; k < c->pwms; k++) {
    g_string_append_printf(out, " qg%d=\"g%d\"", k, k);
  }
  g_string_append(out, ">\n");
  for (int k = 0; k < c->sines + c->pwms; k++) {
    gboolean sine = k < c->sines;
    g_string_append_printf(out, "<in name=\"%s%d\"/>", sine ? "u" : "qg", sine ? k : k - c->sines);
  }
  for (int k = 0; k < net->n; k++) {
    const NetElement *e = &net->e[k];
    if (!e->inside) {
      write_element(out, net, e);
    }
    if (e->with >= 0) {
      g_string_append_printf(out, "<coupling name=\"M%d\" inductors=\"%s %s\"", k,
                             net->e[e->with].name, e->name);
      circuit_write_number(out, "k", e->k);
      g_string_append(out, "/>\n");
    }
    k += e->kind == NET_WINDING;
  }
  write_inside(out, net);
  g_string_append(out, "</circuit>\n");
}

char *netlist_xml(const Netlist *net)
{
  const Circuit *c = &net->c;
  GString *out = g_string_new(NULL);
  g_string_append_printf(out, "<hydevs xmlns=\"urn:hydevs:1\" name=\"%s\" needs=\"1.2\">\n",
                         c->name);
  circuit_write_sources(out, c);
  write_circuit(out, net);
  g_string_append(out, "<experiment");
  circuit_write_number(out, "stop", c->stop);
  circuit_write_number(out, "grid", c->stop / 128);
  g_string_append(out, " record=\"");
  for (int k = 0; k < c->states; k++) {
    g_string_append_printf(out, "%sc/%s", k > 0 ? " " : "", c->state[k].name);
  }
  g_string_append(out, "\"/>\n</hydevs>\n");
  return g_string_free(out, FALSE);
}
