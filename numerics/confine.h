/* A piece that stays within limits. A signal is limited from one crossing of its limit to the next,
 * and the instant of a crossing is rounded: there, and where it only touches the limit, a piece is
 * beyond by rounding. Who takes a root or a duty of it must not see that. */
#ifndef HYDEVS_NUMERICS_CONFINE_H
#define HYDEVS_NUMERICS_CONFINE_H

/* C, of N coefficients, is evaluated from 0 to S (INFINITY: as long as you like; 0: nowhere else).
 * Afterwards its values there, as hy_poly_at() computes them, are not below LOWER nor above UPPER:
 * it is moved by what it is beyond, or shrunk by that between two limits; where it starts at a
 * limit and goes out, it rests there. */
void hy_confine(double *c, int n, double lower, double upper, double s);

#endif
