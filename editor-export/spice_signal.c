/* Signals that elements read, as expressions of SPICE: readings of the circuit as they are, sources
 * as sources of their own, what computes at once by its expression. What has a memory of its own is
 * refused. */
#include "base/hint.h"
#include "editor-export/spice_write.h"
#include "expr/builder.h"
#include "expr/ops.h"
#include "hydevs/text.h"

#include <math.h>
#include <string.h>

#define MOST_DEEP 200
#define MOST_TEXT 20000

static const char *number(SpiceOut *o, double v)
{
  char text[HY_DOUBLE_SIZE];
  return spice_out_keep(o, "%s", hy_double_text(text, v));
}

static const char *fail(SpiceOut *o, const char *format, ...) G_GNUC_PRINTF(2, 3);
static const char *fail(SpiceOut *o, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *text = g_strdup_vprintf(format, args);
  va_end(args);
  hy_report_error(o->report, o->part->file, o->part->line, "%s: %s", o->part->name, text);
  o->failed = TRUE;
  return NULL;
}

/* Sources -------------------------------------------------------------------------------------- */

/* One block, as its class has it. */
typedef struct {
  const HyModel *model;
  guint component, atomic;
  const HyAtomicClass *klass;
} Block;

static Block block_of(const SpiceOut *o, guint atomic)
{
  const HyModel *m = hy_flat_model(o->flat, atomic);
  guint k = hy_flat_component(o->flat, atomic);
  return (Block){m, k, atomic, hy_component(m, k)->klass};
}

static double real(const Block *b, const char *name)
{
  return hy_component_real(b->model, b->component, name);
}

static gboolean is(const Block *b, const char *name)
{
  return strcmp(b->klass->name, name) == 0;
}

/* The number at input 0; FALSE: a signal comes there. */
static gboolean constant_input(SpiceOut *o, const Block *b, double *v)
{
  const HyModel *m = b->model;
  *v = 0.0;
  for (guint k = 0; m->constants != NULL && k < m->constants->len; k++) {
    const HyConstantInput *c = &g_array_index(m->constants, HyConstantInput, k);
    if (c->component == b->component && c->port == 0) {
      *v = c->value.c[0];
    }
  }
  return o->sources.slot[o->sources.first[b->atomic]] == HY_NO_SOURCE;
}

/* Up from low to high at start, for up within the period; vertical edges take a thousandth. */
static const char *pulse(SpiceOut *o, double low, double high, double start, double up,
                         double period)
{
  o->period = fmin(o->period, period);
  while (start > 0.0) { /* SPICE begins with its first pulse */
    start -= period;
  }
  double edge = 1e-4 * fmin(up, period - up);
  if (start + up <= 0.0) {
    start += period;
  }
  if (start >= 0.0) {
    return spice_out_keep(o, "PULSE(%.15g %.15g %.15g %.15g %.15g %.15g %.15g)", low, high, start,
                          edge, edge, up - edge, period);
  }
  return spice_out_keep(o, "PULSE(%.15g %.15g %.15g %.15g %.15g %.15g %.15g)", high, low,
                        start + up, edge, edge, period - up - edge, period);
}

static const char *sine(SpiceOut *o, double offset, double amplitude, double f, double phase)
{
  o->period = f > 0.0 ? fmin(o->period, 1.0 / f) : o->period;
  return spice_out_keep(o, "SIN(%.15g %.15g %.15g 0 0 %.15g)", offset, amplitude, f,
                        phase * 180.0 / G_PI);
}

/* The carrier of a pwm. */
static gboolean is_triangle(const Block *b)
{
  const HyParam *carrier = hy_class_param(b->klass, "carrier");
  gsize size;
  const guint8 *image = hy_component_image(b->model, b->component, &size);
  const char *kind = carrier->text;
  if (image != NULL) {
    memcpy(&kind, image + carrier->offset, sizeof kind);
  }
  return kind != NULL && strcmp(kind, "triangle") == 0;
}

/* Of a duty that is a number. */
static const char *pwm(SpiceOut *o, const Block *b)
{
  double duty, period = real(b, "period");
  constant_input(o, b, &duty);
  if (duty <= 0.0 || duty >= 1.0) {
    return number(o, duty >= 1.0);
  }
  double start = real(b, "phase") - (is_triangle(b) ? 0.5 * duty * period : 0.0);
  return pulse(o, 0.0, 1.0, start, duty * period, period);
}

