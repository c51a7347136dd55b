#include "netlist.h"

#include <stdlib.h>
#include <string.h>

gboolean circuit_slides(const Circuit *c)
{
  for (int k = 0; k < c->relays; k++) {
    if (relay_slides(&c->relay[k])) {
      return TRUE;
    }
  }
  return FALSE;
}

/* Writing -------------------------------------------------------------------------------------- */

void circuit_write_number(GString *out, const char *name, double v)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  for (int digits = 6; digits <= 17; digits++) {
    g_snprintf(text, sizeof text, "%.*g", digits, v);
    if (g_ascii_strtod(text, NULL) == v) {
      break;
    }
  }
  g_string_append_printf(out, " %s=\"%s\"", name, text);
}

void circuit_write_sources(GString *out, const Circuit *c)
{
  for (int k = 0; k < c->sines; k++) {
    const Sine *s = &c->sine[k];
    g_string_append_printf(out, "<sine name=\"%s\"", s->name);
    circuit_write_number(out, "amplitude", s->amplitude);
    circuit_write_number(out, "frequency", s->frequency);
    circuit_write_number(out, "phase", s->phase);
    g_string_append(out, "/>\n");
  }
  for (int k = 0; k < c->pwms; k++) {
    const Pwm *g = &c->pwm[k];
    g_string_append_printf(out, "<pwm name=\"%s\"", g->name);
    circuit_write_number(out, "period", g->period);
    circuit_write_number(out, "duty", g->duty);
    circuit_write_number(out, "phase", g->phase);
    g_string_append(out, "/>\n");
  }
}

static void write_relay(GString *out, const Relay *r)
{
  gboolean sign = r->lower == r->upper;
  g_string_append_printf(out, "<%s name=\"%s\" %s=\"%s\"", sign ? "switch" : "hysteresis", r->name,
                         sign ? "control" : "in", r->formula);
  if (sign) {
    circuit_write_number(out, "level", r->upper);
  } else {
    circuit_write_number(out, "lower", r->lower);
    circuit_write_number(out, "upper", r->upper);
  }
  circuit_write_number(out, sign ? "off" : "low", r->low);
  circuit_write_number(out, sign ? "on" : "high", r->high);
  g_string_append(out, "/>\n");
}

static void write_modes(GString *out, const Circuit *c)
{
  for (int k = 0; k < c->gates; k++) {
    const Switch *s = &c->gate[k];
    g_string_append_printf(out, "<switch name=\"%s\" control=\"%s\"", s->name, s->control);
    circuit_write_number(out, "on", s->on);
    circuit_write_number(out, "off", s->off);
    g_string_append(out, "/>\n");
  }
  for (int k = 0; k < c->diodes; k++) {
    const Diode *d = &c->diode[k];
    g_string_append_printf(out, "<diode name=\"%s\" i=\"%s\"", d->name, d->current);
    circuit_write_number(out, "ron", d->on);
    circuit_write_number(out, "roff", d->off);
    g_string_append(out, "/>\n");
  }
  for (int k = 0; k < c->relays; k++) {
    write_relay(out, &c->relay[k]);
  }
}

char *circuit_xml(const Circuit *c)
{
  if (c->net != NULL) {
    return netlist_xml(c->net);
  }
  GString *out = g_string_new(NULL);
  g_string_append_printf(out, "<hydevs xmlns=\"urn:hydevs:1\" name=\"%s\">\n", c->name);
  circuit_write_sources(out, c);
  write_modes(out, c);
  for (int k = 0; k < c->functions; k++) {
    g_string_append_printf(out, "<function name=\"%s\" formula=\"%s\"/>\n", c->function[k].name,
                           c->function[k].formula);
  }
  for (int k = 0; k < c->states; k++) {
    g_string_append_printf(out, "<integrator name=\"%s\" in=\"%s\"", c->state[k].name,
                           c->state[k].formula);
    circuit_write_number(out, "x0", c->state[k].x0);
    g_string_append(out, "/>\n");
  }
  g_string_append(out, "<experiment");
  circuit_write_number(out, "stop", c->stop);
  g_string_append(out, " method=\"cvode_bdf\" dqrel=\"1e-3\" dqmin=\"1e-3\" record=\"");
  for (int k = 0; k < c->states; k++) {
    g_string_append_printf(out, "%s%s", k > 0 ? " " : "", c->state[k].name);
  }
  g_string_append(out, "\"");
  circuit_write_number(out, "grid", c->stop / 128);
  g_string_append(out, "/>\n</hydevs>\n");
  return g_string_free(out, FALSE);
}

/* Reading -------------------------------------------------------------------------------------- */

/* The value of attribute NAME of the element at TEXT; FALSE: it has none, or it is too long. */
static gboolean attribute(const char *text, const char *name, char *out, gsize size)
{
  g_autofree char *key = g_strdup_printf(" %s=\"", name);
  const char *end = strchr(text, '>'), *at = strstr(text, key);
  out[0] = '\0';
  if (end == NULL || at == NULL || at > end) {
    return FALSE;
  }
  at += strlen(key);
  gsize length = strcspn(at, "\"");
  if (length >= size) {
    return FALSE;
  }
  memcpy(out, at, length);
  out[length] = '\0';
  return TRUE;
}

