/* One unknown of an algebraic loop, z = g(z), whose g somebody else computes: one value goes out,
 * one answer comes back.
 *
 *   z2 = z1 + (g1 - z1) / (1 - s),  s = (g1 - g0) / (z1 - z0)
 *
 * The slope s is kept from one solution to the next, so that a linear loop needs two answers after
 * a change outside: one that tells of it, one that confirms. Once the residual g - z has been seen
 * with both signs z stays between these two places.
 *
 * Solved is what leaves a small residual; a small step says nothing (a diode). What has no solution
 * fails, and residual says by how much. Several unknowns at once: newton.h. */
#ifndef HYDEVS_NUMERICS_LOOP_H
#define HYDEVS_NUMERICS_LOOP_H

#include <stdbool.h>

typedef struct {
  double abs, rel; /* solved: |g - z| <= abs + rel |z| */
  int max;         /* answers in one solution */
  bool fixed;      /* s = 0 always: z2 = g1, for teaching */

  double z;   /* what has gone out last */
  double s;   /* dg/dz; 0 at first, */
  bool known; /* until it is */
  double residual;
  int answers;         /* in this solution, and */
  double z_was, r_was; /* the answer before, if there was one */
  double above, below; /* where the residual was > 0 and < 0; NaN: nowhere yet */
  bool solved;
  bool singular; /* after FAILED: s is 1 wherever it was looked, and no residual had another sign */
} HyLoop;

typedef enum { HY_LOOP_SOLVED, HY_LOOP_AGAIN, HY_LOOP_FAILED } HyLoopEnd;

/* After the owner has filled in abs, rel, max and fixed. z = Z0 goes out. */
void hy_loop_start(HyLoop *l, double z0);

/* G is the loop's answer to z. AGAIN: the new z has to go out. An answer after a solution begins
 * the next one. */
HyLoopEnd hy_loop_answer(HyLoop *l, double g);

/* Slopes obey the same equation, linear: z' from the answer DG to the slope DZ that went out. So do
 * higher derivatives, as long as s changes slowly. */
double hy_loop_slope(const HyLoop *l, double dg, double dz);

#endif
