/* The converter of a seed: a network that may occur, with parts that may be bad (leads, leakage,
 * windings, snubbers, filters), and one of the ways in which its switches are driven. */
#include "dice.h"
#include "loop.h"

#include <math.h>
#include <string.h>

typedef struct {
  Loop *l;
  Dice dice;
  double T, duty, vin, vout, load; /* as they are meant to be; load: the current of the output */
  double ron, roff;                /* of most that switches */
  double vf;
  int coil, output, loaded; /* what controllers measure: elements; loaded: the load itself */
  int sign;                 /* of the output's voltage */
  gboolean current_jumps;   /* of `coil`: where the switch opens */
  int legs, leg_coil[3];    /* of an inverter; of an interleaved converter legs alone */
} Draw;

static double draw(Draw *d, double least, double most)
{
  return rounded(uniform(&d->dice, least, most));
}

static gboolean may(Draw *d, double p)
{
  return chance(&d->dice, p);
}

/* Networks ---------------------------------------------------------------------------------------
 */

static int node(Draw *d)
{
  return d->l->nodes++;
}

static int add(Draw *d, LoopKind kind, int a, int b, double value)
{
  static const char letter[] = "RCLVISDQX";
  Loop *l = d->l;
  int k = l->elements++;
  LoopElement *e = &l->element[k];
  *e = (LoopElement){.kind = kind, .a = a, .b = b, .value = value, .gate = -1, .signal = -1};
  e->state = kind == LOOP_CAPACITOR || kind == LOOP_COIL ? l->states++ : -1;
  e->diode = kind == LOOP_DIODE || kind == LOOP_TRANSISTOR ? l->diodes++ : -1;
  g_snprintf(e->name, sizeof e->name, "%c%d", letter[kind], l->elements);
  return k;
}

static int add_state(Draw *d, LoopKind kind, int a, int b, double value, double x0)
{
  int k = add(d, kind, a, b, value);
  d->l->element[k].x0 = rounded(x0);
  return k;
}

/* With a resistance before it: of a winding, of leads. */
static int add_coil(Draw *d, int a, int b, double value, double i0, double p)
{
  if (!may(d, p)) {
    return add_state(d, LOOP_COIL, a, b, value, i0);
  }
  int m = node(d);
  add(d, LOOP_RESISTOR, a, m, decades(&d->dice, -3, -0.7));
  return add_state(d, LOOP_COIL, m, b, value, i0);
}

/* A capacitor with the resistance, and at times the inductance, of its leads. */
static int add_capacitor(Draw *d, int a, int b, double value, double v0)
{
  int m = node(d), n = m;
  add(d, LOOP_RESISTOR, a, m, decades(&d->dice, -3, -1.3));
  if (may(d, 0.25)) {
    n = node(d);
    add_state(d, LOOP_COIL, m, n, decades(&d->dice, -9, -7.5), 0);
    add(d, LOOP_RESISTOR, m, n, decades(&d->dice, 0, 2)); /* else coils alone might meet */
  }
  return add_state(d, LOOP_CAPACITOR, n, b, value, v0);
}

static void set_valve(Draw *d, LoopElement *e)
{
  e->ron = may(d, 0.7) ? d->ron : decades(&d->dice, -6, -1.3);
  e->roff = may(d, 0.7) ? d->roff : decades(&d->dice, 4, 9);
  e->rd = may(d, 0.5) ? e->ron : decades(&d->dice, -5, -1.3);
  e->vf = e->kind != LOOP_SWITCH && may(d, 0.5) ? d->vf : 0;
}

static void add_switch(Draw *d, int a, int b, int slot)
{
  LoopElement *e = &d->l->element[add(d, LOOP_SWITCH, a, b, 0)];
  set_valve(d, e);
  e->gate = slot;
}

static void add_diode(Draw *d, int a, int b)
{
  set_valve(d, &d->l->element[add(d, LOOP_DIODE, a, b, 0)]);
}

static void add_transistor(Draw *d, int a, int b, int slot)
{
  LoopElement *e = &d->l->element[add(d, LOOP_TRANSISTOR, a, b, 0)];
  set_valve(d, e);
  e->gate = slot;
}

static void add_snubber(Draw *d, int a, int b, double p)
{
  if (may(d, p)) {
    int m = node(d);
    add(d, LOOP_RESISTOR, a, m, decades(&d->dice, 0.7, 2.3));
    add_state(d, LOOP_CAPACITOR, m, b, decades(&d->dice, -10, -8.3), 0);
  }
}

/* Leads between A and the node that is returned, or A itself. */
static int stray(Draw *d, int a, double p)
{
  if (!may(d, p)) {
    return a;
  }
  int b = node(d);
  add_state(d, LOOP_COIL, a, b, decades(&d->dice, -8.5, -7), 0);
  add(d, LOOP_RESISTOR, a, b, decades(&d->dice, 1, 2.5));
  return b;
}

