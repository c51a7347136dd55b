/* hydevs optimise: what is asked for as text becomes a search (optimiser.h) over trials (trial.h),
 * each of which is a row of a table.
 *
 * Results are only as smooth as the method: a state that moves in quanta makes an event more or
 * less when a parameter changes a little, and the result jumps. So a method that is exact, or goes
 * by the error of its step, is taken where the model allows one; else steps are kept above the
 * jumps, and the answer says so. */
#include "hydevs/optimise.h"
#include "base/hint.h"
#include "base/sized.h"
#include "hydevs/expression.h"
#include "hydevs/text.h"
#include "results/csv_fields.h"
#include "sweeps/optimiser.h"
#include "sweeps/trial.h"

#include <math.h>
#include <string.h>

#define FINE_STEP   1e-8 /* of the ranges, where results are smooth */
#define COARSE_STEP 1e-3
#define FINE_TOL    1e-9 /* of a method that goes by its error */

typedef struct {
  double *x;     /* [n] */
  double *value; /* [n_values] */
  int status;
  char *why;
  guint64 events;
} Row;

typedef struct {
  const char *measure; /* the text, in `texts` */
  double sign;         /* 1: below the bound, -1: above it */
  double bound;
} Limit;

struct HyOptimum {
  const HyOptimiseOptions *asked; /* while it is searched */
  guint n, n_values;              /* parameters; what is measured: the aim first, then limits */
  char **name;                    /* of parameters; ends with NULL */
  HySpan *range;
  gboolean *begins; /* its start is said */
  gboolean *named;  /* of measures: they are names of the experiment's */
  GPtrArray *texts; /* of measures; the aim is none with FIT */
  GArray *limits;   /* of Limit */
  char *aim;        /* what is minimised or maximised, as the head of its column */
  double sign;      /* -1: maximised */
  HyMeasured *fit;
  HyTrials trials;
  HyDocuments *documents; /* files are read once */
  char *method, *methods; /* taken instead of the experiment's (NULL: none); in force */
  gboolean smooth, ended;
  double step;
  GArray *rows; /* of Row */
  HyFound found;
};

/* In functions that take an error: it says so, FALSE. */
#define WRONG(...) (g_set_error(error, HY_ERROR, HY_ERROR_USAGE, __VA_ARGS__), FALSE)

/* What is asked for -------------------------------------------------------------------------------
 */

static gboolean nameless(gpointer user, const char *name, const char *port, double *value,
                         GError **error)
{
  (void)user;
  (void)port;
  (void)value;
  return WRONG("%s is no number", name);
}

static gboolean read_number(const char *text, double *v)
{
  return hy_formula_value(text, nameless, NULL, v, NULL) && isfinite(*v);
}

/* "L=1m:20m", "L=log 1m:20m". */
static gboolean read_range(const char *text, char **name, HySpan *range, GError **error)
{
  const char *is = strchr(text, '=');
  if (is == NULL || is == text) {
    return WRONG("--over %s: say NAME=LEAST:MOST", text);
  }
  *name = g_strndup(text, (gsize)(is - text));
  range->log = g_str_has_prefix(is + 1, "log ");
  g_auto(GStrv) ends = g_strsplit(is + (range->log ? 5 : 1), ":", -1);
  if (g_strv_length(ends) != 2 || !read_number(ends[0], &range->low) ||
      !read_number(ends[1], &range->high)) {
    return WRONG("--over %s: say NAME=LEAST:MOST, two numbers", text);
  }
  if (!(range->low < range->high) || !isfinite(range->high - range->low)) {
    return WRONG("--over %s: the first number must be below the second", text);
  }
  return !range->log || range->low > 0.0 ||
         WRONG("--over %s: both numbers of log are above 0", text);
}

static gboolean read_ranges(HyOptimum *o, const char *const *over, GError **error)
{
  o->n = over != NULL ? g_strv_length((char **)hy_key(over)) : 0;
  o->name = g_new0(char *, o->n + 1);
  o->range = g_new0(HySpan, MAX(o->n, 1));
  o->begins = g_new0(gboolean, MAX(o->n, 1));
  if (o->n == 0) {
    return WRONG("over which parameters? say --over NAME=LEAST:MOST");
  }
  for (guint k = 0; k < o->n; k++) {
    if (!read_range(over[k], &o->name[k], &o->range[k], error)) {
      return FALSE;
    }
    for (guint j = 0; j < k; j++) {
      if (strcmp(o->name[j], o->name[k]) == 0) {
        return WRONG("--over %s: %s is there twice", over[k], o->name[k]);
      }
    }
  }
  return TRUE;
}

