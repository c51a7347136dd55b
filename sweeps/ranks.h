/* Other processes of the same command, as a message-passing library (MPI) starts and numbers them.
 * hydevs does not need one: where the environment says that there are several, the module that
 * speaks to it is opened (mpi/). */
#ifndef HYDEVS_SWEEPS_RANKS_H
#define HYDEVS_SWEEPS_RANKS_H

#include <glib.h>

/* Of messages in order between two ranks. All is called by the thread that has called begin. */
typedef struct {
  guint version; /* HY_RANKS_VERSION, else it is of another hydevs */
  gboolean (*begin)(guint *rank, guint *ranks);
  /* Returns once BYTES may be used again. */
  gboolean (*send)(guint to, gconstpointer bytes, gsize n);
  /* The next message that is there, in place of what INTO holds. FALSE: none is. */
  gboolean (*receive)(guint *from, GByteArray *into);
  void (*end)(void);         /* all ranks have come to their end */
  void (*leave)(int status); /* this rank has not: the others are ended, too */
} HyRanks;
#define HY_RANKS_VERSION 1U

#pragma GCC visibility push(default)
extern const HyRanks hydevs_mpi; /* what the module defines */
#pragma GCC visibility pop

/* Where the environment says that this is one of several; not yet begun. NULL without an error: it
 * is alone. */
const HyRanks *hy_ranks_open(GError **error);

#endif
