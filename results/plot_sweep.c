/* The table of a sweep as a picture: a row is a run, and in place of the time there are parameters.
 * Its columns are run, what was set or carried, status, measures, and what is known of the run.
 *
 * Where each combination of the values of some parameters has a row, measures are curves over the
 * last of them, the one that varies fastest, one for each combination of the others. Else a run is
 * a point, over the parameter which the first measure follows most: of all parameters the one with
 * the largest correlation, which is what a straight line through the points explains. */
#include "plot_sweep.h"

#include "plot_bands.h"

#include "hydevs/text.h"

#include <math.h>
#include <string.h>

static guint column_called(const HyTable *table, const char *name)
{
  for (guint k = 1; k < table->n; k++) {
    if (strcmp(table->column[k].name, name) == 0) {
      return k;
    }
  }
  return table->n;
}

gboolean hy_plot_is_sweep(const HyTable *table)
{
  return strcmp(table->column[0].name, "run") == 0 && column_called(table, "status") < table->n;
}

HySweepLayout hy_sweep_layout(const HyTable *table)
{
  return (HySweepLayout){column_called(table, "status"), column_called(table, "events")};
}

/* Columns -------------------------------------------------------------------------------------- */

/* The values of COLUMN, each once, in their order; those that are no numbers are left out. */
static GArray *values_of(const HyTable *table, guint column)
{
  GArray *out = g_array_new(FALSE, FALSE, sizeof(double));
  for (gsize k = 0; k < table->n_rows; k++) {
    if (isfinite(table->column[column].v[k])) {
      g_array_append_val(out, table->column[column].v[k]);
    }
  }
  g_array_sort(out, hy_plot_compare);
  guint n = 0;
  for (guint k = 0; k < out->len; k++) {
    double v = g_array_index(out, double, k);
    if (n == 0 || v != g_array_index(out, double, n - 1)) {
      g_array_index(out, double, n++) = v;
    }
  }
  return g_array_set_size(out, n);
}

static gboolean has_hole(const HyTable *table, guint column)
{
  for (gsize k = 0; k < table->n_rows; k++) {
    if (!isfinite(table->column[column].v[k])) {
      return TRUE;
    }
  }
  return FALSE;
}

static void varied_clear(gpointer v)
{
  g_array_unref(((HyVaried *)v)->value);
}

GArray *hy_sweep_varied(const HyTable *table, const HySweepLayout *is)
{
  GArray *out = g_array_new(FALSE, FALSE, sizeof(HyVaried));
  g_array_set_clear_func(out, varied_clear);
  for (guint k = 1; k < is->status; k++) {
    HyVaried v = {k, values_of(table, k)};
    if (v.value->len > 1 && !has_hole(table, k)) {
      g_array_append_val(out, v);
    } else {
      varied_clear(&v);
    }
  }
  return out;
}

GArray *hy_sweep_measures(const HyPlotSource *s, const HySweepLayout *is, GError **error)
{
  if (s->o->columns != NULL) {
    return hy_plot_chosen(s->o, s->table, s->sidecar, error);
  }
  g_autoptr(GArray) out = g_array_new(FALSE, FALSE, sizeof(guint));
  for (guint k = is->status + 1; k < is->end; k++) {
    if (hy_plot_drawable(s->table, k)) {
      g_array_append_val(out, k);
    }
  }
  if (out->len == 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: no run has a measure to draw",
                hy_plot_called(s->o));
    return NULL;
  }
  return g_steal_pointer(&out);
}

void hy_sweep_ask_which(const HyPlotSource *s, const GArray *measures, const char *what,
                        GError **error)
{
  g_autoptr(GString) names = g_string_new(NULL);
  for (guint k = 0; k < measures->len; k++) {
    const char *name = s->table->column[g_array_index(measures, guint, k)].name;
    g_string_append_printf(names, "%s%s", k > 0 ? ", " : "", name);
  }
  g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: %s of which of these? --columns %s",
              hy_plot_called(s->o), what, names->str);
}

/* Where a row is among all combinations of values; the last of VARIED goes fastest. */
static gsize place_of(const HyTable *table, const GArray *varied, gsize row)
{
  gsize at = 0;
  for (guint k = 0; k < varied->len; k++) {
    const HyVaried *p = &g_array_index(varied, HyVaried, k);
    guint found = 0;
    g_array_binary_search(p->value, &table->column[p->column].v[row], hy_plot_compare, &found);
    at = at * p->value->len + found;
  }
  return at;
}

