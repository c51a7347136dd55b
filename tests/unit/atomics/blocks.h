/* For the tests of single blocks: small models, and what a block has said on both engines. */
#ifndef BLOCKS_H
#define BLOCKS_H

#include "hydevs/hydevs.h"

#include <string.h>
#include <unity.h>

typedef struct {
  double t;
  gint port;
  double c[4];
} Said;

static inline guint add(HyModel *m, const char *klass, const char *name, ...)
{
  guint component = hy_model_add(m, name, hy_class_find(klass));
  va_list args;
  va_start(args, name);
  for (const char *param = va_arg(args, const char *); param != NULL;
       param = va_arg(args, const char *)) {
    g_autoptr(GError) error = NULL;
    hy_model_set(m, component, param, va_arg(args, const char *), &error);
    TEST_ASSERT_NULL_MESSAGE(error, error != NULL ? error->message : "");
  }
  va_end(args);
  return component;
}

static inline void wire(HyModel *m, const char *from, const char *to)
{
  g_autoptr(GError) error = NULL;
  hy_model_wire(m, from, to, &error);
  TEST_ASSERT_NULL_MESSAGE(error, error != NULL ? error->message : "");
}

/* A rogue of a block: NaN at t = 0.5 and, if it mends, at once 2 behind it; from an event port,
 * which the core does not watch. */
typedef struct {
  gboolean mends;
  guint said;
} Rogue;

static inline double rogue_next(const void *state)
{
  const Rogue *s = state;
  return s->said <= (s->mends ? 1 : 0) ? 0.5 : INFINITY;
}

static inline HyEvent rogue_lambda(const void *state, double t)
{
  (void)t;
  const Rogue *s = state;
  return (HyEvent){.port = 0, .value.c = {s->said == 0 ? NAN : 2}};
}

static inline void rogue_dint(void *state, double t)
{
  (void)t;
  Rogue *s = state;
  s->said++;
}

static const HyPort rogue_out[] = {{.name = "out", .kind = HY_EVENT}, {.name = NULL}};
static const HyParam rogue_params[] = {
    {.name = "mends", .kind = HY_BOOLEAN, .offset = G_STRUCT_OFFSET(Rogue, mends)}, {.name = NULL}};
static const HyAtomicClass rogue_class = {.name = "rogue",
                                          .out = rogue_out,
                                          .params = rogue_params,
                                          .state_size = sizeof(Rogue),
                                          .next = rogue_next,
                                          .lambda = rogue_lambda,
                                          .dint = rogue_dint};

/* The input PORT of component is the number V. */
static inline void fix(HyModel *m, guint component, guint port, double v)
{
  TEST_ASSERT_TRUE(hy_model_set_input(m, component, port, v, NULL));
}

typedef struct {
  guint atomic;
  GArray *said;
} Ear;

static inline void hear(gpointer user, const HyTransition *tr)
{
  const Ear *ear = user;
  if (tr->kind == HY_LAMBDA && tr->atomic == ear->atomic && tr->event->port >= 0) {
    Said s = {.t = tr->t, .port = tr->event->port};
    memcpy(s.c, tr->event->value.c, sizeof s.c);
    g_array_append_val(ear->said, s);
  }
}

/* What the block at PATH has said until TF; *WHY gets the error that ended the run, or NULL. */
static inline GArray *listen_on(HyModel *m, HyEngine engine, const char *path, double t0, double tf,
                                char **why)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(HySim) sim = hy_sim_new(m, engine, &error);
  Ear ear = {.said = g_array_new(FALSE, FALSE, sizeof(Said))};
  gboolean ok = sim != NULL && hy_sim_find(sim, path, &ear.atomic);
  if (ok) {
    HyTrace trace = {.user = &ear, .transition = hear};
    hy_sim_set_trace(sim, &trace);
    ok = hy_sim_init(sim, t0, &error) && hy_sim_run(sim, tf, &error);
  }
  *why = error != NULL ? g_strdup(error->message) : NULL;
  TEST_ASSERT_TRUE(ok || error != NULL);
  return ear.said;
}

/* The same bytes on both engines; the caller frees the array. WHY NULL: there must be no error. */
static inline GArray *listen(HyModel *m, const char *path, double t0, double tf, char **why)
{
  g_autofree char *first = NULL, *second = NULL;
  GArray *tree = listen_on(m, HY_TREE, path, t0, tf, &first);
  g_autoptr(GArray) flat = listen_on(m, HY_FLAT, path, t0, tf, &second);
  TEST_ASSERT_EQUAL_UINT_MESSAGE(tree->len, flat->len, path);
  if (tree->len > 0) {
    TEST_ASSERT_EQUAL_MEMORY(tree->data, flat->data, tree->len * sizeof(Said));
  }
  if (why == NULL) {
    TEST_ASSERT_NULL_MESSAGE(first, first);
  } else {
    TEST_ASSERT_EQUAL_STRING(first, second);
    *why = g_steal_pointer(&first);
  }
  return tree;
}

static inline const Said *said(const GArray *a, guint k)
{
  TEST_ASSERT_LESS_THAN_UINT(a->len, k);
  return &g_array_index(a, Said, k);
}

/* The signal at port PORT that the events make, at T. */
static inline double heard(const GArray *a, gint port, double t)
{
  double v = NAN;
  for (guint k = 0; k < a->len && said(a, k)->t <= t; k++) {
    const Said *s = said(a, k);
    if (s->port == port) {
      double e = t - s->t;
      v = s->c[0] + e * (s->c[1] + e * (s->c[2] + e * s->c[3]));
    }
  }
  return v;
}

/* The run of the model fails, on both engines, with this message. */
static inline void check_fails(HyModel *m, const char *path, double tf, const char *message)
{
  g_autofree char *why = NULL;
  g_autoptr(GArray) a = listen(m, path, 0, tf, &why);
  TEST_ASSERT_EQUAL_STRING(message, why);
}

/* One block named B that fails. PARAMS: "name", "text", ..., NULL; its inputs are 1. */
static inline void check_bad_block(const char *klass, const char *message, const char *param,
                                   const char *text)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  guint b = add(m, klass, "B", NULL);
  g_autoptr(GError) error = NULL;
  if (!hy_model_set(m, b, param, text, &error)) {
    TEST_ASSERT_EQUAL_STRING(message, error->message);
    return;
  }
  for (guint p = 0; p < hy_model_n_in(m, b); p++) {
    hy_model_set_input(m, b, p, 1, NULL);
  }
  check_fails(m, "B", 1, message);
}

#endif
