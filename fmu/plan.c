#include "plan.h"

#include "base/hint.h"
#include "hydevs/format.h"
#include "hydevs/text.h"

#include <string.h>

#define PLAN_FILE "hydevs.ini"
#define PLAN_UNIT "unit"
#define PLAN_LOAD "load"
#define PLAN_RUN  "run"

static void put_text(GKeyFile *f, const char *group, const char *key, const char *text)
{
  if (text != NULL) {
    g_key_file_set_string(f, group, key, text);
  }
}

static void put_list(GKeyFile *f, const char *key, const char *const *list)
{
  if (list != NULL && *list != NULL) {
    g_key_file_set_string_list(f, PLAN_LOAD, key, list, g_strv_length(hy_key(list)));
  }
}

static void put_number(GKeyFile *f, const char *group, const char *key, double v)
{
  char text[HY_DOUBLE_SIZE];
  if (v != 0 && !isnan(v)) {
    g_key_file_set_string(f, group, key, hy_double_text(text, v));
  }
}

/* OTHERWISE: nothing is stated. */
static double get_number(const HyFmuPlan *p, const char *group, const char *key, double otherwise)
{
  g_autofree char *text = g_key_file_get_string(p->file, group, key, NULL);
  return text != NULL ? g_ascii_strtod(text, NULL) : otherwise;
}

static gboolean get_yes(const HyFmuPlan *p, const char *key)
{
  return g_key_file_get_boolean(p->file, PLAN_RUN, key, NULL);
}

void hy_fmu_plan_make(HyFmuPlan *plan, const char *model, const HyLoadOptions *o,
                      const HyRunSettings *s, const char *const *record)
{
  char stop[HY_DOUBLE_SIZE];
  GKeyFile *f = plan->file = g_key_file_new();
  put_text(f, PLAN_LOAD, "model", model);
  put_text(f, PLAN_LOAD, "experiment", o->experiment);
  put_text(f, PLAN_LOAD, "method", o->method);
  put_list(f, "set", o->set);
  put_list(f, "record", record);
  put_number(f, PLAN_LOAD, "dqrel", o->dqrel);
  put_number(f, PLAN_LOAD, "dqmin", o->dqmin);
  put_number(f, PLAN_LOAD, "tol", o->tol);
  put_number(f, PLAN_LOAD, "hstep", o->hstep);
  put_text(f, PLAN_RUN, "engine", s->engine);
  put_text(f, PLAN_RUN, "partition", s->partition);
  put_text(f, PLAN_RUN, "stop", isnan(s->stop) ? NULL : hy_double_text(stop, s->stop));
  if (s->seed >= 0) {
    g_key_file_set_int64(f, PLAN_RUN, "seed", s->seed);
  }
  if (s->limit >= 0) {
    g_key_file_set_int64(f, PLAN_RUN, "limit", s->limit);
  }
  g_key_file_set_boolean(f, PLAN_RUN, "estimate", s->estimate);
  g_key_file_set_boolean(f, PLAN_RUN, "stale", s->stale);
  g_key_file_set_boolean(f, PLAN_RUN, "rows", s->rows);
}

gboolean hy_fmu_plan_read(HyFmuPlan *plan, const char *resources, GError **error)
{
  g_autofree char *path = g_build_filename(resources, PLAN_FILE, NULL);
  plan->file = g_key_file_new();
  gboolean ok = g_key_file_load_from_file(plan->file, path, G_KEY_FILE_NONE, error);
  if (!ok) {
    g_prefix_error(error, "%s: ", path);
  }
  return ok;
}

gboolean hy_fmu_plan_write(const HyFmuPlan *plan, const char *resources, GError **error)
{
  g_autofree char *path = g_build_filename(resources, PLAN_FILE, NULL);
  return g_key_file_save_to_file(plan->file, path, error);
}

void hy_fmu_plan_clear(HyFmuPlan *plan)
{
  g_clear_pointer(&plan->file, g_key_file_unref);
}

char *hy_fmu_plan_get(const HyFmuPlan *plan, const char *key)
{
  return g_key_file_get_string(plan->file, PLAN_UNIT, key, NULL);
}

