/* Motions that sines drive, x' = A x + u(s) + Re(b e^(j w s)).
 *
 * On its own each mode has, with p = W b/2 and m = W conj(b)/2,
 *
 *   y' = l y + ... + p e^(j w s) + m e^(-j w s)
 *
 * and follows with P e^(j w s) + M e^(-j w s), P = p/(j w - l), M = m/(-j w - l); what else it does
 * dies out, and begins with y'(0) - j w P + j w M. Of all modes together x follows with
 *
 *   Re(X (e^(j w s) - 1)),   X = sum of v P + conj(v M)
 *
 * so a sine costs one number for each state, however many modes there are.
 *
 * Where a mode is as fast as the sine, P is large and what dies out takes it away again. There the
 * answer is not divided into two; by divided differences of f = e^(. s), with which nothing
 * cancels, whether j w = l or not,
 *
 *   y'(s)       gets j w p f[l, j w],      f[l, j w] = s e^(j w s) phi_1((l - j w) s)
 *   y(s) - y(0) gets j w p f[0, l, j w],   f[0, l, j w] = (f[l, j w] - f[0, j w])/l
 *
 * besides p in y'(0). */
#include "modal.h"

#include <math.h>

#define NEAR 1e-3 /* of w: so near to j w that three digits would be lost */

static bool sines_meet(double complex rate, double w)
{
  return cabs(rate - hy_complex(0.0, w)) <= NEAR * w;
}

/* How mode K follows sine I, and what that leaves to y'(0). */
static void sines_drive(HyMotion *m, int k, int i)
{
  const HyModal *modal = m->modal;
  HySines *sines = m->sines;
  bool real = modal->at[k + 1] - modal->at[k] == 1;
  double complex plus = 0.0, minus = 0.0, l = modal->rate[k];
  for (int j = 0; j < modal->n; j++) {
    const double *w = modal->to + (ptrdiff_t)j * modal->wide + modal->at[k];
    double complex to = hy_complex(w[0], real ? 0.0 : w[1]);
    double complex b = sines->wave[(ptrdiff_t)j * sines->n + i];
    plus += 0.5 * hy_times(to, b);
    minus += 0.5 * hy_times(to, conj(b));
  }
  double complex iw = hy_complex(0.0, sines->turn[i]);
  bool meet = sines_meet(l, sines->turn[i]);
  sines->near[(ptrdiff_t)k * sines->n + i] = meet ? hy_times(iw, plus) : 0.0;
  sines->meets = sines->meets || meet;
  double complex p = meet ? 0.0 : plus / (iw - l), q = minus / (-iw - l);
  double complex drive = (meet ? plus : 0.0) - hy_times(l, p + q);
  m->drive[modal->at[k]] += creal(drive);
  if (!real) {
    m->drive[modal->at[k] + 1] += cimag(drive);
  }
  for (int j = 0; j < modal->n; j++) {
    const double *v = modal->from + (ptrdiff_t)modal->at[k] * modal->n + j;
    double complex from = hy_complex(v[0], real ? 0.0 : -v[modal->n]);
    sines->follow[(ptrdiff_t)j * sines->n + i] += hy_times(from, p) + conj(hy_times(from, q));
  }
}

void hy_motion_add_sines(HyMotion *m, HySines *sines)
{
  m->sines = sines;
  sines->meets = false;
  for (int j = 0; j < m->modal->n * sines->n; j++) {
    sines->follow[j] = 0.0;
  }
  for (int k = 0; k < m->modal->modes; k++) {
    for (int i = 0; i < sines->n; i++) {
      sines_drive(m, k, i);
    }
  }
}

/* ---- along a motion ---- */

/* e^(j w s) - 1, without cancellation. */
static double complex sines_turned(double w, double s)
{
  double half = sin(0.5 * w * s);
  return hy_complex(-2.0 * half * half, sin(w * s));
}

void hy_sines_at(const HySines *sines, int states, double s, double *x, double *dx)
{
  for (int i = 0; i < sines->n; i++) {
    double w = sines->turn[i];
    double complex moved = sines_turned(w, s), rate = hy_times(hy_complex(0.0, w), 1.0 + moved);
    for (int j = 0; j < states; j++) {
      double complex follow = sines->follow[(ptrdiff_t)j * sines->n + i];
      x[j] += creal(follow) * creal(moved) - cimag(follow) * cimag(moved);
      if (dx != NULL) {
        dx[j] += creal(follow) * creal(rate) - cimag(follow) * cimag(rate);
      }
    }
  }
}

void hy_sines_mode(const HyMotion *m, int k, double s, double complex *moved, double complex *rate)
{
  const HySines *sines = m->sines;
  double complex l = m->modal->rate[k], phi[2];
  for (int i = 0; i < sines->n; i++) {
    double complex near = sines->near[(ptrdiff_t)k * sines->n + i];
    if (near != 0.0) {
      double complex iw = hy_complex(0.0, sines->turn[i]), turned = sines_turned(sines->turn[i], s);
      hy_phi((l - iw) * s, 1, phi);
      double complex once = s * hy_times(1.0 + turned, phi[1]); /* f[l, j w] */
      *rate += hy_times(near, once);
      *moved += hy_times(near, (once - turned / iw) / l);
    }
  }
}

/* ---- what is watched ---- */

void hy_sines_line(const HySines *sines, int states, const double *c, double complex *wave)
{
  for (int j = 0; j < states; j++) {
    for (int i = 0; i < sines->n && c[j] != 0.0; i++) {
      wave[i] += c[j] * sines->follow[(ptrdiff_t)j * sines->n + i];
    }
  }
}

bool hy_sines_meet(const HyMotion *m, int k)
{
  bool meet = false;
  for (int i = 0; m->sines != NULL && m->sines->meets && i < m->sines->n; i++) {
    meet = meet || m->sines->near[(ptrdiff_t)k * m->sines->n + i] != 0.0;
  }
  return meet;
}

double complex hy_sines_near(const HyMotion *m, int k, double s, double complex *next)
{
  const HySines *sines = m->sines;
  double complex sum = 0.0;
  *next = 0.0;
  for (int i = 0; i < sines->n; i++) {
    double w = sines->turn[i];
    double complex now =
        hy_times(sines->near[(ptrdiff_t)k * sines->n + i], 1.0 + sines_turned(w, s));
    sum += now;
    *next += hy_times(hy_complex(0.0, w), now);
  }
  return sum;
}
