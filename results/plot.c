/* From a recording to a figure, and gnuplot's run. */
#include "hydevs/plot.h"
#include "base/hint.h"

#include "csv_read.h"
#include "plot_join.h"
#include "plot_script.h"
#include "plot_window.h"
#include "sidecar.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define TERM_ROWS_MIN 12
#define UNLIKE        30  /* times as large: too flat to be seen beside the other */
#define DENSE         400 /* turns in the width of a picture, from which on a curve may be a band */

char *hy_plot_out(const HyPlotOptions *o)
{
  if (o->out != NULL) {
    return g_strdup(o->out);
  }
  gsize n = strlen(o->csv);
  n -= g_str_has_suffix(o->csv, ".csv") ? 4 : 0;
  return g_strdup_printf("%.*s.png", (int)n, o->csv);
}

static const char *called(const HyPlotOptions *o)
{
  return o->name != NULL ? o->name : o->csv;
}

/* Which columns ------------------------------------------------------------------------------- */

/* At the commas outside of brackets: "a,cell[1,2]". */
static GPtrArray *split_names(const char *text)
{
  GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
  int depth = 0;
  const char *from = text;
  for (const char *at = text;; at++) {
    depth += (*at == '[') - (*at == ']');
    if (*at == '\0' || (*at == ',' && depth <= 0)) {
      char *name = g_strstrip(g_strndup(from, (gsize)(at - from)));
      if (*name != '\0') {
        g_ptr_array_add(names, name);
      } else {
        g_free(name);
      }
      from = at + 1;
    }
    if (*at == '\0') {
      return names;
    }
  }
}

static gboolean drawable(const HyTable *table, guint column)
{
  const double *v = table->column[column].v;
  for (gsize k = 0; k < table->n_rows; k++) {
    if (isfinite(v[k])) {
      return TRUE;
    }
  }
  return FALSE;
}

static gboolean has_name(const HyTable *table, const HySidecar *sidecar, guint column,
                         const char *name)
{
  const char *head = table->column[column].name;
  const HySidecarColumn *c = hy_sidecar_find(sidecar, head);
  return strcmp(head, name) == 0 || (c != NULL && g_strcmp0(c->label, name) == 0) ||
         (strpbrk(name, "*?") != NULL && g_pattern_match_simple(name, head));
}

/* Sets CHOSEN[k] of the columns that NAME means. */
static guint choose(const HyTable *table, const HySidecar *sidecar, const char *name,
                    GArray *chosen)
{
  guint found = 0;
  for (guint k = 1; k < table->n; k++) {
    if (!has_name(table, sidecar, k, name)) {
      continue;
    }
    found++;
    gboolean known = FALSE;
    for (guint j = 0; j < chosen->len; j++) {
      known |= g_array_index(chosen, guint, j) == k;
    }
    if (!known) {
      g_array_append_val(chosen, k);
    }
  }
  return found;
}

static char *list_names(const HyTable *table)
{
  GString *out = g_string_new(NULL);
  for (guint k = 1; k < table->n && k <= 12; k++) {
    g_string_append_printf(out, "%s%s", k > 1 ? ", " : "", table->column[k].name);
  }
  g_string_append(out, table->n > 13 ? ", ..." : "");
  return g_string_free(out, FALSE);
}

/* An array of guint; NULL: ERROR is set. */
static GArray *chosen_columns(const HyPlotOptions *o, const HyTable *table,
                              const HySidecar *sidecar, GError **error)
{
  g_autoptr(GArray) chosen = g_array_new(FALSE, FALSE, sizeof(guint));
  g_autoptr(GPtrArray) names = o->columns != NULL ? split_names(o->columns) : NULL;
  for (guint k = 0; names != NULL && k < names->len; k++) {
    if (choose(table, sidecar, names->pdata[k], chosen) == 0) {
      g_autofree char *list = list_names(table);
      g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: no column \"%s\"; it has %s", called(o),
                  (const char *)names->pdata[k], list);
      return NULL;
    }
  }
  for (guint k = 1; names == NULL && k < table->n; k++) {
    g_array_append_val(chosen, k);
  }
  for (guint j = chosen->len; j-- > 0;) {
    if (!drawable(table, g_array_index(chosen, guint, j))) {
      g_array_remove_index(chosen, j);
    }
  }
  if (chosen->len == 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: no column with numbers to draw", called(o));
    return NULL;
  }
  return g_steal_pointer(&chosen);
}

