/* A block of one's own for model files: <tally>, which says how often something has come to it,
 * times a factor.
 *   cc -shared -fPIC $(pkg-config --cflags hydevs) tally.c -o tally.so
 *   hydevs run street.xml --blocks tally.so */
#include <hydevs/blocks.h>

typedef struct {
  double factor; /* the parameter */
  double sigma;  /* time to the next internal event */
  guint n;
} Tally;

static gboolean tally_init(void *state, double t, const HySetup *setup, GError **error)
{
  (void)t;
  (void)setup;
  (void)error;
  ((Tally *)state)->sigma = INFINITY;
  return TRUE;
}

static double tally_ta(const void *state)
{
  return ((const Tally *)state)->sigma;
}

static HyEvent tally_lambda(const void *state, double t)
{
  (void)t;
  const Tally *s = state;
  return (HyEvent){.port = 0, .value.c = {s->factor * s->n}};
}

static void tally_dint(void *state, double t)
{
  (void)t;
  ((Tally *)state)->sigma = INFINITY;
}

static void tally_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)t;
  (void)e;
  (void)x;
  Tally *s = state;
  s->n++;
  s->sigma = 0;
}

static const HyParam tally_params[] = {
    HY_PARAM(Tally, factor, .value = 1, .doc = "what one event counts"),
    {0},
};
static const HyPort tally_in[] = {{.name = "in", .kind = HY_EVENT}, {0}};
static const HyPort tally_out[] = {{.name = "out", .kind = HY_EVENT}, {0}};

static const HyAtomicClass tally_class = {
    .name = "tally",
    .doc = "how often something has come, times a factor",
    .palette = "My blocks",
    .example = "<tally name=\"T\" in=\"G\" factor=\"10\"/>",
    .in = tally_in,
    .out = tally_out,
    .params = tally_params,
    .state_size = sizeof(Tally),
    .init = tally_init,
    .ta = tally_ta,
    .lambda = tally_lambda,
    .dint = tally_dint,
    .dext = tally_dext,
};

static const HyAtomicClass *const classes[] = {&tally_class, NULL};
const HyBlockTable hydevs_blocks = HY_BLOCK_TABLE(classes);
