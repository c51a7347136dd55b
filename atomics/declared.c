/* Blocks of the language that nothing implements yet: their ports and parameters, so that models
 * load and draw. hydevs check and hy_sim_new() say that they cannot run. An entry goes when its own
 * file under atomics/ comes. */
#include "atomics/atomics.h"

/* Parameters have a place of their own, as in a real state. */
#define SLOT(k) ((gsize)16 * (k))

static const HyPort one_out[] = {{.name = "out", .kind = HY_SIGNAL}, {.name = NULL}};

/* loop_breaker */
static const HyPort loop_breaker_in[] = {{.name = "in", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam loop_breaker_params[] = {
    {.name = "guess", .kind = HY_REAL, .offset = SLOT(0), .doc = "where the search begins"},
    {.name = "tolerance", .kind = HY_REAL, .offset = SLOT(1), .value = 1e-09, .range = HY_POSITIVE},
    {.name = NULL}};
static const HyAtomicClass loop_breaker_class = {
    .name = "loop_breaker",
    .doc = "solves an algebraic loop through it",
    .palette = "Hybrid",
    .example = "<loop_breaker name=\"u\" in=\"5 - 2*tanh(u)\"/>",
    .in = loop_breaker_in,
    .out = one_out,
    .params = loop_breaker_params,
    .state_size = SLOT(2)};

const HyAtomicClass *const hy_declared_classes[] = {&loop_breaker_class, NULL};
