/* The model of a converter, as its author would write it. */
#include "loop.h"

#include <string.h>

static void number(GString *out, const char *name, double v)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  g_string_append_printf(out, " %s=\"%s\"", name, g_ascii_dtostr(text, sizeof text, v));
}

static char *text_of(double v)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  return g_strdup(g_ascii_dtostr(text, sizeof text, v));
}

const LoopElement *loop_state(const Loop *l, int k)
{
  for (int i = 0; i < l->elements; i++) {
    if (l->element[i].state == k) {
      return &l->element[i];
    }
  }
  g_assert_not_reached();
}

/* What others call a signal. */
static char *called(const Loop *l, int k)
{
  const LoopSignal *s = &l->signal[k];
  return s->kind == SIGNAL_CONSTANT ? text_of(s->value)
                                    : g_strdup_printf("s%d%s", k,
                                                      s->kind == SIGNAL_PI     ? ".out"
                                                      : s->kind == SIGNAL_HELD ? ".held"
                                                                               : "");
}

static void write_pi(GString *out, const Loop *l, int k)
{
  const LoopSignal *s = &l->signal[k];
  g_autofree char *wanted = called(l, s->of);
  g_string_append_printf(out, "  <block type=\"control.pi\" name=\"s%d\" in=\"%s - c.m%d\"", k,
                         wanted, s->measured);
  number(out, "kp", s->kp), number(out, "ki", s->ki);
  number(out, "lower", s->lower), number(out, "upper", s->upper);
  number(out, "initial", s->initial);
  if (s->period > 0) {
    number(out, "period", s->period);
  }
  g_string_append(out, "/>\n");
}

/* As control.pwm holds its duty; the block stands for itself, so that gates may share it. */
static void write_held(GString *out, const Loop *l, int k)
{
  const LoopSignal *s = &l->signal[k];
  g_autofree char *of = called(l, s->of);
  g_string_append_printf(out, "  <coupled name=\"s%d\" of=\"%s\">\n    <in name=\"of\"/>\n", k, of);
  g_string_append(out, "    <sample_hold name=\"held\" in=\"of\"");
  number(out, "period", s->twice ? s->period / 2 : s->period);
  g_string_append(out, "/>\n    <out name=\"held\"/>\n  </coupled>\n");
}

static void write_signal(GString *out, const Loop *l, int k)
{
  const LoopSignal *s = &l->signal[k];
  if (s->kind == SIGNAL_STEP) {
    g_string_append_printf(out, "  <step name=\"s%d\"", k);
    number(out, "from", s->value), number(out, "to", s->to), number(out, "at", s->at);
    g_string_append(out, "/>\n");
  } else if (s->kind == SIGNAL_SINE) {
    g_string_append_printf(out, "  <sine name=\"s%d\"", k);
    number(out, "amplitude", s->amplitude), number(out, "frequency", s->frequency);
    number(out, "phase", s->phase), number(out, "offset", s->value);
    g_string_append(out, "/>\n");
  } else if (s->kind == SIGNAL_SHIFT) {
    g_autofree char *of = called(l, s->of), *by = text_of(s->value);
    g_string_append_printf(out, "  <function name=\"s%d\" formula=\"limit(%s + %s, 0, 1)\"/>\n", k,
                           of, by);
  } else if (s->kind == SIGNAL_PI) {
    write_pi(out, l, k);
  } else if (s->kind == SIGNAL_HELD) {
    write_held(out, l, k);
  }
}

static void write_pwm(GString *out, const Loop *l, int k)
{
  const LoopGate *g = &l->gate[k];
  const char *shape = g->triangle ? "triangle" : "sawtooth";
  g_autofree char *duty = called(l, g->signal), *period = text_of(g->period);
  if (g->way == BY_COMPARISON) {
    g_string_append_printf(out, "  <%s name=\"carrier%d\" frequency=\"1/%s\"/>\n", shape, k,
                           period);
    g_string_append_printf(
        out, "  <function name=\"g%d\" formula=\"if(%s &gt; carrier%d, 1, 0)\"/>\n", k, duty, k);
    return;
  }
  g_string_append_printf(out, "  <pwm name=\"g%d\" duty=\"%s\" carrier=\"%s\"", k, duty, shape);
  number(out, "period", g->period);
  if (g->shift != 0) {
    number(out, "phase", g->shift * g->period);
  }
  g_string_append(out, "/>\n");
}

