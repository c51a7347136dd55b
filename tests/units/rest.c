/* What a unit of FMI 3.0 has to have and those of these tests do not do. */
#include "fmi3/fmi3.h"

#define REST(Result, name, parameters)                                                             \
  __attribute__((weak, visibility("default"))) Result name parameters                              \
  {                                                                                                \
    return (Result)fmi3Error;                                                                      \
  }
FMI3_FUNCTIONS(REST) /* NOLINT(performance-no-int-to-ptr): what nobody calls */
