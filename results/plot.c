/* From a recording to a picture. */
#include "base/sized.h"
#include "hydevs/text.h"
#include "numerics/fourier.h"
#include "plot_internal.h"
#include "plot_sweep.h"

#include "csv_fields.h"
#include "plot_bands.h"
#include "plot_chart.h"
#include "plot_join.h"
#include "record_forms.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define TERM_ROWS_MIN 12

static char *name_of_picture(const HyPlotOptions *o)
{
  if (o->out != NULL) {
    return g_strdup(o->out);
  }
  gsize n = strlen(o->csv);
  n -= g_str_has_suffix(o->csv, ".csv") ? 4 : 0;
  return g_strdup_printf("%.*s.png", (int)n, o->csv);
}

char *hy_plot_out_sized(const HyPlotOptions *options, gsize size)
{
  g_return_val_if_fail(options != NULL, NULL);
  HyPlotOptions o = {0};
  return hy_sized_take(&o, options, size, "HyPlotOptions", NULL) ? name_of_picture(&o) : NULL;
}

/* Reading ------------------------------------------------------------------------------------- */

/* A form for other programs, which is none to be read here. */
static gboolean is_csv(const char *file, GError **error)
{
  const HyRecordForm *form = hy_record_form(file, NULL);
  if (form == NULL || strcmp(form->suffix, ".csv") == 0) {
    return TRUE;
  }
  g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
              "%s: pictures are drawn of a CSV; record into one, too, as by -o %s -o NAME.csv",
              file, file);
  return FALSE;
}

static gboolean read_recording(const HyPlotOptions *o, HyTable **table, HySidecar **sidecar,
                               GError **error)
{
  g_autoptr(GError) why = NULL;
  *table = is_csv(o->csv, error) ? hy_table_read(o->csv, error) : NULL;
  *sidecar = *table != NULL ? hy_sidecar_read(o->csv, &why) : NULL;
  if (why != NULL) {
    g_propagate_error(error, g_steal_pointer(&why));
    return FALSE;
  }
  return *table != NULL;
}

/* "a.csv, b.csv"; "a.csv - b.csv" of a difference. */
static char *title_of_all(const HyPlotOptions *o)
{
  GString *out = g_string_new(hy_plot_called(o));
  for (guint k = 0; o->with[k] != NULL; k++) {
    g_string_append_printf(out, "%s%s", o->difference ? " - " : ", ", o->with[k]);
  }
  return g_string_free(out, FALSE);
}

/* FILE with those of its columns that are asked for. */
static gboolean read_run(const HyPlotOptions *o, const char *file, HyPlotRun *run, GError **error)
{
  HyPlotOptions one = *o;
  one.csv = file;
  run->called = file;
  if (!read_recording(&one, &run->table, &run->sidecar, error)) {
    return FALSE;
  }
  if (o->bands && hy_plot_is_sweep(run->table)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "%s: is the table of a sweep; --bands is of the recordings of its runs "
                "(hydevs sweep --keep 1)",
                file);
    return FALSE;
  }
  run->chosen = hy_plot_chosen(&one, run->table, run->sidecar, error);
  run->holds = hy_plot_holding(run->table, run->sidecar);
  return run->chosen != NULL;
}

/* All recordings as one. */
static gboolean read_all(const HyPlotOptions *o, HyTable **table, HySidecar **sidecar,
                         GError **error)
{
  g_autoptr(GArray) runs = g_array_new(FALSE, TRUE, sizeof(HyPlotRun));
  g_array_set_clear_func(runs, hy_plot_run_clear);
  guint n = 1;
  while (o->with != NULL && o->with[n - 1] != NULL) {
    n++;
  }
  g_array_set_size(runs, n);
  for (guint k = 0; k < n; k++) {
    HyPlotRun *run = &g_array_index(runs, HyPlotRun, k);
    if (!read_run(o, k == 0 ? o->csv : o->with[k - 1], run, error)) {
      return FALSE;
    }
  }
  const HyPlotRun *first = (const HyPlotRun *)(gpointer)runs->data;
  *table = o->bands ? hy_plot_bands(first, n, sidecar, error)
                    : hy_plot_join(first, n, o->difference, sidecar, error);
  return *table != NULL;
}

