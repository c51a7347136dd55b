/* Files written whole: an ordinary one is new, a pipe is written to as it stands. */
#include "hydevs/text.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unity.h>

static char *dir, *path;

void setUp(void)
{
  dir = g_dir_make_tmp("hydevs-XXXXXX", NULL);
  path = g_build_filename(dir, "file", NULL);
}

void tearDown(void)
{
  g_unlink(path);
  g_rmdir(dir);
  g_free(path);
  g_free(dir);
}

static void test_an_ordinary_file(void)
{
  g_autofree char *text = NULL;
  TEST_ASSERT_TRUE(hy_write_file(path, "longer", -1, NULL));
  TEST_ASSERT_TRUE(hy_write_file(path, "short", 3, NULL));
  TEST_ASSERT_TRUE(g_file_get_contents(path, &text, NULL, NULL));
  TEST_ASSERT_EQUAL_STRING("sho", text);
}

static void test_a_pipe_stays_one(void)
{
  char text[8] = {0};
  GStatBuf is;
  TEST_ASSERT_EQUAL_INT(0, mkfifo(path, 0600));
  int in = open(path, O_RDONLY | O_NONBLOCK);
  TEST_ASSERT_TRUE(hy_write_file(path, "words", -1, NULL));
  TEST_ASSERT_EQUAL_INT(5, read(in, text, sizeof text));
  close(in);
  TEST_ASSERT_EQUAL_STRING("words", text);
  TEST_ASSERT_TRUE(g_stat(path, &is) == 0 && S_ISFIFO(is.st_mode));
}

static void test_where_nothing_can_be_written(void)
{
  g_autoptr(GError) folder = NULL, full = NULL;
  TEST_ASSERT_FALSE(hy_write_file(dir, "x", -1, &folder));
  TEST_ASSERT_NOT_NULL(folder);
  if (g_access("/dev/full", W_OK) == 0) {
    TEST_ASSERT_FALSE(hy_write_file("/dev/full", "x", -1, &full));
    TEST_ASSERT_EQUAL_STRING("/dev/full: cannot be written: No space left on device",
                             full->message);
  }
}

static char *in_dir(const char *name)
{
  return g_build_filename(dir, name, NULL);
}

static void check_holds(const char *file, const char *words)
{
  g_autofree char *text = NULL;
  TEST_ASSERT_TRUE(g_file_get_contents(file, &text, NULL, NULL));
  TEST_ASSERT_EQUAL_STRING(words, text);
}

/* Relative links are meant from their own folder; what they lead to need not be there yet. */
static void test_a_link_stays_one(void)
{
  g_autofree char *link = in_dir("link"), *further = in_dir("further");
  TEST_ASSERT_EQUAL_INT(0, symlink("file", link));
  TEST_ASSERT_EQUAL_INT(0, symlink(link, further));
  TEST_ASSERT_TRUE(hy_write_file(further, "first", -1, NULL));
  check_holds(path, "first");
  TEST_ASSERT_TRUE(hy_write_file(further, "second", -1, NULL));
  check_holds(path, "second");
  TEST_ASSERT_TRUE(g_file_test(link, G_FILE_TEST_IS_SYMLINK));
  TEST_ASSERT_TRUE(g_file_test(further, G_FILE_TEST_IS_SYMLINK));
  g_unlink(link);
  TEST_ASSERT_EQUAL_INT(0, symlink("further", link));
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_FALSE(hy_write_file(link, "x", -1, &error));
  TEST_ASSERT_NOT_NULL(strstr(error->message, "link: cannot be written: Too many levels"));
  g_unlink(link);
  g_unlink(further);
}

static void test_one_file_by_many_names(void)
{
  g_autofree char *soft = in_dir("soft"), *hard = in_dir("hard"), *dots = in_dir("./file"),
                  *copy = in_dir("copy"), *around = g_build_filename(dir, "..", NULL);
  g_autofree char *base = g_path_get_basename(dir);
  g_autofree char *far = g_build_filename(around, base, "file", NULL);
  TEST_ASSERT_EQUAL_INT(0, symlink("file", soft));
  TEST_ASSERT_TRUE(hy_same_file(path, soft)); /* it is not there yet */
  TEST_ASSERT_TRUE(hy_same_file(dots, far));
  TEST_ASSERT_FALSE(hy_same_file(path, copy));
  TEST_ASSERT_TRUE(hy_write_file(path, "x", -1, NULL));
  TEST_ASSERT_FALSE(hy_same_file(path, copy));
  TEST_ASSERT_TRUE(hy_write_file(copy, "x", -1, NULL));
  TEST_ASSERT_EQUAL_INT(0, link(path, hard));
  const char *const names[] = {path, soft, hard, dots, far, NULL};
  for (const char *const *a = names; *a != NULL; a++) {
    TEST_ASSERT_TRUE(hy_same_file(path, *a));
    TEST_ASSERT_FALSE(hy_same_file(*a, copy));
    TEST_ASSERT_FALSE(hy_output_is_free(*a, names, NULL, NULL));
    TEST_ASSERT_FALSE(hy_output_is_free(*a, NULL, names, NULL));
    TEST_ASSERT_TRUE(hy_output_is_free(copy, names, names, NULL));
  }
  TEST_ASSERT_FALSE(hy_same_file("/dev/null", "/dev/null")); /* which all may write to */
  g_unlink(soft);
  g_unlink(hard);
  g_unlink(copy);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_an_ordinary_file);
  RUN_TEST(test_a_pipe_stays_one);
  RUN_TEST(test_where_nothing_can_be_written);
  RUN_TEST(test_a_link_stays_one);
  RUN_TEST(test_one_file_by_many_names);
  return UNITY_END();
}
