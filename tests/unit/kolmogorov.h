/* For tests of several rooms: whether numbers are drawn from a distribution, by A. Kolmogorov and
 * N. Smirnov. */
#ifndef HYDEVS_TESTS_KOLMOGOROV_H
#define HYDEVS_TESTS_KOLMOGOROV_H

#include <math.h>
#include <stdlib.h>

/* 1 % of all samples are farther away; 1e-4: 2.23. */
#define KS_ONE_PERCENT  1.63
#define KS_ONE_IN_10000 2.23

static inline int ks_compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The largest distance between the drawn and the true distribution function, times sqrt(n). Sorts
 * X. */
static inline double ks_distance(double *x, unsigned n, double (*cdf)(double))
{
  double worst = 0;
  qsort(x, n, sizeof *x, ks_compare);
  for (unsigned k = 0; k < n; k++) {
    double f = cdf(x[k]);
    worst = fmax(worst, fmax(f - (double)k / n, (k + 1.0) / n - f));
  }
  return worst * sqrt(n);
}

static inline double ks_uniform(double x)
{
  return x;
}

#endif
