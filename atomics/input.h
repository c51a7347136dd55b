/* An input signal as a block keeps it: the newest piece, since when it holds, and what a value that
 * is no number means. */
#ifndef HYDEVS_ATOMICS_INPUT_H
#define HYDEVS_ATOMICS_INPUT_H

#include "base/fault.h"
#include "hydevs/atomic.h"

#include <string.h>

/* Of loops and formulas, in one block: their matrices are dense. */
#define HY_MOST_UNKNOWNS 500U

typedef struct {
  double c[4], t; /* c0 + c1 (time - t) + ... */
  guint n;        /* coefficients that count in this model */
  gboolean known; /* a piece has come, or a number was given instead of a wire */
} HySignal;

/* FALSE: nothing is connected. */
gboolean hy_signal_init(HySignal *s, double t, const HySetup *setup, guint port, GError **error);
void hy_signal_tape(HySignal *s, HyTape *tape);
/* A payload is no number. */
static inline void hy_signal_take(HySignal *s, double t, const HyValue *v)
{
  memcpy(s->c, v->c, sizeof s->c);
  if (s->n < 4) {
    s->c[3] = 0;
    s->c[2] = s->n > 2 ? s->c[2] : 0;
    s->c[1] = s->n > 1 ? s->c[1] : 0;
  }
  if (G_UNLIKELY(v->payload != NULL)) {
    s->c[0] = NAN;
  }
  s->t = t;
  s->known = TRUE;
}
void hy_signal_at(const HySignal *s, double t,
                  double *c); /* the piece from T on, four coefficients */
double hy_signal_value(const HySignal *s, double t);
gboolean hy_signal_finite(const HySignal *s);

/* For the callback `fault`, newly allocated. The first: "in is nan at t = 0.5". */
char *hy_signal_fault(const HySignal *s, const char *port, const HyFault *f);
char *hy_fault_text(const HyFault *f, const char *format, ...) G_GNUC_PRINTF(2, 3);

#endif
