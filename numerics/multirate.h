/* Multirate integration: the states are divided into parts, each with a fixed step of its own, a
 * whole number of which makes one step of the next slower part.
 *
 * A step of a part is computed at once, with what it knows then: faster states as they are at its
 * beginning, slower ones as its INFORMATION says. Only afterwards follow the steps of the faster
 * parts within it, which get from it
 *
 *   interpolated   the line from its beginning to its end
 *   advanced       its end, in all their steps
 *   delayed        its beginning
 *
 * Parts are integrated with Euler's method or, CORRECTIONS m > 0, with backward Euler as P(EC)^m E:
 * predicted by Euler, corrected m times with what holds at the end of the step (faster states stay
 * as they were at its beginning). With two parts, and m = 0 or 2 for the fast one, these are the
 * six algorithms III.5.1 to III.5.6 of the thesis on simulators of plants. All are of order 1. */
#ifndef HYDEVS_NUMERICS_MULTIRATE_H
#define HYDEVS_NUMERICS_MULTIRATE_H

#include <stddef.h>

typedef enum { HY_RATE_INTERPOLATED, HY_RATE_ADVANCED, HY_RATE_DELAYED } HyRateInformation;

typedef struct {
  int first, n; /* its states are w[first] ... */
  int ratio;    /* its steps in one of the part before; of the slowest: in a cycle, mostly 1 */
  int corrections;
  /* dw: the derivatives of its n states; w: all states, as the part sees them */
  void (*f)(void *user, double t, const double *w, double *dw);
  long evaluations; /* counted here */
} HyRatePart;

typedef struct {
  int n;            /* states */
  int parts;        /* slowest first; together they own every state once */
  HyRatePart *part; /* the owner's */
  HyRateInformation information;
  void *user;
  double *room; /* hy_rates_room(n) doubles */
} HyRates;

size_t hy_rates_room(int n);

/* W at T becomes W at T + STEP. An owner gives T = t0 + k STEP, so that no rounding adds up. */
void hy_rates_cycle(HyRates *r, double t, double step, double *w);

/* M, n x n by rows, of a cycle w -> M w of a linear system without input: how stable the division
 * is follows from its eigenvalues, and not from those of the system. */
void hy_rates_matrix(HyRates *r, double step, double *m);

#endif
