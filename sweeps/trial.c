/* A trial loads the model anew, since a parameter may change its structure. */
#include "sweeps/trial.h"
#include "experiment/run.h"
#include "groups/groups.h"
#include "hydevs/measure.h"
#include "hydevs/steady.h"
#include "hydevs/text.h"
#include "sim/engine.h"

#include <math.h>
#include <string.h>

/* "L=0.001" of all, behind what is set in any case; newly allocated. */
static char **all_sets(const HyTrials *t, const double *x)
{
  g_autoptr(GStrvBuilder) sets = g_strv_builder_new();
  for (const char *const *s = t->load.set; s != NULL && *s != NULL; s++) {
    g_strv_builder_add(sets, *s);
  }
  for (guint k = 0; k < t->n; k++) {
    char v[HY_DOUBLE_SIZE];
    g_autofree char *set = g_strconcat(t->parameters[k], "=", hy_double_text(v, x[k]), NULL);
    g_strv_builder_add(sets, set);
  }
  return g_strv_builder_end(sets);
}

static char **all_measures(const HyTrials *t)
{
  g_autoptr(GStrvBuilder) measures = g_strv_builder_new();
  for (const char *const *m = t->load.measure; m != NULL && *m != NULL; m++) {
    g_strv_builder_add(measures, *m);
  }
  for (guint k = 0; k < t->n_measures; k++) {
    if (!t->named[k]) {
      g_strv_builder_add(measures, t->measures[k]);
    }
  }
  return g_strv_builder_end(measures);
}

/* Signals that are measured are recorded, too. */
static char **all_records(const HyTrials *t)
{
  g_autoptr(GStrvBuilder) records = g_strv_builder_new();
  for (const char *const *r = t->load.record; r != NULL && *r != NULL; r++) {
    g_strv_builder_add(records, *r);
  }
  for (guint k = 0; t->measured != NULL && k < t->measured->n_columns; k++) {
    g_strv_builder_add(records, t->measured->column[k].path);
  }
  return g_strv_builder_end(records);
}

static HyLoaded *load(const HyTrials *t, const double *x, GError **error)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_auto(GStrv) sets = all_sets(t, x), records = all_records(t), measures = all_measures(t);
  HyLoadOptions options = t->load;
  options.set = (const char *const *)sets;
  options.record = (const char *const *)records;
  options.measure = (const char *const *)measures;
  options.grid = t->measured != NULL ? t->measured->grid : options.grid;
  HyLoaded *loaded = hy_load_file(t->file, &options, report);
  if (loaded == NULL) {
    hy_report_gerror(report, error);
  }
  return loaded;
}

/* Whether the model has all signals that were measured. */
static gboolean has_measured(const HyMeasured *m, const HyLoaded *loaded, GError **error)
{
  for (guint k = 0; m != NULL && k < m->n_columns; k++) {
    g_autoptr(GError) why = NULL;
    g_autoptr(GArray) matches = hy_loaded_match(loaded, m->column[k].path, &why);
    if (matches == NULL) {
      g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: column %u: %s", m->file, k + 2,
                  why->message);
      return FALSE;
    }
  }
  return TRUE;
}

static HyRun *make(const HyTrials *t, const HyLoaded *loaded, GError **error)
{
  HyRunSettings settings = t->run;
  if (t->measured != NULL) {
    settings.stop = t->measured->t[t->measured->n - 1];
  }
  g_autoptr(HyRun) run =
      has_measured(t->measured, loaded, error) ? hy_run_new(loaded, &settings, error) : NULL;
  if (run == NULL || (t->measured != NULL && !hy_run_record(run, error))) {
    return NULL;
  }
  hy_sim_set_progress(hy_run_sim(run), t->progress, t->user);
  return g_steal_pointer(&run);
}

/* Whether what a run gives is a smooth function of parameters: CVODE and steps of textbooks are,
 * and blocks where they solve exactly. Quanta make steps in it, where a run has an event more or
 * less. */
