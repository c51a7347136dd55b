/* The pieces between two points are straight, so the integrals are known in closed form: nothing is
 * sampled, and nothing of what is above the last line falls back below it. Integrated twice by
 * parts, with z_k = exp(-2 pi i (t_k - t_0)/T), over the period T
 *
 *   c_m = sum_k J_k z_k^m / (2 pi i m) + T sum_k S_k z_k^m / (2 pi i m)^2,   m > 0,
 *
 * where J_k is the jump at t_k and S_k the change of slope there, those at the two ends of the
 * period together. c_0 is the mean, by the trapezoidal rule.
 *
 * A window that is a sum of cosines of the period only mixes neighbours: the coefficient of v w is
 * a0 c_m - a1/2 (c_{m-1} + c_{m+1}) + a2/2 (c_{m-2} + c_{m+2}) - ... (Harris, On the use of windows
 * for harmonic analysis with the discrete Fourier transform, 1978). */
#include "fourier.h"

#include <math.h>
#include <string.h>

#define STEEP 1e-7 /* of the period of the last line: what is shorter is a jump */

typedef struct {
  double t0, length;
  guint n;
  double complex *jump, *bend; /* [n + 1]: the two sums */
} Sums;

/* A jump and a change of slope at T. */
static void add(Sums *s, double t, double jump, double bend)
{
  if (jump == 0.0 && bend == 0.0) {
    return;
  }
  double angle = -2.0 * M_PI * ((t - s->t0) / s->length);
  double x = cos(angle), y = sin(angle), px = x, py = y;
  for (guint m = 1; m <= s->n; m++) {
    s->jump[m] += jump * px + I * (jump * py);
    s->bend[m] += bend * px + I * (bend * py);
    double next = px * x - py * y;
    py = px * y + py * x;
    px = next;
  }
}

/* Returns the mean. */
static double add_pieces(Sums *s, const double *t, const double *v, gsize n, gboolean holds)
{
  double sum = 0.0, first = NAN, slope = 0.0, shortest = STEEP * s->length / MAX(s->n, 1);
  double ends = v[0] - v[n - 1];
  for (gsize k = 0; k + 1 < n; k++) {
    double h = t[k + 1] - t[k], rise = v[k + 1] - v[k];
    sum += h * (holds ? v[k] : (v[k] + v[k + 1]) / 2.0);
    if (h <= shortest) {
      add(s, t[k] + h / 2.0, rise, 0.0);
      continue;
    }
    double now = holds ? 0.0 : rise / h;
    if (isnan(first)) {
      first = now;
    } else {
      add(s, t[k], 0.0, now - slope);
    }
    slope = now;
    if (holds) {
      add(s, t[k + 1], rise, 0.0);
    }
  }
  add(s, s->t0, ends, isnan(first) ? 0.0 : first - slope);
  return sum / s->length;
}

void hy_fourier_lines(const double *t, const double *v, gsize n, gboolean holds, guint N,
                      double complex *c)
{
  g_return_if_fail(n >= 2 && t[n - 1] > t[0]);
  Sums s = {t[0], t[n - 1] - t[0], N, g_new0(double complex, (gsize)N + 1),
            g_new0(double complex, (gsize)N + 1)};
  c[0] = add_pieces(&s, t, v, n, holds);
  for (guint m = 1; m <= N; m++) {
    double complex by = 2.0 * M_PI * I * m;
    c[m] = s.jump[m] / by + s.length * s.bend[m] / (by * by);
  }
  g_free(s.jump);
  g_free(s.bend);
}

const HyFourierWindow hy_fourier_windows[] = {
    {"none", 1, {1.0}},
    {"hann", 2, {0.5, 0.5}},
    {"blackman", 3, {0.42, 0.5, 0.08}},
    {"flattop", 5, {0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368}},
    {.name = NULL},
};

const HyFourierWindow *hy_fourier_window(const char *name)
{
  for (const HyFourierWindow *w = hy_fourier_windows; w->name != NULL; w++) {
    if (strcmp(w->name, name) == 0) {
      return w;
    }
  }
  return NULL;
}

/* v is real. */
static double complex line_of(const double complex *c, gint64 m)
{
  return m < 0 ? conj(c[-m]) : c[m];
}

double hy_fourier_amplitude(const HyFourierWindow *w, const double complex *c, guint m)
{
  double complex sum = w->a[0] * c[m];
  for (guint k = 1; k < w->n; k++) {
    double a = (k % 2 == 1 ? -w->a[k] : w->a[k]) / 2.0;
    sum += a * (line_of(c, (gint64)m - k) + line_of(c, (gint64)m + k));
  }
  return (m == 0 ? fabs(creal(sum)) : 2.0 * cabs(sum)) / w->a[0];
}
