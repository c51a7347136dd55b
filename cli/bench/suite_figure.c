/* Figures of a suite: what methods take over the values of a parameter, at one tolerance each, or
 * at the tolerance that an error needs. */
#include "suite.h"

#include <hydevs/text.h>

#include <glib/gstdio.h>
#include <string.h>

static void line_free(gpointer data)
{
  SuiteLine *line = data;
  g_free(line->name);
  g_free(line->method);
  g_array_unref(line->ms);
  g_array_unref(line->tol);
  g_free(line);
}

SuiteFigure *suite_figure_new(const SuiteItem *item)
{
  SuiteFigure *figure = g_new(SuiteFigure, 1);
  *figure = (SuiteFigure){.item = item,
                          .at = g_array_new(FALSE, FALSE, sizeof(double)),
                          .lines = g_ptr_array_new_with_free_func(line_free)};
  return figure;
}

void suite_figure_free(SuiteFigure *figure)
{
  g_array_unref(figure->at);
  g_ptr_array_unref(figure->lines);
  g_free(figure);
}

/* Rows ---------------------------------------------------------------------------------------- */

static SuiteLine *line_called(SuiteFigure *figure, const char *name, const char *method,
                              double error)
{
  for (guint k = 0; k < figure->lines->len; k++) {
    SuiteLine *line = figure->lines->pdata[k];
    if (strcmp(line->name, name) == 0) {
      return line;
    }
  }
  SuiteLine *line = g_new(SuiteLine, 1);
  *line = (SuiteLine){.name = g_strdup(name),
                      .method = g_strdup(method),
                      .error = error,
                      .ms = g_array_new(FALSE, FALSE, sizeof(double)),
                      .tol = g_array_new(FALSE, FALSE, sizeof(double))};
  g_ptr_array_add(figure->lines, line);
  return line;
}

/* ROW is at the last place of LINE, unless a cheaper one is. */
static void offer(SuiteLine *line, guint places, const BenchRow *row)
{
  double none = NAN, least, median;
  while (line->ms->len < places) {
    g_array_append_val(line->ms, none);
    g_array_append_val(line->tol, none);
  }
  bench_times(row, &least, &median);
  double *ms = &g_array_index(line->ms, double, places - 1);
  if (isnan(*ms) || least < *ms) { /* least NaN: it has not ended */
    *ms = least;
    g_array_index(line->tol, double, places - 1) = row->tolerance;
  }
}

void suite_figure_add(SuiteFigure *figure, double at, const BenchTable *table)
{
  const char *wanted = figure->item->error;
  g_auto(GStrv) errors = g_strsplit(wanted != NULL ? wanted : "", ",", -1);
  gboolean one_tol = figure->item->tol == NULL || strchr(figure->item->tol, ',') == NULL;
  g_array_append_val(figure->at, at);
  for (guint k = 0; k < table->rows->len; k++) {
    const BenchRow *row = table->rows->pdata[k];
    if (wanted == NULL) {
      g_autofree char *name =
          one_tol ? g_strdup(row->method) : g_strdup_printf("%s, %s", row->method, row->tol);
      offer(line_called(figure, name, row->method, NAN), figure->at->len, row);
    }
    for (char **error = errors; *error != NULL; error++) {
      double most = NAN;
      cli_number(*error, &most); /* reading has refused what is none */
      g_autofree char *name = g_strdup_printf("%s, error %s", row->method, *error);
      SuiteLine *line = line_called(figure, name, row->method, most);
      if (row->error <= most) {
        offer(line, figure->at->len, row);
      }
    }
  }
}

/* --------------------------------------------------------------------------------------------- */

static double number_at(const GArray *numbers, guint k)
{
  return k < numbers->len ? g_array_index(numbers, double, k) : NAN;
}

static void add_cell(GPtrArray *cells, const char *format, double v)
{
  char text[HY_DOUBLE_SIZE];
  g_ptr_array_add(cells, g_strdup(isnan(v) ? "-" : g_ascii_formatd(text, sizeof text, format, v)));
}

/* b of ms = a at^b, by least squares over the logarithms. NaN: fewer than two places have been
 * come to. */
