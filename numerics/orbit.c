/* What becomes of a small difference d from a motion (M. A. Aizerman, F. R. Gantmakher; R. I.
 * Leine, H. Nijmeijer: Dynamics and bifurcations of non-smooth mechanical systems, saltation).
 *
 * Within a stretch d' = A d, so d(tau) = e^(A tau) d(0). An event z(x, t) = 0 at its end comes
 *
 *   dt = -(dz/dx d)/(dz/dt)                     later,
 *
 * dz/dt being taken along the motion; for that long f- has held in place of f+:
 *
 *   d+ = d + (f- - f+) dt = S d,   S = I + (f+ - f-) (dz/dx)/(dz/dt)
 *
 * An instant that no state moves has S = I. The product of all is Phi. */
#include "orbit.h"

#include <math.h>
#include <string.h>

size_t hy_orbit_room(int n)
{
  return 4 * (size_t)n;
}

/* PHI becomes e^(A tau) PHI, column by column; WORK is [8 n]. */
static void orbit_move(const HyModal *m, double tau, double *phi, double *work)
{
  int n = m->n;
  double *from = work, *to = from + n, *none = to + n,
         *drive = none + (ptrdiff_t)n * HY_MODAL_LANES;
  HyMotion motion;
  memset(none, 0, (size_t)n * HY_MODAL_LANES * sizeof *none);
  for (int c = 0; c < n; c++) {
    for (int i = 0; i < n; i++) {
      from[i] = phi[(ptrdiff_t)i * n + c];
    }
    hy_motion_init(&motion, m, 1, from, none, drive);
    hy_motion_at(&motion, tau, to, NULL);
    for (int i = 0; i < n; i++) {
      phi[(ptrdiff_t)i * n + c] = to[i];
    }
  }
}

void hy_orbit_jump(int n, const HyStretch *s, const HyStretch *last, double *jump, double *work)
{
  double *x = work, *before = x + n, *after = before + n;
  const HyStretch *next = s < last ? s + 1 : s;
  while (next < last && !(next->tau > 0.0)) {
    next++;
  }
  hy_motion_at(&s->motion, s->tau, x, before);
  hy_motion_at(&next->motion, next == s ? s->tau : 0.0, x, after);
  for (int i = 0; i < n; i++) {
    jump[i] = before[i] - after[i];
  }
}

/* PHI becomes S PHI. */
static void orbit_salt(int n, const HyStretch *s, const double *jump, double *phi)
{
  for (int c = 0; c < n; c++) {
    double later = 0.0;
    for (int j = 0; j < n; j++) {
      later -= s->gradient[j] / s->slope * phi[(ptrdiff_t)j * n + c];
    }
    for (int i = 0; i < n; i++) {
      phi[(ptrdiff_t)i * n + c] += jump[i] * later;
    }
  }
}

void hy_orbit_start(int n, double *phi)
{
  for (ptrdiff_t i = 0; i < (ptrdiff_t)n * n; i++) {
    phi[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
  }
}

void hy_orbit_pass(int n, const HyStretch *s, const HyStretch *last, double *phi,
                   double complex *work)
{
  double *jump = (double *)work, *more = jump + n;
  orbit_move(s->motion.modal, s->tau, phi, (double *)work);
  if (s->gradient != NULL && s < last) {
    hy_orbit_jump(n, s, last, jump, more);
    orbit_salt(n, s, jump, phi);
  }
}

void hy_orbit_monodromy(int n, const HyStretch *s, int count, double *phi, double complex *work)
{
  hy_orbit_start(n, phi);
  for (int k = 0; k < count; k++) {
    hy_orbit_pass(n, &s[k], &s[count - 1], phi, work);
  }
}
