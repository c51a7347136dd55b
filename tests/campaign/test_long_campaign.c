/* Random switched circuits against an exact reference: all. */
#include "figures.h"

#define CIRCUITS  LONG_CIRCUITS
#define LOOKED_AT LONG_CIRCUITS
#include "campaign_tests.h"
