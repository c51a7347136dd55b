/* On delay: follows a signal upwards `time` later, and downwards at once; a rise that does not last
 * so long is not seen. */
#include "atomics.h"
#include "hybrid/detector.h"
#include "sources/wave.h"

typedef struct {
  HyDetector d; /* first; of in and 0.5 */
  double time;
  double since; /* when in rose; infinity while it is below */
  double now;   /* of the last transition */
  gboolean on, spoken;
} OnDelay;

static void see(OnDelay *s, double t)
{
  s->since = s->d.in.known && s->d.cross.sign > 0 ? t : INFINITY;
}

static gboolean on_delay_init(void *state, double t, const HySetup *setup, GError **error)
{
  OnDelay *s = state;
  s->d.level = 0.5;
  s->d.direction = "both";
  s->now = t;
  gboolean ok = hy_wave_finite("time", s->time, error) && hy_detector_init(&s->d, t, setup, error);
  see(s, t);
  return ok;
}

static double on_delay_next(const void *state)
{
  const OnDelay *s = state;
  double rise = s->on ? INFINITY : s->since + s->time;
  gboolean first = s->d.in.known && !s->spoken;
  return hy_fault_next(&s->d.fault, first ? s->now : fmin(s->d.cross.tn, rise));
}

/* The internal transition; TRUE: it speaks. */
static gboolean step(OnDelay *s, double t)
{
  s->now = t;
  if (hy_fault_stands(&s->d.fault, t)) {
    return FALSE;
  }
  if (t >= s->d.cross.tn) {
    hy_detector_toggle(&s->d, t);
    see(s, t);
  }
  gboolean on = s->since + s->time <= t, news = !s->spoken || on != s->on;
  s->on = on;
  s->spoken = TRUE;
  return news;
}

/* DEVS sends before it moves: step a copy. */
static HyEvent on_delay_lambda(const void *state, double t)
{
  OnDelay s = *(const OnDelay *)state;
  return step(&s, t) ? (HyEvent){.port = 0, .value.c = {s.on}} : HY_NO_EVENT;
}

static void on_delay_dint(void *state, double t)
{
  step(state, t);
}

static void on_delay_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  OnDelay *s = state;
  gboolean known = s->d.in.known;
  s->now = t;
  hy_detector_input(&s->d, t, &x->value);
  if (!known) {
    see(s, t);
  }
}

static void on_delay_tape(void *state, HyTape *tape)
{
  OnDelay *s = state;
  hy_detector_tape(&s->d, tape);
  HY_TAPE(tape, s->since);
  HY_TAPE(tape, s->now);
  HY_TAPE(tape, s->on);
  HY_TAPE(tape, s->spoken);
}

static const HyPort on_delay_in[] = {
    {.name = "in", .kind = HY_SIGNAL, .doc = "above 0.5 is on"},
    {.name = NULL},
};
static const HyParam on_delay_params[] = {
    HY_PARAM(OnDelay, time, .required = TRUE, .range = HY_NOT_NEGATIVE, .unit = "s",
             .doc = "how long in has been above 0.5 when out rises"),
    {.name = NULL},
};
const HyAtomicClass hy_on_delay_class = {
    .name = "on_delay",
    .doc = "1 while in is above 0.5, and has been for `time`; else 0",
    .palette = "Hybrid",
    .example = "<on_delay name=\"high\" in=\"gate\" time=\"1u\"/>",
    .in = on_delay_in,
    .out = hy_wave_out,
    .params = on_delay_params,
    .state_size = sizeof(OnDelay),
    .init = on_delay_init,
    .next = on_delay_next,
    .lambda = on_delay_lambda,
    .dint = on_delay_dint,
    .dext = on_delay_dext,
    .tape = on_delay_tape,
    .print = hy_detector_print,
    .fault = hy_detector_fault,
};
