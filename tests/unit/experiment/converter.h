/* What the tests of converters share: one of them between a source of 24 V and a resistor, 100 kHz,
 * as a model; its periodic state, and its runs. */
#ifndef HY_TEST_CONVERTER_H
#define HY_TEST_CONVERTER_H

#include "hydevs/steady.h"
#include "library_model.h"

#define CONVERTER_U 24.0
#define CONVERTER_F 100e3

/* MORE: attributes of the converter; OUTS: names of its outputs, recorded in this order. */
typedef struct {
  const char *type, *more, *outs;
  double duty, load;
} Converter;

/* What is recorded: c.v c.i ... of "v i". */
static inline char *converter_model(const Converter *x, const char *fidelity,
                                    const char *experiment)
{
  g_auto(GStrv) out = g_strsplit(x->outs, " ", -1);
  g_autoptr(GString) ports = g_string_new(NULL), record = g_string_new(NULL);
  for (guint k = 0; out[k] != NULL; k++) {
    g_string_append_printf(ports, "<out name='%s' from='x.%s'/>", out[k], out[k]);
    g_string_append_printf(record, " c.%s", out[k]);
  }
  gboolean averaged = strcmp(fidelity, "averaged") == 0;
  g_autofree char *duty = g_strdup_printf("%.17g", x->duty);
  g_autofree char *pwm = g_strdup_printf("<pwm name='pwm' period='10u' duty='%s'/>", duty);
  return g_strdup_printf(
      "%s<circuit name='c' gate='%s'><in name='gate'/>"
      "<voltage name='U' nodes='in 0' value='24'/>"
      "<block name='x' type='power.%s' p='in' n='0' out='o' gate='gate' fidelity='%s' %s/>"
      "<resistor name='Ro' nodes='o 0' R='%.17g'/>%s</circuit><experiment record='%s' %s/>",
      averaged ? "" : pwm, averaged ? duty : "pwm", x->type, fidelity, x->more, x->load, ports->str,
      record->str, experiment);
}

static inline HyLoaded *converter_load(const Converter *x, const char *fidelity,
                                       const char *experiment)
{
  g_autofree char *body = converter_model(x, fidelity, experiment);
  return library_load(body);
}

/* The periodic state; LOADED must outlive it. */
static inline HySteady *converter_steady(const HyLoaded *loaded)
{
  g_autoptr(GError) error = NULL;
  HySteadySettings settings = HY_STEADY_SETTINGS;
  settings.period = 1 / CONVERTER_F;
  HySteady *steady = hy_steady_new(loaded, &settings, &error);
  TEST_ASSERT_TRUE_MESSAGE(steady != NULL, error != NULL ? error->message : "");
  return steady;
}

/* The mean of each output of X in its periodic state. */
static inline void converter_means(const Converter *x, const char *fidelity, double *mean)
{
  g_autoptr(HyLoaded) loaded = converter_load(x, fidelity, "stop='1m'");
  g_autoptr(HySteady) steady = converter_steady(loaded);
  for (guint k = 0; k < hy_steady_n_outputs(steady); k++) {
    mean[k] = hy_steady_mean(steady, k);
  }
}

/* The numbers in the last row. */
static inline void converter_end(const HyRun *run, double *end)
{
  const HyRecorder *table = hy_run_table(run, 0);
  for (guint k = 0; k < hy_recorder_n(table); k++) {
    end[k] = hy_recorder_value(table, hy_recorder_rows(table) - 1, k);
  }
}

/* The output of an average, which has a state of rest in place of a period. */
static inline double converter_rest(const Converter *x)
{
  g_autoptr(HyLoaded) loaded = converter_load(x, "averaged", "stop='1m'");
  g_autoptr(HySteady) steady = converter_steady(loaded);
  for (guint k = 0; k < hy_steady_n(steady); k++) {
    g_autofree char *path = hy_steady_state(steady, k);
    if (strcmp(path, "c/x/cap/C1.v") == 0) {
      return hy_steady_value(steady, k);
    }
  }
  TEST_FAIL_MESSAGE(x->type);
  return NAN;
}

/* Runs from rest, through discontinuous conduction at first: other methods end where CVODE does. */
static inline void converter_check_runs(const Converter *x, const char *fidelity)
{
  static const struct {
    const char *experiment;
    double close; /* of the largest value */
  } methods[] = {
      {"stop='0.5037m' dqrel='1e-6' dqmin='1e-6' grid='0.5037m'", 1e-5},
      {"stop='0.5037m' method='block_liqss2' dqrel='1e-6' dqmin='1e-6' grid='0.5037m'", 1e-5},
      {"stop='0.5037m' method='liqss2' dqrel='1e-5' dqmin='1e-5' grid='0.5037m'", 1e-2},
  };
  double wanted[8] = {0}, end[8] = {0}, largest = 0;
  g_autoptr(HyLoaded) fine = converter_load(
      x, fidelity, "stop='0.5037m' method='cvode_bdf' reltol='1e-9' abstol='1e-9' grid='0.5037m'");
  g_autoptr(HyRun) reference = library_go(fine, "fused");
  converter_end(reference, wanted);
  guint n = hy_recorder_n(hy_run_table(reference, 0));
  for (guint c = 0; c < n; c++) {
    largest = fmax(largest, fabs(wanted[c]));
  }
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    g_autoptr(HyLoaded) loaded = converter_load(x, fidelity, methods[m].experiment);
    g_autoptr(HyRun) run = library_same_on_all_engines(loaded);
    converter_end(run, end);
    for (guint c = 0; c < n; c++) {
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(methods[m].close * largest, wanted[c], end[c],
                                        methods[m].experiment);
    }
  }
}

#endif
