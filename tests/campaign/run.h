/* The program hydevs on a circuit, and how far its recording lies from what is exact. */
#ifndef CAMPAIGN_RUN_H
#define CAMPAIGN_RUN_H

#include "circuit.h"

#define SAMPLES 128

typedef struct {
  const char *program, *method, *engine; /* method, engine NULL: its own choice */
  double tolerance;                      /* 0: as the model says */
  int seconds;                           /* of processor time, before it is ended */
  const char *scratch;                   /* a folder for files */
  gboolean counted;                      /* it tells what it has cost */
  gboolean audited;                      /* in every stretch */
} Setting;

typedef struct {
  int status;      /* of the program; -1: ended from outside */
  gboolean breach; /* its audit has found something; STATUS is then 0 */
  guint64 events;  /* as it says */
  double seconds;  /* of CPU that the run took, as it says; NaN: it does not */
  double *x;       /* [SAMPLES * states]; NaN where nothing is recorded */
  char *bytes;     /* of the recording */
  gsize n_bytes;
  char *words; /* the last line of what it has said */
} Recording;

/* Of a model as text that has STATES columns. */
gboolean recording_of(Recording *r, const char *xml, int states, double stop, const Setting *s);
gboolean recording_make(Recording *r, const Circuit *c, const Setting *s);
void recording_clear(Recording *r);
void scratch_remove(const char *folder); /* with the files of recordings */

/* The largest deviation of X from EXACT in percent of the largest value of the same state, or of
 * LEAST_SIZE if that is more; INFINITY where X is NaN. *WORST: the state. */
double deviation(const Circuit *c, const double *x, const double *exact, double least_size,
                 int *worst);

#endif
