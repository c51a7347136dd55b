/* What an error of a static block's word does to the states behind it. */
#ifndef HYDEVS_EQUATIONS_EFFECT_H
#define HYDEVS_EQUATIONS_EFFECT_H

#include "room.h"

/* Of what a block says, y, on the states behind: the least of all of them. */
typedef struct {
  double move;     /* dq / |dx'/dy|: an error of so much, for a second, moves x by a quantum */
  double rest;     /* with x' = a q + u: so much moves the place to which x is going by quanta */
  double part;     /* |x'| / |y dx'/dy|, at most 1: less where x' is a small difference */
  gboolean open;   /* it reaches others than states, or states by a way that may change */
  gboolean waits;  /* not all that is behind has got its inputs yet */
  gboolean direct; /* nothing but states at its own wires */
} HyEffect;
#define HY_EFFECT_UNKNOWN ((HyEffect){.move = INFINITY, .part = 1.0, .open = TRUE})

/* Of output PORT of OWN, which has just been evaluated at T. */
void hy_effect_find(HyRoom *room, const struct HyStaticState *own, guint port, double t,
                    HyEffect *effect);

/* The last words of the inputs of static block ATOMIC are read where IN points to; NULL: they come
 * to it. IN must outlive that. */
void hy_effect_read_at(HyRoom *room, guint atomic, const HyPiece *const *in);

#endif
