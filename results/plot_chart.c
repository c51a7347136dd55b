/* A map: where each pair of values of two parameters has a run, its box reaches half way to the
 * next values and has the colour of the measure; else runs are points of that colour.
 *
 * What each parameter does: a plane v = m + sum b_k (x_k - mean x_k) through all runs by least
 * squares, so that it serves grids, lots and plans alike. The bar of a parameter is what the plane
 * says of the measure when that parameter alone goes from the value that 5 % of the runs are below
 * to the one that 95 % are below (the ends, where there are but a few values). How much of the
 * variance of the measure the plane explains stands in the title: where that is little, so are the
 * bars worth. Parameters are scaled by their deviation, so that the equations' matrix is that of
 * correlations. */
#include "plot_chart.h"

#include "numerics/dense.h"
#include "plot_bands.h"
#include "plot_script.h"

#include <math.h>
#include <string.h>

#define ENDS 0.05 /* of the runs are left out at each end, where parameters have many values: */
#define MANY 20
#define SAME 1e-9 /* of the correlations' matrix: parameters that follow from each other */

void hy_chart_free(HyChart *c)
{
  if (c != NULL) {
    g_free(c->title);
    g_free(c->x);
    g_free(c->y);
    g_free(c->v);
    g_array_unref(c->box);
    g_clear_pointer(&c->names, g_ptr_array_unref);
    g_free(c);
  }
}

static HyChart *chart_new(void)
{
  HyChart *c = g_new0(HyChart, 1);
  c->box = g_array_new(FALSE, FALSE, sizeof(HyBox));
  return c;
}

/* "uC (V)". */
static char *text_of(const HyPlotSource *s, guint column)
{
  const char *name = s->table->column[column].name;
  const HySidecarColumn *c = hy_sidecar_find(s->sidecar, name);
  g_autofree char *shown = hy_plot_short(c != NULL && c->label != NULL ? c->label : name, FALSE);
  return c != NULL && c->unit != NULL ? g_strdup_printf("%s (%s)", shown, c->unit)
                                      : g_steal_pointer(&shown);
}

/* The measure that is asked for; the table's number of columns: ERROR is set. */
static guint one_measure(const HyPlotSource *s, const HySweepLayout *is, const char *what,
                         GError **error)
{
  g_autoptr(GArray) measures = hy_sweep_measures(s, is, error);
  if (measures != NULL && measures->len == 1) {
    return g_array_index(measures, guint, 0);
  }
  if (measures != NULL) {
    hy_sweep_ask_which(s, measures, what, error);
  }
  return s->table->n;
}

/* Maps ------------------------------------------------------------------------------------------
 */

/* Half way to the values beside V; at an end as far as on the other side. */
static void reach(const GArray *value, double v, double *low, double *high)
{
  guint k = 0, after_k = value->len; /* V is in between */
  while (k + 1 < after_k) {
    guint middle = k + (after_k - k) / 2;
    *(g_array_index(value, double, middle) <= v ? &k : &after_k) = middle;
  }
  double before = k > 0 ? v - g_array_index(value, double, k - 1) : NAN;
  double after = k + 1 < value->len ? g_array_index(value, double, k + 1) - v : NAN;
  *low = v - (isnan(before) ? after : before) / 2;
  *high = v + (isnan(after) ? before : after) / 2;
}

/* "A,B", of which VARIED knows the columns; FALSE: ERROR is set. */
static gboolean find_axes(const HyPlotSource *s, const GArray *varied, const HyVaried *axis[2],
                          GError **error)
{
  const char *comma = strchr(s->o->map, ',');
  g_autofree char *x = g_strndup(s->o->map, comma != NULL ? (gsize)(comma - s->o->map) : 0);
  const char *const name[2] = {g_strstrip(x), comma != NULL ? comma + 1 : ""};
  g_autoptr(GString) list = g_string_new(NULL);
  axis[0] = axis[1] = NULL;
  for (guint k = 0; k < varied->len; k++) {
    const HyVaried *v = &g_array_index(varied, HyVaried, k);
    g_string_append_printf(list, "%s%s", k > 0 ? ", " : "", s->table->column[v->column].name);
    for (guint j = 0; j < 2; j++) {
      axis[j] = hy_plot_has_name(s->table, s->sidecar, v->column, name[j]) ? v : axis[j];
    }
  }
  if (axis[0] == NULL || axis[1] == NULL || axis[0] == axis[1]) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "%s: a map is over two parameters that vary, as --map A,B; here vary: %s",
                hy_plot_called(s->o), list->len > 0 ? list->str : "none");
    return FALSE;
  }
  return TRUE;
}

