/* The spectrum of columns of a recording. Between two rows a signal is straight, an event column
 * holds: so the integrals of its coefficients are known in closed form (numerics/fourier.h), and no
 * resampling is between what was recorded and what is shown. Lines are 1/T apart, T being the
 * stretch that is shown; there are half as many as rows, unless fmax says otherwise. A picture
 * begins behind the mean and what the window makes of it, else one would see little beside it. */
#include "plot_internal.h"

#include "numerics/fourier.h"

#include <math.h>
#include <string.h>

#define FEWEST   16   /* lines */
#define EFFORT   4e8  /* lines times rows, some seconds: as many lines by default, */
#define MOST     2e10 /* and what is refused */
#define DB_BELOW 200  /* what is smaller by so many decibels is not told apart from 0 */

/* The last line; W: the window. 0: ERROR is set. */
static guint lines_of(const HyPlotSource *s, const HyFourierWindow *w, double length,
                      GError **error)
{
  double rows = (double)s->table->n_rows;
  double n = s->o->fmax > 0.0 ? floor(s->o->fmax * length * (1 + 1e-12))
                              : fmax(FEWEST, fmin((rows - 1) / 2, EFFORT / rows));
  gboolean few = n < w->n;
  if (few || n * rows > MOST) {
    char f[HY_DOUBLE_SIZE], t[HY_DOUBLE_SIZE];
    g_set_error(
        error, HY_ERROR, HY_ERROR_USAGE, "%s: up to %s Hz the %s s that are shown have too %s",
        hy_plot_called(s->o), hy_double_text(f, s->o->fmax), hy_double_text(t, length),
        few ? "few periods" : "many lines: take a lower --fmax, or a part with --from and --until");
    return 0;
  }
  return (guint)n;
}

static void to_decibels(double *v, gsize n)
{
  double most = 0.0;
  for (gsize k = 0; k < n; k++) {
    most = fmax(most, v[k]);
  }
  for (gsize k = 0; k < n && most > 0.0; k++) {
    v[k] = 20.0 * log10(fmax(v[k], most * pow(10.0, -DB_BELOW / 20.0)));
  }
}

typedef struct {
  const char *name;
  double size;
} Prefix;

/* Hz, or a thousand or a million of them; on a logarithmic axis the axis does that. */
static Prefix prefix_of(const HyPlotSource *s, double last)
{
  if (s->numbers || (s->o->log != NULL && strchr(s->o->log, 'x') != NULL)) {
    return (Prefix){"frequency", 1.0};
  }
  return last >= 1e7   ? (Prefix){"frequency (MHz)", 1e6}
         : last >= 1e4 ? (Prefix){"frequency (kHz)", 1e3}
                       : (Prefix){"frequency (Hz)", 1.0};
}

HyTable *hy_plot_fourier(const HyPlotSource *s, HySidecar **sidecar, GError **error)
{
  const double *t = s->table->column[0].v;
  gsize rows = s->table->n_rows;
  const HyFourierWindow *w = hy_fourier_window(s->o->fft);
  g_return_val_if_fail(w != NULL, NULL);
  double length = rows > 0 ? t[rows - 1] - t[0] : 0.0;
  if (!(length > 0.0) || isinf(length)) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: one instant has no spectrum",
                hy_plot_called(s->o));
    return NULL;
  }
  guint lines = lines_of(s, w, length, error);
  if (lines == 0) {
    return NULL;
  }
  for (guint k = 0; k < s->chosen->len; k++) {
    if (!hy_plot_is_whole(s, g_array_index(s->chosen, guint, k), error)) {
      return NULL;
    }
  }
  Prefix prefix = prefix_of(s, lines / length);
  guint first = s->numbers ? 0 : w->n;
  HyTable *out = hy_plot_table(s, prefix.name, (gsize)lines + 1 - first, NULL, s->o->db, sidecar);
  g_autofree double complex *c = g_new(double complex, (gsize)lines + w->n);
  for (guint m = first; m <= lines; m++) {
    out->column[0].v[m - first] = m / length / prefix.size;
  }
  for (guint k = 0; k < s->chosen->len; k++) {
    guint column = g_array_index(s->chosen, guint, k);
    double *v = out->column[k + 1].v;
    hy_fourier_lines(t, s->table->column[column].v, rows, s->holds[column], lines + w->n - 1, c);
    for (guint m = first; m <= lines; m++) {
      v[m - first] = hy_fourier_amplitude(w, c, m);
    }
    if (s->o->db) {
      to_decibels(v, out->n_rows);
    }
  }
  return out;
}
