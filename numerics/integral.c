/* The integral of p(s) e^(j w s) is the sum of c[k] M[k], with the moments M[k] of s^k e^(j w s).
 * By parts, j w M[k] = h^k e^(j w h) - k M[k-1]: each step divides what rounding has left by w h,
 * so that is for waves that turn far in h. Else the series of e^(j w s), of terms (j w h)^m/m!
 * h^(k+1)/(k + 1 + m). */
#include "numerics/integral.h"

#include <complex.h>
#include <math.h>

double hy_integral(const double *c, double h)
{
  return h * (c[0] + h * (c[1] / 2 + h * (c[2] / 3 + h * c[3] / 4)));
}

double hy_integral_of_product(const double *a, const double *b, double h)
{
  double sum = 0, power = h;
  for (int k = 0; k <= 6; k++, power *= h) {
    double coefficient = 0;
    for (int i = k < 4 ? 0 : k - 3; i <= k && i < 4; i++) {
      coefficient += a[i] * b[k - i];
    }
    sum += coefficient * power / (k + 1);
  }
  return sum;
}

static double complex by_parts(const double *c, double h, double w)
{
  double complex turn = cexp(I * (w * h)), moment = (turn - 1) / (I * w), sum = c[0] * moment;
  double power = 1;
  for (int k = 1; k < 4; k++) {
    power *= h;
    moment = (power * turn - k * moment) / (I * w);
    sum += c[k] * moment;
  }
  return sum;
}

static double complex by_series(const double *c, double h, double w)
{
  double complex term = h, sum = 0;
  double size = w * h;
  for (int m = 0; m == 0 || cabs(term) > 1e-18 * h; m++) {
    sum +=
        term * (c[0] / (1 + m) + h * (c[1] / (2 + m) + h * (c[2] / (3 + m) + h * c[3] / (4 + m))));
    term *= I * size / (m + 1);
  }
  return sum;
}

void hy_integral_of_waves(const double *c, double h, double w, double *cosine, double *sine)
{
  double complex all = w * h > 4 ? by_parts(c, h, w) : by_series(c, h, w);
  *cosine = creal(all);
  *sine = cimag(all);
}