/* Each pair of values has one run. */
static gboolean is_grid(const HyPlotSource *s, const HyVaried *const axis[2])
{
  g_autoptr(GArray) both = g_array_new(FALSE, FALSE, sizeof(HyVaried));
  g_array_append_vals(both, axis[0], 1);
  g_array_append_vals(both, axis[1], 1);
  g_autofree gsize *row_at = hy_sweep_grid(s->table, both);
  return row_at != NULL;
}

static int compare_places(gconstpointer a, gconstpointer b)
{
  const HyBox *p = a, *q = b;
  return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

/* Points that have one at the same place before them: a third parameter varies. */
static guint count_hidden(const HyChart *chart)
{
  g_autoptr(GArray) sorted = g_array_new(FALSE, FALSE, sizeof(HyBox));
  for (guint k = 0; k < chart->box->len; k++) {
    const HyBox *b = &g_array_index(chart->box, HyBox, k);
    if (isfinite(b->v)) {
      g_array_append_vals(sorted, b, 1);
    }
  }
  g_array_sort(sorted, compare_places);
  guint n = 0;
  for (guint k = 1; k < sorted->len; k++) {
    n +=
        compare_places(&g_array_index(sorted, HyBox, k - 1), &g_array_index(sorted, HyBox, k)) == 0;
  }
  return n;
}

HyChart *hy_plot_map(const HyPlotSource *s, GError **error)
{
  HySweepLayout is = hy_sweep_layout(s->table);
  guint measure = one_measure(s, &is, "a map", error);
  g_autoptr(GArray) varied = hy_sweep_varied(s->table, &is);
  const HyVaried *axis[2];
  if (measure == s->table->n || !find_axes(s, varied, axis, error)) {
    return NULL;
  }
  HyChart *chart = chart_new();
  chart->points = !is_grid(s, axis);
  chart->title = hy_sweep_title(s, &is);
  chart->x = text_of(s, axis[0]->column);
  chart->y = text_of(s, axis[1]->column);
  chart->v = text_of(s, measure);
  for (gsize row = 0; row < s->table->n_rows; row++) {
    HyBox b = {.x = s->table->column[axis[0]->column].v[row],
               .y = s->table->column[axis[1]->column].v[row],
               .v = s->table->column[measure].v[row]};
    reach(axis[0]->value, b.x, &b.left, &b.right);
    reach(axis[1]->value, b.y, &b.low, &b.high);
    g_array_append_val(chart->box, b);
  }
  guint hidden = count_hidden(chart);
  if (hidden > 0) {
    g_autofree char *title = chart->title;
    chart->title = g_strdup_printf("%s, %u of them behind others at the same place", title, hidden);
  }
  return chart;
}

/* What each parameter does -------------------------------------------------------------------- */

/* The runs that have the measure, as columns that have mean 0 and deviation 1. */
typedef struct {
  guint n;                  /* parameters; the measure is column n */
  gsize rows;               /* likewise */
  double *v;                /* [rows] for each of them */
  double *mean, *deviation; /* [n + 1] */
  double *low, *high;       /* [n], between these the bar is */
} Scaled;

static void scaled_clear(Scaled *s)
{
  g_free(s->v);
  g_free(s->mean);
  g_free(s->deviation);
  g_free(s->low);
  g_free(s->high);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Scaled, scaled_clear)

static double *column_of(const Scaled *s, guint k)
{
  return s->v + (gsize)k * s->rows;
}

/* In parts of the largest, whose square neither overflows nor vanishes. */
static void scale(Scaled *s, guint k)
{
  double *v = column_of(s, k), mean = 0.0, squares = 0.0, most = 0.0;
  for (gsize row = 0; row < s->rows; row++) {
    most = fmax(most, fabs(v[row]));
  }
  for (gsize row = 0; row < s->rows && most > 0.0; row++) {
    v[row] /= most;
    double d = v[row] - mean;
    mean += d / (double)(row + 1);
    squares += d * (v[row] - mean);
  }
  double deviation = sqrt(squares / (double)s->rows);
  s->mean[k] = mean * most;
  s->deviation[k] = deviation * most;
  for (gsize row = 0; row < s->rows; row++) {
    v[row] = deviation > 0.0 ? (v[row] - mean) / deviation : 0.0;
  }
}

/* Between which values the bar of parameter K is, of DISTINCT ones: before it is scaled. */
static void find_ends(Scaled *s, guint k, guint distinct)
{
  g_autofree double *sorted = g_memdup2(column_of(s, k), s->rows * sizeof *sorted);
  double end = distinct >= MANY ? ENDS : 0.0;
  qsort(sorted, s->rows, sizeof *sorted, hy_plot_compare);
  gboolean crowd =
      sorted[0] < sorted[s->rows - 1] &&
      hy_plot_quantile(sorted, s->rows, end) == hy_plot_quantile(sorted, s->rows, 1.0 - end);
  end = crowd ? 0.0 : end; /* nearly all runs have one value */
  s->low[k] = hy_plot_quantile(sorted, s->rows, end);
  s->high[k] = hy_plot_quantile(sorted, s->rows, 1.0 - end);
}

/* What varies in runs alone that have no measure moves nothing. */
static void drop_still(GArray *varied, const HyTable *table, guint measure)
{
  for (guint k = varied->len; k-- > 0;) {
    const double *v = table->column[g_array_index(varied, HyVaried, k).column].v;
    double low = INFINITY, high = -INFINITY;
    for (gsize row = 0; row < table->n_rows; row++) {
      gboolean there = isfinite(table->column[measure].v[row]);
      low = there ? MIN(low, v[row]) : low;
      high = there ? MAX(high, v[row]) : high;
    }
    if (!(high > low)) {
      g_array_remove_index(varied, k);
    }
  }
}

static void scaled_fill(Scaled *s, const HyTable *table, const GArray *varied, guint measure)
{
  s->n = varied->len;
  s->v = g_new0(double, (gsize)(s->n + 1) * table->n_rows + 1);
  s->mean = g_new0(double, s->n + 1);
  s->deviation = g_new0(double, s->n + 1);
  s->low = g_new0(double, s->n + 1);
  s->high = g_new0(double, s->n + 1);
  for (gsize row = 0; row < table->n_rows; row++) {
    s->rows += isfinite(table->column[measure].v[row]);
  }
  for (guint k = 0; k <= s->n; k++) {
    const HyVaried *p = k < s->n ? &g_array_index(varied, HyVaried, k) : NULL;
    const double *from = table->column[p != NULL ? p->column : measure].v;
    gsize at = 0;
    for (gsize row = 0; row < table->n_rows; row++) {
      if (isfinite(table->column[measure].v[row])) {
        column_of(s, k)[at++] = from[row];
      }
    }
    if (p != NULL) {
      find_ends(s, k, p->value->len);
    }
    scale(s, k);
  }
}

static double product(const Scaled *s, guint a, guint b)
{
  double sum = 0.0;
  for (gsize row = 0; row < s->rows; row++) {
    sum += column_of(s, a)[row] * column_of(s, b)[row];
  }
  return sum / (double)s->rows;
}

/* The coefficients B [n] of the scaled columns, and the part of the variance that they explain;
 * FALSE: they are not determined. */
static gboolean solve_plane(const Scaled *s, double *b, double *explained)
{
  guint n = s->n;
  g_autofree double *a = g_new(double, (gsize)n *n), *pivot = g_new(double, n);
  g_autofree double *right = g_new(double, n);
  for (guint i = 0; i < n; i++) {
    right[i] = b[i] = product(s, i, n);
    for (guint j = 0; j < n; j++) {
      a[i * n + j] = product(s, i, j);
    }
  }
  if (s->rows <= n || !hy_dense_factor((int)n, a, pivot, NULL)) {
    return FALSE;
  }
  for (guint i = 0; i < n; i++) {
    if (fabs(a[i * n + i]) < SAME) {
      return FALSE;
    }
  }
  hy_dense_solve((int)n, a, pivot, b);
  *explained = 0.0;
  for (guint i = 0; i < n; i++) {
    *explained += b[i] * right[i];
  }
  return TRUE;
}

/* What the plane says of parameter K at its value V. */
static double effect(const Scaled *is, const double *b, guint k, double v)
{
  return b[k] * is->deviation[is->n] * ((v - is->mean[k]) / is->deviation[k]);
}

typedef struct {
  double low, high; /* of the measure, at the low and the high end of the parameter */
  guint parameter;
} Bar;

static int compare_bars(gconstpointer a, gconstpointer b)
{
  const Bar *p = a, *q = b;
  double x = fabs(p->high - p->low), y = fabs(q->high - q->low);
  return x != y ? (x > y) - (x < y) : (p->parameter < q->parameter) - (p->parameter > q->parameter);
}

/* Half a bar, from 0 to V. */
static void add_half(HyChart *chart, guint place, double v, double end)
{
  HyBox box = {.x = v / 2.0,
               .y = place,
               .left = MIN(v, 0.0),
               .right = MAX(v, 0.0),
               .low = place - 0.35,
               .high = place + 0.35,
               .v = end};
  g_array_append_val(chart->box, box);
}

/* The longest stands highest. */
static HyChart *bars_of(const HyPlotSource *s, const Scaled *is, const GArray *varied,
                        const double *b)
{
  HyChart *chart = chart_new();
  chart->names = g_ptr_array_new_with_free_func(g_free);
  g_autoptr(GArray) bars = g_array_new(FALSE, FALSE, sizeof(Bar));
  for (guint k = 0; k < is->n; k++) {
    Bar bar = {effect(is, b, k, is->low[k]), effect(is, b, k, is->high[k]), k};
    g_array_append_val(bars, bar);
  }
  g_array_sort(bars, compare_bars);
  for (guint k = 0; k < bars->len; k++) {
    const Bar *bar = &g_array_index(bars, Bar, k);
    guint at = bar->parameter;
    const char *head = s->table->column[g_array_index(varied, HyVaried, at).column].name;
    g_autofree char *name = hy_plot_short(head, FALSE);
    g_ptr_array_add(chart->names,
                    g_strdup_printf("%s, %.4g to %.4g", name, is->low[at], is->high[at]));
    add_half(chart, k, bar->low, 0.0);
    add_half(chart, k, bar->high, 1.0);
  }
  return chart;
}

HyChart *hy_plot_tornado(const HyPlotSource *s, GError **error)
{
  HySweepLayout is = hy_sweep_layout(s->table);
  guint measure = one_measure(s, &is, "bars", error);
  if (measure == s->table->n) {
    return NULL;
  }
  g_autoptr(GArray) varied = hy_sweep_varied(s->table, &is);
  g_auto(Scaled) scaled = {0};
  drop_still(varied, s->table, measure);
  scaled_fill(&scaled, s->table, varied, measure);
  g_autofree double *b = g_new0(double, scaled.n + 1);
  double explained = 0.0;
  const char *why = scaled.n == 0                         ? "no parameter varies"
                    : !(scaled.deviation[scaled.n] > 0.0) ? "the measure does not vary"
                    : !solve_plane(&scaled, b, &explained)
                        ? "the runs do not tell its parameters apart: too few runs, or parameters "
                          "that follow from each other"
                        : NULL;
  if (why != NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: \"%s\": %s", hy_plot_called(s->o),
                s->table->column[measure].name, why);
    return NULL;
  }
  HyChart *chart = bars_of(s, &scaled, varied, b);
  g_autofree char *title = hy_sweep_title(s, &is), *what = text_of(s, measure);
  chart->title =
      g_strdup_printf("%s; a plane explains %.3g %% of the variance", title, 100.0 * explained);
  chart->x = g_strdup_printf("%s, from its mean %.5g", what, scaled.mean[scaled.n]);
  chart->y = g_strdup("");
  return chart;
}
