/* mLIQSS: LIQSS for many variables that sees when two of them would make each other oscillate, and
 * then gives both a new q from one implicit step (pair.h). The decision of one own step, over the
 * few things that it has to ask its owner; no clock, no memory of its own.
 *
 * Between own steps every variable is one of LIQSS of the same order: the owner
 * calls start, derivative and reset of it, and here only what replaces step. */
#ifndef HYDEVS_NUMERICS_MLIQSS_H
#define HYDEVS_NUMERICS_MLIQSS_H

#include "quantizer.h"

#include <stdbool.h>

/* A j != i such that f_i reads q_j and f_j reads q_i; BY_J is the place of j among what f_i reads,
 * BY_I that of i among what f_j reads, both as the owner counts. */
typedef struct {
  unsigned j, by_j, by_i;
} HyMliqssPartner;

#define HY_MLIQSS_SELF (~0U) /* the place of i among what f_i reads itself */

typedef struct {
  int n;                   /* the order: 1, 2, 3 */
  const HyQuantizer *solo; /* LIQSS of that order */
  HyQState *const *v;      /* the variables; the owner's, as USER is */
  void *user;

  /* A_ij = d f_i / d q_j at t, all q as they are now; PLACE: of j */
  double (*partial)(void *user, unsigned i, unsigned place, double t);
  /* of i; valid until the step is over */
  const HyMliqssPartner *(*partners)(void *user, unsigned i, unsigned *count);
  /* v[i] has a new piece of q, and so has v[j], unless j is i: all rows that read one of them are
   * evaluated at once, with both, and their variables given the derivative. It finds tn of v[i] and
   * v[j], which may be what it was before; where a row does not read its own q, tn is new. The q of
   * the others must not change. */
  void (*changed)(void *user, unsigned i, unsigned j, double t);

  /* what happened, for whoever wants to know */
  unsigned long steps;     /* new pieces of q; a pair counts 2 */
  unsigned long conflicts; /* oscillations foreseen */
  unsigned long pairs;     /* of them solved by a pair step */
  unsigned long looks;     /* in the search for the h of pairs */
  unsigned long solves;    /* of linear systems for pairs */
} HyMliqss;

/* The own step of i at t: new pieces for i and for those partners that need one, one after the
 * other, each with its call of changed. Before it the owner may refresh v[i] (quantizer.h). */
void hy_mliqss_step(HyMliqss *m, unsigned i, double t);

/* After f_i itself has become another one (a switch, a diode) and v[i] has its derivative: if q_i
 * is within a quantum of where the new f_i holds it, it goes on in parallel to that, with a call of
 * changed. Its slope was chosen under the old f_i and may be a hundred times too steep: it would
 * run into the next crossing at once, and the slope after that be as wrong. q_i does not jump, and
 * this is no step. */
void hy_mliqss_follow(HyMliqss *m, unsigned i, double t);

/* The test for significant changes between two derivatives of N coefficients: for some coefficient
 * another sign, or a ratio above 3. */
bool hy_mliqss_changed(const double *a, const double *b, int n);

#endif
