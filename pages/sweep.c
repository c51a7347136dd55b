/* The page of a sweep: its table with plots to select runs in, what has failed and why, and the
 * waveforms of some of its runs beside each other. The table is read as it was written; roles of
 * columns are told by where they stand (results/plot_sweep.h). */
#include "hydevs/pages.h"

#include "base/sized.h"
#include "pages/assets.h"
#include "pages/diagram.h"
#include "pages/page.h"
#include "pages/report.h"
#include "results/csv_fields.h"
#include "results/plot_internal.h"
#include "results/plot_join.h"

#include <math.h>
#include <string.h>

#define FIELDS 250000U /* of all rows: 3 MB; what has more is thinned */
#define WHY    160     /* letters of a message */

/* The table, by columns of texts. */
typedef struct {
  GPtrArray *names;
  GPtrArray *columns; /* of GPtrArray, each with a text a row */
  guint at;           /* fields of this record so far */
} Texts;

static void texts_clear(Texts *t)
{
  g_ptr_array_unref(t->names);
  g_ptr_array_unref(t->columns);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Texts, texts_clear)

static void add_field(HyCsv *csv)
{
  Texts *t = csv->user;
  if (csv->line == 1 && t->columns->len == t->at) {
    g_ptr_array_add(t->names, hy_plain_text(csv->text->str, FALSE));
    g_ptr_array_add(t->columns, g_ptr_array_new_with_free_func(g_free));
  } else if (t->at < t->columns->len) {
    g_ptr_array_add(t->columns->pdata[t->at], hy_plain_text(csv->text->str, FALSE));
  }
  t->at++;
}

static gboolean end_record(HyCsv *csv, guint line)
{
  Texts *t = csv->user;
  guint n = t->at;
  t->at = 0;
  return n == t->columns->len ||
         hy_csv_fault(csv, line, "%u fields, but the head has %u", n, t->columns->len);
}

static gboolean read_texts(const char *path, Texts *t, GError **error)
{
  HyCsv csv = {.path = path, .user = t, .field = add_field, .record = end_record};
  if (!hy_csv_open(&csv, error)) {
    return FALSE;
  }
  gboolean ok = hy_csv_read_all(&csv);
  hy_csv_close(&csv);
  return ok;
}

/* The table as data ---------------------------------------------------------------------------- */

static const char *text_at(const Texts *t, guint column, guint row)
{
  return g_ptr_array_index((GPtrArray *)t->columns->pdata[column], row);
}

static guint find(const Texts *t, const char *name)
{
  for (guint k = 0; k < t->names->len; k++) {
    if (strcmp(t->names->pdata[k], name) == 0) {
      return k;
    }
  }
  return t->names->len;
}

static gboolean is_number(const char *text, double *v)
{
  char *end;
  *v = g_ascii_strtod(text, &end);
  return end != text && *end == '\0' && isfinite(*v);
}

/* Numbers with the seven digits that a picture shows; other texts as they are. */
static void add_value(HyJsonOut *json, const char *text)
{
  double v;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  if (*text == '\0') {
    hy_json_null(json, NULL);
  } else if (is_number(text, &v)) {
    hy_json_real(json, NULL,
                 g_ascii_strtod(g_ascii_formatd(number, sizeof number, "%.7g", v), NULL));
  } else {
    hy_json_text(json, NULL, text);
  }
}

static gboolean varies(const Texts *t, guint column, const GArray *rows)
{
  const char *first = rows->len > 0 ? text_at(t, column, g_array_index(rows, guint, 0)) : "";
  for (guint k = 1; k < rows->len; k++) {
    if (strcmp(text_at(t, column, g_array_index(rows, guint, k)), first) != 0) {
      return TRUE;
    }
  }
  return rows->len < 2;
}

/* Which rows the page has: all, or each STRIDE-th, those that have failed (the first MOST of them),
 * and of each measure the runs with its least and its largest value. */
typedef struct {
  guint run, status, events, why, n; /* columns; n: of rows */
} Places;

static gboolean *keep_extremes(const Texts *t, const Places *is)
{
  gboolean *keep = g_new0(gboolean, is->n + 1);
  for (guint column = is->status + 1; column < is->events; column++) {
    double low = INFINITY, high = -INFINITY, v;
    guint lowest = is->n, highest = is->n;
    for (guint row = 0; row < is->n; row++) {
      if (!is_number(text_at(t, column, row), &v)) {
        continue;
      }
      lowest = v < low ? row : lowest;
      highest = v > high ? row : highest;
      low = MIN(low, v);
      high = MAX(high, v);
    }
    keep[lowest] = keep[highest] = TRUE;
  }
  return keep;
}

