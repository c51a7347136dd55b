/* With f centered, V its variance, i one parameter and means over the bases (A. Saltelli and
 * others, Variance based sensitivity analysis of model output, 2010): first  S_i = mean f(B)
 * (f(AB_i) - f(A)) / V         (their table 2, b) total  T_i = mean (f(A) - f(AB_i))^2 / (2 V) (M.
 * Jansen, 1999; there f) Intervals: the same of 1,000 samples of n bases drawn with replacement (B.
 * Efron, 1979); between them lie 95 %. Bases are points of a scrambled Sobol sequence of 2 d
 * dimensions, which fills better than the independent draws for which that holds, so the intervals
 * are rather wide. */
#include "sweeps/indices.h"
#include "hydevs/error.h"
#include "hydevs/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 1000 };

guint64 hy_indices_runs(guint64 n, guint d)
{
  return n * (d + 2);
}

double hy_indices_place(guint64 seed, const char *name, guint d, guint j, guint64 k)
{
  guint64 point = k % (d + 2);
  gboolean of_b = point == d + 1 || point == j + 1;
  g_autofree char *stream = g_strconcat(of_b ? "B " : "A ", name, NULL);
  return hy_draw_owen(seed, stream, of_b ? d + j : j, k / (d + 2));
}

/* What one base adds to the sums: [0] f(A) + f(B), [1] the same of squares, then of each parameter
 * the products of S and of T. */
static void add_base(const double *base, guint d, double *sum)
{
  double a = base[0], b = base[d + 1];
  sum[0] += a + b;
  sum[1] += a * a + b * b;
  for (gsize j = 0; j < d; j++) {
    double change = base[j + 1] - a;
    sum[2 + 2 * j] += b * change;
    sum[3 + 2 * j] += change * change;
  }
}

/* The indices from the sums of N bases, 2 D numbers in the order of the sums. */
static void indices_of(const double *sum, guint64 n, guint d, double *s)
{
  double runs = 2.0 * (double)n, mean = sum[0] / runs;
  double variance = sum[1] / runs - mean * mean;
  for (gsize j = 0; j < d; j++) {
    s[2 * j] = sum[2 + 2 * j] / (double)n / variance;
    s[2 * j + 1] = sum[3 + 2 * j] / runs / variance;
  }
}

/* The indices of sample number R. */
static void sample(const double *y, guint64 n, guint d, guint64 seed, guint r, double *sum,
                   double *s)
{
  memset(sum, 0, (2 + 2 * (gsize)d) * sizeof *sum);
  for (guint64 k = 0; k < n; k++) {
    guint64 base = (guint64)(hy_draw_unit(seed, "bootstrap", r * n + k) * (double)n);
    add_base(y + MIN(base, n - 1) * (d + 2), d, sum);
  }
  indices_of(sum, n, d, s);
}

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The values of Y about their mean. NULL: see hy_indices(). */
static double *centered(const double *y, guint64 n, guint d, GError **error)
{
  const guint64 runs = hy_indices_runs(n, d);
  g_autofree double *f = g_new(double, runs);
  double sum = 0.0, most = 0.0;
  for (guint64 k = 0; k < runs; k++) {
    if (!isfinite(y[k])) {
      g_set_error(error, HY_ERROR, HY_ERROR_RUN,
                  "run %" G_GUINT64_FORMAT " has no number, and indices need all of them", k);
      return NULL;
    }
    sum += y[k] / (double)runs;
  }
  for (guint64 k = 0; k < runs; k++) {
    f[k] = y[k] - sum;
    most = fmax(most, fabs(f[k]));
  }
  if (!(most > 1e-14 * fabs(sum))) {
    char text[HY_DOUBLE_SIZE];
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "all runs have the value %s: there is no variance",
                hy_double_text(text, y[0]));
    return NULL;
  }
  return g_steal_pointer(&f);
}

HySweepIndices *hy_indices(const double *y, guint64 n, guint d, guint64 seed, GError **error)
{
  g_return_val_if_fail(y != NULL && n > 0 && d > 0 && d <= HY_INDICES_MOST, NULL);
  g_autofree double *f = centered(y, n, d, error);
  if (f == NULL) {
    return NULL;
  }
  const gsize numbers = 2 * (gsize)d;
  g_autofree double *sum = g_new0(double, numbers + 2), *s = g_new(double, numbers);
  g_autofree double *drawn = g_new(double, numbers *SAMPLES);
  for (guint r = 0; r < SAMPLES; r++) {
    sample(f, n, d, seed, r, sum, s);
    for (gsize k = 0; k < numbers; k++) {
      drawn[k * SAMPLES + r] = s[k];
    }
  }
  memset(sum, 0, (numbers + 2) * sizeof *sum);
  for (guint64 k = 0; k < n; k++) {
    add_base(f + k * (d + 2), d, sum);
  }
  indices_of(sum, n, d, s);
  HySweepIndices *result = g_new(HySweepIndices, d);
  for (gsize k = 0; k < numbers; k++) {
    double *of = drawn + k * SAMPLES;
    qsort(of, SAMPLES, sizeof *of, compare);
    HySweepIndex index = {s[k], of[SAMPLES / 40], of[SAMPLES - 1 - SAMPLES / 40]};
    *(k % 2 == 0 ? &result[k / 2].first : &result[k / 2].total) = index;
  }
  return result;
}
