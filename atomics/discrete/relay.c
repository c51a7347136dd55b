/* Relay: the smallest model with a transient state (ta = 0). */
#include "atomics.h"
#include "hydevs/trace.h"
#include "value.h"

typedef struct {
  gboolean heard; /* v is a value */
  HyValue v;
  double sigma;
} Relay;

static gboolean relay_init(void *state, double t, const HySetup *setup, GError **error)
{
  (void)t, (void)setup, (void)error;
  Relay *s = state;
  s->heard = FALSE;
  s->sigma = INFINITY;
  return TRUE;
}

static double relay_ta(const void *state)
{
  const Relay *s = state;
  return s->sigma;
}

static HyEvent relay_lambda(const void *state, double t)
{
  (void)t;
  const Relay *s = state;
  return (HyEvent){.port = 0, .value = s->v};
}

static void relay_dint(void *state, double t)
{
  (void)t;
  Relay *s = state;
  s->sigma = INFINITY;
}

static void relay_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)t, (void)e;
  Relay *s = state;
  HyValue v = hy_value_keep(&x->value);
  hy_value_drop(&s->v);
  s->v = v;
  s->heard = TRUE;
  s->sigma = 0;
}

static void relay_clear(void *state)
{
  Relay *s = state;
  hy_value_drop(&s->v);
}

static void relay_tape(void *state, HyTape *tape)
{
  Relay *s = state;
  HY_TAPE(tape, s->heard);
  HY_TAPE(tape, s->v);
  HY_TAPE(tape, s->sigma);
}

static void relay_print(const void *state, GString *out)
{
  const Relay *s = state;
  g_string_append(out, "(v=");
  if (s->heard) {
    hy_value_text(out, &s->v);
  } else {
    g_string_append(out, "None");
  }
  g_string_append_c(out, ')');
}

static const HyPort relay_in[] = {
    {.name = "in", .kind = HY_EVENT, .doc = "anything"},
    {.name = NULL},
};
static const HyPort relay_out[] = {
    {.name = "out", .kind = HY_EVENT, .doc = "the latest that came, in the same instant"},
    {.name = NULL},
};
const HyAtomicClass hy_relay_class = {
    .name = "relay",
    .doc = "sends what it gets, at once; of two before its turn only the latest",
    .palette = "Discrete events",
    .example = "<relay name=\"C\" in=\"A B\"/>",
    .in = relay_in,
    .out = relay_out,
    .state_size = sizeof(Relay),
    .init = relay_init,
    .ta = relay_ta,
    .lambda = relay_lambda,
    .dint = relay_dint,
    .dext = relay_dext,
    .clear = relay_clear,
    .tape = relay_tape,
    .print = relay_print,
};
