/* Recordings of several runs as one table. */
#ifndef HY_PLOT_JOIN_H
#define HY_PLOT_JOIN_H

#include "csv_read.h"
#include "sidecar.h"

G_BEGIN_DECLS

typedef struct {
  const char *called; /* in messages, and in brackets behind the names of its columns */
  HyTable *table;
  HySidecar *sidecar; /* NULL: there is none */
  GArray *chosen;     /* guint: which columns */
  gboolean *holds;    /* [n of the table]: that keep their value until the next row */
} HyPlotRun;

void hy_plot_run_clear(gpointer run);
/* Its chosen column of this name; -1: it has none. */
gint64 hy_plot_column_named(const HyPlotRun *run, const char *name);

/* The chosen columns of all runs at the instants of all of them; NaN where a run has not begun or
 * is over. DIFFERENCE: of the two runs, what the first has more in columns of one name. SIDECAR
 * gets what was known of the columns. NULL: times go back, axes differ, no column is in both. */
HyTable *hy_plot_join(const HyPlotRun *runs, guint n, gboolean difference, HySidecar **sidecar,
                      GError **error);

G_END_DECLS
#endif
