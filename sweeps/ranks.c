/* The module is opened where mpirun (of Open MPI) or a starter of MPICH's kind says how many ranks
 * there are. Without the module each of them would do all of the work and write the same files, so
 * that is an error. */
#include "sweeps/ranks.h"
#include "base/module.h"
#include "hydevs/error.h"

#include <stdlib.h>

/* How many there are, as the environment says; 1: it says nothing. */
static guint64 ranks_said(void)
{
  static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
  for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
    const char *said = g_getenv(names[k]);
    if (said != NULL) {
      return g_ascii_strtoull(said, NULL, 10);
    }
  }
  return 1;
}

const HyRanks *hy_ranks_open(GError **error)
{
  if (ranks_said() <= 1) {
    return NULL;
  }
  GError *wrong = NULL;
  const HyRanks *ranks = hy_module_find("libhydevs-mpi.so", "hydevs_mpi", &wrong);
  if (wrong != NULL) {
    g_propagate_error(error, wrong);
    return NULL;
  }
  if (ranks == NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "this is one of several processes that mpirun has started, but hydevs was built "
                "without MPI: install libopenmpi-dev, configure and build again, or use --shard");
    return NULL;
  }
  if (ranks->version != HY_RANKS_VERSION) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "libhydevs-mpi.so is of another hydevs");
    return NULL;
  }
  return ranks;
}
