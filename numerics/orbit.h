/* A stretch of time in which x' = A x + u(s), one after the other between events, as it is seen
 * from near by: what becomes of a small difference from the motion. Formulas in orbit.c and in
 * docs/theory.md, section 12. */
#ifndef HYDEVS_NUMERICS_ORBIT_H
#define HYDEVS_NUMERICS_ORBIT_H

#include "modal.h"

/* Mode K of M as complex numbers: x_i = sum of Re(from y), y = sum of to x_i. */
static inline double complex hy_mode_from(const HyModal *m, int k, int i)
{
  const double *from = m->from + (ptrdiff_t)m->at[k] * m->n + i;
  return m->at[k + 1] - m->at[k] == 1 ? hy_complex(from[0], 0.0) : hy_complex(from[0], -from[m->n]);
}

static inline double complex hy_mode_to(const HyModal *m, int k, int i)
{
  const double *to = m->to + (ptrdiff_t)i * m->wide + m->at[k];
  return m->at[k + 1] - m->at[k] == 1 ? hy_complex(to[0], 0.0) : hy_complex(to[0], to[1]);
}

typedef struct {
  HyMotion motion; /* from its start */
  double tau;      /* its length */
  /* What ends it, z(x, t) = 0 with dz/dx and dz/dt along the motion; GRADIENT NULL: an instant that
   * no state moves. Equations behind it are those of the next stretch. */
  const double *gradient; /* [n] */
  double slope;
} HyStretch;

/* f- - f+ at the end of stretch S; of the LAST one, whose end is no event, 0. What follows at the
 * same instant, as a latch behind a comparator, follows from it, and f+ is what holds then. WORK is
 * [3 n]. */
void hy_orbit_jump(int n, const HyStretch *s, const HyStretch *last, double *jump, double *work);
/* PHI [n][n] becomes d x(end)/d x(start), over COUNT stretches; WORK is of hy_orbit_room(n). */
size_t hy_orbit_room(int n); /* of double complex */
void hy_orbit_monodromy(int n, const HyStretch *s, int count, double *phi, double complex *work);
/* The same, a stretch at a time: PHI is 1, then what it was becomes that after S. */
void hy_orbit_start(int n, double *phi);
void hy_orbit_pass(int n, const HyStretch *s, const HyStretch *last, double *phi,
                   double complex *work);

#endif
