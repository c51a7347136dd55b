/* Delay: every event comes out unchanged, `time` later. A piece of a signal counts its time from
 * its event, so a signal is delayed exactly. */
#include "atomics.h"
#include "discrete/fifo.h"
#include "hydevs/error.h"

typedef struct {
  double time;
  HyValues initial;
  HyFifo due; /* what is under way, with the instant at which it comes out */
} Delay;

static gboolean delay_init(void *state, double t, const HySetup *setup, GError **error)
{
  Delay *s = state;
  if (!isfinite(s->time)) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "time must be finite: nothing would ever come out");
    return FALSE;
  }
  if (s->initial.n > 1) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "initial lists %u values: one at most",
                s->initial.n);
    return FALSE;
  }
  if (s->initial.n == 1) {
    hy_fifo_push(&s->due, t, &s->initial.v[0]);
  }
  if (setup->input[0] == HY_CONSTANT) {
    hy_fifo_push(&s->due, t + s->time, setup->value[0]);
  }
  return TRUE;
}

static double delay_next(const void *state)
{
  const Delay *s = state;
  const HyFifoItem *head = hy_fifo_head(&s->due);
  return head != NULL ? head->at : INFINITY;
}

static HyEvent delay_lambda(const void *state, double t)
{
  (void)t;
  const Delay *s = state;
  return (HyEvent){.port = 0, .value = hy_fifo_head(&s->due)->value};
}

static void delay_dint(void *state, double t)
{
  (void)t;
  Delay *s = state;
  hy_fifo_pop(&s->due);
}

static void delay_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  Delay *s = state;
  hy_fifo_push(&s->due, t + s->time, &x->value);
}

static void delay_clear(void *state)
{
  Delay *s = state;
  hy_fifo_clear(&s->due);
}

static void delay_tape(void *state, HyTape *tape)
{
  Delay *s = state;
  hy_fifo_tape(&s->due, tape);
}

static void delay_print(const void *state, GString *out)
{
  const Delay *s = state;
  hy_fifo_print(&s->due, TRUE, out);
}

static const HyPort delay_in[] = {
    {.name = "in", .kind = HY_SIGNAL, .doc = "a signal, or jobs"},
    {.name = NULL},
};
static const HyPort delay_out[] = {
    {.name = "out", .kind = HY_SIGNAL, .doc = "the same, `time` later", .moves = TRUE},
    {.name = NULL},
};
static const HyParam delay_params[] = {
    HY_PARAM(Delay, time, .required = TRUE, .range = HY_NOT_NEGATIVE, .unit = "s",
             .doc = "how much later"),
    HY_PARAM(Delay, initial,
             .doc = "sent at the start of the run; empty: nothing comes out before `time`"),
    {.name = NULL},
};
const HyAtomicClass hy_delay_class = {
    .name = "delay",
    .doc = "in(t - time)",
    .palette = "Discrete events",
    .example = "<delay name=\"line\" time=\"0.5\" in=\"G\"/>",
    .in = delay_in,
    .out = delay_out,
    .params = delay_params,
    .state_size = sizeof(Delay),
    .init = delay_init,
    .next = delay_next,
    .lambda = delay_lambda,
    .dint = delay_dint,
    .dext = delay_dext,
    .clear = delay_clear,
    .tape = delay_tape,
    .print = delay_print,
};
