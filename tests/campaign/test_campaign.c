/* Random switched circuits against an exact reference: as many as every check has time for. */
#include "figures.h"

#define CIRCUITS CI_CIRCUITS
#include "campaign_tests.h"
