/* Sample and hold: the value at each instant of a grid, until the next one. */
#include "atomics.h"
#include "hybrid/grid.h"
#include "hydevs/trace.h"
#include "input.h"
#include "sources/wave.h"

typedef struct {
  HyGrid grid;
  HySignal in;
  HyFault fault;
  double missed; /* an instant at which in was not known yet */
  gboolean late; /* and has become known, still at that instant */
} SampleHold;

static gboolean sample_hold_init(void *state, double t, const HySetup *setup, GError **error)
{
  SampleHold *s = state;
  s->missed = NAN;
  s->late = FALSE;
  return hy_grid_init(&s->grid, t, error) && hy_signal_init(&s->in, t, setup, 0, error);
}

static double sample_hold_next(const void *state)
{
  const SampleHold *s = state;
  return hy_fault_next(&s->fault, s->late ? s->missed : hy_grid_due(&s->grid));
}

static HyEvent sample_hold_lambda(const void *state, double t)
{
  const SampleHold *s = state;
  return s->in.known && !s->fault.wrong
             ? (HyEvent){.port = 0, .value.c = {hy_signal_value(&s->in, t)}}
             : HY_NO_EVENT;
}

static void sample_hold_dint(void *state, double t)
{
  SampleHold *s = state;
  if (hy_fault_stands(&s->fault, t)) {
    return;
  }
  if (!s->late) {
    s->missed = s->in.known && !s->fault.wrong ? NAN : t;
    s->grid.k++;
  }
  s->late = FALSE;
}

static void sample_hold_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  SampleHold *s = state;
  if (hy_fault_stands(&s->fault, t)) {
    return;
  }
  hy_signal_take(&s->in, t, &x->value);
  hy_fault_set(&s->fault, t, !hy_signal_finite(&s->in));
  s->late = t == s->missed;
}

static void sample_hold_print(const void *state, GString *out)
{
  const SampleHold *s = state;
  char due[HY_DOUBLE_SIZE];
  g_string_append_printf(out, "(next=%s)", hy_double_text(due, hy_grid_due(&s->grid)));
}

static char *sample_hold_fault(const void *state)
{
  const SampleHold *s = state;
  return hy_signal_fault(&s->in, "in", &s->fault);
}

static const HyPort sample_hold_in[] = {
    {.name = "in", .kind = HY_SIGNAL, .doc = "what is sampled"},
    {.name = NULL},
};
static const HyParam sample_hold_params[] = {
    {.name = "period",
     .kind = HY_REAL,
     .offset = G_STRUCT_OFFSET(SampleHold, grid.period),
     .required = TRUE,
     .range = HY_POSITIVE,
     .unit = "s",
     .doc = "from one sample to the next"},
    {.name = "start",
     .kind = HY_REAL,
     .offset = G_STRUCT_OFFSET(SampleHold, grid.start),
     .unit = "s",
     .doc = "of the first sample; before it nothing is sent"},
    {.name = NULL},
};
const HyAtomicClass hy_sample_hold_class = {
    .name = "sample_hold",
    .doc = "in at start + k period",
    .palette = "Hybrid",
    .example = "<sample_hold name=\"s\" in=\"u\" period=\"1m\"/>",
    .in = sample_hold_in,
    .out = hy_wave_out,
    .params = sample_hold_params,
    .state_size = sizeof(SampleHold),
    .init = sample_hold_init,
    .next = sample_hold_next,
    .lambda = sample_hold_lambda,
    .dint = sample_hold_dint,
    .dext = sample_hold_dext,
    .print = sample_hold_print,
    .fault = sample_hold_fault,
};
