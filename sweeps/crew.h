/* Who does the runs: threads of this process, and those of other ranks. What a run is somebody else
 * says; here it is a number, and bytes that come out of it. */
#ifndef HYDEVS_SWEEPS_CREW_H
#define HYDEVS_SWEEPS_CREW_H

#include "sweeps/ranks.h"

typedef struct {
  gpointer user;
  /* By any thread: run K, what it gives is appended to OUT. */
  void (*run)(gpointer user, guint64 k, GByteArray *out);
  /* Rank 0, one thread at a time: that of run K has come, in any order. FALSE: it cannot be kept;
   * end. */
  gboolean (*take)(gpointer user, guint64 k, const guint8 *bytes, gsize n);
  /* Rank 0 (NULL: never): asked many times a second; TRUE: end; only runs under way are waited for.
   */
  gboolean (*stop)(gpointer user);
} HyWork;

typedef struct {
  const HyRanks *ranks; /* begun; NULL: this process alone */
  guint rank, n_ranks;
  guint threads;
} HyCrew;

/* Rank 0: the N runs K, each once; returns when all have been taken. The other ranks: K is NULL;
 * returns when rank 0 has nothing left for them. FALSE: it was ended before, by take or stop; other
 * ranks are told nothing then and must be left (HyRanks.leave). */
gboolean hy_crew_work(const HyCrew *crew, const HyWork *work, const guint64 *k, guint64 n);

#endif
