/* What a circuit does, known exactly: in each configuration of its modes x' = A x + b has the
 * solution exp(A t), taken in powers of two of a tick; instants of diodes are found to a tick,
 * 2^-58 of the run. Nothing of hydevs, nor of its methods, is in here. */
#ifndef CAMPAIGN_EXACT_H
#define CAMPAIGN_EXACT_H

#include "forms.h"

#define MOST_WATCHES (2 * MOST_PARTS)

/* A configuration ends where sign * value falls below 0. */
typedef struct {
  Real value[MOST_WIDTH], slope[MOST_WIDTH]; /* as forms */
  int sign;
  int diode, relay; /* which it is of; the other one is -1 */
  RelayMode then;   /* of a relay */
} Watch;

/* x' and watches of one configuration. */
typedef struct {
  Modes modes;
  int width, watches;
  Real rate[MOST_WIDTH][MOST_WIDTH]; /* of the columns of a form: x' = rate x */
  Watch watch[MOST_WATCHES];
} Field;

/* FALSE: a formula is not linear, or a name is unknown. */
gboolean field_init(Field *f, const Circuit *c, const Modes *m);
Real form_value(const Real *form, const Real *x, int width);
double form_noise(const Real *form, const Real *x, int width);
gboolean watch_is_wrong(const Watch *w, const Real *x, int width);
/* Switches as they are just after T; the next instant after T at which one of them changes. T and
 * the result are in ticks. */
void gates_set(const Circuit *c, gint64 t, Modes *m);
gint64 gates_next(const Circuit *c, gint64 t);
#define TICKS ((gint64)1 << 58) /* in a run */

typedef struct {
  int samples, toggles, configurations;
  double *x; /* [samples * states]: the first at stop/samples, the last at stop */
} Exact;

/* SAMPLES is a power of two. CAREFUL: 1, or more to look closer for crossings. NULL: it is no such
 * circuit, or no configuration fits. The caller frees it with exact_free(). */
Exact *exact_new(const Circuit *c, int samples, double careful);
void exact_free(Exact *e);

#endif
