/* Many runs as one picture: how their signals spread. */
#ifndef HY_PLOT_BANDS_H
#define HY_PLOT_BANDS_H

#include "plot_join.h"

/* A signal has so many columns: its median, then what 5, 25, 75 and 95 % of the runs are below. */
#define HY_BAND_COLUMNS 5

/* Of two doubles, for sorting. */
int hy_plot_compare(gconstpointer a, gconstpointer b);
/* Below it is the part P of the N > 0 values, which stand in their order; straight between them. */
double hy_plot_quantile(const double *v, gsize n, double p);

/* Of the chosen columns of the first run, where others have them too. NULL: ERROR is set. */
HyTable *hy_plot_bands(const HyPlotRun *runs, guint n, HySidecar **sidecar, GError **error);

#endif
