/* The matrix of a linearly implicit step (numerics/implicit.h) of a group: A, the exact Jacobian of
 * its rows with hubs put in, and u', what the slopes of its inputs make of f. */
#ifndef HYDEVS_GROUPS_CLASSIC_MATRIX_H
#define HYDEVS_GROUPS_CLASSIC_MATRIX_H

#include "classic_internal.h"

#include <complex.h>

typedef struct HyMatrix HyMatrix;

/* How many places away what a row reads may be, at most. */
guint hy_matrix_width(const HyClassic *g);
/* NULL: it is too large for a band, and not SPARSE, or cannot be that. */
HyMatrix *hy_matrix_new(const HyClassic *g, gboolean sparse);
void hy_matrix_free(HyMatrix *b); /* NULL is fine */

/* A at T and X. */
void hy_matrix_put(HyClassic *g, HyMatrix *b, double t, const double *x);
/* u' at T, [n], with the partials of the last A; of the matrix. */
const double *hy_matrix_slopes(const HyClassic *g, HyMatrix *b, double t);
void hy_matrix_tape(const HyMatrix *b, HyTape *tape); /* A */
/* OUT = A V, or |A| V. */
void hy_matrix_apply(const HyMatrix *b, const double *v, gboolean sizes, double *out);

/* As hy_implicit_factor() and hy_implicit_solve(). */
gboolean hy_matrix_factor(HyMatrix *b, double h);
gboolean hy_matrix_solve(HyMatrix *b, const double *f, const double *slope, double complex *w);

#endif
