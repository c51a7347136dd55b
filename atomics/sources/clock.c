/* Clock: the time of the run, one piece that holds for ever. A model of first order, where slopes
 * do not count, gets a staircase that is a quantum, max(dqrel |t|, dqmin), late at most: what x' =
 * 1 would say there. It is also what `t` in a formula stands for. */
#include "atomics.h"
#include "hydevs/trace.h"
#include "sources/wave.h"

typedef struct {
  double dqrel, dqmin, due;
  guint order;
} Clock;

static gboolean clock_init(void *state, double t, const HySetup *setup, GError **error)
{
  (void)error;
  Clock *s = state;
  s->order = setup->order;
  s->due = t;
  return TRUE;
}

static double clock_next(const void *state)
{
  const Clock *s = state;
  return s->due;
}

static HyEvent clock_lambda(const void *state, double t)
{
  const Clock *s = state;
  return (HyEvent){.port = 0, .value.c = {t, s->order > 1 ? 1 : 0}};
}

static void clock_dint(void *state, double t)
{
  Clock *s = state;
  s->due = s->order > 1 ? INFINITY : t + fmax(s->dqrel * fabs(t), s->dqmin);
}

static void clock_tape(void *state, HyTape *tape)
{
  Clock *s = state;
  HY_TAPE(tape, s->due);
}

static void clock_print(const void *state, GString *out)
{
  const Clock *s = state;
  char due[HY_DOUBLE_SIZE];
  g_string_append_printf(out, "(next=%s)", hy_double_text(due, s->due));
}

static const HyParam clock_params[] = {
    HY_DQREL(Clock, dqrel),
    HY_DQMIN(Clock, dqmin),
    {.name = NULL},
};
const HyAtomicClass hy_clock_class = {
    .name = "clock",
    .doc = "the time of the run; in formulas it is called t",
    .palette = "Sources",
    .example = "<clock name=\"now\"/>",
    .out = hy_wave_out,
    .params = clock_params,
    .state_size = sizeof(Clock),
    .init = clock_init,
    .next = clock_next,
    .lambda = clock_lambda,
    .dint = clock_dint,
    .tape = clock_tape,
    .print = clock_print,
};
