/* Recordings of several runs as one table: rows at the instants of each of them, two where one of
 * them has several rows, which is a jump: what was before and what is after. Between its rows a run
 * has what a straight line, or a value that is held, has there. */
#include "plot_join.h"

#include <math.h>
#include <string.h>

void hy_plot_run_clear(gpointer run)
{
  HyPlotRun *r = run;
  hy_table_free(r->table);
  hy_sidecar_free(r->sidecar);
  g_clear_pointer(&r->chosen, g_array_unref);
  g_clear_pointer(&r->holds, g_free);
}

/* Where the runs are --------------------------------------------------------------------------- */

/* Rows first .. last are at the instant at hand; last < first: it lies between these two. */
typedef struct {
  gsize first, last; /* one more than the number of the row; 0: before all */
} Cursor;

static double time_of(const HyPlotRun *r, gsize row)
{
  return r->table->column[0].v[row];
}

/* When the next row is. */
static double next_of(const HyPlotRun *r, const Cursor *c)
{
  return c->last < r->table->n_rows ? time_of(r, c->last) : INFINITY;
}

static void go_to(const HyPlotRun *r, Cursor *c, double t)
{
  c->first = c->last + 1;
  while (c->last < r->table->n_rows && time_of(r, c->last) == t) {
    c->last++;
  }
}

static double held(const double *v, gsize rows)
{
  while (rows > 1 && isnan(v[rows - 1])) {
    rows--;
  }
  return rows > 0 ? v[rows - 1] : NAN;
}

/* What column K has at T, before a jump or after it. */
static double value_at(const HyPlotRun *r, const Cursor *c, guint k, double t, gboolean after)
{
  const double *v = r->table->column[k].v;
  gboolean there = c->last >= c->first;
  if (there || c->last == 0 || c->last == r->table->n_rows) {
    gsize row = after ? c->last : c->first;
    return !there ? NAN : r->holds[k] ? held(v, row) : v[row - 1];
  }
  if (r->holds[k]) {
    return held(v, c->last);
  }
  double t0 = time_of(r, c->last - 1), t1 = time_of(r, c->last);
  return v[c->last - 1] + (t - t0) / (t1 - t0) * (v[c->last] - v[c->last - 1]);
}

/* The table ------------------------------------------------------------------------------------ */

/* Column number COLUMN of run number RUN; of a difference less OF of the second run. */
typedef struct {
  guint run, column;
  gint64 of; /* -1: no difference */
} Source;

gint64 hy_plot_column_named(const HyPlotRun *r, const char *name)
{
  for (guint k = 0; k < r->chosen->len; k++) {
    guint column = g_array_index(r->chosen, guint, k);
    if (strcmp(r->table->column[column].name, name) == 0) {
      return column;
    }
  }
  return -1;
}

static GArray *find_sources(const HyPlotRun *runs, guint n, gboolean difference)
{
  GArray *all = g_array_new(FALSE, FALSE, sizeof(Source));
  for (guint i = 0; i < (difference ? 1 : n); i++) {
    for (guint k = 0; k < runs[i].chosen->len; k++) {
      guint column = g_array_index(runs[i].chosen, guint, k);
      const char *name = runs[i].table->column[column].name;
      Source s = {i, column, difference ? hy_plot_column_named(&runs[1], name) : -1};
      if (!difference || s.of >= 0) {
        g_array_append_val(all, s);
      }
    }
  }
  return all;
}

static double source_at(const HyPlotRun *runs, const Cursor *c, const Source *s, double t,
                        gboolean after)
{
  double v = value_at(&runs[s->run], &c[s->run], s->column, t, after);
  return s->of < 0 ? v : v - value_at(&runs[1], &c[1], (guint)s->of, t, after);
}

static void add_row(HyTable *out, const HyPlotRun *runs, const Cursor *c, const GArray *sources,
                    double t, gboolean after)
{
  out->column[0].v[out->n_rows] = t;
  for (guint k = 0; k < sources->len; k++) {
    out->column[k + 1].v[out->n_rows] =
        source_at(runs, c, &g_array_index(sources, Source, k), t, after);
  }
  out->n_rows++;
}

/* FALSE: all rows are behind. */
static gboolean next_instant(const HyPlotRun *runs, const Cursor *c, guint n, double *t)
{
  *t = INFINITY;
  for (guint i = 0; i < n; i++) {
    *t = fmin(*t, next_of(&runs[i], &c[i]));
  }
  return *t < INFINITY;
}