static gboolean read_start(HyOptimum *o, const char *text, GError **error)
{
  const char *is = strchr(text, '=');
  double v;
  for (guint k = 0; is != NULL && k < o->n; k++) {
    if (strlen(o->name[k]) != (gsize)(is - text) ||
        strncmp(text, o->name[k], (gsize)(is - text)) != 0) {
      continue;
    }
    if (!read_number(is + 1, &v) || v < o->range[k].low || v > o->range[k].high) {
      return WRONG("--start %s: it is a number inside of what --over says", text);
    }
    o->range[k].start = v;
    o->begins[k] = TRUE;
    return TRUE;
  }
  return WRONG("--start %s: --over names no such parameter", text);
}

/* "max(iL)=10": up to the last sign of equality. */
static gboolean read_limit(HyOptimum *o, const char *option, const char *text, double sign,
                           GError **error)
{
  const char *is = strrchr(text, '=');
  Limit limit = {.sign = sign};
  if (is == NULL || is == text || !read_number(is + 1, &limit.bound)) {
    return WRONG("--keep-%s %s: say MEASURE=NUMBER", option, text);
  }
  char *measure = g_strstrip(g_strndup(text, (gsize)(is - text)));
  g_ptr_array_add(o->texts, measure);
  limit.measure = measure;
  g_array_append_val(o->limits, limit);
  return TRUE;
}

