/* The implicit step of two variables at once: the formulas of LIQSS with x, q, u as vectors of two
 * and a 2x2 matrix A. For two states whose q make each other oscillate, however small the quantum.
 *
 *   q(h) = x(h), q'(h) = x'(h) ... up to n-1 derivatives, under x' = A q + u, u of degree n-1
 *
 * with the largest h up to which |q - x| <= dq in both variables. Everything is a pure function of
 * what it is given; NaN, infinity and overflow lead to "no step". */
#ifndef HYDEVS_NUMERICS_PAIR_H
#define HYDEVS_NUMERICS_PAIR_H

#include <stdbool.h>

typedef struct {
  double x[2], dq[2];
  double a[2][2];
  double u[2][3]; /* u, u', u'': true derivatives, as in HyLocal */
} HyPair;

typedef struct {
  double h;       /* INFINITY: q and x run in parallel from now on */
  double q[2][3]; /* Taylor coefficients */
  int looks;      /* at |q - x| / dq for some h, by its polynomials */
  int solves;     /* of the linear system: what a step costs */
} HyPairStep;

/* n = 1, 2, 3. False: no h > 0 keeps the quanta, or the arithmetic has left the finite numbers;
 * then of STEP only the counts are of use. */
bool hy_pair_step(const HyPair *p, int n, HyPairStep *step);

/* The step for a given h, 0 < h < INFINITY; false if it is not finite. MISS is q - x at its
 * beginning. */
bool hy_pair_at(const HyPair *p, int n, double h, double (*q)[3], double *miss);

#endif
