/* A sweep under mpirun: the same bytes as one process makes, whatever the number of ranks. */
#include "model_file.h"

#include <stdio.h>

/* Customers at random; a tenth of the rows are no models, and long runs stand beside short ones. */
#define QUEUE                                                                                      \
  "<hydevs xmlns='urn:hydevs:1' name='line' needs='1.4'>"                                          \
  "<param name='rate' value='0.8' min='0'/><param name='T' value='9'/>"                            \
  "<random_generator name='came' mean='1/rate'/><server name='desk' time='1' in='came'/>"          \
  "<counter name='gone' in='desk'/><experiment stop='T'/></hydevs>"

/* The words of PREFIX, then of the sweep with OUT as the table. */
static int sweep(const char *prefix, const char *random, const char *out, char **err)
{
  g_autofree char *call = g_strdup_printf("%s %s sweep %s --random rate=uniform_-0.1_0.9 "
                                          "--random T=%s -n 200 --seed 4 --measure final(gone) -j "
                                          "2 -o %s",
                                          prefix, HY_PROGRAM, file, random, out);
  g_auto(GStrv) words = g_strsplit(g_strchug(call), " ", -1);
  for (char **word = words; *word != NULL; word++) {
    if (g_str_has_prefix(*word, "rate=") || g_str_has_prefix(*word, "T=")) {
      g_strdelimit(*word, "_", ' ');
    }
  }
  int wait;
  g_autoptr(GError) status = NULL;
  TEST_ASSERT_TRUE(
      g_spawn_sync(dir, words, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, err, &wait, NULL));
  return g_spawn_check_wait_status(wait, &status) ? 0 : status->code;
}

static char *in_dir(const char *name)
{
  return g_build_filename(dir, name, NULL);
}

static void test_ranks_make_the_same_table(void)
{
  g_autofree char *one = in_dir("one.csv"), *many = in_dir("many.csv");
  g_autofree char *json = in_dir("many.csv.json"), *beside = in_dir("one.csv.json");
  TEST_ASSERT_TRUE(g_file_set_contents(file, QUEUE, -1, NULL));
  TEST_ASSERT_EQUAL_INT(0, sweep("", "choice_5_50_500", one, NULL));
  g_autofree char *wanted = contents(one);
  static const char *const ranks[] = {"1", "2", "3", "5"};
  for (guint k = 0; k < G_N_ELEMENTS(ranks); k++) {
    g_autofree char *err = NULL;
    g_autofree char *prefix =
        g_strconcat("mpirun --oversubscribe --allow-run-as-root -n ", ranks[k], NULL);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, sweep(prefix, "choice_5_50_500", many, &err), err);
    g_autofree char *table = contents(many), *told = contents(json);
    g_autofree char *said = g_strconcat("\"ranks\": ", ranks[k], ",", NULL);
    TEST_ASSERT_EQUAL_STRING(wanted, table);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(told, said), told);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err, "200 runs, "), err);
    TEST_ASSERT_NULL_MESSAGE(strstr(strstr(err, "200 runs, ") + 1, "200 runs, "), err);
  }
  g_unlink(one);
  g_unlink(many);
  g_unlink(json);
  g_unlink(beside);
}

/* Told once, and no process waits for ever; where one alone cannot go on all of them end. */
static void test_what_is_wrong_ends_all_ranks(void)
{
  g_autofree char *err = NULL, *unwritten = NULL, *alone = NULL;
  const char *three = "mpirun --oversubscribe --allow-run-as-root -n 3";
  TEST_ASSERT_TRUE(g_file_set_contents(file, QUEUE, -1, NULL));
  TEST_ASSERT_EQUAL_INT(1, sweep(three, "normals_1_1", "x.csv", &err));
  const char *first = strstr(err, "\"normals\" is none of");
  TEST_ASSERT_NOT_NULL_MESSAGE(first, err);
  TEST_ASSERT_NULL_MESSAGE(strstr(first + 1, "\"normals\" is none of"), err);
  TEST_ASSERT_EQUAL_INT(3, sweep(three, "choice_5", "nowhere/x.csv", &unwritten));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(unwritten, "nowhere/x.csv: cannot be written"), unwritten);
  TEST_ASSERT_EQUAL_INT(2, sweep(three, "choice_5", "x.csv --isolate", &alone));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(alone, "--isolate is for one process"), alone);
}

static gboolean has_mpi(void)
{
  g_autofree char *mpirun = g_find_program_in_path("mpirun");
  g_autofree char *folder = g_path_get_dirname(HY_PROGRAM);
  g_autofree char *module = g_build_filename(folder, "libhydevs-mpi.so", NULL);
  return mpirun != NULL && g_file_test(module, G_FILE_TEST_EXISTS);
}

int main(void)
{
  if (!has_mpi()) {
    puts("skipped: no Open MPI here, or hydevs was built without it");
    return 77;
  }
  UNITY_BEGIN();
  RUN_TEST(test_ranks_make_the_same_table);
  RUN_TEST(test_what_is_wrong_ends_all_ranks);
  return UNITY_END();
}