/* The source with what lies before the converter: nothing, a resistance, or a filter. */
static int add_input(Draw *d, double volts)
{
  int in = node(d), out = in;
  add(d, LOOP_VOLTAGE, in, 0, volts);
  if (may(d, 0.35)) {
    int m = node(d);
    out = node(d);
    add_state(d, LOOP_COIL, in, m, decades(&d->dice, -8, -5), 0);
    add(d, LOOP_RESISTOR, m, out, decades(&d->dice, -3, -0.5));
    add_capacitor(d, out, 0, decades(&d->dice, -6, -4), volts);
  } else if (may(d, 0.3)) {
    out = node(d);
    add(d, LOOP_RESISTOR, in, out, decades(&d->dice, -3, -1));
  }
  return out;
}

/* Capacitor and load between A and B: what an output voltage of V wants, and at times a step of the
 * load. */
static void add_output(Draw *d, int a, int b)
{
  double v0 = d->sign * d->vout * draw(d, 0.6, 1.1);
  double c = d->load * d->T / (d->vout * decades(&d->dice, -2, -0.5));
  d->output = add_capacitor(d, a, b, rounded(c), v0);
  d->loaded = add(d, LOOP_RESISTOR, a, b, rounded(d->vout / d->load));
  if (may(d, 0.3)) {
    Loop *l = d->l;
    l->signal[l->signals] =
        (LoopSignal){.kind = SIGNAL_STEP,
                     .to = rounded(d->sign * d->load * uniform(&d->dice, 0.1, 0.5)),
                     .at = l->stop * draw(d, 0.2, 0.8)};
    l->element[add(d, LOOP_CURRENT, a, b, 0)].signal = l->signals++;
  }
}

/* The coil in which CURRENT has a ripple, in parts of itself, while VOLTS are across it for SHARE
 * of a period. */
static double coil_for(Draw *d, double volts, double share, double current)
{
  return rounded(volts * share * d->T / (current * decades(&d->dice, -0.9, 0.4)));
}

static void add_low(Draw *d, int a, int x, gboolean synchronous)
{
  if (synchronous) {
    add_transistor(d, x, a, 1);
  } else {
    add_diode(d, a, x);
  }
}

static void make_buck(Draw *d)
{
  gboolean sync = may(d, 0.4);
  int in = add_input(d, d->vin), x = node(d), out = node(d);
  d->vout = d->vin * d->duty;
  in = stray(d, in, 0.25);
  d->coil = add_coil(d, x, out, coil_for(d, d->vout, 1 - d->duty, d->load), d->load, 0.6);
  add_output(d, out, 0);
  add_snubber(d, x, 0, 0.35);
  if (sync) {
    add_transistor(d, in, x, 0);
  } else {
    add_switch(d, in, x, 0);
  }
  add_low(d, 0, x, sync);
  d->l->family = sync ? "synchronous buck" : "buck";
}

static void make_boost(Draw *d)
{
  gboolean sync = may(d, 0.3);
  int in = add_input(d, d->vin), x = node(d), out = node(d);
  d->vout = d->vin / (1 - d->duty);
  d->coil = add_coil(d, in, x, coil_for(d, d->vin, d->duty, d->load / (1 - d->duty)),
                     d->load / (1 - d->duty), 0.6);
  add_output(d, out, 0);
  add_snubber(d, x, 0, 0.35);
  int end = stray(d, out, 0.25);
  if (sync) {
    add_transistor(d, x, 0, 0);
    add_transistor(d, end, x, 1);
  } else {
    add_switch(d, x, 0, 0);
    add_diode(d, x, end);
  }
  d->l->family = sync ? "synchronous boost" : "boost";
}

/* A bridge of diodes between a sine and a boost converter. */
static void make_rectifier(Draw *d)
{
  Loop *l = d->l;
  int ac = node(d), a = node(d), b = node(d), in = node(d), x = node(d), out = node(d);
  l->signal[l->signals] = (LoopSignal){.kind = SIGNAL_SINE,
                                       .amplitude = d->vin,
                                       .frequency = rounded(uniform(&d->dice, 0.8, 2.5) / l->stop),
                                       .phase = draw(d, 0.2, 3)};
  l->element[add(d, LOOP_VOLTAGE, ac, b, 0)].signal = l->signals++;
  add(d, LOOP_RESISTOR, ac, a, decades(&d->dice, -3, -1));
  add_diode(d, a, in), add_diode(d, b, in);
  add_diode(d, 0, a), add_diode(d, 0, b);
  add_snubber(d, in, 0, 0.5);
  d->vout = d->vin / (1 - d->duty);
  d->coil = add_coil(d, in, x, coil_for(d, d->vin, d->duty, d->load), d->load, 0.6);
  add_output(d, out, 0);
  add_snubber(d, x, 0, 0.3);
  add_switch(d, x, 0, 0);
  add_diode(d, x, out);
  l->family = "rectifier, boost";
}

