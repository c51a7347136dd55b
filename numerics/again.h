/* Modes of a matrix whose rates lie so many decades apart that eigenvectors in 53 bits are not its
 * own: the QR algorithm is right to the last digit of the fastest rate, and mixes all modes whose
 * rates are less than that (Golub and van Loan, Matrix Computations, chapter 7.2).
 *
 * What it leaves is a basis S. B = S^-1 A S, in products of twofold precision (T. Dekker, A
 * floating-point technique for extending the available precision), is similar to A to all digits of
 * A; it is diagonal but for what is wrong with S. Modes that it does not tell apart are found again
 * from their own block of B, in which no faster rate is; of the others S is corrected to first
 * order. Both are repeated until there is nothing to correct. */
#ifndef HYDEVS_NUMERICS_AGAIN_H
#define HYDEVS_NUMERICS_AGAIN_H

#include <complex.h>
#include <stdbool.h>

/* All as of hy_eigen_raw() in eigen.h, in any order; UNITS balance A. False: V is too nearly
 * singular, as of a matrix with too few vectors, or comes to no rest; VALUE, RIGHT and LEFT are as
 * they were. */
bool hy_eigen_again(int n, const double *a, const double *units, double complex *value,
                    double complex *right, double complex *left);

#endif
