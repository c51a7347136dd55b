/* Of y = f(x), x = a + r with r = b h + c h^2:
 *
 *   y = f(a) + f'(a) (b h + c h^2) + f''(x~)/2 (b + c h)^2 h^2,   x~ between a and x
 *
 * so a function is known by its values and those of f' on c[0], and those of f'' and its own on all
 * that x can be. */
#include "enclosure.h"

#include "taylor.h"

#include <float.h>
#include <math.h>

#define ROUNDING (4.0 * DBL_EPSILON)
#define TURN     6.283185307179586
#define FURTHEST 1e15 /* a sine of more is anything */
#define MOST     1e6  /* an exponent that is whole */

static const HyInterval all = {-INFINITY, INFINITY}, none = {0.0, 0.0};

/* Of numbers that are none of them NaN, without a call. */
static double lesser(double a, double b)
{
  return a < b ? a : b;
}

static double larger(double a, double b)
{
  return a > b ? a : b;
}

/* What rounding makes of it; NaN: nothing is known. */
static HyInterval between(double lo, double hi)
{
  lo = lo == INFINITY ? DBL_MAX : lo;
  hi = hi == -INFINITY ? -DBL_MAX : hi;
  HyInterval x = {lo - ROUNDING * fabs(lo), hi + ROUNDING * fabs(hi)};
  return x.lo <= x.hi ? x : all;
}

static HyInterval point(double x)
{
  return between(x, x);
}

static HyInterval hull(double a, double b)
{
  return between(lesser(a, b), larger(a, b));
}

static HyInterval plus(HyInterval a, HyInterval b)
{
  return between(a.lo + b.lo, a.hi + b.hi);
}

static HyInterval negative(HyInterval a)
{
  return (HyInterval){-a.hi, -a.lo};
}

static double least(HyInterval a)
{
  return a.lo > 0.0 ? a.lo : a.hi < 0.0 ? -a.hi : 0.0;
}

static double most(HyInterval a)
{
  return larger(-a.lo, a.hi);
}

/* Nothing of anything is nothing. */
static double product(double a, double b)
{
  return a == 0.0 || b == 0.0 ? 0.0 : a * b;
}

static HyInterval times(HyInterval a, HyInterval b)
{
  if (most(a) == 0.0 || most(b) == 0.0) {
    return none;
  }
  double p = product(a.lo, b.lo), q = product(a.lo, b.hi);
  double r = product(a.hi, b.lo), s = product(a.hi, b.hi);
  return between(lesser(lesser(p, q), lesser(r, s)), larger(larger(p, q), larger(r, s)));
}

static HyInterval scaled(double k, HyInterval a)
{
  return times((HyInterval){k, k}, a);
}

static HyInterval square(HyInterval a)
{
  return between(least(a) * least(a), most(a) * most(a));
}

static HyInterval over(HyInterval a)
{
  return a.lo > 0.0 || a.hi < 0.0 ? between(1.0 / a.hi, 1.0 / a.lo) : all;
}

static bool is_finite(HyInterval a)
{
  return isfinite(a.lo) && isfinite(a.hi);
}

/* As a parabola, unless WHOLE says more. */
static HyEnclosure chosen(HyEnclosure y, HyInterval whole)
{
  bool known = is_finite(y.c[0]) && is_finite(y.c[1]) && is_finite(y.c[2]);
  return known ? y : (HyEnclosure){{whole, none, none}};
}

HyEnclosure hy_enclosure_of(double number)
{
  return (HyEnclosure){{{number, number}, none, none}};
}

static HyInterval up_to(double h)
{
  return (HyInterval){0.0, h};
}

HyInterval hy_enclosure_range(const HyEnclosure *a, double h)
{
  HyInterval bend = times(a->c[2], up_to(h));
  return plus(a->c[0], times(plus(a->c[1], bend), up_to(h)));
}

/* Sums and products --------------------------------------------------------------------------- */

HyEnclosure hy_enclose_add(const HyEnclosure *a, const HyEnclosure *b, double h)
{
  (void)h;
  return (HyEnclosure){{plus(a->c[0], b->c[0]), plus(a->c[1], b->c[1]), plus(a->c[2], b->c[2])}};
}

HyEnclosure hy_enclose_neg(const HyEnclosure *a, double h)
{
  (void)h;
  return (HyEnclosure){{negative(a->c[0]), negative(a->c[1]), negative(a->c[2])}};
}

HyEnclosure hy_enclose_sub(const HyEnclosure *a, const HyEnclosure *b, double h)
{
  HyEnclosure less = hy_enclose_neg(b, h);
  return hy_enclose_add(a, &less, h);
}

