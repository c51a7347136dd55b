/* What a recorder hears: the transitions of the atomics that its columns watch, and each new
 * instant, for columns that are states. */
#include "record_internal.h"

#include "sim/engine.h"
#include "sim/watched.h"

#include <math.h>

/* Whether the column of W has something new by TR. */
static gboolean concerns(const HyColumnWatch *w, const HyTransition *tr)
{
  return w->kind == HY_COLUMN_STATE ? tr->kind != HY_LAMBDA : hy_column_watch_hears(w, tr);
}

/* Whether R takes what happens at T: it is one run's, up to its end. */
static gboolean takes(HyRecorder *r, double t)
{
  r->back |= t < r->heard;
  r->heard = MAX(r->heard, t);
  return !r->back && isnan(r->end);
}

static void record_transition(gpointer user, const HyTransition *tr)
{
  HyRecorder *r = user;
  if (r->next.transition != NULL) {
    r->next.transition(r->next.user, tr);
  }
  if (tr->atomic >= r->n_atomics || !takes(r, tr->t)) {
    return;
  }
  for (guint k = r->first[tr->atomic]; k < r->first[tr->atomic + 1]; k++) {
    const HyColumnWatch *w = &g_array_index(r->watch, HyColumnWatch, k);
    if (!concerns(w, tr)) {
      continue;
    }
    hy_record_advance(r, tr->t); /* the state has not moved, so a row before T sees the old one */
    if (w->kind != HY_COLUMN_STATE) {
      hy_record_take(r, w->column, tr->t, &tr->event->value);
    }
  }
}

static void record_instant(gpointer user, double t)
{
  HyRecorder *r = user;
  if (r->next.instant != NULL) {
    r->next.instant(r->next.user, t);
  }
  if (takes(r, t)) {
    hy_record_reach(r, t);
  }
}

static void record_message(gpointer user, const HyMessage *message)
{
  HyRecorder *r = user;
  r->next.message(r->next.user, message);
}

static void sort_watches(HyRecorder *r)
{
  r->first = hy_column_watch_index(r->watch, &r->n_atomics);
  for (guint k = 0; k < r->watch->len; k++) { /* of several sources the last word is what counts */
    const HyColumnWatch *w = &g_array_index(r->watch, HyColumnWatch, k);
    r->column[w->column].alone = r->column[w->column].sources++ == 0;
  }
}

/* On a grid a state is asked when its row comes. */
static guint8 watch_for(const HyRecorder *r, const HyColumnWatch *w)
{
  if (w->kind == HY_COLUMN_OUTPUT) {
    return r->dt == 0 || !r->column[w->column].alone ? HY_WATCH_WORDS : HY_WATCH_ASKED;
  }
  return w->kind != HY_COLUMN_STATE || r->dt == 0 ? HY_WATCH_ALL : HY_WATCH_NOTHING;
}

/* What is to be heard, by this recorder or the next watcher; FALSE: everything. */
static gboolean list_watched(HyRecorder *r)
{
  const HyTrace *next = &r->next;
  if (next->transition != NULL && next->watched == NULL) {
    return FALSE;
  }
  g_free(r->watched);
  r->watched = hy_column_watch_others(next, r->n_atomics, &r->n_watched);
  for (guint k = 0; k < r->watch->len; k++) {
    const HyColumnWatch *w = &g_array_index(r->watch, HyColumnWatch, k);
    r->watched[w->atomic] = hy_watch_more(r->watched[w->atomic], watch_for(r, w));
  }
  return TRUE;
}

/* What W hears is there. */
static gboolean watch_fits(const HyColumnWatch *w, const HySim *sim)
{
  if (w->atomic >= sim->n || w->kind == HY_COLUMN_STATE) {
    return w->atomic < sim->n;
  }
  const HyFlat *flat = sim->graph;
  return w->port <
         (w->kind == HY_COLUMN_OUTPUT
              ? sim->atoms[w->atomic].n_out
              : hy_model_n_in(hy_flat_model(flat, w->atomic), hy_flat_component(flat, w->atomic)));
}

static gboolean record_fits(gpointer user, const HySim *sim)
{
  const HyRecorder *r = user;
  gboolean fit = r->next.fits == NULL || r->next.fits(r->next.user, sim);
  for (guint k = 0; fit && k < r->watch->len; k++) {
    fit = watch_fits(&g_array_index(r->watch, HyColumnWatch, k), sim);
  }
  return fit;
}

HyTrace hy_recorder_trace(HyRecorder *r)
{
  g_return_val_if_fail(r != NULL, (HyTrace){0});
  if (r->first == NULL) {
    sort_watches(r);
  }
  return (HyTrace){
      .user = r,
      .transition = record_transition,
      .instant = r->n_states > 0 || r->dt != 0 || r->next.instant != NULL ? record_instant : NULL,
      .watched = list_watched(r) ? r->watched : NULL,
      .n_watched = r->n_watched,
      .fits = record_fits,
      .message = r->next.message != NULL ? record_message : NULL};
}
