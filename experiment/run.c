/* From a loaded model and what is asked for to a simulation that is ready to start. */
#include "run.h"
#include "audit/audit.h"
#include "base/sized.h"
#include "coupled/model_internal.h"
#include "results/stats_partition.h"
#include "sim/engine.h"

#include <string.h>

static gboolean find_engine(const char *name, HyRun *run, GError **error)
{
  run->engine_asked = g_strdup(name != NULL ? name : "auto");
  if (name == NULL || strcmp(name, "auto") == 0) {
    run->engine = hy_sim_best_engine(hy_loaded_model(run->loaded));
    return TRUE;
  }
  for (run->engine = HY_TREE; run->engine <= HY_FUSED; ++run->engine) {
    if (strcmp(name, hy_engine_name(run->engine)) == 0) {
      return TRUE;
    }
  }
  g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "engine \"%s\": choose auto, tree, flat or fused",
              name);
  return FALSE;
}

static gboolean find_partition(const char *word, HyRun *run, GError **error)
{
  static const char *const words[] = {"stated", "auto"};
  for (guint k = 0; word != NULL && k < G_N_ELEMENTS(words); k++) {
    run->partition = strcmp(word, words[k]) == 0 ? words[k] : run->partition;
  }
  if (word != NULL && run->partition == NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "partition \"%s\": choose stated or auto", word);
  }
  return word == NULL || run->partition != NULL;
}

/* A block that ends the run when it has seen what it was waiting for. */
static gboolean has_stop(const HyModel *model)
{
  for (const HyModel *m = model; m != NULL; m = hy_model_walk(model, m)) {
    for (guint k = 0; k < m->components.len; k++) {
      const HyAtomicClass *klass = hy_component(m, k)->klass;
      if (klass != NULL && strcmp(klass->name, "stop") == 0) {
        return TRUE;
      }
    }
  }
  return FALSE;
}

static gboolean find_times(double stop, HyRun *run, GError **error)
{
  const HyExperiment *x = hy_loaded_experiment(run->loaded);
  run->t0 = x->start;
  run->tf = isnan(stop) ? x->stop : stop;
  if (isnan(run->tf)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "the model states no end time");
  } else if (run->tf < run->t0) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "the end, t = %g, is before the start, t = %g",
                run->tf, run->t0);
  } else if (isinf(run->tf) && !has_stop(hy_loaded_model(run->loaded))) {
    g_set_error(
        error, HY_ERROR, HY_ERROR_USAGE,
        "the end, t = %g, never comes, and no block \"stop\" ends the run before; give a time",
        run->tf);
    return FALSE;
  }
  return run->tf >= run->t0;
}

static gboolean check_numbers(const HyRunSettings *s, GError **error)
{
  if (s->seed < -1 || s->limit < -1) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "a seed and a limit are 0 or more, or -1: as the experiment says");
  }
  return s->seed >= -1 && s->limit >= -1;
}

static gboolean set_up(HyRun *run, const HyRunSettings *s, GError **error)
{
  const HyExperiment *x = hy_loaded_experiment(run->loaded);
  if (!check_numbers(s, error) ||
      !find_engine(s->engine != NULL ? s->engine : x->engine, run, error) ||
      !find_times(s->stop, run, error) ||
      !find_partition(s->partition != NULL ? s->partition : x->partition, run, error)) {
    return FALSE;
  }
  run->sim = hy_sim_new(hy_loaded_model(run->loaded), run->engine, error);
  if (run->sim == NULL) {
    return FALSE;
  }
  hy_sim_set_implicit(run->sim, !s->estimate, !s->stale);
  hy_sim_set_rows(run->sim, s->rows);
  run->seed = s->seed >= 0 ? (guint64)s->seed : isnan(x->seed) ? 0 : (guint64)x->seed;
  hy_sim_set_seed(run->sim, run->seed);
  gboolean divided = g_strcmp0(run->partition, "auto") == 0;
  if (!(divided ? hy_run_partition(run, error) : hy_run_auto(run, error))) {
    return FALSE;
  }
  if (s->limit >= 0 || !isnan(x->events_at_instant)) {
    hy_sim_set_limit(run->sim, s->limit >= 0 ? (guint64)s->limit : (guint64)x->events_at_instant);
  }
  return hy_run_start_audit(run, error) && (s->unmeasured || hy_run_start_measures(run, error));
}

HyRun *hy_run_new_sized(const HyLoaded *loaded, const HyRunSettings *settings, gsize size,
                        GError **error)
{
  g_return_val_if_fail(loaded != NULL, NULL);
  HyRunSettings s = HY_RUN_SETTINGS;
  if (!hy_sized_take(&s, settings, size, "HyRunSettings", error)) {
    return NULL;
  }
  HyRun *run = g_new0(HyRun, 1);
  run->loaded = loaded;
  run->grid = s.grid;
  run->like = s.like;
  if (!set_up(run, &s, error)) {
    g_clear_pointer(&run, hy_run_free);
  }
  return run;
}

void hy_run_free(HyRun *run)
{
  g_return_if_fail(run == NULL || run->sim == NULL || run->sim->inside == HY_NOT_INSIDE);
  if (run != NULL) {
    hy_sim_free(run->sim);
    hy_audit_free(run->audit);
    hy_run_clear_measures(run);
    hy_run_clear_tables(run);
    g_free(run->engine_asked);
    g_free(run->provenance);
    g_free(run->told);
    g_free(run->message);
    g_free(run);
  }
}

HySim *hy_run_sim(const HyRun *run)
{
  g_return_val_if_fail(run != NULL, NULL);
  return run->sim;
}

const HyLoaded *hy_run_loaded(const HyRun *run)
{
  g_return_val_if_fail(run != NULL, NULL);
  return run->loaded;
}

HyEngine hy_run_engine(const HyRun *run)
{
  g_return_val_if_fail(run != NULL, HY_FLAT);
  return run->engine;
}

char *hy_run_chosen(const HyRun *run)
{
  g_return_val_if_fail(run != NULL, NULL);
  return hy_stats_chosen(run->sim);
}

double hy_run_start(const HyRun *run)
{
  g_return_val_if_fail(run != NULL, NAN);
  return run->t0;
}

double hy_run_stop(const HyRun *run)
{
  g_return_val_if_fail(run != NULL, NAN);
  return run->tf;
}

void hy_run_set_progress(HyRun *run, HyProgress progress, gpointer user)
{
  g_return_if_fail(run != NULL);
  hy_sim_set_progress(run->sim, progress, user);
}

gboolean hy_run_go(HyRun *run, GError **error)
{
  g_return_val_if_fail(run != NULL, FALSE);
  if (!hy_sim_may_call(run->sim, G_STRFUNC, error)) {
    return FALSE;
  }
  if (hy_run_n_tables(run) > 0 && !isnan(hy_recorder_end(hy_run_table(run, 0)))) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "%s: the recording of this run is finished; it needs a new one to go again",
                hy_model_name(hy_loaded_model(run->loaded)));
    return FALSE;
  }
  run->ended = FALSE;
  hy_run_restart_measures(run);
  gboolean ok = hy_sim_init(run->sim, run->t0, error) && hy_sim_run(run->sim, run->tf, error);
  double end = ok && hy_sim_finished(run->sim) == NULL ? run->tf : hy_sim_time(run->sim);
  return hy_run_finish(run, end, ok ? error : NULL) && ok && hy_run_is_sound(run, error) &&
         hy_run_measures_pass(run, error);
}
