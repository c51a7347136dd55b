/* The equations of a simulation: what every static block computes, the last word of everything that
 * speaks (the signal table), the modes of all blocks (flags), and the rows x' = f(q, u) that are
 * made of them. An observer: it sees what is said, and nobody sees another's state through it. */
#ifndef HYDEVS_EQUATIONS_ROOM_H
#define HYDEVS_EQUATIONS_ROOM_H

#include "coupled/flatten.h"
#include "kind.h"
#include "numerics/quantizer.h"

typedef struct HyRoom HyRoom;

/* FLAT and SOURCES must outlive the room. */
HyRoom *hy_room_new(const HyFlat *flat, const HyFlatSources *sources, guint lanes);
void hy_room_free(HyRoom *room); /* NULL is fine */

/* Before blocks are initialised. EXACT: implicit methods take partial derivatives from here, else
 * they learn them. REFRESH: and x' on nonlinear rows. Both are so at first. */
void hy_room_set(HyRoom *room, gboolean exact, gboolean refresh);

/* While blocks are initialised. A static block names its kind; a state says whether it will ask for
 * its row. The result is its number below. */
HyKinds *hy_room_kinds(HyRoom *room);
void hy_room_add_static(HyRoom *room, guint atomic, const HyKind *kind);
guint hy_room_add_state(HyRoom *room, const HySetup *setup, gboolean asks);
/* Then, before the first event: rows are derived if a state asks for them, or ALL. */
void hy_room_start(HyRoom *room, gboolean all);

/* A state whose method sees other states (mLIQSS): the members of one order decide together, in the
 * own step of one of them. The group evaluates the rows of its members itself, at once, when a
 * signal or a mode that they read has changed; what comes along a member's wire is not looked at. A
 * member then is due, though nothing has come to it: hy_room_due() says who. */
typedef struct {
  int order;   /* of mLIQSS; 0: no member */
  HyQState *v; /* all three are the owner's */
  gpointer owner;
  void (*watch)(gpointer owner, double t); /* v may be infinite or NaN now */
  double says;    /* the instant at which its new q is said; INFINITY: it is known to all */
  gboolean told;  /* what it says next is in the signal table already */
  gboolean begun; /* has had a step of its own */
  guint missing;  /* of what its row reads, so many have not spoken yet */
} HyMember;

/* While blocks are initialised. A member without a row is none: its order becomes 0. */
void hy_room_join(HyRoom *room, guint state, HyMember *member);
guint64 *hy_room_steps(HyRoom *room); /* where states count their steps */
/* The own step of a member at T: new pieces of q for it and perhaps for others, which then say so.
 */
void hy_room_step(HyRoom *room, guint state, double t);
/* Its derivative, if all of its row is known. */
void hy_room_answer(HyRoom *room, guint state, double t);
/* The next atomic whose instant has changed, TRUE; FALSE: none any more. */
gboolean hy_room_due(HyRoom *room, guint *atomic);

/* Whether anybody has to tell the room what is said. */
gboolean hy_room_listens(const HyRoom *room);
/* After the internal transition of whoever said it. */
void hy_room_said(HyRoom *room, guint slot, double t, const HyValue *value);
/* The modes of a static block, when its transition has decided them. */
void hy_room_decided(HyRoom *room, guint atomic, double t, const guint8 *mode, guint n);

gboolean hy_room_has_row(const HyRoom *room, guint state);
/* x' = f as it follows from the signal table at T: dx'/dq of the state itself, and the first
 * coefficients of x', as many as lanes. What is asked twice at an instant (by lambda and by dint)
 * is computed once. */
typedef struct {
  double a, dx[4];
  gboolean fresh; /* dx is to be used */
} HyLocalRow;
const HyLocalRow *hy_room_local(HyRoom *room, guint state, double t);

typedef struct {
  guint64 rows, templates, linear, kinds, evaluations, partials;
  guint64 steps; /* of all states, the pieces of the start left out */
  guint64 pairs; /* of mLIQSS */
  gsize bytes;   /* of rows */
} HyRoomCounts;
void hy_room_counts(const HyRoom *room, HyRoomCounts *counts);

#endif
