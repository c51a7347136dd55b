/* Random converters with what controls them: all. */
#include "figures.h"

#define LOOPS        LONG_LOOPS
#define LOOP_DEFAULT LONG_LOOP_DEFAULT
#define LOOP_AT_FINE LONG_LOOP_AT_FINE
#include "loop_tests.h"
