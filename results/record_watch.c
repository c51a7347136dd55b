/* What a recorder hears: the transitions of the atomics that its columns watch, and each new
 * instant, for columns that are states. */
#include "record_internal.h"

#include "sim/engine.h"

#include <math.h>

/* Whether the column of W has something new by TR. */
static gboolean concerns(const HyRecordWatch *w, const HyTransition *tr)
{
  if (w->kind == HY_COLUMN_STATE) {
    return tr->kind != HY_LAMBDA;
  }
  HyTransitionKind kind = w->kind == HY_COLUMN_OUTPUT ? HY_LAMBDA : HY_DEXT;
  return tr->kind == kind && tr->event->port >= 0 && (guint)tr->event->port == w->port;
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
    const HyRecordWatch *w = &g_array_index(r->watch, HyRecordWatch, k);
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

static int watch_compare(gconstpointer a, gconstpointer b)
{
  const HyRecordWatch *v = a, *w = b;
  return v->atomic != w->atomic ? (v->atomic > w->atomic) - (v->atomic < w->atomic)
                                : (v->column > w->column) - (v->column < w->column);
}

static void sort_watches(HyRecorder *r)
{
  g_array_sort(r->watch, watch_compare);
  guint n = r->watch->len;
  r->n_atomics = n > 0 ? g_array_index(r->watch, HyRecordWatch, n - 1).atomic + 1 : 0;
  r->first = g_new0(guint, (gsize)r->n_atomics + 1);
  for (guint k = 0; k < n; k++) { /* of several sources the last word is what counts */
    const HyRecordWatch *w = &g_array_index(r->watch, HyRecordWatch, k);
    r->column[w->column].alone = r->column[w->column].sources++ == 0;
  }
  for (guint k = 0; k < n; k++) {
    r->first[g_array_index(r->watch, HyRecordWatch, k).atomic + 1] = k + 1;
  }
  for (guint a = 0; a < r->n_atomics; a++) {
    r->first[a + 1] = MAX(r->first[a + 1], r->first[a]);
  }
}

/* Of both, as much as one of them wants. */
static guint8 more_of(guint8 a, guint8 b)
{
  static const guint8 much[] = {
      [HY_WATCH_NOTHING] = 0, [HY_WATCH_ASKED] = 1, [HY_WATCH_WORDS] = 2, [HY_WATCH_ALL] = 3};
  return much[a] > much[b] ? a : b;
}

/* On a grid a state is asked when its row comes. */
static guint8 watch_for(const HyRecorder *r, const HyRecordWatch *w)
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
  guint others = next->transition != NULL ? next->n_watched : 0;
  r->n_watched = MAX(r->n_atomics, others);
  g_free(r->watched);
  r->watched = g_new0(guint8, (gsize)r->n_watched + 1);
  for (guint k = 0; k < r->watch->len; k++) {
    const HyRecordWatch *w = &g_array_index(r->watch, HyRecordWatch, k);
    r->watched[w->atomic] = more_of(r->watched[w->atomic], watch_for(r, w));
  }
  for (guint a = 0; a < others; a++) {
    r->watched[a] = more_of(r->watched[a], next->watched[a]);
  }
  return TRUE;
}

/* What W hears is there. */
static gboolean watch_fits(const HyRecordWatch *w, const HySim *sim)
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
    fit = watch_fits(&g_array_index(r->watch, HyRecordWatch, k), sim);
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
