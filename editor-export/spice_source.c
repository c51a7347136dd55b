/* Independent sources: V1 a b DC 5, PULSE(...), SIN(...), PWL(...), EXP(...).
 *
 * PULSE(v1 v2 td tr tf pw per): a trapezoid; edges without a time are vertical.
 * SIN(vo va f td theta phase): vo + va exp(-theta (t - td)) sin(2 pi f (t - td) + phase) from td
 * on. PWL(t1 v1 t2 v2 ...): lines between the points, constant outside; "+t" is a time after the
 * one before. EXP(v1 v2 td1 tau1 td2
 * tau2): from td1 on towards v2, from td2 on back towards v1. */
#include "base/hint.h"
#include "editor-export/spice.h"
#include "hydevs/text.h"

#include <string.h>

#define MOST_VALUES 20000

/* The values behind the name of a function; their number. */
typedef struct {
  GPtrArray *value; /* const char * */
  const SpiceWord *first;
  const SpiceWord *after;
} Values;

static Values read_values(Spice *s, const SpicePart *p, const SpiceWord *w)
{
  Values v = {.value = g_ptr_array_new(), .first = w};
  while (spice_is_value(p->scope, w) && w[1].kind != SPICE_EQUALS && v.value->len < MOST_VALUES) {
    const char *text = spice_value(s, p->scope, p->at, w++);
    g_ptr_array_add(v.value, hy_key(text != NULL ? text : "0"));
  }
  v.after = w;
  return v;
}

/* Value K, or OTHER where there are not so many. */
static const char *nth(const Values *v, guint k, const char *other)
{
  return k < v->value->len ? g_ptr_array_index(v->value, k) : other;
}

static gboolean is_zero(const char *value)
{
  double number;
  return spice_plain(value, &number) && number == 0.0;
}

/* VALUE as an operand of a product or difference. */
static const char *operand(Spice *s, const char *value)
{
  return strpbrk(value, "+-*/ ") != NULL ? spice_text(s, "(%s)", value) : value;
}

/* A hidden block that sends the value; what it is called. */
static const char *add_block(Spice *s, const SpicePart *p, const char *type, xmlNode **node)
{
  const char *name = spice_unique(s, p->scope, spice_text(s, "%s_%s", p->name, type));
  *node = hy_format_add(p->scope->node, "block", p->at->main);
  hy_format_set(*node, "type", type);
  hy_format_set(*node, "name", name);
  return name;
}

/* One rise from v1 to v2 at td within tr. */
static const char *single_step(Spice *s, const SpicePart *p, const Values *v)
{
  xmlNode *node;
  const char *rise = nth(v, 3, "0"), *name;
  if (is_zero(rise)) {
    name = add_block(s, p, "step", &node);
    hy_format_set(node, "from", nth(v, 0, "0"));
    hy_format_set(node, "to", nth(v, 1, "0"));
    hy_format_set(node, "at", nth(v, 2, "0"));
    return name;
  }
  name = add_block(s, p, "ramp", &node);
  hy_format_set(node, "offset", nth(v, 0, "0"));
  hy_format_set(node, "height",
                spice_text(s, "%s - %s", nth(v, 1, "0"), operand(s, nth(v, 0, "0"))));
  hy_format_set(node, "start", nth(v, 2, "0"));
  hy_format_set(node, "duration", rise);
  return name;
}

static const char *pulse(Spice *s, const SpicePart *p, const Values *v)
{
  if (v->value->len < 2) {
    spice_error(s, p->at, "PULSE takes two values or more");
    return NULL;
  }
  const char *rise = nth(v, 3, "0"), *fall = nth(v, 4, "0"), *up = nth(v, 5, "0"),
             *period = nth(v, 6, "0");
  if (is_zero(up)) {
    return single_step(s, p, v);
  }
  xmlNode *node;
  const char *name = add_block(s, p, "trapezoid", &node);
  hy_format_set(node, "low", nth(v, 0, "0"));
  hy_format_set(node, "high", nth(v, 1, "0"));
  hy_format_set(node, "start", nth(v, 2, "0"));
  hy_format_set(node, "rise", rise);
  hy_format_set(node, "up", up);
  hy_format_set(node, "fall", fall);
  g_autoptr(GString) down = g_string_new(is_zero(period) ? "1e6" : period);
  const char *const less[] = {rise, up, fall};
  for (guint k = 0; k < 3 && !is_zero(period); k++) {
    if (!is_zero(less[k])) {
      g_string_append_printf(down, " - %s", operand(s, less[k]));
    }
  }
  hy_format_set(node, "down", down->str);
  const char *cycles = nth(v, 7, "0");
  return is_zero(cycles) || is_zero(period)
             ? name
             : spice_text(s, "if(t < %s + %s*%s, %s, %s)", operand(s, nth(v, 2, "0")),
                          operand(s, cycles), operand(s, period), name, nth(v, 0, "0"));
}

