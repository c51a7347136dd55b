/* The rows of a window, and one at each end of it that is cut from the piece that reaches in. */
#include "plot_window.h"

#include <math.h>
#include <string.h>

/* The last row before AT, or the first of all. */
static gsize row_before(const HyTable *table, double at)
{
  const double *t = table->column[0].v;
  gsize row = 0;
  while (row + 1 < table->n_rows && t[row + 1] < at) {
    row++;
  }
  return row;
}

/* The first row after AT, or the last of all. */
static gsize row_after(const HyTable *table, double at)
{
  const double *t = table->column[0].v;
  gsize row = 0;
  while (row + 1 < table->n_rows && !(t[row] > at)) {
    row++;
  }
  return row;
}

static double held(const double *v, gsize row)
{
  while (row > 0 && isnan(v[row])) {
    row--;
  }
  return v[row];
}

/* What each column has at AT, between ROW and the next, into the row WHERE of the two. */
static void cut(HyTable *table, gsize row, double at, gsize where, const gboolean *holds)
{
  double *t = table->column[0].v;
  if (!(t[row] < at && at < t[row + 1])) {
    return;
  }
  double part = (at - t[row]) / (t[row + 1] - t[row]);
  for (guint k = 1; k < table->n; k++) {
    double *v = table->column[k].v;
    v[where] = holds[k] ? held(v, row) : v[row] + part * (v[row + 1] - v[row]);
  }
  t[where] = at;
}

gboolean hy_plot_window(HyTable *table, double from, double to, const gboolean *holds)
{
  const double *t = table->column[0].v;
  if (table->n_rows == 0 || t[table->n_rows - 1] < from || t[0] > to || !(from < to)) {
    return FALSE;
  }
  gsize first = row_before(table, from), last = row_after(table, to);
  first += first < last && t[first] < from && t[first + 1] == from ? 1 : 0; /* nothing to cut */
  last -= last > first && t[last] > to && t[last - 1] == to ? 1 : 0;
  if (last > first) { /* the end first: both may lie in one piece */
    cut(table, last - 1, to, last, holds);
    cut(table, first, from, first, holds);
  }
  table->n_rows = last - first + 1;
  for (guint k = 0; k < table->n; k++) {
    double *v = table->column[k].v;
    memmove(v, v + first, table->n_rows * sizeof *v);
  }
  return TRUE;
}
