#include "atomics.h"
#include "hydevs/model.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const HyAtomicClass *const built_in[] = {
    &hy_generator_class,
    &hy_random_generator_class,
    &hy_random_class,
    &hy_server_class,
    &hy_drop_server_class,
    &hy_delay_class,
    &hy_relay_class,
    &hy_counter_class,
    &hy_player_class,
    &hy_transducer_class,
    &hy_sink_class,
    &hy_function_class,
    &hy_sum_class,
    &hy_gain_class,
    &hy_product_class,
    &hy_division_class,
    &hy_power_class,
    &hy_lookup_class,
    &hy_switch_class,
    &hy_diode_class,
    &hy_comparator_class,
    &hy_hysteresis_class,
    &hy_saturation_class,
    &hy_dead_band_class,
    &hy_and_class,
    &hy_or_class,
    &hy_not_class,
    &hy_integrator_class,
    &hy_reset_integrator_class,
    &hy_rate_limiter_class,
    &hy_variable_delay_class,
    &hy_constant_class,
    &hy_step_class,
    &hy_pulse_class,
    &hy_ramp_class,
    &hy_square_class,
    &hy_sawtooth_class,
    &hy_triangle_class,
    &hy_trapezoid_class,
    &hy_sine_class,
    &hy_three_phase_class,
    &hy_pwm_class,
    &hy_file_source_class,
    &hy_crossing_class,
    &hy_quantizer_class,
    &hy_sample_hold_class,
    &hy_sampler_class,
    &hy_unit_delay_class,
    &hy_transfer_z_class,
    &hy_stop_class,
    &hy_window_class,
};

/* Made once, never changed afterwards: any thread may read it. */
typedef struct {
  const HyAtomicClass **all;     /* as listed: built in, then declared; ends with NULL */
  const HyAtomicClass **by_name; /* the same, sorted */
  gsize n;
} ClassList;

static int compare_classes(const void *a, const void *b)
{
  const HyAtomicClass *const *first = a, *const *second = b;
  return strcmp((*first)->name, (*second)->name);
}

static gboolean is_built_in(const HyAtomicClass *klass)
{
  for (gsize i = 0; i < G_N_ELEMENTS(built_in); i++) {
    if (strcmp(built_in[i]->name, klass->name) == 0) {
      return TRUE;
    }
  }
  return FALSE;
}

static ClassList list;

static void make_list(void)
{
  gsize n = G_N_ELEMENTS(built_in), most = n;
  while (hy_declared_classes[most - n] != NULL) {
    most++;
  }
  list.all = g_new0(const HyAtomicClass *, most + 1);
  memcpy(list.all, built_in, sizeof built_in);
  for (const HyAtomicClass *const *k = hy_declared_classes; *k != NULL; k++) {
    if (!is_built_in(*k)) {
      list.all[n++] = *k;
    }
  }
  list.n = n;
  list.by_name = g_memdup2(list.all, n * sizeof(gpointer));
  qsort(list.by_name, n, sizeof(gpointer), compare_classes);
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
  const HyAtomicClass *const *found =
      bsearch(&wanted, known->by_name, known->n, sizeof(gpointer), compare_classes);
  return found != NULL ? *found : NULL;
}