static const char *sine(Spice *s, const SpicePart *p, const Values *v)
{
  if (v->value->len < 3) {
    spice_error(s, p->at, "SIN takes offset, amplitude and frequency");
    return NULL;
  }
  const char *offset = nth(v, 0, "0"), *amplitude = nth(v, 1, "0"), *f = nth(v, 2, "0"),
             *delay = nth(v, 3, "0"), *theta = nth(v, 4, "0"), *phase = nth(v, 5, "0");
  const char *angle = is_zero(phase) ? "0" : spice_text(s, "%s*pi/180", operand(s, phase));
  if (is_zero(delay) && is_zero(theta)) {
    xmlNode *node;
    const char *name = add_block(s, p, "sine", &node);
    hy_format_set(node, "offset", offset);
    hy_format_set(node, "amplitude", amplitude);
    hy_format_set(node, "frequency", f);
    hy_format_set(node, "phase", angle);
    return name;
  }
  const char *from = is_zero(delay) ? "t" : spice_text(s, "(t - %s)", operand(s, delay));
  const char *wave =
      spice_text(s, "%s*sin(2*pi*%s*%s + %s)", operand(s, amplitude), operand(s, f), from, angle);
  if (!is_zero(theta)) {
    wave = spice_text(s, "%s*exp(-%s*%s)", wave, operand(s, theta), from);
  }
  const char *before = spice_text(s, "%s*sin(%s)", operand(s, amplitude), angle);
  return is_zero(delay)
             ? spice_text(s, "%s + %s", offset, wave)
             : spice_text(s, "%s + if(t > %s, %s, %s)", offset, operand(s, delay), wave, before);
}

/* Time K of PWL: a number, "+1m" one that is after the time BEFORE. FALSE: reported. */
static gboolean point_time(Spice *s, const SpicePart *p, const Values *v, guint k, double *t)
{
  double before = *t;
  gboolean number = spice_plain(nth(v, k, ""), t), after = *v->first[k].text == '+';
  *t += after && k > 0 ? before : 0.0;
  if (!number || (k > 0 && *t <= before)) {
    spice_error(s, p->at, "the times of PWL must be numbers that increase, and %s does not",
                nth(v, k, ""));
    return FALSE;
  }
  return TRUE;
}

/* A table over the time. */
static const char *lines(Spice *s, const SpicePart *p, const Values *v)
{
  char buffer[HY_DOUBLE_SIZE];
  double t = 0;
  g_autoptr(GString) x = g_string_new(NULL), y = g_string_new(NULL);
  guint n = v->value->len;
  if (n == 0 && v->after->kind == SPICE_WORD) {
    spice_error(s, p->at, "PWL %s is not read; write times and values in turn", v->after->text);
    return NULL;
  }
  if (n < 2 || n % 2 != 0) {
    spice_error(s, p->at, "PWL takes times, which are numbers, and values in turn");
    return NULL;
  }
  for (guint k = 0; k < n; k += 2) {
    if (!point_time(s, p, v, k, &t)) {
      return NULL;
    }
    const char *text = *v->first[k].text == '+' ? hy_double_text(buffer, t) : nth(v, k, "");
    if (k == 0) {
      g_string_append_printf(x, "%s - 1", text);
      g_string_append(y, nth(v, 1, ""));
    }
    g_string_append_printf(x, ", %s", text);
    g_string_append_printf(y, ", %s", nth(v, k + 1, ""));
    if (k + 2 == n) {
      g_string_append_printf(x, ", %s + 1", text);
      g_string_append_printf(y, ", %s", nth(v, k + 1, ""));
    }
  }
  xmlNode *node;
  const char *name = add_block(s, p, "lookup", &node);
  hy_format_set(node, "in", "t");
  hy_format_set(node, "x", x->str);
  hy_format_set(node, "y", y->str);
  return name;
}

