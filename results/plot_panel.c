#include "plot_panel.h"

#include <math.h>
#include <string.h>

#define SEEN 0.1 /* of a panel: what moves over less of it looks flat */

HyPanelled hy_panelled(const char *unit, gboolean event, const double *v, gsize n)
{
  HyPanelled out = {unit, event, INFINITY, -INFINITY};
  for (gsize k = 0; k < n; k++) {
    if (isfinite(v[k])) {
      out.low = MIN(out.low, v[k]);
      out.high = MAX(out.high, v[k]);
    }
  }
  return out;
}

/* Of a column; infinite: any panel shows it, as a zero. */
static double range_of(const HyPanelled *c)
{
  double range = c->high > c->low ? c->high - c->low : fabs(c->high);
  return range > 0 ? range : INFINITY;
}

HyShared hy_panel_of(const HyPanelled *first)
{
  return (HyShared){*first, range_of(first)};
}

gboolean hy_panel_takes(const HyShared *p, const HyPanelled *column, gboolean logarithms)
{
  if (column->unit != NULL || p->all.unit != NULL) {
    return g_strcmp0(column->unit, p->all.unit) == 0;
  }
  double whole = MAX(p->all.high, column->high) - MIN(p->all.low, column->low);
  gboolean like = logarithms || MIN(p->least, range_of(column)) >= SEEN * whole;
  return p->all.event == column->event && (column->event || like);
}

void hy_panel_add(HyShared *p, const HyPanelled *column)
{
  p->all.low = MIN(p->all.low, column->low);
  p->all.high = MAX(p->all.high, column->high);
  p->least = MIN(p->least, range_of(column));
}
