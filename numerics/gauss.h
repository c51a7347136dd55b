/* Gauss's rule of 8 points, for what is no polynomial and smooth: the integral of f over 0 .. h is
 * that of a polynomial of degree 15. By the theory (R. Piessens and others, QUADPACK, 1983, 2) it
 * misses h^17 (8!)^4/(17 (16!)^3) of the 16th derivative, so of what turns by w, or decays at the
 * rate w, less than 5e-15 h of its size as long as w h is HY_GAUSS_TURN at most: half a turn. */
#ifndef HYDEVS_NUMERICS_GAUSS_H
#define HYDEVS_NUMERICS_GAUSS_H

#define HY_GAUSS_POINTS 8
#define HY_GAUSS_TURN   3.14159265358979323846

/* Of 0 .. 1. */
extern const double hy_gauss_point[HY_GAUSS_POINTS], hy_gauss_weight[HY_GAUSS_POINTS];

#endif
