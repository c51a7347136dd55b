/* Lever: a value that is moved by hand while the simulation runs (hy_sim_set_lever()): a setting of
 * an operator, an influence from outside, a malfunction. It says its value at the start, and then
 * what a command asks for: another value, or a straight line to it, which takes two events, one for
 * the line and one for the constant at its end. In a model of first order a line is a staircase
 * within max(dqrel |rise|, dqmin) of it. */
#include "atomics.h"
#include "hydevs/error.h"
#include "hydevs/trace.h"
#include "sources/wave.h"

#include <string.h>

typedef struct {
  const char *kind, *doc, *unit;
  double value; /* at the start */
  double lower, upper, rate;
  double dqrel, dqmin;
  guint order;
  /* The line: Y0 at T0, Y1 from T1 on. */
  double t0, t1, y0, y1;
  double slope;
  gboolean hurries;   /* it is as steep as RATE allows */
  double step, steps; /* of a staircase: the one that is due, of so many */
  double due;
  double said; /* the last word, if that was a constant; NaN: it was none */
} Lever;

static const char *const lever_kinds[] = {[HY_LEVER_SETTING] = "setting",
                                          [HY_LEVER_OUTSIDE] = "outside",
                                          [HY_LEVER_MALFUNCTION] = "malfunction"};

static HyLeverKind lever_kind(const Lever *s)
{
  HyLeverKind k = HY_LEVER_SETTING;
  while (k < HY_LEVER_MALFUNCTION && strcmp(lever_kinds[k], s->kind) != 0) {
    k++;
  }
  return k;
}

static double lever_at(const Lever *s, double t)
{
  if (t >= s->t1 || t <= s->t0) {
    return t >= s->t1 ? s->y1 : s->y0;
  }
  return s->y0 + (s->y1 - s->y0) * ((t - s->t0) / (s->t1 - s->t0));
}

static gboolean lever_refuses(GError **error, const char *a, double x, const char *what,
                              const char *b, double y)
{
  char one[HY_DOUBLE_SIZE], two[HY_DOUBLE_SIZE];
  g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s = %s is %s %s = %s", a, hy_double_text(one, x),
              what, b, hy_double_text(two, y));
  return FALSE;
}

/* A malfunction goes from 0 to 1, or not so far. */
static gboolean lever_bound(Lever *s, GError **error)
{
  if (lever_kind(s) == HY_LEVER_MALFUNCTION) {
    if (s->lower < 0.0 && isfinite(s->lower)) {
      return lever_refuses(error, "lower", s->lower, "below", "that of a malfunction", 0.0);
    }
    if (s->upper > 1.0 && isfinite(s->upper)) {
      return lever_refuses(error, "upper", s->upper, "above", "that of a malfunction", 1.0);
    }
    s->lower = fmax(s->lower, 0.0);
    s->upper = fmin(s->upper, 1.0);
  }
  if (!(s->lower <= s->upper)) {
    return lever_refuses(error, "lower", s->lower, "above", "upper", s->upper);
  }
  if (s->value < s->lower) {
    return lever_refuses(error, "value", s->value, "below", "lower", s->lower);
  }
  return s->value <= s->upper ||
         lever_refuses(error, "value", s->value, "above", "upper", s->upper);
}

static gboolean lever_init(void *state, double t, const HySetup *setup, GError **error)
{
  Lever *s = state;
  if (!hy_wave_finite("value", s->value, error) || !lever_bound(s, error)) {
    return FALSE;
  }
  s->order = setup->order;
  s->t0 = s->t1 = s->due = t;
  s->y0 = s->y1 = s->value;
  s->said = NAN;
  return TRUE;
}

static double lever_next(const void *state)
{
  const Lever *s = state;
  return s->due;
}

static HyEvent lever_lambda(const void *state, double t)
{
  const Lever *s = state;
  return (HyEvent){.port = 0,
                   .value.c = {lever_at(s, t), t < s->t1 && s->order > 1 ? s->slope : 0.0}};
}

static double lever_instant(const Lever *s)
{
  return s->step < s->steps ? s->t0 + s->step * ((s->t1 - s->t0) / s->steps) : s->t1;
}

