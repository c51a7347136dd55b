/* The inside of hy_plot_csv(), for the files that share its work: plot.c (the way from a recording
 * to a picture), plot_columns.c (which columns), plot_fourier.c and plot_histogram.c (other tables
 * made of them), plot_figure.c (panels, axes, title) and plot_gnuplot.c (the program). */
#ifndef HY_PLOT_INTERNAL_H
#define HY_PLOT_INTERNAL_H

#include "csv_read.h"
#include "hydevs/plot.h"
#include "plot_script.h"
#include "sidecar.h"

/* How a table is drawn that was made of another one. */
typedef struct {
  gboolean points; /* rows are points by themselves */
  gboolean bands;  /* columns are those of plot_bands.h */
} HyPlotLooks;

/* plot_columns.c */
const char *hy_plot_called(const HyPlotOptions *o); /* the recording, in messages */
gboolean hy_plot_drawable(const HyTable *table, guint column);
gboolean hy_plot_has_name(const HyTable *table, const HySidecar *sidecar, guint column,
                          const char *name);
char *hy_plot_list_names(const HyTable *table); /* newly allocated */
/* An array of guint, those that are asked for; NULL: ERROR is set. */
GArray *hy_plot_chosen(const HyPlotOptions *o, const HyTable *table, const HySidecar *sidecar,
                       GError **error);
/* Which columns hold their value until the next row; newly allocated. */
gboolean *hy_plot_holding(const HyTable *table, const HySidecar *sidecar);

/* Chosen columns of a recording; SIDECAR may be NULL. */
typedef struct {
  const HyPlotOptions *o;
  const HyTable *table;
  const HySidecar *sidecar;
  const GArray *chosen;
  const gboolean *holds;
  gboolean numbers; /* not for a picture */
  gboolean runs;    /* rows are runs of a sweep: each counts */
} HyPlotSource;

/* A table of other things made of them, and what is known of its columns. NULL: ERROR is set. */
HyTable *hy_plot_fourier(const HyPlotSource *source, HySidecar **sidecar, GError **error);
HyTable *hy_plot_histogram(const HyPlotSource *source, HySidecar **sidecar, GError **error);
/* For both: a table of COLUMNS with room for ROWS each, the first one of NAME; the others are those
 * of SOURCE. In UNIT, NULL: in that of each; with DB in decibels of it. */
HyTable *hy_plot_table(const HyPlotSource *source, const char *name, gsize rows, const char *unit,
                       gboolean db, HySidecar **sidecar);
/* The chosen column has a value at all rows; else ERROR is set. */
gboolean hy_plot_is_whole(const HyPlotSource *source, guint column, GError **error);

/* plot_figure.c: the part of TABLE that is asked for; what is drawn of it. AXIS and TITLE: texts of
 * the figure, which the caller frees. */
gboolean hy_plot_take_window(const HyPlotOptions *o, HyTable *table, const HySidecar *sidecar,
                             GError **error);
gboolean hy_plot_figure(HyFigure *f, const HyPlotOptions *o, HyTable *table,
                        const HySidecar *sidecar, char **axis, char **title, GError **error);

/* plot_gnuplot.c */
gboolean hy_plot_draw(const HyFigure *f, const char *name, GError **error);
gboolean hy_plot_check_out(const char *out, gboolean numbers, GError **error);
gboolean hy_plot_check_writable(const char *out, GError **error);
/* Whether something has been drawn into OUT; takes an empty file away. */
gboolean hy_plot_check_drawn(const char *out, GError **error);

#endif
