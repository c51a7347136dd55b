/* A piece that stays within limits, as what is limited does: min, max, saturation. It is the piece
 * of what is limited from the crossing of one limit to that of the next one, and ends there. Both
 * instants are rounded, the crossing may be passed by as a touch, and where the piece is a
 * truncated series it may be somewhat beyond already. Who takes a root or a duty of it must not see
 * that. */
#ifndef HYDEVS_NUMERICS_CONFINE_H
#define HYDEVS_NUMERICS_CONFINE_H

/* C, of N coefficients, counts from T on; at DUE a mode turns, and another piece is made (INFINITY:
 * none does). The result is the instant at which this one ends before that, or INFINITY: where it
 * gets to a limit; and where it starts beyond one it rests there, until it would come back. Until
 * then its values, as hy_poly_at() computes them, are not below LOWER nor above UPPER. c[0] is
 * moved nowhere but to the limit that it is beyond, and the others by what is rounding at the end.
 */
double hy_confine(double *c, int n, double lower, double upper, double t, double due);

#endif
