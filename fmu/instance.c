/* An instance: what it is made of, and its life. */
#include "instance_internal.h"

#include "base/hint.h"
#include "hydevs/look.h"
#include "hydevs/text.h"
#include "sim/engine.h"

#include <string.h>

void hy_fmu_tell(const HyFmu *f, gboolean warning, const char *text)
{
  if (f->tell != NULL && *text != '\0') {
    f->tell(f->user, warning, text);
  }
}

/* All of REPORT, a message each. */
static void tell_report(const HyFmu *f, HyReport *report)
{
  const HyMessageAt *m;
  for (guint k = 0; (m = hy_report_get(report, k)) != NULL; k++) {
    g_autofree char *line = m->line > 0 ? g_strdup_printf(":%u", m->line) : g_strdup("");
    g_autofree char *name = m->file != NULL ? g_path_get_basename(m->file) : g_strdup("");
    g_autofree char *text = g_strdup_printf("%s%s: %s", name, line, m->text);
    hy_fmu_tell(f, m->warning, text);
  }
}

/* What is heard ------------------------------------------------------------------------------- */

static void heard(HyFmu *f, guint column, const HyValue *value)
{
  HyFmuOutput *out = &f->output[column];
  double v = value->payload != NULL ? NAN : value->c[0];
  f->spoke |= out->events || v != out->last;
  out->said += out->events ? 1 : 0;
  out->last = v;
  out->moves |= value->c[1] != 0 || value->c[2] != 0 || value->c[3] != 0;
}

static void hear(gpointer user, const HyTransition *tr)
{
  HyFmu *f = user;
  for (guint k = 0; k < f->watch->len; k++) {
    const HyColumnWatch *w = &g_array_index(f->watch, HyColumnWatch, k);
    HyTransitionKind kind = w->kind == HY_COLUMN_INPUT ? HY_DEXT : HY_LAMBDA;
    if (w->atomic == tr->atomic && tr->kind == kind && tr->event->port == (gint)w->port) {
      heard(f, w->column, &tr->event->value);
    }
  }
}

/* The words of discrete outputs are heard here, before the recorder has them. */
static void listen(HyFmu *f)
{
  HySim *sim = hy_run_sim(f->run);
  g_array_set_size(f->watch, 0);
  g_free(f->watched);
  f->watched = g_new0(guint8, (gsize)hy_sim_n(sim) + 1);
  for (guint k = 0; k < f->table->watch->len; k++) {
    HyColumnWatch w = g_array_index(f->table->watch, HyColumnWatch, k);
    if (f->output[w.column].discrete) {
      g_array_append_val(f->watch, w);
      gboolean input = w.kind == HY_COLUMN_INPUT;
      f->watched[w.atomic] =
          input || f->watched[w.atomic] == HY_WATCH_ALL ? HY_WATCH_ALL : HY_WATCH_WORDS;
    }
  }
  if (f->watch->len > 0) {
    HyTrace mine = {
        .user = f, .transition = hear, .watched = f->watched, .n_watched = hy_sim_n(sim)};
    hy_recorder_set_next(f->table, &mine);
  }
  HyTrace trace = hy_recorder_trace(f->table);
  hy_sim_set_trace(sim, &trace);
}

/* What it is made of -------------------------------------------------------------------------- */

/* Columns of signals that jump alone, as the unit was told when it was made. */
static void read_jumps(HyFmu *f)
{
  g_autofree char *text = hy_fmu_plan_get(&f->plan, "jumps");
  g_auto(GStrv) words = g_strsplit(text != NULL ? text : "", " ", -1);
  for (char **word = words; *word != NULL; word++) {
    guint64 k = g_ascii_strtoull(*word, NULL, 10);
    if (**word != '\0' && k < f->n_outputs) {
      f->output[k].discrete = TRUE;
    }
  }
}

static void find_outputs(HyFmu *f)
{
  f->n_outputs = f->table != NULL ? hy_recorder_n(f->table) : 0;
  g_free(f->output);
  f->output = g_new0(HyFmuOutput, (gsize)f->n_outputs + 1);
  for (guint k = 0; k < f->n_outputs; k++) {
    const HyColumn *c = hy_recorder_column(f->table, k);
    f->output[k].events = c->kind != HY_COLUMN_STATE && c->holds == HY_EVENT;
    f->output[k].discrete = f->output[k].events;
    f->output[k].last = f->output[k].shown = NAN;
  }
  read_jumps(f);
}

static void clear_model(HyFmu *f)
{
  hy_tape_clear(&f->blank);
  hy_tape_init(&f->blank);
  g_clear_pointer(&f->run, hy_run_free);
  g_clear_pointer(&f->loaded, hy_loaded_free);
  f->table = NULL;
}

