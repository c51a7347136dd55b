/* Quantiles of the normal distribution to the last bit. M. Wichura's AS241 (Applied Statistics 37,
 * 1988) finds z to some 1e-16; one step of Newton's iteration in numbers of 106 bits
 * (numerics/two.h) follows, so that one rounding is left. With phi(z) = e^(-z^2/2) / sqrt(2 pi) and
 * P below -z: S(z) = z + z^3/3 + z^5/15 + ..  = (1/2 - P) / phi(z)       all terms of one sign:
 * near the middle R(z) = 1/(z + 1/(z + 2/(z + 3/(z + ..))))  = P / phi(z)    (Laplace): in the tail
 * Both sides are divided by phi(z), so that nothing is too small for a number. No logarithm or
 * power of libm takes part: its last bits are not the same everywhere. */
#include "numerics/draw.h"
#include "numerics/two.h"

#define TAIL 3.0 /* from here on R(z) */

/* sqrt(2 pi) e^(z^2/2) = the result times 2^power, |z| < 39. Beside a whole number of ln 2 the
 * series of a 64th, squared six times. */
static Two bell_below(double z, int *power)
{
  static const Two ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
  static const Two root_2pi = {0x1.40d931ff62706p+1, -0x1.a6a0d6f814637p-53};
  Two y = two_scale(two_product(z, z), 0.5);
  double n = floor(y.h / ln2.h + 0.5);
  Two r = two_scale(two_add(y, two_minus(two_times(ln2, two_of(n)))), 0x1p-6), sum = two_of(1.0);
  for (int k = 12; k > 0; k--) {
    sum = two_add(two_of(1.0), two_times(r, two_over(sum, two_of(k))));
  }
  for (int k = 0; k < 6; k++) {
    sum = two_times(sum, sum);
  }
  *power = (int)n;
  return two_times(root_2pi, sum);
}

static Two series(double z)
{
  Two square = two_product(z, z), term = two_of(z), sum = term;
  for (int k = 3; fabs(term.h) > 0x1p-104 * fabs(sum.h); k += 2) {
    term = two_over(two_times(term, square), two_of(k));
    sum = two_add(sum, term);
  }
  return sum;
}

static Two fraction(double z)
{
  Two below = two_of(z);
  for (int k = 100; k > 0; k--) {
    below = two_add(two_of(z), two_over(two_of(k), below));
  }
  return two_over(two_of(1.0), below);
}

/* What is below -z, 0 <= z < 39. */
static Two tail(double z)
{
  int power;
  Two bell = bell_below(z, &power);
  Two over = two_over(z < TAIL ? series(z) : fraction(z), bell);
  over = (Two){ldexp(over.h, -power), ldexp(over.l, -power)};
  return z < TAIL ? two_add(two_of(0.5), two_minus(over)) : over;
}

/* What is below x and above it. */
typedef struct {
  Two below, above;
} Sides;

static Sides sides(double x)
{
  Two far = tail(fabs(x)), rest = two_add(two_of(1.0), two_minus(far));
  return x < 0.0 ? (Sides){far, rest} : (Sides){rest, far};
}

/* Some 1e-15 of it are enough: by ln m = 2 artanh((m - 1)/(m + 1)), m near 1. */
static double logarithm(double x)
{
  int power;
  double m = frexp(x, &power);
  if (m < 0x1.6a09e667f3bcdp-1) {
    m *= 2.0;
    power--;
  }
  double y = (m - 1.0) / (m + 1.0), sum = 0.0;
  for (int k = 23; k > 0; k -= 2) {
    sum = 1.0 / k + y * y * sum;
  }
  return power * 0x1.62e42fefa39efp-1 + 2.0 * y * sum;
}

static double quotient(const double num[8], const double den[8], double r)
{
  double a = num[0], b = den[0];
  for (int k = 1; k < 8; k++) {
    a = a * r + num[k];
    b = b * r + den[k];
  }
  return a / b;
}

