/* Files written whole: an ordinary one is new, a pipe is written to as it stands. */
#include "hydevs/text.h"

#include <fcntl.h>
#include <glib/gstdio.h>
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
    TEST_ASSERT_EQUAL_STRING("/dev/full: No space left on device", full->message);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_an_ordinary_file);
  RUN_TEST(test_a_pipe_stays_one);
  RUN_TEST(test_where_nothing_can_be_written);
  return UNITY_END();
}
