/* V: which of two a valve or a hysteresis is, against the sign that decides it, from states as they
 * are; of states that are held from what they have said, for that is what they have promised.
 * Blocking is judged in volts: what is too much in amperes through an open switch is little.
 *
 * Wrong is what is wrong at the beginning, in the middle and at the end of a stretch, and for
 * longer than a billionth of the run: a crossing is found to a rounding of the time, not better. */
#include "look.h"

#include <string.h>

#define POINTS 3
static const double points[POINTS] = {0.05, 0.5, 0.95};
#define SHORTEST 1e-9

enum { CURRENT, GATE }; /* inputs of valves */

typedef struct {
  HyBall *value[POINTS]; /* [slots] */
  double *blocked;       /* [blocks]: the largest voltage that it has blocked */
  GArray *part;          /* guint: blocks with modes */
  HyAuditCone cone;      /* of one of them, where not all is looked at */
} Modes;

static gpointer begin(HyAudit *a)
{
  Modes *m = g_new0(Modes, 1);
  for (int k = 0; k < POINTS; k++) {
    m->value[k] = g_new0(HyBall, (gsize)a->plan->n_out + 1);
  }
  m->blocked = g_new0(double, (gsize)a->plan->n + 1);
  m->part = g_array_new(FALSE, FALSE, sizeof(guint));
  for (guint k = 0; k < a->plan->n; k++) {
    if (a->plan->block[k].role == HY_AUDIT_MODE) {
      g_array_append_val(m->part, k);
    }
  }
  hy_audit_cone_init(&m->cone, a->plan);
  return m;
}

static void clear(gpointer own)
{
  Modes *m = own;
  for (int k = 0; k < POINTS; k++) {
    g_free(m->value[k]);
  }
  g_free(m->blocked);
  g_array_unref(m->part);
  hy_audit_cone_clear(&m->cone);
  g_free(m);
}

/* What one point says: how far it is on the wrong side, beyond what is allowed. */
typedef struct {
  gboolean known, wrong;
  double is, should, allowed;
  const char *what;
} Verdict;

static Verdict nothing_known(void)
{
  return (Verdict){.known = FALSE};
}

/* IN should be below LEVEL, or above it. */
static Verdict beyond(HyBall in, double level, gboolean below, double q, const char *what)
{
  double off = below ? in.v - level : level - in.v, allowed = HY_AUDIT_BAR * q + in.e;
  return (Verdict){.known = isfinite(allowed) && !isnan(in.v),
                   .wrong = off > allowed,
                   .is = in.v,
                   .should = level,
                   .allowed = allowed,
                   .what = what};
}

/* The tolerance of what comes at an input. */
static double tolerance_of(HyAudit *a, guint block, guint k, double v)
{
  guint slot = a->plan->input[a->plan->block[block].first_in + k].slot;
  return slot < a->plan->n_out ? hy_audit_tolerance(a, slot, v) : 0;
}

static Verdict judge_gate(HyAudit *a, guint block, HyBall gate, gboolean on)
{
  return beyond(gate, 0.5, !on, tolerance_of(a, block, GATE, gate.v),
                on ? "on, with its gate at" : "off, with its gate at");
}

/* One that follows the sign of its current; the lines of on and off meet at KNEE. */
static Verdict judge_current(HyAudit *a, Modes *m, guint block, HyBall i, gboolean on, double knee,
                             double roff)
{
  Verdict v = {.known = isfinite(i.e) && !isnan(i.v),
               .what = "conducts, and should block: its current"};
  double q = tolerance_of(a, block, CURRENT, i.v);
  if (on) {
    v.is = i.v;
    v.should = knee;
    v.allowed = MAX(2e-3 * fabs(i.v), 2 * q) + i.e;
    v.wrong = knee - i.v > v.allowed;
    return v;
  }
  v.is = (i.v - knee) * roff;
  v.allowed = MAX(1e-3 * m->blocked[block], 1e-6) + roff * i.e;
  v.wrong = v.is > v.allowed;
  v.what = "blocks, and should conduct: its forward voltage";
  if (v.known) {
    m->blocked[block] = MAX(m->blocked[block], -v.is);
  }
  return v;
}

static Verdict judge_hysteresis(HyAudit *a, const HyAuditBlock *b, guint block, HyBall in,
                                double said)
{
  const double *number = b->params.number;
  gboolean high = said == number[3];
  if (number[2] == number[3]) { /* it says one number, whichever it is */
    return nothing_known();
  }
  double q = tolerance_of(a, block, 0, in.v);
  return high ? beyond(in, number[0], FALSE, q, "high, with its input below the lower level at")
              : beyond(in, number[1], TRUE, q, "low, with its input above the upper level at");
}

static gboolean is_on(const HyBall *value, guint slot)
{
  return value[slot].v > 0.5;
}

static Verdict judge_valve(HyAudit *a, Modes *m, guint block, const HyBall *value)
{
  const HyAuditBlock *b = &a->plan->block[block];
  char kind = hy_audit_kind(a, block);
  HyBall i = hy_audit_input(a, value, block, CURRENT), gate = hy_audit_input(a, value, block, GATE);
  gboolean on = is_on(value, b->first_out);
  double knee = b->params.number[2], roff = b->params.number[1];
  if (kind == 's') {
    return judge_gate(a, block, gate, on);
  }
  if (kind == 't' && !on && !(gate.v > 0.5)) {
    return nothing_known();
  }
  return judge_current(a, m, block, i, on, knee, roff);
}

