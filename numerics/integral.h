/* Integrals over a piece of a signal, 0 <= s <= h, of polynomials with four coefficients. Exact to
 * rounding. */
#ifndef HYDEVS_NUMERICS_INTEGRAL_H
#define HYDEVS_NUMERICS_INTEGRAL_H

double hy_integral(const double *c, double h);
double hy_integral_of_product(const double *a, const double *b, double h);
/* Of p(s) cos(w s) and of p(s) sin(w s), w >= 0. */
void hy_integral_of_waves(const double *c, double h, double w, double *cosine, double *sine);

#endif
