/* A part of a recording: what a picture of some periods shows. */
#ifndef HY_PLOT_WINDOW_H
#define HY_PLOT_WINDOW_H

#include "csv_read.h"

G_BEGIN_DECLS

/* Leaves the rows within FROM .. TO of the first column. At both ends stands what a column has
 * there: between two rows on the line through them, or what it holds, where HOLDS[column] says so.
 * FALSE: there is no row left to draw, the table is as it was. */
gboolean hy_plot_window(HyTable *table, double from, double to, const gboolean *holds);

G_END_DECLS
#endif
