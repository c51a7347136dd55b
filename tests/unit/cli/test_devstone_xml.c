/* DEVStone written as XML by bench/devstone_xml: what is read, expanded and run has the counts of
 * the closed form, with repetition and without. */
#include "base/hint.h"
#include "closed_form.h"
#include "command.h"

static char *file;

void setUp(void)
{
  g_close(g_file_open_tmp("hydevs-XXXXXX.xml", &file, NULL), NULL);
}

void tearDown(void)
{
  g_unlink(file);
  g_clear_pointer(&file, g_free);
}

/* Writes the model to FILE. */
static void write_model(DevstoneKind kind, guint w, guint d, const char *how)
{
  static const char *const names[] = {"LI", "HI", "HO", "HOmod"};
  g_autofree char *bin = g_path_get_dirname(HY_PROGRAM);
  g_autofree char *program = g_build_filename(bin, "bin", "bench-devstone_xml", NULL);
  g_autofree char *width = g_strdup_printf("%u", w), *depth = g_strdup_printf("%u", d);
  g_autofree char *text = NULL;
  char *argv[] = {program, hy_key(names[kind]), width, depth, hy_key(how), NULL};
  int status;
  TEST_ASSERT_TRUE(
      g_spawn_sync(NULL, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &text, NULL, &status, NULL));
  TEST_ASSERT_EQUAL_INT(0, status);
  TEST_ASSERT_TRUE(g_file_set_contents(file, text, -1, NULL));
}

static void check_size(DevstoneKind kind, guint w, guint d, const char *how)
{
  g_autofree char *what = g_strdup_printf("model %d %ux%u %s", kind, w, d, how);
  write_model(kind, w, d, how);
  Expected e = expected(kind, w, d);
  g_autofree char *out = NULL, *err = NULL, *check = NULL, *flat = NULL, *log = NULL;
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(NULL, (const char *[WORDS]){"check", file}, &check, &err),
                                what);
  g_autofree char *size =
      g_strdup_printf(": ok, %u blocks in %u coupled models\n", (guint)e.structure.atomics + 1,
                      (guint)e.structure.coupled + 1); /* the root and its seeder, too */
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(check, size), check);
  const char *words[WORDS] = {"run", file, "--stats=json", "--engine", "tree"};
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(NULL, words, &out, &log), what);
  guint64 all = e.run.i + e.run.star + e.run.x + e.run.y + e.run.done;
  g_autofree char *counts = g_strdup_printf("\"internal\": %u, \"external\": %u",
                                            (guint)e.run.n_int + 1, (guint)e.run.n_ext);
  g_autofree char *messages = g_strdup_printf(
      "\"messages\": %u, \"i\": %u, \"star\": %u, \"x\": %u, \"y\": %u, \"done\": %u", (guint)all,
      (guint)e.run.i, (guint)e.run.star, (guint)e.run.x, (guint)e.run.y, (guint)e.run.done);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out, counts), what);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out, messages), what);
  words[4] = "flat";
  g_clear_pointer(&log, g_free);
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(NULL, words, &flat, &log), what);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(flat, counts), what);
}

static void test_counts_are_the_closed_forms(void)
{
  static const guint sizes[][2] = {{1, 1}, {2, 2}, {3, 3}, {4, 3}, {3, 4}, {1, 5}, {5, 1}, {8, 8}};
  for (DevstoneKind kind = DEVSTONE_LI; kind <= DEVSTONE_HOMOD; kind++) {
    for (gsize k = 0; k < G_N_ELEMENTS(sizes); k++) {
      check_size(kind, sizes[k][0], sizes[k][1], "plain");
      check_size(kind, sizes[k][0], sizes[k][1], "repeat");
    }
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_counts_are_the_closed_forms);
  return UNITY_END();
}
