/* Pictures of the table of a sweep. */
#ifndef HY_PLOT_SWEEP_H
#define HY_PLOT_SWEEP_H

#include "plot_internal.h"

/* Columns 1 .. status - 1 are set or carried, those from there to the end are measures. */
typedef struct {
  guint status, end;
} HySweepLayout;
HySweepLayout hy_sweep_layout(const HyTable *table);

typedef struct {
  guint column;
  GArray *value; /* of double, each once, in their order */
} HyVaried;
/* The parameters that have a number in each row, and not the same one. */
GArray *hy_sweep_varied(const HyTable *table, const HySweepLayout *is);
/* For each combination of the values of VARIED (of HyVaried; the last goes fastest) its row; NULL:
 * they are no grid. Newly allocated. */
gsize *hy_sweep_grid(const HyTable *table, const GArray *varied);
/* What is drawn: the measures, where nothing else is asked for. NULL: ERROR is set. */
GArray *hy_sweep_measures(const HyPlotSource *source, const HySweepLayout *is, GError **error);
/* ERROR: WHAT is of one of MEASURES: which? */
void hy_sweep_ask_which(const HyPlotSource *source, const GArray *measures, const char *what,
                        GError **error);
/* "mc.csv: 1000 runs, 3 failed"; newly allocated. */
char *hy_sweep_title(const HyPlotSource *source, const HySweepLayout *is);

/* Whether rows are runs: by the names of its columns. */
gboolean hy_plot_is_sweep(const HyTable *table);
/* In place of it a table over one of its columns, or the bars of a histogram; CHOSEN and HOLDS of
 * SOURCE are not looked at. NULL: ERROR is set. */
HyTable *hy_plot_sweep(const HyPlotSource *source, HyPlotLooks *looks, HySidecar **sidecar,
                       GError **error);
#endif
