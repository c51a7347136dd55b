/* How far off fixed steps may be: the same states beside, by steps half as long (Runge; L. F.
 * Richardson, The deferred approach to the limit).
 *
 * The error of a method of order p is about C h^p at an instant, whatever has become of it on the
 * way: it has grown where the system is unstable, and is forgotten where it decays. With half of h
 * it is C h^p / 2^p, so that
 *
 *   C h^p = (z - x) 2^p / (2^p - 1)
 *
 * z by steps of h, x by halves of them. Where a step is so long that this does not hold, as beyond
 * the limit of stability or where a method rings, z and x have nothing to do with each other, and
 * what differs is as large as what they are. Inputs, modes and the instants of jumps are those of z
 * for both: what an error does to the instant of a crossing is not seen. */
#include "classic_internal.h"

#include "base/tape.h"

#include <string.h>

/* A group that takes a faster one as it is when its step begins would see it move backwards against
 * the time in the middle of a step. */
static gboolean can_be_halved(const HyClassic *g)
{
  return g->stepper->halves != NULL && (g->method->needs & HY_NEEDS_HSTEP) != 0 &&
         !hy_multirate_reads_faster(g);
}

void hy_classic_halves_clear(HyClassic *g)
{
  g_clear_pointer(&g->halves.x, g_free);
  g_clear_pointer(&g->halves.low, g_free);
  g_clear_pointer(&g->halves.high, g_free);
  g_clear_pointer(&g->halves.most, g_free);
}

void hy_classic_halves_start(HyClassic *g)
{
  gsize size = g->n * sizeof(double);
  if (!can_be_halved(g)) {
    return;
  }
  hy_classic_halves_clear(g);
  g->halves.x = g_memdup2(g->z, size);
  g->halves.low = g_memdup2(g->z, size);
  g->halves.high = g_memdup2(g->z, size);
  g->halves.most = g_new0(double, g->n);
}

void hy_classic_halves_follow(HyClassic *g, double t)
{
  HyClassicHalves *s = &g->halves;
  if (s->x == NULL || !(t > g->t0)) {
    return;
  }
  if (!g->stepper->halves(g, t, s->x)) {
    memcpy(s->x, g->z, g->n * sizeof *s->x);
  }
  for (guint i = 0; i < g->n; i++) {
    s->low[i] = fmin(s->low[i], g->z[i]);
    s->high[i] = fmax(s->high[i], g->z[i]);
    s->most[i] = fmax(s->most[i], fabs(s->x[i] - g->z[i]));
  }
}

void hy_classic_halves_tape(HyClassic *g, HyTape *tape)
{
  if (g->begun && g->halves.x != NULL) {
    HY_TAPE_ARRAY(tape, g->halves.x, g->n);
    HY_TAPE_ARRAY(tape, g->halves.low, g->n);
    HY_TAPE_ARRAY(tape, g->halves.high, g->n);
    HY_TAPE_ARRAY(tape, g->halves.most, g->n);
  }
}

#define STILL   1e-3 /* of |x|: what ranges over less counts as if it did over this */
#define NOTHING 1e-9 /* of the widest range in the group: what is smaller is rounding */

/* What I ranges over. */
static double range_of(const HyClassicHalves *s, guint i, double widest)
{
  double size = fmax(fabs(s->low[i]), fabs(s->high[i]));
  return fmax(s->high[i] - s->low[i], fmax(STILL * size, NOTHING * widest));
}

double hy_classic_off(const HyClassic *g, guint *worst)
{
  const HyClassicHalves *s = &g->halves;
  double widest = 0.0, most = 0.0, halves = exp2(g->method->order);
  *worst = 0;
  for (guint i = 0; s->x != NULL && i < g->n; i++) {
    widest = fmax(widest, s->high[i] - s->low[i]);
  }
  for (guint i = 0; s->x != NULL && i < g->n; i++) {
    double range = range_of(s, i, widest), part = range > 0.0 ? s->most[i] / range : 0.0;
    *worst = part > most ? i : *worst;
    most = fmax(most, part);
  }
  return most * halves / (halves - 1.0);
}
