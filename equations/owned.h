/* Owned crossings: modes of static blocks that a group decides itself, because all that decides
 * them is its states, sources, and functions between them. */
#ifndef HYDEVS_EQUATIONS_OWNED_H
#define HYDEVS_EQUATIONS_OWNED_H

#include "made_of.h"

/* A mode, and the rows whose signs decide it: 1 from RISES > 0 on, 0 from FALLS < 0 on. */
typedef struct {
  guint32 atomic, mode; /* the block, and which of its modes */
  guint32 flag;         /* the same among those of all blocks */
  guint32 rises, falls; /* rows; mostly the same one */
  guint group;          /* HyMember.group of its owner */
  gboolean late;        /* until its group has begun the block decides it alone */
} HyOwned;

/* While rows are derived, after those of states: adds to room->owned, in the order of ties. What
 * turns out to have no leader is that in MADE, too. */
void hy_owned_find(HyRoom *room, HyDeriver *d, HyMadeOf *made);
/* After rows can be evaluated: the owner's leader reads what the rows of its crossings read, and
 * waits for it; nobody waits for the modes. */
void hy_owned_join(HyRoom *room);
/* Before the first event: what is owned begins in these modes, [flags]. */
void hy_owned_start(HyRoom *room, const guint8 *mode, guint n);
/* FLAG of an owned mode becomes VALUE at T. */
void hy_owned_set(HyRoom *room, const HyOwned *owned, guint8 value, double t);
/* Likewise, and its block is due to say what that makes of it. */
void hy_owned_turn(HyRoom *room, const HyOwned *owned, guint8 value, double t);

/* The group has begun at T: it decides from now on what was late. */
void hy_owned_begin(HyRoom *room, guint group, double t);

static inline const HyOwned *hy_owned(const HyRoom *room, guint k)
{
  return &g_array_index(room->owned, HyOwned, k);
}

#endif