/* Spectra and histograms ----------------------------------------------------------------------- */

static gboolean is_made(const HyPlotOptions *o)
{
  return o->fft != NULL || o->histogram != NULL;
}

static gboolean is_for_numbers(const HyPlotOptions *o)
{
  return (is_made(o) || o->bands) && !o->term && o->out != NULL && g_str_has_suffix(o->out, ".csv");
}

/* Spectra and histograms are made of the time that passes from row to row. */
static gboolean time_goes_on(const HyPlotOptions *o, const HyTable *table, GError **error)
{
  const double *t = table->column[0].v;
  for (gsize k = 0; k < table->n_rows; k++) {
    if (isnan(t[k]) || (k > 0 && t[k] < t[k - 1])) {
      g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: the time %s in row %" G_GSIZE_FORMAT,
                  hy_plot_called(o), isnan(t[k]) ? "is no number" : "goes back", k + 1);
      return FALSE;
    }
  }
  return TRUE;
}

/* In place of the recording what is asked for of its columns. */
static gboolean make_table(const HyPlotOptions *o, HyTable **table, HySidecar **sidecar,
                           GError **error)
{
  g_autoptr(GArray) chosen = hy_plot_chosen(o, *table, *sidecar, error);
  if (chosen == NULL || !time_goes_on(o, *table, error)) {
    return FALSE;
  }
  g_autofree gboolean *holds = hy_plot_holding(*table, *sidecar);
  HyPlotSource source = {.o = o,
                         .table = *table,
                         .sidecar = *sidecar,
                         .chosen = chosen,
                         .holds = holds,
                         .numbers = is_for_numbers(o)};
  HySidecar *beside = NULL;
  HyTable *made = o->fft != NULL ? hy_plot_fourier(&source, &beside, error)
                                 : hy_plot_histogram(&source, &beside, error);
  if (made == NULL) {
    return FALSE;
  }
  hy_table_free(*table);
  hy_sidecar_free(*sidecar);
  *table = made;
  *sidecar = beside;
  return TRUE;
}

/* The numbers behind a picture. */
static gboolean write_numbers(const HyTable *table, const char *out, GError **error)
{
  g_autoptr(GString) text = g_string_new(NULL);
  char number[HY_DOUBLE_SIZE];
  for (guint k = 0; k < table->n; k++) {
    g_string_append(text, k > 0 ? "," : "");
    (k > 0 ? hy_csv_quote : hy_csv_append)(text, table->column[k].name);
  }
  for (gsize row = 0; row < table->n_rows; row++) {
    for (guint k = 0; k < table->n; k++) {
      double v = table->column[k].v[row];
      g_string_append_c(text, k > 0 ? ',' : '\n');
      g_string_append(text, isnan(v) ? "" : hy_double_text(number, v));
    }
  }
  g_string_append_c(text, '\n');
  return hy_write_file(out, text->str, (gssize)text->len, error);
}

/* OUT is no recording that is drawn, nor what stands beside one. */
static gboolean is_no_recording(const HyPlotOptions *o, const char *out, GError **error)
{
  g_autoptr(GPtrArray) read = g_ptr_array_new_with_free_func(g_free);
  g_ptr_array_add(read, g_strdup(o->csv));
  g_ptr_array_add(read, hy_sidecar_path(o->csv));
  for (guint k = 0; o->with != NULL && o->with[k] != NULL; k++) {
    g_ptr_array_add(read, g_strdup(o->with[k]));
    g_ptr_array_add(read, hy_sidecar_path(o->with[k]));
  }
  g_ptr_array_add(read, NULL);
  return hy_output_is_free(out, (const char *const *)read->pdata, NULL, error);
}