static double number(const char *text, const char *name, double otherwise)
{
  char value[64];
  return attribute(text, name, value, sizeof value) ? g_ascii_strtod(value, NULL) : otherwise;
}

static gboolean read_switch(Circuit *c, const char *at)
{
  Relay r = {.low = number(at, "off", 0), .high = number(at, "on", 1)};
  char level[32];
  if (attribute(at, "level", level, sizeof level)) { /* only those of relays say so */
    r.lower = r.upper = g_ascii_strtod(level, NULL);
    gboolean ok = attribute(at, "name", r.name, sizeof r.name) &&
                  attribute(at, "control", r.formula, sizeof r.formula);
    c->relay[c->relays++] = r;
    return ok;
  }
  Switch *s = &c->gate[c->gates++];
  s->on = r.high;
  s->off = r.low;
  return attribute(at, "name", s->name, sizeof s->name) &&
         attribute(at, "control", s->control, sizeof s->control);
}

static gboolean read_hysteresis(Circuit *c, const char *at)
{
  Relay *r = &c->relay[c->relays++];
  r->lower = number(at, "lower", -0.5);
  r->upper = number(at, "upper", 0.5);
  r->low = number(at, "low", 0);
  r->high = number(at, "high", 1);
  return attribute(at, "name", r->name, sizeof r->name) &&
         attribute(at, "in", r->formula, sizeof r->formula);
}

static gboolean read_diode(Circuit *c, const char *at)
{
  Diode *d = &c->diode[c->diodes++];
  d->on = number(at, "ron", 1e-5);
  d->off = number(at, "roff", 1e5);
  return attribute(at, "name", d->name, sizeof d->name) &&
         attribute(at, "i", d->current, sizeof d->current);
}

static gboolean read_pwm(Circuit *c, const char *at)
{
  Pwm *g = &c->pwm[c->pwms++];
  g->period = number(at, "period", 1);
  g->duty = number(at, "duty", 0.5);
  g->phase = number(at, "phase", 0);
  return attribute(at, "name", g->name, sizeof g->name);
}

static gboolean read_sine(Circuit *c, const char *at)
{
  Sine *s = &c->sine[c->sines++];
  s->amplitude = number(at, "amplitude", 1);
  s->frequency = number(at, "frequency", 1);
  s->phase = number(at, "phase", 0);
  return attribute(at, "name", s->name, sizeof s->name);
}

static gboolean read_function(Circuit *c, const char *at)
{
  Function *f = &c->function[c->functions++];
  return attribute(at, "name", f->name, sizeof f->name) &&
         attribute(at, "formula", f->formula, sizeof f->formula);
}

static gboolean read_state(Circuit *c, const char *at)
{
  State *s = &c->state[c->states++];
  s->x0 = number(at, "x0", 0);
  return attribute(at, "name", s->name, sizeof s->name) &&
         attribute(at, "in", s->formula, sizeof s->formula);
}

static gboolean read_experiment(Circuit *c, const char *at)
{
  c->stop = number(at, "stop", 0);
  return c->stop > 0;
}

static gboolean read_name(Circuit *c, const char *at)
{
  return attribute(at, "name", c->name, sizeof c->name);
}

/* For one more of each kind. */
static gboolean room_left(const Circuit *c)
{
  return c->states < MOST_STATES && c->functions < MOST_PARTS && c->pwms < MOST_PARTS &&
         c->gates < MOST_PARTS && c->diodes < MOST_PARTS && c->relays < MOST_PARTS &&
         c->sines < MOST_PARTS;
}

gboolean circuit_read(Circuit *c, const char *xml)
{
  static const struct {
    const char *element;
    gboolean (*read)(Circuit *c, const char *at);
  } kinds[] = {
      {"hydevs", read_name},       {"sine", read_sine},        {"pwm", read_pwm},
      {"switch", read_switch},     {"diode", read_diode},      {"hysteresis", read_hysteresis},
      {"function", read_function}, {"integrator", read_state}, {"experiment", read_experiment}};
  *c = (Circuit){.stop = 0};
  for (const char *at = strchr(xml, '<'); at != NULL; at = strchr(at + 1, '<')) {
    gsize length = strcspn(at + 1, " >/"), k = 0;
    while (k < G_N_ELEMENTS(kinds) &&
           (strlen(kinds[k].element) != length || strncmp(at + 1, kinds[k].element, length) != 0)) {
      k++;
    }
    if (length == 0) {
      continue;
    }
    if (k == G_N_ELEMENTS(kinds) || !room_left(c) || !kinds[k].read(c, at)) {
      return FALSE;
    }
  }
  return c->stop > 0 && c->states > 0;
}