/* -x of AS241 for 0 < p <= 1/2, q = 1/2 - p. */
static double wichura(double p, double q)
{
  static const double middle_num[8] = {2.5090809287301226727e+3, 3.3430575583588128105e+4,
                                       6.7265770927008700853e+4, 4.5921953931549871457e+4,
                                       1.3731693765509461125e+4, 1.9715909503065514427e+3,
                                       1.3314166789178437745e+2, 3.3871328727963666080e+0};
  static const double middle_den[8] = {5.2264952788528545610e+3, 2.8729085735721942674e+4,
                                       3.9307895800092710610e+4, 2.1213794301586595867e+4,
                                       5.3941960214247511077e+3, 6.8718700749205790830e+2,
                                       4.2313330701600911252e+1, 1.0};
  static const double side_num[8] = {7.74545014278341407640e-4, 2.27238449892691845833e-2,
                                     2.41780725177450611770e-1, 1.27045825245236838258e+0,
                                     3.64784832476320460504e+0, 5.76949722146069140550e+0,
                                     4.63033784615654529590e+0, 1.42343711074968357734e+0};
  static const double side_den[8] = {1.05075007164441684324e-9, 5.47593808499534494600e-4,
                                     1.51986665636164571966e-2, 1.48103976427480074590e-1,
                                     6.89767334985100004550e-1, 1.67638483018380384940e+0,
                                     2.05319162663775882187e+0, 1.0};
  static const double far_num[8] = {2.01033439929228813265e-7, 2.71155556874348757815e-5,
                                    1.24266094738807843860e-3, 2.65321895265761230930e-2,
                                    2.96560571828504891230e-1, 1.78482653991729133580e+0,
                                    5.46378491116411436990e+0, 6.65790464350110377720e+0};
  static const double far_den[8] = {2.04426310338993978564e-15, 1.42151175831644588870e-7,
                                    1.84631831751005468180e-5,  7.86869131145613259100e-4,
                                    1.48753612908506148525e-2,  1.36929880922735805310e-1,
                                    5.99832206555887937690e-1,  1.0};
  if (q <= 0.425) {
    return q * quotient(middle_num, middle_den, 0.180625 - q * q);
  }
  double r = sqrt(-logarithm(p));
  return r <= 5.0 ? quotient(side_num, side_den, r - 1.6) : quotient(far_num, far_den, r - 5.0);
}

/* The z with P below -z, 0 < P <= 1/2, Q = 1/2 - P. */
static double quantile(Two p, Two q)
{
  double z = wichura(p.h, q.h);
  int power;
  Two bell = bell_below(z, &power), step;
  if (z < TAIL) {
    bell = (Two){ldexp(bell.h, power), ldexp(bell.l, power)};
    step = two_add(two_times(q, bell), two_minus(series(z)));
  } else {
    p = (Two){ldexp(p.h, power), ldexp(p.l, power)};
    step = two_add(fraction(z), two_minus(two_times(p, bell)));
  }
  return two_add(two_of(z), step).h;
}

double hy_draw_normal(double u)
{
  if (!(u > 0.0 && u < 1.0)) {
    return (double)NAN;
  }
  double p = u <= 0.5 ? u : 1.0 - u; /* exactly, as is 1/2 - p if both halves are kept */
  double z = quantile(two_of(p), two_sum(0.5, -p));
  return u <= 0.5 ? -z : z;
}

/* From the side that is nearer, so that the upper tail is as exact as the lower one. */
double hy_draw_truncated(double a, double b, double u)
{
  if (!(a < b && a < HY_DRAW_FAR && b > -HY_DRAW_FAR && u > 0.0 && u < 1.0)) {
    return (double)NAN;
  }
  Sides low = sides(fmax(a, -38.0)), high = sides(fmin(b, 38.0));
  Two half = two_of(0.5);
  Two p = two_add(low.below, two_times(two_of(u), two_add(high.below, two_minus(low.below))));
  Two q =
      two_add(high.above, two_times(two_sum(1.0, -u), two_add(low.above, two_minus(high.above))));
  double x = p.h <= q.h ? -quantile(p, two_add(half, two_minus(p)))
                        : quantile(q, two_add(half, two_minus(q)));
  return fmin(fmax(x, a), b);
}
