/* Random circuits between nodes against their tableau: a portion. */
#include "figures.h"

#define NETLISTS CI_NETLISTS
#include "netlist_tests.h"
