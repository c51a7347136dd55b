/* What measures hear: each word of the signals they are of, and each new instant before anything
 * happens at it, when groups can still be asked for what they have been. */
#include "measures_internal.h"

#include "sim/engine.h"
#include "sim/watched.h"

#include <math.h>
#include <string.h>

/* It is one run's, up to its end. */
static gboolean takes(HyMeasures *m, double t)
{
  m->back |= t < m->heard;
  m->heard = fmax(m->heard, t);
  return !m->back && isnan(m->end);
}

static gboolean reads(const HyMeasuredCurve *c, guint signal)
{
  gboolean any = FALSE;
  for (guint k = 0; k < c->of->refs->n; k++) {
    any |= c->signal[k] == signal;
  }
  return any;
}

/* An event is a value of its own, also if another one follows at once. */
static void take_event(HyMeasures *m, const HyMeasuredCurve *c, guint signal, double t)
{
  const HyMeasured *s = hy_measured(m, signal);
  for (guint k = 0; k < m->signal->len; k++) {
    hy_measured(m, k)->at = NAN;
  }
  double v = s->numeric ? hy_curve_at(m, c, t) : NAN;
  for (guint k = 0; k < c->taker->len; k++) {
    hy_taker_event(hy_taker(m, g_array_index(c->taker, guint, k)), t, v);
  }
}

static void take_word(HyMeasures *m, guint signal, double t, const HyValue *value)
{
  HyMeasured *s = hy_measured(m, signal);
  for (guint k = 0; k < m->curve->len; k++) {
    HyMeasuredCurve *c = hy_measured_curve(m, k);
    if (!c->asks && reads(c, signal)) {
      hy_curve_advance(m, c, t);
    }
  }
  s->numeric = value->payload == NULL;
  s->tl = t;
  memcpy(s->c, value->c, sizeof s->c);
  if (s->is.holds == HY_EVENT) {
    memset(s->c + 1, 0, sizeof s->c - sizeof *s->c);
  }
  for (guint k = 0; k < m->curve->len; k++) {
    const HyMeasuredCurve *c = hy_measured_curve(m, k);
    if (c->events && c->signal[0] == signal) {
      take_event(m, c, signal, t);
    }
  }
}

static void hear_transition(gpointer user, const HyTransition *tr)
{
  HyMeasures *m = user;
  if (m->next.transition != NULL) {
    m->next.transition(m->next.user, tr);
  }
  if (tr->atomic >= m->n_atomics || !takes(m, tr->t)) {
    return;
  }
  for (guint k = m->first[tr->atomic]; k < m->first[tr->atomic + 1]; k++) {
    const HyColumnWatch *w = &g_array_index(m->watch, HyColumnWatch, k);
    if (hy_column_watch_hears(w, tr)) {
      take_word(m, w->column, tr->t, &tr->event->value);
    }
  }
}

static void hear_instant(gpointer user, double t)
{
  HyMeasures *m = user;
  if (m->next.instant != NULL) {
    m->next.instant(m->next.user, t);
  }
  if (takes(m, t)) {
    hy_curves_ask(m, t);
  }
}

static void hear_message(gpointer user, const HyMessage *message)
{
  HyMeasures *m = user;
  m->next.message(m->next.user, message);
}

/* Who is watched ------------------------------------------------------------------------------ */

/* A state is asked when time advances. */
static guint8 wanted(const HyMeasures *m, const HyColumnWatch *w)
{
  switch (w->kind) {
  case HY_COLUMN_STATE:
    return HY_WATCH_NOTHING;
  case HY_COLUMN_INPUT:
    return HY_WATCH_ALL;
  default:
    return hy_measured(m, w->column)->alone ? HY_WATCH_ASKED : HY_WATCH_WORDS;
  }
}

static gboolean fits(gpointer user, const HySim *sim)
{
  const HyMeasures *m = user;
  return sim == m->sim && (m->next.fits == NULL || m->next.fits(m->next.user, sim));
}

HyTrace hy_measures_trace(HyMeasures *m, const HyTrace *next)
{
  gboolean all = next->transition != NULL && next->watched == NULL;
  m->next = *next;
  g_free(m->first);
  m->first = hy_column_watch_index(m->watch, &m->n_atomics);
  g_free(m->watched);
  m->watched = hy_column_watch_others(next, m->n_atomics, &m->n_watched);
  for (guint k = 0; k < m->watch->len; k++) {
    const HyColumnWatch *w = &g_array_index(m->watch, HyColumnWatch, k);
    m->watched[w->atomic] = hy_watch_more(m->watched[w->atomic], wanted(m, w));
  }
  return (HyTrace){.user = m,
                   .transition = hear_transition,
                   .instant = hear_instant,
                   .message = next->message != NULL ? hear_message : NULL,
                   .watched = all ? NULL : m->watched,
                   .n_watched = m->n_watched,
                   .fits = fits};
}

void hy_measures_finish(HyMeasures *m, double t, gboolean whole)
{
  if (!isnan(m->end)) {
    return;
  }
  m->end = t;
  m->whole = whole;
  if (m->back) {
    return;
  }
  hy_curves_look(m);
  hy_curves_ask(m, t);
  for (guint k = 0; k < m->signal->len; k++) {
    hy_measured(m, k)->at = NAN;
  }
  for (guint k = 0; k < m->curve->len; k++) {
    HyMeasuredCurve *c = hy_measured_curve(m, k);
    if (!c->asks) {
      hy_curve_advance(m, c, t);
    }
  }
  for (guint k = 0; k < m->taker->len; k++) {
    HyTaker *taker = hy_taker(m, k);
    hy_taker_end(taker, t, hy_curve_at(m, hy_measured_curve(m, taker->curve), t));
  }
}
