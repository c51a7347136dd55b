/* What crossing and stop share: when a signal passes a level in a direction that counts. */
#ifndef HYDEVS_ATOMICS_HYBRID_DETECTOR_H
#define HYDEVS_ATOMICS_HYBRID_DETECTOR_H

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
} HyDetector;

gboolean hy_detector_init(HyDetector *s, double t, const HySetup *setup, GError **error);
void hy_detector_input(HyDetector *s, double t, const HyValue *v);
double hy_detector_next(const HyDetector *s);
gboolean hy_detector_passes(const HyDetector *s, double t); /* the crossing due at T counts */
void hy_detector_toggle(HyDetector *s, double t);           /* in the internal transition */

void hy_detector_print(const void *state, GString *out);
char *hy_detector_fault(const void *state);

#endif
