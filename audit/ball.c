/* Arithmetic of balls. Functions of libm are right within a few units of the last place; how far a
 * monotone one spreads what it is given is seen at the ends. */
#include "ball.h"

#include "expr/ops.h"

#define LIBM (8 * HY_BALL_ROUND) /* of its functions, the worst of which are off by 4 units */

HyBall hy_ball_mul(HyBall a, HyBall b)
{
  double v = a.v * b.v, off = fma(a.v, b.v, -v);
  gboolean tiny = fabs(v) < 1e-290 && v != 0; /* there fma() does not tell all */
  return hy_ball_of(v, hy_ball_cross(a, a.e, b, b.e) + hy_ball_rounding(v, tiny ? 1 : off),
                    hy_ball_cross(a, a.doubt, b, b.doubt), a.open || b.open);
}

/* What a radius RA of A and RB of B makes of a/b = V. */
static double quotient(double v, double ra, HyBall b, double rb)
{
  if (ra == 0 && rb == 0) {
    return 0;
  }
  double least = fabs(b.v) - rb;
  return least > 0 ? (ra + fabs(v) * rb) / least : INFINITY;
}

HyBall hy_ball_div(HyBall a, HyBall b)
{
  double v = a.v / b.v, off = fma(v, b.v, -a.v);
  gboolean tiny = fabs(v) < 1e-290 || fabs(a.v) < 1e-290;
  return hy_ball_of(v, quotient(v, a.e, b, b.e) + hy_ball_rounding(v, tiny && a.v != 0 ? 1 : off),
                    quotient(v, a.doubt, b, b.doubt), a.open || b.open);
}

/* How far OF_ONE spreads a radius R around A, where its value is V. */
static double spread(double (*of_one)(double), double a, double r, double v)
{
  if (r == 0) {
    return 0;
  }
  double low = fabs(of_one(a - r) - v), high = fabs(of_one(a + r) - v);
  return isnan(low + high) || isinf(r) ? INFINITY
                                       : MAX(low, high) + 2 * LIBM * (fabs(v) + MAX(low, high));
}

/* A tangent has poles, a sine turns back: by its slope, at most 1. */
static double spread_of(guint op, double a, double r, double v)
{
  if (op == HY_X_SIN || op == HY_X_COS) {
    return MIN(r, 2.0);
  }
  if (op == HY_X_TAN && r > 0 && (r > 1.5 || cos(a - r) * cos(a + r) <= 0)) {
    return INFINITY;
  }
  return spread(hy_ops[op].of_one, a, r, v);
}

/* The farthest corner of the square with the sides RA and RB around the point. */
static double corners(double (*of_two)(double, double), double a, double ra, double b, double rb,
                      double v)
{
  double far = 0;
  if (ra == 0 && rb == 0) {
    return 0;
  }
  for (int k = 0; k < 4; k++) {
    double w = of_two(a + (k & 1 ? ra : -ra), b + (k & 2 ? rb : -rb));
    far = isnan(w) || isinf(w) ? INFINITY : MAX(far, fabs(w - v));
  }
  return far + 2 * LIBM * (fabs(v) + far);
}

/* Monotone in each of both where a > 0. Else a whole power is, away from 0 of a negative one. */
static double power(HyBall a, double ra, HyBall b, double rb, double v)
{
  gboolean whole = rb == 0 && floor(b.v) == b.v;
  if ((ra > 0 || rb > 0) && fabs(a.v) <= ra && !(whole && b.v >= 0) &&
      !(b.v - rb > 0 && a.v == ra)) {
    return INFINITY;
  }
  return corners(pow, a.v, ra, b.v, rb, v);
}

HyBall hy_ball_pow(HyBall a, HyBall b)
{
  double v = pow(a.v, b.v);
  gboolean exact = b.e == 0 && (b.v == 0 || b.v == 1);
  double own = exact ? 0 : LIBM * fabs(v) + 5e-324;
  return hy_ball_of(v, power(a, a.e, b, b.e, v) + own, power(a, a.doubt, b, b.doubt, v),
                    a.open || b.open);
}