/* The figure ---------------------------------------------------------------------------------- */

static double size_of(const double *v, gsize n)
{
  double size = 0;
  for (gsize k = 0; k < n; k++) {
    size = isfinite(v[k]) ? MAX(size, fabs(v[k])) : size;
  }
  return size;
}

/* Without a unit, events keep away from signals, and signals from those so much larger or smaller
 * that one of them would be a flat line. */
static gboolean goes_with(const HyPanel *p, const char *unit, gboolean event, double size)
{
  if (unit != NULL || p->unit != NULL) {
    return g_strcmp0(p->unit, unit) == 0;
  }
  gboolean like = size == 0 || p->size == 0 || (size < UNLIKE * p->size && p->size < UNLIKE * size);
  return p->events == event && (event || like);
}

/* NULL: there is no room. */
static HyPanel *panel_for(HyFigure *f, const char *unit, gboolean event, double size)
{
  for (guint k = 0; k < f->n; k++) {
    HyPanel *p = &f->panel[k];
    if (goes_with(p, unit, event, size) && p->n < HY_PANEL_CURVES) {
      p->size = MAX(p->size, size);
      return p;
    }
  }
  if (f->n == HY_FIGURE_PANELS) {
    return NULL;
  }
  HyPanel *p = &f->panel[f->n++];
  *p = (HyPanel){.unit = unit, .events = event, .size = size};
  return p;
}

