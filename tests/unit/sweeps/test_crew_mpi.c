/* Ranks of MPI do the runs of one list, each once: this program starts itself under mpirun. */
#include "hydevs/error.h"
#include "sweeps/crew.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

#define RUNS  500
#define RANKS "3"

void setUp(void)
{
}

void tearDown(void)
{
}

/* One of the ranks --------------------------------------------------------------------------------
 */

static guint own_rank;

/* A few hundred bytes, and who has done it. */
static void run(gpointer user, guint64 k, GByteArray *out)
{
  (void)user;
  g_usleep(100);
  g_byte_array_append(out, (const guint8 *)&own_rank, sizeof own_rank);
  for (guint64 j = 0; j < k; j++) {
    guint8 byte = (guint8)(j * k);
    g_byte_array_append(out, &byte, 1);
  }
}

typedef struct {
  guint done[RUNS], by[3];
} Log;

static gboolean take(gpointer user, guint64 k, const guint8 *bytes, gsize n)
{
  Log *log = (Log *)user;
  guint rank;
  memcpy(&rank, bytes, sizeof rank);
  if (k >= RUNS || n != k + sizeof rank || rank > 2) {
    return FALSE;
  }
  for (guint64 j = 0; j < k; j++) {
    if (bytes[sizeof rank + j] != (guint8)(j * k)) {
      return FALSE;
    }
  }
  log->done[k]++;
  log->by[rank]++;
  return TRUE;
}

/* Rank 0 says how many runs were done once, and how many ranks have done any. */
static int be_rank(void)
{
  g_autoptr(GError) error = NULL;
  const HyRanks *ranks = hy_ranks_open(&error);
  if (ranks == NULL) {
    fprintf(stderr, "%s\n", error != NULL ? error->message : "alone");
    return 1;
  }
  Log log = {{0}, {0}};
  HyCrew crew = {.ranks = ranks, .threads = 2};
  guint64 k[RUNS];
  for (guint j = 0; j < RUNS; j++) {
    k[j] = RUNS - 1 - j;
  }
  if (!ranks->begin(&crew.rank, &crew.n_ranks)) {
    return 1;
  }
  own_rank = crew.rank;
  if (!hy_crew_work(&crew, &(HyWork){&log, run, take, NULL}, crew.rank == 0 ? k : NULL, RUNS)) {
    ranks->leave(1);
  }
  guint once = 0, busy = 0;
  for (guint j = 0; j < RUNS; j++) {
    once += log.done[j] == 1 ? 1 : 0;
  }
  for (guint j = 0; j < 3; j++) {
    busy += log.by[j] > 0 ? 1 : 0;
  }
  if (crew.rank == 0) {
    printf("%u runs once, by %u of %u ranks\n", once, busy, crew.n_ranks);
  }
  ranks->end();
  return 0;
}

/* The test ----------------------------------------------------------------------------------------
 */

static const char *self;

static void test_ranks_of_mpi_do_each_run_once(void)
{
  char *words[] = {(char *)"mpirun",
                   (char *)"--oversubscribe",
                   (char *)"--allow-run-as-root",
                   (char *)"-n",
                   (char *)RANKS,
                   (char *)self,
                   NULL};
  g_autofree char *out = NULL, *err = NULL;
  int status;
  TEST_ASSERT_TRUE(
      g_spawn_sync(NULL, words, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, &err, &status, NULL));
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, status, err);
  TEST_ASSERT_EQUAL_STRING_MESSAGE("500 runs once, by 3 of 3 ranks\n", out, err);
}

static gboolean has_mpi(void)
{
  g_autofree char *mpirun = g_find_program_in_path("mpirun");
  g_autofree char *folder = g_path_get_dirname(self);
  g_autofree char *module = g_build_filename(folder, "libhydevs-mpi.so", NULL);
  return mpirun != NULL && g_file_test(module, G_FILE_TEST_EXISTS);
}

int main(int argc, char **argv)
{
  (void)argc;
  self = argv[0];
  if (g_getenv("OMPI_COMM_WORLD_SIZE") != NULL) {
    return be_rank();
  }
  if (!has_mpi()) {
    puts("skipped: no Open MPI here, or hydevs was built without it");
    return 77;
  }
  UNITY_BEGIN();
  RUN_TEST(test_ranks_of_mpi_do_each_run_once);
  return UNITY_END();
}
