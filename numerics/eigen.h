/* Eigenvalues and eigenvectors of a small real matrix, A = V diag(l) V^-1, by the QR algorithm in
 * complex arithmetic; of a real matrix, so that values are real or pairs of exact conjugates. Rates
 * may be 13 decades and more apart: where the matrix says the slow ones they are right, too. For
 * matrices of up to a few hundred rows, for reports and not for every step.
 *
 * Where eigenvalues coincide V may be nearly singular: single columns then say nothing, sums over
 * the equal ones do. */
#ifndef HYDEVS_NUMERICS_EIGEN_H
#define HYDEVS_NUMERICS_EIGEN_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

size_t hy_eigen_room(int n); /* of double complex */

/* All matrices by rows. VALUE falls by its size, the positive imaginary part of a pair first; RIGHT
 * is V, its columns in that order, LEFT is V^-1. False: A is not finite, or no convergence. */
bool hy_eigen(int n, const double *a, double complex *value, double complex *right,
              double complex *left, double complex *room);
/* Likewise, values as the algorithm leaves them: of a real matrix they are real or conjugates but
 * for rounding, and go with their columns to the last digit, also where two nearly coincide. UNITS
 * [n] (NULL: not asked): in these rows and columns of A are of one size, as far as that can be had.
 */
bool hy_eigen_raw(int n, const double *a, double complex *value, double complex *right,
                  double complex *left, double *units, double complex *room);

#endif
