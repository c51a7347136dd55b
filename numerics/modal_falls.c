/* The first instant at which a watched sum of exponentials falls to 0, with a bound in place of a
 * grid: nothing between two looks is missed.
 *
 * At s, with what is known there, z(s + h) >= z_0 + z_1 h - z_2 h^2 / 2 =: low(h) for all h up to a
 * horizon, so that z is positive at least up to the root of low; there the next look is taken. Far
 * from 0 that is a long way, near it low is the tangent and the looks come near as Newton's do,
 * from the safe side.
 *
 * Each mode gives to z_0, z_1, z_2 in one of two ways. Its forced part is a polynomial p(h) with
 *   p' = q_0 + q_1 h + q_2 h^2:  l q_2 = -3 w_3,  l q_1 = 2 (q_2 - w_2),  l q_0 = q_1 - w_1
 * and the rest dies out, eta (e^(l h) - 1) with eta = (y' - q_0)/l.
 *   fast: eta is small beside z: it is given up, z_0 falls by what the rest can take away, z_1 is
 *         that of p. So a mode of 1e-13 s costs no looks once it has died out.
 *   slow: all of it by its slope and the bound of its curvature,
 *         |y''(h)| <= (|l y' + w_1| + 2 |w_2| h + 3 |w_3| h^2) e^(max(Re l, 0) h). */
#include "modal.h"

#include <float.h>
#include <math.h>

#define ROUNDING (8.0 * DBL_EPSILON)
#define SHARE    0.5 /* of z, that fast modes may take together */
#define WIDER    4.0 /* a horizon that is needed is so many times the last step */
#define LOOKS    1000

/* What is known at one look. */
typedef struct {
  double z, slope;
  double z_rounding, slope_rounding; /* how far they may be wrong */
  double low0, low1, low2;
} Look;

/* Not less than |z|, and at most 1.42 times that. */
static double modal_size(double complex z)
{
  return fabs(creal(z)) + fabs(cimag(z));
}

/* Of numbers that are none of them NaN, without a call. */
static double fmax_of(double a, double b)
{
  return a > b ? a : b;
}

static double product_real(double complex a, double complex b)
{
  return creal(a) * creal(b) - cimag(a) * cimag(b);
}

void hy_modal_weigh(const HyModal *m, const double *c, double complex *weight)
{
  for (int k = 0; k < m->modes; k++) {
    weight[k] = 0.0;
  }
  for (int i = 0; i < m->n; i++) {
    for (int k = 0; k < m->modes && c[i] != 0.0; k++) {
      weight[k] += c[i] * m->from[(ptrdiff_t)i * m->n + k];
    }
  }
}

HyMotionLine hy_motion_line(const HyMotion *m, const double *c, const double *d,
                            const double complex *weight)
{
  HyMotionLine line = {.z0 = d[0], .weight = weight};
  for (int i = 0; i < m->modal->n; i++) {
    line.z0 += c[i] * m->x0[i];
  }
  for (int j = 1; j < HY_MODAL_LANES; j++) {
    line.d[j] = d[j];
  }
  return line;
}

double hy_motion_line_at(const HyMotion *m, const HyMotionLine *line, double s, double *slope)
{
  const double *d = line->d;
  double z = line->z0 + s * (d[1] + s * (d[2] + s * d[3]));
  *slope = d[1] + s * (2.0 * d[2] + s * 3.0 * d[3]);
  for (int k = 0; k < m->modal->modes; k++) {
    double complex rate, moved = hy_motion_mode(m, k, s, &rate);
    z += product_real(line->weight[k], moved);
    *slope += product_real(line->weight[k], rate);
  }
  return z;
}

/* z and z' at S, with the size of what they are the sums of; RATE is y' of each mode. */
static Look falls_look(const HyMotion *m, const HyMotionLine *line, double s, double complex *rate)
{
  const double *d = line->d;
  double poly = s * (d[1] + s * (d[2] + s * d[3]));
  double slope = d[1] + s * (2.0 * d[2] + s * 3.0 * d[3]);
  Look at = {.z = line->z0 + poly, .slope = slope};
  double scale = fabs(line->z0) + fabs(poly), slope_scale = fabs(slope);
  for (int k = 0; k < m->modal->modes; k++) {
    double complex moved = hy_motion_mode(m, k, s, &rate[k]);
    at.z += product_real(line->weight[k], moved);
    at.slope += product_real(line->weight[k], rate[k]);
    scale += modal_size(line->weight[k]) * modal_size(moved);
    slope_scale += modal_size(line->weight[k]) * modal_size(rate[k]);
  }
  at.z_rounding = ROUNDING * scale;
  at.slope_rounding = ROUNDING * slope_scale;
  return at;
}

/* Modes of equal rates, weighted and added up: what they are from S on. What several of them give
 * to z may cancel, as where equal parts of a circuit share them out, so none is bounded alone. */
typedef struct {
  double complex l, rate, w1, w2, w3; /* of all: y', and inputs expanded at S */
  double size;                        /* the sum of |l y' + w1|, which does not cancel */
  double spread;                      /* how far their rates are from l, as a part of it */
} FallingModes;

