/* Unit delay: at each instant of a grid, the value at the instant before. It is the value after all
 * events of that instant, so it does not depend on which block of a loop has its turn first. */
#include "atomics.h"
#include "hybrid/grid.h"
#include "hydevs/trace.h"
#include "input.h"
#include "sources/wave.h"

typedef struct {
  HyGrid grid;
  double initial;
  HySignal in;
  HyFault fault;
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
  return hy_grid_init(&s->grid, t, error) && hy_signal_init(&s->in, t, setup, 0, error);
}

static double unit_delay_next(const void *state)
{
  const UnitDelay *s = state;
  return hy_fault_next(&s->fault, isnan(s->first) ? hy_grid_due(&s->grid) : s->first);
}

/* Time goes on: what stands at the instant of the sample is the sample. */
static void close_sample(UnitDelay *s, double t)
{
  if (t > s->taken) {
    s->sample = s->in.known ? hy_signal_value(&s->in, s->taken) : s->sample;
    s->taken = NAN;
  }
}

static HyEvent unit_delay_lambda(const void *state, double t)
{
  UnitDelay s = *(const UnitDelay *)state;
  close_sample(&s, t);
  return s.fault.wrong ? HY_NO_EVENT : (HyEvent){.port = 0, .value.c = {s.sample}};
}

static void unit_delay_dint(void *state, double t)
{
  UnitDelay *s = state;
  if (hy_fault_stands(&s->fault, t)) {
    return;
  }
  close_sample(s, t);
  s->first = NAN;
  if (t == hy_grid_due(&s->grid)) {
    s->taken = t;
    s->grid.k++;
  }
}

static void unit_delay_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  UnitDelay *s = state;
  if (hy_fault_stands(&s->fault, t)) {
    return;
  }
  close_sample(s, t);
  hy_signal_take(&s->in, t, &x->value);
  hy_fault_set(&s->fault, t, !hy_signal_finite(&s->in));
}

static void unit_delay_print(const void *state, GString *out)
{
  const UnitDelay *s = state;
  char due[HY_DOUBLE_SIZE];
  g_string_append_printf(out, "(next=%s)", hy_double_text(due, hy_grid_due(&s->grid)));
}

static char *unit_delay_fault(const void *state)
{
  const UnitDelay *s = state;
  return hy_signal_fault(&s->in, "in", &s->fault);
}

static const HyPort unit_delay_in[] = {
    {.name = "in", .kind = HY_SIGNAL, .doc = "what is sampled"},
    {.name = NULL},
};
static const HyParam unit_delay_params[] = {
    {.name = "period",
     .kind = HY_REAL,
     .offset = G_STRUCT_OFFSET(UnitDelay, grid.period),
     .required = TRUE,
     .range = HY_POSITIVE,
     .unit = "s",
     .doc = "from one sample to the next"},
    {.name = "start",
     .kind = HY_REAL,
     .offset = G_STRUCT_OFFSET(UnitDelay, grid.start),
     .unit = "s",
     .doc = "of the first sample"},
    {.name = "initial",
     .kind = HY_REAL,
     .offset = G_STRUCT_OFFSET(UnitDelay, initial),
     .doc = "until one period after the first sample"},
    {.name = NULL},
};
const HyAtomicClass hy_unit_delay_class = {
    .name = "unit_delay",
    .doc = "in, one period ago",
    .palette = "Hybrid",
    .example = "<unit_delay name=\"z\" in=\"e\" period=\"1m\"/>",
    .in = unit_delay_in,
    .out = hy_wave_out,
    .params = unit_delay_params,
    .state_size = sizeof(UnitDelay),
    .init = unit_delay_init,
    .next = unit_delay_next,
    .lambda = unit_delay_lambda,
    .dint = unit_delay_dint,
    .dext = unit_delay_dext,
    .print = unit_delay_print,
    .fault = unit_delay_fault,
};
