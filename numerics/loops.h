/* Several unknowns of algebraic loops, z = g(z), whose g somebody else computes: all values go out,
 * all answers come back.
 *
 *   z := z + l M^-1 (g - z),  M = I - S,  S = dg/dz
 *
 * S comes from n rounds in which one unknown after the other is moved a little, and is kept from
 * one solution to the next, so that a linear loop needs two answers after a change outside. Each
 * answer corrects it in the direction of the last step (Broyden's update). l = 1, 1/2, 1/4 ...: a
 * step counts only if it leads nearer, |M^-1 r| becoming smaller; where steps gain little, S is
 * found anew.
 *
 * One unknown goes to loop.h, which keeps it within a bracket; Newton's method, which finds S anew
 * at every step, stays here. Solved is what leaves a small residual. */
#ifndef HYDEVS_NUMERICS_LOOPS_H
#define HYDEVS_NUMERICS_LOOPS_H

#include "loop.h"

#include <stddef.h>

typedef enum { HY_LOOP_SECANT, HY_LOOP_NEWTON, HY_LOOP_FIXED_POINT } HyLoopMethod;

typedef struct {
  int n;
  HyLoopMethod method;
  double abs, rel; /* solved: |g - z| <= abs + rel |z| for every unknown */
  int max;         /* answers in one solution */
  double *room;    /* hy_loops_room(n) doubles */

  double *z;       /* [n]: what has gone out last */
  double residual; /* the largest |g - z| of the last answer, and whose it is */
  int worst;
  int column;  /* after FAILED: the unknown that the loop does not determine; -1: another reason */
  int answers; /* in this solution */

  /* Private. */
  HyLoop one;
  int singular; /* the column of the last S that has no inverse, -1: it has one */
  int probe;    /* the unknown that is moved; -1: none */
  double moved; /* by so much */
  double gain;  /* l */
  double before;
  bool based, known, fresh, ended; /* there is a base; S is known; it is of the base; solved */
} HyLoops;

size_t hy_loops_room(int n);

/* After the owner has filled in the first part. z = Z0 goes out. */
void hy_loops_start(HyLoops *l, const double *z0);

/* G is the loop's answer to z. AGAIN: the new z has to go out. An answer after the end of a
 * solution begins the next one; the owner sets z to what is out then. */
HyLoopEnd hy_loops_answer(HyLoops *l, const double *g);

/* Slopes obey the same equations, linear: DZ, which went out, becomes z' from the answer DG. */
void hy_loops_slope(HyLoops *l, const double *dg, double *dz);

/* The values being as they were, a change DZ of the slopes has changed the answer by DG: what S
 * is in this direction, exactly. */
void hy_loops_learn(HyLoops *l, const double *dz, const double *dg);

#endif
