/* Modulators whose duty a controller makes: blocks pwm that hear a signal. Where that follows from
 * the states by a linear row, the instants of their edges are as well known as crossings of the
 * block. */
#ifndef HYDEVS_ANALYSES_MODULATOR_H
#define HYDEVS_ANALYSES_MODULATOR_H

#include "equations/room_internal.h"
#include "sim/engine.h"

typedef struct {
  guint atomic, slot; /* where it speaks */
  guint duty;         /* the slot that it hears */
  guint watch;        /* that slot's number among those that are watched */
  double period, start;
  gboolean triangle;
} HyModulator;

/* An array of HyModulator, the caller's, in the order of ties. */
GArray *hy_modulators_find(const HySim *sim);
/* Its duty follows from states and sources by a linear row. */
gboolean hy_modulator_is_known(const HyModulator *m, const HyRoom *room);
/* It has spoken at T, and not because a period begins: *SLOPE is that of its carrier. */
gboolean hy_modulator_turned(const HyModulator *m, const HyRoom *room, double t, double *slope);

#endif