gsize *hy_sweep_grid(const HyTable *table, const GArray *varied)
{
  gsize all = 1;
  for (guint k = 0; k < varied->len; k++) {
    guint n = g_array_index(varied, HyVaried, k).value->len;
    all = all > table->n_rows / n ? table->n_rows + 1 : all * n;
  }
  if (varied->len == 0 || all != table->n_rows) {
    return NULL;
  }
  g_autofree gsize *row_at = g_new0(gsize, all); /* one more than its number */
  for (gsize row = 0; row < table->n_rows; row++) {
    gsize at = place_of(table, varied, row);
    if (row_at[at] != 0) {
      return NULL;
    }
    row_at[at] = row + 1;
  }
  for (gsize k = 0; k < all; k++) {
    row_at[k]--;
  }
  return g_steal_pointer(&row_at);
}

/* The parameter that is asked for goes last; FALSE: it is none of VARIED. */
static gboolean put_last(const HyPlotSource *s, GArray *varied)
{
  for (guint k = 0; k < varied->len && s->o->over != NULL; k++) {
    HyVaried v = g_array_index(varied, HyVaried, k);
    if (hy_plot_has_name(s->table, s->sidecar, v.column, s->o->over)) {
      HyVaried last = g_array_index(varied, HyVaried, varied->len - 1);
      g_array_index(varied, HyVaried, k) = last;
      g_array_index(varied, HyVaried, varied->len - 1) = v;
      return TRUE;
    }
  }
  return s->o->over == NULL;
}

/* Tables --------------------------------------------------------------------------------------- */

static void add_known(HySidecar *sidecar, const HyPlotSource *s, guint column, const char *path,
                      const char *after)
{
  const HySidecarColumn *known = hy_sidecar_find(s->sidecar, s->table->column[column].name);
  HySidecarColumn c = {.path = g_strdup(path), .order = 3};
  if (known != NULL) {
    c.unit = g_strdup(known->unit);
    c.label = known->label != NULL ? g_strconcat(known->label, after, NULL) : NULL;
  }
  g_array_append_val(sidecar->columns, c);
}

char *hy_sweep_title(const HyPlotSource *s, const HySweepLayout *is)
{
  const HyTableColumn *status = &s->table->column[is->status];
  gsize failed = 0, breached = 0; /* the latter have measures and are drawn */
  for (gsize k = 0; k < s->table->n_rows; k++) {
    breached += status->v[k] == HY_ERROR_AUDIT;
    failed += status->v[k] != 0.0 && status->v[k] != HY_ERROR_AUDIT; /* words are NaN here */
  }
  g_autofree char *base = g_path_get_basename(hy_plot_called(s->o));
  GString *out = g_string_new(base);
  g_string_append_printf(out, ": %" G_GSIZE_FORMAT " run%s", s->table->n_rows,
                         s->table->n_rows == 1 ? "" : "s");
  if (breached > 0) {
    g_string_append_printf(out, ", %" G_GSIZE_FORMAT " out of bounds", breached);
  }
  if (failed > 0) {
    g_string_append_printf(out, ", %" G_GSIZE_FORMAT " failed", failed);
  }
  return g_string_free(out, FALSE);
}

/* A table of N columns of ROWS; the first one is that of COLUMN. */
static HyTable *table_new(const HyPlotSource *s, guint column, guint n, gsize rows,
                          HySidecar **sidecar)
{
  HyTable *out = g_new0(HyTable, 1);
  const char *name = s->table->column[column].name;
  out->n = n;
  out->n_rows = rows;
  out->column = g_new0(HyTableColumn, n);
  out->column[0].name = g_strdup(name);
  for (guint k = 0; k < n; k++) {
    out->column[k].v = g_new0(double, rows);
  }
  *sidecar = hy_sidecar_new();
  add_known(*sidecar, s, column, name, "");
  return out;
}

/* ", L = 0.001, f = 10000" of the row. */
static char *others_of(const HyPlotSource *s, const GArray *varied, gsize row)
{
  GString *out = g_string_new(NULL);
  char number[HY_DOUBLE_SIZE];
  for (guint k = 0; k + 1 < varied->len; k++) {
    const HyTableColumn *c = &s->table->column[g_array_index(varied, HyVaried, k).column];
    g_string_append_printf(out, ", %s = %s", c->name, hy_double_text(number, c->v[row]));
  }
  return g_string_free(out, FALSE);
}

