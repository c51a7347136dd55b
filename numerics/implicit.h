/* The linearly implicit step of any number of states at once: LIQSS2 with x, q, u as vectors and a
 * matrix A. For states that are stiff together and whose equations are not linear.
 *
 *   q(h) = x(h),  q'(h) = x'(h),  x' = A q + u,  u and q of degree 1
 *
 * A is a band; a full matrix is one whose band has n - 1 diagonals on each side. */
#ifndef HYDEVS_NUMERICS_IMPLICIT_H
#define HYDEVS_NUMERICS_IMPLICIT_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct {
  int n, low, up;  /* A[i][j] is 0 where j < i - low or j > i + up */
  const double *a; /* [n][low + 1 + up]: A[i][j] at [i][j - i + low] */
} HyBanded;

/* The place of A[i][j] in the array. */
static inline size_t hy_banded_place(const HyBanded *b, int i, int j)
{
  return (size_t)i * (size_t)(b->low + 1 + b->up) + (size_t)(j - i + b->low);
}

/* I - alpha h A, eliminated. */
typedef struct {
  HyBanded a;
  double half; /* h/2 */
  bool chain;  /* with no exchange of rows */
  /* Else M[i][j] at [i stride + j + shift]: U with 1/diagonal, factors below; PIVOT: the row taken
   * at each column. Of a chain: 1/diagonal, and what stands above it. */
  int stride, shift;
  double complex *m, *pivot;
} HyImplicit;

/* For a step H > 0. ROOM: hy_implicit_room(), kept as long as F is used. False: singular, or not
 * finite. */
size_t hy_implicit_room(int n, int low, int up); /* of double complex */
bool hy_implicit_factor(HyImplicit *f, const HyBanded *a, double h, double complex *room);
/* W, with x' = G now and slopes SLOPE of the inputs; NULL: none. False: not finite. */
bool hy_implicit_solve(const HyImplicit *f, const double *g, const double *slope,
                       double complex *w);

/* The step of one of the states, from X on. */
typedef struct {
  double x;          /* at its end */
  double dx, second; /* x' at its beginning, and x'' */
  double q, dq;      /* q at its beginning, and q' */
} HyImplicitStep;

static inline HyImplicitStep hy_implicit_step(double x, double h, double complex w)
{
  double re = creal(w), im = cimag(w);
  return (HyImplicitStep){x + h * re, re - im, 2.0 * im / h, x - h * im, re + im};
}

#endif
