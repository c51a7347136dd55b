/* The flat engine: closure under coupling. One agenda of all atomics in the order of ties, events
 * go straight from port to port; the same calls in the same order as the tree, without messages.
 * Nothing is allocated for an event. */
#include "cycle.h"
#include "engines.h"

typedef struct {
  const HyFlat *graph;
  HyAgenda tn; /* by atomic */
} Flat;

static gboolean flat_build(HySim *sim, GError **error)
{
  (void)error; /* what can be wrong has been checked on the model */
  Flat *f = g_new0(Flat, 1);
  f->graph = sim->graph;
  hy_agenda_init(&f->tn, sim->n);
  sim->engine = f;
  return TRUE;
}

static void flat_clear(HySim *sim)
{
  Flat *f = sim->engine;
  hy_agenda_clear(&f->tn);
  g_free(f);
}

static void flat_init(HySim *sim, double t)
{
  Flat *f = sim->engine;
  hy_agenda_clear(&f->tn);
  hy_agenda_init(&f->tn, sim->n);
  for (guint a = 0; a < sim->n; a++) {
    double tn = hy_atom_schedule(sim, &sim->atoms[a], t);
    if (isnan(tn)) {
      return;
    }
    hy_agenda_set(&f->tn, a, tn);
  }
}

/* FALSE: sim->error is set. */
HY_AGENDA_INLINE gboolean flat_deliver(HySim *sim, gpointer engine, double t, guint slot,
                                       HyEvent *y)
{
  Flat *f = engine;
  const HyFlatTarget *to = f->graph->targets + f->graph->start[slot];
  const HyFlatTarget *end = f->graph->targets + f->graph->start[slot + 1];
  for (; to < end; to++) {
    y->port = (gint)to->port;
    double tn = f->tn.tn[to->atomic];
    double next = hy_atom_input(sim, to->atomic, tn, t, y);
    if (next != tn) { /* NaN, too */
      if (G_UNLIKELY(isnan(next))) {
        return FALSE;
      }
      hy_agenda_set(&f->tn, to->atomic, next);
    }
  }
  return TRUE;
}

static inline void flat_place(gpointer engine, guint atomic, double tn)
{
  Flat *f = engine;
  hy_agenda_set(&f->tn, atomic, tn);
}

static gboolean flat_cycle(HySim *sim, Flat *f, double t, guint atomic)
{
  double tn;
  if (!hy_cycle(sim, f, t, atomic, flat_deliver, flat_place)) {
    return FALSE;
  }
  while (hy_atom_due(sim, t, &atomic, &tn)) {
    if (G_UNLIKELY(isnan(tn))) {
      return FALSE;
    }
    hy_agenda_set(&f->tn, atomic, tn);
  }
  return TRUE;
}

static guint64 flat_run(HySim *sim, double tf, guint64 max)
{
  Flat *f = sim->engine;
  guint64 done = 0;
  for (; done < max; done++) {
    guint atomic;
    double t = hy_agenda_first(&f->tn, &atomic);
    if (!(t <= tf && t < INFINITY)) {
      break;
    }
    if (!hy_sim_may_cycle(sim, atomic, t)) {
      break;
    }
    sim->now.t = t;
    hy_agenda_advance(&f->tn, t);
    sim->now.totals.cycles++;
    if (!flat_cycle(sim, f, t, atomic)) {
      break;
    }
  }
  return done;
}

static void flat_input(HySim *sim, double t, guint port, const HyValue *value)
{
  Flat *f = sim->engine;
  HyEvent x = {.value = *value};
  flat_deliver(sim, f, t, f->graph->first_out[sim->n] + port, &x);
}

static double flat_next(const HySim *sim)
{
  const Flat *f = sim->engine;
  return hy_agenda_min(&f->tn);
}

static void flat_tape(HySim *sim, HyTape *tape)
{
  Flat *f = sim->engine;
  hy_agenda_tape(&f->tn, sim->n, tape);
}

const HyEngineOps hy_engine_flat = {
    .build = flat_build,
    .clear = flat_clear,
    .init = flat_init,
    .run = flat_run,
    .input = flat_input,
    .next = flat_next,
    .tape = flat_tape,
};
