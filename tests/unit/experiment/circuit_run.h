/* For tests that run circuits: a model as text, one run of it, what it ends with. */
#ifndef HY_TESTS_CIRCUIT_RUN_H
#define HY_TESTS_CIRCUIT_RUN_H

#include "hydevs/hydevs.h"

#include <math.h>
#include <string.h>
#include <unity.h>

static HyReport *report;
static GError *error;

void setUp(void)
{
  report = hy_report_new();
}

void tearDown(void)
{
  g_clear_pointer(&report, hy_report_free);
  g_clear_error(&error);
}

static inline HyLoaded *load_text(const char *body)
{
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns='urn:hydevs:1' name='m' needs='1.2'>%s</hydevs>", body);
  HyLoaded *loaded = hy_load_memory(text, strlen(text), "m.xml",
                                    &(HyLoadOptions){.audit = g_getenv("HYDEVS_AUDIT")}, report);
  g_autofree char *messages = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, messages);
  return loaded;
}

static inline HyRun *go(const HyLoaded *loaded, const char *engine)
{
  HyRunSettings settings = HY_RUN_SETTINGS;
  settings.engine = engine;
  HyRun *run = hy_run_new(loaded, &settings, &error);
  TEST_ASSERT_NOT_NULL(run);
  gboolean ok = hy_run_record(run, &error) && hy_run_go(run, &error);
  TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : "");
  return run;
}

static inline double last(const HyRun *run, guint column)
{
  const HyRecorder *table = hy_run_table(run, 0);
  return hy_recorder_value(table, hy_recorder_rows(table) - 1, column);
}

/* The last row of BODY, the same in all engines. */
static inline void run_all(const char *body, guint n, double *end)
{
  static const char *const engines[] = {"tree", "flat", "fused"};
  g_autoptr(HyLoaded) loaded = load_text(body);
  for (guint k = 0; k < G_N_ELEMENTS(engines); k++) {
    g_autoptr(HyRun) run = go(loaded, engines[k]);
    for (guint c = 0; c < n; c++) {
      double v = last(run, c);
      TEST_ASSERT_TRUE_MESSAGE(k == 0 || v == end[c], engines[k]);
      end[c] = v;
    }
  }
}

static inline void expect_message(const char *body, const char *part)
{
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns='urn:hydevs:1' name='m' needs='1.2'>%s</hydevs>", body);
  HyLoaded *loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
  g_autofree char *messages = hy_report_text(report);
  TEST_ASSERT_NULL(loaded);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(messages, part), messages);
}

#endif
