/* A model from text, run by one engine, for tests of groups. */
#ifndef HY_TEST_GROUP_RUN_H
#define HY_TEST_GROUP_RUN_H

#include "hydevs/hydevs.h"
#include "hydevs/load.h"

#include <math.h>
#include <string.h>
#include <unity.h>

typedef struct {
  HyLoaded *loaded;
  HySim *sim;
} Run;

static inline void load(Run *r, const char *text, HyEngine engine)
{
  g_autoptr(HyReport) report = hy_report_new();
  r->loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
  g_autofree char *problems = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(r->loaded, problems);
  r->sim = hy_sim_new(hy_loaded_model(r->loaded), engine, NULL);
}

static inline void start(Run *r)
{
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_TRUE_MESSAGE(hy_sim_init(r->sim, 0, &error), error != NULL ? error->message : "");
}

/* NUMERICS: the attributes of the experiment. */
static inline void setup_with(Run *r, const char *inside, const char *numerics, HyEngine engine)
{
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">\n%s\n<experiment stop=\"1\" "
                      "%s/></hydevs>\n",
                      inside, numerics);
  load(r, text, engine);
  start(r);
}

static inline void setup(Run *r, const char *inside, const char *method, const char *tol,
                         HyEngine engine)
{
  g_autofree char *numerics =
      g_strdup_printf("method=\"%s\" dqrel=\"%s\" dqmin=\"%s\"", method, tol, tol);
  setup_with(r, inside, numerics, engine);
}

static inline void clear(Run *r)
{
  hy_sim_free(r->sim);
  hy_loaded_free(r->loaded);
}

static inline void go(Run *r, double t)
{
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_TRUE_MESSAGE(hy_sim_run(r->sim, t, &error), error != NULL ? error->message : "");
}

static inline double at(const Run *r, const char *path, double t)
{
  guint atomic = 0;
  TEST_ASSERT_TRUE_MESSAGE(hy_sim_find(r->sim, path, &atomic), path);
  return hy_sim_value(r->sim, atomic, t);
}

static inline HyClassicTotals totals(const Run *r)
{
  HyTotals t;
  hy_sim_totals(r->sim, &t);
  return t.classic;
}

static const HyEngine engines[] = {HY_TREE, HY_FLAT, HY_FUSED};

/* design/classic-multirate-realtime.md 1.5.1. */
#define MIXED                                                                                      \
  "<integrator name=\"x1\" in=\"z1 - x1\" x0=\"0\" method=\"%s\"/>"                                \
  "<integrator name=\"z1\" in=\"z2\" x0=\"1\"/>"                                                   \
  "<integrator name=\"z2\" in=\"-4*z1 - 0.2*z2 + x1\" x0=\"0\"/>"

/* One of its states: the linear system by Taylor's series, in steps so short that it is exact. */
static inline double mixed_reference(double t, int state)
{
  double x[3] = {0, 1, 0};
  int steps = (int)(t * 100);
  for (int k = 0; k < steps; k++) {
    double term[3], sum[3];
    memcpy(term, x, sizeof x);
    memcpy(sum, x, sizeof x);
    for (int j = 1; j < 12; j++) {
      double d[3] = {term[1] - term[0], term[2], -4 * term[1] - 0.2 * term[2] + term[0]};
      for (int i = 0; i < 3; i++) {
        term[i] = d[i] * t / steps / j;
        sum[i] += term[i];
      }
    }
    memcpy(x, sum, sizeof x);
  }
  return x[state];
}

#endif
