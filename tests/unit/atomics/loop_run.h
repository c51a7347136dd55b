/* For tests: a model as text, run in an engine, and the last word of every output. */
#ifndef HYDEVS_TESTS_LOOP_RUN_H
#define HYDEVS_TESTS_LOOP_RUN_H

#include "hydevs/hydevs.h"
#include "hydevs/load.h"
#include "numerics/poly.h"

#include <string.h>
#include <unity.h>

static const HyEngine engines[] = {HY_TREE, HY_FLAT, HY_FUSED};

typedef struct {
  double t, c[4];
  guint64 words;
} Last;

typedef struct {
  HyLoaded *loaded;
  HySim *sim;
  GHashTable *last; /* atomic * 64 + port -> Last */
} Run;

static inline void hear(gpointer user, const HyTransition *x)
{
  if (x->kind != HY_LAMBDA || x->event->port < 0) {
    return;
  }
  GHashTable *last = user;
  gpointer key = GUINT_TO_POINTER(x->atomic * 64 + (guint)x->event->port + 1);
  Last *l = g_hash_table_lookup(last, key);
  if (l == NULL) {
    l = g_new0(Last, 1);
    g_hash_table_insert(last, key, l);
  }
  l->t = x->t;
  l->words++;
  memcpy(l->c, x->event->value.c, sizeof l->c);
}

static inline HyLoaded *load(const char *inside, const char *experiment, HyReport *report)
{
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">\n%s\n<experiment stop=\"1\" "
                      "%s/></hydevs>\n",
                      inside, experiment);
  return hy_load_memory(text, strlen(text), "m.xml", NULL, report);
}

/* NULL: it starts and runs to T; else what goes wrong. */
static inline char *start(Run *r, const char *inside, const char *experiment, HyEngine engine,
                          double t)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(GError) error = NULL;
  r->loaded = load(inside, experiment, report);
  g_autofree char *problems = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(r->loaded, problems);
  r->sim = hy_sim_new(hy_loaded_model(r->loaded), engine, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(r->sim, error != NULL ? error->message : "");
  r->last = g_hash_table_new_full(NULL, NULL, NULL, g_free);
  HyTrace trace = {.user = r->last, .transition = hear};
  hy_sim_set_trace(r->sim, &trace);
  gboolean ok = hy_sim_init(r->sim, 0, &error) && hy_sim_run(r->sim, t, &error);
  return ok ? NULL : g_strdup(error->message);
}

static inline void clear(Run *r)
{
  hy_sim_free(r->sim);
  hy_loaded_free(r->loaded);
  g_hash_table_unref(r->last);
}

static inline void run(Run *r, const char *inside, const char *experiment, HyEngine engine,
                       double t)
{
  g_autofree char *wrong = start(r, inside, experiment, engine, t);
  TEST_ASSERT_NULL_MESSAGE(wrong, wrong != NULL ? wrong : "");
}

static inline void fails(const char *inside, const char *expected)
{
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    Run r;
    g_autofree char *wrong = start(&r, inside, "", engines[e], 1);
    TEST_ASSERT_NOT_NULL_MESSAGE(wrong, expected);
    TEST_ASSERT_EQUAL_STRING(expected, wrong);
    clear(&r);
  }
}

static inline guint find(const Run *r, const char *path)
{
  guint atomic = 0;
  TEST_ASSERT_TRUE_MESSAGE(hy_sim_find(r->sim, path, &atomic), path);
  return atomic;
}

static const Last *last(const Run *r, const char *path, guint port)
{
  gpointer key = GUINT_TO_POINTER(find(r, path) * 64 + port + 1);
  const Last *l = g_hash_table_lookup(r->last, key);
  TEST_ASSERT_NOT_NULL_MESSAGE(l, path);
  return l;
}

/* What was said last at an output, as a polynomial from T on. */
static inline void piece(const Run *r, const char *path, guint port, double t, double *c)
{
  const Last *l = last(r, path, port);
  memcpy(c, l->c, sizeof l->c);
  hy_poly_shift(c, 4, t - l->t);
}

static inline double said(const Run *r, const char *path, guint port, double t)
{
  double c[4];
  piece(r, path, port, t, c);
  return c[0];
}

#endif
