/* Server: jobs wait in line; each is served for `time`, then sent on. */
#include "atomics.h"
#include "discrete/fifo.h"

typedef struct {
  double time;
  HyFifo jobs; /* the first is being served */
  double sigma;
} Server;

static gboolean server_init(void *state, double t, const HySetup *setup, GError **error)
{
  (void)t, (void)setup, (void)error;
  Server *s = state;
  s->sigma = INFINITY;
  return TRUE;
}

static double server_ta(const void *state)
{
  const Server *s = state;
  return s->sigma;
}

static HyEvent server_lambda(const void *state, double t)
{
  (void)t;
  const Server *s = state;
  return (HyEvent){.port = 0, .value = hy_fifo_head(&s->jobs)->value};
}

static void server_dint(void *state, double t)
{
  (void)t;
  Server *s = state;
  hy_fifo_pop(&s->jobs);
  s->sigma = s->jobs.n > 0 ? s->time : INFINITY;
}

static void server_dext(void *state, double t, double e, const HyEvent *x)
{
  Server *s = state;
  s->sigma = s->jobs.n > 0 ? s->sigma - e : s->time;
  hy_fifo_push(&s->jobs, t, &x->value);
}

static void server_clear(void *state)
{
  Server *s = state;
  hy_fifo_clear(&s->jobs);
}

static void server_tape(void *state, HyTape *tape)
{
  Server *s = state;
  hy_fifo_tape(&s->jobs, tape);
  HY_TAPE(tape, s->sigma);
}

static void server_print(const void *state, GString *out)
{
  const Server *s = state;
  hy_fifo_print(&s->jobs, FALSE, out);
}

static const HyPort server_in[] = {
    {.name = "in", .kind = HY_EVENT, .doc = "jobs, numbers or payloads"},
    {.name = NULL},
};
static const HyPort server_out[] = {
    {.name = "out", .kind = HY_EVENT, .doc = "the same jobs, served"},
    {.name = NULL},
};
static const HyParam server_params[] = {
    HY_PARAM(Server, time, .required = TRUE, .range = HY_NOT_NEGATIVE, .unit = "s",
             .doc = "what one job takes"),
    {.name = NULL},
};
const HyAtomicClass hy_server_class = {
    .name = "server",
    .doc = "first in, first out; `time` for each; as many as come wait",
    .palette = "Discrete events",
    .example = "<server name=\"Q\" time=\"3\" in=\"G\"/>",
    .in = server_in,
    .out = server_out,
    .params = server_params,
    .state_size = sizeof(Server),
    .init = server_init,
    .ta = server_ta,
    .lambda = server_lambda,
    .dint = server_dint,
    .dext = server_dext,
    .clear = server_clear,
    .tape = server_tape,
    .print = server_print,
};
