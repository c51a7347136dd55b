/* The atomic classes that come with hydevs; found by name with hy_class_find() (hydevs/model.h). */
#ifndef HYDEVS_ATOMICS_H
#define HYDEVS_ATOMICS_H

#include "hydevs/atomic.h"

extern const HyAtomicClass hy_and_class;
extern const HyAtomicClass hy_comparator_class;
extern const HyAtomicClass hy_constant_class;
extern const HyAtomicClass hy_counter_class;
extern const HyAtomicClass hy_crossing_class;
extern const HyAtomicClass hy_dead_band_class;
extern const HyAtomicClass hy_delay_class;
extern const HyAtomicClass hy_diode_class;
extern const HyAtomicClass hy_division_class;
extern const HyAtomicClass hy_drop_server_class;
extern const HyAtomicClass hy_file_source_class;
extern const HyAtomicClass hy_function_class;
extern const HyAtomicClass hy_gain_class;
extern const HyAtomicClass hy_generator_class;
extern const HyAtomicClass hy_hysteresis_class;
extern const HyAtomicClass hy_implicit_class;
extern const HyAtomicClass hy_integrator_class;
extern const HyAtomicClass hy_lookup_class;
extern const HyAtomicClass hy_loop_breaker_class;
extern const HyAtomicClass hy_not_class;
extern const HyAtomicClass hy_on_delay_class;
extern const HyAtomicClass hy_or_class;
extern const HyAtomicClass hy_place_class;
extern const HyAtomicClass hy_player_class;
extern const HyAtomicClass hy_power_class;
extern const HyAtomicClass hy_product_class;
extern const HyAtomicClass hy_pulse_class;
extern const HyAtomicClass hy_pwm_class;
extern const HyAtomicClass hy_quantizer_class;
extern const HyAtomicClass hy_ramp_class;
extern const HyAtomicClass hy_clock_class;
extern const HyAtomicClass hy_random_class;
extern const HyAtomicClass hy_random_generator_class;
extern const HyAtomicClass hy_rate_limiter_class;
extern const HyAtomicClass hy_relay_class;
extern const HyAtomicClass hy_reset_integrator_class;
extern const HyAtomicClass hy_sample_hold_class;
extern const HyAtomicClass hy_sampler_class;
extern const HyAtomicClass hy_saturation_class;
extern const HyAtomicClass hy_sawtooth_class;
extern const HyAtomicClass hy_server_class;
extern const HyAtomicClass hy_sine_class;
extern const HyAtomicClass hy_sink_class;
extern const HyAtomicClass hy_square_class;
extern const HyAtomicClass hy_step_class;
extern const HyAtomicClass hy_stop_class;
extern const HyAtomicClass hy_sum_class;
extern const HyAtomicClass hy_switch_class;
/* Not in the list: only the loader places it. */
enum { HY_VALVE_CURRENT, HY_VALVE_GATE };     /* its inputs */
enum { HY_VALVE_ON, HY_VALVE_R, HY_VALVE_G }; /* its outputs */
#define HY_VALVE_BODY 3u                      /* of a transistor: where those of its diode begin */
extern const HyAtomicClass hy_valve_class, hy_transistor_class;
extern const HyAtomicClass hy_differential_class;      /* likewise */
enum { HY_JUNCTION_CURRENT, HY_JUNCTION_CONDUCTANCE }; /* inputs */
extern const HyAtomicClass hy_junction_class;          /* likewise */
extern const HyAtomicClass hy_three_phase_class;
extern const HyAtomicClass hy_transducer_class;
extern const HyAtomicClass hy_transfer_z_class;
extern const HyAtomicClass hy_transition_class;
extern const HyAtomicClass hy_trapezoid_class;
extern const HyAtomicClass hy_triangle_class;
extern const HyAtomicClass hy_unit_delay_class;
extern const HyAtomicClass hy_variable_delay_class;
extern const HyAtomicClass hy_window_class;

#endif
