/* States that decide together: what the room equations is given to run them. */
#ifndef HYDEVS_GROUPS_GROUPS_H
#define HYDEVS_GROUPS_GROUPS_H

#include "equations/room.h"

extern const HyGroupOps hy_group_ops;

/* Why METHOD cannot be had with SET; NULL: it can. Newly allocated. */
char *hy_group_refuses(const HyMethod *method, const HyGroupSettings *set);

#endif