/* Measures over the last parameter, a column for each combination of the others. */
static HyTable *curves_of(const HyPlotSource *s, const GArray *measures, const GArray *varied,
                          const gsize *row_at, HySidecar **sidecar)
{
  const HyVaried *last = &g_array_index(varied, HyVaried, varied->len - 1);
  guint n = last->value->len, combinations = (guint)(s->table->n_rows / n);
  HyTable *out = table_new(s, last->column, 1 + measures->len * combinations, n, sidecar);
  memcpy(out->column[0].v, last->value->data, n * sizeof(double));
  for (guint k = 1; k < out->n; k++) {
    guint column = g_array_index(measures, guint, (k - 1) / combinations);
    const gsize *row = row_at + (gsize)((k - 1) % combinations) * n;
    const HyTableColumn *c = &s->table->column[column];
    g_autofree char *others = others_of(s, varied, row[0]);
    out->column[k].name = g_strconcat(c->name, others, NULL);
    add_known(*sidecar, s, column, out->column[k].name, others);
    for (guint j = 0; j < n; j++) {
      out->column[k].v[j] = c->v[row[j]];
    }
  }
  return out;
}

/* Of the rows in which both have a number; 0 where one of them does not vary. */
static double correlation(const HyTable *table, guint a, guint b)
{
  const double *x = table->column[a].v, *y = table->column[b].v;
  double n = 0, mx = 0, my = 0, xx = 0, xy = 0, yy = 0;
  for (gsize k = 0; k < table->n_rows; k++) {
    if (isfinite(x[k]) && isfinite(y[k])) { /* Welford's sums */
      double dx = x[k] - mx, dy = y[k] - my;
      n++;
      mx += dx / n;
      my += dy / n;
      xx += dx * (x[k] - mx);
      xy += dx * (y[k] - my);
      yy += dy * (y[k] - my);
    }
  }
  return xx > 0.0 && yy > 0.0 ? xy / sqrt(xx) / sqrt(yy) : 0.0;
}

/* The column that stands along the axis. */
static guint axis_of(const HyPlotSource *s, const GArray *varied, guint measure)
{
  guint best = 0; /* the number of the run */
  double most = 0.0;
  for (guint k = 0; k < s->table->n && s->o->over != NULL; k++) {
    if (hy_plot_has_name(s->table, s->sidecar, k, s->o->over)) {
      return k;
    }
  }
  for (guint k = 0; k < varied->len; k++) {
    guint column = g_array_index(varied, HyVaried, k).column;
    double r = fabs(correlation(s->table, column, measure));
    best = r > most ? column : best;
    most = MAX(r, most);
  }
  return best;
}

static int compare_rows(gconstpointer a, gconstpointer b, gpointer x)
{
  const double *v = x;
  const gsize *i = a, *j = b;
  int by_value = hy_plot_compare(&v[*i], &v[*j]);
  return by_value != 0 ? by_value : (*i > *j) - (*i < *j);
}

/* A point for each run. */
static HyTable *points_of(const HyPlotSource *s, const GArray *measures, guint over,
                          HySidecar **sidecar)
{
  const double *x = s->table->column[over].v;
  g_autofree gsize *row = g_new(gsize, s->table->n_rows + 1);
  gsize n = 0;
  for (gsize k = 0; k < s->table->n_rows; k++) {
    if (isfinite(x[k])) {
      row[n++] = k;
    }
  }
  g_qsort_with_data(row, (gint)n, sizeof *row, compare_rows, s->table->column[over].v);
  HyTable *out = table_new(s, over, 1 + measures->len, n, sidecar);
  for (guint k = 0; k < out->n; k++) {
    guint column = k > 0 ? g_array_index(measures, guint, k - 1) : over;
    const HyTableColumn *c = &s->table->column[column];
    for (gsize j = 0; j < n; j++) {
      out->column[k].v[j] = c->v[row[j]];
    }
    if (k > 0) {
      out->column[k].name = g_strdup(c->name);
      add_known(*sidecar, s, column, c->name, "");
    }
  }
  return out;
}