static void add_rows(HyTable *out, const HyPlotRun *runs, guint n, const GArray *sources)
{
  g_autofree Cursor *c = g_new0(Cursor, n);
  double t;
  while (next_instant(runs, c, n, &t)) {
    gboolean jump = FALSE;
    for (guint i = 0; i < n; i++) {
      go_to(&runs[i], &c[i], t);
      jump |= c[i].last > c[i].first;
    }
    if (jump) {
      add_row(out, runs, c, sources, t, FALSE);
    }
    add_row(out, runs, c, sources, t, TRUE);
  }
}

static HyTable *table_new(const HyPlotRun *runs, guint n, const GArray *sources)
{
  HyTable *out = g_new0(HyTable, 1);
  gsize rows = 0;
  for (guint i = 0; i < n; i++) {
    rows += runs[i].table->n_rows;
  }
  out->n = sources->len + 1;
  out->column = g_new0(HyTableColumn, out->n);
  out->column[0].name = g_strdup(runs[0].table->column[0].name);
  out->column[0].v = g_new0(double, rows + 1);
  for (guint k = 0; k < sources->len; k++) {
    const Source *s = &g_array_index(sources, Source, k);
    const char *name = runs[s->run].table->column[s->column].name;
    out->column[k + 1].name =
        s->of >= 0 ? g_strdup(name) : g_strdup_printf("%s (%s)", name, runs[s->run].called);
    out->column[k + 1].v = g_new0(double, rows + 1);
  }
  return out;
}

/* What is known of the columns of OUT. */
static HySidecar *sidecar_new(const HyPlotRun *runs, const GArray *sources, const HyTable *out)
{
  HySidecar *all = hy_sidecar_new();
  for (guint k = 0; k < sources->len; k++) {
    const Source *s = &g_array_index(sources, Source, k);
    const char *name = runs[s->run].table->column[s->column].name;
    const HySidecarColumn *c = hy_sidecar_find(runs[s->run].sidecar, name);
    HySidecarColumn of = {.path = g_strdup(out->column[k + 1].name),
                          .unit = c != NULL ? g_strdup(c->unit) : NULL,
                          .event = c != NULL && c->event,
                          .order = runs[s->run].holds[s->column] ? 0 : 3};
    if (c != NULL && c->label != NULL) {
      of.label = s->of >= 0 ? g_strdup(c->label)
                            : g_strdup_printf("%s (%s)", c->label, runs[s->run].called);
    }
    g_array_append_val(all->columns, of);
  }
  return all;
}

/* Errors --------------------------------------------------------------------------------------- */

static gboolean goes_on(const HyPlotRun *r, const HyPlotRun *first, GError **error)
{
  const HyTableColumn *t = &r->table->column[0];
  for (gsize k = 0; k < r->table->n_rows; k++) {
    if (!isfinite(t->v[k]) || (k > 0 && t->v[k] < t->v[k - 1])) {
      g_set_error(error, HY_ERROR, HY_ERROR_RUN,
                  "%s: row %" G_GSIZE_FORMAT
                  ": \"%s\" goes back or is no number; several recordings "
                  "are drawn over one that goes on",
                  r->called, k + 1, t->name);
      return FALSE;
    }
  }
  if (strcmp(t->name, first->table->column[0].name) != 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "%s is over \"%s\", %s over \"%s\": draw them alone", first->called,
                first->table->column[0].name, r->called, t->name);
    return FALSE;
  }
  return TRUE;
}

HyTable *hy_plot_join(const HyPlotRun *runs, guint n, gboolean difference, HySidecar **sidecar,
                      GError **error)
{
  g_return_val_if_fail(runs != NULL && n > 0 && sidecar != NULL, NULL);
  for (guint i = 0; i < n; i++) {
    if (!goes_on(&runs[i], &runs[0], error)) {
      return NULL;
    }
  }
  g_autoptr(GArray) sources = find_sources(runs, n, difference);
  if (sources->len == 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s and %s have no column of one name",
                runs[0].called, runs[n - 1].called);
    return NULL;
  }
  HyTable *out = table_new(runs, n, sources);
  add_rows(out, runs, n, sources);
  *sidecar = sidecar_new(runs, sources, out);
  return out;
}