static void make_buck_boost(Draw *d)
{
  int in = add_input(d, d->vin), x = node(d), out = node(d);
  d->vout = d->vin * d->duty / (1 - d->duty);
  d->sign = -1;
  d->coil = add_coil(d, x, 0, coil_for(d, d->vin, d->duty, d->load / (1 - d->duty)),
                     d->load / (1 - d->duty), 0.6);
  add_output(d, out, 0);
  add_snubber(d, x, 0, 0.35);
  add_switch(d, stray(d, in, 0.2), x, 0);
  add_diode(d, out, x);
  d->l->family = "buck-boost";
}

static void make_cuk(Draw *d)
{
  int in = add_input(d, d->vin), x = node(d), y = node(d), out = node(d);
  double i1 = d->load * d->duty / (1 - d->duty);
  d->vout = d->vin * d->duty / (1 - d->duty);
  d->sign = -1;
  d->coil = add_coil(d, in, x, coil_for(d, d->vin, d->duty, i1), i1, 0.6);
  add_capacitor(d, x, y, rounded(d->load * d->T / (d->vin * decades(&d->dice, -1.5, -0.5))),
                d->vin + d->vout);
  int second = add_coil(d, out, y, coil_for(d, d->vin, d->duty, d->load), d->load, 0.6);
  if (may(d, 0.3)) {
    d->l->coupling[d->l->couplings++] = (LoopCoupling){d->coil, second, draw(d, 0.2, 0.9)};
  }
  add_output(d, out, 0);
  add_snubber(d, x, 0, 0.3);
  add_switch(d, x, 0, 0);
  add_diode(d, y, 0);
  d->l->family = "Cuk";
}

static void make_sepic(Draw *d)
{
  int in = add_input(d, d->vin), x = node(d), y = node(d), out = node(d);
  double i1 = d->load * d->duty / (1 - d->duty);
  d->vout = d->vin * d->duty / (1 - d->duty);
  d->coil = add_coil(d, in, x, coil_for(d, d->vin, d->duty, i1), i1, 0.6);
  add_capacitor(d, x, y, rounded(d->load * d->T / (d->vin * decades(&d->dice, -1.5, -0.5))),
                d->vin);
  int second = add_coil(d, y, 0, coil_for(d, d->vin, d->duty, d->load), -d->load, 0.6);
  if (may(d, 0.3)) {
    d->l->coupling[d->l->couplings++] = (LoopCoupling){d->coil, second, draw(d, 0.2, 0.9)};
  }
  add_output(d, out, 0);
  add_snubber(d, x, 0, 0.3);
  add_switch(d, x, 0, 0);
  add_diode(d, y, out);
  d->l->family = "SEPIC";
}

/* One output that is controlled and up to two more; what the leakage holds goes into a clamp or a
 * snubber. */
static void make_flyback(Draw *d)
{
  int in = add_input(d, d->vin), x = node(d), coil[4],
      outputs = 1 + (may(d, 0.4) ? 1 + may(d, 0.4) : 0);
  double k = rounded(1 - decades(&d->dice, -3.3, -1.5));
  d->vout = draw(d, 3, 30);
  double i1 = d->load * d->vout / d->vin / d->duty * outputs;
  double lm = coil_for(d, d->vin, d->duty, i1);
  coil[0] = d->coil = add_coil(d, in, x, lm, 0, 0.6);
  for (int j = 1; j <= outputs; j++) {
    int s = node(d), out = node(d), controlled = d->output, loaded = d->loaded;
    double ratio =
        d->vout / d->vin * (1 - d->duty) / d->duty * (j > 1 ? uniform(&d->dice, 0.5, 3) : 1);
    coil[j] = add_state(d, LOOP_COIL, 0, s, rounded(lm * ratio * ratio), 0);
    add_diode(d, s, out);
    add_output(d, out, 0);
    d->output = j > 1 ? controlled : d->output;
    d->loaded = j > 1 ? loaded : d->loaded;
    for (int i = 0; i < j; i++) {
      d->l->coupling[d->l->couplings++] =
          (LoopCoupling){coil[i], coil[j], i == 0 ? k : rounded(k * k)};
    }
  }
  add_snubber(d, x, 0, 1);
  if (may(d, 0.4)) {
    int clamp = node(d);
    add_diode(d, x, clamp);
    add_state(d, LOOP_CAPACITOR, clamp, in, decades(&d->dice, -8, -6.5), d->vin);
    add(d, LOOP_RESISTOR, clamp, in, decades(&d->dice, 2.5, 4));
  }
  add_switch(d, x, 0, 0);
  d->current_jumps = TRUE;
  d->l->family = "flyback";
}

