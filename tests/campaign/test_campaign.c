/* Random switched circuits against an exact reference: as many as every check has time for. */
#include "figures.h"

#define CIRCUITS  CI_CIRCUITS
#define LOOKED_AT CI_LOOKED_AT
#include "campaign_tests.h"
