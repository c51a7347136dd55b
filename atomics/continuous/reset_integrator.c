/* Reset integrator: an integrator whose state jumps. */
#include "atomics.h"
#include "continuous/quantized.h"

enum { IN, RESET, VALUE };

typedef struct {
  HyQuantized q; /* first */
  HySignal value;
  gboolean own;  /* nothing is at value: the event at reset says where to */
  gboolean jump; /* reset has come before the first value */
} ResetIntegrator;

static gboolean reset_integrator_init(void *state, double t, const HySetup *setup, GError **error)
{
  ResetIntegrator *s = state;
  s->jump = FALSE;
  s->own = setup->input[VALUE] == HY_OPEN;
  return (s->own || hy_signal_init(&s->value, t, setup, VALUE, error)) &&
         hy_quantized_init(&s->q, t, setup, error);
}

static void jump(ResetIntegrator *s, double t)
{
  s->jump = !s->value.known;
  if (!s->jump) {
    hy_quantized_reset(&s->q, t, hy_signal_value(&s->value, t));
  }
}

static void reset_integrator_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  ResetIntegrator *s = state;
  if (x->port == IN) {
    hy_quantized_input(&s->q, t, &x->value);
  } else if (hy_fault_stands(&s->q.fault, t)) {
    return;
  } else if (x->port == RESET && s->own) {
    hy_quantized_reset(&s->q, t, x->value.payload != NULL ? NAN : x->value.c[0]);
  } else if (x->port == RESET) {
    jump(s, t);
  } else {
    hy_signal_take(&s->value, t, &x->value);
    if (s->jump) {
      jump(s, t);
    }
  }
}

static void reset_integrator_tape(void *state, HyTape *tape)
{
  ResetIntegrator *s = state;
  hy_quantized_tape(&s->q, tape);
  hy_signal_tape(&s->value, tape);
  HY_TAPE(tape, s->jump);
}

static const HyPort reset_integrator_in[] = {
    [IN] = {.name = "in", .kind = HY_SIGNAL, .doc = "the derivative"},
    [RESET] = {.name = "reset", .kind = HY_EVENT, .doc = "an event: jump"},
    [VALUE] = {.name = "value",
               .kind = HY_SIGNAL,
               .optional = TRUE,
               .doc = "where to; without it the event at reset says so"},
    {.name = NULL},
};
static const HyPort reset_integrator_out[] = {
    {.name = "out", .kind = HY_SIGNAL, .doc = "the state, quantized"},
    {.name = NULL},
};
const HyAtomicClass hy_reset_integrator_class = {
    .name = "reset_integrator",
    .doc = "an integrator whose state jumps to value, or to that of the event, when one comes in "
           "at reset",
    .palette = "Continuous",
    .example = "<reset_integrator name=\"v\" in=\"-g\" reset=\"hit\" value=\"-0.8*v\"/>",
    .in = reset_integrator_in,
    .out = reset_integrator_out,
    .params = hy_quantized_params,
    .state_size = sizeof(ResetIntegrator),
    .init = reset_integrator_init,
    .next = hy_quantized_next,
    .lambda = hy_quantized_lambda,
    .dint = hy_quantized_dint,
    .dext = reset_integrator_dext,
    .tape = reset_integrator_tape,
    .print = hy_quantized_print,
    .value = hy_quantized_value,
    .held = hy_quantized_held,
    .order = hy_quantized_order,
    .fault = hy_quantized_fault,
};
