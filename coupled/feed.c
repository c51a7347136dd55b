/* Which inputs an output follows at once: those that its expression reaches without a mode. */
#include "expr/builder.h"
#include "order.h"

#include <string.h>

void hy_feed_through(HyXBuilder *b, const HyAtomicClass *klass, const void *state, guint n_in,
                     guint n_out, guint8 *feeds)
{
  g_autofree HyX *out = g_new(HyX, (gsize)n_out + 1);
  memset(feeds, 1, n_in);
  if (!hy_x_describe(b, klass, state, n_in, n_out, NULL, out, NULL)) {
    return;
  }
  g_autofree guint8 *need = g_new(guint8, (gsize)b->n + 1);
  hy_x_reach(b, out, n_out, FALSE, need);
  memset(feeds, 0, n_in);
  for (HyX x = 0; x < b->n; x++) {
    if (need[x] && b->node[x].op == HY_X_IN) {
      feeds[b->node[x].a] = 1;
    }
  }
}
