/* The first instant at which a function of watched lines falls to 0: a product of two states, the
 * length of a vector, the sine of an angle. Nothing between two looks is missed.
 *
 * Each line is known between two parabolas from a look on, for a horizon (hy_watch_between()), and
 * the function of them is so, too (enclosure.h). The lower one is the bound of modal_falls.c: up to
 * its root z is above 0, and there the next look is taken. A nearer horizon bends less: it is tried
 * as long as the root is far within it. Fast modes are given up, all, or those that are small
 * beside z by |dz/dline|, or none; whichever leads further.
 *
 * Where nothing is known in the nearest horizon, as at a pole, the next look is behind it: z that
 * is below 0 there has come through. */
#include "falls.h"
#include "modal.h"

#include <float.h>

#define SHARE   0.5   /* of z, that fast modes may take together */
#define WIDER   4.0   /* a horizon that is needed is so many times the last step */
#define NEARER  16.0  /* the next one, if nothing is known of a horizon */
#define LONG    4.0   /* times what is slowest: the horizon behind one that is longer */
#define NEAREST 1e-12 /* of the shortest time: no horizon is nearer */
#define TRIES   100
#define LOOKS   64

typedef struct {
  double z, slope, rounding, slope_rounding;
} Look;

/* Which fast modes are given up. */
typedef enum { NONE, SOME, ALL } Given;

static HyEnclosure bent_between(HyBentWatch *b, double s, double h, Given up)
{
  for (int k = 0; k < b->n; k++) {
    double most = up == ALL ? INFINITY : up == SOME ? b->share[k] : 0.0;
    hy_watch_between(&b->line[k], s, h, most, &b->now[k]);
  }
  HyEnclosure z = b->value(b->of, b->now, h);
  HyEnclosure beside = hy_enclosure_of(b->rest + b->slope * s);
  beside.c[1] = (HyInterval){b->slope, b->slope};
  return hy_enclose_add(&z, &beside, h);
}

static Look bent_look(HyBentWatch *b, double s)
{
  HyEnclosure z = bent_between(b, s, 0.0, NONE);
  return (Look){.z = 0.5 * (z.c[0].lo + z.c[0].hi),
                .rounding = 0.5 * (z.c[0].hi - z.c[0].lo),
                .slope = 0.5 * (z.c[1].lo + z.c[1].hi),
                .slope_rounding = 0.5 * (z.c[1].hi - z.c[1].lo)};
}

double hy_bent_at(HyBentWatch *b, double s, double *slope)
{
  Look at = bent_look(b, s);
  *slope = at.slope;
  return at.z;
}

/* What the fast modes of each line may take, if z is Z, by dz/dline at the last look; FALSE: there
 * are none. */
static bool bent_share(HyBentWatch *b, double z)
{
  bool any = false;
  for (int k = 0; k < b->n; k++) {
    any = any || hy_watch_has_fast(&b->line[k]);
    for (int i = 0; i < 3; i++) {
      b->now[k].c[i] = i == 0 ? b->now[k].c[0] : (HyInterval){0.0, 0.0};
    }
  }
  for (int k = 0; k < b->n && any; k++) {
    b->now[k].c[1] = (HyInterval){1.0, 1.0};
    HyEnclosure y = b->value(b->of, b->now, 0.0);
    double size = fmax(fabs(y.c[1].lo), fabs(y.c[1].hi));
    b->now[k].c[1] = (HyInterval){0.0, 0.0};
    b->share[k] = SHARE * fmax(z, 0.0) / (b->n * size);
    b->share[k] = isnan(b->share[k]) ? 0.0 : b->share[k];
  }
  return any;
}

/* How far z stays above BELOW by such bounds. */
static double bent_reach(HyBentWatch *b, double s, double h, double below, Given up)
{
  HyEnclosure z = bent_between(b, s, h, up);
  Low low = {z.c[0].lo - below, z.c[1].lo, -2.0 * z.c[2].lo};
  double step = low.z0 >= 0.0 ? falls_step(&low) : 0.0;
  return step >= 0.0 ? fmin(step, h) : 0.0;
}

/* The slowest time in which anything changes, and *SHORTEST. */
static double bent_times(const HyMotion *m, double *shortest)
{
  double longest = 0.0, fastest = 0.0;
  for (int k = 0; k < m->modal->modes; k++) {
    longest = m->modal->speed[k] > 0.0 ? fmax(longest, 1.0 / m->modal->speed[k]) : longest;
    fastest = fmax(fastest, m->modal->speed[k]);
  }
  for (int i = 0; m->sines != NULL && i < m->sines->n; i++) {
    longest = fmax(longest, 1.0 / m->sines->turn[i]);
    fastest = fmax(fastest, m->sines->turn[i]);
  }
  *shortest = fastest > 0.0 ? 1.0 / fastest : 1.0;
  return longest > 0.0 ? longest : 1.0;
}

/* How far it is safe to go from S on, H at most. Z counts as REST at least: where it lies at 0 that
 * is more from look to look, so that these come to an end. */
static double bent_step(HyBentWatch *b, double s, double h, double level, const Look *at,
                        double rest, double nearest, double longest)
{
  double below = level - fmax(rest - at->z, 0.0) - at->rounding, step = 0.0;
  Given least = bent_share(b, at->z) ? NONE : ALL;
  for (int k = 0; k < TRIES; k++) {
    step = bent_reach(b, s, h, below, ALL);
    for (int up = SOME; up >= (int)least && WIDER * step < h; up--) {
      step = fmax(step, bent_reach(b, s, h, below, (Given)up));
    }
    if (WIDER * step >= h || h <= nearest) {
      break;
    }
    h = fmax(WIDER * step, fmin(h / NEARER, longest));
  }
  return step > 0.0 ? step : fmin(h, nearest);
}

double hy_bent_falls(HyBentWatch *b, double *level, double right, double from, double until,
                     double *safe)
{
  for (int k = 0; k < b->n; k++) {
    until = fmin(until, b->line[k].until);
  }
  double s = from, reach = INFINITY, half = 0.5 * until, shortest = until;
  double longest =
      b->n > 0 ? LONG * bent_times(b->line[0].motion, &shortest) : until; /* of numbers */
  double nearest = NEAREST * fmin(until, shortest);
  bool above = false;
  int resting = 0;
  *safe = until;
  for (int k = 0; k < LOOKS && s < until; k++) {
    Look at = bent_look(b, s);
    *level = *level < 0.0 && at.z > right ? 0.0 : *level;
    at.z -= *level;
    bool falls = at.z <= at.rounding && at.slope < -at.slope_rounding;
    if (falls || (above && at.z < -at.rounding)) {
      *safe = s;
      return s;
    }
    above = above || at.z > at.rounding;
    resting = at.z > at.rounding ? 0 : resting + 1;
    double end = *level < 0.0 && s < half ? half : until; /* there it has passed, as a rule */
    double h = fmin(end - s, fmax(WIDER * reach, nearest));
    reach = bent_step(b, s, h, *level, &at, ldexp(at.rounding, resting), nearest, longest);
    s = s + reach > s ? s + reach : nextafter(s, INFINITY);
  }
  *safe = fmin(s, until);
  return INFINITY;
}
