/* For tests: <mine armed="1"/> ends the process when its run begins, as a block with a wrong
 * pointer does. */
#include <hydevs/blocks.h>

#include <stdlib.h>

typedef struct {
  double armed; /* the parameter */
} Mine;

static gboolean mine_init(void *state, double t, const HySetup *setup, GError **error)
{
  (void)t;
  (void)setup;
  (void)error;
  if (((const Mine *)state)->armed > 0) {
    abort();
  }
  return TRUE;
}

static double mine_ta(const void *state)
{
  (void)state;
  return INFINITY;
}

static HyEvent mine_lambda(const void *state, double t)
{
  (void)state;
  (void)t;
  HyEvent y = HY_NO_EVENT;
  return y;
}

static void mine_dint(void *state, double t)
{
  (void)state;
  (void)t;
}

static const HyParam mine_params[] = {HY_PARAM(Mine, armed, .doc = "above 0: it goes off"), {0}};
static const HyPort mine_in[] = {{0}};
static const HyPort mine_out[] = {{.name = "out", .kind = HY_EVENT}, {0}};

static const HyAtomicClass mine_class = {
    .name = "mine",
    .doc = "ends the process",
    .palette = "My blocks",
    .example = "<mine name=\"M\"/>",
    .in = mine_in,
    .out = mine_out,
    .params = mine_params,
    .state_size = sizeof(Mine),
    .init = mine_init,
    .ta = mine_ta,
    .lambda = mine_lambda,
    .dint = mine_dint,
};

static const HyAtomicClass *const classes[] = {&mine_class, NULL};
const HyBlockTable hydevs_blocks = HY_BLOCK_TABLE(classes);
