/* Crossing: an event at the instant at which a signal passes a level. */
#include "atomics.h"
#include "hybrid/detector.h"
#include "hydevs/error.h"

typedef struct {
  HyDetector d; /* first */
  HyReals value;
} Crossing;

static gboolean crossing_init(void *state, double t, const HySetup *setup, GError **error)
{
  Crossing *s = state;
  if (s->value.n > 1) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "value lists %u numbers: one at most", s->value.n);
    return FALSE;
  }
  hy_detector_lead(&s->d, setup);
  return hy_detector_init(&s->d, t, setup, error);
}

static double crossing_next(const void *state)
{
  const Crossing *s = state;
  return hy_detector_next(&s->d);
}

static HyEvent crossing_lambda(const void *state, double t)
{
  const Crossing *s = state;
  HyEvent y = {.port = 0};
  if (s->value.n == 1) {
    y.value.c[0] = s->value.v[0];
  } else {
    hy_detector_read(&s->d, t, y.value.c);
  }
  return hy_detector_passes(&s->d, t) ? y : HY_NO_EVENT;
}

static void crossing_dint(void *state, double t)
{
  Crossing *s = state;
  hy_detector_toggle(&s->d, t);
  hy_detector_ask(&s->d, t);
}

static void crossing_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  Crossing *s = state;
  hy_detector_input(&s->d, t, &x->value);
}

static void crossing_tape(void *state, HyTape *tape)
{
  Crossing *s = state;
  hy_detector_tape(&s->d, tape);
}

static const HyPort crossing_in[] = {
    {.name = "in", .kind = HY_SIGNAL, .doc = "what is watched"},
    {.name = NULL},
};
static const HyPort crossing_out[] = {
    {.name = "out", .kind = HY_EVENT, .doc = "the value of in, or `value`"},
    {.name = NULL},
};
static const HyParam crossing_params[] = {
    HY_PARAM_AT("level", Crossing, d.level, .doc = "what in passes"),
    HY_PARAM_AT("direction", Crossing, d.direction, .text = "both", .choices = "up down both",
                .doc = "which crossings count"),
    HY_PARAM(Crossing, value, .doc = "what the event says; empty: the value of in"),
    {.name = NULL},
};
const HyAtomicClass hy_crossing_class = {
    .name = "crossing",
    .doc = "an event when in passes level",
    .palette = "Hybrid",
    .example = "<crossing name=\"hit\" in=\"x\" level=\"0\" direction=\"down\"/>",
    .in = crossing_in,
    .out = crossing_out,
    .params = crossing_params,
    .state_size = sizeof(Crossing),
    .init = crossing_init,
    .next = crossing_next,
    .lambda = crossing_lambda,
    .dint = crossing_dint,
    .dext = crossing_dext,
    .tape = crossing_tape,
    .print = hy_detector_print,
    .fault = hy_detector_fault,
};
