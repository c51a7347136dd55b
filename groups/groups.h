/* States that decide together: what the room equations is given to run them. */
#ifndef HYDEVS_GROUPS_GROUPS_H
#define HYDEVS_GROUPS_GROUPS_H

#include "equations/room.h"

extern const HyGroupOps hy_group_ops;

#endif