static gboolean is_smooth(const HyRun *run)
{
  gboolean blocks = FALSE;
  for (guint a = 0; a < run->sim->n; a++) {
    const HyMethod *m = hy_run_method(run, a);
    if (m != NULL && m->family != HY_FAMILY_CVODE && m->family != HY_FAMILY_TEXTBOOK &&
        m->family != HY_FAMILY_BLOCK) {
      return FALSE;
    }
    blocks = blocks || (m != NULL && m->family == HY_FAMILY_BLOCK);
  }
  return !blocks || hy_groups_are_exact(run->sim->room);
}

/* The number of measure K of the run. Those that have no name there are its last. */
static guint measure_of(const HyTrials *t, const HyRun *run, guint k)
{
  guint at = hy_run_n_measures(run);
  for (guint j = k; !t->named[k] && j < t->n_measures; j++) {
    at -= t->named[j] ? 0 : 1;
  }
  for (guint j = 0; t->named[k] && j < hy_run_n_measures(run); j++) {
    at = strcmp(hy_run_measure_name(run, j), t->measures[k]) == 0 ? MIN(at, j) : at;
  }
  return at;
}

static gboolean values(const HyTrials *t, const HyRun *run, HyTrial *trial, GError **error)
{
  for (guint k = 0; k < t->n_measures; k++) {
    const guint at = measure_of(t, run, k);
    const char *why = hy_run_measure_why(run, at);
    trial->value[k] = hy_run_measure_value(run, at);
    if (!isfinite(trial->value[k]) || why != NULL) {
      trial->value[k] = NAN;
      if (why != NULL) {
        g_set_error_literal(error, HY_ERROR, HY_ERROR_RUN, why);
      } else {
        g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s is not finite", t->measures[k]);
      }
      return FALSE;
    }
  }
  return t->measured == NULL ||
         hy_measured_compare(t->measured, run, &trial->value[t->n_measures], error);
}

/* Bounds of measures say what a run should give, and a search is what may find it: out of them it
 * has its values. One whose audit has found something has none. */
static gboolean has_ended(HyRun *run, HyTrial *trial, GError **error)
{
  g_autoptr(GError) why = NULL;
  gboolean ok = hy_run_measure_steady(run, NULL, &why) && hy_run_go(run, &why);
  if (!ok && g_error_matches(why, HY_ERROR, HY_ERROR_AUDIT) && hy_run_is_sound(run, NULL)) {
    trial->status = why->code;
    trial->why = g_strdup(why->message);
    return TRUE;
  }
  if (!ok) {
    g_propagate_error(error, g_steal_pointer(&why));
  }
  return ok;
}

static gboolean attempt(const HyTrials *t, const double *x, HyTrial *trial, GError **error)
{
  g_autoptr(HyLoaded) loaded = load(t, x, error);
  g_autoptr(HyRun) run = loaded != NULL ? make(t, loaded, error) : NULL;
  if (run == NULL) {
    return FALSE;
  }
  HyTotals totals;
  gboolean ok = has_ended(run, trial, error) && values(t, run, trial, error);
  hy_sim_totals(hy_run_sim(run), &totals);
  trial->events = totals.cycles;
  trial->smooth = is_smooth(run);
  trial->methods = hy_run_methods(run);
  return ok;
}

void hy_trial(const HyTrials *t, const double *x, HyTrial *trial)
{
  g_autoptr(GError) error = NULL;
  const guint n = t->n_measures + (t->measured != NULL ? 1 : 0);
  *trial = (HyTrial){.value = g_new(double, MAX(n, 1))};
  for (guint k = 0; k < n; k++) {
    trial->value[k] = NAN;
  }
  trial->ended = attempt(t, x, trial, &error);
  if (!trial->ended) {
    g_free(trial->why);
    trial->status = error->domain == HY_ERROR ? error->code : HY_ERROR_RUN;
    trial->why = g_strdup(error->message);
  }
}

void hy_trial_clear(HyTrial *trial)
{
  g_free(trial->value);
  g_free(trial->why);
  g_free(trial->methods);
}
