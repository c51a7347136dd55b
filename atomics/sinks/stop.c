/* Stop: the run ends when a signal passes a level. */
#include "atomics.h"
#include "hybrid/detector.h"

typedef struct {
  HyDetector d; /* first */
  const char *message;
  gboolean over;
} Stop;

static gboolean stop_init(void *state, double t, const HySetup *setup, GError **error)
{
  Stop *s = state;
  s->over = FALSE;
  hy_detector_lead(&s->d, setup);
  return hy_detector_init(&s->d, t, setup, error);
}

/* -INFINITY: the core ends the run, and it is no error. */
static double stop_next(const void *state)
{
  const Stop *s = state;
  return s->over ? -INFINITY : hy_detector_next(&s->d);
}

static void stop_dint(void *state, double t)
{
  Stop *s = state;
  s->over = hy_detector_passes(&s->d, t);
  hy_detector_toggle(&s->d, t);
  hy_detector_ask(&s->d, t);
}

static void stop_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  Stop *s = state;
  hy_detector_input(&s->d, t, &x->value);
}

static void stop_tape(void *state, HyTape *tape)
{
  Stop *s = state;
  hy_detector_tape(&s->d, tape);
  HY_TAPE(tape, s->over);
}

static char *stop_fault(const void *state)
{
  const Stop *s = state;
  if (!s->over) {
    return hy_detector_fault(state);
  }
  return g_strdup(s->message != NULL && *s->message != '\0' ? s->message : "stopped");
}

static const HyPort stop_in[] = {
    {.name = "in", .kind = HY_SIGNAL, .doc = "what is watched"},
    {.name = NULL},
};
static const HyParam stop_params[] = {
    HY_PARAM_AT("level", Stop, d.level, .doc = "what in passes"),
    HY_PARAM_AT("direction", Stop, d.direction, .text = "both", .choices = "up down both",
                .doc = "which crossings count"),
    HY_PARAM(Stop, message, .doc = "what the run says then"),
    {.name = NULL},
};
const HyAtomicClass hy_stop_class = {
    .name = "stop",
    .doc = "ends the run when in passes level",
    .palette = "Sinks",
    .example = "<stop name=\"end\" in=\"x\" level=\"0\"/>",
    .in = stop_in,
    .params = stop_params,
    .state_size = sizeof(Stop),
    .init = stop_init,
    .next = stop_next,
    .dint = stop_dint,
    .dext = stop_dext,
    .tape = stop_tape,
    .print = hy_detector_print,
    .fault = stop_fault,
};
