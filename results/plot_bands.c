/* At each instant the values that a signal has in the runs are put in their order; what a part of
 * them is below is a curve over time. The instants are those of the rows where all runs have the
 * same, as on a grid; else INSTANTS at equal distances. A run that has ended before is left out. */
#include "plot_bands.h"

#include <math.h>
#include <string.h>

#define INSTANTS 1001

static const double parts[HY_BAND_COLUMNS] = {0.5, 0.05, 0.25, 0.75, 0.95};
static const char *const names[HY_BAND_COLUMNS] = {"", " 5 %", " 25 %", " 75 %", " 95 %"};

int hy_plot_compare(gconstpointer a, gconstpointer b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double hy_plot_quantile(const double *v, gsize n, double p)
{
  double at = p * (double)(n - 1);
  gsize k = MIN((gsize)at, n - 1);
  return k + 1 < n ? v[k] + (at - (double)k) * (v[k + 1] - v[k]) : v[k];
}

/* Of a column of a run at T: after a jump there, straight between rows unless it holds its value.
 */
static double value_at(const HyPlotRun *r, guint column, double t)
{
  const double *at = r->table->column[0].v, *v = r->table->column[column].v;
  gsize low = 0, high = r->table->n_rows; /* the first row after T */
  while (low < high) {
    gsize middle = low + (high - low) / 2;
    if (at[middle] <= t) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == 0 || (low == r->table->n_rows && at[low - 1] < t)) {
    return NAN;
  }
  gsize row = low - 1;
  if (at[row] == t || r->holds[column]) {
    return v[row];
  }
  return v[row] + (t - at[row]) / (at[low] - at[row]) * (v[low] - v[row]);
}

static gboolean have_one_grid(const HyPlotRun *runs, guint n)
{
  gsize rows = runs[0].table->n_rows;
  for (guint k = 1; k < n; k++) {
    const HyTable *t = runs[k].table;
    if (t->n_rows != rows ||
        memcmp(t->column[0].v, runs[0].table->column[0].v, rows * sizeof(double)) != 0) {
      return FALSE;
    }
  }
  return TRUE;
}

/* Newly allocated; *ROWS of them. */
static double *instants_of(const HyPlotRun *runs, guint n, gsize *rows)
{
  const HyTable *first = runs[0].table;
  if (have_one_grid(runs, n)) {
    *rows = first->n_rows;
    return g_memdup2(first->column[0].v, first->n_rows * sizeof(double));
  }
  double from = INFINITY, to = -INFINITY;
  for (guint k = 0; k < n; k++) {
    const HyTable *t = runs[k].table;
    from = t->n_rows > 0 ? fmin(from, t->column[0].v[0]) : from;
    to = t->n_rows > 0 ? fmax(to, t->column[0].v[t->n_rows - 1]) : to;
  }
  *rows = INSTANTS;
  double *out = g_new(double, INSTANTS);
  for (guint k = 0; k < INSTANTS; k++) {
    out[k] = k + 1 < INSTANTS ? from + (to - from) * k / (INSTANTS - 1) : to;
  }
  return out;
}

/* The columns from AT on of OUT, of what is called NAME in the runs. */
static void add_signal(HyTable *out, guint at, const HyPlotRun *runs, guint n, const char *name)
{
  g_autofree double *value = g_new(double, n);
  g_autofree gint64 *column = g_new(gint64, n);
  for (guint k = 0; k < n; k++) {
    column[k] = hy_plot_column_named(&runs[k], name);
  }
  for (gsize row = 0; row < out->n_rows; row++) {
    guint there = 0;
    for (guint k = 0; k < n; k++) {
      double v = column[k] >= 0 ? value_at(&runs[k], (guint)column[k], out->column[0].v[row]) : NAN;
      value[there] = v;
      there += isfinite(v);
    }
    qsort(value, there, sizeof *value, hy_plot_compare);
    for (guint k = 0; k < HY_BAND_COLUMNS; k++) {
      out->column[at + k].v[row] = there > 0 ? hy_plot_quantile(value, there, parts[k]) : NAN;
    }
  }
}

static HySidecarColumn known_of(const HyPlotRun *r, const char *name, const char *after)
{
  const HySidecarColumn *c = hy_sidecar_find(r->sidecar, name);
  return (HySidecarColumn){
      .path = g_strconcat(name, after, NULL),
      .unit = c != NULL ? g_strdup(c->unit) : NULL,
      .label = c != NULL && c->label != NULL ? g_strconcat(c->label, after, NULL) : NULL,
      .order = 3};
}

static gboolean goes_on(const HyPlotRun *r, GError **error)
{
  const HyTableColumn *t = &r->table->column[0];
  for (gsize k = 0; k < r->table->n_rows; k++) {
    if (!isfinite(t->v[k]) || (k > 0 && t->v[k] < t->v[k - 1])) {
      g_set_error(error, HY_ERROR, HY_ERROR_RUN,
                  "%s: row %" G_GSIZE_FORMAT ": \"%s\" goes back or is no number", r->called, k + 1,
                  t->name);
      return FALSE;
    }
  }
  return TRUE;
}

HyTable *hy_plot_bands(const HyPlotRun *runs, guint n, HySidecar **sidecar, GError **error)
{
  for (guint k = 0; k < n; k++) {
    if (!goes_on(&runs[k], error)) {
      return NULL;
    }
  }
  HyTable *out = g_new0(HyTable, 1);
  out->n = 1 + HY_BAND_COLUMNS * runs[0].chosen->len;
  out->column = g_new0(HyTableColumn, out->n);
  out->column[0] = (HyTableColumn){.name = g_strdup(runs[0].table->column[0].name),
                                   .v = instants_of(runs, n, &out->n_rows)};
  *sidecar = hy_sidecar_new();
  (*sidecar)->title = g_strdup_printf("%u runs: median, 25 to 75 %%, 5 to 95 %%", n);
  for (guint k = 1; k < out->n; k++) {
    guint of = g_array_index(runs[0].chosen, guint, (k - 1) / HY_BAND_COLUMNS);
    const char *name = runs[0].table->column[of].name;
    HySidecarColumn c = known_of(&runs[0], name, names[(k - 1) % HY_BAND_COLUMNS]);
    out->column[k] = (HyTableColumn){.name = g_strdup(c.path), .v = g_new(double, out->n_rows)};
    g_array_append_val((*sidecar)->columns, c);
    if ((k - 1) % HY_BAND_COLUMNS == HY_BAND_COLUMNS - 1) {
      add_signal(out, k - HY_BAND_COLUMNS + 1, runs, n, name);
    }
  }
  return out;
}
