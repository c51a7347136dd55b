/* What was measured, for --fit: a table of instants and values, beside a run that is recorded at
 * these instants. */
#ifndef HYDEVS_SWEEPS_MEASURED_H
#define HYDEVS_SWEEPS_MEASURED_H

#include "hydevs/experiment.h"

typedef struct {
  char *path;   /* of the signal */
  char *unit;   /* as measured; NULL: as the model's */
  double *v;    /* [n]; NaN: not measured */
  double scale; /* its rms, by which differences are divided where there are several columns */
} HyMeasuredColumn;

typedef struct {
  char *file;
  guint n, n_columns;
  double *t; /* [n], s, increasing */
  HyMeasuredColumn *column;
  char *grid; /* the instants, as HyLoadOptions.grid */
} HyMeasured;

/* The head of the first column is time or t; those of the others are paths, as a recording has
 * them. "time [ms]", "uC [mV]": a unit, in brackets. NULL: HY_ERROR_USAGE says where and what. */
HyMeasured *hy_measured_read(const char *file, GError **error);
void hy_measured_free(HyMeasured *measured); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyMeasured, hy_measured_free)

/* The sum of squares of what RUN, which has ended and was recorded in memory, differs. FALSE: it
 * has no such signal or no value at an instant, or the units do not fit. */
gboolean hy_measured_compare(const HyMeasured *measured, const HyRun *run, double *sum,
                             GError **error);

#endif