/* A function of one quantity: values and slopes on c[0], the bend and the values on all of it. */
typedef struct {
  HyInterval y, slope, bend, whole;
} Shape;

static HyEnclosure shaped(const HyEnclosure *a, Shape f, double h)
{
  HyInterval rate = plus(a->c[1], times(a->c[2], up_to(h)));
  HyInterval bend = plus(times(f.slope, a->c[2]), times(scaled(0.5, f.bend), square(rate)));
  return chosen((HyEnclosure){{f.y, times(f.slope, a->c[1]), bend}}, f.whole);
}

static HyInterval power(HyInterval x, double p);

static HyEnclosure to_the(const HyEnclosure *a, double p, double h)
{
  HyInterval x = a->c[0], range = hy_enclosure_range(a, h);
  return shaped(a,
                (Shape){power(x, p), scaled(p, power(x, p - 1.0)),
                        scaled(p * (p - 1.0), power(range, p - 2.0)), power(range, p)},
                h);
}

HyEnclosure hy_enclose_mul(const HyEnclosure *a, const HyEnclosure *b, double h)
{
  if (a == b) {
    return to_the(a, 2.0, h);
  }
  const HyInterval *x = a->c, *y = b->c;
  HyInterval third = plus(times(x[1], y[2]), times(x[2], y[1]));
  HyInterval fourth = times(times(x[2], y[2]), up_to(h));
  HyInterval second = plus(plus(times(x[0], y[2]), times(x[2], y[0])), times(x[1], y[1]));
  second = plus(second, times(plus(third, fourth), up_to(h)));
  HyInterval first = plus(times(x[0], y[1]), times(x[1], y[0]));
  HyInterval whole = times(hy_enclosure_range(a, h), hy_enclosure_range(b, h));
  return chosen((HyEnclosure){{times(x[0], y[0]), first, second}}, whole);
}

HyEnclosure hy_enclose_div(const HyEnclosure *a, const HyEnclosure *b, double h)
{
  HyEnclosure inverse = to_the(b, -1.0, h);
  return hy_enclose_mul(a, &inverse, h);
}

/* Powers -------------------------------------------------------------------------------------- */

static bool is_whole(double p)
{
  return fabs(p) <= MOST && p == floor(p);
}

static double power_of(double x, double p)
{
  return p == 1.0 ? x : p == 2.0 ? x * x : p == 0.5 ? sqrt(x) : pow(x, p);
}

/* x^p for x >= 0. */
static HyInterval power_above(HyInterval x, double p)
{
  return p == 0.0 ? (HyInterval){1.0, 1.0} : hull(power_of(x.lo, p), power_of(x.hi, p));
}

static HyInterval power(HyInterval x, double p)
{
  if (!is_whole(p)) { /* of numbers below 0 there is none */
    return x.hi >= 0.0 ? power_above((HyInterval){larger(x.lo, 0.0), x.hi}, p) : all;
  }
  if (p < 0.0) {
    return over(power(x, -p));
  }
  bool even = fmod(p, 2.0) == 0.0;
  return even ? power_above((HyInterval){least(x), most(x)}, p)
              : between(power_of(x.lo, p), power_of(x.hi, p));
}

static bool is_number(const HyEnclosure *a)
{
  return a->c[0].lo == a->c[0].hi && most(a->c[1]) == 0.0 && most(a->c[2]) == 0.0;
}

HyEnclosure hy_enclose_pow(const HyEnclosure *a, const HyEnclosure *b, double h)
{
  if (is_number(b)) {
    return to_the(a, b->c[0].lo, h);
  }
  HyEnclosure log = hy_enclose_log(a, h);
  HyEnclosure of = hy_enclose_mul(b, &log, h);
  return hy_enclose_exp(&of, h);
}

HyEnclosure hy_enclose_sqrt(const HyEnclosure *a, double h)
{
  return to_the(a, 0.5, h);
}

static double odd_power(double x, double p)
{
  return copysign(power_of(fabs(x), p), x);
}

static HyEnclosure odd_to_the(const HyEnclosure *a, double p, double h)
{
  HyInterval range = hy_enclosure_range(a, h);
  if (range.lo >= 0.0) {
    return to_the(a, p, h);
  }
  HyInterval y = p > 0.0 ? between(odd_power(range.lo, p), odd_power(range.hi, p)) : all;
  return (HyEnclosure){{y}};
}

HyEnclosure hy_enclose_root(const HyEnclosure *a, double h)
{
  return odd_to_the(a, 0.5, h);
}

