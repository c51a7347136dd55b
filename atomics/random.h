/* Random numbers that are the same on every machine and in every engine: xoshiro256** of Blackman
 * and Vigna, seeded by splitmix64 (both public domain, prng.di.unimi.it). */
#ifndef HYDEVS_ATOMICS_RANDOM_H
#define HYDEVS_ATOMICS_RANDOM_H

#include "hydevs/atomic.h"

typedef struct {
  guint64 s[4];
} HyRandom;

void hy_random_seed(HyRandom *r, guint64 seed); /* any seed is a good one, 0 too */
guint64 hy_random_bits(HyRandom *r);
double hy_random_uniform(HyRandom *r);     /* in (0, 1), both ends excluded */
double hy_random_normal(HyRandom *r);      /* mean 0, variance 1 */
double hy_random_exponential(HyRandom *r); /* mean 1 */

/* What the blocks random and random_generator have in common: the first six fields are parameters.
 */
#define HY_DISTRIBUTIONS "uniform normal exponential"
typedef struct HyRandomDraw HyRandomDraw;
struct HyRandomDraw {
  const char *distribution; /* one of HY_DISTRIBUTIONS */
  double mean, deviation;   /* of normal; of exponential the mean alone */
  double minimum, maximum;  /* of uniform */
  gint64 seed;              /* negative: the block's seed of the run */
  HyRandom random;
  double (*draw)(HyRandomDraw *d);
};

/* FALSE: the distribution cannot have these parameters. */
gboolean hy_random_draw_init(HyRandomDraw *d, const HySetup *setup, GError **error);
double hy_random_draw_next(HyRandomDraw *d);

#endif
