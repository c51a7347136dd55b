/* Modes by rows: what decides a mode of a static block, as rows of the room. Where the room
 * evaluates rows of states (members.h), a mode's expression is evaluated when something that it
 * reads has changed, and the block is run when the mode turns: what only feeds such expressions
 * need not be run at all. */
#ifndef HYDEVS_EQUATIONS_ROW_MODES_H
#define HYDEVS_EQUATIONS_ROW_MODES_H

#include "room_internal.h"

/* The modes of one block. */
struct HyRowModes {
  guint32 atomic, n;
  guint32 first;    /* place of the first mode in room->modes.side */
  gboolean touched; /* is in the list of those that are due, to be judged then ... */
  double t;         /* ... by what its rows are at T */
  gboolean waits;   /* the block is silent until its rows are known */
};

/* The rows whose signs decide a mode: 1 from RISES > 0 on, 0 from FALLS < 0 on; mostly one. */
struct HyModeSides {
  guint32 rises, falls;
};

/* While rows are derived, after those of states and of owned crossings (owned.h). */
void hy_row_modes_find(HyRoom *room, HyDeriver *d);
/* Before the first event: who reads what. */
void hy_row_modes_start(HyRoom *room);
/* And: ATOMIC is silent until its rows are known. */
void hy_row_modes_wait(HyRoom *room, guint atomic);
/* Something that block K (by number among them) reads has changed. */
void hy_row_modes_touch(HyRoom *room, guint32 k, double t);
/* ATOMIC, if it is such a block, is looked at: when it is due next. */
void hy_row_modes_judge(HyRoom *room, guint atomic);

/* Some of their rows read SLOT. */
static inline gboolean hy_row_modes_read(const HyRoom *room, guint slot)
{
  const HyLists *readers = &room->modes.by_slot;
  return readers->first != NULL && readers->first[slot] < readers->first[slot + 1];
}

/* SLOT has changed. */
static inline void hy_row_modes_said(HyRoom *room, guint slot, double t)
{
  const HyLists *readers = &room->modes.by_slot;
  if (readers->first != NULL) {
    for (guint32 k = readers->first[slot]; k < readers->first[slot + 1]; k++) {
      hy_row_modes_touch(room, readers->item[k], t);
    }
  }
}

#endif
