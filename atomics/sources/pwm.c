/* PWM: compares a carrier with duty. With a duty that does not change the edges are beats
 * as such; with one that moves they are crossings of duty and carrier. Where the duty is made of
 * the states of a group that is solved exactly, that group knows when they are
 * (equations/meetings.h), and what is said of the duty in pieces does not matter. */
#include "atomics.h"
#include "equations/meetings.h"
#include "expr/tape_parts.h"
#include "hydevs/error.h"
#include "hydevs/trace.h"
#include "input.h"
#include "numerics/beats.h"
#include "numerics/crossing.h"
#include "sources/wave.h"

/* How far a duty may be outside 0 .. 1: what rounding leaves of a sum that a controller makes, and
 * an edge that a billionth of a period would move. It counts as the end that it is beyond; and as
 * much beside the carrier, where a comparison begins, as equal. */
static const double rounding = 1e-9;

typedef struct {
  double period, start;
  const char *carrier;

  gboolean triangle;
  HyBeats beats;
  HyRatio part; /* of the last edge of a duty that rests */
  double k;     /* the period we are in */
  int half;     /* and, of a triangle, the part of it: 0 rising, 1 falling */
  HySignal duty;
  HyFault fault;
  HyCrossing cross;          /* of duty - carrier, while duty moves */
  gboolean on, sent, spoken; /* as it is, as the last event said, whether there was one */
  double toggle;             /* the next edge within the part, or infinity */
  HyRoom *room;
  HyMeeting *meets; /* of duty and carrier; NULL: there is nobody who could look for it */
  double now;       /* of the last transition, */
  double met;       /* which was an edge; else NaN */
} Pwm;

/* A part is where the carrier is one straight line: a period, or half of one. */
static double part_begin(const Pwm *s)
{
  return hy_beat(&s->beats, s->k, (HyRatio){s->half ? 0.5 : 0.0, 0.0});
}

static double part_end(const Pwm *s)
{
  gboolean middle = s->triangle && s->half == 0;
  return hy_beat(&s->beats, middle ? s->k : s->k + 1, (HyRatio){middle ? 0.5 : 0.0, 0.0});
}

/* Where in the part a resting duty meets the carrier. */
static double edge(Pwm *s, double duty)
{
  double part = !s->triangle ? duty : s->half ? 1 - duty / 2 : duty / 2;
  if (part != s->part.h) { /* mostly what it was */
    s->part = hy_ratio(part);
  }
  return hy_beat(&s->beats, s->k, s->part);
}

static gboolean rests(const Pwm *s)
{
  return s->duty.c[1] == 0 && s->duty.c[2] == 0 && s->duty.c[3] == 0;
}

/* A group looks for the edges. */
static gboolean is_led(const Pwm *s)
{
  return s->meets != NULL && s->meets->live;
}

static double next_edge(const Pwm *s)
{
  return is_led(s) ? s->meets->at : s->toggle;
}

static void difference(const Pwm *s, double t, double *z)
{
  double slope = (s->triangle ? 2 : 1) / s->period;
  hy_signal_at(&s->duty, t, z);
  double carrier = slope * (t - part_begin(s));
  z[0] -= s->half ? 1 - carrier : carrier;
  z[1] -= s->half ? -slope : slope;
}

/* On a falling carrier the output is on after the edge, else before it. */
static void see_resting(Pwm *s, double t)
{
  double d = s->duty.c[0], at = edge(s, d);
  gboolean falling = s->half;
  gboolean before = t < at;
  s->on = d >= 1 || (d > 0 && before != falling);
  s->toggle = before && d > 0 && d < 1 ? at : INFINITY;
}

/* Where a part begins: equal by rounding is equal, and then the slopes decide. */
static void start_part(Pwm *s, double t, double *z)
{
  z[0] = fabs(z[0]) <= rounding ? 0 : z[0];
  hy_crossing_start(&s->cross, t, z, 4, 0);
}

