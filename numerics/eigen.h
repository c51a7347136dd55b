/* Eigenvalues and eigenvectors of a small real matrix, A = V diag(l) V^-1, by the QR algorithm:
 * values are real or pairs of exact conjugates. Rates may be 13 decades and more apart: where the
 * matrix says the slow ones they are right, too. For matrices of up to a few hundred rows, for
 * reports and not for every step.
 *
 * Where eigenvalues coincide V may be nearly singular: single columns then say nothing, sums over
 * the equal ones do. */
#ifndef HYDEVS_NUMERICS_EIGEN_H
#define HYDEVS_NUMERICS_EIGEN_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

static inline double complex hy_complex(double re, double im)
{
  union {
    double part[2];
    double complex z;
  } u = {{re, im}};
  return u.z;
}

/* a b, without the care for infinite factors that the language prescribes. */
static inline double complex hy_times(double complex a, double complex b)
{
  double re = creal(a) * creal(b) - cimag(a) * cimag(b);
  double im = creal(a) * cimag(b) + cimag(a) * creal(b);
  return hy_complex(re, im);
}

size_t hy_eigen_room(int n); /* of double complex */

/* All matrices by rows. VALUE falls by its size, the positive imaginary part of a pair first; RIGHT
 * is V, its columns in that order, LEFT is V^-1. False: A is not finite, or no convergence. */
bool hy_eigen(int n, const double *a, double complex *value, double complex *right,
              double complex *left, double complex *room);
/* Likewise, values as the algorithm leaves them, falling by their size but with no regard to whose
 * conjugate is next: they go with their columns to the last digit, also where two nearly coincide,
 * and columns of real values are real but for rounding. Slow ones are right beside rates of any
 * size (again.h). UNITS [n]: in these rows and columns of A are of one size, as far as that can be
 * had.
 */
bool hy_eigen_raw(int n, const double *a, double complex *value, double complex *right,
                  double complex *left, double *units, double complex *room);

#endif
