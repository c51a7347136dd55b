/* The yardstick: the same circuit by CVODE (BDF, exact Jacobian) as one writes it by hand:
 * crossings are roots, and each toggle of a switch, diode or relay starts anew. A relay that slides
 * chatters in a band as wide as the tolerance. */
#ifndef CAMPAIGN_BY_HAND_H
#define CAMPAIGN_BY_HAND_H

#include "circuit.h"

typedef struct {
  long steps;
  int toggles;
  double seconds; /* of CPU, from CVodeCreate() on */
} ByHand;

/* X gets SAMPLES times all states, the last at the end. FALSE: CVODE fails or finds no end.
 */
gboolean by_hand(const Circuit *c, double rtol, double atol, int samples, double *x, ByHand *cost);

#endif