void hy_fmu_plan_set(HyFmuPlan *plan, const char *key, const char *text)
{
  put_text(plan->file, PLAN_UNIT, key, text);
}

/* Those of the plan, then SET, which goes before them: the same parameter is not stated twice. */
static GPtrArray *all_sets(char *const *stated, const GPtrArray *set)
{
  GPtrArray *all = g_ptr_array_new();
  for (; stated != NULL && *stated != NULL; stated++) {
    g_autofree char *name = g_strndup(*stated, strcspn(*stated, "=") + 1); /* "R=" */
    gboolean again = FALSE;
    for (guint k = 0; set != NULL && k < set->len; k++) {
      again |= g_str_has_prefix(g_ptr_array_index(set, k), name);
    }
    if (!again) {
      g_ptr_array_add(all, *stated);
    }
  }
  for (guint k = 0; set != NULL && k < set->len; k++) {
    g_ptr_array_add(all, g_ptr_array_index(set, k));
  }
  g_ptr_array_add(all, NULL);
  return all;
}

HyLoaded *hy_fmu_plan_load(const HyFmuPlan *p, const char *resources, const GPtrArray *set,
                           HyReport *report)
{
  GKeyFile *f = p->file;
  g_autofree char *model = g_key_file_get_string(f, PLAN_LOAD, "model", NULL);
  g_autofree char *experiment = g_key_file_get_string(f, PLAN_LOAD, "experiment", NULL);
  g_autofree char *method = g_key_file_get_string(f, PLAN_LOAD, "method", NULL);
  g_auto(GStrv) stated = g_key_file_get_string_list(f, PLAN_LOAD, "set", NULL, NULL);
  g_auto(GStrv) record = g_key_file_get_string_list(f, PLAN_LOAD, "record", NULL, NULL);
  g_autofree char *file = g_build_filename(resources, model != NULL ? model : "", NULL);
  g_autofree char *library = g_build_filename(resources, "library", NULL);
  const char *const folders[] = {library, NULL};
  g_autoptr(GPtrArray) sets = all_sets(stated, set);
  HyLoadOptions o = {.experiment = experiment,
                     .method = method,
                     .set = (const char *const *)sets->pdata,
                     .record = (const char *const *)record,
                     .library = folders,
                     .formats = hy_formats(),
                     .dqrel = get_number(p, PLAN_LOAD, "dqrel", 0),
                     .dqmin = get_number(p, PLAN_LOAD, "dqmin", 0),
                     .tol = get_number(p, PLAN_LOAD, "tol", 0),
                     .hstep = get_number(p, PLAN_LOAD, "hstep", 0),
                     .audit = "off",
                     .fed = TRUE};
  return hy_load_file(file, &o, report);
}

double hy_fmu_plan_stop(const HyFmuPlan *p, const HyLoaded *loaded)
{
  return get_number(p, PLAN_RUN, "stop", hy_loaded_experiment(loaded)->stop);
}

/* One table for all columns, whatever the records ask for: an instance asks it for what is now. A
 * unit goes on as long as its importer likes, so the end does not matter. */
HyRun *hy_fmu_plan_run(const HyFmuPlan *p, const HyLoaded *loaded, GError **error)
{
  g_autofree char *engine = g_key_file_get_string(p->file, PLAN_RUN, "engine", NULL);
  g_autofree char *partition = g_key_file_get_string(p->file, PLAN_RUN, "partition", NULL);
  double start = hy_loaded_experiment(loaded)->start, stop = hy_fmu_plan_stop(p, loaded);
  HyRunSettings s = HY_RUN_SETTINGS;
  s.engine = engine;
  s.partition = partition;
  s.seed = (gint64)get_number(p, PLAN_RUN, "seed", -1);
  s.limit = (gint64)get_number(p, PLAN_RUN, "limit", -1);
  s.estimate = get_yes(p, "estimate");
  s.stale = get_yes(p, "stale");
  s.rows = get_yes(p, "rows");
  s.stop = isfinite(stop) && stop >= start ? stop : start + 1;
  s.grid = s.stop > start ? s.stop - start : 1;
  return hy_run_new(loaded, &s, error);
}
