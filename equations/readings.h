/* Readings: what static blocks say is computed by the group of whose states it is made, at these
 * states as they are and not as they have been said. The current of a small resistance, (u - x)/R,
 * would be wrong by a quantum of x divided by R.
 *
 * The block stays where it is, and says it. Those behind which there is nobody but readings of the
 * same group say nothing as long as nothing from outside reaches them. */
#ifndef HYDEVS_EQUATIONS_READINGS_H
#define HYDEVS_EQUATIONS_READINGS_H

#include "made_of.h"

struct HyReading {
  guint32 atomic, slot, row;
  guint group;   /* HyMember.group */
  guint place;   /* among those of the group; the group's */
  guint8 spoken; /* the group says pieces of it, */
  guint8
      heard; /* and they are as long as it is what they say: somebody hears them who is no trace */
  guint8 wakes; /* readings, or led blocks, have to be told of its jumps */
  guint8 looks; /* it is of a meeting that is looked for (meetings.h) */
  guint8 known; /* all that the row reads has spoken */
  guint8 told;  /* WORD waits to be said by the block */
  HyPiece word; /* the last one of the group; t NaN: none */
};

/* While rows are derived: the reading of a block of one output that is made of states of GROUP; it
 * may be there already. FALSE: it is too large an equation. */
gboolean hy_reading_derive(HyRoom *room, HyDeriver *d, guint atomic, guint32 group);
/* After owned modes are known: ATOMIC can be a reading of GROUP; its modes, if it has any, are the
 * group's, too. */
gboolean hy_reading_is_possible(const HyMadeOf *made, guint atomic, guint32 group);
/* Then, after meetings: which blocks are readings, and for whom. WATCHED: as in
 * hy_room_start(). */
void hy_readings_find(HyRoom *room, HyDeriver *d, const HyMadeOf *made, const guint8 *watched);
/* GROUP has begun at T: from now on it computes what its readings say. */
void hy_readings_begin(HyRoom *room, guint group, double t);
/* When members are known: who waits for the first word at a slot. */
void hy_readings_await(HyRoom *room);
/* That has come at SLOT. */
void hy_readings_hear_first(HyRoom *room, guint slot, double t);
/* All that its row reads has spoken. */
gboolean hy_reading_is_known(const HyRoom *room, HyReading *r);
/* The group says C from T on: the block is due to say it. */
void hy_reading_tell(HyRoom *room, HyReading *r, double t, const double *c);

static inline HyReading *hy_reading(const HyRoom *room, guint k)
{
  return g_ptr_array_index(room->readings, k);
}

#endif
