/* Rows of different shapes as one program on the value lane: what several of them compute is
 * computed once. The operations of each are those of its own program, so its value is the same to
 * the last bit. */
#ifndef HYDEVS_GROUPS_JOINT_H
#define HYDEVS_GROUPS_JOINT_H

#include "equations/room_internal.h"

typedef struct HyJoint HyJoint;

/* Of the rows ROW[N] of ROOM. NULL: there are none, or they are too large. */
HyJoint *hy_joint_new(const HyRoom *room, const guint32 *row, guint n);
void hy_joint_free(HyJoint *j); /* NULL is fine */
/* With the flags of the room as they are. AT: the values by slot. To OUT[n]. */
void hy_joint_values(HyJoint *j, const double *at, double *out);

#endif