static void write_gate(GString *out, const Loop *l, int k)
{
  const LoopGate *g = &l->gate[k];
  g_autofree char *wanted =
      g->kind == GATE_PEAK || g->kind == GATE_HYSTERESIS ? called(l, g->signal) : NULL;
  if (g->kind == GATE_PWM) {
    write_pwm(out, l, k);
  } else if (g->kind == GATE_HYSTERESIS && g->way == BY_COMPARISON) {
    g_string_append_printf(out, "  <hysteresis name=\"g%d\" in=\"%s - c.m%d\"", k, wanted,
                           g->measured);
    number(out, "lower", -g->band / 2), number(out, "upper", g->band / 2);
    g_string_append(out, "/>\n");
  } else if (g->kind == GATE_NOT) {
    g_string_append_printf(out, "  <function name=\"g%d\" formula=\"1 - g%d\"/>\n", k, g->of);
  } else if (g->kind == GATE_DELAY) {
    g_string_append_printf(out, "  <on_delay name=\"g%d\" in=\"g%d\"", k, g->of);
    number(out, "time", g->time);
    g_string_append(out, "/>\n");
  } else {
    gboolean peak = g->kind == GATE_PEAK;
    g_string_append_printf(out,
                           "  <block type=\"control.%s\" name=\"g%d\" wanted=\"%s\" i=\"c.m%d\"",
                           peak ? "peak_current" : "hysteresis_current", k, wanted, g->measured);
    if (peak) {
      number(out, "period", g->period), number(out, "slope", g->slope);
    }
    number(out, peak ? "most" : "band", peak ? g->most : g->band);
    if (peak && g->shift > 0) {
      number(out, "phase", g->shift * g->period);
    }
    g_string_append(out, "/>\n");
  }
}

static void write_switch(GString *out, const LoopElement *e)
{
  if (e->kind != LOOP_DIODE) {
    g_string_append_printf(out, " %s=\"g%d\"", e->kind == LOOP_SWITCH ? "control" : "gate",
                           e->gate);
  }
  number(out, "Ron", e->ron), number(out, "Roff", e->roff);
  if (e->kind == LOOP_TRANSISTOR) {
    number(out, "Rd", e->rd);
  }
  if (e->vf > 0) {
    number(out, "Vf", e->vf);
  }
}

static void write_element(GString *out, const LoopElement *e)
{
  static const char *const tag[] = {"resistor",    "capacitor",  "inductor",
                                    "voltage",     "current",    "ideal_switch",
                                    "ideal_diode", "transistor", "transformer"};
  static const char *const named[] = {"R", "C", "L", "value", "value"};
  g_string_append_printf(out, "    <%s name=\"%s\" nodes=\"", tag[e->kind], e->name);
  int ends[] = {e->a, e->b, e->c, e->d};
  for (int k = 0; k < (e->kind == LOOP_TRANSFORMER ? 4 : 2); k++) {
    g_string_append_printf(out, ends[k] == 0 ? "%s0" : "%sn%d", k > 0 ? " " : "", ends[k]);
  }
  g_string_append_c(out, '"');
  if (e->kind == LOOP_TRANSFORMER) {
    number(out, "ratio", e->value);
  } else if (e->kind <= LOOP_CURRENT && e->signal >= 0) {
    g_string_append_printf(out, " value=\"s%d\"", e->signal);
  } else if (e->kind <= LOOP_CURRENT) {
    number(out, named[e->kind], e->value);
  } else {
    write_switch(out, e);
  }
  if (e->state >= 0 && e->x0 != 0) {
    number(out, e->kind == LOOP_COIL ? "i0" : "v0", e->x0);
  }
  g_string_append(out, "/>\n");
}

