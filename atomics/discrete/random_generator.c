/* Random generator: jobs 1, 2, 3, ... with random times between them. */
#include "atomics.h"
#include "hydevs/error.h"
#include "random.h"
#include <string.h>

typedef struct {
  HyRandomDraw between;
  double first;
  gint64 limit;
  HyReals value;
  gint64 k;    /* how many have been sent */
  double next; /* when the next one is due */
} RandomGenerator;

static gboolean random_generator_init(void *state, double t, const HySetup *setup, GError **error)
{
  RandomGenerator *s = state;
  if (!hy_random_draw_init(&s->between, setup, error)) {
    return FALSE;
  }
  if (strcmp(s->between.distribution, "uniform") == 0 && s->between.maximum == 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "maximum = 0: all jobs would come at one instant");
    return FALSE;
  }
  if (s->value.n > 1) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "value lists %u numbers: one at most", s->value.n);
    return FALSE;
  }
  s->k = 0;
  s->next = t + s->first;
  return TRUE;
}

static double random_generator_next(const void *state)
{
  const RandomGenerator *s = state;
  return s->limit > 0 && s->k >= s->limit ? INFINITY : s->next;
}

static HyEvent random_generator_lambda(const void *state, double t)
{
  (void)t;
  const RandomGenerator *s = state;
  return (HyEvent){.port = 0, .value.c = {s->value.n == 1 ? s->value.v[0] : (double)(s->k + 1)}};
}

static void random_generator_dint(void *state, double t)
{
  RandomGenerator *s = state;
  s->k++;
  s->next = t + hy_random_draw_next(&s->between);
}

static void random_generator_tape(void *state, HyTape *tape)
{
  RandomGenerator *s = state;
  HY_TAPE(tape, s->k);
  HY_TAPE(tape, s->next);
  HY_TAPE_ARRAY(tape, s->between.random.s, 4);
}

static void random_generator_print(const void *state, GString *out)
{
  const RandomGenerator *s = state;
  g_string_append_printf(out, "(k=%" G_GINT64_FORMAT ")", s->k);
}

static const HyPort random_generator_out[] = {
    {.name = "out", .kind = HY_EVENT, .doc = "the number of the job, or `value`"},
    {.name = NULL},
};
static const HyParam random_generator_params[] = {
    HY_PARAM_AT("distribution", RandomGenerator, between.distribution, .text = "exponential",
                .choices = "exponential uniform", .doc = "of the time from one job to the next"),
    HY_PARAM_AT("mean", RandomGenerator, between.mean, .value = 1.0, .range = HY_POSITIVE,
                .unit = "s", .doc = "exponential: the mean time from one job to the next"),
    HY_PARAM_AT("minimum", RandomGenerator, between.minimum, .value = 0.0, .range = HY_NOT_NEGATIVE,
                .unit = "s",
                .doc = "uniform: the shortest time; equal to maximum it makes a clock without end"),
    HY_PARAM_AT("maximum", RandomGenerator, between.maximum, .value = 1.0, .range = HY_NOT_NEGATIVE,
                .unit = "s", .doc = "uniform: the longest time"),
    HY_PARAM(RandomGenerator, first, .range = HY_NOT_NEGATIVE, .unit = "s",
             .doc = "from the start of the run to job 1"),
    HY_PARAM(RandomGenerator, limit, .range = HY_NOT_NEGATIVE,
             .doc = "how many jobs; 0: without end"),
    HY_PARAM(RandomGenerator, value, .doc = "what each event says; empty: 1, 2, 3, ..."),
    HY_PARAM_AT(
        "seed", RandomGenerator, between.seed, .value = -1,
        .doc = "blocks with equal seeds draw equal numbers; negative: from the seed of the run"),
    {.name = NULL},
};
const HyAtomicClass hy_random_generator_class = {
    .name = "random_generator",
    .doc = "jobs 1, 2, 3, ... with random times between them",
    .palette = "Discrete events",
    .example = "<random_generator name=\"G\" distribution=\"exponential\" mean=\"2\"/>",
    .out = random_generator_out,
    .params = random_generator_params,
    .state_size = sizeof(RandomGenerator),
    .init = random_generator_init,
    .next = random_generator_next,
    .lambda = random_generator_lambda,
    .dint = random_generator_dint,
    .tape = random_generator_tape,
    .print = random_generator_print,
};
