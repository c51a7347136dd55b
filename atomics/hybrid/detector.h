/* What crossing and stop share: when a signal passes a level in a direction that counts. Where it
 * is made of the states of a group that is solved exactly, that group knows when
 * (equations/meetings.h). */
#ifndef HYDEVS_ATOMICS_HYBRID_DETECTOR_H
#define HYDEVS_ATOMICS_HYBRID_DETECTOR_H

#include "equations/meetings.h"
#include "hydevs/atomic.h"
#include "input.h"
#include "numerics/crossing.h"

/* The first member of a state; its parameters first. */
typedef struct {
  double level;
  const char *direction;
  HySignal in;
  HyCrossing cross; /* of in - level; its sign is the side where in is */
  HyFault fault;
  HyRoom *room;
  HyMeeting *meets; /* of in and level; NULL: there is nobody who could look for it */
} HyDetector;

/* After hy_detector_init(): whoever makes its input may look for the crossings. Then
 * hy_detector_ask() ends each internal transition. */
void hy_detector_lead(HyDetector *s, const HySetup *setup);
void hy_detector_ask(HyDetector *s, double t);
/* In, from T on. */
void hy_detector_read(const HyDetector *s, double t, double *c);
gboolean hy_detector_init(HyDetector *s, double t, const HySetup *setup, GError **error);
void hy_detector_input(HyDetector *s, double t, const HyValue *v);
double hy_detector_next(const HyDetector *s);
gboolean hy_detector_passes(const HyDetector *s, double t); /* the crossing due at T counts */
void hy_detector_toggle(HyDetector *s, double t);           /* in the internal transition */

void hy_detector_tape(HyDetector *s, HyTape *tape);
void hy_detector_print(const void *state, GString *out);
char *hy_detector_fault(const void *state);

#endif
