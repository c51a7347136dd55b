/* Balls: a number with how far off it may be. Every operation gives a ball in which the true result
 * lies for all numbers in the balls that it was given, the rounding of its own included. */
#ifndef HYDEVS_AUDIT_BALL_H
#define HYDEVS_AUDIT_BALL_H

#include <glib.h>
#include <math.h>

/* V within E. DOUBT is what counts in comparisons alone, beside E: those who have decided them knew
 * their operands as well as that, and where two are nearer neither answer is wrong. OPEN: E is also
 * that of a comparison that is open, so that it is one of two numbers and hardly what is between. V
 * NaN: nothing is known. */
typedef struct {
  double v, e, doubt;
  gboolean open;
} HyBall;

#define HY_BALL_ROUND 2.3e-16 /* a bit more than half a unit of the last place, twice */

static inline HyBall hy_ball(double v)
{
  return (HyBall){v, 0, 0, FALSE};
}

/* Radii are computed, too: they are taken a bit larger. */
static inline HyBall hy_ball_of(double v, double e, double doubt, gboolean open)
{
  return (HyBall){v, isnan(e) ? INFINITY : e * (1 + 1e-15), isnan(doubt) ? INFINITY : doubt, open};
}

/* Of an operation that has left OFF away: what that was is exact, so that whole numbers stay sharp.
 */
static inline double hy_ball_rounding(double v, double off)
{
  return off == 0 ? 0 : HY_BALL_ROUND * fabs(v) + 5e-324;
}

static inline HyBall hy_ball_add(HyBall a, HyBall b)
{
  double v = a.v + b.v, part = v - a.v, off = (a.v - (v - part)) + (b.v - part);
  return hy_ball_of(v, a.e + b.e + hy_ball_rounding(v, off), a.doubt + b.doubt, a.open || b.open);
}

static inline HyBall hy_ball_neg(HyBall a)
{
  return (HyBall){-a.v, a.e, a.doubt, a.open};
}

/* What A and B make of radii RA and RB, one times the other. */
static inline double hy_ball_cross(HyBall a, double ra, HyBall b, double rb)
{
  return ra == 0 && rb == 0 ? 0 : fabs(a.v) * rb + fabs(b.v) * ra + ra * rb;
}

HyBall hy_ball_mul(HyBall a, HyBall b);
HyBall hy_ball_div(HyBall a, HyBall b);
HyBall hy_ball_pow(HyBall a, HyBall b);
/* OP: a row of hy_ops, of one number or two. */
HyBall hy_ball_function(guint op, const HyBall *arg);
HyBall hy_ball_min(HyBall a, HyBall b);
HyBall hy_ball_max(HyBall a, HyBall b);
HyBall hy_ball_abs(HyBall a);
/* All that is in one of them. */
HyBall hy_ball_hull(HyBall a, HyBall b);

/* Whether a > b: 1, 0, or where that is open 1/2 within 1/2. */
HyBall hy_ball_above(HyBall a, HyBall b);
static inline gboolean hy_ball_is_open(HyBall truth)
{
  return truth.e > 0;
}
/* What IF_SET and IF_CLEAR come to where TRUTH holds. */
HyBall hy_ball_choose(HyBall truth, HyBall if_set, HyBall if_clear);

#endif
