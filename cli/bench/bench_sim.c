/* One simulation that is measured: its counts, its CPU time, and samples of its states. */
#include "bench.h"
#include "coupled/model_internal.h"
#include "equations/room.h"
#include "instructions.h"
#include "sim/engine.h"

#include <string.h>

/* States --------------------------------------------------------------------------------------- */

static void state_clear(gpointer state)
{
  g_free(((BenchState *)state)->path);
}

static void add_states(GArray *states, const HyLoaded *loaded, const HyModel *model)
{
  for (guint k = 0; k < hy_model_n(model); k++) {
    const HyAtomicClass *klass = hy_model_class(model, k);
    if (klass == NULL) {
      add_states(states, loaded, hy_model_coupled(model, k));
    } else if (klass->order != NULL && klass->value != NULL) {
      HyBlockInfo info = {0};
      hy_loaded_block(loaded, model, k, &info);
      BenchState s = {.atomic = hy_component(model, k)->number,
                      .path = hy_model_path(model, k),
                      .method = info.method,
                      .dqrel = info.dqrel,
                      .dqmin = info.dqmin,
                      .solver = info.reltol != info.dqrel || info.abstol != info.dqmin};
      g_array_append_val(states, s);
    }
  }
}

GArray *bench_states(const HyLoaded *loaded)
{
  GArray *states = g_array_new(FALSE, FALSE, sizeof(BenchState));
  g_array_set_clear_func(states, state_clear);
  add_states(states, loaded, hy_loaded_model(loaded));
  return states;
}

/* Running -------------------------------------------------------------------------------------- */

static gboolean still_there(gpointer user, double t, guint64 cycles)
{
  BenchRun *run = user;
  run->t = t;
  run->events = cycles;
  return TRUE;
}

/* Instants t0 + k (tf - t0)/BENCH_SAMPLES, k = 1 .. BENCH_SAMPLES. A model that stops itself keeps
 * what it was. */
static gboolean run_sampled(const CliRun *c, const GArray *states, double *samples, GError **error)
{
  for (guint k = 1; k <= BENCH_SAMPLES; k++) {
    double t = c->t0 + (double)k / BENCH_SAMPLES * (c->tf - c->t0);
    if (!hy_sim_run(c->sim, t, error)) {
      return FALSE;
    }
    double at = hy_sim_finished(c->sim) != NULL ? hy_sim_time(c->sim) : t;
    for (guint i = 0; i < states->len; i++) {
      *samples++ = hy_sim_value(c->sim, g_array_index(states, BenchState, i).atomic, at);
    }
  }
  return TRUE;
}

/* Each derivative that comes to a state along its wire is an evaluation, but where the room
 * evaluates a row in its place. */
static guint64 derivatives_of(const HySim *sim, const GArray *states, const HyTotals *n)
{
  guint64 sum = n->evaluations;
  for (guint k = 0; k < hy_sim_n_groups(sim); k++) {
    HyGroupTotals g;
    hy_sim_group(sim, k, &g);
    sum += g.totals.evaluations * g.states;
  }
  for (guint i = 0; i < states->len; i++) {
    guint atomic = g_array_index(states, BenchState, i).atomic;
    const HyMember *member = sim->room != NULL ? hy_room_member(sim->room, atomic) : NULL;
    guint64 n_int = 0, n_ext = 0;
    hy_sim_counts(sim, atomic, &n_int, &n_ext);
    sum += member == NULL || !member->by_row ? n_ext : 0;
  }
  return sum;
}

static void take_counts(const CliRun *c, const GArray *states, BenchRun *run)
{
  HyTotals n;
  hy_sim_totals(c->sim, &n);
  run->steps = n.steps + n.classic.steps;
  run->events = n.cycles;
  run->f_evals = derivatives_of(c->sim, states, &n);
  run->t = c->tf;
}

static gboolean simulate(const BenchSim *b, const CliRun *c, const GArray *states, BenchRun *run,
                         GError **error)
{
  double start = bench_cpu();
  if (!hy_sim_init(c->sim, c->t0, error)) {
    return FALSE;
  }
  hy_sim_set_progress(c->sim, still_there, run);
  run->start = bench_cpu() - start;
  int counter = instructions_start();
  run->since = bench_cpu();
  gboolean ok = b->samples != NULL ? run_sampled(c, states, b->samples, error)
                                   : hy_sim_run(c->sim, c->tf, error);
  run->seconds = bench_cpu() - run->since;
  run->instructions = instructions_end(counter);
  return ok;
}

void bench_sim(gpointer sim, BenchRun *run)
{
  const BenchSim *b = sim;
  int status;
  g_autoptr(HyLoaded) loaded = cli_model_load("bench", b->m, b->file, &status);
  CliRun c = {0};
  if (loaded == NULL || !cli_model_sim("bench", b->m, loaded, NULL, &c, &status)) {
    return; /* what is wrong has been said */
  }
  g_autoptr(GArray) states = bench_states(loaded);
  g_autoptr(GError) error = NULL;
  if (simulate(b, &c, states, run, &error)) {
    take_counts(&c, states, run);
    run->end = BENCH_DONE;
  } else {
    g_strlcpy(run->why, error->message, sizeof run->why);
  }
  hy_sim_free(c.sim);
}
