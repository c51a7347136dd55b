/* Which states are discontinuous by their definition, and which read such states: the automatic
 * partition of the thesis (section 7.3) between quantized and classic methods.
 *
 * Definition is the function f of x' = f(x, u): one with a mode is discontinuous, one that is fed
 * with pulses is not. So the rule gives the partition of section 7.4.1, a converter and the bar
 * that its pulses heat; a classic group begins anew where an input jumps. */
#ifndef HYDEVS_EQUATIONS_PARTITION_H
#define HYDEVS_EQUATIONS_PARTITION_H

#include "room.h"

/* Why a state is on its side; the first that holds. BY is an atomic. */
typedef enum {
  HY_PART_SMOOTH, /* nothing of the below */
  HY_PART_JUMPS,  /* the state itself may jump, as by a reset */
  HY_PART_NO_ROW, /* its equation is not known */
  HY_PART_MODE,   /* its equation has a mode of BY */
  HY_PART_READER, /* its equation reads the state BY, of which one of the three is true */
} HyPartWhy;

typedef struct {
  HyPartWhy why;
  guint by;
} HyPart;

/* PART is [states]. Rows must have been derived. */
void hy_room_partition(const HyRoom *room, HyPart *part);

#endif