/* Loads the model with what was set, and makes its run. */
gboolean hy_fmu_build(HyFmu *f, GError **error)
{
  clear_model(f);
  g_autoptr(HyReport) report = hy_report_new();
  f->loaded = hy_fmu_plan_load(&f->plan, f->resources, f->sets, report);
  tell_report(f, report);
  if (f->loaded == NULL) {
    return hy_report_gerror(report, error);
  }
  f->run = hy_fmu_plan_run(&f->plan, f->loaded, error);
  if (f->run == NULL || !hy_run_record(f->run, error)) {
    return FALSE;
  }
  const HyRecorder *table = hy_run_n_tables(f->run) > 0 ? hy_run_table(f->run, 0) : NULL;
  f->table = hy_key(table);
  find_outputs(f);
  if (f->table != NULL) {
    listen(f);
    hy_tape_begin(&f->blank, HY_TAPE_SAVE);
    hy_recorder_tape(f->table, &f->blank);
  }
  f->sets_changed = FALSE;
  return TRUE;
}

/* Other parameters may give other variables, which the importer does not know. */
static gboolean has_the_variables(const HyFmu *f, GError **error)
{
  guint n = 0;
  for (guint k = 0; k < f->variables->len; k++) {
    const HyFmuVariable *v = hy_fmu_variable(f, k);
    if (v->kind != HY_FMU_OUTPUT) {
      continue;
    }
    if (n >= f->n_outputs || strcmp(hy_recorder_column(f->table, n)->path, v->path) != 0) {
      g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                  "with these parameters the model has no %s; a unit keeps its variables, so what "
                  "decides how many there are is set when it is exported",
                  v->path);
      return FALSE;
    }
    n++;
  }
  if (n < f->n_outputs) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "with these parameters the model has one more output, %s; a unit keeps its "
                "variables, so what decides how many there are is set when it is exported",
                hy_recorder_column(f->table, n)->path);
  }
  return n == f->n_outputs;
}

gboolean hy_fmu_rebuild(HyFmu *f, GError **error)
{
  return hy_fmu_build(f, error) && has_the_variables(f, error);
}

/* Life ---------------------------------------------------------------------------------------- */

static void variable_clear(gpointer data)
{
  HyFmuVariable *v = data;
  g_free(v->name);
  g_free(v->path);
  g_free(v->unit);
  g_free(v->doc);
}

/* Whoever has changed the files of a unit has another one. */
static gboolean is_as_made(const HyFmu *f, GError **error)
{
  g_autofree char *made = hy_fmu_plan_get(&f->plan, "variables");
  g_autofree char *now = hy_fmu_names_digest(f);
  if (made == NULL || strcmp(made, now) == 0) {
    return TRUE;
  }
  g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
              "%s: the files of the model are not those that the unit was made of: it has other "
              "variables now; export it again",
              f->resources);
  return FALSE;
}

HyFmu *hy_fmu_open(const char *resources, HyFmuTell tell, gpointer user, GError **error)
{
  HyFmu *f = g_new0(HyFmu, 1);
  f->resources = g_strdup(resources);
  f->tell = tell;
  f->user = user;
  f->sets = g_ptr_array_new_with_free_func(g_free);
  f->watch = g_array_new(FALSE, FALSE, sizeof(HyColumnWatch));
  f->variables = g_array_new(FALSE, TRUE, sizeof(HyFmuVariable));
  g_array_set_clear_func(f->variables, variable_clear);
  hy_tape_init(&f->blank);
  if (!hy_fmu_plan_read(&f->plan, resources, error) || !hy_fmu_build(f, error)) {
    g_clear_pointer(&f, hy_fmu_free);
    return NULL;
  }
  hy_fmu_find_variables(f);
  if (!is_as_made(f, error)) {
    g_clear_pointer(&f, hy_fmu_free);
  }
  return f;
}

void hy_fmu_free(HyFmu *f)
{
  if (f == NULL) {
    return;
  }
  clear_model(f);
  hy_tape_clear(&f->blank);
  hy_fmu_plan_clear(&f->plan);
  g_array_unref(f->variables);
  g_array_unref(f->watch);
  g_ptr_array_unref(f->sets);
  g_free(f->watched);
  g_free(f->input);
  g_free(f->output);
  g_free(f->resources);
  g_free(f);
}

const HyFmuPlan *hy_fmu_plan(const HyFmu *f)
{
  return &f->plan;
}

const HyLoaded *hy_fmu_loaded(const HyFmu *f)
{
  return f->loaded;
}

const HyRun *hy_fmu_run(const HyFmu *f)
{
  return f->run;
}

guint hy_fmu_n(const HyFmu *f)
{
  return f->variables->len;
}

const HyFmuVariable *hy_fmu_variable(const HyFmu *f, guint reference)
{
  return reference < f->variables->len ? &g_array_index(f->variables, HyFmuVariable, reference)
                                       : NULL;
}

gboolean hy_fmu_is_structured(const HyFmu *f)
{
  return f->structured;
}

gboolean hy_fmu_reset(HyFmu *f, GError **error)
{
  gboolean again = f->sets->len > 0 || f->sets_changed;
  g_ptr_array_set_size(f->sets, 0);
  hy_fmu_forget_inputs(f);
  f->phase = HY_FMU_OPEN;
  f->in_events = f->finished = FALSE;
  return !again || hy_fmu_rebuild(f, error);
}
