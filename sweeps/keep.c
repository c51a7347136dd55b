/* Recordings of some runs: those for which a formula of their row holds. A run that is kept is run
 * once more for it, with a recorder beside; it is the same run, and the others pay nothing. */
#include "sweep_internal.h"

#include "hydevs/expression.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* What names mean in the formula. */
typedef struct {
  const HyPlan *plan;
  char *const *texts;    /* of the columns; NULL: whether the name is one is all that counts */
  const HySweepRow *row; /* likewise */
} Names;

static gboolean number_of(const char *text, double *v)
{
  *v = NAN;
  return text == NULL || hy_plan_number(text, v);
}

static gboolean named(gpointer user, const char *name, const char *port, double *v, GError **error)
{
  const Names *n = user;
  if (port == NULL && strcmp(name, "status") == 0) {
    *v = n->row != NULL ? n->row->status : 0;
    return TRUE;
  }
  if (port == NULL && strcmp(name, "events") == 0) {
    *v = n->row != NULL ? (double)n->row->events : 0;
    return TRUE;
  }
  for (guint k = 0; port == NULL && k < n->plan->n_measures; k++) {
    if (strcmp(name, hy_plan_measure(n->plan, k)) == 0) {
      *v = n->row != NULL ? n->row->measures[k] : 0;
      return n->row == NULL || !isnan(*v);
    }
  }
  for (guint k = 0; port == NULL && k < n->plan->columns->len; k++) {
    if (strcmp(name, hy_plan_at(n->plan, k)->head) == 0) {
      return number_of(n->texts != NULL ? n->texts[k] : "0", v);
    }
  }
  g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
              "\"%s%s%s\" is no column of the table; give a measure a name: --measure NAME=...",
              name, port != NULL ? "." : "", port != NULL ? port : "");
  return FALSE;
}

gboolean hy_keep_check(const HyPlan *p, GError **error)
{
  Names names = {p, NULL, NULL};
  double v;
  g_autoptr(GError) why = NULL;
  const char *text = p->options.keep;
  if (text == NULL) {
    return TRUE;
  }
  if (hy_loaded_experiment(p->loaded)->n_records == 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "nothing is recorded; name a port with --record PATH");
    return FALSE;
  }
  if (hy_formula_value(text, named, &names, &v, &why)) {
    return TRUE;
  }
  g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: %s", text, why->message);
  return FALSE;
}

/* A row without what the formula asks for is not kept. */
static gboolean holds(const HyPlan *p, guint64 k, const HySweepRow *row)
{
  g_auto(GStrv) texts = hy_plan_row(p, k);
  Names names = {p, texts, row};
  double v;
  return hy_formula_value(p->options.keep, named, &names, &v, NULL) && v != 0.0;
}

/* "out.csv.runs/17.csv"; newly allocated. */
static char *file_of(const HySweep *s, guint64 k)
{
  const char *form = s->options.keep_as != NULL ? s->options.keep_as : "csv";
  return g_strdup_printf("%s.runs/%" G_GUINT64_FORMAT ".%s", s->options.out, k, form);
}

/* What ends the run is in its row already. */
static gboolean record(HySweep *s, guint64 k, HyRun *run, GError **error)
{
  g_autofree char *file = file_of(s, k), *folder = g_path_get_dirname(file);
  g_autoptr(GError) unheard = NULL;
  const char *const files[] = {file, NULL};
  if (g_mkdir_with_parents(folder, 0777) != 0 && !g_file_test(folder, G_FILE_TEST_IS_DIR)) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: cannot be made", folder);
    return FALSE;
  }
  if (!hy_run_record_files(run, files, error)) {
    return FALSE;
  }
  hy_sim_set_progress(hy_run_sim(run), hy_sweep_goes_on, &s->stop);
  hy_run_go(run, &unheard);
  if (hy_run_broken(run)) {
    g_propagate_error(error, g_steal_pointer(&unheard));
    return FALSE;
  }
  return TRUE;
}

gboolean hy_keep_run(HySweep *s, guint64 k, const HySweepRow *row, GError **error)
{
  const HyPlan *p = s->plan;
  if (p->options.keep == NULL || row->status >= HY_SWEEP_LIMIT || !holds(p, k, row)) {
    return TRUE;
  }
  HyRunSettings settings;
  g_auto(GStrv) texts = hy_plan_row(p, k);
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = hy_sweep_load(p, texts, report);
  if (loaded == NULL || !hy_sweep_settings(p, texts, k, &settings, NULL)) {
    return TRUE; /* there is nothing to be recorded of it */
  }
  g_autoptr(HyRun) run = hy_run_new(loaded, &settings, NULL);
  return run == NULL || record(s, k, run, error);
}
