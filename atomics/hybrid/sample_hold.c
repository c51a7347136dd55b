/* Sample and hold: the value at each instant of a grid, until the next one; nothing, and no event,
 * before in is known. */
#include "atomics.h"
#include "hybrid/grid.h"
#include "sources/wave.h"

typedef struct {
  HySampled sampled; /* first */
  double missed;     /* an instant at which in was no number */
  gboolean late;     /* and has become one, still at that instant */
  gboolean said;     /* there has been a sample */
} SampleHold;

static gboolean sample_hold_init(void *state, double t, const HySetup *setup, GError **error)
{
  SampleHold *s = state;
  s->missed = NAN;
  s->late = s->said = FALSE;
  return hy_sampled_init(&s->sampled, t, setup, FALSE, error);
}

static double sample_hold_next(const void *state)
{
  const SampleHold *s = state;
  const HyProbe *p = &s->sampled.probe;
  double due = p->in.known ? hy_grid_due(&s->sampled.grid) : INFINITY;
  return hy_fault_next(&p->fault, fmin(s->late ? s->missed : due, hy_probe_news(p)));
}

static HyEvent sample_hold_lambda(const void *state, double t)
{
  const SampleHold *s = state;
  const HyProbe *p = &s->sampled.probe;
  gboolean speaks = !p->fault.wrong && hy_probe_news(p) > t;
  double v = speaks ? hy_probe_value(p, t) : NAN;
  return isfinite(v) ? (HyEvent){.port = 0, .value.c = {v}} : HY_NO_EVENT;
}

static void skip_unknown(SampleHold *s, double t)
{
  if (!s->sampled.probe.in.known) {
    hy_grid_skip(&s->sampled.grid, t);
  }
}

static void sample_hold_dint(void *state, double t)
{
  SampleHold *s = state;
  HyProbe *p = &s->sampled.probe;
  if (hy_fault_stands(&p->fault, t)) {
    return;
  }
  if (hy_probe_news(p) <= t) {
    skip_unknown(s, t);
    hy_probe_hear(p, t);
    return;
  }
  if (!s->late) {
    hy_probe_read(p, t);
    s->missed = p->fault.wrong ? t : NAN;
    s->sampled.grid.k++;
  }
  s->late = FALSE;
  s->said = s->said || !p->fault.wrong;
}

static gboolean sample_hold_silent(const void *state, guint port)
{
  (void)port;
  return !((const SampleHold *)state)->said;
}

static void sample_hold_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  SampleHold *s = state;
  HyProbe *p = &s->sampled.probe;
  if (hy_probe_is_led(p) || hy_fault_stands(&p->fault, t)) {
    return;
  }
  skip_unknown(s, t);
  hy_probe_take(p, t, &x->value);
  s->late = t == s->missed;
}

static void sample_hold_tape(void *state, HyTape *tape)
{
  SampleHold *s = state;
  hy_sampled_tape(&s->sampled, tape);
  HY_TAPE(tape, s->missed);
  HY_TAPE(tape, s->late);
  HY_TAPE(tape, s->said);
}

static const HyParam sample_hold_params[] = {
    HY_GRID(SampleHold, "of the first sample; before it nothing is sent"),
    {.name = NULL},
};
const HyAtomicClass hy_sample_hold_class = {
    .name = "sample_hold",
    .doc = "in at start + k period",
    .palette = "Hybrid",
    .example = "<sample_hold name=\"s\" in=\"u\" period=\"1m\"/>",
    .in = hy_sampled_in,
    .out = hy_wave_out,
    .params = sample_hold_params,
    .state_size = sizeof(SampleHold),
    .init = sample_hold_init,
    .next = sample_hold_next,
    .lambda = sample_hold_lambda,
    .dint = sample_hold_dint,
    .dext = sample_hold_dext,
    .tape = sample_hold_tape,
    .print = hy_sampled_print,
    .fault = hy_sampled_fault,
    .silent = sample_hold_silent,
};
