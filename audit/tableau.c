#include "tableau.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Pivots of rows and columns whose largest is 1: one this small is none, and one that is not much
 * larger may be what roundings have left. */
#define NONE  1e-15L
#define CLEAR 1e-12L
#define OPEN  1e-9L /* more of a free unknown leaves one open that it is part of */

/* Where 800 MOhm and 5 Ohm meet, eliminating the one leaves little of the other: the solution fits
 * rows that are off by a rounding of their largest number, and that is much of their least. So
 * what each row lacks is solved for again, until it is a rounding of the row's own terms. */
#define ROUNDS 4
#define SHARP  (32 * LDBL_EPSILON)

HyTableau *hy_tableau_new(guint unknowns)
{
  HyTableau *t = g_new0(HyTableau, 1);
  t->unknowns = unknowns;
  t->a = g_array_new(FALSE, TRUE, sizeof(long double));
  t->pivot = g_new(guint, (gsize)unknowns + 1);
  t->factor = g_new(double, (gsize)unknowns + 1);
  t->x = g_new0(long double, (gsize)unknowns + 1);
  t->size = g_new0(double, (gsize)unknowns + 1);
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
  g_free(t->from);
  g_free(t->x);
  g_free(t->size);
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
  guint from = t->from[a];
  t->from[a] = t->from[b];
  t->from[b] = from;
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

/* FALSE: as hy_tableau_solve(). */
static gboolean eliminate_all(HyTableau *t)
{
  g_autofree guint *where = g_new(guint, (gsize)t->unknowns + 1);
  g_autofree Largest *largest = g_new(Largest, (gsize)t->rows + 1);
  for (guint k = 0; k <= t->unknowns; k++) {
    t->pivot[k] = G_MAXUINT;
  }
  for (guint r = 0; r < t->rows; r++) {
    t->from[r] = r;
    largest[r] = largest_of(t, r);
  }
  for (t->done = 0; t->done < t->rows; t->done++) {
    guint row = find_pivot(t, t->done, largest), column = largest[row].column;
    if (largest[row].most < CLEAR) {
      return largest[row].most < NONE;
    }
    swap_rows(t, t->done, row);
    largest[row] = largest[t->done];
    eliminate(t, t->done, column, largest, where);
  }
  return TRUE;
}

static void take_solution(HyTableau *t)
{
  for (guint k = 0; k < t->unknowns; k++) {
    if (t->pivot[k] != G_MAXUINT) {
      const long double *row = row_of(t, t->pivot[k]);
      t->x[k] += row[t->unknowns];
      t->size[k] = fmax(t->size[k], (double)row[t->unknowns + 1]);
    }
  }
}

/* The right side of a row becomes what the solution lacks there. Whether that is more than
 * rounding.
 */
static gboolean row_lacks(const HyTableau *t, long double *row)
{
  long double lack = row[t->unknowns], size = fabsl(lack);
  for (guint k = 0; k < t->unknowns; k++) {
    lack -= row[k] != 0 ? row[k] * t->x[k] : 0;
    size += row[k] != 0 ? fabsl(row[k] * t->x[k]) : 0;
  }
  row[t->unknowns] = lack;
  row[t->unknowns + 1] = fabsl(lack);
  return fabsl(lack) > SHARP * size;
}

/* Likewise of all rows of FIRST, in any that was solved; the others follow from them. */
static gboolean lacks(HyTableau *t, const long double *first)
{
  gsize wide = (gsize)t->unknowns + 2;
  gboolean any = FALSE;
  memcpy(t->a->data, first, t->rows * wide * sizeof *first);
  for (guint k = 0; k < t->rows; k++) {
    long double *row = row_of(t, t->from[k]);
    if (k < t->done) {
      any |= row_lacks(t, row);
    } else {
      row[t->unknowns] = row[t->unknowns + 1] = 0;
    }
  }
  return any;
}

gboolean hy_tableau_solve(HyTableau *t)
{
  gboolean open = TRUE;
  scale(t);
  t->doubt = 4.0 * t->unknowns * (double)LDBL_EPSILON;
  t->from = g_new(guint, (gsize)t->rows + 1);
  g_autofree long double *first = g_memdup2(t->a->data, t->a->len * sizeof *first);
  for (int k = 0; k < ROUNDS && open; k++) {
    if (!eliminate_all(t)) {
      return FALSE;
    }
    take_solution(t);
    g_autofree long double *solved = g_memdup2(t->a->data, t->a->len * sizeof *solved);
    open = lacks(t, first);
    if (!open) { /* what free unknowns are part of is read there */
      memcpy(t->a->data, solved, t->a->len * sizeof *solved);
    }
  }
  return !open;
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
  return u == G_MAXUINT || t->pivot[u] == G_MAXUINT ? 0 : t->x[u] * t->factor[u];
}

static double size_of(const HyTableau *t, guint u)
{
  return u == G_MAXUINT || t->pivot[u] == G_MAXUINT ? 0 : t->size[u] * t->factor[u];
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
