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
  return fabs(creal(rate)) <= NEAR * w && cabs(rate - hy_complex(0.0, w)) <= NEAR * w;
}

/* What sine I drives mode K by: of e^(j w s), and of e^(-j w s). */
static void sines_push(const HyMotion *m, int k, int i, double complex *plus, double complex *minus)
{
  const HyModal *modal = m->modal;
  bool real = modal->at[k + 1] - modal->at[k] == 1;
  *plus = *minus = 0.0;
  for (int j = 0; j < modal->n; j++) {
    double complex b = m->sines->wave[(ptrdiff_t)j * m->sines->n + i];
    if (b != 0.0) { /* few states have a sine in their row */
      const double *w = modal->to + (ptrdiff_t)j * modal->wide + modal->at[k];
      double complex to = hy_complex(w[0], real ? 0.0 : w[1]);
      *plus += 0.5 * hy_times(to, b);
      *minus += 0.5 * hy_times(to, conj(b));
    }
  }
}

/* DRIVE comes to y'(0) of mode K, which follows with P and Q. */
static void sines_follow(HyMotion *m, int k, int i, double complex drive, double complex p,
                         double complex q)
{
  const HyModal *modal = m->modal;
  bool real = modal->at[k + 1] - modal->at[k] == 1;
  m->drive[modal->at[k]] += creal(drive);
  if (!real) {
    m->drive[modal->at[k] + 1] += cimag(drive);
  }
  for (int j = 0; j < modal->n; j++) {
    const double *v = modal->from + (ptrdiff_t)modal->at[k] * modal->n + j;
    double complex from = hy_complex(v[0], real ? 0.0 : -v[modal->n]);
    m->sines->follow[(ptrdiff_t)j * m->sines->n + i] += hy_times(from, p) + conj(hy_times(from, q));
  }
}

/* How mode K follows sine I, and what that leaves to y'(0). */
static void sines_drive(HyMotion *m, int k, int i)
{
  HySines *sines = m->sines;
  double complex plus, minus, l = m->modal->rate[k], iw = hy_complex(0.0, sines->turn[i]);
  bool meet = sines_meet(l, sines->turn[i]);
  sines_push(m, k, i, &plus, &minus);
  sines->near[(ptrdiff_t)k * sines->n + i] = meet ? hy_times(iw, plus) : 0.0;
  sines->meets = sines->meets || meet;
  double complex p = meet ? 0.0 : plus / (iw - l), q = minus / (-iw - l);
  sines_follow(m, k, i, (meet ? plus : 0.0) - hy_times(l, p + q), p, q);
}

/* Y becomes that of (j w - T) Y = Y before. */
static void sines_solve(const HyCluster *c, double complex iw, double complex *y)
{
  for (int k = c->size - 1; k >= 0; k--) {
    const double complex *t = c->t + (ptrdiff_t)k * c->wide;
    for (int j = k + 1; j < c->size; j++) {
      y[k] += hy_times(t[j], y[j]);
    }
    y[k] = y[k] / (iw - t[k]);
  }
}

/* Likewise, of a cluster: if one of its modes meets the sine all do. */
static void sines_drive_cluster(HyMotion *m, int first, int i)
{
  HySines *sines = m->sines;
  HyCluster c = hy_cluster(m->modal, first);
  double complex p[HY_CLUSTER_MOST], q[HY_CLUSTER_MOST], plus[HY_CLUSTER_MOST];
  double complex sum[HY_CLUSTER_MOST], iw = hy_complex(0.0, sines->turn[i]);
  bool meet = false;
  for (int k = 0; k < c.size; k++) {
    sines_push(m, first + k, i, &plus[k], &q[k]);
    meet = meet || sines_meet(m->modal->rate[first + k], sines->turn[i]);
    p[k] = plus[k];
  }
  sines_solve(&c, -iw, q);
  sines_solve(&c, iw, p);
  for (int k = 0; k < c.size; k++) {
    sines->near[(ptrdiff_t)(first + k) * sines->n + i] = meet ? hy_times(iw, plus[k]) : 0.0;
    p[k] = meet ? 0.0 : p[k];
    sum[k] = p[k] + q[k];
  }
  sines->meets = sines->meets || meet;
  hy_cluster_times(&c, sum);
  for (int k = 0; k < c.size; k++) {
    sines_follow(m, first + k, i, (meet ? plus[k] : 0.0) - sum[k], p[k], q[k]);
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
    bool alone = m->modal->end[k] - m->modal->first[k] == 1;
    for (int i = 0; i < sines->n; i++) {
      if (alone) {
        sines_drive(m, k, i);
      } else if (m->modal->first[k] == k) {
        sines_drive_cluster(m, k, i);
      }
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
    if (sines->turned != NULL) {
      sines->turned[i] = moved;
    }
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

/* As one more mode, of rate j w, which drives the others and is 1 at first. */
void hy_sines_cluster(const HyMotion *m, int first, double s, double complex *moved,
                      double complex *slope)
{
  const HySines *sines = m->sines;
  HyCluster c = hy_cluster(m->modal, first);
  int n = c.size + 1;
  double complex t[(HY_CLUSTER_MOST + 1) * (HY_CLUSTER_MOST + 1)], v[HY_CLUSTER_MOST + 1];
  double complex out[2 * (HY_CLUSTER_MOST + 1)];
  HyCluster more = {n, n, t};
  for (int i = 0; i < sines->n; i++) {
    double size = 0.0;
    for (int k = 0; k < n; k++) {
      for (int j = k; j < c.size && k < c.size; j++) {
        t[k * n + j] = c.t[(ptrdiff_t)k * c.wide + j];
      }
      t[k * n + c.size] = k < c.size ? sines->near[(ptrdiff_t)(first + k) * sines->n + i]
                                     : hy_complex(0.0, sines->turn[i]);
      v[k] = k < c.size ? 0.0 : 1.0;
      size += k < c.size ? cabs(t[k * n + c.size]) : 0.0;
    }
    if (size > 0.0) {
      hy_cluster_phi(&more, s, 1, v, out);
    }
    for (int k = 0; k < c.size && size > 0.0; k++) {
      slope[k] += out[k];
      moved[k] += out[n + k];
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
  int first = m->modal->first[k];
  for (; m->sines != NULL && m->sines->meets && first < m->modal->end[k]; first++) {
    for (int i = 0; i < m->sines->n; i++) {
      meet = meet || m->sines->near[(ptrdiff_t)first * m->sines->n + i] != 0.0;
    }
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