/* Histograms ------------------------------------------------------------------------------------
 */

/* ", mean 12.3, deviation 0.2, 98 % within 11.9 .. 12.7" of the runs that have a number. */
static char *spread_of(const HyTable *table, guint column)
{
  g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(double));
  double mean = 0.0, squares = 0.0;
  for (gsize k = 0; k < table->n_rows; k++) {
    double v = table->column[column].v[k];
    if (isfinite(v)) {
      g_array_append_val(all, v);
      double d = v - mean;
      mean += d / all->len;
      squares += d * (v - mean);
    }
  }
  g_array_sort(all, hy_plot_compare);
  const double *v = (const double *)(gpointer)all->data;
  return g_strdup_printf(", mean %.4g, deviation %.3g, 98 %% within %.4g .. %.4g", mean,
                         all->len > 1 ? sqrt(squares / (all->len - 1)) : 0.0,
                         hy_plot_quantile(v, all->len, 0.01), hy_plot_quantile(v, all->len, 0.99));
}

static HyTable *histogram_of(const HyPlotSource *s, GArray *measures, HySidecar **sidecar,
                             GError **error)
{
  if (measures->len > 1 && s->o->columns == NULL) {
    hy_sweep_ask_which(s, measures, "a histogram", error);
    return NULL;
  }
  if (strcmp(s->o->histogram, "values") != 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "%s: runs of a sweep have no steps; --histogram values counts them by a measure",
                hy_plot_called(s->o));
    return NULL;
  }
  HyPlotSource counted = *s;
  counted.chosen = measures;
  counted.runs = TRUE;
  return hy_plot_histogram(&counted, sidecar, error);
}

/* ------------------------------------------------------------------------------------------------
 */

static HyTable *picture_of(const HyPlotSource *s, const GArray *measures, const HySweepLayout *is,
                           HyPlotLooks *looks, HySidecar **sidecar)
{
  g_autoptr(GArray) varied = hy_sweep_varied(s->table, is);
  g_autofree gsize *row_at = put_last(s, varied) ? hy_sweep_grid(s->table, varied) : NULL;
  if (row_at != NULL) {
    return curves_of(s, measures, varied, row_at, sidecar);
  }
  guint over = axis_of(s, varied, g_array_index(measures, guint, 0));
  looks->points = TRUE;
  return points_of(s, measures, over, sidecar);
}

static gboolean can(const HyPlotSource *s, GError **error)
{
  const HyPlotOptions *o = s->o;
  gboolean window = o->from != o->to && (isfinite(o->from) || isfinite(o->to));
  if (o->fft != NULL || window) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "%s: a %s is of a signal over time; the rows here are the runs of a sweep",
                hy_plot_called(o), window ? "part" : "spectrum");
    return FALSE;
  }
  if (s->table->n_rows == 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: has no runs to draw", hy_plot_called(o));
    return FALSE;
  }
  guint over = 0;
  while (o->over != NULL && over < s->table->n &&
         !hy_plot_has_name(s->table, s->sidecar, over, o->over)) {
    over++;
  }
  if (over == s->table->n || !hy_plot_drawable(s->table, over)) {
    g_autofree char *list = hy_plot_list_names(s->table);
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: no column \"%s\" with numbers; it has %s",
                hy_plot_called(o), o->over, list);
    return FALSE;
  }
  return TRUE;
}

HyTable *hy_plot_sweep(const HyPlotSource *s, HyPlotLooks *looks, HySidecar **sidecar,
                       GError **error)
{
  HySweepLayout is = hy_sweep_layout(s->table);
  g_autoptr(GArray) measures = can(s, error) ? hy_sweep_measures(s, &is, error) : NULL;
  if (measures == NULL) {
    return NULL;
  }
  HyTable *out = s->o->histogram != NULL ? histogram_of(s, measures, sidecar, error)
                                         : picture_of(s, measures, &is, looks, sidecar);
  if (out != NULL) {
    g_autofree char *title = hy_sweep_title(s, &is);
    g_autofree char *spread = s->o->histogram != NULL && measures->len == 1
                                  ? spread_of(s->table, g_array_index(measures, guint, 0))
                                  : NULL;
    g_free((*sidecar)->title);
    (*sidecar)->title = g_strconcat(title, spread, NULL);
  }
  return out;
}