/* Signals and gates that the network reads come in by their names. */
static void write_ports(GString *out, const Loop *l, gboolean inside)
{
  gboolean seen[2][LOOP_ELEMENTS] = {{FALSE}};
  for (int k = 0; k < l->elements; k++) {
    const LoopElement *e = &l->element[k];
    gboolean gated = e->kind == LOOP_SWITCH || e->kind == LOOP_TRANSISTOR;
    int of = gated ? e->gate : e->kind == LOOP_VOLTAGE || e->kind == LOOP_CURRENT ? e->signal : -1;
    if (of < 0 || seen[gated][of]) {
      continue;
    }
    seen[gated][of] = TRUE;
    char letter = gated ? 'g' : 's';
    if (inside) {
      g_string_append_printf(out, "    <in name=\"%c%d\"/>\n", letter, of);
    } else {
      g_string_append_printf(out, " %c%d=\"%c%d\"", letter, of, letter, of);
    }
  }
}

static void write_measures(GString *out, const Loop *l)
{
  gboolean seen[LOOP_ELEMENTS] = {FALSE};
  for (int k = 0; k < l->signals; k++) {
    if (l->signal[k].kind == SIGNAL_PI) {
      seen[l->signal[k].measured] = TRUE;
    }
  }
  for (int k = 0; k < l->gates; k++) {
    if (l->gate[k].kind == GATE_HYSTERESIS || l->gate[k].kind == GATE_PEAK) {
      seen[l->gate[k].measured] = TRUE;
    }
  }
  for (int k = 0; k < l->elements; k++) {
    if (seen[k]) {
      const LoopElement *e = &l->element[k];
      g_string_append_printf(out, "    <out name=\"m%d\" from=\"%s.%c\"/>\n", k, e->name,
                             e->kind == LOOP_COIL ? 'i' : 'v');
    }
  }
}

static void write_circuit(GString *out, const Loop *l)
{
  g_string_append(out, "  <circuit name=\"c\"");
  write_ports(out, l, FALSE);
  g_string_append(out, ">\n");
  write_ports(out, l, TRUE);
  for (int k = 0; k < l->elements; k++) {
    write_element(out, &l->element[k]);
  }
  for (int k = 0; k < l->couplings; k++) {
    const LoopCoupling *c = &l->coupling[k];
    g_string_append_printf(out, "    <coupling name=\"K%d\" inductors=\"%s %s\"", k + 1,
                           l->element[c->first].name, l->element[c->second].name);
    number(out, "k", c->k);
    g_string_append(out, "/>\n");
  }
  write_measures(out, l);
  g_string_append(out, "  </circuit>\n");
}

char *loop_xml(const Loop *l, const char *words)
{
  GString *out = g_string_new(NULL);
  g_string_append_printf(
      out, "<hydevs xmlns=\"urn:hydevs:1\" name=\"loop%" G_GUINT64_FORMAT "\" needs=\"1.2\">\n",
      l->seed);
  g_string_append_printf(out, "  <!-- %s, %s%s%s -->\n", l->family, l->control,
                         words != NULL ? ". " : "", words != NULL ? words : "");
  if (l->circuit_first) {
    write_circuit(out, l);
  }
  for (int k = 0; k < l->signals; k++) {
    write_signal(out, l, k);
  }
  for (int k = 0; k < l->gates; k++) {
    write_gate(out, l, k);
  }
  if (!l->circuit_first) {
    write_circuit(out, l);
  }
  g_string_append(out, "  <experiment");
  number(out, "stop", l->stop), number(out, "grid", l->stop / LOOP_SAMPLES);
  g_string_append(out, " record=\"");
  for (int k = 0; k < l->states; k++) {
    const LoopElement *e = loop_state(l, k);
    g_string_append_printf(out, "%sc/%s.%c", k > 0 ? " " : "", e->name,
                           e->kind == LOOP_COIL ? 'i' : 'v');
  }
  g_string_append(out, "\"/>\n</hydevs>\n");
  return g_string_free(out, FALSE);
}
