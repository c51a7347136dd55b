/* For tests: blocks that were made for another hydevs. */
#include <hydevs/blocks.h>

static const HyAtomicClass *const classes[] = {NULL};
const HyBlockTable hydevs_blocks = {HY_BLOCKS_ABI + 1, sizeof(HyAtomicClass), classes};
