/* By how much what static blocks say is off because states say not quite what they are. The current
 * of a small resistance, (u - x)/R, is off by what x is off divided by R, and of two states that
 * are nearly equal the difference may be no more than what both are off. A group that is solved
 * exactly computes such readings of the states as they are (readings.h); all other methods say
 * words, and what is made of them is looked at here, by the programs of the blocks in between.
 *
 * An observer: nobody's value depends on it. */
#ifndef HYDEVS_EQUATIONS_GAINS_H
#define HYDEVS_EQUATIONS_GAINS_H

#include "room.h"

/* An output of a static block that somebody hears who is neither a static block nor a state: a
 * recorder, a measure, a sampler. */
typedef struct {
  guint atomic, port;
  double size; /* the largest |y| that was seen, of what states are */
  double off;  /* the farthest that what is said was from that; of states that a group tells within
                  a tolerance, may have been */
  double at;   /* then; */
  guint state; /* of that the largest part is of this atomic, */
  double told; /* which is told so far from what it is, */
  double part; /* and that is so much of y */
} HyGain;

typedef struct HyGains HyGains;

/* After hy_room_start(). WATCHED: HyWatched of the first N atomics; NULL: nobody watches any. */
HyGains *hy_gains_new(HyRoom *room, const guint8 *watched, guint n);
void hy_gains_free(HyGains *gains); /* NULL is fine */
/* As all is at T, between two events, and before the NEXT; INFINITY: there is none. How many blocks
 * were run for it. */
guint hy_gains_look(HyGains *gains, double t, double next);
/* Each of them; by atomic and port. */
guint hy_gains_n(const HyGains *gains);
const HyGain *hy_gains_get(const HyGains *gains, guint k);

#endif