/* From start on, low before. */
static const char *periodic(SpiceOut *o, const Block *b)
{
  double period = 1.0 / real(b, "frequency"), edge = 1e-4 * period;
  double up = is(b, "square") ? real(b, "duty") * period : 0.0;
  double rise = is(b, "sawtooth") ? period - edge : is(b, "triangle") ? 0.5 * period : edge;
  double fall = is(b, "triangle") ? 0.5 * period : edge;
  o->period = fmin(o->period, period);
  return spice_out_keep(o, "PULSE(%.15g %.15g %.15g %.15g %.15g %.15g %.15g)", real(b, "low"),
                        real(b, "high"), real(b, "start"), rise, fall,
                        up > 0.0 ? up - edge : 1e-6 * period, period);
}

/* What block B sends at PORT as a source; NULL: it is none, or that was reported. */
static const char *wave_of(SpiceOut *o, const Block *b, guint port)
{
  if (is(b, "constant")) {
    return number(o, real(b, "value"));
  }
  double duty;
  if (is(b, "pwm") && constant_input(o, b, &duty)) {
    return pwm(o, b);
  }
  if (is(b, "sine")) {
    return sine(o, real(b, "offset"), real(b, "amplitude"), real(b, "frequency"), real(b, "phase"));
  }
  if (is(b, "three_phase")) {
    return sine(o, 0.0, real(b, "amplitude"), real(b, "frequency"),
                real(b, "phase") - port * 2.0 * G_PI / 3.0);
  }
  if (is(b, "square") || is(b, "sawtooth") || is(b, "triangle")) {
    return periodic(o, b);
  }
  if (is(b, "pulse")) {
    return spice_out_keep(o, "PULSE(%.15g %.15g %.15g 1n 1n %.15g)", real(b, "low"),
                          real(b, "high"), real(b, "start"), real(b, "end") - real(b, "start"));
  }
  if (is(b, "step")) {
    return spice_out_keep(o, "PULSE(%.15g %.15g %.15g 1n)", real(b, "from"), real(b, "to"),
                          real(b, "at"));
  }
  if (is(b, "trapezoid")) {
    double up = real(b, "up"), down = real(b, "down"), rise = real(b, "rise"),
           fall = real(b, "fall"), least = 1e-4 * fmin(up, down);
    o->period = fmin(o->period, up + down + rise + fall);
    return spice_out_keep(o, "PULSE(%.15g %.15g %.15g %.15g %.15g %.15g %.15g)", real(b, "low"),
                          real(b, "high"), real(b, "start"), fmax(rise, least), fmax(fall, least),
                          up, up + down + rise + fall);
  }
  if (is(b, "ramp")) {
    return spice_out_keep(o, "PWL(0 %.15g %.15g %.15g %.15g %.15g)", real(b, "offset"),
                          fmax(real(b, "start"), 1e-12), real(b, "offset"),
                          fmax(real(b, "start"), 1e-12) + real(b, "duration"),
                          real(b, "offset") + real(b, "height"));
  }
  return NULL;
}

/* Expressions ---------------------------------------------------------------------------------- */

static const char *slot_text(SpiceOut *o, guint slot);

typedef struct {
  SpiceOut *o;
  const Block *block;
  const HyXBuilder *b;
  const char **text; /* [nodes]: what is known already */
} Nodes;

static const char *node_text(Nodes *n, HyX x);

/* What arrives at input K of the block. */
static const char *input_text(Nodes *n, guint k)
{
  guint slot = n->o->sources.slot[n->o->sources.first[n->block->atomic] + k];
  if (slot == HY_NO_SOURCE) {
    const HyModel *m = n->block->model;
    for (guint i = 0; m->constants != NULL && i < m->constants->len; i++) {
      const HyConstantInput *c = &g_array_index(m->constants, HyConstantInput, i);
      if (c->component == n->block->component && c->port == k) {
        return number(n->o, c->value.c[0]);
      }
    }
    return "0";
  }
  return slot_text(n->o, slot);
}

