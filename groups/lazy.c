#include "lazy.h"

#include "equations/members.h"
#include "expr/tape_parts.h"
#include "numerics/modal.h"
#include "numerics/poly.h"

#include <math.h>
#include <string.h>

#define LATE   0.6 /* of a tolerance: what may be missing */
#define NEWTON 3   /* steps to where it is that much */
#define WORDS  10  /* of an input at one instant: from then on it may be taken in late */

/* States of others, unless they decide modes: there they would come late by what turns them. */
static gboolean is_late(const HyClassic *g, guint k)
{
  guint32 slot = g->rows.outer[k];
  gboolean decides = FALSE;
  for (guint c = 0; c < g->own.crossing->len; c++) {
    const HyOwned *o = g_array_index(g->own.crossing, HyClassicCrossing, c).owned;
    decides |= hy_row_place(&g->room->run[o->rises], slot) != HY_NO_SLOT ||
               hy_row_place(&g->room->run[o->falls], slot) != HY_NO_SLOT;
  }
  return g->room->members.state_of[slot] > 0 && !decides;
}

void hy_lazy_init(HyLazy *z, const HyClassic *g, guint wide)
{
  guint n = g->n, n_outer = g->rows.n_outer;
  *z = (HyLazy){.n = n,
                .n_outer = n_outer,
                .wide = wide,
                .known = g_new0(HyPiece, (gsize)n_outer + 1),
                .is_late = g_new0(guint8, (gsize)n_outer + 1),
                .words = g_new0(guint8, (gsize)n_outer + 1),
                .missing = g_new0(double, (gsize)n + 1),
                .rate = g_new0(double, (gsize)n *HY_MODAL_LANES + 1)};
  for (guint k = 0; k < n_outer; k++) {
    z->is_late[k] = is_late(g, k);
  }
}

void hy_lazy_clear(HyLazy *z)
{
  g_free(z->known);
  g_free(z->is_late);
  g_free(z->words);
  g_free(z->missing);
  g_free(z->rate);
}

void hy_lazy_begin(HyLazy *z, const HyClassic *g)
{
  memcpy(z->known, g->rows.assumed, z->n_outer * sizeof *z->known);
  if (z->pending) {
    memset(z->missing, 0, z->n * sizeof *z->missing);
    memset(z->rate, 0, (gsize)z->n * HY_MODAL_LANES * sizeof *z->rate);
    z->pending = FALSE;
  }
}

/* The integral of RATE over H. */
static double lazy_integral(const double *rate, double h)
{
  return h * (rate[0] + h * (rate[1] / 2.0 + h * (rate[2] / 3.0 + h * rate[3] / 4.0)));
}

static void lazy_move(HyLazy *z, double t)
{
  double h = t - z->t;
  for (guint i = 0; i < z->n && z->pending && h > 0.0; i++) {
    double *rate = z->rate + (gsize)i * HY_MODAL_LANES;
    z->missing[i] += lazy_integral(rate, h);
    hy_poly_shift(rate, HY_MODAL_LANES, h);
  }
  z->t = t;
}

static gboolean is_same(const HyPiece *a, const HyPiece *b)
{
  return a->t == b->t && a->c[0] == b->c[0] && a->c[1] == b->c[1] && a->c[2] == b->c[2] &&
         a->c[3] == b->c[3];
}

/* Input K is NOW. */
static void lazy_change(HyLazy *z, const HyClassic *g, const double *by, guint k,
                        const HyPiece *now)
{
  double is[HY_MODAL_LANES], was[HY_MODAL_LANES];
  int lanes = (int)g->room->diagram.lanes;
  memcpy(is, now->c, sizeof is);
  memcpy(was, z->known[k].c, sizeof was);
  hy_poly_shift(is, lanes, z->t - now->t);
  hy_poly_shift(was, lanes, z->t - z->known[k].t);
  for (guint i = 0; i < z->n; i++) {
    double b = by[(gsize)i * z->wide + k];
    for (int j = 0; j < lanes && b != 0.0; j++) {
      z->rate[(gsize)i * HY_MODAL_LANES + j] += b * (is[j] - was[j]);
    }
  }
  z->known[k] = *now;
  z->pending = TRUE;
}

