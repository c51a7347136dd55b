/* Tables of measured values. Units are as the language has them, texts; one that is the model's
 * behind a prefix of the SI is that, scaled. */
#include "sweeps/measured.h"
#include "hydevs/text.h"
#include "results/csv_read.h"

#include <math.h>
#include <string.h>

/* In functions that take an error: it says so, FALSE. */
#define WRONG(...) (g_set_error(error, HY_ERROR, HY_ERROR_USAGE, __VA_ARGS__), FALSE)

/* "uC [mV]": *PATH and *UNIT (NULL: none), newly allocated. */
static void split_head(const char *head, char **path, char **unit)
{
  const char *bracket = strrchr(head, '[');
  gsize size = strlen(head);
  gboolean there = bracket != NULL && bracket > head && bracket[-1] == ' ' && head[size - 1] == ']';
  *path = g_strchomp(g_strndup(head, there ? (gsize)(bracket - head) : size));
  *unit = there ? g_strndup(bracket + 1, size - 2 - (gsize)(bracket - head)) : NULL;
}

/* How many UNIT is one of MEASURED: 1e-3 for mV and V. NaN: they are different things. */
static double factor_of(const char *measured, const char *unit)
{
  static const struct {
    const char *prefix;
    double factor;
  } prefixes[] = {{"", 1},     {"f", 1e-15},       {"p", 1e-12},       {"n", 1e-9},
                  {"u", 1e-6}, {"\302\265", 1e-6}, {"\316\274", 1e-6}, {"m", 1e-3},
                  {"k", 1e3},  {"M", 1e6},         {"G", 1e9},         {"T", 1e12}};
  for (guint k = 0; k < G_N_ELEMENTS(prefixes); k++) {
    gsize n = strlen(prefixes[k].prefix);
    if (strncmp(measured, prefixes[k].prefix, n) == 0 && strcmp(measured + n, unit) == 0) {
      return prefixes[k].factor;
    }
  }
  return NAN;
}

/* The first column of TABLE as seconds. */
static gboolean read_time(HyMeasured *m, const HyTable *table, GError **error)
{
  g_autofree char *name = NULL, *unit = NULL;
  const HyTableColumn *c = &table->column[0];
  split_head(c->name, &name, &unit);
  if (strcmp(name, "time") != 0 && strcmp(name, "t") != 0) {
    return WRONG("%s: the first column is %s; it must be time", m->file, c->name);
  }
  double factor = factor_of(unit != NULL ? unit : "s", "s");
  if (isnan(factor)) {
    return WRONG("%s: the time is in %s; it must be in s, ms ...", m->file, unit);
  }
  m->t = g_new(double, m->n);
  for (guint k = 0; k < m->n; k++) {
    m->t[k] = factor == 1.0 ? c->v[k] : c->v[k] * factor;
    if (!isfinite(m->t[k]) || (k > 0 && !(m->t[k] > m->t[k - 1]))) {
      return WRONG("%s: row %u: its time is not above that of the row before", m->file, k + 1);
    }
  }
  return TRUE;
}

static gboolean read_column(HyMeasured *m, HyMeasuredColumn *to, const HyTableColumn *from,
                            GError **error)
{
  split_head(from->name, &to->path, &to->unit);
  to->v = g_memdup2(from->v, m->n * sizeof *to->v);
  if (from->n_text > 0) {
    return WRONG("%s: column %s: %" G_GSIZE_FORMAT " of its values are no numbers", m->file,
                 from->name, from->n_text);
  }
  double squares = 0.0;
  guint n = 0;
  for (guint k = 0; k < m->n; k++) {
    if (!isnan(to->v[k])) {
      squares += to->v[k] * to->v[k];
      n++;
    }
  }
  if (n == 0 || !isfinite(squares)) {
    return WRONG("%s: column %s: %s", m->file, from->name,
                 n == 0 ? "nothing was measured" : "a value is not finite");
  }
  to->scale = squares > 0.0 ? sqrt(squares / n) : 1.0;
  return TRUE;
}

