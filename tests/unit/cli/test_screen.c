/* The full-screen view of hydevs step, on a terminal of our own. */
#include "command.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define SKIPPED 77 /* as tests/CMakeLists.txt tells ctest */

typedef struct {
  int fd;
  pid_t pid;
  GString *seen; /* since the page was last drawn anew */
} Terminal;

static Terminal terminal;

void setUp(void)
{
  terminal = (Terminal){.fd = -1, .seen = g_string_new(NULL)};
}

void tearDown(void)
{
  if (terminal.pid > 0) {
    kill(terminal.pid, SIGKILL);
    waitpid(terminal.pid, NULL, 0);
  }
  if (terminal.fd >= 0) {
    close(terminal.fd);
  }
  g_string_free(terminal.seen, TRUE);
}

static void resize(gushort columns, gushort rows)
{
  struct winsize size = {.ws_col = columns, .ws_row = rows};
  TEST_ASSERT_EQUAL_INT(0, ioctl(terminal.fd, TIOCSWINSZ, &size));
}

/* A new pseudo-terminal, and in NAME what its other side is called; -1: there is none. */
static int open_terminal(char **name)
{
  int fd = posix_openpt(O_RDWR | O_NOCTTY);
  *name = fd >= 0 && grantpt(fd) == 0 && unlockpt(fd) == 0 ? g_strdup(ptsname(fd)) : NULL;
  if (*name == NULL && fd >= 0) {
    close(fd);
  }
  return *name != NULL ? fd : -1;
}

/* In a container without /dev/pts the one side may be there, and not the other. */
static gboolean there_are_terminals(void)
{
  g_autofree char *name = NULL;
  int fd = open_terminal(&name), other = fd >= 0 ? open(name, O_RDWR | O_NOCTTY) : -1;
  if (other >= 0) {
    close(other);
  }
  return fd >= 0 && close(fd) == 0 && other >= 0;
}

static void begin(const char *model, const char *term, gushort columns, gushort rows)
{
  g_autofree char *name = NULL, *file = repository(model);
  terminal.fd = open_terminal(&name);
  TEST_ASSERT_TRUE(terminal.fd >= 0);
  resize(columns, rows);
  terminal.pid = fork();
  if (terminal.pid == 0) {
    setsid();
    int fd = open(name, O_RDWR); /* the terminal of this process */
    dup2(fd, 0);
    dup2(fd, 1);
    dup2(fd, 2);
    g_setenv("TERM", term, TRUE);
    g_setenv("LC_ALL", "C.UTF-8", TRUE);
    execl(HY_PROGRAM, "hydevs", "step", file, "--screen", (char *)NULL);
    _exit(127);
  }
}

/* Waits until WHAT stands on the page. */
static void expect(const char *what)
{
  char bytes[4096];
  struct pollfd out = {.fd = terminal.fd, .events = POLLIN};
  while (strstr(terminal.seen->str, what) == NULL) {
    if (poll(&out, 1, -1) <= 0) { /* however slow the machine is; ctest ends what waits for ever */
      break;
    }
    gssize n = read(terminal.fd, bytes, sizeof bytes);
    if (n <= 0) {
      break;
    }
    g_string_append_len(terminal.seen, bytes, n);
    const char *page = g_strrstr(terminal.seen->str, "\033[H\033[J");
    if (page != NULL) {
      g_string_erase(terminal.seen, 0, page - terminal.seen->str);
    }
  }
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(terminal.seen->str, what), terminal.seen->str);
}

/* What was seen before is no answer. */
static void type(const char *keys)
{
  g_string_truncate(terminal.seen, 0);
  gssize n = (gssize)strlen(keys);
  TEST_ASSERT_EQUAL_INT(n, write(terminal.fd, keys, (gsize)n));
}

static void expect_exit(int status)
{
  int is;
  TEST_ASSERT_EQUAL_INT(terminal.pid, waitpid(terminal.pid, &is, 0));
  terminal.pid = 0;
  TEST_ASSERT_TRUE(WIFEXITED(is));
  TEST_ASSERT_EQUAL_INT(status, WEXITSTATUS(is));
}

/* By hand: G at 1, P at 2, Q at 2.5. */
static void test_boxes_stand_inside_each_other(void)
{
  begin("examples/nested/model.xml", "xterm", 80, 24);
  expect("R  t = 0  event 0  next at t = 1");
  expect("\u250c C \u2500");
  expect("\u2502 \u250c D \u2500");
  expect("* G  ");
  expect("q quit");
  type("\033[C"); /* right */
  expect("event 1  next at t = 2 ");
  expect("\033[1m> G ");
  expect("\u2502 + P         [7] ");
  type(" ");
  expect("event 2  next at t = 2.5");
  expect("\u2502 \u2502 + Q         [7] ");
  expect("to    C/D/Q in = 7  dext e=2; s=[7]  ta=0.5");
  type("\033[D"); /* left */
  expect("event 1  next at t = 2 ");
  expect("\u2502 * P         [7] ");
  type("q");
  expect("\033[?1049l"); /* the page that was there is back */
  expect_exit(0);
}

static void test_it_fits_narrow_windows_and_new_sizes(void)
{
  begin("examples/nested/model.xml", "xterm", 30, 8);
  expect("\r\nC  ");
  expect("\r\n D  ");
  TEST_ASSERT_NULL(strstr(terminal.seen->str, "\u2502"));
  for (const char *line = strstr(terminal.seen->str, "\r\nC"); line != NULL;) {
    const char *next = strstr(line + 2, "\r\n");
    TEST_ASSERT_TRUE_MESSAGE(next == NULL || g_utf8_strlen(line + 2, next - line - 2) == 30, line);
    line = next;
  }
  resize(80, 24);
  kill(terminal.pid, SIGWINCH); /* as the terminal does for those in its foreground */
  expect("\u2502 \u250c D \u2500");
  kill(terminal.pid, SIGINT);
  expect("\033[?1049l");
  expect_exit(0);
}

static void test_a_break_of_the_prompt_stops_the_run(void)
{
  begin("examples/nested/model.xml", "xterm", 80, 24);
  expect("event 0");
  type("r");
  expect("there is no break: set one at the prompt (key :)");
  type(":");
  expect("> ");
  type("break C/D/Q if C/D/Q.sigma > 0\nscreen\n");
  expect("event 0");
  type("r");
  expect("event 2  next at t = 2.5");
  type("\004");
  expect_exit(0);
}

static void test_a_dumb_terminal_has_the_prompt(void)
{
  begin("examples/nested/model.xml", "dumb", 80, 24);
  expect("this is no terminal for a full-screen view; next, back and print work everywhere");
  type("next\nquit\n");
  expect("1  t=1  G");
  expect_exit(0);
}

int main(void)
{
  if (!there_are_terminals()) {
    puts("there are no pseudo-terminals here (/dev/pts): the full-screen view is not looked at");
    return SKIPPED;
  }
  UNITY_BEGIN();
  RUN_TEST(test_boxes_stand_inside_each_other);
  RUN_TEST(test_it_fits_narrow_windows_and_new_sizes);
  RUN_TEST(test_a_break_of_the_prompt_stops_the_run);
  RUN_TEST(test_a_dumb_terminal_has_the_prompt);
  return UNITY_END();
}
