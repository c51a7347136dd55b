/* One simulation that is measured: its counts, its CPU time, and samples of its states. */
#include "bench.h"
#include "instructions.h"

#include <string.h>

#define AT_END 1e-9 /* of the run: what is so near to its end is there */

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
      BenchState s = {.atomic = hy_model_number(model, k),
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
static gboolean run_sampled(const HyRun *c, const GArray *states, double *samples, GError **error)
{
  HySim *sim = hy_run_sim(c);
  double t0 = hy_run_start(c), tf = hy_run_stop(c);
  for (guint k = 1; k <= BENCH_SAMPLES; k++) {
    double t = t0 + (double)k / BENCH_SAMPLES * (tf - t0);
    if (!hy_sim_run(sim, t, error)) {
      return FALSE;
    }
    double at = hy_sim_finished(sim) != NULL ? hy_sim_time(sim) : t;
    for (guint i = 0; i < states->len; i++) {
      *samples++ = hy_sim_value(sim, g_array_index(states, BenchState, i).atomic, at);
    }
  }
  return TRUE;
}

/* The method that the first group has that is not the one it was asked for. A run that has failed
 * has them, too. */
static void take_groups(const HySim *sim, BenchRun *run)
{
  run->groups = hy_sim_n_groups(sim);
  for (guint k = 0; k < run->groups; k++) {
    HyGroupTotals g;
    hy_sim_group(sim, k, &g);
    if (g.stated != NULL && run->gave_way++ == 0) {
      g_strlcpy(run->instead, g.method, sizeof run->instead);
      g_strlcpy(run->because, g.because, sizeof run->because);
      run->instead_since = g.since;
    }
  }
}

static guint64 toggles_of(const HySim *sim)
{
  HyTotals n;
  hy_sim_totals(sim, &n);
  return n.toggles;
}

/* To the end. Modes that turn at the start or at the end are not counted: it depends on the last
 * digit of an instant whether an edge is there. */
static gboolean run_counted(const HyRun *c, BenchRun *run, GError **error)
{
  HySim *sim = hy_run_sim(c);
  double t0 = hy_run_start(c), tf = hy_run_stop(c);
  if (!hy_sim_run(sim, t0, error)) {
    return FALSE;
  }
  guint64 before = toggles_of(sim);
  if (!hy_sim_run(sim, tf - AT_END * (tf - t0), error)) {
    return FALSE;
  }
  run->toggles = toggles_of(sim) - before;
  return hy_sim_run(sim, tf, error);
}

static void take_counts(const HyRun *c, BenchRun *run)
{
  HyTotals n;
  hy_sim_totals(hy_run_sim(c), &n);
  run->steps = n.steps + n.classic.steps;
  run->events = n.cycles;
  run->f_evals = hy_stats_derivatives(hy_run_sim(c));
  run->t = hy_run_stop(c);
}

static gboolean simulate(const BenchSim *b, const HyRun *c, const GArray *states, BenchRun *run,
                         GError **error)
{
  HySim *sim = hy_run_sim(c);
  double start = bench_cpu();
  if (!hy_sim_init(sim, hy_run_start(c), error)) {
    return FALSE;
  }
  hy_sim_set_progress(sim, still_there, run);
  run->start = bench_cpu() - start;
  int counter = instructions_start();
  run->since = bench_cpu();
  gboolean ok =
      b->samples != NULL ? run_sampled(c, states, b->samples, error) : run_counted(c, run, error);
  run->seconds = bench_cpu() - run->since;
  run->instructions = instructions_end(counter);
  take_groups(sim, run);
  return ok;
}

void bench_sim(gpointer sim, BenchRun *run)
{
  const BenchSim *b = sim;
  int status;
  g_autoptr(HyLoaded) loaded = cli_model_load("bench", b->m, b->file, &status);
  g_autoptr(HyRun) c = cli_model_run("bench", b->m, loaded, NULL, &status);
  if (c == NULL) {
    return; /* what is wrong has been said */
  }
  g_autoptr(GArray) states = bench_states(loaded);
  g_autoptr(GError) error = NULL;
  if (simulate(b, c, states, run, &error)) {
    take_counts(c, run);
    run->end = BENCH_DONE;
  } else {
    g_strlcpy(run->why, error->message, sizeof run->why);
  }
}
