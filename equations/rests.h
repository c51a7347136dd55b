/* What is not known yet when the first instant is over: signals that have not been said, modes that
 * have not been decided, and rows of them. Members with such rows rest, and all others move
 * (groups/classic_rests.c). */
#ifndef HYDEVS_EQUATIONS_RESTS_H
#define HYDEVS_EQUATIONS_RESTS_H

#include "room_internal.h"

#include <float.h>

/* HyPiece.t of a slot at which nothing has been said, when the first instant is over: its value is
 * 0 for whoever computes with it all the same. */
#define HY_SILENT (-DBL_MAX)

/* Something has been said there; not so of the time NaN. */
static inline gboolean hy_piece_is_said(const HyPiece *piece)
{
  return piece->t > HY_SILENT;
}

/* Of a flag: its mode is decided; it is not; it could be, and will be when its group has its turn.
 */
enum { HY_SURE, HY_UNSURE, HY_SURE_SOON };

/* All that ROW reads has been said and decided, or, SOON, could be, also behind hubs. Before the
 * first instant is over modes are not looked at. */
gboolean hy_room_knows_row(const HyRoom *room, guint32 row, gboolean soon);
/* Some mode of ATOMIC is not decided yet, likewise. */
gboolean hy_room_is_unsure(const HyRoom *room, guint atomic);
/* The first instant is over: from now on it is looked at what is known. */
void hy_room_begin_rests(HyRoom *room);
/* Anew which modes of groups could be decided, of those that are not. */
void hy_room_find_unsure(HyRoom *room);
/* ROW stands as the constant 0, or as itself again. */
void hy_room_rest_row(HyRoom *room, guint32 row, gboolean rests);

#endif
