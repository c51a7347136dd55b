/* The trials of a loop breaker. The values z go by numerics/loops.h; the slopes behind them obey
 * the same equations, linear,
 *
 *   z' = dg/dz z' + dg/du u',
 *
 * and so does every further coefficient with other constants, so the S = dg/dz that the values have
 * shown corrects all of them, in the same round. Where a coefficient is not confirmed, two rounds
 * with equal values show S in the direction of their difference exactly (Broyden's update), until
 * all of them are. */
#include "hybrid/loop_breaker.h"

#include "numerics/poly.h"

#include <math.h>
#include <string.h>

#define ROUNDING 1e-13 /* of the largest slope of a solution so far: a difference of two such */

/* Solving ------------------------------------------------------------------------------------- */

/* The trials, as polynomials from T on. */
static void breaker_move_to(HyBreaker *s, double t)
{
  for (guint k = 0; k < s->n && t != s->t; k++) {
    hy_poly_shift(s->unknown[k].z, (int)s->lanes, t - s->t);
  }
  s->t = t;
}

void hy_breaker_begin(HyBreaker *s, double t)
{
  breaker_move_to(s, t);
  s->rounds = 0;
  s->slopes_only = FALSE;
  for (guint k = 0; k < s->n; k++) {
    memcpy(s->unknown[k].begun, s->unknown[k].z, sizeof s->unknown[k].begun);
  }
}

static void breaker_set(HyUnknown *u, guint c, double z)
{
  u->untold |= z != u->z[c];
  u->z[c] = z;
}

/* Coefficient C of all answers, G, and of all trials. */
static void breaker_gather(HyBreaker *s, guint c, double (*g)[4])
{
  for (guint k = 0; k < s->n; k++) {
    s->a[k] = g[k][c];
    s->b[k] = s->unknown[k].z[c];
  }
}

/* The coefficients behind the values, as far as S tells. */
static void breaker_correct_slopes(HyBreaker *s, double (*g)[4])
{
  for (guint c = 1; c < s->lanes; c++) {
    breaker_gather(s, c, g);
    hy_loops_slope(&s->loops, s->a, s->b);
    for (guint k = 0; k < s->n; k++) {
      if (isfinite(s->b[k])) {
        breaker_set(&s->unknown[k], c, s->b[k]);
      }
    }
  }
}

static gboolean breaker_is_settled(const HyBreaker *s, const HyUnknown *u, guint c, double g)
{
  double r = fabs(g - u->z[c]);
  return r <= s->tolerance + s->relative * fabs(u->z[c]) + ROUNDING * u->largest[c];
}

/* The first coefficient behind the values that the answer does not confirm; `lanes`: none. */
static guint breaker_open_slope(const HyBreaker *s, double (*g)[4], guint *unknown)
{
  for (guint c = 1; c < s->lanes; c++) {
    for (guint k = 0; k < s->n; k++) {
      if (!breaker_is_settled(s, &s->unknown[k], c, g[k][c])) {
        *unknown = k;
        return c;
      }
    }
  }
  return s->lanes;
}

/* With equal values coefficient C of the last two rounds shows S in the direction of their
 * difference. */
static void breaker_learn_from_slopes(HyBreaker *s, guint c, double (*g)[4])
{
  gboolean moved = FALSE;
  for (guint k = 0; k < s->n; k++) {
    const HyUnknown *u = &s->unknown[k];
    s->b[k] = u->z[c] - u->z_was[c];
    s->a[k] = g[k][c] - u->g_was[c];
    moved |= s->b[k] != 0.0;
  }
  if (moved) {
    hy_loops_learn(&s->loops, s->b, s->a);
  }
}

static HyLoopEnd breaker_fail(HyBreaker *s, gboolean of_slopes, guint unknown, double residual)
{
  s->of_slopes = of_slopes;
  s->column = of_slopes ? -1 : s->loops.column;
  s->worst = unknown;
  s->residual = residual;
  s->tried = s->rounds;
  s->last = s->unknown[unknown].z[0];
  for (guint k = 0; k < s->n; k++) {
    HyUnknown *u = &s->unknown[k];
    memcpy(u->z, u->begun, sizeof u->z);
    u->untold = TRUE;
  }
  return HY_LOOP_FAILED;
}

static HyLoopEnd breaker_solved(HyBreaker *s)
{
  s->solutions++;
  s->all_rounds += s->rounds;
  s->most_rounds = MAX(s->most_rounds, s->rounds);
  for (guint k = 0; k < s->n; k++) {
    HyUnknown *u = &s->unknown[k];
    for (guint c = 1; c < 4; c++) {
      u->largest[c] = fmax(u->largest[c], fabs(u->z[c]));
    }
    u->fresh |= !u->ever;
  }
  return HY_LOOP_SOLVED;
}

static HyLoopEnd breaker_try_values(HyBreaker *s, double (*g)[4])
{
  for (guint k = 0; k < s->n; k++) {
    s->a[k] = g[k][0];
    s->loops.z[k] = s->unknown[k].z[0];
  }
  HyLoopEnd end = hy_loops_answer(&s->loops, s->a);
  for (guint k = 0; end == HY_LOOP_AGAIN && k < s->n; k++) {
    breaker_set(&s->unknown[k], 0, s->loops.z[k]);
  }
  return end == HY_LOOP_FAILED ? breaker_fail(s, FALSE, (guint)s->loops.worst, s->loops.residual)
                               : end;
}

/* The values are solved. */
static HyLoopEnd breaker_try_slopes(HyBreaker *s, double (*g)[4])
{
  guint unknown = 0;
  guint c = breaker_open_slope(s, g, &unknown);
  if (c == s->lanes) {
    return breaker_solved(s);
  }
  if ((gint64)s->rounds >= s->max_iter) {
    return breaker_fail(s, TRUE, unknown, fabs(g[unknown][c] - s->unknown[unknown].z[c]));
  }
  if (s->slopes_only) {
    breaker_learn_from_slopes(s, c, g);
  }
  for (guint k = 0; k < s->n; k++) {
    memcpy(s->unknown[k].z_was, s->unknown[k].z, sizeof s->unknown[k].z_was);
    memcpy(s->unknown[k].g_was, g[k], sizeof s->unknown[k].g_was);
  }
  s->slopes_only = TRUE;
  breaker_correct_slopes(s, g);
  return HY_LOOP_AGAIN;
}

HyLoopEnd hy_breaker_look(HyBreaker *s, double t)
{
  g_autofree double(*g)[4] = g_malloc_n(s->n, sizeof *g);
  for (guint k = 0; k < s->n; k++) {
    hy_signal_at(&s->unknown[k].in, t, g[k]);
  }
  s->rounds++;
  HyLoopEnd end = breaker_try_values(s, g);
  if (end == HY_LOOP_SOLVED) {
    return breaker_try_slopes(s, g);
  }
  s->slopes_only &= end == HY_LOOP_FAILED;
  if (end == HY_LOOP_AGAIN && s->loops.probe < 0) {
    breaker_correct_slopes(s, g);
  }
  return end;
}
