/* Random circuits between nodes against their tableau: all. */
#include "figures.h"

#define NETLISTS LONG_NETLISTS
#include "netlist_tests.h"