HyEnclosure hy_enclose_root_pow(const HyEnclosure *a, const HyEnclosure *b, double h)
{
  return hy_enclosure_range(a, h).lo >= 0.0 ? hy_enclose_pow(a, b, h)
         : is_number(b)                     ? odd_to_the(a, b->c[0].lo, h)
                                            : (HyEnclosure){{all}};
}

/* Exponentials -------------------------------------------------------------------------------- */

static HyInterval rising(double (*f)(double), HyInterval x)
{
  return between(f(x.lo), f(x.hi));
}

HyEnclosure hy_enclose_exp(const HyEnclosure *a, double h)
{
  HyInterval y = rising(exp, a->c[0]), whole = rising(exp, hy_enclosure_range(a, h));
  return shaped(a, (Shape){y, y, whole, whole}, h);
}

/* Of numbers below 0 there is none. */
static HyInterval log_of(HyInterval x)
{
  return x.hi > 0.0 ? between(log(larger(x.lo, 0.0)), log(x.hi)) : all;
}

HyEnclosure hy_enclose_log(const HyEnclosure *a, double h)
{
  HyInterval x = a->c[0], range = hy_enclosure_range(a, h);
  HyInterval bend = negative(power(range, -2.0));
  return shaped(a, (Shape){log_of(x), over(x), range.lo > 0.0 ? bend : all, log_of(range)}, h);
}

HyEnclosure hy_enclose_log10(const HyEnclosure *a, double h)
{
  HyEnclosure y = hy_enclose_log(a, h);
  for (int k = 0; k < 3; k++) {
    y.c[k] = times(y.c[k], point(1.0 / log(10.0)));
  }
  return y;
}

static HyInterval cosh_of(HyInterval x)
{
  return between(cosh(least(x)), cosh(most(x)));
}

HyEnclosure hy_enclose_sinh(const HyEnclosure *a, double h)
{
  HyInterval whole = rising(sinh, hy_enclosure_range(a, h));
  return shaped(a, (Shape){rising(sinh, a->c[0]), cosh_of(a->c[0]), whole, whole}, h);
}

HyEnclosure hy_enclose_cosh(const HyEnclosure *a, double h)
{
  HyInterval whole = cosh_of(hy_enclosure_range(a, h));
  return shaped(a, (Shape){cosh_of(a->c[0]), rising(sinh, a->c[0]), whole, whole}, h);
}

/* 1 - y^2 */
static HyInterval tanh_slope(HyInterval y)
{
  HyInterval s = square(y);
  return between(larger(1.0 - s.hi, 0.0), larger(1.0 - s.lo, 0.0));
}

HyEnclosure hy_enclose_tanh(const HyEnclosure *a, double h)
{
  HyInterval y = rising(tanh, a->c[0]), whole = rising(tanh, hy_enclosure_range(a, h));
  HyInterval bend = scaled(-2.0, times(whole, tanh_slope(whole)));
  return shaped(a, (Shape){y, tanh_slope(y), bend, whole}, h);
}

/* Near 0 it is the difference of two numbers. */
static HyInterval wlog_of(HyInterval x)
{
  return plus(rising(hy_wlog, x), (HyInterval){-ROUNDING, ROUNDING});
}

/* 1/(1 + e^y) */
static HyInterval wlog_slope(HyInterval y)
{
  return between(1.0 / (1.0 + exp(y.hi)), 1.0 / (1.0 + exp(y.lo)));
}

/* y' = 1/(1 + e^y), y'' = -e^y y'^3 = -(1 - y') y'^2 */
HyEnclosure hy_enclose_wlog(const HyEnclosure *a, double h)
{
  HyInterval y = wlog_of(a->c[0]), whole = wlog_of(hy_enclosure_range(a, h));
  HyInterval slope = wlog_slope(whole);
  HyInterval bend = times(plus(slope, (HyInterval){-1.0, -1.0}), square(slope));
  return shaped(a, (Shape){y, wlog_slope(y), bend, whole}, h);
}

/* Angles -------------------------------------------------------------------------------------- */

/* PHASE + k P for a whole k is in X, or may be. */
static bool meets(HyInterval x, double phase, double p)
{
  double aside = ROUNDING * most(x);
  double k = ceil((x.lo - aside - phase) / p);
  return phase + k * p <= x.hi + aside;
}

static HyInterval cos_of(HyInterval x)
{
  if (!(most(x) <= FURTHEST)) {
    return (HyInterval){-1.0, 1.0};
  }
  HyInterval y = hull(cos(x.lo), cos(x.hi));
  y.hi = meets(x, 0.0, TURN) ? 1.0 : lesser(y.hi, 1.0);
  y.lo = meets(x, 0.5 * TURN, TURN) ? -1.0 : larger(y.lo, -1.0);
  return y;
}

