/* Unit delay: at each instant of a grid, the value at the instant before. It is the value after all
 * events of that instant, so it does not depend on which block of a loop has its turn first. */
#include "atomics.h"
#include "hybrid/grid.h"
#include "sources/wave.h"

typedef struct {
  HySampled sampled; /* first */
  double initial;
  double sample; /* what goes out next, */
  double taken;  /* and when it was taken; while time stands there it is open. NaN: closed */
  double first;  /* the start of the run, until initial has been sent; NaN: it has */
} UnitDelay;

static gboolean unit_delay_init(void *state, double t, const HySetup *setup, GError **error)
{
  UnitDelay *s = state;
  s->sample = s->initial;
  s->taken = NAN;
  s->first = t;
  return hy_sampled_init(&s->sampled, t, setup, TRUE, error);
}

static double unit_delay_next(const void *state)
{
  const UnitDelay *s = state;
  const HyProbe *p = &s->sampled.probe;
  double due = isnan(s->first) ? hy_grid_due(&s->sampled.grid) : s->first;
  return hy_fault_next(&p->fault, fmin(due, hy_probe_news(p)));
}

/* Time goes on: what stands at the instant of the sample is the sample. */
static void close_sample(UnitDelay *s, double t)
{
  if (t > s->taken) {
    const HySignal *in = &s->sampled.probe.in;
    s->sample = in->known ? hy_signal_value(in, s->taken) : s->sample;
    s->taken = NAN;
  }
}

static HyEvent unit_delay_lambda(const void *state, double t)
{
  UnitDelay s = *(const UnitDelay *)state;
  const HyProbe *p = &s.sampled.probe;
  close_sample(&s, t);
  return p->fault.wrong || hy_probe_news(p) <= t ? HY_NO_EVENT
                                                 : (HyEvent){.port = 0, .value.c = {s.sample}};
}

static void unit_delay_dint(void *state, double t)
{
  UnitDelay *s = state;
  HyProbe *p = &s->sampled.probe;
  if (hy_fault_stands(&p->fault, t)) {
    return;
  }
  close_sample(s, t);
  if (hy_probe_news(p) <= t) {
    hy_probe_hear(p, t);
    return;
  }
  s->first = NAN;
  if (t == hy_grid_due(&s->sampled.grid)) {
    s->taken = t;
    s->sampled.grid.k++;
    hy_probe_read(p, t);
    hy_probe_leave_open(p, t);
  }
}

static void unit_delay_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  UnitDelay *s = state;
  HyProbe *p = &s->sampled.probe;
  if (hy_probe_is_led(p) || hy_fault_stands(&p->fault, t)) {
    return;
  }
  close_sample(s, t);
  hy_probe_take(p, t, &x->value);
}

static void unit_delay_tape(void *state, HyTape *tape)
{
  UnitDelay *s = state;
  hy_sampled_tape(&s->sampled, tape);
  HY_TAPE(tape, s->sample);
  HY_TAPE(tape, s->taken);
  HY_TAPE(tape, s->first);
}

static const HyParam unit_delay_params[] = {
    HY_GRID(UnitDelay, "of the first sample"),
    HY_PARAM(UnitDelay, initial, .doc = "until one period after the first sample"),
    {.name = NULL},
};
const HyAtomicClass hy_unit_delay_class = {
    .name = "unit_delay",
    .doc = "in, one period ago",
    .palette = "Hybrid",
    .example = "<unit_delay name=\"z\" in=\"e\" period=\"1m\"/>",
    .in = hy_sampled_in,
    .out = hy_wave_out,
    .params = unit_delay_params,
    .state_size = sizeof(UnitDelay),
    .init = unit_delay_init,
    .next = unit_delay_next,
    .lambda = unit_delay_lambda,
    .dint = unit_delay_dint,
    .dext = unit_delay_dext,
    .tape = unit_delay_tape,
    .print = hy_sampled_print,
    .fault = hy_sampled_fault,
};
