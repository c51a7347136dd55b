#include "column_watch.h"

#include <string.h>

gboolean hy_column_watch_hears(const HyColumnWatch *w, const HyTransition *tr)
{
  HyTransitionKind kind = w->kind == HY_COLUMN_OUTPUT ? HY_LAMBDA : HY_DEXT;
  return w->kind != HY_COLUMN_STATE && tr->kind == kind && tr->event->port >= 0 &&
         (guint)tr->event->port == w->port;
}

static int compare(gconstpointer a, gconstpointer b)
{
  const HyColumnWatch *v = a, *w = b;
  return v->atomic != w->atomic ? (v->atomic > w->atomic) - (v->atomic < w->atomic)
                                : (v->column > w->column) - (v->column < w->column);
}

guint *hy_column_watch_index(GArray *watch, guint *n_atomics)
{
  g_array_sort(watch, compare);
  guint n = watch->len;
  *n_atomics = n > 0 ? g_array_index(watch, HyColumnWatch, n - 1).atomic + 1 : 0;
  guint *first = g_new0(guint, (gsize)*n_atomics + 1);
  for (guint k = 0; k < n; k++) {
    first[g_array_index(watch, HyColumnWatch, k).atomic + 1] = k + 1;
  }
  for (guint a = 0; a < *n_atomics; a++) {
    first[a + 1] = MAX(first[a + 1], first[a]);
  }
  return first;
}

guint8 *hy_column_watch_others(const HyTrace *next, guint n_atomics, guint *n)
{
  guint others = next->transition != NULL && next->watched != NULL ? next->n_watched : 0;
  *n = MAX(n_atomics, others);
  guint8 *watched = g_new0(guint8, (gsize)*n + 1);
  if (others > 0) {
    memcpy(watched, next->watched, others);
  }
  return watched;
}
