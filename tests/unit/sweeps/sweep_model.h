/* For tests: models in a folder of their own, plans of them, and the tables that come of those. */
#ifndef SWEEP_MODEL_H
#define SWEEP_MODEL_H

#include "hydevs/sweep.h"
#include "hydevs/text.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unity.h>

static char *dir;

static inline char *in_dir(const char *name)
{
  return g_build_filename(dir, name, NULL);
}

static inline void put(const char *name, const char *text)
{
  g_autofree char *file = in_dir(name);
  TEST_ASSERT_TRUE(g_file_set_contents(file, text, -1, NULL));
}

/* A coil of a circuit RC behind a step of U: v = U (1 - exp(-t/(R C))). */
static const char rc[] =
    "<hydevs xmlns=\"urn:hydevs:1\" name=\"rc\">"
    "<param name=\"R\" value=\"1\" min=\"0.1\"/><param name=\"C\" value=\"1\"/>"
    "<param name=\"U\" value=\"1\"/><param name=\"gain\" value=\"1\"/>"
    "<let name=\"tau\" value=\"R*C\"/>"
    "<integrator name=\"v\" in=\"(gain*U - v)/tau\"/>"
    "<experiment stop=\"5*R*C\" method=\"block_liqss2\" dqrel=\"1e-6\" dqmin=\"1e-6\"/></hydevs>";

/* Customers at random. */
static const char line[] =
    "<hydevs xmlns=\"urn:hydevs:1\" name=\"line\"><param name=\"rate\" value=\"0.8\" min=\"0\"/>"
    "<random_generator name=\"customers\" mean=\"1/rate\"/>"
    "<server name=\"desk\" time=\"1\" in=\"customers\"/><counter name=\"came\" in=\"customers\"/>"
    "<counter name=\"gone\" in=\"desk\"/><experiment stop=\"60\" seed=\"4\"/></hydevs>";

void setUp(void)
{
  dir = g_dir_make_tmp("hydevs-XXXXXX", NULL);
  put("rc.xml", rc);
  put("line.xml", line);
}

void tearDown(void)
{
  g_autoptr(GDir) files = g_dir_open(dir, 0, NULL);
  const char *name;
  while (files != NULL && (name = g_dir_read_name(files)) != NULL) {
    g_autofree char *file = in_dir(name);
    g_unlink(file);
  }
  g_rmdir(dir);
  g_clear_pointer(&dir, g_free);
}

/* NULL: WHY has the messages. */
static inline HyPlan *try_plan(const char *model, const HyPlanOptions *options, char **why)
{
  g_autofree char *file = in_dir(model);
  g_autoptr(HyReport) report = hy_report_new();
  HyPlan *plan = hy_plan_new(file, options, report);
  if (why != NULL) {
    *why = hy_report_text(report);
  }
  return plan;
}

static inline HyPlan *plan_of(const char *model, const HyPlanOptions *options)
{
  g_autofree char *why = NULL;
  HyPlan *plan = try_plan(model, options, &why);
  TEST_ASSERT_NOT_NULL_MESSAGE(plan, why);
  return plan;
}

static inline HyPlanOptions asked(const char *const *vary, const char *const *measures)
{
  HyPlanOptions o = HY_PLAN_OPTIONS;
  o.vary = vary;
  o.measures = measures;
  return o;
}

/* The table, newly allocated. */
static inline char *table_of(const HyPlan *plan, guint threads)
{
  g_autofree char *file = in_dir("table.csv");
  g_autoptr(GError) error = NULL;
  char *text = NULL;
  HySweepOptions o = HY_SWEEP_OPTIONS;
  o.threads = threads;
  o.out = file;
  g_autoptr(HySweep) sweep = hy_sweep_new(plan, &o, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(sweep, error != NULL ? error->message : "");
  TEST_ASSERT_TRUE_MESSAGE(hy_sweep_go(sweep, &error), error != NULL ? error->message : "");
  TEST_ASSERT_TRUE(g_file_get_contents(file, &text, NULL, NULL));
  return text;
}

#endif
