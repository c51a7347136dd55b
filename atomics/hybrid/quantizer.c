/* Quantizer: the largest multiple of dq that is not above in. Each level is left upwards where the
 * next one begins, downwards `hysteresis` below itself. */
#include "atomics.h"
#include "equations/meetings.h"
#include "expr/tape_parts.h"
#include "hydevs/trace.h"
#include "input.h"
#include "numerics/crossing.h"
#include "sources/wave.h"

typedef struct {
  double dq, hysteresis;
  HySignal in;
  HyFault fault;
  double level;        /* out is level dq */
  HyCrossing up, down; /* of in and the two ends of the level */
  double now;          /* of the last transition */
  gboolean news;       /* the level has not been said */
  HyRoom *room;
  HyMeeting *rises, *falls; /* of in and the two ends; NULL: there is nobody who could look */
} Quantizer;

/* A group knows when in leaves its level (equations/meetings.h). */
static gboolean is_led(const Quantizer *s)
{
  return s->rises != NULL && s->rises->live && s->falls->live;
}

static double upper(const Quantizer *s)
{
  return (s->level + 1) * s->dq;
}

static double lower(const Quantizer *s)
{
  return s->level * s->dq - s->hysteresis;
}

static void read_in(Quantizer *s, double t)
{
  hy_room_read_meeting(s->room, s->rises, t, s->in.c);
  s->in.t = t;
  s->in.known = TRUE;
}

static void watch(const Quantizer *s, HyCrossing *c, double t, int side, double end)
{
  double z[4];
  hy_signal_at(&s->in, t, z);
  z[0] -= end;
  hy_crossing_start(c, t, z, (int)s->in.n, side);
}

static void settle(Quantizer *s, double t)
{
  s->level = floor(hy_signal_value(&s->in, t) / s->dq);
  watch(s, &s->up, t, -1, upper(s));
  watch(s, &s->down, t, 1, lower(s));
}

/* X is at END, but for rounding. */
static gboolean is_at(const Quantizer *s, double x, double end)
{
  return fabs(x - end) <= 1e-9 * fmax(fabs(x), s->dq);
}

/* Without hysteresis the end that in has just passed is one of both levels, and its crossing goes
 * on: it knows what it has done at this instant, and how large the numbers are that it is the
 * difference of. One that began anew would take a touch for a crossing again and again. */
static void pass(Quantizer *s, HyCrossing *from, HyCrossing *to, double t, double end)
{
  *to = *from;
  to->size = fmax(to->size, fmax(s->dq, fabs(end)));
  to->past = 0;
  hy_crossing_toggle(to, t);
}

static gboolean is_met(const HyMeeting *m, double t)
{
  return m->found && t >= m->at;
}

/* An end is reached: by motion it is the next level; after a jump, the one where in is. */
static void leave(Quantizer *s, double t)
{
  gboolean rises = is_led(s) ? is_met(s->rises, t) : s->up.tn <= s->down.tn;
  double end = rises ? upper(s) : lower(s), x = hy_signal_value(&s->in, t);
  if (!is_at(s, x, end)) {
    settle(s, t);
    return;
  }
  s->level += rises ? 1 : -1;
  HyCrossing *ahead = rises ? &s->up : &s->down, *behind = rises ? &s->down : &s->up;
  double left = rises ? lower(s) : upper(s);
  if (is_at(s, left, end)) {
    pass(s, ahead, behind, t, end);
  } else {
    watch(s, behind, t, rises ? 1 : -1, left);
  }
  watch(s, ahead, t, rises ? -1 : 1, rises ? upper(s) : lower(s));
}

static gboolean quantizer_init(void *state, double t, const HySetup *setup, GError **error)
{
  Quantizer *s = state;
  s->up.tn = s->down.tn = INFINITY;
  s->now = t;
  s->room = setup->room;
  if (setup->room != NULL && setup->input[0] == HY_WIRED) {
    s->rises = hy_room_add_meeting(setup->room, setup->number, 0);
    s->falls = hy_room_add_meeting(setup->room, setup->number, 0);
  }
  if (!hy_wave_finite("dq", s->dq, error) || !hy_wave_finite("hysteresis", s->hysteresis, error) ||
      !hy_signal_init(&s->in, t, setup, 0, error)) {
    return FALSE;
  }
  if (s->in.known) {
    settle(s, t);
    s->news = TRUE;
  }
  return TRUE;
}

static double quantizer_next(const void *state)
{
  const Quantizer *s = state;
  double end = is_led(s) ? fmin(s->rises->at, s->falls->at) : fmin(s->up.tn, s->down.tn);
  return hy_fault_next(&s->fault, s->news ? s->now : end);
}

