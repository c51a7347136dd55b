/* What may share a panel of a picture, of gnuplot's and of pages. */
#ifndef HY_PLOT_PANEL_H
#define HY_PLOT_PANEL_H

#include <glib.h>

G_BEGIN_DECLS

/* What is known of a column: the finite values of it are within LOW .. HIGH, which is empty
 * (LOW > HIGH) where it has none. */
typedef struct {
  const char *unit; /* NULL: not stated */
  gboolean event;
  double low, high;
} HyPanelled;
HyPanelled hy_panelled(const char *unit, gboolean event, const double *v, gsize n);

/* A panel is what is in it, as one, and the least of their ranges. Made of the first. */
typedef struct {
  HyPanelled all;
  double least;
} HyShared;
HyShared hy_panel_of(const HyPanelled *first);
/* What states the same unit shares a panel. What states none does so with its kind, signals or
 * events, as long as each moves over at least a tenth of it: of what does not move counts how far
 * it is from 0. With LOGARITHMS sizes do not matter. */
gboolean hy_panel_takes(const HyShared *p, const HyPanelled *column, gboolean logarithms);
void hy_panel_add(HyShared *p, const HyPanelled *column);

G_END_DECLS
#endif
