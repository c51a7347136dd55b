/* The atomic classes that come with hydevs; found by name with hy_class_find() (hydevs/model.h). */
#ifndef HYDEVS_ATOMICS_H
#define HYDEVS_ATOMICS_H

#include "hydevs/atomic.h"

/* In the order of hy_classes(). A block is a file, and a word here. */
/* clang-format off */
#define HY_BLOCKS(BLOCK) \
  BLOCK(generator) BLOCK(random_generator) BLOCK(random) BLOCK(server) BLOCK(drop_server) \
  BLOCK(delay) BLOCK(relay) BLOCK(counter) BLOCK(player) BLOCK(place) BLOCK(transition) \
  BLOCK(transducer) BLOCK(sink) BLOCK(function) BLOCK(implicit) BLOCK(sum) BLOCK(gain) \
  BLOCK(product) BLOCK(division) BLOCK(power) BLOCK(lookup) BLOCK(switch) BLOCK(diode) \
  BLOCK(comparator) BLOCK(hysteresis) BLOCK(saturation) BLOCK(dead_band) BLOCK(and) BLOCK(or) \
  BLOCK(not) BLOCK(integrator) BLOCK(reset_integrator) BLOCK(rate_limiter) \
  BLOCK(variable_delay) BLOCK(constant) BLOCK(clock) BLOCK(step) BLOCK(pulse) BLOCK(ramp) \
  BLOCK(square) BLOCK(sawtooth) BLOCK(triangle) BLOCK(trapezoid) BLOCK(sine) BLOCK(three_phase) \
  BLOCK(pwm) BLOCK(file_source) BLOCK(crossing) BLOCK(quantizer) BLOCK(sample_hold) \
  BLOCK(sampler) BLOCK(unit_delay) BLOCK(transfer_z) BLOCK(loop_breaker) BLOCK(stop) \
  BLOCK(window) BLOCK(on_delay) BLOCK(lever)
/* clang-format on */

#define CLASS(block) extern const HyAtomicClass hy_##block##_class;
HY_BLOCKS(CLASS)
#undef CLASS

/* Not in the list: only the loader places it. */
enum { HY_VALVE_CURRENT, HY_VALVE_GATE };     /* its inputs */
enum { HY_VALVE_ON, HY_VALVE_R, HY_VALVE_G }; /* its outputs */
#define HY_VALVE_BODY 3u                      /* of a transistor: where those of its diode begin */
extern const HyAtomicClass hy_valve_class, hy_transistor_class;
extern const HyAtomicClass hy_differential_class;      /* likewise */
enum { HY_JUNCTION_CURRENT, HY_JUNCTION_CONDUCTANCE }; /* inputs */
extern const HyAtomicClass hy_junction_class;          /* likewise */

#endif