static int add_transformer(Draw *d, int a, int b, int c, int e, double ratio)
{
  int k = add(d, LOOP_TRANSFORMER, a, b, ratio);
  d->l->element[k].c = c;
  d->l->element[k].d = e;
  return k;
}

static void make_forward(Draw *d)
{
  int in = add_input(d, d->vin), x = node(d), s = node(d), back = node(d), back2 = node(d);
  int f = node(d), out = node(d), lead = node(d);
  d->duty = draw(d, 0.2, 0.42);
  double ratio = draw(d, 0.5, 4);
  d->vout = d->vin / ratio * d->duty;
  add_state(d, LOOP_COIL, in, x,
            rounded(d->vin * d->duty * d->T / (d->load / ratio * draw(d, 0.05, 0.5))), 0);
  add_transformer(d, in, x, s, 0, ratio);
  add_transformer(d, in, x, 0, back, 1);
  add_diode(d, back2, in);
  add(d, LOOP_RESISTOR, back, back2, decades(&d->dice, -3, -1));
  add_diode(d, 0, f);
  add_state(d, LOOP_COIL, s, lead, decades(&d->dice, -8, -6.5), 0);
  add_diode(d, lead, f);
  d->coil = add_coil(d, f, out, coil_for(d, d->vout, 1 - d->duty, d->load), d->load, 0.4);
  add_output(d, out, 0);
  add_snubber(d, x, 0, 1);
  add_switch(d, x, 0, 0);
  d->l->family = "forward";
}

static void make_interleaved(Draw *d)
{
  int n = 2 + may(d, 0.3), in = add_input(d, d->vin), out = node(d);
  gboolean boost = may(d, 0.5);
  d->vout = boost ? d->vin / (1 - d->duty) : d->vin * d->duty;
  double each = d->load / n / (boost ? 1 - d->duty : 1);
  double lm = coil_for(d, boost ? d->vin : d->vout, boost ? d->duty : 1 - d->duty, each);
  for (int j = 0; j < n; j++) {
    int x = node(d), first = d->coil;
    d->coil = add_coil(d, boost ? in : x, boost ? x : out, lm, each, 1);
    add_switch(d, boost ? x : in, boost ? 0 : x, j);
    add_diode(d, boost ? x : 0, boost ? out : x);
    if (j == 1 && may(d, 0.3)) {
      d->l->coupling[d->l->couplings++] =
          (LoopCoupling){first, d->coil, rounded(-uniform(&d->dice, 0.1, 0.8))};
    }
  }
  add_output(d, out, 0);
  d->legs = n;
  d->l->family = boost ? "interleaved boost" : "interleaved buck";
}

/* Two legs whose gates are a part of half a period apart, a transformer with its leakage, a bridge.
 */
static void make_shifted_bridge(Draw *d)
{
  int p = add_input(d, d->vin), a = node(d), b = node(d), c = node(d);
  int s = node(d), t = node(d), x = node(d), out = node(d);
  double ratio = draw(d, 0.5, 8);
  d->vout = d->vin / ratio * d->duty;
  for (int leg = 0; leg < 2; leg++) {
    add_transistor(d, p, leg == 0 ? a : b, 2 * leg);
    add_transistor(d, leg == 0 ? a : b, 0, 2 * leg + 1);
  }
  add_state(d, LOOP_COIL, a, c,
            rounded(d->vin * d->T * ratio / d->load * decades(&d->dice, -3, -1.5)), 0);
  add_state(d, LOOP_COIL, c, b, rounded(d->vin * d->T * ratio / d->load * uniform(&d->dice, 1, 10)),
            0);
  add_snubber(d, c, b, 1);
  add_transformer(d, c, b, s, t, ratio);
  add_diode(d, s, x), add_diode(d, t, x);
  add_diode(d, 0, s), add_diode(d, 0, t);
  d->coil = add_coil(d, x, out, coil_for(d, d->vout, 1 - d->duty, d->load), d->load, 0.4);
  add_output(d, out, 0);
  d->l->family = "phase-shifted bridge";
}

/* Inverters: gates 0, 1, .. are the upper and lower ones of legs.
 * ------------------------------------ */

static void add_leg(Draw *d, int p, int n, int a, int upper)
{
  add_transistor(d, p, a, upper);
  add_transistor(d, a, n, upper + 1);
  add_snubber(d, a, n, 0.2);
}

/* A coil and a resistance from A to B, sized for a part of a period. */
static void add_ac_load(Draw *d, int a, int b)
{
  int y = node(d);
  double r = rounded(d->vin / 2 / d->load);
  d->coil = add_state(d, LOOP_COIL, a, y, coil_for(d, d->vin / 2, 0.5, d->load), 0);
  if (may(d, 0.4)) {
    add_capacitor(d, y, b, rounded(d->T * uniform(&d->dice, 0.5, 5) / r), 0);
  }
  add(d, LOOP_RESISTOR, y, b, r);
}

