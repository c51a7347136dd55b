/* Random converters with what controls them: a portion. */
#include "figures.h"

#define LOOPS        CI_LOOPS
#define LOOP_DEFAULT CI_LOOP_DEFAULT
#define LOOP_AT_FINE CI_LOOP_AT_FINE
#include "loop_tests.h"
