#include "atomics.h"
#include "hydevs/model.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const HyAtomicClass *const built_in[] = {
    &hy_generator_class,    &hy_random_generator_class,
    &hy_random_class,       &hy_server_class,
    &hy_drop_server_class,  &hy_delay_class,
    &hy_relay_class,        &hy_counter_class,
    &hy_player_class,       &hy_place_class,
    &hy_transition_class,   &hy_transducer_class,
    &hy_sink_class,         &hy_function_class,
    &hy_implicit_class,     &hy_sum_class,
    &hy_gain_class,         &hy_product_class,
    &hy_division_class,     &hy_power_class,
    &hy_lookup_class,       &hy_switch_class,
    &hy_diode_class,        &hy_comparator_class,
    &hy_hysteresis_class,   &hy_saturation_class,
    &hy_dead_band_class,    &hy_and_class,
    &hy_or_class,           &hy_not_class,
    &hy_integrator_class,   &hy_reset_integrator_class,
    &hy_rate_limiter_class, &hy_variable_delay_class,
    &hy_constant_class,     &hy_clock_class,
    &hy_step_class,         &hy_pulse_class,
    &hy_ramp_class,         &hy_square_class,
    &hy_sawtooth_class,     &hy_triangle_class,
    &hy_trapezoid_class,    &hy_sine_class,
    &hy_three_phase_class,  &hy_pwm_class,
    &hy_file_source_class,  &hy_crossing_class,
    &hy_quantizer_class,    &hy_sample_hold_class,
    &hy_sampler_class,      &hy_unit_delay_class,
    &hy_transfer_z_class,   &hy_loop_breaker_class,
    &hy_stop_class,         &hy_window_class,
    &hy_on_delay_class,
};

/* Made once, never changed afterwards: any thread may read it. */
typedef struct {
  const HyAtomicClass *all[G_N_ELEMENTS(built_in) + 1]; /* as listed; ends with NULL */
  const HyAtomicClass *by_name[G_N_ELEMENTS(built_in)]; /* the same, sorted */
} ClassList;

static int compare_classes(const void *a, const void *b)
{
  const HyAtomicClass *const *first = a, *const *second = b;
  return strcmp((*first)->name, (*second)->name);
}

static ClassList list;

static void make_list(void)
{
  memcpy(list.all, built_in, sizeof built_in);
  memcpy(list.by_name, built_in, sizeof built_in);
  qsort(list.by_name, G_N_ELEMENTS(built_in), sizeof(gpointer), compare_classes);
}

/* pthread_once, not GLib's: ThreadSanitizer sees into the one and not into the other. */
static const ClassList *class_list(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_list);
  return &list;
}

const HyAtomicClass *const *hy_classes(void)
{
  return class_list()->all;
}

const HyAtomicClass *hy_class_find(const char *name)
{
  g_return_val_if_fail(name != NULL, NULL);
  const ClassList *known = class_list();
  const HyAtomicClass key = {.name = name}, *wanted = &key;
  const HyAtomicClass *const *found = bsearch(&wanted, known->by_name, G_N_ELEMENTS(known->by_name),
                                              sizeof(gpointer), compare_classes);
  return found != NULL ? *found : NULL;
}
