/* Counter: the number of events so far, as a signal. */
#include "atomics.h"
#include "hydevs/trace.h"

enum { IN, RESET };

typedef struct {
  double initial;
  double n, sigma;
} Counter;

/* A signal has a value from the start: the initial count is sent at once. */
static gboolean counter_init(void *state, double t, const HySetup *setup, GError **error)
{
  (void)t, (void)setup, (void)error;
  Counter *s = state;
  s->n = s->initial;
  s->sigma = 0;
  return TRUE;
}

static double counter_ta(const void *state)
{
  const Counter *s = state;
  return s->sigma;
}

static HyEvent counter_lambda(const void *state, double t)
{
  (void)t;
  const Counter *s = state;
  return (HyEvent){.port = 0, .value.c = {s->n}};
}

static void counter_dint(void *state, double t)
{
  (void)t;
  Counter *s = state;
  s->sigma = INFINITY;
}

static void counter_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)t, (void)e;
  Counter *s = state;
  s->n = x->port == RESET ? s->initial : s->n + 1;
  s->sigma = 0;
}

static void counter_tape(void *state, HyTape *tape)
{
  Counter *s = state;
  HY_TAPE(tape, s->n);
  HY_TAPE(tape, s->sigma);
}

static void counter_print(const void *state, GString *out)
{
  const Counter *s = state;
  char n[HY_DOUBLE_SIZE];
  g_string_append_printf(out, "(n=%s)", hy_double_text(n, s->n));
}

static const HyPort counter_in[] = {
    [IN] = {.name = "in", .kind = HY_EVENT, .doc = "each event counts, whatever its value"},
    [RESET] = {.name = "reset",
               .kind = HY_EVENT,
               .optional = TRUE,
               .doc = "each event sets the count back to initial"},
    {.name = NULL},
};
static const HyPort counter_out[] = {
    {.name = "out", .kind = HY_SIGNAL, .doc = "the count: at the start and after each event"},
    {.name = NULL},
};
static const HyParam counter_params[] = {
    HY_PARAM(Counter, initial, .value = 0.0, .doc = "the count at the start and after a reset"),
    {.name = NULL},
};
const HyAtomicClass hy_counter_class = {
    .name = "counter",
    .doc = "number of events at in",
    .palette = "Discrete events",
    .example = "<counter name=\"n\" in=\"Q\" reset=\"day\"/>",
    .in = counter_in,
    .out = counter_out,
    .params = counter_params,
    .state_size = sizeof(Counter),
    .init = counter_init,
    .ta = counter_ta,
    .lambda = counter_lambda,
    .dint = counter_dint,
    .dext = counter_dext,
    .tape = counter_tape,
    .print = counter_print,
};