/* How many of them found a place. */
static guint add_curves(HyFigure *f, const HyTable *table, const HySidecar *sidecar,
                        const GArray *chosen)
{
  guint drawn = 0;
  for (guint j = 0; j < chosen->len; j++) {
    const HyTableColumn *column = &table->column[g_array_index(chosen, guint, j)];
    const HySidecarColumn *c = hy_sidecar_find(sidecar, column->name);
    HyPanel *p = panel_for(f, c != NULL ? c->unit : NULL, c != NULL && c->event,
                           size_of(column->v, table->n_rows));
    if (p != NULL) {
      p->curve[p->n++] =
          (HyCurve){.label = c != NULL && c->label != NULL ? c->label : column->name,
                    .v = column->v,
                    .steps = !f->path && c != NULL && (c->event || c->order == 0),
                    .swing = f->path ? 0 : hy_plot_swing(column->v, table->n_rows, DENSE)};
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
    at = has_name(table, sidecar, k, o->over) ? k : 0;
  }
  if (o->over != NULL && (at == 0 || !drawable(table, at))) {
    g_autofree char *list = list_names(table);
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: no column \"%s\" with numbers; it has %s",
                called(o), o->over, list);
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
                  called(o), c->name, c->v[row], row + 1,
                  k == 0 ? "--log=y, or --from a time above 0" : "leave it out with --columns");
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean set_scales(HyFigure *f, const HyPlotOptions *o, const HyTable *table,
                           const GArray *chosen, GError **error)
{
  f->log_x = scales(o, 'x') && !f->decades;
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

/* Which columns hold their value until the next row. */
static gboolean *holding(const HyTable *table, const HySidecar *sidecar)
{
  gboolean *holds = g_new0(gboolean, table->n);
  for (guint k = 1; k < table->n; k++) {
    const HySidecarColumn *c = hy_sidecar_find(sidecar, table->column[k].name);
    holds[k] = c != NULL && (c->event || c->order == 0);
  }
  return holds;
}

/* The part of TABLE that is asked for. */
static gboolean take_window(const HyPlotOptions *o, HyTable *table, const HySidecar *sidecar,
                            GError **error)
{
  if (shows_all(o)) {
    return TRUE;
  }
  g_autofree gboolean *holds = holding(table, sidecar);
  if (table->n_rows > 0 && !hy_plot_window(table, o->from, o->to, holds)) {
    const double *t = table->column[0].v;
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "%s: nothing to draw from %g to %g: it is from %g to %g", called(o), o->from, o->to,
                t[0], t[table->n_rows - 1]);
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
  const char *csv = called(o);
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
  if (drawn < of) {
    g_string_append_printf(out, " (%u of %u columns)", drawn, of);
  }
  if (texts > 0) {
    g_string_append_printf(out, " (without %" G_GSIZE_FORMAT " payload%s)", texts,
                           texts == 1 ? "" : "s");
  }
  return g_string_free(out, FALSE);
}

/* gnuplot ------------------------------------------------------------------------------------- */

/* "/tmp/x" line 12: what: the first line that is no warning, without the place in our script. */
static char *complaint(const char *text)
{
  g_auto(GStrv) lines = g_strsplit(text != NULL ? text : "", "\n", -1);
  for (guint k = 0; lines[k] != NULL; k++) {
    const char *colon = strstr(lines[k], " line ");
    colon = colon != NULL ? strstr(colon, ": ") : NULL;
    const char *what = colon != NULL ? colon + 2 : lines[k];
    if (*what == '\0' || g_ascii_strncasecmp(what, "warning", 7) == 0 || strchr("^ \t", *what)) {
      continue;
    }
    return g_strdup(what);
  }
  return g_strdup("gnuplot failed and does not say why");
}

/* What it draws in characters is in *DRAWN. */
static gboolean run_gnuplot(const char *program, const char *script_file, const char *name,
                            char **drawn, GError **error)
{
  char *argv[] = {hy_key(program), hy_key("--default-settings"), hy_key(script_file), NULL};
  g_autofree char *said = NULL;
  g_autoptr(GError) why = NULL;
  int status = 0;
  if (!g_spawn_sync(NULL, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, drawn, &said, &status, &why)) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: cannot start gnuplot: %s", name, why->message);
    return FALSE;
  }
  if (!g_spawn_check_wait_status(status, NULL)) {
    g_autofree char *what = complaint(said);
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: gnuplot: %s", name, what);
    return FALSE;
  }
  return TRUE;
}

/* The panels of a figure in characters, without the form feeds between them and blanks at the ends
 * of lines. */
static void print_drawn(const char *title, const char *drawn)
{
  for (const char *at = title; *at != '\0'; at++) {
    putchar((guchar)*at < 0x20 ? ' ' : *at);
  }
  putchar('\n');
  g_auto(GStrv) lines = g_strsplit(drawn, "\n", -1);
  for (guint k = 0; lines[k] != NULL; k++) {
    const char *line = g_strchomp(lines[k]);
    const char *feed = strrchr(line, '\f');
    line = feed != NULL ? feed + 1 : line;
    if (*line != '\0' || lines[k + 1] != NULL) {
      puts(line);
    }
  }
}

/* As a file, not on stdin: gnuplot then ends with an error at the first mistake. */
static gboolean draw(const HyFigure *f, const char *name, GError **error)
{
  g_autofree char *program = g_find_program_in_path("gnuplot");
  if (program == NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN,
                "%s: gnuplot is needed to draw and is not installed; install it (Debian, Ubuntu: "
                "apt-get install gnuplot-nox), or open the CSV with another program",
                name);
    return FALSE;
  }
  g_autofree char *file = NULL;
  g_autoptr(GError) why = NULL;
  int descriptor = g_file_open_tmp("hydevs-XXXXXX.gp", &file, &why);
  if (descriptor < 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: no temporary file: %s", name, why->message);
    return FALSE;
  }
  g_close(descriptor, NULL);
  g_autofree char *script = hy_plot_script(f);
  gboolean ok = g_file_set_contents(file, script, -1, &why);
  if (!ok) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: no temporary file: %s", name, why->message);
  }
  g_autofree char *drawn = NULL;
  ok = ok && run_gnuplot(program, file, name, &drawn, error);
  g_unlink(file);
  if (ok && f->file == NULL) {
    print_drawn(f->title, drawn);
  }
  return ok;
}

static gboolean check_out(const char *out, GError **error)
{
  static const char *const endings[] = {".png", ".svg", ".pdf"};
  for (guint k = 0; k < G_N_ELEMENTS(endings); k++) {
    if (g_str_has_suffix(out, endings[k])) {
      return TRUE;
    }
  }
  g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: a picture is a .png, .svg or .pdf", out);
  return FALSE;
}

/* gnuplot tells a folder that cannot be written to in its own way; we tell it as with every other
 * file. */