static gboolean read_limits(HyOptimum *o, const HyOptimiseOptions *p, GError **error)
{
  for (const char *const *text = p->below; text != NULL && *text != NULL; text++) {
    if (!read_limit(o, "below", *text, 1.0, error)) {
      return FALSE;
    }
  }
  for (const char *const *text = p->above; text != NULL && *text != NULL; text++) {
    if (!read_limit(o, "above", *text, -1.0, error)) {
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean read_aim(HyOptimum *o, const HyOptimiseOptions *p, GError **error)
{
  guint said = (p->minimise != NULL) + (p->maximise != NULL) + (p->fit != NULL);
  if (said != 1) {
    return WRONG("%s", said == 0 ? "what for? say --minimise, --maximise or --fit"
                                 : "--minimise, --maximise and --fit: one of them");
  }
  o->sign = p->maximise != NULL ? -1.0 : 1.0;
  if (p->fit == NULL) {
    o->aim = g_strdup(p->minimise != NULL ? p->minimise : p->maximise);
    g_ptr_array_add(o->texts, g_strdup(o->aim));
    return TRUE;
  }
  o->aim = g_strdup("squares");
  o->fit = hy_measured_read(p->fit, error);
  return o->fit != NULL;
}

static gboolean read_options(HyOptimum *o, const HyOptimiseOptions *p, GError **error)
{
  if (p->most == 0 || !(p->step >= 0.0 && p->step < 1.0)) {
    return WRONG("%s",
                 p->most == 0 ? "no runs" : "the least step is a part of the ranges, below 1");
  }
  if (!read_ranges(o, p->over, error) || !read_aim(o, p, error) || !read_limits(o, p, error)) {
    return FALSE;
  }
  for (const char *const *text = p->start; text != NULL && *text != NULL; text++) {
    if (!read_start(o, *text, error)) {
      return FALSE;
    }
  }
  return TRUE;
}

/* Before the search -----------------------------------------------------------------------------
 */

/* The value that parameter NAME has in LOADED; NaN: it is none of the root, or no single number. */
static double value_in(const HyLoaded *loaded, const char *name)
{
  for (guint k = 0; loaded != NULL && k < hy_loaded_n_parameters(loaded); k++) {
    const HyParameter *p = hy_loaded_parameter(loaded, k);
    if (strcmp(p->name, name) == 0) {
      return p->text == NULL && p->n == 1 ? p->numbers[0] : (double)NAN;
    }
  }
  return NAN;
}

/* Whether the experiment has a measure of this name. */
static gboolean is_measure(const HyLoaded *loaded, const char *name)
{
  const HyExperiment *x = loaded != NULL ? hy_loaded_experiment(loaded) : NULL;
  for (guint k = 0; x != NULL && k < x->n_measures; k++) {
    if (x->measures[k].name != NULL && strcmp(x->measures[k].name, name) == 0) {
      return TRUE;
    }
  }
  return FALSE;
}

/* The search begins at the value that the model has, if the range holds it. What is wrong with the
 * model is told by the first trial. */
static void look_at_model(HyOptimum *o)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = hy_load_file(o->trials.file, &o->trials.load, report);
  o->named = g_new0(gboolean, MAX(o->texts->len, 1));
  o->trials.named = o->named;
  for (guint k = 0; k < o->texts->len; k++) {
    o->named[k] = is_measure(loaded, g_ptr_array_index(o->texts, k));
  }
  for (guint k = 0; k < o->n; k++) {
    HySpan *r = &o->range[k];
    double v = value_in(loaded, o->name[k]);
    double middle = r->log ? sqrt(r->low) * sqrt(r->high) : 0.5 * r->low + 0.5 * r->high;
    if (!o->begins[k]) {
      r->start = v >= r->low && v <= r->high ? v : middle;
    }
  }
}

/* A trial by METHOD from the start, kept if it went well and is SMOOTH or need not be. */
static gboolean try_method(HyOptimum *o, const char *method, double tol, gboolean smooth,
                           GError **error)
{
  g_autofree double *x = g_new(double, o->n);
  for (guint k = 0; k < o->n; k++) {
    x[k] = o->range[k].start;
  }
  HyLoadOptions before = o->trials.load;
  HyTrial trial;
  o->trials.load.method = method != NULL ? method : before.method;
  if (tol > 0.0 && before.tol <= 0.0) {
    o->trials.load.tol = o->trials.load.dqrel = o->trials.load.dqmin = tol;
  }
  hy_trial(&o->trials, x, &trial);
  gboolean kept = trial.ended && (trial.smooth || !smooth);
  if (kept) {
    o->smooth = trial.smooth;
    o->methods = g_strdup(trial.methods);
    o->method = g_strdup(o->trials.load.method);
    o->trials.load.method = o->method;
  } else {
    o->trials.load = before;
    if (!trial.ended) {
      g_set_error(error, HY_ERROR, trial.status, "%s", trial.why);
    }
  }
  hy_trial_clear(&trial);
  return kept;
}

/* The user's, else the first that makes results smooth, else the model's. */
static gboolean choose_method(HyOptimum *o, GError **error)
{
  if (o->trials.load.method == NULL && (try_method(o, "block_liqss2", 0.0, TRUE, NULL) ||
                                        try_method(o, "cvode_bdf", FINE_TOL, TRUE, NULL))) {
    return TRUE;
  }
  return try_method(o, NULL, 0.0, FALSE, error);
}

/* The search --------------------------------------------------------------------------------------
 */

static HyTried run(gpointer user, const double *x, double *value, double *beyond)
{
  HyOptimum *o = (HyOptimum *)user;
  HyTrial trial;
  hy_trial(&o->trials, x, &trial);
  if (trial.status == HY_ERROR_INTERRUPTED) {
    hy_trial_clear(&trial);
    o->ended = TRUE;
    return HY_TRIED_STOP;
  }
  Row row = {.x = g_memdup2(x, o->n * sizeof *x),
             .value = g_steal_pointer(&trial.value),
             .status = trial.status,
             .why = g_steal_pointer(&trial.why),
             .events = trial.events};
  gboolean ended = trial.ended;
  g_array_append_val(o->rows, row);
  hy_trial_clear(&trial);
  guint aim = o->fit != NULL ? o->limits->len : 0, first = o->fit != NULL ? 0 : 1;
  *value = o->sign * row.value[aim];
  for (guint k = 0; k < o->limits->len; k++) {
    const Limit *l = &g_array_index(o->limits, Limit, k);
    beyond[k] = l->sign * (row.value[first + k] - l->bound);
  }
  if (o->asked->ran != NULL) {
    o->asked->ran(o->asked->user, o->rows->len, o->asked->most, o->found.failed,
                  o->sign * o->found.value);
  }
  return ended ? HY_TRIED : HY_TRIED_FAILED;
}

static gboolean search(HyOptimum *o, const HyOptimiseOptions *p, GError **error)
{
  const HySearch how = {.method = p->algorithm,
                        .n = o->n,
                        .n_limits = o->limits->len,
                        .range = o->range,
                        .most = p->most,
                        .step = o->step,
                        .seed = p->seed,
                        .try = run,
                        .user = o};
  g_autoptr(GError) why = NULL;
  if (hy_search(&how, &o->found, &why)) {
    return TRUE;
  }
  const Row *first = o->rows->len > 0 ? &g_array_index(o->rows, Row, 0) : NULL;
  g_set_error(error, HY_ERROR, first != NULL ? first->status : why->code, "%s%s%s", why->message,
              first != NULL ? ": " : "", first != NULL ? first->why : "");
  return FALSE;
}

static HyOptimum *optimise(const char *file, const HyOptimiseOptions *options, GError **error)
{
  g_autoptr(HyOptimum) o = g_new0(HyOptimum, 1);
  o->texts = g_ptr_array_new_with_free_func(g_free);
  o->limits = g_array_new(FALSE, FALSE, sizeof(Limit));
  o->rows = g_array_new(FALSE, FALSE, sizeof(Row));
  o->asked = options;
  if (!read_options(o, options, error)) {
    return NULL;
  }
  o->n_values = o->texts->len + (o->fit != NULL ? 1 : 0);
  o->trials = (HyTrials){.file = file,
                         .load = *options->load,
                         .run = *options->run,
                         .parameters = (const char *const *)o->name,
                         .n = o->n,
                         .measures = (const char *const *)o->texts->pdata,
                         .n_measures = o->texts->len,
                         .measured = o->fit,
                         .progress = options->progress,
                         .user = options->user};
  o->documents = hy_documents_new();
  o->trials.load.documents = o->documents;
  look_at_model(o);
  if (!choose_method(o, error)) {
    return NULL;
  }
  o->step = options->step > 0.0 ? options->step : o->smooth ? FINE_STEP : COARSE_STEP;
  return search(o, options, error) ? g_steal_pointer(&o) : NULL;
}

HyOptimum *hy_optimise_sized(const char *file, const HyOptimiseOptions *options, gsize size,
                             gsize load, gsize run, GError **error)
{
  g_return_val_if_fail(file != NULL && options != NULL, NULL);
  HyOptimiseOptions taken = HY_OPTIMISE_OPTIONS;
  HyLoadOptions loads = {0};
  HyRunSettings runs = HY_RUN_SETTINGS;
  if (!hy_sized_take(&taken, options, size, "HyOptimiseOptions", error) ||
      !hy_sized_take(&loads, taken.load, load, "HyLoadOptions", error) ||
      !hy_sized_take(&runs, taken.run, run, "HyRunSettings", error)) {
    return NULL;
  }
  taken.load = &loads;
  taken.run = &runs;
  return optimise(file, &taken, error);
}

void hy_optimum_free(HyOptimum *o)
{
  if (o == NULL) {
    return;
  }
  for (guint k = 0; k < o->rows->len; k++) {
    Row *row = &g_array_index(o->rows, Row, k);
    g_free(row->x);
    g_free(row->value);
    g_free(row->why);
  }
  g_array_unref(o->rows);
  g_array_unref(o->limits);
  g_ptr_array_unref(o->texts);
  hy_measured_free(o->fit);
  g_strfreev(o->name);
  g_free(o->range);
  g_free(o->begins);
  g_free(o->named);
  hy_documents_free(o->documents);
  g_free(o->aim);
  g_free(o->method);
  g_free(o->methods);
  g_free(o);
}

/* What was found ----------------------------------------------------------------------------------
 */

guint64 hy_optimum_runs(const HyOptimum *o)
{
  g_return_val_if_fail(o != NULL, 0);
  return o->found.runs;
}

guint64 hy_optimum_failed(const HyOptimum *o)
{
  g_return_val_if_fail(o != NULL, 0);
  return o->found.failed;
}

guint64 hy_optimum_best(const HyOptimum *o)
{
  g_return_val_if_fail(o != NULL, G_MAXUINT64);
  return o->found.best;
}

gboolean hy_optimum_ended(const HyOptimum *o)
{
  g_return_val_if_fail(o != NULL, FALSE);
  return o->ended;
}

/* NULL: there is none. */
static const Row *best_row(const HyOptimum *o)
{
  return o->found.best != G_MAXUINT64 ? &g_array_index(o->rows, Row, o->found.best) : NULL;
}

double hy_optimum_value(const HyOptimum *o)
{
  g_return_val_if_fail(o != NULL, (double)NAN);
  return best_row(o) != NULL ? o->sign * o->found.value : (double)NAN;
}

double hy_optimum_parameter(const HyOptimum *o, guint k)
{
  g_return_val_if_fail(o != NULL && k < o->n, (double)NAN);
  return best_row(o) != NULL ? best_row(o)->x[k] : (double)NAN;
}

static void put_number(GString *out, double v)
{
  char text[HY_DOUBLE_SIZE];
  g_string_append(out, hy_double_text(text, v));
}

static void put_short(GString *out, double v)
{
  char text[HY_DOUBLE_SIZE];
  g_string_append(out, g_ascii_formatd(text, sizeof text, "%.10g", v));
}

/* V with as many digits as the least step leaves; the table has all. */
static void put_parameter(const HyOptimum *o, guint k, double v, GString *out)
{
  const HySpan *r = &o->range[k];
  double wide = r->log ? fabs(v) * log(r->high / r->low) : r->high - r->low;
  int digits = (int)CLAMP(ceil(log10(fabs(v) / (o->step * wide))), 1.0, 15.0);
  char format[8], text[HY_DOUBLE_SIZE];
  g_snprintf(format, sizeof format, "%%.%dg", digits);
  g_string_append_printf(out, "%s = ", o->name[k]);
  put_number(out, g_ascii_strtod(g_ascii_formatd(text, sizeof text, format, v), NULL));
  g_string_append(out, v <= r->low || v >= r->high ? " (an end of its range)" : "");
}

static void put_best(const HyOptimum *o, const Row *row, GString *out)
{
  for (guint k = 0; k < o->n; k++) {
    g_string_append(out, k > 0 ? ", " : "");
    put_parameter(o, k, row->x[k], out);
  }
  g_string_append_printf(out, "\n%s = ", o->fit != NULL ? "sum of squared differences" : o->aim);
  put_short(out, o->sign * o->found.value);
  g_string_append_printf(out, ", the %s of %" G_GUINT64_FORMAT " runs",
                         o->sign > 0.0 ? "least" : "greatest", o->found.runs);
}

/* How near a limit is. */
static void put_limits(const HyOptimum *o, const Row *row, GString *out)
{
  guint first = o->fit != NULL ? 0 : 1;
  for (guint k = 0; k < o->limits->len; k++) {
    const Limit *l = &g_array_index(o->limits, Limit, k);
    g_string_append_printf(out, "%s = ", l->measure);
    put_short(out, row->value[first + k]);
    g_string_append(out, l->sign > 0.0 ? ", kept below " : ", kept above ");
    put_short(out, l->bound);
    g_string_append_c(out, '\n');
  }
}

void hy_optimum_text(const HyOptimum *o, GString *out)
{
  g_return_if_fail(o != NULL && out != NULL);
  const Row *row = best_row(o);
  if (row != NULL) {
    put_best(o, row, out);
  } else {
    g_string_append_printf(out, "none of %" G_GUINT64_FORMAT " runs has kept the limits",
                           o->found.runs);
  }
  if (o->found.failed > 0) {
    g_string_append_printf(out, ", %" G_GUINT64_FORMAT " failed", o->found.failed);
  }
  if (o->found.beyond > 0 && row != NULL) {
    g_string_append_printf(out, ", %" G_GUINT64_FORMAT " beyond a limit", o->found.beyond);
  }
  g_string_append_c(out, '\n');
  if (row != NULL) {
    put_limits(o, row, out);
  }
  g_string_append_printf(out, "%s, steps down to %g of the ranges: %s; %s\n", o->found.method,
                         o->step, o->found.why, o->methods);
  if (!o->smooth) {
    g_string_append(out, "states move in these quanta, so results jump a little with parameters: "
                         "what is above is not exact to more digits\n");
  }
}

static void put_head(const HyOptimum *o, GString *out)
{
  g_string_append(out, "run");
  for (guint k = 0; k < o->n; k++) {
    g_string_append_c(out, ',');
    hy_csv_append(out, o->name[k]);
  }
  g_string_append(out, ",status");
  for (guint k = 0; k < o->n_values; k++) {
    g_string_append_c(out, ',');
    hy_csv_append(out, k < o->texts->len ? g_ptr_array_index(o->texts, k) : o->aim);
  }
  g_string_append(out, ",events,why\n");
}

void hy_optimum_csv(const HyOptimum *o, GString *out)
{
  g_return_if_fail(o != NULL && out != NULL);
  put_head(o, out);
  for (guint k = 0; k < o->rows->len; k++) {
    const Row *row = &g_array_index(o->rows, Row, k);
    g_string_append_printf(out, "%u", k);
    for (guint j = 0; j < o->n; j++) {
      g_string_append_c(out, ',');
      put_number(out, row->x[j]);
    }
    g_string_append_printf(out, ",%d", row->status);
    for (guint j = 0; j < o->n_values; j++) {
      g_string_append_c(out, ',');
      if (!isnan(row->value[j])) {
        put_number(out, row->value[j]);
      }
    }
    g_string_append_printf(out, ",%" G_GUINT64_FORMAT ",", row->events);
    hy_csv_append(out, row->why != NULL ? row->why : "");
    g_string_append_c(out, '\n');
  }
}
