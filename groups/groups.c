/* Which of the two kinds of group a state belongs to: mLIQSS, whose members step one or two at a
 * time, or a classic method, which integrates all of them ahead. */
#include "groups.h"

#include "groups/classic.h"
#include "liqss.h"

static void groups_start(HyRoom *room)
{
  hy_liqss_start(room);
  hy_room_start_classic(room);
}

const HyGroupOps hy_group_ops = {
    .start = groups_start,
    .listen = hy_room_find_listeners,
    .clear = hy_room_clear_classic,
    .touch = hy_classic_touch,
    .follow = hy_liqss_follow,
    .count = hy_classic_counts,
};

void hy_room_step(HyRoom *room, guint state, double t)
{
  if (hy_room_state(room, state)->member->order >= HY_CLASSIC) {
    hy_classic_step(room, state, t);
  } else {
    hy_liqss_step(room, state, t);
  }
}
