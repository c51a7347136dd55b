/* The measures of a run: those of the experiment and those that are added, with what their names
 * mean in the model, and what they have come to. */
#include "run.h"

#include "base/hint.h"
#include "hydevs/look.h"
#include "hydevs/text.h"
#include "results/measures.h"
#include "results/sidecar.h"
#include "sim/engine.h"

#include <math.h>
#include <string.h>

#define DOUBTFUL 1e-8 /* what is known no better is said */

typedef struct {
  char *name, *text, *unit, *label;
  double min, max;
  double value;
  double doubt; /* about so large a part of its signals may be missing */
  char *why;
} Measure;

static void measure_clear(gpointer data)
{
  Measure *m = data;
  g_free(m->name);
  g_free(m->text);
  g_free(m->unit);
  g_free(m->label);
  g_free(m->why);
}

static const Measure *measure_at(const HyRun *run, guint k)
{
  return &g_array_index(run->measured, Measure, k);
}

/* Names --------------------------------------------------------------------------------------- */

/* One port that PATH names. */
static gboolean match(const HyLoaded *loaded, const char *path, HySignalAt *at, GArray **matches,
                      GError **error)
{
  *matches = hy_loaded_match(loaded, path, NULL);
  if (*matches == NULL) {
    g_autofree char *hint = hy_loaded_meant(loaded, path);
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "nothing is called \"%s\"%s%s", path, hint,
                strchr(path, '/') != NULL ? "; a quotient is written with blanks, a / b" : "");
    return FALSE;
  }
  if ((*matches)->len > 1) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "\"%s\" is %u signals, \"%s\" and others; say one",
                path, (*matches)->len, g_array_index(*matches, HySignalAt, 0).path);
    return FALSE;
  }
  *at = g_array_index(*matches, HySignalAt, 0);
  return TRUE;
}

static gboolean find(gpointer user, const char *path, HyColumn *column, GArray *more,
                     GError **error)
{
  const HyRun *run = user;
  g_autoptr(GArray) matches = NULL;
  HySignalAt at;
  return match(run->loaded, path, &at, &matches, error) &&
         hy_run_column(run, &at, TRUE, column, more, error);
}

/* A parameter of the root as its number. */
static char *meaning(gpointer user, const char *text, GError **error)
{
  const HyLoaded *loaded = user;
  (void)error;
  for (guint k = 0; k < hy_loaded_n_parameters(loaded); k++) {
    const HyParameter *p = hy_loaded_parameter(loaded, k);
    if (p->text == NULL && p->n == 1 && !p->array && strcmp(p->name, text) == 0) {
      char number[HY_DOUBLE_SIZE];
      return g_strdup_printf("(%s)", hy_double_text(number, p->numbers[0]));
    }
  }
  return g_strdup(text);
}

/* Adding -------------------------------------------------------------------------------------- */

static gboolean add(HyRun *run, const HyMeasureSaid *said, GError **error)
{
  HyMeasureText *text = hy_measure_parse(said->text, error);
  if (text == NULL) {
    return FALSE;
  }
  if (run->measures == NULL) {
    run->measures = hy_measures_new(run->sim, run->t0, run->tf);
    run->measured = g_array_new(FALSE, FALSE, sizeof(Measure));
    g_array_set_clear_func(run->measured, measure_clear);
  }
  if (!hy_measures_add(run->measures, text, find, run, error)) {
    return FALSE;
  }
  Measure m = {.name = g_strdup(said->name != NULL ? said->name : said->said),
               .text = g_strdup(said->said),
               .unit = said->unit != NULL ? g_strdup(said->unit)
                                          : hy_measures_unit(run->measures, run->measured->len),
               .label = g_strdup(said->label),
               .min = said->min,
               .max = said->max,
               .value = NAN};
  g_array_append_val(run->measured, m);
  return TRUE;
}