static gboolean check_writable(const char *out, GError **error)
{
  FILE *file = fopen(out, "ab");
  if (file == NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: cannot write: %s", out, g_strerror(errno));
    return FALSE;
  }
  fclose(file);
  return TRUE;
}

/* Whether something has been drawn into OUT; takes an empty file away. */
static gboolean check_drawn(const char *out, GError **error)
{
  GStatBuf file;
  if (g_stat(out, &file) == 0 && file.st_size > 0) {
    return TRUE;
  }
  g_unlink(out);
  if (error != NULL && *error == NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: gnuplot has written nothing", out);
  }
  return FALSE;
}

static gboolean read_recording(const HyPlotOptions *o, HyTable **table, HySidecar **sidecar,
                               GError **error)
{
  g_autoptr(GError) why = NULL;
  *table = hy_table_read(o->csv, error);
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
  GString *out = g_string_new(called(o));
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
  run->chosen = chosen_columns(&one, run->table, run->sidecar, error);
  run->holds = holding(run->table, run->sidecar);
  return run->chosen != NULL;
}

/* All recordings as one. */
static gboolean read_all(const HyPlotOptions *o, HyTable **table, HySidecar **sidecar,
                         GError **error)
{
  g_autoptr(GArray) runs = g_array_new(FALSE, TRUE, sizeof(HyPlotRun));
  g_array_set_clear_func(runs, hy_plot_run_clear);
  guint n = 1;
  while (o->with[n - 1] != NULL) {
    n++;
  }
  g_array_set_size(runs, n);
  for (guint k = 0; k < n; k++) {
    HyPlotRun *run = &g_array_index(runs, HyPlotRun, k);
    if (!read_run(o, k == 0 ? o->csv : o->with[k - 1], run, error)) {
      return FALSE;
    }
  }
  *table = hy_plot_join((const HyPlotRun *)(gpointer)runs->data, n, o->difference, sidecar, error);
  return *table != NULL;
}

gboolean hy_plot_csv(const HyPlotOptions *o, GError **error)
{
  g_return_val_if_fail(o != NULL && o->csv != NULL, FALSE);
  gboolean several = o->with != NULL && o->with[0] != NULL;
  g_autofree char *heading = several && o->title == NULL ? title_of_all(o) : NULL;
  g_autofree char *out = hy_plot_out(o);
  g_autofree char *absolute = o->term ? NULL : g_canonicalize_filename(out, NULL);
  if (!o->term && !check_out(out, error)) {
    return FALSE;
  }
  g_autoptr(HyTable) table = NULL;
  g_autoptr(HySidecar) sidecar = NULL;
  if (!(several ? read_all(o, &table, &sidecar, error)
                : read_recording(o, &table, &sidecar, error))) {
    return FALSE;
  }
  HyFigure f = {.file = absolute,
                .columns = CLAMP(o->term_columns, 40, 1000),
                .rows = CLAMP(o->term_rows, TERM_ROWS_MIN, 1000),
                .colour = o->term_colour};
  HyPlotOptions all = *o; /* the columns have been chosen */
  all.columns = several ? NULL : o->columns;
  all.title = heading != NULL ? heading : o->title;
  o = &all;
  if (!take_window(o, table, sidecar, error)) {
    return FALSE;
  }
  if (!take_axis(&f, o, table, sidecar, error)) {
    return FALSE;
  }
  g_autofree char *axis = f.path ? axis_text(table, sidecar) : NULL;
  set_decades(&f, table);
  if (!set_time(&f, o, table, sidecar, error)) {
    return FALSE;
  }
  g_autoptr(GArray) chosen = chosen_columns(o, table, sidecar, error);
  if (chosen == NULL || !set_scales(&f, o, table, chosen, error) ||
      (!o->term && !check_writable(out, error))) {
    return FALSE;
  }
  f.axis = f.path ? axis : f.axis;
  guint drawn = add_curves(&f, table, sidecar, chosen);
  g_autofree char *title = title_of(o, sidecar, drawn, chosen->len, count_texts(o, table, chosen));
  f.title = title;
  gboolean ok = draw(&f, o->term ? called(o) : out, error);
  return (o->term || check_drawn(out, error)) && ok;
}
