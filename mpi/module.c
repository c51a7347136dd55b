/* Ranks of MPI: messages of bytes and nothing else. What they say is in sweeps/crew.c. */
#include "sweeps/ranks.h"

#include <mpi.h>

enum { TAG = 1 };

static gboolean begin(guint *rank, guint *ranks)
{
  int level, mine, all;
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS ||
      level < MPI_THREAD_FUNNELED || MPI_Comm_rank(MPI_COMM_WORLD, &mine) != MPI_SUCCESS ||
      MPI_Comm_size(MPI_COMM_WORLD, &all) != MPI_SUCCESS) {
    return FALSE;
  }
  *rank = (guint)mine;
  *ranks = (guint)all;
  return TRUE;
}

static gboolean send_bytes(guint to, gconstpointer bytes, gsize n)
{
  return n <= G_MAXINT &&
         MPI_Send(bytes, (int)n, MPI_BYTE, (int)to, TAG, MPI_COMM_WORLD) == MPI_SUCCESS;
}

static gboolean receive_bytes(guint *from, GByteArray *into)
{
  int there = 0, n = 0;
  MPI_Status status;
  if (MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS || !there ||
      MPI_Get_count(&status, MPI_BYTE, &n) != MPI_SUCCESS) {
    return FALSE;
  }
  g_byte_array_set_size(into, (guint)n);
  *from = (guint)status.MPI_SOURCE;
  return MPI_Recv(into->data, n, MPI_BYTE, status.MPI_SOURCE, TAG, MPI_COMM_WORLD, &status) ==
         MPI_SUCCESS;
}

static void end(void)
{
  MPI_Finalize();
}

static void leave(int status)
{
  MPI_Abort(MPI_COMM_WORLD, status);
}

const HyRanks hydevs_mpi = {HY_RANKS_VERSION, begin, send_bytes, receive_bytes, end, leave};