static GArray *choose_rows(const Texts *t, const Places *is)
{
  GArray *rows = g_array_new(FALSE, FALSE, sizeof(guint));
  guint most = FIELDS / t->columns->len, failed = 0;
  guint stride = is->n > most ? 1 + 2 * (is->n / most) : 1;
  g_autofree gboolean *keep = keep_extremes(t, is);
  for (guint row = 0; row < is->n; row++) {
    gboolean bad = strcmp(text_at(t, is->status, row), "0") != 0;
    if (row % stride == 0 || keep[row] || (bad && failed++ < most / 4)) {
      g_array_append_val(rows, row);
    }
  }
  return rows;
}

static const HySweepColumn *column_known(const HySweepTold *told, const char *name)
{
  for (guint k = 0; k < told->n_columns; k++) {
    if (strcmp(told->columns[k].name, name) == 0) {
      return &told->columns[k];
    }
  }
  return NULL;
}

static void add_column(HyJsonOut *json, const Texts *t, guint column, const GArray *rows,
                       const char *kind, const HySweepColumn *known)
{
  hy_json_begin(json, NULL, '{');
  hy_json_text(json, "name", t->names->pdata[column]);
  hy_json_text(json, "kind", kind);
  if (known != NULL) {
    hy_json_text(json, "unit", known->unit);
    hy_json_text(json, "label", known->label);
    hy_json_real(json, "min", known->min);
    hy_json_real(json, "max", known->max);
  }
  hy_json_begin(json, "v", '[');
  for (guint k = 0; k < rows->len; k++) {
    add_value(json, text_at(t, column, g_array_index(rows, guint, k)));
  }
  hy_json_end(json, ']');
  hy_json_end(json, '}');
}

static void add_texts(HyJsonOut *json, const char *key, const Texts *t, guint column,
                      const GArray *rows, gboolean numbers)
{
  hy_json_begin(json, key, '[');
  for (guint k = 0; k < rows->len; k++) {
    const char *text = text_at(t, column, g_array_index(rows, guint, k));
    g_autofree char *part = g_utf8_substring(text, 0, MIN(WHY, g_utf8_strlen(text, -1)));
    if (numbers) {
      add_value(json, text);
    } else {
      hy_json_text(json, NULL, part);
    }
  }
  hy_json_end(json, ']');
}

static void add_table(HyJsonOut *json, const Texts *t, const Places *is, const GArray *rows,
                      const HySweepTold *told)
{
  hy_json_begin(json, NULL, '{');
  add_texts(json, "run", t, is->run, rows, TRUE);
  add_texts(json, "status", t, is->status, rows, FALSE);
  add_texts(json, "why", t, is->why, rows, FALSE);
  hy_json_begin(json, "columns", '[');
  for (guint column = 1; column < is->events; column++) {
    const HySweepColumn *known = column_known(told, t->names->pdata[column]);
    gboolean set = column < is->status;
    if (column != is->status && (!set || varies(t, column, rows))) {
      add_column(json, t, column, rows, set ? "parameter" : "measure", known);
    }
  }
  hy_json_end(json, ']');
  hy_json_end(json, '}');
}

/* FALSE: it is no table of a sweep. */
static gboolean find_places(const Texts *t, const char *csv, Places *is, GError **error)
{
  guint n = t->names->len;
  *is = (Places){find(t, "run"), find(t, "status"), find(t, "events"), find(t, "why"), 0};
  if (is->run != 0 || is->status == n || is->events == n || is->why == n ||
      is->events < is->status) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN,
                "%s: is no table of a sweep: its columns are to be run, parameters, status, "
                "measures, events, why",
                csv);
    return FALSE;
  }
  is->n = ((GPtrArray *)t->columns->pdata[0])->len;
  return TRUE;
}

/* Waveforms -------------------------------------------------------------------------------------
 */

