/* Pictures of a recording, drawn by gnuplot, which runs as a program of its own. */
#ifndef HYDEVS_PLOT_H
#define HYDEVS_PLOT_H

#include "hydevs/error.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct {
  const char *csv;
  const char *const *with; /* further recordings, drawn over it; ends with NULL. NULL: none */
  gboolean difference;     /* in place of the two what CSV has more than the one of WITH */
  gboolean bands;          /* of all of them: how their columns spread */
  const char *name;        /* of the recording in messages; NULL: csv */
  const char *out; /* .png, .svg or .pdf, of a spectrum or histogram also .csv; NULL: the name of
                      the CSV with .png */
  const char *columns; /* "a,cell[1,2],u*": names, labels or patterns; NULL: all */
  const char *over;    /* this column in place of the time: paths in the plane; NULL: the time */
  const char *title;   /* NULL: what stands beside the recording, else its name */
  const char *log;     /* axes with a logarithmic scale: "x", "y", "xy"; NULL: none */
  double from, to;     /* only this part of the time; -inf and inf, or both 0: all */
  /* In place of the curves: */
  const char *fft;       /* their amplitudes by frequency, through the window "none", "hann",
                            "blackman" or "flattop"; NULL: not asked for */
  gboolean db;           /* as 20 log10 of them */
  double fmax;           /* up to this frequency, in Hz; 0: as far as the rows tell */
  const char *histogram; /* "values": how often, or how long, they have each; "steps": times between
                            their events; NULL: not asked for */
  guint bins;            /* of it; 0: 50, or one for each number if they are few */
  const char *map;       /* of the table of a sweep: one measure over two parameters, "A,B"; NULL:
                            not asked for */
  gboolean tornado;      /* of the table of a sweep: by how much each parameter moves one measure */
  double width,
      height;       /* of the picture, in inches of 100 pixels, 0: 12, and as high as it needs */
  guint dpi;        /* of a .png; 0: 100 */
  const char *font; /* its name; NULL: sans */
  double font_size; /* in points; 0: 10.5 */
  gboolean term;    /* draw on stdout, in characters, instead */
  guint term_columns, term_rows;
  gboolean term_colour;
} HyPlotOptions;

#define HY_PLOT_BINS 10000 /* at most */
#define HY_PLOT_DPI  1200

/* FALSE: no gnuplot, nothing to draw, cannot read or write. */
gboolean hy_plot_csv_sized(const HyPlotOptions *options, gsize size, GError **error);
static inline gboolean hy_plot_csv(const HyPlotOptions *options, GError **error)
{
  return hy_plot_csv_sized(options, sizeof(HyPlotOptions), error);
}
/* The name of the picture that hy_plot_csv() makes; newly allocated. */
char *hy_plot_out_sized(const HyPlotOptions *options, gsize size);
static inline char *hy_plot_out(const HyPlotOptions *options)
{
  return hy_plot_out_sized(options, sizeof(HyPlotOptions));
}

#pragma GCC visibility pop
G_END_DECLS
#endif
