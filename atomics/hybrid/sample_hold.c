/* Sample and hold: the value at each instant of a grid, until the next one; nothing, and no event,
 * before in is known. */
#include "atomics.h"
#include "hybrid/grid.h"
#include "sources/wave.h"

typedef struct {
  HySampled sampled; /* first */
  double missed;     /* an instant at which in was no number */
  gboolean late;     /* and has become one, still at that instant */
} SampleHold;

static gboolean sample_hold_init(void *state, double t, const HySetup *setup, GError **error)
{
  SampleHold *s = state;
  s->missed = NAN;
  s->late = FALSE;
  return hy_sampled_init(&s->sampled, t, setup, error);
}

static double sample_hold_next(const void *state)
{
  const SampleHold *s = state;
  double due = s->sampled.in.known ? hy_grid_due(&s->sampled.grid) : INFINITY;
  return hy_fault_next(&s->sampled.fault, s->late ? s->missed : due);
}

static HyEvent sample_hold_lambda(const void *state, double t)
{
  const SampleHold *s = state;
  return !s->sampled.fault.wrong
             ? (HyEvent){.port = 0, .value.c = {hy_signal_value(&s->sampled.in, t)}}
             : HY_NO_EVENT;
}

static void sample_hold_dint(void *state, double t)
{
  SampleHold *s = state;
  if (hy_fault_stands(&s->sampled.fault, t)) {
    return;
  }
  if (!s->late) {
    s->missed = s->sampled.fault.wrong ? t : NAN;
    s->sampled.grid.k++;
  }
  s->late = FALSE;
}

static void sample_hold_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  SampleHold *s = state;
  if (hy_fault_stands(&s->sampled.fault, t)) {
    return;
  }
  if (!s->sampled.in.known) {
    hy_grid_skip(&s->sampled.grid, t);
  }
  hy_sampled_take(&s->sampled, t, &x->value);
  s->late = t == s->missed;
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
    .print = hy_sampled_print,
    .fault = hy_sampled_fault,
};