static void add_mode(FallingModes *all, const HyMotion *m, double complex c, int k, double s,
                     double complex rate)
{
  const double complex *w = m->drive + (ptrdiff_t)k * HY_MODAL_LANES;
  double complex l = m->modal->rate[k], w1 = w[1];
  if (m->lanes > 2) {
    w1 += s * (2.0 * w[2] + s * 3.0 * w[3]);
    all->w2 += hy_times(c, w[2] + s * 3.0 * w[3]);
    all->w3 += hy_times(c, w[3]);
  }
  all->rate += hy_times(c, rate);
  all->w1 += hy_times(c, w1);
  all->size += modal_size(c) * modal_size(hy_times(l, rate) + w1);
  all->spread = fmax_of(all->spread, modal_size(l - all->l) * modal_size(m->modal->time[k]));
}

/* As fast modes, if eta is small beside MOST, whichever sign it has. H: the horizon; T: 1/l. */
static bool falls_fast(Look *at, const FallingModes *y, double complex t, double h, double most)
{
  if (!(creal(y->l) < 0.0)) {
    return false;
  }
  double complex q2 = -3.0 * hy_times(y->w3, t);
  double complex q1 = 2.0 * hy_times(q2 - y->w2, t);
  double complex q0 = hy_times(q1 - y->w1, t);
  double complex eta = hy_times(y->rate - q0, t);
  double apart = y->size * y->spread * modal_size(t) * modal_size(t);
  double lost = apart + (cimag(y->l) == 0.0 ? fmax_of(creal(eta), 0.0) : 2.0 * modal_size(eta));
  if (!(modal_size(eta) + lost <= most)) {
    return false;
  }
  at->low0 -= lost;
  at->low1 += creal(q0);
  at->low2 += modal_size(q1) + (y->w3 != 0.0 ? 2.0 * modal_size(q2) * h : 0.0);
  return true;
}

static void falls_slowly(Look *at, const FallingModes *y, double h)
{
  double curved = modal_size(hy_times(y->l, y->rate) + y->w1);
  if (y->spread > 0.0) { /* |l| s e^(Re l s) is below |l/Re l|/e */
    double longest = creal(y->l) < 0.0 ? modal_size(y->l) / -creal(y->l) : INFINITY;
    curved += y->size * fmin(2.0, y->spread * fmin(longest, modal_size(y->l) * h));
  }
  if (y->w2 != 0.0 || y->w3 != 0.0) {
    curved += h * (2.0 * modal_size(y->w2) + h * 3.0 * modal_size(y->w3));
  }
  at->low1 += creal(y->rate);
  at->low2 += curved * (creal(y->l) > 0.0 ? exp(creal(y->l) * h) : 1.0);
}

/* The bound from S on, for H at most. */
static void falls_bound(const HyMotion *m, const HyMotionLine *line, Look *at, double s, double h,
                        const double complex *rate)
{
  const double *d = line->d;
  const HyModal *modal = m->modal;
  double most = SHARE * fmax_of(at->z, 0.0);
  at->low0 = fmax_of(at->z, at->z_rounding);
  at->low1 = d[1] + s * (2.0 * d[2] + s * 3.0 * d[3]);
  at->low2 = fabs(2.0 * d[2] + 6.0 * d[3] * s) + (d[3] != 0.0 ? 6.0 * fabs(d[3]) * h : 0.0);
  for (int k = 0; k < modal->modes;) {
    FallingModes y = {.l = modal->rate[k]};
    double complex t = modal->time[k];
    double before = at->low0;
    do {
      add_mode(&y, m, line->weight[k], k, s, rate[k]);
      k++;
    } while (k < modal->modes && modal->follows[k] != 0.0);
    if (falls_fast(at, &y, t, h, most)) {
      most -= before - at->low0;
    } else {
      falls_slowly(at, &y, h);
    }
  }
}

/* Where low(h) is 0. */
static double falls_step(const Look *at)
{
  double root = sqrt(at->low1 * at->low1 + 2.0 * at->low2 * at->low0);
  if (at->low1 < 0.0) {
    return 2.0 * at->low0 / (root - at->low1);
  }
  return at->low2 > 0.0 ? (at->low1 + root) / at->low2 : INFINITY;
}

/* The bounds of some modes grow with the horizon. */
static bool falls_is_bent(const HyMotion *m, const HyMotionLine *line)
{
  bool bent = line->d[3] != 0.0;
  for (int k = 0; k < m->modal->modes; k++) {
    const double complex *w = m->drive + (ptrdiff_t)k * HY_MODAL_LANES;
    bent = bent || w[2] != 0.0 || w[3] != 0.0 || creal(m->modal->rate[k]) > 0.0;
  }
  return bent;
}

/* The shortest time in which anything changes. */
static double falls_shortest(const HyModal *m)
{
  double fastest = m->modes > 0 ? modal_size(m->rate[0]) : 0.0;
  return fastest > 0.0 ? 1.0 / fastest : 1.0;
}

double hy_motion_falls(const HyMotion *m, const HyMotionLine *line, double from, double until,
                       double *safe, double complex *work)
{
  double s = from, reach = falls_is_bent(m, line) ? falls_shortest(m->modal) : INFINITY;
  for (int k = 0; k < LOOKS && s < until; k++) {
    Look at = falls_look(m, line, s, work);
    if (at.z <= at.z_rounding && at.slope < -at.slope_rounding) {
      *safe = s;
      return s;
    }
    double h = fmin(until - s, WIDER * reach);
    falls_bound(m, line, &at, s, h, work);
    double step = fmin(falls_step(&at), h);
    reach = reach < INFINITY ? step : INFINITY;
    s = s + step > s ? s + step : nextafter(s, INFINITY);
  }
  *safe = fmin(s, until);
  return INFINITY;
}
