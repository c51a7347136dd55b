/* Transition of a Petri net: fires when a token has been in each of its places for `time` without a
 * break, and waits anew: a place answers at once, so its tokens are counted before the next turn;
 * where none is taken, it fires again. */
#include "atomics.h"
#include "hydevs/error.h"
#include "hydevs/trace.h"

typedef struct {
  double time;
  guint n;
  gboolean *ready; /* of each place */
  guint empty;     /* how many are not */
  double due;      /* when it fires */
  guint64 fired;
} Transition;

static gboolean transition_init(void *state, double t, const HySetup *setup, GError **error)
{
  (void)t;
  Transition *s = state;
  s->n = s->empty = setup->n_in;
  s->ready = g_new0(gboolean, MAX(1, s->n));
  s->fired = 0;
  for (guint k = 0; k < s->n; k++) {
    if (setup->input[k] != HY_WIRED) {
      g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "in[%u] must be a place", k + 1);
      return FALSE;
    }
  }
  if (s->n == 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "it reads no place");
    return FALSE;
  }
  s->due = INFINITY;
  return TRUE;
}

static double transition_next(const void *state)
{
  const Transition *s = state;
  return s->due;
}

static HyEvent transition_lambda(const void *state, double t)
{
  (void)state, (void)t;
  return (HyEvent){.port = 0, .value.c = {1}};
}

static void transition_dint(void *state, double t)
{
  Transition *s = state;
  s->fired++;
  s->due = t + s->time;
}

static void transition_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  Transition *s = state;
  gboolean ready = x->value.c[0] >= 1;
  s->empty += (guint)(s->ready[x->port] - ready);
  s->ready[x->port] = ready;
  s->due = s->empty > 0 ? INFINITY : s->due == INFINITY ? t + s->time : s->due;
}

static void transition_clear(void *state)
{
  Transition *s = state;
  g_clear_pointer(&s->ready, g_free);
}

static void transition_tape(void *state, HyTape *tape)
{
  Transition *s = state;
  HY_TAPE_ARRAY(tape, s->ready, s->n);
  HY_TAPE(tape, s->empty);
  HY_TAPE(tape, s->due);
  HY_TAPE(tape, s->fired);
}

static void transition_print(const void *state, GString *out)
{
  const Transition *s = state;
  g_string_append_printf(out, "(fired=%" G_GUINT64_FORMAT ",empty=%u)", s->fired, s->empty);
}

static const HyPort transition_in[] = {
    {.name = "in",
     .kind = HY_SIGNAL,
     .array = TRUE,
     .doc = "the places that it takes a token from"},
    {.name = NULL},
};
static const HyPort transition_out[] = {
    {.name = "out", .kind = HY_EVENT, .doc = "1, when it fires"},
    {.name = NULL},
};
static const HyParam transition_params[] = {
    HY_PARAM(Transition, time, .range = HY_NOT_NEGATIVE, .unit = "s",
             .doc = "how long all of its places must have a token before it fires"),
    {.name = NULL},
};
const HyAtomicClass hy_transition_class = {
    .name = "transition",
    .doc = "a transition of a Petri net: fires when all its places have a token",
    .palette = "Discrete events",
    .example = "<transition name=\"T1\" in=\"P\"/>",
    .in = transition_in,
    .out = transition_out,
    .params = transition_params,
    .state_size = sizeof(Transition),
    .init = transition_init,
    .next = transition_next,
    .lambda = transition_lambda,
    .dint = transition_dint,
    .dext = transition_dext,
    .clear = transition_clear,
    .tape = transition_tape,
    .print = transition_print,
};