const char *spice_out_input(SpiceOut *o, const HyNetSignal *s, guint input)
{
  Block b = block_of(o, hy_component(s->model, s->component)->number);
  Nodes n = {o, &b, NULL, NULL};
  return input_text(&n, input);
}

static const char *operation_text(Nodes *n, const HyNode *node)
{
  gboolean two = hy_x_operands(node->op) > 1;
  const char *a = node_text(n, node->a), *c = a != NULL && two ? node_text(n, node->b) : a;
  const char *name = hy_ops[node->op].called[HY_IN_SPICE];
  if (name == NULL) {
    return fail(n->o, "SPICE has no function %s", hy_ops[node->op].name);
  }
  if (a == NULL || c == NULL) {
    return NULL;
  }
  if (g_ascii_isalpha(*name)) {
    return two ? spice_out_keep(n->o, "%s(%s,%s)", name, a, c)
               : spice_out_keep(n->o, "%s(%s)", name, a);
  }
  return two ? spice_out_keep(n->o, "(%s%s%s)", a, name, c)
             : spice_out_keep(n->o, "(%s%s)", name, a);
}

static const char *choice_text(Nodes *n, const HyNode *node)
{
  const HyNode *mode = &n->b->node[node->a];
  const char *z = mode->op == HY_X_MODE && mode->a == mode->c ? node_text(n, mode->a) : NULL;
  if (mode->op != HY_X_MODE || mode->a != mode->c) {
    return fail(n->o, "%s has a memory; SPICE has none in a formula",
                hy_component(n->block->model, n->block->component)->name);
  }
  const char *yes = z != NULL ? node_text(n, node->b) : NULL,
             *no = yes != NULL ? node_text(n, node->c) : NULL;
  return no != NULL ? spice_out_keep(n->o, "(%s > 0 ? %s : %s)", z, yes, no) : NULL;
}

static const char *node_text(Nodes *n, HyX x)
{
  const HyNode *node = &n->b->node[x];
  if (n->text[x] == NULL) {
    n->text[x] = node->op == HY_X_CONST    ? number(n->o, node->v)
                 : node->op == HY_X_IN     ? input_text(n, node->a)
                 : node->op == HY_X_SELECT ? choice_text(n, node)
                 : node->op < HY_X_CONST
                     ? operation_text(n, node)
                     : fail(n->o, "%s cannot be written as a formula",
                            hy_component(n->block->model, n->block->component)->name);
  }
  if (n->text[x] != NULL && strlen(n->text[x]) > MOST_TEXT) {
    return fail(n->o, "its formula is too long for SPICE");
  }
  return n->text[x];
}

/* What the block computes, as nodes of B; OUT: for each port. */
static gboolean described(const Block *block, HyXBuilder *b, HyX *out)
{
  const HyComponent *c = hy_component(block->model, block->component);
  gsize size = hy_class_params_size(block->klass), held;
  g_autofree guint8 *state = g_malloc0(MAX(block->klass->state_size, size) + 1);
  const guint8 *image = hy_component_image(block->model, block->component, &held);
  if (image != NULL) {
    memcpy(state, image, MIN(held, size));
  }
  return hy_x_describe(b, block->klass, state, c->n_in, c->n_out, NULL, out, NULL);
}

/* What block B computes at once at PORT. */
static const char *expression_text(SpiceOut *o, const Block *block, guint port)
{
  const HyComponent *c = hy_component(block->model, block->component);
  g_autoptr(HyXBuilder) b = hy_x_builder_new();
  g_autofree HyX *out = g_new0(HyX, (gsize)c->n_out + 1);
  if (!described(block, b, out)) {
    return fail(o, "%s cannot be written as a formula", c->name);
  }
  g_autofree const char **text = g_new0(const char *, (gsize)b->n + 1);
  Nodes n = {o, block, b, text};
  return node_text(&n, hy_x_number(b, out[port]));
}

/* A source of its own, at a node. */
static const char *source_text(SpiceOut *o, const Block *b, guint slot, const char *wave)
{
  const char *name = hy_component(b->model, b->component)->name;
  const char *node = spice_out_name(o, spice_out_keep(o, "signal/%s#%u", name, slot), 0);
  g_string_append_printf(o->signals, "V%s %s 0 %s\n", node, node, wave);
  return spice_out_keep(o, "v(%s)", node);
}

