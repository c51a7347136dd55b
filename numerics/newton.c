#include "newton.h"
#include "dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define SHRINKS_FAST 0.05 /* |dz| to the next: the factors may stay */
#define HALVINGS     60   /* of a step; 2^-60 |dz| is nothing beside z */

/* The parts of the workspace. */
typedef struct {
  double *j, *pivot, *r, *dz, *trial, *next;
} Room;

static Room room_of(const HyNewton *s)
{
  size_t n = (size_t)s->n;
  double *p = s->room + n * n;
  return (Room){s->room, p, p + n, p + 2 * n, p + 3 * n, p + 4 * n};
}

size_t hy_newton_room(int n)
{
  return (size_t)n * (size_t)n + 5 * (size_t)n;
}

static double newton_weight(const HyNewton *s, double z)
{
  return s->abs + s->rel * fabs(z);
}

/* max |v| in units of the tolerance of z; NaN counts as infinite. */
static double newton_size(const HyNewton *s, const double *z, const double *v)
{
  double most = 0.0;
  for (int i = 0; i < s->n; i++) {
    double part = fabs(v[i]) / newton_weight(s, z[i]);
    if (!(part <= most)) {
      most = isnan(part) ? INFINITY : part;
    }
  }
  return most;
}

static double newton_largest(int n, const double *v)
{
  double most = 0.0;
  for (int i = 0; i < n; i++) {
    if (!(fabs(v[i]) <= most)) {
      most = isnan(v[i]) ? INFINITY : fabs(v[i]);
    }
  }
  return most;
}

/* Forward differences. */
static void newton_differences(HyNewton *s, const double *z, const double *r)
{
  Room w = room_of(s);
  memcpy(w.trial, z, (size_t)s->n * sizeof *z);
  for (int k = 0; k < s->n; k++) {
    double d = sqrt(DBL_EPSILON) * fmax(fabs(z[k]), s->typical);
    w.trial[k] = z[k] + d;
    d = w.trial[k] - z[k];
    s->residual(s->user, w.trial, w.next);
    for (int i = 0; i < s->n; i++) {
      w.j[(ptrdiff_t)i * s->n + k] = (w.next[i] - r[i]) / d;
    }
    w.trial[k] = z[k];
  }
}

static bool factor_at(HyNewton *s, const double *z, const double *r)
{
  Room w = room_of(s);
  s->jacobians++;
  if (s->jacobian != NULL) {
    s->jacobian(s->user, z, w.j);
  } else {
    newton_differences(s, z, r);
  }
  return hy_dense_factor(s->n, w.j, w.pivot, &s->column);
}

/* DZ = -J^-1 R with the factors at hand. */
void hy_newton_again(const HyNewton *s, const double *r, double *dz)
{
  Room w = room_of(s);
  for (int i = 0; i < s->n; i++) {
    dz[i] = -r[i];
  }
  hy_dense_solve(s->n, w.j, w.pivot, dz);
}

bool hy_newton_direction(HyNewton *s, const double *z, const double *r, double *dz)
{
  if (!factor_at(s, z, r)) {
    return false;
  }
  hy_newton_again(s, r, dz);
  return true;
}

/* Goes along dz as far as it leads nearer; then z, r and dz are those of the new point. The result
 * is |new dz| / |old dz|, or INFINITY if no point is nearer. FULL: the whole dz has been gone. */
static double newton_advance(HyNewton *s, double *z, bool *full)
{
  Room w = room_of(s);
  size_t bytes = (size_t)s->n * sizeof *z;
  double before = newton_size(s, z, w.dz);
  double l = 1.0;
  for (int halving = 0; halving < HALVINGS; halving++, l *= 0.5) {
    for (int i = 0; i < s->n; i++) {
      w.trial[i] = z[i] + l * w.dz[i];
    }
    s->residual(s->user, w.trial, w.r);
    hy_newton_again(s, w.r, w.next);
    double after = newton_size(s, z, w.next);
    if (after < before || before == 0.0) {
      memcpy(z, w.trial, bytes);
      memcpy(w.dz, w.next, bytes);
      *full = halving == 0;
      return before == 0.0 ? 0.0 : after / before;
    }
  }
  return INFINITY;
}

static HyNewtonEnd newton_ended(HyNewton *s, HyNewtonEnd end)
{
  const double *r = room_of(s).r;
  s->worst = newton_largest(s->n, r);
  s->worst_at = 0;
  while (s->worst_at + 1 < s->n && fabs(r[s->worst_at]) < s->worst) {
    s->worst_at++;
  }
  return end;
}

HyNewtonEnd hy_newton_solve(HyNewton *s, double *z)
{
  Room w = room_of(s);
  double ratio = INFINITY; /* the factors are of no use yet */
  s->residual(s->user, z, w.r);
  /* what ends by its step takes one, however small: else a step in time that is short enough, as
   * that to a crossing, would leave all states where they are */
  double enough = s->by_step ? 0.0 : 1.0;
  for (int iteration = 0; s->distance || newton_size(s, z, w.r) > enough; iteration++) {
    enough = 1.0;
    if (!isfinite(newton_largest(s->n, w.r))) {
      return newton_ended(s, HY_NEWTON_NOT_FINITE);
    }
    if (iteration == s->max) {
      return newton_ended(s, HY_NEWTON_TOO_MANY);
    }
    s->iterations++;
    if (ratio > SHRINKS_FAST && !hy_newton_direction(s, z, w.r, w.dz)) {
      return newton_ended(s, HY_NEWTON_SINGULAR);
    }
    double step = newton_size(s, z, w.dz);
    bool full = false;
    bool fresh = ratio > SHRINKS_FAST;
    ratio = newton_advance(s, z, &full);
    if ((s->by_step || s->distance) && (full || ratio == INFINITY) && step <= 1.0) {
      break;
    }
    if (ratio == INFINITY && fresh) {
      return newton_ended(s, HY_NEWTON_STUCK);
    }
    if (ratio == INFINITY) {
      s->residual(s->user, z, w.r); /* the trials have left another one there */
    }
  }
  return newton_ended(s, HY_NEWTON_SOLVED);
}