static void make_half_bridge(Draw *d)
{
  int p = add_input(d, d->vin), m = node(d), a = node(d);
  double c = rounded(d->load * d->T / (d->vin * decades(&d->dice, -2, -1)));
  add_capacitor(d, p, m, c, d->vin / 2);
  add_capacitor(d, m, 0, c, d->vin / 2);
  add_leg(d, p, 0, a, 0);
  add_ac_load(d, a, m);
  d->l->family = "half bridge";
}

static void make_full_bridge(Draw *d)
{
  int p = add_input(d, d->vin), a = node(d), b = node(d);
  add_leg(d, p, 0, a, 0);
  add_transistor(d, p, b, 1);
  add_transistor(d, b, 0, 0);
  add_ac_load(d, a, b);
  d->l->family = "full bridge";
}

static void make_three_phase(Draw *d)
{
  int p = node(d), m = node(d), star = may(d, 0.5) ? m : node(d), n = node(d);
  add(d, LOOP_VOLTAGE, p, 0, d->vin / 2);
  add(d, LOOP_VOLTAGE, 0, n, d->vin / 2);
  add(d, LOOP_RESISTOR, m, 0, decades(&d->dice, -3, -1));
  if (star != m) {
    add(d, LOOP_RESISTOR, star, m, decades(&d->dice, 2, 5));
  }
  for (int j = 0; j < 3; j++) {
    int a = node(d);
    add_leg(d, p, n, a, 2 * j);
    add_ac_load(d, a, star);
    d->leg_coil[j] = d->coil;
  }
  d->l->family = "three phases";
}

/* Gates 0 and 1 are those of the upper carrier, 2 and 3 of the lower one: an upper transistor and
 * the inner one of the other side are never on together. */
static void make_three_level(Draw *d)
{
  int p = node(d), n = node(d), a = node(d);
  gboolean npc = may(d, 0.5);
  add(d, LOOP_VOLTAGE, p, 0, d->vin / 2);
  add(d, LOOP_VOLTAGE, 0, n, d->vin / 2);
  int pp = node(d), nn = node(d), u = node(d), v = node(d);
  add(d, LOOP_RESISTOR, p, pp, decades(&d->dice, -3, -1));
  add(d, LOOP_RESISTOR, nn, n, decades(&d->dice, -3, -1));
  if (npc) {
    add_transistor(d, pp, u, 0), add_transistor(d, u, a, 2);
    add_transistor(d, a, v, 1), add_transistor(d, v, nn, 3);
    add_diode(d, 0, u), add_diode(d, v, 0);
  } else {
    add(d, LOOP_RESISTOR, v, 0, decades(&d->dice, -3, -1));
    add_transistor(d, pp, a, 0), add_transistor(d, a, nn, 3);
    add_transistor(d, u, v, 1), add_transistor(d, u, a, 2);
  }
  add_ac_load(d, a, 0);
  d->l->family = npc ? "NPC leg" : "T-type leg";
}

static void make_llc(Draw *d)
{
  int p = add_input(d, d->vin), a = node(d), b = node(d), c = node(d), s = node(d), out = node(d);
  double ratio = draw(d, 2, 10), fr = uniform(&d->dice, 0.7, 1.4) / d->T;
  d->vout = d->vin / 2 / ratio;
  double z = ratio * ratio * d->vout / d->load * uniform(&d->dice, 0.1, 0.6);
  double lr = rounded(z / (2 * G_PI * fr)), cr = rounded(1 / (2 * G_PI * fr * z));
  add_leg(d, p, 0, a, 0);
  add_state(d, LOOP_CAPACITOR, a, b, cr, d->vin / 2);
  d->coil = add_coil(d, b, c, lr, 0, 0.6);
  add_state(d, LOOP_COIL, c, 0, rounded(lr * uniform(&d->dice, 3, 10)), 0);
  if (may(d, 0.5)) { /* a middle tap, or a bridge */
    int t = node(d);
    add_transformer(d, c, 0, s, 0, ratio);
    add_transformer(d, c, 0, 0, t, ratio);
    add_diode(d, s, out), add_diode(d, t, out);
  } else {
    int t = node(d);
    add_transformer(d, c, 0, s, t, ratio);
    add_diode(d, s, out), add_diode(d, t, out);
    add_diode(d, 0, s), add_diode(d, 0, t);
  }
  add_output(d, out, 0);
  d->l->family = "LLC";
}

/* Controllers ------------------------------------------------------------------------------------
 */

static int add_signal(Draw *d, LoopSignal s)
{
  d->l->signal[d->l->signals] = s;
  return d->l->signals++;
}

static int add_gate(Draw *d, LoopGate g)
{
  d->l->gate[d->l->gates] = g;
  return d->l->gates++;
}