/* "model.xml:7: measure: ", or for an option that. */
static void prefix(const HyMeasureSaid *said, GError **error)
{
  if (said->line > 0) {
    g_prefix_error(error, "%s:%u: measure: ", said->file, said->line);
  } else {
    g_prefix_error(error, "%s: ", said->file);
  }
}

gboolean hy_run_start_measures(HyRun *run, GError **error)
{
  const HyExperiment *x = hy_loaded_experiment(run->loaded);
  for (guint k = 0; k < x->n_measures; k++) {
    if (!add(run, &x->measures[k], error)) {
      prefix(&x->measures[k], error);
      return FALSE;
    }
  }
  if (run->measures != NULL) {
    hy_run_watch(run);
  }
  return TRUE;
}

gboolean hy_run_add_measure(HyRun *run, const char *name, const char *text, GError **error)
{
  g_return_val_if_fail(run != NULL && text != NULL, FALSE);
  if (!hy_sim_may_call(run->sim, G_STRFUNC, error)) {
    return FALSE;
  }
  for (guint k = 0; k < hy_run_n_measures(run); k++) {
    if (strcmp(measure_at(run, k)->name, name != NULL ? name : text) == 0 && name != NULL) {
      g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "there is already a measure \"%s\"", name);
      return FALSE;
    }
  }
  g_autofree char *known = hy_measure_map(text, meaning, hy_key(run->loaded), error);
  const HyMeasureSaid said = {.name = name, .text = known, .said = text, .min = NAN, .max = NAN};
  if (known == NULL || !add(run, &said, error)) {
    return FALSE;
  }
  hy_run_watch(run);
  return TRUE;
}

/* The run ------------------------------------------------------------------------------------- */

void hy_run_restart_measures(HyRun *run)
{
  if (run->measures != NULL) {
    hy_measures_restart(run->measures);
  }
}

void hy_run_end_measures(HyRun *run, double t)
{
  for (guint k = 0; k < hy_run_n_measures(run); k++) {
    Measure *m = &g_array_index(run->measured, Measure, k);
    const char *why = "the run has not begun";
    if (run->sim->ready && k == 0) {
      gboolean ended = t >= run->tf || hy_sim_finished(run->sim) != NULL;
      hy_measures_finish(run->measures, t, ended && hy_sim_verdict(run->sim, NULL));
    }
    m->value = run->sim->ready ? hy_measures_value(run->measures, k, &why) : NAN;
    m->doubt = run->sim->ready ? hy_measures_doubt(run->measures, k) : 0.0;
    g_free(m->why);
    m->why = g_strdup(why);
  }
}

void hy_run_clear_measures(HyRun *run)
{
  hy_measures_free(run->measures);
  g_clear_pointer(&run->measured, g_array_unref);
}

/* Answers ------------------------------------------------------------------------------------- */

guint hy_run_n_measures(const HyRun *run)
{
  g_return_val_if_fail(run != NULL, 0);
  return run->measured != NULL ? run->measured->len : 0;
}

const char *hy_run_measure_name(const HyRun *run, guint k)
{
  g_return_val_if_fail(run != NULL && k < hy_run_n_measures(run), NULL);
  return measure_at(run, k)->name;
}

const char *hy_run_measure_text(const HyRun *run, guint k)
{
  g_return_val_if_fail(run != NULL && k < hy_run_n_measures(run), NULL);
  return measure_at(run, k)->text;
}

const char *hy_run_measure_unit(const HyRun *run, guint k)
{
  g_return_val_if_fail(run != NULL && k < hy_run_n_measures(run), NULL);
  return measure_at(run, k)->unit;
}

const char *hy_run_measure_label(const HyRun *run, guint k)
{
  g_return_val_if_fail(run != NULL && k < hy_run_n_measures(run), NULL);
  return measure_at(run, k)->label;
}

double hy_run_measure_value(const HyRun *run, guint k)
{
  g_return_val_if_fail(run != NULL && k < hy_run_n_measures(run), NAN);
  return measure_at(run, k)->value;
}

