/* Small dense linear systems: factors P A = L U by elimination with row pivoting. Matrices are rows
 * one after the other, a[row * n + column]. For the Newton iterations of blocks with a few dozen
 * unknowns; nothing here looks for zeros. */
#ifndef HYDEVS_NUMERICS_DENSE_H
#define HYDEVS_NUMERICS_DENSE_H

#include <stdbool.h>

/* A becomes its factors, PIVOT the row taken at each column (numbers, so that one array of double
 * holds a whole workspace). False: singular, or not finite; COLUMN, if not NULL, then says where.
 */
bool hy_dense_factor(int n, double *a, double *pivot, int *column);

/* B becomes the solution. */
void hy_dense_solve(int n, const double *a, const double *pivot, double *b);

#endif