static int constant(Draw *d, double v)
{
  return add_signal(d, (LoopSignal){.kind = SIGNAL_CONSTANT, .value = rounded(v)});
}

/* A number, or one that steps. */
static int add_wanted(Draw *d, double v)
{
  if (may(d, 0.7)) {
    return constant(d, v);
  }
  return add_signal(d, (LoopSignal){.kind = SIGNAL_STEP,
                                    .value = rounded(v),
                                    .to = rounded(v * uniform(&d->dice, 0.8, 1.2)),
                                    .at = d->l->stop * draw(d, 0.2, 0.7)});
}

/* The output's voltage, at its capacitor or behind its leads, by a duty or by a current; an output
 * below 0 is wanted below 0, with gains below 0. A sample at an instant at which a switch turns
 * takes a state. */
static int add_pi(Draw *d, double per_volt, double lower, double upper, double initial,
                  double period)
{
  double kp = d->sign * per_volt * decades(&d->dice, -1.5, -0.3);
  LoopSignal s = {.kind = SIGNAL_PI,
                  .of = add_wanted(d, d->sign * d->vout * uniform(&d->dice, 0.85, 1.1)),
                  .measured = may(d, 0.3) && period == 0 ? d->loaded : d->output,
                  .kp = rounded(kp),
                  .ki = rounded(kp / (d->T * decades(&d->dice, 0.7, 2))),
                  .lower = rounded(lower),
                  .upper = rounded(upper),
                  .initial = rounded(initial),
                  .period = period};
  return add_signal(d, s);
}

static LoopGate pwm_of(Draw *d, int signal, GateWay way)
{
  return (LoopGate){.kind = GATE_PWM,
                    .way = way,
                    .of = -1,
                    .signal = signal,
                    .period = d->T,
                    .triangle = may(d, 0.4)};
}

/* Gate K drives SLOT of the network; slots are counted from 1000 until then. */
static void drive(Draw *d, int slot, int gate)
{
  for (int k = 0; k < d->l->elements; k++) {
    LoopElement *e = &d->l->element[k];
    if (e->gate == 1000 + slot) {
      e->gate = gate;
    }
  }
}

static void hide_slots(Draw *d)
{
  for (int k = 0; k < d->l->elements; k++) {
    LoopElement *e = &d->l->element[k];
    e->gate = e->gate >= 0 ? e->gate + 1000 : -1;
  }
}

static gboolean wants_slot(const Draw *d, int slot)
{
  for (int k = 0; k < d->l->elements; k++) {
    if (d->l->element[k].gate == 1000 + slot) {
      return TRUE;
    }
  }
  return FALSE;
}

/* GATE drives SLOT, its opposite the slot OTHER where the network has one; with dead times or not.
 */
static void drive_leg(Draw *d, int slot, int other, int gate, double dead)
{
  if (!wants_slot(d, other)) {
    drive(d, slot, gate);
    return;
  }
  int low = add_gate(d, (LoopGate){.kind = GATE_NOT, .of = gate});
  if (dead > 0) {
    int high = add_gate(d, (LoopGate){.kind = GATE_DELAY, .of = gate, .time = dead});
    drive(d, other, add_gate(d, (LoopGate){.kind = GATE_DELAY, .of = low, .time = dead}));
    drive(d, slot, high);
  } else {
    drive(d, other, low);
    drive(d, slot, gate);
  }
}

static double dead_time(Draw *d)
{
  return may(d, 0.6) ? rounded(d->T * uniform(&d->dice, 0.003, 0.03)) : 0;
}

typedef enum {
  OPEN,
  PI_PWM,
  PI_COMPARED,
  PI_SAMPLED,
  PI_HELD,
  HYSTERESIS,
  PEAK,
  PEAK_PI,
  SINE_PWM,
  SINE_COMPARED,
  CURRENT_PWM,
  CURRENT_COMPARED,
  CURRENT_SAMPLED,
  SINE_HYSTERESIS
} Control;

static const char *const control_words[] = {"open loop",
                                            "PI, pwm",
                                            "PI, comparison",
                                            "PI, sampled",
                                            "PI, held",
                                            "hysteresis",
                                            "peak current",
                                            "peak current under PI",
                                            "sine, pwm",
                                            "sine, comparison",
                                            "PI of current, pwm",
                                            "PI of current, comparison",
                                            "PI of current, sampled",
                                            "hysteresis about a sine"};

static int duty_of(Draw *d, Control how)
{
  if (how == OPEN) {
    return constant(d, d->duty);
  }
  int pi = add_pi(d, 1 / d->vout, 0.02, 0.95, d->duty, how == PI_SAMPLED ? d->T : 0);
  if (how != PI_HELD) {
    return pi;
  }
  d->l->signal[pi].measured = d->output;
  return add_signal(
      d, (LoopSignal){.kind = SIGNAL_HELD, .of = pi, .period = d->T, .twice = may(d, 0.5)});
}

