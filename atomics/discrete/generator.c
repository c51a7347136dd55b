/* Generator: a list of values, one by one, once or again and again. */
#include "atomics.h"
#include "hydevs/error.h"
#include "hydevs/trace.h"
#include "numerics/beats.h"

typedef struct {
  double first, period;
  HyValues values;
  gboolean repeat;
  HyBeats beats;
  guint64 k; /* how many have been sent */
} Generator;

static gboolean generator_init(void *state, double t, const HySetup *setup, GError **error)
{
  (void)setup;
  Generator *s = state;
  s->beats = hy_beats(s->period, t + s->first);
  s->k = 0;
  if (s->repeat && s->period == 0) {
    g_set_error_literal(error, HY_ERROR, HY_ERROR_MODEL,
                        "period = 0 with repeat never lets time go on; it must be above 0");
    return FALSE;
  }
  return TRUE;
}

/* The first value does not depend on the period, which may be infinite. */
static double generator_next(const void *state)
{
  const Generator *s = state;
  if (s->values.n == 0 || (s->k >= s->values.n && !s->repeat)) {
    return INFINITY;
  }
  return s->k == 0 ? s->beats.start.h : hy_beat(&s->beats, (double)s->k, (HyRatio){0.0, 0.0});
}

static HyEvent generator_lambda(const void *state, double t)
{
  (void)t;
  const Generator *s = state;
  return (HyEvent){.port = 0, .value = s->values.v[s->k % s->values.n]};
}

static void generator_dint(void *state, double t)
{
  (void)t;
  Generator *s = state;
  s->k++;
}

static void generator_tape(void *state, HyTape *tape)
{
  Generator *s = state;
  HY_TAPE(tape, s->k);
}

static void generator_print(const void *state, GString *out)
{
  const Generator *s = state;
  g_string_append_printf(out, "(k=%" G_GUINT64_FORMAT ")", s->k);
}

static const HyPort generator_out[] = {
    {.name = "out", .kind = HY_EVENT, .doc = "the values"},
    {.name = NULL},
};
static const HyParam generator_params[] = {
    HY_PARAM(Generator, first, .range = HY_NOT_NEGATIVE, .unit = "s",
             .doc = "from the start of the run to the first value"),
    HY_PARAM(Generator, period, .required = TRUE, .range = HY_NOT_NEGATIVE, .unit = "s",
             .doc = "from one value to the next; value k (from 0) is due at first + k period"),
    HY_PARAM(Generator, values, .required = TRUE,
             .doc = "what it sends: numbers, or jobs such as ('job', 1)"),
    HY_PARAM(Generator, repeat,
             .doc = "begin the list anew behind its end: a clock that never ends"),
    {.name = NULL},
};
const HyAtomicClass hy_generator_class = {
    .name = "generator",
    .doc = "values one by one: the first at `first`, then every `period`",
    .palette = "Discrete events",
    .example = "<generator name=\"G\" first=\"2\" period=\"2\" values=\"1, 2, 3\"/>",
    .out = generator_out,
    .params = generator_params,
    .state_size = sizeof(Generator),
    .init = generator_init,
    .next = generator_next,
    .lambda = generator_lambda,
    .dint = generator_dint,
    .tape = generator_tape,
    .print = generator_print,
};
