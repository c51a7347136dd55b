/* Numbers drawn by lot, and points that fill a cube evenly. Counter-based: each is a pure function
 * of a seed, a name and a number k, so run k has the same one whoever computes it, in whichever
 * order, and another name or another run changes none. Integers, sums, products, quotients and
 * square roots alone: the same bits on every machine. */
#ifndef HYDEVS_NUMERICS_DRAW_H
#define HYDEVS_NUMERICS_DRAW_H

#include <stdint.h>

/* 64 equally probable bits. */
uint64_t hy_draw_bits(uint64_t seed, const char *name, uint64_t k);
/* Uniform in (0, 1), both ends excluded: the middle of one of 2^52 equal cells. */
double hy_draw_unit(uint64_t seed, const char *name, uint64_t k);

/* Latin hypercube: for k = 0 .. n - 1 exactly one value in each of the n equal parts of (0, 1), and
 * a uniform place in it. n < HY_LATIN_MOST. */
#define HY_LATIN_MOST (UINT64_C(1) << 40)
double hy_draw_latin(uint64_t seed, const char *name, uint64_t k, uint64_t n);

/* Coordinate DIMENSION of point k of the Sobol sequence, in [0, 1); point 0 is the origin. The
 * order is that of Antonov and Saleev, the direction numbers are those of Joe and Kuo. k < 2^52. */
#define HY_SOBOL_DIMENSIONS 256U
double hy_draw_sobol(unsigned dimension, uint64_t k);
/* The same scrambled as Owen does: each binary digit is turned over or not by a coin that hangs on
 * the digits before it. In (0, 1); each value alone is uniform, and the first 2^m points still have
 * one in each of 2^m equal parts, so their mean has no bias and an error that falls faster. */
double hy_draw_owen(uint64_t seed, const char *name, unsigned dimension, uint64_t k);

/* Quantiles, to the last bit: u of all values are below. */
double hy_draw_normal(double u); /* mean 0, deviation 1; 0 < u < 1 */
/* Of the same where it is between a and b, a < b, which are not both beyond HY_DRAW_FAR on one
 * side.
 */
#define HY_DRAW_FAR 30.0
double hy_draw_truncated(double a, double b, double u);

#endif
