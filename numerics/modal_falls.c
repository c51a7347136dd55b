/* The first instant at which a watched sum of exponentials falls to 0, with a bound in place of a
 * grid: nothing between two looks is missed.
 *
 * Most modes are slow: |l| until is at most 1. They are one polynomial p(s) together with what
 * inputs force, y_k' = l y_k + w gives the terms
 *
 *   p = sum over k of Re c_k1 s + Re c_k2 s^2 + ...,  c_k1 = y_k'(0),  c_k(j+1) = (l c_kj + w_j)/(j
 * + 1)
 *
 * of which some ten are all digits. What is far from 0 is seen to stay there by three of them.
 *
 * The fast ones are a forced part, a polynomial with p' = q_0 + q_1 s + q_2 s^2 where
 *   l q_2 = -3 w_3,  l q_1 = 2 (q_2 - w_2),  l q_0 = q_1 - w_1,
 * and a rest that dies out, eta (e^(l s) - 1) with eta = (y'(0) - q_0)/l.
 *
 * At s, with what is known there, z(s + h) >= z_0 + z_1 h - z_2 h^2 / 2 =: low(h) for all h up to a
 * horizon, so that z is positive at least up to the root of low; there the next look is taken. Far
 * from 0 that is a long way, near it low is the tangent and the looks come near as Newton's do,
 * from the safe side. p gives its slope and its curvature, of which only the third derivative is a
 * bound. A fast mode gives in one of two ways:
 *   given up: z_0 falls by all that it can take away. So a mode of 1e-13 s costs no looks once it
 *             has died out, nor does one that only adds.
 *   followed: by its slope and the bound of its curvature, |l^2 eta e^(l s)|; where it falls and is
 *             real, it stays above its tangent.
 * All are given up, or those that are small beside z; whichever leads further.
 *
 * A cluster of rates is one such mode, whose parts are vectors: its series is (T c_j + w_j)/(j +
 * 1), and what its rest y can be of z later on is bounded by the divided differences that it is
 * made of (modal_clusters.c), |c e^(T h) y| <= sum over i of |c N_i y| h^(i-1)/(i-1)! e^(a h),  a
 * the largest Re l.
 *
 * What sets out from 0 as h^2 does has no slope there, and low is above 0 as far as z_2 < 0
 * outweighs the bend: that horizon is tried. What sets out as h^3 or slower has no bound that says
 * so; a first step of next to nothing takes it to where it has, and from there each look goes
 * several times as far as the last.
 *
 * Most lines are so far from 0 that no look is needed. y' = e^(l s) y'(0) + what w' forces, so with
 * a = Re l <= 0 a fast mode moves by |y'(0)| min(s, 1/|a|, 2/|l|) + max|w'| s min(s, 1/|a|) at
 * most, and a slow one by y'(0) s and no more than (|l| |y'(0)| + 2 max|w'|) s^2 / 2 besides: two
 * numbers a mode for all lines of a motion. What follows a sine is such a mode with a = 0.
 *
 * The root of low is that of low times any number. Where squares are none, since all is very large
 * or very small (behind fifty switches that are off), it is taken of low in other units.
 *
 * What follows a sine, Re(Z (e^(j w s) - 1)), is a mode of rate j w. Of a mode that is as fast as
 * one of them the motion itself is asked, and its curvature is bounded by
 *   |y''(h)| <= (|l y' + u'| + h |u''|) e^(max(Re l, 0) h). */
#include "falls.h"
#include "modal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define ROUNDING (8.0 * DBL_EPSILON)
#define SLOW     1.0     /* |l| until of a mode that is a part of the polynomial */
#define FIRST    3       /* terms by which most of what does not fall is known not to */
#define GONE     (-40.0) /* e^z is below rounding */
#define SHARE    0.5     /* of z, that fast modes may take together */
#define WIDER    4.0     /* a horizon that is needed is so many times the last step */
#define LOOKS    1000
#define NEAREST  1e-12 /* of the shortest time: nothing turns within it */
#define NONE     1e-3  /* of the fastest rate of a cluster: as good as 0 */
#define LARGE    1e6   /* times the first terms of a polynomial: others decide */

