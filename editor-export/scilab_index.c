/* Elements of Scilab's matrices: ranges, what stands at indices, and assignments to them. Numbers
 * count from 1 and go column by column; the matrices here lie row by row. */
#include "editor-export/scilab_read.h"

#include <math.h>

ScilabValue scilab_range(ScilabReader *r, double from, double by, double to)
{
  double n = by != 0 ? floor((to - from) / by * (1 + 1e-15) + 1e-12) + 1 : 0;
  if (!(n <= SCILAB_MAX_NUMBERS)) {
    return scilab_fail(r, "%g:%g:%g has more than %d numbers", from, by, to, SCILAB_MAX_NUMBERS);
  }
  ScilabValue v = scilab_value(1, n > 0 ? (guint)n : 0);
  for (guint k = 0; k < v.columns; k++) {
    v.number[k] = from + k * by;
  }
  return v;
}

/* Element K of INDEX as a number from 0, at most MOST; FALSE: it is none. */
static gboolean index_at(const ScilabValue *index, guint k, double most, guint *at)
{
  double i = floor(index->number[k]);
  *at = i >= 1 && i <= most ? (guint)i - 1 : 0;
  return i >= 1 && i <= most;
}

/* Where the element of number K lies. */
static gsize place_of(const ScilabValue *m, guint k)
{
  return (gsize)(k % m->rows) * m->columns + k / m->rows;
}

static guint count(const ScilabValue *v)
{
  return v->rows * v->columns;
}

ScilabValue scilab_pick(ScilabReader *r, const char *name, const ScilabValue *m,
                        const ScilabValue *index, guint n)
{
  if (n > 2) {
    return scilab_fail(r, "%s has no %u indices", name, n);
  }
  gboolean row = n == 1 && m->rows == 1 && (index[0].rows == 1 || count(&index[0]) == 1);
  guint one = count(&index[0]), two = n > 1 ? count(&index[1]) : 1;
  if ((double)one * two > SCILAB_MAX_NUMBERS) {
    return scilab_fail(r, "%s(...) has more than %d numbers", name, SCILAB_MAX_NUMBERS);
  }
  ScilabValue v = scilab_value(row ? 1 : one, row ? one : two);
  for (guint k = 0; k < one * two; k++) {
    guint i, j = 0;
    gboolean inside = index_at(&index[0], k / two, n > 1 ? m->rows : count(m), &i) &&
                      (n == 1 || index_at(&index[1], k % two, m->columns, &j));
    if (!inside) {
      scilab_clear(&v);
      return scilab_fail(r, "%s has no such element", name);
    }
    v.number[k] = m->number[n > 1 ? (gsize)i * m->columns + j : place_of(m, i)];
  }
  return v;
}

/* M with at least ROWS and COLUMNS; what is new is 0. */
static void grow(ScilabValue *m, guint rows, guint columns)
{
  ScilabValue g = scilab_value(MAX(rows, m->rows), MAX(columns, m->columns));
  for (guint k = 0; k < count(m); k++) {
    g.number[(gsize)(k / m->columns) * g.columns + k % m->columns] = m->number[k];
  }
  scilab_clear(m);
  *m = g;
}

/* The largest of INDEX; 0: one of them is no number of an element. */
static guint largest(const ScilabValue *index)
{
  guint most = 0, at;
  for (guint k = 0; k < count(index); k++) {
    if (!index_at(index, k, SCILAB_MAX_NUMBERS, &at)) {
      return 0;
    }
    most = MAX(most, at + 1);
  }
  return most;
}

/* M becomes so large that all indices are inside: a column, if it is empty, else as it lies. */
static gboolean make_room(ScilabValue *m, const ScilabValue *index, guint n)
{
  guint one = largest(&index[0]), two = n > 1 ? largest(&index[1]) : 1;
  if (one == 0 || two == 0 || (double)one * two > SCILAB_MAX_NUMBERS) {
    return FALSE;
  }
  if (n > 1) {
    grow(m, one, two);
  } else if (one > count(m)) {
    gboolean column = count(m) == 0 || (m->columns == 1 && m->rows > 1);
    if (!column && m->rows > 1) {
      return FALSE; /* of a matrix one does not know where */
    }
    grow(m, column ? one : 1, column ? 1 : one);
  }
  return count(m) <= SCILAB_MAX_NUMBERS;
}

gboolean scilab_put(ScilabValue *m, const ScilabValue *index, guint n, const ScilabValue *value,
                    char **why)
{
  guint two = n > 1 ? count(&index[1]) : 1, all = n > 0 ? count(&index[0]) * two : 0;
  if (n < 1 || n > 2) {
    *why = g_strdup_printf("%u indices: one or two are possible", n);
  } else if (count(value) != 1 && count(value) != all) {
    *why = g_strdup_printf("%u numbers are assigned to %u elements", count(value), all);
  } else if (all > 0 && !make_room(m, index, n)) {
    *why = g_strdup("there is no such element");
  } else {
    for (guint k = 0; k < all; k++) {
      guint i, j = 0;
      index_at(&index[0], k / two, SCILAB_MAX_NUMBERS, &i);
      if (n > 1) {
        index_at(&index[1], k % two, SCILAB_MAX_NUMBERS, &j);
      }
      /* several at two indices lie as VALUE does, several at one in its order of elements */
      double v = value->number[count(value) == 1 ? 0 : n > 1 ? k : place_of(value, k)];
      m->number[n > 1 ? (gsize)i * m->columns + j : place_of(m, i)] = v;
    }
    return TRUE;
  }
  return FALSE;
}