const char *hy_run_measure_why(const HyRun *run, guint k)
{
  g_return_val_if_fail(run != NULL && k < hy_run_n_measures(run), NULL);
  return measure_at(run, k)->why;
}

gboolean hy_run_measure_bounds(const HyRun *run, guint k, double *min, double *max)
{
  g_return_val_if_fail(run != NULL && k < hy_run_n_measures(run) && min != NULL && max != NULL,
                       FALSE);
  *min = measure_at(run, k)->min;
  *max = measure_at(run, k)->max;
  return !isnan(*min) || !isnan(*max);
}

gboolean hy_run_measure_passed(const HyRun *run, guint k)
{
  g_return_val_if_fail(run != NULL && k < hy_run_n_measures(run), FALSE);
  const Measure *m = measure_at(run, k);
  if (isnan(m->min) && isnan(m->max)) {
    return TRUE;
  }
  return !isnan(m->value) && m->why == NULL && !(m->value < m->min) && !(m->value > m->max);
}

/* Words --------------------------------------------------------------------------------------- */

static void append_number(GString *out, double v, const char *unit)
{
  char text[HY_DOUBLE_SIZE];
  g_string_append_printf(out, "%s%s%s", hy_double_text(text, v), unit != NULL ? " " : "",
                         unit != NULL ? unit : "");
}

/* "ripple: 0.31 V is above 0.3 V" */
static void append_failed(GString *out, const Measure *m)
{
  g_string_append_printf(out, "%s%s: ", out->len > 0 ? "; " : "", m->name);
  if (isnan(m->value) || m->why != NULL) {
    g_string_append_printf(out, "it has bounds, but %s", m->why != NULL ? m->why : "no value");
    return;
  }
  gboolean below = m->value < m->min;
  append_number(out, m->value, m->unit);
  g_string_append_printf(out, " is %s ", below ? "below" : "above");
  append_number(out, below ? m->min : m->max, m->unit);
}

gboolean hy_run_measures_pass(const HyRun *run, GError **error)
{
  g_return_val_if_fail(run != NULL, FALSE);
  g_autoptr(GString) failed = g_string_new(NULL);
  for (guint k = 0; k < hy_run_n_measures(run); k++) {
    if (!hy_run_measure_passed(run, k)) {
      append_failed(failed, measure_at(run, k));
    }
  }
  if (failed->len > 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_AUDIT, "measure %s", failed->str);
  }
  return failed->len == 0;
}

/* What stands behind the unit. */
static void append_verdict(GString *out, const HyRun *run, guint k)
{
  const Measure *m = measure_at(run, k);
  char text[HY_DOUBLE_SIZE];
  if (!isnan(m->min)) {
    g_string_append_printf(out, ">= %s", hy_double_text(text, m->min));
  }
  if (!isnan(m->max)) {
    g_string_append_printf(out, "%s<= %s", isnan(m->min) ? "" : ", ", hy_double_text(text, m->max));
  }
  if (!isnan(m->min) || !isnan(m->max)) {
    g_string_append(out, hy_run_measure_passed(run, k) ? ": passed" : ": FAILED");
  }
  if (m->doubt > DOUBTFUL) {
    g_string_append_printf(out, "%s(known to %.1g of the largest that it is of)",
                           out->len > 0 ? " " : "", m->doubt);
  }
  if (m->why != NULL) {
    g_string_append_printf(out, "%s(%s)", out->len > 0 ? " " : "", m->why);
  }
}

static int width_of(const char *text)
{
  return text != NULL ? (int)g_utf8_strlen(text, -1) : 0;
}

static void append_cell(GString *out, const char *text, int width, gboolean right)
{
  int fill = width - width_of(text);
  g_string_append_printf(out, "%*s%s%*s", right ? fill : 0, "", text != NULL ? text : "",
                         right ? 0 : fill, "");
}