static HyInterval sin_of(HyInterval x)
{
  if (!(most(x) <= FURTHEST)) {
    return (HyInterval){-1.0, 1.0};
  }
  HyInterval y = hull(sin(x.lo), sin(x.hi));
  y.hi = meets(x, 0.25 * TURN, TURN) ? 1.0 : lesser(y.hi, 1.0);
  y.lo = meets(x, -0.25 * TURN, TURN) ? -1.0 : larger(y.lo, -1.0);
  return y;
}

HyEnclosure hy_enclose_sin(const HyEnclosure *a, double h)
{
  HyInterval whole = sin_of(hy_enclosure_range(a, h));
  return shaped(a, (Shape){sin_of(a->c[0]), cos_of(a->c[0]), negative(whole), whole}, h);
}

HyEnclosure hy_enclose_cos(const HyEnclosure *a, double h)
{
  HyInterval whole = cos_of(hy_enclosure_range(a, h));
  return shaped(a, (Shape){cos_of(a->c[0]), negative(sin_of(a->c[0])), negative(whole), whole}, h);
}

static HyInterval tan_of(HyInterval x)
{
  bool pole = !(most(x) <= FURTHEST) || meets(x, 0.25 * TURN, 0.5 * TURN);
  return pole ? all : rising(tan, x);
}

static HyInterval tan_slope(HyInterval y)
{
  return plus((HyInterval){1.0, 1.0}, square(y));
}

HyEnclosure hy_enclose_tan(const HyEnclosure *a, double h)
{
  HyInterval y = tan_of(a->c[0]), whole = tan_of(hy_enclosure_range(a, h));
  HyInterval bend = scaled(2.0, times(whole, tan_slope(whole)));
  return shaped(a, (Shape){y, tan_slope(y), bend, whole}, h);
}

static HyInterval within_one(HyInterval x)
{
  return (HyInterval){lesser(larger(x.lo, -1.0), 1.0), larger(lesser(x.hi, 1.0), -1.0)};
}

/* 1/sqrt(1 - x^2) of a number, and the third power of that by x. */
static double asin_slope(double x)
{
  return 1.0 / sqrt((1.0 - x) * (1.0 + x));
}

static double asin_bend(double x)
{
  double d = asin_slope(x);
  return x * d * d * d;
}

HyEnclosure hy_enclose_asin(const HyEnclosure *a, double h)
{
  HyInterval x = within_one(a->c[0]), range = within_one(hy_enclosure_range(a, h));
  HyInterval slope = between(asin_slope(least(x)), asin_slope(most(x)));
  return shaped(a, (Shape){rising(asin, x), slope, rising(asin_bend, range), rising(asin, range)},
                h);
}

HyEnclosure hy_enclose_acos(const HyEnclosure *a, double h)
{
  HyEnclosure y = hy_enclose_asin(a, h), quarter = {{point(0.25 * TURN), none, none}};
  return hy_enclose_sub(&quarter, &y, h);
}

/* 1/(1 + x^2) */
static HyInterval atan_slope(HyInterval x)
{
  return over(plus((HyInterval){1.0, 1.0}, square(x)));
}

HyEnclosure hy_enclose_atan(const HyEnclosure *a, double h)
{
  HyInterval x = a->c[0], range = hy_enclosure_range(a, h), slope = atan_slope(range);
  HyInterval bend = scaled(-2.0, times(range, square(slope)));
  return shaped(a, (Shape){rising(atan, x), atan_slope(x), bend, rising(atan, range)}, h);
}

/* TURNS + SIGN atan(a/b). */
static HyEnclosure turned(double turns, double sign, const HyEnclosure *a, const HyEnclosure *b,
                          double h)
{
  HyEnclosure q = hy_enclose_div(a, b, h), y = hy_enclose_atan(&q, h);
  y = sign < 0.0 ? hy_enclose_neg(&y, h) : y;
  HyEnclosure from = {{point(turns * TURN), none, none}};
  return turns != 0.0 ? hy_enclose_add(&from, &y, h) : y;
}

/* By the side that it is on; where that is none, it may be anything. */
HyEnclosure hy_enclose_atan2(const HyEnclosure *y, const HyEnclosure *x, double h)
{
  HyInterval right = hy_enclosure_range(x, h), up = hy_enclosure_range(y, h);
  return right.lo > 0.0 ? turned(0.0, 1.0, y, x, h)
         : up.lo > 0.0  ? turned(0.25, -1.0, x, y, h)
         : up.hi < 0.0  ? turned(-0.25, -1.0, x, y, h)
                        : (HyEnclosure){{between(-0.5 * TURN, 0.5 * TURN), none, none}};
}
