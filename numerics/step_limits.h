/* How far a classic step may go for the sake of its neighbours, whose signals are polynomial
 * pieces: two limits that the error estimate of the method does not know of. */
#ifndef HYDEVS_NUMERICS_LIMITS_H
#define HYDEVS_NUMERICS_LIMITS_H

/* An input signal q has begun a new piece, E after the beginning of the step. A method that looks
 * at q only at its own two ends takes the line between them; how wrong may that be? */
typedef struct {
  double e;
  double begin;        /* q at the beginning of the step */
  double value, slope; /* q and q' of the new piece */
  double integral;     /* of the true q over the e so far */
} HyInputChange;

/* The longest step, from its beginning, for which a state with dx'/dq = A errs by no more than
 * TOLERANCE; E: it has to end now. INFINITY: no limit. */
double hy_input_limit(const HyInputChange *c, double a, double tolerance);

/* The neighbours have extrapolated x with a polynomial of degree ORDER for H, and MISSED it by
 * that much. The next step after which they would be wrong by TOLERANCE, within [H/10, 4 H]. */
double hy_output_limit(double h, double missed, double tolerance, int order);

#endif