char *hy_run_measures_text(const HyRun *run)
{
  g_return_val_if_fail(run != NULL, NULL);
  guint n = hy_run_n_measures(run);
  int widest[3] = {0, 0, 0};
  char value[HY_DOUBLE_SIZE];
  for (guint k = 0; k < n; k++) {
    const Measure *m = measure_at(run, k);
    widest[0] = MAX(widest[0], width_of(m->name));
    widest[1] = MAX(widest[1], isnan(m->value) ? 4 : width_of(hy_double_text(value, m->value)));
    widest[2] = MAX(widest[2], width_of(m->unit));
  }
  GString *out = g_string_new(NULL);
  for (guint k = 0; k < n; k++) {
    const Measure *m = measure_at(run, k);
    g_autoptr(GString) verdict = g_string_new(NULL);
    append_verdict(verdict, run, k);
    append_cell(out, m->name, widest[0], FALSE);
    g_string_append(out, "  ");
    append_cell(out, isnan(m->value) ? "none" : hy_double_text(value, m->value), widest[1], TRUE);
    if (widest[2] > 0) {
      g_string_append_c(out, ' ');
      append_cell(out, m->unit, widest[2], FALSE);
    }
    g_string_append_printf(out, "  %s", verdict->str);
    while (out->len > 0 && out->str[out->len - 1] == ' ') {
      g_string_truncate(out, out->len - 1);
    }
    g_string_append_c(out, '\n');
  }
  return g_string_free(out, n == 0);
}

void hy_run_measures_json(const HyRun *run, HyJsonOut *json)
{
  g_return_if_fail(run != NULL && json != NULL);
  if (hy_run_n_measures(run) == 0) {
    return;
  }
  hy_json_begin(json, "measures", '[');
  for (guint k = 0; k < hy_run_n_measures(run); k++) {
    const Measure *m = measure_at(run, k);
    hy_json_begin(json, NULL, '{');
    hy_json_text(json, "name", m->name);
    hy_json_text(json, "of", m->text);
    if (!isnan(m->value)) {
      hy_sidecar_value(json, "value", m->value);
    }
    hy_json_text(json, "unit", m->unit);
    hy_json_text(json, "label", m->label);
    hy_json_text(json, "why", m->why);
    if (m->doubt > DOUBTFUL) {
      hy_sidecar_value(json, "doubt", m->doubt);
    }
    if (!isnan(m->min)) {
      hy_sidecar_value(json, "min", m->min);
    }
    if (!isnan(m->max)) {
      hy_sidecar_value(json, "max", m->max);
    }
    if (!isnan(m->min) || !isnan(m->max)) {
      hy_json_text(json, "bounds", hy_run_measure_passed(run, k) ? "passed" : "failed");
    }
    hy_json_end(json, '}');
  }
  hy_json_end(json, ']');
}

void hy_report_measures(HyReport *report, const HyLoaded *loaded)
{
  g_return_if_fail(report != NULL && loaded != NULL);
  const HyExperiment *x = hy_loaded_experiment(loaded);
  for (guint k = 0; k < x->n_measures; k++) {
    const HyMeasureSaid *said = &x->measures[k];
    g_autoptr(HyMeasureText) text = hy_measure_parse(said->text, NULL);
    for (guint i = 0; text != NULL && i < text->terms->len; i++) {
      const HyMeasureTerm *term = &g_array_index(text->terms, HyMeasureTerm, i);
      for (guint j = 0; j < term->refs->n; j++) {
        g_autoptr(GArray) matches = NULL;
        g_autoptr(GError) error = NULL;
        HySignalAt at;
        if (!match(loaded, term->path[j], &at, &matches, &error) &&
            strcmp(term->path[j], "t") != 0) {
          hy_report_error(report, said->file, said->line, "measure: %s", error->message);
        }
      }
    }
  }
}
