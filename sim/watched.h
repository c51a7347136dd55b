/* Several watchers of one run. */
#ifndef HY_WATCHED_H
#define HY_WATCHED_H

#include "hydevs/trace.h"

/* Of two HyWatched, what serves both. */
static inline guint8 hy_watch_more(guint8 a, guint8 b)
{
  static const guint8 much[] = {
      [HY_WATCH_NOTHING] = 0, [HY_WATCH_ASKED] = 1, [HY_WATCH_WORDS] = 2, [HY_WATCH_ALL] = 3};
  return much[a] > much[b] ? a : b;
}

#endif
