/* For tests: a block with the name of a built-in one. */
#include <hydevs/blocks.h>

static double taken_ta(const void *state)
{
  (void)state;
  return INFINITY;
}

static const HyAtomicClass taken = {.name = "gain", .ta = taken_ta};
static const HyAtomicClass *const classes[] = {&taken, NULL};
const HyBlockTable hydevs_blocks = HY_BLOCK_TABLE(classes);
