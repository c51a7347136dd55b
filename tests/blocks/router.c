/* For tests: <router>, whose outputs are an array and whose input is none. What comes is said at
 * out[1], out[2], ... in turn, as many as it has been given. It is compiled as C++, too. */
#include <hydevs/blocks.h>

typedef struct {
  gint64 first;  /* the parameter */
  double sigma;  /* time to the next internal event */
  guint n, turn; /* outputs; the one that is next, from 0 */
  HyValue value;
} Router;

static gboolean router_init(void *state, double t, const HySetup *setup, GError **error)
{
  (void)t;
  (void)error;
  Router *s = (Router *)state;
  s->sigma = INFINITY;
  s->n = MAX(setup->n_out, 1);
  s->turn = (guint)(s->first - 1) % s->n;
  return TRUE;
}

static double router_ta(const void *state)
{
  return ((const Router *)state)->sigma;
}

static HyEvent router_lambda(const void *state, double t)
{
  (void)t;
  const Router *s = (const Router *)state;
  HyEvent y = HY_NO_EVENT;
  y.port = (gint)s->turn;
  y.value = s->value;
  return y;
}

static void router_dint(void *state, double t)
{
  (void)t;
  Router *s = (Router *)state;
  s->turn = (s->turn + 1) % s->n;
  s->sigma = INFINITY;
}

static void router_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)t;
  (void)e;
  Router *s = (Router *)state;
  s->value = x->value;
  s->sigma = 0;
}

static const HyParam router_params[] = {
    HY_PARAM(Router, first, .value = 1, .range = HY_POSITIVE, .doc = "the output of the first one"),
    {0},
};
static const HyPort router_in[] = {{.name = "in", .kind = HY_EVENT}, {0}};
static const HyPort router_out[] = {{.name = "out", .kind = HY_EVENT, .array = TRUE}, {0}};

static const HyAtomicClass router_class = {
    .name = "router",
    .doc = "what comes, to one output after the other",
    .palette = "My blocks",
    .example = "<router name=\"R\" in=\"G\"/>",
    .in = router_in,
    .out = router_out,
    .params = router_params,
    .state_size = sizeof(Router),
    .init = router_init,
    .ta = router_ta,
    .lambda = router_lambda,
    .dint = router_dint,
    .dext = router_dext,
};

static const HyAtomicClass *const classes[] = {&router_class, NULL};
const HyBlockTable hydevs_blocks = HY_BLOCK_TABLE(classes);
