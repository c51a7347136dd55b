#include "model.h"

#include "partition.h"
#include "try.h"

#include <stdio.h>
#include <string.h>

GOptionEntry *cli_model_entries(CliModel *m)
{
  const GOptionEntry entries[] = {
      {"until", 't', 0, G_OPTION_ARG_STRING, &m->until,
       "End time, included (the experiment's stop)", "T"},
      {"experiment", 'x', 0, G_OPTION_ARG_STRING, &m->experiment,
       "The experiment to take (the first of the file)", "NAME"},
      {"set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &m->set,
       "Set a parameter: N=8, stage[2].L1=120u; may be repeated", "PATH=VALUE"},
      {"record", 'r', 0, G_OPTION_ARG_STRING_ARRAY, &m->record,
       "Record a port, too: Q, stage[*]/uC.out; may be repeated", "PATH"},
      {"grid", 'g', 0, G_OPTION_ARG_STRING, &m->grid,
       "Rows every DT instead of at every event; 0: at events", "DT"},
      {"engine", 'e', 0, G_OPTION_ARG_STRING, &m->engine, "auto, tree, flat or fused (auto)",
       "NAME"},
      {"method", 'm', 0, G_OPTION_ARG_STRING, &m->method,
       "Integration method in place of the experiment's", "NAME"},
      {"partition", 0, 0, G_OPTION_ARG_STRING, &m->partition,
       "Methods as stated, or auto: discontinuous states quantized, the others by CVODE (the "
       "experiment's)",
       "KIND"},
      {"tol", 0, 0, G_OPTION_ARG_STRING, &m->tol, "All tolerances: dqrel, dqmin, reltol, abstol",
       "X"},
      {"dqrel", 0, 0, G_OPTION_ARG_STRING, &m->dqrel, "Quantum relative to the state", "R"},
      {"dqmin", 0, 0, G_OPTION_ARG_STRING, &m->dqmin, "Least quantum", "A"},
      {"hstep", 0, 0, G_OPTION_ARG_STRING, &m->hstep, "Step of textbook methods: rk4, bdf2 ...",
       "H"},
      {"evaluate", 0, 0, G_OPTION_ARG_STRING, &m->evaluate,
       "Derivatives block by block or in one piece: signals or rows (signals)", "KIND"},
      {"jacobian", 0, 0, G_OPTION_ARG_STRING, &m->jacobian,
       "Of implicit methods: exact, or estimate as they go (exact)", "KIND"},
      {"refresh", 0, 0, G_OPTION_ARG_STRING, &m->refresh,
       "Implicit steps take x' fresh on nonlinear equations: yes or no (yes)", "YN"},
      {"seed", 0, 0, G_OPTION_ARG_INT64, &m->seed, "Of everything random (the experiment's, or 0)",
       "N"},
      {"max-events-at-t", 0, 0, G_OPTION_ARG_INT64, &m->limit,
       "Further events allowed at one instant; 0: any number", "N"},
      {"library", 'L', 0, G_OPTION_ARG_FILENAME_ARRAY, &m->library,
       "A folder to look for libraries in; may be repeated", "DIR"},
      {"max-blocks", 0, 0, G_OPTION_ARG_INT64, &m->max_blocks,
       "Limit of blocks after expansion (20 million)", "N"},
      {"strict", 0, 0, G_OPTION_ARG_NONE, &m->strict, "Warnings are errors", NULL},
      {"progress", 0, 0, G_OPTION_ARG_STRING, &m->progress,
       "auto (on a terminal), none, json (lines on stderr)", "KIND"},
      {0},
  };
  return g_memdup2(entries, sizeof entries);
}

void cli_model_clear(CliModel *m)
{
  g_free(m->experiment);
  g_free(m->method);
  g_free(m->partition);
  g_free(m->engine);
  g_free(m->evaluate);
  g_free(m->jacobian);
  g_free(m->refresh);
  g_free(m->progress);
  g_free(m->grid);
  g_free(m->until);
  g_free(m->tol);
  g_free(m->hstep);
  g_free(m->dqrel);
  g_free(m->dqmin);
  g_strfreev(m->set);
  g_strfreev(m->record);
  g_strfreev(m->library);
}

/* *V: the tolerance TEXT, 0 if it is not given. FALSE: it is none. */
static gboolean read_positive(const char *verb, const char *name, const char *text, double *v,
                              int *status)
{
  *v = 0;
  if (text == NULL || (cli_number(text, v) && *v > 0 && isfinite(*v))) {
    return TRUE;
  }
  *status = cli_usage(verb, "%s = %s must be above 0", name, text);
  return FALSE;
}

static gboolean check_options(const char *verb, const CliModel *m, int *status)
{
  double until;
  if (m->seed < -1 || m->limit < -1) {
    *status = cli_usage(verb, "--seed and --max-events-at-t take whole numbers, 0 or more");
    return FALSE;
  }
  if (m->max_blocks < 0) {
    *status = cli_usage(verb, "--max-blocks takes a whole number, above 0");
    return FALSE;
  }
  if (m->until != NULL && !cli_number(m->until, &until)) {
    *status = cli_usage(verb, "--until=%s is not a time", m->until);
    return FALSE;
  }
  return TRUE;
}

