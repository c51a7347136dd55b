/* Random numbers that are the same for a seed on every machine. */
#ifndef CAMPAIGN_DICE_H
#define CAMPAIGN_DICE_H

#include <glib.h>
#include <math.h>

typedef struct {
  guint64 state;
} Dice;

static inline guint64 roll(Dice *d) /* splitmix64 */
{
  guint64 z = d->state += G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static inline double uniform(Dice *d, double least, double most)
{
  return least + (most - least) * ((double)(roll(d) >> 11) * 0x1p-53);
}

static inline int below(Dice *d, int n)
{
  return (int)(roll(d) % (guint64)n);
}

static inline gboolean chance(Dice *d, double p)
{
  return uniform(d, 0, 1) < p;
}

/* To four digits, so that no library of functions decides what a circuit is. */
static inline double rounded(double v)
{
  char text[32];
  g_snprintf(text, sizeof text, "%.4g", v);
  return g_ascii_strtod(text, NULL);
}

/* Between 10^LEAST and 10^MOST, each decade as often as any other. */
static inline double decades(Dice *d, double least, double most)
{
  return rounded(pow(10, uniform(d, least, most)));
}

#endif
