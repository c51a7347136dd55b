#include "sparse.h"

#ifdef HY_SUNDIALS

#include <klu.h>
#include <math.h>
#include <string.h>

struct HySparse {
  guint n;
  int *column, *row; /* by columns, rows ascending in each, the diagonal always there */
  double *m;         /* [2 size]: real and imaginary parts */
  double half;       /* h/2 */
  klu_common common;
  klu_symbolic *symbolic;
  klu_numeric *numeric;
};

static int by_column(gconstpointer a, gconstpointer b, gpointer user)
{
  const HySparseEntry *entry = user;
  const HySparseEntry *x = &entry[*(const guint32 *)a], *y = &entry[*(const guint32 *)b];
  if (x->column != y->column) {
    return x->column < y->column ? -1 : 1;
  }
  return (x->row > y->row) - (x->row < y->row);
}

/* ENTRY with the diagonal behind, in the order of the matrix; newly allocated. */
static guint32 *sparse_order(guint n, HySparseEntry *entry, guint n_entries)
{
  guint32 *order = g_new(guint32, (gsize)n_entries + n);
  for (guint32 k = 0; k < n_entries + n; k++) {
    order[k] = k;
  }
  for (guint32 i = 0; i < n; i++) {
    entry[n_entries + i] = (HySparseEntry){i, i};
  }
  g_qsort_with_data(order, (gint)(n_entries + n), sizeof *order, by_column, entry);
  return order;
}

static void sparse_fill(HySparse *s, const HySparseEntry *entry, guint n_entries, gsize *place)
{
  g_autofree HySparseEntry *all = g_new(HySparseEntry, (gsize)n_entries + s->n);
  memcpy(all, entry, n_entries * sizeof *entry);
  g_autofree guint32 *order = sparse_order(s->n, all, n_entries);
  gsize at = 0;
  for (guint32 k = 0; k < n_entries + s->n; k++) {
    const HySparseEntry *e = &all[order[k]], *last = k > 0 ? &all[order[k - 1]] : NULL;
    if (last == NULL || last->column != e->column || last->row != e->row) {
      s->row[at++] = (int)e->row;
      s->column[e->column + 1] = (int)at;
    }
    if (order[k] < n_entries) {
      place[order[k]] = at - 1;
    }
  }
}

HySparse *hy_sparse_new(guint n, const HySparseEntry *entry, guint n_entries, gsize *place)
{
  HySparse *s = g_new0(HySparse, 1);
  s->n = n;
  s->column = g_new0(int, (gsize)n + 1);
  s->row = g_new0(int, (gsize)n + n_entries);
  sparse_fill(s, entry, n_entries, place);
  s->m = g_new0(double, 2 * hy_sparse_size(s));
  klu_defaults(&s->common);
  s->symbolic = klu_analyze((int)n, s->column, s->row, &s->common);
  if (s->symbolic == NULL) {
    g_clear_pointer(&s, hy_sparse_free);
  }
  return s;
}

void hy_sparse_free(HySparse *s)
{
  if (s != NULL) {
    klu_z_free_numeric(&s->numeric, &s->common);
    klu_free_symbolic(&s->symbolic, &s->common);
    g_free(s->column);
    g_free(s->row);
    g_free(s->m);
    g_free(s);
  }
}

gsize hy_sparse_size(const HySparse *s)
{
  return (gsize)s->column[s->n];
}

/* Its pivots are its own, and not those of the last one: a copy of a simulation goes on alike. */
gboolean hy_sparse_factor(HySparse *s, const double *a, double h)
{
  s->half = 0.5 * h;
  for (guint j = 0; j < s->n; j++) {
    for (int k = s->column[j]; k < s->column[j + 1]; k++) {
      double part = -s->half * a[k];
      s->m[2 * (gsize)k] = part + (s->row[k] == (int)j ? 1.0 : 0.0);
      s->m[2 * (gsize)k + 1] = part;
    }
  }
  klu_z_free_numeric(&s->numeric, &s->common);
  s->numeric = klu_z_factor(s->column, s->row, s->m, s->symbolic, &s->common);
  return s->numeric != NULL;
}

gboolean hy_sparse_solve(HySparse *s, const double *g, const double *slope, double complex *w)
{
  double *part = (double *)w, zero = 0.0;
  for (guint i = 0; i < s->n; i++) { /* g + alpha h u' */
    double more = slope != NULL ? s->half * slope[i] : 0.0;
    part[2 * (gsize)i] = g[i] + more;
    part[2 * (gsize)i + 1] = more;
  }
  gboolean ok = klu_z_solve(s->symbolic, s->numeric, (int)s->n, 1, part, &s->common) == TRUE;
  for (gsize i = 0; i < 2 * (gsize)s->n && ok; i++) {
    zero += 0.0 * part[i];
  }
  return ok && zero == 0.0;
}

void hy_sparse_apply(const HySparse *s, const double *a, const double *v, gboolean sizes,
                     double *out)
{
  for (guint j = 0; j < s->n; j++) {
    for (int k = s->column[j]; k < s->column[j + 1]; k++) {
      out[s->row[k]] += (sizes ? fabs(a[k]) : a[k]) * v[j];
    }
  }
}

#else

HySparse *hy_sparse_new(guint n, const HySparseEntry *entry, guint n_entries, gsize *place)
{
  (void)n, (void)entry, (void)n_entries, (void)place;
  return NULL;
}

void hy_sparse_free(HySparse *s)
{
  (void)s;
}

gsize hy_sparse_size(const HySparse *s)
{
  (void)s;
  return 0;
}

gboolean hy_sparse_factor(HySparse *s, const double *a, double h)
{
  (void)s, (void)a, (void)h;
  return FALSE;
}

gboolean hy_sparse_solve(HySparse *s, const double *g, const double *slope, double complex *w)
{
  (void)s, (void)g, (void)slope, (void)w;
  return FALSE;
}

void hy_sparse_apply(const HySparse *s, const double *a, const double *v, gboolean sizes,
                     double *out)
{
  (void)s, (void)a, (void)v, (void)sizes, (void)out;
}

#endif
