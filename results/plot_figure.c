/* From columns to a figure: which goes to which panel, the first axis, the title. */
#include "plot_bands.h"
#include "plot_internal.h"
#include "plot_window.h"

#include <math.h>
#include <string.h>

#define MOST_LINES 2000 /* of a spectrum, that stand apart */
#define DENSE      400  /* turns in the width of a picture, from which on a curve may be a band */

/* The first that shows it well, else a new one; where there is no room for that, any one without a
 * unit. NULL: none has room. */
static HyPanel *panel_for(HyFigure *f, const HyPanelled *column)
{
  HyPanel *any = NULL;
  for (guint k = 0; k < f->n; k++) {
    HyPanel *p = &f->panel[k];
    gboolean room = p->n < HY_PANEL_CURVES;
    if (room && hy_panel_takes(&p->shared, column, f->log_y)) {
      hy_panel_add(&p->shared, column);
      return p;
    }
    any = room && any == NULL && hy_panel_takes(&p->shared, column, TRUE) ? p : any;
  }
  if (f->n == HY_FIGURE_PANELS) {
    return any;
  }
  HyPanel *p = &f->panel[f->n++];
  *p = (HyPanel){.unit = column->unit, .shared = hy_panel_of(column)};
  return p;
}

/* What lies about the median. */
static void add_bands(HyCurve *curve, const HyTable *table, guint column)
{
  for (guint k = 0; k < G_N_ELEMENTS(curve->band); k++) {
    curve->band[k] = table->column[column + 1 + k].v;
  }
}

static void keep_medians(GArray *chosen)
{
  guint n = 0;
  for (guint j = 0; j < chosen->len; j++) {
    guint column = g_array_index(chosen, guint, j);
    if ((column - 1) % HY_BAND_COLUMNS == 0) {
      g_array_index(chosen, guint, n++) = column;
    }
  }
  g_array_set_size(chosen, n);
}

/* How many of them found a place. */
static guint add_curves(HyFigure *f, const HyTable *table, const HySidecar *sidecar,
                        const GArray *chosen)
{
  guint drawn = 0;
  for (guint j = 0; j < chosen->len; j++) {
    const HyTableColumn *column = &table->column[g_array_index(chosen, guint, j)];
    const HySidecarColumn *c = hy_sidecar_find(sidecar, column->name);
    HyPanelled is =
        hy_panelled(c != NULL ? c->unit : NULL, c != NULL && c->event, column->v, table->n_rows);
    HyPanel *p = panel_for(f, &is);
    if (p != NULL) {
      p->curve[p->n++] =
          (HyCurve){.label = c != NULL && c->label != NULL ? c->label : column->name,
                    .v = column->v,
                    .steps = f->bars || (!f->path && c != NULL && (c->event || c->order == 0)),
                    .lines = f->spectrum && f->upright && table->n_rows <= MOST_LINES,
                    .filled = f->bars,
                    .swing = f->path || f->points || f->bands || f->bars || f->spectrum
                                 ? 0
                                 : hy_plot_swing(column->v, table->n_rows, DENSE)};
      if (f->bands) {
        add_bands(&p->curve[p->n - 1], table, g_array_index(chosen, guint, j));
      }
      drawn++;
    }
  }
  return drawn;
}

/* A first column of this name, all of it above 0, is drawn by its logarithm. */
static void set_decades(HyFigure *f, const HyTable *table)
{
  f->decades = strcmp(table->column[0].name, "frequency") == 0;
  for (gsize k = 0; k < table->n_rows && f->decades; k++) {
    f->decades = table->column[0].v[k] > 0.0;
  }
  for (gsize k = 0; k < table->n_rows && f->decades; k++) {
    table->column[0].v[k] = log10(table->column[0].v[k]);
  }
}

static gboolean scales(const HyPlotOptions *o, char axis)
{
  return o->log != NULL && strchr(o->log, axis) != NULL;
}

/* What the first column is. Of a recording it is the time, which has units of its own. */
static const char *axis_of(const HyTable *table)
{
  const char *name = table->column[0].name;
  gboolean time = g_ascii_strcasecmp(name, "time") == 0 || g_ascii_strcasecmp(name, "t") == 0;
  return time || *name == '\0' || strcmp(name, "frequency") == 0 ? NULL : name;
}

