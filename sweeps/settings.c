/* What a plan sets beside the parameters of the model: a table. */
#include "internal.h"

#include <math.h>
#include <string.h>

static const struct {
  const char *name, *brief; /* BRIEF: where the model has no parameter of that name; NULL: none */
  HyColumnSets sets;
} settings[] = {{"experiment.stop", NULL, HY_SETS_STOP},
                {"experiment.seed", "seed", HY_SETS_SEED},
                {"experiment.method", "method", HY_SETS_METHOD},
                {"experiment.tol", NULL, HY_SETS_TOL}};

HyColumnSets hy_column_sets(const char *name, const char *const *parameters)
{
  for (guint k = 0; k < G_N_ELEMENTS(settings); k++) {
    if (strcmp(name, settings[k].name) == 0 ||
        (g_strcmp0(name, settings[k].brief) == 0 && !g_strv_contains(parameters, name))) {
      return settings[k].sets;
    }
  }
  return HY_SETS_PARAMETER;
}

guint64 hy_plan_seed(const HyPlan *p, guint64 k)
{
  return hy_draw_bits(p->seed, "seed", k) >> 11; /* so that a double and a JSON number hold it */
}

static gboolean not_that(const HyPlanColumn *c, const char *text, const char *what, GError **error)
{
  g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s = %s is not %s", c->name, text, what);
  return FALSE;
}

static gboolean take(const HyPlanColumn *c, const char *text, HyRunSettings *s, GError **error)
{
  double v;
  switch (c->sets) {
  case HY_SETS_STOP:
    return hy_plan_number(text, &s->stop) || not_that(c, text, "a time", error);
  case HY_SETS_SEED:
    if (!hy_plan_number(text, &v) || !(v >= 0 && v <= 0x1p53) || v != floor(v)) {
      return not_that(c, text, "a whole number, 0 or more", error);
    }
    s->seed = (gint64)v;
    return TRUE;
  default:
    return TRUE;
  }
}

gboolean hy_sweep_settings(const HyPlan *p, char *const *row, guint64 k, HyRunSettings *s,
                           GError **error)
{
  gboolean states = FALSE;
  *s = p->run;
  s->seed = (gint64)hy_plan_seed(p, k);
  for (guint c = 0; c < p->n_set; c++) {
    states |= hy_plan_at(p, c)->sets == HY_SETS_METHOD;
    if (!take(hy_plan_at(p, c), row[c], s, error)) {
      return FALSE;
    }
  }
  s->like = states || p->options.each ? NULL : p->like;
  return TRUE;
}

/* Sets of the caller, then those of ROW, and options of ROW in place of the caller's. */
HyLoaded *hy_sweep_load(const HyPlan *p, char *const *row, HyReport *report)
{
  HyLoadOptions o = p->load;
  g_autoptr(GPtrArray) set = g_ptr_array_new_with_free_func(g_free);
  for (const char *const *s = o.set; s != NULL && *s != NULL; s++) {
    g_ptr_array_add(set, g_strdup(*s));
  }
  for (guint c = 0; c < p->n_set; c++) {
    const HyPlanColumn *column = hy_plan_at(p, c);
    if (column->sets == HY_SETS_PARAMETER) {
      g_ptr_array_add(set, g_strconcat(column->name, "=", row[c], NULL));
    } else if (column->sets == HY_SETS_METHOD) {
      o.method = row[c];
    } else if (column->sets == HY_SETS_TOL) {
      if (!hy_plan_number(row[c], &o.tol) || o.tol <= 0) {
        hy_report_error(report, column->name, 0, "%s is not a number above 0", row[c]);
        return NULL;
      }
      o.dqrel = o.dqmin = o.tol;
    }
  }
  g_ptr_array_add(set, NULL);
  o.set = (const char *const *)set->pdata;
  o.measure = p->options.measures;
  o.documents = p->documents;
  return hy_load_file(p->file, &o, report);
}

static void add_word(GPtrArray *words, const char *option, const char *value)
{
  g_ptr_array_add(words, g_strdup_printf("--%s=%s", option, value));
}

char **hy_plan_words(const HyPlan *p, guint64 k)
{
  g_return_val_if_fail(p != NULL && k < p->n, NULL);
  static const char *const options[] = {[HY_SETS_STOP] = "until",
                                        [HY_SETS_SEED] = "seed",
                                        [HY_SETS_METHOD] = "method",
                                        [HY_SETS_TOL] = "tol"};
  g_auto(GStrv) row = hy_plan_row(p, k);
  GPtrArray *words = g_ptr_array_new();
  gboolean seed = FALSE, method = FALSE;
  const HyLoadOptions *given = p->options.load;
  if (p->load.experiment != NULL && (given == NULL || given->experiment == NULL)) {
    add_word(words, "experiment", p->load.experiment); /* that of the <sweep> */
  }
  for (guint c = 0; c < p->n_set; c++) {
    const HyPlanColumn *column = hy_plan_at(p, c);
    seed |= column->sets == HY_SETS_SEED;
    method |= column->sets == HY_SETS_METHOD;
    if (column->sets == HY_SETS_PARAMETER) {
      g_ptr_array_add(words, g_strdup_printf("--set=%s=%s", column->name, row[c]));
    } else {
      add_word(words, options[column->sets], row[c]);
    }
  }
  if (!seed) {
    g_ptr_array_add(words, g_strdup_printf("--seed=%" G_GUINT64_FORMAT, hy_plan_seed(p, k)));
  }
  if (!method && !p->options.each && p->alone != NULL) {
    add_word(words, "method", p->alone);
  }
  g_ptr_array_add(words, NULL);
  return (char **)g_ptr_array_free(words, FALSE);
}