static double exponent_of(const SuiteFigure *figure, const SuiteLine *line)
{
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (guint k = 0; k < line->ms->len; k++) {
    double x = log(number_at(figure->at, k)), y = log(number_at(line->ms, k));
    if (isfinite(x) && isfinite(y)) {
      n++, sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
  }
  return n < 2 ? NAN : (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

static void show_exponents(const SuiteFigure *figure, SuitePage *page)
{
  g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func(g_free);
  g_ptr_array_add(cells, g_strdup("exponent"));
  for (guint k = 0; k < figure->lines->len; k++) {
    add_cell(cells, "%.2f", exponent_of(figure, figure->lines->pdata[k]));
  }
  suite_page_row(page, cells);
}

static void show_table(const SuiteFigure *figure, SuitePage *page)
{
  suite_page_table(page);
  for (guint row = 0; row <= figure->at->len; row++) {
    g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func(g_free);
    if (row == 0) {
      g_ptr_array_add(cells, g_strdup(figure->item->over));
    } else {
      add_cell(cells, "%.10g", number_at(figure->at, row - 1));
    }
    for (guint k = 0; k < figure->lines->len; k++) {
      const SuiteLine *line = figure->lines->pdata[k];
      if (row == 0) {
        g_ptr_array_add(cells, g_strdup(line->name));
        continue;
      }
      add_cell(cells, "%.4g", number_at(line->ms, row - 1));
      if (!isnan(line->error) && !isnan(number_at(line->ms, row - 1))) {
        char *ms = cells->pdata[cells->len - 1];
        char tol[HY_DOUBLE_SIZE];
        g_ascii_formatd(tol, sizeof tol, "%.0e", number_at(line->tol, row - 1));
        cells->pdata[cells->len - 1] = g_strdup_printf("%s (%s)", ms, tol);
        g_free(ms);
      }
    }
    suite_page_row(page, cells);
  }
  show_exponents(figure, page);
  suite_page_table_end(page);
}

static double ms_of(const SuiteFigure *figure, const char *method, double at, double error)
{
  for (guint k = 0; k < figure->lines->len; k++) {
    const SuiteLine *line = figure->lines->pdata[k];
    gboolean meant = strcmp(line->method, method) == 0 && (isnan(error) || line->error == error);
    for (guint j = 0; j < figure->at->len && meant; j++) {
      if (number_at(figure->at, j) == at) {
        return number_at(line->ms, j);
      }
    }
  }
  return NAN;
}

/* Of two times that the clock has told: a run below its tick took 0 by it, and no quotient is
 * known. */
static double quotient_of(double above, double below)
{
  return above > 0 && below > 0 ? above / below : NAN;
}

static void show_quotients(const SuiteFigure *figure, SuitePage *page)
{
  for (guint k = 0; k < figure->item->quotients->len; k++) {
    const SuiteQuotient *q = &g_array_index(figure->item->quotients, SuiteQuotient, k);
    double here =
        quotient_of(ms_of(figure, q->of, q->at, q->error), ms_of(figure, q->to, q->at, q->error));
    char at[HY_DOUBLE_SIZE], error[HY_DOUBLE_SIZE], printed[HY_DOUBLE_SIZE], got[HY_DOUBLE_SIZE];
    g_autofree char *of_error =
        isnan(q->error) ? g_strdup("")
                        : g_strconcat(" and an error of ", hy_double_text(error, q->error), NULL);
    g_autofree char *text =
        g_strdup_printf("CPU time of %s over that of %s at %s = %s%s: printed %s, here %s.", q->of,
                        q->to, figure->item->over, hy_double_text(at, q->at), of_error,
                        hy_double_text(printed, q->printed),
                        isnan(here) ? "not known" : g_ascii_formatd(got, sizeof got, "%.3g", here));
    suite_page_say(page, text);
  }
}

/* Pictures ------------------------------------------------------------------------------------ */

static void add_field(GString *csv, const char *before, const char *text)
{
  g_auto(GStrv) parts = g_strsplit(text, "\"", -1);
  g_autofree char *doubled = g_strjoinv("\"\"", parts);
  g_string_append_printf(csv, "%s\"%s\"", before, doubled);
}

static char *csv_of(const SuiteFigure *figure)
{
  char text[HY_DOUBLE_SIZE];
  GString *csv = g_string_new(NULL);
  add_field(csv, "", figure->item->over);
  for (guint k = 0; k < figure->lines->len; k++) {
    add_field(csv, ",", ((const SuiteLine *)figure->lines->pdata[k])->name);
  }
  for (guint row = 0; row < figure->at->len; row++) {
    g_string_append_printf(csv, "\n%s", hy_double_text(text, number_at(figure->at, row)));
    for (guint k = 0; k < figure->lines->len; k++) {
      double ms = number_at(((const SuiteLine *)figure->lines->pdata[k])->ms, row);
      g_string_append_printf(csv, ",%s", ms > 0 ? hy_double_text(text, ms) : "");
    }
  }
  g_string_append_c(csv, '\n');
  return g_string_free(csv, FALSE);
}

/* Some run was longer than what the clock of this machine tells. */
static gboolean has_times(const SuiteFigure *figure)
{
  for (guint k = 0; k < figure->lines->len; k++) {
    const GArray *ms = ((const SuiteLine *)figure->lines->pdata[k])->ms;
    for (guint row = 0; row < ms->len; row++) {
      if (number_at(ms, row) > 0) {
        return TRUE;
      }
    }
  }
  return FALSE;
}

static gboolean draw(const SuiteFigure *figure, const char *file, GError **error)
{
  g_autofree char *csv = csv_of(figure), *name = NULL;
  g_autofree char *title = g_strconcat("CPU (ms): ", figure->item->title, NULL);
  int descriptor = g_file_open_tmp("hydevs-XXXXXX.csv", &name, error);
  if (descriptor < 0) {
    return FALSE;
  }
  g_close(descriptor, NULL);
  HyPlotOptions o = {.csv = name, .out = file, .title = title, .log = "xy"};
  gboolean ok = hy_write_file(name, csv, -1, error) && hy_plot_csv(&o, error);
  g_unlink(name);
  return ok;
}

gboolean suite_figure_show(const SuiteFigure *figure, SuitePage *page, const char *file,
                           const char *href, GError **error)
{
  if (file != NULL && !has_times(figure)) {
    suite_page_say(page, "No picture: no run has a time that the clock tells.");
  } else if (file != NULL) {
    if (!draw(figure, file, error)) {
      return FALSE;
    }
    suite_page_picture(page, file, href, figure->item->title);
  }
  suite_page_say(
      page, figure->item->error != NULL
                ? "CPU in ms, in brackets the tolerance that this error needs, and how it grows:"
                : "CPU in ms, and how it grows:");
  show_table(figure, page);
  show_quotients(figure, page);
  return TRUE;
}
