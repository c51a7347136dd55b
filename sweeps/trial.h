/* One run of a model with some parameters: the numbers that come out. */
#ifndef HYDEVS_SWEEPS_TRIAL_H
#define HYDEVS_SWEEPS_TRIAL_H

#include "sweeps/measured.h"

typedef struct {
  const char *file;
  HyLoadOptions load; /* .set: what is set beside the parameters */
  HyRunSettings run;
  const char *const *parameters; /* [n] */
  guint n, n_measures;
  const char *const *measures; /* [n_measures]: texts, */
  const gboolean *named;       /* or a name of the experiment's */
  const HyMeasured *measured;  /* NULL: none; else one value more, its sum of squares */
  HyProgress progress;
  gpointer user;
} HyTrials;

typedef struct {
  int status;     /* as a run's: 0, or HyErrorCode */
  char *why;      /* NULL: it is 0 */
  gboolean ended; /* well: it has all values, also if a measure is out of its bounds */
  double *value;
  guint64 events;
  gboolean smooth; /* no state moves in quanta: results are smooth functions of parameters */
  char *methods;   /* "mliqss2 dqrel=0.001 dqmin=1e-06" */
} HyTrial;

/* Values are NaN where there are none. Cleared by hy_trial_clear(). */
void hy_trial(const HyTrials *trials, const double *x, HyTrial *trial);
void hy_trial_clear(HyTrial *trial);

#endif
