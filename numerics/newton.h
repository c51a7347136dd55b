/* Newton's iteration for F(z) = 0 of several unknowns, with a dense Jacobian: the implicit steps of
 * classic.h and the algebraic loops.
 *
 *   J dz = -F(z),  z += l dz,  l = 1, 1/2, 1/4 ... the first for which |J^-1 F(z + l dz)| < |J^-1
 * F(z)|
 *
 * The test compares distances in z and not residuals (Deuflhard's natural monotonicity), so the
 * units of the equations do not matter, and a diode does not overflow. As long as that correction
 * shrinks fast the factors of J are used again.
 *
 * What has not converged is never called solved: the answer is a reason, and z is of no use. */
#ifndef HYDEVS_NUMERICS_NEWTON_H
#define HYDEVS_NUMERICS_NEWTON_H

#include <stdbool.h>
#include <stddef.h>

typedef enum {
  HY_NEWTON_SOLVED,
  HY_NEWTON_TOO_MANY,   /* MAX iterations */
  HY_NEWTON_SINGULAR,   /* J has no inverse; COLUMN says which unknown cannot be found */
  HY_NEWTON_STUCK,      /* nowhere along dz is nearer: no solution, or none to this tolerance */
  HY_NEWTON_NOT_FINITE, /* F(z) */
} HyNewtonEnd;

typedef struct {
  int n;
  void (*residual)(void *user, const double *z, double *r);
  void (*jacobian)(void *user, const double *z, double *j); /* dF/dz by rows; NULL: differences */
  void *user;
  double abs, rel; /* abs > 0: solved when |r| <= abs + rel |z| in every equation, */
  bool by_step;    /* or else when a full |dz| <= abs + rel |z| in every unknown */
  bool distance;   /* only then: the units of r are not those of z */
  double typical;  /* differences: an unknown nearer to 0 is moved as if it had this size */
  int max;         /* iterations */
  double *room;    /* hy_newton_room(n) doubles */

  int iterations, jacobians; /* of all solutions so far: the owner sets them to 0 */
  double worst;              /* the largest |r| when the last solution ended, */
  int worst_at;              /* and the equation that has it */
  int column;                /* where J was singular */
} HyNewton;

size_t hy_newton_room(int n);

/* Z is the guess and becomes the solution. */
HyNewtonEnd hy_newton_solve(HyNewton *s, double *z);

/* One linear step without any test: dz for the residual R at Z. False: J is singular there. */
bool hy_newton_direction(HyNewton *s, const double *z, const double *r, double *dz);
/* Another one with the J of the last. */
void hy_newton_again(const HyNewton *s, const double *r, double *dz);

#endif