/* The first step of these is that the group has begun. */
static gboolean step_led(Quantizer *s, double t)
{
  gboolean news = s->news;
  if (!s->in.known) {
    read_in(s, t);
    settle(s, t);
    news = TRUE;
  } else if (!news && (is_met(s->rises, t) || is_met(s->falls, t))) {
    read_in(s, t);
    leave(s, t);
    news = TRUE;
  }
  s->news = FALSE;
  return news;
}

/* The internal transition; TRUE: it speaks. */
static gboolean step(Quantizer *s, double t)
{
  s->now = t;
  if (hy_fault_stands(&s->fault, t)) {
    return FALSE;
  }
  if (is_led(s)) {
    return step_led(s, t);
  }
  if (!s->news) {
    leave(s, t);
  }
  s->news = FALSE;
  return TRUE;
}

/* DEVS sends before it moves: step a copy. */
static HyEvent quantizer_lambda(const void *state, double t)
{
  Quantizer s = *(const Quantizer *)state;
  return step(&s, t) ? (HyEvent){.port = 0, .value.c = {s.level * s.dq}} : HY_NO_EVENT;
}

static void ask_for(const Quantizer *s, HyMeeting *m, double t, gboolean above, double end)
{
  m->from = t;
  m->value = end;
  m->slope = m->margin = 0.0;
  m->until = INFINITY;
  m->above = above != FALSE;
  m->met = NAN;
  hy_room_meet(s->room, m, t);
}

static void quantizer_dint(void *state, double t)
{
  Quantizer *s = state;
  step(s, t);
  if (is_led(s) && !s->fault.wrong) {
    ask_for(s, s->rises, t, FALSE, upper(s));
    ask_for(s, s->falls, t, TRUE, lower(s));
  }
}

static void quantizer_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  Quantizer *s = state;
  double z[4];
  if (is_led(s) || hy_fault_stands(&s->fault, t)) {
    return;
  }
  gboolean first = !s->in.known || s->fault.wrong;
  s->now = t;
  hy_signal_take(&s->in, t, &x->value);
  hy_fault_set(&s->fault, t, !hy_signal_finite(&s->in));
  if (s->fault.wrong) {
    s->up.tn = s->down.tn = INFINITY;
  } else if (first) {
    settle(s, t);
    s->news = TRUE;
  } else {
    hy_signal_at(&s->in, t, z);
    z[0] = s->in.c[0] - upper(s);
    hy_crossing_input(&s->up, t, z, (int)s->in.n);
    z[0] = s->in.c[0] - lower(s);
    hy_crossing_input(&s->down, t, z, (int)s->in.n);
  }
}

static void quantizer_tape(void *state, HyTape *tape)
{
  Quantizer *s = state;
  hy_signal_tape(&s->in, tape);
  hy_tape_fault(tape, &s->fault);
  HY_TAPE(tape, s->level);
  hy_tape_crossing(tape, &s->up);
  hy_tape_crossing(tape, &s->down);
  HY_TAPE(tape, s->now);
  HY_TAPE(tape, s->news);
}

static void quantizer_print(const void *state, GString *out)
{
  const Quantizer *s = state;
  char level[HY_DOUBLE_SIZE];
  g_string_append_printf(out, "(%s)", hy_double_text(level, s->level * s->dq));
}

static char *quantizer_fault(const void *state)
{
  const Quantizer *s = state;
  return hy_signal_fault(&s->in, "in", &s->fault);
}

static const HyPort quantizer_in[] = {
    {.name = "in", .kind = HY_SIGNAL, .doc = "what is rounded down"},
    {.name = NULL},
};
static const HyParam quantizer_params[] = {
    HY_PARAM(Quantizer, dq, .value = 1, .range = HY_POSITIVE, .doc = "of a step"),
    HY_PARAM(Quantizer, hysteresis, .range = HY_NOT_NEGATIVE,
             .doc = "how far below a level it is left downwards"),
    {.name = NULL},
};
const HyAtomicClass hy_quantizer_class = {
    .name = "quantizer",
    .doc = "in, in steps of width dq",
    .palette = "Hybrid",
    .example = "<quantizer name=\"adc\" in=\"u\" dq=\"10m\"/>",
    .in = quantizer_in,
    .out = hy_wave_out,
    .params = quantizer_params,
    .state_size = sizeof(Quantizer),
    .init = quantizer_init,
    .next = quantizer_next,
    .lambda = quantizer_lambda,
    .dint = quantizer_dint,
    .dext = quantizer_dext,
    .tape = quantizer_tape,
    .print = quantizer_print,
    .fault = quantizer_fault,
};