/* All that RUNS have recorded, as one table. FALSE: nothing. */
static gboolean add_waves(HyJsonOut *json, GString *out, const HySweepTold *told)
{
  g_autoptr(GArray) runs = g_array_new(FALSE, TRUE, sizeof(HyPlotRun));
  g_array_set_clear_func(runs, hy_plot_run_clear);
  for (guint k = 0; k < told->n_waves; k++) {
    const HyRecorder *r = hy_run_kept(told->waves[k].run, 0);
    if (r == NULL || hy_recorder_rows(r) == 0) {
      continue;
    }
    HyPlotRun run = {.called = told->waves[k].name,
                     .table = hy_table_kept(r),
                     .sidecar = hy_sidecar_kept(r),
                     .chosen = g_array_new(FALSE, FALSE, sizeof(guint))};
    run.holds = hy_plot_holding(run.table, run.sidecar);
    for (guint column = 1; column < run.table->n; column++) {
      g_array_append_val(run.chosen, column);
    }
    g_array_append_val(runs, run);
  }
  if (runs->len == 0) {
    return FALSE;
  }
  g_autoptr(HySidecar) sidecar = NULL;
  g_autoptr(HyTable) all =
      hy_plot_join((const HyPlotRun *)(gpointer)runs->data, runs->len, FALSE, &sidecar, NULL);
  if (all != NULL) {
    hy_page_recording(out, json, all, sidecar);
  }
  return all != NULL;
}

/* The page --------------------------------------------------------------------------------------
 */

static void add_said(GString *out, const char *klass, const char *text)
{
  if (text != NULL && *text != '\0') {
    g_string_append_printf(out, "<p class=\"%s\">", klass);
    hy_xml_text(out, text);
    g_string_append(out, "</p>\n");
  }
}

static gboolean sweep_page(const HyLoaded *loaded, const HySweepTold *told, GString *out,
                           GError **error)
{
  g_auto(Texts) t = {g_ptr_array_new_with_free_func(g_free),
                     g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref), 0};
  Places is;
  if (!read_texts(told->csv, &t, error) || !find_places(&t, told->csv, &is, error)) {
    return FALSE;
  }
  g_autoptr(GArray) rows = choose_rows(&t, &is);
  g_autoptr(GString) data = g_string_new(NULL), waves = g_string_new(NULL);
  HyJsonOut json = {.out = data, .tight = TRUE}, curves = {.out = waves, .tight = TRUE};
  add_table(&json, &t, &is, rows, told);
  const char *name = loaded != NULL ? hy_model_name(hy_loaded_model(loaded)) : told->csv;
  hy_page_begin(out, name, "report");
  g_string_append(out, "<header><h1>");
  hy_xml_text(out, name);
  g_string_append(out, "</h1>\n");
  add_said(out, "doc", told->plan);
  add_said(out, "doc", told->outcome);
  if (rows->len < is.n) {
    g_autofree char *text = g_strdup_printf(
        "This page has %u of the %u runs: each so many-th, the least and the largest of each "
        "measure, and runs that have failed. All of them are in %s.",
        rows->len, is.n, told->csv);
    add_said(out, "warning", text);
  }
  g_string_append(out, "</header>\n<main>\n<div id=\"runs\"></div>\n");
  hy_json_begin(&curves, NULL, '[');
  g_autoptr(GString) limits = g_string_new(NULL);
  gboolean drawn = add_waves(&curves, limits, told);
  hy_json_end(&curves, ']');
  if (drawn) {
    g_string_append(out, "<h2>Waveforms</h2>\n");
    g_string_append(out, limits->str);
    g_string_append(out, "<div id=\"plots\"></div>\n");
  }
  g_string_append(out, "</main>\n<footer>\n");
  if (loaded != NULL) {
    hy_page_origin(out, loaded, told->command);
  }
  g_string_append(out, "</footer>\n");
  hy_page_data(out, "sweep", data->str);
  if (drawn) {
    hy_page_data(out, "recording", waves->str);
  }
  hy_page_end(out,
              (const char *const[]){hy_page_js, hy_sweep_js, drawn ? hy_report_js : NULL, NULL});
  return TRUE;
}

gboolean hy_sweep_page_sized(const HyLoaded *loaded, const HySweepTold *told, gsize size,
                             GString *out, GError **error)
{
  g_return_val_if_fail(told != NULL && told->csv != NULL && out != NULL, FALSE);
  HySweepTold taken = {0};
  return hy_sized_take(&taken, told, size, "HySweepTold", error) &&
         sweep_page(loaded, &taken, out, error);
}
