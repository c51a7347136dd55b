#include "hybrid/grid.h"
#include "hydevs/error.h"
#include "hydevs/trace.h"

gboolean hy_grid_init(HyGrid *g, double t, GError **error)
{
  g->phase = g->start / g->period;
  if (!hy_edge_countable(g->period, t) || !hy_edge_countable(g->period, g->start)) {
    char text[HY_DOUBLE_SIZE];
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "a period of %s s cannot be counted here",
                hy_double_text(text, g->period));
    return FALSE;
  }
  g->k = hy_edge_before(g->period, g->phase, 0, t);
  if (hy_grid_due(g) < t) {
    g->k++;
  }
  g->k = fmax(g->k, 0);
  return TRUE;
}
