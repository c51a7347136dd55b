#include "tableau.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Pivots of rows and columns whose largest is 1: one this small is none, and one that is not much
 * larger may be what roundings have left. */
#define NONE  1e-15L
#define CLEAR 1e-12L
#define OPEN  1e-9L /* more of a free unknown leaves one open that it is part of */

HyTableau *hy_tableau_new(guint unknowns)
{
  HyTableau *t = g_new0(HyTableau, 1);
  t->unknowns = unknowns;
  t->a = g_array_new(FALSE, TRUE, sizeof(long double));
  t->pivot = g_new(guint, (gsize)unknowns + 1);
  t->factor = g_new(double, (gsize)unknowns + 1);
  for (guint k = 0; k <= unknowns; k++) {
    t->pivot[k] = G_MAXUINT;
    t->factor[k] = 1;
  }
  return t;
}

void hy_tableau_free(HyTableau *t)
{
  g_array_unref(t->a);
  g_free(t->pivot);
  g_free(t->factor);
  g_free(t);
}

static long double *row_of(const HyTableau *t, guint row)
{
  return &g_array_index(t->a, long double, (gsize)row *(t->unknowns + 2));
}

void hy_tableau_row(HyTableau *t, double right)
{
  t->rows++;
  g_array_set_size(t->a, t->rows * (t->unknowns + 2));
  row_of(t, t->rows - 1)[t->unknowns] = right;
  row_of(t, t->rows - 1)[t->unknowns + 1] = fabs(right);
}

void hy_tableau_add(HyTableau *t, guint k, double factor)
{
  row_of(t, t->rows - 1)[k] += factor;
}

static double power_of_two(long double most)
{
  return most > 0 ? exp2(-floor(log2((double)most))) : 1;
}

static void scale_column(HyTableau *t, guint k)
{
  long double most = 0;
  for (guint r = 0; r < t->rows; r++) {
    most = MAX(most, fabsl(row_of(t, r)[k]));
  }
  double factor = power_of_two(most);
  t->factor[k] *= factor;
  for (guint r = 0; r < t->rows; r++) {
    row_of(t, r)[k] *= factor;
  }
}

static void scale_row(HyTableau *t, guint r)
{
  long double most = 0;
  for (guint k = 0; k < t->unknowns; k++) {
    most = MAX(most, fabsl(row_of(t, r)[k]));
  }
  double factor = power_of_two(most);
  for (guint k = 0; k <= t->unknowns + 1; k++) {
    row_of(t, r)[k] *= factor;
  }
}

/* Columns first, by powers of two, so that nothing is rounded; then rows. */
static void scale(HyTableau *t)
{
  for (guint pass = 0; pass < 2; pass++) {
    for (guint k = 0; k < t->unknowns; k++) {
      scale_column(t, k);
    }
    for (guint r = 0; r < t->rows; r++) {
      scale_row(t, r);
    }
  }
}

static void swap_rows(HyTableau *t, guint a, guint b)
{
  for (guint k = 0; k <= t->unknowns + 1 && a != b; k++) {
    long double was = row_of(t, a)[k];
    row_of(t, a)[k] = row_of(t, b)[k];
    row_of(t, b)[k] = was;
  }
}

/* The largest of a row, in columns that are free: the first of these. */
typedef struct {
  long double most;
  guint column;
} Largest;

static Largest largest_of(const HyTableau *t, guint row)
{
  const long double *x = row_of(t, row);
  Largest l = {0, 0};
  for (guint k = 0; k < t->unknowns; k++) {
    if (x[k] != 0 && t->pivot[k] == G_MAXUINT && fabsl(x[k]) > l.most) {
      l = (Largest){fabsl(x[k]), k};
    }
  }
  return l;
}

/* The row, from FIRST on, with the largest. */
static guint find_pivot(const HyTableau *t, guint first, const Largest *largest)
{
  guint row = first;
  for (guint r = first + 1; r < t->rows; r++) {
    row = largest[r].most > largest[row].most ? r : row;
  }
  return row;
}

/* Rows are mostly zeros: WHERE, [unknowns + 1], takes the places that are none. */
static void eliminate(HyTableau *t, guint row, guint column, Largest *largest, guint *where)
{
  guint right = t->unknowns, size = right + 1, n = 0;
  long double *p = row_of(t, row), by = 1 / p[column];
  for (guint k = 0; k <= right; k++) {
    p[k] *= by;
    if (p[k] != 0) {
      where[n++] = k;
    }
  }
  p[size] *= fabsl(by);
  p[column] = 1;
  t->pivot[column] = row;
  for (guint r = 0; r < t->rows; r++) {
    long double *x = row_of(t, r), times = r == row ? 0 : x[column];
    if (times == 0) { /* what is not known stays where it is */
      continue;
    }
    for (guint k = 0; k < n; k++) {
      x[where[k]] -= times * p[where[k]];
    }
    x[size] += fabsl(times) * p[size];
    x[column] = 0;
    largest[r] = r > row ? largest_of(t, r) : largest[r];
  }
}

gboolean hy_tableau_solve(HyTableau *t)
{
  g_autofree guint *where = g_new(guint, (gsize)t->unknowns + 1);
  g_autofree Largest *largest = g_new(Largest, (gsize)t->rows + 1);
  scale(t);
  t->doubt = 4.0 * t->unknowns * (double)LDBL_EPSILON;
  for (guint r = 0; r < t->rows; r++) {
    largest[r] = largest_of(t, r);
  }
  for (guint done = 0; done < t->rows; done++) {
    guint row = find_pivot(t, done, largest), column = largest[row].column;
    if (largest[row].most < CLEAR) {
      return largest[row].most < NONE;
    }
    swap_rows(t, done, row);
    largest[row] = largest[done];
    eliminate(t, done, column, largest, where);
  }
  return TRUE;
}

/* How much of the free unknown K is in unknown U. */
static long double part_of(const HyTableau *t, guint u, guint k)
{
  long double part = u == G_MAXUINT             ? 0
                     : t->pivot[u] != G_MAXUINT ? -row_of(t, t->pivot[u])[k]
                     : u == k                   ? 1
                                                : 0;
  return u == G_MAXUINT ? 0 : part * t->factor[u];
}

static long double fixed_part(const HyTableau *t, guint u)
{
  return u == G_MAXUINT || t->pivot[u] == G_MAXUINT
             ? 0
             : row_of(t, t->pivot[u])[t->unknowns] * t->factor[u];
}

static double size_of(const HyTableau *t, guint u)
{
  return u == G_MAXUINT || t->pivot[u] == G_MAXUINT
             ? 0
             : (double)row_of(t, t->pivot[u])[t->unknowns + 1] * t->factor[u];
}

double hy_tableau_value(const HyTableau *t, guint plus, guint minus, double *error)
{
  double unit =
      fmax(plus != G_MAXUINT ? t->factor[plus] : 0, minus != G_MAXUINT ? t->factor[minus] : 0);
  *error = t->doubt * (size_of(t, plus) + size_of(t, minus));
  for (guint k = 0; k < t->unknowns; k++) {
    if (t->pivot[k] == G_MAXUINT &&
        fabsl(part_of(t, plus, k) - part_of(t, minus, k)) > OPEN * unit) {
      return NAN;
    }
  }
  return (double)(fixed_part(t, plus) - fixed_part(t, minus));
}
