#include "validity.h"
#include "quantizer.h"

/* An input is far from where it was when it has moved by all of its size, or by as many quanta. */
#define FAR_QUANTA 1000.0
/* Halvings until no input moves by the trillionth part of its quantum; every so many of them the
 * excess has to be half of what it was, or it is the rounding of the function. */
#define MOST_HALVINGS 40
#define LOOK_EVERY    16
#define GAIN          0.5
/* The first look is at the end divided by FIRST, and each further one WIDER times as far. */
#define FIRST 64.0
#define WIDER 4.0

double hy_validity_foresee_any(double c, int n, double w)
{
  return isfinite(c) && w > 0.0 ? hy_leave_power(c, n, w) : NAN;
}

/* |c s^(n+1)| = w, to a few percent. */
static double validity_foresee_next(double c, int n, double w)
{
  double s = w / fabs(c);
  if (n == 2) {
    return s > HY_TINY_CUBE && s < HY_HUGE_CUBE ? hy_rough_cube_root(s) : cbrt(s);
  }
  return n == 1 ? sqrt(s) : sqrt(sqrt(s));
}

/* The narrower part of the band: the later of the two instants. */
double hy_validity_foresee_effect(double c, int n, const HyBand *b)
{
  double s = c != 0.0 ? validity_foresee_next(c, n, b->effect) : INFINITY;
  double part = b->relative / fabs(c);
  if (!(part > 0.0)) {
    return s;
  }
  part = n == 1 ? part : n == 2 ? sqrt(part) : hy_cube_root(part);
  return part > s ? part : s;
}

/* S is where the first of them leaves the band by itself, and SUM what both are there, in bands.
 * Since they grow as s^2 at least, both together are still in it at s / sqrt(sum); it is no
 * narrower. */
double hy_validity_foresee_two(double c, double further, int n, const HyBand *b)
{
  double s = hy_validity_foresee_band(c, n, b);
  double next = hy_validity_foresee_band(further, n + 1, b);
  s = next < s || isnan(next) ? next : s; /* NaN stays */
  if (!(s < INFINITY)) {
    return s;
  }
  double p = fabs(c), r = fabs(further) * s;
  double sum = 1.0 + (p < r ? p / r : r / p);
  return s / sqrt(sum);
}

void hy_validity_reach(HyReach *reach, const double *piece, double age, int n, double rel,
                       double min)
{
  double c[4] = {piece[0], piece[1], piece[2], piece[3]};
  hy_poly_shift(c, n, age);
  double d[4] = {0.0, n > 1 ? c[1] : 0.0, n > 2 ? c[2] : 0.0, n > 3 ? c[3] : 0.0};
  double dq = hy_quantum(rel, min, c[0]);
  reach->near = fmin(reach->near, hy_poly_leave(d, n, dq));
  reach->far = fmin(reach->far, hy_poly_leave(d, n, fmax(fabs(c[0]), FAR_QUANTA * dq)));
}

/* From S down, the first time at which the excess is no more than MOST. */
static double validity_within(double s, double most, HyExcess *excess, void *user)
{
  for (int k = 0; excess(user, s) > most && k < MOST_HALVINGS; k++) {
    s *= 0.5;
  }
  return s;
}

/* Shorter and shorter, until the piece holds. What does not get better by that is no drift but the
 * rounding of the function: then as long as the drift is no more than that. It ends where no input
 * moves by the trillionth part of its quantum. */
static double validity_shorten(double s, HyExcess *excess, void *user)
{
  double e = excess(user, s), was = e, first = s;
  for (int k = 1; e > 1.0 && k <= MOST_HALVINGS; k++) {
    s *= 0.5;
    e = excess(user, s);
    if (k % LOOK_EVERY == 0) {
      if (e < INFINITY && e > GAIN * was) {
        return validity_within(first, e / GAIN, excess, user);
      }
      was = e;
    }
  }
  return s;
}

double hy_validity_look(HyValidity *v, double s, const HyReach *reach, double limit,
                        HyExcess *excess, void *user)
{
  double end = fmin(s < reach->far ? s : reach->far, limit); /* also where s is NaN */
  double held = 0.0;
  v->foreseen = s < INFINITY ? s : NAN; /* a coefficient that is 0 is never believed */
  v->far = reach->far;
  if (end == INFINITY) {
    return end;
  }
  double first = s < INFINITY ? fmax(reach->near, end / FIRST) : reach->near;
  for (double at = fmin(first, end); held < end; at = fmin(WIDER * at, end)) {
    if (excess(user, at) > 1.0) {
      v->foreseen = held == 0.0                      ? validity_shorten(at, excess, user)
                    : excess(user, 2.0 * held) > 1.0 ? held
                                                     : 2.0 * held;
      return v->foreseen;
    }
    held = at;
  }
  if (v->foreseen > limit) { /* nobody has looked beyond */
    v->foreseen = limit;
  }
  return end < limit ? end : INFINITY;
}