/* The column that is asked for takes the place of the time, of which nothing is left to draw. */
static gboolean take_axis(HyFigure *f, const HyPlotOptions *o, HyTable *table,
                          const HySidecar *sidecar, GError **error)
{
  guint at = 0;
  for (guint k = 1; k < table->n && o->over != NULL && at == 0; k++) {
    at = hy_plot_has_name(table, sidecar, k, o->over) ? k : 0;
  }
  if (o->over != NULL && (at == 0 || !hy_plot_drawable(table, at))) {
    g_autofree char *list = hy_plot_list_names(table);
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: no column \"%s\" with numbers; it has %s",
                hy_plot_called(o), o->over, list);
    return FALSE;
  }
  f->path = at > 0;
  HyTableColumn time = table->column[0];
  table->column[0] = table->column[at];
  table->column[at] = time;
  for (gsize k = 0; k < table->n_rows && at > 0; k++) {
    time.v[k] = NAN;
  }
  return TRUE;
}

/* "uC (V)" of a path. */
static char *axis_text(const HyTable *table, const HySidecar *sidecar)
{
  const HySidecarColumn *c = hy_sidecar_find(sidecar, table->column[0].name);
  const char *name = c != NULL && c->label != NULL ? c->label : table->column[0].name;
  return c != NULL && c->unit != NULL ? g_strdup_printf("%s (%s)", name, c->unit) : g_strdup(name);
}

/* Nothing of column K is at or below 0, where there are no logarithms. */
static gboolean above_zero(const HyPlotOptions *o, const HyTable *table, guint k, GError **error)
{
  const HyTableColumn *c = &table->column[k];
  for (gsize row = 0; row < table->n_rows; row++) {
    if (c->v[row] <= 0.0) {
      g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                  "%s: \"%s\" is %g in row %" G_GSIZE_FORMAT ", which has no logarithm: %s",
                  hy_plot_called(o), c->name, c->v[row], row + 1,
                  k == 0 ? "--log=y, or --from a time above 0" : "leave it out with --columns");
      return FALSE;
    }
  }
  return TRUE;
}

/* Bars that are the wider the further they are from 0. */
static gboolean bars_grow(const HyFigure *f, const HyTable *table)
{
  const double *x = table->column[0].v;
  return f->bars && table->n_rows > 2 && x[0] > 0.0 && x[2] - x[1] > 1.0001 * (x[1] - x[0]);
}

static gboolean set_scales(HyFigure *f, const HyPlotOptions *o, const HyTable *table,
                           const GArray *chosen, GError **error)
{
  f->log_x = (scales(o, 'x') && !f->decades) || bars_grow(f, table);
  f->log_y = scales(o, 'y');
  gboolean ok = !f->log_x || above_zero(o, table, 0, error);
  for (guint j = 0; j < chosen->len && f->log_y && ok; j++) {
    ok = above_zero(o, table, g_array_index(chosen, guint, j), error);
  }
  return ok;
}

static gboolean shows_all(const HyPlotOptions *o)
{
  return (o->from == 0.0 && o->to == 0.0) || (isinf(o->from) && isinf(o->to));
}

/* The part of TABLE that is asked for. */
gboolean hy_plot_take_window(const HyPlotOptions *o, HyTable *table, const HySidecar *sidecar,
                             GError **error)
{
  if (shows_all(o)) {
    return TRUE;
  }
  g_autofree gboolean *holds = hy_plot_holding(table, sidecar);
  if (table->n_rows > 0 && !hy_plot_window(table, o->from, o->to, holds)) {
    const double *t = table->column[0].v;
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "%s: nothing to draw from %g to %g: it is from %g to %g", hy_plot_called(o),
                o->from, o->to, t[0], t[table->n_rows - 1]);
    return FALSE;
  }
  return TRUE;
}

/* The recording may have begun before its first row, and ended after its last. */
static void widen(HyFigure *f, const HyPlotOptions *o, const HySidecar *sidecar)
{
  gboolean all = shows_all(o);
  double first = all ? -INFINITY : o->from, until = all ? INFINITY : o->to, last = f->to;
  f->from = isfinite(sidecar->t0) ? MIN(f->from, MAX(sidecar->t0, first)) : f->from;
  f->to = isfinite(sidecar->tf) ? MAX(f->to, MIN(sidecar->tf, until)) : f->to;
  f->hold = isfinite(sidecar->end) && sidecar->end > last ? MIN(sidecar->end, until) : NAN;
}

