/* Fourier coefficients of functions of straight pieces. */
#ifndef HY_NUMERICS_FOURIER_H
#define HY_NUMERICS_FOURIER_H

#include <complex.h>
#include <glib.h>

/* Of v over t, n >= 2 points in order of time, two of the same instant are a jump; HOLDS: constant
 * until the next point, else straight. Over its whole length T, as if it came back then:
 * c[m] = 1/T int v(t) exp(-2 pi i m (t - t[0])/T) dt, for m = 0 .. N. */
void hy_fourier_lines(const double *t, const double *v, gsize n, gboolean holds, guint N,
                      double complex *c);

/* Windows, as sums of cosines: w(t) = a0 - a1 cos(2 pi t/T) + a2 cos(4 pi t/T) - ... */
typedef struct {
  const char *name;
  guint n;
  double a[5];
} HyFourierWindow;

const HyFourierWindow *hy_fourier_window(const char *name); /* NULL: none of this name */
extern const HyFourierWindow hy_fourier_windows[];          /* ends with a name of NULL */

/* The amplitude of line M of what is seen through W, of coefficients up to M + w->n - 1: a sine
 * that falls on the line has its own amplitude. Line 0 is the mean. */
double hy_fourier_amplitude(const HyFourierWindow *w, const double complex *c, guint m);

#endif
