/* Histograms of columns of a recording. Of a signal, for how much of the time its value is in a
 * bin: exact for straight pieces, which cross the bins one after the other. Of events, how many
 * have a value in it; a row in which a column has the value of the row before is another column's.
 * Of a sweep, how many runs have a
 * value in it. Of steps, how many times between two events of a column are so long: instants at
 * which its value changes, or its straight line takes another slope. */
#include "plot_internal.h"

#include <math.h>
#include <string.h>

#define BINS     50
#define FEW      64   /* whole numbers that have a bin each */
#define WIDE     30   /* times as large the longest step is: bins grow then */
#define STRAIGHT 1e-6 /* of the larger of two slopes: less is one line */

typedef struct {
  double from, width; /* the first bin; of each, or its logarithm */
  guint n;
  gboolean grows;
} Bins;

static double edge(const Bins *b, guint k)
{
  return b->grows ? b->from * exp(k * b->width) : b->from + k * b->width;
}

static double place(const Bins *b, double v)
{
  return b->grows ? log(v / b->from) / b->width : (v - b->from) / b->width;
}

static guint bin_of(const Bins *b, double v)
{
  return (guint)CLAMP(floor(place(b, v)), 0.0, b->n - 1.0);
}

/* Samples ------------------------------------------------------------------------------------- */

/* Of an event column: its values, each once; of runs all of them. */
static void add_events(const HyPlotSource *s, guint column, GArray *out)
{
  const double *v = s->table->column[column].v;
  for (gsize k = 0; k < s->table->n_rows; k++) {
    if (isfinite(v[k]) && (s->runs || k == 0 || v[k] != v[k - 1])) {
      g_array_append_val(out, v[k]);
    }
  }
}

/* Whether something of a column happens at the instant of the rows FIRST .. LAST, neither of which
 * is at an end. */
static gboolean happens(const double *t, const double *v, gsize first, gsize last, gboolean holds)
{
  for (gsize k = holds ? first : first + 1; k <= last; k++) {
    if (v[k] != v[k - 1] && isfinite(v[k])) {
      return TRUE;
    }
  }
  double before = (v[first] - v[first - 1]) / (t[first] - t[first - 1]);
  double after = (v[last + 1] - v[last]) / (t[last + 1] - t[last]);
  return !holds && fabs(after - before) > STRAIGHT * fmax(fabs(after), fabs(before));
}

/* The times between its events. */
static void add_steps(const HyPlotSource *s, guint column, GArray *out)
{
  const double *t = s->table->column[0].v, *v = s->table->column[column].v;
  double then = NAN;
  for (gsize first = 1, last = 0; first < s->table->n_rows; first = last + 1) {
    for (last = first; last + 1 < s->table->n_rows && t[last + 1] == t[first]; last++) {
    }
    gboolean inside = last + 1 < s->table->n_rows && t[first] > t[0];
    if (inside && happens(t, v, first, last, s->holds[column])) {
      double step = t[first] - then;
      if (!isnan(step)) {
        g_array_append_val(out, step);
      }
      then = t[first];
    }
  }
}

static gboolean counts_time(const HyPlotSource *s, guint column)
{
  const HySidecarColumn *c = hy_sidecar_find(s->sidecar, s->table->column[column].name);
  return strcmp(s->o->histogram, "values") == 0 && !s->runs && !(c != NULL && c->event);
}

/* What is to be counted of it; of a signal its values, for their range. */
static GArray *samples_of(const HyPlotSource *s, guint column)
{
  GArray *out = g_array_new(FALSE, FALSE, sizeof(double));
  if (strcmp(s->o->histogram, "steps") == 0) {
    add_steps(s, column, out);
  } else {
    add_events(s, column, out);
  }
  return out;
}

/* Bins ---------------------------------------------------------------------------------------- */

typedef struct {
  double low, high;
  gboolean whole; /* all of them are whole numbers */
} Range;

static void widen(Range *r, const GArray *samples)
{
  for (guint k = 0; k < samples->len; k++) {
    double v = g_array_index(samples, double, k);
    r->low = fmin(r->low, v);
    r->high = fmax(r->high, v);
    r->whole = r->whole && v == rint(v);
  }
}

static Bins bins_for(const HyPlotOptions *o, const Range *r)
{
  guint n = o->bins > 0 ? o->bins : BINS;
  gboolean steps = strcmp(o->histogram, "steps") == 0;
  if (!steps && o->bins == 0 && r->whole && r->high - r->low < FEW) {
    return (Bins){r->low - 0.5, 1.0, (guint)(r->high - r->low) + 1, FALSE};
  }
  if (r->high - r->low <= 1e-9 * fmax(fabs(r->low), fabs(r->high))) { /* all are equal */
    double room = r->high != 0.0 ? 0.1 * fabs(r->high) : 0.5;
    n = o->bins > 0 ? o->bins : 11;
    return (Bins){r->low - room, 2.0 * room / n, n, FALSE};
  }
  if (steps && r->high > WIDE * r->low) {
    return (Bins){r->low, log(r->high / r->low) / n, n, TRUE};
  }
  return (Bins){r->low, (r->high - r->low) / n, n, FALSE};
}

