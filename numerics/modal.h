/* x' = A x + u(s), solved exactly by the modes of A, u being a polynomial in the time s since the
 * start. Between two events a switched circuit is such a system: no step size, no error but
 * rounding.
 *
 *   A = V diag(l) W,  W = V^-1,  y = W x,  y_k' = l_k y_k + w_k(s),  w = W u
 *
 * All times are local to the motion: rates of 1e13 have instants that a time since the start of a
 * run could not tell apart. */
#ifndef HYDEVS_NUMERICS_MODAL_H
#define HYDEVS_NUMERICS_MODAL_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

static inline double complex hy_complex(double re, double im)
{
  union {
    double part[2];
    double complex z;
  } u = {{re, im}};
  return u.z;
}

/* a b, without the care for infinite factors that the language prescribes. */
static inline double complex hy_times(double complex a, double complex b)
{
  double re = creal(a) * creal(b) - cimag(a) * cimag(b);
  double im = creal(a) * cimag(b) + cimag(a) * creal(b);
  return hy_complex(re, im);
}

#define HY_MODAL_LANES 4 /* coefficients of an input */

typedef struct {
  int n, modes; /* of two conjugates one is kept */
  double *a;    /* [n][n], by rows */
  double complex
      *rate; /* [modes]: l, the fastest first; of equal ones those after the first FOLLOW */
  double complex *time; /* [modes]: 1/l, or 0 */
  double *follows;      /* [modes]: 1 or 0 */
  double complex *from; /* [n][modes]: x = Re(from y) */
  double complex *to;   /* [modes][n]: y = to x */
  double condition;     /* |V| |W| in balanced units: what rounding is multiplied by */
} HyModal;

/* Of numbers, a place for M; A is copied. False: A is not finite, or has no modes. */
size_t hy_modal_room(int n); /* of double complex */
bool hy_modal_init(HyModal *m, int n, const double *a, double complex *room);

/* One motion of it, from x(0). */
typedef struct {
  const HyModal *modal;
  int lanes;             /* of the inputs: behind them all are 0 */
  const double *x0, *u;  /* [n]; [n][HY_MODAL_LANES]; the caller's, as long as the motion is used */
  double complex *drive; /* [modes][HY_MODAL_LANES]: y'(0), then w_1 ... */
} HyMotion;

void hy_motion_init(HyMotion *m, const HyModal *modal, int lanes, const double *x0, const double *u,
                    double complex *drive);
/* X [n] and its derivative DX, which may be NULL, at S >= 0. */
void hy_motion_at(const HyMotion *m, double s, double *x, double *dx);

/* y(s) - y(0) of mode K, and y'(s). */
double complex hy_motion_mode(const HyMotion *m, int k, double s, double complex *rate);

/* What is watched along a motion: z(s) = c x(s) + d(s). */
typedef struct {
  double z0, d[HY_MODAL_LANES]; /* z(0); d without d(0), which is in z0 */
  const double complex *weight; /* [modes]: c V */
} HyMotionLine;

/* WEIGHT becomes c V: the same for all motions. */
void hy_modal_weigh(const HyModal *m, const double *c, double complex *weight);
/* D are coefficients. */
HyMotionLine hy_motion_line(const HyMotion *m, const double *c, const double *d,
                            const double complex *weight);
double hy_motion_line_at(const HyMotion *m, const HyMotionLine *line, double s, double *slope);
/* The first s in FROM .. UNTIL at which z, positive before, is not so any more: INFINITY if there
 * is none up to *SAFE, which is UNTIL unless that would take too many looks. At FROM z may be 0, or
 * wrong by rounding, while it rises; else that is the answer. WORK is [modes]. */
double hy_motion_falls(const HyMotion *m, const HyMotionLine *line, double from, double until,
                       double *safe, double complex *work);

/* phi_0 ... phi_k of Z, phi_0 = e^z, phi_(j+1) = (phi_j - 1/j!)/z. */
void hy_phi(double complex z, int k, double complex *phi);

#endif