/* The channel, and its body while that is open. */
static Verdict judge_transistor(HyAudit *a, Modes *m, guint block, const HyBall *value)
{
  const HyAuditBlock *b = &a->plan->block[block];
  HyBall i = hy_audit_input(a, value, block, CURRENT), gate = hy_audit_input(a, value, block, GATE);
  gboolean open = is_on(value, b->first_out), body = is_on(value, b->first_out + 3);
  Verdict v = judge_gate(a, block, gate, open);
  if (v.wrong || !v.known || open || gate.v > 0.5) {
    return v;
  }
  return judge_current(a, m, block, i, body, b->params.number[3], b->params.number[2]);
}

static Verdict judge(HyAudit *a, Modes *m, guint block, const HyBall *value)
{
  const HyAuditBlock *b = &a->plan->block[block];
  if (isnan(value[b->first_out].v) || hy_audit_rests(a, block)) {
    return nothing_known();
  }
  if (strcmp(b->klass->name, "hysteresis") == 0) {
    return judge_hysteresis(a, b, block, hy_audit_input(a, value, block, 0), value[b->first_out].v);
  }
  return strcmp(b->klass->name, "valve") == 0 ? judge_valve(a, m, block, value)
                                              : judge_transistor(a, m, block, value);
}

/* What a valve says of its resistance and conductance follows from which it is, to the bit. */
static void judge_resistance(HyAudit *a, guint block, const HyBall *value, guint first, double ron,
                             double roff, const HyAuditStretch *s)
{
  guint slot = a->plan->block[block].first_out + first;
  double r = is_on(value, slot) ? ron : roff, said[] = {value[slot + 1].v, 1 / value[slot + 2].v};
  for (guint k = 0; k < G_N_ELEMENTS(said); k++) {
    if (!isnan(said[k]) && !isnan(value[slot].v) && !(fabs(said[k] - r) <= 1e-14 * r)) {
      hy_audit_breach(a, block, s->t0, s->t1, said[k], r, 1e-14 * r, "its resistance is");
    }
  }
}

static void judge_resistances(HyAudit *a, guint block, const HyBall *value, const HyAuditStretch *s)
{
  const double *number = a->plan->block[block].params.number;
  if (strcmp(a->plan->block[block].klass->name, "valve") == 0) {
    judge_resistance(a, block, value, 0, number[0], number[1], s);
  } else if (strcmp(a->plan->block[block].klass->name, "transistor") == 0) {
    judge_resistance(a, block, value, 0, number[0], number[2], s);
    judge_resistance(a, block, value, 3, number[1], number[2], s);
  }
}

static void look_at_block(HyAudit *a, Modes *m, guint block, const HyAuditStretch *s)
{
  Verdict v = {.known = TRUE, .wrong = TRUE}, worst = {0};
  for (int k = 0; k < POINTS; k++) {
    Verdict here = judge(a, m, block, m->value[k]);
    v.known = v.known && here.known;
    v.wrong = v.wrong && here.wrong;
    worst = k == 0 || fabs(here.is) > fabs(worst.is) ? here : worst;
  }
  hy_audit_judged(a, v.known);
  judge_resistances(a, block, m->value[1], s);
  if (v.known && v.wrong) {
    hy_audit_breach(a, block, s->t0, s->t1, worst.is, worst.should, worst.allowed, worst.what);
  }
}

static gboolean is_long(const HyAudit *a, const HyAuditStretch *s)
{
  return s->t1 - s->t0 > SHORTEST * (a->tf - a->t0);
}

static void look(HyAudit *a, gpointer own, const HyAuditStretch *s)
{
  Modes *m = own;
  if (m->part->len == 0 || !is_long(a, s)) {
    return;
  }
  for (int k = 0; k < POINTS; k++) {
    hy_audit_view(a, HY_AUDIT_TAKEN, s->t0 + points[k] * (s->t1 - s->t0), m->value[k]);
  }
  for (guint k = 0; k < m->part->len; k++) {
    look_at_block(a, m, g_array_index(m->part, guint, k), s);
  }
}

/* Parts ---------------------------------------------------------------------------------------- */

static guint parts(HyAudit *a, gpointer own)
{
  (void)a;
  return ((Modes *)own)->part->len;
}

static double ready(HyAudit *a, gpointer own, guint k)
{
  Modes *m = own;
  hy_audit_cone_of(&m->cone, a->plan, g_array_index(m->part, guint, k));
  return POINTS * hy_audit_cost(a, &m->cone);
}

static void look_at_part(HyAudit *a, gpointer own, guint number, const HyAuditStretch *s)
{
  Modes *m = own;
  if (!is_long(a, s)) {
    return;
  }
  for (int k = 0; k < POINTS; k++) {
    hy_audit_view_cone(a, HY_AUDIT_TAKEN, s->t0 + points[k] * (s->t1 - s->t0), &m->cone,
                       m->value[k]);
  }
  look_at_block(a, m, g_array_index(m->part, guint, number), s);
}

const HyAuditCheck hy_audit_modes = {.name = "V",
                                     .doc = "modes, against the signs that decide them",
                                     .begin = begin,
                                     .free = clear,
                                     .look = look,
                                     .parts = parts,
                                     .ready = ready,
                                     .part = look_at_part};