/* In place of the table of a sweep what is drawn of it. */
static gboolean make_sweep(const HyPlotOptions *o, HyTable **table, HySidecar **sidecar,
                           HyPlotLooks *looks, GError **error)
{
  HyPlotSource source = {
      .o = o, .table = *table, .sidecar = *sidecar, .numbers = is_for_numbers(o)};
  HySidecar *beside = NULL;
  HyTable *made = hy_plot_sweep(&source, looks, &beside, error);
  if (made == NULL) {
    return FALSE;
  }
  hy_table_free(*table);
  hy_sidecar_free(*sidecar);
  *table = made;
  *sidecar = beside;
  return TRUE;
}

static gboolean is_chart(const HyPlotOptions *o)
{
  return o->map != NULL || o->tornado;
}

/* What is drawn of the table. */
static gboolean make(HyPlotOptions *o, HyTable **table, HySidecar **sidecar, HyPlotLooks *looks,
                     GError **error)
{
  gboolean sweep = hy_plot_is_sweep(*table), ok;
  if (sweep) {
    ok = make_sweep(o, table, sidecar, looks, error);
  } else {
    ok = hy_plot_take_window(o, *table, *sidecar, error) &&
         (!is_made(o) || make_table(o, table, sidecar, error));
  }
  o->columns = sweep || is_made(o) ? NULL : o->columns;
  o->over = sweep ? NULL : o->over;
  return ok;
}

/* The picture --------------------------------------------------------------------------------- */

/* Where and how large. */
static HyFigure figure_of(const HyPlotOptions *o, const char *file)
{
  return (HyFigure){.file = file,
                    .columns = CLAMP(o->term_columns, 40, 1000),
                    .rows = CLAMP(o->term_rows, TERM_ROWS_MIN, 1000),
                    .colour = o->term_colour,
                    .width = o->width,
                    .height = o->height,
                    .dpi = o->dpi,
                    .font = o->font,
                    .font_size = o->font_size};
}

static gboolean draw_figure(const HyPlotOptions *o, const char *out, const HyFigure *f,
                            GError **error)
{
  gboolean ok = hy_plot_draw(f, o->term ? hy_plot_called(o) : out, error);
  return (o->term || hy_plot_check_drawn(out, error)) && ok;
}

static gboolean draw_chart(const HyPlotOptions *o, const char *out, const HyTable *table,
                           const HySidecar *sidecar, GError **error)
{
  HyPlotSource source = {.o = o, .table = table, .sidecar = sidecar};
  if (!hy_plot_is_sweep(table)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "%s: %s is of the table of a sweep, which has columns run and status",
                hy_plot_called(o), o->tornado ? "--tornado" : "--map");
    return FALSE;
  }
  g_autoptr(HyChart) chart =
      o->tornado ? hy_plot_tornado(&source, error) : hy_plot_map(&source, error);
  if (chart == NULL || !hy_plot_check_writable(out, error)) {
    return FALSE;
  }
  if (o->title != NULL) {
    g_free(chart->title);
    chart->title = g_strdup(o->title);
  }
  g_autofree char *absolute = g_canonicalize_filename(out, NULL);
  HyFigure f = figure_of(o, absolute);
  f.chart = chart;
  return draw_figure(o, out, &f, error);
}

static gboolean draw(const HyPlotOptions *o, const char *out, const HyPlotLooks *looks,
                     HyTable *table, const HySidecar *sidecar, GError **error)
{
  g_autofree char *absolute = o->term ? NULL : g_canonicalize_filename(out, NULL);
  g_autofree char *axis = NULL, *title = NULL;
  HyFigure f = figure_of(o, absolute);
  f.spectrum = o->fft != NULL;
  f.upright = !o->db && o->log == NULL;
  f.bars = o->histogram != NULL;
  f.points = looks->points;
  f.bands = looks->bands;
  if (!hy_plot_figure(&f, o, table, sidecar, &axis, &title, error) ||
      (!o->term && !hy_plot_check_writable(out, error))) {
    return FALSE;
  }
  return draw_figure(o, out, &f, error);
}

