/* Charts of the table of a sweep that have no curves: a map of a measure over two parameters, and
 * what each parameter does to a measure. */
#ifndef HY_PLOT_CHART_H
#define HY_PLOT_CHART_H

#include "plot_sweep.h"

typedef struct {
  double x, y, left, right, low, high; /* a box, and its middle */
  double v; /* NaN: an empty one; of bars 0 at the low end of the parameter, 1 at its high one */
} HyBox;

struct HyChart {
  char *title, *x, *y, *v; /* texts of axes; v: of the colours */
  gboolean points;         /* not boxes */
  GArray *box;             /* HyBox */
  GPtrArray *names;        /* of y = 0, 1, ..., whose boxes are bars; NULL: y are numbers */
};

/* A map of the one measure over "A,B". */
HyChart *hy_plot_map(const HyPlotSource *source, GError **error);
/* By how much each parameter moves the one measure. */
HyChart *hy_plot_tornado(const HyPlotSource *source, GError **error);
void hy_chart_free(HyChart *chart); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyChart, hy_chart_free)

#endif
