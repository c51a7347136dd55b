/* Which state takes part in which mode of a linear(ised) system, and whether the states can be
 * divided into fast and slow ones.
 *
 *   p_ki = u_ki v_ki, A v_i = l_i v_i, u_i' A = l_i u_i', U'V = 1
 *
 * Rows (states) and columns (modes) sum to 1. p may be negative, complex or larger than 1. */
#ifndef HYDEVS_NUMERICS_PARTICIPATION_H
#define HYDEVS_NUMERICS_PARTICIPATION_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct {
  int n;
  double complex *value; /* the fastest first */
  double complex *p;     /* p[state * n + mode] */
} HyParticipation;

typedef struct {
  double ratio; /* two classes: |l| of the one at least so many times that of the other, */
  double limit; /* and no state takes part as much as this in modes of the other class */
} HySeparation;

extern const HySeparation hy_separation; /* 4, 0.1 */

size_t hy_participation_room(int n); /* of double complex; it has to live as long as the result */

/* Of the matrix A, by rows. False: not finite, or no convergence. */
bool hy_participation(int n, const double *a, HyParticipation *result, double complex *room);

/* Columns of eigenvalues that are within CLOSE |l| of their neighbour get the mean of their
 * sum, since single ones are not unique. */
void hy_participation_cluster(HyParticipation *m, double close);

/* Divides: FAST[k] says of each state whether it is fast. The result is the number of fast states,
 * 0 if no division keeps the limits; then WORST, if not NULL, is the smallest participation in the
 * other class that some division has as its largest (INFINITY: no gap is wide enough). */
int hy_participation_divide(const HyParticipation *m, const HySeparation *limits, bool *fast,
                            double *worst);

#endif