HyLoaded *cli_model_load(const char *verb, const CliModel *m, const char *file, int *status)
{
  double tol, dqrel, dqmin, hstep;
  if (!check_options(verb, m, status) || !read_positive(verb, "--tol", m->tol, &tol, status) ||
      !read_positive(verb, "--dqrel", m->dqrel, &dqrel, status) ||
      !read_positive(verb, "--dqmin", m->dqmin, &dqmin, status) ||
      !read_positive(verb, "--hstep", m->hstep, &hstep, status)) {
    return NULL;
  }
  HyLoadOptions options = {.experiment = m->experiment,
                           .set = (const char *const *)m->set,
                           .record = (const char *const *)m->record,
                           .library = (const char *const *)m->library,
                           .method = m->method,
                           .dqrel = dqrel > 0 ? dqrel : tol,
                           .dqmin = dqmin > 0 ? dqmin : tol,
                           .tol = tol,
                           .hstep = hstep,
                           .strict = m->strict,
                           .max_blocks = (guint64)m->max_blocks};
  g_autoptr(HyReport) report = hy_report_new();
  HyLoaded *loaded = hy_load_file(file, &options, report);
  g_autofree char *messages = hy_report_text(report);
  if (loaded == NULL || !m->told) {
    fputs(messages, stderr);
  }
  *status = loaded == NULL ? HY_ERROR_MODEL : 0;
  return loaded;
}

static gboolean choose_engine(const char *verb, const char *name, const HyModel *model,
                              HyEngine *engine, int *status)
{
  if (name == NULL || strcmp(name, "auto") == 0) {
    *engine = hy_sim_best_engine(model);
    return TRUE;
  }
  for (*engine = HY_TREE; *engine <= HY_FUSED; ++*engine) {
    if (strcmp(name, hy_engine_name(*engine)) == 0) {
      return TRUE;
    }
  }
  *status = cli_usage(verb, "engine \"%s\": choose auto, tree, flat or fused", name);
  return FALSE;
}

/* Of two words; NULL is the first. */
static gboolean choose_word(const char *verb, const char *option, const char *word,
                            const char *const *words, gboolean *first, int *status)
{
  *first = word == NULL || strcmp(word, words[0]) == 0;
  if (*first || strcmp(word, words[1]) == 0) {
    return TRUE;
  }
  *status = cli_usage(verb, "%s %s: choose %s or %s", option, word, words[0], words[1]);
  return FALSE;
}

static gboolean set_equations(const char *verb, const CliModel *m, HySim *sim, int *status)
{
  static const char *const jacobian[] = {"exact", "estimate"}, *const yes[] = {"yes", "no"};
  static const char *const evaluate[] = {"signals", "rows"};
  gboolean exact, refresh, signals;
  if (!choose_word(verb, "--evaluate", m->evaluate, evaluate, &signals, status) ||
      !choose_word(verb, "--jacobian", m->jacobian, jacobian, &exact, status) ||
      !choose_word(verb, "--refresh", m->refresh, yes, &refresh, status)) {
    return FALSE;
  }
  hy_sim_set_implicit(sim, exact, refresh);
  hy_sim_set_rows(sim, !signals);
  return TRUE;
}

/* Before init, and after everything else that is set. */
static gboolean set_partition(const char *verb, const CliModel *m, const HyLoaded *loaded,
                              const CliRun *run, int *status)
{
  static const char *const words[] = {"stated", "auto"};
  const char *word = m->partition != NULL ? m->partition : hy_loaded_experiment(loaded)->partition;
  gboolean stated;
  g_autoptr(GError) error = NULL;
  if (!choose_word(verb, "--partition", word, words, &stated, status)) {
    return FALSE;
  }
  if (!stated && !cli_partition(run, loaded, &error)) {
    *status = cli_failed_blocks(loaded, error);
    return FALSE;
  }
  return TRUE;
}

gboolean cli_model_sim(const char *verb, const CliModel *m, const HyLoaded *loaded,
                       const char *engine, CliRun *run, int *status)
{
  const HyExperiment *x = hy_loaded_experiment(loaded);
  if (engine == NULL) {
    engine = m->engine != NULL ? m->engine : x->engine;
  }
  if (!choose_engine(verb, engine, hy_loaded_model(loaded), &run->engine, status)) {
    return FALSE;
  }
  run->t0 = x->start;
  run->tf = x->stop;
  if (m->until != NULL) {
    cli_number(m->until, &run->tf); /* load has read it, too */
  }
  if (isnan(run->tf)) {
    *status = cli_usage(verb, "the model states no end time; give one with --until T");
    return FALSE;
  }
  if (run->tf < run->t0) {
    *status = cli_usage(verb, "--until=%s is before the start, t = %g", m->until, run->t0);
    return FALSE;
  }
  g_autoptr(GError) error = NULL;
  run->sim = hy_sim_new(hy_loaded_model(loaded), run->engine, &error);
  if (run->sim == NULL) {
    *status = cli_failed_blocks(loaded, error);
    return FALSE;
  }
  if (!set_equations(verb, m, run->sim, status) || !set_partition(verb, m, loaded, run, status)) {
    g_clear_pointer(&run->sim, hy_sim_free);
    return FALSE;
  }
  run->seed = m->seed >= 0 ? (guint64)m->seed : isnan(x->seed) ? 0 : (guint64)x->seed;
  hy_sim_set_seed(run->sim, run->seed);
  if (m->limit >= 0 || !isnan(x->events_at_instant)) {
    hy_sim_set_limit(run->sim, m->limit >= 0 ? (guint64)m->limit : (guint64)x->events_at_instant);
  }
  return TRUE;
}
