/* The part of a class table that all blocks without dynamics share. TYPE, the state, begins with an
 * HyStatic. */
#ifndef HYDEVS_ATOMICS_STATIC_CLASS_H
#define HYDEVS_ATOMICS_STATIC_CLASS_H

#include "hydevs/expression.h"

#define HY_STATIC_CLASS(TYPE)                                                                      \
  .state_size = sizeof(TYPE), .init = hy_static_init, .next = hy_static_next,                      \
  .lambda = hy_static_lambda, .dint = hy_static_dint, .dext = hy_static_dext,                      \
  .clear = hy_static_clear, .tape = hy_static_tape, .print = hy_static_print,                      \
  .fault = hy_static_fault

/* The tolerances of a class whose functions may be nonlinear; TYPE begins with BASE, an HyStatic.
 */
#define HY_STATIC_TOLERANCES(TYPE, BASE)                                                           \
  HY_PARAM_AT("dqrel", TYPE, BASE dqrel, .value = 1e-3, .range = HY_NOT_NEGATIVE,                  \
              .doc = "inherited, as integrators do; bounds what is said of a nonlinear function"), \
      HY_PARAM_AT("dqmin", TYPE, BASE dqmin, .value = 1e-6, .range = HY_POSITIVE,                  \
                  .doc = "inherited, as integrators do")

#endif
