/* What gnuplot is told: a figure of panels above one another over one time axis. */
#ifndef HY_PLOT_SCRIPT_H
#define HY_PLOT_SCRIPT_H

#include "plot_panel.h"

#include <glib.h>

G_BEGIN_DECLS

#define HY_PANEL_CURVES  8 /* as many as can be told apart */
#define HY_FIGURE_PANELS 8

typedef struct {
  const char *label;
  const double *v;       /* [n_rows of the figure] */
  gboolean steps;        /* holds its value until the next row */
  gboolean lines;        /* an upright line for each row */
  gboolean filled;       /* down to 0 */
  const double *band[4]; /* filled from the first to the last, darker between the others; or NULL */
  double swing;          /* up or down, as often as there are pixels; else 0 */
} HyCurve;

typedef struct {
  const char *unit; /* NULL: not stated */
  HyShared shared;  /* for whoever fills the panels */
  guint n;
  HyCurve curve[HY_PANEL_CURVES];
} HyPanel;

typedef struct HyChart HyChart; /* plot_chart.h */

typedef struct {
  const HyChart *chart; /* in place of panels; NULL: none */
  const char *title;
  const double *t; /* [n_rows] */
  gsize n_rows;
  const char *axis;      /* what t is; NULL: the time */
  gboolean path;         /* t goes forth and back */
  gboolean bands;        /* curves have them */
  gboolean points;       /* rows are points by themselves */
  gboolean spectrum;     /* t are frequencies, */
  gboolean upright;      /* each with an upright line from 0 */
  gboolean bars;         /* t are where bars begin */
  gboolean log_x, log_y; /* logarithmic scales; what is drawn there is above 0 */
  gboolean decades;      /* t are frequencies, by their logarithms to base 10, on such an axis */
  double from, to;       /* the time axis */
  double hold;           /* steps go on until here; NaN: no further than the last row */
  const char *file;      /* absolute; its ending says the format. NULL: characters on stdout: */
  guint columns, rows;
  gboolean colour;
  double width, height; /* inches of 100 pixels; 0: as it needs */
  guint dpi;            /* of a .png */
  const char *font;
  double font_size; /* points; of all: 0, NULL: as usual */
  guint n;
  HyPanel panel[HY_FIGURE_PANELS];
} HyFigure;

/* The whole script, with the data in it; newly allocated. */
char *hy_plot_script(const HyFigure *figure);
/* What follows where the terminal is set, of a chart. */
void hy_chart_script(GString *out, const HyChart *chart);
/* TEXT as a string of gnuplot in which nothing has a meaning. */
void hy_plot_quote(GString *out, const char *text);

/* Newly allocated. The end of a long label says more than its beginning. TERM: by ASCII alone. */
char *hy_plot_short(const char *label, gboolean term);

typedef struct {
  double x, y; /* y NaN: the curve is interrupted */
} HyPoint;

/* The curve as it looks on BINS columns of pixels: of the points in a column the first, lowest,
 * highest and last. The caller frees the array of HyPoint. */
GArray *hy_plot_thin(const double *t, const double *v, gsize n, double from, double to, guint bins);

/* Of a path in the plane: points that are apart by more than half a pixel of BINS, of WIDTH in x or
 * of HEIGHT in y. */
GArray *hy_plot_thin_path(const double *x, const double *y, gsize n, double width, double height,
                          guint bins);

/* How far a curve goes between two of its turns, in the mean, if it turns more than BINS times;
 * else 0.
 */
double hy_plot_swing(const double *v, gsize n, guint bins);

G_END_DECLS
#endif