static gboolean is_size(double inches)
{
  return inches == 0.0 || (inches >= 1.0 && inches <= 100.0);
}

/* What is wrong with them before anything is read; NULL: nothing. */
static const char *options_fault(const HyPlotOptions *o)
{
  static const char *const axes[] = {"x", "y", "xy", NULL}, *const kinds[] = {"values", "steps",
                                                                              NULL};
  if ((o->fft != NULL) + (o->histogram != NULL) + (o->over != NULL) > 1) {
    return "a spectrum, a histogram or a path in the plane: one of them";
  }
  if ((o->map != NULL) + o->tornado + is_made(o) + (o->over != NULL) > 1 ||
      (is_chart(o) && (o->bands || o->with != NULL || o->log != NULL))) {
    return "a map, or bars of parameters, is a picture of one table by itself";
  }
  if (is_chart(o) && o->term) {
    return "a map, or bars of parameters, is drawn into a file";
  }
  if (o->bands && (o->difference || is_made(o) || o->over != NULL)) {
    return "bands are of runs over time";
  }
  if (o->histogram != NULL && !g_strv_contains(kinds, o->histogram)) {
    return "a histogram is of \"values\" or of \"steps\"";
  }
  if (o->fft != NULL && hy_fourier_window(o->fft) == NULL) {
    return "a window is \"none\", \"hann\", \"blackman\" or \"flattop\"";
  }
  if (o->log != NULL && !g_strv_contains(axes, o->log)) {
    return "logarithmic axes are \"x\", \"y\" or \"xy\"";
  }
  if (o->bins > HY_PLOT_BINS || o->dpi > HY_PLOT_DPI) {
    return "too many bins, or dots an inch";
  }
  if (!is_size(o->width) || !is_size(o->height)) {
    return "width and height are 1 to 100 inches, or 0";
  }
  if (!(o->font_size == 0.0 || (o->font_size >= 3.0 && o->font_size <= 100.0))) {
    return "a font has 3 to 100 points, or 0";
  }
  return isnan(o->from) || isnan(o->to) || !(o->fmax >= 0.0) ? "NaN or a frequency below 0" : NULL;
}

static gboolean plot(const HyPlotOptions *o, GError **error)
{
  const char *fault = options_fault(o);
  if (fault != NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: %s", hy_plot_called(o), fault);
    return FALSE;
  }
  gboolean several = o->bands || (o->with != NULL && o->with[0] != NULL);
  g_autofree char *heading = several && !o->bands && o->title == NULL ? title_of_all(o) : NULL;
  g_autofree char *out = name_of_picture(o);
  if (!o->term &&
      !(hy_plot_check_out(out, is_made(o) || o->bands, error) && is_no_recording(o, out, error))) {
    return FALSE;
  }
  g_autoptr(HyTable) table = NULL;
  g_autoptr(HySidecar) sidecar = NULL;
  if (!(several ? read_all(o, &table, &sidecar, error)
                : read_recording(o, &table, &sidecar, error))) {
    return FALSE;
  }
  HyPlotOptions all = *o; /* the columns have been chosen */
  all.columns = several ? NULL : o->columns;
  all.title = heading != NULL ? heading : o->title;
  if (is_chart(o)) {
    return draw_chart(&all, out, table, sidecar, error);
  }
  HyPlotLooks looks = {.bands = o->bands};
  if (!make(&all, &table, &sidecar, &looks, error)) {
    return FALSE;
  }
  return is_for_numbers(o) ? write_numbers(table, out, error)
                           : draw(&all, out, &looks, table, sidecar, error);
}

gboolean hy_plot_csv_sized(const HyPlotOptions *options, gsize size, GError **error)
{
  g_return_val_if_fail(options != NULL && options->csv != NULL, FALSE);
  HyPlotOptions o = {0};
  return hy_sized_take(&o, options, size, "HyPlotOptions", error) && plot(&o, error);
}
