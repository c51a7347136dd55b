#include "loop.h"

#include <math.h>

#define ROUNDING 1e-12 /* of s */

static bool is_bracketed(const HyLoop *l)
{
  return !isnan(l->above) && !isnan(l->below);
}

static void loop_begin(HyLoop *l)
{
  l->answers = 0;
  l->above = l->below = NAN;
  l->solved = false;
}

void hy_loop_start(HyLoop *l, double z0)
{
  l->z = z0;
  l->s = 0.0;
  l->known = false;
  l->residual = INFINITY;
  loop_begin(l);
}

double hy_loop_slope(const HyLoop *l, double dg, double dz)
{
  return (dg - l->s * dz) / (1.0 - l->s);
}

/* s of g, from the residuals r = g - z of the last two answers. */
static void loop_learn(HyLoop *l)
{
  double s = 1.0 + (l->residual - l->r_was) / (l->z - l->z_was);
  if (isfinite(s) && !l->fixed) {
    l->s = s;
    l->known = true;
  }
}

static void loop_bracket(HyLoop *l)
{
  if (l->residual > 0.0) {
    l->above = l->z;
  } else {
    l->below = l->z;
  }
}

static bool loop_between(double z, double a, double b)
{
  return z > fmin(a, b) && z < fmax(a, b);
}

/* Where the slope tells nothing, because none is known or because it is 1 (to rounding: what is far
 * away would look like a solution), a small step: the residual may be that of a diode, and other
 * places may tell more. */
static double small_step(const HyLoop *l)
{
  double most = l->answers > 1 ? 1.0 : fmax(1.0, fabs(l->z));
  return fmax(-most, fmin(most, l->residual));
}

/* The secant's point; half way instead where that lies outside of the bracket or the last one has
 * not halved the residual. */
static double loop_next(const HyLoop *l)
{
  double gap = 1.0 - l->s;
  bool blind = !l->fixed && (!l->known || fabs(gap) < ROUNDING);
  double z = l->z + (blind && isfinite(l->residual) ? small_step(l) : l->residual / gap);
  if (l->fixed || !is_bracketed(l)) {
    return z;
  }
  bool slow = l->answers > 2 && fabs(l->residual) > 0.5 * fabs(l->r_was);
  return loop_between(z, l->above, l->below) && !slow ? z : 0.5 * (l->above + l->below);
}

HyLoopEnd hy_loop_answer(HyLoop *l, double g)
{
  if (l->solved) {
    loop_begin(l);
  }
  l->answers++;
  l->residual = g - l->z;
  l->solved = fabs(l->residual) <= l->abs + l->rel * fabs(l->z);
  if (l->solved) {
    return HY_LOOP_SOLVED; /* with an s that needs no correction by differences of rounding */
  }
  if (l->answers > 1) {
    loop_learn(l);
  }
  loop_bracket(l);
  double z = loop_next(l);
  if (l->answers >= l->max || !isfinite(z) || z == l->z) {
    l->singular = l->known && fabs(1.0 - l->s) < ROUNDING && !is_bracketed(l);
    loop_begin(l); /* the owner may try again */
    return HY_LOOP_FAILED;
  }
  l->z_was = l->z;
  l->r_was = l->residual;
  l->z = z;
  return HY_LOOP_AGAIN;
}