/* A pwm whose duty is a signal: on while a carrier of its own is below that. */
static const char *pwm_text(SpiceOut *o, const Block *b)
{
  double period = real(b, "period"), start = real(b, "phase");
  start -= period * ceil(start / period); /* at 0 or in the period before */
  o->period = fmin(o->period, period);
  const char *duty = slot_text(o, o->sources.slot[o->sources.first[b->atomic]]);
  if (duty == NULL) {
    return NULL;
  }
  const char *phase = spice_out_keep(o, "((time + %.15g)/%.15g)", -start, period);
  const char *saw = spice_out_keep(o, "(%s - floor(%s))", phase, phase);
  const char *carrier = is_triangle(b) ? spice_out_keep(o, "(1 - abs(2*%s - 1))", saw) : saw;
  return spice_out_keep(o, "(%s > %s ? 1 : 0)", duty, carrier);
}

static const char *block_text(SpiceOut *o, guint slot)
{
  guint atomic = o->flat->owner[slot], port = slot - o->flat->first_out[atomic];
  Block b = block_of(o, atomic);
  const char *name = hy_component(b.model, b.component)->name;
  if (is(&b, "clock")) {
    return "time";
  }
  const char *wave = wave_of(o, &b, port);
  if (wave != NULL || o->failed) {
    return wave == NULL || !g_ascii_isalpha(*wave) ? wave : source_text(o, &b, slot, wave);
  }
  if (is(&b, "pwm")) {
    return pwm_text(o, &b);
  }
  if (b.klass->describe == NULL) {
    return fail(o,
                "%s (%s) has no counterpart in SPICE; only sources, formulas and readings of the "
                "circuit have",
                name, b.klass->name);
  }
  return expression_text(o, &b, port);
}

static const char *slot_text(SpiceOut *o, guint slot)
{
  gpointer key = GUINT_TO_POINTER(slot + 1);
  const char *text = g_hash_table_lookup(o->said, key);
  const HyNetReading *r = g_hash_table_lookup(o->readings, key);
  if (text != NULL) {
    return text;
  }
  if (r != NULL) {
    text = r->element != NULL ? spice_out_current(o, r->element)
                              : spice_out_voltage(o, r->plus, r->minus);
  } else if (slot >= o->flat->first_out[o->flat->n]) {
    text = fail(o, "an input port of the model has no counterpart in SPICE");
  } else if (++o->deep > MOST_DEEP) {
    text = fail(o, "more than %d blocks behind one another", MOST_DEEP);
  } else {
    text = block_text(o, slot);
    o->deep--;
  }
  if (text != NULL) {
    g_hash_table_insert(o->said, key, hy_key(text));
  }
  return text;
}

guint spice_out_slot(const SpiceOut *o, const HyNetSignal *s)
{
  return o->flat->first_out[hy_component(s->model, s->component)->number] + s->port;
}

const char *spice_out_signal(SpiceOut *o, const HyNetSignal *s)
{
  return s->model == NULL ? number(o, s->number) : slot_text(o, spice_out_slot(o, s));
}

/* The slot that function B passes on as it is; HY_NO_SOURCE: it computes. */
static guint passed(SpiceOut *o, const Block *block)
{
  g_autoptr(HyXBuilder) b = hy_x_builder_new();
  HyX out;
  if (!is(block, "function") || !described(block, b, &out) || b->node[out].op != HY_X_IN) {
    return HY_NO_SOURCE;
  }
  return o->sources.slot[o->sources.first[block->atomic] + b->node[out].a];
}

/* Behind functions that only pass on. */
const char *spice_out_wave(SpiceOut *o, const HyNetSignal *s)
{
  if (s->model == NULL) {
    return number(o, s->number);
  }
  guint slot = spice_out_slot(o, s);
  while (slot < o->flat->first_out[o->flat->n] &&
         !g_hash_table_contains(o->readings, GUINT_TO_POINTER(slot + 1))) {
    guint atomic = o->flat->owner[slot];
    Block b = block_of(o, atomic);
    guint next = passed(o, &b);
    if (next == HY_NO_SOURCE) {
      return wave_of(o, &b, slot - o->flat->first_out[atomic]);
    }
    slot = next;
  }
  return NULL;
}