/* What is known at one look. */
typedef struct {
  double z, slope, curve;          /* CURVE: of the polynomial */
  double rounding, slope_rounding; /* how far they may be wrong */
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

static double fmin_of(double a, double b)
{
  return a < b ? a : b;
}

void hy_modal_weigh(const HyModal *m, const double *c, double *weight)
{
  memset(weight, 0, (size_t)m->wide * sizeof *weight);
  for (int i = 0; i < m->n; i++) {
    for (int k = 0; k < m->wide && c[i] != 0.0; k++) {
      weight[k] += c[i] * m->from[(ptrdiff_t)k * m->n + i];
    }
  }
}

HyMotionLine hy_motion_line(const HyMotion *m, const double *c, const double *d,
                            const double *weight, double complex *wave)
{
  HyMotionLine line = {.z0 = d[0], .weight = weight, .wave = wave};
  if (m->sines != NULL) {
    hy_sines_line(m->sines, m->modal->n, c, wave);
  }
  for (int i = 0; i < m->modal->n; i++) {
    line.z0 += c[i] * m->x0[i];
  }
  for (int j = 1; j < HY_MODAL_LANES; j++) {
    line.d[j] = d[j];
  }
  return line;
}

/* ---- what is far from 0 ---- */

/* |w'| of mode K up to S, at most. */
static double drive_most(const HyMotion *m, int k, double s)
{
  double sum = 0.0;
  for (int j = m->lanes - 1; j > 0; j--) {
    const double *w = m->drive + (ptrdiff_t)j * m->modal->wide + m->modal->at[k];
    double size = m->modal->at[k + 1] - m->modal->at[k] == 1 ? fabs(w[0]) : fabs(w[0]) + fabs(w[1]);
    sum = sum * s + j * size;
  }
  return sum;
}

/* The most that mode K, whose slope SIZE is, moves by up to UNTIL; STRAIGHT: besides that slope. */
static double mode_most(const HyMotion *m, int k, double size, double until, bool straight)
{
  double a = creal(m->modal->rate[k]), l = modal_size(m->modal->rate[k]);
  double forced = m->lanes > 1 ? drive_most(m, k, until) : 0.0;
  if (straight) {
    return 0.5 * until * until * (l * size + 2.0 * forced);
  }
  double lasts = fmin_of(until, -1.0 / a), turns = fmin_of(lasts, 2.0 * M_SQRT2 / l);
  return size * turns + (forced > 0.0 ? forced * until * lasts : 0.0);
}

void hy_motion_most(const HyMotion *m, double until, double *rate, double *most)
{
  const HyModal *modal = m->modal;
  bool known = modal->clusters == 0 && (m->sines == NULL || !m->sines->meets);
  for (int k = 0; k < modal->modes; k++) {
    int at = modal->at[k], last = modal->at[k + 1] - 1;
    const double *y = m->drive + at;
    double size = last == at ? fabs(y[0]) : fabs(y[0]) + fabs(y[1]);
    bool straight = !(modal_size(modal->rate[k]) * until > SLOW);
    rate[at] = straight ? y[0] : 0.0;
    rate[last] = straight ? y[last - at] : 0.0;
    most[at] =
        known && creal(modal->rate[k]) <= 0.0 ? mode_most(m, k, size, until, straight) : INFINITY;
    most[last] = most[at];
  }
}

bool hy_motion_stays(const HyMotion *m, const HyMotionLine *line, double until, const double *rate,
                     const double *most)
{
  double moves = 0.0, slope = line->d[1], size = fabs(slope);
  for (int k = 0; k < m->modal->wide; k++) {
    double part = line->weight[k] * rate[k];
    slope += part;
    size += fabs(part);
    moves += fabs(line->weight[k]) * most[k];
  }
  for (int i = 0; m->sines != NULL && i < m->sines->n; i++) {
    double angle = m->sines->turn[i] * until, part = -m->sines->turn[i] * cimag(line->wave[i]);
    bool straight = !(angle > SLOW);
    slope += straight ? part : 0.0;
    size += straight ? fabs(part) : 0.0;
    moves += modal_size(line->wave[i]) * (straight ? 0.5 * angle * angle : 2.0);
  }
  double bends = until * until * (fabs(line->d[2]) + until * fabs(line->d[3]));
  double falls = fmin_of(slope - ROUNDING * size, 0.0) * until;
  return line->z0 + falls > (1.0 + ROUNDING) * (moves + bends) + ROUNDING * fabs(line->z0);
}

/* ---- what is watched, as a polynomial and fast modes ---- */

/* The weight of mode K times its drive in LANE. */
static double complex watch_drive(const HyWatch *w, int k, int lane)
{
  const HyModal *m = w->motion->modal;
  const double *y = w->motion->drive + (ptrdiff_t)lane * m->wide + m->at[k];
  const double *c = w->weight + m->at[k];
  if (m->at[k + 1] - m->at[k] == 1) {
    return c[0] * y[0];
  }
  return hy_complex(c[0] * y[0] + c[1] * y[1], c[0] * y[1] - c[1] * y[0]);
}

/* ---- clusters ---- */

static bool is_cluster(const HyModal *m, int k)
{
  return m->end[k] - m->first[k] > 1;
}

/* What mode K gives to z, where Y is what it is. */
static double complex watch_weighed(const HyWatch *w, int k, double complex y)
{
  const double *c = w->weight + w->motion->modal->at[k];
  return w->motion->modal->at[k + 1] - w->motion->modal->at[k] == 1
             ? c[0] * y
             : hy_times(hy_complex(c[0], -c[1]), y);
}

/* Likewise, a cluster; SIZE gets what it is the sum of. */
static double cluster_weighed(const HyWatch *w, int first, const double complex *y, double *size)
{
  double sum = 0.0;
  for (int k = first; k < w->motion->modal->end[first]; k++) {
    double complex part = watch_weighed(w, k, y[k - first]);
    sum += creal(part);
    *size += modal_size(part);
  }
  return sum;
}

/* The drive of a cluster in LANE. */
static void cluster_drive(const HyWatch *w, int first, int lane, double complex *y)
{
  const HyModal *m = w->motion->modal;
  const double *drive = w->motion->drive + (ptrdiff_t)lane * m->wide;
  for (int k = first; k < m->end[first]; k++) {
    y[k - first] = lane < w->motion->lanes ? hy_complex(drive[m->at[k]], drive[m->at[k] + 1]) : 0.0;
  }
}

/* The most that |c e^(T h) y| can be for h up to H. */
static double cluster_most(const HyWatch *w, int first, const double complex *y, double h)
{
  HyCluster c = hy_cluster(w->motion->modal, first);
  double complex v[HY_CLUSTER_MOST];
  double grows = -INFINITY, most = 0.0;
  for (int i = 0; i < c.size; i++) {
    v[i] = y[i];
    grows = fmax_of(grows, creal(w->motion->modal->rate[first + i]));
  }
  for (int i = 0; i < c.size; i++) {
    double size = 0.0, at = grows < 0.0 ? fmin_of(h, i / -grows) : h;
    double complex sum = 0.0;
    for (int k = 0; k < c.size; k++) {
      sum += watch_weighed(w, first + k, v[k]);
    }
    size = modal_size(sum);
    for (int j = 1; j <= i && size > 0.0; j++) {
      size *= at / j;
    }
    most += size > 0.0 && grows != 0.0 ? size * exp(grows * at) : size;
    hy_cluster_next(&c, i, v);
  }
  return most;
}

/* A fast one: polynomials that inputs force, T q_2 = -3 w_3, T q_1 = 2 (q_2 - w_2), T q_0 = q_1 -
 * w_1, and the rest. */
static void cluster_fast(HyWatch *w, int first)
{
  HyCluster c = hy_cluster(w->motion->modal, first);
  double complex q[HY_CLUSTER_MOST] = {0.0}, drive[HY_CLUSTER_MOST];
  double size = 0.0;
  for (int lane = w->motion->lanes - 1; lane >= 0; lane--) {
    cluster_drive(w, first, lane, drive);
    for (int i = 0; i < c.size; i++) {
      q[i] = lane > 0 ? lane * (q[i] - drive[i]) : drive[i] - q[i];
    }
    hy_cluster_solve(&c, q);
    if (lane > 0) {
      w->p[lane] += cluster_weighed(w, first, q, &size) / lane;
    }
  }
  memcpy(w->eta + first, q, (size_t)c.size * sizeof *q);
}

/* A slow one: all terms; returns what is behind them at UNTIL. */
static double cluster_slow(HyWatch *w, int first)
{
  HyCluster c = hy_cluster(w->motion->modal, first);
  double complex y[HY_CLUSTER_MOST], drive[HY_CLUSTER_MOST];
  double rest = 0.0, power = w->until, part = w->until / (HY_WATCH_TERMS + 1);
  cluster_drive(w, first, 0, y);
  for (int j = 1; j < HY_WATCH_TERMS; j++) {
    w->p[j] += cluster_weighed(w, first, y, &rest);
    hy_cluster_times(&c, y);
    cluster_drive(w, first, j, drive);
    for (int i = 0; i < c.size; i++) {
      y[i] = (y[i] + drive[i]) / (j + 1);
    }
    power *= w->until;
  }
  rest = 0.0;
  for (int i = 0; i < c.size; i++) {
    double most = 0.0;
    cluster_weighed(w, first, y, &most);
    power /= 1.0 - part * w->motion->modal->speed[first];
    rest += most * power;
    power *= part;
    hy_cluster_next(&c, i, y);
  }
  return rest;
}

/* One that meets a sine has no part in what is known ahead (watch_meeting()). */
static void watch_fast(HyWatch *w, int k)
{
  if (hy_sines_meet(w->motion, k)) {
    w->eta[k] = 0.0;
    return;
  }
  double complex t = w->motion->modal->time[k], q0 = 0.0;
  if (w->motion->lanes > 1) {
    double complex q2 = 0.0, q1 = 0.0;
    if (w->motion->lanes > 2) {
      q2 = w->motion->lanes > 3 ? -3.0 * hy_times(watch_drive(w, k, 3), t) : 0.0;
      q1 = 2.0 * hy_times(q2 - watch_drive(w, k, 2), t);
    }
    q0 = hy_times(q1 - watch_drive(w, k, 1), t);
    w->p[1] += creal(q0);
    w->p[2] += 0.5 * creal(q1);
    w->p[3] += creal(q2) / 3.0;
  }
  w->eta[k] = hy_times(watch_drive(w, k, 0) - q0, t);
}

static const double inverse[HY_WATCH_TERMS + 2] = {
    0.0,      1.0,      1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,
    1.0 / 8,  1.0 / 9,  1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15,
    1.0 / 16, 1.0 / 17, 1.0 / 18, 1.0 / 19, 1.0 / 20, 1.0 / 21};

/* The first terms of mode K: all that inputs have a part in. */
static void watch_slow(HyWatch *w, int k)
{
  if (hy_sines_meet(w->motion, k)) {
    w->now[k] = 0.0;
    return;
  }
  double complex l = w->motion->modal->rate[k], c = watch_drive(w, k, 0);
  w->size += modal_size(c);
  w->p[1] += creal(c);
  for (int j = 1; j + 1 < w->terms; j++) {
    c = hy_times(l, c) * inverse[j + 1];
    c += j < w->motion->lanes ? watch_drive(w, k, j) * inverse[j + 1] : 0.0;
    w->p[j + 1] += creal(c);
  }
  w->now[k] = c;
  w->ratio = fmax_of(w->ratio, modal_size(l));
  w->rest += modal_size(l) * modal_size(c);
}

/* Likewise, of those from FIRST on, of inputs that are constants: three terms. */
static void watch_slow_simply(HyWatch *w, int first)
{
  const HyModal *m = w->motion->modal;
  double sum1 = 0.0, sum2 = 0.0, sum3 = 0.0;
  for (int k = first; k < m->modes; k++) {
    const double *y = w->motion->drive + m->at[k], *c = w->weight + m->at[k];
    double a = creal(m->rate[k]), re = c[0] * y[0];
    if (m->at[k + 1] - m->at[k] == 1) {
      double second = a * re, third = a * second;
      sum1 += re;
      sum2 += second;
      sum3 += third;
      w->now[k] = third * (1.0 / 6.0);
      w->size += fabs(re);
      w->rest += fabs(a * third);
      continue;
    }
    double b = cimag(m->rate[k]), im = c[0] * y[1] - c[1] * y[0];
    re += c[1] * y[1];
    double re2 = a * re - b * im, im2 = a * im + b * re;
    double re3 = a * re2 - b * im2, im3 = a * im2 + b * re2;
    sum1 += re;
    sum2 += re2;
    sum3 += re3;
    w->now[k] = hy_complex(re3 * (1.0 / 6.0), im3 * (1.0 / 6.0));
    w->size += fabs(re) + fabs(im);
    w->rest += (fabs(a) + fabs(b)) * (fabs(re3) + fabs(im3));
  }
  w->p[1] += sum1;
  w->p[2] += 0.5 * sum2;
  w->p[3] += (1.0 / 6.0) * sum3;
  w->rest *= 1.0 / 6.0;
  w->ratio = first < m->modes ? 1.5 * modal_size(m->rate[first]) : 0.0; /* none is more */
}

static int watch_sines(const HyWatch *w)
{
  return w->motion->sines != NULL ? w->motion->sines->n : 0;
}

static bool watch_meets(const HyWatch *w)
{
  return w->motion->sines != NULL && w->motion->sines->meets;
}

static double complex sine_rate(const HyWatch *w, int i)
{
  return hy_complex(0.0, w->motion->sines->turn[i]);
}

static bool sine_is_fast(const HyWatch *w, int i)
{
  return w->motion->sines->turn[i] * w->until > SLOW;
}

/* What follows sine I is as a mode behind the others. */
static void watch_sine(HyWatch *w, int i)
{
  int k = w->motion->modal->modes + i;
  double complex l = sine_rate(w, i), c = hy_times(l, w->wave[i]);
  if (sine_is_fast(w, i)) {
    w->eta[k] = w->wave[i];
    return;
  }
  w->size += modal_size(c);
  w->p[1] += creal(c);
  for (int j = 1; j + 1 < w->terms; j++) {
    c = hy_times(l, c) * inverse[j + 1];
    w->p[j + 1] += creal(c);
  }
  w->now[k] = c;
  w->ratio = fmax_of(w->ratio, cimag(l));
  w->rest += cimag(l) * modal_size(c);
}

/* A cluster that has rates of 0 beside others can be no fast one, since its triangle has no
 * inverse: up to where it is slow. */
static double watch_until(const HyModal *m, double until)
{
  for (int k = 0; k < m->modes; k++) {
    bool beside = modal_size(m->rate[k]) <= NONE * m->speed[m->first[k]];
    if (is_cluster(m, k) && beside && m->speed[m->first[k]] * until > SLOW) {
      until = SLOW / m->speed[m->first[k]];
    }
  }
  return until;
}

void hy_watch_init(HyWatch *w, const HyMotion *m, const HyMotionLine *line, double until,
                   double complex *work)
{
  const HyModal *modal = m->modal;
  until = modal->clusters > 0 ? watch_until(modal, until) : until;
  w->motion = m;
  w->weight = line->weight;
  w->wave = line->wave;
  w->until = until;
  w->eta = work;
  w->now = work + modal->modes + watch_sines(w);
  w->fast = 0;
  w->terms = 1 + (m->lanes > FIRST ? m->lanes : FIRST);
  w->terms = modal->clusters > 0 ? HY_WATCH_TERMS : w->terms;
  w->size = w->rest = w->ratio = 0.0;
  w->p[0] = line->z0;
  for (int j = 1; j < w->terms || j <= HY_MODAL_LANES; j++) {
    w->p[j] = j < HY_MODAL_LANES ? line->d[j] : 0.0;
  }
  for (; w->fast < modal->modes && modal->speed[w->fast] * until > SLOW; w->fast++) {
    if (!is_cluster(modal, w->fast)) {
      watch_fast(w, w->fast);
    } else if (hy_sines_meet(m, w->fast)) {
      w->eta[w->fast] = 0.0;
    } else if (modal->first[w->fast] == w->fast) {
      cluster_fast(w, w->fast);
    }
  }
  bool simply = m->lanes == 1 && !watch_meets(w) && modal->clusters == 0;
  double rest = 0.0;
  if (simply) {
    watch_slow_simply(w, w->fast);
  }
  for (int k = w->fast; k < modal->modes && !simply; k++) {
    if (!is_cluster(modal, k)) {
      watch_slow(w, k);
    } else if (modal->first[k] == k && !hy_sines_meet(m, k)) {
      rest += cluster_slow(w, k);
    }
  }
  for (int i = 0; i < watch_sines(w); i++) {
    watch_sine(w, i);
  }
  if (w->rest > 0.0) {
    w->ratio *= until;
    w->rest *= inverse[w->terms] / (1.0 - w->ratio * inverse[w->terms + 1]);
    for (int j = 0; j < w->terms; j++) {
      w->rest *= until;
    }
  }
  w->rest += rest;
}

/* The terms from FIRST on of one of rate L, C being that before. */
static void watch_go_on(HyWatch *w, int first, double complex l, double complex c)
{
  double a = creal(l), b = cimag(l), re = creal(c), im = cimag(c);
  for (int j = first; j < w->terms && im == 0.0 && b == 0.0; j++) {
    w->p[j] += re *= a * inverse[j];
  }
  for (int j = first; j < w->terms && (im != 0.0 || b != 0.0); j++) {
    double next = (a * re - b * im) * inverse[j];
    im = (a * im + b * re) * inverse[j];
    w->p[j] += re = next;
  }
}

/* The terms behind the first ones, as many as there are digits. */
static void watch_complete(HyWatch *w)
{
  const HyModal *m = w->motion->modal;
  int first = w->terms;
  double enough = 0.25 * DBL_EPSILON * w->size * w->until;
  while (w->rest > enough && w->terms < HY_WATCH_TERMS) {
    w->p[w->terms++] = 0.0;
    w->rest *= w->ratio * inverse[w->terms];
  }
  for (int k = w->fast; k < m->modes && first < w->terms; k++) {
    watch_go_on(w, first, m->rate[k], w->now[k]);
  }
  for (int i = 0; i < watch_sines(w) && first < w->terms; i++) {
    if (!sine_is_fast(w, i)) {
      watch_go_on(w, first, sine_rate(w, i), w->now[m->modes + i]);
    }
  }
}

/* ---- looks ---- */

/* e^(l s) - 1 of a fast mode. */
static double complex fast_moved(double complex l, double s)
{
  double a = creal(l) * s, grown = a < GONE ? -1.0 : expm1(a);
  if (cimag(l) == 0.0 || grown == -1.0) {
    return grown;
  }
  double b = cimag(l) * s, half = sin(0.5 * b);
  return hy_complex(grown * cos(b) - 2.0 * half * half, (grown + 1.0) * sin(b));
}

/* A mode that is as fast as a sine adds to z, z', and to all bounds of z'' from S on for H. */
static double watch_meeting(const HyWatch *w, int k, double s, double h, Look *at)
{
  const HyMotion *m = w->motion;
  const double *v = w->weight + m->modal->at[k];
  double complex rate, next, c = hy_complex(v[0], -v[1]), l = m->modal->rate[k];
  double complex moved = hy_motion_mode(m, k, s, &rate);
  at->z += creal(hy_times(c, moved));
  at->slope += creal(hy_times(c, rate));
  at->rounding += modal_size(hy_times(c, moved));
  at->slope_rounding += modal_size(hy_times(c, rate));
  double complex u = hy_times(c, hy_sines_near(m, k, s, &next));
  double bend = modal_size(hy_times(c, next));
  if (m->lanes > 1) {
    double complex w2 = m->lanes > 2 ? watch_drive(w, k, 2) : 0.0;
    double complex w3 = m->lanes > 3 ? watch_drive(w, k, 3) : 0.0;
    u += watch_drive(w, k, 1) + s * (2.0 * w2 + 3.0 * s * w3);
    bend += modal_size(2.0 * w2 + 6.0 * s * w3) + 3.0 * h * modal_size(w3);
  }
  double curved = modal_size(hy_times(c, hy_times(l, rate)) + u);
  return (curved + (bend > 0.0 ? h * bend : 0.0)) * (creal(l) > 0.0 ? exp(creal(l) * h) : 1.0);
}

/* Likewise, a cluster. */
static double cluster_meeting(const HyWatch *w, int first, double s, double h, Look *at)
{
  const HyMotion *m = w->motion;
  HyCluster c = hy_cluster(m->modal, first);
  double complex y[HY_CLUSTER_MOST], u[HY_CLUSTER_MOST], next[HY_CLUSTER_MOST];
  double complex w2[HY_CLUSTER_MOST], w3[HY_CLUSTER_MOST], w1[HY_CLUSTER_MOST];
  hy_cluster_at(m, first, s, y, u);
  at->z += cluster_weighed(w, first, y, &at->rounding);
  at->slope += cluster_weighed(w, first, u, &at->slope_rounding);
  hy_cluster_times(&c, u);
  cluster_drive(w, first, 1, w1);
  cluster_drive(w, first, 2, w2);
  cluster_drive(w, first, 3, w3);
  for (int i = 0; i < c.size; i++) {
    u[i] += hy_sines_near(m, first + i, s, &next[i]);
    u[i] += w1[i] + s * (2.0 * w2[i] + 3.0 * s * w3[i]);
    w2[i] = 2.0 * w2[i] + 6.0 * s * w3[i];
  }
  double bend = cluster_most(w, first, next, h) + cluster_most(w, first, w2, h) +
                3.0 * h * cluster_most(w, first, w3, h);
  return cluster_most(w, first, u, h) + (bend > 0.0 ? h * bend : 0.0);
}

/* All of them. */
static double watch_meetings(const HyWatch *w, double s, double h, Look *at)
{
  double sum = 0.0;
  for (int k = 0; k < w->motion->modal->modes; k = w->motion->modal->end[k]) {
    if (hy_sines_meet(w->motion, k)) {
      sum += is_cluster(w->motion->modal, k) ? cluster_meeting(w, k, s, h, at)
                                             : watch_meeting(w, k, s, h, at);
    }
  }
  return sum;
}

/* What follows fast sines at S. */
static void look_at_sines(HyWatch *w, double s, Look *at)
{
  for (int i = 0; i < watch_sines(w); i++) {
    int k = w->motion->modal->modes + i;
    if (sine_is_fast(w, i)) {
      double complex z = hy_times(w->eta[k], fast_moved(sine_rate(w, i), s));
      w->now[k] = w->eta[k] + z;
      double complex rate = hy_times(sine_rate(w, i), w->now[k]);
      at->z += creal(z);
      at->slope += creal(rate);
      at->rounding += modal_size(z);
      at->slope_rounding += modal_size(rate);
    }
  }
}

/* A fast cluster at S. */
static void look_at_cluster(HyWatch *w, int first, double s, Look *at)
{
  HyCluster c = hy_cluster(w->motion->modal, first);
  double complex y[HY_CLUSTER_MOST], out[2 * HY_CLUSTER_MOST];
  memcpy(y, w->eta + first, (size_t)c.size * sizeof *y);
  hy_cluster_phi(&c, s, 0, y, w->now + first);
  hy_cluster_times(&c, y);
  hy_cluster_phi(&c, s, 1, y, out);
  at->z += cluster_weighed(w, first, out + c.size, &at->rounding);
  at->slope += cluster_weighed(w, first, out, &at->slope_rounding);
}

/* Fast modes at S. */
static void look_at_fast(HyWatch *w, double s, Look *at)
{
  const HyModal *m = w->motion->modal;
  for (int k = 0; k < w->fast; k++) {
    double complex l = m->rate[k], eta = w->eta[k];
    if (is_cluster(m, k)) {
      if (m->first[k] == k) {
        look_at_cluster(w, k, s, at);
      }
      continue;
    }
    if (s == 0.0) {
      w->now[k] = eta;
    } else if (creal(l) * s < GONE) {
      w->now[k] = 0.0;
      at->z -= creal(eta);
      at->rounding += modal_size(eta);
      continue;
    } else if (cimag(l) == 0.0 && cimag(eta) == 0.0) {
      double z = creal(eta) * creal(fast_moved(l, s));
      w->now[k] = creal(eta) + z;
      at->z += z;
      at->rounding += fabs(z);
    } else {
      double complex z = hy_times(eta, fast_moved(l, s));
      w->now[k] = eta + z;
      at->z += creal(z);
      at->rounding += modal_size(z);
    }
    double complex rate = hy_times(l, w->now[k]);
    at->slope += creal(rate);
    at->slope_rounding += modal_size(rate);
  }
}

/* z and z' at S, with the size of what they are the sums of; NOW of each fast mode. */
static Look watch_look(HyWatch *w, double s)
{
  double p = 0.0, slope = 0.0, curve = 0.0;
  for (int j = s > 0.0 ? w->terms - 1 : 2; j > 0; j--) { /* at 0 the others say nothing */
    curve = curve * s + slope;
    slope = slope * s + p;
    p = p * s + w->p[j];
  }
  double size1 = fabs(w->p[1]), size2 = s * fabs(w->p[2]), size3 = s * (s * fabs(w->p[3]));
  Look at = {.curve = 2.0 * (curve * s + slope),
             .slope = slope * s + p,
             .z = p * s + w->p[0],
             .rounding = fabs(w->p[0]) + s * (size1 + size2 + size3),
             .slope_rounding = size1 + 2.0 * size2 + 3.0 * size3};
  look_at_fast(w, s, &at);
  look_at_sines(w, s, &at);
  if (watch_meets(w)) {
    watch_meetings(w, s, 0.0, &at);
  }
  at.rounding *= ROUNDING;
  at.slope_rounding *= ROUNDING;
  return at;
}

double hy_watch_at(HyWatch *w, double s, double *slope)
{
  watch_complete(w);
  Look at = watch_look(w, s);
  *slope = at.slope;
  return at.z;
}

/* A fast mode, or a cluster, as it is at a look. */
typedef struct {
  double rate, curve; /* the slope of what it gives to z, and the most by which that may fall off */
  double loss;        /* the most that it can take away from z */
  double size;        /* of what it is */
} Falling;

static void falling_cluster(const HyWatch *w, int first, double h, Falling *y)
{
  HyCluster c = hy_cluster(w->motion->modal, first);
  double complex now[HY_CLUSTER_MOST];
  double size = 0.0;
  memcpy(now, w->now + first, (size_t)c.size * sizeof *now);
  y->size = cluster_most(w, first, now, h);
  y->loss = fmax_of(y->size + cluster_weighed(w, first, now, &size), 0.0);
  hy_cluster_times(&c, now);
  y->rate = cluster_weighed(w, first, now, &size);
  hy_cluster_times(&c, now);
  y->curve = cluster_most(w, first, now, h);
}

/* Mode K, for H; the first one behind it or its cluster. */
static int falling_mode(const HyWatch *w, int k, double h, Falling *y)
{
  const HyModal *m = w->motion->modal;
  double complex l = m->rate[k], now = w->now[k], rate = hy_times(l, now);
  if (is_cluster(m, k)) {
    falling_cluster(w, k, h, y);
    return m->end[k];
  }
  y->rate = creal(rate);
  if (cimag(l) == 0.0 && cimag(now) == 0.0) {
    double curve = creal(l) * creal(rate);
    y->curve = creal(l) > 0.0 || curve < 0.0 ? fabs(curve) : 0.0; /* it stays above its tangent */
    y->loss = fmax_of(creal(now), 0.0);
    y->size = fabs(creal(now));
  } else {
    y->curve = modal_size(hy_times(l, rate));
    y->size = modal_size(now);
    y->loss = fmax_of(y->size + creal(now), 0.0);
  }
  y->loss = creal(l) > 0.0 ? INFINITY : y->loss;
  y->curve *= creal(l) > 0.0 ? exp(creal(l) * h) : 1.0;
  return k + 1;
}

/* What follows sine I, if that is fast. */
static bool falling_sine(const HyWatch *w, int i, Falling *y)
{
  if (!sine_is_fast(w, i)) {
    return false;
  }
  double complex now = w->now[w->motion->modal->modes + i];
  double turn = w->motion->sines->turn[i];
  *y = (Falling){.rate = -turn * cimag(now), .size = modal_size(now)};
  y->loss = fmax_of(y->size + creal(now), 0.0);
  y->curve = turn * turn * y->size;
  return true;
}

/* |p'''| up to S. */
static double watch_bend(const HyWatch *w, double s)
{
  double sum = 0.0, factor = (w->terms - 1.0) * (w->terms - 2.0) * (w->terms - 3.0);
  for (int j = w->terms - 1; j >= 3 && s < INFINITY; j--) {
    sum = sum * s + fabs(w->p[j]) * factor;
    factor *= (j - 3) * inverse[j];
  }
  return sum;
}

/* They are given up in ALL, and in SOME if they are small beside MOST, which gets less. */
static void bounds_take(const Falling *y, double *most, Low *all, Low *some)
{
  all->z0 -= y->loss;
  all->z1 -= y->rate;
  if (y->loss <= *most && y->size <= *most) {
    some->z0 -= y->loss;
    some->z1 -= y->rate;
    *most -= y->loss;
  } else {
    some->z2 += y->curve;
  }
}

/* The bounds from S on, for H at most, without the bend of the polynomial: ALL fast modes given up,
 * or SOME. */
static void watch_bounds(const HyWatch *w, const Look *at, double s, double h, Low *all, Low *some)
{
  const HyModal *m = w->motion->modal;
  Falling y;
  Look met = {.z = 0.0};
  double most = SHARE * fmax_of(at->z, 0.0);
  *all = (Low){fmax_of(at->z, at->rounding), at->slope, -at->curve};
  if (watch_meets(w)) {
    all->z2 += watch_meetings(w, s, h, &met);
  }
  *some = *all;
  for (int k = 0; k < w->fast;) {
    if (w->now[k] == 0.0 && !is_cluster(m, k)) {
      k++; /* it has died out */
      continue;
    }
    k = falling_mode(w, k, h, &y);
    bounds_take(&y, &most, all, some);
  }
  for (int i = 0; i < watch_sines(w); i++) {
    if (falling_sine(w, i, &y)) {
      bounds_take(&y, &most, all, some);
    }
  }
}

/* Between two bounds: c[2] gets half of CURVE on both sides. */
static void enclosure_bend(HyEnclosure *e, double down, double up)
{
  e->c[2].lo -= 0.5 * down;
  e->c[2].hi += 0.5 * up;
}

/* What is fast is given up if it is small beside *MOST, which gets less, and cannot grow. DOWN and
 * UP: of z and of -z. */
static void enclosure_take(HyEnclosure *e, const Falling *down, const Falling *up, double *most)
{
  double loss = fmax_of(down->loss, up->loss);
  if (loss < INFINITY && loss <= *most && down->size <= *most) {
    e->c[0].lo -= down->loss;
    e->c[0].hi += up->loss;
    e->c[1].lo -= down->rate;
    e->c[1].hi -= down->rate;
    *most -= loss;
  } else {
    enclosure_bend(e, down->curve, up->curve);
  }
}

static void watch_mirror(HyWatch *w, int from, int end)
{
  for (int k = from; k < end; k++) {
    w->now[k] = -w->now[k];
  }
}

/* From S on, for H, what fast modes and sines make of it. */
static void enclosure_fast(HyWatch *w, double h, double most, HyEnclosure *e)
{
  const HyModal *m = w->motion->modal;
  Falling down, up;
  for (int k = 0, end; k < w->fast; k = end) {
    end = is_cluster(m, k) ? m->end[k] : k + 1;
    if (w->now[k] != 0.0 || is_cluster(m, k)) {
      falling_mode(w, k, h, &down);
      watch_mirror(w, k, end);
      falling_mode(w, k, h, &up);
      watch_mirror(w, k, end);
      enclosure_take(e, &down, &up, &most);
    }
  }
  for (int i = 0; i < watch_sines(w); i++) {
    int k = m->modes + i;
    if (falling_sine(w, i, &down)) {
      watch_mirror(w, k, k + 1);
      falling_sine(w, i, &up);
      watch_mirror(w, k, k + 1);
      enclosure_take(e, &down, &up, &most);
    }
  }
}

/* Without numbers nothing is known. */
static void enclosure_check(HyEnclosure *e)
{
  for (int k = 0; k < 3; k++) {
    e->c[k].lo = isnan(e->c[k].lo) ? -INFINITY : e->c[k].lo;
    e->c[k].hi = isnan(e->c[k].hi) ? INFINITY : e->c[k].hi;
  }
}

static bool watch_is_parabola(const HyWatch *w)
{
  int j = 3;
  while (j < w->terms && w->p[j] == 0.0) {
    j++;
  }
  return j == w->terms;
}

void hy_watch_between(HyWatch *w, double s, double h, double most, HyEnclosure *e)
{
  watch_complete(w);
  Look at = watch_look(w, s), met = {.z = 0.0};
  *e = (HyEnclosure){{{at.z - at.rounding, at.z + at.rounding},
                      {at.slope - at.slope_rounding, at.slope + at.slope_rounding},
                      {0.5 * at.curve, 0.5 * at.curve}}};
  if (h > 0.0) {
    double third = h < INFINITY ? watch_bend(w, s + h) : watch_is_parabola(w) ? 0.0 : INFINITY;
    double bend = third > 0.0 ? third * h * (1.0 / 3.0) : 0.0;
    bend += watch_meets(w) ? watch_meetings(w, s, h, &met) : 0.0;
    enclosure_bend(e, bend, bend);
    enclosure_fast(w, h, most, e);
  }
  enclosure_check(e);
}

bool hy_watch_has_fast(const HyWatch *w)
{
  bool any = w->fast > 0;
  for (int i = 0; i < watch_sines(w) && !any; i++) {
    any = sine_is_fast(w, i);
  }
  return any;
}

/* How far it is safe to go within H, up to which the polynomial bends by BEND. */
static double watch_step(const HyWatch *w, double bend, double h, Low all, Low some)
{
  bend = bend > 0.0 ? bend * h * (1.0 / 3.0) : 0.0;
  some.z2 += bend;
  double step = falls_step(&some);
  if ((w->fast > 0 || watch_sines(w) > 0) && all.z0 > 0.0) {
    all.z2 += bend;
    step = fmax_of(falls_step(&all), step);
  }
  return step >= 0.0 ? fmin_of(step, h) : 0.0;
}

/* The horizon up to which a curvature from below outweighs BEND. */
static double outweighs(const Low *low, double bend)
{
  return low->z2 < 0.0 && bend > 0.0 ? 3.0 * -low->z2 / bend : 0.0;
}

/* z > LEVEL up to UNTIL, as its first terms know. */
static bool watch_is_clear(const HyWatch *w, double level, double until)
{
  double low = w->p[0] - level - 2.0 * w->rest, bend = 0.0;
  Falling y;
  if (!(until < INFINITY) || watch_meets(w)) {
    return false;
  }
  for (int j = w->terms - 1; j >= 3; j--) {
    bend = bend * until + fabs(w->p[j]);
  }
  double slope = w->p[1], curve = w->p[2] - until * bend;
  for (int k = 0; k < w->fast;) {
    k = falling_mode(w, k, until, &y);
    low -= y.loss;
  }
  for (int i = 0; i < watch_sines(w); i++) {
    low -= falling_sine(w, i, &y) ? y.loss : 0.0;
  }
  double end = low + until * (slope + until * curve);
  if (!(low > 0.0 && end > 0.0)) {
    return false;
  }
  return slope >= 0.0 || curve <= 0.0 || slope * slope < 4.0 * curve * low;
}

/* BEND, that of the polynomial up to UNTIL, is so much more than its first terms that nothing
 * follows from it: chains of integrators, whose rates are 0, and inputs in cubic pieces. */
static bool watch_is_long(const HyWatch *w, double bend)
{
  double h = w->until, size = (fabs(w->p[0]) / h + fabs(w->p[1])) / h + fabs(w->p[2]);
  return !(h < INFINITY && bend * h <= LARGE * size) && !watch_is_parabola(w);
}

/* The bounds grow with the horizon: BEND, or those of some modes. */
static bool watch_is_bent(const HyWatch *w, double bend)
{
  bool bent = watch_is_long(w, bend);
  for (int k = 0; k < w->fast; k++) {
    bent = bent || creal(w->motion->modal->rate[k]) > 0.0;
  }
  return bent || watch_meets(w);
}

/* The shortest time in which anything changes. */
static double falls_shortest(const HyModal *m)
{
  double fastest = m->modes > 0 ? m->speed[0] : 0.0;
  return fastest > 0.0 ? 1.0 / fastest : 1.0;
}

/* What is fast, at 0. */
static void watch_begin(HyWatch *w)
{
  for (int k = 0; k < w->fast; k++) {
    w->now[k] = w->eta[k];
  }
  for (int k = w->motion->modal->modes, i = 0; i < watch_sines(w); i++, k++) {
    w->now[k] = sine_is_fast(w, i) ? w->eta[k] : w->now[k];
  }
}

double hy_watch_falls(HyWatch *w, double *level, double right, double from, double until,
                      double *safe)
{
  double s = from;
  until = fmin_of(until, w->until);
  *safe = until;
  watch_begin(w);
  if (*level >= 0.0 && watch_is_clear(w, *level, until)) {
    return INFINITY;
  }
  watch_complete(w);
  double half = 0.5 * until, bend = watch_bend(w, until);
  double reach = watch_is_bent(w, bend) ? falls_shortest(w->motion->modal) : INFINITY;
  double nearest = NEAREST * fmin_of(until, falls_shortest(w->motion->modal));
  for (int k = 0; k < LOOKS && s < until; k++) {
    Low all, some;
    Look at = watch_look(w, s);
    *level = *level < 0.0 && at.z > right ? 0.0 : *level;
    at.z -= *level;
    if (at.z <= at.rounding && at.slope < -at.slope_rounding) {
      *safe = s;
      return s;
    }
    double end = *level < 0.0 && s < half ? half : until; /* there it has passed, as a rule */
    double h = fmin_of(end - s, WIDER * reach);
    watch_bounds(w, &at, s, h, &all, &some);
    bend = reach < INFINITY ? watch_bend(w, s + h) : bend;
    double step = watch_step(w, bend, h, all, some);
    if (WIDER * step < h) { /* a nearer horizon bends less */
      double nearer = fmax_of(WIDER * step, fmin_of(outweighs(&some, bend), h));
      step = watch_step(w, bend, nearer, all, some);
    }
    step = step > 0.0 || !isfinite(bend) || !isfinite(all.z0) ? step : fmin_of(nearest, h);
    reach = reach < INFINITY ? step : INFINITY;
    s = s + step > s ? s + step : nextafter(s, INFINITY);
  }
  *safe = fmin_of(s, until);
  return INFINITY;
}