static const char *exponential(Spice *s, const SpicePart *p, const Values *v)
{
  if (v->value->len != 6) {
    spice_error(s, p->at, "EXP takes six values: v1 v2 td1 tau1 td2 tau2");
    return NULL;
  }
  const char *a[6];
  for (guint k = 0; k < 6; k++) {
    a[k] = operand(s, nth(v, k, "0"));
  }
  return spice_text(s,
                    "%s + if(t > %s, (%s - %s)*(1 - exp(-(t - %s)/%s)), 0) + "
                    "if(t > %s, (%s - %s)*(1 - exp(-(t - %s)/%s)), 0)",
                    a[0], a[2], a[1], a[0], a[2], a[3], a[4], a[0], a[1], a[4], a[5]);
}

static const struct {
  const char *name;
  const char *(*read)(Spice *s, const SpicePart *p, const Values *v);
  guint first; /* the value that it has at first */
} waves[] = {{"pulse", pulse, 0},
             {"sin", sine, 0},
             {"sine", sine, 0},
             {"pwl", lines, 1},
             {"exp", exponential, 0}};

/* The wave that W begins; NULL: reported. *W moves behind it. */
static const char *read_wave(Spice *s, const SpicePart *p, const SpiceWord **w)
{
  for (guint k = 0; k < G_N_ELEMENTS(waves); k++) {
    if (spice_is(*w, waves[k].name)) {
      Values v = read_values(s, p, *w + 1);
      const char *value = waves[k].read(s, p, &v);
      s->live |= !is_zero(nth(&v, waves[k].first, "0")) ||
                 (waves[k].read == sine && !is_zero(nth(&v, 5, "0")));
      *w = v.after;
      g_ptr_array_unref(v.value);
      return value;
    }
  }
  spice_error(s, p->at, "%s: \"%s\" is not read; known are a number, DC, PULSE, SIN, PWL, EXP",
              p->name, (*w)->text);
  return NULL;
}

/* Rser=0.1, Cpar=1n */
static gboolean is_stray(const SpiceWord *w)
{
  gboolean known = spice_is(w, "rser") || spice_is(w, "cpar");
  return known && w[1].kind == SPICE_EQUALS && w[2].kind != SPICE_END;
}

/* What a source is in a run over time: its wave, else the value of DC, else 0; AC is for other
 * analyses. NULL: reported. */
static const char *source_value(Spice *s, const SpicePart *p, const SpiceWord *w)
{
  const char *constant = "0", *wave = NULL;
  while (w->kind != SPICE_END) {
    if (w->kind == SPICE_EQUALS || spice_is(w, "dc")) { /* DC = 5 */
      w++;
    } else if (spice_is(w, "ac") || spice_is(w, "distof1") || spice_is(w, "distof2")) {
      w += w[1].kind == SPICE_EQUALS ? 2 : 1;
      for (guint k = 0; k < 2 && spice_is_value(p->scope, w); k++) {
        w++;
      }
    } else if (is_stray(w)) {
      w += 3; /* spice_stray reads it */
    } else if (spice_is_value(p->scope, w)) {
      constant = spice_value(s, p->scope, p->at, w++);
    } else if ((wave = read_wave(s, p, &w)) == NULL) {
      return NULL;
    }
    if (constant == NULL) {
      return NULL;
    }
  }
  s->live |= wave == NULL && !is_zero(constant);
  return wave != NULL ? wave : constant;
}

void spice_source(Spice *s, const SpicePart *p)
{
  const SpiceWord *w = p->w;
  const char *nodes = spice_two_nodes(s, p, &w);
  const char *value = nodes != NULL ? source_value(s, p, w) : NULL;
  if (value != NULL) {
    nodes = spice_stray(s, p, p->w, nodes);
    hy_format_set(spice_place(p, p->letter == 'v' ? "voltage" : "current", nodes), "value", value);
  }
}