/* How long the integral of RATE stays below MOST in any case: the root of the sum of the sizes of
 * its terms, which is convex, from above. */
static double lazy_bears(const double *rate, double most)
{
  double a = fabs(rate[0]), b = fabs(rate[1]) / 2.0, c = fabs(rate[2]) / 3.0,
         d = fabs(rate[3]) / 4.0;
  double h =
      fmin(fmin(a > 0.0 ? most / a : INFINITY, b > 0.0 ? sqrt(most / b) : INFINITY),
           fmin(c > 0.0 ? cbrt(most / c) : INFINITY, d > 0.0 ? sqrt(sqrt(most / d)) : INFINITY));
  for (int k = 0; k < NEWTON && h < INFINITY && h > 0.0; k++) {
    double sum = h * (a + h * (b + h * (c + h * d))) - most;
    h -= sum / (a + h * (2.0 * b + h * (3.0 * c + h * 4.0 * d)));
  }
  return h;
}

/* Input K, which may have changed; FALSE: it has, and may not come late. */
static gboolean lazy_look(HyLazy *z, const HyClassic *g, const double *by, guint k)
{
  const HyPiece *now = &g->room->signal[g->rows.outer[k]];
  if (is_same(now, &z->known[k]) || hy_classic_sine(g, k) != NULL) {
    return TRUE;
  }
  guint words = now->t == z->known[k].t ? MIN(z->words[k] + 1U, WORDS) : 0;
  gboolean late = z->is_late[k] || words == WORDS;
  z->words[k] = (guint8)words;
  if (late) {
    lazy_change(z, g, by, k, now);
  }
  return late;
}

/* Of all inputs, or where another group has said something, of its members: a capacitor at which
 * many stages work would go through all of them for each. */
static gboolean lazy_look_around(HyLazy *z, const HyClassic *g, const double *by)
{
  const HyClassic *teller = g->room->groups.teller;
  gboolean late = TRUE;
  for (guint i = 0; teller != NULL && i < teller->n; i++) {
    guint32 k = teller->out.open[i] ? hy_classic_outer(g, teller->rows.slot[i]) : HY_NO_PLACE;
    late &= k == HY_NO_PLACE || lazy_look(z, g, by, k);
  }
  for (guint k = 0; teller == NULL && k < z->n_outer; k++) {
    late &= lazy_look(z, g, by, k);
  }
  return late;
}

bool hy_lazy_take(HyLazy *z, const HyClassic *g, const double *by, double t)
{
  lazy_move(z, t);
  return lazy_look_around(z, g, by);
}

double hy_lazy_until(const HyLazy *z, const HyClassic *g, const double *y, double t)
{
  double until = INFINITY;
  for (guint i = 0; i < z->n && z->pending; i++) {
    double most = LATE * hy_classic_tolerance(g, i, y != NULL ? y[i] : 0.0) - fabs(z->missing[i]);
    if (!(most > 0.0)) {
      return t;
    }
    until = fmin(until, t + lazy_bears(z->rate + (gsize)i * HY_MODAL_LANES, most));
  }
  return until;
}

void hy_lazy_add(const HyLazy *z, double t, double *y)
{
  for (guint i = 0; i < z->n && z->pending; i++) {
    y[i] += z->missing[i] + lazy_integral(z->rate + (gsize)i * HY_MODAL_LANES, t - z->t);
  }
}

void hy_lazy_tape(HyLazy *z, HyTape *tape)
{
  for (guint k = 0; k < z->n_outer; k++) {
    hy_tape_piece(tape, &z->known[k]);
  }
  HY_TAPE_ARRAY(tape, z->words, z->n_outer);
  HY_TAPE_ARRAY(tape, z->missing, z->n);
  HY_TAPE_ARRAY(tape, z->rate, (gsize)z->n * HY_MODAL_LANES);
  HY_TAPE(tape, z->t);
  HY_TAPE(tape, z->pending);
}
