/* The parameters of the best run of a model: what is to become small, large, or like a measurement.
 */
#ifndef HYDEVS_OPTIMISE_H
#define HYDEVS_OPTIMISE_H

#include "hydevs/experiment.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Lists end with NULL; NULL: none. */
typedef struct {
  const char *const *over;   /* "L=1m:20m", "f=log 1k:1M": parameters, and where they may be */
  const char *const *start;  /* "L=5m"; of others: the model's value, if it is there, else the
                                middle */
  const char *minimise;      /* one of these three: a measure (hydevs/measure.h), */
  const char *maximise;      /* likewise, */
  const char *fit;           /* a file of measured values, whose squared differences are summed */
  const char *const *below;  /* "max(iL)=10": a measure, and what it must not exceed; */
  const char *const *above;  /* and what it must reach */
  const char *algorithm;     /* bobyqa, cobyla, direct or crs2; NULL: it is chosen */
  guint64 most;              /* runs */
  double step;               /* done when steps are smaller, of the ranges; 0: 1e-8, or 1e-3 where
                                states move in quanta */
  guint64 seed;              /* of the algorithm */
  const HyLoadOptions *load; /* NULL: none */
  const HyRunSettings *run;  /* likewise */
  HyProgress progress;       /* asked during each run (hy_sim_set_progress()); FALSE ends the
                                search */
  /* told after each of at most MOST runs; BEST: NaN: none yet. NULL: nobody. */
  void (*ran)(gpointer user, guint64 runs, guint64 most, guint64 failed, double best);
  gpointer user; /* of both */
} HyOptimiseOptions;
#define HY_OPTIMISE_OPTIONS (HY_LITERAL(HyOptimiseOptions){.most = 200})

typedef struct HyOptimum HyOptimum;

/* NULL: HY_ERROR_USAGE, or of the model, or of its first run. An ended search has what it has found
 * until then (hy_optimum_ended()). */
HyOptimum *hy_optimise_sized(const char *file, const HyOptimiseOptions *options, gsize size,
                             gsize load, gsize run, /* sizes of what these point to */
                             GError **error);
static inline HyOptimum *hy_optimise(const char *file, const HyOptimiseOptions *options,
                                     GError **error)
{
  return hy_optimise_sized(file, options, sizeof(HyOptimiseOptions), sizeof(HyLoadOptions),
                           sizeof(HyRunSettings), error);
}
void hy_optimum_free(HyOptimum *optimum); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyOptimum, hy_optimum_free)

guint64 hy_optimum_runs(const HyOptimum *optimum);
guint64 hy_optimum_failed(const HyOptimum *optimum);
/* G_MAXUINT64: no run has ended within the limits. */
guint64 hy_optimum_best(const HyOptimum *optimum);
double hy_optimum_value(const HyOptimum *optimum);              /* of the best run; NaN: none */
double hy_optimum_parameter(const HyOptimum *optimum, guint k); /* likewise; in the order of over */
gboolean hy_optimum_ended(const HyOptimum *optimum);            /* progress has ended it */

/* Appended to OUT: what was found, how, and what limits it; every run as a line of CSV. */
void hy_optimum_text(const HyOptimum *optimum, GString *out);
void hy_optimum_csv(const HyOptimum *optimum, GString *out);

#pragma GCC visibility pop
G_END_DECLS
#endif
