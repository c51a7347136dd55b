/* What the tests of a library share: a model that uses its types, run on all engines, which must
 * record the same numbers; linear equations in the plane by their closed form; integrals of what
 * jumps; and Runge and Kutta's method with small steps, to integrate equations by themselves. */
#ifndef HY_TEST_LIBRARY_MODEL_H
#define HY_TEST_LIBRARY_MODEL_H

#include "hydevs/hydevs.h"

#include <complex.h>
#include <math.h>
#include <string.h>
#include <unity.h>

static const char *const library_folders[] = {HY_SOURCE_DIR "/library", NULL};

/* What stands inside <hydevs> of a model with an experiment. */
static inline HyLoaded *library_load(const char *body)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns='urn:hydevs:1' name='m' needs='1.2'>%s</hydevs>", body);
  HyLoaded *loaded = hy_load_memory(
      text, strlen(text), "m.xml",
      &(HyLoadOptions){.library = library_folders, .audit = g_getenv("HYDEVS_AUDIT")}, report);
  g_autofree char *messages = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, messages);
  TEST_ASSERT_EQUAL_STRING_MESSAGE("", messages, body);
  return loaded;
}

static inline HyRun *library_go(const HyLoaded *loaded, const char *engine)
{
  g_autoptr(GError) error = NULL;
  HyRunSettings settings = HY_RUN_SETTINGS;
  settings.engine = engine;
  HyRun *run = hy_run_new(loaded, &settings, &error);
  TEST_ASSERT_TRUE_MESSAGE(run != NULL, error != NULL ? error->message : "");
  gboolean ok = hy_run_record(run, &error) && hy_run_go(run, &error);
  TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : "");
  return run;
}

/* All that a run has recorded, with all digits. */
static inline char *library_text(const HyRun *run)
{
  const HyRecorder *table = hy_run_table(run, 0);
  g_autoptr(GString) text = g_string_new(NULL);
  char buffer[HY_DOUBLE_SIZE];
  for (guint64 row = 0; row < hy_recorder_rows(table); row++) {
    g_string_append(text, hy_double_text(buffer, hy_recorder_time(table, row)));
    for (guint c = 0; c < hy_recorder_n(table); c++) {
      g_string_append_printf(text, ",%s", hy_double_text(buffer, hy_recorder_value(table, row, c)));
    }
    g_string_append_c(text, '\n');
  }
  return g_string_free(g_steal_pointer(&text), FALSE);
}

/* The run on the tree; flat and fused must record the same. */
static inline HyRun *library_same_on_all_engines(const HyLoaded *loaded)
{
  HyRun *tree = library_go(loaded, "tree");
  g_autoptr(HyRun) flat = library_go(loaded, "flat"), fused = library_go(loaded, "fused");
  g_autofree char *a = library_text(tree), *b = library_text(flat), *c = library_text(fused);
  TEST_ASSERT_EQUAL_STRING(a, b);
  TEST_ASSERT_EQUAL_STRING(a, c);
  return tree;
}

/* Runs BODY on all engines; VALUES becomes the last row of what it recorded, N columns. */
static inline void library_end(const char *body, guint n, double *values)
{
  g_autoptr(HyLoaded) loaded = library_load(body);
  g_autoptr(HyRun) run = library_same_on_all_engines(loaded);
  const HyRecorder *table = hy_run_table(run, 0);
  TEST_ASSERT_EQUAL_UINT(n, hy_recorder_n(table));
  for (guint k = 0; k < n; k++) {
    values[k] = hy_recorder_value(table, hy_recorder_rows(table) - 1, k);
  }
}

/* x' = A x + g from x0: x = s + e^(A t) (x0 - s), A s = -g, with
 * e^(A t) = e^(m t) (cosh(q t) + (A - m) sinh(q t)/q), m half the trace, q^2 = m^2 - det. */
static inline void plane(const double a[2][2], const double g[2], const double x0[2], double t,
                         double x[2])
{
  double det = a[0][0] * a[1][1] - a[0][1] * a[1][0], m = (a[0][0] + a[1][1]) / 2;
  double s[2] = {(a[0][1] * g[1] - a[1][1] * g[0]) / det, (a[1][0] * g[0] - a[0][0] * g[1]) / det};
  complex double q = csqrt(m * m - det);
  double c = creal(ccosh(q * t)) * exp(m * t), h = creal(csinh(q * t) / q) * exp(m * t);
  double d[2] = {x0[0] - s[0], x0[1] - s[1]};
  x[0] = s[0] + c * d[0] + h * ((a[0][0] - m) * d[0] + a[0][1] * d[1]);
  x[1] = s[1] + c * d[1] + h * (a[1][0] * d[0] + (a[1][1] - m) * d[1]);
}

/* The integral of a recorded column that jumps and else stays, times cos(w t) or sin(w t). */
static inline double library_integral(const HyRecorder *table, guint column, double w,
                                      gboolean sine)
{
  double sum = 0;
  for (guint64 row = 0; row + 1 < hy_recorder_rows(table); row++) {
    double a = hy_recorder_time(table, row), b = hy_recorder_time(table, row + 1);
    double part = w == 0 ? b - a
                  : sine ? (cos(w * a) - cos(w * b)) / w
                         : (sin(w * b) - sin(w * a)) / w;
    sum += part * hy_recorder_value(table, row, column);
  }
  return sum;
}

#define RK4_MOST 8

/* x' = f(t, x) over STEPS steps of H from t = 0. */
static inline void rk4(void (*f)(double t, const double *x, double *dx), guint n, double *x,
                       double h, guint steps)
{
  static const double at[] = {0, 0.5, 0.5, 1}, weight[] = {1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0};
  for (guint step = 0; step < steps; step++) {
    double dx[RK4_MOST] = {0}, sum[RK4_MOST] = {0}, y[RK4_MOST];
    for (guint stage = 0; stage < 4; stage++) {
      for (guint k = 0; k < n; k++) {
        y[k] = x[k] + at[stage] * h * dx[k];
      }
      f((step + at[stage]) * h, y, dx);
      for (guint k = 0; k < n; k++) {
        sum[k] += weight[stage] * dx[k];
      }
    }
    for (guint k = 0; k < n; k++) {
      x[k] += h * sum[k];
    }
  }
}

#endif