static void lever_dint(void *state, double t)
{
  Lever *s = state;
  gboolean moves = t < s->t1;
  s->said = moves ? NAN : s->y1;
  s->due = INFINITY;
  while (moves && s->step <= s->steps && !(s->due < INFINITY)) {
    double next = lever_instant(s);
    s->due = next > t ? next : INFINITY; /* steps that are no later than this one are left out */
    s->step++;
  }
}

static void lever_info(const void *state, double t, HyLever *lever)
{
  const Lever *s = state;
  *lever = (HyLever){.doc = *s->doc != '\0' ? s->doc : NULL,
                     .unit = *s->unit != '\0' ? s->unit : NULL,
                     .kind = lever_kind(s),
                     .value = lever_at(s, t),
                     .lower = s->lower,
                     .upper = s->upper,
                     .rate = s->rate,
                     .target = s->y1};
}

/* From Y to VALUE, from T on. */
static void lever_go(Lever *s, double t, double y, double value, double ramp)
{
  double time = fmax(ramp, fabs(value - y) / s->rate);
  s->hurries = time > ramp;
  s->t0 = t;
  s->t1 = t + time;
  s->y0 = y;
  s->y1 = value;
  s->slope = s->t1 > t ? (value - y) / (s->t1 - t) : 0.0;
  double rise = fabs(value - y);
  s->step = 1;
  s->steps = s->order > 1 || s->t1 == t ? 1 : ceil(rise / fmax(s->dqrel * rise, s->dqmin));
  s->due = t;
}

/* What it does or is already it is not told again; and what it has been told at this instant and
 * has not said yet was never so. */
static void lever_set(void *state, double t, double value, double ramp)
{
  Lever *s = state;
  gboolean rests = t >= s->t1;
  if (value == s->y1 && (rests || (ramp == 0.0 && s->hurries))) {
    return;
  }
  lever_go(s, t, lever_at(s, t), value, ramp);
  if (s->t1 == t && value == s->said) {
    s->due = INFINITY;
  }
}

static void lever_tape(void *state, HyTape *tape)
{
  Lever *s = state;
  HY_TAPE(tape, s->t0);
  HY_TAPE(tape, s->t1);
  HY_TAPE(tape, s->y0);
  HY_TAPE(tape, s->y1);
  HY_TAPE(tape, s->slope);
  HY_TAPE(tape, s->hurries);
  HY_TAPE(tape, s->step);
  HY_TAPE(tape, s->steps);
  HY_TAPE(tape, s->due);
  HY_TAPE(tape, s->said);
}

static void lever_print(const void *state, GString *out)
{
  const Lever *s = state;
  char y[HY_DOUBLE_SIZE], due[HY_DOUBLE_SIZE];
  g_string_append_printf(out, "(to=%s,next=%s)", hy_double_text(y, s->y1),
                         hy_double_text(due, s->due));
}

static const HyParam lever_params[] = {
    HY_PARAM(Lever, kind, .text = "setting", .choices = "setting outside malfunction",
             .doc = "by whom it is moved; a malfunction goes from 0, whole, to 1"),
    HY_PARAM(Lever, value, .doc = "at the start"),
    HY_PARAM(Lever, lower, .value = -INFINITY, .doc = "it is never set below"),
    HY_PARAM(Lever, upper, .value = INFINITY, .doc = "it is never set above"),
    HY_PARAM(Lever, rate, .value = INFINITY, .range = HY_POSITIVE,
             .doc = "the most that it moves in a second; else it jumps"),
    HY_PARAM(Lever, unit, .text = "", .doc = "of the value"),
    HY_PARAM(Lever, doc, .text = "", .doc = "what it is, for who moves it"),
    HY_DQREL(Lever, dqrel),
    HY_DQMIN(Lever, dqmin),
    {.name = NULL},
};
const HyAtomicClass hy_lever_class = {
    .name = "lever",
    .doc = "a value that is moved while the simulation runs; a constant where nobody does",
    .palette = "Sources",
    .example =
        "<lever name=\"leak\" kind=\"malfunction\" doc=\"of the pipe, part of its section\"/>",
    .out = hy_wave_out,
    .params = lever_params,
    .state_size = sizeof(Lever),
    .init = lever_init,
    .next = lever_next,
    .lambda = lever_lambda,
    .dint = lever_dint,
    .tape = lever_tape,
    .print = lever_print,
    .lever = lever_info,
    .set = lever_set,
};
