/* Sampler: the value at each event at trigger, until the next one. */
#include "atomics.h"
#include "hybrid/probe.h"
#include "hydevs/trace.h"
#include "sources/wave.h"

enum { IN, TRIGGER };

typedef struct {
  double initial;
  HyProbe probe;
  double value;
  double due;
  gboolean waiting; /* triggered before in was known */
} Sampler;

static gboolean sampler_init(void *state, double t, const HySetup *setup, GError **error)
{
  Sampler *s = state;
  s->value = s->initial;
  s->due = t;
  s->waiting = FALSE;
  return hy_probe_init(&s->probe, t, setup, IN, FALSE, error);
}

static double sampler_next(const void *state)
{
  const Sampler *s = state;
  return hy_fault_next(&s->probe.fault, fmin(s->due, hy_probe_news(&s->probe)));
}

static HyEvent sampler_lambda(const void *state, double t)
{
  const Sampler *s = state;
  return t == s->due ? (HyEvent){.port = 0, .value.c = {s->value}} : HY_NO_EVENT;
}

/* What has been read is the sample. */
static void keep_sample(Sampler *s, double t, double value)
{
  if (!s->probe.fault.wrong) {
    s->value = value;
    s->due = t;
  }
  s->waiting = FALSE;
}

static void sampler_dint(void *state, double t)
{
  Sampler *s = state;
  if (hy_fault_stands(&s->probe.fault, t)) {
    return;
  }
  s->due = t >= s->due ? INFINITY : s->due;
  if (hy_probe_news(&s->probe) <= t) {
    hy_probe_hear(&s->probe, t);
    if (s->waiting) {
      keep_sample(s, t, hy_signal_value(&s->probe.in, t));
    }
  }
}

static void sampler_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  Sampler *s = state;
  HyProbe *p = &s->probe;
  if (hy_fault_stands(&p->fault, t)) {
    return;
  }
  if (x->port == IN) {
    hy_probe_take(p, t, &x->value);
  }
  s->waiting = s->waiting || x->port == TRIGGER;
  if (s->waiting && p->in.known) {
    keep_sample(s, t, hy_probe_read(p, t));
  }
}

static void sampler_tape(void *state, HyTape *tape)
{
  Sampler *s = state;
  hy_probe_tape(&s->probe, tape);
  HY_TAPE(tape, s->value);
  HY_TAPE(tape, s->due);
  HY_TAPE(tape, s->waiting);
}

static void sampler_print(const void *state, GString *out)
{
  const Sampler *s = state;
  char value[HY_DOUBLE_SIZE];
  g_string_append_printf(out, "(%s)", hy_double_text(value, s->value));
}

static char *sampler_fault(const void *state)
{
  const Sampler *s = state;
  return hy_signal_fault(&s->probe.in, "in", &s->probe.fault);
}

static const HyPort sampler_in[] = {
    [IN] = {.name = "in", .kind = HY_SIGNAL, .doc = "what is sampled"},
    [TRIGGER] = {.name = "trigger", .kind = HY_EVENT, .doc = "an event: now"},
    {.name = NULL},
};
static const HyParam sampler_params[] = {
    HY_PARAM(Sampler, initial, .doc = "before the first"),
    {.name = NULL},
};
const HyAtomicClass hy_sampler_class = {
    .name = "sampler",
    .doc = "in at each event at trigger",
    .palette = "Hybrid",
    .example = "<sampler name=\"s\" in=\"u\" trigger=\"clock\"/>",
    .in = sampler_in,
    .out = hy_wave_out,
    .params = sampler_params,
    .state_size = sizeof(Sampler),
    .init = sampler_init,
    .next = sampler_next,
    .lambda = sampler_lambda,
    .dint = sampler_dint,
    .dext = sampler_dext,
    .tape = sampler_tape,
    .print = sampler_print,
    .fault = sampler_fault,
};
