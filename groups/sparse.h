/* I - alpha h A of a linearly implicit step (numerics/implicit.h) where A is sparse and no band:
 * eliminated by KLU of SuiteSparse (T. Davis), complex, in an order that is found once. */
#ifndef HYDEVS_GROUPS_SPARSE_H
#define HYDEVS_GROUPS_SPARSE_H

#include <complex.h>
#include <glib.h>

typedef struct HySparse HySparse;

/* An element of A that may differ from 0. */
typedef struct {
  guint32 row, column;
} HySparseEntry;

/* Of N rows. PLACE of each entry becomes where it is added to the array of A, [hy_sparse_size()];
 * equal ones share theirs. NULL: there is no KLU, or no memory. */
HySparse *hy_sparse_new(guint n, const HySparseEntry *entry, guint n_entries, gsize *place);
void hy_sparse_free(HySparse *s); /* NULL is fine */
gsize hy_sparse_size(const HySparse *s);

/* As hy_implicit_factor() and hy_implicit_solve(). */
gboolean hy_sparse_factor(HySparse *s, const double *a, double h);
gboolean hy_sparse_solve(HySparse *s, const double *g, const double *slope, double complex *w);
/* OUT += A V, or |A| V. */
void hy_sparse_apply(const HySparse *s, const double *a, const double *v, gboolean sizes,
                     double *out);

#endif
