/* Transducer: counts what enters and leaves a system. */
#include "discrete/transducer.h"
#include "atomics.h"
#include "hydevs/trace.h"

enum { ARR, DEP };

double hy_transducer_mean_time(const HyTransducer *s)
{
  return s->dep > 0 ? s->area / (double)s->dep : NAN;
}

double hy_transducer_throughput(const HyTransducer *s)
{
  return s->last > s->start ? (double)s->dep / (s->last - s->start) : NAN;
}

static gboolean transducer_init(void *state, double t, const HySetup *setup, GError **error)
{
  (void)setup, (void)error;
  HyTransducer *s = state;
  *s = (HyTransducer){.start = t, .last = t};
  return TRUE;
}

static double transducer_ta(const void *state)
{
  (void)state;
  return INFINITY;
}

static void transducer_dext(void *state, double t, double e, const HyEvent *x)
{
  HyTransducer *s = state;
  s->area += ((double)s->arr - (double)s->dep) * e;
  s->last = t;
  if (x->port == ARR) {
    s->arr++;
  } else {
    s->dep++;
  }
}

static void transducer_tape(void *state, HyTape *tape)
{
  HyTransducer *s = state;
  HY_TAPE(tape, s->arr);
  HY_TAPE(tape, s->dep);
  HY_TAPE(tape, s->start);
  HY_TAPE(tape, s->last);
  HY_TAPE(tape, s->area);
}

static void transducer_print(const void *state, GString *out)
{
  const HyTransducer *s = state;
  g_string_append_printf(out, "(arr=%" G_GUINT64_FORMAT ",dep=%" G_GUINT64_FORMAT ")", s->arr,
                         s->dep);
}

static void transducer_report(const void *state, GString *out)
{
  const HyTransducer *s = state;
  char mean[HY_DOUBLE_SIZE], rate[HY_DOUBLE_SIZE];
  g_string_append_printf(out, "%" G_GUINT64_FORMAT " arrived, %" G_GUINT64_FORMAT " left", s->arr,
                         s->dep);
  if (s->dep > 0) {
    g_string_append_printf(out, ", mean time %s s, %s a second",
                           g_ascii_formatd(mean, sizeof mean, "%.6g", hy_transducer_mean_time(s)),
                           g_ascii_formatd(rate, sizeof rate, "%.6g", hy_transducer_throughput(s)));
  }
}

static const HyPort transducer_in[] = {
    [ARR] = {.name = "arr", .kind = HY_EVENT, .doc = "jobs that enter the system"},
    [DEP] = {.name = "dep", .kind = HY_EVENT, .doc = "jobs that leave it"},
    {.name = NULL},
};
const HyAtomicClass hy_transducer_class = {
    .name = "transducer",
    .doc = "counts arrivals and departures, and measures the mean time between them",
    .palette = "Discrete events",
    .example = "<transducer name=\"T\" arr=\"G\" dep=\"Q\"/>",
    .in = transducer_in,
    .state_size = sizeof(HyTransducer),
    .init = transducer_init,
    .ta = transducer_ta,
    .dext = transducer_dext,
    .tape = transducer_tape,
    .print = transducer_print,
    .report = transducer_report,
};
