/* The spectrum of a small real matrix by blocks, A = V T W, W = V^-1: T is diagonal but for
 * clusters, rates that lie so near to each other that each has no vector of its own; such a cluster
 * is an upper triangle.
 *
 * Balancing (Osborne; Parlett and Reinsch) within the strongly connected parts of A, which stand
 * one behind the other, Householder's reflections to Hessenberg form, QR steps with two implicit
 * shifts (Francis; Golub and van Loan, Matrix Computations, chapter 7) give a triangle Q* A Q. It
 * becomes blocks by columns of T X = X diag(T_cc),
 *
 *   (t_ii - t_jj) x_ij = - sum over k > i of t_ik x_kj + sum over k in j's cluster, k < j, of x_ik
 * t_kj,
 *
 * each rate being alone at first. Where an x is large and both rates are near, their clusters
 * become one, until none are left (C. Bavely, G. Stewart, An algorithm for computing reducing
 * subspaces by block diagonalization). No element of A is disturbed, and V is far from singular
 * whatever A is.
 *
 * Rounding in the QR algorithm is that of the largest element, and mixes all modes whose rates are
 * less than that. So where doubles would be wrong by more than 1e-10 per second all is done in
 * numbers of 106 bits (two.h), and rounded at the end: fast rates of 1e16 leave slow ones sixteen
 * digits then, if the elements have them: -(G + g)/C, rounded, is wrong by as much as g/C may be,
 * where g/C is what is slow. So who has made A is asked for what it has lost. The steps are written
 * once, in spectrum_steps.h. */
#ifndef HYDEVS_NUMERICS_SPECTRUM_H
#define HYDEVS_NUMERICS_SPECTRUM_H

#include <complex.h>
#include <stdbool.h>

/* All matrices by rows; columns of V, rows of W, of the modes that count. */
typedef struct {
  int n;
  double
      *units; /* [n]: in these rows and columns of A are of one size, as far as that can be had */
  double complex *v, *t, *w; /* [n][n]; of T what is outside clusters is not written */
  int *first;                /* [n]: where the cluster begins that this one belongs to */
  int *counts;               /* [n]: 1; 2 with a conjugate, whose cluster counts 0 */
} HySpectrum;

/* LOST, [n][n], zeroed, becomes what the matrix is beyond A: what rounding has taken from its
 * elements. */
typedef void HySpectrumLost(void *user, double *lost);

/* Where doubles do not do LOST is asked for by its USER; NULL: A is the matrix. False: A is not
 * finite, or no convergence, or no memory. */
bool hy_spectrum(const double *a, HySpectrumLost *lost, void *user, HySpectrum *s);

/* For hy_spectrum(): of A and what it has LOST (NULL: nothing) in the UNITS and in the order of
 * STATES [n], in numbers of 53 bits or 106. */
bool hy_spectrum_in_doubles(const double *a, const double *lost, const int *states, HySpectrum *s);
bool hy_spectrum_in_twos(const double *a, const double *lost, const int *states, HySpectrum *s);

#endif