static char *grid_of(const HyMeasured *m)
{
  GString *grid = g_string_new(NULL);
  char t[HY_DOUBLE_SIZE];
  for (guint k = 0; k < m->n; k++) {
    g_string_append(grid, k > 0 ? "," : "");
    g_string_append(grid, hy_double_text(t, m->t[k]));
  }
  return g_string_free(grid, FALSE);
}

HyMeasured *hy_measured_read(const char *file, GError **error)
{
  g_autoptr(HyTable) table = hy_table_read(file, error);
  if (table == NULL) {
    return NULL;
  }
  g_autoptr(HyMeasured) m = g_new0(HyMeasured, 1);
  m->file = g_strdup(file);
  m->n = (guint)table->n_rows;
  m->n_columns = table->n > 0 ? table->n - 1 : 0;
  m->column = g_new0(HyMeasuredColumn, MAX(m->n_columns, 1));
  if (m->n < 2 || m->n_columns == 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "%s: it needs a column of times, one of values, and two rows", file);
    return NULL;
  }
  if (!read_time(m, table, error)) {
    return NULL;
  }
  for (guint k = 0; k < m->n_columns; k++) {
    if (!read_column(m, &m->column[k], &table->column[k + 1], error)) {
      return NULL;
    }
  }
  m->grid = grid_of(m);
  return g_steal_pointer(&m);
}

void hy_measured_free(HyMeasured *m)
{
  if (m == NULL) {
    return;
  }
  for (guint k = 0; k < m->n_columns; k++) {
    g_free(m->column[k].path);
    g_free(m->column[k].unit);
    g_free(m->column[k].v);
  }
  g_free(m->column);
  g_free(m->file);
  g_free(m->grid);
  g_free(m->t);
  g_free(m);
}

/* The recorded column of this path. */
static const HyRecorder *find(const HyRun *run, const char *path, guint *column)
{
  const HyRecorder *table;
  for (guint k = 0; (table = hy_run_kept(run, k)) != NULL; k++) {
    if (hy_recorder_find(table, path, column)) {
      return table;
    }
  }
  return NULL;
}

static gboolean compare(const HyMeasured *m, const HyMeasuredColumn *c, const HyRun *run,
                        double *sum, GError **error)
{
  guint column;
  const HyRecorder *table = find(run, c->path, &column);
  if (table == NULL) {
    return WRONG("%s: the model has no signal %s", m->file, c->path);
  }
  const char *unit = hy_recorder_column(table, column)->unit;
  double factor = c->unit == NULL ? 1.0 : unit != NULL ? factor_of(c->unit, unit) : (double)NAN;
  if (isnan(factor)) {
    return WRONG("%s: %s is measured in %s; the model %s %s", m->file, c->path, c->unit,
                 unit != NULL ? "has it in" : "states", unit != NULL ? unit : "no unit of it");
  }
  guint64 row = 0, rows = hy_recorder_rows(table);
  for (guint k = 0; k < m->n; k++) {
    while (row < rows && hy_recorder_time(table, row) < m->t[k]) {
      row++;
    }
    double v = row < rows && hy_recorder_time(table, row) == m->t[k]
                   ? hy_recorder_value(table, row, column)
                   : (double)NAN;
    double d = (v - c->v[k] * factor) / (m->n_columns > 1 ? c->scale * factor : 1.0);
    if (isnan(c->v[k])) {
      continue;
    }
    if (!isfinite(d)) {
      char t[HY_DOUBLE_SIZE];
      return WRONG("%s has no value at t = %s", c->path, hy_double_text(t, m->t[k]));
    }
    *sum += d * d;
  }
  return TRUE;
}

gboolean hy_measured_compare(const HyMeasured *m, const HyRun *run, double *sum, GError **error)
{
  *sum = 0.0;
  for (guint k = 0; k < m->n_columns; k++) {
    if (!compare(m, &m->column[k], run, sum, error)) {
      return FALSE;
    }
  }
  return TRUE;
}