static LoopGate hysteresis_of(Draw *d, int signal, double size)
{
  return (LoopGate){.kind = GATE_HYSTERESIS,
                    .way = may(d, 0.5) ? BY_BLOCK : BY_COMPARISON,
                    .of = -1,
                    .signal = signal,
                    .measured = d->coil,
                    .band = rounded(size * uniform(&d->dice, 0.1, 0.5))};
}

/* What the coil carries where all is as it was meant. */
static double coil_current(const Draw *d)
{
  return fmax(fabs(d->l->element[d->coil].x0), 0.3 * d->load);
}

static void control_dc(Draw *d)
{
  static const Control kinds[] = {OPEN,       PI_PWM,  PI_PWM,     PI_COMPARED, PI_COMPARED,
                                  PI_SAMPLED, PI_HELD, HYSTERESIS, HYSTERESIS,  HYSTERESIS,
                                  PEAK,       PEAK,    PEAK_PI,    PEAK_PI};
  Control how = kinds[below(&d->dice, (int)G_N_ELEMENTS(kinds))];
  int n = MAX(1, d->legs);
  how = n > 1 && how >= HYSTERESIS ? PI_COMPARED : how;
  how = d->current_jumps && how == HYSTERESIS ? PEAK : how; /* a flyback's current jumps */
  double dead = dead_time(d), i = coil_current(d);
  d->l->control = control_words[how];
  if (how <= PI_HELD) {
    LoopGate g =
        pwm_of(d, duty_of(d, how), how == PI_COMPARED && n == 1 ? BY_COMPARISON : BY_BLOCK);
    d->l->control = control_words[how == PI_COMPARED && n > 1 ? PI_PWM : how];
    for (int k = 0; k < n; k++) {
      g.shift = n > 1 ? (double)k / n : 0;
      drive_leg(d, k, n > 1 ? 99 : 1, add_gate(d, g), dead);
    }
    return;
  }
  LoopGate g = hysteresis_of(d, -1, i);
  if (how == HYSTERESIS) {
    g.signal = add_wanted(d, i * uniform(&d->dice, 0.7, 1.1));
  } else {
    double slope = i / d->T * uniform(&d->dice, 0.3, 1.5);
    g.signal = how == PEAK ? add_wanted(d, i * uniform(&d->dice, 0.8, 1.5))
                           : add_pi(d, i / d->vout * 3, 0.05 * i, 3 * i, i * 1.1, 0);
    g = (LoopGate){.kind = GATE_PEAK,
                   .of = -1,
                   .signal = g.signal,
                   .measured = d->coil,
                   .period = d->T,
                   .slope = rounded(slope),
                   .most = draw(d, 0.6, 0.95),
                   .shift = may(d, 0.5) ? draw(d, 0.1, 0.9) : 0};
  }
  drive_leg(d, 0, 1, add_gate(d, g), dead);
}

static int sine(Draw *d, double middle, double amplitude, double phase)
{
  return add_signal(d, (LoopSignal){.kind = SIGNAL_SINE,
                                    .value = rounded(middle),
                                    .amplitude = rounded(amplitude),
                                    .frequency = rounded(uniform(&d->dice, 0.8, 2.5) / d->l->stop),
                                    .phase = rounded(phase)});
}

static int add_current_pi(Draw *d, int wanted, gboolean sampled)
{
  double kp = decades(&d->dice, -1.5, -0.5) / d->load;
  LoopSignal s = {.kind = SIGNAL_PI,
                  .of = wanted,
                  .measured = d->coil,
                  .kp = rounded(kp),
                  .ki = rounded(kp / (d->T * decades(&d->dice, 0.7, 2))),
                  .lower = 0.02,
                  .upper = 0.98,
                  .initial = 0.5,
                  .period = sampled ? d->T : 0};
  return add_signal(d, s);
}

/* One leg, or a bridge of two: by a sine, or by a current that is to follow one. */
static void control_bridge(Draw *d, int slot, double phase, Control how, double dead)
{
  double amplitude = 0.5 * d->load;
  LoopGate g;
  if (how == SINE_HYSTERESIS) {
    g = hysteresis_of(d, sine(d, 0, amplitude, phase), amplitude);
  } else if (how == SINE_PWM || how == SINE_COMPARED) {
    g = pwm_of(d, sine(d, 0.5, uniform(&d->dice, 0.2, 0.47), phase),
               how == SINE_PWM ? BY_BLOCK : BY_COMPARISON);
  } else {
    int wanted = sine(d, 0, amplitude, phase);
    g = pwm_of(d, add_current_pi(d, wanted, how == CURRENT_SAMPLED),
               how == CURRENT_COMPARED ? BY_COMPARISON : BY_BLOCK);
  }
  drive_leg(d, slot, slot + 1, add_gate(d, g), dead);
}

