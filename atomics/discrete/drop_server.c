/* Drop server: a server without a queue. */
#include "atomics.h"
#include "hydevs/error.h"
#include "hydevs/trace.h"
#include "value.h"

typedef struct {
  double time;
  HyValues first; /* the job at the start, if any */
  gboolean busy;
  HyValue job; /* while busy */
  double sigma;
} DropServer;

static void drop_server_take(DropServer *s, const HyValue *job)
{
  s->job = hy_value_keep(job);
  s->busy = TRUE;
  s->sigma = s->time;
}

static gboolean drop_server_init(void *state, double t, const HySetup *setup, GError **error)
{
  (void)t, (void)setup;
  DropServer *s = state;
  if (s->first.n > 1) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "job lists %u values: only one can be in service",
                s->first.n);
    return FALSE;
  }
  s->sigma = INFINITY;
  if (s->first.n == 1) {
    drop_server_take(s, &s->first.v[0]);
  }
  return TRUE;
}

static double drop_server_ta(const void *state)
{
  const DropServer *s = state;
  return s->sigma;
}

static HyEvent drop_server_lambda(const void *state, double t)
{
  (void)t;
  const DropServer *s = state;
  return (HyEvent){.port = 0, .value = s->job};
}

static void drop_server_dint(void *state, double t)
{
  (void)t;
  DropServer *s = state;
  hy_value_drop(&s->job);
  s->busy = FALSE;
  s->sigma = INFINITY;
}

static void drop_server_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)t;
  DropServer *s = state;
  if (s->busy) {
    s->sigma -= e;
  } else {
    drop_server_take(s, &x->value);
  }
}

static void drop_server_clear(void *state)
{
  DropServer *s = state;
  hy_value_drop(&s->job);
}

static void drop_server_tape(void *state, HyTape *tape)
{
  DropServer *s = state;
  HY_TAPE(tape, s->busy);
  HY_TAPE(tape, s->job);
  HY_TAPE(tape, s->sigma);
}

static void drop_server_print(const void *state, GString *out)
{
  const DropServer *s = state;
  g_string_append_c(out, '[');
  if (s->busy) {
    hy_value_text(out, &s->job);
  }
  g_string_append_c(out, ']');
}

static const HyPort drop_server_in[] = {
    {.name = "in", .kind = HY_EVENT, .doc = "jobs; those that come while it is busy are lost"},
    {.name = NULL},
};
static const HyPort drop_server_out[] = {
    {.name = "out", .kind = HY_EVENT, .doc = "the jobs that were served"},
    {.name = NULL},
};
static const HyParam drop_server_params[] = {
    HY_PARAM(DropServer, time, .required = TRUE, .range = HY_NOT_NEGATIVE, .unit = "s",
             .doc = "what one job takes"),
    HY_PARAM_AT("job", DropServer, first,
                .doc = "the job that is in service from the start; empty: none"),
    {.name = NULL},
};
const HyAtomicClass hy_drop_server_class = {
    .name = "drop_server",
    .doc = "as server, but loses what comes while busy",
    .palette = "Discrete events",
    .example = "<drop_server name=\"P\" time=\"2\" job=\"1\" in=\"G\"/>",
    .in = drop_server_in,
    .out = drop_server_out,
    .params = drop_server_params,
    .state_size = sizeof(DropServer),
    .init = drop_server_init,
    .ta = drop_server_ta,
    .lambda = drop_server_lambda,
    .dint = drop_server_dint,
    .dext = drop_server_dext,
    .clear = drop_server_clear,
    .tape = drop_server_tape,
    .print = drop_server_print,
};
