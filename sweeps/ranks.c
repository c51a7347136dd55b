/* The module is opened where mpirun (of Open MPI) or a starter of MPICH's kind says how many ranks
 * there are. Without the module each of them would do all of the work and write the same files, so
 * that is an error. */
#include "sweeps/ranks.h"
#include "base/folder.h"
#include "hydevs/error.h"

#include <dlfcn.h>
#include <stdlib.h>

/* HYDEVS_MPI_FOLDERS: where the module is, seen from the folder of a program or library. */
static void *open_module(GError **error)
{
  g_autofree char *own = hy_own_folder();
  g_auto(GStrv) ways = g_strsplit(HYDEVS_MPI_FOLDERS, G_SEARCHPATH_SEPARATOR_S, -1);
  for (char **way = ways; own != NULL && *way != NULL; way++) {
    g_autofree char *path = g_build_filename(own, *way, "libhydevs-mpi.so", NULL);
    if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
      continue;
    }
    void *object = dlopen(path, RTLD_NOW | RTLD_GLOBAL); /* MPI opens parts that look for it */
    if (object == NULL) {
      g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "MPI cannot be used: %s", dlerror());
    }
    return object;
  }
  g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
              "this is one of several processes that mpirun has started, but hydevs was built "
              "without MPI: install libopenmpi-dev, configure and build again, or use --shard");
  return NULL;
}

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
  void *object = open_module(error);
  if (object == NULL) {
    return NULL;
  }
  const HyRanks *ranks = (const HyRanks *)dlsym(object, "hydevs_mpi");
  if (ranks == NULL || ranks->version != HY_RANKS_VERSION) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "libhydevs-mpi.so is of another hydevs");
    return NULL;
  }
  return ranks;
}
