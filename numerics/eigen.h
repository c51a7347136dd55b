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

#endif