static void read_duty(Pwm *s, double t)
{
  hy_room_read_meeting(s->room, s->meets, t, s->duty.c);
  s->duty.t = t;
  s->duty.known = TRUE;
}

/* The signal or the part is new. */
static void see(Pwm *s, double t, gboolean part)
{
  double z[4];
  if (is_led(s)) {
    read_duty(s, t);
  }
  double d = hy_signal_value(&s->duty, t);
  s->toggle = INFINITY;
  gboolean inside = d >= -rounding && d <= 1 + rounding;
  hy_fault_set(&s->fault, t, s->duty.known && !(inside && hy_signal_finite(&s->duty)));
  if (!s->duty.known || s->fault.wrong) {
    return;
  }
  if (rests(s) && !is_led(s)) {
    see_resting(s, t);
    s->cross.n = 0;
    return;
  }
  difference(s, t, z);
  if (part || s->cross.n == 0) {
    start_part(s, t, z);
  } else if (is_led(s)) {
    return;
  } else {
    hy_crossing_input(&s->cross, t, z, 4);
  }
  s->on = s->cross.sign > 0;
  s->toggle = s->cross.tn;
}

static gboolean pwm_init(void *state, double t, const HySetup *setup, GError **error)
{
  Pwm *s = state;
  s->triangle = s->carrier[0] == 't';
  s->now = t;
  if (!hy_beats_countable(s->period, t) || !hy_beats_countable(s->period, s->start)) {
    char text[HY_DOUBLE_SIZE];
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "a period of %s s cannot be counted here",
                hy_double_text(text, s->period));
    return FALSE;
  }
  if (!hy_signal_init(&s->duty, t, setup, 0, error)) {
    return FALSE;
  }
  s->room = setup->room;
  if (setup->room != NULL && setup->input[0] == HY_WIRED) {
    s->meets = hy_room_add_meeting(setup->room, setup->number, 0);
  }
  s->beats = hy_beats(s->period, s->start);
  s->k = hy_beat_before(&s->beats, (HyRatio){0.0, 0.0}, t);
  s->half = s->triangle && t >= hy_beat(&s->beats, s->k, (HyRatio){0.5, 0.0});
  see(s, t, TRUE);
  return TRUE;
}

/* What is, has not been said. */
static gboolean speaks(const Pwm *s)
{
  return s->duty.known && !s->fault.wrong && (!s->spoken || s->on != s->sent);
}

static double pwm_next(const void *state)
{
  const Pwm *s = state;
  return hy_fault_next(&s->fault, speaks(s) ? s->now : fmin(next_edge(s), part_end(s)));
}

static void next_part(Pwm *s)
{
  if (s->triangle && s->half == 0) {
    s->half = 1;
  } else {
    s->half = 0;
    s->k++;
  }
}

static void toggle(Pwm *s, double t)
{
  s->on = !s->on;
  s->met = t;
  s->toggle = INFINITY;
  if (s->cross.n > 0 && !is_led(s)) {
    hy_crossing_toggle(&s->cross, t);
    s->toggle = s->cross.tn;
  }
}

/* The internal transition; TRUE: it speaks. A group may put a duty right after all have spoken. */
static gboolean step(Pwm *s, double t)
{
  s->now = t;
  s->met = NAN;
  if (is_led(s) && s->fault.wrong) {
    see(s, t, TRUE);
  }
  if (hy_fault_stands(&s->fault, t)) {
    return FALSE;
  }
  if (!speaks(s) && t == next_edge(s) && is_led(s) && !s->meets->found) {
    see(s, t, FALSE);
  } else if (!speaks(s) && t == next_edge(s)) {
    toggle(s, t);
  } else if (!speaks(s) && t >= part_end(s)) {
    next_part(s);
    see(s, t, TRUE);
  }
  gboolean news = speaks(s);
  s->sent = s->on;
  s->spoken = s->spoken || news;
  return news;
}

