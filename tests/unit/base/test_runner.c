/* What a failed test says is there whatever ends its process afterwards: the leak checker does so
 * before anything that is still in a buffer is written. */
#include <glib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static void fails(void)
{
  TEST_FAIL_MESSAGE("these words");
}

/* Runs the test above, says so into a pipe and is gone without any of what an exit does. */
G_NORETURN static void be_child(int out)
{
  dup2(out, STDOUT_FILENO);
  UNITY_BEGIN();
  RUN_TEST(fails);
  _exit(23);
}

static void test_words_of_a_failed_test_are_not_lost(void)
{
  int ends[2], status;
  char words[512] = "";
  TEST_ASSERT_EQUAL_INT(0, pipe(ends));
  pid_t pid = fork();
  if (pid == 0) {
    be_child(ends[1]);
  }
  close(ends[1]);
  gsize had = 0;
  gssize n;
  while ((n = read(ends[0], words + had, sizeof words - 1 - had)) > 0) {
    had += (gsize)n;
  }
  close(ends[0]);
  TEST_ASSERT_EQUAL_INT(pid, waitpid(pid, &status, 0));
  TEST_ASSERT_EQUAL_INT(23, WEXITSTATUS(status));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(words, ":fails:FAIL: these words"), words);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_words_of_a_failed_test_are_not_lost);
  return UNITY_END();
}