static void control_ac(Draw *d, int legs)
{
  static const Control kinds[] = {SINE_PWM,        SINE_COMPARED,    SINE_COMPARED,
                                  CURRENT_PWM,     CURRENT_COMPARED, CURRENT_COMPARED,
                                  CURRENT_SAMPLED, SINE_HYSTERESIS,  SINE_HYSTERESIS};
  Control how = kinds[below(&d->dice, (int)G_N_ELEMENTS(kinds))];
  double phase = draw(d, 0.1, 6), dead = dead_time(d);
  how = legs > 1 && how > SINE_COMPARED && how != SINE_HYSTERESIS ? SINE_PWM : how;
  d->l->control = control_words[how];
  for (int k = 0; k < legs; k++) {
    d->coil = legs > 1 ? d->leg_coil[k] : d->coil;
    control_bridge(d, 2 * k, phase - k * 2.0943951, how, dead);
  }
}

/* The upper carrier meets the sine, the lower one the sine and 1. */
static void control_three_level(Draw *d)
{
  double amplitude = uniform(&d->dice, 0.3, 0.95), phase = draw(d, 0.1, 6), dead = dead_time(d);
  int m = sine(d, 0, amplitude, phase);
  GateWay way = may(d, 0.5) ? BY_BLOCK : BY_COMPARISON;
  d->l->control = control_words[way == BY_BLOCK ? SINE_PWM : SINE_COMPARED];
  for (int k = 0; k < 2; k++) {
    LoopGate g =
        pwm_of(d, add_signal(d, (LoopSignal){.kind = SIGNAL_SHIFT, .of = m, .value = k}), way);
    g.triangle = TRUE;
    drive_leg(d, k == 0 ? 0 : 2, k == 0 ? 1 : 3, add_gate(d, g), dead);
  }
}

static void control_shifted(Draw *d)
{
  double dead = rounded(d->T * uniform(&d->dice, 0.003, 0.02));
  d->l->control = control_words[OPEN];
  for (int leg = 0; leg < 2; leg++) {
    LoopGate g = pwm_of(d, constant(d, 0.5), BY_BLOCK);
    g.triangle = FALSE;
    g.shift = leg == 0 ? 0 : rounded(d->duty / 2);
    drive_leg(d, 2 * leg, 2 * leg + 1, add_gate(d, g), dead);
  }
}

static void control_llc(Draw *d)
{
  d->duty = 0.5;
  d->l->control = control_words[OPEN];
  drive_leg(d, 0, 1, add_gate(d, pwm_of(d, constant(d, 0.5), BY_BLOCK)),
            rounded(d->T * uniform(&d->dice, 0.005, 0.03)));
}

/* ------------------------------------------------------------------------------------------------
 */

static void set_scales(Draw *d, guint64 seed)
{
  static const double volts[] = {12, 24, 48, 100, 400};
  Loop *l = d->l;
  memset(l, 0, sizeof *l);
  *d = (Draw){.l = l, .dice = {seed * 7368787}, .sign = 1};
  l->seed = seed;
  l->nodes = 1;
  d->T = decades(&d->dice, -5.3, -4);
  d->vin = volts[below(&d->dice, 5)];
  d->duty = draw(d, 0.25, 0.65);
  d->load = decades(&d->dice, -0.3, 1.2);
  d->ron = decades(&d->dice, -6, -1.3);
  d->roff = decades(&d->dice, 4, 9);
  d->vf = below(&d->dice, 2) ? 0.7 : 0.3;
  l->stop = rounded(d->T * (20 + below(&d->dice, 21)));
}

void loop_random(Loop *l, guint64 seed)
{
  typedef void (*Make)(Draw *);
  static const Make make[] = {
      make_buck,    make_buck,        make_boost,          make_boost,       make_buck_boost,
      make_cuk,     make_sepic,       make_flyback,        make_flyback,     make_forward,
      make_forward, make_half_bridge, make_full_bridge,    make_three_phase, make_three_level,
      make_llc,     make_rectifier,   make_shifted_bridge, make_interleaved};
  Draw d = {.l = l};
  set_scales(&d, seed);
  Make one = make[below(&d.dice, (int)G_N_ELEMENTS(make))];
  one(&d);
  hide_slots(&d);
  if (one == make_llc) {
    control_llc(&d);
  } else if (one == make_shifted_bridge) {
    control_shifted(&d);
  } else if (one == make_three_level) {
    control_three_level(&d);
  } else if (one == make_three_phase) {
    control_ac(&d, 3);
  } else if (one == make_half_bridge || one == make_full_bridge) {
    control_ac(&d, 1);
  } else {
    control_dc(&d);
  }
  l->circuit_first = may(&d, 0.5);
}