/* Where the square holds the origin or the cut, any angle; else the corners. */
static double angle(HyBall y, double ry, HyBall x, double rx, double v)
{
  gboolean cut = fabs(y.v) <= ry && x.v - rx <= 0;
  return (ry > 0 || rx > 0) && cut ? 2 * G_PI : corners(atan2, y.v, ry, x.v, rx, v);
}

HyBall hy_ball_function(guint op, const HyBall *arg)
{
  if (op == HY_X_ATAN2) {
    double v = atan2(arg[0].v, arg[1].v);
    return hy_ball_of(v, angle(arg[0], arg[0].e, arg[1], arg[1].e, v) + LIBM * fabs(v),
                      angle(arg[0], arg[0].doubt, arg[1], arg[1].doubt, v),
                      arg[0].open || arg[1].open);
  }
  double a = arg[0].v, v = hy_ops[op].of_one(a);
  double near = op == HY_X_WLOG ? fabs(a) : 0; /* it passes 0 at 1, which is as well known as 1 */
  double own = LIBM * (fabs(v) + near) + (v == 0 && a == 0 ? 0 : 5e-324);
  return hy_ball_of(v, spread_of(op, a, arg[0].e, v) + own, spread_of(op, a, arg[0].doubt, v),
                    arg[0].open);
}

static double least(double a, double b)
{
  return a < b ? a : b;
}

static double most(double a, double b)
{
  return a > b ? a : b;
}

/* Of two numbers the one that PICK takes: by the ends of what both may be. */
static HyBall picked(HyBall a, HyBall b, double (*pick)(double, double))
{
  double v = isnan(a.v + b.v) ? NAN : pick(a.v, b.v);
  double low = pick(a.v - a.e, b.v - b.e), high = pick(a.v + a.e, b.v + b.e);
  double under = pick(a.v - a.doubt, b.v - b.doubt), over = pick(a.v + a.doubt, b.v + b.doubt);
  double slack = (a.e > 0 || b.e > 0) ? HY_BALL_ROUND * (fabs(low) + fabs(high)) : 0;
  return hy_ball_of(v, MAX(v - low, high - v) + slack, MAX(v - under, over - v), a.open || b.open);
}

HyBall hy_ball_min(HyBall a, HyBall b)
{
  return picked(a, b, least);
}

HyBall hy_ball_max(HyBall a, HyBall b)
{
  return picked(a, b, most);
}

HyBall hy_ball_abs(HyBall a)
{
  return (HyBall){fabs(a.v), a.e, a.doubt, a.open};
}

HyBall hy_ball_hull(HyBall a, HyBall b)
{
  double low = least(a.v - a.e, b.v - b.e), high = most(a.v + a.e, b.v + b.e);
  double v = isnan(a.v + b.v) ? NAN : low + (high - low) / 2;
  if (isinf(a.e) || isinf(b.e)) {
    return (HyBall){a.v + b.v, INFINITY, INFINITY, TRUE};
  }
  return hy_ball_of(v, MAX(v - low, high - v) + HY_BALL_ROUND * (fabs(low) + fabs(high)),
                    MAX(a.doubt, b.doubt), TRUE);
}

HyBall hy_ball_above(HyBall a, HyBall b)
{
  double r = (a.e + b.e) + (a.doubt + b.doubt);
  if (isnan(a.v) || isnan(b.v)) {
    return hy_ball(NAN);
  }
  if (r > 0 && !(fabs(a.v - b.v) > r)) {
    return (HyBall){0.5, 0.5, 0, TRUE};
  }
  return hy_ball(a.v > b.v ? 1 : 0);
}

HyBall hy_ball_choose(HyBall truth, HyBall if_set, HyBall if_clear)
{
  if (isnan(truth.v)) {
    return truth;
  }
  return hy_ball_is_open(truth) ? hy_ball_hull(if_set, if_clear) : truth.v > 0 ? if_set : if_clear;
}
