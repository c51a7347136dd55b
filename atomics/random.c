/* The generator, what is drawn from its bits (uniform in the middle of equal cells, normal by
 * Marsaglia's polar method, exponential by the inverse of its distribution), and the parameters of
 * distributions, checked. */
#include "random.h"
#include "hydevs/error.h"
#include "hydevs/trace.h"
#include <string.h>

static guint64 splitmix64(guint64 *x)
{
  guint64 z = (*x += 0x9e3779b97f4a7c15U);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

void hy_random_seed(HyRandom *r, guint64 seed)
{
  for (guint i = 0; i < G_N_ELEMENTS(r->s); i++) {
    r->s[i] = splitmix64(&seed);
  }
}

static guint64 rotate_left(guint64 x, int k)
{
  return (x << k) | (x >> (64 - k));
}

guint64 hy_random_bits(HyRandom *r)
{
  guint64 *s = r->s;
  guint64 result = rotate_left(s[1] * 5, 7) * 9;
  guint64 shifted = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= shifted;
  s[3] = rotate_left(s[3], 45);
  return result;
}

/* The middles of 2^52 equal cells. With 2^53 cells the last middle would round to 1. */
double hy_random_uniform(HyRandom *r)
{
  return ((double)(hy_random_bits(r) >> 12) + 0.5) * 0x1p-52;
}

/* Marsaglia's polar method. Its second number is thrown away, so that no half used pair is state.
 */
double hy_random_normal(HyRandom *r)
{
  double x, square;
  do {
    x = 2 * hy_random_uniform(r) - 1;
    double y = 2 * hy_random_uniform(r) - 1;
    square = x * x + y * y;
  } while (square >= 1);
  return x * sqrt(-2 * log(square) / square);
}

double hy_random_exponential(HyRandom *r)
{
  return -log(hy_random_uniform(r));
}

static gboolean draw_check_uniform(const HyRandomDraw *d, GError **error)
{
  char minimum[HY_DOUBLE_SIZE], maximum[HY_DOUBLE_SIZE];
  hy_double_text(minimum, d->minimum);
  hy_double_text(maximum, d->maximum);
  if (d->minimum > d->maximum) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "minimum = %s is above maximum = %s", minimum,
                maximum);
    return FALSE;
  }
  if (!isfinite(d->maximum - d->minimum)) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "minimum = %s, maximum = %s: not a finite range",
                minimum, maximum);
    return FALSE;
  }
  return TRUE;
}

static gboolean draw_check_normal(const HyRandomDraw *d, GError **error)
{
  if (isfinite(d->mean) && isfinite(d->deviation)) {
    return TRUE;
  }
  g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
              "distribution = normal needs a finite mean and deviation");
  return FALSE;
}

static gboolean draw_check_exponential(const HyRandomDraw *d, GError **error)
{
  if (d->mean > 0 && isfinite(d->mean)) {
    return TRUE;
  }
  char mean[HY_DOUBLE_SIZE];
  g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
              "mean = %s: distribution = exponential needs a positive, finite mean",
              hy_double_text(mean, d->mean));
  return FALSE;
}

typedef struct {
  const char *name;
  gboolean (*check)(const HyRandomDraw *d, GError **error);
  double (*draw)(HyRandomDraw *d);
} Distribution;

static double draw_uniform(HyRandomDraw *d)
{
  return d->minimum + (d->maximum - d->minimum) * hy_random_uniform(&d->random);
}

static double draw_normal(HyRandomDraw *d)
{
  return d->mean + d->deviation * hy_random_normal(&d->random);
}

static double draw_exponential(HyRandomDraw *d)
{
  return d->mean * hy_random_exponential(&d->random);
}

static const Distribution distributions[] = {
    {"uniform", draw_check_uniform, draw_uniform},
    {"normal", draw_check_normal, draw_normal},
    {"exponential", draw_check_exponential, draw_exponential},
};

gboolean hy_random_draw_init(HyRandomDraw *d, const HySetup *setup, GError **error)
{
  hy_random_seed(&d->random, d->seed >= 0 ? (guint64)d->seed : setup->seed);
  for (guint i = 0; i < G_N_ELEMENTS(distributions); i++) {
    if (strcmp(d->distribution, distributions[i].name) == 0) {
      d->draw = distributions[i].draw;
      return distributions[i].check(d, error);
    }
  }
  g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "distribution = %s is not one of %s",
              d->distribution, HY_DISTRIBUTIONS);
  return FALSE;
}

double hy_random_draw_next(HyRandomDraw *d)
{
  return d->draw(d);
}
