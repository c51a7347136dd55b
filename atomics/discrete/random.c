/* Random: a signal that takes a new random value every period. */
#include "random.h"
#include "atomics.h"
#include "hydevs/trace.h"
#include "numerics/beats.h"

/* lambda may not draw: the value is drawn one step ahead. */
typedef struct {
  HyRandomDraw draw;
  double period;
  HyBeats beats;
  double value; /* of step k */
  guint64 k;
} Random;

static gboolean random_init(void *state, double t, const HySetup *setup, GError **error)
{
  Random *s = state;
  if (!hy_random_draw_init(&s->draw, setup, error)) {
    return FALSE;
  }
  s->beats = hy_beats(s->period, t);
  s->k = 0;
  s->value = hy_random_draw_next(&s->draw);
  return TRUE;
}

static double random_next(const void *state)
{
  const Random *s = state;
  return s->k == 0 ? s->beats.start.h : hy_beat(&s->beats, (double)s->k, (HyRatio){0.0, 0.0});
}

static HyEvent random_lambda(const void *state, double t)
{
  (void)t;
  const Random *s = state;
  return (HyEvent){.port = 0, .value.c = {s->value}};
}

static void random_dint(void *state, double t)
{
  (void)t;
  Random *s = state;
  s->k++;
  s->value = hy_random_draw_next(&s->draw);
}

static void random_tape(void *state, HyTape *tape)
{
  Random *s = state;
  HY_TAPE(tape, s->k);
  HY_TAPE(tape, s->value);
  HY_TAPE_ARRAY(tape, s->draw.random.s, 4);
}

static void random_print(const void *state, GString *out)
{
  const Random *s = state;
  char next[HY_DOUBLE_SIZE];
  g_string_append_printf(out, "(k=%" G_GUINT64_FORMAT ",next=%s)", s->k,
                         hy_double_text(next, s->value));
}

static const HyPort random_out[] = {
    {.name = "out", .kind = HY_SIGNAL, .doc = "holds each value for one period"},
    {.name = NULL},
};
static const HyParam random_params[] = {
    HY_PARAM_AT("distribution", Random, draw.distribution, .text = "uniform",
                .choices = HY_DISTRIBUTIONS, .doc = "of the values"),
    HY_PARAM_AT("mean", Random, draw.mean, .value = 0.0, .doc = "normal, exponential: the mean"),
    HY_PARAM_AT("deviation", Random, draw.deviation, .value = 1.0, .range = HY_NOT_NEGATIVE,
                .doc = "normal: the standard deviation"),
    HY_PARAM_AT("minimum", Random, draw.minimum, .value = 0.0,
                .doc = "uniform: the smallest value"),
    HY_PARAM_AT("maximum", Random, draw.maximum, .value = 1.0, .doc = "uniform: the largest value"),
    HY_PARAM(Random, period, .value = 1.0, .range = HY_POSITIVE, .unit = "s",
             .doc = "from one value to the next; value k (from 0) comes k periods after the start"),
    HY_PARAM_AT(
        "seed", Random, draw.seed, .value = -1,
        .doc = "blocks with equal seeds draw equal numbers; negative: from the seed of the run"),
    {.name = NULL},
};
const HyAtomicClass hy_random_class = {
    .name = "random",
    .doc = "a new random value every period",
    .palette = "Sources",
    .example = "<random name=\"noise\" distribution=\"normal\" mean=\"0\" deviation=\"0.1\" "
               "period=\"1m\"/>",
    .out = random_out,
    .params = random_params,
    .state_size = sizeof(Random),
    .init = random_init,
    .next = random_next,
    .lambda = random_lambda,
    .dint = random_dint,
    .tape = random_tape,
    .print = random_print,
};
