/* Place of a Petri net: tokens come in, wait, and are there for transitions until one takes them.
 *
 * A transition that fires says so at `take`, and what it has made comes in at `in` of other places.
 * A place answers at once, so of two transitions that could both fire at an instant the second one
 * knows, before its turn, that the first has taken the token: who stands first in the model wins,
 * and no transition changes a place behind its back. */
#include "atomics.h"
#include "discrete/fifo.h"
#include "hydevs/error.h"

enum { IN, TAKE };

typedef struct {
  gint64 tokens;
  double time;
  HyFifo waiting; /* the instants from which the tokens are there */
  gint64 there;   /* tokens to be taken */
  double said;    /* when it has to say their number; INFINITY: it has */
  gboolean none;  /* one was taken that is not there */
} Place;

/* Tokens whose time has come are there. */
static void arrive(Place *s, double t)
{
  const HyFifoItem *head;
  while ((head = hy_fifo_head(&s->waiting)) != NULL && head->at <= t) {
    hy_fifo_pop(&s->waiting);
    s->there++;
    s->said = t;
  }
}

static gboolean place_init(void *state, double t, const HySetup *setup, GError **error)
{
  (void)setup;
  Place *s = state;
  const HyValue token = {.c = {1}};
  if (!isfinite(s->time) || s->tokens > 1000000) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "time must be finite, and tokens at most 1000000");
    return FALSE;
  }
  s->there = 0;
  s->none = FALSE;
  for (gint64 k = 0; k < s->tokens; k++) {
    hy_fifo_push(&s->waiting, t + s->time, &token);
  }
  arrive(s, t);
  s->said = t;
  return TRUE;
}

static double place_next(const void *state)
{
  const Place *s = state;
  const HyFifoItem *head = hy_fifo_head(&s->waiting);
  return s->none ? NAN : fmin(s->said, head != NULL ? head->at : INFINITY);
}

static HyEvent place_lambda(const void *state, double t)
{
  const Place *s = state;
  gint64 there = s->there;
  for (gsize k = 0; k < s->waiting.n; k++) {
    there += s->waiting.item[(s->waiting.head + k) & (s->waiting.room - 1)].at <= t;
  }
  return (HyEvent){.port = 0, .value.c = {(double)there}};
}

static void place_dint(void *state, double t)
{
  Place *s = state;
  arrive(s, t);
  s->said = INFINITY;
}

static void place_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  Place *s = state;
  const HyValue token = {.c = {1}};
  if (x->port == IN) {
    hy_fifo_push(&s->waiting, t + s->time, &token);
    arrive(s, t);
  } else if (s->there == 0) {
    s->none = TRUE;
  } else {
    s->there--;
    s->said = t;
  }
}

static void place_clear(void *state)
{
  Place *s = state;
  hy_fifo_clear(&s->waiting);
}

static void place_tape(void *state, HyTape *tape)
{
  Place *s = state;
  hy_fifo_tape(&s->waiting, tape);
  HY_TAPE(tape, s->there);
  HY_TAPE(tape, s->said);
  HY_TAPE(tape, s->none);
}

static void place_print(const void *state, GString *out)
{
  const Place *s = state;
  g_string_append_printf(out, "(there=%" G_GINT64_FORMAT ",waiting=%" G_GSIZE_FORMAT ")", s->there,
                         s->waiting.n);
}

static char *place_fault(const void *state)
{
  (void)state;
  return g_strdup("a token is taken, and none is there: something at `take` is no transition that "
                  "reads this place");
}

static const HyPort place_in[] = {
    [IN] = {.name = "in", .kind = HY_EVENT, .optional = TRUE, .doc = "a token for each event"},
    [TAKE] = {.name = "take",
              .kind = HY_EVENT,
              .optional = TRUE,
              .doc = "the transitions that read it: each event takes a token"},
    {.name = NULL},
};
static const HyPort place_out[] = {
    {.name = "out", .kind = HY_SIGNAL, .at_once = TRUE, .doc = "how many tokens are there"},
    {.name = NULL},
};
static const HyParam place_params[] = {
    HY_PARAM(Place, tokens, .range = HY_NOT_NEGATIVE, .doc = "at the start"),
    HY_PARAM(Place, time, .range = HY_NOT_NEGATIVE, .unit = "s",
             .doc = "how long a token waits before it is there, also one of the start"),
    {.name = NULL},
};
const HyAtomicClass hy_place_class = {
    .name = "place",
    .doc = "a place of a Petri net: tokens, each there for transitions `time` after it has come",
    .palette = "Discrete events",
    .example = "<place name=\"P\" tokens=\"1\" in=\"T2\" take=\"T1\"/>",
    .in = place_in,
    .out = place_out,
    .params = place_params,
    .state_size = sizeof(Place),
    .init = place_init,
    .next = place_next,
    .lambda = place_lambda,
    .dint = place_dint,
    .dext = place_dext,
    .clear = place_clear,
    .tape = place_tape,
    .print = place_print,
    .fault = place_fault,
};
