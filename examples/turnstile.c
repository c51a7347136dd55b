/* A complete program on libhydevs: an atomic model of one's own in a coupled model with built-in
 * blocks.
 *
 * People arrive at a turnstile. It opens for each one, takes its time to close, and turns away who
 * comes meanwhile. Build it beside an installed hydevs:  cc turnstile.c $(pkg-config --cflags
 * --libs hydevs) -o turnstile */
#include <hydevs/hydevs.h>

#include <stdio.h>

/* 1. The atomic model: a state, its parameters first, and what happens to it. ----------------- */

typedef struct {
  double closing; /* parameter: seconds to close */
  double sigma;   /* time to the next internal event */
  guint passed, turned_away;
} Turnstile;

static gboolean turnstile_init(void *state, double t, const HySetup *setup, GError **error)
{
  (void)t;
  (void)setup;
  (void)error;
  ((Turnstile *)state)->sigma = INFINITY; /* closed and waiting */
  return TRUE;
}

static double turnstile_ta(const void *state)
{
  return ((const Turnstile *)state)->sigma;
}

/* Just before it has closed it says how many have passed so far. */
static HyEvent turnstile_lambda(const void *state, double t)
{
  (void)t;
  return (HyEvent){.port = 0, .value.c = {((const Turnstile *)state)->passed}};
}

static void turnstile_dint(void *state, double t)
{
  (void)t;
  ((Turnstile *)state)->sigma = INFINITY;
}

static void turnstile_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)t;
  (void)x;
  Turnstile *s = state;
  if (isinf(s->sigma)) {
    s->passed++;
    s->sigma = s->closing;
  } else {
    s->turned_away++;
    s->sigma -= e; /* still closing */
  }
}

static void turnstile_print(const void *state, GString *out)
{
  const Turnstile *s = state;
  g_string_append_printf(out, "(passed=%u, turned away=%u)", s->passed, s->turned_away);
}

static const HyParam turnstile_params[] = {
    HY_PARAM(Turnstile, closing, .value = 2, .range = HY_POSITIVE, .unit = "s",
             .doc = "time to close behind a person"),
    {0},
};
static const HyPort turnstile_in[] = {{.name = "person", .kind = HY_EVENT}, {0}};
static const HyPort turnstile_out[] = {{.name = "passed", .kind = HY_EVENT}, {0}};

static const HyAtomicClass turnstile_class = {
    .name = "turnstile",
    .in = turnstile_in,
    .out = turnstile_out,
    .params = turnstile_params,
    .state_size = sizeof(Turnstile),
    .init = turnstile_init,
    .ta = turnstile_ta,
    .lambda = turnstile_lambda,
    .dint = turnstile_dint,
    .dext = turnstile_dext,
    .print = turnstile_print,
};

/* 2. The coupled model: a generator of people, the turnstile, a sink that keeps what it says. -- */

static HyModel *street_new(GError **error)
{
  HyModel *street = hy_model_new("street");
  guint people = hy_model_add(street, "people", hy_class_find("generator"));
  guint gate = hy_model_add(street, "gate", &turnstile_class);
  hy_model_add(street, "log", hy_class_find("sink"));
  gboolean ok = hy_model_set(street, people, "first", "1", error) &&
                hy_model_set(street, people, "period", "1.5", error) &&
                hy_model_set(street, people, "values", "1, 2, 3, 4", error) &&
                hy_model_set_real(street, gate, "closing", 2, error) &&
                hy_model_wire(street, "people", "gate", error) &&
                hy_model_wire(street, "gate", "log", error);
  if (!ok) {
    hy_model_free(street);
    return NULL;
  }
  return street;
}

/* 3. Running it, with every message shown. ---------------------------------------------------- */

int main(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(HyModel) street = street_new(&error);
  g_autoptr(HySim) sim = street != NULL ? hy_sim_new(street, HY_TREE, &error) : NULL;
  if (sim == NULL) {
    fprintf(stderr, "%s\n", error->message);
    return error->code;
  }
  hy_sim_set_trace(sim, &(HyTrace){.user = stdout, .message = hy_trace_text});
  if (!hy_sim_init(sim, 0, &error) || !hy_sim_run(sim, 20, &error)) {
    fprintf(stderr, "%s\n", error->message);
    return error->code;
  }
  guint gate;
  if (hy_sim_find(sim, "gate", &gate)) {
    g_autofree char *state = hy_sim_print(sim, gate);
    printf("at t = %g the turnstile says %s\n", hy_sim_time(sim), state);
  }
  return 0;
}