/* A straight piece from A to B takes TIME: each bin its part. */
static void add_piece(const Bins *b, double a, double z, double time, double *count)
{
  double low = fmin(a, z), high = fmax(a, z);
  guint first = bin_of(b, low), last = bin_of(b, high);
  if (first == last) {
    count[first] += time;
    return;
  }
  for (guint k = first; k <= last; k++) {
    double from = k == first ? low : edge(b, k), to = k == last ? high : edge(b, k + 1);
    count[k] += time * fmax(to - from, 0.0) / (high - low);
  }
}

/* FALSE: it has no value for any time. */
static gboolean add_time(const HyPlotSource *s, guint column, const Bins *b, double *count)
{
  const double *t = s->table->column[0].v, *v = s->table->column[column].v;
  double all = 0.0;
  for (gsize k = 0; k + 1 < s->table->n_rows; k++) {
    if (isfinite(v[k]) && (s->holds[column] || isfinite(v[k + 1]))) {
      add_piece(b, v[k], s->holds[column] ? v[k] : v[k + 1], t[k + 1] - t[k], count);
      all += t[k + 1] - t[k];
    }
  }
  for (guint k = 0; k < b->n && all > 0.0; k++) {
    count[k] *= 100.0 / all;
  }
  return all > 0.0;
}

/* The table ------------------------------------------------------------------------------------ */

static const char *unit_of(const HyPlotSource *s, guint k)
{
  guint column = g_array_index(s->chosen, guint, k);
  const HySidecarColumn *c = hy_sidecar_find(s->sidecar, s->table->column[column].name);
  return c != NULL ? c->unit : NULL;
}

/* All have one axis. */
static gboolean has_one_axis(const HyPlotSource *s, GError **error)
{
  for (guint k = 1; k < s->chosen->len && strcmp(s->o->histogram, "values") == 0; k++) {
    guint first = g_array_index(s->chosen, guint, 0), column = g_array_index(s->chosen, guint, k);
    if (g_strcmp0(unit_of(s, 0), unit_of(s, k)) != 0 ||
        counts_time(s, first) != counts_time(s, column)) {
      g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                  "%s: \"%s\" and \"%s\" are of different units or kinds and share no axis: choose "
                  "with --columns",
                  hy_plot_called(s->o), s->table->column[first].name,
                  s->table->column[column].name);
      return FALSE;
    }
  }
  return TRUE;
}

static char *axis_of(const HyPlotSource *s)
{
  if (strcmp(s->o->histogram, "steps") == 0) {
    return g_strdup("length of a step (s)");
  }
  const char *unit = unit_of(s, 0);
  const char *name = s->table->column[g_array_index(s->chosen, guint, 0)].name;
  const HySidecarColumn *c = hy_sidecar_find(s->sidecar, name);
  name = c != NULL && c->label != NULL ? c->label : name;
  name = s->numbers ? "value from" : s->chosen->len > 1 ? "value" : name; /* columns have names */
  return unit != NULL ? g_strdup_printf("%s (%s)", name, unit) : g_strdup(name);
}

static gboolean count(const HyPlotSource *s, guint column, const Bins *b, const GArray *samples,
                      double *counts, GError **error)
{
  if (counts_time(s, column)) {
    if (!add_time(s, column, b, counts)) {
      g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: \"%s\" has no value for any time",
                  hy_plot_called(s->o), s->table->column[column].name);
      return FALSE;
    }
    return TRUE;
  }
  for (guint k = 0; k < samples->len; k++) {
    counts[bin_of(b, g_array_index(samples, double, k))] += 1.0;
  }
  return TRUE;
}

HyTable *hy_plot_histogram(const HyPlotSource *s, HySidecar **sidecar, GError **error)
{
  if (!has_one_axis(s, error)) {
    return NULL;
  }
  g_autoptr(GPtrArray) samples = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
  Range range = {INFINITY, -INFINITY, TRUE};
  for (guint k = 0; k < s->chosen->len; k++) {
    g_ptr_array_add(samples, samples_of(s, g_array_index(s->chosen, guint, k)));
    widen(&range, samples->pdata[k]);
  }
  if (!(range.low <= range.high)) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: there are no %s to count", hy_plot_called(s->o),
                s->o->histogram);
    return NULL;
  }
  if (!isfinite(range.high - range.low)) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN,
                "%s: values from %g to %g are too far apart to be counted", hy_plot_called(s->o),
                range.low, range.high);
    return NULL;
  }
  Bins b = bins_for(s->o, &range);
  g_autofree char *axis = axis_of(s);
  gboolean time = counts_time(s, g_array_index(s->chosen, guint, 0));
  gboolean steps = strcmp(s->o->histogram, "steps") == 0;
  const char *what = s->runs ? "runs" : time ? "% of the time" : steps ? "steps" : "events";
  HyTable *out = hy_plot_table(s, axis, (gsize)b.n + 1, what, FALSE, sidecar);
  for (guint k = 0; k <= b.n; k++) {
    out->column[0].v[k] = edge(&b, k);
  }
  gboolean ok = TRUE;
  for (guint k = 0; k < s->chosen->len && ok; k++) {
    ok = count(s, g_array_index(s->chosen, guint, k), &b, samples->pdata[k], out->column[k + 1].v,
               error);
  }
  if (!ok) {
    hy_table_free(out);
    g_clear_pointer(sidecar, hy_sidecar_free);
    return NULL;
  }
  return out;
}
