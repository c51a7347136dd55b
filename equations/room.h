/* The equations of a simulation: what every static block computes, the last word of everything that
 * speaks (the signal table), the modes of all blocks (flags), and the rows x' = f(q, u) that are
 * made of them. An observer: it sees what is said, and nobody sees another's state through it. */
#ifndef HYDEVS_EQUATIONS_ROOM_H
#define HYDEVS_EQUATIONS_ROOM_H

#include "coupled/flatten.h"
#include "kind.h"

typedef struct HyRoom HyRoom;

/* FLAT and SOURCES must outlive the room. */
HyRoom *hy_room_new(const HyFlat *flat, const HyFlatSources *sources, guint lanes);
void hy_room_free(HyRoom *room); /* NULL is fine */

/* While blocks are initialised. A static block names its kind; a state says whether it will ask for
 * its row. The result is its number below. */
HyKinds *hy_room_kinds(HyRoom *room);
void hy_room_add_static(HyRoom *room, guint atomic, const HyKind *kind);
guint hy_room_add_state(HyRoom *room, const HySetup *setup, gboolean asks);
/* Then, before the first event: rows are derived if a state asks for them, or ALL. */
void hy_room_start(HyRoom *room, gboolean all);

/* Whether anybody has to tell the room what is said. */
gboolean hy_room_listens(const HyRoom *room);
/* After the internal transition of whoever said it. */
void hy_room_said(HyRoom *room, guint slot, double t, const HyValue *value);
/* A mode of a static block, when its transition has decided it. */
void hy_room_flag(HyRoom *room, guint atomic, guint mode, gboolean set);

gboolean hy_room_has_row(const HyRoom *room, guint state);
/* x' = f as it follows from the signal table at T: dx'/dq of the state itself, and the first
 * coefficients of x', as many as lanes. What is asked twice at an instant (by lambda and by dint)
 * is computed once. */
typedef struct {
  double a, dx[4];
  gboolean linear;
} HyLocalRow;
const HyLocalRow *hy_room_local(HyRoom *room, guint state, double t);

typedef struct {
  guint64 rows, templates, linear, kinds, evaluations, partials;
  gsize bytes;    /* of rows */
  double seconds; /* of CPU time that deriving them took */
} HyRoomCounts;
void hy_room_counts(const HyRoom *room, HyRoomCounts *counts);

#endif