static gboolean set_time(HyFigure *f, const HyPlotOptions *o, const HyTable *table,
                         const HySidecar *sidecar, GError **error)
{
  const char *csv = hy_plot_called(o);
  f->t = table->column[0].v;
  f->axis = axis_of(table);
  f->n_rows = table->n_rows;
  f->hold = NAN;
  if (f->n_rows == 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: has no rows to draw", csv);
    return FALSE;
  }
  f->from = INFINITY;
  f->to = -INFINITY;
  for (gsize k = 0; k < f->n_rows; k++) {
    if (f->path && !isfinite(f->t[k])) {
      continue;
    }
    if (!isfinite(f->t[k])) {
      g_set_error(error, HY_ERROR, HY_ERROR_RUN,
                  "%s: row %" G_GSIZE_FORMAT ": the first column, \"%s\", is not a time", csv,
                  k + 1, table->column[0].name);
      return FALSE;
    }
    f->from = MIN(f->from, f->t[k]);
    f->to = MAX(f->to, f->t[k]);
  }
  if (sidecar != NULL && !f->path) {
    widen(f, o, sidecar);
  }
  return TRUE;
}

/* What cannot be drawn of the columns that are asked for: payloads. */
static gsize count_texts(const HyPlotOptions *o, const HyTable *table, const GArray *chosen)
{
  gsize n = 0;
  for (guint k = 1; k < table->n && o->columns == NULL; k++) {
    n += table->column[k].n_text;
  }
  for (guint j = 0; j < chosen->len && o->columns != NULL; j++) {
    n += table->column[g_array_index(chosen, guint, j)].n_text;
  }
  return n;
}

/* TEXTS: how many values are none to be drawn. */
static char *title_of(const HyPlotOptions *o, const HySidecar *sidecar, guint drawn, guint of,
                      gsize texts)
{
  g_autofree char *base = g_path_get_basename(o->csv);
  g_autofree char *title = NULL;
  if (o->title != NULL) {
    title = g_strdup(o->title);
  } else if (sidecar != NULL && sidecar->title != NULL) {
    title = g_strdup(sidecar->title);
  } else if (sidecar != NULL && sidecar->model != NULL && sidecar->experiment != NULL) {
    title = g_strdup_printf("%s, %s", sidecar->model, sidecar->experiment);
  } else {
    title = g_strdup(sidecar != NULL && sidecar->model != NULL ? sidecar->model : base);
  }
  GString *out = g_string_new(title);
  if (o->fft != NULL || o->histogram != NULL) {
    g_string_append_printf(out, ", %s", o->fft != NULL ? "spectrum" : "histogram");
  }
  if (drawn < of) {
    g_string_append_printf(out, " (%u of %u columns)", drawn, of);
  }
  if (texts > 0) {
    g_string_append_printf(out, " (without %" G_GSIZE_FORMAT " payload%s)", texts,
                           texts == 1 ? "" : "s");
  }
  return g_string_free(out, FALSE);
}

gboolean hy_plot_figure(HyFigure *f, const HyPlotOptions *o, HyTable *table,
                        const HySidecar *sidecar, char **axis, char **title, GError **error)
{
  if (!take_axis(f, o, table, sidecar, error)) {
    return FALSE;
  }
  /* of a sweep: not the time, and of bars it has its text already */
  gboolean named = !f->bars && hy_sidecar_find(sidecar, table->column[0].name) != NULL;
  *axis = f->path || named ? axis_text(table, sidecar) : NULL;
  set_decades(f, table);
  if (!set_time(f, o, table, sidecar, error)) {
    return FALSE;
  }
  g_autoptr(GArray) chosen = hy_plot_chosen(o, table, sidecar, error);
  if (f->bands && chosen != NULL) {
    keep_medians(chosen);
  }
  if (chosen == NULL || !set_scales(f, o, table, chosen, error)) {
    return FALSE;
  }
  f->axis = *axis != NULL ? *axis : f->axis;
  f->from = f->spectrum && !f->log_x && !f->decades ? 0.0 : f->from;
  guint drawn = add_curves(f, table, sidecar, chosen);
  *title = title_of(o, sidecar, drawn, chosen->len, count_texts(o, table, chosen));
  f->title = *title;
  return TRUE;
}
