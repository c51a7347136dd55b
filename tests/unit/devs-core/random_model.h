/* For tests: models of random shape and behaviour, the same for the same seed. */
#ifndef RANDOM_MODEL_H
#define RANDOM_MODEL_H

#include <hydevs/hydevs.h>

/* An atomic that decides everything by its own random numbers: when (many ties, some zero, some
 * never), at which port, and what an input does to its schedule. */
typedef struct {
  guint64 random;
  double sigma, last_e;
  guint n_in, n_out;
} Chatter;

static guint64 chatter_next(Chatter *s)
{
  s->random ^= s->random << 13;
  s->random ^= s->random >> 7;
  s->random ^= s->random << 17;
  return s->random >> 11;
}

static double chatter_wait(Chatter *s)
{
  static const double waits[] = {
      0, 0.1, 0.2, 0.3, 0.7, 0.1, 0.2, INFINITY, 0.30000000000000004, 1.0 / 3};
  return waits[chatter_next(s) % G_N_ELEMENTS(waits)];
}

static gboolean chatter_init(void *state, double t, const HySetup *setup, GError **error)
{
  (void)t;
  (void)error;
  Chatter *s = state;
  s->random = setup->seed | 1;
  s->n_in = setup->n_in;
  s->n_out = setup->n_out;
  s->sigma = chatter_wait(s);
  return TRUE;
}

static double chatter_ta(const void *state)
{
  return ((const Chatter *)state)->sigma;
}

static HyEvent chatter_lambda(const void *state, double t)
{
  (void)t;
  Chatter s = *(const Chatter *)state;
  gint port = (gint)(chatter_next(&s) % (s.n_out + 1)) - 1;
  return port < 0 ? HY_NO_EVENT
                  : (HyEvent){.port = port, .value.c = {(double)(chatter_next(&s) % 1000)}};
}

static void chatter_dint(void *state, double t)
{
  (void)t;
  Chatter *s = state;
  chatter_next(s);
  s->sigma = chatter_wait(s);
}

static void chatter_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)t;
  Chatter *s = state;
  s->last_e = e;
  s->random += (guint64)x->value.c[0] * 2654435761U + (guint64)x->port;
  s->random |= 1;
  s->sigma = chatter_next(s) % 3 == 0 ? chatter_wait(s) + 0.1
                                      : s->sigma - e; /* never a loop without time */
}

static const HyPort chatter_in[] = {
    {.name = "a", .kind = HY_EVENT}, {.name = "b", .kind = HY_EVENT}, {0}};
static const HyPort chatter_out[] = {
    {.name = "p", .kind = HY_EVENT}, {.name = "q", .kind = HY_EVENT}, {0}};
static const HyAtomicClass chatter_class = {
    .name = "chatter",
    .in = chatter_in,
    .out = chatter_out,
    .state_size = sizeof(Chatter),
    .init = chatter_init,
    .ta = chatter_ta,
    .lambda = chatter_lambda,
    .dint = chatter_dint,
    .dext = chatter_dext,
};

/* Couplings of every kind between whatever there is. */
static inline void random_lines(HyModel *m, GRand *rand, guint lines)
{
  guint n = hy_model_n(m);
  for (guint k = 0; k < lines; k++) {
    guint from = (guint)g_rand_int_range(rand, -1, (gint)n),
          to = (guint)g_rand_int_range(rand, -1, (gint)n);
    guint p = (guint)g_rand_int_range(rand, 0, 2), q = (guint)g_rand_int_range(rand, 0, 2);
    gboolean possible =
        from != to &&
        (from == HY_SELF ? p < hy_model_n_in(m, from) : p < hy_model_n_out(m, from)) &&
        (to == HY_SELF ? q < hy_model_n_out(m, to) : q < hy_model_n_in(m, to));
    if (possible && !hy_model_connect(m, from, p, to, q, NULL)) {
      g_assert_not_reached();
    }
  }
}

/* Fills M with atomics and, while DEPTH lasts, coupled models; names are unique by *NUMBER. */
static inline void random_fill(HyModel *m, GRand *rand, guint depth, guint *number)
{
  guint n = (guint)g_rand_int_range(rand, 2, 7);
  for (guint k = 0; k < n; k++) {
    char name[16];
    g_snprintf(name, sizeof name, "n%u", (*number)++);
    if (depth > 0 && g_rand_int_range(rand, 0, 3) == 0) {
      HyModel *inner = hy_model_add_coupled(m, name);
      hy_model_in(inner, "a");
      hy_model_in(inner, "b");
      hy_model_out(inner, "p");
      hy_model_out(inner, "q");
      random_fill(inner, rand, depth - 1, number);
    } else {
      hy_model_add(m, name, &chatter_class);
    }
    if (g_rand_int_range(rand, 0, 5) == 0) {
      hy_model_set_priority(m, k, g_rand_int_range(rand, -3, 3));
    }
  }
  random_lines(m, rand, 3 * n);
}

static inline HyModel *random_model(guint32 seed, guint depth)
{
  GRand *rand = g_rand_new_with_seed(seed);
  HyModel *root = hy_model_new("R");
  guint number = 0;
  random_fill(root, rand, depth, &number);
  g_rand_free(rand);
  return root;
}

/* Every call of an atomic's functions, as bytes. */
typedef struct {
  double t, e, value;
  guint atomic;
  gint kind, port;
} Call;

static inline void record_call(gpointer user, const HyTransition *c)
{
  Call call;
  memset(&call, 0, sizeof call); /* padding, too: calls are compared as bytes */
  call.t = c->t;
  call.e = c->e;
  call.atomic = c->atomic;
  call.kind = (gint)c->kind;
  call.port = c->event != NULL ? c->event->port : -2;
  call.value = c->event != NULL && c->event->port >= 0 ? c->event->value.c[0] : 0;
  g_array_append_val((GArray *)user, call);
}

/* Runs ROOT and returns its calls, or NULL and the error. Stops every STEP of time if that is
 * positive. */
static inline GArray *calls_of(HyModel *root, HyEngine engine, double tf, double step,
                               GError **error)
{
  g_autoptr(HySim) sim = hy_sim_new(root, engine, error);
  if (sim == NULL) {
    return NULL;
  }
  GArray *calls = g_array_new(FALSE, FALSE, sizeof(Call));
  hy_sim_set_trace(sim, &(HyTrace){.user = calls, .transition = record_call});
  gboolean ok = hy_sim_init(sim, 0, error);
  for (double t = step; ok && step > 0 && t < tf; t += step) {
    ok = hy_sim_run(sim, t, error);
  }
  if (!ok || !hy_sim_run(sim, tf, error)) {
    g_array_unref(calls);
    return NULL;
  }
  return calls;
}

#endif
