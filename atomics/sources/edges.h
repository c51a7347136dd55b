/* Instants of everything periodic: one form, so that equal parameters give equal instants in all
 * blocks. Never a running sum. */
#ifndef HYDEVS_ATOMICS_SOURCES_EDGES_H
#define HYDEVS_ATOMICS_SOURCES_EDGES_H

#include <math.h>

/* T (k + (phase + part)): in period k, the part 0 .. 1 of it that has passed. */
static inline double hy_edge(double T, double k, double phase, double part)
{
  return T * (k + (phase + part));
}

/* The last k with an edge at or before t. */
static inline double hy_edge_before(double T, double phase, double part, double t)
{
  double k = floor(t / T - (phase + part));
  while (hy_edge(T, k, phase, part) > t) {
    k--;
  }
  while (hy_edge(T, k + 1, phase, part) <= t) {
    k++;
  }
  return k;
}

/* Whether k can still be counted at T. */
static inline int hy_edge_countable(double T, double t)
{
  return T > 0 && isfinite(T) && fabs(t / T) < 0x1p50;
}

#endif