/* DEVS sends before it moves: step a copy. */
static HyEvent pwm_lambda(const void *state, double t)
{
  Pwm s = *(const Pwm *)state;
  return step(&s, t) ? (HyEvent){.port = 0, .value.c = {s.on}} : HY_NO_EVENT;
}

/* Is what is to end in this part, and when? Not where the carrier ends, by rounding: what is then,
 * the next part decides. */
static void ask(const Pwm *s, double t)
{
  HyMeeting *m = s->meets;
  double slope = (s->triangle ? 2 : 1) / s->period;
  m->from = part_begin(s);
  m->value = s->half ? 1 : 0;
  m->slope = s->half ? -slope : slope;
  m->until = part_end(s);
  m->margin = rounding;
  m->above = s->on != FALSE;
  m->met = s->met;
  hy_room_meet(s->room, m, t);
}

static void pwm_dint(void *state, double t)
{
  Pwm *s = state;
  step(s, t);
  if (is_led(s) && !s->fault.wrong) {
    ask(s, t);
  }
}

static void pwm_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  Pwm *s = state;
  if (is_led(s) || hy_fault_stands(&s->fault, t)) {
    return;
  }
  s->now = t;
  hy_signal_take(&s->duty, t, &x->value);
  while (part_end(s) <= t) {
    next_part(s);
    s->cross.n = 0;
  }
  see(s, t, FALSE);
}

static void pwm_tape(void *state, HyTape *tape)
{
  Pwm *s = state;
  HY_TAPE(tape, s->k);
  HY_TAPE(tape, s->half);
  hy_signal_tape(&s->duty, tape);
  hy_tape_fault(tape, &s->fault);
  hy_tape_crossing(tape, &s->cross);
  HY_TAPE(tape, s->on);
  HY_TAPE(tape, s->sent);
  HY_TAPE(tape, s->spoken);
  HY_TAPE(tape, s->toggle);
  HY_TAPE(tape, s->now);
  HY_TAPE(tape, s->met);
}

static void pwm_print(const void *state, GString *out)
{
  const Pwm *s = state;
  char duty[HY_DOUBLE_SIZE];
  g_string_append_printf(out, "(%s,duty=%s)", s->on ? "on" : "off",
                         hy_double_text(duty, s->duty.c[0]));
}

static char *pwm_fault(const void *state)
{
  const Pwm *s = state;
  char text[HY_DOUBLE_SIZE];
  return hy_signal_finite(&s->duty)
             ? hy_fault_text(&s->fault, "duty = %s is outside 0 .. 1",
                             hy_double_text(text, hy_signal_value(&s->duty, s->now)))
             : hy_signal_fault(&s->duty, "duty", &s->fault);
}

static const HyPort pwm_in[] = {
    {.name = "duty", .kind = HY_SIGNAL, .doc = "0 .. 1"},
    {.name = NULL},
};
static const HyParam pwm_params[] = {
    HY_PARAM(Pwm, period, .required = TRUE, .range = HY_POSITIVE, .unit = "s",
             .doc = "the switching period"),
    HY_PARAM_AT("phase", Pwm, start, .unit = "s",
                .doc = "the carrier begins at phase + k period, for all k"),
    HY_PARAM(Pwm, carrier, .text = "sawtooth", .choices = "sawtooth triangle",
             .doc = "rises from 0 to 1, or rises and falls"),
    {.name = NULL},
};
const HyAtomicClass hy_pwm_class = {
    .name = "pwm",
    .doc = "1 while the carrier is below duty, else 0; edges at phase + k period",
    .palette = "Sources",
    .example = "<pwm name=\"gate\" period=\"100u\" duty=\"0.35\"/>",
    .in = pwm_in,
    .out = hy_wave_out,
    .params = pwm_params,
    .state_size = sizeof(Pwm),
    .init = pwm_init,
    .next = pwm_next,
    .lambda = pwm_lambda,
    .dint = pwm_dint,
    .dext = pwm_dext,
    .tape = pwm_tape,
    .print = pwm_print,
    .fault = pwm_fault,
};
