/* a sin(2 pi f t + phase) in Taylor pieces: what sine and three_phase send. */
#ifndef HYDEVS_ATOMICS_SOURCES_SINUS_H
#define HYDEVS_ATOMICS_SOURCES_SINUS_H

#include "hydevs/atomic.h"

typedef struct {
  double a, f;
  double dqrel, dqmin;
  double pieces; /* in a period, so many that none is off by more than max(dqrel |a|, dqmin) */
  double m;      /* of the next piece, at (1/f) (m / pieces) */
  double due;
  guint order;
} HySinus;

gboolean hy_sinus_init(HySinus *s, double t, const HySetup *setup, GError **error);
void hy_sinus_piece(const HySinus *s, double phase, double t, double *c); /* the one due at T */
void hy_sinus_advance(HySinus *s);
void hy_sinus_tape(HySinus *s, HyTape *tape);
/* The whole of it, for the class table; FALSE: it stands still. */
gboolean hy_sinus_whole(const HySinus *s, double phase, double offset, HySine *sine);

#endif
